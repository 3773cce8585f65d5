/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CPUS_H
#define LC_CPUS_H

#include "sweep.h"

/*
 * Who ran on which CPU, from when to when. Fed with the events of one host just
 * after its model was, it tells of each stretch of time as soon as it is certain
 * whose it was. From the begin to the end that cpus_finish() is given, each
 * CPU's stretches follow each other without gap or overlap; those of different
 * CPUs come in no certain order.
 *
 * Before a CPU's first switch the one ran that it switched from; after the last
 * one, the one that it switched to. Where events were lost, the CPU's time is
 * RUN_UNKNOWN unless the switches on both sides agree, and then it is unsure.
 */
struct cpus;

enum run_kind { RUN_TASK, RUN_IDLE, RUN_INTERRUPT, RUN_UNKNOWN, RUN_KIND_NR };

/* Where a task was. Not known: before the trace first told, which held since then, too. */
struct place {
	bool known;
	struct container *container; /* NULL: the host; see container_is() */
	int hierarchy;
	uint64_t cgroup_id; /* 0: not told */
	uint64_t told;	    /* when it was told last; 0: not as a whole */
};

/*
 * Whether lost events could have changed where a task was: a move, or its end and another task
 * under its number. IN_DOUBT: after the loss; if it is told the next time, without more being
 * lost, that it is still there, then it was there all along.
 */
enum whereabouts { IS_THERE, IN_DOUBT, IN_LOSS };

struct run {
	enum run_kind kind;
	int cpu;
	uint64_t begin, end; /* ns since the epoch; begin < end */
	/* RUN_INTERRUPT: what it interrupted, else the same as kind. */
	enum run_kind under;
	/* Of RUN_TASK, also under an interrupt. NULL: the model does not know it. */
	struct task *task;
	int tid;
	struct place place;
	bool unsure;		/* the switches agree, but events in between were lost */
	enum whereabouts where; /* of RUN_TASK, also under an interrupt */
	uint64_t losses;	/* how many there had been then */
};

/*
 * A key of who may have made as many as he likes of what is there, by which it is bounded what one
 * can take from others: the user whose slice the container that is in no other is in, or the
 * service; else that container. On the host the same of the task's group, or 1. Never 0.
 */
uint64_t place_owner(struct model *m, const struct place *p);
/*
 * A key of the user or the service that a group is of; @own: the one of the container around it
 * that is in no other, or NULL. 0: neither.
 */
uint64_t cgroup_owner(const struct cgroup *own, const struct cgroup *g);

typedef void cpus_on_run(void *ctx, const struct run *run);

/*
 * What a CPU does now, as far as the switches so far told. What events tell that were lost there,
 * of whatever channel, is not known until the next switch.
 */
struct on_cpu {
	enum run_kind kind; /* RUN_INTERRUPT: of any kind, softirqs and timers included */
	int cpu;
	int64_t tid;	   /* interrupted or not; 0: the idle task; -1: not known */
	struct task *task; /* NULL: the model does not know it */
	const char
		*comm;	/* its name when it was switched in, "" if not told; until the next event */
	uint64_t since; /* when it was switched in; 0: not known */
	bool is_sure;	/* no lost events can have changed that it is this task */
};

/*
 * The model must keep dead tasks, and outlive this. Without @on_run only cpus_now() is of use.
 * Free with cpus_free().
 */
struct cpus *cpus_new(struct model *m, cpus_on_run *on_run, void *ctx);
void cpus_free(struct cpus *s);

/* A CPU is there; what it recorded begins at that moment, or before. */
void cpus_meet(struct cpus *s, int cpu, uint64_t begin);
/* Before model_event() with EV_CGROUP_ATTACH or EV_CGROUP_TRANSFER. */
void cpus_before_move(struct cpus *s, const struct event *ev);
/* After model_event() with the same event; @begin: of the trace. */
void cpus_event(struct cpus *s, const struct event *ev, uint64_t begin);
/* When a loss begins, which is before any event that is not older; before model_loss(). */
void cpus_before_loss(struct cpus *s, const struct loss *loss);
/* After it. */
void cpus_loss(struct cpus *s, const struct loss *loss);
void cpus_finish(struct cpus *s, uint64_t begin, uint64_t end);
/*
 * Between events: tells of all that is certain up to that moment. What is not yet
 * is told to @on_open as RUN_UNKNOWN, from where it begins, and to on_run later.
 */
void cpus_flush(struct cpus *s, uint64_t now, cpus_on_run *on_open, void *ctx);
/* The same of one CPU, as a host may have thousands. */
void cpus_flush_one(struct cpus *s, int cpu, uint64_t now, cpus_on_run *on_open, void *ctx);
/* Whether a CPU's time may still have to be told of with that task. */
bool cpus_need(const struct cpus *s, const struct task *t);

/* For model_sweep(): the containers that are known to have run, or been moved. */
void cpus_keep(const struct cpus *s, struct sweep *sweep);

size_t cpus_count(const struct cpus *s);
/* Switches that contradict each other though nothing was lost. */
uint64_t cpus_contradictions(const struct cpus *s);

/* Whether cpus_now() will be asked, and for names; if not, they cost nothing. */
void cpus_keep_now(struct cpus *s, bool keep, bool with_names);
/* At @ns, the moment of the last event. */
struct on_cpu cpus_now(const struct cpus *s, int cpu, uint64_t ns);
/*
 * Which tid was switched in there last, as far as switches tell; -1: not known, or a switch may
 * have been lost since. cpus_now() doubts also what is lost of other channels.
 */
int64_t cpus_there(const struct cpus *s, int cpu, uint64_t ns);
/* ... and whose doing an event there is, @ev after cpus_event(), or NULL: a switch is that of who
 * leaves. */
int64_t cpus_causes(const struct cpus *s, int cpu, uint64_t ns, const struct event *ev);
/* Where a task is now. */
struct place cpus_place(struct model *m, struct task *t);
/* The same, of one that is likely to run on that CPU, which makes it cheaper. */
struct place cpus_place_on(const struct cpus *s, int cpu, struct task *t);
/* Whether no lost events can have changed it, that its place is told included. */
bool cpus_place_is_sure(struct model *m, struct task *t);
/* Whenever each was told. */
bool cpus_same_place(const struct place *a, const struct place *b);

enum doubt_end { DOUBT_IS_OPEN, DOUBT_IS_RESOLVED, DOUBT_REMAINS };
/*
 * A whole state dump ended: whether a task was where it was found, IN_DOUBT, when there had been so
 * many losses. One that began before the loss may not tell; so it is open for two, which @dumps
 * counts, from 0.
 */
enum doubt_end cpus_doubt(struct model *m, struct task *t, const struct place *found,
			  uint64_t losses, unsigned int *dumps);

#endif
