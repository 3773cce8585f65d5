/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/command.h"
#include "base/text.h"
#include "base/util.h"
#include "export-feed.h"
#include "export-sink.h"
#include "export-write.h"
#include "trace/load.h"
#include "trace/outdir.h"

struct export_args {
	bool help, has_format;
	enum export_format format;
	const char *out;
	char **traces;
	size_t nr_traces;
};

struct exporting {
	struct loaded loaded;
	struct outdir dir;
	struct spill spill;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers export TRACE... -o DIR --format csv|jsonl|sqlite\n\n"
	      "Writes what a trace tells as tables for databases: hosts, containers, tasks, who "
	      "ran\n"
	      "when, waited for a CPU and who had it meanwhile, was blocked, woke whom, called\n"
	      "what, and samples with their stacks. Keys are unique across hosts and boots, so\n"
	      "that the exports of many can be read together. What is unknown is NULL, with the\n"
	      "reason beside it. Needs what cpu, delays, wakeups, syscalls and flame need; a\n"
	      "table whose events are not recorded is empty. No more of the trace is in memory\n"
	      "than of the tasks that live at one time; with samples also what record --stacks\n"
	      "has kept beside the trace, which names their functions.\n\n"
	      "Options:\n"
	      "  -o, --output DIR  where to write; must not exist yet\n"
	      "  --format F        csv or jsonl: a file for each table; sqlite: one database,\n"
	      "                    DIR/trace.sqlite\n"
	      "  -h, --help        show this\n\n"
	      "Exit status: 0 done; 2 bad usage, a trace that cannot be used, or tables that\n"
	      "cannot be written; no DIR is left then.\n\n"
	      "Example: lttng-containers export ~/lttng-traces/my-session -o t --format sqlite &&\n"
	      "         sqlite3 t/trace.sqlite 'SELECT container, SUM(end_ns - begin_ns)\n"
	      "         FROM run WHERE kind = \"task\" GROUP BY host, container'\n",
	      out);
}

static int parse_option(void *args, int c)
{
	struct export_args *a = args;

	switch (c) {
	case 'o':
		a->out = optarg;
		break;
	case 'F':
		a->has_format = true;
		return export_format(&a->format, optarg);
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int parse(struct export_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"format", required_argument, NULL, 'F'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	if (options_parse(argc, argv, ":o:h", options, parse_option, a))
		return -1;
	a->traces = argv + optind;
	a->nr_traces = (size_t)(argc - optind);
	if (a->help)
		return 0;
	if (!a->nr_traces)
		return error("A trace is missing; give the directory that lttng wrote.");
	if (!a->out || !*a->out)
		return error("The output is missing; give a new directory with -o DIR.");
	if (!a->has_format)
		return error("The format is missing; give --format csv, jsonl or sqlite.");
	return 0;
}

static volatile sig_atomic_t got_signal;

static void on_signal(int sig)
{
	got_signal = sig;
}

static const int fatal[] = {SIGINT, SIGTERM, SIGHUP};

static void take_signals(bool on)
{
	struct sigaction sa = {.sa_handler = on ? on_signal : SIG_DFL};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &sa, NULL);
}

static bool is_stopped(void)
{
	return got_signal;
}

static int on_host(void *ctx, struct host *h)
{
	struct exporting *e = ctx;

	/* It is the last one. */
	h->user = feeding_new(h, &e->spill, (uint32_t)(e->loaded.nr_hosts - 1));
	return 0;
}

static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	feeding_event(h->user, ev);
	return got_signal ? -1 : 0;
}

static void say_what_is_missing(const struct host *h)
{
	char *path = text_escape(h->trace->path);

	if (!h->offers[EV_SWITCH])
		note("The trace does not record who runs; tables are empty. trace=%s"
		     " missing_event=sched_switch",
		     path);
	if (h->model->nr_losses)
		note("Events were lost; rows that they can change are marked unsure. trace=%s"
		     " %s=%llu lost_packets=%llu",
		     path, h->model->lost_uncounted ? "lost_events_at_least" : "lost_events",
		     (unsigned long long)h->model->nr_lost_events,
		     (unsigned long long)h->model->nr_lost_packets);
	free(path);
}

static void say_sentence(void *ctx, const char *sentence)
{
	(void)ctx;
	note("%s", sentence);
}

static void say_of_samples(const struct loaded *l)
{
	struct stack_texts **texts = xcalloc(l->nr_hosts + 1, sizeof(*texts));
	const struct feeding *f;
	size_t i, nr = 0;

	for (i = 0; i < l->nr_hosts; i++) {
		f = l->hosts[i]->user;
		if (f->stacks)
			texts[nr++] = f->stacks;
	}
	stack_texts_say(texts, nr, say_sentence, NULL);
	free(texts);
}

static int write_tables(struct exporting *e, enum export_format format)
{
	const struct access readers = access_of(&e->loaded.reader);
	struct sink out;
	size_t i;
	int ret;

	for (i = 0; i < e->loaded.nr_hosts; i++) {
		feeding_finish(e->loaded.hosts[i]->user);
		say_what_is_missing(e->loaded.hosts[i]);
	}
	say_of_samples(&e->loaded);
	ret = sink_open(&out, format, e->dir.fd, outdir_mode(&e->dir, &readers), is_stopped);
	if (!ret)
		ret = export_write(&out, &e->loaded, &e->spill, is_stopped);
	if (sink_close(&out) || is_stopped())
		ret = -1;
	if (!ret)
		ret = outdir_share(&e->dir, &readers);
	return ret ? -1 : outdir_finish(&e->dir);
}

static int export(const struct export_args *a)
{
	struct exporting e = {.dir = OUTDIR_NONE};
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.after_event = after_event,
		.sched = &feeding_sched,
		.wants = WANT(EV_SAMPLE),
		.ctx = &e,
	};
	size_t i;
	int ret;

	take_signals(true);
	ret = outdir_open(&e.dir, a->out) || spill_open(&e.spill, e.dir.fd) ||
	      load(&e.loaded, a->traces, a->nr_traces, &opt) || write_tables(&e, a->format);
	for (i = 0; i < e.loaded.nr_hosts; i++)
		feeding_free(e.loaded.hosts[i]->user);
	loaded_free(&e.loaded);
	spill_close(&e.spill);
	outdir_drop(&e.dir);
	take_signals(false);
	if (got_signal)
		raise(got_signal);
	return ret ? EXIT_TROUBLE : EXIT_FINE;
}

int cmd_export(int argc, char **argv)
{
	struct export_args a = {0};

	if (parse(&a, argc, argv))
		return usage_error("export");
	if (!a.help)
		return export(&a);
	help(stdout);
	return EXIT_FINE;
}
