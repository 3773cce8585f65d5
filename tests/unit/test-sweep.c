/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What is forgotten of containers that are gone: nothing that is pointed to (ASan would tell), so
 * that a host which is watched has the same figures whether it forgets or not; and numbers that
 * come again are of something new.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metrics.h"
#include "base/text.h"
#include "base/util.h"
#include "report/metrics/metrics-text.h"
#include "tap.h"
#include "world.h"

#define KEEP_NS	 (10 * NS_PER_SEC)
#define STEPS	 6000
#define SEEDS	 6
#define TIDS	 40
#define INODES	 12
#define GROUPS	 24
#define CPUS	 3
#define RECORDER 7

static struct trace_info trace = {.hostname = (char *)"unit", .session = (char *)"s"};
static struct host host;
static struct host *hosts[] = {&host};
static struct loaded loaded = {.hosts = hosts, .nr_hosts = 1};
static uint64_t now, state;
static int running[CPUS];
static bool alive[TIDS], made[GROUPS], throttled[GROUPS];
static int ids[GROUPS], last_id;
static int group_of[TIDS]; /* -1: the host's */
static size_t most;

static unsigned int below(unsigned int n)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned int)(state >> 33) % n;
}

static void hear(const struct event *ev)
{
	sched_event(host.sched, ev, BEGIN);
	metrics_event(host.user, ev);
	host.last = ev->ns;
	if (ev->ns > BEGIN + KEEP_NS)
		metrics_forget(host.user, ev->ns - KEEP_NS);
}

static void begin(bool is_endless)
{
	world_begin(SHAPE_OURS);
	world_hears = hear;
	world->recorder_pid = RECORDER;
	world->recorder_uid = ABSENT;
	host = (struct host){.trace = &trace, .model = world, .begin = BEGIN};
	host.offers[EV_THROTTLE] = true;
	host.sched = sched_new(world, &metrics_sched, &host);
	host.cpus = sched_cpus(host.sched);
	host.user = metrics_new(&host, is_endless);
	dump_host();
	now = NS_PER_SEC;
	most = 0;
}

static void end(void)
{
	metrics_free(host.user);
	sched_free(host.sched);
	world_hears = NULL;
	world_end();
}

static void sweep(void)
{
	metrics_sweep(host.user, BEGIN + now - KEEP_NS);
}

static void tell(int cpu, enum event_kind kind, struct event ev)
{
	ev.kind = kind;
	now += 1000 + below(1000) * 1000;
	if (kind == EV_CGROUP_ATTACH)
		cpus_before_move(host.cpus, &ev);
	at(now, cpu, kind, ev);
}

static void swap(int cpu, int to, int prev_state)
{
	tell(cpu, EV_SWITCH,
	     (struct event){.sw = {.prev_comm = "sh",
				   .prev_tid = running[cpu],
				   .prev_state = prev_state,
				   .next_comm = "sh",
				   .next_tid = to}});
	running[cpu] = to;
}

static void group(enum event_kind kind, int id, const char *path)
{
	tell(0, kind, (struct event){.cgroup = {.cgroup_id = id, .parent_id = 1, .path = path}});
}

static void attach(int tid, int id, const char *path)
{
	tell(0, EV_CGROUP_ATTACH,
	     (struct event){.process_cgroup = {
				    .tid = tid, .cgroup_id = id, .threadgroup = 1, .path = path}});
}

/* @outer: 0, or the inode of a namespace around @inum; @inum: 0 is the host's. */
static void make(int tid, unsigned int outer, unsigned int inum, int vtid, int group_id)
{
	unsigned int inums[4] = {ROOT};
	int vtids[4] = {tid}, n = 1;
	struct event ev;

	if (outer) {
		vtids[n] = tid;
		inums[n++] = outer;
	}
	if (inum) {
		vtids[n] = vtid;
		inums[n++] = inum;
	}
	ev = fork_event(100, ROOT, vtids, inums);
	ev.fork.child_cgroup_id = group_id;
	tell(0, EV_FORK, ev);
}

static void wake(enum event_kind kind, int tid, int cpu)
{
	tell(0, kind, (struct event){.wake = {.comm = "sh", .tid = tid, .target_cpu = cpu}});
}

static void finish(int tid)
{
	tell(0, EV_EXIT, (struct event){.task = {.comm = "sh", .tid = tid}});
	tell(0, EV_FREE, (struct event){.task = {.comm = "sh", .tid = tid}});
}

static void line(const char *text)
{
	tell(0, EV_LOGGER,
	     (struct event){.logger = {.msg = text, .pid = RECORDER, .uid = 0, .pid_ns = ROOT}});
}

static char *path_of(unsigned int nr)
{
	switch (nr % 4) {
	case 0:
		return xasprintf("/box-%u", nr);
	case 1:
		return xasprintf("/docker/%064x", nr);
	case 2:
		return xasprintf("/kubepods/pod%032x/%064x", nr % 8, nr);
	default:
		return xasprintf("/docker/%064x/inner", nr - 2);
	}
}

static void lose(void)
{
	struct loss loss = {.cpu = (int)below(CPUS),
			    .may_switch = true,
			    .begin = BEGIN + now,
			    .end = BEGIN + now + 50000,
			    .count = 3,
			    .trace = "unit"};

	cpus_before_loss(host.cpus, &loss);
	model_loss(world, &loss);
	sched_loss(host.sched, &loss);
	now += 100000;
}

/* One with somebody or another group in it can only be emptied first. */
static bool is_busy(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < TIDS; i++)
		if (alive[i] && group_of[i] == (int)nr)
			return true;
	return nr % 4 == 1 && nr + 2 < GROUPS && made[nr + 2];
}

static void throttle(unsigned int nr)
{
	throttled[nr] = !throttled[nr];
	tell(0, throttled[nr] ? EV_THROTTLE : EV_UNTHROTTLE,
	     (struct event){.throttle = {.cgroup_id = ids[nr], .target_cpu = nr % CPUS}});
}

static void act_on_group(unsigned int nr, int tid)
{
	char *path = path_of(nr);

	if (!made[nr] && (nr % 4 != 3 || made[nr - 2])) {
		ids[nr] = ++last_id;
		group(EV_CGROUP_MKDIR, ids[nr], path);
		made[nr] = true;
	} else if (made[nr] && below(2) && !is_busy(nr)) {
		if (throttled[nr])
			throttle(nr);
		group(EV_CGROUP_RMDIR, ids[nr], path);
		made[nr] = false;
	} else if (made[nr] && below(2)) {
		throttle(nr);
	} else if (made[nr] && alive[tid - 1000]) {
		attach(tid, ids[nr], path);
		group_of[tid - 1000] = (int)nr;
	}
	free(path);
}

/* Of a group that is there, or of one that nobody ever hears of. */
static void name(unsigned int nr, int tid)
{
	bool is_known = made[nr] && alive[tid - 1000];
	char *path = is_known ? path_of(nr) : xasprintf("/none-%d", ++last_id);
	char *text = xasprintf("container v1 runtime=docker id=%064x name=c%u init_tid=%d "
			       "pid_ns=%u cgroup=%s told_by=root",
			       nr, nr % 5, is_known ? tid : 1, BOX + below(INODES), path);

	line(text);
	free(text);
	free(path);
}

/* The CPU that it is on; -1: none. */
static int cpu_of(int tid)
{
	int cpu;

	for (cpu = CPUS - 1; cpu >= 0 && running[cpu] != tid; cpu--)
		;
	return cpu;
}

static void act_on_task(unsigned int what, int tid)
{
	unsigned int inum = BOX + below(INODES);
	int cpu = (int)below(CPUS), on = cpu_of(tid), nr = (int)below(GROUPS);

	if (!alive[tid - 1000]) {
		group_of[tid - 1000] = made[nr] && below(2) ? nr : -1;
		make(tid, below(4) ? 0 : BOX + 100 + below(3), below(5) ? inum : 0,
		     below(3) ? 1 : 5, group_of[tid - 1000] < 0 ? 0 : ids[nr]);
		alive[tid - 1000] = true;
	} else if (what < 40) {
		swap(on < 0 ? cpu : on, on < 0 ? tid : 0, below(2) ? 1 : 0x100);
	} else if (what < 60) {
		wake(below(2) ? EV_WAKING : EV_WAKEUP, tid, cpu);
	} else {
		if (on >= 0)
			swap(on, 0, 0x40);
		finish(tid);
		alive[tid - 1000] = false;
	}
}

static void act(unsigned int what)
{
	int tid = 1000 + (int)below(TIDS);

	if (what < 72)
		act_on_task(what, tid);
	else if (what < 92)
		act_on_group(below(GROUPS), tid);
	else if (what < 95)
		name(below(GROUPS), tid);
	else if (what < 97)
		now += below(20) * NS_PER_SEC;
	else if (what < 98)
		tell(0, EV_MIGRATE,
		     (struct event){.migrate = {.tid = tid, .dest_cpu = below(CPUS)}});
}

/* The sum of all on the page that begin so. */
static double sum_of(const char *text, const char *name)
{
	size_t len = strlen(name);
	double sum = 0;

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, name, len))
			sum += strtod(strchr(strstr(text, "} "), ' '), NULL);
	}
	return sum;
}

static char *page(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	metrics_text(out, &loaded, 5, false);
	fclose(out);
	return text;
}

/* What somebody may do who does not mind whether it makes sense. Return: the page at the end. */
static char *play(unsigned int seed, bool is_endless, bool with_losses)
{
	unsigned int i;

	begin(is_endless);
	group(EV_CGROUP_MKDIR, 1, "/");
	attach(100, 1, "/");
	memset(running, 0, sizeof(running));
	memset(alive, 0, sizeof(alive));
	memset(made, 0, sizeof(made));
	memset(throttled, 0, sizeof(throttled));
	last_id = 10;
	state = seed;
	for (i = 0; i < STEPS; i++) {
		act(below(98));
		if (with_losses && !below(200))
			lose();
		/* The same numbers are drawn either way. */
		if (!below(20) && is_endless)
			sweep();
		if (!below(40))
			free(page());
		most = model_size(world) > most ? model_size(world) : most;
	}
	sched_finish(host.sched, BEGIN, BEGIN + now);
	metrics_finish(host.user);
	return page();
}

static void figures_are_the_same(void)
{
	static const char *const names[] = {
		"lttng_containers_cpu_seconds_total{",
		"lttng_containers_cpu_seconds_total{host=\"unit\",container=\"host\"",
		"lttng_containers_waiting_seconds_total{",
		"lttng_containers_waiting_seconds_total{host=\"unit\",container=\"host\"",
		"lttng_containers_throttled_seconds_total{",
		"lttng_containers_scheduling_latency_seconds_count{",
		"lttng_containers_blocked_seconds_total{",
		"lttng_containers_blocked_seconds_total{host=\"unit\",container=\"host\"",
		"lttng_containers_unplaced_seconds{",
	};
	char *kept, *swept;
	unsigned int seed;
	size_t all, i;

	for (seed = 1; seed <= SEEDS; seed++) {
		kept = play(seed, false, false);
		all = most;
		end();
		swept = play(seed, true, false);
		expect(2 * most < all);
		end();
		for (i = 0; i < ARRAY_SIZE(names); i++) {
			double a = sum_of(kept, names[i]), b = sum_of(swept, names[i]);

			if (a - b > 1e-5 || b - a > 1e-5)
				printf("# %s, seed %u: %.9f, and %.9f if nothing is forgotten\n",
				       names[i], seed, b, a);
			expect(a > 0 || i + 1 == ARRAY_SIZE(names));
			expect(a - b < 1e-5 && b - a < 1e-5);
		}
		free(kept);
		free(swept);
	}
}

static void what_is_lost_leads_to_nobody_who_is_gone(void)
{
	unsigned int seed;

	for (seed = 1; seed <= SEEDS; seed++) {
		free(play(seed, true, true));
		end();
	}
}

static void numbers_that_come_again(void)
{
	static const char path[] = "/docker/0123456789abcdef0123456789abcdef"
				   "0123456789abcdef0123456789abcdef";
	struct container *c;
	char *label, *later;

	begin(true);
	group(EV_CGROUP_MKDIR, 1, "/");
	attach(100, 1, "/");
	/* It never ran, so it has no figures. */
	group(EV_CGROUP_MKDIR, 20, path);
	make(1000, 0, BOX, 1, 20);
	finish(1000);
	group(EV_CGROUP_RMDIR, 20, path);
	group(EV_CGROUP_MKDIR, 22, "/one");
	group(EV_CGROUP_RMDIR, 22, "/one");
	group(EV_CGROUP_MKDIR, 22, "/other");
	group(EV_CGROUP_MKDIR, 21, path);
	make(1001, 0, BOX, 1, 21);
	c = task_container(world, model_task(world, 1001));
	free(page());
	label = container_label(c);
	expect_int((long long)world->nr_containers, 2);
	now += 2 * KEEP_NS;
	sweep();
	expect_int((long long)world->nr_containers, 1);
	expect_int((long long)world->nr_namespaces, 2);
	expect(task_container(world, model_task(world, 1001)) == c);
	expect(model_namespace(world, BOX) == c->ns);
	expect(!model_cgroup(world, 0, 20));
	expect(model_cgroup_at(world, 0, path) == c->cgroup);
	/* Empty since it was made, and called as one that is gone. */
	expect(model_cgroup(world, 0, 22) != NULL);
	/* Its namesake is gone, and it is called as before. */
	free(page());
	later = container_label(c);
	expect_text(later, label);
	expect(strchr(label, '@') != NULL);
	free(label);
	free(later);
	end();
}

/* Three of one name, that were born within a millisecond: whoever makes some can end them. */
static void who_looks_like_one_that_is_gone(void)
{
	char *label = NULL, *later, *path;
	int i;

	begin(true);
	group(EV_CGROUP_MKDIR, 1, "/");
	attach(100, 1, "/");
	for (i = 0; i < 3; i++) {
		path = xasprintf("/%d/docker/%064x", i, 1);
		group(EV_CGROUP_MKDIR, 20 + i, path);
		make(1000 + i, 0, BOX + (unsigned int)i, 1, 20 + i);
		model_namespace(world, BOX + (unsigned int)i)->birth =
			BEGIN + NS_PER_SEC + (uint64_t)i;
		free(path);
	}
	for (i = 0; i < 3; i++) {
		free(page());
		later = container_label(task_container(world, model_task(world, 1001)));
		if (label)
			expect_text(later, label);
		else
			expect(strstr(later, "#2") != NULL);
		free(label);
		label = later;
		expect_int((long long)world->nr_containers, 3 - i);
		/* The first goes, then the last. */
		if (i < 2) {
			finish(1000 + 2 * i);
			group(EV_CGROUP_RMDIR, 20 + 2 * i, "");
			now += 2 * KEEP_NS;
			sweep();
		}
	}
	free(label);
	end();
}

/* A container of that number and name, that lives; @name: what it is called now. */
static void call(int nr, const char *name)
{
	char *text = xasprintf("container v1 runtime=docker id=%064x name=%s init_tid=%d pid_ns=%u "
			       "cgroup=/docker/%064x told_by=root",
			       nr, name, 1000 + nr, BOX + (unsigned int)nr, nr);

	line(text);
	free(text);
}

static void add_alike(int nr)
{
	char *path = xasprintf("/docker/%064x", nr);

	group(EV_CGROUP_MKDIR, 20 + nr, path);
	make(1000 + nr, 0, BOX + (unsigned int)nr, 1, 20 + nr);
	model_namespace(world, BOX + (unsigned int)nr)->birth = BEGIN + NS_PER_SEC + (uint64_t)nr;
	call(nr, "web");
	free(path);
}

static char *label_of(int nr)
{
	free(page());
	return container_label(task_container(world, model_task(world, 1000 + nr)));
}

/* One of several of a name is called otherwise for a while, in which another one comes. */
static void who_is_called_so_again(void)
{
	char *label, *later;
	int nr;

	begin(true);
	group(EV_CGROUP_MKDIR, 1, "/");
	attach(100, 1, "/");
	for (nr = 1; nr <= 3; nr++)
		add_alike(nr);
	free(page());
	call(3, "db");
	free(page());
	add_alike(4);
	free(page());
	call(3, "web");
	label = label_of(4);
	finish(1003);
	group(EV_CGROUP_RMDIR, 23, "");
	now += 2 * KEEP_NS;
	sweep();
	later = label_of(4);
	expect_text(later, label);
	free(label);
	free(later);
	end();
}

#define LIVES 10000

/* As many are taken for such as live as there can be on a host that nobody floods; not more. */
static void ends_that_are_lost(void)
{
	int nr, tid;
	char *path;

	begin(true);
	group(EV_CGROUP_MKDIR, 1, "/");
	attach(100, 1, "/");
	memset(running, 0, sizeof(running));
	for (nr = 0; nr < LIVES; nr++) {
		path = xasprintf("/docker/%064x", nr);
		tid = 1000 + nr % TIDS;
		group(EV_CGROUP_MKDIR, 10 + nr, path);
		make(tid, 0, BOX + (unsigned int)nr, 1, 10 + nr);
		swap(0, tid, 0);
		swap(0, 0, 1);
		lose();
		free(path);
		now += NS_PER_SEC / 20;
		if (nr % 100 == 0)
			free(page());
		most = model_size(world) > most ? model_size(world) : most;
	}
	printf("# at most %zu are kept of %zu\n", most, 3 * (size_t)LIVES);
	expect(most < LIVES);
	/* Whose end was lost is gone, too, after a while. */
	for (nr = 0; nr < 3; nr++) {
		now += 2 * KEEP_NS;
		lose();
		free(page());
		sweep();
	}
	expect(((struct metrics *)host.user)->nr_rows < 2 * 1024);
	end();
}

static const struct tap_test tests[] = {
	{"sweep: figures are the same whether what is gone is forgotten or not",
	 figures_are_the_same},
	{"sweep: numbers that come again are of something new", numbers_that_come_again},
	{"sweep: who looks like one that is gone is called as before",
	 who_looks_like_one_that_is_gone},
	{"sweep: nor has who is called as others again the number of one of them",
	 who_is_called_so_again},
	{"sweep: where events are lost nothing points to what is gone",
	 what_is_lost_leads_to_nobody_who_is_gone},
	{"sweep: those whose end is lost do not become more and more", ends_that_are_lost},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
