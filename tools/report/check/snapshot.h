/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_SNAPSHOT_H
#define LC_SNAPSHOT_H

#include "model/model.h"

/* What /proc said, as docs/snapshot.md describes the file. */

/* A number that the snapshot does not tell is 0, or -1 where 0 means something. */
struct snap_thread {
	int tid, pid;
	int ppid;      /* -1: not told */
	char comm[64]; /* /proc adds to the names of kernel workers */
	bool has_comm;
	char state; /* 0: not told */
	int32_t nspid[LEVELS_MAX], nstgid[LEVELS_MAX];
	int nr_nspid, nr_nstgid;
	uint32_t pid_ns;
	uint32_t ns_inums[NS_KIND_NR];
	struct snap_cgroup {
		int hierarchy;
		char *path;
	} * cgroups;
	size_t nr_cgroups, cap_cgroups;
};

struct snapshot {
	char *path;
	char boot_id[37];
	char *hostname;
	uint64_t begin, end; /* CLOCK_MONOTONIC, ns */
	struct snap_thread *threads;
	size_t nr_threads, cap_threads;
};

/* Returns 0, or -1 after an error was printed. Free with snapshot_free() in either case. */
int snapshot_read(struct snapshot *s, const char *path);
void snapshot_free(struct snapshot *s);

#endif
