/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <lttng/lttng.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/command.h"
#include "base/text.h"
#include "base/util.h"
#include "known.h"
#include "manager.h"
#include "shot.h"
#include "store.h"
#include "throttling.h"
#include "turns.h"
#include "watch.h"

/* How long what happened waits to be heard of: the library has nothing that could be polled. */
#define HEAR_MS	  100
/* What was told before a pause is read away for no longer. */
#define FORGET_MS 1000
#define RETRY_NS  (10 * NS_PER_SEC)
#define LOOK_NS	  NS_PER_SEC
/* Who was told of last is told of again so much later than others, who have the turn till then. */
#define OTHERS_NS NS_PER_SEC

/* Who is told of next, if nobody comes before it whose turn it is. */
struct next {
	struct late late;
	const struct condition *condition;
	char *label;	/* NULL: nobody */
	char *id;	/* as known_label() sets it */
	char *cgroup;	/* NULL: not known */
	uint64_t heard; /* ns since the epoch */
	uint64_t until; /* as now_ns() has it: then it is */
};

struct watch {
	struct recording *r;
	struct watch_options *opt;
	struct settings *settings; /* of opt */
	struct known known;
	struct throttling throttling;
	uint64_t least_ns[NR_WATCHED]; /* the least of the conditions'; 0: there are none */
	uint64_t host_inum;
	uint64_t paused_until; /* 0: it is not */
	enum watched turn;     /* whose it is to be heard first */
	bool quotas_turn;      /* they are looked at before anybody is heard */
	uint64_t heard_until;  /* by then nobody's quota is told of */
	uint64_t heard_from;   /* since then it is heard who is late */
	struct turns turns;    /* of who was late */
	struct next next;
	unsigned int taken;
};

static uint64_t wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* What the kernel watches for by events; not for quotas. */
static const enum condition_what condition_of[NR_WATCHED] = {
	[WATCHED_DELAY] = CONDITION_DELAY,
	[WATCHED_BLOCKED] = CONDITION_BLOCKED,
};

/* The least that a condition of a kind asks for; 0: there is none. */
static uint64_t least(const struct settings *s, enum condition_what what)
{
	uint64_t ns = 0;
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (s->conditions[i].what == what && (!ns || s->conditions[i].ns < ns))
			ns = s->conditions[i].ns;
	return ns;
}

static void know_least(struct watch *w)
{
	enum watched i;

	for (i = 0; i < NR_WATCHED; i++)
		w->least_ns[i] = least(w->settings, condition_of[i]);
}

static int arm(struct watch *w)
{
	enum watched i;

	for (i = 0; i < NR_WATCHED; i++)
		if (threshold_set(&w->r->thresholds[i], i, w->least_ns[i]))
			return -1;
	return 0;
}

static void disarm(struct watch *w)
{
	enum watched i;

	for (i = 0; i < NR_WATCHED; i++)
		threshold_restore(&w->r->thresholds[i]);
}

static void close_triggers(struct watch *w)
{
	enum watched i;

	for (i = 0; i < NR_WATCHED; i++)
		trigger_close(&w->r->triggers[i]);
}

static int open_triggers(struct watch *w)
{
	struct recording *r = w->r;
	enum watched i;

	for (i = 0; i < NR_WATCHED; i++)
		if (w->least_ns[i] &&
		    trigger_open(&r->triggers[i], r->session.name, i, w->least_ns[i]))
			return -1;
	return 0;
}

/*
 * As trigger_next(), of all that are open, which take turns: whoever makes tasks wait for a CPU all
 * the time must not keep this from those that sleep.
 */
static int next_late(struct watch *w, struct late *late)
{
	unsigned int i;
	int told = 0;

	for (i = 0; i < NR_WATCHED && !told; i++) {
		told = trigger_next(&w->r->triggers[w->turn], late);
		w->turn = (w->turn + 1) % NR_WATCHED;
	}
	return told;
}

static void drop_next(struct watch *w)
{
	free(w->next.label);
	free(w->next.id);
	free(w->next.cgroup);
	w->next = (struct next){0};
}

/* For what comes next lttng-sessiond has so long; 0: nothing is asked of it. */
static int expect(struct watch *w, unsigned int seconds)
{
	signals_expect(&w->r->signals, seconds);
	return 0;
}

/* Everything that a session daemon takes with it when it goes. */
static int begin(struct watch *w)
{
	struct recording *r = w->r;
	char *path = xasprintf("%s/" SHOT_NEW, r->output.path);
	int result = -1;

	if (!expect(w, START_S) && !daemon_use(&r->daemon, &r->modules, &r->signals) &&
	    !expect(w, 0) && !modules_load(&r->modules, r->opt) &&
	    !session_choose_name(&r->session) && !expect(w, ANSWER_S) &&
	    !session_create(&r->session, r->opt, path) && !expect(w, ANSWER_S) &&
	    !session_start(&r->session) && !output_check(&r->output) &&
	    !names_start(&r->names, r->opt, &r->session) && !expect(w, ANSWER_S) &&
	    !open_triggers(w) && !arm(w))
		result = 0;
	expect(w, 0);
	r->begin_ns = now_ns();
	w->paused_until = 0;
	w->heard_from = r->begin_ns;
	drop_next(w);
	free(path);
	return result;
}

/* @dead: there is no session daemon that could do anything. */
static void end(struct watch *w, bool dead)
{
	struct recording *r = w->r;

	disarm(w);
	expect(w, ANSWER_S);
	if (dead)
		r->session.started = false;
	else if (r->session.started)
		session_stop(&r->session, &r->signals);
	expect(w, 0);
	names_stop(&r->names);
	expect(w, 2 * ANSWER_S);
	close_triggers(w);
	session_destroy(&r->session);
	expect(w, 0);
}

static void tell_begin(const struct watch *w)
{
	char *where = text_escape(w->r->output.path);

	note("Watching; when a condition is met a snapshot is written. directory=%s conditions=%zu",
	     where, w->settings->nr);
	free(where);
	manager_tell("READY=1");
}

/*
 * As trigger_next(), of all that are open, for as long as there is time: who is late all the time
 * must not keep this from all else that it has to do.
 */
static int next_late_until(struct watch *w, uint64_t ns, struct late *late)
{
	return now_ns() < ns ? next_late(w, late) : 0;
}

/* @found as throttling_look() has it. */
static bool is_throttled(struct watch *w, struct throttled *found)
{
	return least(w->settings, CONDITION_THROTTLED) &&
	       throttling_look(&w->throttling, w->settings->conditions, w->settings->nr, &w->known,
			       w->host_inum, now_ns(), found);
}

/*
 * Nothing is told meanwhile, so a snapshot's own work is not either. What quotas take counts from
 * here on, however long the snapshot keeps this from looking.
 */
static void pause_it(struct watch *w)
{
	disarm(w);
	drop_next(w);
	is_throttled(w, NULL);
	w->paused_until = now_ns() + w->settings->every_ns;
}

/* Returns -1 if the session daemon is gone. */
static int go_on(struct watch *w)
{
	uint64_t until = now_ns() + FORGET_MS * (NS_PER_SEC / 1000);
	struct late late;
	int told;

	/* What was told before the pause is old. */
	while ((told = next_late_until(w, until, &late)) == 1)
		;
	w->paused_until = 0;
	w->heard_from = now_ns();
	w->heard_until = w->quotas_turn ? 0 : w->heard_from + LOOK_NS;
	return told < 0 || arm(w) ? -1 : 0;
}

static void take(struct watch *w, const struct shot *s)
{
	char *name, *where;
	size_t removed;

	pause_it(w);
	name = shot_take(w->r, s);
	if (!name)
		return;
	w->taken++;
	where = text_escape(w->r->output.path);
	note("%s snapshot=%s/%s", s->text, where, name);
	free(where);
	free(name);
	removed = store_tidy(w->r->output.fd, w->settings->keep, w->settings->max_bytes);
	if (removed)
		note("The oldest snapshots were deleted. number=%zu", removed);
}

/*
 * Escaped, and in quotes if it has what names seldom have: a name that is a sentence must not be
 * taken for what is said of it. The caller frees it.
 */
static char *name_text(const char *name)
{
	char *safe = text_escape(name), *text = xstrdup("\""), *part, *rest = safe;

	if (*safe && !safe[strcspn(safe, " \"()=,;'")]) {
		free(text);
		return safe;
	}
	while ((part = strsep(&rest, "\""))) {
		char *more = xasprintf("%s%s%s", text, part, rest ? "\\x22" : "\"");

		free(text);
		text = more;
	}
	free(safe);
	return text;
}

/* What happened, for people. The caller frees it. */
static char *describe_late(const struct late *late)
{
	char *comm = name_text(late->comm), *text;
	const char *event = "waited", *what = "for a CPU";

	if (late->what == WATCHED_BLOCKED) {
		event = "slept";
		what = late->in_iowait ? "uninterruptibly, for I/O" : "uninterruptibly";
	}
	text = xasprintf("A task %s %" PRIu64 ".%03" PRIu64 " ms %s: %s (%" PRId64 ")", event,
			 late->ns / 1000000, late->ns / 1000 % 1000, what, comm, late->tid);
	free(comm);
	return text;
}

/*
 * What `why` is asked about: by the inode, unless several have it; then by the id, if one is known:
 * several may have a name. The caller frees it.
 */
static char *select_text(struct watch *w, uint64_t ns_inum, const char *id, const char *label)
{
	if (!ns_inum || ns_inum == w->host_inum || known_is_shared(&w->known, ns_inum))
		return xstrdup(id ? id : label);
	return xasprintf("%" PRIu64, ns_inum);
}

static void take_next(struct watch *w)
{
	/* It is nobody's any more when all is told. */
	struct next n = w->next;
	char *container = name_text(n.label), *event = describe_late(&n.late);
	char *condition = text_escape(n.condition->text),
	     *select = select_text(w, n.late.ns_inum, n.id, n.label);
	char *text = xasprintf("%s of %s. condition=\"%s\"", event, container, condition);
	char *name = turns_name(n.label, n.cgroup);
	struct shot s = {
		.ns = n.heard,
		.length_ns = n.late.ns,
		.condition = condition_word(n.condition->what),
		.container = name,
		.select = select,
		.text = text,
	};

	w->next = (struct next){0};
	turns_take(&w->turns, n.label, n.cgroup);
	take(w, &s);
	w->quotas_turn = least(w->settings, CONDITION_THROTTLED);
	free(n.label);
	free(n.id);
	free(n.cgroup);
	free(name);
	free(container);
	free(event);
	free(condition);
	free(select);
	free(text);
}

static void take_throttled(struct watch *w, const struct throttled *found)
{
	const struct known_group *g = &found->group;
	char *container = name_text(g->label), *path = name_text(g->path);
	char *condition = text_escape(found->condition->text);
	char *select = select_text(w, g->inum, g->id, g->label),
	     *name = turns_name(g->label, g->path);
	char *text =
		xasprintf("A quota kept %s from CPUs for %" PRIu64 ".%03" PRIu64
			  " ms within %" PRIu64 ".%03" PRIu64 " s: that of %s. condition=\"%s\"",
			  container, found->ns / 1000000, found->ns / 1000 % 1000,
			  (uint64_t)(found->period_ns / NS_PER_SEC),
			  found->period_ns / 1000000 % 1000, path, condition);
	struct shot s = {
		.ns = wall_ns(),
		.length_ns = found->period_ns,
		.condition = condition_word(CONDITION_THROTTLED),
		.container = name,
		.select = select,
		.text = text,
	};

	take(w, &s);
	free(container);
	free(name);
	free(path);
	free(condition);
	free(select);
	free(text);
}

static void take_asked(struct watch *w)
{
	struct shot s = {.ns = wall_ns(),
			 .condition = "asked",
			 .container = "host",
			 .text = "A snapshot was asked for, by SIGUSR1."};

	w->r->signals.snapshots = 0;
	take(w, &s);
}

/* Of those whose turn is the same it is the last: the buffers have what was last. */
static void offer(struct watch *w, const struct condition *c, const struct late *late,
		  const struct where *at)
{
	char *id, *label = known_label(&w->known, at, &id);
	uint64_t until = w->heard_from + turns_wait(&w->turns, label, at->cgroup, OTHERS_NS);

	if (w->next.label && until > w->next.until) {
		free(label);
		free(id);
		return;
	}
	drop_next(w);
	w->next = (struct next){
		.late = *late,
		.condition = c,
		.label = label,
		.id = id,
		.cgroup = at->cgroup ? xstrdup(at->cgroup) : NULL,
		.heard = wall_ns(),
		.until = until,
	};
}

/* If one of the conditions means it, it may be the next. */
static void judge(struct watch *w, const struct late *late)
{
	char *cgroup = where_cgroup(late->tid, late->ns_inum, late->cgroup_id);
	struct where where = {late->ns_inum, w->host_inum, cgroup};
	bool met = false;
	size_t i;

	for (i = 0; i < w->settings->nr && !met; i++) {
		const struct condition *c = &w->settings->conditions[i];

		met = c->what == condition_of[late->what] && late->ns > c->ns &&
		      known_means(&w->known, c, &where);
		if (met)
			offer(w, c, late, &where);
	}
	free(cgroup);
}

/* Whether there is one whose turn it is; a snapshot was tried then. */
static bool has_taken_next(struct watch *w)
{
	if (!w->next.label || now_ns() < w->next.until)
		return false;
	take_next(w);
	return true;
}

/* Returns -1 if the session daemon is gone. */
static int hear(struct watch *w)
{
	uint64_t until = now_ns() + HEAR_MS * (NS_PER_SEC / 1000);
	struct late late;
	int told;

	if (w->paused_until)
		return now_ns() < w->paused_until ? 0 : go_on(w);
	if (w->quotas_turn)
		return 0;
	while ((told = next_late_until(w, until, &late)) == 1) {
		judge(w, &late);
		if (has_taken_next(w))
			return 0;
	}
	has_taken_next(w);
	return told;
}

/*
 * Quotas tell nobody by themselves. Who is late all the time, and who is kept from CPUs all the
 * time, take turns after each snapshot, so that neither hides the other.
 */
static void look_at_quotas(struct watch *w)
{
	bool is_told = !w->paused_until && now_ns() >= w->heard_until;
	struct throttled found;

	if (is_told && w->quotas_turn) {
		w->quotas_turn = false;
		w->heard_from = now_ns();
	}
	if (!is_throttled(w, is_told ? &found : NULL))
		return;
	take_throttled(w, &found);
	throttled_free(&found);
}

/* What is looked at once a second. Returns whether the session still is there. */
static bool lives(struct watch *w)
{
	bool changed = false;
	enum watched i;
	int code;

	if (daemon_has_ended(&w->r->daemon))
		return false;
	for (i = 0; i < NR_WATCHED; i++)
		changed |= threshold_keep(&w->r->thresholds[i]);
	if (changed)
		note("Somebody has changed for how long a task may wait; it was set again.");
	code = session_loss(&w->r->session, &w->r->loss);
	if (code < 0)
		error("The recording session is gone. reason=\"%s\"", lttng_strerror(code));
	return code >= 0;
}

/* Reads the configuration again. Returns -1 if the session daemon is gone. */
static int reread(struct watch *w)
{
	w->r->signals.rereads_asked = false;
	if (settings_read(w->settings, w->opt->config)) {
		note("Watching goes on as before.");
		return 0;
	}
	know_least(w);
	drop_next(w);
	throttling_forget(&w->throttling);
	close_triggers(w);
	/* While it is paused, going on arms it. */
	if (open_triggers(w) || (!w->paused_until && arm(w)))
		return -1;
	note("The configuration was read again.");
	tell_begin(w);
	return 0;
}

/* Returns whether it was told to end, and not that the session daemon is gone. */
static bool loop(struct watch *w)
{
	struct pollfd fd = {.fd = w->r->signals.fd, .events = POLLIN};
	uint64_t second = now_ns() + LOOK_NS;

	while (!signals_take(&w->r->signals)) {
		expect(w, ANSWER_S);
		if (w->r->signals.snapshots)
			take_asked(w);
		if (w->r->signals.rereads_asked && reread(w) < 0)
			return false;
		if (hear(w) < 0)
			return false;
		if (now_ns() >= second) {
			second = now_ns() + LOOK_NS;
			if (!lives(w))
				return false;
			look_at_quotas(w);
		}
		poll(&fd, 1, HEAR_MS);
	}
	expect(w, 0);
	return true;
}

/* Waits for a moment, or for a signal. Returns whether to end. */
static bool rest(struct watch *w, uint64_t ns)
{
	struct pollfd fd = {.fd = w->r->signals.fd, .events = POLLIN};
	uint64_t until = now_ns() + ns;

	while (!signals_take(&w->r->signals) && now_ns() < until)
		poll(&fd, 1, HEAR_MS);
	return w->r->signals.stop;
}

/* Another's session daemon is another's to start. Returns whether to end. */
static bool await_daemon(struct watch *w)
{
	while (lttng_session_daemon_alive() != 1)
		if (rest(w, LOOK_NS))
			return true;
	return false;
}

/* Begins anew, as often as it takes. Returns whether to end. */
static bool begin_again(struct watch *w)
{
	bool own = w->r->daemon.own;

	expect(w, 0);
	note("lttng-sessiond, or the session, is gone; watching goes on %s.",
	     own ? "with another" : "once it runs again");
	end(w, true);
	daemon_end(&w->r->daemon);
	for (;;) {
		if (rest(w, LOOK_NS) || (!own && await_daemon(w)))
			return true;
		if (!begin(w))
			break;
		end(w, false);
		daemon_end(&w->r->daemon);
		note("Watching cannot begin again; it is tried again in 10 seconds.");
		if (rest(w, RETRY_NS))
			return true;
	}
	tell_begin(w);
	return false;
}

static void finish(struct watch *w)
{
	struct recording *r = w->r;
	bool own = r->daemon.own;

	if (!daemon_leave(&r->daemon, r->session.name)) {
		daemon_end(&r->daemon);
		modules_unload(&r->modules, own);
	}
	shot_clean(&r->output);
	if (r->output.fd >= 0)
		unlinkat(r->output.fd, SHOT_NEW, AT_REMOVEDIR);
	output_remove_empty(&r->output);
	guard_end(&r->guard);
	drop_next(w);
	turns_free(&w->turns);
	throttling_end(&w->throttling);
	known_free(&w->known);
}

static int prepare(struct watch *w)
{
	struct recording *r = w->r;
	struct stat st;

	if (stat("/proc/self/ns/pid", &st))
		return error("The PID namespace cannot be told; is /proc mounted?");
	w->host_inum = st.st_ino;
	if (output_prepare(&r->output, w->opt->dir, true))
		return -1;
	/* The guard has it, too, so it is free when all that this one did is undone. */
	if (flock(r->output.fd, LOCK_EX | LOCK_NB)) {
		output_close(&r->output);
		return argument_error("Another watch writes there; give another directory.",
				      "output", w->opt->dir);
	}
	shot_clean(&r->output);
	store_tidy(r->output.fd, w->settings->keep, w->settings->max_bytes);
	modules_remember(&r->modules);
	return guard_start(&r->guard, r);
}

int watch_run(struct recording *r, struct watch_options *o)
{
	struct watch w = {.r = r, .opt = o, .settings = &o->settings, .known = KNOWN_NONE};
	int status = EXIT_TROUBLE;

	know_least(&w);
	throttling_begin(&w.throttling, "/sys/fs/cgroup");
	r->names.hear = known_hear;
	r->names.hear_ctx = &w.known;
	if (!prepare(&w) && !begin(&w)) {
		status = EXIT_FINE;
		tell_begin(&w);
		while (!loop(&w) && !begin_again(&w))
			;
		manager_tell("STOPPING=1");
	}
	end(&w, false);
	finish(&w);
	if (status == EXIT_FINE)
		note("Watching has ended. snapshots=%u", w.taken);
	return status;
}
