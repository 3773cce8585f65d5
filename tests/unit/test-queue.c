/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/queue.h"
#include "base/util.h"
#include "tap.h"

/* Each stay also keeps what it has to be, from looking at each stretch. */

#define FEW   6
#define MANY  700
#define USERS 4096

struct user {
	struct stay *stay;
	int tid;
	uint64_t begin, end, told; /* told: what was not counted, as it was told before */
	uint64_t ns[MANY], unsure[MANY];
	bool taints, is_in, is_settled;
};

static struct user users[USERS];
static size_t nr_users;
static unsigned int nr_who;
static unsigned int wrong, nr_crowded;
static uint64_t state, all_told;
/* Every other one is within one of these, which are culprits, too. */
#define AROUND 8
static bool is_nested;

/* 0: it is within none. */
static unsigned int around(unsigned int who)
{
	return is_nested && who >= AROUND && who % 2 ? who % AROUND : 0;
}

static unsigned int random_below(unsigned int n)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned int)(state >> 33) % n;
}

/* What is left of a user's stay is of others, none of whom had much of the CPU. */
static void judge_others(const struct user *u, const struct share *others, struct share within)
{
	uint64_t ns = 0, unsure = 0;
	unsigned int i;

	for (i = 0; i < nr_who; i++) {
		ns += u->ns[i];
		unsure += u->unsure[i];
		wrong += u->ns[i] > 2 * all_told / CULPRITS_MAX;
	}
	wrong += ns != within.ns + (others ? others->ns : 0);
	wrong += others && others->unsure > unsure;
	wrong += others && !is_nested && others->unsure != unsure;
}

/* Of those within @who who have no share. */
static uint64_t untold_within(const struct user *u, unsigned int who, const bool *has_share)
{
	uint64_t ns = 0;
	unsigned int i;

	for (i = 0; i < nr_who; i++)
		if (who && around(i) == who && !has_share[i])
			ns += u->ns[i];
	return ns;
}

/* Returns what it has of those within it. */
static uint64_t judge_share(struct user *u, const struct share *share, unsigned int who,
			    uint64_t within)
{
	/* One whose own time is with the others' may have a share all the same, which is all
	 * unsure. */
	bool has_own = share->ns >= u->ns[who] &&
		       (share->unsure != share->ns || share->ns - u->ns[who] == within ||
			(u->ns[who] == u->unsure[who] && share->ns != within));
	uint64_t rest = share->ns - (has_own ? u->ns[who] : 0);

	wrong += rest != within || share->unsure != rest + (has_own ? u->unsure[who] : 0);
	if (has_own)
		u->ns[who] = u->unsure[who] = 0;
	return rest;
}

static void settled(void *ctx, void *arg, const struct share *shares, size_t nr, bool is_unsure)
{
	bool has_others = nr && shares[nr - 1].who.kind == BY_OTHERS, has_share[MANY] = {false};
	struct user *u = arg;
	struct share within = {0};
	uint64_t had[MANY];
	size_t i;

	(void)ctx;
	wrong += u->is_settled || is_unsure != u->taints;
	nr -= has_others;
	if (is_nested)
		wrong += nr > CULPRITS_MAX + AROUND;
	else
		wrong += has_others ? nr != CULPRITS_MAX : nr > CULPRITS_MAX;
	nr_crowded += has_others;
	for (i = 0; i < nr; i++)
		has_share[(uintptr_t)shares[i].who.container / 16] = true;
	for (i = 0; i < nr_who; i++)
		had[i] = untold_within(u, (unsigned int)i, has_share);
	for (i = 0; i < nr; i++) {
		unsigned int who = (unsigned int)(uintptr_t)shares[i].who.container / 16;

		within.ns += judge_share(u, &shares[i], who, had[who]);
		wrong += i && shares[i - 1].first > shares[i].first;
	}
	judge_others(u, has_others ? &shares[nr] : NULL, within);
	u->is_settled = true;
}

static struct container *told_around(void *ctx, const struct culprit *who)
{
	(void)ctx;
	return (struct container *)(uintptr_t)(16 * around((unsigned int)(uintptr_t)who->container /
							   16));
}

static void dropped(void *arg)
{
	((struct user *)arg)->is_settled = true;
}

static void count(const struct stretch *r, unsigned int who)
{
	size_t i;

	for (i = 0; i < nr_users; i++) {
		struct user *u = &users[i];
		uint64_t begin = u->begin > r->begin ? u->begin : r->begin;
		uint64_t end = u->end < r->end ? u->end : r->end;

		begin = begin > u->told ? begin : u->told;
		if (u->is_settled || begin >= end || (r->tid && r->tid == u->tid))
			continue;
		u->ns[who] += end - begin;
		u->unsure[who] += r->unsure ? end - begin : 0;
		u->taints |= r->taints;
	}
}

static void enter(struct queue *q, uint64_t now, uint64_t told)
{
	struct user *u = &users[nr_users++];

	*u = (struct user){.tid = 1 + (int)random_below(5),
			   .begin = now,
			   .end = UINT64_MAX,
			   .told = told,
			   .is_in = true};
	u->stay = queue_enter(q, u, u->tid, now);
}

static void leave(struct queue *q, struct user *u, uint64_t now, uint64_t told)
{
	if (!u->is_in)
		return;
	u->is_in = false;
	u->end = now;
	queue_leave(q, u->stay, now, told == now && random_below(2));
}

/* The CPU's time up to @now, which comes late. */
static uint64_t tell(struct queue *q, uint64_t told, uint64_t now, uint64_t from, uint64_t to)
{
	while (told < now) {
		/* One of many is as busy as all others, for a while. */
		unsigned int busy = (unsigned int)(told >> 15) % nr_who;
		unsigned int who = nr_who == FEW || random_below(2) ? random_below(nr_who) : busy;
		struct stretch r = {.begin = told + random_below(3),
				    .tid = (int)random_below(6),
				    .unsure = !random_below(5),
				    .taints = !random_below(20)};

		r.who = (struct culprit){BY_TASKS, true, (struct container *)(uintptr_t)(16 * who)};
		r.until = r.end = r.begin + 1 + random_below(40);
		r.begin = r.begin > from ? r.begin : from;
		r.end = r.end < to ? r.end : to;
		told = r.until;
		count(&r, who);
		all_told += r.end > r.begin ? r.end - r.begin : 0;
		queue_run(q, &r);
	}
	return told;
}

static void play(unsigned int seed)
{
	struct queue *q = queue_new(settled, told_around, NULL);
	uint64_t now = 0, told = 0, from, to;
	unsigned int steps = 1500, late;

	state = seed;
	nr_users = 0;
	all_told = 0;
	from = random_below(2) ? random_below(700 * nr_who) : 0;
	to = random_below(2) ? from + random_below(1500 * nr_who) : UINT64_MAX;
	late = 1 + random_below(12);
	while (steps-- && nr_users < USERS) {
		now += random_below(2 * nr_who);
		now = now > told ? now : told;
		if (random_below(2))
			enter(q, now, told);
		/* Those of many are in each other's way for long. */
		if (nr_users && !random_below(nr_who == FEW ? 2 : 10))
			leave(q, &users[nr_users - 1 - random_below(nr_users < 20 ? nr_users : 20)],
			      now, told);
		if (!random_below(late))
			told = tell(q, told, now, from, to);
	}
	if (random_below(2))
		queue_settle(q);
	queue_free(q, dropped);
	for (steps = 0; steps < nr_users; steps++)
		wrong += !users[steps].is_settled;
}

static void play_all(unsigned int nr_seeds)
{
	unsigned int seed;

	for (seed = 0; seed < nr_seeds; seed++) {
		wrong = 0;
		play(seed);
		if (wrong)
			fprintf(stderr, "# seed=%u\n", seed);
		expect_int(wrong, 0);
	}
}

static void a_stay_has_what_was_told_of_it(void)
{
	nr_who = FEW;
	nr_crowded = 0;
	play_all(200);
	expect_int(nr_crowded, 0);
}

static void of_many_those_are_told_who_had_most(void)
{
	nr_who = MANY;
	nr_crowded = 0;
	play_all(6);
	expect_int(nr_crowded > 100, 1);
}

static void what_is_within_one_is_told_as_his(void)
{
	nr_who = MANY;
	nr_crowded = 0;
	is_nested = true;
	play_all(6);
	is_nested = false;
	expect_int(nr_crowded > 100, 1);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"a stay has what was told of it, whoever else waits",
		 a_stay_has_what_was_told_of_it},
		{"of many culprits the worst are told, and of others the sum",
		 of_many_those_are_told_who_had_most},
		{"of many within one container the sum is that one's",
		 what_is_within_one_is_told_as_his},
		{0},
	};

	return tap_run(tests);
}
