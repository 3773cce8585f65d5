/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "base/progress.h"
#include "trace/reader-first.h"
#include "base/util.h"
#include "tell.h"

static uint64_t since_epoch(int64_t ns)
{
	return ns < 0 ? 0 : (uint64_t)ns;
}

static uint64_t cycles_ns(const struct ctf_stream *s, uint64_t cycles)
{
	int64_t ns;

	return ctf_clock_ns(s->class->clock, cycles, &ns) ? since_epoch(ns) : 0;
}

/* What the tracer overwrote, or a reader never got, before the first packet that there is. */
static void find_missing(struct told *s, const struct ctf_stream *stream)
{
	const struct ctf_stream_class *sc = stream->class;
	struct first_packet first;

	if (!s->trace->is_kernel || !sc->has_begin || !sc->has_end || !sc->has_number ||
	    !sc->is_cpu_first || !reader_first_packet(stream->files->path, &first) || !first.number)
		return;
	s->missing_until = cycles_ns(stream, first.begin);
	s->first_cpu = cpu_of_trace(first.cpu);
}

int ctf_tell_streams(struct ctf_teller *t, struct ctf_stream **streams, size_t nr)
{
	const struct reader_callbacks *cb = t->teller.cb;
	bool *met = xcalloc(t->reader->nr_traces + 1, sizeof(bool));
	int ret = 0;
	size_t i;

	t->streams = xcalloc(nr + 1, sizeof(*t->streams));
	for (i = 0; i < nr && !ret; i++) {
		struct told *s = &t->streams[i];

		s->trace = &t->reader->traces[streams[i]->number];
		s->may_switch = streams[i]->class->may_switch;
		s->has_begin = streams[i]->class->has_begin;
		s->has_end = streams[i]->class->has_end;
		s->first_cpu = -1;
		tell_stream(&t->teller, s);
		streams[i]->user = s;
		if (!met[streams[i]->number] && s->trace->is_kernel)
			ret = cb->on_trace(cb->ctx, s->trace);
		met[streams[i]->number] = true;
		find_missing(s, streams[i]);
	}
	free(met);
	return ret;
}

static void end_packet(struct ctf_teller *t, struct told *s, const struct ctf_stream *stream)
{
	progress_at(t->teller.nr_events, since_epoch(stream->ns));
	tell_packet_end(&t->teller, s, since_epoch(stream->ns));
}

void *ctf_tell_where(struct ctf_teller *t, const struct ctf_stream *s)
{
	const struct told *told = s->user;

	if (!told->trace->is_kernel) {
		t->user.vpid = t->user.vtid = t->user.pid_ns = ABSENT;
		return &t->user;
	}
	if (s->event->is_complete)
		t->teller.ev.kind = s->event->kind;
	else if (s->event->kind != EV_NR)
		event_clear(&t->teller.ev, s->event->kind);
	return &t->teller.ev;
}

static int tell_user_event(struct ctf_teller *t, struct told *s, const struct ctf_stream *stream)
{
	const struct reader_callbacks *cb = t->teller.cb;

	if (!cb->on_user_event)
		return 0;
	t->user.ns = since_epoch(stream->ns);
	t->user.name = stream->event->name ? stream->event->name : "";
	return cb->on_user_event(cb->ctx, s->trace, &t->user);
}

/* Both kinds that have it have it in one place. */
static void set_variant(struct event *ev, const char *variant)
{
	ev->syscall.name = variant;
}

int ctf_tell_event(struct ctf_teller *t, const struct ctf_stream *stream)
{
	struct told *s = stream->user;
	bool is_used = stream->event->kind != EV_NR;

	tell_met(&t->teller, s);
	if (!s->trace->is_kernel)
		return tell_user_event(t, s, stream);
	tell_time(&t->teller, s, since_epoch(stream->ns));
	if (!is_used)
		return 0;
	if (stream->event->variant)
		set_variant(&t->teller.ev, stream->event->variant);
	return tell_event(&t->teller, s);
}

static int lost(struct ctf_teller *t, struct told *s, const struct ctf_stream *stream)
{
	const struct ctf_snapshot *now = &stream->now, *before = &stream->before;
	bool has_times = s->has_begin && s->has_end;
	struct loss loss = {.packets = stream->message == CTF_LOST_PACKETS};
	bool first = !loss.packets && before->discarded == UINT64_MAX;

	if (has_times) {
		loss.begin = cycles_ns(stream, first ? now->begin : before->end);
		loss.end = cycles_ns(stream, loss.packets ? now->begin : now->end);
	}
	if (loss.packets)
		loss.count = now->number - before->number - 1;
	else if (!first)
		loss.count = now->discarded - before->discarded;
	return tell_loss(&t->teller, s, &loss, has_times);
}

int ctf_tell(struct ctf_teller *t, const struct ctf_stream *stream)
{
	struct told *s = stream->user;

	switch (stream->message) {
	case CTF_LOST_EVENTS:
	case CTF_LOST_PACKETS:
		return lost(t, s, stream);
	case CTF_PACKET_BEGIN:
		return tell_packet_begin(&t->teller, s, cpu_of_trace(stream->cursor.slots[CTF_CPU]),
					 s->has_begin ? since_epoch(stream->ns) : 0);
	case CTF_PACKET_END:
		end_packet(t, s, stream);
		return 0;
	case CTF_STREAM_END:
		tell_stream_end(s);
		return 0;
	default:
		return 0;
	}
}

void ctf_tell_end(struct ctf_teller *t)
{
	free(t->streams);
}
