// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * The tests' work load: known shapes of tasks, in and out of containers. Static and without
 * arguments that need a libc's files, so that it runs in an empty root file system.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/types.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void usage(FILE *out)
{
	fputs("Usage: work [OPTION...]: does what the options say, in their order, then ends.\n"
	      "  name NAME      call this thread NAME\n"
	      "  nice N         give way to others, as nice(1) does\n"
	      "  threads N      start N threads that sleep until the end\n"
	      "  children N     start N processes that sleep until the end\n"
	      "  into CGROUP    start a process in the cgroup of that directory, by\n"
	      "                 clone3(CLONE_INTO_CGROUP), that sleeps until the end\n"
	      "  zombies N      start N processes that end and are not waited for\n"
	      "  churn MS       for MS milliseconds, fork and wait for processes with a second "
	      "thread\n"
	      "  burn MS        use the CPU for MS milliseconds; -1: until a signal\n"
	      "  pulse MS       for ever, use the CPU for MS milliseconds and sleep as long\n"
	      "  serve FILE     for ever, do 3 ms of work for a request that comes each 50 ms, or "
	      "as\n"
	      "                 the one before is done; FILE says of each when it came (seconds "
	      "since\n"
	      "                 the epoch) and how long it took (ms)\n"
	      "  answer DIR,B,S,NEXT  for each byte that comes through DIR/asked, use the CPU for\n"
	      "                 B ms, sleep S ms, ask NEXT (a directory, or -), and answer "
	      "through\n"
	      "                 DIR/answers; DIR/took then says how many were answered, the us "
	      "that\n"
	      "                 NEXT took, and the us of CPU time\n"
	      "  ask DIR,N      ask N times, and sleep 20 ms after each; DIR/waited says as above\n"
	      "  read DEVICE,N,FILE  read N times 4 KiB, not through the cache; FILE says as "
	      "above\n"
	      "  hold DEVICE,FILE,N,PAGES,RESULT  write N times to FILE, whose lock the kernel\n"
	      "                 has meanwhile, from PAGES of DEVICE that are not in memory, and\n"
	      "                 sleep 20 ms after each; RESULT says as above\n"
	      "  change FILE,N,RESULT  change the mode of FILE N times, for which its lock is\n"
	      "                 needed, and sleep 30 ms after each; RESULT says as above\n"
	      "  dirty FILE,FROM,PAGES,MS  for ever, write each 16th of PAGES of FILE, from FROM\n"
	      "                 on, to memory alone, and sleep MS ms after each\n"
	      "  unshare-pid    let later children live in a new PID namespace\n"
	      "  unshare KINDS  change namespaces: mnt, uts, ipc, net, user, pid, cgroup, time,\n"
	      "                 joined by commas\n"
	      "  unshare-thread KINDS  the same in a second thread, which then sleeps until the "
	      "end\n"
	      "  setns PID:KINDS  enter namespaces of PID, all at once\n"
	      "  refused KINDS  try to unshare, with a bit that does not exist, and to enter\n"
	      "                 namespaces through a file that is none\n"
	      "  unchanged N    N times, unshare what is no namespace, and enter the own\n"
	      "                 namespaces, by file and by pidfd\n"
	      "  open FILE      create FILE and leave it open\n"
	      "  own-files FILE a second thread opens FILE in a table of open files of its own "
	      "and\n"
	      "                 starts two threads that share it\n"
	      "  files FILE,N   create FILE and leave it open N times\n"
	      "  end-in-turn N,MS  start N threads; this one ends, and then they, in their "
	      "order, one\n"
	      "                 each MS milliseconds\n"
	      "  share-files N  start N processes that share the table of open files\n"
	      "  spawn          execute this program anew, for the rest, in a child by vfork\n"
	      "  nest N         put the rest N PID namespaces deeper; this process waits for it\n"
	      "  leave-leader   let the first thread end; a second one goes on\n"
	      "  thread-exec    a second thread executes this program anew, for the rest\n"
	      "  ready FILE     create FILE\n"
	      "  sleep MS       milliseconds; -1: until a signal\n",
	      out);
}

static void die(const char *what)
{
	fprintf(stderr, "work: The system refused. call=%s error=%s\n", what, strerror(errno));
	exit(1);
}

static void sleep_ms(long ms)
{
	struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	if (ms < 0)
		for (;;)
			pause();
	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static void *sleep_thread(void *name)
{
	prctl(PR_SET_NAME, name);
	sleep_ms(-1);
	return NULL;
}

static void start_thread(void *(*run)(void *), void *argument)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	/* 2,000 tasks must fit a small machine. */
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * 1024);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	error = pthread_create(&thread, &attributes, run, argument);
	pthread_attr_destroy(&attributes);
	if (error) {
		errno = error;
		die("pthread_create");
	}
}

/* The child dies with its parent: no test leaves it behind. */
static pid_t fork_child(const char *name)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		die("fork");
	if (pid == 0) {
		prctl(PR_SET_NAME, name);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* A parent in another PID namespace reads as 0. */
		if (getppid() != parent && getppid() != 0)
			_exit(0);
	}
	return pid;
}

static void *end_thread(void *unused)
{
	return unused;
}

static void churn(long ms)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		pid_t pid = fork_child("churn");

		if (pid == 0) {
			start_thread(end_thread, NULL);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void burn(long ms)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while (ms < 0 ||
	       (now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static long us_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* A function that is found by its name in stacks, with who called it. */
__attribute__((noinline, noclone)) static unsigned int count_primes(unsigned int from,
								    unsigned int to)
{
	unsigned int nr = 0;

	for (; from < to; from++) {
		unsigned int by = 2;

		while (by * by <= from && from % by)
			by++;
		nr += by * by > from;
	}
	return nr;
}

__attribute__((noinline, noclone)) static void pulse(long ms)
{
	unsigned int from = 2;

	for (;;) {
		const long end = us_of(CLOCK_MONOTONIC) + ms * 1000;

		for (; us_of(CLOCK_MONOTONIC) < end; from = from < 100000 ? from + 20 : 2)
			__asm__ volatile("" : : "r"(count_primes(from, from + 20)));
		sleep_ms(ms);
	}
}

/* The time of a request is from when it came until it is done, whoever else ran meanwhile. */
static void serve(const char *name)
{
	const long period = 50000, cost = 3000;
	int fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	long came = us_of(CLOCK_MONOTONIC);

	if (fd < 0)
		die("open");
	for (;;) {
		long now = us_of(CLOCK_MONOTONIC), used, took, epoch;

		came = came + period > now ? came + period : now;
		if (came > now) {
			struct timespec due = {.tv_sec = came / 1000000,
					       .tv_nsec = came % 1000000 * 1000};

			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
		}
		used = us_of(CLOCK_THREAD_CPUTIME_ID);
		while (us_of(CLOCK_THREAD_CPUTIME_ID) - used < cost)
			;
		took = us_of(CLOCK_MONOTONIC) - came;
		epoch = us_of(CLOCK_REALTIME) - took;
		dprintf(fd, "%ld.%06ld %ld.%03ld\n", epoch / 1000000, epoch % 1000000, took / 1000,
			took % 1000);
	}
}

/* What a commission comes to: how many times, for how long it was waited for, how much CPU time. */
static void say_took(const char *dir, const char *name, long times, long us, long cpu_us)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		die("open");
	dprintf(fd, "%ld %ld %ld\n", times, us, cpu_us);
	close(fd);
}

static int open_in(const char *dir, const char *name, int flags)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		die("open");
	return fd;
}

/* Us until the answer came. */
static long ask_once(int to, int from)
{
	long since = us_of(CLOCK_MONOTONIC);
	char c = 0;

	if (write(to, &c, 1) != 1 || read(from, &c, 1) != 1)
		die("ask");
	return us_of(CLOCK_MONOTONIC) - since;
}

/* Cuts the next word, up to a comma, off a list. */
static char *next_word(char **list)
{
	char *word = strsep(list, ",");

	if (!word) {
		usage(stderr);
		exit(2);
	}
	return word;
}

static void answer(char *list)
{
	const char *dir = next_word(&list);
	long busy = atol(next_word(&list)), idle = atol(next_word(&list));
	const char *next = next_word(&list);
	bool asks = strcmp(next, "-") != 0;
	int to = asks ? open_in(next, "asked", O_WRONLY) : -1;
	int from = asks ? open_in(next, "answers", O_RDONLY) : -1;
	int asked = open_in(dir, "asked", O_RDONLY), answers = open_in(dir, "answers", O_WRONLY);
	long times = 0, us = 0, used = us_of(CLOCK_THREAD_CPUTIME_ID);
	char c;

	while (read(asked, &c, 1) == 1) {
		burn(busy);
		sleep_ms(idle);
		if (asks)
			us += ask_once(to, from);
		times++;
		if (write(answers, &c, 1) != 1)
			die("write");
	}
	say_took(dir, "/took", times, us, us_of(CLOCK_THREAD_CPUTIME_ID) - used);
	/* Who is asked is through once nobody can ask. */
	close(to);
}

static void ask(char *list)
{
	const char *dir = next_word(&list);
	long n = atol(next_word(&list)), i, us = 0, used = us_of(CLOCK_THREAD_CPUTIME_ID);
	int to = open_in(dir, "asked", O_WRONLY), from = open_in(dir, "answers", O_RDONLY);

	for (i = 0; i < n; i++) {
		us += ask_once(to, from);
		sleep_ms(20);
	}
	say_took(dir, "/waited", n, us, us_of(CLOCK_THREAD_CPUTIME_ID) - used);
	close(to);
}

static void read_direct(char *list)
{
	static char block[4096] __attribute__((aligned(4096)));
	const char *device = next_word(&list);
	long n = atol(next_word(&list)), i, us = 0, used = us_of(CLOCK_THREAD_CPUTIME_ID);
	int fd = open(device, O_RDONLY | O_DIRECT | O_CLOEXEC);

	if (fd < 0)
		die("open");
	for (i = 0; i < n; i++) {
		long since = us_of(CLOCK_MONOTONIC);

		if (pread(fd, block, sizeof(block), i * (off_t)sizeof(block)) != sizeof(block))
			die("pread");
		us += us_of(CLOCK_MONOTONIC) - since;
	}
	say_took(next_word(&list), "", n, us, us_of(CLOCK_THREAD_CPUTIME_ID) - used);
}

static void hold(char *list)
{
	const char *device = next_word(&list), *name = next_word(&list);
	long n = atol(next_word(&list)), i, us = 0, used = us_of(CLOCK_THREAD_CPUTIME_ID);
	size_t size = (size_t)atol(next_word(&list)) * 4096;
	int from = open(device, O_RDONLY | O_CLOEXEC);
	int to = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	char *pages;

	if (from < 0 || to < 0)
		die("open");
	pages = mmap(NULL, (size_t)n * size, PROT_READ, MAP_PRIVATE, from, 0);
	if (pages == MAP_FAILED || madvise(pages, (size_t)n * size, MADV_RANDOM))
		die("mmap");
	for (i = 0; i < n; i++) {
		long since = us_of(CLOCK_MONOTONIC);

		if (pwrite(to, pages + (size_t)i * size, size, 0) != (ssize_t)size)
			die("pwrite");
		us += us_of(CLOCK_MONOTONIC) - since;
		sleep_ms(20);
	}
	say_took(next_word(&list), "", n, us, us_of(CLOCK_THREAD_CPUTIME_ID) - used);
}

static void change(char *list)
{
	int fd = open(next_word(&list), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	long n = atol(next_word(&list)), i, us = 0, used = us_of(CLOCK_THREAD_CPUTIME_ID);

	if (fd < 0)
		die("open");
	for (i = 0; i < n; i++) {
		long since = us_of(CLOCK_MONOTONIC);

		if (fchmod(fd, i % 2 ? 0600 : 0640))
			die("fchmod");
		us += us_of(CLOCK_MONOTONIC) - since;
		sleep_ms(30);
	}
	say_took(next_word(&list), "", n, us, us_of(CLOCK_THREAD_CPUTIME_ID) - used);
}

/* What is written lies apart, so that each page is a request of the disk's of its own. */
static void dirty(char *list)
{
	static const char page[4096] = "dirty";
	int fd = open(next_word(&list), O_WRONLY | O_CLOEXEC);
	long from = atol(next_word(&list)), pages = atol(next_word(&list));
	long ms = atol(next_word(&list)), i;

	if (fd < 0)
		die("open");
	for (i = 0;; i = (i + 16) % pages) {
		if (pwrite(fd, page, sizeof(page), (from + i) * (off_t)sizeof(page)) !=
		    sizeof(page))
			die("pwrite");
		sleep_ms(ms);
	}
}

/* linux/sched.h has these under names that older headers of libc lack. */
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080
#endif
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static int flags_of(const char *kinds)
{
	static const struct {
		const char *name;
		int flag;
	} kind[] = {
		{"mnt", CLONE_NEWNS},	 {"uts", CLONE_NEWUTS},	      {"ipc", CLONE_NEWIPC},
		{"net", CLONE_NEWNET},	 {"user", CLONE_NEWUSER},     {"pid", CLONE_NEWPID},
		{"time", CLONE_NEWTIME}, {"cgroup", CLONE_NEWCGROUP},
	};
	int flags = 0;

	while (*kinds) {
		size_t length = strcspn(kinds, ","), i;

		for (i = 0; i < sizeof(kind) / sizeof(kind[0]); i++)
			if (strncmp(kind[i].name, kinds, length) == 0 && !kind[i].name[length])
				flags |= kind[i].flag;
		kinds += length + (kinds[length] == ',');
	}
	return flags;
}

static void *unshare_thread(void *kinds)
{
	prctl(PR_SET_NAME, "work-unshared");
	if (unshare(flags_of(kinds)) < 0)
		die("unshare");
	sleep_ms(-1);
	return NULL;
}

static void enter(const char *target)
{
	char *kinds;
	int fd = syscall(SYS_pidfd_open, strtol(target, &kinds, 10), 0);

	if (fd < 0)
		die("pidfd_open");
	if (*kinds != ':' || setns(fd, flags_of(kinds + 1)) < 0)
		die("setns");
	close(fd);
}

static void be_refused(const char *kinds)
{
	int fd = open("/", O_RDONLY | O_DIRECTORY);

	if (unshare(flags_of(kinds) | CLONE_PTRACE) == 0 || setns(fd, flags_of(kinds)) == 0)
		die("nothing, but it should have");
	close(fd);
}

static void change_nothing(void)
{
	static const char *const own[] = {"uts", "ipc", "net", "mnt", "cgroup", "pid"};
	int pidfd = syscall(SYS_pidfd_open, getpid(), 0);
	size_t i;

	if (unshare(0) < 0 || unshare(CLONE_FS) < 0 || unshare(CLONE_FILES | CLONE_SYSVSEM) < 0)
		die("unshare");
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		char path[32];
		int fd;

		snprintf(path, sizeof(path), "/proc/self/ns/%s", own[i]);
		fd = open(path, O_RDONLY);
		if (fd < 0 || setns(fd, 0) < 0)
			die(path);
		close(fd);
	}
	if (pidfd < 0 || setns(pidfd, CLONE_NEWUTS | CLONE_NEWNET | CLONE_NEWNS) < 0)
		die("setns");
	close(pidfd);
}

static void open_file(const char *name)
{
	if (open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) < 0)
		die("open");
}

static void open_files(char *list)
{
	const char *name = next_word(&list);
	struct rlimit limit = {.rlim_cur = strtoul(next_word(&list), NULL, 10)};
	rlim_t i;

	limit.rlim_max = limit.rlim_cur += 16;
	if (setrlimit(RLIMIT_NOFILE, &limit) < 0)
		die("setrlimit");
	for (i = 16; i < limit.rlim_cur; i++)
		open_file(name);
}

/* Ends at that time of CLOCK_MONOTONIC, us. */
static void *end_at(void *us)
{
	prctl(PR_SET_NAME, "work-in-turn");
	sleep_ms(((long)us - us_of(CLOCK_MONOTONIC)) / 1000);
	return NULL;
}

static void end_in_turn(char *list)
{
	long nr = atol(next_word(&list)), ms = atol(next_word(&list)), i;
	/* They are there before the first of them ends. */
	long begin = us_of(CLOCK_MONOTONIC) + 2000000;

	for (i = 1; i <= nr; i++)
		start_thread(end_at, (void *)(begin + i * ms * 1000));
	end_at((void *)begin);
	/* As in leave_leader(). */
	syscall(SYS_exit, 0);
}

static void *own_files_thread(void *name)
{
	int i;

	prctl(PR_SET_NAME, "work-own-files");
	if (unshare(CLONE_FILES) < 0)
		die("unshare");
	open_file(name);
	for (i = 0; i < 2; i++)
		start_thread(sleep_thread, "work-same-files");
	sleep_ms(-1);
	return NULL;
}

/* As fork_child(), but that child and parent have one table of open files. */
static void share_files(void)
{
	pid_t pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid < 0)
		die("clone");
	if (pid > 0)
		return;
	prctl(PR_SET_NAME, "work-shares");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sleep_ms(-1);
}

/* posix_spawn() of glibc is clone(CLONE_VM | CLONE_VFORK). */
static void spawn(char **argv)
{
	pid_t pid;
	int error = posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ);

	if (error) {
		errno = error;
		die("posix_spawn");
	}
}

static void nest(long depth)
{
	while (depth-- > 0) {
		pid_t pid;
		int status;

		if (unshare(CLONE_NEWPID) < 0)
			die("unshare");
		pid = fork_child("work-nest");
		if (pid == 0)
			continue;
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
}

struct go_on {
	int argc;
	char **argv;
};

static int do_all(int argc, char **argv);

static void *go_on_thread(void *argument)
{
	struct go_on *rest = argument;

	prctl(PR_SET_NAME, "work-follower");
	/* The first thread is a zombie in a living group once it is gone. */
	sleep_ms(100);
	exit(do_all(rest->argc, rest->argv));
}

static void leave_leader(int argc, char **argv)
{
	static struct go_on rest;

	rest.argc = argc;
	rest.argv = argv;
	start_thread(go_on_thread, &rest);
	/* exit_group() would take the second thread along. */
	syscall(SYS_exit, 0);
}

static void *exec_thread(void *argument)
{
	char **argv = argument;

	prctl(PR_SET_NAME, "work-exec");
	execv("/proc/self/exe", argv);
	die("execv");
	return NULL;
}

/* The second thread takes over the first one's number, and the first one ends. */
static void thread_exec(char **argv)
{
	start_thread(exec_thread, argv);
	sleep_ms(-1);
}

static void make_file(const char *name)
{
	FILE *file = fopen(name, "w");

	if (!file || fclose(file))
		die("fopen");
}

/* As in linux/sched.h, which does not go with sched.h. */
#define INTO_CGROUP 0x200000000ULL

static void start_in_cgroup(const char *cgroup)
{
	struct {
		__u64 flags, pidfd, child_tid, parent_tid, exit_signal;
		__u64 stack, stack_size, tls, set_tid, set_tid_size, cgroup;
	} args = {.flags = INTO_CGROUP, .exit_signal = SIGCHLD};
	int fd = open(cgroup, O_DIRECTORY | O_PATH);
	long pid;

	if (fd < 0)
		die("open");
	args.cgroup = (__u64)fd;
	pid = syscall(SYS_clone3, &args, sizeof(args));
	if (pid < 0)
		die("clone3");
	if (pid == 0) {
		prctl(PR_SET_NAME, "work-into");
		sleep_ms(-1);
	}
	close(fd);
}

static int do_all(int argc, char **argv)
{
	while (argc > 0) {
		const char *what = argv[0];
		long number;

		if (strcmp(what, "unshare-pid") == 0) {
			if (unshare(CLONE_NEWPID) < 0)
				die("unshare");
			argc--, argv++;
			continue;
		}
		if (strcmp(what, "leave-leader") == 0)
			leave_leader(argc - 1, argv + 1);
		/* This word is where the new program's name goes. */
		if (strcmp(what, "thread-exec") == 0)
			thread_exec(argv);
		if (strcmp(what, "spawn") == 0) {
			spawn(argv);
			sleep_ms(-1);
		}
		if (argc < 2) {
			usage(stderr);
			return 2;
		}
		number = strtol(argv[1], NULL, 10);
		if (strcmp(what, "name") == 0) {
			prctl(PR_SET_NAME, argv[1]);
		} else if (strcmp(what, "nice") == 0) {
			if (setpriority(PRIO_PROCESS, 0, (int)number) < 0)
				die("setpriority");
		} else if (strcmp(what, "threads") == 0) {
			while (number-- > 0)
				start_thread(sleep_thread, "work-thread");
		} else if (strcmp(what, "children") == 0) {
			while (number-- > 0)
				if (fork_child("work-child") == 0)
					sleep_ms(-1);
		} else if (strcmp(what, "into") == 0) {
			start_in_cgroup(argv[1]);
		} else if (strcmp(what, "zombies") == 0) {
			while (number-- > 0)
				if (fork_child("work-zombie") == 0)
					_exit(0);
		} else if (strcmp(what, "burn") == 0) {
			burn(number);
		} else if (strcmp(what, "pulse") == 0) {
			pulse(number);
		} else if (strcmp(what, "serve") == 0) {
			serve(argv[1]);
		} else if (strcmp(what, "answer") == 0) {
			answer(argv[1]);
		} else if (strcmp(what, "ask") == 0) {
			ask(argv[1]);
		} else if (strcmp(what, "read") == 0) {
			read_direct(argv[1]);
		} else if (strcmp(what, "hold") == 0) {
			hold(argv[1]);
		} else if (strcmp(what, "change") == 0) {
			change(argv[1]);
		} else if (strcmp(what, "dirty") == 0) {
			dirty(argv[1]);
		} else if (strcmp(what, "churn") == 0) {
			churn(number);
		} else if (strcmp(what, "unshare") == 0) {
			if (unshare(flags_of(argv[1])) < 0)
				die("unshare");
		} else if (strcmp(what, "unshare-thread") == 0) {
			start_thread(unshare_thread, argv[1]);
		} else if (strcmp(what, "setns") == 0) {
			enter(argv[1]);
		} else if (strcmp(what, "refused") == 0) {
			be_refused(argv[1]);
		} else if (strcmp(what, "unchanged") == 0) {
			while (number-- > 0)
				change_nothing();
		} else if (strcmp(what, "open") == 0) {
			open_file(argv[1]);
		} else if (strcmp(what, "files") == 0) {
			open_files(argv[1]);
		} else if (strcmp(what, "end-in-turn") == 0) {
			end_in_turn(argv[1]);
		} else if (strcmp(what, "own-files") == 0) {
			start_thread(own_files_thread, argv[1]);
		} else if (strcmp(what, "share-files") == 0) {
			while (number-- > 0)
				share_files();
		} else if (strcmp(what, "nest") == 0) {
			nest(number);
		} else if (strcmp(what, "ready") == 0) {
			make_file(argv[1]);
		} else if (strcmp(what, "sleep") == 0) {
			sleep_ms(number);
		} else {
			usage(stderr);
			return 2;
		}
		argc -= 2;
		argv += 2;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	return do_all(argc - 1, argv + 1);
}
