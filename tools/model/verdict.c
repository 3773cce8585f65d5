/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdarg.h>
#include <stdlib.h>

#include "schema.h"
#include "base/util.h"
#include "verdict.h"

const struct rule_desc rules[RULE_NR] = {
#define RULE(id, text, symbol) [RULE_##symbol] = {id, text},
#include "rules.def"
#undef RULE
};

const char *const sure_names[SURE_NR] = {
	[SURE] = "certain",
	[UNSURE_LOST] = "lost events",
	[UNSURE_EARLY] = "before the first whole state dump",
	[UNSURE_SHAPE] = "not in the trace",
	[UNSURE_UNTOLD] = "may change without an event",
};

const char *const outcome_names[] = {
	[OUTCOME_PASS] = "pass",
	[OUTCOME_FAIL] = "fail",
	[OUTCOME_UNKNOWN] = "unknown",
	[OUTCOME_NOT_TESTED] = "not tested",
};

enum outcome verdict_outcome(const struct verdicts *v, enum rule rule)
{
	const struct rule_count *c = &v->counts[rule];
	int i;

	if (c->fail)
		return OUTCOME_FAIL;
	if (c->unsure[UNSURE_LOST])
		return OUTCOME_UNKNOWN;
	if (c->pass)
		return OUTCOME_PASS;
	for (i = 0; i < SURE_NR; i++)
		if (c->unsure[i])
			return OUTCOME_UNKNOWN;
	return OUTCOME_NOT_TESTED;
}

void verdict_free(struct verdicts *v)
{
	size_t i;

	for (i = 0; i < v->nr_offences; i++)
		free(v->offences[i].detail);
	free(v->offences);
	v->offences = NULL;
	v->nr_offences = v->cap_offences = 0;
}

void verdict_ok(struct verdicts *v, enum rule rule)
{
	v->counts[rule].pass++;
}

void verdict_unsure(struct verdicts *v, enum rule rule, enum sure why)
{
	v->counts[rule].unsure[why]++;
}

void verdict_fail(struct verdicts *v, enum rule rule, const struct event *ev, const char *fmt, ...)
{
	struct offence *o;
	va_list ap;

	if (v->counts[rule].fail++ >= v->keep)
		return;
	v->offences = grow(v->offences, v->nr_offences, &v->cap_offences, sizeof(*o));
	o = &v->offences[v->nr_offences++];
	*o = (struct offence){.rule = rule, .trace = "", .cpu = -1};
	if (ev) {
		o->trace = ev->trace;
		o->event = ev->kind < EV_NR ? event_descs[ev->kind].name : NULL;
		o->cpu = ev->cpu;
		o->ns = ev->ns;
	}
	va_start(ap, fmt);
	o->detail = xvasprintf(fmt, ap);
	va_end(ap);
}
