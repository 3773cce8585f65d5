/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * LTTNG_ONE_WRITE(max, fields): the fields of an event, at most @max bytes, put together
 * on the stack and given to the ring buffer by one call.
 *
 * Left to itself the tracer makes an indirect call and finds its place in the ring
 * buffer anew for each field, which is most of what an event costs.
 *
 * The tracer reads event definitions several times, and each time its macros make
 * something else of a field. It is only when fields stand for code that writes them
 * that it defines __get_dynamic_len. There, __chan and __ctx are exchanged for those
 * below, whose functions copy to the stack and are inlined. In every other reading,
 * and where the architecture wants fields aligned, the fields are left as they are.
 */
#ifndef LTTNG_ONE_WRITE_H
#define LTTNG_ONE_WRITE_H

#include <linux/bug.h>
#include <linux/string.h>
#include <linux/types.h>

#include <lttng/tracer.h>
#include <wrapper/compiler.h>

/* What was put together so far ends at @end, and must at @limit. */
struct lttng_one_write {
	char *end;
	char *limit;
};

/* Stands in for the tracer's channel: the functions that a field may call. */
struct lttng_one_write_chan {
	const struct lttng_one_write_ops {
		void (*event_write)(struct lttng_one_write *to, const void *from, size_t size,
				    size_t alignment);
		void (*event_write_from_user)(struct lttng_one_write *to, const void __user *from,
					      size_t size, size_t alignment);
		void (*event_pstrcpy_pad)(struct lttng_one_write *to, const char *from,
					  size_t size);
		void (*event_pstrcpy_pad_from_user)(struct lttng_one_write *to,
						    const char __user *from, size_t size);
	} *ops;
};

static inline bool lttng_one_write_fits(const struct lttng_one_write *to, size_t size)
{
	return !WARN_ON_ONCE(size > to->limit - to->end);
}

static inline void lttng_one_write_bytes(struct lttng_one_write *to, const void *from, size_t size,
					 size_t alignment)
{
	if (!lttng_one_write_fits(to, size))
		return;
	memcpy(to->end, from, size);
	to->end += size;
}

/* As the ring buffer's: up to the string's end, and zeroes behind it. */
static inline void lttng_one_write_text(struct lttng_one_write *to, const char *from, size_t size)
{
	size_t i;

	if (!lttng_one_write_fits(to, size))
		return;
	memset(to->end, 0, size);
	for (i = 0; i < size; i++) {
		/* It may be changing. */
		char c = READ_ONCE(from[i]);

		if (!c)
			break;
		to->end[i] = c;
	}
	to->end += size;
}

#endif /* LTTNG_ONE_WRITE_H */

#undef LTTNG_ONE_WRITE
#if defined(__get_dynamic_len) && !defined(RING_BUFFER_ALIGN)
#define LTTNG_ONE_WRITE(max, ...)                                                              \
	{                                                                                      \
		char __one_write_bytes[max];                                                   \
		struct lttng_one_write __one_write = {                                         \
			.end = __one_write_bytes,                                              \
			.limit = __one_write_bytes + sizeof(__one_write_bytes),                \
		};                                                                             \
		{                                                                              \
			static const struct lttng_one_write_ops __one_write_ops = {            \
				.event_write = lttng_one_write_bytes,                          \
				.event_pstrcpy_pad = lttng_one_write_text,                     \
			};                                                                     \
			const struct lttng_one_write_chan __one_write_chan = {                 \
				&__one_write_ops                                               \
			};                                                                     \
			const struct lttng_one_write_chan *__chan = &__one_write_chan;         \
			struct lttng_one_write __ctx = __one_write;                            \
			__VA_ARGS__                                                            \
			__one_write = __ctx;                                                   \
		}                                                                              \
		__chan->ops->event_write(&__ctx, __one_write_bytes,                            \
					 __one_write.end - __one_write_bytes, 1);              \
	}
#else
#define LTTNG_ONE_WRITE(max, ...) __VA_ARGS__
#endif
