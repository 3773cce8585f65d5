/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/report-host.h"
#include "base/text.h"
#include "timeline-page.h"
#include "timeline.h"
#include "base/util.h"

/*
 * The page: its head is JSON, the runs are as they are in the temporary file, as
 * base64. Times are ns from the timeline's begin. tools/timeline/data.js reads both.
 */
struct head {
	struct json j;
	struct timeline *tl;
	const struct loaded *l;
	struct hash cgroups; /* struct cgroup -> its number, from 1 on */
	const struct cgroup **cgroup_list;
	size_t nr_cgroups, cap_cgroups;
};

static void put_time(struct head *h, const char *key, uint64_t ns)
{
	uint64_t begin = h->tl->begin;

	json_int(&h->j, key, ns >= begin ? (int64_t)(ns - begin) : -(int64_t)(begin - ns));
}

/* A birth or a death; null: not in the trace. */
static void put_moment(struct head *h, const char *key, uint64_t ns)
{
	if (ns)
		put_time(h, key, ns);
	else
		json_null(&h->j, key);
}

/* Text of the trace, with what is invisible, or turns the line around, made visible. */
static void put_text(struct head *h, const char *key, const char *text)
{
	char *safe = text_escape(text);

	json_text(&h->j, key, safe);
	free(safe);
}

static void put_optional(struct head *h, const char *key, int64_t value, bool told)
{
	if (told)
		json_int(&h->j, key, value);
	else
		json_null(&h->j, key);
}

static int host_number(const struct head *h, const struct host *host)
{
	size_t i;

	for (i = 0; i < h->l->nr_hosts; i++)
		if (h->l->hosts[i] == host)
			break;
	return (int)i;
}

/* Many tasks share a cgroup: its path is written once. */
static void put_cgroup(struct head *h, const char *key, const struct cgroup *g)
{
	void *number = g ? hash_get(&h->cgroups, (uint64_t)(uintptr_t)g) : NULL;

	if (g && !number) {
		h->cgroup_list = grow(h->cgroup_list, h->nr_cgroups, &h->cap_cgroups,
				      sizeof(struct cgroup *));
		h->cgroup_list[h->nr_cgroups++] = g;
		number = (void *)(uintptr_t)h->nr_cgroups;
		hash_put(&h->cgroups, (uint64_t)(uintptr_t)g, number);
	}
	put_optional(h, key, (int64_t)(uintptr_t)number - 1, g != NULL);
}

static void put_hosts(struct head *h)
{
	size_t i;

	json_open(&h->j, "hosts", '[');
	for (i = 0; i < h->l->nr_hosts; i++) {
		json_open(&h->j, NULL, '{');
		put_text(h, "name", h->l->hosts[i]->trace->hostname);
		put_text(h, "session", h->l->hosts[i]->trace->session);
		json_bool(&h->j, "wakeups", h->tl->has_wakeups);
		json_silent_cpus(&h->j, "silent", h->l->hosts[i]);
		json_close(&h->j, '}');
	}
	json_close(&h->j, ']');
}

static void put_cpus(struct head *h)
{
	size_t i;

	json_open(&h->j, "cpus", '[');
	for (i = 0; i < h->tl->nr_cpus; i++) {
		const struct tl_cpu *c = h->tl->cpus[i];

		json_open(&h->j, NULL, '{');
		json_int(&h->j, "host", host_number(h, c->host));
		json_int(&h->j, "number", c->cpu);
		put_time(h, "start", c->started ? c->start : h->tl->begin);
		json_close(&h->j, '}');
	}
	json_close(&h->j, ']');
}

static void put_identity(struct head *h, const struct tl_container *this)
{
	char *title = timeline_title(this);
	const struct container *c = this->container;
	const struct pod *pod = c ? c->pod : NULL;

	put_text(h, "title", title);
	put_text(h, "runtime", c ? c->runtime : "");
	put_text(h, "id", c ? c->id : "");
	if (pod)
		put_text(h, "pod", pod->name ? pod->name : pod->id);
	put_optional(h, "pid_ns", c && c->ns ? c->ns->inum : 0, c && c->ns);
	put_cgroup(h, "cgroup", c ? c->cgroup : NULL);
	free(title);
}

static void put_container(struct head *h, uint32_t number)
{
	const struct tl_container *c = &h->tl->containers[number];
	uint32_t is = timeline_container(h->tl, c->host, c->container), parent = 0;

	json_open(&h->j, NULL, '{');
	if (is != number) {
		json_uint(&h->j, "is", is);
	} else {
		json_int(&h->j, "host", host_number(h, c->host));
		if (c->container)
			parent = timeline_container(h->tl, c->host,
						    container_parent(c->host->model, c->container));
		put_optional(h, "parent", parent, parent != 0);
		put_identity(h, c);
		if (!timeline_shows(h->tl, c))
			json_bool(&h->j, "other", true);
	}
	json_close(&h->j, '}');
}

static void put_containers(struct head *h)
{
	uint32_t i;

	json_open(&h->j, "containers", '[');
	json_null(&h->j, NULL);
	for (i = OWN_CONTAINER + 1; i < h->tl->nr_containers; i++)
		put_container(h, i);
	json_close(&h->j, ']');
}

static void put_task(struct head *h, const struct tl_task *t)
{
	const struct task *task = t->task;
	const struct task_cgroup *g = task ? task_main_cgroup(t->host->model, task) : NULL;
	int i;

	json_open(&h->j, NULL, '{');
	json_int(&h->j, "tid", t->tid);
	put_optional(h, "pid", task ? task->pid : -1, task && task->pid >= 0);
	json_open(&h->j, "vtids", '[');
	for (i = 0; task && i < task->nr_levels; i++)
		json_int(&h->j, NULL, task->vtids[i]);
	json_close(&h->j, ']');
	put_text(h, "comm", task ? task->comm : "");
	json_uint(&h->j, "container", timeline_task_container(h->tl, t));
	put_cgroup(h, "cgroup", g ? task_group(t->host->model, g) : NULL);
	put_moment(h, "born", task && task->forked ? task->birth : 0);
	put_moment(h, "died", task ? task->death : 0);
	put_moment(h, "waiting", task && task->death ? 0 : t->waiting);
	json_close(&h->j, '}');
}

static void put_tasks(struct head *h)
{
	size_t i;

	json_open(&h->j, "tasks", '[');
	for (i = 0; i < h->tl->nr_tasks; i++)
		put_task(h, h->tl->tasks[i]);
	json_close(&h->j, ']');
	json_open(&h->j, "cgroups", '[');
	for (i = 0; i < h->nr_cgroups; i++)
		put_text(h, NULL, h->cgroup_list[i]->path);
	json_close(&h->j, ']');
}

/* [CPU's place in the list, begin, end] */
static void put_unknowns(struct head *h)
{
	size_t i;

	json_open(&h->j, "unknown", '[');
	for (i = 0; i < h->tl->nr_unknowns; i++) {
		json_open(&h->j, NULL, '[');
		json_uint(&h->j, NULL, h->tl->unknowns[i].cpu);
		put_time(h, NULL, h->tl->unknowns[i].begin);
		put_time(h, NULL, h->tl->unknowns[i].end);
		json_close(&h->j, ']');
	}
	json_close(&h->j, ']');
}

/* [host, CPU's number or -1, begin, end, events or 0]: of packets it is not known how many. */
static void put_losses(struct head *h)
{
	size_t i;

	json_open(&h->j, "lost", '[');
	for (i = 0; i < h->tl->nr_losses; i++) {
		const struct loss *loss = &h->tl->losses[i].loss;

		if (loss->end < h->tl->begin || loss->begin > h->tl->end)
			continue;
		json_open(&h->j, NULL, '[');
		json_int(&h->j, NULL, host_number(h, h->tl->losses[i].host));
		json_int(&h->j, NULL, loss->cpu);
		put_time(h, NULL, loss->begin);
		put_time(h, NULL, loss->end);
		json_uint(&h->j, NULL, loss->packets ? 0 : loss->count);
		json_close(&h->j, ']');
	}
	json_close(&h->j, ']');
}

/* [task, begin, end, cause] */
static void put_path(struct head *h)
{
	size_t i;

	json_open(&h->j, "path", '[');
	for (i = 0; i < h->tl->nr_steps; i++) {
		const struct tl_step *s = &h->tl->steps[i];

		json_open(&h->j, NULL, '[');
		json_uint(&h->j, NULL, s->task);
		put_time(h, NULL, s->begin);
		put_time(h, NULL, s->end);
		json_text(&h->j, NULL, s->cause);
		json_close(&h->j, ']');
	}
	json_close(&h->j, ']');
}

static void put_head(FILE *out, struct timeline *tl, const struct loaded *l)
{
	struct head h = {.j = {.out = out, .embedded = true}, .tl = tl, .l = l};
	char *begin = xasprintf("%llu", (unsigned long long)tl->begin);

	json_open_document(&h.j, "timeline");
	json_text(&h.j, "begin", begin);
	put_time(&h, "span", tl->end);
	put_hosts(&h);
	put_cpus(&h);
	put_containers(&h);
	put_tasks(&h);
	put_unknowns(&h);
	put_losses(&h);
	put_path(&h);
	json_close(&h.j, '}');
	hash_free(&h.cgroups);
	free(h.cgroup_list);
	free(begin);
}

static void put_base64(FILE *out, const unsigned char *bytes, size_t nr)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i;

	for (i = 0; i < nr; i += 3) {
		uint32_t three = (uint32_t)bytes[i] << 16;

		if (i + 1 < nr)
			three |= (uint32_t)bytes[i + 1] << 8;
		if (i + 2 < nr)
			three |= bytes[i + 2];
		putc_unlocked(digits[three >> 18], out);
		putc_unlocked(digits[three >> 12 & 63], out);
		putc_unlocked(i + 1 < nr ? digits[three >> 6 & 63] : '=', out);
		putc_unlocked(i + 2 < nr ? digits[three & 63] : '=', out);
	}
}

static int put_runs(FILE *out, FILE *runs)
{
	/* A multiple of three: nothing is left over but at the end. */
	unsigned char bytes[3 * 4096];
	size_t nr;

	rewind(runs);
	while ((nr = fread(bytes, 1, sizeof(bytes), runs)) > 0)
		put_base64(out, bytes, nr);
	return ferror(runs) ? error("The temporary file cannot be read. reason=%s", strerror(errno))
			    : 0;
}

int timeline_html(FILE *out, struct timeline *tl, const struct loaded *l)
{
	int ret;

	fwrite(timeline_page_before, 1, timeline_page_before_size, out);
	fputs("<script type=\"application/json\" id=\"head\">", out);
	put_head(out, tl, l);
	fputs("</script>\n<script type=\"text/plain\" id=\"runs\">", out);
	ret = put_runs(out, tl->runs);
	fputs("</script>\n", out);
	fwrite(timeline_page_after, 1, timeline_page_after_size, out);
	return ret;
}
