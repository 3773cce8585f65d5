/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What is counted for a system that watches, on a host whose containers live for milliseconds, each
 * with a quota: the series stay few, no sum falls, no time is lost, and what is kept is bounded by
 * those that live, however many have been; and those that live, each of whom waits for each other
 * one, are no more than those that are shown.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metrics.h"
#include "base/text.h"
#include "base/util.h"
#include "report/metrics/metrics-text.h"
#include "tap.h"
#include "world.h"

#define MS	 1000000ull
#define SHOWN	 20
#define FIRST	 4000
/* Nothing stays of a container that was, so ten times as many take no more memory. */
#define LIVES	 (10 * FIRST)
#define LIFE_MS	 10
#define LIVES_1S (1000 / LIFE_MS)
/* As while a session is watched. */
#define KEEP_NS	 (10 * NS_PER_SEC)
/* Numbers of PID namespaces are used again soon. */
#define INODES	 300
#define TIDS	 30000

static struct trace_info trace = {.hostname = (char *)"unit", .session = (char *)"s"};
static struct host host;
static struct host *hosts[] = {&host};
static struct loaded loaded = {.hosts = hosts, .nr_hosts = 1};
static uint64_t now_ms;

/* A series, and what it had on the page before. */
struct sample {
	char *name;
	double value;
};

struct page {
	struct sample *list;
	size_t nr, cap;
};

static void hear(const struct event *ev)
{
	sched_event(host.sched, ev, BEGIN);
	host.last = ev->ns;
	if (ev->ns > BEGIN + KEEP_NS)
		metrics_forget(host.user, ev->ns - KEEP_NS);
}

static void tell(uint64_t ms, enum event_kind kind, struct event ev)
{
	at((now_ms + ms) * MS, 0, kind, ev);
}

static void swap(uint64_t ms, int prev, int state, int next)
{
	tell(ms, EV_SWITCH,
	     (struct event){.sw = {.prev_comm = "sh",
				   .prev_tid = prev,
				   .prev_state = state,
				   .next_comm = "sh",
				   .next_tid = next}});
}

static void group(uint64_t ms, enum event_kind kind, int64_t id, const char *path)
{
	tell(ms, kind,
	     (struct event){
		     .cgroup = {.hierarchy = 0, .cgroup_id = id, .parent_id = 1, .path = path}});
}

static void quota(uint64_t ms, enum event_kind kind, int64_t id)
{
	tell(ms, kind,
	     (struct event){.throttle = {.hierarchy = 0, .cgroup_id = id, .target_cpu = 0}});
}

static void make_in(int64_t id, const int *vtids, const unsigned int *inums)
{
	struct event ev = fork_event(100, ROOT, vtids, inums);

	ev.fork.child_cgroup_id = id;
	tell(0, EV_FORK, ev);
}

static void make(int tid, unsigned int inum, int64_t id)
{
	make_in(id, IDS(tid, 1), NS(ROOT, inum));
	tell(0, EV_WAKEUP_NEW, (struct event){.wake = {.comm = "sh", .tid = tid, .target_cpu = 0}});
}

/* Runs for 1 ms, may not for 2, waits for 1, and runs for 1 again. */
static void live(int nr)
{
	int tid = 1000 + nr % TIDS;
	int64_t id = 5000 + nr;
	char *path = xasprintf("/group-%d", nr);

	group(0, EV_CGROUP_MKDIR, id, path);
	make(tid, BOX + (unsigned int)(nr % INODES), id);
	swap(1, 0, 0, tid);
	quota(2, EV_THROTTLE, id);
	swap(2, tid, 0x100, 0);
	quota(4, EV_UNTHROTTLE, id);
	swap(5, 0, 0, tid);
	tell(6, EV_EXIT, (struct event){.task = {.comm = "sh", .tid = tid}});
	swap(6, tid, 0x40, 0);
	tell(7, EV_FREE, (struct event){.task = {.comm = "sh", .tid = tid}});
	group(8, EV_CGROUP_RMDIR, id, path);
	free(path);
	now_ms += LIFE_MS;
}

static void begin(void)
{
	world_begin(SHAPE_OURS);
	world_hears = hear;
	host = (struct host){.trace = &trace, .model = world, .begin = BEGIN};
	host.offers[EV_THROTTLE] = true;
	host.sched = sched_new(world, &metrics_sched, &host);
	host.cpus = sched_cpus(host.sched);
	host.user = metrics_new(&host, true);
	dump_host();
	now_ms = 1000;
}

static void end(void)
{
	metrics_free(host.user);
	sched_free(host.sched);
	world_hears = NULL;
	world_end();
}

static void page_free(struct page *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		free(p->list[i].name);
	free(p->list);
	*p = (struct page){0};
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct sample *)a)->name, ((const struct sample *)b)->name);
}

static struct page read_page(void)
{
	struct page p = {0};
	char *text = NULL, *line, *rest, *value;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	metrics_text(out, &loaded, SHOWN, false);
	fclose(out);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		value = strrchr(line, ' ');
		if (*line == '#' || !value)
			continue;
		*value++ = '\0';
		p.list = grow(p.list, p.nr, &p.cap, sizeof(*p.list));
		p.list[p.nr++] = (struct sample){xstrdup(line), strtod(value, NULL)};
	}
	free(text);
	qsort(p.list, p.nr, sizeof(*p.list), by_name);
	return p;
}

/* How many are called so, and their sum. */
static size_t family(const struct page *p, const char *name, double *sum)
{
	size_t len = strlen(name), nr = 0, i;

	*sum = 0;
	for (i = 0; i < p->nr; i++)
		if (!strncmp(p->list[i].name, name, len) && p->list[i].name[len] == '{') {
			*sum += p->list[i].value;
			nr++;
		}
	return nr;
}

static bool is_gauge(const char *name)
{
	return !strncmp(name, "lttng_containers_unplaced", 25) ||
	       !strncmp(name, "lttng_containers_containers", 27);
}

/* How many that can only grow have become less, and how often one stands there twice. */
static size_t wrong(const struct page *before, const struct page *p)
{
	const struct sample *old;
	size_t nr = 0, i;

	for (i = 0; i < p->nr; i++) {
		if (i && !strcmp(p->list[i].name, p->list[i - 1].name)) {
			printf("# twice: %s\n", p->list[i].name);
			nr++;
		}
		old = before->nr && !is_gauge(p->list[i].name)
			      ? bsearch(&p->list[i], before->list, before->nr, sizeof(*p->list),
					by_name)
			      : NULL;
		if (!old || old->value <= p->list[i].value)
			continue;
		printf("# %s: %.9f, was %.9f\n", p->list[i].name, p->list[i].value, old->value);
		nr++;
	}
	return nr;
}

static bool about(double saw, double wanted)
{
	if (saw > wanted - 1e-6 && saw < wanted + 1e-6)
		return true;
	printf("# %.9f, not %.9f\n", saw, wanted);
	return false;
}

/* The most that there has been. */
struct peak {
	size_t heap; /* bytes */
	size_t size; /* of the model */
};

static void measure(struct peak *p)
{
	const struct mallinfo2 info = mallinfo2();
	size_t heap = info.uordblks + info.hblkhd, size = model_size(world);

	p->heap = heap > p->heap ? heap : p->heap;
	p->size = size > p->size ? size : p->size;
}

static void containers_that_live_for_milliseconds(void)
{
	static const char throttled[] = "lttng_containers_throttled_seconds_total";
	struct page before = {0}, p = {0};
	size_t most = 0, most_tasks = 0, nr_wrong = 0, pending;
	struct peak first = {0}, all = {0};
	double sum;
	int nr;

	begin();
	for (nr = 0; nr < LIVES; nr++) {
		live(nr);
		most_tasks = world->nr_tasks > most_tasks ? world->nr_tasks : most_tasks;
		measure(&all);
		if (nr == FIRST)
			first = all;
		if (nr % LIVES_1S != LIVES_1S - 1 && nr > 3 * LIVES_1S)
			continue;
		p = read_page();
		most = p.nr > most ? p.nr : most;
		expect(family(&p, throttled, &sum) <= SHOWN + 4);
		expect(family(&p, "lttng_containers_waiting_seconds_total", &sum) <=
		       (SHOWN + 4) * (SHOWN + 6));
		nr_wrong += wrong(&before, &p);
		page_free(&before);
		before = p;
	}
	printf("# series: %zu at most; tasks: %zu; heap after %d lives: %zu, after %d: %zu bytes\n",
	       most, most_tasks, FIRST, first.heap, LIVES, all.heap);
	printf("# namespaces, groups and containers: %zu, and %zu\n", first.size, all.size);
	pending = ((struct metrics *)host.user)->tasks.nr;
	metrics_finish(host.user);
	p = read_page();
	nr_wrong += wrong(&before, &p);
	expect_int((long long)nr_wrong, 0);
	family(&p, throttled, &sum);
	expect(about(sum, LIVES * 0.002));
	family(&p, "lttng_containers_cpu_seconds_total", &sum);
	expect(about(sum, LIVES * 0.002));
	family(&p, "lttng_containers_scheduling_latency_seconds_count", &sum);
	expect(about(sum, LIVES * 2));
	family(&p, "lttng_containers_containers", &sum);
	expect(about(sum, LIVES));
	/* Those of the last ten seconds, and as many again before they are looked for. */
	expect(most_tasks <= 2 * 10 * LIVES_1S + 1100);
	expect(pending <= most_tasks);
	/* Under ASan nothing is told of the heap. A hash's table may double once more. */
	expect(all.heap <= first.heap + first.heap / 8);
	expect(all.size <= first.size + first.size / 8);
	/* Of rows: those that are shown, or soon will be, and as many again. */
	expect(((struct metrics *)host.user)->nr_rows <= 2 * (SHOWN + LIVES_1S + 66));
	page_free(&before);
	page_free(&p);
	end();
}

#define CROWD	     1000
#define CROWD_FIRST  1000 /* its tid */
#define CROWD_ROUNDS 4
/* Of so many it is found out later that they have a control group of their own. */
#define CROWD_MOVED  10

static void attach(int tid, int64_t id)
{
	struct event ev = {.kind = EV_CGROUP_ATTACH,
			   .process_cgroup = {.tid = tid, .cgroup_id = id, .threadgroup = 1}};

	cpus_before_move(host.cpus, &ev);
	tell(0, EV_CGROUP_ATTACH, ev);
}

static void move(int tid, int64_t id)
{
	char *path = xasprintf("/lxc.payload.box-%d", (int)id);

	group(0, EV_CGROUP_MKDIR, id, path);
	attach(tid, id);
	free(path);
}

static size_t count_culprits(const struct metrics *m)
{
	size_t nr = 0, i;

	for (i = 0; i < m->nr_rows; i++)
		nr += m->rows[i]->blames.nr;
	return nr;
}

/*
 * They are alive all the time, each in a PID namespace of its own, as any user can make them, and
 * take turns, so that each waits for each other one.
 */
static void containers_that_live_and_wait_for_each_other(void)
{
	struct page before = {0}, p = {0};
	size_t nr_wrong = 0, most_culprits = 0;
	struct metrics *m;
	double sum;
	int turn, nr;

	begin();
	m = host.user;
	for (nr = 0; nr < CROWD; nr++) {
		make(CROWD_FIRST + nr, BOX + (unsigned int)nr, 1);
		now_ms++;
	}
	swap(0, 0, 0, CROWD_FIRST);
	for (turn = 1; turn <= CROWD_ROUNDS * CROWD; turn++) {
		now_ms++;
		swap(0, CROWD_FIRST + (turn - 1) % CROWD, 0, CROWD_FIRST + turn % CROWD);
		for (nr = 0; turn == CROWD_ROUNDS / 2 * CROWD && nr < CROWD_MOVED; nr++)
			move(CROWD_FIRST + CROWD / 2 + nr, 5000 + nr);
		if (turn % (CROWD / 2))
			continue;
		p = read_page();
		nr_wrong += wrong(&before, &p);
		page_free(&before);
		before = p;
		if (count_culprits(m) > most_culprits)
			most_culprits = count_culprits(m);
	}
	printf("# rows: %zu; culprits of all of them: %zu at most\n", m->nr_rows, most_culprits);
	expect_int((long long)nr_wrong, 0);
	/* The host, those that are shown, the others, and those that are not decided on yet. */
	expect(m->nr_rows <= 66 + SHOWN);
	expect(most_culprits <= 66 * (SHOWN + 6));
	/* A turn takes 1 ms. The first wait is for one turn of each, the next ones for the others'.
	 */
	family(&p, "lttng_containers_cpu_seconds_total", &sum);
	expect(about(sum, CROWD_ROUNDS * CROWD * 0.001));
	family(&p, "lttng_containers_waiting_seconds_total", &sum);
	expect(about(sum, CROWD * CROWD * 0.001 +
				  ((CROWD_ROUNDS - 1) * CROWD + 1) * (CROWD - 1) * 0.001));
	page_free(&before);
	end();
}

#define FILL_FIRST 1000 /* its tid */
#define FILL_GROUP 7000
#define FILL_INIT  900 /* of the namespace around them */
#define OUTER	   (BOX + 1)
#define WEB_TID	   5000
#define WEB_GROUP  7001

/*
 * For each place that there is three containers that run for 1 ms, while the host's shell waits;
 * and the last one goes on.
 */
static void fill(bool within)
{
	int nr, tid = 0;

	tell(0, EV_WAKING, (struct event){.wake = {.comm = "sh", .tid = 100, .target_cpu = 0}});

	if (within)
		make_in(FILL_GROUP, IDS(FILL_INIT, 1), NS(ROOT, OUTER));
	for (nr = 0; nr < 3 * SHOWN; nr++) {
		const unsigned int inum = BOX + 100 + (unsigned int)nr;

		tid = FILL_FIRST + nr;
		if (within)
			make_in(FILL_GROUP, IDS(tid, 2 + nr, 1), NS(ROOT, OUTER, inum));
		else
			make_in(FILL_GROUP, IDS(tid, 1), NS(ROOT, inum));
		swap(1, 0, 0, tid);
		swap(2, tid, 1, 0);
		now_ms += 2;
	}
	swap(1, 0, 0, 100);
	swap(2, 100, 1, tid);
	now_ms += 2;
}

/* Of the first sample that begins so; below 0: there is none. */
static double value_of(const struct page *p, const char *begin)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (!strncmp(p->list[i].name, begin, strlen(begin)))
			return p->list[i].value;
	return -1;
}

#define CPU_OF(LABEL) "lttng_containers_cpu_seconds_total{host=\"unit\",container=\"" LABEL "\""
#define WAITS_OF(LABEL, PATH, CULPRIT)                                                             \
	"lttng_containers_waiting_seconds_total{host=\"unit\",container=\"" LABEL "\",pod=\"\","   \
	"cgroup=\"" PATH "\",culprit=\"" CULPRIT "\""
#define WAITS_OF_WEB(CULPRIT)	WAITS_OF("web", "/lxc.payload.web", CULPRIT)
/* Its control group is not told. */
#define WAITS_OF_SHELL(CULPRIT) WAITS_OF("(unknown)", "", CULPRIT)

/* One that comes late is shown by name, whoever had taken the places; and so is whom it waits for.
 */
static void places_are_taken(const char *path, bool within)
{
	struct page before, p;

	begin();
	group(0, EV_CGROUP_MKDIR, FILL_GROUP, path);
	group(0, EV_CGROUP_MKDIR, WEB_GROUP, "/lxc.payload.web");
	fill(within);
	before = read_page();
	make(WEB_TID, BOX, WEB_GROUP);
	swap(3, FILL_FIRST + 3 * SHOWN - 1, 0, WEB_TID);
	swap(5, WEB_TID, 1, 0);
	swap(6, 0, 0, WEB_TID);
	swap(7, WEB_TID, 1, 0);
	p = read_page();
	expect(value_of(&before, CPU_OF("web")) < 0);
	expect(about(value_of(&p, CPU_OF("web")), 0.003));
	expect(about(value_of(&p, within ? WAITS_OF_WEB("evil") : WAITS_OF_WEB("(other)")), 0.003));
	/* The outer container is shown, and of those within it all but one; now one less. */
	if (within) {
		expect(about(value_of(&before, WAITS_OF_SHELL("evil")), (2 * SHOWN + 1) * 0.001));
		expect(about(value_of(&p, WAITS_OF_SHELL("evil")), (2 * SHOWN + 1) * 0.001));
		expect(about(value_of(&p, WAITS_OF_SHELL("(other)")), 0.001));
	}
	expect_int((long long)wrong(&before, &p), 0);
	page_free(&before);
	page_free(&p);
	end();
}

static void places_that_a_user_has_taken(void)
{
	places_are_taken("/user.slice/user-1000.slice/session-1.scope", false);
}

static void places_that_a_service_has_taken(void)
{
	places_are_taken("/system.slice/builder.service/1", false);
}

static void places_that_a_container_has_taken(void)
{
	places_are_taken("/lxc.payload.evil", true);
}

#define SLEEPER_FIRST 2000
#define MOVED_FIRST   (SLEEPER_FIRST + SHOWN)

/* Who runs and is shown by name is moved to where there have been others, who have not run. */
static void shown_ones_are_moved_to_who_sleeps(void)
{
	struct page before, p;
	int nr;

	begin();
	for (nr = 0; nr < SHOWN; nr++) {
		char *path = xasprintf("/lxc.payload.box-%d", nr);

		group(0, EV_CGROUP_MKDIR, FILL_GROUP + nr, path);
		make_in(FILL_GROUP + nr, IDS(SLEEPER_FIRST + nr, 1),
			NS(ROOT, OUTER + (unsigned int)nr));
		make_in(1, IDS(MOVED_FIRST + nr, 1), NS(ROOT, OUTER + SHOWN + (unsigned int)nr));
		swap(1, 0, 0, MOVED_FIRST + nr);
		swap(2, MOVED_FIRST + nr, 1, 0);
		now_ms += 2;
		free(path);
	}
	before = read_page();
	for (nr = 0; nr < SHOWN; nr++)
		attach(MOVED_FIRST + nr, FILL_GROUP + nr);
	p = read_page();
	expect_int((long long)wrong(&before, &p), 0);
	page_free(&before);
	page_free(&p);
	end();
}

static const struct tap_test tests[] = {
	{"metrics: containers that live for milliseconds", containers_that_live_for_milliseconds},
	{"metrics: containers that live and wait for each other",
	 containers_that_live_and_wait_for_each_other},
	{"metrics: a user who has taken all places", places_that_a_user_has_taken},
	{"metrics: a service that has taken all places", places_that_a_service_has_taken},
	{"metrics: a container that has taken all places", places_that_a_container_has_taken},
	{"metrics: who is shown is moved to who has not run", shown_ones_are_moved_to_who_sleeps},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
