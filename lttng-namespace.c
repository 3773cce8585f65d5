// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
/*
 * Namespaces that change hands and go away: what the kernel has no tracepoints for.
 *
 * Defines the tracepoints namespace_switch and namespace_free, and fires them from
 * kprobes at the entry of functions that all such changes pass through. The kprobes
 * exist only while somebody listens: a tracepoint sets them when its first user
 * comes, and removes them after its last one.
 *
 *   fork      wake_up_new_task(), called by the parent before the child first runs
 *   unshare,  perf_event_namespaces(), called when all is done, and on success only
 *   setns     (4.12, commit e422267322cd); where it is missing, the return of the
 *             system calls themselves
 *   exec      exec_task_namespaces(): a task enters the time namespace that was to be
 *             its children's (6.2, commit 2b5f9dad32ed)
 *   free      __ns_common_free() (6.18), before that proc_free_inum()
 *
 * A handler runs with preemption disabled and takes no lock; it reads only what
 * belongs to the current task, to a child of it that has not run yet, or to the
 * namespace that is being freed.
 */
#include <linux/compat.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>

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

static int hook_switch(void);
static void unhook_switch(void);
static int hook_free(void);
static void unhook_free(void);

COMPAT_DEFINE_TRACE_FN(namespace_switch, hook_switch, unhook_switch,
		       TP_PROTO(struct task_struct *task, int reason,
				const struct lttng_namespaces *set),
		       TP_ARGS(task, reason, set));
COMPAT_DEFINE_TRACE_FN(namespace_free, hook_free, unhook_free, TP_PROTO(u32 inum), TP_ARGS(inum));

/* How many unshare() and setns() may sleep at a time; more would be missed, and are counted. */
#define MAX_SLEEPING 512

static struct compat_mnt_ns_reader mnt_ns;

static void fire(struct task_struct *task, int reason)
{
	struct lttng_namespaces set;

	if (lttng_namespaces_read(&set, task, &mnt_ns))
		trace_namespace_switch(task, reason, &set);
}

/* ---- fork ------------------------------------------------------------------ */

static int on_wake_up_new_task(struct kprobe *probe, struct pt_regs *regs)
{
	struct task_struct *child = (struct task_struct *)compat_first_argument(regs);
	struct lttng_namespaces theirs, ours;

	if (child->nsproxy == current->nsproxy && child->cred->user_ns == current->cred->user_ns)
		return 0;
	/* Another nsproxy may still hold the same namespaces. */
	if (lttng_namespaces_read(&theirs, child, &mnt_ns) &&
	    lttng_namespaces_read(&ours, current, &mnt_ns) &&
	    memcmp(&theirs, &ours, sizeof(ours)))
		trace_namespace_switch(child, LTTNG_NAMESPACE_SWITCH_FORK, &theirs);
	return 0;
}

/* ---- unshare, setns -------------------------------------------------------- */

static int on_perf_event_namespaces(struct kprobe *probe, struct pt_regs *regs)
{
	/* It is also called for a child, by fork. */
	if (compat_first_argument(regs) == (unsigned long)current)
		fire(current, compat_in_setns() ? LTTNG_NAMESPACE_SWITCH_SETNS :
						  LTTNG_NAMESPACE_SWITCH_UNSHARE);
	return 0;
}

static int on_setns_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (!regs_return_value(regs))
		fire(current, LTTNG_NAMESPACE_SWITCH_SETNS);
	return 0;
}

static int on_unshare_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	if (!regs_return_value(regs))
		fire(current, LTTNG_NAMESPACE_SWITCH_UNSHARE);
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
		set.time = compat_ns_inum(proxy->time_ns_for_children);
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
	if (!is_called_by_procfs(regs))
		trace_namespace_free(compat_first_argument(regs));
	return 0;
}

/* ---- setting and removing hooks -------------------------------------------- */

struct hook {
	const char *symbol;
	kprobe_pre_handler_t handler;
	struct kprobe probe;
	bool is_set;
};

struct return_hook {
	const char *symbol;
	kretprobe_handler_t handler;
	struct kretprobe probe;
	bool is_set;
};

static struct hook fork_hook = { "wake_up_new_task", on_wake_up_new_task };
static struct hook change_hook = { "perf_event_namespaces", on_perf_event_namespaces };
static struct hook exec_hook = { "exec_task_namespaces", on_exec_task_namespaces };
static struct hook free_hook = { "__ns_common_free", on_ns_common_free };
static struct hook free_inum_hook = { "proc_free_inum", on_proc_free_inum };

/* The system calls of this kernel are some of these. */
static struct return_hook return_hooks[] = {
	{ "sys_setns", on_setns_return },
	{ "sys_unshare", on_unshare_return },
	{ "__x64_sys_setns", on_setns_return },
	{ "__x64_sys_unshare", on_unshare_return },
	{ "__ia32_sys_setns", on_setns_return },
	{ "__ia32_sys_unshare", on_unshare_return },
	{ "__arm64_sys_setns", on_setns_return },
	{ "__arm64_sys_unshare", on_unshare_return },
};

static bool kernel_has(const char *symbol)
{
	return kallsyms_lookup_funcptr(symbol);
}

static void warn_of_missed(const char *symbol, unsigned long missed)
{
	if (missed)
		pr_warn("LTTng: %lu changes of namespaces were missed at %s\n", missed, symbol);
}

/* Return: 0, also where the kernel does not have the function, or -errno. */
static int set_hook(struct hook *hook)
{
	int ret;

	if (!kernel_has(hook->symbol))
		return 0;
	memset(&hook->probe, 0, sizeof(hook->probe));
	hook->probe.symbol_name = hook->symbol;
	hook->probe.pre_handler = hook->handler;
	ret = register_kprobe(&hook->probe);
	if (ret)
		pr_warn("LTTng: no namespace events, cannot probe %s (%d)\n", hook->symbol, ret);
	hook->is_set = !ret;
	return ret;
}

static void unset_hook(struct hook *hook)
{
	if (!hook->is_set)
		return;
	hook->is_set = false;
	unregister_kprobe(&hook->probe);
	warn_of_missed(hook->symbol, hook->probe.nmissed);
}

static int set_return_hook(struct return_hook *hook)
{
	int ret;

	if (!kernel_has(hook->symbol))
		return 0;
	memset(&hook->probe, 0, sizeof(hook->probe));
	hook->probe.kp.symbol_name = hook->symbol;
	hook->probe.handler = hook->handler;
	hook->probe.maxactive = MAX_SLEEPING;
	ret = register_kretprobe(&hook->probe);
	if (ret)
		pr_warn("LTTng: no namespace events, cannot probe %s (%d)\n", hook->symbol, ret);
	hook->is_set = !ret;
	return ret;
}

static void unset_return_hook(struct return_hook *hook)
{
	if (!hook->is_set)
		return;
	hook->is_set = false;
	unregister_kretprobe(&hook->probe);
	warn_of_missed(hook->symbol, hook->probe.nmissed);
}

static int set_change_hooks(void)
{
	unsigned int i;
	int ret = 0;

	if (kernel_has(change_hook.symbol))
		return set_hook(&change_hook);
	for (i = 0; !ret && i < ARRAY_SIZE(return_hooks); i++)
		ret = set_return_hook(&return_hooks[i]);
	return ret;
}

static void unhook_switch(void)
{
	unsigned int i;

	unset_hook(&fork_hook);
	unset_hook(&change_hook);
	unset_hook(&exec_hook);
	for (i = 0; i < ARRAY_SIZE(return_hooks); i++)
		unset_return_hook(&return_hooks[i]);
}

/* Called by the tracepoint for its first user, with tracepoints_mutex held. */
static int hook_switch(void)
{
	int ret = set_hook(&fork_hook);

	if (!ret)
		ret = set_change_hooks();
	if (!ret)
		ret = set_hook(&exec_hook);
	if (ret)
		unhook_switch();
	return ret;
}

static void unhook_free(void)
{
	unset_hook(&free_hook);
	unset_hook(&free_inum_hook);
}

static int hook_free(void)
{
	return set_hook(kernel_has(free_hook.symbol) ? &free_hook : &free_inum_hook);
}

static bool has_change_hooks(void)
{
	unsigned int i;

	if (kernel_has(change_hook.symbol))
		return true;
	for (i = 0; i < ARRAY_SIZE(return_hooks); i++)
		if (kernel_has(return_hooks[i].symbol))
			return true;
	return false;
}

bool lttng_namespace_is_ready(void)
{
	return kernel_has(fork_hook.symbol) && has_change_hooks() &&
	       (kernel_has(free_hook.symbol) || kernel_has(free_inum_hook.symbol));
}
EXPORT_SYMBOL_GPL(lttng_namespace_is_ready);

static int __init lttng_namespace_init(void)
{
	if (!lttng_namespace_is_ready()) {
		pr_err("LTTng: no namespace events, this kernel hides its functions\n");
		return -EOPNOTSUPP;
	}
	if (!compat_mnt_ns_reader_init(&mnt_ns,
				       (void *)kallsyms_lookup_dataptr("mntns_operations")))
		pr_warn("LTTng: namespace events without mount namespaces, as this kernel hides them\n");
	return 0;
}
module_init(lttng_namespace_init);

static void __exit lttng_namespace_exit(void)
{
}
module_exit(lttng_namespace_exit);

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng tracepoints for changes of namespaces");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
