/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record-perf.h"
#include "base/text.h"
#include "base/util.h"

#define RING_SIZE  (256u << 10)
/* What the kernel writes is not longer; behind it is a 0. */
#define RECORD_MAX 65536
/* With so little left, two that are as long as paths may have found no room. */
#define ROOM_LEAST 16384
/* When something was lost is known that well: its time is of before it is put. */
#define PUT_NS	   (NS_PER_SEC / 1000)

/* Where records of the kernel's have what; behind each is its time. */
struct map_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t begin, len, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char path[];
};

struct task_record {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t ns;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

/* @pid: -1: all of that CPU; else it alone, with what it maps only to read, too. */
static int open_event(pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.sample_type = PERF_SAMPLE_TIME,
		.mmap = 1,
		.mmap2 = 1,
		.mmap_data = pid != -1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.exclude_kernel = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		/* Files are to be read while their processes live. */
		.watermark = 1,
		.wakeup_watermark = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int add_event(struct perf *p, pid_t pid, int cpu)
{
	size_t size = RING_SIZE + (size_t)sysconf(_SC_PAGESIZE);
	int fd = open_event(pid, cpu), why;
	void *page;

	if (fd < 0)
		return -errno;
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		why = errno;
		close(fd);
		return -why;
	}
	p->rings[p->nr].page = page;
	p->fds[p->nr++] = (struct pollfd){.fd = fd, .events = POLLIN};
	return 0;
}

int perf_open(struct perf *p)
{
	long nr = sysconf(_SC_NPROCESSORS_CONF);
	int cpu, code, first = -ENODEV;

	*p = (struct perf){.rings = xcalloc((size_t)nr + 1, sizeof(*p->rings)),
			   .fds = xcalloc((size_t)nr + 1, sizeof(*p->fds))};
	for (cpu = 0; cpu < nr; cpu++) {
		code = add_event(p, -1, cpu);
		/* One that is switched off is no fault. */
		if (code && code != -ENODEV)
			first = code;
	}
	if (p->nr)
		return 0;
	perf_close(p);
	return first;
}

int perf_open_own(struct perf *p)
{
	int code;

	*p = (struct perf){.rings = xcalloc(1, sizeof(*p->rings)),
			   .fds = xcalloc(1, sizeof(*p->fds))};
	code = add_event(p, 0, -1);
	if (code)
		perf_close(p);
	return code;
}

void perf_close(struct perf *p)
{
	while (p->nr) {
		munmap(p->rings[--p->nr].page, RING_SIZE + (size_t)sysconf(_SC_PAGESIZE));
		close(p->fds[p->nr].fd);
	}
	free(p->rings);
	free(p->fds);
	*p = (struct perf){0};
}

/* Whether @r is a map of a file, in full. */
static bool has_path(const struct map_record *r)
{
	size_t head = offsetof(struct map_record, path) + sizeof(uint64_t);

	return r->header.size > head && memchr(r->path, '\0', r->header.size - head);
}

static uint64_t time_of(const struct perf_event_header *header)
{
	uint64_t ns = 0;

	if (header->size >= sizeof(*header) + sizeof(ns))
		memcpy(&ns, (const char *)header + header->size - sizeof(ns), sizeof(ns));
	return ns;
}

static bool understand_map(const struct map_record *r, struct change *c)
{
	c->kind = CHANGE_MAP;
	c->pid = r->pid;
	c->map = (struct mapping){.begin = r->begin,
				  .end = r->begin + r->len,
				  .offset = r->offset,
				  .major = r->major,
				  .minor = r->minor,
				  .inode = r->inode,
				  .generation = r->generation,
				  .has_generation = true,
				  .path = r->path};
	return has_path(r);
}

/* Of processes; their further threads share what is mapped. */
static bool understand_task(const struct task_record *r, struct change *c)
{
	bool is_fork = r->header.type == PERF_RECORD_FORK;

	c->kind = is_fork ? CHANGE_FORK : CHANGE_EXIT;
	c->pid = r->pid;
	c->parent = r->ppid;
	return r->header.size >= sizeof(*r) && r->pid == r->tid;
}

static bool understand(const struct perf_event_header *header, struct change *c)
{
	*c = (struct change){.ns = time_of(header)};
	switch (header->type) {
	case PERF_RECORD_MMAP2:
		return understand_map((const struct map_record *)header, c);
	case PERF_RECORD_COMM:
		c->kind = CHANGE_EXEC;
		c->pid = ((const struct comm_record *)header)->pid;
		return header->misc & PERF_RECORD_MISC_COMM_EXEC;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return understand_task((const struct task_record *)header, c);
	case PERF_RECORD_LOST:
		c->kind = CHANGE_LOST;
		c->lost = ((const struct lost_record *)header)->lost;
		return true;
	}
	return false;
}

/* Copies from the ring, at whose end it goes on at the begin. */
static void copy_out(const struct perf_ring *r, uint64_t at, void *to, size_t len)
{
	const char *ring = (const char *)r->page + sysconf(_SC_PAGESIZE);
	size_t from = at & (RING_SIZE - 1), left = RING_SIZE - from;

	if (left > len)
		left = len;
	memcpy(to, ring + from, left);
	memcpy((char *)to + left, ring, len - left);
}

/*
 * Whether there may be no room for more. To be asked before any is made, so that nothing is lost
 * without being seen here: the kernel tells of it only with what comes next on that CPU, if ever.
 */
static bool is_full(const struct perf_ring *r)
{
	const struct perf_event_mmap_page *page = r->page;

	return __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) - r->tail >
	       RING_SIZE - ROOM_LEAST;
}

/* Finds out of when the next one is. */
static void look(struct perf_ring *r)
{
	struct perf_event_header header;

	r->ns = UINT64_MAX;
	if (r->head - r->tail < sizeof(header))
		return;
	copy_out(r, r->tail, &header, sizeof(header));
	if (header.size >= sizeof(header) + sizeof(r->ns))
		copy_out(r, r->tail + header.size - sizeof(r->ns), &r->ns, sizeof(r->ns));
}

static void take_next(struct perf_ring *r, void (*take)(void *ctx, const struct change *c),
		      void *ctx)
{
	static union {
		struct perf_event_header header;
		uint64_t aligned[RECORD_MAX / sizeof(uint64_t)];
	} record;
	struct perf_event_mmap_page *page = r->page;
	struct change c;

	copy_out(r, r->tail, &record.header, sizeof(record.header));
	copy_out(r, r->tail, &record, record.header.size);
	r->was_full = r->was_full || is_full(r);
	r->tail += record.header.size;
	__atomic_store_n(&page->data_tail, r->tail, __ATOMIC_RELEASE);
	if (understand(&record.header, &c) && c.pid <= INT_MAX)
		take(ctx, &c);
	look(r);
}

static struct perf_ring *first(struct perf *p)
{
	struct perf_ring *found = p->rings;
	size_t i;

	for (i = 1; i < p->nr; i++)
		if (p->rings[i].ns < found->ns)
			found = &p->rings[i];
	return found;
}

/* Finds out what there is. Returns whether something may have found no room since the last call. */
static bool look_at_all(struct perf *p)
{
	bool was_full = false;
	size_t i;

	for (i = 0; i < p->nr; i++) {
		struct perf_ring *r = &p->rings[i];
		struct perf_event_mmap_page *page = r->page;

		r->head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
		r->tail = page->data_tail;
		was_full = was_full || r->was_full || is_full(r);
		r->was_full = false;
		look(r);
	}
	return was_full;
}

static bool was_any_full(const struct perf *p)
{
	size_t i;

	for (i = 0; i < p->nr && !p->rings[i].was_full; i++)
		;
	return i < p->nr;
}

bool perf_take(struct perf *p, uint64_t until, void (*take)(void *ctx, const struct change *c),
	       void *ctx)
{
	struct change full = {.kind = CHANGE_FULL, .ns = until};
	struct perf_ring *r;

	full.since = p->taken > PUT_NS ? p->taken - PUT_NS : 0;
	/* Before what came later: it may be of those of whom something was lost. */
	if (look_at_all(p))
		take(ctx, &full);
	p->taken = until;
	while ((r = first(p))->ns < until)
		take_next(r, take, ctx);
	return r->ns == UINT64_MAX && !was_any_full(p);
}
