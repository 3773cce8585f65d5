/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RUNNING_H
#define LC_RUNNING_H

#include "model/event.h"

/* What each CPU of a host does: which task runs on it, or that it serves an interrupt. */

enum running_what {
	RUNNING_UNKNOWN, /* before the first switch of the CPU, or events of it were lost */
	RUNNING_IDLE,
	RUNNING_TASK,
	RUNNING_INTERRUPT, /* of any kind, softirqs included */
};

struct running {
	struct running_cpu {
		int64_t tid;	     /* -1: not known; 0: idle */
		uint64_t since;	     /* when it was switched in, ns since the epoch */
		uint64_t lost_until; /* events of the CPU were lost up to then; 0: none were */
		char comm[17];	     /* of the task, when it was switched in */
		unsigned int depth;  /* of interrupts in interrupts */
	} * cpus;
	size_t nr, cap;
};

/* To be called for each event. What an event's CPU did is asked before for sched_switch. */
void running_event(struct running *r, const struct event *ev);
void running_loss(struct running *r, const struct loss *loss);
enum running_what running_on(const struct running *r, int cpu);
/* The task of the CPU, interrupted or not: its tid, 0 for idle, -1 for not known. */
int64_t running_tid(const struct running *r, int cpu);
/* Whether no lost events can have changed what the CPU does at that moment. */
bool running_is_sure(const struct running *r, int cpu, uint64_t now);
/* The task's name when it was switched in; "" if not known. */
const char *running_comm(const struct running *r, int cpu);
/* Whether a task that is switched out with that state goes on waiting for a CPU. */
bool running_is_runnable(int64_t prev_state);
void running_free(struct running *r);

#endif
