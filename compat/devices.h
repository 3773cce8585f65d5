/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * File descriptors, block devices, interrupts, addresses and CPUs: what the
 * state dump lists besides tasks.
 */
#ifndef LTTNG_COMPAT_DEVICES_H
#define LTTNG_COMPAT_DEVICES_H

#include <compat/facts.h>

#include <linux/blkdev.h>
#include <linux/cpu.h>
#include <linux/fdtable.h>
#include <linux/inetdevice.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>

/* Kernel-internal flag of struct file (linux/fs.h) that f_flags may carry. */
#define COMPAT_FILE_FLAGS(file) ((file)->f_flags & ~(__force unsigned int)FMODE_NONOTIFY)

/* Caller holds files->file_lock. */
static inline bool compat_close_on_exec(unsigned int fd, const struct files_struct *files)
{
#ifdef HAVE_CLOSE_ON_EXEC_FILES
	return close_on_exec(fd, files);
#else
	return close_on_exec(fd, files_fdtable((struct files_struct *)files));
#endif
}

#ifdef CONFIG_BLOCK

static inline bool compat_disk_is_hidden(const struct gendisk *disk)
{
#ifdef GENHD_FL_SUPPRESS_PARTITION_INFO
	return disk->flags & GENHD_FL_SUPPRESS_PARTITION_INFO;
#else
	return disk->flags & GENHD_FL_HIDDEN;
#endif
}

#ifndef HAVE_DISK_PART_TBL_XARRAY
#ifdef HAVE_HD_STRUCT
#define compat_disk_part_t	    struct hd_struct
#define compat_disk_part_number(part) ((part)->partno)
#define compat_disk_part_devt(part)   part_devt(part)
#else
#define compat_disk_part_t	    struct block_device
#define compat_disk_part_number(part) ((part)->bd_partno)
#define compat_disk_part_devt(part)   ((part)->bd_dev)
#endif
#endif

/**
 * compat_disk_part() - a partition of @disk, number 0 being the whole disk
 * @index: where to look from; set to the number of what was found
 * @dev:   its device number
 *
 * Return: false when there is no partition from @index on.
 */
static inline bool compat_disk_part(struct gendisk *disk, unsigned long *index, dev_t *dev)
{
	bool found = false;
#ifdef HAVE_DISK_PART_TBL_XARRAY
	struct block_device *part;

	rcu_read_lock();
	for (part = xa_find(&disk->part_tbl, index, ULONG_MAX, XA_PRESENT); part;
	     part = xa_find_after(&disk->part_tbl, index, ULONG_MAX, XA_PRESENT)) {
		if (bdev_is_partition(part) && !bdev_nr_sectors(part))
			continue;
		*dev = part->bd_dev;
		found = true;
		break;
	}
	rcu_read_unlock();
#else
	struct disk_part_iter iter;
	compat_disk_part_t *part;

	disk_part_iter_init(&iter, disk, DISK_PITER_INCL_PART0);
	while ((part = disk_part_iter_next(&iter))) {
		if (compat_disk_part_number(part) < *index)
			continue;
		*index = compat_disk_part_number(part);
		*dev = compat_disk_part_devt(part);
		found = true;
		break;
	}
	disk_part_iter_exit(&iter);
#endif
	return found;
}

#endif /* CONFIG_BLOCK */

/*
 * Interrupt descriptors that come and go are freed after a grace period since
 * 4.7, commit 425a5072dcd1; before, the mutex sparse_irq_lock of
 * kernel/irq/irqdesc.c pins them.
 */
#if defined(CONFIG_SPARSE_IRQ) && !defined(HAVE_IRQ_DESC_RCU)
#define COMPAT_IRQ_DESC_NEEDS_LOCK
#endif

static inline unsigned int compat_nr_irqs(void)
{
#ifdef HAVE_IRQ_GET_NR_IRQS
	return irq_get_nr_irqs();
#else
	return nr_irqs;
#endif
}

/* 4.13, commit 8f553c498e17. */
#ifndef HAVE_CPUS_READ_LOCK
#define cpus_read_lock()   get_online_cpus()
#define cpus_read_unlock() put_online_cpus()
#endif

#ifdef CONFIG_X86
/* 6.7 gathered these in struct cpuinfo_topology. */
#ifdef HAVE_CPUINFO_TOPOLOGY
#define compat_cpu_package(c) ((c)->topo.pkg_id)
#define compat_cpu_core(c)    ((c)->topo.core_id)
#else
#define compat_cpu_package(c) ((c)->phys_proc_id)
#define compat_cpu_core(c)    ((c)->cpu_core_id)
#endif
#endif

#endif /* LTTNG_COMPAT_DEVICES_H */
