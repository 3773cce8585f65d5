/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "base/command.h"
#include "report/query.h"
#include "report/report-host.h"
#include "programs.h"
#include "report-flame.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers flame [OPTIONS] TRACE...\n\n"
	      "What flame graphs are drawn from: how often CPUs were found in which function,\n"
	      "called by which others, for which task of which container. Record with record\n"
	      "--stacks, which keeps what functions are called beside the trace.\n\n"
	      "Options:\n"
	      "  --container C        only this container and those inside of it: its name, its\n"
	      "                       id or the begin of it, or the inode of its PID namespace\n"
	      "  --by container|task  tasks of a container that are called the same together\n"
	      "                       (default), or each for itself\n"
	      "  --begin TIME         only from then on: HH:MM:SS.nnn, seconds since the epoch, "
	      "or\n"
	      "                       +SECONDS from the begin\n"
	      "  --end TIME           only up to then\n"
	      "  --format F           folded (default): a line for each stack, for flamegraph.pl,\n"
	      "                       inferno and speedscope; or speedscope: its own format, with\n"
	      "                       a graph for each container\n"
	      "  -h, --help           show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers flame trace --container web | flamegraph.pl >web.svg\n",
	      out);
}

static const void *user_frame(void *programs, int64_t pid, uint64_t ns, uint64_t address)
{
	return programs_at(programs, pid, ns, address);
}

static int on_host(void *ctx, struct host *h)
{
	struct profile *p;

	(void)ctx;
	if (!h->offers[EV_SAMPLE])
		return query_missing_event(h,
					   "The trace has no samples of what CPUs do; record them.",
					   "profile_sample", "lttng-containers record --stacks");
	p = profile_new(h);
	p->ctx = programs_of(h->trace);
	p->user_frame = p->ctx ? user_frame : NULL;
	h->user = p;
	return 0;
}

static void limit(struct host *h, uint64_t from, uint64_t to)
{
	struct profile *p = h->user;

	p->from = from;
	p->to = to;
}

static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	if (ev->kind == EV_SAMPLE)
		profile_sample(h->user, ev);
	return 0;
}

static int finish(struct host *h)
{
	profile_finish(h->user);
	return 0;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct flame_options opt = {.selection = selection, .by_task = query_is_by_task(q)};

	if (q->form && !strcmp(q->form, "speedscope"))
		report_flame_speedscope(out, l, &opt);
	else
		report_flame_folded(out, l, &opt);
	return EXIT_FINE;
}

static void drop(struct host *h)
{
	struct profile *p = h->user;

	if (p)
		programs_free(p->ctx);
	profile_free(p);
}

int cmd_flame(int argc, char **argv)
{
	static const struct question question = {
		.command = "flame",
		.options = "begin by container end format",
		.formats = "folded speedscope",
		.wrong_format = "There is no such format; give folded or speedscope.",
		.help = help,
		.check = query_check_by,
		/* Tasks whose place is told late are asked for at the end. */
		.load = {.model.keep_dead = true,
			 .on_host = on_host,
			 .after_event = after_event,
			 .wants = WANT(EV_SAMPLE)},
		.limit = limit,
		.finish = finish,
		.show = show,
		.free = drop,
	};

	return query_run(&question, argc, argv);
}
