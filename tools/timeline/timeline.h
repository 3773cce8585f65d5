/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TIMELINE_H
#define LC_TIMELINE_H

#include "analysis/selection.h"
#include "trace/load.h"

/*
 * What a timeline shows, as it is read: every run of a task goes to a temporary
 * file at once, so that memory grows with tasks and containers, not with switches.
 *
 * A run is some numbers, seven bits a byte, the lowest first, the eighth set but in
 * a number's last byte: CPU times RUN_NR_FLAGS plus flags; the time since the CPU's
 * last run, for the first one since the CPU's start (RUN_HAS_GAP); the duration;
 * the task; how long it waited for a CPU before, 0 being since its own last run
 * (RUN_HAS_WAIT); and the container, if it is not that of the task's last run
 * (RUN_HAS_CONTAINER). Times are ns. Runs of a CPU are in order.
 */
enum { RUN_HAS_GAP = 1, RUN_HAS_WAIT = 2, RUN_HAS_CONTAINER = 4, RUN_NR_FLAGS = 8 };

/* The container of a run: it was not told then, and is that of the task. */
#define OWN_CONTAINER 0

struct tl_task {
	uint32_t number;
	const struct host *host;
	struct task *task; /* NULL: the model does not know it */
	int tid;
	uint64_t in,
		in_woken; /* last switched in; and since when it waited for that, 0: not known */
	uint64_t woken;	  /* since when it waits now; 0: it does not */
	uint64_t ran_until;
	uint64_t waiting; /* ... at the end, see woken */
	bool is_past_end;
	uint32_t container; /* of its last run */
};

struct tl_cpu {
	uint32_t number; /* place in timeline.cpus */
	const struct host *host;
	int cpu;
	bool started;
	uint64_t start; /* ns since the epoch */
	uint64_t until; /* end of its last run that was written */
	/* A run that may go on: interrupts cut it to pieces. */
	struct tl_task *task;
	uint64_t begin, end, woken;
	uint32_t container;
};

/* What a host's user is; its tasks' is their struct tl_task. */
struct tl_host {
	struct tl_cpu **cpus; /* by their numbers; NULL: not met */
	size_t nr_cpus;
	struct tl_host *next;
};

/* A number for each: the host itself is one, too (container NULL). */
struct tl_container {
	const struct host *host;
	struct container *container;
};

struct tl_unknown {
	uint32_t cpu;
	uint64_t begin, end;
};

struct tl_loss {
	const struct host *host;
	struct loss loss;
};

/* A step of a critical path. */
struct tl_step {
	uint32_t task; /* whose step it is */
	uint64_t begin, end;
	char *cause;
};

struct path;

struct timeline {
	/* Moments as text (see time_parse()), or NULL: what is outside is left out. */
	const char *begin_text, *end_text;
	uint64_t begin, end; /* ns since the epoch; set by timeline_finish() */
	uint64_t from, to;   /* ... as asked for; 0, UINT64_MAX: all */

	FILE *runs;
	uint64_t nr_runs;
	bool wants_wakeups; /* set it before timeline_start() */
	FILE *wakeups;	    /* of struct tl_wakeup; NULL: not wanted */

	struct tl_task **tasks;
	size_t nr_tasks, cap_tasks;
	struct tl_cpu **cpus;
	size_t nr_cpus, cap_cpus;
	/* The first is none, see OWN_CONTAINER. */
	struct tl_container *containers;
	size_t nr_containers, cap_containers;
	struct tl_unknown *unknowns;
	size_t nr_unknowns, cap_unknowns;
	struct tl_loss *losses;
	size_t nr_losses, cap_losses;
	bool has_wakeups;
	struct tl_step *steps; /* of the path that is shown; none unless asked for */
	size_t nr_steps, cap_steps;

	/* Whose tasks have rows; NULL: all. It is the caller's. */
	const struct selection *selection;

	struct tl_host *hosts;
	struct hash by_tid, by_container; /* by_tid: those that the model does not know */
};

/* Sets what is to be called; load() does the rest. Returns 0, or -1 after an error was printed. */
int timeline_start(struct timeline *tl, struct load_options *opt);
/* After load(): numbers all containers there are, and ends runs. Returns 0, or -1. */
int timeline_finish(struct timeline *tl, struct loaded *l);
void timeline_free(struct timeline *tl);
/* Whether a temporary file could not be written: then load() fails. */
bool timeline_is_full(const struct timeline *tl);

/* After timeline_finish(): the path is to be shown, too. */
void timeline_take_path(struct timeline *tl, const struct loaded *l, const struct path *p);
void timeline_free_path(struct timeline *tl);

/* The number of a container, that it is now known as; NULL: of the host itself. */
uint32_t timeline_container(struct timeline *tl, const struct host *h, struct container *c);
/* Whether the container's tasks have rows: see selection. */
bool timeline_shows(const struct timeline *tl, const struct tl_container *c);
/* The number of the container that a task was in last. */
uint32_t timeline_task_container(struct timeline *tl, const struct tl_task *t);
/* The container's label, behind the name of its host if there are several; the caller frees it. */
char *timeline_title(const struct tl_container *c);

/* A run, read back. Times are ns since the epoch. */
struct tl_run {
	const struct tl_cpu *cpu;
	const struct tl_task *task;
	uint64_t begin, end;
	uint64_t woken; /* since when it had waited; 0: not known, or not at all */
	uint32_t container;
};

/* A task woke another one, which then ran. Times are ns since the epoch; CPUs, places in cpus. */
struct tl_wakeup {
	uint64_t woken, in;
	uint32_t waker_cpu, woken_cpu;
};

/* Calls for each, in the order of @in. Returns 0, or -1 after an error was printed. */
int timeline_each_wakeup(struct timeline *tl, void (*call)(void *ctx, const struct tl_wakeup *w),
			 void *ctx);
/* Calls for each run, in the order in which they were written. Returns 0, or -1. */
int timeline_each_run(struct timeline *tl, void (*call)(void *ctx, const struct tl_run *r),
		      void *ctx);

/* The formats. Whether all was written is for the caller to ask the stream. Return 0, or -1. */
int timeline_html(FILE *out, struct timeline *tl, const struct loaded *l);
int timeline_perfetto(FILE *out, struct timeline *tl, const struct loaded *l);

#endif
