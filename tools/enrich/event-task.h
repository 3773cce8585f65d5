/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EVENT_TASK_H
#define LC_EVENT_TASK_H

#include "model/cpus.h"
#include "model/label.h"

/* Who causes the events of a host: the task that runs on the CPU, and its container. */

struct event_task {
	const char *container; /* its label, also the host's; "": not known */
	const char *id;	       /* as its runtime has it; "" if it has none */
	uint32_t pid_ns;       /* inode; 0: not known */
	int32_t vtid, vpid;    /* in that PID namespace; 0: not known, and the idle task */
};

extern const struct event_task event_task_none;

/* Of one host. */
struct event_tasks {
	struct model *model;
	struct cpus *cpus; /* who runs there now, alone */
	struct hash labels;
	struct hash taken;  /* hash of a label -> whose it is */
	struct hash alikes; /* by the hash of a label with its birth */
};

/* @m outlives it. */
struct event_tasks *event_tasks_new(struct model *m);
/*
 * The task that runs when an event happens. @ev: the event if the model takes
 * it (and has), else NULL. Call it for every event, in order. sched_switch is
 * caused by the task that leaves. Texts are valid until the next call.
 */
struct event_task event_task_running(struct event_tasks *w, int cpu, uint64_t ns,
				     const struct event *ev);
/* The task that has the id in the PID namespace. */
struct event_task event_task_find(struct event_tasks *w, uint32_t pid_ns, int64_t vtid);
void event_tasks_lost(struct event_tasks *w, const struct loss *loss);
void event_tasks_free(struct event_tasks *w);

#endif
