/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "tap.h"
#include "model/container.h"
#include "model/schema.h"
#include "world.h"

static struct task *task(int tid)
{
	return model_task(world, tid);
}

static void container_is_born(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200, 1), NS(ROOT, BOX));
	fork_task(200, BOX, IDS(201, 2), NS(ROOT, BOX));
	model_finish(world);
	expect_int(all_fails(), 0);
	expect(task(201)->ns == task(200)->ns);
	expect_int(task(201)->ns->level, 1);
	expect_int(task(201)->ns->inum, BOX);
	expect(task(201)->ns->parent == task(100)->ns);
	expect(task(200)->ns->birth == task(200)->birth);
	expect_int(task(201)->vtids[0], 201);
	expect_int(task(201)->vtids[1], 2);
	world_end();
}

static void upstream_fork_places_child(void)
{
	world_begin(SHAPE_2_7);
	dump_host();
	fork_task(100, ROOT, IDS(200, 1), NS(ROOT, BOX));
	fork_task(200, BOX, IDS(201, 2, 1), NS(ROOT, BOX, INNER));
	model_finish(world);
	expect_int(all_fails(), 0);
	expect_int(task(201)->ns->level, 2);
	expect(task(201)->ns->parent == task(200)->ns);
	world_end();
}

static void namespace_dies_with_last_task(void)
{
	struct pidns *box;

	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200, 1), NS(ROOT, BOX));
	fork_task(200, BOX, IDS(201, 2), NS(ROOT, BOX));
	box = task(200)->ns;
	exit_task(200);
	expect_int((long long)box->death, 0);
	exit_task(201);
	expect(box->death == world->now);
	world_end();
}

static void namespace_of_undumped_tasks_lives(void)
{
	world_begin(SHAPE_OURS);
	fork_task(900, BOX, IDS(200, 7), NS(ROOT, BOX));
	exit_task(200);
	fork_task(900, BOX, IDS(201, 8), NS(ROOT, BOX));
	expect(!task(201)->ns->death);
	expect(task(201)->ns == task(200)->ns);
	exit_task(201);
	dump_host();
	/* The dump had nobody of it, so it died before. */
	expect(task(201)->ns->death == task(201)->death);
	expect_int(all_fails(), 1);
	expect_int(fails(RULE_DUMP_COMPLETE), 1);
	world_end();
}

static void reused_inode_is_new_namespace(void)
{
	struct pidns *old;

	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200, 1), NS(ROOT, BOX));
	old = task(200)->ns;
	exit_task(200);
	free_task(200);
	fork_task(100, ROOT, IDS(201, 1), NS(ROOT, BOX));
	model_finish(world);
	expect_int(all_fails(), 0);
	expect(task(201)->ns != old);
	expect(model_namespace(world, BOX) == task(201)->ns);
	expect(old->death && !task(201)->ns->death);
	world_end();
}

static void living_inode_is_not_reused(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200, 1), NS(ROOT, BOX));
	fork_task(100, ROOT, IDS(201, 1), NS(ROOT, BOX));
	expect_int(fails(RULE_NS_INUM_UNIQUE), 1);
	world_end();
}

static void reused_tid_is_new_task(void)
{
	const struct task *old;

	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	old = task(200);
	exit_task(200);
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	/* The kernel may free the first one only now. */
	free_task(200);
	expect_int(all_fails(), 0);
	expect(task(200) != old);
	expect(!task(200)->exited);
	exit_task(200);
	free_task(200);
	expect_int(all_fails(), 0);
	world_end();
}

static void setns_into_deeper_namespace(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200, 1), NS(ROOT, BOX));
	fork_task(200, BOX, IDS(201, 2, 1), NS(ROOT, BOX, INNER));
	fork_task(100, ROOT, IDS(300, 3, 2), NS(ROOT, BOX, INNER));
	model_finish(world);
	expect_int(all_fails(), 0);
	expect(task(300)->ns == task(201)->ns);
	world_end();
}

static void thirty_three_levels(void)
{
	int ids[LEVELS_MAX + 1] = {0};
	unsigned int inums[LEVELS_MAX + 1] = {0};
	int level;

	world_begin(SHAPE_OURS);
	dump_host();
	inums[0] = ROOT;
	for (level = 1; level < LEVELS_MAX; level++) {
		int i;

		inums[level] = 4026533000u + (unsigned int)level;
		for (i = 0; i < level; i++)
			ids[i] = i ? level - i + 1 : 1000 + level;
		ids[level] = 1;
		fork_task(level == 1 ? 100 : 999 + level, inums[level - 1], ids, inums);
	}
	model_finish(world);
	expect_int(all_fails(), 0);
	expect_int(task(1032)->ns->level, 32);
	expect_int(task_ns_at(task(1032), 17)->inum, 4026533017);
	world_end();
}

static void exec_by_thread_takes_leaders_tid(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	fork_thread(200, 200, ROOT, IDS(201), NS(ROOT));
	exit_task(200);
	exec_task("/usr/bin/longer-than-fifteen", 200, 201);
	free_task(201);
	expect_int(all_fails(), 0);
	expect(!task(200)->exited);
	expect_text(task(200)->comm, "longer-than-fif");
	expect(task(201)->exited && task(201)->freed);
	exit_task(200);
	free_task(200);
	expect_int(all_fails(), 0);
	world_end();
}

static void dump_before_fork_event(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	dump_start();
	dump_namespace(ROOT, 0, 0, 1);
	dump_task(IDS(1), NS(ROOT), "init");
	dump_task(IDS(100), NS(ROOT), "sh");
	dump_task(IDS(200), NS(ROOT), "sh");
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	dump_end();
	model_finish(world);
	expect_int(all_fails(), 0);
	expect(task(200)->birth != 0);
	world_end();
}

static void dumped_without_fork(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	dump_start();
	dump_namespace(ROOT, 0, 0, 1);
	dump_task(IDS(1), NS(ROOT), "init");
	dump_task(IDS(100), NS(ROOT), "sh");
	dump_task(IDS(200), NS(ROOT), "sh");
	dump_end();
	model_finish(world);
	expect_int(fails(RULE_DUMP_KNOWN), 1);
	expect_int(all_fails(), 1);
	world_end();
}

static void freed_between_read_and_write(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	dump_start();
	dump_namespace(ROOT, 0, 0, 1);
	dump_task(IDS(1), NS(ROOT), "init");
	dump_task(IDS(100), NS(ROOT), "sh");
	exit_task(200);
	free_task(200);
	dump_task(IDS(200), NS(ROOT), "sh");
	dump_end();
	model_finish(world);
	expect_int(all_fails(), 0);
	expect(task(200)->freed);
	world_end();
}

static void zombie_is_not_alive(void)
{
	world_begin(SHAPE_OURS);
	dump_start();
	dump_namespace(ROOT, 0, 0, 1);
	dump_task(IDS(1), NS(ROOT), "init");
	dump_dead_task(IDS(90), NS(ROOT), "dead");
	dump_end();
	expect(task(90)->exited);
	expect_int(all_fails(), 0);
	free_task(90);
	expect_int(all_fails(), 0);
	world_end();
}

static void dump_misses_a_task(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	dump_host();
	expect_int(fails(RULE_DUMP_COMPLETE), 1);
	exit_task(200);
	expect_int(all_fails(), 1);
	world_end();
}

static void levels_with_a_gap(void)
{
	world_begin(SHAPE_OURS);
	dump_start();
	dump_level(200, 1, 2, INNER);
	dump_level(200, 200, 0, ROOT);
	dump_end();
	expect_int(fails(RULE_DUMP_LEVELS), 1);
	expect_int(all_fails(), 1);
	world_end();
}

static void levels_root_first(void)
{
	world_begin(SHAPE_OURS);
	dump_start();
	dump_level(200, 200, 0, ROOT);
	dump_level(200, 1, 1, BOX);
	dump_end();
	expect(fails(RULE_DUMP_LEVELS) > 0);
	world_end();
}

static void lost_exit_explains_reused_tid(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	lose_events(3);
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	expect_int(all_fails(), 0);
	expect_int(unsures(RULE_VTID_UNIQUE), 2);
	world_end();
}

static void certainty_returns_with_a_dump(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	lose_events(3);
	exit_task(300);
	expect_int(fails(RULE_EXIT_ALIVE), 0);
	expect_int(unsures(RULE_EXIT_ALIVE), 1);
	dump_host();
	exit_task(301);
	expect_int(fails(RULE_EXIT_ALIVE), 1);
	world_end();
}

static void loss_does_not_excuse_the_event_itself(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	lose_events(3);
	fork_task(100, ROOT, IDS(0x7fffffff), NS(ROOT + 1));
	expect_int(fails(RULE_FORK_ROOT_INUM), 1);
	world_end();
}

static void task_that_died_in_a_loss(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	lose_events(1);
	dump_host();
	expect_int(all_fails(), 0);
	expect(task(200)->exited);
	world_end();
}

static void io_uring_worker_has_no_fork(void)
{
	world_begin(SHAPE_OURS);
	dump_host();
	switch_task(0, 300, "iou-wrk-100");
	exit_task(300);
	expect_int(all_fails(), 0);
	switch_task(0, 301, "sh");
	expect_int(fails(RULE_SWITCH_KNOWN), 1);
	world_end();
}

static void without_dump_nothing_is_certain(void)
{
	world_begin(SHAPE_OURS);
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	exit_task(77);
	switch_task(0, 78, "sh");
	model_finish(world);
	expect_int(fails(RULE_DUMP_PRESENT), 1);
	expect_int(all_fails(), 1);
	world_end();
}

static bool but_not_201(void *ctx, struct task *t)
{
	++*(int *)ctx;
	return t->tid != 201;
}

/* As for one that must not grow: only what lives, and what is needed, is kept. */
static void what_ended_can_be_forgotten(void)
{
	uint64_t early;
	int asked = 0;

	world_begin(SHAPE_OURS);
	dump_host();
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	fork_task(100, ROOT, IDS(201), NS(ROOT));
	fork_task(100, ROOT, IDS(202), NS(ROOT));
	fork_task(100, ROOT, IDS(203), NS(ROOT));
	exit_task(200);
	free_task(200);
	exit_task(201);
	free_task(201);
	/* A zombie. */
	exit_task(202);
	early = world->now + 1;
	exit_task(203);
	free_task(203);
	model_forget(world, early, but_not_201, &asked);
	expect_int(asked, 2);
	expect(!model_task(world, 200));
	expect(model_task(world, 201) && model_task(world, 202) && model_task(world, 203));
	expect(model_task(world, 100) != NULL);
	free_task(202);
	model_forget(world, world->now + 1, but_not_201, &asked);
	expect(!model_task(world, 202) && !model_task(world, 203));
	/* The id comes again. */
	fork_task(100, ROOT, IDS(200), NS(ROOT));
	expect(model_task(world, 200) != NULL);
	expect_int(all_fails(), 0);
	world_end();
}

/* No kernel tells of one, but a trace may. */
static void task_that_forks_itself(void)
{
	int tid, nr;

	for (nr = 0; nr < 2; nr++) {
		world_begin(SHAPE_OURS);
		world->keep_dead = false;
		dump_host();
		if (nr)
			fork_task(100, ROOT, IDS(999), NS(ROOT));
		for (tid = 1000; tid < 3000; tid++) {
			fork_task(100, ROOT, IDS(tid), NS(ROOT));
			fork_task(tid, ROOT, IDS(tid), NS(ROOT));
		}
		expect(task(2999) != NULL && !task(2999)->exited);
		world_end();
	}
}

static void tell_cgroup(enum event_kind kind, int id, int parent, const char *path)
{
	struct event ev = {
		.kind = kind,
		.ns = world->now + 1,
		.trace = "unit",
		.cgroup = {.cgroup_id = id, .parent_id = parent, .path = path},
	};

	model_event(world, &ev);
}

static int depth_of_cgroup(int id)
{
	const struct cgroup *g = model_cgroup(world, 0, (uint64_t)id);
	int depth = 0;

	for (; g && depth < 10; g = g->parent)
		depth++;
	return depth;
}

static void cgroups_that_hold_one_another(void)
{
	world_begin(SHAPE_OURS);
	tell_cgroup(EV_DUMP_CGROUP, 1, 0, "/");
	tell_cgroup(EV_DUMP_CGROUP, 2, 1, "/a");
	tell_cgroup(EV_DUMP_CGROUP, 3, 2, "/a/b");
	tell_cgroup(EV_DUMP_CGROUP, 2, 3, "/a");
	expect_int(depth_of_cgroup(2), 2);
	expect_int(depth_of_cgroup(3), 3);
	tell_cgroup(EV_CGROUP_RENAME, 2, 0, "/a/b/c");
	expect_int(depth_of_cgroup(3), 3);
	world_end();
}

static const char *path_of(int tid)
{
	const struct cgroup *g = task_group(world, &task(tid)->cgroups[0]);

	return g ? g->path : "";
}

static struct container *container_of(int tid)
{
	return task_container(world, task(tid));
}

static void fork_into(int tid, int64_t cgroup_id)
{
	struct event ev = fork_event(100, ROOT, IDS(tid), NS(ROOT));

	ev.fork.child_cgroup_id = cgroup_id;
	world_event(&ev, world->now + 1000, 0, EV_FORK);
}

/* As before Linux 4.14, where anybody who may make a cgroup can have that of one that went. */
static void id_of_a_cgroup_is_taken_again(void)
{
	struct container *db;

	world_begin(SHAPE_OURS);
	world->keep_dead = true;
	dump_host();
	tell_cgroup(EV_DUMP_CGROUP, 1, 0, "/");
	tell_cgroup(EV_CGROUP_MKDIR, 9, 0, "/lxc.payload.db");
	fork_into(200, 9);
	db = container_of(200);
	/* A state dump may tell of it once more. */
	tell_cgroup(EV_DUMP_CGROUP, 9, 1, "/lxc.payload.db");
	tell_cgroup(EV_CGROUP_RENAME, 9, 0, "/lxc.payload.db2");
	expect(db && container_of(200) == db);
	exit_task(200);
	free_task(200);
	tell_cgroup(EV_CGROUP_RMDIR, 9, 0, "/lxc.payload.db2");
	expect_int((long long)db->cgroup->death, (long long)world->now);
	tell_cgroup(EV_CGROUP_MKDIR, 9, 0, "/user.slice/user-1000.slice/mine");
	fork_into(201, 9);
	expect_int(container_of(201) == NULL, 1);
	expect_text(path_of(201), "/user.slice/user-1000.slice/mine");
	expect(container_of(200) == db);
	expect_text(path_of(200), "/lxc.payload.db2");
	expect_text(db->cgroup->path, "/lxc.payload.db2");
	expect(cgroup_death(db->cgroup) > 0);
	/* One of the same name is another one, too. */
	exit_task(201);
	tell_cgroup(EV_CGROUP_RMDIR, 9, 0, "/user.slice/user-1000.slice/mine");
	tell_cgroup(EV_CGROUP_MKDIR, 9, 0, "/lxc.payload.db2");
	fork_into(202, 9);
	expect(container_of(202) && container_of(202) != db);
	expect(container_of(200) == db);
	exit_task(202);
	tell_cgroup(EV_CGROUP_RMDIR, 9, 0, "/lxc.payload.db2");
	tell_cgroup(EV_CGROUP_MKDIR, 9, 0, "/lxc.payload.db2");
	fork_into(204, 9);
	expect(container_of(204) && container_of(204) != container_of(202));
	/* That it was removed was lost. */
	tell_cgroup(EV_CGROUP_MKDIR, 9, 0, "/lxc.payload.web");
	fork_into(205, 9);
	expect(container_of(205) && container_of(205) != container_of(204));
	/* That the next one was made was lost. */
	exit_task(205);
	tell_cgroup(EV_CGROUP_RMDIR, 9, 0, "/lxc.payload.web");
	tell_cgroup(EV_DUMP_CGROUP, 9, 1, "/other");
	fork_into(203, 9);
	expect_int(container_of(203) == NULL, 1);
	world_end();
}

/* Its exit was before the trace began; what is left is its last run, and that it is freed. */
static void last_run_of_a_dead_task(void)
{
	struct event ev = {.sw = {.prev_comm = "sh",
				  .prev_tid = 300,
				  .prev_state = 0x20,
				  .next_comm = "swapper/0"}};
	const struct task *t;

	world_begin(SHAPE_OURS);
	switch_task(0, 300, "sh");
	world_event(&ev, world->now + 1000, 0, EV_SWITCH);
	free_task(300);
	dump_host();
	t = model_runner(world, 300);
	expect_int(t != NULL && t->exited && t->freed, 1);
	/* Another one with that number. */
	switch_task(0, 300, "sh");
	expect_int(all_fails(), 1);
	expect_int(fails(RULE_SWITCH_KNOWN), 1);
	world_end();
}

static void names_of_events(void)
{
	expect_int(event_kind_by_name("namespace_switch"), EV_NAMESPACE_SWITCH);
	expect_int(event_kind_by_name("lttng_namespace_switch"), EV_NAMESPACE_SWITCH);
	expect_int(event_kind_by_name("namespace_switch_off"), EV_NR);
	expect_int(event_kind_by_name("compat_syscall_exit_read"), EV_SYSCALL_EXIT);
}

/* Its end may have been lost; and root of a container is the same user. */
static void who_has_the_recorders_id_in_a_container_is_not_it(void)
{
	static const char text[] = "container v1 runtime=docker id=0123456789abcdef name=db"
				   " init_tid=200 pid_ns=4026532301 cgroup=/box";
	struct event ev = {.logger = {.msg = text, .pid = 7, .uid = 0, .pid_ns = ROOT}};

	world_begin(SHAPE_OURS);
	world->recorder_pid = 7;
	world->recorder_uid = 0;
	world_event(&ev, BEGIN + 1, 0, EV_LOGGER);
	expect_int(fails(RULE_NAME_LINE), 0);
	ev.logger.pid_ns = BOX;
	world_event(&ev, BEGIN + 2, 0, EV_LOGGER);
	expect_int(fails(RULE_NAME_LINE), 1);
	expect_int((int64_t)world->nr_forged_lines, 1);
	world_end();
}

/* Of a group that is named as a container's. */
static struct container *parent_of_group(int id)
{
	return container_parent(world, cgroup_holder(world, 0, (uint64_t)id));
}

/* What was found before it was told is not what is found then. */
static void group_around_is_told_later(void)
{
	static const char inner[] = "/lxc.payload.a/lxc.payload.b";
	struct container *parent;

	world_begin(SHAPE_OURS);
	tell_cgroup(EV_CGROUP_MKDIR, 3, 0, inner);
	tell_cgroup(EV_DUMP_CGROUP, 1, 0, "/");
	tell_cgroup(EV_DUMP_CGROUP, 2, 1, "/lxc.payload.a");
	expect(!parent_of_group(3));
	tell_cgroup(EV_DUMP_CGROUP, 3, 2, inner);
	parent = parent_of_group(3);
	expect(parent && parent == cgroup_holder(world, 0, 2));
	world_end();
}

static void whose_group_is_around_is_told_later(void)
{
	static const char text[] = "container v1 runtime=docker id=0123456789abcdef name=db"
				   " init_tid=200 pid_ns=4026532301 cgroup=/box";
	struct event ev = {.logger = {.msg = text, .pid = 7, .uid = 0, .pid_ns = ROOT}};
	struct container *parent;

	world_begin(SHAPE_OURS);
	world->recorder_pid = 7;
	world->recorder_uid = 0;
	dump_host();
	fork_task(100, ROOT, IDS(200, 1), NS(ROOT, BOX));
	world_event(&ev, world->now + 1, 0, EV_LOGGER);
	tell_cgroup(EV_CGROUP_MKDIR, 2, 0, "/box");
	tell_cgroup(EV_CGROUP_MKDIR, 3, 0, "/box/lxc.payload.b");
	expect(!parent_of_group(3));
	world_event(&ev, world->now + 1, 0, EV_LOGGER);
	parent = parent_of_group(3);
	expect(parent && parent == container_of(200));
	world_end();
}

static const struct tap_test tests[] = {
	{"the id of a cgroup taken again is another container", id_of_a_cgroup_is_taken_again},
	{"a container is born: level, parent, birth, ids", container_is_born},
	{"a fork of 2.7 to 2.16 places the child by its parent", upstream_fork_places_child},
	{"a namespace dies with its last task", namespace_dies_with_last_task},
	{"before the dump, a namespace may have tasks that are not known",
	 namespace_of_undumped_tasks_lives},
	{"an inode taken again is a new namespace", reused_inode_is_new_namespace},
	{"a living namespace's inode is not taken again", living_inode_is_not_reused},
	{"a tid taken again is a new task, though the old one is freed later",
	 reused_tid_is_new_task},
	{"setns into a deeper namespace, then fork", setns_into_deeper_namespace},
	{"33 levels", thirty_three_levels},
	{"exec by a thread takes the leader's tid", exec_by_thread_takes_leaders_tid},
	{"a dump may see a task before its fork event", dump_before_fork_event},
	{"a later dump has no task that was never forked", dumped_without_fork},
	{"a task may be freed between the reading and the writing of its record",
	 freed_between_read_and_write},
	{"a zombie of a dump does not live", zombie_is_not_alive},
	{"a dump that misses a task is one violation, not several", dump_misses_a_task},
	{"levels with a gap are a violation", levels_with_a_gap},
	{"levels told root first are a violation", levels_root_first},
	{"a lost exit can explain that a tid is taken again", lost_exit_explains_reused_tid},
	{"certainty returns with a state dump", certainty_returns_with_a_dump},
	{"lost events do not excuse what one event says itself",
	 loss_does_not_excuse_the_event_itself},
	{"a task that a dump misses after a loss has died in it", task_that_died_in_a_loss},
	{"workers of io_uring have no fork event", io_uring_worker_has_no_fork},
	{"before the first dump nothing is judged by absence", without_dump_nothing_is_certain},
	{"what ended can be forgotten", what_ended_can_be_forgotten},
	{"a task that is told to fork itself is two, one after the other", task_that_forks_itself},
	{"control groups that are told to hold one another do not", cgroups_that_hold_one_another},
	{"a task that exited before the trace is gone when it is freed", last_run_of_a_dead_task},
	{"an event is known by its names, ours and upstream's", names_of_events},
	{"who has the recorder's id in a container is not it",
	 who_has_the_recorders_id_in_a_container_is_not_it},
	{"a control group around a container's may be told later", group_around_is_told_later},
	{"whose control group is around a container's may be told later",
	 whose_group_is_around_is_told_later},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
