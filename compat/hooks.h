/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What hooking into functions of the kernel takes: the arguments of a function at its
 * entry, and who called it.
 */
#ifndef LTTNG_COMPAT_HOOKS_H
#define LTTNG_COMPAT_HOOKS_H

#include <compat/facts.h>

#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#ifdef HAVE_LINUX_SCHED_TASK_H
#include <linux/sched/task_stack.h>
#endif
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>
#include <asm/unistd.h>

#ifndef CONFIG_KPROBES
#error "CONFIG_KPROBES is not set"
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
#if defined(CONFIG_X86_64)
	return regs->di;
#elif defined(CONFIG_X86_32)
	/* The kernel passes three arguments in registers (-mregparm=3). */
	return regs->ax;
#elif defined(CONFIG_ARM64)
	return regs->regs[0];
#else
#error "not known how this architecture passes arguments"
#endif
}

/* Where the function at whose entry @regs were taken returns to. */
static inline unsigned long compat_caller(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return *(unsigned long *)kernel_stack_pointer(regs);
#else
	return regs->regs[30];
#endif
}

/* Whether current is in setns(), given that it is in setns() or unshare(). */
static inline bool compat_in_setns(void)
{
	int nr = syscall_get_nr(current, task_pt_regs(current));

#ifdef __X32_SYSCALL_BIT
	nr &= ~__X32_SYSCALL_BIT;
#endif
	/* The last ones are those of 32-bit programs; no two mean different things. */
#if defined(CONFIG_X86)
	return nr == __NR_setns || nr == 346;
#else
	return nr == __NR_setns || nr == 375;
#endif
}

#endif /* LTTNG_COMPAT_HOOKS_H */
