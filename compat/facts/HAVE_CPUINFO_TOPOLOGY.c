// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 6.7: package and core are in struct cpuinfo_topology. */
#include <asm/processor.h>

u32 fact(struct cpuinfo_x86 *c);
u32 fact(struct cpuinfo_x86 *c)
{
	return c->topo.pkg_id + c->topo.core_id;
}
