/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cause-label.h"
#include "model/label.h"
#include "base/text.h"
#include "base/util.h"

#define WHO_WIDTH 24

static const char *const kind_titles[WHY_NR] = {
	[WHY_RAN] = "ran",
	[WHY_INTERRUPTED] = "interrupted",
	[WHY_CPU] = "waited for a CPU",
	[WHY_THROTTLED] = "throttled by a quota",
	[WHY_OTHERS] = "waited for others",
	[WHY_SIGNAL] = "signals, ends of children",
	[WHY_DISK] = "disk",
	[WHY_MEMORY] = "memory",
	[WHY_LOCK] = "locks",
	[WHY_NETWORK] = "network",
	[WHY_SLEPT] = "slept by its own choice",
	[WHY_NOT_WOKEN] = "asleep at the end",
	[WHY_UNKNOWN] = "unknown",
};

static const char *const reason_titles[UNKNOWN_NR] = {
	[UNKNOWN_LOST] = "events were lost",
	[UNKNOWN_BEFORE] = "before the first event of it",
	[UNKNOWN_WAKER] = "nothing tells what woke it",
	[UNKNOWN_INTERRUPT] = "an interrupt, of no known purpose",
	[UNKNOWN_HISTORY] = "longer ago than is kept",
	[UNKNOWN_CHAIN] = "the chain of waits is too long",
	[UNKNOWN_CYCLE] = "the trace contradicts itself",
};

static const char *const io_titles[] = {"reads", "writes", "flushes and others"};
static const char *const memory_titles[] = {"direct reclaim", "major faults",
					    "too many dirty pages"};

static const char *const kind_names[WHY_NR] = {
	[WHY_RAN] = "ran",	   [WHY_INTERRUPTED] = "interrupted",
	[WHY_CPU] = "cpu",	   [WHY_THROTTLED] = "throttled",
	[WHY_OTHERS] = "others",   [WHY_SIGNAL] = "signals",
	[WHY_DISK] = "disk",	   [WHY_MEMORY] = "memory",
	[WHY_LOCK] = "locks",	   [WHY_NETWORK] = "network",
	[WHY_SLEPT] = "slept",	   [WHY_NOT_WOKEN] = "not_woken",
	[WHY_UNKNOWN] = "unknown",
};

char *why_place_label(bool told, const struct container *c, size_t columns)
{
	return told ? container_label_fit(c, columns) : xstrdup("(unknown)");
}

bool why_is_itself(const struct cause *c, const struct why_account *a)
{
	return c->who.told && a->told && c->who.container == a->container && a->container;
}

char *why_who_label(const struct cause *c, const struct why_account *a)
{
	char *comm, *label;

	if (why_is_itself(c, a))
		return xstrdup("(itself)");
	if (!c->comm)
		return why_place_label(c->who.told, c->who.container, WHO_WIDTH);
	comm = text_escape(c->comm);
	label = *comm ? xasprintf("host %s", comm)
		      : xstrdup(c->comm == cause_kernel ? "host, the kernel"
							: "host, without name");
	free(comm);
	return label;
}

static char *label_culprit(const struct cause *c, const struct why_account *a)
{
	switch (c->who.kind) {
	case BY_IDLE:
		return xstrdup("(idle CPU)");
	case BY_INTERRUPTS:
		return xstrdup("(interrupts)");
	case BY_UNKNOWN:
		return xstrdup("(unknown)");
	case BY_OTHERS:
		return xstrdup("(others)");
	default:
		return why_who_label(c, a);
	}
}

static char *label_disk(const struct why *w, const struct cause *c)
{
	const char *name = why_device(w, c->dev);
	char *safe, *label;

	if (!name && c->dev != ABSENT && c->dev)
		return xasprintf("%" PRId64 ":%" PRId64 " %s", c->dev >> 20, c->dev & 0xfffff,
				 io_titles[c->detail]);
	safe = text_escape(name ? name : "a disk");
	label = xasprintf("%s %s", safe, io_titles[c->detail]);
	free(safe);
	return label;
}

/* What tells a cgroup apart is at the end of its path; JSON has all of it. */
static char *label_quota(const struct why *w, const struct cause *c)
{
	const char *slash = strrchr(c->cgroup, '/');
	char *safe = text_escape(slash && slash[1] ? slash + 1
				 : *c->cgroup	   ? c->cgroup
						   : "a cgroup");
	const char *how = c->detail == THROTTLE_COARSE ? "coarse, " : "";
	const struct quota *q = why_quota(w, c);
	char *label;

	if (q)
		label = xasprintf("%scpu.max %" PRId64 "/%" PRId64 " of %s", how, q->us,
				  q->period_us, safe);
	else
		label = xasprintf("%scpu.max of %s", how, safe);
	free(safe);
	return label;
}

const char *why_title(enum why_kind kind)
{
	return kind_titles[kind];
}

const char *why_how(const struct cause *c)
{
	static const char *const how[] = {"", ": signal", ": end of a child"};
	static const char *const lock[LOCK_KINDS] = {
		[LOCK_MUTEX] = ": mutex",
		[LOCK_READ] = ": rwsem for reading",
		[LOCK_WRITE] = ": rwsem for writing",
		[LOCK_PERCPU] = ": per-CPU rwsem",
		[LOCK_RT] = ": rt_mutex",
		[LOCK_SEMAPHORE] = ": semaphore",
	};

	return c->kind == WHY_LOCK ? lock[c->detail] : how[c->detail];
}

bool why_is_own(const struct cause *c, const struct cause *over, const struct why_account *a)
{
	if (c->who.kind != BY_TASKS)
		return false;
	if (!over)
		return why_is_itself(c, a);
	return c->who.told && over->who.told && c->who.container == over->who.container &&
	       c->comm == over->comm;
}

char *why_stage_label(const struct cause *c, const struct why_account *a, bool own)
{
	char *who, *label;

	if (c->stage == DISK_NOT_TOLD)
		return NULL;
	if (c->stage == DISK_NOT_YET)
		return xstrdup("not asked for yet");
	if (c->who.kind == BY_IDLE)
		return xstrdup("queued, the disk had nothing");
	who = own ? xstrdup("its own") : label_culprit(c, a);
	if (c->stage == DISK_QUEUED)
		label = xasprintf("queued behind %s", who);
	else if (own)
		label = xasprintf("its own%s requests", c->stage == DISK_BEHIND ? " older" : "");
	else
		label = xasprintf("%srequests of %s", c->stage == DISK_BEHIND ? "older " : "", who);
	free(who);
	return label;
}

const char *why_stage_name(enum disk_stage stage)
{
	static const char *const names[DISK_STAGES] = {
		[DISK_NOT_TOLD] = "unknown", [DISK_NOT_YET] = "not_yet", [DISK_QUEUED] = "queued",
		[DISK_BEHIND] = "behind",    [DISK_SERVED] = "served",
	};

	return names[stage];
}

/* The call is called as the trace calls it, whatever that is. */
static char *label_in_call(const char *what, const struct cause *c)
{
	char *safe = text_escape(c->call ? c->call : "");
	char *label = xasprintf("%s%s%s", what, c->call ? ", in " : "", safe);

	free(safe);
	return label;
}

char *why_label(const struct why *w, const struct cause *c, const struct why_account *a)
{
	char *who, *label;

	switch (c->kind) {
	case WHY_CPU:
		return label_culprit(c, a);
	case WHY_OTHERS:
	case WHY_SIGNAL:
	case WHY_LOCK:
		who = why_who_label(c, a);
		label = xasprintf("%s%s", who, why_how(c));
		free(who);
		return label;
	case WHY_THROTTLED:
		return label_quota(w, c);
	case WHY_DISK:
		return label_disk(w, c);
	case WHY_MEMORY:
		return xstrdup(memory_titles[c->detail]);
	case WHY_NETWORK:
		return label_in_call("from outside the host", c);
	case WHY_SLEPT:
		return label_in_call("timers", c);
	case WHY_UNKNOWN:
		return xstrdup(reason_titles[c->detail]);
	default:
		return xstrdup("");
	}
}

const char *why_name(enum why_kind kind)
{
	return kind_names[kind];
}
