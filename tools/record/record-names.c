/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "names/names.h"
#include "record.h"
#include "base/util.h"

#define LOGGER	  "/proc/lttng-logger"
#define SCAN_MS	  500
#define SETTLE_MS 20
#define QUOTA_NS  5000000000ull
/* For sums: what one look cannot tell apart. */
#define SUMS_NS	  1000000000ull
/* How long the last look may take while the recording goes on. */
#define LAST_MS	  1000
/* How often it looks whether it may go on. */
#define HELD_MS	  10
/* What users' runtimes tell is repeated up to so many bytes. */
#define USERS_MAX 49152
/* Who waits for names to be repeated may not wait for quotas that take longer, ns. */
#define QUICK_NS  (LAST_MS * 1000000ull / 4)

/* One write is one event. */
static void tell(void *ctx, const char *line)
{
	struct name_writer *w = ctx;

	if (w->hear)
		w->hear(w->hear_ctx, line);
	if (write(w->logger, line, strlen(line)) < 0 && !w->complained) {
		w->complained = true;
		note("A container's name cannot be written into the trace. reason=%s file=" LOGGER,
		     strerror(errno));
	}
}

static void look_at_quotas(struct name_writer *w)
{
	uint64_t began = now_ns();

	quota_scan_run(w->quotas, tell, w);
	w->quotas_next = now_ns() + quota_scan_pause(w->quotas, w->quotas_every);
	w->quotas_took = now_ns() - began;
}

/*
 * All once more. A flight recorder's buffer has room for 192 KiB of each CPU's, and pushes out what
 * is old: first come quotas, half of that at most (record-quotas.c), then what users' runtimes
 * tell, a quarter at most. Where there are so many cgroups that nobody would wait that long, names
 * come before, too.
 */
static void repeat(struct name_writer *w)
{
	uint64_t one = 1;

	if (w->quotas && w->quotas_took > QUICK_NS)
		names_repeat(w->names, USERS_MAX, tell, w);
	if (w->quotas) {
		quota_scan_repeat(w->quotas);
		look_at_quotas(w);
	}
	names_repeat(w->names, USERS_MAX, tell, w);
	/* It cannot fail: nobody adds that often. */
	if (write(w->repeated, &one, sizeof(one)) != (ssize_t)sizeof(one))
		w->complained = true;
}

/* Also in the middle of a scan: that takes as long as somebody's files let it take. */
static void repeat_if_asked(void *ctx)
{
	struct name_writer *w = ctx;
	uint64_t count;

	for (;;) {
		if (read(w->again, &count, sizeof(count)) == (ssize_t)sizeof(count))
			repeat(w);
		if (!atomic_load(&w->is_held))
			return;
		sleep_ms(HELD_MS);
	}
}

/* Whatever containers do meanwhile, quotas are not looked at later than that. */
static int ms_until(uint64_t ns)
{
	uint64_t now = now_ns();

	return ns > now ? (int)((ns - now) / 1000000) + 1 : 0;
}

/*
 * A thread of its own, for a runtime that does not answer must not keep the
 * recorder from looking after the disk. Scans at least once.
 */
static void *write_names(void *arg)
{
	struct name_writer *w = arg;
	struct names *names = w->names;
	struct pollfd fds[3] = {
		{.fd = w->stop, .events = POLLIN},
		{.fd = names_fd(names), .events = POLLIN},
		{.fd = w->again, .events = POLLIN},
	};
	uint64_t one = 1;

	do {
		names_scan(names, tell, w);
		if (w->quotas && now_ns() >= w->quotas_next)
			look_at_quotas(w);
		/* What has just changed is seldom complete. */
		sleep_ms(SETTLE_MS);
		poll(fds, 3, fds[1].fd < 0 ? SCAN_MS : w->quotas ? ms_until(w->quotas_next) : -1);
		repeat_if_asked(w);
	} while (!fds[0].revents);
	/* What came last. */
	names_scan(names, tell, w);
	if (w->is_snapshot)
		repeat(w);
	else if (w->quotas)
		quota_scan_run(w->quotas, tell, w);
	/* It cannot fail: nobody adds that often. */
	if (write(w->done, &one, sizeof(one)) != (ssize_t)sizeof(one))
		w->complained = true;
	return NULL;
}

int names_start(struct name_writer *w, const struct record_options *opt, const struct session *s)
{
	int code;

	w->logger = open(LOGGER, O_WRONLY | O_CLOEXEC);
	if (w->logger < 0) {
		note("The trace will not have containers' names. reason=%s file=" LOGGER,
		     strerror(errno));
		return 0;
	}
	w->stop = eventfd(0, EFD_CLOEXEC);
	w->again = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->done = eventfd(0, EFD_CLOEXEC);
	w->repeated = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->stop < 0 || w->again < 0 || w->done < 0 || w->repeated < 0)
		return error("The names' writer cannot be started. reason=%s", strerror(errno));
	w->names = names_new();
	w->is_snapshot = opt->snapshot;
	w->quotas_next = w->quotas_took = 0;
	names_look(w->names, repeat_if_asked, w);
	w->quotas = opt->why ? quota_scan_open(!s->tells_throttling) : NULL;
	w->quotas_every = s->tells_throttling ? QUOTA_NS : SUMS_NS;
	code = pthread_create(&w->thread, NULL, write_names, w);
	if (code)
		return error("The names' writer cannot be started. reason=%s", strerror(code));
	w->runs = true;
	return 0;
}

void names_again(struct name_writer *w)
{
	uint64_t one = 1;

	/* It cannot fail: nobody adds that often. */
	if (w->runs && write(w->again, &one, sizeof(one)) != (ssize_t)sizeof(one))
		w->complained = true;
}

void names_again_now(struct name_writer *w)
{
	struct pollfd p = {.fd = w->repeated, .events = POLLIN};
	uint64_t count;

	if (!w->runs || w->ended)
		return;
	/* Those that were asked for before. */
	while (read(w->repeated, &count, sizeof(count)) == (ssize_t)sizeof(count))
		;
	atomic_store(&w->is_held, true);
	names_again(w);
	poll(&p, 1, LAST_MS);
}

void names_go_on(struct name_writer *w)
{
	atomic_store(&w->is_held, false);
}

static void ask_to_stop(struct name_writer *w)
{
	uint64_t one = 1;

	/* It cannot fail, as above. */
	if (write(w->stop, &one, sizeof(one)) != (ssize_t)sizeof(one))
		w->complained = true;
}

void names_end(struct name_writer *w)
{
	struct pollfd p = {.fd = w->done, .events = POLLIN};

	if (!w->runs)
		return;
	ask_to_stop(w);
	if (!poll(&p, 1, LAST_MS) && w->is_snapshot)
		names_again_now(w);
	w->ended = true;
	names_abort(w->names);
}

void names_stop(struct name_writer *w)
{
	if (w->runs) {
		names_go_on(w);
		names_abort(w->names);
		ask_to_stop(w);
		pthread_join(w->thread, NULL);
	}
	w->runs = w->ended = false;
	names_free(w->names);
	w->names = NULL;
	quota_scan_close(w->quotas);
	w->quotas = NULL;
	if (w->logger > 0)
		close(w->logger);
	if (w->stop > 0)
		close(w->stop);
	if (w->again > 0)
		close(w->again);
	if (w->done > 0)
		close(w->done);
	if (w->repeated > 0)
		close(w->repeated);
	w->logger = w->stop = w->again = w->done = w->repeated = 0;
}
