/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "timeline.h"
#include "timeline-counters.h"
#include "base/util.h"

/*
 * Trace events in JSON, as ui.perfetto.dev and Chrome's own viewer open them. A
 * container is shown as a process with its tasks as threads, and so is the group
 * of CPUs of a host. Times are from the timeline's begin: viewers hold them in
 * doubles, which cannot tell ns since the epoch apart.
 */
struct perfetto {
	struct json j;
	struct timeline *tl;
	char **titles; /* of containers */
	struct counters counters;
	uint64_t nr_flows;
};

/* "Process" and "thread" ids are numbers of ours: several hosts may have one tid. */
#define CPU_PROCESS  1000000000
#define CPU_THREAD   1000000000
#define LOST_THREAD  1500000000
/* What the path goes through has a thread for each task in a process of its own. */
#define PATH_PROCESS 2000000000
#define CPUS_NAME    "CPUs"
#define PATH_NAME    "critical path"

static void open_event(struct perfetto *p, const char *phase, uint64_t pid, uint64_t tid)
{
	putc('\n', p->j.out);
	json_open(&p->j, NULL, '{');
	json_text(&p->j, "ph", phase);
	json_uint(&p->j, "pid", pid);
	json_uint(&p->j, "tid", tid);
}

static void put_text(struct perfetto *p, const char *key, const char *text)
{
	char *safe = text_escape(text);

	json_text(&p->j, key, safe);
	free(safe);
}

static void put_name(struct perfetto *p, const char *of, uint64_t pid, uint64_t tid, char *name)
{
	open_event(p, "M", pid, tid);
	json_text(&p->j, "name", of);
	json_open(&p->j, "args", '{');
	put_text(p, "name", name);
	json_close(&p->j, '}');
	json_close(&p->j, '}');
	free(name);
}

static void put_order(struct perfetto *p, uint64_t pid, int64_t order)
{
	open_event(p, "M", pid, 0);
	json_text(&p->j, "name", "process_sort_index");
	json_open(&p->j, "args", '{');
	json_int(&p->j, "sort_index", order);
	json_close(&p->j, '}');
	json_close(&p->j, '}');
}

static uint64_t cpu_process(const struct perfetto *p, const struct tl_cpu *c)
{
	return CPU_PROCESS + timeline_container(p->tl, c->host, NULL);
}

static void put_cpus(struct perfetto *p)
{
	uint64_t pid, last = 0;
	size_t i;

	for (i = 0; i < p->tl->nr_cpus; i++) {
		const struct tl_cpu *c = p->tl->cpus[i];

		pid = cpu_process(p, c);
		if (pid != last) {
			put_name(p, "process_name", pid, 0,
				 xasprintf(CPUS_NAME "%s%s",
					   *c->host->trace->hostname ? " of " : "",
					   c->host->trace->hostname));
			put_order(p, pid, -1);
			last = pid;
		}
		put_name(p, "thread_name", pid, CPU_THREAD + i, xasprintf("CPU %d", c->cpu));
	}
}

/* Whoever names a container may call it as what is ours. */
static char *container_name(const char *title)
{
	const char *begin = title + strspn(title, " ");
	bool is_like_ours = !strncasecmp(begin, CPUS_NAME, strlen(CPUS_NAME)) ||
			    !strncasecmp(begin, PATH_NAME, strlen(PATH_NAME));

	return xasprintf("%s%s", is_like_ours ? "container " : "", title);
}

static void put_containers(struct perfetto *p)
{
	uint32_t i;

	p->titles = xcalloc(p->tl->nr_containers, sizeof(*p->titles));
	for (i = OWN_CONTAINER + 1; i < p->tl->nr_containers; i++) {
		struct tl_container *c = &p->tl->containers[i];

		p->titles[i] = timeline_title(c);
		if (timeline_container(p->tl, c->host, c->container) != i ||
		    !timeline_shows(p->tl, c))
			continue;
		put_name(p, "process_name", i, 0, container_name(p->titles[i]));
		put_order(p, i, (int64_t)i);
	}
}

/* The ids below the root after the tid: "nginx 894 (57/1)". */
static char *task_label(const struct tl_task *t)
{
	char *text = NULL, *label;
	size_t size;
	FILE *f = text_stream(&text, &size);
	int i;

	fprintf(f, "%s %d", t->task && *t->task->comm ? t->task->comm : "?", t->tid);
	for (i = 1; t->task && i < t->task->nr_levels; i++)
		fprintf(f, "%s%d", i > 1 ? "/" : " (", t->task->vtids[i]);
	if (t->task && t->task->nr_levels > 1)
		putc(')', f);
	fclose(f);
	label = xstrdup(text);
	free(text);
	return label;
}

static uint32_t present(struct perfetto *p, uint32_t number)
{
	const struct tl_container *c = &p->tl->containers[number];

	return timeline_container(p->tl, c->host, c->container);
}

static void put_slice(struct perfetto *p, uint64_t pid, uint64_t tid, uint64_t begin, uint64_t end)
{
	uint64_t from = p->tl->begin;

	open_event(p, "X", pid, tid);
	json_micros(&p->j, "ts", begin > from ? begin - from : 0);
	json_micros(&p->j, "dur", end - (begin > from ? begin : from));
}

/* Viewers show times from the begin; this is what a clock on the wall showed. */
static void put_wall_clock(struct perfetto *p, uint64_t ns)
{
	char text[TIME_TEXT_MAX];

	json_text(&p->j, "time", time_of_day(text, ns));
}

/* Who a task is on the host, and in each PID namespace below the root's. */
static void put_task_args(struct perfetto *p, const struct tl_task *t)
{
	int i;

	json_int(&p->j, "tid", t->tid);
	if (!t->task)
		return;
	if (t->task->pid >= 0)
		json_int(&p->j, "pid", t->task->pid);
	put_text(p, "comm", t->task->comm);
	if (t->task->nr_levels < 2)
		return;
	json_open(&p->j, "vtids", '[');
	for (i = 1; i < t->task->nr_levels; i++)
		json_int(&p->j, NULL, t->task->vtids[i]);
	json_close(&p->j, ']');
	json_uint(&p->j, "pid_ns", t->task->ns->inum);
}

static void put_run(void *ctx, const struct tl_run *r)
{
	struct perfetto *p = ctx;
	uint32_t container = present(p, r->container);
	char *label = task_label(r->task);

	put_slice(p, cpu_process(p, r->cpu), CPU_THREAD + r->cpu->number, r->begin, r->end);
	put_text(p, "name", label);
	json_open(&p->j, "args", '{');
	put_text(p, "container", p->titles[container]);
	put_task_args(p, r->task);
	put_wall_clock(p, r->begin);
	json_close(&p->j, '}');
	json_close(&p->j, '}');
	free(label);
	if (!timeline_shows(p->tl, &p->tl->containers[container]))
		return;
	counters_add(&p->counters, container, COUNT_RUNNING, r->begin, r->end);
	if (r->woken)
		counters_add(&p->counters, container, COUNT_WAITING, r->woken, r->begin);
	if (r->woken && r->woken < r->begin && r->begin > p->tl->begin) {
		put_slice(p, container, r->task->number + 1, r->woken, r->begin);
		json_text(&p->j, "name", "runnable");
		json_close(&p->j, '}');
	}
	put_slice(p, container, r->task->number + 1, r->begin, r->end);
	json_text(&p->j, "name", "running");
	json_open(&p->j, "args", '{');
	json_int(&p->j, "cpu", r->cpu->cpu);
	json_close(&p->j, '}');
	json_close(&p->j, '}');
}

static void put_flow_end(struct perfetto *p, const char *phase, uint32_t cpu, uint64_t ns)
{
	open_event(p, phase, cpu_process(p, p->tl->cpus[cpu]), CPU_THREAD + cpu);
	json_uint(&p->j, "id", p->nr_flows);
	json_text(&p->j, "cat", "wakeup");
	json_text(&p->j, "name", "wakeup");
	if (*phase == 'f')
		json_text(&p->j, "bp", "e");
	json_micros(&p->j, "ts", ns - p->tl->begin);
	json_close(&p->j, '}');
}

/* From the slice of the waker to that of the woken, on their CPUs. */
static void put_flow(void *ctx, const struct tl_wakeup *w)
{
	struct perfetto *p = ctx;

	/* Who is switched in by the last event of all has no slice. */
	if (w->woken < p->tl->begin || w->in >= p->tl->end ||
	    w->in >= p->tl->cpus[w->woken_cpu]->until)
		return;
	p->nr_flows++;
	put_flow_end(p, "s", w->waker_cpu, w->woken);
	put_flow_end(p, "f", w->woken_cpu, w->in);
}

static void put_tasks(struct perfetto *p)
{
	uint32_t in;
	size_t i;

	for (i = 0; i < p->tl->nr_tasks; i++) {
		in = timeline_task_container(p->tl, p->tl->tasks[i]);
		if (timeline_shows(p->tl, &p->tl->containers[in]))
			put_name(p, "thread_name", in, i + 1, task_label(p->tl->tasks[i]));
	}
}

static void put_losses(struct perfetto *p)
{
	size_t i;

	for (i = 0; i < p->tl->nr_losses; i++) {
		const struct tl_loss *l = &p->tl->losses[i];
		uint64_t pid = CPU_PROCESS + timeline_container(p->tl, l->host, NULL);
		uint64_t tid = LOST_THREAD + (uint64_t)(l->loss.cpu + 1);

		if (l->loss.end <= p->tl->begin || l->loss.begin >= p->tl->end)
			continue;
		put_name(p, "thread_name", pid, tid,
			 l->loss.cpu < 0 ? xstrdup("events lost")
					 : xasprintf("CPU %d: events lost", l->loss.cpu));
		put_slice(p, pid, tid, l->loss.begin, l->loss.end);
		json_text(&p->j, "name", "events lost");
		json_close(&p->j, '}');
	}
}

/* An arrow from the end of a step to the begin of the next, each of which is a slice. */
static void put_arrow(struct perfetto *p, size_t i, const char *phase, uint64_t ns)
{
	open_event(p, phase, PATH_PROCESS, p->tl->steps[i].task + 1);
	json_text(&p->j, "name", PATH_NAME);
	json_text(&p->j, "cat", "path");
	json_uint(&p->j, "id", *phase == 's' ? i + 1 : i);
	json_micros(&p->j, "ts", ns > p->tl->begin ? ns - p->tl->begin : 0);
	/* It ends in the slice that is there, not in the next. */
	if (*phase == 'f')
		json_text(&p->j, "bp", "e");
	json_close(&p->j, '}');
}

static void put_path(struct perfetto *p)
{
	const struct timeline *tl = p->tl;
	struct hash named = {0};
	size_t i;

	for (i = 0; i < tl->nr_steps; i++) {
		const struct tl_step *s = &tl->steps[i];

		if (!i)
			put_name(p, "process_name", PATH_PROCESS, 0, xstrdup(PATH_NAME));
		if (!hash_get(&named, s->task))
			put_name(p, "thread_name", PATH_PROCESS, s->task + 1,
				 task_label(tl->tasks[s->task]));
		hash_put(&named, s->task, p);
		put_slice(p, PATH_PROCESS, s->task + 1, s->begin, s->end);
		json_text(&p->j, "name", s->cause);
		json_close(&p->j, '}');
		if (i && tl->steps[i - 1].task != s->task)
			put_arrow(p, i, "f", s->begin);
		if (i + 1 < tl->nr_steps && tl->steps[i + 1].task != s->task)
			put_arrow(p, i, "s", s->end - 1);
	}
	hash_free(&named);
}

/* Who waits at the end has no run behind it. */
static void count_late(struct perfetto *p)
{
	uint32_t in;
	size_t i;

	for (i = 0; i < p->tl->nr_tasks; i++) {
		const struct tl_task *t = p->tl->tasks[i];

		in = timeline_task_container(p->tl, t);
		if (t->waiting && !(t->task && t->task->death) &&
		    timeline_shows(p->tl, &p->tl->containers[in]))
			counters_add(&p->counters, in, COUNT_WAITING, t->waiting, p->tl->end);
	}
}

static void put_counter(struct perfetto *p, uint64_t pid, uint64_t ns, const uint64_t *means)
{
	open_event(p, "C", pid, 0);
	json_text(&p->j, "name", "tasks");
	json_micros(&p->j, "ts", ns - p->tl->begin);
	json_open(&p->j, "args", '{');
	/* Thousandths, as ns of us. */
	json_micros(&p->j, "running", means[COUNT_RUNNING]);
	json_micros(&p->j, "waiting for a CPU", means[COUNT_WAITING]);
	json_close(&p->j, '}');
	json_close(&p->j, '}');
}

/* Viewers hold a value until the next one. */
static void put_counters(struct perfetto *p, uint32_t container)
{
	const struct counters *c = &p->counters;
	uint64_t last[COUNTER_NR] = {0}, now[COUNTER_NR];
	size_t i, what;

	for (i = 0; i < c->nr_steps && counters_moment(c, i) < c->end; i++) {
		for (what = 0; what < COUNTER_NR; what++)
			now[what] = counters_mean(c, container, (enum counter)what, i);
		if (!i || memcmp(now, last, sizeof(now)))
			put_counter(p, container, counters_moment(c, i), now);
		memcpy(last, now, sizeof(last));
	}
}

static int put_all_runs(struct perfetto *p)
{
	uint32_t i;
	int ret;

	p->counters = counters_new(p->tl->begin, p->tl->end, p->tl->nr_containers);
	ret = timeline_each_run(p->tl, put_run, p);
	count_late(p);
	for (i = 0; !ret && i < p->tl->nr_containers; i++)
		if (p->counters.of[i])
			put_counters(p, i);
	counters_free(&p->counters);
	return ret;
}

int timeline_perfetto(FILE *out, struct timeline *tl, const struct loaded *l)
{
	struct perfetto p = {.j = {.out = out, .embedded = true}, .tl = tl};
	uint32_t i;
	int ret;

	(void)l;
	json_open(&p.j, NULL, '{');
	json_text(&p.j, "displayTimeUnit", "ns");
	json_open(&p.j, "otherData", '{');
	json_time(&p.j, "begin_ns", tl->begin);
	json_time(&p.j, "end_ns", tl->end);
	json_close(&p.j, '}');
	json_open(&p.j, "traceEvents", '[');
	put_cpus(&p);
	put_containers(&p);
	put_tasks(&p);
	put_losses(&p);
	put_path(&p);
	ret = put_all_runs(&p);
	if (!ret)
		ret = timeline_each_wakeup(tl, put_flow, &p);
	json_close(&p.j, ']');
	json_close(&p.j, '}');
	putc('\n', out);
	for (i = 0; i < tl->nr_containers; i++)
		free(p.titles[i]);
	free(p.titles);
	return ret;
}
