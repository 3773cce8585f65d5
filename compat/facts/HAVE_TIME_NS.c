// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.6: time namespaces. */
#include <linux/nsproxy.h>
#include <linux/time_namespace.h>

unsigned int fact(struct nsproxy *proxy);
unsigned int fact(struct nsproxy *proxy)
{
	return proxy->time_ns->ns.inum;
}
