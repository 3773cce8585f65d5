/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The kernel's own events of waits for its locks (include/trace/events/lock.h), with its
 * fields. Their names begin with lock_ as upstream's would: its system is lock there.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM lock_contention

#if !defined(LTTNG_TRACE_CONTENTION_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_CONTENTION_H

#include <lttng/tracepoint-event.h>

#include <linux/types.h>

/* It is about to spin or sleep for a lock that another one has. */
LTTNG_TRACEPOINT_EVENT_MAP(contention_begin, lock_contention_begin,
	TP_PROTO(void *lock, unsigned int flags),
	TP_ARGS(lock, flags),
	TP_FIELDS(
		ctf_integer_hex(void *, lock_addr, lock)
		ctf_integer_hex(unsigned int, flags, flags)
	)
)

/* It has the lock, or with an error in ret has given it up. */
LTTNG_TRACEPOINT_EVENT_MAP(contention_end, lock_contention_end,
	TP_PROTO(void *lock, int ret),
	TP_ARGS(lock, ret),
	TP_FIELDS(
		ctf_integer_hex(void *, lock_addr, lock)
		ctf_integer(int, ret, ret)
	)
)

#endif /* LTTNG_TRACE_CONTENTION_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
