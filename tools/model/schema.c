/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <string.h>

#include "schema.h"
#include "base/util.h"

/* One field a line: tables are read better than the formatter makes them. */
/* clang-format off */
#define FIELD(member, name, type, bits, sign, needed) \
	{ name, type, bits, sign, needed, offsetof(struct event, member), (bits) ? (bits) : 64 }
/* Of any type, but a number that is small. */
#define SMALL(member, name)		{ name, TYPE_INT, 0, true, OPTIONAL, \
	offsetof(struct event, member), 32 }
#define PID(member, name, needed)	FIELD(member, name, TYPE_INT, 32, true, needed)
#define INT(member, name, needed)	FIELD(member, name, TYPE_INT, 32, true, needed)
#define U32(member, name, needed)	FIELD(member, name, TYPE_INT, 32, false, needed)
#define U64(member, name, needed)	FIELD(member, name, TYPE_INT, 64, false, needed)
#define ANY(member, name, needed)	FIELD(member, name, TYPE_INT, 0, true, needed)
/* Of the event's context, not of its payload. */
#define CONTEXT(member, name)		{ name, TYPE_CONTEXT, 0, true, OPTIONAL, \
	offsetof(struct event, member), 32 }
#define CONTEXT_U32(member, name)	{ name, TYPE_CONTEXT, 0, false, OPTIONAL, \
	offsetof(struct event, member), 32 }
#define STACK(member, name)		{ name, TYPE_STACK, 0, false, OPTIONAL, \
	offsetof(struct event, member), 64 }
#define VARIANT(member)			{ "", TYPE_VARIANT, 0, false, OPTIONAL, \
	offsetof(struct event, member), 64 }
#define TEXT(member, name, needed)	FIELD(member, name, TYPE_TEXT, 0, false, needed)

static const struct field_desc fork_fields[] = {
	TEXT(fork.parent_comm, "parent_comm", IN_ALL),
	PID(fork.parent_tid, "parent_tid", IN_ALL),
	PID(fork.parent_pid, "parent_pid", IN_ALL),
	U32(fork.parent_ns_inum, "parent_ns_inum", IN_OURS | IN_2_12),
	TEXT(fork.child_comm, "child_comm", IN_ALL),
	PID(fork.child_tid, "child_tid", IN_ALL),
	FIELD(fork.vtids, "vtids", TYPE_SEQ, 32, true, IN_ALL),
	PID(fork.child_pid, "child_pid", IN_ALL),
	U32(fork.child_ns_inum, "child_ns_inum", IN_ALL),
	FIELD(fork.ns_inums, "ns_inums", TYPE_SEQ, 32, false, IN_OURS),
	U64(fork.child_cgroup_id, "child_cgroup_id", IN_OURS),
};

static const struct field_desc task_fields[] = {
	TEXT(task.comm, "comm", IN_ALL),
	PID(task.tid, "tid", IN_ALL),
};

static const struct field_desc exec_fields[] = {
	TEXT(exec.filename, "filename", IN_ALL),
	PID(exec.tid, "tid", IN_ALL),
	PID(exec.old_tid, "old_tid", IN_ALL),
};

static const struct field_desc switch_fields[] = {
	TEXT(sw.prev_comm, "prev_comm", IN_ALL),
	PID(sw.prev_tid, "prev_tid", IN_ALL),
	ANY(sw.prev_state, "prev_state", OPTIONAL),
	TEXT(sw.next_comm, "next_comm", IN_ALL),
	PID(sw.next_tid, "next_tid", IN_ALL),
};

/* 2.7 and 2.8 had enumerations of other widths for type and status. */
static const struct field_desc process_fields[] = {
	PID(process.tid, "tid", IN_ALL),
	PID(process.vtid, "vtid", IN_OURS | IN_2_7),
	PID(process.pid, "pid", IN_ALL),
	PID(process.vpid, "vpid", IN_OURS | IN_2_7),
	PID(process.ppid, "ppid", IN_ALL),
	PID(process.vppid, "vppid", IN_OURS | IN_2_7),
	TEXT(process.name, "name", IN_ALL),
	ANY(process.type, "type", IN_ALL),
	ANY(process.status, "status", IN_ALL),
	INT(process.ns_level, "ns_level", IN_OURS),
	U32(process.ns_inum, "ns_inum", IN_OURS),
	ANY(process.cpu, "cpu", OPTIONAL),
};

static const struct field_desc pid_ns_fields[] = {
	PID(ns_of.tid, "tid", IN_ALL),
	PID(ns_of.vtid, "vtid", IN_ALL),
	PID(ns_of.vpid, "vpid", IN_ALL),
	PID(ns_of.vppid, "vppid", IN_ALL),
	INT(ns_of.ns_level, "ns_level", IN_ALL),
	U32(ns_of.ns_inum, "ns_inum", IN_ALL),
};

static const struct field_desc other_ns_fields[] = {
	PID(ns_of.tid, "tid", IN_ALL),
	U32(ns_of.ns_inum, "ns_inum", IN_ALL),
};

static const struct field_desc namespace_fields[] = {
	U32(namespace.ns_inum, "ns_inum", IN_OURS),
	U32(namespace.parent_ns_inum, "parent_ns_inum", IN_OURS),
	INT(namespace.ns_level, "ns_level", IN_OURS),
	U32(namespace.user_ns_inum, "user_ns_inum", IN_OURS),
	PID(namespace.init_tid, "init_tid", IN_OURS),
	U64(namespace.init_start_time, "init_start_time", IN_OURS),
};

static const struct field_desc cgroup_fields[] = {
	INT(cgroup.hierarchy, "hierarchy", IN_OURS),
	U64(cgroup.cgroup_id, "cgroup_id", IN_OURS),
	U64(cgroup.parent_id, "parent_id", IN_OURS),
	TEXT(cgroup.path, "path", IN_OURS),
};

static const struct field_desc process_cgroup_fields[] = {
	PID(process_cgroup.tid, "tid", IN_OURS),
	INT(process_cgroup.hierarchy, "hierarchy", IN_OURS),
	U64(process_cgroup.cgroup_id, "cgroup_id", IN_OURS),
};

/* The kernel's own cgroup events, with the cgroup's 64-bit id behind. */
static const struct field_desc mkdir_fields[] = {
	SMALL(cgroup.hierarchy, "root"),
	ANY(cgroup.cgroup_id, "cgroup_id", OPTIONAL),
	TEXT(cgroup.path, "path", OPTIONAL),
};

static const struct field_desc attach_fields[] = {
	SMALL(process_cgroup.tid, "tid"),
	SMALL(process_cgroup.hierarchy, "dst_root"),
	ANY(process_cgroup.cgroup_id, "dst_cgroup_id", OPTIONAL),
	ANY(process_cgroup.threadgroup, "threadgroup", OPTIONAL),
	TEXT(process_cgroup.path, "dst_path", OPTIONAL),
};

static const struct field_desc namespace_switch_fields[] = {
	PID(ns_switch.tid, "tid", OPTIONAL),
	PID(ns_switch.pid, "pid", OPTIONAL),
	U32(ns_switch.user, "user_ns_inum", OPTIONAL),
	U32(ns_switch.cgroup, "cgroup_ns_inum", OPTIONAL),
	U32(ns_switch.ipc, "ipc_ns_inum", OPTIONAL),
	U32(ns_switch.mnt, "mnt_ns_inum", OPTIONAL),
	U32(ns_switch.net, "net_ns_inum", OPTIONAL),
	U32(ns_switch.uts, "uts_ns_inum", OPTIONAL),
	U32(ns_switch.time, "time_ns_inum", OPTIONAL),
};

static const struct field_desc logger_fields[] = {
	TEXT(logger.msg, "msg", OPTIONAL),
	CONTEXT(logger.pid, "pid"),
	CONTEXT_U32(logger.uid, "uid"),
	CONTEXT_U32(logger.pid_ns, "pid_ns"),
};

static const struct field_desc wake_fields[] = {
	TEXT(wake.comm, "comm", OPTIONAL),
	SMALL(wake.tid, "tid"),
	SMALL(wake.target_cpu, "target_cpu"),
};

static const struct field_desc migrate_fields[] = {
	SMALL(migrate.tid, "tid"),
	SMALL(migrate.orig_cpu, "orig_cpu"),
	SMALL(migrate.dest_cpu, "dest_cpu"),
};

static const struct field_desc syscall_entry_fields[] = {
	VARIANT(syscall.name),
	CONTEXT(syscall.tid, "tid"),
};

static const struct field_desc syscall_exit_fields[] = {
	VARIANT(syscall.name),
	ANY(syscall.ret, "ret", OPTIONAL),
	CONTEXT(syscall.tid, "tid"),
};

static const struct field_desc softirq_fields[] = {
	SMALL(softirq.vec, "vec"),
};

static const struct field_desc block_fields[] = {
	SMALL(block.dev, "dev"),
	SMALL(block.rwbs, "rwbs"),
};

static const struct field_desc request_fields[] = {
	SMALL(block.dev, "dev"),
	SMALL(block.rwbs, "rwbs"),
	ANY(block.sector, "sector", OPTIONAL),
	ANY(block.nr_sector, "nr_sector", OPTIONAL),
};

static const struct field_desc charge_fields[] = {
	SMALL(charge.dev, "dev"),
	ANY(charge.sector, "sector", OPTIONAL),
	SMALL(charge.hierarchy, "root"),
	ANY(charge.cgroup_id, "cgroup_id", OPTIONAL),
};

static const struct field_desc signal_fields[] = {
	SMALL(signal.sig, "sig"),
	SMALL(signal.tid, "pid"),
};

static const struct field_desc dirty_pause_fields[] = {
	ANY(dirty_pause.pause, "pause", OPTIONAL),
};

static const struct field_desc device_fields[] = {
	SMALL(device.dev, "dev"),
	TEXT(device.name, "diskname", OPTIONAL),
};

static const struct field_desc throttle_fields[] = {
	SMALL(throttle.hierarchy, "root"),
	ANY(throttle.cgroup_id, "cgroup_id", OPTIONAL),
	SMALL(throttle.target_cpu, "target_cpu"),
};

static const struct field_desc lock_fields[] = {
	ANY(lock.address, "lock_addr", OPTIONAL),
	SMALL(lock.flags, "flags"),
};

static const struct field_desc lock_end_fields[] = {
	ANY(lock.address, "lock_addr", OPTIONAL),
};

static const struct field_desc sample_fields[] = {
	SMALL(sample.tid, "tid"),
	SMALL(sample.pid, "pid"),
	SMALL(sample.mode, "mode"),
	ANY(sample.ip, "ip", OPTIONAL),
	ANY(sample.period, "period", OPTIONAL),
	STACK(sample.kernel, "callstack_kernel"),
	STACK(sample.user, "callstack_user"),
};

static const struct field_desc profile_switch_fields[] = {
	SMALL(sample.tid, "tid"),
	SMALL(sample.pid, "pid"),
	SMALL(sample.runnable, "runnable"),
	STACK(sample.kernel, "callstack_kernel"),
	STACK(sample.user, "callstack_user"),
};

static const struct field_desc profile_waking_fields[] = {
	SMALL(sample.tid, "tid"),
	SMALL(sample.pid, "pid"),
	SMALL(sample.woken_tid, "woken_tid"),
	SMALL(sample.interrupt, "interrupt"),
	STACK(sample.kernel, "callstack_kernel"),
	STACK(sample.user, "callstack_user"),
};

#define DESC(name, needed, fields) { name, needed, fields, ARRAY_SIZE(fields) }

const struct event_desc event_descs[EV_NR] = {
	[EV_FORK] = DESC("sched_process_fork", IN_ALL, fork_fields),
	[EV_EXIT] = DESC("sched_process_exit", IN_ALL, task_fields),
	[EV_FREE] = DESC("sched_process_free", OPTIONAL, task_fields),
	[EV_EXEC] = DESC("sched_process_exec", OPTIONAL, exec_fields),
	[EV_SWITCH] = DESC("sched_switch", OPTIONAL, switch_fields),
	[EV_DUMP_START] = { "lttng_statedump_start", IN_ALL, NULL, 0 },
	[EV_DUMP_END] = { "lttng_statedump_end", IN_ALL, NULL, 0 },
	[EV_DUMP_PROCESS] = DESC("lttng_statedump_process_state", IN_ALL, process_fields),
	[EV_DUMP_PID_NS] = DESC("lttng_statedump_process_pid_ns", IN_2_12, pid_ns_fields),
	[EV_DUMP_USER_NS] = DESC("lttng_statedump_process_user_ns", OPTIONAL, other_ns_fields),
	[EV_DUMP_CGROUP_NS] = DESC("lttng_statedump_process_cgroup_ns", OPTIONAL, other_ns_fields),
	[EV_DUMP_IPC_NS] = DESC("lttng_statedump_process_ipc_ns", OPTIONAL, other_ns_fields),
	[EV_DUMP_MNT_NS] = DESC("lttng_statedump_process_mnt_ns", OPTIONAL, other_ns_fields),
	[EV_DUMP_NET_NS] = DESC("lttng_statedump_process_net_ns", OPTIONAL, other_ns_fields),
	[EV_DUMP_UTS_NS] = DESC("lttng_statedump_process_uts_ns", OPTIONAL, other_ns_fields),
	[EV_DUMP_TIME_NS] = DESC("lttng_statedump_process_time_ns", OPTIONAL, other_ns_fields),
	[EV_DUMP_NAMESPACES] = DESC("lttng_statedump_process_namespaces", OPTIONAL,
				    namespace_switch_fields),
	[EV_DUMP_NAMESPACE] = DESC("lttng_statedump_pid_namespace", IN_OURS, namespace_fields),
	[EV_DUMP_CGROUP] = DESC("lttng_statedump_cgroup", OPTIONAL, cgroup_fields),
	[EV_DUMP_PROCESS_CGROUP] = DESC("lttng_statedump_process_cgroup", OPTIONAL,
					process_cgroup_fields),
	[EV_CGROUP_MKDIR] = DESC("cgroup_mkdir", OPTIONAL, mkdir_fields),
	[EV_CGROUP_RMDIR] = DESC("cgroup_rmdir", OPTIONAL, mkdir_fields),
	[EV_CGROUP_RENAME] = DESC("cgroup_rename", OPTIONAL, mkdir_fields),
	[EV_CGROUP_ATTACH] = DESC("cgroup_attach_task", OPTIONAL, attach_fields),
	[EV_CGROUP_TRANSFER] = DESC("cgroup_transfer_tasks", OPTIONAL, attach_fields),
	[EV_NAMESPACE_SWITCH] = DESC("namespace_switch", OPTIONAL, namespace_switch_fields),
	[EV_LOGGER] = DESC("lttng_logger", OPTIONAL, logger_fields),
	[EV_WAKING] = DESC("sched_waking", OPTIONAL, wake_fields),
	[EV_WAKEUP] = DESC("sched_wakeup", OPTIONAL, wake_fields),
	[EV_WAKEUP_NEW] = DESC("sched_wakeup_new", OPTIONAL, wake_fields),
	[EV_MIGRATE] = DESC("sched_migrate_task", OPTIONAL, migrate_fields),
	[EV_IRQ_ENTRY] = { "irq_handler_entry", OPTIONAL, NULL, 0 },
	[EV_IRQ_EXIT] = { "irq_handler_exit", OPTIONAL, NULL, 0 },
	[EV_SOFTIRQ_ENTRY] = DESC("irq_softirq_entry", OPTIONAL, softirq_fields),
	[EV_SOFTIRQ_EXIT] = { "irq_softirq_exit", OPTIONAL, NULL, 0 },
	[EV_HRTIMER_ENTRY] = { "timer_hrtimer_expire_entry", OPTIONAL, NULL, 0 },
	[EV_HRTIMER_EXIT] = { "timer_hrtimer_expire_exit", OPTIONAL, NULL, 0 },
	[EV_SOFTIRQ_RAISE] = DESC("irq_softirq_raise", OPTIONAL, softirq_fields),
	[EV_BLOCK_RQ_INSERT] = DESC("block_rq_insert", OPTIONAL, request_fields),
	[EV_BLOCK_RQ_ISSUE] = DESC("block_rq_issue", OPTIONAL, request_fields),
	[EV_BLOCK_RQ_REQUEUE] = DESC("block_rq_requeue", OPTIONAL, request_fields),
	[EV_BLOCK_RQ_COMPLETE] = DESC("block_rq_complete", OPTIONAL, request_fields),
	[EV_BLOCK_BIO_COMPLETE] = DESC("block_bio_complete", OPTIONAL, block_fields),
	[EV_BLOCK_CHARGE] = DESC("block_rq_charge", OPTIONAL, charge_fields),
	[EV_SIGNAL_GENERATE] = DESC("signal_generate", OPTIONAL, signal_fields),
	[EV_RECLAIM_BEGIN] = { "mm_vmscan_direct_reclaim_begin", OPTIONAL, NULL, 0 },
	[EV_RECLAIM_END] = { "mm_vmscan_direct_reclaim_end", OPTIONAL, NULL, 0 },
	[EV_MEMCG_RECLAIM_BEGIN] = { "mm_vmscan_memcg_reclaim_begin", OPTIONAL, NULL, 0 },
	[EV_MEMCG_RECLAIM_END] = { "mm_vmscan_memcg_reclaim_end", OPTIONAL, NULL, 0 },
	[EV_DIRTY_PAUSE] = DESC("writeback_balance_dirty_pages", OPTIONAL,
				dirty_pause_fields),
	[EV_DUMP_BLOCK_DEVICE] = DESC("lttng_statedump_block_device", OPTIONAL, device_fields),
	[EV_THROTTLE] = DESC("cgroup_throttle_begin", OPTIONAL, throttle_fields),
	[EV_UNTHROTTLE] = DESC("cgroup_throttle_end", OPTIONAL, throttle_fields),
	[EV_SAMPLE] = DESC("profile_sample", OPTIONAL, sample_fields),
	[EV_PROFILE_SWITCH] = DESC("profile_switch", OPTIONAL, profile_switch_fields),
	[EV_PROFILE_WAKING] = DESC("profile_waking", OPTIONAL, profile_waking_fields),
	[EV_LOCK_BEGIN] = DESC("lock_contention_begin", OPTIONAL, lock_fields),
	[EV_LOCK_END] = DESC("lock_contention_end", OPTIONAL, lock_end_fields),
	/* These two are the beginnings of names: see families. */
	[EV_SYSCALL_ENTRY] = DESC("syscall_entry_", OPTIONAL, syscall_entry_fields),
	[EV_SYSCALL_EXIT] = DESC("syscall_exit_", OPTIONAL, syscall_exit_fields),
};

/* clang-format on */

/* Kinds that have an event class for each member; names have the member behind the beginning. */
static const struct family {
	const char *begin;
	enum event_kind kind;
	const char *mark; /* put before the member's name, to tell it apart */
} families[] = {
	{"syscall_entry_", EV_SYSCALL_ENTRY, ""},
	{"syscall_exit_", EV_SYSCALL_EXIT, ""},
	{"compat_syscall_entry_", EV_SYSCALL_ENTRY, "compat_"},
	{"compat_syscall_exit_", EV_SYSCALL_EXIT, "compat_"},
};

const char *const shape_names[SHAPE_NR] = {
	[SHAPE_NONE] = "no state dump",
	[SHAPE_2_7] = "lttng-modules 2.7 to 2.11",
	[SHAPE_2_12] = "lttng-modules 2.12 or later",
	[SHAPE_OURS] = "lttng-containers",
};

const char *const shape_unknowns[SHAPE_NR] = {
	[SHAPE_NONE] = "where the tasks live that ran before the trace began",
	[SHAPE_2_7] = "cgroups, the other kinds of namespaces, and the levels "
		      "between when a task is forked into a namespace far below",
	[SHAPE_2_12] = "cgroups, and the levels between when a task is forked "
		       "into a namespace far below",
};

/* The tracer's names have no more bytes; those of calls are told again for each that calls. */
#define NAME_BYTES 255

static const struct family *family_of(const char *name)
{
	size_t i;

	if (strnlen(name, NAME_BYTES + 1) > NAME_BYTES)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(families); i++)
		if (!strncmp(name, families[i].begin, strlen(families[i].begin)))
			return &families[i];
	return NULL;
}

enum event_kind event_kind_by_name(const char *name)
{
	const struct family *family = family_of(name);
	enum event_kind kind;

	if (family)
		return family->kind;
	/* What upstream adds itself is named so that it is not taken for the kernel's. */
	if (!strcmp(name, "lttng_namespace_switch"))
		return EV_NAMESPACE_SWITCH;
	for (kind = 0; kind < EV_NR; kind++)
		if (!strcmp(event_descs[kind].name, name))
			break;
	return kind;
}

char *event_variant(const char *name)
{
	const struct family *family = family_of(name);

	return family ? xasprintf("%s%s", family->mark, name + strlen(family->begin)) : NULL;
}

void event_clear(struct event *ev, enum event_kind kind)
{
	const struct event_desc *desc = &event_descs[kind];
	size_t i;

	ev->kind = kind;
	for (i = 0; i < desc->nr_fields; i++) {
		char *to = (char *)ev + desc->fields[i].offset;

		switch (desc->fields[i].type) {
		case TYPE_INT:
		case TYPE_CONTEXT:
			*(int64_t *)to = ABSENT;
			break;
		case TYPE_TEXT:
		case TYPE_VARIANT:
			*(const char **)to = NULL;
			break;
		case TYPE_SEQ:
		case TYPE_STACK:
			((struct seq *)to)->nr = -1;
			break;
		}
	}
}
