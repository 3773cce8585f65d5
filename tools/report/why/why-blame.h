/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WHY_BLAME_H
#define LC_WHY_BLAME_H

#include "analysis/why.h"

/*
 * What kept the threads of an account waiting most, at the end of all chains of waits: who had the
 * CPU, whose quota was used up, which disk, or who ran meanwhile. Sleep by choice keeps nobody
 * waiting, neither one's own nor that of who is waited for, nor does what is unknown from the
 * first. Containers within one that the account is not in are to blame together, as that one.
 */
struct why_blame {
	const struct cause *what;  /* the last of its chain; NULL: nothing kept them waiting */
	const struct cause *whose; /* the one before it, who did that; NULL: the account itself, or
				      what does it alone tells whose it is */
	bool had_disk; /* whose requests the disk had while @what's were queued: what->who */
	uint64_t ns;   /* of that */
	uint64_t of;   /* of all that kept them waiting */
};

struct why_blame why_blame(struct why *w, const struct why_account *a);

#endif
