# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
#
# Without a thread's process and parent: what patches/later names.

s/Who a thread and its relatives are in/Who a thread is in/
/vpp\?id/d
/^	struct pid \*tgid, \*ppid;$/d
/^	\/\*$/,/^	ppid = /d
