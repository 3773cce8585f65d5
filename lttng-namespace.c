// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Namespaces that change hands and go away: what the kernel has no tracepoints for.
 *
 * Defines the tracepoints namespace_switch and namespace_free, and fires them from
 * kprobes at the entry of functions that all such changes pass through:
 *
 *   fork      wake_up_new_task(), called by the parent before the child first runs
 *   unshare,  perf_event_namespaces(), called when all is done, and on success only
 *   setns     (4.12, commit e422267322cd), for a comparison with what was seen at the entry
 *             of the system call; where it is missing, the return of the system calls
 *   exec      exec_task_namespaces(): a task enters the time namespace that was to be
 *             its children's (6.2, commit 2b5f9dad32ed)
 *   free      __ns_common_free() (6.18), before that proc_free_inum()
 *
 * The kprobes are there as long as the module is, not only while somebody listens. The
 * functions by which a tracepoint hears of its first and last user are called with
 * tracepoints_mutex held, under which no kprobe may come or go: that takes ftrace_lock,
 * and the kernel takes these two in the other order (register_ftrace_graph() and writes
 * to set_ftrace_pid register a tracepoint). And whoever loads the module hears of a
 * kprobe that cannot be set; a tracepoint's user would not.
 *
 * A handler runs with preemption disabled and takes no lock but that of a slot of
 * sets_before; it reads only what belongs to the current task, to a child of it that has
 * not run yet, or to the namespace that is being freed.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include <lttng/tracer.h>
#include <wrapper/compiler.h>
#include <wrapper/kallsyms.h>
#include <wrapper/tracepoint.h>

#include <compat/hooks.h>
#include <instrumentation/namespaces.h>

#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE namespace
#define LTTNG_INSTRUMENTATION
#include <instrumentation/events/namespace.h>

LTTNG_DEFINE_TRACE(namespace_switch,
		   TP_PROTO(struct task_struct *task, int reason,
			    const struct lttng_namespaces *set),
		   TP_ARGS(task, reason, set));
LTTNG_DEFINE_TRACE(namespace_free, TP_PROTO(u32 inum), TP_ARGS(inum));

/*
 * How many unshare() and setns() may sleep at a time on a kernel without
 * perf_event_namespaces(); more would be missed, and are counted.
 */
#define MAX_SLEEPING 512

static struct compat_mnt_ns_reader mnt_ns;

/* ---- fork ------------------------------------------------------------------ */

static int on_wake_up_new_task(struct kprobe *probe, struct pt_regs *regs)
{
	struct task_struct *child = (struct task_struct *)compat_first_argument(regs);
	struct lttng_namespaces theirs, ours;

	if (child->nsproxy == current->nsproxy && child->cred->user_ns == current->cred->user_ns)
		return 0;
	/* Another nsproxy may still hold the same namespaces. */
	if (lttng_namespaces_read(&theirs, child, &mnt_ns) &&
	    lttng_namespaces_read(&ours, current, &mnt_ns) && memcmp(&theirs, &ours, sizeof(ours)))
		trace_namespace_switch(child, LTTNG_NAMESPACE_SWITCH_FORK, &theirs);
	return 0;
}

/* ---- unshare, setns -------------------------------------------------------- */

/*
 * The namespaces that tasks had when they entered setns() or unshare(): success does not
 * mean that any is another now. A slot holds the latest of the tasks that share it; one
 * whose set was overwritten is told as changed, so that no change is missed.
 */
#define SETS_BEFORE_BITS 8

static struct set_before {
	raw_spinlock_t lock;
	const struct task_struct *task;
	struct lttng_namespaces set;
} sets_before[1 << SETS_BEFORE_BITS];

static struct set_before *slot_of_current(void)
{
	return &sets_before[hash_ptr(current, SETS_BEFORE_BITS)];
}

static int on_change_entry(struct kprobe *probe, struct pt_regs *regs)
{
	struct set_before *before = slot_of_current();
	struct lttng_namespaces set;

	if (!lttng_namespaces_read(&set, current, &mnt_ns))
		return 0;
	raw_spin_lock(&before->lock);
	before->task = current;
	before->set = set;
	raw_spin_unlock(&before->lock);
	return 0;
}

/* Return: whether they were known; each is told once. */
static bool take_set_before(struct lttng_namespaces *set)
{
	struct set_before *before = slot_of_current();
	bool known;

	raw_spin_lock(&before->lock);
	known = before->task == current;
	if (known) {
		*set = before->set;
		before->task = NULL;
	}
	raw_spin_unlock(&before->lock);
	return known;
}

/* Record current, unless it has the same namespaces as @before, which may be NULL. */
static void record_change(const struct lttng_namespaces *before)
{
	struct lttng_namespaces now;
	int reason = LTTNG_NAMESPACE_SWITCH_UNSHARE;

	if (!lttng_namespaces_read(&now, current, &mnt_ns) ||
	    (before && !memcmp(before, &now, sizeof(now))))
		return;
	if (compat_in_setns())
		reason = LTTNG_NAMESPACE_SWITCH_SETNS;
	trace_namespace_switch(current, reason, &now);
}

static int on_perf_event_namespaces(struct kprobe *probe, struct pt_regs *regs)
{
	struct lttng_namespaces before;

	/* It is also called for a child, by fork. */
	if (compat_first_argument(regs) == (unsigned long)current)
		record_change(take_set_before(&before) ? &before : NULL);
	return 0;
}

/* Return: not 0, and the return is not told of, if the task has no namespaces. */
static int on_change_call(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	return !lttng_namespaces_read((struct lttng_namespaces *)instance->data, current, &mnt_ns);
}

static int on_change_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (!regs_return_value(regs))
		record_change((const struct lttng_namespaces *)instance->data);
	return 0;
}

/* ---- exec ------------------------------------------------------------------ */

/*
 * What is told is what will be when the function returns: if it fails, for want of
 * memory, exec() is past its point of no return and the task is killed.
 */
static int on_exec_task_namespaces(struct kprobe *probe, struct pt_regs *regs)
{
#ifdef HAVE_TIME_NS
	const struct nsproxy *proxy = current->nsproxy;
	struct lttng_namespaces set;

	if (proxy->time_ns == proxy->time_ns_for_children)
		return 0;
	if (lttng_namespaces_read(&set, current, &mnt_ns)) {
		set.time = compat_ns_inum_or_0(proxy->time_ns_for_children);
		trace_namespace_switch(current, LTTNG_NAMESPACE_SWITCH_EXEC, &set);
	}
#endif
	return 0;
}

/* ---- the end of a namespace ------------------------------------------------ */

static int on_ns_common_free(struct kprobe *probe, struct pt_regs *regs)
{
#ifdef HAVE_NS_COMMON
	trace_namespace_free(((struct ns_common *)compat_first_argument(regs))->inum);
#endif
	return 0;
}

/*
 * Entries of /proc take their numbers from the same pool, and give them back by
 * the same function, which fs/proc/generic.c mostly calls inlined, but need not.
 */
static bool is_called_by_procfs(struct pt_regs *regs)
{
	static const char *const prefixes[] = { "pde_", "proc_", "remove_proc_", "free_proc_" };
	char name[24];
	unsigned int i;

	snprintf(name, sizeof(name), "%ps", (void *)compat_caller(regs));
	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static int on_proc_free_inum(struct kprobe *probe, struct pt_regs *regs)
{
	/* Finding out who called takes long. */
	if (compat_trace_enabled(namespace_free) && !is_called_by_procfs(regs))
		trace_namespace_free(compat_first_argument(regs));
	return 0;
}

/* ---- setting and removing hooks -------------------------------------------- */

/**
 * struct hook - a kprobe at a function of the kernel
 * @unless:    not needed where the kernel has this function
 * @on_entry:  called when the function is
 * @on_return: called when it returns instead, where the kernel lacks what is called
 *             at the end of a change
 * @probe:     just its kp is used where @on_entry is
 */
struct hook {
	const char *symbol;
	const char *unless;
	kprobe_pre_handler_t on_entry;
	kretprobe_handler_t on_return;
	struct kretprobe probe;
	bool is_set;
};

#define CHANGE_END "perf_event_namespaces"
#define FREE	   "__ns_common_free"
#define FREE_OLD   "proc_free_inum"

static struct hook hooks[] = {
	{ "wake_up_new_task", NULL, on_wake_up_new_task },
	{ "exec_task_namespaces", NULL, on_exec_task_namespaces },
	{ CHANGE_END, NULL, on_perf_event_namespaces },
	{ FREE, NULL, on_ns_common_free },
	{ FREE_OLD, FREE, on_proc_free_inum },
	/* The system calls of this kernel are some of these. */
	{ "sys_setns", NULL, on_change_entry, on_change_return },
	{ "sys_unshare", NULL, on_change_entry, on_change_return },
	{ "__x64_sys_setns", NULL, on_change_entry, on_change_return },
	{ "__x64_sys_unshare", NULL, on_change_entry, on_change_return },
	{ "__ia32_sys_setns", NULL, on_change_entry, on_change_return },
	{ "__ia32_sys_unshare", NULL, on_change_entry, on_change_return },
	{ "__arm64_sys_setns", NULL, on_change_entry, on_change_return },
	{ "__arm64_sys_unshare", NULL, on_change_entry, on_change_return },
	{ "__riscv_sys_setns", NULL, on_change_entry, on_change_return },
	{ "__riscv_sys_unshare", NULL, on_change_entry, on_change_return },
	{ "__s390_sys_setns", NULL, on_change_entry, on_change_return },
	{ "__s390_sys_unshare", NULL, on_change_entry, on_change_return },
	{ "__s390x_sys_setns", NULL, on_change_entry, on_change_return },
	{ "__s390x_sys_unshare", NULL, on_change_entry, on_change_return },
};

static bool kernel_has(const char *symbol)
{
	return kallsyms_lookup_funcptr(symbol);
}

static bool is_return_hook(const struct hook *hook)
{
	return hook->on_return && !kernel_has(CHANGE_END);
}

/* The kernel's ftrace_enabled, NULL if it was not found. */
static const int *ftrace_switch;

/* Return: 0, also where the kernel does not have the function, or -errno. */
static int set_hook(struct hook *hook)
{
	int ret;

	if (!kernel_has(hook->symbol) || (hook->unless && kernel_has(hook->unless)))
		return 0;
	hook->probe.kp.symbol_name = hook->symbol;
	if (is_return_hook(hook)) {
		hook->probe.entry_handler = on_change_call;
		hook->probe.handler = hook->on_return;
		hook->probe.data_size = sizeof(struct lttng_namespaces);
		hook->probe.maxactive = MAX_SLEEPING;
		ret = register_kretprobe(&hook->probe);
	} else {
		hook->probe.kp.pre_handler = hook->on_entry;
		ret = register_kprobe(&hook->probe.kp);
	}
	if (ret)
		pr_err("LTTng: no namespace events, cannot probe %s (%d)\n", hook->symbol, ret);
	hook->is_set = !ret;
	return ret;
}

static void report_missed(const struct hook *hook)
{
	unsigned long missed = is_return_hook(hook) ? hook->probe.nmissed : hook->probe.kp.nmissed;

	if (missed)
		pr_warn("LTTng: %lu calls of %s were missed by the namespace events\n", missed,
			hook->symbol);
}

/* Those that are set, all at once: each removal waits for a grace period. */
static void unset_hooks(void)
{
	struct kretprobe *return_probes[ARRAY_SIZE(hooks)];
	struct kprobe *probes[ARRAY_SIZE(hooks)];
	unsigned int nr = 0, nr_return = 0, i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		struct hook *hook = &hooks[i];

		if (!hook->is_set)
			continue;
		compat_disarm_kprobe(&hook->probe.kp, ftrace_switch);
		if (is_return_hook(hook))
			return_probes[nr_return++] = &hook->probe;
		else
			probes[nr++] = &hook->probe.kp;
	}
	unregister_kprobes(probes, nr);
	unregister_kretprobes(return_probes, nr_return);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (hooks[i].is_set)
			report_missed(&hooks[i]);
		hooks[i].is_set = false;
	}
}

static int set_hooks(void)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(hooks); i++)
		ret = set_hook(&hooks[i]);
	if (ret)
		unset_hooks();
	return ret;
}

static bool has_system_calls(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		if (hooks[i].on_return && kernel_has(hooks[i].symbol))
			return true;
	return false;
}

bool lttng_namespace_is_ready(void)
{
	return kernel_has("wake_up_new_task") && has_system_calls() &&
	       (kernel_has(FREE) || kernel_has(FREE_OLD));
}
EXPORT_SYMBOL_GPL(lttng_namespace_is_ready);

static int __init lttng_namespace_init(void)
{
	unsigned int i;

	if (!lttng_namespace_is_ready()) {
		pr_err("LTTng: no namespace events, this kernel hides its functions\n");
		return -EOPNOTSUPP;
	}
	ftrace_switch = (void *)kallsyms_lookup_dataptr("ftrace_enabled");
	if (compat_ftrace_is_off(ftrace_switch)) {
		pr_err("LTTng: no namespace events while ftrace is switched off (sysctl kernel.ftrace_enabled)\n");
		return -EOPNOTSUPP;
	}
	if (!compat_mnt_ns_reader_init(&mnt_ns,
				       (void *)kallsyms_lookup_dataptr("mntns_operations")))
		pr_warn("LTTng: namespace events without mount namespaces, as this kernel hides them\n");
	for (i = 0; i < ARRAY_SIZE(sets_before); i++)
		raw_spin_lock_init(&sets_before[i].lock);
	return set_hooks();
}
module_init(lttng_namespace_init);

static void __exit lttng_namespace_exit(void)
{
	unset_hooks();
}
module_exit(lttng_namespace_exit);

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng tracepoints for changes of namespaces");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
