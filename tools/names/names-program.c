/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "names-helper.h"
#include "base/memory.h"
#include "base/util.h"

/*
 * What a program that reads traces, and prints, never calls. It may be any C library's, and load
 * any other library, so that what it does call is not known as well as this is.
 */
static const char *const refused[] = {
	/* To talk to anybody: a socket of a daemon is a way to all that it may do. */
	"accept",
	"accept4",
	"bind",
	"connect",
	"io_uring_enter",
	"io_uring_register",
	"io_uring_setup",
	"listen",
	"socket",
	"socketcall",
	"socketpair",
	/* To reach into other processes, to slow them down, or to end them. */
	"ioprio_set",
	"ipc",
	"kcmp",
	"kill",
	"migrate_pages",
	"move_pages",
	"mq_open",
	"mq_unlink",
	"msgctl",
	"msgget",
	"msgrcv",
	"msgsnd",
	"pidfd_getfd",
	"pidfd_open",
	"pidfd_send_signal",
	"process_vm_readv",
	"process_vm_writev",
	"ptrace",
	"rt_sigqueueinfo",
	"rt_tgsigqueueinfo",
	"sched_setaffinity",
	"sched_setattr",
	"sched_setparam",
	"sched_setscheduler",
	"semctl",
	"semget",
	"semop",
	"semtimedop",
	"semtimedop_time64",
	"setpriority",
	"shmat",
	"shmctl",
	"shmget",
	"tgkill",
	"tkill",
	/* To live on when it is to end. */
	"fork",
	"vfork",
	/* To change what files are, which Landlock does not refuse, or kernels that have none. */
	"chmod",
	"chown",
	"chown32",
	"creat",
	"fanotify_init",
	"fchmod",
	"fchmodat",
	"fchown",
	"fchown32",
	"fchownat",
	"flock",
	"fremovexattr",
	"fsetxattr",
	"futimesat",
	"lchown",
	"lchown32",
	"link",
	"linkat",
	"lremovexattr",
	"lsetxattr",
	"mkdir",
	"mkdirat",
	"mknod",
	"mknodat",
	/* Its flags are where a filter does not look. */
	"openat2",
	"removexattr",
	"rename",
	"renameat",
	"renameat2",
	"rmdir",
	"setxattr",
	"symlink",
	"symlinkat",
	"truncate",
	"truncate64",
	"unlink",
	"unlinkat",
	"utime",
	"utimensat",
	"utimensat_time64",
	"utimes",
	/* To change the host. */
	"acct",
	"add_key",
	"adjtimex",
	"bpf",
	"chroot",
	"clock_adjtime",
	"clock_adjtime64",
	"clock_settime",
	"clock_settime64",
	"delete_module",
	"finit_module",
	"fsconfig",
	"fsmount",
	"fsopen",
	"fspick",
	"init_module",
	"ioperm",
	"iopl",
	"kexec_file_load",
	"kexec_load",
	"keyctl",
	"mount",
	"move_mount",
	"name_to_handle_at",
	"open_by_handle_at",
	"open_tree",
	"perf_event_open",
	"pivot_root",
	"quotactl",
	"reboot",
	"request_key",
	"setdomainname",
	"sethostname",
	"setns",
	"settimeofday",
	"stime",
	"swapoff",
	"swapon",
	"syslog",
	"umount",
	"umount2",
	"unshare",
	"userfaultfd",
	"vhangup",
};

/*
 * Those of them that the library may not know by name, where the kernel is newer than it is. From
 * 424 on each call is as far from openat2() on every machine.
 */
#define CALL(nr) (SYS_openat2 - 437 + (nr))
enum {
	PROCESS_MADVISE = CALL(440),
	MOUNT_SETATTR = CALL(442),
	QUOTACTL_FD = CALL(443),
	PROCESS_MRELEASE = CALL(448),
	FCHMODAT2 = CALL(452),
	SETXATTRAT = CALL(463),
	REMOVEXATTRAT = CALL(466),
	OPEN_TREE_ATTR = CALL(467),
	FILE_SETATTR = CALL(469),
};
static const int refused_new[] = {
	PROCESS_MADVISE, MOUNT_SETATTR, QUOTACTL_FD,	PROCESS_MRELEASE, FCHMODAT2,
	SETXATTRAT,	 REMOVEXATTRAT, OPEN_TREE_ATTR, FILE_SETATTR,
};

/* The same with such an argument. What the kernel takes as 32 bits is compared as that. */
#define ALL_OF_32 0xffffffff
static const struct {
	const char *call;
	struct scmp_arg_cmp arg;
} refused_if[] = {
	/*
	 * To open for anything but reading: a second lock beside Landlock's, which until Linux 6.2
	 * does not hear of files that are cut while they are opened.
	 */
	{"open", SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, O_WRONLY)},
	{"open", SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, O_RDWR)},
	{"open", SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, O_ACCMODE)},
	{"open", SCMP_A1(SCMP_CMP_MASKED_EQ, O_CREAT, O_CREAT)},
	{"open", SCMP_A1(SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC)},
	{"openat", SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, O_WRONLY)},
	{"openat", SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, O_RDWR)},
	{"openat", SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, O_ACCMODE)},
	{"openat", SCMP_A2(SCMP_CMP_MASKED_EQ, O_CREAT, O_CREAT)},
	{"openat", SCMP_A2(SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC)},
	/* To have signals sent, or to keep others from their files. */
	{"fcntl", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETOWN)},
	{"fcntl", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETOWN_EX)},
	{"fcntl", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETSIG)},
	{"fcntl", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETLEASE)},
	{"fcntl64", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETOWN)},
	{"fcntl64", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETOWN_EX)},
	{"fcntl64", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETSIG)},
	{"fcntl64", SCMP_A1(SCMP_CMP_MASKED_EQ, ALL_OF_32, F_SETLEASE)},
	/* Of others, who can be ended by it. */
	{"prlimit64", SCMP_A0(SCMP_CMP_NE, 0)},
	/* All but threads. */
	{"clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)},
};

static int refuse(scmp_filter_ctx ctx, const char *name, int why, unsigned int nr,
		  const struct scmp_arg_cmp *args)
{
	int call = seccomp_syscall_resolve_name(name);

	/* The library may be too old to know of it, or the machine have none. */
	if (call == __NR_SCMP_ERROR)
		return 0;
	return seccomp_rule_add_array(ctx, SCMP_ACT_ERRNO((uint16_t)why), call, nr, args);
}

/*
 * To type into a terminal, to freeze a file system, and all else but to ask what is a terminal:
 * isatty() does with TCGETS, from glibc 2.42 on with TCGETS2. A rule compares an argument once, so
 * that all but two numbers are refused by rules of two bits: one in which the two differ, which
 * tells which is meant, and each other that is not as in that one.
 */
static int refuse_ioctls(scmp_filter_ctx ctx)
{
#ifdef TCGETS2
	static const uint32_t asked[] = {TCGETS, TCGETS2};
	const uint32_t differ = (asked[0] ^ asked[1]) & -(asked[0] ^ asked[1]);
	uint32_t bit;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(asked); i++)
		for (bit = 1; bit; bit <<= 1) {
			struct scmp_arg_cmp other =
				SCMP_A1(SCMP_CMP_MASKED_EQ, differ | bit,
					(asked[i] & differ) | (~asked[i] & bit));

			if (bit != differ && refuse(ctx, "ioctl", EPERM, 1, &other))
				return -1;
		}
	return 0;
#else
	return refuse(ctx, "ioctl", EPERM, 1, &SCMP_A1(SCMP_CMP_NE, TCGETS));
#endif
}

static int refuse_all(scmp_filter_ctx ctx)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++)
		if (refuse(ctx, refused[i], EPERM, 0, NULL))
			return -1;
	for (i = 0; i < ARRAY_SIZE(refused_new); i++)
		if (seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), refused_new[i], 0))
			return -1;
	for (i = 0; i < ARRAY_SIZE(refused_if); i++)
		if (refuse(ctx, refused_if[i].call, EPERM, 1, &refused_if[i].arg))
			return -1;
	if (refuse_ioctls(ctx))
		return -1;
	/* Then the C library makes threads with clone(). */
	if (refuse(ctx, "clone3", ENOSYS, 0, NULL))
		return -1;
	return seccomp_load(ctx);
}

int confine_program(void)
{
	const struct rlimit text = {PROGRAM_TEXT_MAX, PROGRAM_TEXT_MAX}, none = {0, 0};
	scmp_filter_ctx ctx;
	int status;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	status = setrlimit(RLIMIT_FSIZE, &text) | setrlimit(RLIMIT_CORE, &none) |
		 setenv(MEMORY_IS_FINAL, "1", 1);
	if (confine_writing())
		status = -1;
	if (!geteuid() && confine_rights(1u << CAP_DAC_READ_SEARCH))
		status = -1;
	ctx = seccomp_init(SCMP_ACT_ALLOW);
	if (!ctx || refuse_all(ctx))
		status = -1;
	seccomp_release(ctx);
	return status;
}
