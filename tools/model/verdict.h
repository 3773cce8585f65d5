/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_VERDICT_H
#define LC_VERDICT_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"

enum rule {
#define RULE(id, text, symbol) RULE_##symbol,
#include "rules.def"
#undef RULE
	RULE_NR
};

struct rule_desc {
	const char *id;
	const char *text;
};

extern const struct rule_desc rules[RULE_NR];

/* How sure a verdict is; all but SURE turn it into "unknown". */
enum sure {
	SURE,
	UNSURE_LOST,   /* a lost event could explain it */
	UNSURE_EARLY,  /* before the first whole state dump */
	UNSURE_SHAPE,  /* this kind of trace does not tell it */
	UNSURE_UNTOLD, /* the kernel does so without an event */
	SURE_NR
};

static inline enum sure both_sure(enum sure a, enum sure b)
{
	return a != SURE ? a : b;
}

extern const char *const sure_names[SURE_NR];

/* One place where a rule does not hold. */
struct offence {
	enum rule rule;
	const char *trace; /* borrowed; "" if the offence is not in a trace */
	const char *event; /* borrowed; NULL if it is no single event */
	int cpu;
	uint64_t ns;  /* since the epoch */
	char *detail; /* key=value ...; text of the trace in it is not escaped */
};

struct rule_count {
	uint64_t pass;
	uint64_t fail;
	uint64_t unsure[SURE_NR];
};

struct verdicts {
	struct rule_count counts[RULE_NR];
	struct offence *offences; /* the first of each rule, in order of time */
	size_t nr_offences, cap_offences;
	uint64_t keep; /* how many offences of each rule are kept */
};

enum outcome { OUTCOME_PASS, OUTCOME_FAIL, OUTCOME_UNKNOWN, OUTCOME_NOT_TESTED };

/* A rule as a whole: one failure fails it, a lost event that matters leaves it open. */
enum outcome verdict_outcome(const struct verdicts *v, enum rule rule);
extern const char *const outcome_names[];

void verdict_free(struct verdicts *v);

/* Counts a verdict that is not a failure. */
void verdict_ok(struct verdicts *v, enum rule rule);
void verdict_unsure(struct verdicts *v, enum rule rule, enum sure why);
/* Counts a failure and, while there are few, keeps it. @ev may be NULL. */
void verdict_fail(struct verdicts *v, enum rule rule, const struct event *ev, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The detail is only formatted when the rule is violated for sure. */
#define judge(verdicts_, rule_, how_sure_, ok_, ev_, ...)                                          \
	do {                                                                                       \
		enum sure sure_ = (how_sure_);                                                     \
                                                                                                   \
		if (sure_ != SURE)                                                                 \
			verdict_unsure(verdicts_, rule_, sure_);                                   \
		else if (ok_)                                                                      \
			verdict_ok(verdicts_, rule_);                                              \
		else                                                                               \
			verdict_fail(verdicts_, rule_, ev_, __VA_ARGS__);                          \
	} while (0)

#endif
