// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * What a state dump has told already. A host may have tens of thousands of cgroups and
 * processes, and each thread is looked up, so the table grows with its entries.
 */
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <wrapper/compiler.h>

#include <instrumentation/statedump-known.h>

/* A page of buckets where pointers have 8 bytes. */
#define FIRST_BITS 9

static struct hlist_head *bucket_of(const struct lttng_known_set *set, u64 key)
{
	return &set->buckets[hash_64(key, set->bits)];
}

int lttng_known_init(struct lttng_known_set *set)
{
	set->nr = 0;
	set->bits = FIRST_BITS;
	/* All zeroes is an empty list. */
	set->buckets = vzalloc(sizeof(*set->buckets) << set->bits);
	return set->buckets ? 0 : -ENOMEM;
}

/* Twice as many buckets. Without memory for them it goes on with longer lists. */
static void grow(struct lttng_known_set *set)
{
	struct lttng_known_set wide = { .bits = set->bits + 1, .nr = set->nr };
	struct hlist_node *node, *next;
	unsigned int i;

	wide.buckets = vzalloc(sizeof(*wide.buckets) << wide.bits);
	if (!wide.buckets)
		return;
	for (i = 0; i < 1U << set->bits; i++)
		hlist_for_each_safe(node, next, &set->buckets[i])
			hlist_add_head(node, bucket_of(&wide, hlist_entry(node, struct lttng_known,
									  node)->key));
	vfree(set->buckets);
	*set = wide;
}

void lttng_known_free(struct lttng_known_set *set)
{
	struct hlist_node *node, *next;
	unsigned int i;

	if (!set->buckets)
		return;
	for (i = 0; i < 1U << set->bits; i++)
		hlist_for_each_safe(node, next, &set->buckets[i]) {
			struct lttng_known *known = hlist_entry(node, struct lttng_known, node);

			put_pid(known->owner);
			kfree(known);
		}
	vfree(set->buckets);
	set->buckets = NULL;
}

struct lttng_known *lttng_known_find(const struct lttng_known_set *set, u64 key, int kind)
{
	struct hlist_node *node;

	hlist_for_each(node, bucket_of(set, key)) {
		struct lttng_known *known = hlist_entry(node, struct lttng_known, node);

		if (known->key == key && known->kind == kind)
			return known;
	}
	return NULL;
}

struct lttng_known *lttng_known_add(struct lttng_known_set *set, u64 key, int kind,
				    struct pid *owner)
{
	struct lttng_known *known = kmalloc(sizeof(*known), GFP_KERNEL);

	if (!known)
		return NULL;
	if (set->nr >= 1U << set->bits)
		grow(set);
	known->key = key;
	known->kind = kind;
	known->owner = get_pid(owner);
	known->nr_files = 0;
	known->next_fd = 0;
	hlist_add_head(&known->node, bucket_of(set, key));
	set->nr++;
	return known;
}

struct lttng_known *lttng_known_want_files(struct lttng_known_set *set,
					   const struct files_struct *files, struct pid *pid)
{
	struct task_struct *owner;
	struct lttng_known *known;
	bool is_told;

	if (!files)
		return NULL;
	known = lttng_known_find(set, (unsigned long)files, 0);
	if (!known) {
		known = lttng_known_add(set, (unsigned long)files, 0, pid);
		return known ? known : ERR_PTR(-ENOMEM);
	}
	rcu_read_lock();
	owner = pid_task(known->owner, PIDTYPE_PID);
	is_told = owner && READ_ONCE(owner->files) == files;
	rcu_read_unlock();
	if (is_told)
		return NULL;
	put_pid(known->owner);
	known->owner = get_pid(pid);
	if (known->nr_files < LTTNG_KNOWN_FILES_AGAIN)
		known->next_fd = 0;
	return known;
}
