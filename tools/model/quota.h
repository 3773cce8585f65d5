/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_QUOTA_H
#define LC_QUOTA_H

#include "base/hash.h"
#include "container-line.h"

/*
 * How much CPU time cgroups may use, as the recorder read it (cpu.max, or cpu.cfs_quota_us and
 * cpu.cfs_period_us) and wrote it into the trace:
 *
 *   quota v1 cpu_quota_us=Q cpu_period_us=P cgroup=PATH
 *
 * with PATH percent-encoded, as container-line.h has it; Q is max for a cgroup that has no quota
 * any more, which changes nothing here: the last one that it had is what throttled it.
 */
struct quota {
	char *path; /* owned */
	int64_t us; /* of CPU time in each period */
	int64_t period_us;
};

struct quotas {
	struct hash by_path;
};

/*
 * What a quota took since it was looked at last, of cpu.stat, where the kernel's throttling itself
 * is not recorded:
 *
 *   throttled v1 throttled_us=T nr_throttled=N interval_us=I cgroup=PATH
 *
 * T is a sum over CPUs, in which each that the cgroup was kept off counts once it is let run again.
 */
struct quota_taken {
	char *path; /* owned; NULL: nothing was told */
	uint64_t ns, interval_ns;
};

/* Takes a line, or says that it is none. @q: NULL if it is not to be kept. */
enum line_kind quotas_line(struct quotas *q, const char *text);
/* The last that was told of a cgroup; NULL: nothing was. */
const struct quota *quotas_get(const struct quotas *q, const char *path);
/* The same, of whose path hash_text() is known. */
const struct quota *quotas_find(const struct quotas *q, const char *path, uint64_t hash);
/* Drops those of paths that @keep says no to. */
void quotas_forget(struct quotas *q, bool (*keep)(void *ctx, const char *path), void *ctx);
void quotas_free(struct quotas *q);
/* Takes a line of what was taken, or says that it is none. @taken: what was in it is freed. */
enum line_kind quota_taken_line(struct quota_taken *taken, const char *text);
void quota_taken_free(struct quota_taken *taken);

#endif
