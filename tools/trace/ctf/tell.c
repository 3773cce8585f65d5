/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "trace/reader-first.h"
#include "base/util.h"
#include "tell.h"

/* What was told of a stream so far. */
struct told {
	struct trace_info *trace;
	const struct ctf_stream_class *class;
	int cpu;	 /* -1 if not known */
	bool has_events; /* in the current packet */
	bool has_time;	 /* its first event's was taken */
	/* Lost in the first packet, and so before the CPU was known. */
	bool has_early_loss;
	struct loss early_loss;
	uint64_t missing_until; /* its first packets are missing, up to then; 0: they are not */
	int first_cpu;		/* of its first packet; -1: not known, or none is missing */
	uint64_t end;		/* of its last packet, ns since the epoch; 0: not told */
	struct told *next;	/* of those in teller.ended */
};

static uint64_t since_epoch(int64_t ns)
{
	return ns < 0 ? 0 : (uint64_t)ns;
}

static uint64_t cycles_ns(const struct told *s, uint64_t cycles)
{
	int64_t ns;

	return ctf_clock_ns(s->class->clock, cycles, &ns) ? since_epoch(ns) : 0;
}

/* What the tracer overwrote, or a reader never got, before the first packet that there is. */
static void find_missing(struct told *s, const struct ctf_stream *stream)
{
	struct first_packet first;

	if (!s->trace->is_kernel || !reader_first_packet(stream->files->path, &first) ||
	    !first.number)
		return;
	s->missing_until = cycles_ns(s, first.begin);
	s->first_cpu = cpu_of_trace(first.cpu);
}

int tell_streams(struct teller *t, struct ctf_stream **streams, size_t nr)
{
	bool *met = xcalloc(t->reader->nr_traces + 1, sizeof(bool));
	int ret = 0;
	size_t i;

	t->streams = xcalloc(nr + 1, sizeof(*t->streams));
	t->nr = nr;
	for (i = 0; i < nr && !ret; i++) {
		struct told *s = &t->streams[i];

		s->trace = &t->reader->traces[streams[i]->number];
		s->class = streams[i]->class;
		s->cpu = s->first_cpu = -1;
		streams[i]->user = s;
		if (!met[streams[i]->number] && s->trace->is_kernel)
			ret = t->cb->on_trace(t->cb->ctx, s->trace);
		met[streams[i]->number] = true;
		find_missing(s, streams[i]);
	}
	free(met);
	return ret;
}

static int tell_loss(struct teller *t, struct told *s, const struct loss *loss)
{
	return t->cb->on_loss(t->cb->ctx, s->trace, loss);
}

/* The trace begins with its first packet; other streams of it may lack what they had then. */
static int tell_missing_begins(struct teller *t, struct trace_info *trace, uint64_t begin)
{
	int ret = 0;
	size_t i;

	trace->has_begun = true;
	for (i = 0; i < t->nr && !ret; i++) {
		struct told *s = &t->streams[i];
		struct loss loss = {.cpu = s->first_cpu,
				    .may_switch = s->class->may_switch,
				    .packets = true,
				    .begin = begin,
				    .end = s->missing_until,
				    .trace = trace->path};

		if (s->trace == trace && s->missing_until > begin)
			ret = tell_loss(t, s, &loss);
	}
	return ret;
}

static int tell_first_packet(struct teller *t, struct told *s, uint64_t ns)
{
	int ret = 0;

	if (!s->trace->is_kernel)
		return 0;
	if (t->cb->on_cpu && s->class->may_switch)
		ret = t->cb->on_cpu(t->cb->ctx, s->trace, s->cpu, ns);
	if (!ret && s->has_early_loss) {
		s->early_loss.cpu = s->cpu;
		ret = tell_loss(t, s, &s->early_loss);
	}
	return ret;
}

static int tell_packet_begin(struct teller *t, struct told *s, const struct ctf_stream *stream)
{
	uint64_t ns = s->class->has_begin ? since_epoch(stream->ns) : 0;
	bool first = s->cpu < 0;

	s->has_events = false;
	s->cpu = cpu_of_trace(stream->cursor.slots[CTF_CPU]);
	if (s->trace->is_kernel && !s->trace->has_begun && s->class->has_begin &&
	    tell_missing_begins(t, s->trace, ns))
		return -1;
	return first && s->cpu >= 0 ? tell_first_packet(t, s, ns) : 0;
}

/*
 * Buffers are made before tracing starts, and flushed again after it: only a
 * packet with events vouches that tracing was on up to its end.
 */
static void tell_packet_end(struct teller *t, struct told *s, const struct ctf_stream *stream)
{
	progress_at(t->nr_events, since_epoch(stream->ns));
	if (!s->class->has_end)
		return;
	s->end = since_epoch(stream->ns);
	if (s->has_events)
		trace_extend(s->trace, s->end);
}

static void tell_stream_end(struct teller *t, struct told *s)
{
	if (!s->trace->is_kernel || !s->end)
		return;
	s->next = t->ended;
	t->ended = s;
}

/*
 * Whoever records flushes all buffers at the end. If others go on after the last packet of a
 * stream, what followed there was lost: its reader was killed, or no sub-buffer was left.
 */
static int tell_missing_ends(struct teller *t, const struct trace_info *trace, uint64_t now)
{
	struct told **at = &t->ended, *s;
	int ret = 0;

	while (!ret && (s = *at)) {
		struct loss loss = {.cpu = s->cpu,
				    .may_switch = s->class->may_switch,
				    .packets = true,
				    .begin = s->end,
				    .end = UINT64_MAX,
				    .trace = s->trace->path};

		if (s->trace != trace || s->end >= now) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		ret = tell_loss(t, s, &loss);
	}
	return ret;
}

void *tell_where(struct teller *t, const struct ctf_stream *s)
{
	const struct told *told = s->user;

	if (!told->trace->is_kernel) {
		t->user.vpid = t->user.vtid = t->user.pid_ns = ABSENT;
		return &t->user;
	}
	if (s->event->kind != EV_NR)
		event_clear(&t->ev, s->event->kind);
	return &t->ev;
}

static int tell_user_event(struct teller *t, struct told *s, const struct ctf_stream *stream)
{
	if (!t->cb->on_user_event)
		return 0;
	t->user.ns = since_epoch(stream->ns);
	t->user.name = stream->event->name ? stream->event->name : "";
	return t->cb->on_user_event(t->cb->ctx, s->trace, &t->user);
}

/* Both kinds that have it have it in one place. */
static void set_variant(struct event *ev, const char *variant)
{
	ev->syscall.name = variant;
}

static int tell_event(struct teller *t, struct told *s, const struct ctf_stream *stream)
{
	bool is_used = stream->event->kind != EV_NR;
	struct event *ev = &t->ev;

	t->nr_events++;
	s->trace->nr_events++;
	s->has_events = true;
	if (!s->trace->is_kernel)
		return tell_user_event(t, s, stream);
	/* Most events are of no use, and the end of their packet tells the time, too. */
	if (is_used || !s->has_time || !s->class->has_end) {
		ev->ns = since_epoch(stream->ns);
		trace_extend(s->trace, ev->ns);
		s->trace->last = ev->ns;
		s->has_time = true;
	}
	if (!is_used)
		return 0;
	if (t->ended && tell_missing_ends(t, s->trace, ev->ns))
		return -1;
	ev->cpu = s->cpu;
	ev->trace = s->trace->path;
	if (stream->event->variant)
		set_variant(ev, stream->event->variant);
	return t->cb->on_event(t->cb->ctx, s->trace, ev);
}

static int tell_lost(struct teller *t, struct told *s, const struct ctf_stream *stream)
{
	const struct ctf_snapshot *now = &stream->now, *before = &stream->before;
	bool packets = stream->message == CTF_LOST_PACKETS;
	bool first = !packets && before->discarded == UINT64_MAX;
	struct loss loss = {.cpu = s->cpu,
			    .may_switch = s->class->may_switch,
			    .packets = packets,
			    .trace = s->trace->path,
			    .begin = s->trace->begin,
			    .end = UINT64_MAX};

	if (!s->trace->is_kernel)
		return 0;
	if (s->class->has_begin && s->class->has_end) {
		loss.begin = cycles_ns(s, first ? now->begin : before->end);
		loss.end = cycles_ns(s, packets ? now->begin : now->end);
	}
	if (packets)
		loss.count = now->number - before->number - 1;
	else if (!first)
		loss.count = now->discarded - before->discarded;
	if (s->cpu < 0 && !s->has_early_loss) {
		s->has_early_loss = true;
		s->early_loss = loss;
		return 0;
	}
	return tell_loss(t, s, &loss);
}

int tell(struct teller *t, const struct ctf_stream *stream)
{
	struct told *s = stream->user;

	switch (stream->message) {
	case CTF_EVENT:
		return tell_event(t, s, stream);
	case CTF_LOST_EVENTS:
	case CTF_LOST_PACKETS:
		return tell_lost(t, s, stream);
	case CTF_PACKET_BEGIN:
		return tell_packet_begin(t, s, stream);
	case CTF_PACKET_END:
		tell_packet_end(t, s, stream);
		return 0;
	case CTF_STREAM_END:
		tell_stream_end(t, s);
		return 0;
	default:
		return 0;
	}
}

void tell_end(struct teller *t)
{
	free(t->streams);
}
