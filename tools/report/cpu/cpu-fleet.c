/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Many hosts at once. Each session is watched by a process of its own, which writes its tables into
 * a pipe: one that is silent, hostile or gone concerns nobody else. Another process asks the relay
 * daemon from time to time which sessions there are.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/command.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/util.h"
#include "cpu-fleet.h"

/* More are not watched at a time. */
#define MEMBERS_MAX 256
#define LISTED_MAX  (1 << 20)
/* For so long the relay daemon may think about it. */
#define ASK_S	    20
#define LOOK_MS	    200
/* Who was told to end has so long for the total. */
#define END_NS	    (20 * NS_PER_SEC)
/* No terminal shows more of a table. */
#define SHOWN_MAX   (64 << 10)

/* A table of 20,000 containers is 1 MB, as JSON 23 MB. */
struct cpu_fleet_limits cpu_fleet_limits = {
	.ended = 1024,
	.totals = 1 << 30,
	.said = 16 << 20,
	.said_by_all = 1 << 30,
	.ask_ns = 5 * NS_PER_SEC,
};

/* What one process writes. */
struct stream {
	pid_t pid;
	int fd; /* -1: it has ended */
	char *text;
	size_t len, cap;
	size_t looked; /* through so much of it */
	bool is_too_much;
};

struct member {
	char *key; /* HOSTNAME/SESSION */
	struct stream said;
	char *shown, *total; /* its last table, and that of all; NULL: none yet */
	uint64_t heard;	     /* when */
	bool seen, listed;   /* the relay daemon has it: now; the last time it was asked */
	int status;
};

struct fleet {
	const struct cpu_live_options *opt;
	struct member **members; /* in the order of their keys */
	size_t nr, cap;
	struct hash by_key; /* the relay daemon may list as many as it likes, each time */
	size_t nr_living;   /* that have not ended */
	size_t totals;	    /* bytes of them */
	struct stream asked;
	uint64_t ask_at, end_at; /* 0: nobody has been told to end */
	bool screen, fresh, full, forgets, failed;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

static void take_signals(void (*handler)(int))
{
	struct sigaction sa = {.sa_handler = handler};

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sigaction(SIGALRM, &sa, NULL);
}

/* In the child: returns 0, and standard output is the pipe. Else returns its pid, or -1. */
static pid_t start(struct stream *s)
{
	int fds[2];

	fflush(NULL);
	*s = (struct stream){.pid = -1, .fd = -1};
	if (pipe2(fds, O_CLOEXEC))
		return error("No pipe can be made. reason=%s", strerror(errno));
	s->pid = fork();
	if (!s->pid) {
		take_signals(live_stop);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		dup2(fds[1], STDOUT_FILENO);
		return 0;
	}
	close(fds[1]);
	if (s->pid < 0) {
		close(fds[0]);
		return error("No process can be made. reason=%s", strerror(errno));
	}
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	s->fd = fds[0];
	return s->pid;
}

static bool make_room(struct stream *s, size_t max)
{
	size_t cap = s->cap ? 2 * s->cap : 16384;

	if (s->cap - s->len >= 4096)
		return true;
	if (cap > max)
		return false;
	s->text = xrealloc(s->text, cap, 1);
	s->cap = cap;
	return true;
}

/* @max: for so much there may be room. Returns whether something came, or it has ended. */
static bool hear(struct stream *s, size_t max)
{
	ssize_t got = 0;

	if (s->fd < 0)
		return false;
	s->is_too_much = !make_room(s, max);
	if (s->is_too_much)
		kill(s->pid, SIGKILL);
	else
		got = read(s->fd, s->text + s->len, s->cap - s->len);
	if (got < 0)
		return false;
	s->len += (size_t)got;
	if (got)
		return true;
	close(s->fd);
	s->fd = -1;
	return true;
}

static void drop(struct stream *s, size_t len)
{
	s->len -= len;
	memmove(s->text, s->text + len, s->len);
}

static int status_of(struct stream *s)
{
	int status;

	while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
		;
	free(s->text);
	s->text = NULL;
	s->len = s->cap = s->looked = 0;
	/* Who was killed may have ended well just before. */
	return WIFEXITED(status) && !s->is_too_much ? WEXITSTATUS(status) : EXIT_TROUBLE;
}

/* ---- which sessions there are ---------------------------------------------- */

static void tell_session(void *ctx, const struct live_session *s)
{
	(void)ctx;
	printf("%s%c%s%c%llu%c", s->hostname, 0, s->name, 0, (unsigned long long)s->period_us, 0);
}

/* @quietly: that there is nothing to be watched now is no error. */
static int ask(struct fleet *f, bool quietly)
{
	pid_t pid = start(&f->asked);
	int null, nr;

	if (pid)
		return pid < 0 ? -1 : 0;
	null = open("/dev/null", O_RDWR);
	if (quietly) {
		dup2(null, STDERR_FILENO);
		/* Who does not answer is asked again. */
		signal(SIGALRM, SIG_DFL);
		alarm(ASK_S);
	}
	nr = live_list(f->opt->url, tell_session, NULL);
	_exit(fflush(stdout) || nr < 0 ? EXIT_TROUBLE : EXIT_FINE);
}

static _Noreturn void be_member(const struct fleet *f, const struct live_session *s)
{
	int status = cpu_live_session(f->opt, s, true);

	_exit(fflush(stdout) ? EXIT_TROUBLE : status);
}

static int by_key(const void *a, const void *b)
{
	return strcmp((*(struct member *const *)a)->key, (*(struct member *const *)b)->key);
}

static uint64_t hash_of(const char *key)
{
	return hash_text(key, strlen(key));
}

/* Takes the key over. */
static struct member *member_new(struct fleet *f, char *key)
{
	struct member *m = xcalloc(1, sizeof(*m));

	m->key = key;
	f->members = grow(f->members, f->nr, &f->cap, sizeof(*f->members));
	f->members[f->nr++] = m;
	hash_put(&f->by_key, hash_of(key), m);
	return m;
}

static void watch_session(struct fleet *f, struct live_session *s)
{
	char *key = xasprintf("%s/%s", s->hostname, s->name);
	struct member *m = hash_get(&f->by_key, hash_of(key));

	/* Or it has ended, and the relay daemon has not noticed yet. */
	if (m && (m->said.fd >= 0 || m->listed)) {
		m->seen = true;
		free(key);
		return;
	}
	if (f->nr_living >= MEMBERS_MAX) {
		if (!f->full)
			note("There are more sessions than can be watched at a time. watched=%d",
			     MEMBERS_MAX);
		f->full = true;
		free(key);
		return;
	}
	if (m)
		free(key);
	else
		m = member_new(f, key);
	m->seen = true;
	m->heard = now_ns();
	if (!start(&m->said))
		be_member(f, s);
	f->nr_living += m->said.fd >= 0;
}

static void forget_total(struct fleet *f, struct member *m)
{
	f->totals -= m->total ? strlen(m->total) : 0;
	free(m->total);
	m->total = NULL;
}

static void member_free(struct fleet *f, struct member *m)
{
	forget_total(f, m);
	hash_del(&f->by_key, hash_of(m->key));
	free(m->key);
	free(m->shown);
	free(m);
}

static bool is_over(const struct member *m)
{
	return m->said.fd < 0 && !m->listed;
}

static int by_last_heard(const void *a, const void *b)
{
	const struct member *x = *(struct member *const *)a, *y = *(struct member *const *)b;

	return x->heard < y->heard ? -1 : x->heard > y->heard;
}

static void tell_forgets(struct fleet *f)
{
	if (!f->forgets)
		note("Of sessions that have ended, totals of the last ones alone will be told.");
	f->forgets = true;
}

/*
 * A relay daemon may tell of new sessions for ever: of those that have ended the first ones go,
 * when there are twice as many as are kept.
 */
static void forget_members(struct fleet *f)
{
	size_t i, nr = 0, over = 0, max = cpu_fleet_limits.ended;

	for (i = 0; i < f->nr; i++)
		over += is_over(f->members[i]);
	if (over < 2 * max)
		return;
	tell_forgets(f);
	qsort(f->members, f->nr, sizeof(*f->members), by_last_heard);
	for (i = 0; i < f->nr; i++) {
		struct member *m = f->members[i];

		if (over > max && is_over(m)) {
			member_free(f, m);
			over--;
		} else {
			f->members[nr++] = m;
		}
	}
	f->nr = nr;
}

/* Of all totals the first ones go when they are too much. */
static void keep_total(struct fleet *f, struct member *m, char *total)
{
	size_t i;

	forget_total(f, m);
	m->total = total;
	f->totals += strlen(total);
	while (f->totals > cpu_fleet_limits.totals) {
		struct member *first = NULL;

		for (i = 0; i < f->nr; i++)
			if (f->members[i]->total && (!first || f->members[i]->heard < first->heard))
				first = f->members[i];
		forget_total(f, first);
		tell_forgets(f);
	}
}

/* Takes a text from the front. Returns NULL at the end. */
static char *take_text(struct stream *s, size_t *at)
{
	char *text = s->text + *at, *end = *at < s->len ? memchr(text, 0, s->len - *at) : NULL;

	if (end)
		*at = (size_t)(end + 1 - s->text);
	return end ? text : NULL;
}

/* Returns 0, or -1: it was not answered. */
static int take_sessions(struct fleet *f)
{
	char *url = xasprintf("%.*s",
			      (int)(strcspn(strstr(f->opt->url, "://") + 3, "/") +
				    (size_t)(strstr(f->opt->url, "://") + 3 - f->opt->url)),
			      f->opt->url);
	struct stream answer = f->asked;
	size_t at = 0, i;
	int status;

	f->asked.text = NULL;
	f->asked.len = f->asked.cap = 0;
	status = status_of(&f->asked);
	f->asked.pid = 0;
	f->ask_at = now_ns() + cpu_fleet_limits.ask_ns;
	for (i = 0; i < f->nr; i++)
		f->members[i]->seen = false;
	while (!status && !stopped) {
		struct live_session s = {.url = url};
		const char *period;

		s.hostname = take_text(&answer, &at);
		s.name = s.hostname ? take_text(&answer, &at) : NULL;
		period = s.name ? take_text(&answer, &at) : NULL;
		if (!period)
			break;
		s.period_us = strtoull(period, NULL, 10);
		watch_session(f, &s);
	}
	/* After one that is not there any more, one of the same name is another. */
	for (i = 0; !status && i < f->nr; i++)
		f->members[i]->listed = f->members[i]->seen || f->members[i]->said.fd >= 0;
	forget_members(f);
	if (f->nr)
		qsort(f->members, f->nr, sizeof(*f->members), by_key);
	free(answer.text);
	free(url);
	return status ? -1 : 0;
}

/* ---- what they say --------------------------------------------------------- */

static int show_text(const char *text, size_t len)
{
	if (fwrite(text, 1, len, stdout) == len && !fflush(stdout))
		return 0;
	return error("The report cannot be written to standard output. reason=%s", strerror(errno));
}

static void keep_shown(struct member *m, const char *text, size_t len)
{
	free(m->shown);
	m->shown = xasprintf("%.*s", len < SHOWN_MAX ? (int)len : SHOWN_MAX, text);
}

/* What is whole of what it said. Returns 0, or -1 after an error. */
static int take_said(struct fleet *f, struct member *m)
{
	const char ends[] = {CPU_LIVE_INTERVAL, CPU_LIVE_TOTAL, '\0'};
	struct stream *s = &m->said;
	size_t i, from = 0;
	int ret = 0;

	for (i = s->looked; i < s->len && !ret; i++) {
		char c = s->text[i];

		if (f->opt->json ? c != '\n' : !c || !strchr(ends, c))
			continue;
		m->heard = now_ns();
		if (f->opt->json)
			ret = show_text(s->text + from, i + 1 - from);
		else if (c == CPU_LIVE_TOTAL)
			keep_total(f, m, xasprintf("%.*s", (int)(i - from), s->text + from));
		else if (f->screen)
			keep_shown(m, s->text + from, i - from);
		else
			ret = show_text(s->text + from, i - from);
		from = i + 1;
		f->fresh = true;
	}
	if (from)
		drop(s, from);
	s->looked = s->len;
	return ret;
}

static int show_screen(struct fleet *f)
{
	uint64_t now = now_ns(), patience = 3 * f->opt->every + 2 * NS_PER_SEC;
	struct report r;
	size_t i;

	if (!f->screen)
		return 0;
	report_open(&r);
	for (i = 0; i < f->nr; i++) {
		const struct member *m = f->members[i];
		char *safe = text_escape(m->key);

		if (m->said.fd >= 0 && m->shown)
			fputs(m->shown, r.out);
		if (m->said.fd >= 0 && now - m->heard > patience)
			fprintf(r.out, "%s: nothing has come for %llu s\n", safe,
				(unsigned long long)((now - m->heard) / NS_PER_SEC));
		free(safe);
	}
	f->fresh = false;
	return cpu_live_screen(&r);
}

static int show_totals(const struct fleet *f)
{
	bool first = true;
	int ret = 0;
	size_t i;

	for (i = 0; i < f->nr && !ret; i++) {
		if (!f->members[i]->total)
			continue;
		if (first)
			ret = show_text("\nin all\n", 8);
		first = false;
		if (!ret)
			ret = show_text(f->members[i]->total, strlen(f->members[i]->total));
	}
	return ret;
}

static void tell_end(const struct fleet *f, const struct member *m)
{
	char *safe;

	if (stopped)
		return;
	safe = text_escape(m->key);
	note("A session has ended. session=%s left=%zu", safe, f->nr_living);
	free(safe);
}

static void tell_too_much(const struct member *m)
{
	char *safe = text_escape(m->key);

	error("A session's table is longer than what is kept of one; it is not watched any longer."
	      " Give its URL to watch it alone. session=%s bytes=%zu",
	      safe, m->said.len);
	free(safe);
}

/* For how much one may have room; see struct cpu_fleet_limits. */
static size_t room_beside(size_t others)
{
	size_t all = cpu_fleet_limits.said_by_all, share = others < all ? (all - others) / 2 : 0;

	return share > cpu_fleet_limits.said ? share : cpu_fleet_limits.said;
}

static int hear_all(struct fleet *f)
{
	size_t i, all = 0;

	for (i = 0; i < f->nr; i++)
		all += f->members[i]->said.cap;
	for (i = 0; i < f->nr; i++) {
		struct member *m = f->members[i];
		size_t before = m->said.cap;
		bool is_new = m->said.fd >= 0 && hear(&m->said, room_beside(all - before));

		all += m->said.cap - before;
		if (!is_new)
			continue;
		if (take_said(f, m))
			return -1;
		if (m->said.fd >= 0)
			continue;
		f->nr_living--;
		all -= m->said.cap;
		if (m->said.is_too_much)
			tell_too_much(m);
		m->status = status_of(&m->said);
		f->failed |= m->status != EXIT_FINE;
		free(m->shown);
		m->shown = NULL;
		f->fresh = true;
		tell_end(f, m);
	}
	return 0;
}

static void await(struct fleet *f)
{
	struct pollfd fds[MEMBERS_MAX + 1];
	nfds_t nr = 0;
	size_t i;

	for (i = 0; i < f->nr; i++)
		if (f->members[i]->said.fd >= 0)
			fds[nr++] = (struct pollfd){f->members[i]->said.fd, POLLIN, 0};
	if (f->asked.pid > 0)
		fds[nr++] = (struct pollfd){f->asked.fd, POLLIN, 0};
	poll(fds, nr, LOOK_MS);
}

static void kill_all(const struct fleet *f, int sig)
{
	size_t i;

	for (i = 0; i < f->nr; i++)
		if (f->members[i]->said.fd >= 0)
			kill(f->members[i]->said.pid, sig);
}

/* Whoever is told to end shows the total first. Returns whether it was time. */
static void end_in_time(struct fleet *f)
{
	if (!f->end_at) {
		f->end_at = now_ns() + END_NS;
		kill_all(f, SIGTERM);
	} else if (now_ns() > f->end_at) {
		kill_all(f, SIGKILL);
	}
}

/* Whether there are sessions, who did not end before. */
static int first(struct fleet *f)
{
	if (ask(f, false))
		return -1;
	while (f->asked.fd >= 0) {
		if (stopped)
			kill(f->asked.pid, SIGTERM);
		await(f);
		hear(&f->asked, LISTED_MAX);
	}
	if (f->asked.is_too_much)
		error("The relay daemon has more sessions than can be looked at.");
	return take_sessions(f);
}

static int loop(struct fleet *f)
{
	while (f->nr_living) {
		if (stopped)
			end_in_time(f);
		await(f);
		if (hear_all(f) || (f->fresh && show_screen(f)))
			return -1;
		if (f->asked.pid > 0 && hear(&f->asked, LISTED_MAX) && f->asked.fd < 0)
			take_sessions(f);
		if (!stopped && f->asked.pid <= 0 && now_ns() >= f->ask_at && ask(f, true))
			return -1;
	}
	return f->opt->json ? 0 : show_totals(f);
}

static void end(struct fleet *f)
{
	size_t i;

	kill_all(f, SIGKILL);
	if (f->asked.pid > 0) {
		kill(f->asked.pid, SIGKILL);
		if (f->asked.fd >= 0)
			close(f->asked.fd);
		status_of(&f->asked);
	}
	for (i = 0; i < f->nr; i++) {
		struct member *m = f->members[i];

		if (m->said.fd >= 0) {
			close(m->said.fd);
			status_of(&m->said);
		}
		member_free(f, m);
	}
	hash_free(&f->by_key);
	free(f->members);
}

int cpu_fleet(const struct cpu_live_options *o)
{
	struct fleet f = {
		.opt = o, .screen = !o->json && isatty(STDOUT_FILENO) == 1, .asked = {.fd = -1}};
	int ret;

	take_signals(stop);
	ret = first(&f);
	if (!ret && !f.nr)
		ret = -1;
	if (!ret)
		ret = loop(&f);
	end(&f);
	return ret || f.failed ? EXIT_TROUBLE : EXIT_FINE;
}
