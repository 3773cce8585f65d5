/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WORLD_H
#define LC_WORLD_H

#include "model/model.h"

/*
 * A model and short ways to tell it events. Time is in steps of a millisecond,
 * one for each event. There is one world at a time.
 */

#define ROOT  4026531836u
#define BOX   4026532301u
#define INNER 4026532302u

/* Levels, root first; ends at the first 0. */
#define IDS(...) ((const int[]){__VA_ARGS__, 0})
#define NS(...)	 ((const unsigned int[]){__VA_ARGS__, 0})

void world_begin(enum shape shape);
void world_end(void);
extern struct model *world;

/* The number of failures of a rule, of passes, and of unknown. */
long long fails(enum rule rule);
long long passes(enum rule rule);
long long unsures(enum rule rule);
/* Failures of all rules together. */
long long all_fails(void);

/*
 * For tests of what hears of events after the model: at() tells both of one that comes @ns after
 * BEGIN, the begin of the trace.
 */
#define BEGIN 1700000000000000000ull
extern void (*world_hears)(const struct event *ev);
void at(uint64_t ns, int cpu, enum event_kind kind, struct event ev);

/* Tells the model an event, of which the fields of its kind are set. */
void world_event(struct event *ev, uint64_t ns, int cpu, enum event_kind kind);

void dump_start(void);
void dump_end(void);
/* All records of one task that is its own leader, in the world's shape. */
void dump_task(const int *vtids, const unsigned int *inums, const char *comm);
void dump_dead_task(const int *vtids, const unsigned int *inums, const char *comm);
/* One process_state record. */
void dump_level(int tid, int vtid, int level, unsigned int inum);
void dump_namespace(unsigned int inum, unsigned int parent, int level, int init_tid);
/* A dump of init (1) and a shell (100) in the root namespace. */
void dump_host(void);

/* The child is a process, unless child_pid is given. */
void fork_task(int parent, unsigned int parent_inum, const int *vtids, const unsigned int *inums);
/* What fork_task() tells, for whom fields are to be changed. */
struct event fork_event(int parent, unsigned int parent_inum, const int *vtids,
			const unsigned int *inums);
void fork_thread(int parent, int pid, unsigned int parent_inum, const int *vtids,
		 const unsigned int *inums);
void exit_task(int tid);
void free_task(int tid);
void exec_task(const char *filename, int tid, int old_tid);
void switch_task(int prev, int next, const char *next_comm);
/* Events were lost from the last event to now. */
void lose_events(int count);

#endif
