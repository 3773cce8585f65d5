/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_PROGRAMS_H
#define LC_PROGRAMS_H

#include "model/model.h"
#include "trace/reader.h"

/*
 * What programs had mapped and what the functions of those files are called, as `record --stacks`
 * kept it (base/symbols.h): of which program an address is, by the time at which it was seen.
 */
struct programs;

/* Why the functions of a file are not there: as UNREAD_... of base/symbols.h; or nothing is said.
 */
enum why_unread {
	UNREAD_UNSAID,
	UNREAD_AS_LATE,
	UNREAD_AS_GONE,
	UNREAD_AS_LARGE,
	UNREAD_AS_BAD,
	NR_UNREAD
};

/* What a frame of a program's stack is. Lives as long as the programs. */
struct user_frame {
	const char *name; /* a function's, else NULL; neither is escaped */
	const char *path; /* the file's, or what the kernel calls it */
	uint64_t offset;  /* in the file, of the instruction, where there is no function */
	bool is_memory;	  /* no file: what a program has made itself */
	enum why_unread unread;
};

/* NULL: there is nothing beside the trace. @m: of its host; it is to live as long. */
struct programs *programs_of(const struct trace_info *t, struct model *m);
/*
 * What @pid had at that address; times (ns since the epoch) must not go back much,
 * and the model is to have been told all until then. NULL: not known.
 */
const struct user_frame *programs_at(struct programs *p, int64_t pid, uint64_t ns,
				     uint64_t address);
/* Changes of processes that were lost, or had no room: some names may be wrong, or missing. */
bool programs_lost(const struct programs *p);
void programs_free(struct programs *p);

#endif
