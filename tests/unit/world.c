/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "world.h"

#define STEP_NS 1000000ull

struct model *world;
static struct verdicts verdicts;
static uint64_t now;

void world_begin(enum shape shape)
{
	static const struct model_options options = {.keep_dead = true};
	bool offers[EV_NR];
	int i;

	for (i = 0; i < EV_NR; i++)
		offers[i] = i != EV_CGROUP_ATTACH && i != EV_CGROUP_MKDIR;
	verdicts = (struct verdicts){.keep = 3};
	now = 1700000000000000000ull;
	world = model_new(&verdicts, shape, offers, &options);
}

void world_end(void)
{
	model_free(world);
	verdict_free(&verdicts);
}

long long fails(enum rule rule)
{
	return (long long)verdicts.counts[rule].fail;
}

long long passes(enum rule rule)
{
	return (long long)verdicts.counts[rule].pass;
}

long long unsures(enum rule rule)
{
	long long sum = 0;
	int i;

	for (i = 0; i < SURE_NR; i++)
		sum += (long long)verdicts.counts[rule].unsure[i];
	return sum;
}

long long all_fails(void)
{
	long long sum = 0;
	int r;

	for (r = 0; r < RULE_NR; r++)
		sum += fails((enum rule)r);
	return sum;
}

void world_event(struct event *ev, uint64_t ns, int cpu, enum event_kind kind)
{
	ev->kind = kind;
	ev->cpu = cpu;
	ev->ns = ns;
	ev->trace = "unit";
	model_event(world, ev);
}

void (*world_hears)(const struct event *ev);

void at(uint64_t ns, int cpu, enum event_kind kind, struct event ev)
{
	world_event(&ev, BEGIN + ns, cpu, kind);
	world_hears(&ev);
}

static void tell(struct event *ev, enum event_kind kind)
{
	now += STEP_NS;
	world_event(ev, now, ev->cpu, kind);
}

void dump_start(void)
{
	tell(&(struct event){0}, EV_DUMP_START);
}

void dump_end(void)
{
	tell(&(struct event){0}, EV_DUMP_END);
}

static int count(const int *list)
{
	int n = 0;

	while (list[n])
		n++;
	return n;
}

static void dump_records(const int *vtids, const unsigned int *inums, const char *comm, int status)
{
	int level = count(vtids) - 1;

	for (; level >= 0; level--)
		tell(&(struct event){.process = {.tid = vtids[0],
						 .vtid = vtids[level],
						 .pid = vtids[0],
						 .vpid = vtids[level],
						 .ppid = 0,
						 .vppid = 0,
						 .name = comm,
						 .type = 0,
						 .status = status,
						 .ns_level = level,
						 .ns_inum = inums[level]}},
		     EV_DUMP_PROCESS);
}

void dump_task(const int *vtids, const unsigned int *inums, const char *comm)
{
	dump_records(vtids, inums, comm, 5);
}

void dump_dead_task(const int *vtids, const unsigned int *inums, const char *comm)
{
	dump_records(vtids, inums, comm, 4);
}

void dump_level(int tid, int vtid, int level, unsigned int inum)
{
	tell(&(struct event){.process = {.tid = tid,
					 .vtid = vtid,
					 .pid = tid,
					 .vpid = vtid,
					 .ppid = 0,
					 .vppid = 0,
					 .name = "x",
					 .type = 0,
					 .status = 5,
					 .ns_level = level,
					 .ns_inum = inum}},
	     EV_DUMP_PROCESS);
}

void dump_namespace(unsigned int inum, unsigned int parent, int level, int init_tid)
{
	tell(&(struct event){.namespace = {.ns_inum = inum,
					   .parent_ns_inum = parent,
					   .ns_level = level,
					   .user_ns_inum = 4026531837,
					   .init_tid = init_tid,
					   .init_start_time = 1}},
	     EV_DUMP_NAMESPACE);
}

void dump_host(void)
{
	dump_start();
	dump_namespace(ROOT, 0, 0, 1);
	dump_task(IDS(1), NS(ROOT), "init");
	dump_task(IDS(100), NS(ROOT), "sh");
	dump_end();
}

struct event fork_event(int parent, unsigned int parent_inum, const int *vtids,
			const unsigned int *inums)
{
	struct event ev = {.fork = {.parent_comm = "sh",
				    .parent_tid = parent,
				    .parent_pid = parent,
				    .parent_ns_inum = parent_inum,
				    .child_comm = "sh",
				    .child_tid = vtids[0],
				    .child_pid = vtids[0],
				    .child_cgroup_id = ABSENT}};
	int i, n = count(vtids);

	ev.fork.vtids.nr = n;
	ev.fork.ns_inums.nr = world->shape == SHAPE_OURS ? n : -1;
	for (i = 0; i < n; i++) {
		ev.fork.vtids.v[i] = vtids[i];
		ev.fork.ns_inums.v[i] = inums[i];
	}
	ev.fork.child_ns_inum = inums[n - 1];
	return ev;
}

void fork_thread(int parent, int pid, unsigned int parent_inum, const int *vtids,
		 const unsigned int *inums)
{
	struct event ev = fork_event(parent, parent_inum, vtids, inums);

	ev.fork.child_pid = pid;
	tell(&ev, EV_FORK);
}

void fork_task(int parent, unsigned int parent_inum, const int *vtids, const unsigned int *inums)
{
	fork_thread(parent, vtids[0], parent_inum, vtids, inums);
}

void exit_task(int tid)
{
	tell(&(struct event){.task = {.comm = "sh", .tid = tid}}, EV_EXIT);
}

void free_task(int tid)
{
	tell(&(struct event){.task = {.comm = "sh", .tid = tid}}, EV_FREE);
}

void exec_task(const char *filename, int tid, int old_tid)
{
	tell(&(struct event){.exec = {.filename = filename, .tid = tid, .old_tid = old_tid}},
	     EV_EXEC);
}

void switch_task(int prev, int next, const char *next_comm)
{
	tell(&(struct event){.sw = {.prev_comm = "sh",
				    .prev_tid = prev,
				    .next_comm = next_comm,
				    .next_tid = next}},
	     EV_SWITCH);
}

void lose_events(int nr)
{
	uint64_t begin = now;

	now += STEP_NS;
	model_loss(
		world,
		&(struct loss){.begin = begin, .end = now, .count = (uint64_t)nr, .trace = "unit"});
}
