// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Looks at each CPU so many times a second, and fires the tracepoint profile_sample.
 *
 * The clock is perf's cpu-clock, a timer of each CPU that every machine has, virtual ones
 * too. It ticks while the tracepoint has a user and the parameter `frequency` is not 0, and
 * it tells nothing of a CPU that is idle.
 *
 * It is started and stopped from a workqueue: a tracepoint's first and last user are told of
 * with tracepoints_mutex held, perf's counters take the mutex of a context, and the kernel
 * takes these two in the other order (ctx->mutex, event_mutex when a filter is set;
 * event_mutex, tracepoints_mutex when a tracepoint is opened).
 *
 * A sample is taken in the timer's interrupt: it allocates nothing and takes no lock.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include <lttng/tracer.h>
#include <wrapper/compiler.h>
#include <wrapper/tracepoint.h>

#include <compat/profile.h>
#include <instrumentation/profile.h>

#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE profile
#define LTTNG_INSTRUMENTATION
#include <instrumentation/events/profile.h>

/* perf's timers do not tick more often. */
#define MAX_FREQUENCY 10000

/* Hz. Not a divisor of what else happens regularly, so that samples do not go along with it. */
static unsigned int frequency = 99;

/* Whether the tracepoint has users; whether there is a module that could follow them. */
static bool is_used, is_ready;

static void follow(struct work_struct *unused);
static DECLARE_WORK(follow_work, follow);

static void follow_soon(void)
{
	if (READ_ONCE(is_ready))
		schedule_work(&follow_work);
}

static int on_first_user(void)
{
	WRITE_ONCE(is_used, true);
	follow_soon();
	return 0;
}

static void on_last_user(void)
{
	WRITE_ONCE(is_used, false);
	follow_soon();
}

COMPAT_DEFINE_TRACE_FN(profile_sample, on_first_user, on_last_user,
		       TP_PROTO(struct pt_regs *regs, u64 period), TP_ARGS(regs, period));

/* ---- one CPU's timer ------------------------------------------------------- */

static DEFINE_PER_CPU(struct perf_event *, timers);

/* What the timers tick at, Hz; 0: there are none. Only follow() changes these two. */
static unsigned int ticking;
static int hotplug_state;

static void on_tick(struct perf_event *timer, struct perf_sample_data *data, struct pt_regs *regs)
{
	if (regs)
		trace_profile_sample(regs, timer->attr.sample_period);
}

/* Return: 0 in any case, as a CPU comes without its timer rather than not at all. */
static int start_timer(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = NSEC_PER_SEC / ticking,
		.exclude_idle = 1,
	};
	struct perf_event *timer;

	timer = perf_event_create_kernel_counter(&attr, (int)cpu, NULL, on_tick, NULL);
	if (IS_ERR(timer))
		pr_warn("LTTng: no samples of CPU %u (%ld)\n", cpu, PTR_ERR(timer));
	else
		per_cpu(timers, cpu) = timer;
	return 0;
}

static int stop_timer(unsigned int cpu)
{
	struct perf_event *timer = per_cpu(timers, cpu);

	per_cpu(timers, cpu) = NULL;
	if (timer)
		perf_event_release_kernel(timer);
	return 0;
}

/* ---- all of them ----------------------------------------------------------- */

static void stop_all(void)
{
	if (ticking)
		cpuhp_remove_state(hotplug_state);
	ticking = 0;
}

static void start_all(unsigned int hz)
{
	ticking = hz;
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "lttng/profile:online", start_timer,
					  stop_timer);
	if (hotplug_state < 0) {
		pr_err("LTTng: no samples, CPUs cannot be followed (%d)\n", hotplug_state);
		ticking = 0;
	}
}

/* A work item never runs beside itself. */
static void follow(struct work_struct *unused)
{
	unsigned int wanted = READ_ONCE(is_used) ? READ_ONCE(frequency) : 0;

	if (wanted == ticking)
		return;
	stop_all();
	if (wanted)
		start_all(wanted);
}

static int set_frequency(const char *text, const struct kernel_param *param)
{
	unsigned int hz;
	int ret = kstrtouint(text, 0, &hz);

	if (ret)
		return ret;
	if (hz > MAX_FREQUENCY)
		return -ERANGE;
	WRITE_ONCE(frequency, hz);
	follow_soon();
	return 0;
}

static const struct kernel_param_ops frequency_ops = {
	.set = set_frequency,
	.get = param_get_uint,
};
module_param_cb(frequency, &frequency_ops, &frequency, 0644);
MODULE_PARM_DESC(frequency, "samples a second of each CPU that is not idle, 0 to 10000 (default: 99)");

bool lttng_profile_is_ready(void)
{
	return READ_ONCE(is_ready);
}
EXPORT_SYMBOL_GPL(lttng_profile_is_ready);

static int __init lttng_profile_init(void)
{
	WRITE_ONCE(is_ready, true);
	return 0;
}
module_init(lttng_profile_init);

static void __exit lttng_profile_exit(void)
{
	/* The parameter can be written until this function has returned. */
	kernel_param_lock(THIS_MODULE);
	WRITE_ONCE(is_ready, false);
	kernel_param_unlock(THIS_MODULE);
	cancel_work_sync(&follow_work);
	stop_all();
}
module_exit(lttng_profile_exit);

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng tracepoint for samples of what CPUs do");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
