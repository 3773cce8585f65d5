/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "model/cgroup-path.h"
#include "names-int.h"
#include "base/text.h"
#include "base/util.h"

/* A user has half as many containers at a time (names-storage.h). */
#define USER_TOLD_MAX 512

/* What one scan finds, and what of it is news: what the sources call. */

void told_free(struct told *t)
{
	free(t->runtime);
	free(t->id);
	free(t->name);
	free(t->line);
}

bool scan_claimed(const struct scan *s, pid_t init)
{
	size_t i;

	for (i = 0; i < s->nr_claimed; i++)
		if (s->claimed[i] == init)
			return true;
	return false;
}

static void claim(struct scan *s, pid_t init)
{
	s->claimed = grow(s->claimed, s->nr_claimed, &s->cap_claimed, sizeof(*s->claimed));
	s->claimed[s->nr_claimed++] = init;
}

bool scan_defer(struct scan *s, pid_t init)
{
	struct process p;
	bool young;

	if (process_read(s->names, init, &p))
		return false;
	young = p.age_ms < SETTLE_MS;
	s->pending |= young;
	process_free(&p);
	return young;
}

/*
 * A file that outlived its container may name a process that has nothing to do
 * with it: one whose start is another, or, where the runtime does not tell
 * the start, that began after the file was written in a cgroup of other name.
 */
static bool is_stale(const struct found *f, const struct process *p, bool in_its_cgroup)
{
	struct timespec ts;
	uint64_t began;

	if (f->start)
		return f->start != p->start;
	if (!f->written || in_its_cgroup)
		return false;
	clock_gettime(CLOCK_REALTIME, &ts);
	began = (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec - p->age_ms * 1000000;
	return began > f->written + 2 * NS_PER_SEC;
}

static struct told *told_find(const struct names *n, uid_t user, const char *runtime,
			      const char *id, pid_t init)
{
	size_t i;

	for (i = 0; i < n->nr_told; i++) {
		struct told *t = &n->told[i];

		if (t->user == user && !strcmp(t->runtime, runtime) && !strcmp(t->id, id) &&
		    (!init || t->init == init))
			return t;
	}
	return NULL;
}

bool scan_still_of(struct scan *s, uid_t user, const char *runtime, const char *id,
		   const char *name, pid_t init)
{
	struct told *t = told_find(s->names, user, runtime, id, init);

	if (!t || (name && strcmp(t->name, name)) || process_start(s->names, t->init) != t->start)
		return false;
	t->seen = true;
	claim(s, t->init);
	return true;
}

void scan_keep(struct scan *s, uid_t user, const char *runtime)
{
	struct names *n = s->names;
	size_t i;

	for (i = 0; i < n->nr_told; i++) {
		struct told *t = &n->told[i];

		if (t->user == user && !strcmp(t->runtime, runtime) &&
		    process_start(n, t->init) == t->start) {
			t->seen = true;
			claim(s, t->init);
		}
	}
}

bool scan_still(struct scan *s, const char *runtime, const char *id, const char *name, pid_t init)
{
	return scan_still_of(s, 0, runtime, id, name, init);
}

bool scan_has(const struct scan *s, const char *runtime, const char *id)
{
	const struct told *t = told_find(s->names, 0, runtime, id, 0);

	return t && scan_claimed(s, t->init);
}

/* Remembers it; false if it was told like this before. */
static bool is_news(struct names *n, const struct found *f, const struct process *p)
{
	struct told *t = told_find(n, f->user, f->runtime, f->id, p->tid);
	char *line = NULL;
	bool news = true;

	if (t) {
		news = t->start != p->start || strcmp(t->name, f->name);
		if (!news) {
			line = t->line;
			t->line = NULL;
		}
		told_free(t);
	} else {
		n->told = grow(n->told, n->nr_told, &n->cap_told, sizeof(*n->told));
		t = &n->told[n->nr_told++];
	}
	*t = (struct told){.runtime = xstrdup(f->runtime),
			   .id = xstrdup(f->id),
			   .name = xstrdup(f->name),
			   .user = f->user,
			   .init = p->tid,
			   .start = p->start,
			   .line = line,
			   .seen = true};
	return news;
}

/* podman's; a user may write anything into his files, as the name of a group that is no
 * container's. */
static bool is_long_id(const char *id)
{
	return strlen(id) == 64 && strspn(id, "0123456789abcdef") == 64;
}

/* Cuts the path to the container's own cgroup; whether that proves that it is its. */
static bool cut_cgroup(const struct found *f, char *cgroup)
{
	if (f->user)
		return is_long_id(f->id) && cgroup_cut(cgroup, f->id);
	/* Below another container's, or a service, that one gives the names. */
	return (cgroup_cut(cgroup, f->id) || (f->name && cgroup_cut(cgroup, f->name)) ||
		(f->unit && cgroup_cut(cgroup, f->unit))) &&
	       !cgroup_is_nested(cgroup) && !cgroup_is_of_service(cgroup);
}

/*
 * Whether the process may be what the runtime says. A number in a file may be another process's by
 * now, and in a user's slice that one can give its cgroup any name: root's containers are not
 * there, unless the runtime has written down when the process began. What tells a user's container
 * from the user's other processes is a PID namespace or a cgroup of its own.
 */
static bool may_be(struct scan *s, const struct found *f, const struct process *p,
		   bool in_its_cgroup)
{
	uint32_t user;

	if (f->user)
		return user_has_process(s->names, f->user, p) &&
		       (in_its_cgroup || p->pid_ns != host_pid_ns(s->names));
	if (f->start || !cgroup_user_slice(p->cgroup, &user))
		return true;
	names_note(s->names,
		   "A container of root's would be in a user's slice; its name is left out.", "id",
		   f->id);
	return false;
}

/*
 * Reads its process, with the cgroup cut to what the runtime made. -1 if there is nothing to tell:
 * it is gone, another's, or was told of already.
 */
static int admit(struct scan *s, const struct found *f, struct process *p)
{
	bool in_its_cgroup;

	/* Process 1 is the host's own. */
	if (f->init <= 1 || scan_claimed(s, f->init) || process_read(s->names, f->init, p))
		return -1;
	in_its_cgroup = cut_cgroup(f, p->cgroup);
	if (!is_stale(f, p, in_its_cgroup) && may_be(s, f, p, in_its_cgroup))
		return 0;
	process_free(p);
	return -1;
}

bool scan_would(struct scan *s, const struct found *f)
{
	struct process p;

	if (admit(s, f, &p))
		return false;
	process_free(&p);
	return true;
}

void scan_found(struct scan *s, const struct found *f)
{
	char line[NAMES_LINE_MAX + 1];
	struct process p;

	if (admit(s, f, &p))
		return;
	claim(s, f->init);
	if (is_news(s->names, f, &p)) {
		names_line(line, f, &p);
		told_find(s->names, f->user, f->runtime, f->id, p.tid)->line = xstrdup(line);
		s->tell(s->ctx, line);
	}
	process_free(&p);
}

/*
 * What was not seen is kept while its process lives: who told of it may just not have answered. But
 * of a process that something else was told of by now, only that: or whoever renames a container
 * for ever would fill the memory.
 */
static bool is_kept(const struct scan *s, const struct told *t)
{
	return t->seen ||
	       (!scan_claimed(s, t->init) && process_start(s->names, t->init) == t->start);
}

/*
 * Who has other processes in his files all the time, of which many live, makes each scan look at
 * all of them: of each user the last ones are kept. The others have no id then.
 */
static void forget_old(struct names *n)
{
	struct hash users = {0};
	size_t i;

	for (i = n->nr_told; i-- > 0;) {
		struct told *t = &n->told[i];
		uintptr_t nr = (uintptr_t)hash_get(&users, t->user) + 1;

		if (!t->user)
			continue;
		hash_put(&users, t->user, (void *)nr);
		if (nr <= USER_TOLD_MAX || t->seen)
			continue;
		told_free(t);
		*t = (struct told){0};
	}
	hash_free(&users);
}

void scan_forget(struct scan *s)
{
	struct names *n = s->names;
	size_t i, kept = 0;

	forget_old(n);
	for (i = 0; i < n->nr_told; i++) {
		struct told *t = &n->told[i];

		if (t->id && is_kept(s, t)) {
			t->seen = false;
			n->told[kept++] = *t;
		} else {
			told_free(t);
		}
	}
	n->nr_told = kept;
}
