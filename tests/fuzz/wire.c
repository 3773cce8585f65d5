/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "wire.h"

#define FIRST_INODE 4026531836
#define HEX	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* New ones come last, wherever the program has them. */
const uint8_t wire_kinds[EV_NR] = {
	EV_FORK,
	EV_EXIT,
	EV_FREE,
	EV_EXEC,
	EV_SWITCH,
	EV_DUMP_START,
	EV_DUMP_END,
	EV_DUMP_PROCESS,
	EV_DUMP_PID_NS,
	EV_DUMP_USER_NS,
	EV_DUMP_CGROUP_NS,
	EV_DUMP_IPC_NS,
	EV_DUMP_MNT_NS,
	EV_DUMP_NET_NS,
	EV_DUMP_UTS_NS,
	EV_DUMP_TIME_NS,
	EV_DUMP_NAMESPACES,
	EV_DUMP_NAMESPACE,
	EV_DUMP_CGROUP,
	EV_DUMP_PROCESS_CGROUP,
	EV_CGROUP_MKDIR,
	EV_CGROUP_RMDIR,
	EV_CGROUP_RENAME,
	EV_CGROUP_ATTACH,
	EV_CGROUP_TRANSFER,
	EV_NAMESPACE_SWITCH,
	EV_LOGGER,
	EV_WAKING,
	EV_WAKEUP,
	EV_WAKEUP_NEW,
	EV_MIGRATE,
	EV_IRQ_ENTRY,
	EV_IRQ_EXIT,
	EV_SOFTIRQ_ENTRY,
	EV_SOFTIRQ_EXIT,
	EV_HRTIMER_ENTRY,
	EV_HRTIMER_EXIT,
	EV_SYSCALL_ENTRY,
	EV_SYSCALL_EXIT,
	EV_SOFTIRQ_RAISE,
	EV_BLOCK_RQ_INSERT,
	EV_BLOCK_RQ_ISSUE,
	EV_BLOCK_RQ_REQUEUE,
	EV_BLOCK_RQ_COMPLETE,
	EV_BLOCK_BIO_COMPLETE,
	EV_BLOCK_CHARGE,
	EV_SIGNAL_GENERATE,
	EV_RECLAIM_BEGIN,
	EV_RECLAIM_END,
	EV_MEMCG_RECLAIM_BEGIN,
	EV_MEMCG_RECLAIM_END,
	EV_DIRTY_PAUSE,
	EV_DUMP_BLOCK_DEVICE,
	EV_THROTTLE,
	EV_UNTHROTTLE,
	EV_SAMPLE,
	EV_PROFILE_SWITCH,
	EV_PROFILE_WAKING,
	EV_LOCK_BEGIN,
	EV_LOCK_END,
};
_Static_assert(EV_NR == 60, "give the new kinds of events a place at the end of wire_kinds");
_Static_assert(EV_NR <= WIRE_OTHER_RECORD, "six bits have a record's kind");

static const int64_t wire_ints[16] = {
	ABSENT,	       -1,	  INT32_MAX,	 INT32_MIN, (int64_t)UINT32_MAX + 1,
	UINT32_MAX,    INT64_MAX, INT64_MIN + 1, 256,	    1024,
	4096,	       1000000,	  1000000000,	 -100,	    1000000000000000000,
	1ll << 62 | 1,
};

static const char *const wire_texts[16] = {
	"\033[31mred\n",
	"\xff\xfe\xc0\x80",
	"\xe2\x80\xae\xc2\x9b",
	"</script><!--\"\\",
	"migration/0",
	"/docker/" HEX,
	"/kubepods/pod0a1b2c3d-0000-1111-2222-333344445555",
	"/kubepods/pod0a1b2c3d-0000-1111-2222-333344445555/" HEX,
	"/machine.slice/machine-a\\x2db.scope",
	"/lxc.payload.web",
	"container v1 runtime=docker id=" HEX
	" name=web init_tid=200 pid_ns=4026532301 cgroup=/box",
	"container v1 runtime=lxc id= name=%1b%5b31m init_tid=201 pid_ns=4026532301 cgroup=/box",
	"container v1 runtime=x id=y name=z init_tid=1 pid_ns=1 cgroup=/docker/" HEX
	" pod=p pod_namespace=n",
	"/",
	"/box",
	"fsync",
};

uint8_t wire_byte(struct wire *w)
{
	return w->at < w->end ? *w->at++ : 0;
}

uint64_t wire_number(struct wire *w, unsigned int bytes)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i < bytes; i++)
		n |= (uint64_t)wire_byte(w) << (8 * i);
	return n;
}

int64_t wire_int(struct wire *w)
{
	uint8_t b = wire_byte(w);

	if (b < 0xe0)
		return b;
	if (b < 0xf0)
		return wire_ints[b - 0xe0];
	if (b < 0xf8)
		return (int64_t)wire_number(w, b - 0xf0u + 1);
	return FIRST_INODE + (int64_t)wire_number(w, 2);
}

char *wire_text(struct wire *w)
{
	uint8_t b = wire_byte(w);
	size_t len = b;
	char *s;

	if (b == 0xff)
		return NULL;
	if (b >= 0xe0 && b < 0xf0)
		return xstrdup(wire_texts[b - 0xe0]);
	if (b >= 0xf0) {
		len = 64u << (b & 7);
		s = xcalloc(len + 1, 1);
		memset(s, wire_byte(w), len);
		return s;
	}
	if (len > (size_t)(w->end - w->at))
		len = (size_t)(w->end - w->at);
	s = xcalloc(len + 1, 1);
	memcpy(s, w->at, len);
	w->at += len;
	return s;
}

void wire_put_int(FILE *out, int64_t value)
{
	unsigned int i, bytes = 1;

	for (i = 0; i < ARRAY_SIZE(wire_ints); i++)
		if (wire_ints[i] == value) {
			putc((int)(0xe0 + i), out);
			return;
		}
	if (value >= 0 && value < 0xe0) {
		putc((int)value, out);
		return;
	}
	if (value >= FIRST_INODE && value - FIRST_INODE <= UINT16_MAX) {
		putc(0xf8, out);
		value -= FIRST_INODE;
		bytes = 2;
	} else {
		while (bytes < 8 && (uint64_t)value >> (8 * bytes))
			bytes++;
		putc((int)(0xf0 + bytes - 1), out);
	}
	for (i = 0; i < bytes; i++)
		putc((int)((uint64_t)value >> (8 * i) & 0xff), out);
}

void wire_put_text(FILE *out, const char *text)
{
	size_t i, len;

	if (!text) {
		putc(0xff, out);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(wire_texts); i++)
		if (!strcmp(wire_texts[i], text)) {
			putc((int)(0xe0 + i), out);
			return;
		}
	len = strlen(text) < 0xdf ? strlen(text) : 0xdf;
	putc((int)len, out);
	fwrite(text, 1, len, out);
}
