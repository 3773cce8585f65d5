/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "analysis/why.h"
#include "base/command.h"
#include "base/util.h"
#include "report/query.h"
#include "flame-profile.h"
#include "flame-waits.h"
#include "report-flame.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers flame [OPTIONS] TRACE...\n\n"
	      "What flame graphs are drawn from: how often CPUs were found in which function,\n"
	      "called by which others, for which task of which container; or for how long tasks\n"
	      "waited in which, and for what. Record with record --stacks, --off-cpu or\n"
	      "--wakeup, which keep what functions are called beside the trace.\n\n"
	      "Options:\n"
	      "  --container C        only this container and those inside of it: its name, its\n"
	      "                       id or the begin of it, or the inode of its PID namespace\n"
	      "  --by container|task  tasks of a container that are called the same together\n"
	      "                       (default), or each for itself\n"
	      "  --off-cpu            ns for which tasks waited for something else than a CPU\n"
	      "  --wakeup             the same, by whose stack it was that ended the wait\n"
	      "  --begin TIME         only from then on: HH:MM:SS.nnn, seconds since the epoch, "
	      "or\n"
	      "                       +SECONDS from the begin\n"
	      "  --end TIME           only up to then\n"
	      "  --format F           folded (default): a line for each stack, for flamegraph.pl,\n"
	      "                       inferno and speedscope; html: a page that shows the graph;\n"
	      "                       or speedscope: its own format, with a graph for each\n"
	      "                       container\n"
	      "  -h, --help           show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers flame trace --container web --format html >web.html\n",
	      out);
}

static int on_host(void *ctx, struct host *h)
{
	(void)ctx;
	if (!h->offers[EV_SAMPLE])
		return query_missing_event(h,
					   "The trace has no samples of what CPUs do; record them.",
					   "profile_sample", "lttng-containers record --stacks");
	h->user = flame_profile_new(h);
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

static const struct profile *samples_of(const struct host *h)
{
	return h->user;
}

static void drop(struct host *h)
{
	flame_profile_free(h->user);
}

static bool is_of_waits(const struct query *q)
{
	return q->off_cpu || q->wakeup;
}

static int check(const struct query *q)
{
	if (q->off_cpu && q->wakeup)
		return error("--off-cpu and --wakeup are two questions; give one of them.");
	return query_check_by(q);
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct flame_options opt = {
		.selection = selection,
		.by_task = query_is_by_task(q),
		.profile_of = is_of_waits(q) ? waits_profile : samples_of,
		.why_of = is_of_waits(q) ? waits_why : NULL,
	};

	if (q->form && !strcmp(q->form, "speedscope"))
		report_flame_speedscope(out, l, &opt);
	else if (q->form && !strcmp(q->form, "html"))
		report_flame_html(out, l, &opt);
	else
		report_flame_folded(out, l, &opt);
	return EXIT_FINE;
}

#define OPTIONS "begin by container end format off-cpu wakeup"
#define FORMATS "folded html speedscope"

int cmd_flame(int argc, char **argv)
{
	static const struct question samples = {
		.command = "flame",
		.options = OPTIONS,
		.formats = FORMATS,
		.wrong_format = "There is no such format; give folded, html or speedscope.",
		.help = help,
		.check = check,
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
	struct question waits = samples;
	struct query q;
	int status;

	if (!query_parse(&q, &samples, argc, argv, &status))
		return status;
	if (is_of_waits(&q))
		q.question = &waits;
	waits.load = (struct load_options){
		.model.keep_dead = true,
		.on_host = q.wakeup ? wakeups_on_host : waits_on_host,
		.sched = &why_sched,
		.after_event = q.wakeup ? wakeups_after_event : waits_after_event,
		.on_loss = waits_on_loss,
		.wants = why_wants() | WANT(q.wakeup ? EV_PROFILE_WAKING : EV_PROFILE_SWITCH),
	};
	waits.limit = waits_limit;
	waits.finish = waits_finish;
	waits.free = waits_drop;
	return query_answer(&q);
}
