/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EVENT_H
#define LC_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One event of a trace as the model takes it: decoded, and free of the trace library. */

enum event_kind {
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
	/* From here on only reports that ask for them have them: see load_options.wants. */
	EV_WAKING,
	EV_FIRST_ON_DEMAND = EV_WAKING,
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
	EV_NR
};

/* A set of kinds: a bit for each. */
#define WANT(kind) (1ull << (kind))

/* The kernel's deepest PID namespace is 32 levels below the root. */
#define LEVELS_MAX 33
/* A sequence may be longer (wrongly): its length is kept, the rest is not. */
#define SEQ_MAX	   64
/* LTTng's stacks have 128 entries, and one more that says that this was not enough. */
#define STACK_MAX  129
/* A field that the trace does not have; sequences then have nr = -1, texts are NULL. */
#define ABSENT	   INT64_MIN

/* As many as a kernel can have: a damaged number is no CPU. */
#define CPUS_MAX 8192

/* The CPU that a trace names; -1: it cannot be one. */
static inline int cpu_of_trace(uint64_t nr)
{
	return nr < CPUS_MAX ? (int)nr : -1;
}

struct seq {
	int64_t nr;
	int64_t v[SEQ_MAX];
};

/* As struct seq, but longer. */
struct stack {
	int64_t nr;
	int64_t v[STACK_MAX];
};

struct ev_fork {
	const char *parent_comm;
	int64_t parent_tid, parent_pid, parent_ns_inum;
	const char *child_comm;
	int64_t child_tid;
	struct seq vtids;
	int64_t child_pid, child_ns_inum;
	struct seq ns_inums;
	int64_t child_cgroup_id;
};

/* sched_process_exit and sched_process_free */
struct ev_task {
	const char *comm;
	int64_t tid;
};

struct ev_exec {
	const char *filename;
	int64_t tid, old_tid;
};

struct ev_switch {
	const char *prev_comm;
	int64_t prev_tid, prev_state;
	const char *next_comm;
	int64_t next_tid;
};

/*
 * Whether one that is switched out could run on: state 0, or a mark of preemption, which
 * is the first bit behind the states that the kernel reports: 0x100 since 4.14, and before
 * 0x1000 (4.8), 0x800 (4.2), 0x400 (3.9).
 */
static inline bool prev_is_runnable(int64_t prev_state)
{
	return prev_state == 0 || prev_state == 0x100 || prev_state == 0x400 ||
	       prev_state == 0x800 || prev_state == 0x1000;
}

struct ev_dump_process {
	int64_t tid, vtid, pid, vpid, ppid, vppid;
	const char *name;
	int64_t type, status, ns_level, ns_inum;
	int64_t cpu; /* that it ran on last */
};

/* lttng_statedump_process_*_ns; the pid kind has all fields, the others tid and ns_inum */
struct ev_dump_ns {
	int64_t tid, vtid, vpid, vppid, ns_level, ns_inum;
};

struct ev_dump_namespace {
	int64_t ns_inum, parent_ns_inum, ns_level, user_ns_inum, init_tid, init_start_time;
};

struct ev_cgroup {
	int64_t hierarchy, cgroup_id, parent_id;
	const char *path;
};

struct ev_process_cgroup {
	int64_t tid, hierarchy, cgroup_id;
	int64_t threadgroup; /* not 0: all threads of the process were moved */
	const char *path;    /* of the group that they were moved to */
};

/*
 * namespace_switch and lttng_statedump_process_namespaces: all kinds but pid, of which they
 * tell that of future children. The latter has no pid.
 */
struct ev_namespace_switch {
	int64_t tid, pid;
	int64_t user, cgroup, ipc, mnt, net, uts, time;
};

/* What a process wrote to /proc/lttng-logger, and which process that was. */
struct ev_logger {
	const char *msg;
	/* From the contexts, of the host. */
	int64_t pid;
	int64_t uid; /* the real one */
	int64_t pid_ns;
};

/* sched_waking, sched_wakeup and sched_wakeup_new: the task that is woken */
struct ev_wake {
	const char *comm;
	int64_t tid, target_cpu;
};

struct ev_migrate {
	int64_t tid, orig_cpu, dest_cpu;
};

/* syscall_entry_NAME and syscall_exit_NAME */
struct ev_syscall {
	const char *name; /* valid during the whole reading; compat_NAME for the 32-bit ABI's */
	int64_t ret;	  /* of an exit */
	int64_t tid;	  /* from the context */
};

/* irq_softirq_entry and irq_softirq_raise: the number of the soft interrupt */
struct ev_softirq {
	int64_t vec;
};

/*
 * block_rq_*, and block_bio_complete, without sectors of 512 bytes; rwbs is lttng's set of flags: 1
 * is a write, 4 a read
 */
struct ev_block {
	int64_t dev, rwbs;
	int64_t sector, nr_sector;
};

/* block_rq_charge: the request that begins there is made next, and charged to that cgroup; 0: to
 * none */
struct ev_charge {
	int64_t dev, sector;
	int64_t hierarchy, cgroup_id;
};

struct ev_signal {
	int64_t sig, tid; /* to whom: a thread, or the first one of a process */
};

/* writeback_balance_dirty_pages: ms that who writes is to sleep, 0 or less: it is not */
struct ev_dirty_pause {
	int64_t pause;
};

struct ev_block_device {
	int64_t dev;
	const char *name;
};

/* cgroup_throttle_begin and cgroup_throttle_end: a cgroup, and the CPU that its tasks may not use
 */
struct ev_throttle {
	int64_t hierarchy, cgroup_id, target_cpu;
};

/* lock_contention_begin, with the kernel's LCB_F_*, and lock_contention_end, without */
struct ev_lock {
	int64_t address, flags;
};

#define SAMPLE_OF_KERNEL  0
#define SAMPLE_IN_HARDIRQ 2

/*
 * profile_sample: what a CPU was found doing, and how it came there, the last call first;
 * profile_switch: a task leaves its CPU, and how it came there; and profile_waking: how a task, or
 * an interrupt that met it, came to wake another
 */
struct ev_sample {
	int64_t tid, pid, mode, ip, period;
	int64_t runnable;	   /* profile_switch: it could run on */
	int64_t woken_tid;	   /* profile_waking: who is woken ... */
	int64_t interrupt;	   /* ... and whether in an interrupt: 0 is a task's own doing */
	struct stack kernel, user; /* from the context */
};

struct event {
	enum event_kind kind;
	int cpu;	   /* -1 if not known */
	uint64_t ns;	   /* since the epoch */
	const char *trace; /* its path, for messages */
	union {
		struct ev_fork fork;
		struct ev_task task;
		struct ev_exec exec;
		struct ev_switch sw;
		struct ev_dump_process process;
		struct ev_dump_ns ns_of;
		struct ev_dump_namespace namespace;
		struct ev_cgroup cgroup;
		struct ev_throttle throttle;
		struct ev_lock lock;
		struct ev_process_cgroup process_cgroup;
		struct ev_namespace_switch ns_switch;
		struct ev_logger logger;
		struct ev_wake wake;
		struct ev_migrate migrate;
		struct ev_syscall syscall;
		struct ev_softirq softirq;
		struct ev_block block;
		struct ev_charge charge;
		struct ev_signal signal;
		struct ev_dirty_pause dirty_pause;
		struct ev_block_device device;
		struct ev_sample sample;
	};
};

/* An event of a user-space trace: what tells which thread of which container it is of. */
struct user_event {
	uint64_t ns;
	const char *name;	    /* valid during the whole reading */
	int64_t vpid, vtid, pid_ns; /* from the contexts; ABSENT where the trace has not */
};

/* Whether it says of which thread it is: by ids that a kernel can have. */
static inline bool user_event_has_thread(const struct user_event *ev)
{
	return ev->pid_ns > 0 && ev->pid_ns <= UINT32_MAX && ev->vtid > 0 && ev->vtid <= INT32_MAX;
}

/* Events that one CPU lost. Times are ns since the epoch. */
struct loss {
	int cpu;
	bool may_switch; /* its channel is one that records sched_switch */
	uint64_t begin, end;
	uint64_t count; /* 0: not known */
	bool packets;	/* count is of packets, not of events */
	const char *trace;
};

/* Which modules recorded the trace; decides what can be known. */
enum shape {
	SHAPE_NONE, /* no state dump events at all */
	SHAPE_2_7,  /* process_state with namespace levels */
	SHAPE_2_12, /* process_state and process_*_ns */
	SHAPE_OURS,
	SHAPE_NR
};

#endif
