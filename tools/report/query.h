/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_QUERY_H
#define LC_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/selection.h"
#include "table.h"
#include "trace/window.h"

/* The arguments of the commands that ask a question of traces. Texts are NULL if not given. */
struct query {
	const struct question *question;
	bool json, help, histogram, all, ust, events, cpus, path, off_cpu, wakeup;
	enum table_format format;
	const char *form; /* of --format, where the question has formats of its own */
	const char *at, *by, *container, *live, *name;
	const char *against;  /* another recording */
	const char *output;   /* a file instead of standard output */
	bool force;	      /* it may be there already */
	struct window window; /* --begin, --end */
	struct window before,
		after; /* --before, --after: BEGIN..END, of either NULL if not given */
	size_t nr_windows;
	uint64_t every; /* ns; 0: not given */
	size_t nr_worst;
	int64_t task, tid, vtid; /* -1: not given */
	char **traces;
	size_t nr_traces;
	struct load_options load; /* of the recording that was read last */
};

/*
 * A command that asks a question of traces: what it does its own way. The rest is done by
 * query_run(): options, help, reading, choosing containers, and a report that is shown as a whole
 * or not at all. What may be NULL says so.
 */
struct question {
	const char *command;
	const char *options; /* it takes, without dashes, a blank between; --help is always one */
	const char *formats; /* of --format, a blank between; NULL: jsonl and csv */
	const char *wrong_format; /* what to say of others */
	size_t nr_worst;	  /* unless given */
	void (*help)(FILE *out);
	/* Whether the options go together, or NULL: -1 after an error was printed. */
	int (*check)(const struct query *q);
	/* Its ctx is the query; at and on_begin are set here. */
	struct load_options load;
	/* What --begin and --end choose; @to may be UINT64_MAX. NULL: takes no such options. */
	void (*limit)(struct host *h, uint64_t from, uint64_t to);
	/* A host was read to its end; -1 after an error was printed. NULL: nothing is left to do.
	 */
	int (*finish)(struct host *h);
	/* All were read; as finish. */
	int (*check_hosts)(const struct query *q, const struct loaded *l);
	/* @selection: the containers that --container means; NULL: all. Returns an exit status. */
	int (*show)(FILE *out, const struct loaded *l, const struct query *q,
		    const struct selection *selection);
	/* What is shown may be far more than what is known: it is not kept until all is there. */
	bool flows;
	/* Frees the host's user; NULL: it has none. */
	void (*free)(struct host *h);
};

/*
 * Parses the arguments. Returns whether there is something to answer; else help was shown, or an
 * error printed, and @status is the exit status.
 */
bool query_parse(struct query *q, const struct question *question, int argc, char **argv,
		 int *status);
/*
 * Reads the recording of --against, of which --before is a part, as query_answer() does with the
 * traces. @there: whether it has the containers of --container. Returns 0, or -1 after an error was
 * printed. Free with query_drop() in either case.
 */
int query_read_against(struct query *q, struct loaded *l, struct selection *selection, bool *there);
void query_drop(const struct query *q, struct loaded *l, struct selection *selection);
/* Reads the traces and shows the report. Returns the exit status. */
int query_answer(struct query *q);
/* Both. */
int query_run(const struct question *question, int argc, char **argv);
/* For check of those whose --by is container (the default) or task. */
int query_check_by(const struct query *q);
bool query_is_by_task(const struct query *q);
/* For commands with options of their own: takes the words that options_parse() has left. */
int query_traces(char ***traces, size_t *nr, int argc, char **argv);
/*
 * For on_host: an event that the question cannot do without is not in the trace. Prints so with
 * the command that enables it, and returns -1.
 */
int query_missing_event(const struct host *h, const char *what, const char *event,
			const char *remedy);
/* For on_host: 0 if who runs and who becomes runnable was recorded, or -1 as above. */
int query_check_sched(const struct host *h);

#endif
