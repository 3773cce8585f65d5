/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/util.h"
#include "export-write.h"
#include "model/schema.h"

#define KEY_MAX 17

struct writer {
	struct sink *out;
	const struct loaded *loaded;
	char (*keys)[KEY_MAX];	 /* of hosts */
	struct hash by_key;	 /* numbers of hosts from 1 on, by these */
	uint32_t **containers;	 /* of hosts: number -> that of the one that it is */
	const char *reason;	 /* why a column of the row is NULL; NULL: nothing to say */
	const struct feeding *f; /* of the row */
	const char *text;	 /* of the row, of a table that has one */
	uint32_t host;
};

/* FNV-1a: the same for the same recording, whoever reads it. */
static uint64_t add_to_key(uint64_t key, const char *text)
{
	do {
		key = (key ^ (unsigned char)*text) * 0x100000001b3;
	} while (*text++);
	return key;
}

/*
 * Of a host's name, its boot, the session, by what it was recorded and when that began: snapshots
 * of one session differ in that alone.
 */
static void make_key(char key[KEY_MAX], const struct host *h)
{
	const struct trace_info *t = h->trace;
	char begin[24];
	uint64_t sum = 0xcbf29ce484222325;

	snprintf(begin, sizeof(begin), "%" PRIu64, h->begin);
	sum = add_to_key(sum, t->hostname);
	sum = add_to_key(sum, t->boot_id);
	sum = add_to_key(sum, t->session);
	sum = add_to_key(sum, shape_names[t->shape]);
	sum = add_to_key(sum, begin);
	snprintf(key, KEY_MAX, "%016" PRIx64, sum);
}

static void sink_known(struct sink *s, const char *column, bool known, int64_t value)
{
	if (known)
		sink_int(s, column, value);
	else
		sink_null(s, column);
}

static const char *text_or_null(const char *text)
{
	return text && *text ? text : NULL;
}

static void put_host(struct sink *s, const char *key, const struct host *h)
{
	const struct trace_info *t = h->trace;
	const struct model *m = h->model;

	sink_row(s, EXPORT_HOST);
	sink_text(s, "host", key);
	sink_text(s, "hostname", text_or_null(t->hostname));
	sink_text(s, "boot_id", text_or_null(t->boot_id));
	sink_text(s, "session", text_or_null(t->session));
	sink_text(s, "recorded_with", shape_names[t->shape]);
	sink_time(s, "begin_ns", h->begin);
	sink_time(s, "end_ns", h->end);
	sink_int(s, "cpus", (int64_t)cpus_count(h->cpus));
	sink_int(s, "events", (int64_t)h->nr_events);
	sink_int(s, "state_dumps", m->nr_whole_dumps);
	sink_int(s, "losses", (int64_t)m->nr_losses);
	sink_known(s, "lost_events", !m->lost_uncounted, (int64_t)m->nr_lost_events);
	sink_int(s, "lost_packets", (int64_t)m->nr_lost_packets);
	sink_bool(s, "has_runs", h->offers[EV_SWITCH]);
	sink_bool(s, "has_waits",
		  h->offers[EV_SWITCH] && (h->offers[EV_WAKING] || h->offers[EV_WAKEUP]));
	sink_bool(s, "has_interrupts", h->offers[EV_IRQ_ENTRY] && h->offers[EV_SOFTIRQ_ENTRY]);
	sink_bool(s, "has_syscalls", h->offers[EV_SYSCALL_ENTRY] || h->offers[EV_SYSCALL_EXIT]);
	sink_bool(s, "has_samples", h->offers[EV_SAMPLE]);
	sink_end(s);
}

/* The host is number 0, so that what is NULL is not known. */
static void put_host_container(struct sink *s, const char *key)
{
	static const char *const nothing[] = {"name", "id", "runtime", "pod", "told_by"};
	size_t i;

	sink_row(s, EXPORT_CONTAINER);
	sink_text(s, "host", key);
	sink_int(s, "container", 0);
	sink_null(s, "parent");
	sink_text(s, "label", HOST_LABEL);
	for (i = 0; i < ARRAY_SIZE(nothing); i++)
		sink_null(s, nothing[i]);
	sink_bool(s, "claimed", false);
	sink_null(s, "pid_ns");
	sink_null(s, "cgroup");
	sink_null(s, "birth_ns");
	sink_null(s, "death_ns");
	sink_bool(s, "unsure", false);
	sink_end(s);
}

static void put_container(struct sink *s, const char *key, struct model *m, struct container *c)
{
	struct container *parent = container_parent(m, c);
	char *label = container_label(c), *pod = c->pod ? pod_label(c->pod) : NULL;

	sink_row(s, EXPORT_CONTAINER);
	sink_text(s, "host", key);
	sink_int(s, "container", c->serial);
	sink_int(s, "parent", parent ? parent->serial : 0);
	sink_text(s, "label", label);
	sink_text(s, "name", c->name);
	sink_text(s, "id", text_or_null(c->id));
	sink_text(s, "runtime", text_or_null(c->runtime));
	sink_text(s, "pod", pod);
	sink_text(s, "told_by", c->teller == TELLER_NONE ? NULL : teller_text(c->teller));
	sink_bool(s, "claimed", container_is_claimed(c));
	sink_known(s, "pid_ns", c->ns, c->ns ? c->ns->inum : 0);
	sink_text(s, "cgroup", c->cgroup ? c->cgroup->path : NULL);
	sink_time(s, "birth_ns", container_birth(c));
	sink_time(s, "death_ns", container_death(c));
	sink_bool(s, "unsure", container_is_unsure(m, c));
	sink_end(s);
	free(label);
	free(pod);
}

/* Whoever writes a trace can choose what its key is made of, and so what the key is. */
static int check_key(struct writer *w, uint32_t number)
{
	uint64_t key = hash_text(w->keys[number], KEY_MAX - 1);
	uintptr_t before = (uintptr_t)hash_get(&w->by_key, key);
	char *one, *other;

	hash_put(&w->by_key, key, (void *)(uintptr_t)(number + 1));
	if (!before)
		return 0;
	one = text_escape(w->loaded->hosts[before - 1]->trace->path);
	other = text_escape(w->loaded->hosts[number]->trace->path);
	error("Two recordings have one key, by which their rows cannot be told apart; export them"
	      " into different directories. host=%s trace=%s other_trace=%s",
	      w->keys[number], one, other);
	free(one);
	free(other);
	return -1;
}

/* The rows of host and container; what was taken for two containers is one now. */
static int begin_host(struct writer *w, uint32_t number)
{
	const struct host *h = w->loaded->hosts[number];
	struct model *m = h->model;
	size_t i;

	make_key(w->keys[number], h);
	if (check_key(w, number))
		return -1;
	put_host(w->out, w->keys[number], h);
	put_host_container(w->out, w->keys[number]);
	w->containers[number] = xcalloc(m->nr_containers + 1, sizeof(uint32_t));
	for (i = 0; i < m->nr_containers; i++) {
		struct container *c = m->containers[i];

		w->containers[number][c->serial] = container_is(c)->serial;
		if (container_is(c) == c)
			put_container(w->out, w->keys[number], m, c);
	}
	return 0;
}

/* Begins a row with its host; why something in it is NULL is said by its last cell of that. */
static struct sink *begin_row(struct writer *w, enum export_table table)
{
	sink_row(w->out, table);
	sink_text(w->out, "host", w->keys[w->host]);
	w->reason = NULL;
	return w->out;
}

static void put_container_number(struct writer *w, const char *column, uint32_t number)
{
	if (number == CONTAINER_UNTOLD) {
		w->reason = w->reason ? w->reason : "unplaced";
		sink_null(w->out, column);
	} else {
		sink_int(w->out, column, w->containers[w->host][number]);
	}
}

/* A task that is known by its tid alone has no number. */
static void put_task(struct writer *w, uint32_t number, int32_t tid)
{
	sink_known(w->out, "task", number, number);
	sink_known(w->out, "tid", tid > 0, tid);
}

static void put_reason(struct writer *w)
{
	sink_text(w->out, "null_reason", w->reason);
}

static void write_vtids(struct sink *s, const struct spilled_task *t)
{
	char text[12 * LEVELS_MAX + 1] = "", *end = text;
	int i;

	for (i = 1; i < t->nr_levels; i++)
		end += sprintf(end, "%s%" PRId32, i > 1 ? "/" : "", t->vtids[i]);
	sink_text(s, "vtids", text_or_null(text));
}

static void write_task(struct writer *w, const struct spilled *item)
{
	const struct spilled_task *t = &item->task;
	struct sink *s = begin_row(w, EXPORT_TASK);

	sink_int(s, "task", t->number);
	sink_int(s, "tid", t->tid);
	sink_known(s, "pid", t->pid >= 0, t->pid);
	write_vtids(s, t);
	sink_text(s, "comm", text_or_null(t->comm));
	put_container_number(w, "container", t->container);
	put_reason(w);
	sink_time(s, "birth_ns", t->birth);
	sink_time(s, "death_ns", t->death);
	sink_bool(s, "unsure", t->unsure);
	sink_end(s);
}

static const char *const run_kinds[] = {
	[RUN_TASK] = "task",
	[RUN_IDLE] = "idle",
	[RUN_INTERRUPT] = "interrupt",
	[RUN_UNKNOWN] = "unknown",
};

static void write_run(struct writer *w, const struct spilled *item)
{
	const struct spilled_run *r = &item->run;
	const struct settled *settled = feeding_settled(w->f, r->task);
	uint32_t container = r->container;
	struct sink *s = begin_row(w, EXPORT_RUN);

	if (r->under != RUN_TASK)
		w->reason = r->under == RUN_IDLE ? "idle" : "unknown";
	else if (container == CONTAINER_UNTOLD && settled)
		container = settled->first;
	sink_int(s, "cpu", r->cpu);
	sink_time(s, "begin_ns", r->begin);
	sink_time(s, "end_ns", r->end);
	sink_text(s, "kind", run_kinds[r->kind]);
	sink_text(s, "interrupted", r->kind == RUN_INTERRUPT ? run_kinds[r->under] : NULL);
	put_task(w, r->task, r->tid);
	put_container_number(w, "container", container);
	put_reason(w);
	sink_bool(s, "unsure", r->unsure);
	sink_end(s);
}

static void write_wait(struct writer *w, const struct spilled *item)
{
	static const char *const whys[] = {
		[WAIT_WOKEN] = "woken",
		[WAIT_NEW] = "new",
		[WAIT_PREEMPTED] = "preempted",
	};
	const struct spilled_wait *a = &item->wait;
	struct sink *s = begin_row(w, EXPORT_WAIT);

	sink_int(s, "wait", (int64_t)a->number);
	sink_time(s, "begin_ns", a->begin);
	sink_time(s, "end_ns", a->unfinished ? w->f->host->last : a->end);
	sink_int(s, "waited_ns", (int64_t)a->ns);
	sink_text(s, "why", whys[a->why]);
	sink_int(s, "cpu", a->cpu);
	put_task(w, a->task, a->tid);
	put_container_number(w, "container", a->container);
	put_reason(w);
	sink_bool(s, "unfinished", a->unfinished);
	sink_bool(s, "unsure", a->unsure);
	sink_end(s);
}

static void write_blame(struct writer *w, const struct spilled *item)
{
	static const char *const kinds[] = {
		[BY_TASKS] = "task",	  [BY_INTERRUPTS] = "interrupt", [BY_IDLE] = "idle",
		[BY_UNKNOWN] = "unknown", [BY_QUOTA] = "quota",		 [BY_OTHERS] = "others",
	};
	const struct spilled_blame *b = &item->blame;
	struct sink *s = begin_row(w, EXPORT_BLAME);

	sink_int(s, "wait", (int64_t)b->wait);
	put_container_number(w, "victim", b->victim);
	sink_text(s, "kind", kinds[b->kind]);
	if (b->kind != BY_TASKS)
		w->reason = kinds[b->kind];
	put_container_number(w, "culprit", b->culprit);
	put_reason(w);
	sink_int(s, "ns", (int64_t)b->ns);
	sink_bool(s, "unsure", b->unsure);
	sink_end(s);
}

static void write_block(struct writer *w, const struct spilled *item)
{
	const struct spilled_block *b = &item->block;
	struct sink *s = begin_row(w, EXPORT_BLOCK);

	if (!b->begin)
		w->reason = "begin not seen";
	sink_time(s, "begin_ns", b->begin);
	sink_time(s, "end_ns", b->end);
	sink_known(s, "state", b->state != ABSENT, b->state);
	put_task(w, b->task, b->tid);
	put_container_number(w, "container", b->container);
	sink_text(s, "waker_kind", b->has_waker ? run_kinds[b->waker] : NULL);
	sink_known(s, "waker_tid", b->has_waker && b->waker_tid > 0, b->waker_tid);
	put_reason(w);
	sink_text(s, "ended",
		  b->unfinished	 ? "unfinished"
		  : b->died	 ? "died"
		  : b->has_waker ? "woken"
				 : "not seen");
	sink_bool(s, "unsure", b->unsure);
	sink_end(s);
}

/* One that was known by its tid alone is who had the tid when the trace began. */
static struct spilled_actor settle_actor(const struct writer *w, const struct spilled_actor *told)
{
	struct spilled_actor a = *told;
	const struct settled *s;

	if (a.kind != RUN_TASK || a.container != CONTAINER_UNTOLD)
		return a;
	s = feeding_settled(w->f, feeding_elder(w->f, a.tid));
	if (!s || s->last == CONTAINER_UNTOLD)
		return a;
	a.task = a.task ? a.task : s->number;
	a.container = s->last;
	return a;
}

static void put_waker(struct writer *w, const struct spilled_actor *a)
{
	bool is_task = a->kind == RUN_TASK;

	sink_text(w->out, "waker_kind", run_kinds[a->kind]);
	sink_known(w->out, "waker_task", a->task, a->task);
	sink_known(w->out, "waker_tid", is_task && a->tid > 0, a->tid);
	sink_text(w->out, "waker_comm", is_task ? text_or_null(a->comm) : NULL);
	if (!is_task)
		w->reason = run_kinds[a->kind];
	put_container_number(w, "waker_container", a->container);
}

static void write_wakeup(struct writer *w, const struct spilled *item)
{
	const struct spilled_wakeup *k = &item->wakeup;
	const struct spilled_actor waker = settle_actor(w, &k->waker);
	const struct spilled_actor woken = settle_actor(w, &k->woken);
	struct sink *s = begin_row(w, EXPORT_WAKEUP);

	sink_time(s, "ns", k->ns);
	sink_known(s, "cpu", k->cpu >= 0, k->cpu);
	put_waker(w, &waker);
	sink_known(s, "woken_task", woken.task, woken.task);
	sink_known(s, "woken_tid", woken.tid > 0, woken.tid);
	sink_text(s, "woken_comm", text_or_null(woken.comm));
	put_container_number(w, "woken_container", woken.container);
	put_reason(w);
	sink_known(s, "waited_ns", k->waited != UINT64_MAX, (int64_t)k->waited);
	sink_bool(s, "unsure", k->unsure);
	sink_end(s);
}

#define ERRNO_MAX 4095

/* As syscalls.h settles where a caller lives, and profile.h whose a sample was. */
static void settle_place(const struct writer *w, int32_t tid, uint32_t *task, uint32_t *container)
{
	const struct settled *s;

	if (!*task)
		*task = feeding_elder(w->f, tid);
	if (*container != CONTAINER_UNTOLD)
		return;
	s = feeding_settled(w->f, *task);
	if (s)
		*container = s->last;
}

static void write_call(struct writer *w, const struct spilled *item)
{
	static const char *const ends[] = {
		[CALL_ENDED] = "returned",
		[CALL_BEGUN_BEFORE] = "begin not seen",
		[CALL_UNFINISHED] = "unfinished",
		[CALL_UNSURE] = "unsure",
	};
	struct spilled_call c = item->call;
	struct sink *s = begin_row(w, EXPORT_SYSCALL);
	bool returned = c.end != CALL_UNFINISHED;

	settle_place(w, c.tid, &c.task, &c.container);
	if (c.end == CALL_BEGUN_BEFORE || !returned)
		w->reason = ends[c.end];
	sink_text(s, "name", c.name);
	sink_time(s, "begin_ns", c.begin);
	sink_known(s, "duration_ns", c.end != CALL_BEGUN_BEFORE, (int64_t)c.duration);
	sink_known(s, "ret", returned, c.ret);
	sink_bool(s, "is_error", returned && c.ret < 0 && c.ret >= -ERRNO_MAX);
	sink_text(s, "ended", ends[c.end]);
	put_task(w, c.task, c.tid);
	sink_text(s, "comm", text_or_null(c.comm));
	put_container_number(w, "container", c.container);
	put_reason(w);
	sink_bool(s, "unsure", c.unsure);
	sink_end(s);
}

/* The function that was called last: "main;read;vfs_read_[k]". */
static const char *innermost(const char *stack)
{
	const char *last = strrchr(stack, ';');

	return last ? last + 1 : stack;
}

static void put_safe_text(struct sink *s, const char *column, const char *text)
{
	if (*text)
		sink_safe_text(s, column, text);
	else
		sink_null(s, column);
}

static void write_sample(struct writer *w, const struct spilled *item)
{
	struct spilled_sample a = item->sample;
	struct sink *s = begin_row(w, EXPORT_SAMPLE);

	settle_place(w, a.tid, &a.task, &a.container);
	if (!a.tid)
		w->reason = "idle";
	sink_time(s, "ns", a.ns);
	sink_known(s, "cpu", a.cpu >= 0, a.cpu);
	sink_text(s, "mode", a.mode == SAMPLE_OF_KERNEL ? "kernel" : "user");
	sink_known(s, "period_ns", a.period > 0, a.period);
	put_task(w, a.task, a.tid);
	sink_text(s, "comm", text_or_null(a.comm));
	put_container_number(w, "container", a.container);
	put_reason(w);
	put_safe_text(s, "function", innermost(w->text));
	put_safe_text(s, "stack", w->text);
	sink_bool(s, "unsure", a.unsure);
	sink_end(s);
}

static void (*const write_item[EXPORT_NR])(struct writer *w, const struct spilled *item) = {
	[EXPORT_TASK] = write_task,    [EXPORT_RUN] = write_run,
	[EXPORT_WAIT] = write_wait,    [EXPORT_BLAME] = write_blame,
	[EXPORT_BLOCK] = write_block,  [EXPORT_WAKEUP] = write_wakeup,
	[EXPORT_SYSCALL] = write_call, [EXPORT_SAMPLE] = write_sample,
};

static int write_items(struct writer *w, struct spill *spill, bool (*stopped)(void))
{
	struct spilled item;
	uint64_t nr = 0;

	if (spill_rewind(spill))
		return -1;
	while (spill_next(spill, &item)) {
		w->host = item.host;
		w->f = w->loaded->hosts[item.host]->user;
		w->text = spill->text;
		write_item[item.table](w, &item);
		if (!(++nr & 0xfff) && stopped())
			return -1;
	}
	return nr == spill->nr ? 0
			       : error("What was kept until the end of the trace cannot be read.");
}

int export_write(struct sink *out, const struct loaded *l, struct spill *spill,
		 bool (*stopped)(void))
{
	struct writer w = {
		.out = out,
		.loaded = l,
		.keys = xcalloc(l->nr_hosts + 1, sizeof(*w.keys)),
		.containers = xcalloc(l->nr_hosts + 1, sizeof(uint32_t *)),
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < l->nr_hosts && !ret; i++)
		ret = begin_host(&w, (uint32_t)i);
	if (!ret)
		ret = write_items(&w, spill, stopped);
	for (i = 0; i < l->nr_hosts; i++)
		free(w.containers[i]);
	free(w.containers);
	hash_free(&w.by_key);
	free(w.keys);
	return ret;
}
