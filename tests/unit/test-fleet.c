/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "base/util.h"
#include "report/cpu/cpu-fleet.h"
#include "tap.h"

/* `cpu --live` of many sessions: what is kept of them has an end, whatever they and the relay
 * daemon say. */

/* Shared with the processes that watch and ask. */
struct shared {
	int asked; /* how often */
	int ended; /* sessions */
};

static struct shared *shared;
static void (*list)(void (*each)(const char *name));
static int (*session)(const char *name);

static void (*tell)(void *ctx, const struct live_session *s);
static int nr_told;

static void tell_one(const char *name)
{
	const struct live_session s = {"net://relay", "host", (char *)name, 1000};

	tell(NULL, &s);
	nr_told++;
}

int live_list(const char *text, void (*each)(void *ctx, const struct live_session *s), void *ctx)
{
	(void)text;
	(void)ctx;
	tell = each;
	nr_told = 0;
	shared->asked++;
	list(tell_one);
	return nr_told;
}

int cpu_live_session(const struct cpu_live_options *o, const struct live_session *s, bool framed)
{
	(void)o;
	(void)framed;
	return session(s->name);
}

int cpu_live_screen(struct report *r)
{
	(void)r;
	return 0;
}

void live_stop(int sig)
{
	_exit(sig);
}

static void await(const int *what, int value)
{
	while (*(volatile const int *)what < value)
		usleep(1000);
}

/* What was written to it, which is closed; the caller frees it. */
static char *content_of(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = xcalloc((size_t)size + 1, 1);

	if (pread(fd, text, (size_t)size, 0) != size)
		exit(2);
	close(fd);
	return text;
}

struct saw {
	char *out, *err;
	int status;
};

/* Runs it with what the functions above do, and less kept than usually. */
static struct saw run_fleet(bool json)
{
	const struct cpu_live_options o = {.url = "net://relay", .every = 1000000, .json = json};
	int kept[] = {dup(STDOUT_FILENO), dup(STDERR_FILENO)};
	int fds[] = {memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC)};
	struct saw r;
	int i;

	fflush(NULL);
	memset(shared, 0, sizeof(*shared));
	for (i = 0; i < 2; i++)
		dup2(fds[i], STDOUT_FILENO + i);
	r.status = cpu_fleet(&o);
	fflush(NULL);
	for (i = 0; i < 2; i++) {
		dup2(kept[i], STDOUT_FILENO + i);
		close(kept[i]);
	}
	r.out = content_of(fds[0]);
	r.err = content_of(fds[1]);
	return r;
}

static void saw_free(struct saw *r)
{
	free(r->out);
	free(r->err);
}

static bool says(const char *text, const char *what)
{
	return strstr(text, what) != NULL;
}

#define ROUNDS	   10
#define OF_A_ROUND 3

/* New ones each time, and one that is there all the time. */
static void list_new(void (*each)(const char *name))
{
	char name[32];
	int i;

	each("stays");
	for (i = 0; i < OF_A_ROUND; i++) {
		snprintf(name, sizeof(name), "round-%02d-%d", shared->asked, i);
		each(name);
	}
}

static int end_at_once(const char *name)
{
	if (!strcmp(name, "stays"))
		await(&shared->asked, ROUNDS);
	printf("total of %s\n%c", name, CPU_LIVE_TOTAL);
	return 0;
}

static void test_first_ones_are_forgotten(void)
{
	const struct cpu_fleet_limits usual = cpu_fleet_limits;
	size_t nr = 0;
	const char *at;
	struct saw r;

	cpu_fleet_limits.ended = 4;
	cpu_fleet_limits.ask_ns = 50000000;
	list = list_new;
	session = end_at_once;
	r = run_fleet(false);
	cpu_fleet_limits = usual;
	expect_int(r.status, 0);
	for (at = r.out; (at = strstr(at, "total of round-")); at++)
		nr++;
	/* Of those of the last round it may not have heard that they are not listed any more. */
	expect(nr >= 4 && nr < 2 * 4 + 2 * OF_A_ROUND);
	expect(says(r.out, "total of stays\n"));
	expect(!says(r.out, "total of round-01-"));
	expect(says(r.out, "total of round-09-0\n"));
	expect(says(r.err, "totals of the last ones alone will be told"));
	saw_free(&r);
}

#define TEXT_LEN 2000

static void list_three(void (*each)(const char *name))
{
	each("0");
	each("1");
	each("2");
}

static int say_much(const char *name)
{
	int nr = atoi(name);

	await(&shared->ended, nr);
	printf("%s%0*d\n%c", name, TEXT_LEN, nr, CPU_LIVE_TOTAL);
	fflush(stdout);
	/* Until it is taken, before the next one says something. */
	usleep(400000);
	shared->ended = nr + 1;
	return 0;
}

static void test_long_totals_are_forgotten(void)
{
	const struct cpu_fleet_limits usual = cpu_fleet_limits;
	struct saw r;

	cpu_fleet_limits.totals = 2 * TEXT_LEN + 100;
	list = list_three;
	session = say_much;
	r = run_fleet(false);
	cpu_fleet_limits = usual;
	expect_int(r.status, 0);
	expect_int((long long)strlen(r.out), (long long)strlen("\nin all\n") + 2 * (TEXT_LEN + 2));
	expect(!strncmp(r.out, "\nin all\n1", 9));
	expect(says(r.err, "totals of the last ones alone will be told"));
	saw_free(&r);
}

static void list_two(void (*each)(const char *name))
{
	each("fine");
	each("long");
}

static int say_json(const char *name)
{
	printf("{\"%s\": %0*d}\n", name, strcmp(name, "long") ? 20000 : 60000, 1);
	return 0;
}

static void test_who_says_too_much_is_told(void)
{
	const struct cpu_fleet_limits usual = cpu_fleet_limits;
	struct saw r;

	cpu_fleet_limits.said = 16384;
	cpu_fleet_limits.said_by_all = 100000;
	list = list_two;
	session = say_json;
	r = run_fleet(true);
	expect_int(r.status, 2);
	expect(!strncmp(r.out, "{\"fine\": 0", 10));
	expect(!says(r.out, "long"));
	expect(says(r.err, "A session's table is longer than what is kept of one"));
	expect(says(r.err, "session=host/long bytes="));
	saw_free(&r);
	/* There is as much as one has alone. */
	cpu_fleet_limits.said_by_all = 400000;
	r = run_fleet(true);
	cpu_fleet_limits = usual;
	expect_int(r.status, 0);
	expect(says(r.out, "{\"fine\": 0") && says(r.out, "{\"long\": 0"));
	saw_free(&r);
}

#define LISTED 50000
static int nr_listed;
/* Under ASan to make a process takes 20 ms. */
#ifdef __SANITIZE_ADDRESS__
#define LONG_ROUNDS 4
#else
#define LONG_ROUNDS 40
#endif

/* All of them each time, though those that were watched have ended. */
static void list_many(void (*each)(const char *name))
{
	char name[32];
	int i;

	each("stays");
	for (i = 0; i < nr_listed; i++) {
		snprintf(name, sizeof(name), "%d", i);
		each(name);
	}
}

static int end_at_once_but_one(const char *name)
{
	if (!strcmp(name, "stays"))
		await(&shared->asked, LONG_ROUNDS);
	return 0;
}

static double cpu_time(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* Seconds of CPU time. */
static double watch_many(int nr)
{
	const struct cpu_fleet_limits usual = cpu_fleet_limits;
	double before = cpu_time();
	struct saw r;

	nr_listed = nr;
	cpu_fleet_limits.ask_ns = 1;
	list = list_many;
	session = end_at_once_but_one;
	r = run_fleet(false);
	cpu_fleet_limits = usual;
	expect_int(r.status, 0);
	saw_free(&r);
	return cpu_time() - before;
}

/* Mostly it is the processes, which are as many of either: 10,000. */
static void test_many_that_have_ended(void)
{
	double few = watch_many(LISTED / 5);

	/* Who looked for each among all that were watched would take some four times as long. */
	expect(watch_many(LISTED) < 2 * few);
}

#define LONG_LEN (48 << 20)

static void list_one(void (*each)(const char *name))
{
	each("one");
}

static int say_long(const char *name)
{
	(void)name;
	printf("%0*d\n", LONG_LEN, 1);
	return 0;
}

static void test_long_table(void)
{
	double before = cpu_time();
	struct saw r;

	list = list_one;
	session = say_long;
	r = run_fleet(true);
	expect_int(r.status, 0);
	expect_int((long long)strlen(r.out), LONG_LEN + 1);
	/* Who looked through all of it each time would take a minute. */
	expect(cpu_time() - before < 10);
	saw_free(&r);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"of sessions that have ended the first ones are forgotten",
		 test_first_ones_are_forgotten},
		{"of totals that are too long the first ones are forgotten",
		 test_long_totals_are_forgotten},
		{"who says too much in one table is not watched any longer, which is said",
		 test_who_says_too_much_is_told},
		{"many sessions that have ended cost no step of each for each",
		 test_many_that_have_ended},
		{"a long table is looked through once", test_long_table},
		{NULL, NULL},
	};

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		return 2;
	return tap_run(tests);
}
