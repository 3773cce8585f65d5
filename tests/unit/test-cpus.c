/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "model/cpus.h"
#include "tap.h"
#include "world.h"

/*
 * Events at given moments, the begin of the trace being 0, and what follows:
 * one word for each stretch, "0:0-10=100" for CPU 0, 0 to 10 ns, task 100.
 */

static struct cpus *cpus;
static char told[4096];

static const char *who(enum run_kind kind, int tid)
{
	static char text[32];

	snprintf(text, sizeof(text), "%d", tid);
	return kind == RUN_TASK ? text : kind == RUN_IDLE ? "idle" : "?";
}

static void on_run(void *ctx, const struct run *r)
{
	size_t len = strlen(told);

	(void)ctx;
	snprintf(told + len, sizeof(told) - len, "%s%d:%llu-%llu=%s%s%s%s%s", len ? " " : "",
		 r->cpu, (unsigned long long)(r->begin - BEGIN),
		 (unsigned long long)(r->end - BEGIN), who(r->under, r->tid),
		 r->kind == RUN_INTERRUPT ? "+irq" : "", r->unsure ? "~" : "",
		 r->place.cgroup_id ? "@" : "",
		 r->place.cgroup_id == 40   ? "a"
		 : r->place.cgroup_id == 50 ? "b"
					    : "");
}

static void hear(const struct event *ev)
{
	cpus_event(cpus, ev, BEGIN);
}

static void begin(void)
{
	world_hears = hear;
	world_begin(SHAPE_OURS);
	cpus = cpus_new(world, on_run, NULL);
	told[0] = '\0';
	cpus_meet(cpus, 0, BEGIN - 1000);
}

static void end(uint64_t ns, const char *expected)
{
	cpus_finish(cpus, BEGIN, BEGIN + ns);
	expect_text(told, expected);
	cpus_free(cpus);
	world_end();
}

static void swap(uint64_t ns, int cpu, int prev, int next)
{
	at(ns, cpu, EV_SWITCH,
	   (struct event){.sw = {.prev_tid = prev, .next_tid = next, .prev_state = 1}});
}

static void irq(uint64_t ns, enum event_kind kind)
{
	at(ns, 0, kind, (struct event){0});
}

static void lose(uint64_t from, uint64_t to)
{
	cpus_loss(cpus,
		  &(struct loss){.begin = BEGIN + from, .end = BEGIN + to, .may_switch = true});
}

static void both_ends_are_told(void)
{
	begin();
	swap(10, 0, 100, 0);
	swap(20, 0, 0, 200);
	end(50, "0:0-10=100 0:10-20=idle 0:20-50=200");
}

static void cpus_have_times_of_their_own(void)
{
	begin();
	cpus_meet(cpus, 3, BEGIN - 1);
	swap(10, 0, 100, 0);
	swap(15, 3, 0, 100);
	end(20, "0:0-10=100 3:0-15=idle 0:10-20=idle 3:15-20=100");
}

static void without_a_switch_nothing_is_known(void)
{
	begin();
	at(5, 0, EV_DUMP_START, (struct event){0});
	end(20, "0:0-20=?");
}

static void without_an_event_no_time_is_before_the_begin(void)
{
	begin();
	end(20, "0:0-20=?");
}

static void before_a_cpu_records_nothing_is_known(void)
{
	begin();
	at(0, 0, EV_DUMP_START, (struct event){0});
	cpus_meet(cpus, 1, BEGIN + 30);
	swap(10, 0, 100, 0);
	swap(50, 1, 0, 100);
	end(60, "0:0-10=100 1:30-50=idle 0:10-60=idle 1:0-30=? 1:50-60=100");
}

static void interrupts_are_apart(void)
{
	begin();
	swap(0, 0, 0, 100);
	irq(10, EV_IRQ_ENTRY);
	irq(12, EV_IRQ_EXIT);
	irq(12, EV_SOFTIRQ_ENTRY);
	irq(13, EV_IRQ_ENTRY);
	irq(14, EV_IRQ_EXIT);
	irq(16, EV_SOFTIRQ_EXIT);
	swap(20, 0, 100, 0);
	irq(25, EV_IRQ_ENTRY);
	end(30, "0:0-10=100 0:10-12=100+irq 0:12-16=100+irq 0:16-20=100 0:20-25=idle"
		" 0:25-30=idle+irq");
}

static void interrupt_from_before_the_trace(void)
{
	begin();
	irq(3, EV_SOFTIRQ_EXIT);
	irq(5, EV_IRQ_ENTRY);
	irq(6, EV_IRQ_EXIT);
	swap(10, 0, 100, 0);
	end(10, "0:0-3=100+irq 0:3-5=100 0:5-6=100+irq 0:6-10=100");
}

static void first_soft_exit_covers_what_was_inside(void)
{
	begin();
	irq(3, EV_IRQ_ENTRY);
	irq(5, EV_IRQ_EXIT);
	irq(8, EV_SOFTIRQ_EXIT);
	swap(10, 0, 100, 0);
	end(10, "0:0-3=100+irq 0:3-5=100+irq 0:5-8=100+irq 0:8-10=100");
}

static void in_a_gap_who_agrees_is_unsure(void)
{
	begin();
	swap(0, 0, 0, 100);
	lose(10, 40);
	swap(20, 0, 100, 200);
	swap(25, 0, 300, 100);
	swap(50, 0, 100, 0);
	end(60, "0:0-10=100 0:10-20=100~ 0:20-25=? 0:25-40=? 0:40-50=100 0:50-60=idle");
}

static void gaps_that_follow_each_other(void)
{
	begin();
	swap(0, 0, 0, 100);
	lose(10, 20);
	lose(20, 30);
	swap(25, 0, 100, 200);
	swap(28, 0, 200, 100);
	swap(40, 0, 100, 0);
	end(40, "0:0-10=100 0:10-25=? 0:25-28=200~ 0:28-30=? 0:30-40=100");
}

static void a_gap_at_either_end(void)
{
	begin();
	lose(0, 10);
	swap(15, 0, 100, 0);
	lose(20, 30);
	end(40, "0:0-10=? 0:10-15=100 0:15-20=idle 0:20-30=? 0:30-40=?");
}

static void a_contradiction_is_unknown(void)
{
	begin();
	swap(0, 0, 0, 100);
	swap(10, 0, 200, 0);
	expect_int((long long)cpus_contradictions(cpus), 1);
	end(10, "0:0-10=?");
}

static void exec_by_a_thread_changes_the_tid(void)
{
	begin();
	swap(0, 0, 0, 101);
	at(5, 0, EV_EXEC, (struct event){.exec = {.filename = "/x", .tid = 100, .old_tid = 101}});
	swap(10, 0, 100, 0);
	expect_int((long long)cpus_contradictions(cpus), 0);
	end(10, "0:0-5=101 0:5-10=100");
}

static void switches_before_such_an_exec_is_told(void)
{
	begin();
	at(0, 1, EV_DUMP_START, (struct event){0});
	at(0, 1, EV_DUMP_PROCESS,
	   (struct event){.process = {.tid = 101,
				      .vtid = 101,
				      .pid = 100,
				      .vpid = 100,
				      .ppid = 1,
				      .vppid = 1,
				      .name = "task",
				      .status = 5,
				      .ns_inum = ROOT}});
	swap(0, 0, 0, 101);
	at(3, 1, EV_EXIT, (struct event){.task = {.tid = 100}});
	swap(5, 0, 100, 0);
	swap(7, 0, 0, 100);
	at(8, 0, EV_EXEC, (struct event){.exec = {.filename = "/x", .tid = 100, .old_tid = 101}});
	expect_int((long long)cpus_contradictions(cpus), 0);
	end(10, "0:0-5=101 0:5-7=idle 0:7-10=100");
}

static void a_cpu_that_was_offline_was_idle(void)
{
	begin();
	at(0, 1, EV_DUMP_START, (struct event){0});
	at(0, 1, EV_DUMP_PROCESS,
	   (struct event){.process = {.tid = 27,
				      .vtid = 27,
				      .pid = 27,
				      .vpid = 27,
				      .ppid = 2,
				      .vppid = 2,
				      .name = "migration/0",
				      .type = 1,
				      .status = 5,
				      .ns_inum = ROOT}});
	at(0, 1, EV_DUMP_END, (struct event){0});
	swap(5, 0, 100, 27);
	swap(20, 0, 0, 100);
	swap(25, 0, 100, 27);
	expect_int((long long)cpus_contradictions(cpus), 0);
	end(40, "0:0-5=100 0:5-20=idle 0:20-25=100 0:25-40=idle");
}

static void dump_place(uint64_t ns, int tid, uint64_t cgroup)
{
	at(ns, 1, EV_DUMP_PROCESS,
	   (struct event){.process = {.tid = tid,
				      .vtid = tid,
				      .pid = tid,
				      .vpid = tid,
				      .ppid = 1,
				      .vppid = 1,
				      .name = "task",
				      .status = 5,
				      .ns_inum = ROOT}});
	at(ns, 1, EV_DUMP_PROCESS_CGROUP,
	   (struct event){.process_cgroup = {.tid = tid, .cgroup_id = (int64_t)cgroup}});
}

static void move(uint64_t ns, int tid, uint64_t cgroup)
{
	const struct event ev = {.ns = BEGIN + ns,
				 .process_cgroup = {.tid = tid, .cgroup_id = (int64_t)cgroup}};

	cpus_before_move(cpus, &ev);
	at(ns, 1, EV_CGROUP_ATTACH, ev);
}

static void a_move_splits_the_run(void)
{
	begin();
	swap(0, 0, 0, 100);
	at(1, 1, EV_DUMP_START, (struct event){0});
	dump_place(5, 100, 40);
	move(20, 100, 50);
	swap(30, 0, 100, 0);
	end(30, "0:0-20=100@a 0:20-30=100@b");
}

static void a_move_before_the_first_switch_splits_it_too(void)
{
	begin();
	cpus_meet(cpus, 0, BEGIN);
	cpus_meet(cpus, 2, BEGIN);
	at(1, 1, EV_DUMP_START, (struct event){0});
	dump_place(5, 100, 40);
	dump_place(6, 101, 40);
	at(7, 1, EV_DUMP_END, (struct event){0});
	/* Another one's is not this one's. */
	move(15, 101, 50);
	move(20, 100, 50);
	move(25, 100, 40);
	swap(30, 0, 100, 0);
	swap(35, 2, 101, 0);
	end(35, "0:0-20=100@a 0:20-25=100@b 0:25-30=100@a 2:0-15=101@a 2:15-35=101@b 0:30-35=idle");
}

static void a_move_behind_a_gap_splits_what_is_behind_it(void)
{
	begin();
	at(1, 1, EV_DUMP_START, (struct event){0});
	dump_place(2, 100, 40);
	at(3, 1, EV_DUMP_END, (struct event){0});
	swap(5, 0, 0, 200);
	lose(10, 20);
	/* Told once more. */
	at(21, 1, EV_DUMP_START, (struct event){0});
	dump_place(22, 100, 40);
	at(23, 1, EV_DUMP_END, (struct event){0});
	move(30, 100, 50);
	swap(40, 0, 100, 0);
	end(40, "0:0-5=idle 0:5-10=200 0:10-20=? 0:20-30=100@a 0:30-40=100@b");
}

static void a_place_told_later_held_before(void)
{
	begin();
	swap(0, 0, 0, 100);
	swap(2, 0, 100, 0);
	swap(4, 0, 0, 100);
	at(5, 1, EV_DUMP_START, (struct event){0});
	dump_place(6, 100, 40);
	expect(model_task(world, 100) != NULL);
	swap(10, 0, 100, 0);
	end(10, "0:0-2=100 0:2-4=idle 0:4-10=100@a");
}

static void on_open(void *ctx, const struct run *r)
{
	(void)ctx;
	on_run(NULL, r);
}

static void a_flush_tells_what_is_certain(void)
{
	begin();
	cpus_meet(cpus, 1, BEGIN - 1000);
	swap(10, 0, 100, 200);
	cpus_flush(cpus, BEGIN + 30, on_open, NULL);
	expect_text(told, "0:0-10=100 0:10-30=200 1:0-30=?");
	told[0] = '\0';
	swap(40, 1, 300, 0);
	swap(45, 0, 200, 0);
	end(50, "1:0-40=300 0:30-45=200 0:45-50=idle 1:40-50=idle");
}

static void a_flush_of_one_leaves_the_others(void)
{
	begin();
	cpus_meet(cpus, 1, BEGIN);
	swap(10, 0, 100, 200);
	swap(10, 1, 300, 400);
	told[0] = '\0';
	cpus_flush_one(cpus, 1, BEGIN + 30, on_open, NULL);
	cpus_flush_one(cpus, 2, BEGIN + 30, on_open, NULL);
	expect_text(told, "1:10-30=400");
	told[0] = '\0';
	end(50, "0:10-50=200 1:30-50=400");
}

static void a_flush_in_a_gap_waits(void)
{
	begin();
	swap(10, 0, 0, 200);
	lose(20, 60);
	cpus_flush(cpus, BEGIN + 30, on_open, NULL);
	expect_text(told, "0:0-10=idle 0:10-30=?");
	told[0] = '\0';
	swap(70, 0, 300, 0);
	end(70, "0:10-20=200 0:20-60=? 0:60-70=300");
}

static void not_heard(void *ctx, const struct run *r)
{
	(void)ctx;
	(void)r;
}

/* Another host's trace may have gone on meanwhile. */
static void a_flush_before_the_first_event_tells_nothing(void)
{
	const struct loss loss = {
		.cpu = 0, .begin = BEGIN + 5, .end = BEGIN + 10, .may_switch = true};

	world_hears = hear;
	world_begin(SHAPE_OURS);
	cpus = cpus_new(world, on_run, NULL);
	told[0] = '\0';
	cpus_before_loss(cpus, &loss);
	model_loss(world, &loss);
	cpus_loss(cpus, &loss);
	cpus_flush(cpus, BEGIN + 30, not_heard, NULL);
	cpus_flush_one(cpus, 0, BEGIN + 30, not_heard, NULL);
	expect_text(told, "");
	swap(40, 0, 100, 200);
	end(50, "0:0-5=? 0:5-10=? 0:10-40=100 0:40-50=200");
}

static const struct tap_test tests[] = {
	{"the first switch tells who ran before, the last who runs on", both_ends_are_told},
	{"each CPU has its own times", cpus_have_times_of_their_own},
	{"without an event no time is before the begin",
	 without_an_event_no_time_is_before_the_begin},
	{"a CPU without a switch is unknown", without_a_switch_nothing_is_known},
	{"before a CPU records, its time is unknown", before_a_cpu_records_nothing_is_known},
	{"interrupts are told apart, nested ones once", interrupts_are_apart},
	{"an interrupt may run when the trace begins", interrupt_from_before_the_trace},
	{"so may a softirq that was interrupted", first_soft_exit_covers_what_was_inside},
	{"in a gap, who agrees is unsure, else unknown", in_a_gap_who_agrees_is_unsure},
	{"the end of each gap is unknown", gaps_that_follow_each_other},
	{"gaps at the begin and at the end", a_gap_at_either_end},
	{"a contradiction without a loss is unknown", a_contradiction_is_unknown},
	{"an exec by a thread goes on under another tid", exec_by_a_thread_changes_the_tid},
	{"it may be switched before that is told", switches_before_such_an_exec_is_told},
	{"a CPU that goes down is idle until it is up again", a_cpu_that_was_offline_was_idle},
	{"a move to another cgroup splits the run", a_move_splits_the_run},
	{"a move before a first switch splits what was before it",
	 a_move_before_the_first_switch_splits_it_too},
	{"a move behind a gap splits what is behind it",
	 a_move_behind_a_gap_splits_what_is_behind_it},
	{"a place that is told later held before", a_place_told_later_held_before},
	{"in between, what is certain is told, and the rest later", a_flush_tells_what_is_certain},
	{"one CPU alone can be flushed", a_flush_of_one_leaves_the_others},
	{"in between, what was lost is told later", a_flush_in_a_gap_waits},
	{"before the first event, nothing is told in between",
	 a_flush_before_the_first_event_tells_nothing},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
