/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CONDITION_H
#define LC_CONDITION_H

#include <stdint.h>

/*
 * What a user wants to be told of: delay > DURATION [in WHOM], blocked > DURATION [in WHOM] or
 * throttled > DURATION/PERIOD [in WHOM]. DURATION and PERIOD are numbers with a unit, as 20ms; WHOM
 * is any (as if nothing were given), host, or which container is meant.
 */
enum condition_what {
	CONDITION_DELAY,     /* a wait for a CPU */
	CONDITION_BLOCKED,   /* an uninterruptible sleep */
	CONDITION_THROTTLED, /* what a quota took from all tasks together, of a period */
	NR_CONDITIONS
};

enum whom {
	WHOM_ANY,	/* any container */
	WHOM_HOST,	/* what is in no container */
	WHOM_CONTAINER, /* of this name, this id, or with an id that begins so */
	WHOM_NAMESPACE, /* the inode of a PID namespace */
	WHOM_CGROUP,	/* the path of a control group, and those below */
};

struct condition {
	char *text; /* as given; owned */
	enum condition_what what;
	uint64_t ns;	    /* what is longer */
	uint64_t period_ns; /* of CONDITION_THROTTLED, else 0 */
	enum whom whom;
	char *name;	  /* of WHOM_CONTAINER and WHOM_CGROUP, else NULL; owned */
	uint64_t ns_inum; /* of WHOM_NAMESPACE */
};

/* As it is written in conditions and in names of snapshots. */
const char *condition_word(enum condition_what what);
/* Returns 0, or -1 after it printed what is wrong. */
int condition_parse(struct condition *c, const char *text);
void condition_free(struct condition *c);
/* What was understood, as a sentence's part; escaped. The caller frees it. */
char *condition_describe(const struct condition *c);

#endif
