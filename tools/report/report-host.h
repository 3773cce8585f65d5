/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_REPORT_HOST_H
#define LC_REPORT_HOST_H

#include <stdio.h>

#include "base/json.h"
#include "trace/load.h"

/* Whether `lttng-containers record` made the trace, so that a remedy can name its option. */
bool report_host_is_recorders(const struct host *h);
/* The heading of a host that all text reports share. */
void report_host_text(FILE *out, const struct host *h);
void report_host_json(struct json *j, const struct host *h);
/* What a report says of a host besides; @opt is the caller's. */
typedef void report_host_members(struct json *j, const struct host *h, const void *opt);
/* The list of all hosts; @members may be NULL. */
void report_hosts_json(struct json *j, const struct loaded *l, report_host_members *members,
		       const void *opt);
/* A whole document, docs/schema/NAME.json: what most reports are. */
void report_json(FILE *out, const char *name, const struct loaded *l, report_host_members *members,
		 const void *opt);
/* The list of its CPUs that have no records. */
void json_silent_cpus(struct json *j, const char *key, const struct host *h);

#endif
