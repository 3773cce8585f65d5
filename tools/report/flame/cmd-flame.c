/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "analysis/why.h"
#include "base/command.h"
#include "base/util.h"
#include "report/query.h"
#include "report/report-host.h"
#include "programs.h"
#include "report-flame.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers flame [OPTIONS] TRACE...\n\n"
	      "What flame graphs are drawn from: how often CPUs were found in which function,\n"
	      "called by which others, for which task of which container; or for how long tasks\n"
	      "waited in which, and for what. Record with record --stacks, or --off-cpu, which\n"
	      "keep what functions are called beside the trace.\n\n"
	      "Options:\n"
	      "  --container C        only this container and those inside of it: its name, its\n"
	      "                       id or the begin of it, or the inode of its PID namespace\n"
	      "  --by container|task  tasks of a container that are called the same together\n"
	      "                       (default), or each for itself\n"
	      "  --off-cpu            ns for which tasks waited for something else than a CPU\n"
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

static const void *user_frame(void *programs, int64_t pid, uint64_t ns, uint64_t address)
{
	return programs_at(programs, pid, ns, address);
}

static struct profile *profile_with_programs(struct host *h)
{
	struct profile *p = profile_new(h);

	p->ctx = programs_of(h->trace);
	p->user_frame = p->ctx ? user_frame : NULL;
	return p;
}

static void profile_drop(struct profile *p)
{
	if (p)
		programs_free(p->ctx);
	profile_free(p);
}

/* ---- samples --------------------------------------------------------------- */

static int on_host(void *ctx, struct host *h)
{
	(void)ctx;
	if (!h->offers[EV_SAMPLE])
		return query_missing_event(h,
					   "The trace has no samples of what CPUs do; record them.",
					   "profile_sample", "lttng-containers record --stacks");
	h->user = profile_with_programs(h);
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
	profile_drop(h->user);
}

/* ---- waits ----------------------------------------------------------------- */

static struct profile *waits(const struct host *h)
{
	return why_block_ctx(h->user);
}

static const struct profile *waits_of(const struct host *h)
{
	return waits(h);
}

static struct why *why_of(const struct host *h)
{
	return h->user;
}

static void on_block(void *ctx, const struct why_time *time)
{
	profile_wait(ctx, time->stack, time->task, &time->place, time->cause, time->ns);
}

static int on_off_cpu_host(void *ctx, struct host *h)
{
	struct why_options opt = {.on_block = on_block};

	(void)ctx;
	if (!h->offers[EV_PROFILE_SWITCH])
		return query_missing_event(h,
					   "The trace has no stacks of tasks that wait; record"
					   " them.",
					   "profile_switch", "lttng-containers record --off-cpu");
	if (query_check_sched(h))
		return -1;
	opt.block_ctx = profile_with_programs(h);
	h->user = why_new(h, &opt);
	return 0;
}

static void off_cpu_limit(struct host *h, uint64_t from, uint64_t to)
{
	why_limit(h->user, from, to);
}

static int after_off_cpu_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	why_event(h->user, ev);
	if (ev->kind == EV_PROFILE_SWITCH && !ev->sample.runnable)
		why_stack(h->user, ev->sample.tid, profile_switch(waits(h), ev));
	return 0;
}

static void on_loss(void *ctx, struct host *h, const struct loss *loss)
{
	(void)ctx;
	why_loss(h->user, loss);
}

static int off_cpu_finish(struct host *h)
{
	why_finish(h->user, h->last);
	profile_finish(waits(h));
	return why_is_too_long(h->user) ? error_too_long() : 0;
}

static void off_cpu_drop(struct host *h)
{
	if (h->user)
		profile_drop(waits(h));
	why_free(h->user);
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct flame_options opt = {
		.selection = selection,
		.by_task = query_is_by_task(q),
		.profile_of = q->off_cpu ? waits_of : samples_of,
		.why_of = q->off_cpu ? why_of : NULL,
	};

	if (q->form && !strcmp(q->form, "speedscope"))
		report_flame_speedscope(out, l, &opt);
	else if (q->form && !strcmp(q->form, "html"))
		report_flame_html(out, l, &opt);
	else
		report_flame_folded(out, l, &opt);
	return EXIT_FINE;
}

#define OPTIONS "begin by container end format off-cpu"
#define FORMATS "folded html speedscope"

int cmd_flame(int argc, char **argv)
{
	static const struct question samples = {
		.command = "flame",
		.options = OPTIONS,
		.formats = FORMATS,
		.wrong_format = "There is no such format; give folded, html or speedscope.",
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

	const struct question off_cpu = {
		.command = "flame",
		.options = OPTIONS,
		.formats = FORMATS,
		.help = help,
		.check = query_check_by,
		.load = {.model.keep_dead = true,
			 .on_host = on_off_cpu_host,
			 .sched = &why_sched,
			 .after_event = after_off_cpu_event,
			 .on_loss = on_loss,
			 .wants = why_wants() | WANT(EV_PROFILE_SWITCH)},
		.limit = off_cpu_limit,
		.finish = off_cpu_finish,
		.show = show,
		.free = off_cpu_drop,
	};
	struct query q;
	int status;

	if (!query_parse(&q, &samples, argc, argv, &status))
		return status;
	if (q.off_cpu)
		q.question = &off_cpu;
	return query_answer(&q);
}
