/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-podman.h"
#include "names-storage.h"
#include "base/util.h"

/*
 * How long reading may take, ms: root's containers; one user's, and all users'
 * together. Whoever's files take long rests for some times as long, so that they
 * cannot take much of the whole.
 */
#define ROOT_MS	     60000
#define USER_MS	     5000
#define USERS_MS     10000
/*
 * In a scan no more users are looked at: each costs a process, and any one of them can cause four
 * scans a second. The others follow in the next ones.
 */
#define USERS_MAX    32
#define REST_LATE_MS 30000
#define REST_FROM_MS 250
#define REST_TIMES   4
/*
 * More lines of one user are not written in this time, ms: who gives his containers ever new ids or
 * names must not fill the channel in which those of others are.
 */
#define TOLD_MAX     512
#define TOLD_MS	     60000

struct candidate {
	char *id;
	pid_t init;
	uint64_t written;
};

struct storage {
	struct scan *scan;
	struct owner owner;
	struct helper helper;
	struct candidate *candidates;
	size_t nr, cap;
	struct storage_wanted wanted;
	uint64_t state;
	struct podman podman;
	bool told_much; /* there is more, for later */
};

static struct user_rest *rest_of(struct names *n, uid_t user)
{
	size_t i;

	for (i = 0; i < n->nr_users; i++)
		if (n->users[i].user == user)
			return &n->users[i];
	n->users = grow(n->users, n->nr_users, &n->cap_users, sizeof(*n->users));
	n->users[n->nr_users] = (struct user_rest){.user = user};
	return &n->users[n->nr_users++];
}

static void note_user(struct names *n, const char *what, uid_t user)
{
	char *text = xasprintf("%u", (unsigned int)user);

	names_note(n, what, "user", text);
	free(text);
}

/* Whatever the helper was made to send: texts end, numbers are in range. */
static void make_safe(struct storage_message *m)
{
	m->id[sizeof(m->id) - 1] = '\0';
	m->name[sizeof(m->name) - 1] = '\0';
	m->image[sizeof(m->image) - 1] = '\0';
	m->pod[sizeof(m->pod) - 1] = '\0';
	m->pod_namespace[sizeof(m->pod_namespace) - 1] = '\0';
	m->container[sizeof(m->container) - 1] = '\0';
}

/* The next message that is no note; false if none came. */
static bool receive(struct storage *st, struct storage_message *m)
{
	struct names *n = st->scan->names;
	size_t len;

	while ((len = helper_receive(n, &st->helper, m, sizeof(*m)))) {
		struct note_message note;

		if (len == sizeof(*m)) {
			make_safe(m);
			return true;
		}
		if (len != sizeof(note))
			return false;
		memcpy(&note, m, sizeof(note));
		names_note_sent(n, &note, st->owner.user);
	}
	return false;
}

static void note_over(struct storage *st, const struct storage_message *m)
{
	if (m->over)
		note_user(st->scan->names,
			  "There is more of containers than is read, the rest is"
			  " left out.",
			  st->owner.user);
}

static bool take_list(struct storage *st)
{
	size_t max = st->owner.user ? USER_MAX : ENTRIES_MAX;
	struct storage_message m;

	while (receive(st, &m)) {
		if (m.kind == STORAGE_LISTED) {
			st->state = m.state;
			note_over(st, &m);
			return true;
		}
		if (m.kind != STORAGE_CANDIDATE || st->nr == max || !*m.id)
			return false;
		st->candidates = grow(st->candidates, st->nr, &st->cap, sizeof(*st->candidates));
		st->candidates[st->nr++] =
			(struct candidate){xstrdup(m.id), (pid_t)m.init, m.written};
	}
	return false;
}

/* Of two files that name one process the first counts. */
static bool is_wanted_process(const struct storage *st, size_t nr, pid_t init)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (st->candidates[i].init == init && storage_has_bit(&st->wanted.facts, i))
			return true;
	return false;
}

/*
 * CRI-O is root's, and gives each container a cgroup crio-ID. The outermost one with the id in its
 * name counts: what is below the container makes.
 */
static bool is_in_crios(const struct storage *st, const struct candidate *c)
{
	struct process p;
	char *name;
	bool is;

	if (st->owner.user || process_read(st->scan->names, c->init, &p))
		return false;
	name = xasprintf("/crio-%s", c->id);
	is = cgroup_cut(p.cgroup, c->id) && strstr(p.cgroup, name);
	free(name);
	process_free(&p);
	return is;
}

/*
 * The process is looked at before anything is read of what its owner says about
 * it: only of one that is his, and not told yet, or if names may have changed.
 */
static bool choose(struct storage *st)
{
	struct scan *s = st->scan;
	bool same = rest_of(s->names, st->owner.user)->state == st->state, any = false;
	size_t i;

	for (i = 0; i < st->nr && !names_aborted(s->names); i++) {
		const struct candidate *c = &st->candidates[i];
		struct found f = {.id = c->id,
				  .init = c->init,
				  .written = c->written,
				  .user = st->owner.user};

		if (same && (scan_still_of(s, st->owner.user, "podman", c->id, NULL, c->init) ||
			     scan_still_of(s, st->owner.user, "crio", c->id, NULL, c->init)))
			continue;
		if (is_wanted_process(st, i, c->init) || !scan_would(s, &f))
			continue;
		storage_set_bit(&st->wanted.facts, i);
		if (is_in_crios(st, c))
			storage_set_bit(&st->wanted.crio, i);
		any = true;
	}
	return any;
}

static const char *text_or_null(const char *text)
{
	return *text ? text : NULL;
}

static void find_pod(struct storage *st, struct found *f)
{
	struct scan *s = st->scan;
	struct process p;

	/* Users' pods are unknown to root's podman. */
	if (st->owner.user || process_read(s->names, f->init, &p))
		return;
	if (podman_in_pod(p.cgroup))
		f->pod = podman_pod_of(s, &st->podman, f->id);
	process_free(&p);
}

bool user_may_tell(struct names *n, uid_t user)
{
	struct user_rest *rest = rest_of(n, user);
	uint64_t now = now_ms();

	if (now >= rest->told_since + TOLD_MS) {
		rest->told_since = now;
		rest->told = 0;
	}
	if (rest->told == TOLD_MAX) {
		note_user(n, "A user's containers are told of later, they change all the time.",
			  user);
		return false;
	}
	rest->told++;
	return true;
}

static bool may_tell(struct storage *st)
{
	uid_t user = st->owner.user;

	st->told_much = st->told_much || (user && !user_may_tell(st->scan->names, user));
	return !st->told_much;
}

static void tell_of(struct storage *st, const struct storage_message *m)
{
	const struct candidate *c = &st->candidates[m->number];
	struct scan *s = st->scan;
	bool crio = m->crio && storage_has_bit(&st->wanted.crio, m->number);
	struct found f = {.runtime = crio ? "crio" : "podman",
			  .id = c->id,
			  .name = text_or_null(m->name),
			  .image = text_or_null(m->image),
			  .init = c->init,
			  .written = c->written,
			  .user = st->owner.user};

	if (scan_still_of(s, st->owner.user, f.runtime, c->id, crio ? NULL : f.name, c->init))
		return;
	if (!f.name && !crio && scan_defer(s, f.init))
		return;
	if (!f.name)
		f.name = f.id;
	if (crio) {
		f.pod = text_or_null(m->pod);
		f.pod_namespace = text_or_null(m->pod_namespace);
		f.container = text_or_null(m->container);
	} else {
		find_pod(st, &f);
	}
	if (may_tell(st))
		scan_found(s, &f);
}

/* Returns whether all that was wanted came. */
static bool take_facts(struct storage *st)
{
	struct storage_message m;

	while (receive(st, &m)) {
		if (m.kind == STORAGE_DONE) {
			st->scan->names->unsettled |= m.unsettled;
			note_over(st, &m);
			return true;
		}
		if (m.kind != STORAGE_FACTS || m.number >= st->nr ||
		    !storage_has_bit(&st->wanted.facts, m.number))
			return false;
		storage_clear_bit(&st->wanted.facts, m.number);
		tell_of(st, &m);
	}
	return false;
}

static bool converse(struct storage *st)
{
	bool any;

	if (!take_list(st))
		return false;
	any = choose(st);
	/* What is told now need not be asked for again, should the rest be too much. */
	rest_of(st->scan->names, st->owner.user)->state = st->state;
	if (!any)
		return !names_aborted(st->scan->names);
	helper_send(&st->helper, &st->wanted, sizeof(st->wanted));
	return take_facts(st);
}

/* What it has cost decides when he is asked again. */
static void account(struct storage *st, uint64_t began, bool done)
{
	struct names *n = st->scan->names;
	struct user_rest *rest = rest_of(n, st->owner.user);
	uint64_t now = now_ms(), took = now - began;

	rest->rests = 0;
	if (names_aborted(n))
		return;
	if (!done)
		note_user(n,
			  st->helper.late
				  ? "A user's containers are left out, reading of them takes too"
				    " long."
				  : "A user's containers are left out, who read of them has died.",
			  st->owner.user);
	if (!done)
		rest->rests = now + REST_LATE_MS;
	else if (st->told_much)
		rest->rests = rest->told_since + TOLD_MS;
	else if (st->owner.user && took > REST_FROM_MS)
		rest->rests = now + REST_TIMES * took;
	st->scan->pending |= rest->rests != 0;
}

/* What was told before is not told by another source meanwhile, runc's or crun's under its number.
 */
static void keep(struct storage *st)
{
	scan_keep(st->scan, st->owner.user, "podman");
	scan_keep(st->scan, st->owner.user, "crio");
}

static void probe_owner(struct storage *st, unsigned int ms)
{
	struct names *n = st->scan->names;
	struct user_rest *rest = rest_of(n, st->owner.user);
	uint64_t began = now_ms();
	size_t i;
	bool done;

	if (began < rest->rests || names_is_left(n, rest->helper)) {
		st->scan->pending = true;
		keep(st);
		return;
	}
	st->owner.places = storage_places;
	if (helper_start(n, &st->helper, &st->owner, ms, storage_read)) {
		note_user(n, "A user's containers are left out, no process can be started.",
			  st->owner.user);
		keep(st);
		return;
	}
	rest->helper = st->helper.pid;
	done = converse(st);
	if (!done)
		keep(st);
	helper_end(n, &st->helper, done);
	account(st, began, done);
	for (i = 0; i < st->nr; i++)
		free(st->candidates[i].id);
	free(st->candidates);
	podman_forget(&st->podman);
}

static void probe_user(struct scan *s, const char *name, uint64_t until)
{
	struct storage st = {.scan = s};
	uint64_t now = now_ms();
	char *end;
	unsigned long user = isdigit((unsigned char)*name) ? strtoul(name, &end, 10) : 0;

	if (!user || *end || user >= UID_UNKNOWN)
		return;
	if (now >= until) {
		s->pending = true;
		note_user(s->names, "A user's containers come later, others' take too long.",
			  (uid_t)user);
		return;
	}
	st.owner.user = (uid_t)user;
	st.owner.group = user_group(s->names, st.owner.user);
	st.owner.home = user_home(s->names, st.owner.user);
	probe_owner(&st, until - now < USER_MS ? (unsigned int)(until - now) : USER_MS);
	free(st.owner.home);
}

void names_users(struct scan *s)
{
	int dir = state_dir(s->names, "run/user");
	uint64_t until = now_ms() + USERS_MS;
	struct names *n = s->names;
	struct list users;
	size_t i;

	if (dir < 0)
		return;
	state_list(dir, &users);
	/* Each twice: whose containers were half made is told by no other change. */
	if (watch_changed(n->watch))
		n->users_due = 2 * users.nr;
	for (i = 0; i < users.nr && i < USERS_MAX && !names_aborted(n); i++) {
		probe_user(s, users.names[n->users_at++ % users.nr], until);
		n->users_due -= n->users_due > 0;
	}
	s->pending |= users.nr > USERS_MAX && n->users_due > 0;
	list_free(&users);
	close(dir);
}

void names_storage(struct scan *s)
{
	struct storage st = {.scan = s};
	int run = state_dir(s->names, RUN_PLACE);

	if (run < 0)
		return;
	close(run);
	probe_owner(&st, ROOT_MS);
}

bool storage_has(struct scan *s, const char *id)
{
	int run = state_look(s->names, RUN_PLACE);
	bool has = false;
	size_t i;

	for (i = 0; run >= 0 && i < DRIVERS && !has; i++) {
		char *path = xasprintf("%s/%s", storage_drivers[i], id);

		has = state_exists(run, path);
		free(path);
	}
	if (run >= 0)
		close(run);
	return has;
}
