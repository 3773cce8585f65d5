/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/cpu/cpu-fleet.h"
#include "fake-http.h"
#include "fake-reader.h"
#include "trace/live.h"
#include "trace/reader.h"
#include "model/schema.h"
#include "base/util.h"

/* It promises what messages.c does: order of time, kinds that are wanted, texts for the call only.
 */

#define BEGIN_DEFAULT 1700000000000000000
/* What a trace's clock says when it begins, as with the fixtures. */
#define CLOCK_BEGIN   1000000000000
#define BOOT_ID	      "1b5f0a5e-6a0c-4d0a-9c63-5f7d1c3a8e21"

/*
 * What may be read of one input by WIRE_AGAIN: more than any command has before it forgets some.
 */
#define AGAIN_NS       1000000
#define AGAIN_MAX      5000
/* Numbers of tasks and control groups that are one's own, in fixtures; and inodes. */
#define FIRST_OWN      1000
#define FIRST_NO_OWN   (1 << 20)
#define FIRST_INODE    4026532000
#define FIRST_NO_INODE 4026600000

struct wire fake_input;

struct fake {
	struct reader *r;
	const struct reader_callbacks *cb;
	const struct live_callbacks *live; /* NULL: it is a trace */
	struct wire in;
	uint64_t now;
	/* Where the last records began; the newest is first. */
	const uint8_t *last[WIRE_AGAIN_RECORDS];
	unsigned int again; /* for the how manieth time records are read; 0: once */
	unsigned int nr_again;
	/* Names of system calls and of user-space events live as long as the reading. */
	char **names;
	size_t nr_names, cap_names;
};

static void pass_time(struct fake *f, int64_t ns)
{
	if (ns <= 0)
		return;
	if (f->again)
		ns %= AGAIN_NS;
	f->now = (uint64_t)ns > INT64_MAX - f->now ? INT64_MAX : f->now + (uint64_t)ns;
}

/* No shape offers what would make it another one. */
static void fit_offers(struct trace_info *t)
{
	if (t->shape != SHAPE_OURS)
		t->offers[EV_DUMP_NAMESPACE] = t->offers[EV_DUMP_CGROUP] =
			t->offers[EV_DUMP_PROCESS_CGROUP] = false;
	if (t->shape == SHAPE_NONE)
		t->offers[EV_DUMP_PROCESS] = false;
}

static int meet(struct fake *f, struct trace_info *t, char *hostname, char *boot_id, char *session,
		bool is_kernel)
{
	t->seen = true;
	t->has_clock = true;
	t->is_kernel = is_kernel;
	t->hostname = hostname ? hostname : xstrdup("");
	t->session = session ? session : xstrdup("");
	t->domain = xstrdup(is_kernel ? "kernel" : "ust");
	t->clock_offset = (int64_t)f->now - CLOCK_BEGIN;
	/* It is made of the clock's uuid, and so is never hostile. */
	if (boot_id && *boot_id)
		memcpy(t->boot_id, BOOT_ID, sizeof(BOOT_ID));
	free(boot_id);
	fit_offers(t);
	return is_kernel ? f->cb->on_trace(f->cb->ctx, t) : 0;
}

static void set_problem(struct trace_info *t, enum event_kind kind)
{
	if (!event_descs[kind].nr_fields)
		return;
	t->problems = grow(t->problems, t->nr_problems, &t->cap_problems, sizeof(*t->problems));
	t->problems[t->nr_problems++] = (struct field_problem){
		.kind = kind,
		.field = event_descs[kind].fields[0].name,
		.wanted = xstrdup("text"),
		.saw = xstrdup("nothing"),
	};
}

static enum event_kind wire_kind(struct fake *f)
{
	return wire_kinds[wire_byte(&f->in) % EV_NR];
}

static void set_offers(struct trace_info *t, uint64_t without)
{
	size_t i;

	for (i = 0; !t->seen && i < EV_NR; i++)
		if (without >> i & 1)
			t->offers[wire_kinds[i]] = false;
}

static int on_trace(struct fake *f, struct trace_info *t)
{
	uint8_t shape = wire_byte(&f->in), flags = wire_byte(&f->in);
	char *hostname, *boot_id, *session;
	int64_t begin;

	if (!t->seen && flags & WIRE_WITHOUT)
		t->offers[wire_kind(f)] = false;
	if (!t->seen && flags & WIRE_HAS_PROBLEM)
		set_problem(t, wire_kind(f));
	if (flags & WIRE_OFFERS)
		set_offers(t, wire_number(&f->in, 8));
	hostname = wire_text(&f->in);
	boot_id = wire_text(&f->in);
	session = wire_text(&f->in);
	begin = wire_int(&f->in);
	if (t->seen) {
		free(hostname);
		free(boot_id);
		free(session);
		return 0;
	}
	t->shape = shape % SHAPE_NR;
	if (!f->now)
		f->now = begin > 0 ? (uint64_t)begin : BEGIN_DEFAULT;
	return meet(f, t, hostname, boot_id, session, !(flags & WIRE_IS_USER));
}

static const char *keep_name(struct fake *f, char *name)
{
	f->names = grow(f->names, f->nr_names, &f->cap_names, sizeof(*f->names));
	f->names[f->nr_names++] = name ? name : xstrdup("");
	return f->names[f->nr_names - 1];
}

static int64_t read_int(struct fake *f)
{
	int64_t n = wire_int(&f->in);
	bool is_own =
		(n >= FIRST_OWN && n < FIRST_NO_OWN) || (n >= FIRST_INODE && n < FIRST_NO_INODE);

	return is_own ? n + f->again : n;
}

/* A # is what time it is. */
static char *read_text(struct fake *f)
{
	char *text = wire_text(&f->in), *with, *at = f->again && text ? strchr(text, '#') : NULL;

	if (!at)
		return text;
	with = xasprintf("%.*s%u%s", (int)(at - text), text, f->again, at + 1);
	free(text);
	return with;
}

static void read_seq(struct fake *f, struct seq *seq, int64_t room)
{
	/* There may be room for more than in this kind of them. */
	int64_t i, *v = seq->v;

	seq->nr = wire_int(&f->in);
	if (seq->nr < 0)
		seq->nr = -1;
	for (i = 0; i < seq->nr && i < room; i++)
		v[i] = read_int(f);
}

static void read_fields(struct fake *f, struct event *ev)
{
	const struct event_desc *desc = &event_descs[ev->kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++) {
		char *to = (char *)ev + desc->fields[i].offset;

		switch (desc->fields[i].type) {
		case TYPE_INT:
		case TYPE_CONTEXT:
			*(int64_t *)to = field_value(&desc->fields[i], read_int(f));
			break;
		case TYPE_TEXT:
			*(char **)to = read_text(f);
			break;
		case TYPE_VARIANT:
			*(const char **)to = keep_name(f, wire_text(&f->in));
			break;
		case TYPE_SEQ:
		case TYPE_STACK:
			read_seq(f, (struct seq *)to, (int64_t)type_room(desc->fields[i].type));
			break;
		}
	}
}

static void free_fields(struct event *ev)
{
	const struct event_desc *desc = &event_descs[ev->kind];
	size_t i;

	for (i = 0; i < desc->nr_fields; i++)
		if (desc->fields[i].type == TYPE_TEXT)
			free(*(char **)((char *)ev + desc->fields[i].offset));
}

static void count(struct fake *f, struct trace_info *t)
{
	t->nr_events++;
	t->last = f->now;
	trace_extend(t, f->now);
}

/* A session's is shown when it is time, and then somebody may ask for it. */
static int tell_time(struct fake *f)
{
	int ret = f->live ? f->live->on_time(f->live->ctx, f->now) : 0;

	if (f->live)
		fake_http_ask();
	return ret;
}

static int on_event(struct fake *f, struct trace_info *t, enum event_kind kind)
{
	struct event ev = {.kind = kind, .trace = t->path};
	int ret = 0;

	event_clear(&ev, kind);
	ev.cpu = cpu_of_trace((uint64_t)wire_int(&f->in));
	pass_time(f, wire_int(&f->in));
	read_fields(f, &ev);
	if (t->is_kernel && t->offers[kind]) {
		ev.ns = f->now;
		ret = tell_time(f);
		count(f, t);
		if (!ret && (kind < EV_FIRST_ON_DEMAND || f->cb->wants & 1ull << kind))
			ret = f->cb->on_event(f->cb->ctx, t, &ev);
	}
	free_fields(&ev);
	return ret;
}

static int on_loss(struct fake *f, struct trace_info *t)
{
	struct loss loss = {.cpu = cpu_of_trace((uint64_t)wire_int(&f->in)), .trace = t->path};
	uint8_t flags = wire_byte(&f->in);
	int64_t lasts = wire_int(&f->in), nr = wire_int(&f->in);

	loss.may_switch = flags & WIRE_MAY_SWITCH;
	loss.packets = flags & WIRE_PACKETS;
	loss.count = (uint64_t)nr;
	loss.begin = loss.end = f->now;
	if (lasts > 0)
		loss.end =
			(uint64_t)lasts > INT64_MAX - f->now ? INT64_MAX : f->now + (uint64_t)lasts;
	if (flags & WIRE_NO_TIME) {
		loss.begin = t->begin;
		loss.end = UINT64_MAX;
	}
	return t->is_kernel ? f->cb->on_loss(f->cb->ctx, t, &loss) : 0;
}

static int on_cpu(struct fake *f, struct trace_info *t)
{
	int cpu = cpu_of_trace((uint64_t)wire_int(&f->in));
	int64_t ago = wire_int(&f->in);

	if (!t->is_kernel || !f->cb->on_cpu || cpu < 0)
		return 0;
	return f->cb->on_cpu(f->cb->ctx, t, cpu,
			     ago < 0 || (uint64_t)ago > f->now ? 0 : f->now - (uint64_t)ago);
}

static int on_user_event(struct fake *f, struct trace_info *t)
{
	struct user_event ev;

	pass_time(f, wire_int(&f->in));
	ev.name = keep_name(f, wire_text(&f->in));
	ev.vpid = wire_int(&f->in);
	ev.vtid = wire_int(&f->in);
	ev.pid_ns = wire_int(&f->in);
	ev.ns = f->now;
	if (t->is_kernel)
		return 0;
	t->nr_events++;
	return f->cb->on_user_event ? f->cb->on_user_event(f->cb->ctx, t, &ev) : 0;
}

static int on_other(struct fake *f, struct trace_info *t)
{
	pass_time(f, wire_int(&f->in));
	if (t->is_kernel)
		count(f, t);
	return 0;
}

static int on_packet_end(struct fake *f, struct trace_info *t)
{
	int64_t ns = wire_int(&f->in);

	if (t->is_kernel && t->nr_events && ns > 0 && (uint64_t)ns <= INT64_MAX - f->now)
		trace_extend(t, f->now + (uint64_t)ns);
	return 0;
}

static int on_record(struct fake *f);

static int on_again(struct fake *f)
{
	unsigned int nr = wire_byte(&f->in) % WIRE_AGAIN_RECORDS;
	uint8_t power = wire_byte(&f->in);
	unsigned int times = 1u << (power < 0xf0 ? power % WIRE_AGAIN_SMALL : power & 0xf);
	struct wire behind = f->in;
	int ret = 0;

	/* The newest is this one. */
	if (f->again || !nr || !f->last[nr])
		return 0;
	for (f->again = 1; !ret && f->again <= times && f->nr_again < AGAIN_MAX; f->again++)
		for (f->in.at = f->last[nr]; !ret && f->in.at < f->last[0]; f->nr_again++)
			ret = on_record(f);
	f->again = 0;
	f->in = behind;
	return ret;
}

static int on_other_record(struct fake *f, struct trace_info *t, unsigned int what)
{
	switch (what) {
	case WIRE_LOSS:
		return on_loss(f, t);
	case WIRE_CPU:
		return on_cpu(f, t);
	case WIRE_USER_EVENT:
		return on_user_event(f, t);
	case WIRE_PACKET_END:
		return on_packet_end(f, t);
	default:
		return on_other(f, t);
	}
}

static int on_record(struct fake *f)
{
	uint8_t head = wire_byte(&f->in);
	bool is_event = (head & 0x3f) != WIRE_OTHER_RECORD;
	unsigned int what = is_event ? 0 : wire_byte(&f->in) % WIRE_NR;
	struct trace_info *t = &f->r->traces[head >> 6];

	if (!is_event && what == WIRE_AGAIN)
		return on_again(f);
	if (!is_event && what == WIRE_TRACE)
		return on_trace(f, t);
	if (!f->now)
		f->now = BEGIN_DEFAULT;
	if (!t->seen) {
		t->shape = SHAPE_OURS;
		if (meet(f, t, xstrdup("host1"), xstrdup(BOOT_ID), xstrdup("lttng-containers-7-x"),
			 true))
			return -1;
	}
	return is_event ? on_event(f, t, wire_kinds[(head & 0x3f) % EV_NR])
			: on_other_record(f, t, what);
}

static int read_all(struct fake *f)
{
	struct reader *r = f->r;
	int ret = 0;
	size_t i;

	r->traces = xcalloc(WIRE_TRACES, sizeof(*r->traces));
	r->nr_traces = WIRE_TRACES;
	for (i = 0; i < WIRE_TRACES; i++) {
		r->traces[i].path = xasprintf("/traces/%zu", i);
		memset(r->traces[i].offers, true, sizeof(r->traces[i].offers));
	}
	while (!ret && f->in.at < f->in.end) {
		memmove(f->last + 1, f->last, sizeof(f->last) - sizeof(f->last[0]));
		f->last[0] = f->in.at;
		ret = on_record(f);
	}
	for (i = 0; i < f->nr_names; i++)
		free(f->names[i]);
	free(f->names);
	return ret;
}

int reader_run(struct reader *r, char *const *paths, size_t nr_paths,
	       const struct reader_callbacks *cb)
{
	struct fake f = {.r = r, .cb = cb, .in = fake_input};
	int ret = read_all(&f);

	(void)paths;
	(void)nr_paths;
	return ret ? ret : reader_check(r);
}

int reader_check(const struct reader *r)
{
	size_t i;

	for (i = 0; i < r->nr_traces; i++)
		if (r->traces[i].is_kernel && r->traces[i].nr_events)
			return 0;
	return error("The trace holds no events.");
}

/* A session is what the next input tells, too. */
bool live_looks_valid(const char *text)
{
	(void)text;
	return true;
}

bool live_names_session(const char *text)
{
	(void)text;
	return false;
}

int live_find(const char *text, struct live_session *s)
{
	*s = (struct live_session){
		.url = xstrdup(text), .hostname = xstrdup("host"), .name = xstrdup("session")};
	return 0;
}

void live_session_free(struct live_session *s)
{
	free(s->url);
	free(s->hostname);
	free(s->name);
}

int live_run(struct reader *r, const struct live_session *s, const struct live_callbacks *cb)
{
	struct fake f = {.r = r, .cb = &cb->reader, .live = cb, .in = fake_input};

	(void)s;
	return read_all(&f);
}

void live_stop(int sig)
{
	(void)sig;
}

bool live_stopped(void)
{
	return false;
}

/* The fuzzer has its own: the alarm that ends what takes too long. */
int fake_sigaction(int sig, const struct sigaction *new, struct sigaction *old)
{
	(void)sig;
	(void)new;
	(void)old;
	return 0;
}

bool fake_terminal;

int fake_isatty(int fd)
{
	return fd == STDOUT_FILENO && fake_terminal;
}

/* A terminal that does not tell its size has one, too. */
int fake_ioctl(int fd, unsigned long request, ...)
{
	(void)fd;
	(void)request;
	return -1;
}

int cpu_fleet(const struct cpu_live_options *o)
{
	return cpu_live(o);
}

void reader_free(struct reader *r)
{
	size_t i, k;

	for (i = 0; i < r->nr_traces; i++) {
		struct trace_info *t = &r->traces[i];

		for (k = 0; k < t->nr_problems; k++) {
			free(t->problems[k].wanted);
			free(t->problems[k].saw);
		}
		free(t->problems);
		free(t->path);
		free(t->hostname);
		free(t->session);
		free(t->domain);
	}
	free(r->traces);
	*r = (struct reader){0};
}
