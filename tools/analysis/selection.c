/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "selection.h"
#include "base/text.h"
#include "base/util.h"

/* How well a text names a container, the best first: nobody can choose an inode, or another's path.
 */
enum rank { BY_INODE, BY_NAME, BY_ID, NOT_MEANT };

/* Those that fit best; and all that others say of themselves, if they are not it. */
struct candidates {
	struct container **list;
	size_t nr, cap;
	enum rank rank;
	bool trusted;
	struct container **others;
	size_t nr_others, cap_others;
};

/* By its inode, of any that has it, or by its label. */
static bool is_namespace(const struct pidns *ns, const char *what)
{
	char *label = pidns_label(ns), *plain = xasprintf("pid-ns-%u", ns->inum);
	bool is = !strcmp(label, what) || !strcmp(plain, what) ||
		  !strcmp(plain + strlen("pid-ns-"), what);

	free(label);
	free(plain);
	return is;
}

static enum rank rank_of(const struct container *c, const char *what)
{
	if ((c->ns && is_namespace(c->ns, what)) || (c->cgroup && !strcmp(c->cgroup->path, what)))
		return BY_INODE;
	if (container_is_labelled(c, what))
		return BY_NAME;
	if ((c->name && !strcmp(c->name, what)) || (*c->id && !strcmp(c->id, what)))
		return BY_NAME;
	return *c->id && !strncmp(c->id, what, strlen(what)) ? BY_ID : NOT_MEANT;
}

static bool lived_at(const struct container *c, uint64_t at)
{
	uint64_t death = container_death(c);

	return !at || (container_birth(c) <= at && (!death || death > at));
}

/* Whether nobody but root could have made it be called like that. */
static bool is_trusted(const struct container *c)
{
	return c->teller != TELLER_USER && !container_is_claimed(c);
}

static void add_other(struct candidates *all, struct container *c)
{
	all->others = grow(all->others, all->nr_others, &all->cap_others, sizeof(*all->others));
	all->others[all->nr_others++] = c;
}

/*
 * Who can call himself as he likes must not take the place of one who cannot: not even by the
 * whole of a name of which that one has the beginning.
 */
static void consider(struct candidates *all, struct container *c, const char *what)
{
	enum rank rank = rank_of(c, what);
	bool trusted = is_trusted(c);
	size_t i;

	if (rank == NOT_MEANT)
		return;
	if (all->nr && all->trusted && !trusted) {
		add_other(all, c);
		return;
	}
	if (all->nr && trusted && !all->trusted) {
		for (i = 0; i < all->nr; i++)
			add_other(all, all->list[i]);
		all->nr = 0;
	} else if (all->nr && rank > all->rank) {
		return;
	} else if (all->nr && rank < all->rank) {
		all->nr = 0;
	}
	all->rank = rank;
	all->trusted = trusted;
	all->list = grow(all->list, all->nr, &all->cap, sizeof(*all->list));
	all->list[all->nr++] = c;
}

static bool overlap(const struct container *a, const struct container *b)
{
	uint64_t end_a = container_death(a), end_b = container_death(b);

	return (!end_b || container_birth(a) < end_b) && (!end_a || container_birth(b) < end_a);
}

static bool same_user(const struct container *a, const struct container *b)
{
	uint32_t user_a = 0, user_b = 0;

	return container_user(a, &user_a) == container_user(b, &user_b) && user_a == user_b;
}

/* Whether both are said to be it by the same: root, or a user, or the container around it. */
static bool same_maker(struct model *m, struct container *a, struct container *b)
{
	struct container *in_a = container_parent(m, a), *in_b = container_parent(m, b);

	if (is_trusted(a) && is_trusted(b))
		return true;
	if (!same_user(a, b) || is_trusted(a) != is_trusted(b))
		return false;
	return in_a == in_b || (in_a && in_b && *in_a->id && !strcmp(in_a->id, in_b->id));
}

static bool same_id(const struct container *a, const struct container *b)
{
	return *a->id && !strcmp(a->id, b->id) && !strcmp(a->runtime, b->runtime);
}

static int compare_births(const void *a, const void *b)
{
	uint64_t birth_a = container_birth(*(struct container *const *)a);
	uint64_t birth_b = container_birth(*(struct container *const *)b);

	return (birth_a > birth_b) - (birth_a < birth_b);
}

static bool ends_after(const struct container *a, const struct container *b)
{
	uint64_t end_a = container_death(a), end_b = container_death(b);

	return end_b && (!end_a || end_a > end_b);
}

/*
 * Whether two that are not the same were there at one time. The list is sorted by birth: then it is
 * enough to know who ends last of those before, and who does of those that are not the same as that
 * one.
 */
static bool any_overlap(struct container *const *list, size_t nr)
{
	const struct container *last = list[0], *other = NULL;
	size_t i;

	for (i = 1; i < nr; i++) {
		const struct container *c = list[i], *rival = same_id(last, c) ? other : last;

		if (rival && overlap(rival, c))
			return true;
		if (ends_after(c, last)) {
			other = rival;
			last = c;
		} else if (rival == last && (!other || ends_after(c, other))) {
			other = c;
		}
	}
	return false;
}

/* Whether all are one for their users: started again, or one after the other under one name. */
static bool is_ambiguous(struct model *m, const struct candidates *all)
{
	struct container **list;
	bool found;
	size_t i;

	/* Who has the maker, or the id, of the first one has that of all. */
	for (i = 1; i < all->nr; i++)
		if (!same_maker(m, all->list[0], all->list[i]) ||
		    (all->rank == BY_ID && !same_id(all->list[0], all->list[i])))
			return true;
	if (all->nr < 2)
		return false;
	list = xcalloc(all->nr, sizeof(*list));
	memcpy(list, all->list, all->nr * sizeof(*list));
	qsort(list, all->nr, sizeof(*list), compare_births);
	found = any_overlap(list, all->nr);
	free(list);
	return found;
}

static void put_candidate(FILE *f, const struct container *c)
{
	uint32_t user;

	fprintf(f, "%s:%s", *c->runtime ? c->runtime : "unknown", *c->id ? c->id : "");
	if (c->name)
		fprintf(f, "(%s)", c->name);
	if (c->ns)
		fprintf(f, "@%u", c->ns->inum);
	else if (c->cgroup)
		fprintf(f, "@%s", c->cgroup->path);
	if (container_user(c, &user))
		fprintf(f, "[user %lu]", (unsigned long)user);
	else if (container_is_claimed(c))
		fputs("[claimed]", f);
}

/* runtime:id(name)@inode, escaped. The caller frees it. */
static char *candidates_text(struct container *const *list, size_t nr)
{
	char *text = NULL, *safe;
	size_t size, i;
	FILE *f = text_stream(&text, &size);

	for (i = 0; i < nr; i++) {
		if (i)
			putc(',', f);
		put_candidate(f, list[i]);
	}
	fclose(f);
	safe = text_escape(text);
	free(text);
	return safe;
}

static int ambiguous(const struct candidates *all, const char *what)
{
	char *list = candidates_text(all->list, all->nr), *asked = text_escape(what);

	error("The container is ambiguous; give more of its id, or the inode of its PID"
	      " namespace. container=%s candidates=%s",
	      asked, list);
	free(list);
	free(asked);
	return -1;
}

static void note_others(const struct candidates *all, const char *what)
{
	char *list = candidates_text(all->others, all->nr_others), *asked = text_escape(what);

	note("Others are called like that by users or by containers themselves, and left out; the"
	     " inode of a PID namespace or the path of a cgroup means one of them. container=%s"
	     " others=%s",
	     asked, list);
	free(list);
	free(asked);
}

/* The host's PID namespace is the host, too. */
static bool is_host(const struct model *m, const char *what)
{
	const struct pidns *root = model_namespace(m, m->root_inum);

	return !strcmp(what, HOST_LABEL) || (root && !root->level && is_namespace(root, what));
}

/* All containers of the pod that is called so; whether there is one. */
static bool selection_pod(struct selection *p, struct model *m, const char *what, uint64_t at)
{
	bool has = false;
	size_t i;

	for (i = 0; i < m->nr_containers; i++) {
		struct container *c = m->containers[i];
		char *label = c->pod && !c->became ? pod_label(c->pod) : NULL;
		char *safe = label ? text_escape(label) : NULL;

		if (label && lived_at(c, at) && (!strcmp(label, what) || !strcmp(safe, what))) {
			hash_put(&p->set, (uintptr_t)c, c);
			has = true;
		}
		free(label);
		free(safe);
	}
	return has;
}

static int selection_among(struct selection *p, struct model *m, const char *what, uint64_t at)
{
	struct candidates all = {.rank = NOT_MEANT};
	int ret = 0;
	size_t i;

	if (is_host(m, what)) {
		hash_put(&p->hosts, (uintptr_t)m, m);
		return 0;
	}
	if (selection_pod(p, m, what, at))
		return 0;
	for (i = 0; i < m->nr_containers; i++)
		if (!m->containers[i]->became && lived_at(m->containers[i], at))
			consider(&all, m->containers[i], what);
	if (is_ambiguous(m, &all))
		ret = ambiguous(&all, what);
	else if (all.nr_others)
		note_others(&all, what);
	for (i = 0; i < all.nr; i++)
		hash_put(&p->set, (uintptr_t)all.list[i], all.list[i]);
	free(all.list);
	free(all.others);
	return ret;
}

/* What is behind the host's name, if that is in front, whole or as it is shown. */
static const char *behind_host(const struct host *h, const char *what)
{
	char *name = text_escape(h->trace->hostname);
	size_t len = strlen(name), shown = strlen(h->prefix);
	const char *rest = NULL;

	if (len && !strncmp(what, name, len) && what[len] == ':')
		rest = what + len + 1;
	else if (shown && !strncmp(what, h->prefix, shown))
		rest = what + shown;
	free(name);
	return rest && *rest ? rest : NULL;
}

/* Where several hosts are shown each label has its host's name in front. */
static int selection_of_host(struct selection *p, const struct host *h, const char *what,
			     uint64_t at)
{
	const char *rest = behind_host(h, what), *first = rest && *h->prefix ? rest : what;
	const char *then = first == what ? rest : what;
	size_t nr = p->set.nr + p->hosts.nr;

	if (selection_among(p, h->model, first, at))
		return -1;
	if (p->set.nr + p->hosts.nr > nr || !then)
		return 0;
	return selection_among(p, h->model, then, at);
}

int selection_find(struct selection *p, const struct loaded *l, const char *what, uint64_t at)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		if (selection_of_host(p, l->hosts[i], what, at))
			return -1;
	return p->set.nr || p->hosts.nr;
}

int selection_containers(struct selection *p, const struct loaded *l, const char *what, uint64_t at)
{
	int found = selection_find(p, l, what, at);
	char *safe;

	if (found)
		return found < 0 ? -1 : 0;
	safe = text_escape(what);
	error("There is no such container%s; 'lttng-containers tree' lists them by name and id."
	      " container=%s",
	      at ? " at that time" : " in the trace", safe);
	free(safe);
	return -1;
}

bool selection_has(const struct selection *p, struct container *c)
{
	c = container_is(c);
	return c && hash_get(&p->set, (uintptr_t)c);
}

bool selection_holds(const struct selection *p, struct model *m, struct container *c)
{
	int levels;

	c = container_is(c);
	if (!c)
		return selection_has_host(p, m);
	for (levels = 0; c && levels < CONTAINER_LEVELS_MAX; levels++, c = container_parent(m, c))
		if (selection_has(p, c))
			return true;
	return false;
}

bool selection_has_host(const struct selection *p, struct model *m)
{
	return hash_get(&p->hosts, (uintptr_t)m);
}

void selection_free(struct selection *p)
{
	hash_free(&p->hosts);
	hash_free(&p->set);
}
