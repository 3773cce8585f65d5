/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COMPARE_CHANGE_H
#define LC_COMPARE_CHANGE_H

#include "side.h"
#include "base/hash.h"

enum { BEFORE, AFTER, SIDES };

/* With which probability an interval has the true change. */
#define CONFIDENCE 0.99
/* Less is no change that can be told, ns per second: times are cut to nanoseconds. */
#define CHANGE_MIN 1000

/* What a container's threads did: a kind of cause, or which one of a kind. Rates are ns per second.
 */
struct change_row {
	enum why_kind kind;
	char *which;		/* escaped; NULL: the whole kind */
	uint64_t *ns[SIDES];	/* in each window */
	uint64_t unsure[SIDES]; /* ns of it all that lost events may have been otherwise */
	double rate[SIDES], change;
	bool is_bounded;    /* both sides have windows enough for an interval */
	double least, most; /* of change; if bounded */
	bool is_told;	    /* 0 is outside of the interval */
};

struct change {
	bool known, is_host;
	char *label;		  /* the plain one, not escaped */
	size_t nr_windows[SIDES]; /* in which it had threads; 0: it is not on that side */
	struct change_row whole;  /* all its time */
	struct change_row *rows;  /* each kind, and behind it which ones, the largest first */
	size_t nr_rows, cap_rows;
	double largest_told; /* of the rows' changes, more or less; 0: none is told */
	struct hash by_text; /* places in rows from 1 on, while they are found */
};

struct changes {
	const struct side *sides; /* SIDES of them */
	size_t nr_windows;
	struct change *list; /* on both sides first, the largest change that is told first */
	size_t nr, cap;
	struct hash by_label; /* places in list from 1 on, while they are found */
};

/* Free it with changes_free(). */
void changes_find(struct changes *c, const struct side *sides);
void changes_free(struct changes *c);

#endif
