/* SPDX-License-Identifier: GPL-2.0-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * The events of the state dump. Names and types are those of lttng-modules;
 * process_state has the fields, and the record per PID-namespace level, that it
 * had in 2.7 to 2.11. lttng-statedump-impl.c fires them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM lttng_statedump

#if !defined(LTTNG_TRACE_LTTNG_STATEDUMP_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_TRACE_LTTNG_STATEDUMP_H

#include <lttng/tracepoint-event.h>

#include <linux/types.h>

#include <compat/cgroup.h>
#include <compat/devices.h>
#include <instrumentation/one-write.h>
#include <instrumentation/statedump.h>

LTTNG_TRACEPOINT_EVENT(lttng_statedump_start,
	TP_PROTO(struct lttng_kernel_session *session),
	TP_ARGS(session),
	TP_FIELDS()
)

LTTNG_TRACEPOINT_EVENT(lttng_statedump_end,
	TP_PROTO(struct lttng_kernel_session *session),
	TP_ARGS(session),
	TP_FIELDS()
)

/* Once per thread and PID-namespace level, the deepest first. */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_process_state,
	TP_PROTO(struct lttng_kernel_session *session,
		 const struct lttng_statedump_task *task, unsigned int level),
	TP_ARGS(session, task, level),
	TP_FIELDS(
		LTTNG_ONE_WRITE(TASK_COMM_LEN + 13 * sizeof(u32) + sizeof(long),
			ctf_integer(pid_t, tid, task->tid)
			ctf_integer(pid_t, vtid, task->pids.ns[level].vtid)
			ctf_integer(pid_t, pid, task->pid)
			ctf_integer(pid_t, vpid, task->pids.ns[level].vpid)
			ctf_integer(pid_t, ppid, task->ppid)
			ctf_integer(pid_t, vppid, task->pids.ns[level].vppid)
			ctf_array_text(char, name, task->comm, TASK_COMM_LEN)
			ctf_integer(int, type, task->type)
			ctf_integer(int, mode, task->mode)
			ctf_integer(int, submode, task->submode)
			ctf_integer(int, status, task->status)
			ctf_integer(int, ns_level, level)
			ctf_integer(unsigned int, ns_inum, task->pids.ns[level].inum)
			ctf_integer(unsigned int, cpu, task->cpu)
			ctf_integer_hex(struct files_struct *, file_table_address, task->files)
		)
	)
)

/* The same once more in the shape that lttng-modules has from 2.12 on. */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_process_pid_ns,
	TP_PROTO(struct lttng_kernel_session *session,
		 const struct lttng_statedump_task *task, unsigned int level),
	TP_ARGS(session, task, level),
	TP_FIELDS(
		LTTNG_ONE_WRITE(6 * sizeof(u32),
			ctf_integer(pid_t, tid, task->tid)
			ctf_integer(pid_t, vtid, task->pids.ns[level].vtid)
			ctf_integer(pid_t, vpid, task->pids.ns[level].vpid)
			ctf_integer(pid_t, vppid, task->pids.ns[level].vppid)
			ctf_integer(int, ns_level, level)
			ctf_integer(unsigned int, ns_inum, task->pids.ns[level].inum)
		)
	)
)

/* Once per thread and user-namespace level, its own first. */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_process_user_ns,
	TP_PROTO(struct lttng_kernel_session *session,
		 const struct lttng_statedump_task *task,
		 const struct lttng_statedump_user_ns_entry *entry),
	TP_ARGS(session, task, entry),
	TP_FIELDS(
		LTTNG_ONE_WRITE(5 * sizeof(u32),
			ctf_integer(pid_t, tid, task->tid)
			ctf_integer(uid_t, vuid, entry->vuid)
			ctf_integer(gid_t, vgid, entry->vgid)
			ctf_integer(int, ns_level, entry->level)
			ctf_integer(unsigned int, ns_inum, entry->inum)
		)
	)
)

/* The flat kinds of namespaces. */
LTTNG_TRACEPOINT_EVENT_CLASS(lttng_statedump_process_ns_template,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
	TP_ARGS(session, tid, ns_inum),
	TP_FIELDS(
		LTTNG_ONE_WRITE(2 * sizeof(u32),
			ctf_integer(pid_t, tid, tid)
			ctf_integer(unsigned int, ns_inum, ns_inum)
		)
	)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(lttng_statedump_process_ns_template,
	lttng_statedump_process_cgroup_ns,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
	TP_ARGS(session, tid, ns_inum)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(lttng_statedump_process_ns_template,
	lttng_statedump_process_ipc_ns,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
	TP_ARGS(session, tid, ns_inum)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(lttng_statedump_process_ns_template,
	lttng_statedump_process_mnt_ns,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
	TP_ARGS(session, tid, ns_inum)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(lttng_statedump_process_ns_template,
	lttng_statedump_process_net_ns,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
	TP_ARGS(session, tid, ns_inum)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(lttng_statedump_process_ns_template,
	lttng_statedump_process_uts_ns,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
	TP_ARGS(session, tid, ns_inum)
)

LTTNG_TRACEPOINT_EVENT_INSTANCE(lttng_statedump_process_ns_template,
	lttng_statedump_process_time_ns,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
	TP_ARGS(session, tid, ns_inum)
)

/*
 * All kinds at once, as namespace_switch tells them. Once per process, and per thread that does not
 * share them with a leader that was told before.
 */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_process_namespaces,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid,
		 const struct lttng_namespaces *set),
	TP_ARGS(session, tid, set),
	TP_FIELDS(
		LTTNG_ONE_WRITE(9 * sizeof(u32),
			ctf_integer(pid_t, tid, tid)
			ctf_integer(unsigned int, cgroup_ns_inum, set->cgroup)
			ctf_integer(unsigned int, ipc_ns_inum, set->ipc)
			ctf_integer(unsigned int, mnt_ns_inum, set->mnt)
			ctf_integer(unsigned int, net_ns_inum, set->net)
			ctf_integer(unsigned int, pid_for_children_ns_inum, set->pid_for_children)
			ctf_integer(unsigned int, time_ns_inum, set->time)
			ctf_integer(unsigned int, user_ns_inum, set->user)
			ctf_integer(unsigned int, uts_ns_inum, set->uts)
		)
	)
)

/* Once per PID namespace that has begun, before the process_state of its init. */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_pid_namespace,
	TP_PROTO(struct lttng_kernel_session *session, const struct lttng_statedump_task *init),
	TP_ARGS(session, init),
	TP_FIELDS(
		LTTNG_ONE_WRITE(5 * sizeof(u32) + sizeof(u64),
			ctf_integer(unsigned int, ns_inum, init->pids.ns[init->pids.nr - 1].inum)
			ctf_integer(unsigned int, parent_ns_inum,
				    init->pids.nr > 1 ? init->pids.ns[init->pids.nr - 2].inum : 0)
			ctf_integer(int, ns_level, init->pids.nr - 1)
			ctf_integer(unsigned int, user_ns_inum, init->pids.user_inum)
			ctf_integer(pid_t, init_tid, init->tid)
			ctf_integer(u64, init_start_time, init->start_time)
		)
	)
)

#ifdef COMPAT_HAVE_CGROUPS
/* Once per cgroup that holds a task and for its ancestors, those first. */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_cgroup,
	TP_PROTO(struct lttng_kernel_session *session, int hierarchy, u64 cgroup_id,
		 u64 parent_id, const char *path),
	TP_ARGS(session, hierarchy, cgroup_id, parent_id, path),
	TP_FIELDS(
		ctf_integer(int, hierarchy, hierarchy)
		ctf_integer(u64, cgroup_id, cgroup_id)
		ctf_integer(u64, parent_id, parent_id)
		ctf_string(path, path)
	)
)

/* Once per thread and hierarchy. */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_process_cgroup,
	TP_PROTO(struct lttng_kernel_session *session, pid_t tid, int hierarchy, u64 cgroup_id),
	TP_ARGS(session, tid, hierarchy, cgroup_id),
	TP_FIELDS(
		LTTNG_ONE_WRITE(2 * sizeof(u32) + sizeof(u64),
			ctf_integer(pid_t, tid, tid)
			ctf_integer(int, hierarchy, hierarchy)
			ctf_integer(u64, cgroup_id, cgroup_id)
		)
	)
)
#endif

/* Once per open file of each table of open files. */
LTTNG_TRACEPOINT_EVENT(lttng_statedump_file_descriptor,
	TP_PROTO(struct lttng_kernel_session *session, struct files_struct *files, int fd,
		 const char *filename, unsigned int flags, fmode_t fmode),
	TP_ARGS(session, files, fd, filename, flags, fmode),
	TP_FIELDS(
		ctf_integer_hex(struct files_struct *, file_table_address, files)
		ctf_integer(int, fd, fd)
		ctf_integer_oct(unsigned int, flags, flags)
		ctf_integer_hex(fmode_t, fmode, fmode)
		ctf_string(filename, filename)
	)
)

LTTNG_TRACEPOINT_EVENT(lttng_statedump_network_interface,
	TP_PROTO(struct lttng_kernel_session *session, const char *name, __be32 address),
	TP_ARGS(session, name, address),
	TP_FIELDS(
		ctf_string(name, name)
		ctf_integer_network_hex(uint32_t, address_ipv4, address)
	)
)

LTTNG_TRACEPOINT_EVENT(lttng_statedump_block_device,
	TP_PROTO(struct lttng_kernel_session *session, dev_t dev, const char *diskname),
	TP_ARGS(session, dev, diskname),
	TP_FIELDS(
		ctf_integer(dev_t, dev, dev)
		ctf_string(diskname, diskname)
	)
)

LTTNG_TRACEPOINT_EVENT(lttng_statedump_interrupt,
	TP_PROTO(struct lttng_kernel_session *session, const struct lttng_statedump_irq *handler),
	TP_ARGS(session, handler),
	TP_FIELDS(
		ctf_integer(unsigned int, irq, handler->irq)
		ctf_string(name, handler->chip)
		ctf_string(action, handler->action)
		ctf_integer(pid_t, tid, handler->tid)
	)
)

#ifdef CONFIG_X86
LTTNG_TRACEPOINT_EVENT(lttng_statedump_cpu_topology,
	TP_PROTO(struct lttng_kernel_session *session, const struct cpuinfo_x86 *c),
	TP_ARGS(session, c),
	TP_FIELDS(
		ctf_string(architecture, "x86")
		ctf_integer(uint16_t, cpu_id, c->cpu_index)
		ctf_string(vendor, c->x86_vendor_id[0] ? c->x86_vendor_id : "unknown")
		ctf_integer(uint8_t, family, c->x86)
		ctf_integer(uint8_t, model, c->x86_model)
		ctf_string(model_name, c->x86_model_id[0] ? c->x86_model_id : "unknown")
		ctf_integer(uint16_t, physical_id, compat_cpu_package(c))
		ctf_integer(uint16_t, core_id, compat_cpu_core(c))
		ctf_integer(uint16_t, cores, c->booted_cores)
	)
)
#endif

#endif /* LTTNG_TRACE_LTTNG_STATEDUMP_H */

/* Read once for each pass over the definitions above. */
#include <lttng/define_trace.h>
