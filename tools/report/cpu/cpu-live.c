/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/command.h"
#include "cpu-live.h"
#include "trace/live.h"
#include "trace/load.h"
#include "report-cpu.h"
#include "base/text.h"
#include "base/util.h"

/* A task that ended is kept so long: what the CPUs recorded is not told in quite that order. */
#define KEEP_NS	      (10 * NS_PER_SEC)
#define LINES_LEAST   5
#define COLUMNS_LEAST 10

/* What is counted of a host: in the current interval, and in all. */
struct view {
	struct host *host;
	struct account *now, *total;
};

struct watch {
	const struct cpu_live_options *opt;
	struct loaded loaded;
	struct view *views;
	size_t nr, cap;
	uint64_t from; /* begin of the interval; 0: no event yet */
	bool screen;   /* it is redrawn */
	bool framed;
	bool is_too_long; /* what was told until then is in no sum */
};

static struct view *view_of(const struct watch *w, const struct host *h)
{
	size_t i;

	for (i = 0; w->views[i].host != h; i++)
		;
	return &w->views[i];
}

static int on_host(void *ctx, struct host *h)
{
	struct watch *w = ctx;

	w->views = grow(w->views, w->nr, &w->cap, sizeof(*w->views));
	w->views[w->nr++] = (struct view){
		.host = h,
		.now = account_new(h->model, w->opt->by, 0),
		.total = account_new(h->model, w->opt->by, 0),
	};
	return 0;
}

static void before_event(void *ctx, struct host *h, uint64_t ns)
{
	struct watch *w = ctx;
	struct account *now = view_of(w, h)->now;

	(void)ns;
	if (!w->from)
		w->from = h->begin;
	/* A CPU may say that it recorded before that. */
	if (!now->from)
		now->from = w->from > h->begin ? w->from : h->begin;
}

static void on_run(void *ctx, const struct run *run)
{
	const struct host *h = ctx;
	const struct view *v = view_of(h->opt->ctx, h);

	account_add(v->now, run);
	account_add(v->total, run);
}

/* What is not certain yet counts as not known in the interval. */
static void on_open(void *ctx, const struct run *run)
{
	const struct view *v = ctx;

	account_add(v->now, run);
}

/* What is not ASCII may take two columns. */
static unsigned int width_of(const char *c)
{
	return (unsigned char)*c < 0x80 ? 1 : 2;
}

static const char *next_character(const char *c)
{
	do
		c++;
	while (((unsigned char)*c & 0xc0) == 0x80);
	return c;
}

/* How far a line goes in at most so many columns; *@columns are those that it takes. */
static const char *fitting(const char *line, const char *end, unsigned int *columns)
{
	unsigned int most = *columns;

	for (*columns = 0; line < end && *columns + width_of(line) <= most;
	     line = next_character(line))
		*columns += width_of(line);
	return line;
}

/*
 * Returns how many lines of the terminal, of so many columns, it takes: one or two, where it is cut
 * off; somebody's long name must not push others off the screen. 0: there are fewer left.
 */
static int put_line(const char *line, const char *end, unsigned int columns, int left)
{
	unsigned int width = 2 * columns - 2;
	const char *fits = fitting(line, end, &width);
	int rows = width < columns ? 1 : 2;

	if (rows > left)
		return 0;
	fwrite(line, 1, (size_t)(fits - line), stdout);
	/* Behind the last column what comes next may yet be of that line. */
	fputs(fits < end ? "~" : width == columns ? " " : "", stdout);
	fputs("\033[K\n", stdout);
	return rows;
}

/* As many lines as the terminal has: what would scroll is cut off. */
int cpu_live_screen(struct report *r)
{
	struct winsize size = {0};
	const char *line, *end;
	unsigned int columns;
	int left, rows, ret;

	if (fclose(r->out))
		return error("The report cannot be made. reason=%s", strerror(errno));
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		size = (struct winsize){0};
	left = (size.ws_row < LINES_LEAST ? 24 : size.ws_row) - 2;
	columns = size.ws_col < COLUMNS_LEAST ? 80 : size.ws_col;
	fputs("\033[H", stdout);
	for (line = r->text; *line; line = end, left -= rows) {
		end = line + strcspn(line, "\n");
		rows = put_line(line, end, columns, left);
		if (!rows)
			break;
		end += *end == '\n';
	}
	fputs(*line ? "  there is more than fits this terminal\033[K\n\033[J" : "\033[J", stdout);
	ret = fflush(stdout) ? error("The report cannot be written to standard output. reason=%s",
				     strerror(errno))
			     : 0;
	free(r->text);
	*r = (struct report){0};
	return ret;
}

/* @part: of what the hosts' users are the accounts. */
static int show(struct watch *w, const char *part)
{
	bool total = !strcmp(part, "total");
	const struct cpu_options opt = {.cpus = w->opt->cpus, .part = part};
	struct report r;
	size_t i;

	report_open(&r);
	if (w->opt->json) {
		report_cpu_json(r.out, &w->loaded, &opt);
	} else if (total) {
		if (!w->framed)
			fputs("\nin all\n", r.out);
		report_cpu_text(r.out, &w->loaded, &opt);
	} else {
		for (i = 0; i < w->loaded.nr_hosts; i++)
			report_cpu_live(r.out, w->loaded.hosts[i], &opt);
		if (!w->screen)
			putc('\n', r.out);
	}
	if (w->framed)
		putc(total ? CPU_LIVE_TOTAL : CPU_LIVE_INTERVAL, r.out);
	return w->screen && !total ? cpu_live_screen(&r) : report_show(&r);
}

static bool may_go(void *ctx, struct task *t)
{
	const struct view *v = ctx;

	if (cpus_need(v->host->cpus, t))
		return false;
	account_forget(v->total, t);
	return true;
}

static uint64_t events_of(const struct watch *w, const struct host *h)
{
	const struct reader *r = &w->loaded.reader;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < r->nr_traces; i++)
		if (r->traces[i].user == h)
			n += r->traces[i].nr_events;
	return n;
}

static int close_interval(struct watch *w, struct view *v, uint64_t to)
{
	struct host *h = v->host;

	/* One that had no event yet, of which a CPU may say that it recorded before. */
	if (!v->now->from)
		v->now->from = w->from;
	cpus_flush(h->cpus, to, on_open, v);
	account_finish(v->now, w->from > h->begin ? w->from : h->begin, to);
	account_fill(v->now);
	containers_label(h->model);
	h->user = v->now;
	h->end = to;
	h->nr_events = events_of(w, h);
	w->is_too_long = account_is_too_long(v->now);
	return w->is_too_long ? error_too_long() : 0;
}

static void open_interval(struct watch *w, struct view *v, uint64_t from)
{
	struct host *h = v->host;

	account_free(v->now);
	v->now = account_new(h->model, w->opt->by, 0);
	v->now->from = from;
	h->user = NULL;
	if (from > KEEP_NS)
		model_forget(h->model, from - KEEP_NS, may_go, v);
}

/* The end of an interval was reached; where there were no events, the ends of several. */
static int on_time(void *ctx, uint64_t ns)
{
	struct watch *w = ctx;
	uint64_t to;
	size_t i;
	int ret = 0;

	if (!w->from || ns < w->from + w->opt->every)
		return 0;
	to = ns - (ns - w->from) % w->opt->every;
	for (i = 0; i < w->nr && !ret; i++)
		ret = close_interval(w, &w->views[i], to);
	if (ret)
		return ret;
	ret = show(w, "interval");
	for (i = 0; i < w->nr; i++)
		open_interval(w, &w->views[i], to);
	w->from = to;
	return ret;
}

/* Up to the last event, or to the last interval's end if that is later. */
static int show_total(struct watch *w)
{
	size_t i;

	if (!w->nr)
		return error("The session told of nothing: it recorded no events of the kernel"
			     " while it was watched.");
	for (i = 0; i < w->loaded.reader.nr_traces; i++) {
		struct trace_info *t = &w->loaded.reader.traces[i];

		if (t->user && t->last < w->from)
			t->last = w->from;
		if (t->user && t->end < t->last)
			t->end = t->last;
	}
	for (i = 0; i < w->nr; i++)
		w->views[i].host->nr_events = 0;
	load_end(&w->loaded);
	for (i = 0; i < w->nr; i++) {
		struct view *v = &w->views[i];

		account_finish(v->total, v->host->begin, v->host->last);
		if (account_is_too_long(v->total))
			return error_too_long();
		account_fill(v->total);
		v->host->user = v->total;
	}
	return show(w, "total");
}

static void free_watch(struct watch *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++) {
		account_free(w->views[i].now);
		account_free(w->views[i].total);
	}
	free(w->views);
	loaded_free(&w->loaded);
}

static void take_signals(void)
{
	/* Without SA_RESTART: what waits for the relay daemon is to end. */
	struct sigaction sa = {.sa_handler = live_stop};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	/* See live_stop(). */
	sigaction(SIGALRM, &sa, NULL);
}

static void greet(const struct live_session *s)
{
	char *url = text_escape(s->url), *host = text_escape(s->hostname);
	char *name = text_escape(s->name);

	note("Watching; Ctrl-C ends it. url=%s/host/%s/%s period_s=%.3f", url, host, name,
	     (double)s->period_us / 1e6);
	free(url);
	free(host);
	free(name);
}

static int watch(struct watch *w, const struct live_session *s)
{
	static const struct sched_callbacks sched = {.on_run = on_run};
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.before_event = before_event,
		.sched = &sched,
		.ctx = w,
	};
	const struct live_callbacks cb = {
		.reader = load_begin(&w->loaded, &opt),
		.on_time = on_time,
		.ctx = w,
	};
	int ret;

	ret = live_run(&w->loaded.reader, s, &cb);
	/* What was told until then is of use even if the relay daemon is gone. */
	if (!w->is_too_long && (w->nr || !ret))
		return show_total(w) || ret ? -1 : 0;
	return -1;
}

int cpu_live_session(const struct cpu_live_options *o, const struct live_session *s, bool framed)
{
	struct watch w = {.opt = o, .framed = framed && !o->json};
	int ret;

	w.screen = !framed && !o->json && isatty(STDOUT_FILENO) == 1;
	greet(s);
	ret = watch(&w, s);
	free_watch(&w);
	return ret ? EXIT_TROUBLE : EXIT_FINE;
}

int cpu_live(const struct cpu_live_options *o)
{
	struct live_session s;
	int status;

	take_signals();
	if (live_find(o->url, &s))
		return EXIT_TROUBLE;
	status = cpu_live_session(o, &s, false);
	live_session_free(&s);
	return status;
}
