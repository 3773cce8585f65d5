/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>

#include "base/command.h"
#include "report/query.h"
#include "report/report-host.h"
#include "report-syscalls.h"
#include "base/util.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers syscalls [OPTIONS] TRACE...\n\n"
	      "Counts system calls, errors and times for each container, by the calls' names.\n"
	      "The caller is the tid of the event's context, else the task that sched_switch\n"
	      "says is on the CPU.\n\n"
	      "Options:\n"
	      "  --container C        only this container and those inside of it: its name, its\n"
	      "                       id or the begin of it, or the inode of its PID namespace\n"
	      "  --by container|task  a table for each container (default), or for each task\n"
	      "  --name NAME          list each call of that name: when, how long, its answer, "
	      "who\n"
	      "  --histogram          show how long the calls were: percentiles, and how many "
	      "from\n"
	      "                       each power of two ns on\n"
	      "  --json               print the report as JSON\n"
	      "  --format F           print flat rows, one for each name that a container, or "
	      "task,\n"
	      "                       calls, or for each call with --name: jsonl or csv\n"
	      "  -h, --help           show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers syscalls ~/lttng-traces/my-session --container db \\\n"
	      "           --name fsync\n",
	      out);
}

static int check(const struct query *q)
{
	if (q->histogram && q->name)
		return error("--histogram is of all calls of a name, and does not go with --name.");
	return query_check_by(q);
}

static int on_host(void *ctx, struct host *h)
{
	const struct query *q = ctx;

	if (!h->offers[EV_SYSCALL_EXIT])
		return query_missing_event(
			h, "The trace has no system calls; record them.", "syscall_exit_*",
			report_host_is_recorders(h) ? "lttng-containers record --syscalls"
						    : "lttng enable-event -k --syscall --all");
	h->user = syscalls_new(h, q->name);
	return 0;
}

static int finish(struct host *h)
{
	syscalls_finish(h->user, h->end);
	return syscalls_are_too_long(h->user) ? error_too_long() : 0;
}

static int check_callers(const struct query *q, const struct loaded *l)
{
	size_t i;

	(void)q;
	for (i = 0; i < l->nr_hosts; i++) {
		const struct syscalls *s = l->hosts[i]->user;

		if (!l->hosts[i]->offers[EV_SWITCH] && !s->knows_tids)
			return query_missing_event(
				l->hosts[i],
				"The trace does not tell which task calls; enable the event.",
				"sched_switch", "lttng enable-event -k sched_switch");
	}
	return 0;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct syscalls_options opt = {
		.selection = selection,
		.by_task = query_is_by_task(q),
		.histogram = q->histogram,
		.format = q->format,
		.name = q->name,
	};

	if (q->format)
		report_syscalls_table(out, l, &opt);
	else
		(q->json ? report_syscalls_json : report_syscalls_text)(out, l, &opt);
	return EXIT_FINE;
}

static void drop(struct host *h)
{
	syscalls_free(h->user);
}

int cmd_syscalls(int argc, char **argv)
{
	static const struct question question = {
		.command = "syscalls",
		.options = "by container format histogram json name",
		.help = help,
		.check = check,
		/* Tasks whose place is told late are asked for at the end. */
		.load = {.model.keep_dead = true, .on_host = on_host, .sched = &syscalls_sched},
		.finish = finish,
		.check_hosts = check_callers,
		.show = show,
		.free = drop,
	};

	return query_run(&question, argc, argv);
}
