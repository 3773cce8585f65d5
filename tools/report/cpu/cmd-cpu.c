/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "analysis/account.h"
#include "base/command.h"
#include "cpu-fleet.h"
#include "cpu-live.h"
#include "trace/live.h"
#include "base/text.h"
#include "report/query.h"
#include "report-cpu.h"
#include "base/util.h"

/* Of fewer none are forgotten, nor what ended a moment ago. */
#define FORGET_LEAST 4096
#define KEEP_NS	     (10 * NS_PER_SEC)

static void help(FILE *out)
{
	fputs("Usage: lttng-containers cpu [OPTIONS] TRACE...\n"
	      "       lttng-containers cpu [OPTIONS] --live URL\n\n"
	      "Shows the CPU time of each container: its own, and with the containers in it. Idle\n"
	      "time, interrupts (if their events are in the trace) and what lost events leave "
	      "open\n"
	      "are apart; all together are the CPUs times the time. Needs sched_switch.\n\n"
	      "Options:\n"
	      "  --by WHAT     container (the default), pod, namespace (PID), cgroup, or task\n"
	      "  --container C  only those rows that are of that container, or of one in it\n"
	      "  --begin TIME  count from that moment on: HH:MM:SS.nnn in local time, as\n"
	      "                babeltrace2 prints it; seconds since the epoch; or +SECONDS from "
	      "the\n"
	      "                begin of the trace\n"
	      "  --end TIME    count up to that moment\n"
	      "  --every TIME  also for each interval of that length, as 100ms (ns, us, ms or s)\n"
	      "  --live URL    watch sessions while they are recorded: all of an lttng-relayd,\n"
	      "                net://HOST[:PORT], or one with /host/HOSTNAME/SESSION. A table "
	      "each\n"
	      "                second, or as --every says; at the end, the total\n"
	      "  --cpus        also for each CPU\n"
	      "  --json        print the report as JSON, for each CPU, and with more digits\n"
	      "  --format F    print flat rows: jsonl or csv\n"
	      "  -h, --help    show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers cpu ~/lttng-traces/my-session --every 100ms\n"
	      "         lttng-containers cpu --live net://relay.example\n",
	      out);
}

/* What --by says; BY_NR: there is no such. */
static enum account_by by_of(const struct query *q)
{
	enum account_by by = BY_CONTAINER;

	if (q->by)
		for (by = 0; by < BY_NR && strcmp(q->by, account_by_names[by]); by++)
			;
	return by;
}

static int check_live(const struct query *q)
{
	if (!live_looks_valid(q->live))
		return argument_error("The URL cannot be understood; give net://HOST[:PORT], or"
				      " with /host/HOSTNAME/SESSION behind it.",
				      "live", q->live);
	if (q->nr_traces)
		return argument_error("Either a session is watched, or traces are read.", "trace",
				      q->traces[0]);
	if (q->format)
		return error("--format is for traces.");
	if (q->container)
		return error("Of a session that is watched all containers are shown; --container is"
			     " for traces.");
	if (q->window.begin || q->window.end)
		return error("A session is watched from now on, to its end: --begin and --end are"
			     " for traces.");
	return 0;
}

static int check_query(const struct query *q)
{
	if (by_of(q) == BY_NR)
		return argument_error("CPU time can be shown by container, pod, namespace, cgroup"
				      " or task.",
				      "by", q->by);
	if (q->container && by_of(q) == BY_CGROUP)
		return error(
			"A cgroup may hold tasks of several containers: --container does not go"
			" with --by cgroup.");
	return q->live ? check_live(q) : 0;
}

static int on_host(void *ctx, struct host *h)
{
	const struct query *q = ctx;

	h->user = account_new(h->model, by_of(q), q->every);
	return 0;
}

static void limit(struct host *h, uint64_t from, uint64_t to)
{
	struct account *account = h->user;

	account->from = from;
	account->to = to;
}

static void on_run(void *ctx, const struct run *run)
{
	const struct host *h = ctx;

	account_add(h->user, run);
}

static void on_dump_end(void *ctx)
{
	const struct host *h = ctx;

	account_confirm(h->user);
}

static bool may_go(void *ctx, struct task *t)
{
	struct host *h = ctx;

	if (cpus_need(h->cpus, t))
		return false;
	/* A container may be known by its tasks alone. */
	task_container(h->model, t);
	account_forget(h->user, t);
	return true;
}

/*
 * A long trace takes no more memory than those need that live, but by task, where each has a row.
 * What is lost may make unsure what the dead had: then they stay.
 */
static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	struct account *a = h->user;
	struct model *m = h->model;

	(void)ctx;
	if (m->nr_tasks < a->forget_at || m->nr_losses || a->by == BY_TASK || ev->ns < KEEP_NS)
		return 0;
	model_forget(m, ev->ns - KEEP_NS, may_go, h);
	a->forget_at = 2 * m->nr_tasks + FORGET_LEAST;
	return 0;
}

static const struct sched_callbacks sched = {.on_run = on_run, .on_dump_end = on_dump_end};

static int finish(struct host *h)
{
	account_finish(h->user, h->begin, h->last);
	if (account_is_too_long(h->user))
		return error_too_long();
	if (account_intervals(h->user) > MAX_INTERVALS)
		return error("There are more than %d intervals; give --every a longer time, or"
			     " less of the trace with --begin and --end.",
			     MAX_INTERVALS);
	return 0;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct cpu_options opt = {
		.cpus = q->cpus,
		.every = q->every,
		.format = q->format,
		.selection = selection,
	};

	if (q->format)
		report_cpu_table(out, l, &opt);
	else
		(q->json ? report_cpu_json : report_cpu_text)(out, l, &opt);
	return EXIT_FINE;
}

static void drop(struct host *h)
{
	account_free(h->user);
}

static int watch(const struct query *q)
{
	const struct cpu_live_options o = {
		.url = q->live,
		.by = by_of(q),
		.every = q->every ? q->every : NS_PER_SEC,
		.cpus = q->cpus,
		.json = q->json,
	};

	return live_names_session(q->live) ? cpu_live(&o) : cpu_fleet(&o);
}

int cmd_cpu(int argc, char **argv)
{
	static const struct question question = {
		.command = "cpu",
		.options = "begin by container cpus end every format json live",
		.help = help,
		.check = check_query,
		.load = {.model.keep_dead = true,
			 .on_host = on_host,
			 .after_event = after_event,
			 .sched = &sched},
		.limit = limit,
		.finish = finish,
		.show = show,
		.free = drop,
	};
	struct query q;
	int status;

	if (!query_parse(&q, &question, argc, argv, &status))
		return status;
	return q.live ? watch(&q) : query_answer(&q);
}
