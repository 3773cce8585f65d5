/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "names-helper.h"
#include "base/util.h"

/*
 * What reading the largest files takes: 4 MiB of the shortest entries that name anybody take thirty
 * times as much. Root's may be an answer of docker's, which is twice as long. Who needs more is to
 * run out of memory, not of time, also where a processor is slow: that costs his names alone.
 */
#define ROOT_MEMORY  (512ull << 20)
#define USER_MEMORY  (160ull << 20)
#define ROOT_SECONDS 20
#define USER_SECONDS 2

#ifdef __SANITIZE_ADDRESS__
/* It reserves terabytes, and what it finds must be seen. */
static const bool sanitized = true;
#else
static const bool sanitized;
#endif

static bool is_kept(int fd, const int *keep, size_t nr_keep)
{
	size_t i;

	for (i = 0; i < nr_keep; i++)
		if (keep[i] == fd)
			return true;
	return fd <= STDERR_FILENO;
}

void close_from(int first)
{
	struct rlimit files = {.rlim_cur = 1024};
	int fd;

#ifdef SYS_close_range
	if (!syscall(SYS_close_range, first, ~0u, 0))
		return;
#endif
	getrlimit(RLIMIT_NOFILE, &files);
	for (fd = first; (rlim_t)fd < files.rlim_cur && fd < 1 << 16; fd++)
		close(fd);
}

/* Sessions, sockets, the trace: none of it is for who reads strangers' files. */
static void close_others(const int *keep, size_t nr_keep)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int fd, max = 0;
	size_t i;

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	if (!sanitized)
		dup2(null, STDERR_FILENO);
	for (i = 0; i < nr_keep; i++)
		max = keep[i] > max ? keep[i] : max;
	for (fd = 0; fd < max; fd++)
		if (!is_kept(fd, keep, nr_keep))
			close(fd);
	close_from(max + 1);
}

static int be_user(const struct owner *o)
{
	if (setgroups(0, NULL) || setresgid(o->group, o->group, o->group) ||
	    setresuid(o->user, o->user, o->user))
		return -1;
	/* There must be no way back. */
	return setresuid(0, 0, 0) ? 0 : -1;
}

int confine_rights(uint32_t mask)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, caps))
		return -1;
	caps[0].permitted &= mask;
	caps[0].effective = caps[0].permitted;
	caps[0].inheritable = 0;
	caps[1] = (struct __user_cap_data_struct){0};
	return (int)syscall(SYS_capset, &header, caps);
}

static int drop_rights(const struct owner *o)
{
	/* Only to read everything: containers' files are of all kinds of users. */
	if (!o->user)
		return confine_rights(1u << CAP_DAC_READ_SEARCH);
	/* Not everywhere there is such a user; who opens nothing is safe without. */
	return be_user(o) && (!o->opens_nothing || confine_rights(0)) ? -1 : 0;
}

static void limit(int what, rlim_t max)
{
	struct rlimit r;

	if (getrlimit(what, &r))
		return;
	r.rlim_max = r.rlim_max < max ? r.rlim_max : max;
	r.rlim_cur = r.rlim_max;
	setrlimit(what, &r);
}

/* How much memory this process has mapped, bytes. */
static rlim_t mapped(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long long pages = 0;

	if (f && fscanf(f, "%llu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit_all(const struct owner *o)
{
	bool is_roots = !o->user || o->opens_nothing;
	rlim_t memory = o->memory ? o->memory : is_roots ? ROOT_MEMORY : USER_MEMORY;

	if (!sanitized)
		limit(RLIMIT_AS, mapped() + memory);
	limit(RLIMIT_CPU, o->seconds ? o->seconds : is_roots ? ROOT_SECONDS : USER_SECONDS);
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, HELPER_INOTIFY + 1);
	limit(RLIMIT_NPROC, 0);
}

int confine(const struct owner *o, const int *keep, size_t nr_keep)
{
	close_others(keep, nr_keep);
	limit_all(o);
	if (!geteuid() && drop_rights(o))
		return -1;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* With any arguments. */
static const char *const calls[] = {
	"brk",
	"clock_gettime",
	"clock_gettime64",
	"close",
	"exit",
	"exit_group",
	"fstat",
	"fstat64",
	"futex",
	"futex_time64",
	"gettimeofday",
	"getrandom",
	"_llseek",
	"lseek",
	"madvise",
	"mremap",
	"munmap",
	"pread64",
	"rt_sigreturn",
	"sched_yield",
	/* AddressSanitizer's, before the end. */
	"sigaltstack",
	"sigreturn",
	"write",
};
/* Of who looks for files, and is told on a socket which. */
static const char *const calls_of_files[] = {
	"fstatat64", "getdents", "getdents64", "newfstatat", "recv",
	"recvfrom",  "send",	 "sendto",     "statx",
};
/* What the C library may call for fstat(); of what is open already. */
static const char *const calls_of_fstat[] = {"fstatat64", "newfstatat"};
/* Not to make memory that can be run. */
static const char *const memory_calls[] = {"mmap", "mmap2", "mprotect"};

static int allow(scmp_filter_ctx ctx, const char *name, unsigned int nr,
		 const struct scmp_arg_cmp *args)
{
	int call = seccomp_syscall_resolve_name(name);

	/* Some machines have no such call, nor need it. */
	if (call == __NR_SCMP_ERROR)
		return 0;
	return seccomp_rule_add_array(ctx, SCMP_ACT_ALLOW, call, nr, args);
}

/* To look for files, and to open them to read. */
static int allow_files(scmp_filter_ctx ctx, const struct owner *o)
{
	const struct scmp_arg_cmp only_read[] = {
		SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, 0)};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls_of_files); i++)
		if (allow(ctx, calls_of_files[i], 0, NULL))
			return -1;
	/* Whether openat2() writes a filter cannot see; a user may only write what is his. */
	if (o->user && allow(ctx, "openat2", 0, NULL))
		return -1;
	return allow(ctx, "openat", 1, only_read);
}

/*
 * To ask of what is open already how it is; not to have signals sent when something comes, for
 * which the kernel takes the user that is root, and not the rights that it has left.
 */
static int allow_fcntl(scmp_filter_ctx ctx, bool opens)
{
	static const char *const fcntls[] = {"fcntl", "fcntl64"};
	/* The last is what the C library does with a directory. */
	static const scmp_datum_t commands[] = {F_GETFD, F_GETFL, F_SETFD};
	size_t nr = opens ? 3 : 2, i, j;

	for (i = 0; i < ARRAY_SIZE(fcntls); i++)
		for (j = 0; j < nr; j++) {
			const struct scmp_arg_cmp only[] = {SCMP_A1(SCMP_CMP_EQ, commands[j])};

			if (allow(ctx, fcntls[i], 1, only))
				return -1;
		}
	return 0;
}

/*
 * Helpers add to what is watched, by a descriptor that is the highest they may have; what has
 * changed is not theirs to read away, nor to ask for anything else in its place.
 */
static int allow_watching(scmp_filter_ctx ctx, bool opens)
{
	const struct scmp_arg_cmp others[] = {SCMP_A0(SCMP_CMP_LT, HELPER_INOTIFY)};
	const struct scmp_arg_cmp only[] = {SCMP_A2(SCMP_CMP_MASKED_EQ, 0xffffffff, WATCH_MASK)};

	if (!opens)
		return allow(ctx, "read", 0, NULL);
	return allow(ctx, "read", 1, others) || allow(ctx, "inotify_add_watch", 1, only) ? -1 : 0;
}

static int allow_fstat(scmp_filter_ctx ctx)
{
	const struct scmp_arg_cmp empty_path[] = {
		SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH)};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls_of_fstat); i++)
		if (allow(ctx, calls_of_fstat[i], 1, empty_path))
			return -1;
	return 0;
}

static int allow_all(scmp_filter_ctx ctx, const struct owner *o, bool opens)
{
	const struct scmp_arg_cmp not_run[] = {SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (allow(ctx, calls[i], 0, NULL))
			return -1;
	for (i = 0; i < ARRAY_SIZE(memory_calls); i++)
		if (allow(ctx, memory_calls[i], 1, not_run))
			return -1;
	if (allow_fcntl(ctx, opens) || allow_watching(ctx, opens))
		return -1;
	return opens ? allow_files(ctx, o) : allow_fstat(ctx);
}

int confine_calls(const struct owner *o, bool opens)
{
	/* An error, and not the end: a C library may know another way. */
	scmp_filter_ctx ctx = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int status = ctx ? allow_all(ctx, o, opens) : -1;

	if (!status)
		status = seccomp_load(ctx);
	seccomp_release(ctx);
	return status ? -1 : 0;
}
