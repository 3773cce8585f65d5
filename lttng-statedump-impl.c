// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * The state dump: what there was before tracing began.
 *
 * Tasks, their namespaces, cgroups and open files, then interrupts, network
 * interfaces, block devices and CPUs, each told by an event that goes to one
 * session only. lttng-tracer calls lttng_statedump_start() when a session
 * starts, and when it is asked to repeat the dump.
 *
 * Everything that an event tells is copied first, under the locks that the
 * kernel wants for it, and fired when they are released again.
 */
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/in.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/path.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <lttng/events.h>
#include <lttng/tracer.h>
#include <lttng/events-internal.h>
#include <wrapper/compiler.h>
#include <wrapper/irqdesc.h>
#include <wrapper/kallsyms.h>
#include <wrapper/tracepoint.h>

#include <compat/cgroup.h>
#include <compat/devices.h>
#include <compat/mnt-ns.h>
#include <compat/ns.h>
#include <compat/sched.h>
#include <compat/task.h>
#include <instrumentation/mark.h>
#include <instrumentation/statedump.h>
#include <instrumentation/statedump-cgroups.h>
#include <instrumentation/statedump-known.h>

/* The tracepoints are made here; lttng-probe-statedump records them. */
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events
#define TRACE_INCLUDE_FILE lttng-statedump
#define LTTNG_INSTRUMENTATION
#include <instrumentation/events/lttng-statedump.h>

LTTNG_DEFINE_TRACE(lttng_statedump_start,
		   TP_PROTO(struct lttng_kernel_session *session),
		   TP_ARGS(session));
LTTNG_DEFINE_TRACE(lttng_statedump_end,
		   TP_PROTO(struct lttng_kernel_session *session),
		   TP_ARGS(session));
LTTNG_DEFINE_TRACE(lttng_statedump_process_state,
		   TP_PROTO(struct lttng_kernel_session *session,
			    const struct lttng_statedump_task *task, unsigned int level),
		   TP_ARGS(session, task, level));
LTTNG_DEFINE_TRACE(lttng_statedump_process_pid_ns,
		   TP_PROTO(struct lttng_kernel_session *session,
			    const struct lttng_statedump_task *task, unsigned int level),
		   TP_ARGS(session, task, level));
LTTNG_DEFINE_TRACE(lttng_statedump_process_user_ns,
		   TP_PROTO(struct lttng_kernel_session *session,
			    const struct lttng_statedump_task *task,
			    const struct lttng_statedump_user_ns_entry *entry),
		   TP_ARGS(session, task, entry));
LTTNG_DEFINE_TRACE(lttng_statedump_process_cgroup_ns,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
		   TP_ARGS(session, tid, ns_inum));
LTTNG_DEFINE_TRACE(lttng_statedump_process_ipc_ns,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
		   TP_ARGS(session, tid, ns_inum));
LTTNG_DEFINE_TRACE(lttng_statedump_process_mnt_ns,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
		   TP_ARGS(session, tid, ns_inum));
LTTNG_DEFINE_TRACE(lttng_statedump_process_net_ns,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
		   TP_ARGS(session, tid, ns_inum));
LTTNG_DEFINE_TRACE(lttng_statedump_process_uts_ns,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
		   TP_ARGS(session, tid, ns_inum));
LTTNG_DEFINE_TRACE(lttng_statedump_process_time_ns,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid, u32 ns_inum),
		   TP_ARGS(session, tid, ns_inum));
LTTNG_DEFINE_TRACE(lttng_statedump_process_namespaces,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid,
			    const struct lttng_namespaces *set),
		   TP_ARGS(session, tid, set));
LTTNG_DEFINE_TRACE(lttng_statedump_pid_namespace,
		   TP_PROTO(struct lttng_kernel_session *session,
			    const struct lttng_statedump_task *init),
		   TP_ARGS(session, init));
#ifdef COMPAT_HAVE_CGROUPS
LTTNG_DEFINE_TRACE(lttng_statedump_cgroup,
		   TP_PROTO(struct lttng_kernel_session *session, int hierarchy, u64 cgroup_id,
			    u64 parent_id, const char *path),
		   TP_ARGS(session, hierarchy, cgroup_id, parent_id, path));
LTTNG_DEFINE_TRACE(lttng_statedump_process_cgroup,
		   TP_PROTO(struct lttng_kernel_session *session, pid_t tid, int hierarchy,
			    u64 cgroup_id),
		   TP_ARGS(session, tid, hierarchy, cgroup_id));
#endif
LTTNG_DEFINE_TRACE(lttng_statedump_file_descriptor,
		   TP_PROTO(struct lttng_kernel_session *session, struct files_struct *files,
			    int fd, const char *filename, unsigned int flags, fmode_t fmode),
		   TP_ARGS(session, files, fd, filename, flags, fmode));
LTTNG_DEFINE_TRACE(lttng_statedump_network_interface,
		   TP_PROTO(struct lttng_kernel_session *session, const char *name,
			    __be32 address),
		   TP_ARGS(session, name, address));
LTTNG_DEFINE_TRACE(lttng_statedump_block_device,
		   TP_PROTO(struct lttng_kernel_session *session, dev_t dev,
			    const char *diskname),
		   TP_ARGS(session, dev, diskname));
LTTNG_DEFINE_TRACE(lttng_statedump_interrupt,
		   TP_PROTO(struct lttng_kernel_session *session,
			    const struct lttng_statedump_irq *handler),
		   TP_ARGS(session, handler));
#ifdef CONFIG_X86
LTTNG_DEFINE_TRACE(lttng_statedump_cpu_topology,
		   TP_PROTO(struct lttng_kernel_session *session, const struct cpuinfo_x86 *c),
		   TP_ARGS(session, c));
#endif

/* Open files copied in one go. */
#define FILE_BATCH 32

/* What no kernel exports, found by name when the module is loaded; NULL if not found. */
static struct {
	struct compat_mnt_ns_reader mnt_ns;
	struct class *block_class;
	struct device_type *disk_type;
	struct mutex *sparse_irq_lock;
} hidden;

struct open_file {
	struct path path;
	unsigned int fd;
	unsigned int flags;
	fmode_t mode;
};

/**
 * struct statedump - one state dump under way
 * @task:      the task that is being told about
 * @name:      PATH_MAX bytes for the name of a file or cgroup
 * @cgroups:   those that have been told already
 * @tables:    tables of open files that have been told, by address
 * @files:     open files of the task, each path holding a reference
 * @nr_files:  how many those are
 */
struct statedump {
	struct lttng_kernel_session *session;
	struct lttng_statedump_task task;
	char *name;
	struct lttng_cgroup_dump cgroups;
	struct lttng_known_set tables;
	struct open_file files[FILE_BATCH];
	unsigned int nr_files;
};

/* Caller holds the RCU read lock: it pins the credentials, and they their namespaces. */
static void read_user_namespaces(struct lttng_statedump_task *task, struct task_struct *p)
{
	const struct cred *cred = __task_cred(p);
	struct user_namespace *ns;

	task->nr_user_ns = 0;
	for (ns = cred->user_ns; ns && task->nr_user_ns < LTTNG_USER_NS_LEVELS; ns = ns->parent) {
		struct lttng_statedump_user_ns_entry *entry = &task->user_ns[task->nr_user_ns++];

		entry->vuid = from_kuid_munged(ns, cred->uid);
		entry->vgid = from_kgid_munged(ns, cred->gid);
		entry->level = compat_user_ns_level(ns);
		entry->inum = compat_ns_inum(ns);
	}
}

static int task_status(struct task_struct *p)
{
	unsigned int state = compat_task_state(p);
	int exit_state = READ_ONCE(p->exit_state);

	if (exit_state & EXIT_ZOMBIE)
		return LTTNG_STATUS_ZOMBIE;
	if (exit_state & EXIT_DEAD)
		return LTTNG_STATUS_DEAD;
	if (compat_task_is_new(p, state))
		return LTTNG_STATUS_WAIT_FORK;
	/* Running or ready: the reader learns which from the next switch. */
	if (state == TASK_RUNNING)
		return LTTNG_STATUS_WAIT_CPU;
	if (state & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE))
		return LTTNG_STATUS_WAIT;
	return LTTNG_STATUS_UNNAMED;
}

/* Caller holds a reference to @p and @pid. Return: as lttng_statedump_pids_read(). */
static bool read_task(struct lttng_statedump_task *task, struct task_struct *p, struct pid *pid)
{
	bool alive;

	rcu_read_lock();
	alive = lttng_statedump_pids_read(&task->pids, p, pid);
	if (alive)
		read_user_namespaces(task, p);
	task_lock(p);
	memcpy(task->comm, p->comm, TASK_COMM_LEN);
	task->files = p->files;
	/*
	 * The nsproxy is pinned by the RCU read lock before 3.17, by the task lock since
	 * (commit 728dba3a39c6).
	 */
	if (!lttng_namespaces_read(&task->set, p, &hidden.mnt_ns))
		memset(&task->set, 0, sizeof(task->set));
	task_unlock(p);
	rcu_read_unlock();
	if (!alive)
		return false;

	task->tid = task->pids.ns[0].vtid;
	task->pid = task->pids.ns[0].vpid;
	task->ppid = task->pids.ns[0].vppid;
	task->comm[TASK_COMM_LEN - 1] = '\0';
	task->type = p->flags & PF_KTHREAD ? LTTNG_TYPE_KERNEL_THREAD : LTTNG_TYPE_USER_THREAD;
	task->mode = LTTNG_MODE_UNKNOWN;
	task->submode = LTTNG_SUBMODE_NONE;
	task->status = task_status(p);
	task->cpu = task_cpu(p);
	task->start_time = compat_task_start_boottime(p);
	return true;
}

static void dump_namespaces(struct statedump *dump, struct task_struct *p)
{
	struct lttng_kernel_session *session = dump->session;
	const struct lttng_statedump_task *task = &dump->task;
	const struct lttng_namespaces *set = &task->set;
	unsigned int i;

	for (i = task->pids.nr; i-- > 0;)
		trace_lttng_statedump_process_pid_ns(session, task, i);
	for (i = 0; i < task->nr_user_ns; i++)
		trace_lttng_statedump_process_user_ns(session, task, &task->user_ns[i]);
	if (set->uts && !lttng_namespaces_are_leaders(p))
		trace_lttng_statedump_process_namespaces(session, task->tid, set);
	/* What the kernel lacks or was configured without, or the task has given up, is 0. */
	if (set->cgroup)
		trace_lttng_statedump_process_cgroup_ns(session, task->tid, set->cgroup);
	if (set->ipc)
		trace_lttng_statedump_process_ipc_ns(session, task->tid, set->ipc);
	if (set->mnt)
		trace_lttng_statedump_process_mnt_ns(session, task->tid, set->mnt);
	if (set->net)
		trace_lttng_statedump_process_net_ns(session, task->tid, set->net);
	if (set->uts)
		trace_lttng_statedump_process_uts_ns(session, task->tid, set->uts);
	if (set->time)
		trace_lttng_statedump_process_time_ns(session, task->tid, set->time);
}

/* Called by iterate_fd() with files->file_lock held. Return: not 0 to stop. */
static int copy_file(const void *data, struct file *file, unsigned int fd)
{
	struct statedump *dump = (struct statedump *)data;
	struct open_file *copy = &dump->files[dump->nr_files++];

	/*
	 * The path, not the file: were ours the last reference to the file, it
	 * would be closed late, and by lttng-sessiond.
	 */
	copy->path = file->f_path;
	path_get(&copy->path);
	copy->fd = fd;
	copy->flags = COMPAT_FILE_FLAGS(file);
	if (compat_close_on_exec(fd, dump->task.files))
		copy->flags |= O_CLOEXEC;
	copy->mode = file->f_mode;
	return dump->nr_files == FILE_BATCH;
}

/* Return: the name of an open file; in dump->name unless d_path() put it elsewhere. */
static const char *file_name(struct statedump *dump, const struct path *path)
{
	const char *name = d_path(path, dump->name, PATH_MAX);
	struct dentry *dentry = path->dentry;

	if (!IS_ERR(name))
		return name;
	/* Too long for a path: its last component is better than nothing. */
	spin_lock(&dentry->d_lock);
	snprintf(dump->name, PATH_MAX, "%s", (const char *)dentry->d_name.name);
	spin_unlock(&dentry->d_lock);
	return dump->name;
}

/*
 * Each table is told once, with the first thread that has it; each file of it that stays
 * open throughout, exactly once.
 */
static int dump_files(struct statedump *dump, struct task_struct *p, struct pid *pid)
{
	struct files_struct *files = dump->task.files;
	struct lttng_known *known = lttng_known_want_files(&dump->tables, files, pid);
	bool has_table;
	unsigned int i;

	if (!known)
		return 0;
	if (IS_ERR(known))
		return PTR_ERR(known);
	do {
		dump->nr_files = 0;
		task_lock(p);
		/* The task lock pins its table; stop if it took another one. */
		has_table = p->files == files;
		if (has_table)
			iterate_fd(files, known->next_fd, copy_file, dump);
		task_unlock(p);
		for (i = 0; i < dump->nr_files; i++) {
			struct open_file *file = &dump->files[i];

			trace_lttng_statedump_file_descriptor(dump->session, files, file->fd,
							      file_name(dump, &file->path),
							      file->flags, file->mode);
			path_put(&file->path);
			known->next_fd = file->fd + 1;
		}
		known->nr_files += dump->nr_files;
		cond_resched();
	} while (dump->nr_files == FILE_BATCH);
	if (has_table)
		known->next_fd = UINT_MAX;
	return 0;
}

static int dump_task(struct statedump *dump, struct task_struct *p, struct pid *pid)
{
	struct lttng_statedump_task *task = &dump->task;
	unsigned int level;
	int ret;

	if (!read_task(task, p, pid))
		return 0;
	if (task->pids.is_ns_init)
		trace_lttng_statedump_pid_namespace(dump->session, task);
	for (level = task->pids.nr; level-- > 0;)
		trace_lttng_statedump_process_state(dump->session, task, level);
	dump_namespaces(dump, p);
	ret = lttng_cgroup_dump_task(&dump->cgroups, p, task->tid);
	if (ret)
		return ret;
	return dump_files(dump, p, pid);
}

/*
 * Walk all threads in the order of their tids. The only state of the walk is a
 * number, so that it may be interrupted anywhere: RCU sections are as short as
 * one task, and the CPU is yielded after each.
 *
 * What it guarantees: a thread that keeps its tid from lttng_statedump_start to
 * lttng_statedump_end is told exactly once. A thread that is created meanwhile
 * may be missing; then its sched_process_fork has been recorded, as the dump
 * runs while the session is active. One that ends meanwhile may be told or not,
 * and never after its number went to another task: what is told was read while
 * the thread still had it. A thread that exec()s changes its tid for that of its
 * leader, so it is told under either, and sched_process_exec connects the two.
 */
static int dump_tasks(struct statedump *dump)
{
	struct task_struct *p;
	struct pid *pid;
	int tid = 1, ret = 0;

	while (!ret && compat_next_task(&tid, &p, &pid)) {
		if (p) {
			ret = dump_task(dump, p, pid);
			put_pid(pid);
			put_task_struct(p);
		}
		cond_resched();
	}
	return ret;
}

static void lock_irq_descs(void)
{
#ifdef COMPAT_IRQ_DESC_NEEDS_LOCK
	mutex_lock(hidden.sparse_irq_lock);
#endif
}

static void unlock_irq_descs(void)
{
#ifdef COMPAT_IRQ_DESC_NEEDS_LOCK
	mutex_unlock(hidden.sparse_irq_lock);
#endif
}

static bool irqs_are_readable(void)
{
#ifdef COMPAT_IRQ_DESC_NEEDS_LOCK
	return hidden.sparse_irq_lock;
#else
	return true;
#endif
}

/* Return: false if interrupt @irq has no @nth handler. */
static bool read_irq(struct lttng_statedump_irq *handler, unsigned int irq, unsigned int nth)
{
	struct irqaction *action = NULL;
	struct irq_desc *desc;
	unsigned long flags;
	const char *chip;

	lock_irq_descs();
	rcu_read_lock();
	desc = wrapper_irq_to_desc(irq);
	if (!desc)
		goto unlock_rcu;
	raw_spin_lock_irqsave(&desc->lock, flags);
	for (action = desc->action; action && nth; action = action->next)
		nth--;
	if (!action)
		goto unlock_desc;
	chip = irq_desc_get_chip(desc)->name;
	handler->irq = irq;
	snprintf(handler->chip, sizeof(handler->chip), "%s", chip ? chip : "unnamed_irq_chip");
	snprintf(handler->action, sizeof(handler->action), "%s", action->name ? action->name : "");
	handler->tid = action->thread ? action->thread->pid : 0;
unlock_desc:
	raw_spin_unlock_irqrestore(&desc->lock, flags);
unlock_rcu:
	rcu_read_unlock();
	unlock_irq_descs();
	return action;
}

static void dump_interrupts(struct lttng_kernel_session *session)
{
	struct lttng_statedump_irq handler;
	unsigned int irq, nth;

	if (!irqs_are_readable())
		return;
	for (irq = 0; irq < compat_nr_irqs(); irq++) {
		for (nth = 0; read_irq(&handler, irq, nth); nth++)
			trace_lttng_statedump_interrupt(session, &handler);
		cond_resched();
	}
}

#ifdef CONFIG_INET

/* The interfaces of the initial network namespace, one event for each address. */
static void dump_network_interfaces(struct lttng_kernel_session *session)
{
	struct net_device *dev;

	rtnl_lock();
	for_each_netdev(&init_net, dev) {
		const struct in_device *in_dev = __in_dev_get_rtnl(dev);
		const struct in_ifaddr *ifa;

		if (!(dev->flags & IFF_UP)) {
			trace_lttng_statedump_network_interface(session, dev->name, 0);
			continue;
		}
		if (!in_dev)
			continue;
		for (ifa = rtnl_dereference(in_dev->ifa_list); ifa;
		     ifa = rtnl_dereference(ifa->ifa_next))
			trace_lttng_statedump_network_interface(session, dev->name,
								ifa->ifa_address);
	}
	rtnl_unlock();
}

#else

static void dump_network_interfaces(struct lttng_kernel_session *session)
{
}

#endif /* CONFIG_INET */

#ifdef CONFIG_BLOCK

static void dump_disk(struct lttng_kernel_session *session, struct gendisk *disk)
{
	const char *disk_name = disk->disk_name;
	bool ends_in_digit = isdigit(disk_name[strlen(disk_name) - 1]);
	char name[BDEVNAME_SIZE];
	unsigned long part = 0;
	dev_t dev;

	for (; compat_disk_part(disk, &part, &dev); part++) {
		/* As everywhere: sda1, but nvme0n1p1 (block/genhd.c or bdevname()). */
		if (part)
			snprintf(name, sizeof(name), "%s%s%lu", disk_name,
				 ends_in_digit ? "p" : "", part);
		else
			snprintf(name, sizeof(name), "%s", disk_name);
		trace_lttng_statedump_block_device(session, dev, name);
	}
}

static void dump_block_devices(struct lttng_kernel_session *session)
{
	struct class_dev_iter iter;
	struct device *dev;

	if (!hidden.block_class || !hidden.disk_type)
		return;
	class_dev_iter_init(&iter, hidden.block_class, NULL, hidden.disk_type);
	while ((dev = class_dev_iter_next(&iter))) {
		struct gendisk *disk = dev_to_disk(dev);

		if (get_capacity(disk) && !compat_disk_is_hidden(disk))
			dump_disk(session, disk);
	}
	class_dev_iter_exit(&iter);
}

#else

static void dump_block_devices(struct lttng_kernel_session *session)
{
}

#endif /* CONFIG_BLOCK */

static void dump_cpu_topology(struct lttng_kernel_session *session)
{
#ifdef CONFIG_X86
	int cpu;

	for_each_possible_cpu(cpu)
		trace_lttng_statedump_cpu_topology(session, &cpu_data(cpu));
#endif
}

static long do_nothing(void *unused)
{
	return 0;
}

/*
 * Return once a task was scheduled on each CPU: no interrupt handler or trap
 * that was running when the dump began is still on its way, so readers know the
 * mode of every CPU.
 */
static void pass_every_cpu(void)
{
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		work_on_cpu(cpu, do_nothing, NULL);
	cpus_read_unlock();
}

/**
 * lttng_statedump_start() - tell a session what there is
 * @session: active; lttng-tracer calls with its mutex held, so it stays
 *
 * Sleeps. Return: 0, or -ENOMEM with the dump incomplete: lttng_statedump_end
 * is missing then.
 */
int lttng_statedump_start(struct lttng_kernel_session *session)
{
	struct statedump *dump;
	int ret = -ENOMEM;

	dump = kzalloc(sizeof(*dump), GFP_KERNEL);
	if (!dump)
		return -ENOMEM;
	dump->name = kmalloc(PATH_MAX, GFP_KERNEL);
	if (!dump->name)
		goto err_free_dump;
	dump->session = session;
	ret = lttng_known_init(&dump->tables);
	if (ret)
		goto err_free_name;
	ret = lttng_cgroup_dump_begin(&dump->cgroups, session, dump->name);
	if (ret)
		goto err_end_cgroups;

	trace_lttng_statedump_start(session);
	ret = dump_tasks(dump);
	if (ret)
		goto err_end_cgroups;
	dump_interrupts(session);
	dump_network_interfaces(session);
	dump_block_devices(session);
	dump_cpu_topology(session);
	pass_every_cpu();
	trace_lttng_statedump_end(session);

err_end_cgroups:
	lttng_cgroup_dump_end(&dump->cgroups);
	lttng_known_free(&dump->tables);
err_free_name:
	kfree(dump->name);
err_free_dump:
	kfree(dump);
	return ret;
}
EXPORT_SYMBOL_GPL(lttng_statedump_start);

static int __init lttng_statedump_init(void)
{
	bool has_mnt_ns;

	has_mnt_ns = compat_mnt_ns_reader_init(&hidden.mnt_ns,
					       (void *)kallsyms_lookup_dataptr("mntns_operations"));
	hidden.block_class = (void *)kallsyms_lookup_dataptr("block_class");
	hidden.disk_type = (void *)kallsyms_lookup_dataptr("disk_type");
	hidden.sparse_irq_lock = (void *)kallsyms_lookup_dataptr("sparse_irq_lock");
	if (!has_mnt_ns)
		pr_warn("LTTng: state dump without mount namespaces, as this kernel hides them\n");
	if (IS_ENABLED(CONFIG_BLOCK) && (!hidden.block_class || !hidden.disk_type))
		pr_warn("LTTng: state dump without block devices, as this kernel hides them\n");
	if (!irqs_are_readable())
		pr_warn("LTTng: state dump without interrupts, as this kernel hides their lock\n");
	return 0;
}
module_init(lttng_statedump_init);

static void __exit lttng_statedump_exit(void)
{
}
module_exit(lttng_statedump_exit);

MODULE_LICENSE("GPL and additional rights");
MODULE_DESCRIPTION("LTTng state dump with container identity");
MODULE_VERSION(__stringify(LTTNG_MODULES_MAJOR_VERSION) "."
	       __stringify(LTTNG_MODULES_MINOR_VERSION) "."
	       __stringify(LTTNG_MODULES_PATCHLEVEL_VERSION)
	       LTTNG_MODULES_EXTRAVERSION);
