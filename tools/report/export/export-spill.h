/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EXPORT_SPILL_H
#define LC_EXPORT_SPILL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "export-schema.h"
#include "model/event.h"
#include "model/model.h"

/*
 * What is told while a trace is read waits in a file until its end: only then is it known of
 * everything in which container it was. So no more than what lives is in memory.
 *
 * Tasks and containers are numbers of their host here, from 1 on. A container of 0 is the host;
 * CONTAINER_UNTOLD is one that may be settled at the end (struct settled).
 */
#define CONTAINER_UNTOLD UINT32_MAX

struct spilled_task {
	uint32_t number, container;
	int32_t tid, pid;
	int32_t nr_levels, vtids[LEVELS_MAX];
	bool unsure;
	uint64_t birth, death;
	char comm[COMM_MAX + 1];
};

struct spilled_run {
	uint64_t begin, end;
	uint32_t task, container;
	int32_t cpu, tid;
	uint8_t kind, under; /* enum run_kind */
	bool unsure;
};

struct spilled_wait {
	uint64_t number, begin, end, ns; /* end UINT64_MAX: unfinished */
	uint32_t task, container;
	int32_t cpu, tid;
	uint8_t why; /* enum wait_reason */
	bool unfinished, unsure;
};

struct spilled_blame {
	uint64_t wait, ns;
	uint32_t victim, culprit;
	uint8_t kind; /* enum culprit_kind */
	bool unsure;
};

struct spilled_block {
	uint64_t begin, end;
	int64_t state;
	uint32_t task, container;
	int32_t tid, waker_tid;
	uint8_t waker; /* enum run_kind */
	bool has_waker, died, unfinished, unsure;
};

struct spilled_actor {
	uint8_t kind; /* enum run_kind */
	uint32_t task, container;
	int32_t tid;
	char comm[COMM_MAX + 1];
};

struct spilled_wakeup {
	uint64_t ns, waited; /* waited: UINT64_MAX if it was not seen */
	struct spilled_actor waker, woken;
	int32_t cpu;
	bool unsure;
};

struct spilled_call {
	const char *name; /* valid during the whole reading */
	uint64_t begin, duration, at;
	int64_t ret;
	uint32_t task, container;
	int32_t tid;
	uint8_t end; /* enum call_end */
	bool unsure;
	char comm[COMM_MAX + 1];
};

/* Its stack comes behind it, see spill_add_text(). */
struct spilled_sample {
	uint64_t ns;
	int64_t mode, period;
	uint32_t task, container;
	int32_t cpu, tid;
	bool unsure;
	char comm[COMM_MAX + 1];
};

struct spilled {
	uint32_t host; /* its number in struct loaded */
	enum export_table table;
	union {
		struct spilled_task task;
		struct spilled_run run;
		struct spilled_wait wait;
		struct spilled_blame blame;
		struct spilled_block block;
		struct spilled_wakeup wakeup;
		struct spilled_call call;
		struct spilled_sample sample;
	};
};

struct spill {
	FILE *file;
	uint64_t nr;
	int why;    /* it cannot be kept, an errno; 0: it can */
	char *text; /* of the last item that was read, if it has one: escaped */
	size_t text_cap;
};

/* A file without a name in that directory. Returns 0, or -1 after an error was printed. */
int spill_open(struct spill *s, int dir);
/* Only what the table needs is written. */
void spill_add(struct spill *s, const struct spilled *item);
/* The same for an item of a table that has a text, of any length, behind its items. */
void spill_add_text(struct spill *s, const struct spilled *item, const char *text);
/* From the first one on. Returns 0, or -1 after an error was printed. */
int spill_rewind(struct spill *s);
/* Whether there was one more. */
bool spill_next(struct spill *s, struct spilled *item);
void spill_close(struct spill *s);

#endif
