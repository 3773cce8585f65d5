# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
#
# Upstream's names for what our sources call otherwise.

s,<compat/facts\.h>,<lttng/kernel-version.h>,
s,<compat/ns\.h>,<wrapper/namespace.h>,
s,<compat/\([a-z-]*\)\.h>,<wrapper/\1.h>,
s,<instrumentation/\([a-z-]*\)\.h>,<lttng/\1.h>,
s,LTTNG_COMPAT_NS_H,LTTNG_WRAPPER_NAMESPACE_H,
s,LTTNG_COMPAT_,LTTNG_WRAPPER_,
s,\<COMPAT_,LTTNG_,g
s,\<compat_,wrapper_,g
