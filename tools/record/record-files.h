/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_FILES_H
#define LC_RECORD_FILES_H

#include <stdbool.h>

#include "base/hash.h"
#include "record-kept.h"
#include "record-owner.h"
#include "record-perf.h"
#include "record-reading.h"
#include "record-starts.h"

/*
 * The files that processes have mapped to run, and what their functions are called. Each is read
 * once, and another one that has its name and number once more, by a process of its own. One that
 * takes long is read for a minute, as long as it keeps nobody waiting. Those whose files they are
 * take turns; and where one of them has a file for moments only, so that it cannot be read there,
 * it is read all the same where another has it.
 */

#define NR_READERS 3

struct files {
	struct kept *kept;
	struct starts *starts;
	struct hash known, tables;
	size_t nr_files, nr_tables;
	struct shares shares; /* of the files that can be known */
	struct hash attempts;
	struct shares attempted;
	struct wanted {
		struct attempt *attempt;
		uint32_t pid;
		struct mapping map; /* without its path */
	} * queue;
	size_t nr, cap; /* of the queue */
	struct shares queued;
	struct work {
		struct wanted wanted;
		struct reading reading;
	} work[NR_READERS];
};

void files_open(struct files *f, struct kept *kept, struct starts *starts);
/* What a change of CHANGE_MAP says. Returns whether that is kept. */
bool files_map(struct files *f, const struct change *c);
/* Those that are not being read, though they should be, are; and those no longer that were given
 * enough time. */
void files_go_on(struct files *f);
/* Takes what that one says. */
void files_listen(struct files *f, struct work *w);
/* When files_go_on() has something to do, ns of CLOCK_MONOTONIC; UINT64_MAX: never. */
uint64_t files_next(const struct files *f);
/* Whether nobody waits for any but those that take long. */
bool files_are_settled(const struct files *f);
/* Whether all have been read that could be. */
bool files_are_read(const struct files *f);
/* Says which have not been, and why. */
void files_close(struct files *f);

#endif
