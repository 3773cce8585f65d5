/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "disk-queue.h"
#include "base/util.h"

/* More than a disk has; of more, the oldest have ended without a word. */
#define REQUESTS_MAX 4096
/* More disks than a host has; of others nothing is said. */
#define DISKS_MAX    4096

struct request {
	uint64_t sector, nr; /* in sectors of 512 bytes */
	uint64_t inserted, issued, first;
	const struct cause *who;
};

/* The oldest is the first, behind those that are gone. */
struct requests {
	struct request *all, *list;
	size_t nr, cap;
};

struct disk_queue {
	/* charged: those that are made next, and whose the kernel says that they are */
	struct requests charged, queued, had;
	struct service_history history;
	uint64_t since; /* up to then the history has all; 0: nothing is known */
};

static struct disk_queue *queue_of(struct disk_queues *q, int64_t dev)
{
	struct disk_queue *d = hash_get(&q->by_dev, (uint64_t)dev);

	if (!d && q->nr < DISKS_MAX) {
		q->nr++;
		d = xcalloc(1, sizeof(*d));
		hash_put(&q->by_dev, (uint64_t)dev, d);
	}
	return d;
}

static struct request take(struct requests *r, size_t i)
{
	const struct request taken = r->list[i];

	r->nr--;
	if (i <= r->nr / 2) {
		memmove(r->list + 1, r->list, i * sizeof(*r->list));
		r->list++;
	} else {
		memmove(r->list + i, r->list + i + 1, (r->nr - i) * sizeof(*r->list));
	}
	return taken;
}

static void put(struct requests *r, const struct request *new)
{
	size_t gone;

	if (r->nr == REQUESTS_MAX)
		take(r, 0);
	gone = r->all ? (size_t)(r->list - r->all) : 0;
	if (gone > r->nr) {
		memmove(r->all, r->list, r->nr * sizeof(*r->list));
		gone = 0;
	}
	r->all = grow(r->all, gone + r->nr, &r->cap, sizeof(*r->list));
	r->list = r->all + gone;
	r->list[r->nr++] = *new;
}

/* The oldest from that sector on; nr: there is none. */
static size_t find(const struct requests *r, uint64_t sector)
{
	size_t i;

	for (i = 0; i < r->nr && r->list[i].sector != sector; i++)
		;
	return i;
}

void disk_queues_charge(struct disk_queues *q, const struct ev_charge *charge,
			const struct cause *whose)
{
	struct disk_queue *d;

	if (charge->dev == ABSENT || charge->sector == ABSENT)
		return;
	d = queue_of(q, charge->dev);
	if (d)
		put(&d->charged,
		    &(struct request){.sector = (uint64_t)charge->sector, .who = whose});
}

/* Those that were merged with others are never asked for: the last of a sector counts. */
static const struct cause *take_charged(struct disk_queue *d, uint64_t sector)
{
	size_t i = d->charged.nr;

	while (i--)
		if (d->charged.list[i].sector == sector)
			return take(&d->charged, i).who;
	return NULL;
}

/* Before what the disk has changes. */
static void tell_history(struct disk_queue *d, uint64_t now, const struct cause *nobody)
{
	if (d->since && now > d->since)
		service_history_add(&d->history,
				    &(struct piece){
					    .begin = d->since,
					    .end = now,
					    .cause = d->had.nr ? d->had.list[0].who : nobody,
				    });
	d->since = now > d->since ? now : d->since;
}

static void find_first(struct disk_queue *d, uint64_t now)
{
	if (d->had.nr && !d->had.list[0].first)
		d->had.list[0].first = now;
}

/*
 * Those that were queued and have become it: the one that begins where it does, and what the
 * scheduler has merged with it. It was asked for when the oldest was.
 */
static void take_queued(struct disk_queue *d, struct request *r)
{
	bool is_there = false;
	size_t i = 0;

	while (i < d->queued.nr) {
		const struct request *old = &d->queued.list[i];

		if (old->sector < r->sector || old->sector >= r->sector + (r->nr ? r->nr : 1) ||
		    /* Several may ask for the same. */
		    (is_there && old->sector == r->sector)) {
			i++;
			continue;
		}
		if (!is_there) {
			r->inserted = old->inserted;
			r->who = old->who;
			is_there = true;
		}
		take(&d->queued, i);
	}
}

static void on_issue(struct disk_queue *d, struct request *r, uint64_t now,
		     const struct cause *nobody)
{
	take_queued(d, r);
	r->issued = now;
	tell_history(d, now, nobody);
	put(&d->had, r);
	find_first(d, now);
}

/* The disk did not want it. */
static void on_requeue(struct disk_queue *d, uint64_t sector, uint64_t now,
		       const struct cause *nobody)
{
	size_t i = find(&d->had, sector);
	struct request r;

	if (i == d->had.nr)
		return;
	tell_history(d, now, nobody);
	r = take(&d->had, i);
	r.first = r.issued = 0;
	put(&d->queued, &r);
	find_first(d, now);
}

void disk_queues_event(struct disk_queues *q, const struct event *ev, const struct cause *who,
		       const struct cause *nobody)
{
	struct request r = {
		.sector = (uint64_t)ev->block.sector,
		.nr = ev->block.nr_sector > 0 ? (uint64_t)ev->block.nr_sector : 0,
		.inserted = ev->ns,
		.who = who,
	};
	const struct cause *charged;
	struct disk_queue *d;

	if (ev->block.dev == ABSENT || ev->block.sector == ABSENT)
		return;
	d = queue_of(q, ev->block.dev);
	if (!d)
		return;
	charged = ev->kind == EV_BLOCK_RQ_REQUEUE ? NULL : take_charged(d, r.sector);
	if (charged)
		r.who = charged;
	if (ev->kind == EV_BLOCK_RQ_INSERT)
		put(&d->queued, &r);
	else if (ev->kind == EV_BLOCK_RQ_ISSUE)
		on_issue(d, &r, ev->ns, nobody);
	else
		on_requeue(d, r.sector, ev->ns, nobody);
}

struct disk_request disk_queues_done(struct disk_queues *q, const struct event *ev,
				     const struct cause *nobody)
{
	uint64_t nr = ev->block.nr_sector > 0 ? (uint64_t)ev->block.nr_sector : 0;
	struct disk_queue *d = hash_get(&q->by_dev, (uint64_t)ev->block.dev);
	size_t i = d ? find(&d->had, (uint64_t)ev->block.sector) : 0;
	struct disk_request done = {0};
	struct request *r;

	if (!d || i == d->had.nr)
		return done;
	r = &d->had.list[i];
	done = (struct disk_request){d, r->inserted, r->issued, r->first ? r->first : UINT64_MAX,
				     r->who};
	if (nr && nr < r->nr) {
		/* The rest of it comes later. */
		r->sector += nr;
		r->nr -= nr;
		return done;
	}
	tell_history(d, ev->ns, nobody);
	take(&d->had, i);
	find_first(d, ev->ns);
	return done;
}

void disk_queues_loss(struct disk_queues *q)
{
	struct disk_queue *d;
	size_t pos = 0;

	while ((d = hash_next(&q->by_dev, &pos)))
		d->charged.nr = d->queued.nr = d->had.nr = d->since = 0;
}

const struct service_history *disk_queue_history(struct disk_queue *d, uint64_t now,
						 const struct cause *nobody)
{
	if (d->since)
		tell_history(d, now, nobody);
	return &d->history;
}

void disk_queues_free(struct disk_queues *q)
{
	struct disk_queue *d;
	size_t pos = 0;

	while ((d = hash_next(&q->by_dev, &pos))) {
		service_history_free(&d->history);
		free(d->charged.all);
		free(d->queued.all);
		free(d->had.all);
		free(d);
	}
	hash_free(&q->by_dev);
}
