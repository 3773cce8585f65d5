/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "names/names.h"
#include "record/record.h"
#include "tap.h"
#include "base/text.h"
#include "base/util.h"

/*
 * What is written of names before a snapshot, and while it is taken. Who tells of containers here
 * is a user who has new ones all the time, and in whose files a scan stays for long.
 */

struct names {
	void (*look)(void *ctx);
	void *look_ctx;
	atomic_bool aborted;
};

/* Since it was set: new names, and those that were told again. */
static atomic_uint nr_new, nr_again;
static atomic_uint scan_ms;

static void take(void *ctx, const char *line)
{
	(void)ctx;
	atomic_fetch_add(*line == 'n' ? &nr_new : &nr_again, 1);
}

struct names *names_new(void)
{
	return xcalloc(1, sizeof(struct names));
}

void names_free(struct names *n)
{
	free(n);
}

void names_abort(struct names *n)
{
	if (n)
		atomic_store(&n->aborted, true);
}

int names_fd(const struct names *n)
{
	(void)n;
	return -1;
}

void names_look(struct names *n, void (*look)(void *ctx), void *ctx)
{
	n->look = look;
	n->look_ctx = ctx;
}

void names_scan(struct names *n, void (*tell)(void *ctx, const char *line), void *ctx)
{
	unsigned int i;

	for (i = 0; i <= atomic_load(&scan_ms) / 10 && !atomic_load(&n->aborted); i++) {
		n->look(n->look_ctx);
		tell(ctx, "new");
		usleep(10000);
	}
}

void names_repeat(struct names *n, size_t users_max, void (*tell)(void *ctx, const char *line),
		  void *ctx)
{
	(void)n;
	(void)users_max;
	tell(ctx, "again");
}

/* Who makes cgroups makes looking at their quotas take as long. */
static atomic_uint quotas_ms;

struct quota_scan *quota_scan_open(bool with_sums)
{
	(void)with_sums;
	return (struct quota_scan *)&quotas_ms;
}

void quota_scan_run(struct quota_scan *q, void (*write_line)(void *ctx, const char *line),
		    void *ctx)
{
	(void)q;
	(void)write_line;
	(void)ctx;
	usleep(1000 * atomic_load(&quotas_ms));
}

uint64_t quota_scan_pause(const struct quota_scan *q, uint64_t least)
{
	(void)q;
	return least;
}

void quota_scan_repeat(struct quota_scan *q)
{
	(void)q;
}

void quota_scan_close(struct quota_scan *q)
{
	(void)q;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

/* The kernel's file for lines, which is not everywhere. */
int __wrap_open(const char *path, int flags, ...)
{
	return __real_open(strcmp(path, "/proc/lttng-logger") ? path : "/dev/null", flags, 0600);
}

static struct name_writer *begin(unsigned int ms)
{
	static const struct record_options options = {.snapshot = true, .why = true};
	static const struct session session = {.tells_throttling = true};
	struct name_writer *w = xcalloc(1, sizeof(*w));

	atomic_store(&scan_ms, ms);
	w->hear = take;
	expect_int(names_start(w, &options, &session), 0);
	/* It is at work. */
	usleep(100000);
	atomic_store(&nr_again, 0);
	return w;
}

static void end(struct name_writer *w)
{
	names_stop(w);
	free(w);
}

static void test_nothing_is_new(void)
{
	struct name_writer *w = begin(0);
	unsigned int before;

	names_again_now(w);
	expect_int(atomic_load(&nr_again), 1);
	before = atomic_load(&nr_new);
	usleep(800000);
	expect_int(atomic_load(&nr_new), before);
	names_go_on(w);
	usleep(800000);
	expect(atomic_load(&nr_new) > before);
	end(w);
}

static void test_scan_is_long(void)
{
	struct name_writer *w = begin(60000);
	uint64_t began = now_ns();
	unsigned int before;

	names_again_now(w);
	expect(now_ns() < began + NS_PER_SEC);
	expect_int(atomic_load(&nr_again), 1);
	before = atomic_load(&nr_new);
	usleep(300000);
	/* One was on its way. */
	expect(atomic_load(&nr_new) <= before + 1);
	end(w);
}

static void test_many_quotas(void)
{
	struct name_writer *w;

	atomic_store(&quotas_ms, 1500);
	w = begin(0);
	/* The first look, which is not one for a snapshot. */
	usleep(2000000);
	atomic_store(&nr_again, 0);
	names_again_now(w);
	expect_int(atomic_load(&nr_again), 1);
	atomic_store(&quotas_ms, 0);
	end(w);
}

/* What came last is told, and then all others, so that it has pushed out none. */
static void test_end(void)
{
	struct name_writer *w = begin(0);

	names_end(w);
	expect_int(atomic_load(&nr_again), 1);
	end(w);
}

static void test_end_of_long_scan(void)
{
	struct name_writer *w = begin(60000);
	uint64_t began = now_ns();

	names_end(w);
	expect(now_ns() < began + 4 * NS_PER_SEC);
	expect_int(atomic_load(&nr_again), 1);
	end(w);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"while a snapshot is taken nothing is written", test_nothing_is_new},
		{"a scan that takes long keeps no names from a snapshot", test_scan_is_long},
		{"quotas that take long to be looked at keep no names from one", test_many_quotas},
		{"at the end all are told behind what came last", test_end},
		{"at the end a scan that takes long keeps none away", test_end_of_long_scan},
		{0},
	};

	return tap_run(tests);
}
