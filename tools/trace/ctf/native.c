/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/text.h"
#include "base/util.h"
#include "bind.h"
#include "native.h"
#include "stream.h"
#include "tell.h"
#include "trace/reader-damage.h"

/*
 * All streams of all traces, in order of time. Which of two messages of one time comes first is
 * decided as babeltrace2's muxer does it, as what a report tells may depend on it: by the traces'
 * UUIDs and names, then by the ids of their streams.
 */

struct native {
	struct reader *reader;
	const struct reader_callbacks *cb;
	struct ctf_trace *traces;
	struct ctf_streams all;
	struct ctf_stream **heap; /* the first of them has the earliest message */
	size_t nr;
	struct ctf_teller teller;
};

/* Older tracers, in which the ends of packets are wrong. */
static bool ends_late(const char *tracer, int64_t major, int64_t minor, int64_t patch)
{
	if (major != 2)
		return major < 2;
	if (!strcmp(tracer, "lttng-ust"))
		return minor < 11;
	return minor < 9 || (minor == 9 && patch < 13) || (minor == 10 && patch < 10);
}

/* Those of barectf before 2.3.1, in which packets begin behind their first event. */
static bool begins_late(int64_t major, int64_t minor, int64_t patch)
{
	return major < 2 || (major == 2 && (minor < 3 || (minor == 3 && patch < 1)));
}

static int64_t number_of(const struct ctf_trace *t, const char *name, const char *other)
{
	const struct ctf_environment *e = ctf_environment_of(t, name);

	if (!e)
		e = ctf_environment_of(t, other);
	return e && !e->text ? e->number : 0;
}

static int know_tracer(struct ctf_trace *t)
{
	const struct ctf_environment *e = ctf_environment_of(t, "tracer_name"), *major;
	int64_t minor = number_of(t, "tracer_minor", "");
	int64_t patch = number_of(t, "tracer_patch", "tracer_patchlevel");

	major = ctf_environment_of(t, "tracer_major");
	if (!e || !e->text || !major || major->text)
		return 0;
	if (!strcmp(e->text, "barectf") && begins_late(major->number, minor, patch))
		return ctf_refuse(t, "it was written by an old barectf");
	if (strcmp(e->text, "lttng-ust") && strcmp(e->text, "lttng-modules"))
		return 0;
	t->ends_at_zero = true;
	t->ends_late = ends_late(e->text, major->number, minor, patch);
	return 0;
}

/* The library's name of the trace with that number. */
static void name_trace(struct ctf_trace *t, size_t number)
{
	const struct ctf_environment *host = ctf_environment_of(t, "hostname");
	bool has_host = host && host->text;
	char *name = xasprintf("%s%s#%zu", has_host ? host->text : "", has_host ? "/" : "", number);

	t->name = ctf_text(t, name, strlen(name));
	free(name);
}

static int compare_traces(const void *pa, const void *pb)
{
	const struct ctf_trace *a = *(struct ctf_trace *const *)pa;
	const struct ctf_trace *b = *(struct ctf_trace *const *)pb;
	int ret = 0;

	if (a->has_uuid != b->has_uuid)
		return a->has_uuid ? -1 : 1;
	if (a->has_uuid)
		ret = memcmp(a->uuid, b->uuid, sizeof(a->uuid));
	return ret ? ret : strcmp(a->name, b->name);
}

/* Once for all their streams, as names may be long. */
static void rank_traces(struct native *n)
{
	size_t nr = n->reader->nr_traces, i;
	struct ctf_trace **order = xcalloc(nr + 1, sizeof(*order));

	for (i = 0; i < nr; i++)
		order[i] = &n->traces[i];
	qsort(order, nr, sizeof(*order), compare_traces);
	for (i = 0; i < nr; i++)
		order[i]->rank = i;
	free(order);
}

static int compare_streams(const void *pa, const void *pb)
{
	const struct ctf_stream *a = *(struct ctf_stream *const *)pa;
	const struct ctf_stream *b = *(struct ctf_stream *const *)pb;

	if (a->trace != b->trace)
		return a->trace->rank < b->trace->rank ? -1 : 1;
	if (a->class->id != b->class->id)
		return a->class->id < b->class->id ? -1 : 1;
	if (a->files->instance != b->files->instance)
		return a->files->instance < b->files->instance ? -1 : 1;
	return strcmp(a->files->path, b->files->path);
}

static bool is_before(const struct ctf_stream *a, const struct ctf_stream *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a->rank < b->rank;
}

/* Which of the two comes next after the first one, or would. */
static struct ctf_stream *second(const struct native *n)
{
	if (n->nr < 3)
		return n->nr == 2 ? n->heap[1] : NULL;
	return is_before(n->heap[2], n->heap[1]) ? n->heap[2] : n->heap[1];
}

/* Puts the first one where it belongs now. */
static void sift(struct native *n)
{
	struct ctf_stream *s = n->heap[0];
	size_t at = 0;

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= n->nr)
			break;
		if (child + 1 < n->nr && is_before(n->heap[child + 1], n->heap[child]))
			child++;
		if (!is_before(n->heap[child], s))
			break;
		n->heap[at] = n->heap[child];
		at = child;
	}
	n->heap[at] = s;
}

static bool has_refused;

bool native_has_refused(void)
{
	return has_refused;
}

static int refused(struct native *n, size_t number, char **reason)
{
	char *path = text_escape(n->reader->traces[number].path);
	char *why = text_escape(n->traces[number].reason ? n->traces[number].reason : "unknown");

	*reason = xasprintf("trace=%s reason=\"%s\"", path, why);
	free(path);
	free(why);
	has_refused = true;
	return NATIVE_REFUSED;
}

/* Everything that can be looked at before the first event is told of. */
static int prepare(struct native *n, char **reason)
{
	size_t i;

	for (i = 0; i < n->reader->nr_traces; i++) {
		struct ctf_trace *t = &n->traces[i];
		const char *path = n->reader->traces[i].path;

		if (ctf_read_metadata(t, path) || ctf_plan_trace(t) ||
		    ctf_find_streams(&n->all, t, path, i) || know_tracer(t))
			return refused(n, i, reason);
		name_trace(t, i);
	}
	rank_traces(n);
	n->heap = xcalloc(n->all.nr + 1, sizeof(struct ctf_stream *));
	for (i = 0; i < n->all.nr; i++)
		n->heap[n->nr++] = &n->all.streams[i];
	qsort(n->heap, n->nr, sizeof(struct ctf_stream *), compare_streams);
	for (i = 0; i < n->nr; i++)
		n->heap[i]->rank = (unsigned int)i;
	return NATIVE_DONE;
}

static int describe(struct native *n, char **reason)
{
	size_t i;

	for (i = 0; i < n->nr; i++) {
		const struct ctf_stream *s = n->heap[i];
		struct trace_info *info = &n->reader->traces[s->number];

		if (info->seen)
			continue;
		ctf_describe(info, s->trace);
		if (s->class->clock->has_uuid)
			uuid_text(info->boot_id, s->class->clock->uuid);
		info->clock_offset = s->class->clock->base;
		if (ctf_bind(&n->traces[s->number], info->is_kernel, n->cb))
			return refused(n, s->number, reason);
	}
	return NATIVE_DONE;
}

static int read_error(struct native *n, const struct ctf_stream *s, const char *why)
{
	char *path, *shown;

	/* A damage that can be named says more. */
	if (damage_explained(n->reader->traces[s->number].path))
		return NATIVE_FAILED;
	path = text_escape(n->reader->traces[s->number].path);
	shown = text_escape(why);
	error("The trace cannot be read to its end: it is cut off or damaged, or its clock goes"
	      " back. trace=%s reason=\"%s\"",
	      path, shown);
	free(path);
	free(shown);
	return NATIVE_FAILED;
}

static int merge(struct native *n)
{
	struct ctf_stream *next = second(n);
	int64_t last = INT64_MIN;

	while (n->nr) {
		struct ctf_stream *s = n->heap[0];
		bool is_event;

		if (s->ns < last)
			return read_error(n, s,
					  s->message == CTF_LOST_EVENTS ||
							  s->message == CTF_LOST_PACKETS
						  ? "a loss begins before what was told"
						  : "the clock goes back");
		last = s->ns;
		is_event = s->message == CTF_EVENT;
		if (is_event && ctf_read_event(s, ctf_tell_where(&n->teller, s)))
			return read_error(n, s, s->why);
		if (is_event ? ctf_tell_event(&n->teller, s) : ctf_tell(&n->teller, s))
			return NATIVE_FAILED;
		if (ctf_next(s, last))
			return read_error(n, s, s->why);
		/* Mostly it comes first again. */
		if (s->message != CTF_NO_MORE && (!next || is_before(s, next)))
			continue;
		if (s->message == CTF_NO_MORE)
			n->heap[0] = n->heap[--n->nr];
		if (n->nr)
			sift(n);
		next = second(n);
	}
	return NATIVE_DONE;
}

char *native_endless_file(const char *path)
{
	struct ctf_trace t = {0};
	char *name = NULL;

	if (!ctf_read_metadata(&t, path) && !ctf_plan_trace(&t))
		name = ctf_endless_file(&t, path);
	ctf_free(&t);
	return name;
}

enum native_result native_run(struct reader *r, const struct reader_callbacks *cb, char **reason)
{
	struct native n = {
		.reader = r,
		.cb = cb,
		.traces = xcalloc(r->nr_traces + 1, sizeof(struct ctf_trace)),
		.teller = {.reader = r, .teller = {.cb = cb}},
	};
	size_t i;
	int ret;

	has_refused = false;
	ret = prepare(&n, reason);
	if (!ret)
		ret = describe(&n, reason);
	if (!ret) {
		progress_start(n.all.begin, n.all.end);
		ret = ctf_tell_streams(&n.teller, n.heap, n.nr) ? NATIVE_FAILED : merge(&n);
		progress_end();
	}
	ctf_tell_end(&n.teller);
	ctf_free_streams(&n.all);
	for (i = 0; i < r->nr_traces; i++)
		ctf_free(&n.traces[i]);
	free(n.traces);
	free(n.heap);
	return ret;
}
