/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/why.h"
#include "base/command.h"
#include "base/util.h"
#include "report/query.h"
#include "flame-perfetto.h"
#include "stacks/stack-profile.h"
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
	      "  --against BEFORE     what has changed since that recording: two numbers for each\n"
	      "                       stack, of BEFORE first; or a page in red and blue\n"
	      "  --before B..E        of BEFORE only what is from B to E, as --begin and --end\n"
	      "  --begin TIME         only from then on: HH:MM:SS.nnn, seconds since the epoch, "
	      "or\n"
	      "                       +SECONDS from the begin\n"
	      "  --end TIME           only up to then\n"
	      "  --format F           folded (default): a line for each stack, for flamegraph.pl,\n"
	      "                       inferno and speedscope; html: a page that shows the graph;\n"
	      "                       speedscope: its own format, with a graph for each "
	      "container;\n"
	      "                       pprof, for pprof and others; or perfetto: each sample at\n"
	      "                       its time, for ui.perfetto.dev\n"
	      "  -o, --output FILE    write to that file, which must not be there; -: to standard\n"
	      "                       output (default)\n"
	      "  --force              replace the file if it is there\n"
	      "  -h, --help           show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers flame trace --container web --format html -o web.html\n",
	      out);
}

static int on_host(void *ctx, struct host *h)
{
	(void)ctx;
	if (!h->offers[EV_SAMPLE])
		return query_missing_event(h,
					   "The trace has no samples of what CPUs do; record them.",
					   "profile_sample", "lttng-containers record --stacks");
	h->user = stack_profile_new(h);
	return 0;
}

static int on_host_of_times(void *ctx, struct host *h)
{
	int ret = on_host(ctx, h);

	if (!ret)
		((struct profile *)h->user)->keeps_times = true;
	return ret;
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
	stack_profile_free(h->user);
}

static bool is_of_waits(const struct query *q)
{
	return q->off_cpu || q->wakeup;
}

static const struct form {
	const char *name;
	void (*write)(FILE *out, struct flame_graph *g);
	bool compares;
} forms[] = {
	{"folded", report_flame_folded, true},
	{"html", report_flame_html, true},
	{"speedscope", report_flame_speedscope, false},
	{"pprof", report_flame_pprof, false},
	/* Of samples, not of a graph of them. */
	{"perfetto", NULL, false},
};

static const struct form *form_of(const struct query *q)
{
	size_t i;

	for (i = 0; q->form && i < ARRAY_SIZE(forms); i++)
		if (!strcmp(q->form, forms[i].name))
			return &forms[i];
	return &forms[0];
}

static int check(const struct query *q)
{
	if (q->off_cpu && q->wakeup)
		return error("--off-cpu and --wakeup are two questions; give one of them.");
	if ((q->before.begin || q->before.end) && !q->against)
		return error("--before is a part of the recording of --against; give that, too.");
	if (q->against && query_is_by_task(q))
		return error("Tasks of another recording are others; leave --by task out.");
	if (q->against && !form_of(q)->compares)
		return argument_error("This format has room for one recording; give folded or"
				      " html.",
				      "format", q->form);
	if (is_of_waits(q) && !form_of(q)->write)
		return argument_error("Waits are no samples, of which alone this format is; give"
				      " folded, html, speedscope or pprof.",
				      "format", q->form);
	return query_check_by(q);
}

static struct stack_options options_of(const struct query *q, const struct selection *selection)
{
	return (struct stack_options){
		.selection = selection,
		.by_task = query_is_by_task(q),
		.of_wakers = q->wakeup,
		.profile_of = is_of_waits(q) ? waits_profile : samples_of,
		.why_of = is_of_waits(q) ? waits_why : NULL,
	};
}

/* With what it compares. */
struct flame_query {
	struct query q;
	struct flame_graph before;
};

/* The recording of --against. */
static int read_before(struct flame_query *f)
{
	const struct selection *wanted;
	struct selection selection = {0};
	struct stack_options opt;
	struct loaded l = {0};
	bool there;
	int ret;

	if (!f->q.against)
		return 0;
	ret = query_read_against(&f->q, &l, &selection, &there);
	wanted = f->q.container ? &selection : NULL;
	opt = options_of(&f->q, wanted);
	if (!ret)
		f->before = flame_graph(&l, &opt);
	query_drop(&f->q, &l, &selection);
	return ret;
}

/* Tasks are called by their numbers there; those of two hosts would be one. */
static int show_times(FILE *out, const struct loaded *l, const struct stack_options *opt)
{
	uint64_t lone;

	if (l->nr_hosts != 1)
		return error("This format has room for one host; give its trace alone. hosts=%zu",
			     l->nr_hosts),
		       EXIT_TROUBLE;
	lone = report_flame_perfetto(out, l->hosts[0], opt);
	if (lone)
		note("Samples of which it is not known of what task are left out."
		     " samples=%" PRIu64,
		     lone);
	return EXIT_FINE;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	/* It is what query_parse() was given. */
	struct flame_query *f = (struct flame_query *)q;
	const struct stack_options opt = options_of(q, selection);
	struct flame_graph g = flame_graph(l, &opt);
	size_t i;

	int status = EXIT_FINE;

	if (q->against)
		flame_graph_join(&g, &f->before);
	if (form_of(q)->write)
		form_of(q)->write(out, &g);
	else
		status = show_times(out, l, &opt);
	for (i = 0; i < g.nr_notes; i++)
		note("%s", g.notes[i]);
	flame_graph_free(&g);
	return status;
}

#define OPTIONS "against before begin by container end force format off-cpu output wakeup"
#define FORMATS "folded html perfetto pprof speedscope"

int cmd_flame(int argc, char **argv)
{
	static const struct question samples = {
		.command = "flame",
		.options = OPTIONS,
		.formats = FORMATS,
		.wrong_format = "There is no such format; give folded, html, speedscope, pprof"
				" or perfetto.",
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
		.flows = true,
		.free = drop,
	};
	struct question waits = samples, times = samples;
	struct flame_query f = {0};
	struct query *q = &f.q;
	int status;

	if (!query_parse(q, &samples, argc, argv, &status))
		return status;
	if (is_of_waits(q))
		q->question = &waits;
	times.load.on_host = on_host_of_times;
	if (!form_of(q)->write)
		q->question = &times;
	waits.load = (struct load_options){
		.model.keep_dead = true,
		.on_host = q->wakeup ? wakeups_on_host : waits_on_host,
		.sched = &why_sched,
		.after_event = q->wakeup ? wakeups_after_event : waits_after_event,
		.on_loss = waits_on_loss,
		.wants = why_wants() | WANT(q->wakeup ? EV_PROFILE_WAKING : EV_PROFILE_SWITCH),
	};
	waits.limit = waits_limit;
	waits.finish = waits_finish;
	waits.free = waits_drop;
	status = read_before(&f) ? EXIT_TROUBLE : query_answer(q);
	flame_graph_free(&f.before);
	return status;
}
