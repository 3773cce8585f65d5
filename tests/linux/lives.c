// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Lives of containers, many at a time: each is born into new namespaces and a cgroup of its own,
 * has threads, children, zombies and containers of its own, is entered from outside, moved, and
 * ends with all that it still has. Static, as it runs where there is no C library.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

#define KINDS                                                                                      \
	(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP)
/* Its namespace takes long to make and to free. */
#define NET_EVERY 10

static const char *self;

static void die(const char *what)
{
	fprintf(stderr, "lives: The system refused. call=%s error=%s\n", what, strerror(errno));
	_exit(1);
}

static void sleep_ms(long ms)
{
	struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	nanosleep(&time, NULL);
}

static pthread_t start_thread(void *(*run)(void *))
{
	pthread_t thread;

	if ((errno = pthread_create(&thread, NULL, run, NULL)))
		die("pthread_create");
	return thread;
}

static void join(pthread_t thread)
{
	pthread_join(thread, NULL);
}

static pid_t forked(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	return pid;
}

/* Wait for a child, which must end well. */
static void ends_well(pid_t pid, const char *what)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	if (status) {
		fprintf(stderr, "lives: A part of a life failed. part=%s status=0x%x\n", what,
			status);
		_exit(1);
	}
}

/* ---- what happens in a life; each in a process of its own ------------------ */

static void *nothing(void *unused)
{
	return unused;
}

static void *nap(void *unused)
{
	sleep_ms(20);
	_exit(0);
	return unused;
}

static void *exec_self(void *unused)
{
	execl(self, "lives", "end", (char *)NULL);
	die("execl");
	return unused;
}

static void *unshare_in_thread(void *unused)
{
	if (unshare(CLONE_NEWUTS | CLONE_NEWIPC))
		die("unshare in a thread");
	join(start_thread(nothing));
	return unused;
}

static void threads(void)
{
	pthread_t first = start_thread(nothing), second = start_thread(nothing);

	join(first);
	join(second);
}

static void nested(void)
{
	pid_t pid;

	if (unshare(CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC))
		die("unshare of a nested life");
	pid = forked();
	if (pid == 0) {
		threads();
		/* Ends with this init, unless sooner. */
		if (forked() == 0)
			sleep_ms(1000);
		_exit(0);
	}
	ends_well(pid, "nested init");
}

static void exec_in_thread(void)
{
	join(start_thread(exec_self));
}

static void leaderless(void)
{
	start_thread(nap);
	pthread_exit(NULL);
}

static void unshare_threaded(void)
{
	pthread_t other = start_thread(unshare_in_thread);

	join(start_thread(nothing));
	join(other);
}

static void own_time(void)
{
	pid_t pid;

	if (unshare(CLONE_NEWTIME))
		die("unshare of time");
	pid = forked();
	if (pid == 0)
		_exit(0);
	ends_well(pid, "child in a time namespace");
	/* Enters what was its children's. */
	exec_self(NULL);
}

static void own_user(void)
{
	if (unshare(CLONE_NEWUSER) || unshare(CLONE_NEWCGROUP | CLONE_NEWNS))
		die("unshare of user, cgroup, mnt");
}

static const struct part {
	const char *name;
	void (*run)(void);
} parts[] = {
	{"threads", threads},
	{"nested", nested},
	{"thread-exec", exec_in_thread},
	{"leaderless", leaderless},
	{"unshare", unshare_threaded},
	{"time", own_time},
	{"user", own_user},
};

static void await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		die("read of a pipe");
}

static void tell(int fd)
{
	if (write(fd, "", 1) != 1)
		die("write to a pipe");
}

/* The first process of a life: is @told to begin and to end, tells when all is there. */
static void live(int told, int telling)
{
	pid_t pids[sizeof(parts) / sizeof(*parts)];
	size_t i;

	/* Nothing outlives its keeper. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	await(told);
	prctl(PR_SET_NAME, "life");
	if (sethostname("life", 4))
		die("sethostname");
	if (mount("life", "/tmp", "tmpfs", 0, NULL))
		die("mount");
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		pids[i] = forked();
		if (pids[i] == 0) {
			prctl(PR_SET_NAME, parts[i].name);
			parts[i].run();
			_exit(0);
		}
	}
	/* One is a zombie until the end, one sleeps beyond it. */
	if (forked() == 0)
		_exit(0);
	if (forked() == 0) {
		start_thread(nothing);
		sleep_ms(100000);
	}
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		ends_well(pids[i], parts[i].name);
	tell(telling);
	await(told);
	_exit(0);
}

/* ---- what is done to a life, from outside ---------------------------------- */

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

/* The cgroups of a life, one in each hierarchy. */
struct cgroups {
	glob_t hierarchies;
	long number;
};

static void cgroup_path(char *path, size_t size, const struct cgroups *c, size_t nth,
			const char *file)
{
	snprintf(path, size, "%slife-%ld%s", c->hierarchies.gl_pathv[nth], c->number, file);
}

static void make_cgroups(struct cgroups *c, long number)
{
	char path[256];
	size_t i;

	c->number = number;
	if (glob("/sys/fs/cgroup/*/", GLOB_ONLYDIR, NULL, &c->hierarchies))
		c->hierarchies.gl_pathc = 0;
	for (i = 0; i < c->hierarchies.gl_pathc; i++) {
		cgroup_path(path, sizeof(path), c, i, "");
		if (mkdir(path, 0755))
			die(path);
		cgroup_path(path, sizeof(path), c, i, "/sub");
		if (mkdir(path, 0755))
			die(path);
	}
}

static void attach(const struct cgroups *c, pid_t pid, const char *file)
{
	char path[256], text[16];
	size_t i;

	snprintf(text, sizeof(text), "%d", pid);
	for (i = 0; i < c->hierarchies.gl_pathc; i++) {
		cgroup_path(path, sizeof(path), c, i, file);
		write_file(path, text);
	}
}

static void remove_cgroups(const struct cgroups *c)
{
	char path[256];
	size_t i, tries;

	for (i = 0; i < 2 * c->hierarchies.gl_pathc; i++) {
		cgroup_path(path, sizeof(path), c, i / 2, i % 2 ? "" : "/sub");
		/* Tasks leave their cgroup after they can be waited for. */
		for (tries = 0; rmdir(path); tries++) {
			if (errno != EBUSY || tries == 2000)
				die(path);
			sleep_ms(10);
		}
	}
}

static void map_ids(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/uid_map", pid);
	write_file(path, "0 0 1");
	snprintf(path, sizeof(path), "/proc/%d/gid_map", pid);
	write_file(path, "0 0 1");
}

static void set_namespaces(pid_t pid, int kinds)
{
	static const struct {
		const char *name;
		int kind;
	} files[] = {
		{"user", CLONE_NEWUSER}, {"cgroup", CLONE_NEWCGROUP}, {"ipc", CLONE_NEWIPC},
		{"uts", CLONE_NEWUTS},	 {"net", CLONE_NEWNET},	      {"pid", CLONE_NEWPID},
		{"mnt", CLONE_NEWNS},
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		char path[64];
		int fd;

		if (!(kinds & files[i].kind))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/ns/%s", pid, files[i].name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || setns(fd, files[i].kind))
			die(path);
		close(fd);
	}
}

/* Somebody from outside enters, one kind after the other or all at once, and starts a child there.
 */
static void enter(pid_t life, int kinds, int at_once)
{
	pid_t pid = forked();

	if (pid == 0) {
		int fd;

		prctl(PR_SET_NAME, "entering");
		if (at_once) {
			fd = syscall(SYS_pidfd_open, life, 0);
			if (fd < 0 || setns(fd, kinds))
				die("setns by pidfd");
		} else {
			set_namespaces(life, kinds);
		}
		pid = forked();
		if (pid == 0) {
			threads();
			_exit(0);
		}
		ends_well(pid, "child of who entered");
		_exit(0);
	}
	ends_well(pid, "who entered");
}

/* One life, from its cgroups' making to their end. */
static void keep(long number)
{
	int kinds = KINDS | (number % NET_EVERY ? 0 : CLONE_NEWNET);
	struct cgroups cgroups;
	int to[2], from[2];
	pid_t pid;

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		die("pipe2");
	make_cgroups(&cgroups, number);
	pid = syscall(SYS_clone, kinds | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid < 0)
		die("clone");
	if (pid == 0)
		live(to[0], from[1]);
	/* So that one that fails is noticed. */
	close(to[0]);
	close(from[1]);
	map_ids(pid);
	attach(&cgroups, pid, "/cgroup.procs");
	tell(to[1]);
	enter(pid, kinds, number % 2);
	await(from[0]);
	enter(pid, kinds, (number + 1) % 2);
	attach(&cgroups, pid, "/sub/cgroup.procs");
	tell(to[1]);
	ends_well(pid, "init");
	remove_cgroups(&cgroups);
	_exit(0);
}

static long number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*end || end == text || n < 1) {
		fputs("Usage: lives N AT-A-TIME: prints how many lives ended well and how many did "
		      "not.\n",
		      stderr);
		exit(2);
	}
	return n;
}

static long wait_for_one(void)
{
	int status;

	if (wait(&status) < 0)
		die("wait");
	return status != 0;
}

int main(int argc, char **argv)
{
	long n, at_a_time, i, failed = 0;

	self = "/proc/self/exe";
	if (argc == 2 && strcmp(argv[1], "end") == 0)
		return 0;
	n = number(argc == 3 ? argv[1] : "");
	at_a_time = number(argv[2]);
	for (i = 0; i < n; i++) {
		pid_t pid;

		if (i >= at_a_time)
			failed += wait_for_one();
		pid = forked();
		if (pid == 0)
			keep(i);
	}
	for (i = 0; i < (n < at_a_time ? n : at_a_time); i++)
		failed += wait_for_one();
	printf("%ld %ld\n", n - failed, failed);
	return failed != 0;
}
