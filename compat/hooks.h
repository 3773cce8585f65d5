/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/*
 * What hooking into functions of the kernel takes: tracepoints that call a function
 * when their first user comes and their last one goes, and the arguments of a
 * function at its entry.
 */
#ifndef LTTNG_COMPAT_HOOKS_H
#define LTTNG_COMPAT_HOOKS_H

#include <compat/facts.h>

#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <asm/syscall.h>
#include <asm/unistd.h>

#ifndef CONFIG_KPROBES
#error "CONFIG_KPROBES is not set"
#endif

/* Before 4.10, commit 8cf868affdc4, a failure of @reg is not heard of. */
#ifdef HAVE_TRACEPOINT_REG_VOID
#define COMPAT_TRACE_REG(name, reg) \
	static void compat_reg_##name(void) \
	{ \
		reg(); \
	}
#define COMPAT_TRACE_REG_NAME(name, reg) compat_reg_##name
#else
#define COMPAT_TRACE_REG(name, reg)
#define COMPAT_TRACE_REG_NAME(name, reg) reg
#endif

/* 5.10, commit d25e37d89dd2, wants the prototype. */
#ifdef HAVE_DEFINE_TRACE_FN_NAME_ONLY
#define COMPAT_DEFINE_TRACE_FN(name, reg, unreg, proto, args) \
	COMPAT_TRACE_REG(name, reg) \
	DEFINE_TRACE_FN(name, COMPAT_TRACE_REG_NAME(name, reg), unreg)
#else
#define COMPAT_DEFINE_TRACE_FN(name, reg, unreg, proto, args) \
	COMPAT_TRACE_REG(name, reg) \
	DEFINE_TRACE_FN(name, COMPAT_TRACE_REG_NAME(name, reg), unreg, PARAMS(proto), \
			PARAMS(args))
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
