// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 4.6: cgroup namespaces. */
#include <linux/cgroup.h>
#include <linux/nsproxy.h>

unsigned int fact(struct nsproxy *proxy);
unsigned int fact(struct nsproxy *proxy)
{
	return proxy->cgroup_ns->ns.inum;
}
