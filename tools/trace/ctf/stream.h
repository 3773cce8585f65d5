/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_STREAM_H
#define LC_CTF_STREAM_H

#include "base/hash.h"
#include "cursor.h"

/* What a stream tells next. */
enum ctf_message {
	CTF_STREAM_BEGIN,
	CTF_LOST_EVENTS,
	CTF_LOST_PACKETS,
	CTF_PACKET_BEGIN,
	CTF_EVENT,
	CTF_PACKET_END,
	CTF_STREAM_END,
	CTF_NO_MORE
};

/* What a packet's context told; UINT64_MAX: it did not. */
struct ctf_snapshot {
	uint64_t begin, end, discarded, number;
};

struct ctf_file {
	char *path;
	uint64_t size;
	int64_t begin, last; /* when its first and last packet begin, ns */
	uint64_t instance;   /* UINT64_MAX: not told */
	struct ctf_stream_class *class;
	bool goes_back; /* a packet begins before the one before */
};

/* One stream: files, one after the other, of which a window is in memory. */
struct ctf_stream {
	struct ctf_trace *trace;
	struct ctf_stream_class *class;
	struct ctf_file *files;
	size_t nr_files, cap_files, file;
	int fd;
	uint8_t *window;
	size_t window_size, chunk;	 /* room, and how much is read at once */
	uint64_t window_at, window_end;	 /* offsets in the file */
	uint64_t packet_at, packet_size; /* in the file, bytes */
	struct ctf_cursor cursor;
	struct ctf_snapshot now, before;

	enum ctf_message message;
	int64_t ns; /* of the message */
	const struct ctf_event_class *event;
	uint64_t event_at; /* where it begins, bits of the packet */
	unsigned int rank; /* of messages of one time, the lowest comes first */
	size_t number;	   /* of its trace */
	bool is_endless;   /* the packet's sizes lead nowhere: see ctf_endless_file() */
	char *why;	   /* why it could not go on; NULL: a reason of the trace's */
	void *user;	   /* the caller's */
};

struct ctf_streams {
	struct ctf_stream *streams;
	size_t nr, cap;
	struct hash known;   /* trace, class and instance -> number of a stream, from 1 */
	uint64_t begin, end; /* of all packets, ns since the epoch */
};

/* Adds the streams of the trace in that directory. Returns 0, or -1 and a reason. */
int ctf_find_streams(struct ctf_streams *all, struct ctf_trace *t, const char *directory,
		     size_t number);
/* Goes on to the next message. @last: the time of the last one of all. Returns 0, or -1. */
int ctf_next(struct ctf_stream *s, int64_t last);
/* Reads the event's contexts and payload, as far as it is wanted. Returns 0, or -1. */
int ctf_read_event(struct ctf_stream *s, void *to);
void ctf_free_streams(struct ctf_streams *all);

/*
 * The name, to be freed, of a file in which a packet says that it has no size, or the largest that
 * there is, or NULL. The trace's types are known, see ctf_plan_trace().
 */
char *ctf_endless_file(struct ctf_trace *t, const char *directory);

#endif
