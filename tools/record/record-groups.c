/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "record-groups.h"

/* ---- who is there ---------------------------------------------------------- */

char *group_path(const struct group *at)
{
	char path[PATH_MAX];
	size_t begin = sizeof(path) - 1;

	path[begin] = '\0';
	for (; at->parent; at = at->parent) {
		size_t len = strlen(at->name);

		if (len + 1 > begin)
			return NULL;
		begin -= len;
		memcpy(path + begin, at->name, len);
		path[--begin] = '/';
	}
	return xstrdup(path[begin] ? path + begin : "/");
}

static int open_group(int root, const struct group *at)
{
	char *path = group_path(at);
	int fd = -1;

	if (path)
		fd = openat(root, path[1] ? path + 1 : ".",
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	free(path);
	return fd;
}

static bool is_group(const struct dirent *e)
{
	return e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
}

/*
 * All names, but no more than can be looked at. In one go: where the next one is in a directory of
 * cgroupfs is a hash of its name, which who makes groups can have many of. Takes @fd.
 */
static void read_names(struct group *at, int fd)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *e;
	size_t cap = 0;

	if (!dir) {
		close(fd);
		return;
	}
	while (at->nr_names <= GROUPS_MAX && (e = readdir(dir)))
		if (is_group(e)) {
			at->names = grow(at->names, at->nr_names, &cap, sizeof(*at->names));
			at->names[at->nr_names++] = xstrdup(e->d_name);
		}
	closedir(dir);
}

/* The caller frees it. NULL: it has no more children. */
static char *next_name(struct group *at)
{
	char *name;

	if (!at->nr_names)
		return NULL;
	name = at->names[--at->nr_names];
	if (!at->nr_names) {
		free(at->names);
		at->names = NULL;
	}
	return name;
}

/* ---- by turns -------------------------------------------------------------- */

/* Returns how many turns somebody at or below @at took at once; 0: nobody wants any. */
static unsigned int give_turn(struct group *at, unsigned int (*take)(void *ctx, struct group *at),
			      void *ctx)
{
	unsigned int turns = take(ctx, at);

	while (!turns && at->nr_open) {
		size_t i = at->turn % at->nr_open;
		struct group *below = at->below[i];

		if (below->owes) {
			below->owes--;
			at->turn = i + 1;
			continue;
		}
		turns = give_turn(below, take, ctx);
		if (turns) {
			below->owes = turns - 1;
			at->turn = i + 1;
			break;
		}
		at->below[i] = at->below[--at->nr_open];
		at->below[at->nr_open] = below;
	}
	return turns;
}

struct reading {
	struct groups *groups;
	int root;
	size_t first;
	void (*look)(void *ctx, struct group *at, int dir);
	void *ctx;
};

static struct group *add_group(const struct reading *r, struct group *parent, char *name)
{
	struct group *at = xcalloc(1, sizeof(*at));

	at->parent = parent;
	at->name = name;
	at->depth = parent->depth + 1;
	at->turn = r->first;
	parent->below =
		grow(parent->below, parent->nr_below, &parent->cap_below, sizeof(struct group *));
	parent->below[parent->nr_below++] = at;
	/* All of them are there before one is through. */
	parent->nr_open = parent->nr_below;
	r->groups->nr++;
	return at;
}

/* Looks at the next child. */
static unsigned int read_next(void *ctx, struct group *parent)
{
	const struct reading *r = ctx;
	char *name = next_name(parent);
	struct group *at;
	int fd;

	if (!name)
		return 0;
	if (r->groups->nr == GROUPS_MAX || parent->depth == GROUPS_DEPTH_MAX) {
		free(name);
		r->groups->is_cut = true;
		/* What is too deep takes nothing from others. */
		return r->groups->nr == GROUPS_MAX;
	}
	at = add_group(r, parent, name);
	fd = open_group(r->root, at);
	if (fd < 0)
		return 1;
	r->look(r->ctx, at, fd);
	read_names(at, fd);
	return 1;
}

void groups_read(struct groups *g, int root, size_t first,
		 void (*look)(void *ctx, struct group *at, int dir), void *ctx)
{
	struct reading r = {g, root, first, look, ctx};
	int fd;

	*g = (struct groups){.root = xcalloc(1, sizeof(*g->root))};
	fd = open_group(root, g->root);
	if (fd >= 0)
		read_names(g->root, fd);
	while (give_turn(g->root, read_next, &r) && !(g->is_cut && g->nr == GROUPS_MAX))
		;
}

static void open_again(struct group *at)
{
	size_t i;

	at->nr_open = at->nr_below;
	for (i = 0; i < at->nr_below; i++)
		open_again(at->below[i]);
}

struct taking {
	bool (*take)(void *ctx, struct group *at);
	void *ctx;
	bool is_enough;
};

/* Whose turn it was has none any more. */
static unsigned int take_changed(void *ctx, struct group *at)
{
	struct taking *t = ctx;

	if (!at->is_changed)
		return 0;
	at->is_changed = false;
	t->is_enough = !t->take(t->ctx, at);
	return at->turns ? at->turns : 1;
}

void groups_take(struct groups *g, bool (*take)(void *ctx, struct group *at), void *ctx)
{
	struct taking t = {take, ctx, false};

	open_again(g->root);
	while (!t.is_enough && give_turn(g->root, take_changed, &t))
		;
}

static void free_group(struct group *at)
{
	while (at->nr_below)
		free_group(at->below[--at->nr_below]);
	while (at->nr_names)
		free(at->names[--at->nr_names]);
	free(at->below);
	free(at->names);
	free(at->name);
	free(at);
}

void groups_free(struct groups *g)
{
	if (g->root)
		free_group(g->root);
	g->root = NULL;
}
