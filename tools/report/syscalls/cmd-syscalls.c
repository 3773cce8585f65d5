/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "report/query.h"
#include "report/report-host.h"
#include "report-syscalls.h"
#include "base/text.h"
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
	      "  --json               print the report as JSON\n"
	      "  -h, --help           show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers syscalls ~/lttng-traces/my-session --container db \\\n"
	      "           --name fsync\n",
	      out);
}

static int unusable(const struct host *h, const char *what, const char *event, const char *remedy)
{
	char *path = text_escape(h->trace->path);

	error("%s trace=%s missing_event=%s remedy=\"%s\"", what, path, event, remedy);
	free(path);
	return -1;
}

static int on_host(void *ctx, struct host *h)
{
	const struct query *q = ctx;

	if (!h->offers[EV_SYSCALL_EXIT])
		return unusable(h, "The trace has no system calls; record them.", "syscall_exit_*",
				report_host_is_recorders(h)
					? "lttng-containers record --syscalls"
					: "lttng enable-event -k --syscall --all");
	h->user = syscalls_new(h, q->name);
	return 0;
}

static int check_callers(const struct loaded *l)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct syscalls *s = l->hosts[i]->user;

		if (!l->hosts[i]->offers[EV_SWITCH] && !s->knows_tids)
			return unusable(
				l->hosts[i],
				"The trace does not tell which task calls; enable the event.",
				"sched_switch", "lttng enable-event -k sched_switch");
	}
	return 0;
}

static int show(const struct query *q, struct loaded *l, struct pick *pick)
{
	struct syscalls_options opt = {
		.pick = q->container ? pick : NULL,
		.by_task = q->by && !strcmp(q->by, "task"),
		.name = q->name,
	};
	struct report report;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		syscalls_finish(l->hosts[i]->user, l->hosts[i]->end);
		if (syscalls_are_too_long(l->hosts[i]->user)) {
			error_too_long();
			return EXIT_TROUBLE;
		}
	}
	if (check_callers(l) || (q->container && pick_containers(pick, l, q->container, 0)) ||
	    report_open(&report))
		return EXIT_TROUBLE;
	(q->json ? report_syscalls_json : report_syscalls_text)(report.out, l, &opt);
	return report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
}

static int syscalls(struct query *q)
{
	const struct load_options opt = {
		/* Tasks whose place is told late are asked for at the end. */
		.model.keep_dead = true,
		.on_host = on_host,
		.sched = &syscalls_sched,
		.ctx = q,
	};
	struct loaded l = {0};
	struct pick pick = {0};
	int status = EXIT_TROUBLE;
	size_t i;

	if (!load(&l, q->traces, q->nr_traces, &opt))
		status = show(q, &l, &pick);
	for (i = 0; i < l.nr_hosts; i++)
		syscalls_free(l.hosts[i]->user);
	pick_free(&pick);
	loaded_free(&l);
	return status;
}

int cmd_syscalls(int argc, char **argv)
{
	struct query q;

	if (query_parse(&q, "by container json name", argc, argv))
		return usage_error("syscalls");
	if (q.help) {
		help(stdout);
		return EXIT_FINE;
	}
	if (q.by && strcmp(q.by, "task") && strcmp(q.by, "container")) {
		argument_error("--by takes container or task.", "by", q.by);
		return usage_error("syscalls");
	}
	return syscalls(&q);
}
