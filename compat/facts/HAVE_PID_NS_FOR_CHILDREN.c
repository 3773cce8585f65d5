// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 3.11: nsproxy says whose PID namespace it holds; before, the same as pid_ns. */
#include <linux/nsproxy.h>

struct pid_namespace *fact(struct nsproxy *proxy);
struct pid_namespace *fact(struct nsproxy *proxy)
{
	return proxy->pid_ns_for_children;
}
