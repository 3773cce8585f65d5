// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.7, and stable kernels before: interrupt descriptors are freed after a grace period. */
#include <linux/irq.h>
#include <linux/irqdesc.h>

struct rcu_head *fact(struct irq_desc *desc);
struct rcu_head *fact(struct irq_desc *desc)
{
	return &desc->rcu;
}
