// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Watches for tasks that wait too long, for a CPU or uninterruptibly, without recording who runs.
 *
 * watch_delay: a task waited for a CPU. It is fired from the kernel's sched_switch. That comes
 * before sched_info_switch() (kernel/sched/core.c: __schedule() calls the one, and then, in
 * prepare_task_switch(), the other): sched_info.last_queued still tells since when the next task
 * has waited on this CPU's queue, by rq_clock(), which is sched_clock_cpu() when the queue was
 * last looked at. It is 0 for one that did not wait, as the idle task. A task that is moved to
 * another queue while it waits begins anew there: sched_info_dequeue() has added what was
 * before to run_delay, with all earlier waits.
 *
 * To read the clock at each switch would cost more than all else, so each CPU keeps, for the
 * length of a jiffy, since when a task must have waited to be late. Late are those only whom
 * the clock itself confirms; it is asked of those who may be. Where a jiffy ends late, as on a
 * virtual machine that did not run, a wait may be longer by so much and not be told.
 *
 * watch_blocked: a task slept uninterruptibly (D, as ps says), for a disk, a lock of the kernel or
 * memory. It is fired from the kernel's sched_waking, where the task still is in that state. The
 * kernel does not keep since when it has slept, but since when it had the CPU before
 * (sched_info.last_arrival, by the same clock), and for how long (se.sum_exec_runtime, of which
 * set_next_entity() in kernel/sched/fair.c keeps in se.prev_sum_exec_runtime what it was then):
 * it has slept for the rest. What interrupts and a hypervisor took of that time on the CPU counts
 * as slept. Real-time and deadline tasks are not judged, as these classes do not keep
 * se.prev_sum_exec_runtime. Nor does sched_ext (6.12; set_next_task_scx() in kernel/sched/ext.c),
 * whose tasks have the prio of fair ones: what such a task has run is then taken as all since it
 * was of the fair class, or began. That is never less than its last run, so such a task is told
 * of for less than it slept, or not at all, but never for more. To leave them out would take the
 * bits of scx.flags, which mean other states in 7.2 than in 6.12.
 *
 * watch_delay holds for all classes: sched_info is kept where tasks are queued and dequeued
 * (enqueue_task() and dequeue_task() in kernel/sched/core.c), whatever their class.
 *
 * A tracepoint is hooked while there is something to watch for, and by whom sets the module's
 * parameter: the functions by which a tracepoint hears of its own users are called with
 * tracepoints_mutex held, which hooking takes.
 */
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <lttng/tracer.h>
#include <wrapper/compiler.h>
#include <wrapper/tracepoint.h>

#include <compat/sched.h>
#include <instrumentation/watch.h>

#ifdef HAVE_LINUX_SCHED_TASK_H
#include <linux/sched/clock.h>
#endif

#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE watch
#define LTTNG_INSTRUMENTATION
#include <instrumentation/events/watch.h>

LTTNG_DEFINE_TRACE(watch_delay, TP_PROTO(struct task_struct *task, u64 delay),
		   TP_ARGS(task, delay));
LTTNG_DEFINE_TRACE(watch_blocked, TP_PROTO(struct task_struct *task, u64 blocked),
		   TP_ARGS(task, blocked));

/* How much later than its beginning a jiffy may be looked at: its length, and that of a tick. */
#define JIFFY_ENDS_NS (2 * (u64)TICK_NSEC)

/**
 * struct horizon - who need not be judged; only its CPU uses it, with interrupts disabled
 * @jiffy: for which it holds
 * @since: a task that was queued later than this is not late in this jiffy
 */
struct horizon {
	unsigned long jiffy;
	u64 since;
};

static DEFINE_PER_CPU(struct horizon, horizons);

/* 0: nobody is late. */
static u64 delay_ns, blocked_ns;

u64 lttng_watch_delay_ns(void)
{
	return READ_ONCE(delay_ns);
}
EXPORT_SYMBOL_GPL(lttng_watch_delay_ns);

u64 lttng_watch_blocked_ns(void)
{
	return READ_ONCE(blocked_ns);
}
EXPORT_SYMBOL_GPL(lttng_watch_blocked_ns);

/* ---- at each switch -------------------------------------------------------- */

static noinline void judge_delay(struct task_struct *task, struct horizon *horizon)
{
	u64 queued = task->sched_info.last_queued;
	u64 limit = lttng_watch_delay_ns();
	u64 now = local_clock();

	horizon->jiffy = jiffies;
	horizon->since = now + JIFFY_ENDS_NS > limit ? now + JIFFY_ENDS_NS - limit : 0;
	if (!limit || !queued || now <= queued || now - queued <= limit)
		return;
	/*
	 * The event reads the struct pid of a task that may be ending. Until 4.20 disabled
	 * preemption, which sched_switch has, does not keep that from being freed.
	 */
	rcu_read_lock();
	trace_watch_delay(task, now - queued);
	rcu_read_unlock();
}

static void on_sched_switch(void *data, COMPAT_SCHED_SWITCH_PROTO)
{
	struct horizon *horizon = this_cpu_ptr(&horizons);
	unsigned long jiffy = jiffies;

	/* Who did not wait, 0, is after all that are. */
	if (unlikely(next->sched_info.last_queued - 1 < horizon->since ||
		     horizon->jiffy != jiffy))
		judge_delay(next, horizon);
}

/* ---- at each wake-up ------------------------------------------------------- */

/* Uninterruptibly, but not as a thread of the kernel that is idle (TASK_IDLE, since 4.2). */
static bool is_blocked(unsigned int state)
{
#ifdef TASK_NOLOAD
	if (state & TASK_NOLOAD)
		return false;
#endif
	return state & TASK_UNINTERRUPTIBLE;
}

/* It was about to sleep, and has not left its CPU yet. */
static bool is_on_cpu(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	if (READ_ONCE(task->on_cpu))
		return true;
#endif
	return task == current;
}

static noinline void judge_blocked(struct task_struct *task)
{
	u64 limit = lttng_watch_blocked_ns();
	u64 arrived = task->sched_info.last_arrival;
	u64 ran = task->se.sum_exec_runtime - task->se.prev_sum_exec_runtime;
	u64 now = local_clock();

	if (!limit || !arrived || task->prio < MAX_RT_PRIO || is_on_cpu(task))
		return;
	if (now <= arrived || now - arrived <= ran || now - arrived - ran <= limit)
		return;
	/* As for judge_delay(). */
	rcu_read_lock();
	trace_watch_blocked(task, now - arrived - ran);
	rcu_read_unlock();
}

static void on_sched_waking(void *data, struct task_struct *task)
{
	if (unlikely(is_blocked(compat_task_state(task))))
		judge_blocked(task);
}

/* ---- what to watch for ----------------------------------------------------- */

/**
 * struct watched - what is watched for
 * @name:       the kernel's tracepoint from which it is seen
 * @probe:      what is called there
 * @ns:         what is too long; 0: nothing
 * @tracepoint: of that name, or NULL: the kernel has none
 * @is_hooked:  whether @probe is called
 */
struct watched {
	const char *name;
	void *probe;
	u64 *ns;
	struct tracepoint *tracepoint;
	bool is_hooked;
};

static struct watched delays = {.name = "sched_switch", .probe = on_sched_switch, .ns = &delay_ns};
/* Since 4.3, commit fbd705a0c618. */
static struct watched blocks = {
	.name = "sched_waking", .probe = on_sched_waking, .ns = &blocked_ns};

/* Protects all below, and those above. Taken with the lock of the module's parameters held. */
static DEFINE_MUTEX(arming);
/* From the module's beginning to its end: its parameters can be set before and after. */
static bool is_alive;

/*
 * Hook or unhook, as *@w->ns has it. Either may want memory; that unhooking does not fail for
 * that is since 5.11, commit befe6d946551. Return: 0, or -errno and all is as before.
 */
static int follow(struct watched *w)
{
	bool wanted = is_alive && *w->ns;
	int ret;

	if (wanted == w->is_hooked)
		return 0;
	if (!w->tracepoint)
		return -EOPNOTSUPP;
	if (wanted)
		ret = tracepoint_probe_register(w->tracepoint, w->probe, NULL);
	else
		ret = tracepoint_probe_unregister(w->tracepoint, w->probe, NULL);
	if (!ret)
		w->is_hooked = wanted;
	return ret;
}

static int set_ns(const char *text, const struct kernel_param *param)
{
	struct watched *w = param->arg;
	u64 before, value;
	int ret;

	ret = kstrtou64(text, 0, &value);
	if (ret)
		return ret;
	mutex_lock(&arming);
	before = *w->ns;
	WRITE_ONCE(*w->ns, value);
	ret = follow(w);
	if (ret)
		WRITE_ONCE(*w->ns, before);
	mutex_unlock(&arming);
	return ret;
}

static int get_ns(char *buffer, const struct kernel_param *param)
{
	const struct watched *w = param->arg;

	return scnprintf(buffer, PAGE_SIZE, "%llu\n", (unsigned long long)READ_ONCE(*w->ns));
}

static const struct kernel_param_ops ns_ops = {
	.set = set_ns,
	.get = get_ns,
};
module_param_cb(delay_ns, &ns_ops, &delays, 0600);
MODULE_PARM_DESC(
	delay_ns,
	"nanoseconds; longer waits for a CPU are told of as watch_delay (default: 0, none)");
module_param_cb(blocked_ns, &ns_ops, &blocks, 0600);
MODULE_PARM_DESC(
	blocked_ns,
	"nanoseconds; longer uninterruptible sleep is told of as watch_blocked (default: 0, none)");

static void find_tracepoint(struct tracepoint *tracepoint, void *watched)
{
	struct watched *w = watched;

	if (!strcmp(tracepoint->name, w->name))
		w->tracepoint = tracepoint;
}

/* What is hooked would outlive this module. */
static void leave(void)
{
	is_alive = false;
	while (follow(&delays) || follow(&blocks))
		msleep(20);
	tracepoint_synchronize_unregister();
}

static int __init lttng_watch_init(void)
{
	int ret;

	for_each_kernel_tracepoint(find_tracepoint, &delays);
	for_each_kernel_tracepoint(find_tracepoint, &blocks);
	if (!delays.tracepoint) {
		pr_err("LTTng: no watch events, this kernel has no sched_switch\n");
		return -EOPNOTSUPP;
	}
	mutex_lock(&arming);
	is_alive = true;
	ret = follow(&delays);
	if (!ret) {
		ret = follow(&blocks);
		if (ret)
			leave();
	}
	is_alive = !ret;
	mutex_unlock(&arming);
	return ret;
}
module_init(lttng_watch_init);

static void __exit lttng_watch_exit(void)
{
	mutex_lock(&arming);
	leave();
	mutex_unlock(&arming);
}
module_exit(lttng_watch_exit);

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng tracepoint for waits that are too long");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "." __stringify(
	LTTNG_MODULES_MINOR_VERSION) "." __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
		       LTTNG_MODULES_EXTRAVERSION);
