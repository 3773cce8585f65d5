// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Watches for tasks that wait too long for a CPU, without recording who runs.
 *
 * Defines the tracepoint watch_delay, and fires it from the kernel's sched_switch. That comes
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
 * sched_switch is hooked while there is something to watch for, and by whom sets the module's
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
static u64 delay_ns;

u64 lttng_watch_delay_ns(void)
{
	return READ_ONCE(delay_ns);
}
EXPORT_SYMBOL_GPL(lttng_watch_delay_ns);

/* ---- at each switch -------------------------------------------------------- */

static noinline void judge(struct task_struct *task, struct horizon *horizon)
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
		judge(next, horizon);
}

/* ---- what to watch for ----------------------------------------------------- */

/* Protects all below. Taken with the lock of the module's parameters held. */
static DEFINE_MUTEX(arming);
static struct tracepoint *sched_switch;
static bool is_hooked;
/* From the module's beginning to its end: its parameter can be set before and after. */
static bool is_alive;

/*
 * Hook or unhook, as delay_ns has it. Either may want memory; that unhooking does not fail for
 * that is since 5.11, commit befe6d946551. Return: 0, or -errno and all is as before.
 */
static int follow(void)
{
	bool wanted = is_alive && delay_ns;
	int ret;

	if (wanted == is_hooked)
		return 0;
	if (wanted)
		ret = tracepoint_probe_register(sched_switch, (void *)on_sched_switch, NULL);
	else
		ret = tracepoint_probe_unregister(sched_switch, (void *)on_sched_switch, NULL);
	if (!ret)
		is_hooked = wanted;
	return ret;
}

static int set_delay_ns(const char *text, const struct kernel_param *param)
{
	u64 before, value;
	int ret;

	ret = kstrtou64(text, 0, &value);
	if (ret)
		return ret;
	mutex_lock(&arming);
	before = delay_ns;
	WRITE_ONCE(delay_ns, value);
	ret = follow();
	if (ret)
		WRITE_ONCE(delay_ns, before);
	mutex_unlock(&arming);
	return ret;
}

static int get_delay_ns(char *buffer, const struct kernel_param *param)
{
	return scnprintf(buffer, PAGE_SIZE, "%llu\n", (unsigned long long)lttng_watch_delay_ns());
}

static const struct kernel_param_ops delay_ns_ops = {
	.set = set_delay_ns,
	.get = get_delay_ns,
};
module_param_cb(delay_ns, &delay_ns_ops, NULL, 0600);
MODULE_PARM_DESC(delay_ns,
		 "nanoseconds; longer waits for a CPU are told of as watch_delay (default: 0, none)");

static void find_sched_switch(struct tracepoint *tracepoint, void *found)
{
	if (!strcmp(tracepoint->name, "sched_switch"))
		*(struct tracepoint **)found = tracepoint;
}

static int __init lttng_watch_init(void)
{
	int ret;

	for_each_kernel_tracepoint(find_sched_switch, &sched_switch);
	if (!sched_switch) {
		pr_err("LTTng: no watch events, this kernel has no sched_switch\n");
		return -EOPNOTSUPP;
	}
	mutex_lock(&arming);
	is_alive = true;
	ret = follow();
	is_alive = !ret;
	mutex_unlock(&arming);
	return ret;
}
module_init(lttng_watch_init);

static void __exit lttng_watch_exit(void)
{
	mutex_lock(&arming);
	is_alive = false;
	/* It would outlive this module. */
	while (follow())
		msleep(20);
	mutex_unlock(&arming);
	tracepoint_synchronize_unregister();
}
module_exit(lttng_watch_exit);

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng tracepoint for waits that are too long");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
