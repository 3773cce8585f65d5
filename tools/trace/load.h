/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_LOAD_H
#define LC_LOAD_H

#include "model/label.h"
#include "model/sched.h"
#include "reader.h"

/*
 * Traces read into models: one model for each recording session of each host,
 * for hosts share nothing, and two sessions tell of the same events twice.
 */
struct host {
	const struct trace_info *trace; /* the first of its traces: names, clock, shape */
	char *prefix; /* of names, after load(): "HOSTNAME:", escaped; "" if there is one host */
	struct model *model;
	struct sched *sched;		/* NULL unless asked for */
	struct cpus *cpus;		/* of that */
	const struct load_options *opt; /* during load() */
	bool offers[EV_NR];
	uint64_t begin, end; /* ns since the epoch */
	uint64_t last;	     /* the last event: CPUs are told of up to then */
	uint64_t nr_events;
	/*
	 * By number, whether a CPU has records (host_lacks_cpu()). Those are there, too, that the
	 * state dump or, where they are asked for, wakeups and migrations name.
	 */
	bool *has_records;
	size_t nr_cpus;
	void *user; /* the caller's */
};

/*
 * Nothing was recorded on this CPU, one below nr_cpus: it was off, or its file is
 * gone. Never true where sched_switch is not recorded, as it need not happen to all CPUs.
 */
bool host_lacks_cpu(const struct host *h, size_t cpu);

struct load_options {
	struct model_options model;
	const char *at; /* a moment as text (see time_parse()), or NULL */
	/*
	 * Called when a host is first met, when its begin is known (before its first event), before
	 * each of its events, after the model took one, and when events were lost; may be NULL. An
	 * answer other than 0 ends the loading.
	 */
	int (*on_host)(void *ctx, struct host *host);
	void (*on_begin)(void *ctx, struct host *host);
	void (*before_event)(void *ctx, struct host *host, uint64_t ns);
	int (*after_event)(void *ctx, struct host *host, const struct event *ev);
	void (*on_loss)(void *ctx, struct host *host, const struct loss *loss);
	/*
	 * Who runs, waits and wakes (sched.h), or NULL; the model must keep dead tasks. The ctx of
	 * these is the struct host. They are told of an event after the model took it, and before
	 * after_event.
	 */
	const struct sched_callbacks *sched;
	/*
	 * The events on demand that after_event is for: a bit for each kind, WANT(EV_...).
	 * 0: those that sched wants; without that all of them.
	 */
	uint64_t wants;
	/* For events of user-space traces of a host whose kernel trace is read, too. */
	int (*on_user_event)(void *ctx, struct host *host, const struct user_event *ev);
	void *ctx;
};

struct loaded {
	struct reader reader;
	struct verdicts verdicts; /* of all hosts together */
	struct host **hosts;
	size_t nr_hosts, cap_hosts;
	const struct load_options *opt; /* during load() */
};

/* Returns 0, or -1 after an error was printed. Free with loaded_free() in either case. */
int load(struct loaded *l, char *const *paths, size_t nr_paths, const struct load_options *opt);
/*
 * A time that was given as seconds since the epoch, but was meant from the begin of the trace, is
 * an error, which it prints: one of the first three years of the epoch, before every trace. @text
 * may be NULL.
 */
int load_check_time(const struct loaded *l, const char *option, const char *text);
/* A moment outside of all traces is an error, which it prints. */
int load_check_moment(const struct loaded *l);
void loaded_free(struct loaded *l);

/*
 * For one that is fed with events by others: what to call. @opt stays in use.
 * Each trace_info's user is its host from on_trace on.
 */
struct reader_callbacks load_begin(struct loaded *l, const struct load_options *opt);
/* All was read: what load() does then. */
void load_end(struct loaded *l);

#endif
