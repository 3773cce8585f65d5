/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "label.h"

/* A container, and what it would be called if there were no other one. */
struct called {
	struct container *c;
	char *plain, *born; /* born: with its birth behind it */
};

struct labelling {
	struct called *list;
	size_t nr;
	struct hash taken; /* hash of a label -> anything */
};

char *container_label_plain(const struct container *c)
{
	char *title = container_title(c), *label;
	uint32_t user;

	if (container_user(c, &user))
		label = xasprintf("user-%lu:%s", (unsigned long)user, title);
	else if (container_is_claimed(c))
		label = xasprintf("claimed:%s", title);
	else
		return title;
	free(title);
	return label;
}

static char *with_birth(const char *label, uint64_t birth)
{
	char when[TIME_TEXT_MAX] = "start";

	if (birth) {
		time_of_day(when, birth);
		when[strlen("00:00:00.000")] = '\0';
	}
	return xasprintf("%s@%s", label, when);
}

static int by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* Alike ones next to each other, in an order that does not depend on what was asked of the model.
 */
static int by_label(const void *a, const void *b)
{
	const struct called *x = a, *y = b;
	const struct container *c = x->c, *d = y->c;
	int order = strcmp(x->plain, y->plain);

	if (!order)
		order = by_number(container_birth(c), container_birth(d));
	if (!order)
		order = by_number(c->ns ? c->ns->inum : 0, d->ns ? d->ns->inum : 0);
	if (!order)
		order = strcmp(c->cgroup ? c->cgroup->path : "", d->cgroup ? d->cgroup->path : "");
	if (!order)
		order = strcmp(c->id, d->id);
	return order ? order : by_number(c->serial, d->serial);
}

static bool is_free(const struct labelling *l, const char *label)
{
	return strcmp(label, HOST_LABEL) && !hash_get(&l->taken, hash_text(label, strlen(label)));
}

static void take(struct labelling *l, struct container *c, char *label)
{
	free(c->label);
	c->label = label;
	hash_put(&l->taken, hash_text(label, strlen(label)), c);
}

static bool looks_alike(const struct labelling *l, size_t i, size_t k)
{
	return k < l->nr && !strcmp(l->list[i].plain, l->list[k].plain);
}

static bool is_born_alike(const struct labelling *l, size_t i, size_t k)
{
	return looks_alike(l, i, k) && !strcmp(l->list[i].born, l->list[k].born);
}

/*
 * Who has a number keeps it, though others come and go: it must not be another's figures next. But
 * who was called otherwise meanwhile gets another one, for that may be somebody's by now.
 */
static void give_numbers(struct labelling *l, size_t from, size_t to)
{
	uint64_t key = hash_text(l->list[from].born, strlen(l->list[from].born));
	size_t i, most = 0;

	for (i = from; i < to; i++) {
		struct container *c = l->list[i].c;

		if (c->numbered_as != key)
			c->number = 0;
		c->numbered_as = key;
		if (c->number > most)
			most = c->number;
	}
	for (i = from; i < to && to - from > 1; i++)
		if (!l->list[i].c->number)
			l->list[i].c->number = ++most;
}

static void qualify(struct labelling *l, const struct called *this)
{
	size_t number = this->c->number;
	char *label = number ? xasprintf("%s#%zu", this->born, number) : xstrdup(this->born);

	/* Somebody may be called so. */
	while (!is_free(l, label)) {
		char *longer = xasprintf("%s#", label);

		free(label);
		label = longer;
	}
	take(l, this->c, label);
	this->c->is_born_told = true;
}

/* Whether it is called as others are, or was. */
static bool needs_born(const struct labelling *l, size_t i)
{
	return looks_alike(l, i, i + 1) || looks_alike(l, i, i - 1) || l->list[i].c->keeps_born ||
	       !strcmp(l->list[i].plain, HOST_LABEL);
}

static void give_labels(struct labelling *l)
{
	size_t i, next;

	for (i = 0; i < l->nr; i++) {
		l->list[i].c->is_born_told = false;
		if (!needs_born(l, i))
			take(l, l->list[i].c, xstrdup(l->list[i].plain));
	}
	for (i = 0; i < l->nr; i = next) {
		for (next = i + 1; is_born_alike(l, i, next); next++)
			;
		give_numbers(l, i, next);
	}
	for (i = 0; i < l->nr; i++)
		if (needs_born(l, i))
			qualify(l, &l->list[i]);
}

static void find_reused(struct model *m)
{
	struct hash seen = {0};
	size_t i;

	for (i = 0; i < m->nr_namespaces; i++) {
		struct pidns *ns = m->namespaces[i], *first = hash_get(&seen, ns->inum);

		ns->is_reused = first;
		if (first)
			first->is_reused = true;
		else
			hash_put(&seen, ns->inum, ns);
	}
	hash_free(&seen);
}

static size_t common_bytes(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static int by_text(const void *a, const void *b)
{
	const struct called *x = a, *y = b;

	return strcmp(x->born, y->born);
}

/* @with: the one before or after it in the order of the alphabet. */
static void differ(const struct called *this, const struct called *with)
{
	size_t bytes = common_bytes(this->born, with->born), columns;
	char *same = xasprintf("%.*s", (int)bytes, this->born);

	columns = text_width(same) + 1;
	free(same);
	if (columns > this->c->label_least)
		this->c->label_least = columns;
}

/* How much of each label must be shown for it to be nobody else's. */
static void tell_apart(struct labelling *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++) {
		free(l->list[i].born);
		l->list[i].born = container_label_safe(l->list[i].c);
		l->list[i].c->label_least = 1;
	}
	qsort(l->list, l->nr, sizeof(*l->list), by_text);
	for (i = 1; i < l->nr; i++) {
		differ(&l->list[i], &l->list[i - 1]);
		differ(&l->list[i - 1], &l->list[i]);
	}
}

/* Where a task is may follow from what another one tells. */
void containers_meet(struct model *m)
{
	unsigned int before;
	struct task *t;
	size_t i;

	do {
		before = m->container_gen;
		for (t = m->tasks; t; t = t->next)
			task_container(m, t);
		for (i = 0; i < m->nr_containers; i++)
			container_parent(m, m->containers[i]);
	} while (m->container_gen != before);
}

void containers_label(struct model *m)
{
	struct labelling l = {0};
	size_t i;

	containers_meet(m);
	l.list = xcalloc(m->nr_containers + 1, sizeof(*l.list));
	for (i = 0; i < m->nr_containers; i++) {
		struct container *c = m->containers[i];
		struct called *this = &l.list[l.nr];

		if (c->became)
			continue;
		this->c = c;
		this->plain = container_label_plain(c);
		this->born = with_birth(this->plain, container_birth(c));
		l.nr++;
	}
	qsort(l.list, l.nr, sizeof(*l.list), by_label);
	give_labels(&l);
	tell_apart(&l);
	find_reused(m);
	for (i = 0; i < l.nr; i++) {
		free(l.list[i].plain);
		free(l.list[i].born);
	}
	free(l.list);
	hash_free(&l.taken);
}

char *container_label(const struct container *c)
{
	while (c && c->became)
		c = c->became;
	if (!c)
		return xstrdup(HOST_LABEL);
	return c->label ? xstrdup(c->label) : container_label_plain(c);
}

char *container_label_born(const struct container *c)
{
	char *plain = container_label_plain(c), *label = with_birth(plain, container_birth(c));

	free(plain);
	return label;
}

char *container_label_safe(const struct container *c)
{
	char *label = container_label(c), *safe = text_escape(label), *marked;

	free(label);
	if (*safe != '(')
		return safe;
	marked = xasprintf("\\%s", safe);
	free(safe);
	return marked;
}

/* The bytes of the first @columns characters. */
static size_t bytes_of(const char *s, size_t columns)
{
	const char *at = s;

	for (; *at; at++)
		if (((unsigned char)*at & 0xc0) != 0x80 && columns-- == 0)
			break;
	return (size_t)(at - s);
}

char *container_label_fit(const struct container *c, size_t columns)
{
	char *safe = container_label_safe(c);
	size_t cut;

	while (c && c->became)
		c = c->became;
	if (text_width(safe) <= columns || (c && c->label_least >= columns))
		return safe;
	cut = bytes_of(safe, columns - 1);
	safe[cut] = '~';
	safe[cut + 1] = '\0';
	return safe;
}

bool container_is_labelled(const struct container *c, const char *text)
{
	char *label = container_label(c), *safe = container_label_safe(c);
	char *valid = text_valid(label);
	size_t len = strlen(text);
	bool is = !strcmp(label, text) || !strcmp(safe, text) || !strcmp(valid, text) ||
		  (len > 1 && text[len - 1] == '~' && !strncmp(safe, text, len - 1) &&
		   strlen(safe) > len);

	free(label);
	free(safe);
	free(valid);
	return is;
}

char *pod_label(const struct pod *p)
{
	return xasprintf("pod:%s%s%s%s%s", p->space ? p->space : "", p->space ? "/" : "",
			 p->name ? p->name : p->id, *p->maker ? "@" : "", p->maker);
}

char *pidns_label(const struct pidns *ns)
{
	char *plain = xasprintf("pid-ns-%u", ns->inum), *label;

	if (!ns->is_reused)
		return plain;
	label = with_birth(plain, ns->birth);
	free(plain);
	return label;
}
