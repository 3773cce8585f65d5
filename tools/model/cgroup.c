/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "cgroup-path.h"
#include "model-int.h"

/* The control groups themselves, and how they are found. Who is in them: task.c, place.c. */

static uint64_t cgroup_key(int hierarchy, uint64_t id)
{
	return hash_numbers((uint32_t)hierarchy, id);
}

struct cgroup *model_cgroup(const struct model *m, int hierarchy, uint64_t id)
{
	return hash_get(&m->by_cgroup, cgroup_key(hierarchy, id));
}

struct cgroup *task_group(const struct model *m, const struct task_cgroup *c)
{
	return c->group && c->group->is_replaced ? c->group : model_cgroup(m, c->hierarchy, c->id);
}

static uint64_t path_key(int hierarchy, uint64_t path_hash)
{
	return hash_numbers((uint32_t)hierarchy, path_hash);
}

static struct cgroup *at_path(const struct model *m, int hierarchy, const char *path, size_t len)
{
	struct cgroup *c = hash_get(&m->by_cgroup_path, path_key(hierarchy, hash_text(path, len)));

	return c && c->hierarchy == hierarchy && !strncmp(c->path, path, len) && !c->path[len]
		       ? c
		       : NULL;
}

struct cgroup *model_cgroup_at(const struct model *m, int hierarchy, const char *path)
{
	return at_path(m, hierarchy, path, strlen(path));
}

uint64_t cgroup_death(const struct cgroup *g)
{
	return g->conf > g->death ? 0 : g->death;
}

bool cgroup_is_whole(const struct cgroup *g)
{
	for_each_cgroup_up(g)
		if (!g->parent)
			return !strcmp(g->path, "/");
	return false;
}

static struct cgroup *parent_at_path(const struct model *m, int hierarchy, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || !path[1])
		return NULL;
	return at_path(m, hierarchy, path, slash == path ? 1 : (size_t)(slash - path));
}

static void set_path(struct model *m, struct cgroup *c, const char *path)
{
	struct cgroup_name name;
	uint32_t user;

	if (c->path && at_path(m, c->hierarchy, c->path, strlen(c->path)) == c)
		hash_del(&m->by_cgroup_path, path_key(c->hierarchy, c->path_hash));
	free(c->path);
	c->path = xstrdup(path);
	c->path_hash = hash_text(path, strlen(path));
	hash_put(&m->by_cgroup_path, path_key(c->hierarchy, c->path_hash), c);
	cgroup_name_parse(&name, path);
	c->is_pod = name.holds == HOLDS_POD;
	c->is_container = name.holds == HOLDS_CONTAINER;
	c->is_boundary = c->container || c->is_container;
	c->is_of_somebody = cgroup_user_slice(path, &user) || cgroup_service(path);
	m->container_gen++;
}

void cgroup_set_parent(struct model *m, struct cgroup *c, struct cgroup *parent)
{
	const struct cgroup *up = parent;
	int levels = 1;

	/*
	 * A trace that contradicts itself could make two groups hold one another. Larger rings than
	 * are looked for do no harm: nobody looks up any further.
	 */
	for_each_cgroup_up(up) {
		if (up == c)
			return;
		levels++;
	}
	/*
	 * Whoever may make groups may nest them deeper than is looked up, also deeper than a path
	 * is long. These are below the last one from which what is outermost can be seen: that
	 * decides whose they are.
	 */
	for (; levels > CGROUP_LEVELS_MAX; levels--)
		parent = parent->parent;
	m->container_gen += c->parent != parent;
	c->parent = parent;
}

/*
 * From Linux 3.15 to 4.13 the next cgroup has the id of the last that was removed, whoever made
 * that.
 */
static void replace(struct model *m, struct cgroup *c)
{
	hash_del(&m->by_cgroup, c->key);
	/* No hierarchy has that number. */
	c->key = hash_numbers(UINT64_MAX, ++m->nr_replaced);
	hash_put(&m->by_cgroup, c->key, c);
	c->is_replaced = true;
	if (!cgroup_death(c))
		c->death = m->now;
}

struct cgroup *cgroup_make(struct model *m, int hierarchy, uint64_t id, const char *path)
{
	struct cgroup *c = model_cgroup(m, hierarchy, id);

	/* A state dump may have told of it before its event came. */
	if (c && (cgroup_death(c) || strcmp(c->path, path)))
		replace(m, c);
	c = cgroup_put(m, hierarchy, id, path);
	c->birth = m->now;
	return c;
}

struct cgroup *cgroup_put(struct model *m, int hierarchy, uint64_t id, const char *path)
{
	struct cgroup *c = model_cgroup(m, hierarchy, id);

	/* A state dump may tell of one that goes. */
	if (c && cgroup_death(c) && strcmp(c->path, path)) {
		replace(m, c);
		c = NULL;
	}
	if (c && !strcmp(c->path, path)) {
		c->conf = m->now;
		return c;
	}
	if (!c) {
		c = xcalloc(1, sizeof(*c));
		c->hierarchy = hierarchy;
		c->id = id;
		c->key = cgroup_key(hierarchy, id);
		hash_put(&m->by_cgroup, c->key, c);
		if (hierarchy)
			m->has_many_hierarchies = true;
	}
	c->conf = m->now;
	set_path(m, c, path);
	cgroup_set_parent(m, c, parent_at_path(m, hierarchy, path));
	return c;
}

static void cgroup_free(struct cgroup *c)
{
	free(c->path);
	free(c);
}

void cgroup_drop(struct model *m, struct cgroup *c)
{
	hash_del(&m->by_cgroup, c->key);
	if (model_cgroup_at(m, c->hierarchy, c->path) == c)
		hash_del(&m->by_cgroup_path, path_key(c->hierarchy, c->path_hash));
	cgroup_free(c);
}

void model_cgroup_free(struct model *m)
{
	struct cgroup *c;
	size_t pos = 0;

	while ((c = hash_next(&m->by_cgroup, &pos)))
		cgroup_free(c);
	hash_free(&m->by_cgroup);
	hash_free(&m->by_cgroup_path);
}
