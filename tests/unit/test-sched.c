/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/sched.h"
#include "tap.h"
#include "world.h"

/*
 * Events at given moments, the begin of the trace being 0, and what is told: "100 waits 10-20" and
 * "100 blocks 5-10 by 200" (? for what was not seen, ~ for what is unsure), "100 calls read".
 */

static struct sched *sched;
static char told[4096];

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
	size_t len = strlen(told);
	va_list args;

	va_start(args, format);
	if (len)
		len += (size_t)snprintf(told + len, sizeof(told) - len, ", ");
	vsnprintf(told + len, sizeof(told) - len, format, args);
	va_end(args);
}

static const char *moment(uint64_t ns)
{
	static char texts[4][32];
	static int turn;
	char *text = texts[turn++ % 4];

	snprintf(text, sizeof(texts[0]), ns ? "%llu" : "?", (unsigned long long)(ns - BEGIN));
	return text;
}

static const char *waker(const struct wakeup *w)
{
	static char text[32];

	if (!w)
		return "?";
	snprintf(text, sizeof(text), "%lld", (long long)w->waker.tid);
	return w->waker.kind == RUN_TASK	? text
	       : w->waker.kind == RUN_IDLE	? "idle"
	       : w->waker.kind == RUN_INTERRUPT ? "irq"
						: "?";
}

static void on_wait_ends(void *ctx, struct sched_wait *w)
{
	(void)ctx;
	tell("%d waits %s-%s%s%s", w->tid, moment(w->begin), moment(w->end),
	     w->unfinished ? "..." : "", w->unsure ? "~" : "");
}

static void on_wait_moves(void *ctx, struct sched_wait *w, int from, uint64_t ns)
{
	(void)ctx;
	tell("%d moves %d-%d at %s", w->tid, from, w->cpu, moment(ns));
}

static void on_block(void *ctx, const struct block *b)
{
	(void)ctx;
	tell("%d blocks %s-%s%s%s by %s", b->tid, moment(b->begin), moment(b->end),
	     b->unfinished ? "..." : "", b->unsure ? "~" : "", waker(b->by));
}

static void on_call(void *ctx, const struct call_event *c)
{
	(void)ctx;
	if (c->step == CALL_BEGINS)
		tell("%lld calls %s%s", (long long)c->tid, c->name, c->is_sure ? "" : "~");
	else if (c->step == CALL_MOVES)
		tell("%lld goes on as %lld", (long long)c->old_tid, (long long)c->tid);
}

static struct sched_callbacks cb = {.on_wait_ends = on_wait_ends,
				    .on_wait_moves = on_wait_moves,
				    .on_block = on_block,
				    .on_call = on_call};

static void hear(const struct event *ev)
{
	sched_event(sched, ev, BEGIN);
}

static void begin(void)
{
	world_hears = hear;
	world_begin(SHAPE_OURS);
	world->offers[EV_WAKING] = true;
	sched = sched_new(world, &cb, NULL);
	told[0] = '\0';
}

static void end(uint64_t ns, const char *expected)
{
	sched_finish(sched, BEGIN, BEGIN + ns);
	expect_text(told, expected);
	sched_free(sched);
	world_end();
}

static void swap(uint64_t ns, int cpu, int prev, int state, int next)
{
	at(ns, cpu, EV_SWITCH,
	   (struct event){.sw = {.prev_tid = prev, .next_tid = next, .prev_state = state}});
}

static void wake(uint64_t ns, int cpu, enum event_kind kind, int tid, int target)
{
	at(ns, cpu, kind, (struct event){.wake = {.tid = tid, .target_cpu = target}});
}

static void lose(uint64_t from, uint64_t to)
{
	const struct loss loss = {.begin = BEGIN + from, .end = BEGIN + to, .may_switch = true};

	cpus_before_loss(sched_cpus(sched), &loss);
	model_loss(world, &loss);
	sched_loss(sched, &loss);
}

static void a_block_ends_with_the_wakeup_and_the_wait_with_the_switch(void)
{
	begin();
	swap(10, 0, 100, 1, 200);
	wake(20, 0, EV_WAKING, 100, 0);
	wake(22, 0, EV_WAKEUP, 100, 0);
	swap(30, 0, 200, 1, 100);
	end(40, "200 blocks ?-10 by ?, 100 blocks 10-20 by 200, 100 waits 20-30,"
		" 200 blocks 30-40... by ?");
}

static void preempted_it_waits_at_once(void)
{
	begin();
	swap(10, 0, 100, 0x100, 0);
	swap(30, 0, 0, 0, 100);
	end(40, "100 waits 10-30");
}

static void woken_before_it_slept_it_waits_from_the_wakeup_on(void)
{
	begin();
	swap(5, 1, 0, 0, 300);
	swap(10, 0, 0, 0, 100);
	wake(20, 1, EV_WAKING, 100, 0);
	swap(25, 0, 100, 1, 0);
	wake(28, 0, EV_WAKEUP, 100, 0);
	swap(30, 0, 0, 0, 100);
	end(40, "300 blocks ?-5 by ?, 100 blocks ?-10 by ?, 100 blocks 25-28 by 300,"
		" 100 waits 28-30");
}

static void woken_while_it_runs_on_it_does_not_wait(void)
{
	begin();
	swap(10, 0, 0, 0, 100);
	wake(20, 1, EV_WAKING, 100, 0);
	end(40, "100 blocks ?-10 by ?");
}

static void one_that_ended_does_not_wait_while_it_runs(void)
{
	begin();
	swap(10, 0, 0, 0, 100);
	at(15, 0, EV_EXIT, (struct event){.task = {.tid = 100}});
	wake(20, 1, EV_WAKING, 100, 0);
	swap(25, 0, 100, 0x20, 0);
	end(40, "100 blocks ?-10 by ?");
}

static void one_that_exits_sleeps_before_it_is_dead(void)
{
	begin();
	swap(10, 0, 0, 0, 100);
	at(15, 0, EV_EXIT, (struct event){.task = {.tid = 100}});
	swap(20, 0, 100, 2, 0);
	wake(24, 0, EV_WAKING, 100, 0);
	swap(25, 0, 0, 0, 100);
	swap(30, 0, 100, 0x40, 0);
	end(40, "100 blocks ?-10 by ?, 100 blocks 20-24 by idle, 100 waits 24-25");
}

static void an_interrupt_wakes(void)
{
	begin();
	swap(10, 0, 100, 1, 200);
	at(18, 0, EV_IRQ_ENTRY, (struct event){0});
	wake(20, 0, EV_WAKING, 100, 1);
	at(21, 0, EV_IRQ_EXIT, (struct event){0});
	at(22, 0, EV_MIGRATE, (struct event){.migrate = {100, 1, 2}});
	end(40, "200 blocks ?-10 by ?, 100 blocks 10-20 by irq, 100 moves 1-2 at 22,"
		" 100 waits 20-40...");
}

static void what_is_lost_makes_unsure_what_is_open(void)
{
	begin();
	swap(10, 0, 100, 1, 200);
	swap(12, 0, 200, 0, 0);
	lose(15, 16);
	wake(20, 0, EV_WAKING, 100, 0);
	swap(30, 0, 0, 0, 100);
	swap(35, 0, 100, 1, 200);
	end(40, "200 blocks ?-10 by ?, 100 blocks 10-20~ by ?, 100 waits 20-30~, 200 waits 12-35~,"
		" 100 blocks 35-40... by ?");
}

/* Of its CPU events were lost: whether it slept is not known. */
static void may_have_slept(const char *expected)
{
	begin();
	swap(10, 0, 0, 0, 100);
	lose(12, 14);
	wake(20, 1, EV_WAKING, 100, 0);
	at(22, 1, EV_MIGRATE, (struct event){.migrate = {100, 0, 1}});
	swap(30, 1, 0, 0, 100);
	wake(32, 0, EV_WAKING, 100, 1);
	end(40, expected);
}

static void a_wait_that_may_be_none_is_told_to_who_asks(void)
{
	may_have_slept("100 blocks ?-10 by ?");
	cb.with_doubtful_waits = true;
	may_have_slept("100 blocks ?-10 by ?, 100 blocks ?-20~ by ?, 100 moves 0-1 at 22,"
		       " 100 waits 20-30~");
	cb.with_doubtful_waits = false;
}

static void an_exec_by_a_thread_goes_on_under_another_tid(void)
{
	begin();
	fork_task(1, ROOT, IDS(100), NS(ROOT));
	fork_thread(100, 100, ROOT, IDS(101), NS(ROOT));
	told[0] = '\0';
	swap(10, 0, 0, 0, 101);
	at(12, 0, EV_SYSCALL_ENTRY, (struct event){.syscall = {.name = "execve", .tid = ABSENT}});
	at(15, 0, EV_EXEC, (struct event){.exec = {.filename = "/sh", .tid = 100, .old_tid = 101}});
	wake(16, 1, EV_WAKING, 100, 0);
	at(17, 0, EV_SYSCALL_ENTRY, (struct event){.syscall = {.name = "read", .tid = ABSENT}});
	swap(20, 0, 100, 1, 0);
	end(40, "101 blocks ?-10 by ?, 101 calls execve, 101 goes on as 100, 100 calls read,"
		" 100 blocks 20-40... by ?");
}

static void a_cpu_that_cannot_be_is_no_queue(void)
{
	begin();
	wake(10, 0, EV_WAKING, 100, 2000000000);
	end(40, "");
}

static const struct tap_test tests[] = {
	{"a block ends with the wakeup, and the wait with the switch",
	 a_block_ends_with_the_wakeup_and_the_wait_with_the_switch},
	{"one that is preempted waits at once", preempted_it_waits_at_once},
	{"woken before it slept, it waits from sched_wakeup on, by who woke it first",
	 woken_before_it_slept_it_waits_from_the_wakeup_on},
	{"woken while it runs on, it does not wait", woken_while_it_runs_on_it_does_not_wait},
	{"one that ended does not wait while it runs", one_that_ended_does_not_wait_while_it_runs},
	{"one that exits sleeps, and is woken, before it is dead",
	 one_that_exits_sleeps_before_it_is_dead},
	{"an interrupt wakes, and the queue changes", an_interrupt_wakes},
	{"what is lost makes unsure what is open", what_is_lost_makes_unsure_what_is_open},
	{"a wait that may be none is told to who asks for it",
	 a_wait_that_may_be_none_is_told_to_who_asks},
	{"an exec by a thread goes on under another tid",
	 an_exec_by_a_thread_goes_on_under_another_tid},
	{"a CPU that cannot be has no queue", a_cpu_that_cannot_be_is_no_queue},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
