/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/texts.h"
#include "base/util.h"
#include "metrics-shown.h"
#include "metrics-text.h"
#include "model/label.h"

#define PREFIX	   "lttng_containers_"
#define OTHER	   "(other)"
#define ENDED	   "(ended)"
#define UNTOLD	   "(unknown)"
/*
 * Of a cgroup's path, which each of a container's lines repeats, of which there is one for whomever
 * it waited for: the kernel has paths of 4,096 bytes, runtimes make some of 300.
 */
#define PATH_WIDTH 512

/* What is one container, or shown as one, is one line of its host. */
struct line {
	const char *label; /* escaped for a label's value, as the others */
	char *pod, *cgroup;
	const struct metric_row **rows;
	size_t nr, cap;
};

struct page {
	FILE *out;
	const struct metrics *m; /* of a host */
	char *host;		 /* escaped */
	struct texts labels;	 /* of the lines, in their order */
	struct line *lines;
	size_t nr, cap;
};

/* Text that is escaped as for a terminal; the caller frees it. */
static char *quoted(const char *safe)
{
	char *value = xcalloc(2 * strlen(safe) + 1, 1), *to = value;

	for (; *safe; safe++) {
		if (*safe == '"' || *safe == '\\')
			*to++ = '\\';
		*to++ = *safe;
	}
	return value;
}

static char *label_value(const char *text)
{
	char *safe = text_escape(text), *value = quoted(safe);

	free(safe);
	return value;
}

/* As seconds, exactly. */
static void put_seconds(FILE *out, ns_sum ns)
{
	fprintf(out, " %" PRIu64 ".%09" PRIu64 "\n", (uint64_t)(ns / NS_PER_SEC),
		(uint64_t)(ns % NS_PER_SEC));
}

/* The row of a container, which may have been taken for another one at first. */
static const struct metric_row *row_of(const struct metrics *m, struct container *c)
{
	return hash_get(&m->by_container, (uintptr_t)container_is(c));
}

/* The caller frees it. @row: where it is shown; NULL is other. */
static char *shown_label(const struct metric_row *row, const struct container *c)
{
	char *label, *value;

	if (!c)
		return xstrdup(HOST_LABEL);
	if (!row || row->shown == SHOWN_AS_OTHER || row->shown == SHOWN_NOT_YET)
		return xstrdup(OTHER);
	if (row->shown == SHOWN_AS_ENDED)
		return xstrdup(ENDED);
	label = container_label_safe(c);
	value = quoted(label);
	free(label);
	return value;
}

static struct line *line_of(struct page *p, const char *label)
{
	size_t i = text_number(&p->labels, label);

	if (i < p->nr)
		return &p->lines[i];
	p->lines = grow(p->lines, p->nr, &p->cap, sizeof(*p->lines));
	p->lines[p->nr++] = (struct line){.label = p->labels.list[i]};
	return &p->lines[i];
}

static char *pod_value(const struct container *c)
{
	char *label = c && c->pod ? pod_label(c->pod) : xstrdup(""), *value = label_value(label);

	free(label);
	return value;
}

static char *cgroup_value(const struct container *c)
{
	char *safe = text_escape(c->cgroup && c->cgroup->path ? c->cgroup->path : "");
	char *value = quoted(text_fit(safe, PATH_WIDTH));

	free(safe);
	return value;
}

static void add_line(struct page *p, const struct metric_row *r)
{
	struct container *c = container_is(r->container);
	const struct metric_row *shown = c ? row_of(p->m, c) : r;
	char *label = r->told ? shown_label(shown, c) : xstrdup(UNTOLD);
	struct line *l = line_of(p, label);
	bool itself = r->told && c && shown && shown->shown == SHOWN_ITSELF;

	l->rows = grow(l->rows, l->nr, &l->cap, sizeof(*l->rows));
	l->rows[l->nr++] = r;
	if (!l->pod) {
		l->pod = itself ? pod_value(c) : xstrdup("");
		l->cgroup = itself ? cgroup_value(c) : xstrdup("");
	}
	free(label);
}

static void page_clear(struct page *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++) {
		free(p->lines[i].pod);
		free(p->lines[i].cgroup);
		free(p->lines[i].rows);
	}
	texts_free(&p->labels);
	free(p->lines);
	free(p->host);
}

/* Two recordings of hosts of one name are told apart by their sessions. */
static char *host_value(const struct loaded *l, const struct host *h)
{
	char *text, *value;
	bool twin = false;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++)
		twin |= l->hosts[i] != h &&
			!strcmp(l->hosts[i]->trace->hostname, h->trace->hostname);
	text = twin ? xasprintf("%s/%s/%s/%zu", h->trace->hostname, h->trace->boot_id,
				h->trace->session, (size_t)h->begin)
		    : xstrdup(h->trace->hostname);
	value = label_value(text);
	free(text);
	return value;
}

/* Samples of one name and labels are refused: who writes a trace can choose all that is in them. */
static char *only_value(struct texts *taken, char *value, size_t number)
{
	size_t nr = taken->nr;

	while (text_number(taken, value) < nr) {
		char *longer = xasprintf("%s#%zu", value, number);

		free(value);
		value = longer;
	}
	return value;
}

/* @number: of the host, from 1 on. */
static void page_init(struct page *p, const struct loaded *l, size_t number, struct texts *taken)
{
	const struct host *h = l->hosts[number - 1];
	size_t i;

	p->m = h->user;
	p->host = only_value(taken, host_value(l, h), number);
	for (i = 0; i < p->m->nr_rows; i++)
		add_line(p, p->m->rows[i]);
}

static void put_labels(const struct page *p, const char *name, const struct line *l)
{
	fprintf(p->out, PREFIX "%s{host=\"%s\",container=\"%s\",pod=\"%s\",cgroup=\"%s\"", name,
		p->host, l->label, l->pod, l->cgroup);
}

typedef ns_sum line_sum(const struct metric_row *r);

static ns_sum cpu_of(const struct metric_row *r)
{
	return r->cpu;
}

static ns_sum interrupted_of(const struct metric_row *r)
{
	return r->interrupted;
}

static ns_sum sum_of(const struct line *l, line_sum *sum)
{
	ns_sum ns = 0;
	size_t i;

	for (i = 0; i < l->nr; i++)
		ns += sum(l->rows[i]);
	return ns;
}

static void put_sums(const struct page *p, const char *name, line_sum *sum)
{
	size_t i;

	for (i = 0; i < p->nr; i++) {
		put_labels(p, name, &p->lines[i]);
		putc('}', p->out);
		put_seconds(p->out, sum_of(&p->lines[i], sum));
	}
}

static void put_cpu(const struct page *p, const char *name)
{
	put_sums(p, name, cpu_of);
}

static void put_interrupted(const struct page *p, const char *name)
{
	put_sums(p, name, interrupted_of);
}

/* Who is shown as the culprit; the caller frees it. */
static char *culprit_label(const struct page *p, const struct culprit *who)
{
	struct container *c = container_is(who->container);

	switch (who->kind) {
	case BY_TASKS:
		if (!who->told)
			return xstrdup(UNTOLD);
		return shown_label(c ? row_of(p->m, c) : NULL, c);
	case BY_INTERRUPTS:
		return xstrdup("(interrupts)");
	case BY_IDLE:
		return xstrdup("(idle)");
	case BY_QUOTA:
		return xstrdup("(throttled by a quota)");
	case BY_OTHERS:
		return xstrdup("(others)");
	default:
		return xstrdup(UNTOLD);
	}
}

static void put_culprits_of(const struct page *p, const char *name, const struct line *l)
{
	struct texts labels = {0};
	ns_sum *sums = NULL;
	size_t cap = 0, i, k, at, nr;

	for (i = 0; i < l->nr; i++)
		for (k = 0; k < l->rows[i]->blames.nr; k++) {
			char *label = culprit_label(p, &l->rows[i]->blames.list[k].who);

			nr = labels.nr;
			at = text_number(&labels, label);
			sums = grow(sums, nr, &cap, sizeof(*sums));
			if (at == nr)
				sums[at] = 0;
			sums[at] += l->rows[i]->blames.list[k].ns;
			free(label);
		}
	for (at = 0; at < labels.nr; at++) {
		put_labels(p, name, l);
		fprintf(p->out, ",culprit=\"%s\"}", labels.list[at]);
		put_seconds(p->out, sums[at]);
	}
	texts_free(&labels);
	free(sums);
}

static void put_waiting(const struct page *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		put_culprits_of(p, name, &p->lines[i]);
}

/* Not where the trace cannot tell. */
static void put_throttled(const struct page *p, const char *name)
{
	size_t i, k, b;

	for (i = 0; i < p->nr && p->m->host->offers[EV_THROTTLE]; i++) {
		const struct line *l = &p->lines[i];
		ns_sum ns = 0;

		for (k = 0; k < l->nr; k++)
			for (b = 0; b < l->rows[k]->blames.nr; b++)
				if (l->rows[k]->blames.list[b].who.kind == BY_QUOTA)
					ns += l->rows[k]->blames.list[b].ns;
		put_labels(p, name, l);
		putc('}', p->out);
		put_seconds(p->out, ns);
	}
}

static void put_bucket(const struct page *p, const char *name, const struct line *l, const char *le,
		       uint64_t count)
{
	char bucket[64];

	snprintf(bucket, sizeof(bucket), "%s_bucket", name);
	put_labels(p, bucket, l);
	fprintf(p->out, ",le=\"%s\"} %" PRIu64 "\n", le, count);
}

static void put_histogram(const struct page *p, const char *name, const struct line *l)
{
	static const char *const les[LATENCY_BUCKETS] = {"1e-06", "1e-05", "0.0001", "0.001",
							 "0.01",  "0.1",   "1.0",    "10.0"};
	uint64_t count = 0, waits = 0;
	ns_sum waited = 0;
	char text[64];
	size_t i, b;

	for (b = 0; b < LATENCY_BUCKETS; b++) {
		for (i = 0; i < l->nr; i++)
			count += l->rows[i]->buckets[b];
		put_bucket(p, name, l, les[b], count);
	}
	for (i = 0; i < l->nr; i++) {
		waits += l->rows[i]->waits;
		waited += l->rows[i]->waited;
	}
	put_bucket(p, name, l, "+Inf", waits);
	snprintf(text, sizeof(text), "%s_sum", name);
	put_labels(p, text, l);
	putc('}', p->out);
	put_seconds(p->out, waited);
	snprintf(text, sizeof(text), "%s_count", name);
	put_labels(p, text, l);
	fprintf(p->out, "} %" PRIu64 "\n", waits);
}

static void put_latency(const struct page *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		put_histogram(p, name, &p->lines[i]);
}

static void put_blocked(const struct page *p, const char *name)
{
	static const char *const causes[BLOCKED_NR] = {
		[BLOCKED_UNINTERRUPTIBLE] = "uninterruptible",
		[BLOCKED_TASK] = "task",
		[BLOCKED_INTERRUPT] = "interrupt",
		[BLOCKED_UNKNOWN] = "unknown",
	};
	size_t i, k, cause;

	for (i = 0; i < p->nr; i++)
		for (cause = 0; cause < BLOCKED_NR; cause++) {
			ns_sum ns = 0;

			for (k = 0; k < p->lines[i].nr; k++)
				ns += p->lines[i].rows[k]->blocked[cause];
			put_labels(p, name, &p->lines[i]);
			fprintf(p->out, ",cause=\"%s\"}", causes[cause]);
			put_seconds(p->out, ns);
		}
}

static void put_host_seconds(const struct page *p, const char *name, ns_sum ns)
{
	fprintf(p->out, PREFIX "%s{host=\"%s\"}", name, p->host);
	put_seconds(p->out, ns);
}

static void put_host_count(const struct page *p, const char *name, uint64_t count)
{
	fprintf(p->out, PREFIX "%s{host=\"%s\"} %" PRIu64 "\n", name, p->host, count);
}

static void put_idle(const struct page *p, const char *name)
{
	put_host_seconds(p, name, p->m->idle);
}

static void put_interrupts(const struct page *p, const char *name)
{
	put_host_seconds(p, name, p->m->interrupts);
}

static void put_unknown(const struct page *p, const char *name)
{
	put_host_seconds(p, name, p->m->unknown);
}

static void put_unplaced(const struct page *p, const char *name)
{
	put_host_seconds(p, name, p->m->unplaced);
}

static void put_recorder(const struct page *p, const char *name)
{
	put_host_seconds(p, name, p->m->recorder);
}

static void put_lost_events(const struct page *p, const char *name)
{
	put_host_count(p, name, p->m->host->model->nr_lost_events);
}

static void put_lost_packets(const struct page *p, const char *name)
{
	put_host_count(p, name, p->m->host->model->nr_lost_packets);
}

static void put_losses(const struct page *p, const char *name)
{
	put_host_count(p, name, p->m->host->model->nr_losses);
}

/* How many are not shown by name, and as what they are. */
static void put_cut(const struct page *p, const char *name)
{
	static const char *const shown[] = {
		[SHOWN_ITSELF] = "itself", [SHOWN_AS_ENDED] = ENDED, [SHOWN_AS_OTHER] = OTHER};
	size_t i, as;

	for (as = SHOWN_ITSELF; as <= SHOWN_AS_OTHER; as++) {
		uint64_t nr = 0;

		for (i = 0; i < p->m->nr_rows; i++)
			if (metric_is_apart(p->m->rows[i]) && p->m->rows[i]->shown == as)
				nr += p->m->rows[i]->nr_added ? p->m->rows[i]->nr_added : 1;
		fprintf(p->out, PREFIX "%s{host=\"%s\",shown=\"%s\"} %" PRIu64 "\n", name, p->host,
			shown[as], nr);
	}
}

enum family_type { COUNTER, GAUGE, HISTOGRAM };

/* In OpenMetrics a counter's family has no _total at its end, its samples have. */
static const struct family {
	const char *name;
	enum family_type type;
	const char *help;
	void (*put)(const struct page *p, const char *name);
} families[] = {
	{"cpu_seconds_total", COUNTER,
	 "CPU time that tasks of a container took, without interrupts.", put_cpu},
	{"interrupted_seconds_total", COUNTER,
	 "CPU time that interrupts took from tasks of a container.", put_interrupted},
	{"waiting_seconds_total", COUNTER,
	 "Time that runnable tasks of a container waited for a CPU, by who had it.", put_waiting},
	{"throttled_seconds_total", COUNTER,
	 "Of that, time that quotas kept its tasks from CPUs, all tasks added up.", put_throttled},
	{"scheduling_latency_seconds", HISTOGRAM,
	 "How long tasks of a container waited for a CPU when they could run.", put_latency},
	{"blocked_seconds_total", COUNTER,
	 "Time that tasks of a container could not run, by what that was for.", put_blocked},
	{"idle_seconds_total", COUNTER, "Time that CPUs were idle.", put_idle},
	{"interrupt_seconds_total", COUNTER, "Time that CPUs served interrupts.", put_interrupts},
	{"unknown_seconds_total", COUNTER,
	 "CPU time of an unknown task: before a CPU's first switch, or as events"
	 " were lost.",
	 put_unknown},
	{"unplaced_seconds", GAUGE, "CPU time of tasks whose container is unknown yet.",
	 put_unplaced},
	{"recorder_cpu_seconds_total", COUNTER,
	 "CPU time that LTTng's daemons and this program took on the host.", put_recorder},
	{"lost_events_total", COUNTER, "Events that were lost, where they are counted.",
	 put_lost_events},
	{"lost_packets_total", COUNTER, "Packets of events that were lost.", put_lost_packets},
	{"losses_total", COUNTER, "How often events were lost.", put_losses},
	{"containers", GAUGE, "Containers by how they are shown: themselves, or added up.",
	 put_cut},
};

static void put_head(FILE *out, const struct family *f, bool openmetrics)
{
	static const char *const types[] = {"counter", "gauge", "histogram"};
	static const char total[] = "_total";
	size_t len = strlen(f->name);

	if (openmetrics && f->type == COUNTER)
		len -= strlen(total);
	fprintf(out, "# HELP " PREFIX "%.*s %s\n# TYPE " PREFIX "%.*s %s\n", (int)len, f->name,
		f->help, (int)len, f->name, types[f->type]);
}

void metrics_text(FILE *out, const struct loaded *l, size_t max, bool openmetrics)
{
	struct page *pages = xcalloc(l->nr_hosts + 1, sizeof(*pages));
	struct texts taken = {0}; /* what hosts are called */
	size_t i, k;

	for (k = 0; k < l->nr_hosts; k++) {
		containers_label(l->hosts[k]->model);
		metrics_join(l->hosts[k]->user);
		metrics_choose(l->hosts[k]->user, max);
		pages[k].out = out;
		page_init(&pages[k], l, k + 1, &taken);
	}
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		put_head(out, &families[i], openmetrics);
		for (k = 0; k < l->nr_hosts; k++)
			families[i].put(&pages[k], families[i].name);
	}
	if (openmetrics)
		fputs("# EOF\n", out);
	for (k = 0; k < l->nr_hosts; k++)
		page_clear(&pages[k]);
	texts_free(&taken);
	free(pages);
}
