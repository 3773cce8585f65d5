/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "cgroup-path.h"
#include "container-int.h"

#define SHORT_ID 12

struct container *container_is(struct container *c)
{
	while (c && c->became)
		c = c->became;
	return c;
}

static struct container *container_new(struct model *m)
{
	struct container *c = xcalloc(1, sizeof(*c));

	c->runtime = "";
	c->id = xstrdup("");
	c->seen = m->now;
	m->containers =
		grow(m->containers, m->nr_containers, &m->cap_containers, sizeof(*m->containers));
	m->containers[m->nr_containers++] = c;
	c->serial = ++m->last_container;
	m->container_gen++;
	return c;
}

/* @space: NULL for one that no line told of. */
static uint64_t pod_key(const char *id, const char *space, const char *path)
{
	uint64_t key = hash_numbers(hash_text(id, strlen(id)), hash_text(path, cgroup_maker(path)));

	return hash_numbers(key, space ? hash_text(space, strlen(space)) : 0);
}

static struct pod *pod_new(struct model *m, const char *runtime, const char *id, const char *path,
			   uint64_t key)
{
	struct pod *p = xcalloc(1, sizeof(*p));

	p->runtime = runtime;
	p->key = key;
	p->id = xstrdup(id);
	p->maker = xasprintf("%.*s", (int)cgroup_maker(path), path);
	hash_put(&m->pods_by_key, key, p);
	m->pods = grow(m->pods, m->nr_pods, &m->cap_pods, sizeof(*m->pods));
	m->pods[m->nr_pods++] = p;
	return p;
}

struct pod *container_pod(struct model *m, const char *runtime, const char *id, const char *path)
{
	uint64_t key = pod_key(id, NULL, path);
	struct pod *p = hash_get(&m->pods_by_key, key);

	return p ? p : pod_new(m, runtime, id, path, key);
}

struct pod *told_pod(struct model *m, const char *runtime, const char *name, const char *space,
		     const char *path)
{
	uint64_t key = pod_key(name, space, path);
	struct pod *p = hash_get(&m->pods_by_key, key);

	if (p)
		return p;
	p = pod_new(m, runtime, name, path, key);
	p->is_told = true;
	return p;
}

static struct pod *pod_of_cgroup(struct model *m, const struct cgroup *g)
{
	struct cgroup_name name;

	g = g->parent;
	for_each_cgroup_up(g) {
		if (g->is_pod) {
			cgroup_name_parse(&name, g->path);
			return container_pod(m, name.runtime, name.id, g->path);
		}
		if (g->is_container)
			return NULL;
	}
	return NULL;
}

static void identify(struct model *m, struct container *c, struct cgroup *g)
{
	uint64_t key = hash_text(g->path, strlen(g->path));
	struct cgroup_name name;

	cgroup_name_parse(&name, g->path);
	c->path_key = key;
	c->same_path = hash_get(&m->containers_by_path, key);
	hash_put(&m->containers_by_path, key, c);
	c->cgroup = g;
	c->pod = pod_of_cgroup(m, g);
	if (name.holds != HOLDS_CONTAINER)
		return;
	free(c->id);
	c->id = xstrdup(name.id);
	c->runtime = name.runtime;
	c->teller = TELLER_CGROUP;
}

/* Version 1: one container has a group of the same name in several hierarchies. */
static struct container *same_elsewhere(const struct model *m, const struct cgroup *g)
{
	struct container *c = hash_get(&m->containers_by_path, hash_text(g->path, strlen(g->path)));
	int i;

	if (!m->has_many_hierarchies)
		return NULL;
	/* Each hierarchy may have one; more come of those that are gone. */
	for (i = 0; c && i < HIERARCHIES_MAX; i++, c = c->same_path)
		if (!c->became && c->cgroup->hierarchy != g->hierarchy && !c->cgroup->death &&
		    !strcmp(c->cgroup->path, g->path))
			return c;
	return NULL;
}

struct container *cgroup_container(struct model *m, struct cgroup *g)
{
	if (!g->container) {
		g->container = same_elsewhere(m, g);
		if (!g->container) {
			g->container = container_new(m);
			identify(m, g->container, g);
		}
	}
	return container_is(g->container);
}

static struct container *around_cgroup(struct model *m, struct cgroup *g)
{
	for_each_cgroup_up(g)
		if (g->is_boundary)
			return cgroup_container(m, g);
	return NULL;
}

struct container *cgroup_holder(struct model *m, int hierarchy, uint64_t id)
{
	struct cgroup *g = model_cgroup(m, hierarchy, id);

	for_each_cgroup_up(g) {
		if (g->is_boundary)
			return cgroup_container(m, g);
		if (g->told)
			return container_is(g->told);
	}
	return NULL;
}

/* The container whose control group holds the task; the unified hierarchy comes first. */
static struct container *of_cgroups(struct model *m, const struct task *t)
{
	const struct task_groups of = task_groups(m, t);
	const struct task_cgroup *main = task_main_cgroup(m, t);
	struct container *c = NULL;
	size_t i;

	if (main)
		c = around_cgroup(m, task_group(m, main));
	for (i = 0; !c && i < of.nr; i++)
		c = around_cgroup(m, task_group(m, &of.list[i]));
	return c;
}

static bool ns_is_below(const struct pidns *ns, const struct pidns *above)
{
	while (ns && ns->level > above->level)
		ns = ns->parent;
	return ns == above;
}

/* Whether the first process of @ns, in the container's group, makes @ns the container's own. */
static bool may_claim(const struct container *c, const struct pidns *ns)
{
	if (!c->ns || c->ns == ns)
		return true;
	/* Met in the wrong order, or started again in the same group. */
	return ns_is_below(c->ns, ns) || (c->ns->death && !ns_is_below(ns, c->ns));
}

static void claim(struct model *m, struct container *c, struct pidns *ns)
{
	if (c->ns && c->ns != ns && ns_is_below(c->ns, ns))
		c->ns->owner = NULL;
	c->ns = ns;
	ns->owner = c;
	m->container_gen++;
}

/* Whether nothing was lost since it was told where a task is. */
static bool is_told_since(const struct model *m, const struct task *t)
{
	const struct task_cgroup *c = t ? task_main_cgroup(m, t) : NULL;

	return !m->nr_losses || (c && c->told > m->loss_until && t->conf > m->loss_until);
}

static void adopt(struct model *m, struct pidns *ns, const struct task *any)
{
	const struct task *init = task_in(m, ns, 1);
	struct container *c = of_cgroups(m, init ? init : any);

	if (is_told_since(m, init))
		ns->owner_told = m->now;
	/* Where events were lost, another task may have been moved out of the namespace's
	 * container. */
	if (c && may_claim(c, ns) && (init || !m->nr_losses)) {
		claim(m, c, ns);
		return;
	}
	ns->owner = container_new(m);
	ns->owner->ns = ns;
	ns->owner->around = c;
}

/* The container that has the namespace for its own, as far as is known now. */
static struct container *owner_of(struct model *m, struct pidns *ns, const struct task *any)
{
	if (!ns || !ns->level)
		return NULL;
	if (!ns->owner)
		adopt(m, ns, any);
	return container_is(ns->owner);
}

struct container *pidns_container(struct model *m, struct pidns *ns, const struct task *any)
{
	return owner_of(m, ns, any);
}

/* LXC and nspawn move the first process after its fork. */
void container_init_moved(struct model *m, const struct task *init)
{
	struct pidns *ns = init->ns;
	struct container *c, *owner;

	if (!ns || !ns->level || init->vtids[ns->level] != 1)
		return;
	owner = owner_of(m, ns, init);
	c = of_cgroups(m, init);
	if (is_told_since(m, init))
		ns->owner_told = m->now;
	if (c == owner || owner->cgroup)
		return;
	if (!c || !may_claim(c, ns)) {
		owner->around = c;
		m->container_gen++;
		return;
	}
	claim(m, c, ns);
	owner->became = c;
}

/* The container of the outermost boundary at or above the group of @c; @c itself if there is none.
 */
static struct container *outermost_by_group(struct model *m, struct container *c)
{
	struct cgroup *g = c->cgroup, *found = NULL;

	for_each_cgroup_up(g)
		if (g->is_boundary)
			found = g;
	return found ? cgroup_container(m, found) : c;
}

static bool is_below_group(const struct container *c, const struct container *outer)
{
	struct cgroup *g = c->cgroup;

	for_each_cgroup_up(g)
		if (g->is_boundary && container_is(g->container) == outer)
			return true;
	return false;
}

/* @c becomes the one at or above it that is @outer, or that is too far up to be looked for. */
static bool goes_up_to(struct model *m, struct container **c, const struct container *outer)
{
	int depth;

	for (depth = 0; *c && depth < CONTAINER_LEVELS_MAX; depth++, *c = container_parent(m, *c))
		if (*c == outer)
			return true;
	return false;
}

bool container_is_within(struct model *m, struct container *c, const struct container *outer)
{
	return goes_up_to(m, &c, outer) || (c && outer && is_below_group(c, outer));
}

struct container *container_outside(struct model *m, struct container *c, struct container *in)
{
	struct container *found = c, *up = container_is(c);
	int levels;

	for (levels = 0; up && levels < 2 * CONTAINER_LEVELS_MAX; levels++) {
		found = up;
		up = container_is(container_parent(m, up));
		/* Groups nest deeper than PID namespaces: what is between is skipped. */
		if (up && levels == CONTAINER_LEVELS_MAX)
			up = outermost_by_group(m, up);
		if (up && container_is_within(m, in, up))
			break;
	}
	return found;
}

struct container *container_around(struct model *m, struct container *c)
{
	struct container *outermost = container_outside(m, c, NULL);

	return outermost == container_is(c) ? NULL : outermost;
}

/* The closest group above that is a container's, or that a runtime told to have one in it. */
static const struct cgroup *above_cgroup(const struct cgroup *g, const struct container *c)
{
	g = g->parent;
	for_each_cgroup_up(g)
		if ((g->is_boundary && g->container != c) ||
		    (g->told && container_is(g->told) != c))
			return g;
	return NULL;
}

static struct container *find_parent(struct model *m, struct container *c)
{
	struct container *by_group, *by_ns = NULL, *deeper;
	const struct cgroup *above;

	by_group = c->cgroup ? around_cgroup(m, c->cgroup->parent) : container_is(c->around);
	/* One that no runtime told of is inside of whose group it is below, whatever that is
	 * called. */
	above = c->cgroup && c->teller == TELLER_CGROUP ? above_cgroup(c->cgroup, c) : NULL;
	if (above && !above->is_boundary)
		by_group = container_is(above->told);
	if (c->ns && c->ns->parent)
		by_ns = container_is(c->ns->parent->owner);
	if (!by_group || by_group == c)
		return by_ns;
	/*
	 * An unshare in an unshare, both in one container's group: the deeper one. If it is deeper
	 * than is looked up, it may be far below @c.
	 */
	deeper = by_ns;
	return deeper && goes_up_to(m, &deeper, by_group) ? by_ns : by_group;
}

struct container *container_parent(struct model *m, struct container *c)
{
	struct container *parent;

	if (c->parent_gen == m->container_gen)
		return container_is(c->parent);
	/* A trace that contradicts itself could make two hold one another. */
	if (c->is_busy || m->nesting == CONTAINER_LEVELS_MAX)
		return NULL;
	c->is_busy = true;
	m->nesting++;
	parent = find_parent(m, c);
	c->parent = parent && container_is_within(m, parent, c) ? NULL : parent;
	c->is_busy = false;
	m->nesting--;
	c->parent_gen = m->container_gen;
	return c->parent;
}

static struct container *find(struct model *m, const struct task *t)
{
	struct container *by_group = of_cgroups(m, t);
	struct container *by_ns = owner_of(m, t->ns, t);

	if (!by_group || !by_ns || by_group == by_ns)
		return by_group ? by_group : by_ns;
	return container_is_within(m, by_ns, by_group) ? by_ns : by_group;
}

struct container *task_container(struct model *m, struct task *t)
{
	task_keep_up(m, t);
	if (t->container_gen != m->container_gen || !t->has_container) {
		t->container = find(m, t);
		/* What was made on the way need not be looked for again. */
		t->container_gen = m->container_gen;
		t->has_container = true;
	}
	return container_is(t->container);
}

uint64_t container_birth(const struct container *c)
{
	if (c->ns)
		return c->ns->birth;
	return c->cgroup ? c->cgroup->birth : 0;
}

uint64_t container_death(const struct container *c)
{
	if (c->ns)
		return c->ns->death;
	return c->cgroup ? c->cgroup->death : 0;
}

bool container_is_unsure(const struct model *m, const struct container *c)
{
	uint64_t death = container_death(c);

	return m->nr_losses && container_birth(c) <= m->loss_until &&
	       !(death && death < m->first_loss);
}

bool container_is_claimed(const struct container *c)
{
	const struct cgroup *g = c->cgroup;
	uint32_t user;

	if (c->teller != TELLER_CGROUP || !g)
		return false;
	if (cgroup_user_slice(g->path, &user) || cgroup_is_of_service(g->path) ||
	    (c->ns && c->ns->level > 1))
		return true;
	/* Which groups are above may be among what was lost. */
	return above_cgroup(g, c) || (!cgroup_is_whole(g) && cgroup_is_nested(g->path));
}

bool container_user(const struct container *c, uint32_t *user)
{
	if (c->teller == TELLER_USER)
		*user = c->user;
	return c->teller == TELLER_USER ||
	       (container_is_claimed(c) && cgroup_user_slice(c->cgroup->path, user));
}

static bool is_long_hex(const char *id)
{
	return strlen(id) > 2 * SHORT_ID && strspn(id, "0123456789abcdefABCDEF") == strlen(id);
}

char *container_title(const struct container *c)
{
	if (c->name)
		return xstrdup(c->name);
	if (*c->id)
		return xasprintf("%.*s", is_long_hex(c->id) ? SHORT_ID : (int)strlen(c->id), c->id);
	if (c->ns)
		return xasprintf("pid-ns-%u", c->ns->inum);
	return xstrdup(c->cgroup ? c->cgroup->path : "?");
}

void container_free(struct container *c)
{
	free(c->id);
	free(c->name);
	free(c->label);
	free(c);
}

void pod_free(struct pod *p)
{
	free(p->id);
	free(p->maker);
	free(p->name);
	free(p->space);
	free(p);
}

void containers_free(struct model *m)
{
	size_t i;

	for (i = 0; i < m->nr_containers; i++)
		container_free(m->containers[i]);
	free(m->containers);
	for (i = 0; i < m->nr_pods; i++)
		pod_free(m->pods[i]);
	free(m->pods);
	hash_free(&m->pods_by_key);
	hash_free(&m->containers_by_path);
}
