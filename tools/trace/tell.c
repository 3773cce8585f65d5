/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <string.h>

#include "base/util.h"
#include "tell.h"

static bool offers_any(const struct trace_info *t)
{
	enum event_kind k;

	for (k = 0; k < EV_NR; k++)
		if (t->offers[k])
			return true;
	return false;
}

void tell_environment(struct trace_info *t, const char *host, const char *domain, const char *name,
		      const char *created)
{
	t->hostname = xasprintf("%.*s", HOSTNAME_MAX, host);
	t->domain = xstrdup(domain);
	t->session = xasprintf("%s%s%s", name, *name && *created ? " " : "", created);
}

void tell_kind(struct trace_info *t)
{
	t->is_kernel = t->has_clock && (*t->domain ? !strcmp(t->domain, "kernel") : offers_any(t));
}

void tell_stream(struct telling *t, struct told *s)
{
	if (!t->last)
		t->last = &t->streams;
	*t->last = s;
	t->last = &s->next;
	s->cpu = -1;
}

static int call(struct telling *t, struct told *s, const struct loss *loss)
{
	return t->cb->on_loss(t->cb->ctx, s->trace, loss);
}

static struct loss missing(const struct told *s, int cpu, uint64_t begin, uint64_t end)
{
	return (struct loss){.cpu = cpu,
			     .may_switch = s->may_switch,
			     .packets = true,
			     .begin = begin,
			     .end = end,
			     .trace = s->trace->path};
}

/*
 * What the tracer overwrote, or a reader never got, before the first packet that there is, is told
 * by its number alone. The trace begins with its first packet; other streams of it may lack what
 * they had then.
 */
static int tell_missing_begins(struct telling *t, struct trace_info *trace, uint64_t begin)
{
	struct told *s;
	int ret = 0;

	trace->has_begun = true;
	for (s = t->streams; s && !ret; s = s->next) {
		struct loss loss = missing(s, s->first_cpu, begin, s->missing_until);

		if (s->trace == trace && s->missing_until > begin)
			ret = call(t, s, &loss);
	}
	return ret;
}

/*
 * Whoever records flushes all buffers at the end. If others go on after the last packet of a
 * stream, what followed there was lost: its reader was killed, or no sub-buffer was left.
 */
static int tell_missing_ends(struct telling *t, struct trace_info *trace, uint64_t now)
{
	struct told **at = &trace->ended, *s;
	int ret = 0;

	trace->first_end = UINT64_MAX;
	while (!ret && (s = *at)) {
		struct loss loss = missing(s, s->cpu, s->end, UINT64_MAX);

		if (s->end >= now) {
			if (s->end < trace->first_end)
				trace->first_end = s->end;
			at = &s->next_end;
			continue;
		}
		*at = s->next_end;
		ret = call(t, s, &loss);
	}
	return ret;
}

static int tell_first_packet(struct telling *t, struct told *s, uint64_t ns)
{
	int ret = 0;

	if (t->cb->on_cpu && s->may_switch)
		ret = t->cb->on_cpu(t->cb->ctx, s->trace, s->cpu, ns);
	if (!ret && s->has_early_loss) {
		s->early_loss.cpu = s->cpu;
		ret = call(t, s, &s->early_loss);
	}
	return ret;
}

int tell_packet_begin(struct telling *t, struct told *s, int cpu, uint64_t ns)
{
	bool first = s->cpu < 0;

	s->has_events = false;
	s->cpu = cpu;
	if (!s->trace->is_kernel)
		return 0;
	if (!s->trace->has_begun && s->has_begin && tell_missing_begins(t, s->trace, ns))
		return -1;
	return first && cpu >= 0 ? tell_first_packet(t, s, ns) : 0;
}

/*
 * Buffers are made before tracing starts, and flushed again after it: only a packet with events
 * vouches that tracing was on up to its end.
 */
void tell_packet_end(struct telling *t, struct told *s, uint64_t ns)
{
	(void)t;
	if (!s->has_end)
		return;
	s->end = ns;
	if (s->has_events)
		trace_extend(s->trace, ns);
}

void tell_stream_end(struct told *s)
{
	if (!s->trace->is_kernel || !s->end)
		return;
	if (!s->trace->ended || s->end < s->trace->first_end)
		s->trace->first_end = s->end;
	s->next_end = s->trace->ended;
	s->trace->ended = s;
}

int tell_loss(struct telling *t, struct told *s, struct loss *loss, bool has_times)
{
	loss->cpu = s->cpu;
	loss->may_switch = s->may_switch;
	loss->trace = s->trace->path;
	if (!has_times) {
		loss->begin = s->trace->begin;
		loss->end = UINT64_MAX;
	}
	if (!s->trace->is_kernel)
		return 0;
	if (s->cpu < 0 && !s->has_early_loss) {
		s->has_early_loss = true;
		s->early_loss = *loss;
		return 0;
	}
	return call(t, s, loss);
}

int tell_event(struct telling *t, struct told *s)
{
	if (s->trace->ended && s->trace->first_end < t->ev.ns &&
	    tell_missing_ends(t, s->trace, t->ev.ns))
		return -1;
	t->ev.cpu = s->cpu;
	t->ev.trace = s->trace->path;
	return t->cb->on_event(t->cb->ctx, s->trace, &t->ev);
}

static uint64_t nr_bits = UINT64_MAX;

void tell_expect(uint64_t bytes)
{
	nr_bits = bytes < UINT64_MAX / 8 ? bytes * 8 : UINT64_MAX;
}

bool tell_is_endless(const struct telling *t)
{
	if (t->nr_events <= nr_bits)
		return false;
	error("The trace has more events than bits: it is damaged, or was made to have no end.");
	return true;
}
