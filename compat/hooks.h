/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What hooking into functions of the kernel takes: the arguments of a function at its
 * entry, who called it, and when a kprobe may come and go.
 */
#ifndef LTTNG_COMPAT_HOOKS_H
#define LTTNG_COMPAT_HOOKS_H

#include <compat/facts.h>

#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#ifdef HAVE_LINUX_SCHED_TASK_H
#include <linux/sched/task_stack.h>
#endif
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>
#include <asm/unistd.h>

#include <wrapper/compiler.h>

#ifdef HAVE_KPROBES_CAN_USE_FTRACE /* no option yet */
#define CONFIG_KPROBES_ON_FTRACE 1
#endif

#ifndef CONFIG_KPROBES
#error "CONFIG_KPROBES is not set"
#endif
#ifdef CONFIG_S390
/* There it calls what modules may not, regs_get_register(). */
#undef HAVE_REGS_GET_KERNEL_ARGUMENT
#endif

/* Whether a tracepoint has users: told since 3.15, commit 7c65bbc7dcfa. */
#ifdef HAVE_TRACE_ENABLED
#define compat_trace_enabled(name) trace_##name##_enabled()
#else
#define compat_trace_enabled(name) true
#endif

/* The first argument of the function at whose entry @regs were taken. */
static inline unsigned long compat_first_argument(struct pt_regs *regs)
{
#if defined(HAVE_REGS_GET_KERNEL_ARGUMENT)
	return regs_get_kernel_argument(regs, 0);
#elif defined(CONFIG_X86_64)
	return regs->di;
#elif defined(CONFIG_X86_32)
	/* The kernel passes three arguments in registers (-mregparm=3). */
	return regs->ax;
#elif defined(CONFIG_ARM64)
	return regs->regs[0];
#elif defined(CONFIG_PPC)
	return regs->gpr[3];
#elif defined(CONFIG_S390)
	return regs->gprs[2];
#else
#error "not known how this architecture passes arguments"
#endif
}

/* The second argument of the function at whose entry @regs were taken. */
static inline unsigned long compat_second_argument(struct pt_regs *regs)
{
#if defined(HAVE_REGS_GET_KERNEL_ARGUMENT)
	return regs_get_kernel_argument(regs, 1);
#elif defined(CONFIG_X86_64)
	return regs->si;
#elif defined(CONFIG_X86_32)
	return regs->dx;
#elif defined(CONFIG_ARM64)
	return regs->regs[1];
#elif defined(CONFIG_PPC)
	return regs->gpr[4];
#elif defined(CONFIG_S390)
	return regs->gprs[3];
#else
#error "not known how this architecture passes arguments"
#endif
}

/* Where the function at whose entry @regs were taken returns to. */
static inline unsigned long compat_caller(struct pt_regs *regs)
{
#if defined(CONFIG_X86)
	return *(unsigned long *)kernel_stack_pointer(regs);
#elif defined(CONFIG_ARM64)
	/* Not signed yet: a function that signs its return address does so after its entry. */
	return regs->regs[30];
#elif defined(CONFIG_RISCV)
	return regs->ra;
#elif defined(CONFIG_PPC)
	return regs->link;
#elif defined(CONFIG_S390)
	return regs->gprs[14];
#else
#error "not known where this architecture keeps the return address"
#endif
}

/* Whether current is in setns(), given that it is in setns() or unshare(). */
static inline bool compat_in_setns(void)
{
	int nr = syscall_get_nr(current, task_pt_regs(current));

#ifdef __X32_SYSCALL_BIT
	nr &= ~__X32_SYSCALL_BIT;
#endif
	/*
	 * The last ones are those of 32-bit programs, which have the same number elsewhere; no two
	 * mean different things.
	 */
#if defined(CONFIG_X86)
	return nr == __NR_setns || nr == 346;
#elif defined(CONFIG_ARM64)
	return nr == __NR_setns || nr == 375;
#else
	return nr == __NR_setns;
#endif
}

/*
 * Whether ftrace is switched off (sysctl kernel.ftrace_enabled); @ftrace_switch is the kernel's
 * variable, NULL if it was not found. Where a kprobe is one of ftrace's it must neither come nor
 * go then: what the kernel keeps of the function is not updated, and once ftrace is on again its
 * next user that ends finds that and ends ftrace for good (ftrace_shutdown() in
 * kernel/trace/ftrace.c; seen on 6.12).
 */
static inline bool compat_ftrace_is_off(const int *ftrace_switch)
{
#ifdef CONFIG_KPROBES_ON_FTRACE
	return ftrace_switch && !READ_ONCE(*ftrace_switch);
#else
	return false;
#endif
}

/*
 * To remove a kprobe takes memory where it is one of ftrace's, and the functions that do
 * so do not say that they failed: the kprobe stays, and would outlive its module. Those
 * that disarm it do, and one that is disarmed can be removed. Sleeps until it is.
 */
static inline void compat_disarm_kprobe(struct kprobe *probe, const int *ftrace_switch)
{
	for (;; msleep(20)) {
		int ret;

		if (compat_ftrace_is_off(ftrace_switch)) {
			pr_warn_once("LTTng: cannot remove probes while ftrace is switched off, waiting for sysctl kernel.ftrace_enabled=1\n");
			continue;
		}
		ret = disable_kprobe(probe);
		if (!ret)
			return;
		pr_warn_once("LTTng: cannot remove the probe of %s, trying on (%d)\n",
			     probe->symbol_name, ret);
	}
}

#endif /* LTTNG_COMPAT_HOOKS_H */
