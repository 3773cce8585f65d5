/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_WHY_H
#define LC_REPORT_WHY_H

#include <stdio.h>

#include "analysis/selection.h"
#include "base/json.h"
#include "path.h"
#include "analysis/why.h"
#include "label/cause-label.h"
#include "report/table.h"

struct why_report_options {
	const struct selection *selection; /* NULL: all, and the host */
	size_t nr_worst;
	bool by_task, histogram;
	enum table_format format; /* of report_why_table() */
};

/* Each host's user is its struct why. */
void report_why_text(FILE *out, const struct loaded *l, const struct why_report_options *opt);
void report_why_json(FILE *out, const struct loaded *l, const struct why_report_options *opt);
/* Flat rows: one for each kind of cause, and which one; those of a container are all its time. */
void report_why_table(FILE *out, const struct loaded *l, const struct why_report_options *opt);

void report_path_text(FILE *out, const struct path *p);
/* What the one at the end of the chain did, in words; the caller frees it. */
char *path_cause(const struct path *p, const struct path_step *s);
void report_path_json(FILE *out, const struct path *p);

void why_json_cause(struct json *j, const struct why *w, const struct cause *c,
		    const struct why_account *a);
/* Of one with a stage, what was done with the request. @own: why_is_own(). */
void why_json_request(struct json *j, const struct cause *c, bool own);
/* Whether an account is asked for. */
bool why_is_wanted(const struct host *h, const struct why_report_options *opt,
		   const struct why_account *a);
/* What is told apart by events of that kind is not, as the trace has none; NULL: no such. */
const char *why_not_recorded(const struct host *h, size_t i, const char **event);
/* The longest waits of those who are wanted. The caller frees the list. */
struct why_wait_of {
	const struct why_account *account;
	const struct why_wait *wait;
} * why_worst(const struct host *h, const struct why_report_options *opt, size_t *nr);

#endif
