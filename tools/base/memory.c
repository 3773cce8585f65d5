/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "memory.h"

#define MIB	 (UINT64_C(1) << 20)
/* What the tasks of a large host take, though their trace is small; and what each byte may cost. */
#define BASE	 (1024 * MIB)
#define PER_BYTE 64
/* With less than that left there is no memory. */
#define ROOM	 (8 * MIB)

/* Made when the limit is: later there may be no memory for it. */
static char why[256] = "lttng-containers: out of memory\n";

/* A checker's own memory would be counted. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(CHECKED)
const bool memory_is_checked = true;
#else
const bool memory_is_checked = false;
#endif

static uint64_t of_machine(void)
{
	struct sysinfo info;

	if (sysinfo(&info))
		return UINT64_MAX;
	return ((uint64_t)info.totalram + info.totalswap) * info.mem_unit;
}

static uint64_t wanted(uint64_t bytes)
{
	const char *text = getenv("LTTNG_CONTAINERS_MEMORY");
	uint64_t limit =
		bytes > UINT64_MAX / PER_BYTE - BASE ? UINT64_MAX : BASE + bytes * PER_BYTE;
	unsigned long long mib;
	char *end;

	if (text && *text) {
		mib = strtoull(text, &end, 10);
		if (!*end)
			return mib && mib < UINT64_MAX / MIB ? mib * MIB : UINT64_MAX;
	}
	return limit < of_machine() ? limit : of_machine();
}

void memory_limit(uint64_t bytes)
{
	uint64_t limit = wanted(bytes);
	struct rlimit rl;

	if (memory_is_checked || getrlimit(RLIMIT_DATA, &rl))
		return;
	if (limit >= rl.rlim_max)
		limit = rl.rlim_max;
	rl.rlim_cur = limit;
	if (getenv(MEMORY_IS_FINAL))
		rl.rlim_max = limit;
	if (setrlimit(RLIMIT_DATA, &rl) || limit == RLIM_INFINITY)
		return;
	snprintf(why, sizeof(why),
		 "lttng-containers: The trace takes more memory than one of its size should: it is"
		 " damaged, or was made to. limit_mib=%llu"
		 " remedy=\"LTTNG_CONTAINERS_MEMORY=MIB in the environment, 0 for no limit\"\n",
		 (unsigned long long)(limit / MIB));
}

bool memory_is_exhausted(void)
{
	void *p = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return true;
	munmap(p, ROOM);
	return false;
}

void memory_exhausted(void)
{
	if (write(STDERR_FILENO, why, strlen(why)) < 0)
		_exit(2);
	_exit(2);
}
