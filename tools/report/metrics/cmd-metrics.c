/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/command.h"
#include "base/text.h"
#include "base/util.h"
#include "metrics-http.h"
#include "metrics-text.h"
#include "report/query.h"
#include "trace/live.h"
#include "trace/outfile.h"

/* Tasks that ended are kept so long: what CPUs recorded is not told in quite that order. */
#define KEEP_NS	       (10 * NS_PER_SEC)
#define MAX_CONTAINERS 100
/*
 * What is shown takes one part in so many of the time, however many containers there have been: or
 * whoever makes some all the time kept it from reading what is recorded.
 */
#define SHARE	       10
/* A file that could not be written is not tried again before: each time it is said why. */
#define RETRY_NS       (10 * NS_PER_SEC)

struct metrics_args {
	bool help;
	const char *textfile, *listen, *live; /* NULL: not given */
	size_t max;
	char **traces;
	size_t nr_traces;
};

struct serving {
	const struct metrics_args *args;
	struct loaded loaded;
	struct http *http; /* NULL: a file is written */
	int place;	   /* its directory: the path may lead elsewhere later; -1: it has none */
	uint64_t next;	   /* when it is shown again, ns since the epoch */
	bool was_shown;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers metrics TRACE... (--textfile FILE | --listen ADDRESS:PORT)\n"
	      "       lttng-containers metrics --live URL (--textfile FILE | --listen "
	      "ADDRESS:PORT)\n\n"
	      "Tells Prometheus of each container, its pod and its cgroup: CPU time, time waited\n"
	      "for a CPU by who had it, a histogram of such waits, time blocked by what for; and\n"
	      "lost events and what recording took. Of traces, or of a session while it is\n"
	      "recorded, each second. Needs what cpu and delays need.\n\n"
	      "Options:\n"
	      "  --textfile FILE      write FILE, for node_exporter's textfile collector; one\n"
	      "                       that is there is replaced at once. - is standard output\n"
	      "  --listen A:P         serve http://A:P/metrics; [A]:P for an address of IPv6\n"
	      "  --live URL           watch a session: net://HOST[:PORT] of an lttng-relayd, with\n"
	      "                       /host/HOSTNAME/SESSION if it has several\n"
	      "  --max-containers N   show N containers of a host by name (100 unless given);\n"
	      "                       what is more is added up, those that ended first\n"
	      "  -h, --help           show this\n\n"
	      "Exit status: 0 done; 2 bad usage, or a trace that cannot be used.\n\n"
	      "Example: lttng-containers metrics --live net://localhost --listen 127.0.0.1:9753\n",
	      out);
}

static int parse_max(struct metrics_args *a)
{
	uint64_t n;

	if (number_option("The number of containers cannot be understood; give one from 0 to"
			  " 10000.",
			  "max-containers", optarg, 0, 10000, &n))
		return -1;
	a->max = n;
	return 0;
}

static int parse_option(void *args, int c)
{
	struct metrics_args *a = args;

	switch (c) {
	case 't':
		a->textfile = optarg;
		break;
	case 'l':
		a->listen = optarg;
		if (!http_looks_valid(optarg))
			return argument_error("The address cannot be understood; give it and a"
					      " port, as 127.0.0.1:9753.",
					      "listen", optarg);
		break;
	case 'L':
		a->live = optarg;
		if (!live_looks_valid(optarg))
			return argument_error("The URL cannot be understood; give net://HOST[:PORT]"
					      ", or with /host/HOSTNAME/SESSION behind it.",
					      "live", optarg);
		break;
	case 'm':
		return parse_max(a);
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int check(const struct metrics_args *a)
{
	if (a->help)
		return 0;
	if (!a->textfile == !a->listen)
		return error("Give either --textfile FILE or --listen ADDRESS:PORT.");
	if (a->textfile && !*a->textfile)
		return error("The option's value is empty. option=--textfile");
	if (a->live && a->nr_traces)
		return argument_error("Either a session is watched, or traces are read.", "trace",
				      a->traces[0]);
	if (!a->live && !a->nr_traces)
		return error("A trace is missing; give the directory that lttng wrote.");
	return 0;
}

static int parse(struct metrics_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"textfile", required_argument, NULL, 't'},
		{"listen", required_argument, NULL, 'l'},
		{"live", required_argument, NULL, 'L'},
		{"max-containers", required_argument, NULL, 'm'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	if (options_parse(argc, argv, ":h", options, parse_option, a))
		return -1;
	a->traces = argv + optind;
	a->nr_traces = (size_t)(argc - optind);
	return check(a);
}

static char *text_of(const struct serving *s, bool openmetrics)
{
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	metrics_text(out, &s->loaded, s->args->max, openmetrics);
	fclose(out);
	return text;
}

static int write_file(const struct serving *s)
{
	const struct access readers = access_of(&s->loaded.reader);
	struct outfile f;

	if (!strcmp(s->args->textfile, "-")) {
		metrics_text(stdout, &s->loaded, s->args->max, false);
		return fflush(stdout) ? error("Standard output cannot be written.") : 0;
	}
	if (outfile_open_in(&f, s->place, s->args->textfile, true, &readers))
		return -1;
	metrics_text(f.out, &s->loaded, s->args->max, false);
	return outfile_finish(&f);
}

static int show(struct serving *s)
{
	if (!s->http)
		return write_file(s);
	http_show(s->http, text_of(s, false), text_of(s, true));
	return 0;
}

static int on_host(void *ctx, struct host *h)
{
	const struct serving *s = ctx;

	if (query_check_sched(h))
		return -1;
	h->user = metrics_new(h, s->args->live);
	return 0;
}

static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	metrics_event(h->user, ev);
	if (ev->ns > KEEP_NS)
		metrics_forget(h->user, ev->ns - KEEP_NS);
	return 0;
}

/* What is not certain yet is told later. */
static void on_open(void *ctx, const struct run *run)
{
	(void)ctx;
	(void)run;
}

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

static int on_time(void *ctx, uint64_t ns)
{
	struct serving *s = ctx;
	uint64_t began, took;
	size_t i;
	int ret;

	if (!s->loaded.nr_hosts || ns < s->next)
		return 0;
	for (i = 0; i < s->loaded.nr_hosts; i++)
		cpus_flush(s->loaded.hosts[i]->cpus, ns, on_open, NULL);
	began = clock_ns();
	ret = show(s);
	took = clock_ns() - began;
	s->next = ns + (SHARE * took > NS_PER_SEC ? SHARE * took : NS_PER_SEC);
	if (ret && s->was_shown && strcmp(s->args->textfile, "-")) {
		/* Others may have filled the disk, and there may be room again. */
		note("The file stays as it was; it is tried again in 10 seconds.");
		s->next = ns + RETRY_NS;
		return 0;
	}
	s->was_shown = true;
	return ret;
}

static void take_signals(void)
{
	/* Without SA_RESTART: what waits is to end. */
	struct sigaction sa = {.sa_handler = live_stop};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	/* See live_stop(). */
	sigaction(SIGALRM, &sa, NULL);
}

static void wait_for_signal(void)
{
	while (!live_stopped())
		poll(NULL, 0, 200);
}

static int finish_all(struct serving *s)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < s->loaded.nr_hosts && !ret; i++) {
		metrics_finish(s->loaded.hosts[i]->user);
		if (metrics_are_too_long(s->loaded.hosts[i]->user))
			ret = error_too_long();
	}
	return ret;
}

static int of_traces(struct serving *s, const struct load_options *opt)
{
	if (load(&s->loaded, s->args->traces, s->args->nr_traces, opt))
		return -1;
	/* What is read and written before ends by a signal, as with other commands. */
	if (s->http)
		take_signals();
	if (finish_all(s) || show(s))
		return -1;
	if (s->http)
		wait_for_signal();
	return 0;
}

/* A session has another trace when it is started again: that may be one that cannot be used. */
static bool has_refused(const struct loaded *l)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		if (!l->hosts[i]->user)
			return true;
	return false;
}

/* When the session ends, what it told is still there. */
static int of_session(struct serving *s, const struct load_options *opt)
{
	const struct live_callbacks cb = {
		.reader = load_begin(&s->loaded, opt),
		.on_time = on_time,
		.ctx = s,
	};
	struct live_session session;
	int ret;

	take_signals();
	if (live_find(s->args->live, &session))
		return -1;
	ret = live_run(&s->loaded.reader, &session, &cb);
	live_session_free(&session);
	if (!s->loaded.nr_hosts || has_refused(&s->loaded))
		return ret;
	load_end(&s->loaded);
	return finish_all(s) || show(s) || ret ? -1 : 0;
}

static int open_place(struct serving *s)
{
	const char *file = s->args->textfile;

	if (!file || !strcmp(file, "-"))
		return 0;
	s->place = outfile_place(file);
	return s->place < 0 ? -1 : 0;
}

static int metrics(const struct metrics_args *a)
{
	struct serving s = {.args = a, .place = -1};
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.after_event = after_event,
		.sched = &metrics_sched,
		.ctx = &s,
	};
	size_t i;
	int ret = 0;

	if (a->listen) {
		s.http = http_start(a->listen);
		if (!s.http)
			return EXIT_TROUBLE;
	}
	if (open_place(&s))
		return EXIT_TROUBLE;
	ret = (a->live ? of_session : of_traces)(&s, &opt);
	http_stop(s.http);
	for (i = 0; i < s.loaded.nr_hosts; i++)
		metrics_free(s.loaded.hosts[i]->user);
	loaded_free(&s.loaded);
	if (s.place >= 0)
		close(s.place);
	return ret ? EXIT_TROUBLE : EXIT_FINE;
}

int cmd_metrics(int argc, char **argv)
{
	struct metrics_args a = {.max = MAX_CONTAINERS};

	if (parse(&a, argc, argv))
		return usage_error("metrics");
	if (!a.help)
		return metrics(&a);
	help(stdout);
	return EXIT_FINE;
}
