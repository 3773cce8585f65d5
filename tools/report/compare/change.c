/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "analysis/welch.h"
#include "change.h"
#include "label/cause-label.h"
#include "base/text.h"
#include "base/util.h"

static const struct why *why_of(const struct side *s)
{
	return s->host->user;
}

static bool is_of_container(const struct cause *c)
{
	return (c->kind == WHY_CPU ? c->who.kind == BY_TASKS : !c->comm) && c->who.told &&
	       c->who.container;
}

/* The same in both recordings, where why_label() tells apart what is of one. */
static char *label_of_container(const struct container *c)
{
	char *plain = container_label_plain(c), *label;

	/* Or it would pass for what it is not. */
	if (*plain == '(' || !strcmp(plain, HOST_LABEL))
		label = container_label_safe(c);
	else
		label = text_escape(plain);
	free(plain);
	return label;
}

/* Which one of its kind a cause is; NULL: there is but one, or none that both recordings have. */
static char *label_which(const struct why *w, const struct cause *c, const struct why_account *a)
{
	char *who, *label;

	switch (c->kind) {
	case WHY_RAN:
	case WHY_INTERRUPTED:
	case WHY_NOT_WOKEN:
	/* The cgroup of a container that is started again has another name. */
	case WHY_THROTTLED:
		return NULL;
	case WHY_CPU:
	case WHY_OTHERS:
	case WHY_SIGNAL:
	case WHY_LOCK:
		if (!is_of_container(c) || why_is_itself(c, a))
			return why_label(w, c, a);
		who = label_of_container(c->who.container);
		label = xasprintf("%s%s", who, c->kind == WHY_CPU ? "" : why_how(c));
		free(who);
		return label;
	default:
		return why_label(w, c, a);
	}
}

static void row_init(struct change_row *r, enum why_kind kind, const char *which, size_t nr)
{
	size_t i;

	*r = (struct change_row){.kind = kind, .which = which ? xstrdup(which) : NULL};
	for (i = 0; i < SIDES; i++)
		r->ns[i] = xcalloc(nr, sizeof(*r->ns[i]));
}

static uint64_t text_key(const char *text, uint64_t kind)
{
	return hash_numbers(hash_text(text, strlen(text)), kind);
}

static struct change_row *find_row(const struct changes *c, struct change *change,
				   enum why_kind kind, const char *which)
{
	uint64_t key = text_key(which ? which : "", (uint64_t)kind * 2 + !which);
	struct change_row *r;
	uintptr_t place;

	for (; (place = (uintptr_t)hash_get(&change->by_text, key)); key = hash_numbers(key, 1)) {
		r = &change->rows[place - 1];
		if (r->kind == kind && !r->which == !which && (!which || !strcmp(r->which, which)))
			return r;
	}
	change->rows = grow(change->rows, change->nr_rows, &change->cap_rows, sizeof(*r));
	r = &change->rows[change->nr_rows++];
	row_init(r, kind, which, c->nr_windows);
	hash_put(&change->by_text, key, (void *)(uintptr_t)change->nr_rows);
	return r;
}

static char *label_account(const struct why_account *a)
{
	if (!a->told)
		return xstrdup("(unknown)");
	return a->container ? container_label_plain(a->container) : xstrdup(HOST_LABEL);
}

static bool is_of(const struct change *c, const struct why_account *a, const char *label)
{
	return c->known == a->told && c->is_host == (a->told && !a->container) &&
	       !strcmp(c->label, label);
}

static struct change *find_change(struct changes *c, const struct why_account *a)
{
	char *label = label_account(a);
	uint64_t key = text_key(label, a->told * 2u + !a->container);
	struct change *change;
	uintptr_t place;

	for (; (place = (uintptr_t)hash_get(&c->by_label, key)); key = hash_numbers(key, 1)) {
		change = &c->list[place - 1];
		if (is_of(change, a, label)) {
			free(label);
			return change;
		}
	}
	c->list = grow(c->list, c->nr, &c->cap, sizeof(*change));
	change = &c->list[c->nr++];
	*change = (struct change){
		.known = a->told, .is_host = a->told && !a->container, .label = label};
	row_init(&change->whole, WHY_NR, NULL, c->nr_windows);
	hash_put(&c->by_label, key, (void *)(uintptr_t)c->nr);
	return change;
}

static void add(const struct changes *c, struct change_row *r, size_t side,
		const struct cause_sum *s)
{
	size_t i;

	for (i = 0; s->windows && i < c->nr_windows; i++)
		time_add(&r->ns[side][i], s->windows[i]);
	time_add(&r->unsure[side], s->unsure);
}

static void take_account(struct changes *c, size_t side, const struct why_account *a)
{
	struct change *change = find_change(c, a);
	size_t i;

	for (i = 0; i < a->nr_sums; i++) {
		const struct cause_sum *s = a->sums[i];
		char *which = label_which(why_of(&c->sides[side]), s->cause, a);

		add(c, &change->whole, side, s);
		add(c, find_row(c, change, s->cause->kind, NULL), side, s);
		if (which)
			add(c, find_row(c, change, s->cause->kind, which), side, s);
		free(which);
	}
}

static bool is_wanted(const struct side *s, const struct why_account *a)
{
	return a->ns && (!s->is_selected ||
			 (a->told && selection_holds(&s->selection, s->host->model, a->container)));
}

static void take_side(struct changes *c, size_t side)
{
	const struct side *s = &c->sides[side];
	struct why_account *const *accounts;
	size_t nr, i;

	accounts = why_accounts(why_of(s), &nr);
	for (i = 0; i < nr; i++)
		if (is_wanted(s, accounts[i]))
			take_account(c, side, accounts[i]);
}

/* Only windows in which the container had threads count. @seconds: of these together. */
static struct sample sample(const struct changes *c, const struct change *change,
			    const struct change_row *r, size_t side, double *seconds)
{
	const struct why *w = why_of(&c->sides[side]);
	double *rates = xcalloc(c->nr_windows, sizeof(*rates));
	struct sample of;
	size_t i, nr = 0;

	*seconds = 0;
	for (i = 0; i < c->nr_windows; i++) {
		double length =
			(double)(why_window_begin(w, i + 1) - why_window_begin(w, i)) / NS_PER_SEC;

		if (!change->whole.ns[side][i])
			continue;
		rates[nr++] = (double)r->ns[side][i] / length;
		*seconds += length;
	}
	of = sample_of(rates, nr);
	free(rates);
	return of;
}

static double size_of(double change)
{
	return change < 0 ? -change : change;
}

static void judge_row(const struct changes *c, struct change *change, struct change_row *r)
{
	struct sample samples[SIDES];
	double seconds, half, unsure = 0;
	size_t i;

	for (i = 0; i < SIDES; i++) {
		samples[i] = sample(c, change, r, i, &seconds);
		r->rate[i] = samples[i].mean;
		change->nr_windows[i] = samples[i].nr;
		if (seconds > 0)
			unsure += (double)r->unsure[i] / seconds;
	}
	r->change = r->rate[AFTER] - r->rate[BEFORE];
	r->is_bounded = welch_interval(&samples[BEFORE], &samples[AFTER], CONFIDENCE, &half);
	if (!r->is_bounded)
		return;
	half += unsure;
	r->least = r->change - half;
	r->most = r->change + half;
	r->is_told = (r->least > 0 || r->most < 0) && size_of(r->change) >= CHANGE_MIN;
}

/* Once: a container is compared with all others, and may have a row of each of them. */
static void judge_change(const struct changes *c, struct change *change)
{
	size_t i;

	judge_row(c, change, &change->whole);
	for (i = 0; i < change->nr_rows; i++) {
		struct change_row *r = &change->rows[i];

		judge_row(c, change, r);
		if (r->is_told && size_of(r->change) > change->largest_told)
			change->largest_told = size_of(r->change);
	}
}

static double larger(const struct change_row *r)
{
	return r->rate[BEFORE] > r->rate[AFTER] ? r->rate[BEFORE] : r->rate[AFTER];
}

static int compare_rows(const void *a, const void *b)
{
	const struct change_row *x = a, *y = b;

	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	if (!x->which != !y->which)
		return x->which ? 1 : -1;
	if (larger(x) != larger(y))
		return larger(x) > larger(y) ? -1 : 1;
	return x->which ? strcmp(x->which, y->which) : 0;
}

/* Containers are asked about; the host has the most threads. */
static int rank(const struct change *c)
{
	if (!c->nr_windows[BEFORE] || !c->nr_windows[AFTER])
		return 3;
	return !c->known ? 2 : c->is_host;
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	if (x->largest_told != y->largest_told)
		return x->largest_told > y->largest_told ? -1 : 1;
	return strcmp(x->label, y->label);
}

void changes_find(struct changes *c, const struct side *sides)
{
	size_t i;

	*c = (struct changes){.sides = sides, .nr_windows = sides[BEFORE].nr_windows};
	for (i = 0; i < SIDES; i++)
		take_side(c, i);
	for (i = 0; i < c->nr; i++) {
		struct change *change = &c->list[i];

		judge_change(c, change);
		if (change->nr_rows)
			qsort(change->rows, change->nr_rows, sizeof(*change->rows), compare_rows);
	}
	if (c->nr)
		qsort(c->list, c->nr, sizeof(*c->list), compare_changes);
}

static void row_free(struct change_row *r)
{
	size_t i;

	free(r->which);
	for (i = 0; i < SIDES; i++)
		free(r->ns[i]);
}

void changes_free(struct changes *c)
{
	size_t i, k;

	for (i = 0; i < c->nr; i++) {
		for (k = 0; k < c->list[i].nr_rows; k++)
			row_free(&c->list[i].rows[k]);
		row_free(&c->list[i].whole);
		hash_free(&c->list[i].by_text);
		free(c->list[i].rows);
		free(c->list[i].label);
	}
	hash_free(&c->by_label);
	free(c->list);
}
