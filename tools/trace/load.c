/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "model/schema.h"
#include "base/text.h"
#include "base/util.h"

/* What a long name of a host leaves to the names behind it. */
#define PREFIX_COLUMNS 20

static struct host *find_host(struct loaded *l, const struct trace_info *t)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct trace_info *h = l->hosts[i]->trace;

		if (!strcmp(h->hostname, t->hostname) && !strcmp(h->boot_id, t->boot_id) &&
		    !strcmp(h->session, t->session) && h->shape == t->shape)
			return l->hosts[i];
	}
	return NULL;
}

/* What the metadata say can be judged without a single event. */
static void judge_metadata(struct verdicts *v, const struct trace_info *t)
{
	const struct event at = {.kind = EV_NR, .cpu = -1, .ns = 0, .trace = t->path};
	enum event_kind k;
	size_t i;

	for (k = 0; k < EV_NR; k++) {
		/* Without a state dump it is not known which shape's events are missing. */
		unsigned int needed =
			event_descs[k].needed & (t->shape == SHAPE_NONE ? IN_2_12 : 1u << t->shape);

		if (needed)
			judge(v, RULE_EVENTS_PRESENT, SURE, t->offers[k], &at,
			      "missing_event=%s remedy=\"lttng enable-event -k %s\"",
			      event_descs[k].name, event_descs[k].name);
	}
	for (i = 0; i < t->nr_good_fields; i++)
		verdict_ok(v, RULE_FIELD_TYPES);
	for (i = 0; i < t->nr_problems; i++)
		verdict_fail(v, RULE_FIELD_TYPES, &at, "event=%s field=%s wanted=%s saw=%s",
			     event_descs[t->problems[i].kind].name, t->problems[i].field,
			     t->problems[i].wanted, t->problems[i].saw);
}

/*
 * `lttng-containers record` names its session lttng-containers-PID-UID-RANDOM, after
 * its process and user, for readers to know which lines are its own. Before 0.2
 * the user was not told.
 */
static void take_recorder(struct model_options *opt, const char *session)
{
	static const char prefix[] = "lttng-containers-";
	char *end, *second;
	long pid, uid;

	opt->recorder_pid = 0;
	opt->recorder_uid = ABSENT;
	if (strncmp(session, prefix, strlen(prefix)))
		return;
	pid = strtol(session + strlen(prefix), &end, 10);
	if (pid <= 0 || *end != '-')
		return;
	opt->recorder_pid = pid;
	if (end[1] < '0' || end[1] > '9')
		return;
	uid = strtol(end + 1, &second, 10);
	if (*second == '-')
		opt->recorder_uid = uid;
}

static struct host *add_host(struct loaded *l, const struct trace_info *t)
{
	struct model_options opt = l->opt->model;
	struct host *h = xcalloc(1, sizeof(*h));

	take_recorder(&opt, t->session);
	h->trace = t;
	h->prefix = xstrdup("");
	memcpy(h->offers, t->offers, sizeof(h->offers));
	h->opt = l->opt;
	h->model = model_new(&l->verdicts, t->shape, t->offers, &opt);
	if (l->opt->sched) {
		h->sched = sched_new(h->model, l->opt->sched, h);
		h->cpus = sched_cpus(h->sched);
	}
	l->hosts = grow(l->hosts, l->nr_hosts, &l->cap_hosts, sizeof(struct host *));
	l->hosts[l->nr_hosts++] = h;
	return h;
}

static int on_trace(void *ctx, struct trace_info *t)
{
	struct loaded *l = ctx;
	struct host *h = find_host(l, t);
	int ret = 0;

	judge_metadata(&l->verdicts, t);
	if (!h) {
		h = add_host(l, t);
		if (l->opt->on_host)
			ret = l->opt->on_host(l->opt->ctx, h);
	}
	t->user = h;
	return ret;
}

/* The moment may be relative to the begin of the trace, which the first event tells. */
static void fix_begin(struct loaded *l, struct host *h, uint64_t ns)
{
	h->begin = h->trace->begin ? h->trace->begin : ns;
	if (l->opt->at)
		time_parse(l->opt->at, h->begin, &h->model->attributes_until);
	if (l->opt->on_begin)
		l->opt->on_begin(l->opt->ctx, h);
}

static void know_cpu(struct host *h, int64_t cpu, bool has_records)
{
	if ((size_t)cpu < h->nr_cpus) {
		h->has_records[cpu] |= has_records;
		return;
	}
	if (cpu >= 0 && cpu < CPUS_MAX) {
		h->has_records = xrealloc(h->has_records, (size_t)cpu + 1, sizeof(bool));
		memset(h->has_records + h->nr_cpus, 0, (size_t)cpu + 1 - h->nr_cpus);
		h->nr_cpus = (size_t)cpu + 1;
		h->has_records[cpu] = has_records;
	}
}

bool host_lacks_cpu(const struct host *h, size_t cpu)
{
	return h->offers[EV_SWITCH] && cpu < h->nr_cpus && !h->has_records[cpu];
}

/* The CPUs of which others tell. */
static void know_named_cpu(struct host *h, const struct event *ev)
{
	switch (ev->kind) {
	case EV_DUMP_PROCESS:
		know_cpu(h, ev->process.cpu, false);
		break;
	case EV_WAKING:
	case EV_WAKEUP:
	case EV_WAKEUP_NEW:
		know_cpu(h, ev->wake.target_cpu, false);
		break;
	case EV_MIGRATE:
		know_cpu(h, ev->migrate.dest_cpu, false);
		break;
	default:
		break;
	}
}

static int on_event(void *ctx, struct trace_info *t, const struct event *ev)
{
	struct loaded *l = ctx;
	struct host *h = t->user;

	if (!h->begin)
		fix_begin(l, h, ev->ns);
	if (l->opt->before_event)
		l->opt->before_event(l->opt->ctx, h, ev->ns);
	know_named_cpu(h, ev);
	if (h->cpus && (ev->kind == EV_CGROUP_ATTACH || ev->kind == EV_CGROUP_TRANSFER))
		cpus_before_move(h->cpus, ev);
	model_event(h->model, ev);
	if (h->sched)
		sched_event(h->sched, ev, h->begin);
	return l->opt->after_event ? l->opt->after_event(l->opt->ctx, h, ev) : 0;
}

static int on_cpu(void *ctx, struct trace_info *t, int cpu, uint64_t ns)
{
	struct host *h = t->user;

	(void)ctx;
	know_cpu(h, cpu, true);
	if (h->cpus)
		cpus_meet(h->cpus, cpu, ns);
	return 0;
}

static int on_loss(void *ctx, struct trace_info *t, const struct loss *loss)
{
	struct loaded *l = ctx;
	struct host *h = t->user;

	if (h->cpus)
		cpus_before_loss(h->cpus, loss);
	model_loss(h->model, loss);
	if (h->sched)
		sched_loss(h->sched, loss);
	if (l->opt->on_loss)
		l->opt->on_loss(l->opt->ctx, h, loss);
	return 0;
}

/* The same boot, or where that is not told the same name; of its sessions the same, if traced. */
static struct host *host_of_user(const struct loaded *l, const struct trace_info *t)
{
	struct host *found = NULL;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		const struct trace_info *h = l->hosts[i]->trace;
		bool same = *h->boot_id && *t->boot_id ? !strcmp(h->boot_id, t->boot_id)
						       : !strcmp(h->hostname, t->hostname);

		if (same && (!found || !strcmp(h->session, t->session)))
			found = l->hosts[i];
	}
	return found;
}

static int on_user_event(void *ctx, struct trace_info *t, const struct user_event *ev)
{
	struct loaded *l = ctx;

	if (!t->user)
		t->user = host_of_user(l, t);
	return t->user ? l->opt->on_user_event(l->opt->ctx, t->user, ev) : 0;
}

static void sum_up(struct loaded *l)
{
	size_t i;

	for (i = 0; i < l->reader.nr_traces; i++) {
		const struct trace_info *t = &l->reader.traces[i];
		struct host *h = t->user;

		if (!h || !t->is_kernel)
			continue;
		if (t->begin && (!h->begin || t->begin < h->begin))
			h->begin = t->begin;
		if (t->end > h->end)
			h->end = t->end;
		if (t->last > h->last)
			h->last = t->last;
		h->nr_events += t->nr_events;
	}
}

static uint64_t wants_of(const struct load_options *opt)
{
	if (opt->after_event && !opt->wants && !opt->sched)
		return UINT64_MAX;
	return opt->wants | (opt->sched ? sched_wants(opt->sched) : 0);
}

struct reader_callbacks load_begin(struct loaded *l, const struct load_options *opt)
{
	l->opt = opt;
	return (struct reader_callbacks){
		.on_trace = on_trace,
		.on_event = on_event,
		.on_loss = on_loss,
		.on_cpu = on_cpu,
		.wants = wants_of(opt),
		.on_user_event = opt->on_user_event ? on_user_event : NULL,
		.ctx = l,
	};
}

/* How often that was asked for, this time included. */
static uintptr_t count_name(struct hash *names, const char *name)
{
	uint64_t key = hash_text(name, strlen(name));
	uintptr_t nr = (uintptr_t)hash_get(names, key) + 1;

	hash_put(names, key, (void *)nr);
	return nr;
}

/* Behind a colon is a container's name. */
static char *escape_colons(const char *text)
{
	char *safe = text_escape(text), *name = xcalloc(4 * strlen(safe) + 1, 1), *to = name;
	const char *from;

	for (from = safe; *from; from++)
		to = *from == ':' ? stpcpy(to, "\\x3a") : (*to = *from, to + 1);
	free(safe);
	return name;
}

static char *fitting(const char *name)
{
	return text_fit(xstrdup(name), PREFIX_COLUMNS);
}

/* As nobody is called yet; takes @name. */
static char *only_name(struct hash *taken, char *name)
{
	uintptr_t nr = count_name(taken, name);
	char *only = xstrdup(name);

	while (nr > 1) {
		free(only);
		only = xasprintf("%s#%zu", name, (size_t)nr);
		nr = count_name(taken, only) > 1 ? count_name(taken, name) : 1;
	}
	free(name);
	return only;
}

/*
 * Names are of one host only, and those in front of them of no two: what has one name is added up.
 * What is cut is so where that tells it from all others.
 */
static void name_hosts(struct loaded *l)
{
	struct hash alike = {0}, taken = {0};
	char **names = xcalloc(l->nr_hosts, sizeof(*names)), *short_one;
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		names[i] = escape_colons(l->hosts[i]->trace->hostname);
		short_one = fitting(names[i]);
		count_name(&alike, short_one);
		free(short_one);
	}
	for (i = 0; i < l->nr_hosts; i++) {
		short_one = fitting(names[i]);
		if ((uintptr_t)hash_get(&alike, hash_text(short_one, strlen(short_one))) > 1) {
			free(short_one);
			short_one = xstrdup(names[i]);
		}
		short_one = only_name(&taken, short_one);
		free(l->hosts[i]->prefix);
		l->hosts[i]->prefix = xasprintf("%s:", short_one);
		free(short_one);
		free(names[i]);
	}
	free(names);
	hash_free(&alike);
	hash_free(&taken);
}

void load_end(struct loaded *l)
{
	size_t i;

	sum_up(l);
	for (i = 0; i < l->nr_hosts; i++) {
		struct host *h = l->hosts[i];

		if (h->sched)
			sched_finish(h->sched, h->begin, h->last);
		model_finish(h->model);
		containers_label(h->model);
	}
	if (l->nr_hosts > 1)
		name_hosts(l);
}

int load(struct loaded *l, char *const *paths, size_t nr_paths, const struct load_options *opt)
{
	const struct reader_callbacks cb = load_begin(l, opt);

	if (reader_run(&l->reader, paths, nr_paths, &cb))
		return -1;
	load_end(l);
	return 0;
}

#define EARLY (3 * 365 * 86400 * NS_PER_SEC)

int load_check_time(const struct loaded *l, const char *option, const char *text)
{
	uint64_t ns;
	size_t i;

	if (!text || *text == '+' || strchr(text, ':') || time_parse(text, 0, &ns) || ns >= EARLY)
		return 0;
	for (i = 0; i < l->nr_hosts; i++)
		if (ns >= l->hosts[i]->begin)
			return 0;
	return error("The time is before the trace, as it is one of seconds since the epoch; did"
		     " you mean +%s? %s=%s",
		     text, option, text);
}

int load_check_moment(const struct loaded *l)
{
	const char *at = l->opt->at;
	char from[TIME_TEXT_MAX], to[TIME_TEXT_MAX];
	size_t i;

	if (!at || !l->nr_hosts)
		return 0;
	if (load_check_time(l, "at", at))
		return -1;
	for (i = 0; i < l->nr_hosts; i++) {
		const struct host *h = l->hosts[i];
		uint64_t moment = h->model->attributes_until;

		if (moment >= h->begin && moment <= h->end)
			return 0;
	}
	return error("The time of --at lies outside of the trace. at=%s begin=\"%s\" end=\"%s\"",
		     at, time_full(from, l->hosts[0]->begin), time_full(to, l->hosts[0]->end));
}

void loaded_free(struct loaded *l)
{
	size_t i;

	for (i = 0; i < l->nr_hosts; i++) {
		sched_free(l->hosts[i]->sched);
		model_free(l->hosts[i]->model);
		free(l->hosts[i]->has_records);
		free(l->hosts[i]->prefix);
		free(l->hosts[i]);
	}
	free(l->hosts);
	verdict_free(&l->verdicts);
	reader_free(&l->reader);
}
