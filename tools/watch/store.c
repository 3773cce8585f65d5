/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"
#include "store.h"

/* Digits are 0 here. */
#define SHAPE	      "00000000T000000.000Z-"
#define CONTAINER_MAX 100
#define DATE_MAX      32
/* As known.c has labels, and put_safe() writes them: user-UID:NAME, claimed:ID, pid-ns-INODE. */
#define TELLER_END    "%3A"
#define NAMESPACE     "pid-ns-"

/* Bytes of @text as they may stand in a file's name. */
static void put_safe(char *to, size_t size, const char *text)
{
	char *end = to + size;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		bool plain = c < 0x80 && (isalnum(c) || strchr("._-", c));

		if (end - to <= (plain ? 1 : 3))
			break;
		to += sprintf(to, plain ? "%c" : "%%%02X", c);
	}
	*to = '\0';
}

static void put_date(char date[DATE_MAX], time_t seconds)
{
	struct tm tm = {0};

	gmtime_r(&seconds, &tm);
	strftime(date, DATE_MAX, "%Y%m%dT%H%M%S", &tm);
}

void store_name(char name[STORE_NAME_MAX], uint64_t ns, const char *condition,
		const char *container)
{
	char safe[CONTAINER_MAX], date[DATE_MAX];

	put_safe(safe, sizeof(safe), container);
	put_date(date, (time_t)(ns / NS_PER_SEC));
	snprintf(name, STORE_NAME_MAX, "%s.%03uZ-%.20s-%s", date,
		 (unsigned int)(ns % NS_PER_SEC / 1000000), condition, safe);
}

bool store_is_name(const char *name)
{
	const char *shape = SHAPE;

	for (; *shape; shape++, name++)
		if (*shape == '0' ? !isdigit((unsigned char)*name) : *name != *shape)
			return false;
	return strchr(name, '-');
}

struct kept {
	char *name;
	uint64_t bytes;
	size_t whose;	 /* the first one of that container */
	size_t nr_of_it; /* of the first one: how many there are */
	bool is_ahead;	 /* of a time that is yet to come: the clock went back since */
	bool gone, stuck;
};

struct all {
	struct kept *list;
	size_t nr, cap;
	uint64_t bytes;
	char end[DATE_MAX]; /* the second after this one */
};

/* By their times; but what is ahead of the time was written before, and is not the newest. */
static int compare(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	return x->is_ahead != y->is_ahead ? y->is_ahead - x->is_ahead : strcmp(x->name, y->name);
}

static void keep_in_mind(struct all *all, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | TREE_DIR_FLAGS);
	struct kept *k;

	if (fd < 0)
		return;
	all->list = grow(all->list, all->nr, &all->cap, sizeof(*all->list));
	k = &all->list[all->nr++];
	*k = (struct kept){.name = xstrdup(name),
			   .bytes = tree_bytes(fd),
			   .is_ahead = strcmp(name, all->end) > 0};
	all->bytes += k->bytes;
	close(fd);
}

static void look(struct all *all, int dir)
{
	DIR *d = tree_list(dir);
	struct dirent *e;

	put_date(all->end, time(NULL) + 1);
	while (d && (e = tree_next(d)))
		if (store_is_name(e->d_name))
			keep_in_mind(all, dir, e->d_name);
	if (d)
		closedir(d);
	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), compare);
}

/*
 * Whose a snapshot is, by its name: containers of one user are one, so are those of which nobody
 * has told, and namespaces that no container has, for whoever makes them may make many. Returns the
 * length.
 */
static size_t whose(const char *name, const char **from)
{
	const char *dash = strchr(name + strlen(SHAPE), '-'), *end;

	*from = dash ? dash + 1 : name;
	end = strstr(*from, TELLER_END);
	if (end)
		return (size_t)(end - *from) + strlen(TELLER_END);
	return strncmp(*from, NAMESPACE, strlen(NAMESPACE)) ? strlen(*from) : strlen(NAMESPACE);
}

static bool is_of_one(const struct kept *a, const struct kept *b)
{
	const char *of_a, *of_b;
	size_t len = whose(a->name, &of_a);

	return len == whose(b->name, &of_b) && !strncmp(of_a, of_b, len);
}

static void count(struct all *all)
{
	size_t i, k;

	for (i = 0; i < all->nr; i++) {
		for (k = 0; k < i; k++)
			if (all->list[k].whose == k && is_of_one(&all->list[k], &all->list[i]))
				break;
		all->list[i].whose = k;
		all->list[k].nr_of_it++;
	}
}

/*
 * The oldest of the container that has most; the newest of all stays. So one that is late all the
 * time pushes out its own.
 */
static struct kept *next_to_go(struct all *all)
{
	struct kept *best = NULL, *k;
	size_t i, nr, most = 0;

	for (i = 0; i + 1 < all->nr; i++) {
		k = &all->list[i];
		nr = all->list[k->whose].nr_of_it;
		if (k->gone || k->stuck || nr <= most)
			continue;
		most = nr;
		best = k;
	}
	return best;
}

static bool has_gone(int dir, struct kept *k)
{
	int why = tree_remove(dir, k->name);

	k->gone = !why;
	k->stuck = why;
	if (why)
		note("An old snapshot cannot be deleted. reason=\"%s\" snapshot=%s", strerror(why),
		     k->name);
	return k->gone;
}

size_t store_tidy(int dir, uint64_t keep, uint64_t max_bytes)
{
	struct all all = {0};
	size_t removed = 0, i;
	struct kept *k;

	look(&all, dir);
	count(&all);
	while (((keep && all.nr - removed > keep) || (max_bytes && all.bytes > max_bytes)) &&
	       (k = next_to_go(&all))) {
		if (!has_gone(dir, k))
			continue;
		all.list[k->whose].nr_of_it--;
		all.bytes -= k->bytes;
		removed++;
	}
	for (i = 0; i < all.nr; i++)
		free(all.list[i].name);
	free(all.list);
	return removed;
}
