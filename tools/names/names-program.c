/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <seccomp.h>
#include <sys/prctl.h>

#include "names-helper.h"
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
	/* To reach into other processes, or to end them. */
	"kill",
	"kcmp",
	"pidfd_getfd",
	"pidfd_open",
	"pidfd_send_signal",
	"process_madvise",
	"process_vm_readv",
	"process_vm_writev",
	"ptrace",
	"rt_sigqueueinfo",
	"rt_tgsigqueueinfo",
	"tgkill",
	"tkill",
	/* To change what files are, which Landlock does not refuse. */
	"chmod",
	"chown",
	"chown32",
	"fchmod",
	"fchmodat",
	"fchmodat2",
	"fchown",
	"fchown32",
	"fchownat",
	"fremovexattr",
	"fsetxattr",
	"futimesat",
	"lchown",
	"lchown32",
	"lremovexattr",
	"lsetxattr",
	"removexattr",
	"removexattrat",
	"setxattr",
	"setxattrat",
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
	"mount_setattr",
	"move_mount",
	"name_to_handle_at",
	"open_by_handle_at",
	"open_tree",
	"perf_event_open",
	"pivot_root",
	"quotactl",
	"quotactl_fd",
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

static int refuse_all(scmp_filter_ctx ctx)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		int call = seccomp_syscall_resolve_name(refused[i]);

		/* The library may be too old to know of it, or the machine have none. */
		if (call != __NR_SCMP_ERROR &&
		    seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), call, 0))
			return -1;
	}
	return seccomp_load(ctx);
}

int confine_program(void)
{
	scmp_filter_ctx ctx;
	int status;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	status = confine_writing();
	ctx = seccomp_init(SCMP_ACT_ALLOW);
	if (!ctx || refuse_all(ctx))
		status = -1;
	seccomp_release(ctx);
	return status;
}
