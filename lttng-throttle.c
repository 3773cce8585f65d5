// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * CFS bandwidth control: the kernel has no tracepoint for a cgroup whose quota is used up.
 *
 * Defines the tracepoints cgroup_throttle_begin and cgroup_throttle_end, and fires them from
 * kprobes at the entry of tg_throttle_down() and tg_unthrottle_up() of kernel/sched/fair.c. Both
 * get a task group and a run queue; the kernel calls them through a pointer for the group that is
 * throttled and each below it, so neither is inlined. No private structure is needed: a task
 * group begins with its cgroup_subsys_state, and the CPU of a run queue is the one whose place in
 * the per-CPU variable it has.
 *
 * As in lttng-namespace.c, the kprobes are there as long as the module is. A handler runs with the
 * run queue's lock held: it takes no lock, wakes nobody, and reads only the group that the kernel
 * holds.
 */
#ifndef CONFIG_CFS_BANDWIDTH
#error "CONFIG_CFS_BANDWIDTH is not set"
#endif

#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include <lttng/tracer.h>
#include <wrapper/compiler.h>
#include <wrapper/kallsyms.h>
#include <wrapper/tracepoint.h>

#include <compat/cgroup.h>
#include <compat/hooks.h>
#include <instrumentation/throttle.h>

#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE throttle
#define LTTNG_INSTRUMENTATION
#include <instrumentation/events/throttle.h>

LTTNG_DEFINE_TRACE(cgroup_throttle_begin,
		   TP_PROTO(struct cgroup *cgrp, int target_cpu),
		   TP_ARGS(cgrp, target_cpu));
LTTNG_DEFINE_TRACE(cgroup_throttle_end,
		   TP_PROTO(struct cgroup *cgrp, int target_cpu),
		   TP_ARGS(cgrp, target_cpu));

/* The kernel's variables; @ftrace_switch, its ftrace_enabled, is NULL if it was not found. */
static char __percpu *runqueues;
static const int *ftrace_switch;

/* Return: -1 if @rq is no CPU's. Often it is that of the CPU that runs this. */
static int cpu_of_rq(const void *rq)
{
	int cpu = smp_processor_id();

	if (rq == per_cpu_ptr(runqueues, cpu))
		return cpu;
	for_each_possible_cpu(cpu)
		if (rq == per_cpu_ptr(runqueues, cpu))
			return cpu;
	return -1;
}

/* Return: NULL for the group of an autogroup, which has no cgroup. */
static struct cgroup *cgroup_of_group(struct pt_regs *regs)
{
	const struct cgroup_subsys_state *css = (void *)compat_first_argument(regs);

	return css->cgroup;
}

static int on_throttle(struct kprobe *probe, struct pt_regs *regs)
{
	struct cgroup *cgrp = cgroup_of_group(regs);

	if (cgrp)
		trace_cgroup_throttle_begin(cgrp, cpu_of_rq((void *)compat_second_argument(regs)));
	return 0;
}

static int on_unthrottle(struct kprobe *probe, struct pt_regs *regs)
{
	struct cgroup *cgrp = cgroup_of_group(regs);

	if (cgrp)
		trace_cgroup_throttle_end(cgrp, cpu_of_rq((void *)compat_second_argument(regs)));
	return 0;
}

static struct kprobe probes[] = {
	{ .symbol_name = "tg_throttle_down", .pre_handler = on_throttle },
	{ .symbol_name = "tg_unthrottle_up", .pre_handler = on_unthrottle },
};

bool lttng_throttle_is_ready(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		if (!kallsyms_lookup_funcptr(probes[i].symbol_name))
			return false;
	return kallsyms_lookup_dataptr("runqueues");
}
EXPORT_SYMBOL_GPL(lttng_throttle_is_ready);

/* The first @nr of them, all at once: each removal waits for a grace period. */
static void unset_probes(unsigned int nr)
{
	struct kprobe *set[ARRAY_SIZE(probes)];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		compat_disarm_kprobe(&probes[i], ftrace_switch);
		set[i] = &probes[i];
	}
	unregister_kprobes(set, nr);
	for (i = 0; i < nr; i++)
		if (probes[i].nmissed)
			pr_warn("LTTng: %lu calls of %s were missed by the throttle events\n",
				probes[i].nmissed, probes[i].symbol_name);
}

static int __init lttng_throttle_init(void)
{
	unsigned int i;

	if (!lttng_throttle_is_ready()) {
		pr_err("LTTng: no throttle events, this kernel hides its functions\n");
		return -EOPNOTSUPP;
	}
	ftrace_switch = (void *)kallsyms_lookup_dataptr("ftrace_enabled");
	if (compat_ftrace_is_off(ftrace_switch)) {
		pr_err("LTTng: no throttle events while ftrace is switched off (sysctl kernel.ftrace_enabled)\n");
		return -EOPNOTSUPP;
	}
	runqueues = (char __percpu *)kallsyms_lookup_dataptr("runqueues");
	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		int ret = register_kprobe(&probes[i]);

		if (!ret)
			continue;
		pr_err("LTTng: no throttle events, cannot probe %s (%d)\n", probes[i].symbol_name, ret);
		unset_probes(i);
		return ret;
	}
	return 0;
}
module_init(lttng_throttle_init);

static void __exit lttng_throttle_exit(void)
{
	unset_probes(ARRAY_SIZE(probes));
}
module_exit(lttng_throttle_exit);

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng tracepoints for CFS bandwidth control");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
