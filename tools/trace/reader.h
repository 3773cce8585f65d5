/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_READER_H
#define LC_READER_H

#include "model/event.h"

/* Reads kernel traces in the Common Trace Format. */

/* The kernel has no longer name for a host. */
#define HOSTNAME_MAX 64

/* A needed field that is missing or of another type. */
struct field_problem {
	enum event_kind kind;
	const char *field;
	char *wanted;
	char *saw;
};

/* One trace directory. Lives, with all that it points to, until reader_free(). */
struct trace_info {
	char *path;
	bool seen; /* the fields below are valid */
	bool is_kernel, has_clock;
	bool has_begun;	  /* its first packet did */
	char *hostname;	  /* "" if not told; of more bytes the first HOSTNAME_MAX */
	char boot_id[37]; /* uuid of the clock; "" if not told */
	char *session;	  /* session and its creation time; "" if not told */
	char *domain;	  /* "kernel", "ust", ... ; "" if not told */
	enum shape shape;
	bool offers[EV_NR]; /* events that the metadata describe */
	struct field_problem *problems;
	size_t nr_problems, cap_problems;
	size_t nr_good_fields;
	int64_t clock_offset; /* ns since the epoch = clock value in ns + this */
	uint64_t begin, end;  /* when tracing was on for sure, ns since the epoch; 0 if never */
	uint64_t last; /* the last event, used or not; a packet's end may be later than tracing's */
	uint64_t nr_events; /* all events, used or not */
	struct told *ended; /* its streams that have no more packets, see tell.h */
	uint64_t first_end; /* the earliest end of these, ns */
	void *user;	    /* the caller's */
};

/* Tracing was on at that time. */
static inline void trace_extend(struct trace_info *t, uint64_t ns)
{
	if (!t->begin || ns < t->begin)
		t->begin = ns;
	if (ns > t->end)
		t->end = ns;
}

struct reader {
	struct trace_info *traces;
	size_t nr_traces;
	/* Directories that others may change, see reader-changed.h. */
	struct noted *noted;
	size_t nr_noted, cap_noted;
};

/*
 * What the caller wants to be told, in order of time. Events and their texts
 * are valid during the call. A return other than 0 ends the reading.
 */
struct reader_callbacks {
	int (*on_trace)(void *ctx, struct trace_info *trace);
	int (*on_event)(void *ctx, struct trace_info *trace, const struct event *ev);
	int (*on_loss)(void *ctx, struct trace_info *trace, const struct loss *loss);
	/* A CPU records sched_switch events from that moment on, or has before. May be NULL. */
	int (*on_cpu)(void *ctx, struct trace_info *trace, int cpu, uint64_t ns);
	uint64_t wants; /* of the events on demand: a bit for each kind, 1 << kind */
	/* Of traces that are not the kernel's, for which on_trace is not called; may be NULL. */
	int (*on_user_event)(void *ctx, struct trace_info *trace, const struct user_event *ev);
	void *ctx;
};

/*
 * Who reads: libbabeltrace2, or the program's own reader, which is faster; READER_EITHER is that
 * one, and the library for what it does not know.
 */
enum reader_kind { READER_EITHER, READER_NATIVE, READER_BABELTRACE };

/* Holds for all that is read from then on. */
void reader_choose(enum reader_kind kind);

/*
 * Finds the traces below the paths and reads them. Only kernel traces are
 * passed on, and events of others to on_user_event. Returns 0, or -1 after it printed why not:
 * nothing found, unreadable, cut off, no kernel trace, no events.
 */
int reader_run(struct reader *r, char *const *paths, size_t nr_paths,
	       const struct reader_callbacks *cb);
/*
 * What was read says nothing: an error, for a report about it would look like a
 * good one. Returns 0, or -1 after it printed why.
 */
int reader_check(const struct reader *r);
void reader_free(struct reader *r);
/* What it points to, not itself. */
void trace_info_free(struct trace_info *t);

#endif
