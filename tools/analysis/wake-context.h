/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WAKE_CONTEXT_H
#define LC_WAKE_CONTEXT_H

#include "disk-queue.h"
#include "model/cpus.h"

/*
 * In which context a CPU is when it wakes a task: in the task that runs there, or in an
 * interrupt, and of which purpose. This is the context of Giraldeau and Dagenais, "Wait analysis
 * of distributed systems using kernel tracing" (2016), of whose wake-up graph why.h is made.
 */

enum wake_by {
	WAKE_BY_TASK,
	WAKE_BY_TIMER,
	WAKE_BY_DISK,
	WAKE_BY_NETWORK,   /* a packet that came in with a device's interrupt */
	WAKE_BY_INTERRUPT, /* of another purpose, or of one that is not recorded */
	WAKE_BY_UNKNOWN,   /* what ran on the CPU is not known, or was lost */
};

enum wake_how { WAKE_PLAIN, WAKE_SIGNAL, WAKE_EXIT };

struct wake_source {
	enum wake_by by;
	int64_t tid;	/* WAKE_BY_TASK */
	bool by_packet; /* of that task, which may run no more */
	enum wake_how how;
	int64_t dev, rwbs; /* WAKE_BY_DISK: of the request that was completed last; ABSENT */
	struct disk_request request; /* of a disk that it went to in the end */
};

struct wake_contexts {
	bool has_raises; /* soft interrupts tell who raised them */
	struct wake_cpu *cpus;
	size_t nr, cap;
};

/* To be called for each event; @tid: the task that runs there, or -1. */
void wake_contexts_event(struct wake_contexts *c, const struct event *ev, int64_t tid);
/* In place of it for one of a request that was completed. */
void wake_contexts_done(struct wake_contexts *c, const struct event *ev,
			const struct disk_request *request);
/* Whether what is done on that CPU now is its task's doing. */
bool wake_contexts_in_task(const struct wake_contexts *c, int cpu);
/* A CPU goes on to another task. */
void wake_contexts_switch(struct wake_contexts *c, int cpu);
void wake_contexts_loss(struct wake_contexts *c, const struct loss *loss);
/*
 * Who wakes now, on a CPU on which that runs. Whether it does so by a signal, or by its end, is for
 * others to tell.
 */
struct wake_source wake_source_of(const struct wake_contexts *c, const struct on_cpu *waker);
void wake_contexts_free(struct wake_contexts *c);

#endif
