/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names-facts.h"
#include "base/util.h"

/*
 * The highest level first: docker's containers are containerd's, and these
 * are runc's. The first one that knows a process tells of it; what users say
 * counts only where root's runtimes are silent.
 */
static const struct source {
	const char *name;
	void (*probe)(struct scan *s);
} sources[] = {
	{"docker", names_docker},
	{"podman, CRI-O", names_storage},
	{"containerd", names_containerd},
	{"LXC", names_lxc},
	{"systemd-machined, systemd-nspawn", names_machines},
	{"runc", names_runc},
	{"crun", names_crun},
	{"users' podman", names_users},
};

struct names *names_new_at(const char *root)
{
	struct names *n = xcalloc(1, sizeof(*n));

	n->root_path = xstrdup(root);
	n->root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	n->watch = watch_new();
	n->helper = -1;
	n->bytes = UINT64_MAX;
	return n;
}

struct names *names_new(void)
{
	return names_new_at("/");
}

void names_free(struct names *n)
{
	size_t i;

	if (!n)
		return;
	for (i = 0; i < n->nr_told; i++)
		told_free(&n->told[i]);
	for (i = 0; i < n->nr_noted; i++)
		free(n->noted[i]);
	free(n->told);
	free(n->noted);
	free(n->users);
	names_reap(n);
	free(n->left);
	user_forget(n);
	watch_free(n->watch);
	if (n->root >= 0)
		close(n->root);
	free(n->root_path);
	free(n);
}

void names_abort(struct names *n)
{
	atomic_store(&n->aborted, true);
}

int names_fd(const struct names *n)
{
	return watch_fd(n->watch);
}

static bool still_runs(const struct names *n, const struct told *t)
{
	return t->line && process_start(n, t->init) == t->start;
}

/* One of what users' runtimes tell, and how many of its user's are before it. */
struct turn {
	struct told *told;
	size_t nr;
};

static int by_repeats(const struct told *x, const struct told *y)
{
	if (x->repeats != y->repeats)
		return x->repeats < y->repeats ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int by_user(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->told->user != y->told->user)
		return x->told->user < y->told->user ? -1 : 1;
	return by_repeats(x->told, y->told);
}

static int by_turn(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->nr != y->nr)
		return x->nr < y->nr ? -1 : 1;
	return by_repeats(x->told, y->told);
}

/* Who had no turn the last time is the first one now: there may be no room for all at once. */
static struct turn *turns_of_users(struct names *n, size_t *nr)
{
	struct turn *turns = xcalloc(n->nr_told + 1, sizeof(*turns));
	size_t i;

	*nr = 0;
	for (i = 0; i < n->nr_told; i++)
		if (n->told[i].user && n->told[i].line)
			turns[(*nr)++].told = &n->told[i];
	qsort(turns, *nr, sizeof(*turns), by_user);
	for (i = 1; i < *nr; i++)
		if (turns[i].told->user == turns[i - 1].told->user)
			turns[i].nr = turns[i - 1].nr + 1;
	qsort(turns, *nr, sizeof(*turns), by_turn);
	return turns;
}

void names_repeat(struct names *n, size_t users_max, void (*tell)(void *ctx, const char *line),
		  void *ctx)
{
	size_t nr, i, len;
	struct turn *turns = turns_of_users(n, &nr);

	for (i = 0; i < nr; i++) {
		len = strlen(turns[i].told->line) + NAMES_LINE_MORE;
		if (len > users_max)
			break;
		if (!still_runs(n, turns[i].told))
			continue;
		users_max -= len;
		turns[i].told->repeats++;
		tell(ctx, turns[i].told->line);
	}
	free(turns);
	for (i = 0; i < n->nr_told; i++)
		if (!n->told[i].user && still_runs(n, &n->told[i]))
			tell(ctx, n->told[i].line);
}

void names_look(struct names *n, void (*look)(void *ctx), void *ctx)
{
	n->look = look;
	n->look_ctx = ctx;
}

void names_scan(struct names *n, void (*tell)(void *ctx, const char *line), void *ctx)
{
	struct scan s = {.names = n, .tell = tell, .ctx = ctx};
	size_t i;

	watch_begin(n->watch);
	n->unsettled = false;
	names_reap(n);
	for (i = 0; n->root >= 0 && i < ARRAY_SIZE(sources) && !names_aborted(n); i++)
		sources[i].probe(&s);
	facts_end(n);
	scan_forget(&s);
	user_forget(n);
	watch_end(n->watch, s.pending || n->unsettled);
	free(s.claimed);
}
