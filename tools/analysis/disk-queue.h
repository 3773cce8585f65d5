/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_DISK_QUEUE_H
#define LC_DISK_QUEUE_H

#include "service-history.h"
#include "model/event.h"

/*
 * Which requests the kernel has queued for a disk, and which the disk has got: block_rq_insert and
 * block_rq_issue tell of them, block_rq_complete of their end. What a disk does with several at a
 * time is its own affair. Whether it serves one after the other or all at once, no event tells; so
 * what is said of it is whose the oldest is that it has.
 */
struct disk_queue;

/* One that has ended. */
struct disk_request {
	struct disk_queue *disk; /* NULL: it was not told of before */
	uint64_t inserted, issued;
	uint64_t first; /* from then on the disk had no older one; UINT64_MAX: it always had */
	const struct cause *who; /* whose it is */
};

struct disk_queues {
	struct hash by_dev;
	size_t nr;
};

/*
 * block_rq_charge, which comes right before a request is queued or issued.
 * @whose: the request is made on its behalf, whoever asks for it; NULL: on that of who asks
 */
void disk_queues_charge(struct disk_queues *q, const struct ev_charge *charge,
			const struct cause *whose);
/* Of all but its end; @who: a cause whose who and comm tell who asked, @nobody: the same of none.
 */
void disk_queues_event(struct disk_queues *q, const struct event *ev, const struct cause *who,
		       const struct cause *nobody);
/* block_rq_complete. */
struct disk_request disk_queues_done(struct disk_queues *q, const struct event *ev,
				     const struct cause *nobody);
/* What was told of before may not be so any more. */
void disk_queues_loss(struct disk_queues *q);
/* Whose the oldest request was that the disk had, up to now. */
const struct service_history *disk_queue_history(struct disk_queue *d, uint64_t now,
						 const struct cause *nobody);
void disk_queues_free(struct disk_queues *q);

#endif
