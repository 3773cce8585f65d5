# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
#
# Upstream's names for what our sources call otherwise.

s,<compat/facts\.h>,<lttng/kernel-version.h>,
s,<compat/ns\.h>,<wrapper/ns-inum.h>,
s,<compat/\([a-z-]*\)\.h>,<wrapper/\1.h>,
s,<instrumentation/\([a-z-]*\)\.h>,<lttng/\1.h>,
s,LTTNG_COMPAT_NS_H,LTTNG_WRAPPER_NS_INUM_H,
s,LTTNG_COMPAT_,LTTNG_WRAPPER_,
s,\<COMPAT_,LTTNG_,g
s,\<compat_,wrapper_,g
/^#include <linux\/version\.h>$/d
s,\<LINUX_VERSION_CODE\>,LTTNG_LINUX_VERSION_CODE,
s/\<KERNEL_VERSION(\([0-9]*\), \([0-9]*\), \([0-9]*\))/LTTNG_KERNEL_VERSION(\1,\2,\3)/
# Tracepoints that are not the kernel's, and their provider, with whose name each event's must begin.
s,^\(#define TRACE_SYSTEM \)namespace$,\1lttng_namespace,
s,\<\(trace_\)\?namespace_\(switch\|free\)\>,\1lttng_namespace_\2,g

# The words of comments: upstream's events record.
s/\btold since\b/known since/
s/\bnot told of\b/not recorded/
s/\bhas been told already\b/has recorded already/
s/\bdoes not tell a table\b/does not identify a table/
s/\btells the inode number\b/gives the inode number/
s/\btell which cgroups\b/record which cgroups/
s/\bwhat they tell\b/what they record/
s/\b\(state dump\|lttng_namespace_switch\) tells\b/\1 records/
s/\bhas told the namespaces\b/recorded the namespaces/
s/\bTo be called after @task\b/Call it once @task/
s/\btold\b/recorded/g
