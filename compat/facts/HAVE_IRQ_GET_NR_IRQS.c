// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 6.13: nr_irqs is no longer exported. */
#include <linux/irqnr.h>

unsigned int fact(void);
unsigned int fact(void)
{
	return irq_get_nr_irqs();
}
