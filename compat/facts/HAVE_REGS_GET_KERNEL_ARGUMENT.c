// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.20 on x86, 5.2 on arm64, later on others: the arguments of a function at its entry. */
#include <linux/ptrace.h>

unsigned long fact(struct pt_regs *regs);
unsigned long fact(struct pt_regs *regs)
{
	return regs_get_kernel_argument(regs, 0);
}
