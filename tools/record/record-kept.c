/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/symbols.h"
#include "base/text.h"
#include "record.h"
#include "record-kept.h"

/* No change is that old when it is to be put here. */
#define LATE_NS	   NS_PER_SEC
/* The rest is for lines that are nobody's: which functions a file has, or why it has none. */
#define SHARED_MAX (PROGRAMS_MAX - (8u << 20))

void kept_put(struct kept *k, const char *fmt, ...)
{
	va_list args;
	int len;

	if (k->is_full)
		return;
	/* The mark has room behind it. */
	if (k->written > PROGRAMS_MAX) {
		k->is_full = true;
		fprintf(k->out, "! %" PRIu64 "\n", (uint64_t)(now_ns() - LATE_NS));
		return;
	}
	va_start(args, fmt);
	len = vfprintf(k->out, fmt, args);
	va_end(args);
	k->written += len > 0 ? (uint64_t)len : 0;
}

static int put_head(struct kept *k)
{
	char id[SYMBOLS_BOOT_ID] = "";
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (file && fgets(id, sizeof(id), file))
		kept_put(k, SYMBOLS_HEAD "%s\n", id);
	if (file)
		fclose(file);
	return *id && !fflush(k->out) ? 0 : -1;
}

int kept_open(struct kept *k, int fd)
{
	*k = (struct kept){.fd = fd, .out = fdopen(fd, "w+")};
	return k->out ? put_head(k) : -1;
}

bool kept_take(struct kept *k, const struct owner *o, uint64_t bytes)
{
	return k->written + bytes <= PROGRAMS_MAX && shares_take(&k->shares, o, bytes, SHARED_MAX);
}

bool kept_take_with(struct kept *k, const struct owner *o, uint64_t bytes, struct shares *s,
		    uint64_t nr, uint64_t max)
{
	if (!shares_take(s, o, nr, max))
		return false;
	if (kept_take(k, o, bytes))
		return true;
	shares_give(s, o, nr);
	return false;
}

void kept_give(struct kept *k, const struct owner *o, uint64_t bytes)
{
	if (bytes)
		shares_give(&k->shares, o, bytes);
}

off_t kept_place(struct kept *k)
{
	return ftello(k->out);
}

bool kept_is(const struct kept *k, off_t place, const char *text, size_t len)
{
	char part[4096];
	size_t at, size;

	for (at = 0; at < len; at += size) {
		size = len - at < sizeof(part) ? len - at : sizeof(part);
		if (pread(k->fd, part, size, place + (off_t)at) != (ssize_t)size ||
		    memcmp(part, text + at, size) != 0)
			return false;
	}
	return true;
}

void kept_flush(struct kept *k)
{
	fflush(k->out);
}

int kept_close(struct kept *k)
{
	if (k->lost)
		kept_put(k, "l %" PRIu64 "\n", k->lost);
	/* Where something could not be written, parts of two lines may be one. */
	if (!ferror(k->out))
		kept_put(k, ".\n");
	return fclose(k->out) ? -1 : 0;
}
