/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TELL_H
#define LC_TELL_H

#include "reader.h"

/*
 * What readers tell their caller of streams, beside the events' fields, whichever of them reads:
 * when tracing was on, what was lost, and which CPUs there are.
 */

struct told {
	/* Set these first; the rest is set by the functions below. */
	struct trace_info *trace;
	bool may_switch;	 /* sched_switch is recorded in it */
	bool has_begin, has_end; /* its packets have those times */
	uint64_t missing_until;	 /* its first packets are missing, up to then; 0: they are not */
	int first_cpu;		 /* of its first packet; -1: not known, or none is missing */

	int cpu;	 /* -1 if not known */
	bool has_events; /* in the current packet */
	/* Lost in the first packet, and so before the CPU was known. */
	bool has_early_loss;
	struct loss early_loss;
	uint64_t end;	       /* of its last packet, ns since the epoch; 0: not told */
	struct told *next;     /* of all */
	struct told *next_end; /* of those in trace.ended */
};

struct telling {
	const struct reader_callbacks *cb;
	struct told *streams, **last;
	uint64_t nr_events;
	struct event ev;
};

/* Sets what the environment of a trace tells; "" is what it does not. The texts stay the caller's.
 */
void tell_environment(struct trace_info *t, const char *host, const char *domain, const char *name,
		      const char *created);
/* Whether a trace is the kernel's, when its clock, its offers and its domain are known. */
void tell_kind(struct trace_info *t);
/* Notes a stream, which stays the caller's. */
void tell_stream(struct telling *t, struct told *s);
/* Times are ns since the epoch, 0 where none is told. Return 0, or another number if a callback
 * ended the reading. */
int tell_packet_begin(struct telling *t, struct told *s, int cpu, uint64_t ns);
void tell_packet_end(struct telling *t, struct told *s, uint64_t ns);
void tell_stream_end(struct told *s);
/* @loss: how many and of what, and when if @has_times; the rest is filled in. */
int tell_loss(struct telling *t, struct told *s, struct loss *loss, bool has_times);
/* Counts an event. */
static inline void tell_met(struct telling *t, struct told *s)
{
	t->nr_events++;
	s->trace->nr_events++;
	s->has_events = true;
}

/*
 * Events without a bit, of which a file may have endlessly many: to be told how large all files of
 * the traces are, bytes. Whether there have been more events than bits since; then it printed that.
 */
void tell_expect(uint64_t bytes);
bool tell_is_endless(const struct telling *t);

/*
 * Takes the time of an event, used or not: if the end of a trace depended on which events a command
 * uses, two commands would tell different sums of it.
 */
static inline void tell_time(struct telling *t, struct told *s, uint64_t ns)
{
	t->ev.ns = ns;
	trace_extend(s->trace, ns);
	s->trace->last = ns;
}

/* Tells of the event in @t, the fields and time of which are filled in. */
int tell_event(struct telling *t, struct told *s);

#endif
