/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "base/util.h"

/*
 * Three things are not known when a run is told, and are put right later:
 *
 * Whose it is. Where a task is (its container, say) may be told after it ran. Its time waits in
 * `untold`, under the task, for the first place that is told, which is where it was before, too.
 *
 * Whether that is sure. Events that were lost may have moved the task. If its place is told again,
 * and is the same, and nothing more was lost, then it was there all along: until then what it ran
 * is unsure in its row, and kept once more in `doubts`, for account_confirm() to take away again.
 *
 * What the rows are. Containers turn out to be one, cgroups get their paths, parents are told after
 * children. So account_finish() merges rows, nests them, and adds the inner ones to the outer; then
 * it works out how much nobody is sure of (`open`), which is what each row may be larger by.
 */

const char *const account_by_names[BY_NR] = {
	[BY_CONTAINER] = "container", [BY_POD] = "pod",	  [BY_NAMESPACE] = "namespace",
	[BY_CGROUP] = "cgroup",	      [BY_TASK] = "task",
};

/* Keys of rows: addresses, which are even, or these. */
enum { KEY_HOST = 1, KEY_UNTOLD = 3, KEY_ENDED = 5 };

struct account *account_new(struct model *m, enum account_by by, uint64_t every)
{
	struct account *a = xcalloc(1, sizeof(*a));

	a->m = m;
	a->by = by;
	a->every = every;
	a->to = UINT64_MAX;
	return a;
}

static void row_clear(struct row *r)
{
	free(r->by_cpu);
	free(r->slices);
}

static void row_free(struct row *r)
{
	row_clear(r);
	free(r);
}

void account_free(struct account *a)
{
	struct row *r;
	size_t pos = 0, i;

	if (!a)
		return;
	for (i = 0; i < a->nr_rows; i++)
		row_free(a->rows[i]);
	while ((r = hash_next(&a->untold, &pos)))
		row_free(r);
	for (pos = 0; (r = hash_next(&a->doubts, &pos));)
		row_free(r);
	row_clear(&a->idle);
	row_clear(&a->interrupts);
	row_clear(&a->unknown);
	free(a->rows);
	free(a->cpus);
	free(a->open_cpu);
	free(a->open_slices);
	hash_free(&a->doubts);
	hash_free(&a->by_key);
	free(a->by_container);
	hash_free(&a->untold);
	free(a->index);
	free(a);
}

static void add_index(struct account *a, size_t cpu)
{
	size_t nr = cpu + 1;

	if (nr > a->nr_index) {
		a->index = xrealloc(a->index, nr, sizeof(*a->index));
		memset(a->index + a->nr_index, 0, (nr - a->nr_index) * sizeof(*a->index));
		a->nr_index = nr;
	}
	a->cpus = grow(a->cpus, a->nr_cpus, &a->cap_cpus, sizeof(*a->cpus));
	a->cpus[a->nr_cpus++] = (int)cpu;
	a->index[cpu] = a->nr_cpus;
}

/* The position of a CPU in by_cpu. */
static inline size_t cpu_index(struct account *a, int cpu)
{
	if ((size_t)cpu >= a->nr_index || !a->index[cpu])
		add_index(a, (size_t)cpu);
	return a->index[cpu] - 1;
}

static void part_add(struct part_ns *to, const struct part_ns *ns)
{
	to->own += ns->own;
	to->unsure += ns->unsure;
}

static bool has_cpu(const struct row *r, size_t at, size_t cpu)
{
	return at < r->nr_by_cpu && r->by_cpu[at].cpu == cpu;
}

/* Where a CPU is in the row, or would be. */
static size_t find_cpu(const struct row *r, size_t cpu)
{
	size_t low = 0, high = r->nr_by_cpu;

	/* What ran everywhere has each in its place. */
	if (has_cpu(r, cpu, cpu))
		return cpu;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->by_cpu[mid].cpu < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void add_cpu(struct row *r, size_t cpu, const struct part_ns *ns)
{
	size_t at = find_cpu(r, cpu);

	if (!has_cpu(r, at, cpu)) {
		r->by_cpu = grow(r->by_cpu, r->nr_by_cpu, &r->cap_by_cpu, sizeof(*r->by_cpu));
		memmove(r->by_cpu + at + 1, r->by_cpu + at,
			(r->nr_by_cpu++ - at) * sizeof(*r->by_cpu));
		r->by_cpu[at] = (struct cpu_part){.cpu = cpu};
	}
	part_add(&r->by_cpu[at].ns, ns);
}

/* Of all CPUs together the runs come nearly in order: so far a slice may be from its place. */
#define DISORDER 64

/* Returns its place. */
static size_t add_slice(struct row *r, uint64_t index, const struct part_ns *ns)
{
	size_t i = r->nr_slices;

	while (i && r->slices[i - 1].index > index && r->nr_slices - i < DISORDER)
		i--;
	if (i && r->slices[i - 1].index == index) {
		part_add(&r->slices[i - 1].ns, ns);
		return i - 1;
	}
	r->slices = grow(r->slices, r->nr_slices, &r->cap_slices, sizeof(*r->slices));
	r->slices[r->nr_slices] = (struct slice){.index = index, .ns = *ns};
	return r->nr_slices++;
}

/* Of what @d has in doubt, which is in the row's slice there. */
static void doubt_slice(struct row *d, uint64_t index, size_t at, const struct part_ns *ns)
{
	struct slice *last = d->nr_slices ? &d->slices[d->nr_slices - 1] : NULL;

	if (last && last->at == at) {
		part_add(&last->ns, ns);
		return;
	}
	d->slices = grow(d->slices, d->nr_slices, &d->cap_slices, sizeof(*d->slices));
	d->slices[d->nr_slices++] = (struct slice){index, *ns, at};
}

/* @d: what is in doubt of the row, or NULL. */
static void add_slices(struct account *a, struct row *r, struct row *d, uint64_t begin,
		       uint64_t end, bool unsure)
{
	while (begin < end) {
		uint64_t index = (begin - a->from) / a->every;
		uint64_t next = a->from + (index + 1) * a->every;
		struct part_ns part;
		size_t at;

		/* It is not shown then. */
		if (index >= MAX_INTERVALS)
			return;
		if (next > end)
			next = end;
		part = (struct part_ns){next - begin, unsure ? next - begin : 0};
		at = add_slice(r, index, &part);
		if (d)
			doubt_slice(d, index, at, &part);
		begin = next;
	}
}

static void make_unsure(struct row *r)
{
	size_t i;

	r->own.unsure = r->own.own;
	r->own.interrupted_unsure = r->own.interrupted;
	for (i = 0; i < r->nr_by_cpu; i++)
		r->by_cpu[i].ns.unsure = r->by_cpu[i].ns.own;
	for (i = 0; i < r->nr_slices; i++)
		r->slices[i].ns.unsure = r->slices[i].ns.own;
}

static void clear_figures(struct row *r)
{
	r->own = (struct amount){0};
	r->nr_by_cpu = r->nr_slices = 0;
}

static struct row *row_new(struct account *a, uint64_t key)
{
	struct row *r = xcalloc(1, sizeof(*r));

	r->key = key;
	r->told = key != KEY_UNTOLD;
	a->rows = grow(a->rows, a->nr_rows, &a->cap_rows, sizeof(*a->rows));
	r->number = a->nr_rows;
	a->rows[a->nr_rows++] = r;
	hash_put(&a->by_key, key, r);
	return r;
}

static struct row *row_get(struct account *a, uint64_t key)
{
	struct row *r = hash_get(&a->by_key, key);

	return r ? r : row_new(a, key);
}

static struct row *add_container(struct account *a, struct container *c, size_t serial)
{
	struct row *r = row_get(a, c ? (uintptr_t)c : KEY_HOST);
	size_t nr = a->nr_containers;

	if (serial >= nr) {
		a->nr_containers = 2 * serial + 16;
		a->by_container = xrealloc(a->by_container, a->nr_containers, sizeof(r));
		memset(a->by_container + nr, 0, (a->nr_containers - nr) * sizeof(r));
	}
	a->by_container[serial] = r;
	return r;
}

static struct row *container_row(struct account *a, struct container *c)
{
	struct row *r;
	size_t serial;

	c = container_is(c);
	serial = c ? c->serial : 0;
	r = serial < a->nr_containers ? a->by_container[serial] : NULL;
	if (!r)
		r = add_container(a, c, serial);
	r->container = c;
	return r;
}

static struct row *namespace_row(struct account *a, const struct pidns *ns)
{
	struct row *r = row_get(a, (uintptr_t)ns);

	r->ns = ns;
	return r;
}

static struct row *cgroup_row(struct account *a, int hierarchy, uint64_t id)
{
	struct cgroup *g = model_cgroup(a->m, hierarchy, id);
	/* The number is odd, so that it is no address. */
	uint64_t key = g ? (uintptr_t)g : hash_numbers((uint32_t)hierarchy, id) | 1;
	struct row *r = id ? row_get(a, key) : row_get(a, KEY_UNTOLD);

	r->cgroup = g;
	r->hierarchy = hierarchy;
	r->cgroup_id = id;
	return r;
}

static uint64_t task_key(const struct task *t, int tid)
{
	return t ? (uintptr_t)t : (uint64_t)(uint32_t)tid << 8 | 0xff;
}

static struct row *task_row(struct account *a, struct task *t, int tid)
{
	struct row *r = row_get(a, task_key(t, tid));

	r->task = t;
	r->tid = tid;
	return r;
}

/* The row of a place; NULL: it is not told which. */
static struct row *place_row(struct account *a, const struct place *p, struct task *t)
{
	switch (a->by) {
	case BY_CONTAINER:
	case BY_POD:
		return p->known ? container_row(a, p->container) : NULL;
	case BY_NAMESPACE:
		return t && t->ns ? namespace_row(a, t->ns) : NULL;
	case BY_CGROUP:
		return p->known ? cgroup_row(a, p->hierarchy, p->cgroup_id) : NULL;
	default:
		return NULL;
	}
}

/* Time of a task whose place is not told yet, kept until it is. */
static struct row *untold_row(struct account *a, struct task *t, int tid)
{
	struct row *r = hash_get(&a->untold, task_key(t, tid));

	if (r)
		return r;
	r = xcalloc(1, sizeof(*r));
	r->task = t;
	r->tid = tid;
	hash_put(&a->untold, task_key(t, tid), r);
	return r;
}

/* A move tells nothing of where a task was before; that, too, may be among what was lost. */
static bool was_moved(const struct account *a, const struct task *t)
{
	return a->m->nr_losses && t && task_moved(a->m, t);
}

static struct row *row_of(struct account *a, const struct run *run)
{
	struct row *r;

	switch (run->under) {
	case RUN_IDLE:
		return &a->idle;
	case RUN_TASK:
		break;
	default:
		return &a->unknown;
	}
	if (a->by == BY_TASK)
		return task_row(a, run->task, run->tid);
	/* The first place that was told is where it was before, too. */
	if (run->place.known && a->untold.nr) {
		r = hash_get(&a->untold, task_key(run->task, run->tid));
		if (r && !r->place.known) {
			r->place = run->place;
			if (r->losses != run->losses || run->where != IS_THERE ||
			    was_moved(a, run->task))
				make_unsure(r);
		}
	}
	r = place_row(a, &run->place, run->task);
	return r ? r : untold_row(a, run->task, run->tid);
}

/* A stretch of a run's time, which may be an interrupt's; and @d's, as it is in doubt, or NULL. */
static void add_run(struct account *a, struct row *r, struct row *d, const struct run *run,
		    bool unsure)
{
	uint64_t begin = run->begin < a->from ? a->from : run->begin;
	uint64_t end = run->end > a->to ? a->to : run->end, ns = end - begin;
	size_t cpu = cpu_index(a, run->cpu);

	if (run->kind == RUN_INTERRUPT) {
		r->own.interrupted += ns;
		r->own.interrupted_unsure += unsure ? ns : 0;
		if (d)
			d->own.interrupted += ns;
		return;
	}
	r->own.own += ns;
	r->own.unsure += unsure ? ns : 0;
	add_cpu(r, cpu, &(struct part_ns){ns, unsure ? ns : 0});
	if (d) {
		d->own.own += ns;
		add_cpu(d, cpu, &(struct part_ns){ns, 0});
	}
	if (a->every)
		add_slices(a, r, d, begin, end, unsure);
}

/*
 * Where to keep what is told of @r, as it may prove to be sure: see account_confirm(). NULL: it
 * cannot.
 */
static struct row *doubt_of(struct account *a, struct row *r, const struct run *run)
{
	uint64_t key = task_key(run->task, run->tid);
	struct row *d = hash_get(&a->doubts, key);

	if (run->where != IN_DOUBT || run->unsure || !run->task || !run->place.known)
		return NULL;
	if (!d) {
		d = xcalloc(1, sizeof(*d));
		hash_put(&a->doubts, key, d);
	}
	if (d->losses != run->losses || d->of != r)
		clear_figures(d);
	d->task = run->task;
	d->of = r;
	d->place = run->place;
	d->losses = run->losses;
	d->dumps = 0;
	return d;
}

/* Until its place is told, what is lost makes unsure all that is before. */
static void add_untold(struct account *a, struct row *r, const struct run *run)
{
	if (r->losses != run->losses)
		make_unsure(r);
	r->losses = run->losses;
	add_run(a, r, NULL, run, run->unsure || run->where == IN_LOSS);
}

static bool is_under_task(const struct run *run)
{
	return run->under == RUN_TASK;
}

void account_add(struct account *a, const struct run *run)
{
	bool doubt = is_under_task(run) && run->where != IS_THERE;
	struct row *r;

	cpu_index(a, run->cpu);
	if (run->begin >= a->to || run->end <= a->from || a->from >= a->to)
		return;
	r = row_of(a, run);
	if (is_under_task(run) && a->by != BY_TASK && !run->place.known)
		add_untold(a, r, run);
	else
		add_run(a, r, doubt_of(a, r, run), run, run->unsure || doubt);
	if (run->kind == RUN_INTERRUPT) {
		struct run own = *run;

		own.kind = RUN_IDLE;
		add_run(a, &a->interrupts, NULL, &own, run->unsure);
	}
}

static void amount_add(struct amount *to, const struct amount *n)
{
	to->own += n->own;
	to->unsure += n->unsure;
	to->interrupted += n->interrupted;
	to->interrupted_unsure += n->interrupted_unsure;
}

static void merge(struct row *to, const struct row *from)
{
	size_t i;

	amount_add(&to->own, &from->own);
	for (i = 0; i < from->nr_by_cpu; i++)
		add_cpu(to, from->by_cpu[i].cpu, &from->by_cpu[i].ns);
	for (i = 0; i < from->nr_slices; i++)
		add_slice(to, from->slices[i].index, &from->slices[i].ns);
}

static void make_slices_sure(struct row *r, const struct row *d)
{
	size_t i;

	for (i = 0; i < d->nr_slices; i++)
		r->slices[d->slices[i].at].ns.unsure -= d->slices[i].ns.own;
}

static void make_sure(struct row *r, const struct row *d)
{
	size_t i, at;

	r->own.unsure -= d->own.own;
	r->own.interrupted_unsure -= d->own.interrupted;
	for (i = 0; i < d->nr_by_cpu; i++) {
		at = find_cpu(r, d->by_cpu[i].cpu);
		if (has_cpu(r, at, d->by_cpu[i].cpu))
			r->by_cpu[at].ns.unsure -= d->by_cpu[i].ns.own;
	}
	make_slices_sure(r, d);
}

void account_confirm(struct account *a)
{
	struct hash open = {0};
	struct row *d;
	size_t pos = 0;

	while ((d = hash_next(&a->doubts, &pos))) {
		enum doubt_end end = cpus_doubt(a->m, d->task, &d->place, d->losses, &d->dumps);

		if (end == DOUBT_IS_OPEN) {
			hash_put(&open, task_key(d->task, d->task->tid), d);
			continue;
		}
		if (end == DOUBT_IS_RESOLVED)
			make_sure(d->of, d);
		row_free(d);
	}
	hash_free(&a->doubts);
	a->doubts = open;
}

static void place_one(struct account *a, struct row *r)
{
	struct row *to;

	if (!r->place.known) {
		r->place = cpus_place(a->m, r->task);
		if (a->m->nr_losses != r->losses || was_moved(a, r->task) ||
		    (r->losses && r->place.told <= a->m->loss_until))
			make_unsure(r);
	}
	to = place_row(a, &r->place, r->task);
	merge(to ? to : row_get(a, KEY_UNTOLD), r);
}

static void place_untold(struct account *a)
{
	struct row *r;
	size_t pos = 0;

	while ((r = hash_next(&a->untold, &pos)))
		place_one(a, r);
}

static void drop_row(struct account *a, struct row *r)
{
	struct row *last = a->rows[--a->nr_rows];

	last->number = r->number;
	a->rows[last->number] = last;
	hash_del(&a->by_key, r->key);
	row_free(r);
}

void account_forget(struct account *a, struct task *t)
{
	uint64_t key = task_key(t, t->tid);
	struct row *r = hash_get(&a->untold, key), *ended;

	if (r) {
		place_one(a, r);
		hash_del(&a->untold, key);
		row_free(r);
	}
	r = hash_get(&a->doubts, key);
	if (r) {
		hash_del(&a->doubts, key);
		row_free(r);
	}
	r = a->by == BY_TASK ? hash_get(&a->by_key, key) : NULL;
	if (!r)
		return;
	ended = row_get(a, KEY_ENDED);
	ended->ended = true;
	merge(ended, r);
	drop_row(a, r);
}

static int compare_cpus(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return x[0] < y[0] ? -1 : x[0] > y[0];
}

static int compare_parts(const void *a, const void *b)
{
	const struct cpu_part *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* @now: the new position of each CPU. */
static void permute(struct row *r, const size_t *now)
{
	size_t i;

	for (i = 0; i < r->nr_by_cpu; i++)
		r->by_cpu[i].cpu = now[r->by_cpu[i].cpu];
	if (r->nr_by_cpu)
		qsort(r->by_cpu, r->nr_by_cpu, sizeof(*r->by_cpu), compare_parts);
}

/* CPUs were numbered as they were met. */
static void sort_cpus(struct account *a)
{
	int(*order)[2] = xcalloc(a->nr_cpus + 1, sizeof(*order));
	size_t *now = xcalloc(a->nr_cpus + 1, sizeof(*now)), i;

	for (i = 0; i < a->nr_cpus; i++) {
		order[i][0] = a->cpus[i];
		order[i][1] = (int)i;
	}
	qsort(order, a->nr_cpus, sizeof(*order), compare_cpus);
	for (i = 0; i < a->nr_cpus; i++) {
		a->cpus[i] = order[i][0];
		now[order[i][1]] = i;
	}
	for (i = 0; i < a->nr_rows; i++)
		permute(a->rows[i], now);
	permute(&a->idle, now);
	permute(&a->interrupts, now);
	permute(&a->unknown, now);
	free(order);
	free(now);
}

static struct row *find_parent(struct account *a, struct row *r)
{
	if (!r->told)
		return NULL;
	switch (a->by) {
	case BY_POD:
		if (r->pod)
			return container_row(a, NULL);
		/* fall through */
	case BY_CONTAINER:
		return r->container ? container_row(a, container_parent(a->m, r->container)) : NULL;
	case BY_NAMESPACE:
		return r->ns->parent ? namespace_row(a, r->ns->parent) : NULL;
	case BY_CGROUP:
		return r->cgroup && r->cgroup->parent
			       ? cgroup_row(a, r->cgroup->hierarchy, r->cgroup->parent->id)
			       : NULL;
	default:
		return NULL;
	}
}

/* What was taken for two containers at first may be one. */
static void merge_containers(struct account *a)
{
	size_t i;

	for (i = 0; i < a->nr_rows; i++) {
		struct row *r = a->rows[i], *to;

		if (!r->container || container_is(r->container) == r->container)
			continue;
		to = container_row(a, r->container);
		merge(to, r);
		clear_figures(r);
		r->container = NULL;
		r->told = false;
	}
}

/* That of the container, or of the one that it is in. */
static const struct pod *pod_of(struct model *m, struct container *c)
{
	int levels;

	for (levels = 0; c && levels < CONTAINER_LEVELS_MAX; levels++, c = container_parent(m, c))
		if (c->pod)
			return c->pod;
	return NULL;
}

/* What is in a pod is told together. */
static void merge_pods(struct account *a)
{
	size_t i;

	for (i = 0; i < a->nr_rows; i++) {
		struct row *r = a->rows[i], *to;
		const struct pod *pod = r->container ? pod_of(a->m, r->container) : NULL;

		if (!pod || r->pod)
			continue;
		to = row_get(a, (uintptr_t)pod);
		to->pod = pod;
		merge(to, r);
		clear_figures(r);
		r->container = NULL;
		r->told = false;
	}
}

/* The path of a cgroup may have been told after its time was counted. */
static void merge_cgroups(struct account *a)
{
	size_t i;

	for (i = 0; i < a->nr_rows; i++) {
		struct row *r = a->rows[i];

		if (!r->told || r->cgroup || !model_cgroup(a->m, r->hierarchy, r->cgroup_id))
			continue;
		merge(cgroup_row(a, r->hierarchy, r->cgroup_id), r);
		clear_figures(r);
		r->told = false;
	}
}

/*
 * The trace may contradict itself: two that hold one another are side by side, and what is
 * nested deeper than anything is begins anew.
 */
#define DEPTH_MAX 256

/* Takes the last one out of a ring, that @r is in. */
static void break_ring(struct row *r)
{
	struct row *last = r, *other;

	for (other = r->parent; other != r; other = other->parent)
		if (other->number > last->number)
			last = other;
	last->parent = NULL;
}

/* From the outermost on whose depth is known: the way there is kept in @way, not on the stack. */
static void find_depth(struct row *r, struct row **way)
{
	size_t nr = 0;

	for (; r->parent && !r->has_depth; r = r->parent)
		way[nr++] = r;
	for (r->has_depth = true; nr--;) {
		r = way[nr];
		r->has_depth = true;
		if (r->parent->depth == DEPTH_MAX - 1)
			r->parent = NULL;
		r->depth = r->parent ? r->parent->depth + 1 : 0;
	}
}

static void nest(struct account *a)
{
	struct row *r, *up, **way;
	size_t i;

	/* Parents are appended as they are met, and are then looked at themselves. */
	for (i = 0; i < a->nr_rows; i++) {
		r = a->rows[i];
		r->number = i;
		r->parent = find_parent(a, r);
	}
	/* Each is looked at once: who was met before leads to no ring that is left. */
	for (i = 0; i < a->nr_rows; i++) {
		for (up = a->rows[i]; up && !up->visit; up = up->parent)
			up->visit = i + 1;
		if (up && up->visit == i + 1)
			break_ring(up);
	}
	way = xcalloc(a->nr_rows, sizeof(struct row *));
	for (i = 0; i < a->nr_rows; i++)
		find_depth(a->rows[i], way);
	free(way);
	for (i = 0; i < a->nr_rows; i++) {
		r = a->rows[i];
		for (up = r; up; up = up->parent)
			amount_add(&up->total, &r->own);
	}
}

/* The ancestor of a row at a depth. */
static const struct row *at_depth(const struct row *r, int depth)
{
	while (r->depth > depth)
		r = r->parent;
	return r;
}

static int compare_siblings(const struct row *x, const struct row *y)
{
	if (x->told != y->told)
		return x->told ? -1 : 1;
	if (x->total.own != y->total.own)
		return x->total.own > y->total.own ? -1 : 1;
	if (x->container && y->container)
		return x->container->serial < y->container->serial ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->ns && y->ns && x->ns != y->ns)
		return x->ns->serial < y->ns->serial ? -1 : 1;
	if (x->hierarchy != y->hierarchy)
		return x->hierarchy < y->hierarchy ? -1 : 1;
	if (x->cgroup_id != y->cgroup_id)
		return x->cgroup_id < y->cgroup_id ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* A parent comes before its children, and siblings by size. */
static int compare_rows(const void *a, const void *b)
{
	const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
	int least = x->depth < y->depth ? x->depth : y->depth;
	const struct row *p = at_depth(x, least), *q = at_depth(y, least);

	if (p == q)
		return x->depth - y->depth;
	/* Up to where they are siblings, or the outermost. */
	for (; p->depth && p->parent != q->parent; q = q->parent)
		p = p->parent;
	return compare_siblings(p, q);
}

/* Rows that were merged into others, and those of nothing. */
static void drop_empty(struct account *a)
{
	size_t i, nr = 0;

	for (i = 0; i < a->nr_rows; i++) {
		struct row *r = a->rows[i];

		if (r->total.own || r->total.interrupted || r->key == KEY_HOST) {
			a->rows[nr++] = r;
			continue;
		}
		row_free(r);
	}
	a->nr_rows = nr;
}

static void add_open(struct account *a, const struct row *r, bool all)
{
	size_t nr = account_intervals(a), i;

	a->open += all ? r->own.own : r->own.unsure;
	a->interrupted_unsure += r->own.interrupted_unsure;
	for (i = 0; i < r->nr_by_cpu; i++)
		a->open_cpu[r->by_cpu[i].cpu] += all ? r->by_cpu[i].ns.own : r->by_cpu[i].ns.unsure;
	for (i = 0; i < r->nr_slices; i++)
		if (a->open_slices && r->slices[i].index < nr)
			a->open_slices[r->slices[i].index] +=
				all ? r->slices[i].ns.own : r->slices[i].ns.unsure;
}

/* Lost events may hide what it is in. */
static bool is_orphan(const struct account *a, const struct row *r)
{
	const struct container *c = r->container;

	if (!a->m->nr_losses || !r->told)
		return false;
	switch (a->by) {
	case BY_CONTAINER:
	case BY_POD:
		return c && (c->cgroup ? !cgroup_is_whole(c->cgroup) : !c->ns || !c->ns->parent);
	case BY_NAMESPACE:
		return r->ns->level && !r->ns->parent;
	case BY_CGROUP:
		return !cgroup_is_whole(r->cgroup);
	default:
		return false;
	}
}

static void add_orphan(struct account *a, const struct row *r)
{
	a->orphans += r->total.own - r->total.unsure;
	a->interrupted_orphans += account_interrupted_least(&r->total);
}

/* What is not known, or not sure, may be anybody's. */
static void find_open(struct account *a)
{
	size_t i;

	a->open_cpu = xcalloc(a->nr_cpus + 1, sizeof(*a->open_cpu));
	if (account_intervals(a) <= MAX_INTERVALS)
		a->open_slices = xcalloc(account_intervals(a) + 1, sizeof(*a->open_slices));
	for (i = 0; i < a->nr_rows; i++) {
		/* It is of tasks whose place was lost. */
		if (!a->rows[i]->told && a->m->nr_losses)
			make_unsure(a->rows[i]);
		add_open(a, a->rows[i], false);
		if (is_orphan(a, a->rows[i]))
			add_orphan(a, a->rows[i]);
	}
	add_open(a, &a->idle, false);
	add_open(a, &a->interrupts, false);
	add_open(a, &a->unknown, true);
}

void account_finish(struct account *a, uint64_t begin, uint64_t end)
{
	size_t i;

	if (a->from < begin)
		a->from = begin;
	if (a->to > end)
		a->to = end;
	place_untold(a);
	if (a->by == BY_CONTAINER || a->by == BY_POD) {
		container_row(a, NULL);
		merge_containers(a);
		if (a->by == BY_POD)
			merge_pods(a);
	} else if (a->by == BY_CGROUP) {
		merge_cgroups(a);
	}
	nest(a);
	drop_empty(a);
	sort_cpus(a);
	find_open(a);
	if (a->nr_rows)
		qsort(a->rows, a->nr_rows, sizeof(struct row *), compare_rows);
	for (i = 0; i < a->nr_rows; i++)
		a->rows[i]->number = i;
}

static void add_up(uint64_t *told, const struct row *r)
{
	size_t i;

	for (i = 0; i < r->nr_by_cpu; i++)
		told[r->by_cpu[i].cpu] += r->by_cpu[i].ns.own;
}

void account_fill(struct account *a)
{
	uint64_t *told = xcalloc(a->nr_cpus + 1, sizeof(*told));
	size_t cpu, i;

	add_up(told, &a->idle);
	add_up(told, &a->interrupts);
	add_up(told, &a->unknown);
	for (i = 0; i < a->nr_rows; i++)
		add_up(told, a->rows[i]);
	for (cpu = 0; cpu < a->nr_cpus; cpu++) {
		if (a->to > a->from && a->to - a->from > told[cpu]) {
			const struct part_ns rest = {.own = a->to - a->from - told[cpu]};

			add_cpu(&a->unknown, cpu, &rest);
			a->unknown.own.own += rest.own;
			a->open += rest.own;
			a->open_cpu[cpu] += rest.own;
		}
	}
	free(told);
}

uint64_t account_least(const struct amount *n)
{
	return n->own - n->unsure;
}

uint64_t account_most(const struct account *a, const struct amount *n)
{
	return n->own + a->open - n->unsure;
}

uint64_t account_total_most(const struct account *a, const struct amount *total)
{
	return account_most(a, total) + a->orphans;
}

uint64_t account_interrupted_least(const struct amount *n)
{
	return n->interrupted - n->interrupted_unsure;
}

uint64_t account_interrupted_most(const struct account *a, const struct amount *n)
{
	return n->interrupted + a->open + a->interrupted_unsure - n->interrupted_unsure;
}

uint64_t account_total_interrupted_most(const struct account *a, const struct amount *total)
{
	return account_interrupted_most(a, total) + a->interrupted_orphans;
}

bool account_is_too_long(const struct account *a)
{
	return a->to > a->from && a->nr_cpus > INT64_MAX / (a->to - a->from);
}

uint64_t account_whole(const struct account *a)
{
	return a->to > a->from ? (a->to - a->from) * a->nr_cpus : 0;
}

size_t account_intervals(const struct account *a)
{
	return a->every && a->to > a->from ? (size_t)((a->to - a->from + a->every - 1) / a->every)
					   : 0;
}
