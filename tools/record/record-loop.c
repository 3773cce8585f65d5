/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <lttng/lttng.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "record.h"
#include "base/text.h"
#include "base/util.h"

#define TICK_NS	 (500 * (NS_PER_SEC / 1000))
#define SPARE_MB 1
/* Who comes late to a live session has seen all that there is after that time. */
#define REPEAT_S 10

static struct {
	bool on, drawn;
} line;

static void draw(const struct recording *r, uint64_t now)
{
	fprintf(stderr, "\rrecording: %llu s",
		(unsigned long long)((now - r->begin_ns) / NS_PER_SEC));
	if (r->output.path && !r->opt->snapshot)
		fprintf(stderr, ", %.1f MB", (double)output_bytes(&r->output) / 1e6);
	fprintf(stderr, ", %llu events lost, Ctrl-C stops  ", (unsigned long long)r->loss.events);
	fflush(stderr);
	line.drawn = true;
}

static void wipe(void)
{
	if (line.drawn)
		fprintf(stderr, "\r%*s\r", 78, "");
	line.drawn = false;
}

/* What is still in the buffers must find room when recording stops. */
static bool disk_is_full(const struct recording *r)
{
	return output_free(&r->output) < r->session.buffers + (SPARE_MB << 20);
}

/* What is looked at once a second. Returns END_ASKED if the recording still lives. */
static enum record_end look(struct recording *r, uint64_t now)
{
	int code;

	if (daemon_has_ended(&r->daemon))
		return END_DAEMON;
	code = session_loss(&r->session, &r->loss);
	if (code < 0) {
		wipe();
		error("The recording session is gone. reason=\"%s\"", lttng_strerror(code));
		return END_DAEMON;
	}
	if (relay_has_gone(&r->relay))
		return END_RELAY;
	if (line.on)
		draw(r, now);
	return END_ASKED;
}

int record_snapshot(struct recording *r)
{
	int result;

	if (disk_is_full(r))
		return error("There is no room for a snapshot. free=%llu",
			     (unsigned long long)output_free(&r->output));
	signals_expect(&r->signals, SNAPSHOT_S);
	/* The buffers have what came last, and containers may have come that were told of later. */
	names_again_now(&r->names);
	result = session_snapshot(&r->session);
	names_go_on(&r->names);
	return result;
}

static void serve_snapshots(struct recording *r)
{
	if (!r->signals.snapshots)
		return;
	r->signals.snapshots = 0;
	wipe();
	if (!r->opt->snapshot)
		note("SIGUSR1 writes a snapshot only with --snapshot.");
	else if (!record_snapshot(r))
		note("A snapshot was written.");
}

static bool is_over(struct recording *r, uint64_t now)
{
	return signals_take(&r->signals) || (r->child.ran && child_has_ended(&r->child)) ||
	       (r->opt->duration_ns && now - r->begin_ns >= r->opt->duration_ns);
}

static int wait_ms(const struct recording *r, uint64_t now, uint64_t tick)
{
	uint64_t until = tick, end;

	/* An end that is out of range never comes. */
	if (r->opt->duration_ns &&
	    !__builtin_add_overflow(r->begin_ns, r->opt->duration_ns, &end) && end < until)
		until = end;
	return until > now ? (int)((until - now + 999999) / 1000000) : 0;
}

static void repeat(struct recording *r)
{
	session_dump_again(&r->session);
	names_again(&r->names);
}

static enum record_end loop(struct recording *r)
{
	struct pollfd fd = {.fd = r->signals.fd, .events = POLLIN};
	uint64_t now = now_ns(), tick = now, second = now + NS_PER_SEC;
	uint64_t next_repeat = r->opt->live_us ? now + REPEAT_S * NS_PER_SEC : UINT64_MAX;
	enum record_end end;

	while (!is_over(r, now)) {
		serve_snapshots(r);
		signals_expect(&r->signals, ANSWER_S);
		if (now >= tick) {
			tick = now + TICK_NS;
			if (!r->opt->snapshot && disk_is_full(r))
				return END_DISK;
		}
		if (now >= second) {
			second = now + NS_PER_SEC;
			end = look(r, now);
			if (end != END_ASKED)
				return end;
		}
		if (now >= next_repeat) {
			next_repeat = now + REPEAT_S * NS_PER_SEC;
			repeat(r);
		}
		poll(&fd, 1, wait_ms(r, now, tick));
		if (daemon_has_ended(&r->daemon))
			return END_DAEMON;
		now = now_ns();
	}
	return END_ASKED;
}

enum record_end record_loop(struct recording *r)
{
	enum record_end end;

	line.on = isatty(STDERR_FILENO) == 1;
	end = loop(r);
	wipe();
	return end;
}
