// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * The benchmark's load: does one thing many times, some PID namespaces deep, and tells how long
 * each round took. Nobody else gets the CPU meanwhile: it runs with real-time priority, and
 * pauses between rounds, so that readers of buffers empty them then.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WARM_UP_OPERATIONS 6000
/* Of those that take long. */
#define WARM_UP_REQUESTS   400

static void usage(void)
{
	fputs("Usage: load WHO WHAT LEVEL ROUNDS N FILE\n"
	      "         does WHAT N times a round, LEVEL PID namespaces deep, and appends to FILE\n"
	      "         one line a round: WHO WHAT LEVEL N NANOSECONDS. WHAT is\n"
	      "  count    two instructions\n"
	      "  fork     vfork() of a child that ends at once, and waiting for it\n"
	      "  span     the same, where a trace tells the time\n"
	      "  switch   switching to another task and back (two switches)\n"
	      "  unshare  unshare(CLONE_NEWUTS)\n"
	      "  contend  changing the mode of a file that another thread writes to, which has\n"
	      "           its lock: waiting for that once\n"
	      "  ask      reading 4 KiB from /dev/nullb0, not through the cache\n"
	      "  request  what a server does: 100,000 instructions of its own, asking another "
	      "task,\n"
	      "           10 reads from /dev/zero, one of 4 KiB from /dev/nullb0, not through the\n"
	      "           cache, and each tenth time a child that ends at once\n"
	      "  deep     10,000 instructions in a function that was called through 16 others, "
	      "with\n"
	      "           frame pointers\n"
	      "  inside   from there, reading 4 KiB from /dev/zero: the kernel's time\n"
	      "  attach   moving to another cgroup; /sys/fs/cgroup/bench-0 and bench-1 must exist\n"
	      "       load crowd LEVEL PROCESSES THREADS FILE [CGROUP]\n"
	      "         PROCESSES processes of THREADS threads each, which sleep, each in a new\n"
	      "         cgroup below the directory CGROUP; creates FILE when all are there\n"
	      "       load chat N\n"
	      "         two processes that switch to each other, for ever; each N times one\n"
	      "         of them has a child that ends at once\n",
	      stderr);
	exit(2);
}

static void die(const char *what)
{
	fprintf(stderr, "load: The system refused. call=%s error=%s\n", what, strerror(errno));
	exit(1);
}

static void count(long n)
{
	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n) : : "cc");
}

static void forks(long n)
{
	while (n-- > 0) {
		pid_t pid = vfork();

		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			die("vfork");
	}
}

static void unshares(long n)
{
	while (n-- > 0)
		if (unshare(CLONE_NEWUTS) < 0)
			die("unshare");
}

static int cgroup_fds[2];

static void attaches(long n)
{
	while (n-- > 0)
		if (write(cgroup_fds[n % 2], "0", 1) != 1)
			die("write to cgroup.procs");
}

static int to_peer[2], from_peer[2];

/* The peer answers each byte; both have the same priority, so each read is one switch. */
static void switches(long n)
{
	char byte = 0;

	while (n-- > 0)
		if (write(to_peer[1], &byte, 1) != 1 || read(from_peer[0], &byte, 1) != 1)
			die("read or write of a pipe");
}

static void answer(void)
{
	char byte;

	close(to_peer[1]);
	while (read(to_peer[0], &byte, 1) == 1)
		if (write(from_peer[1], &byte, 1) != 1)
			break;
	_exit(0);
}

static void start_peer(void)
{
	pid_t pid;

	if (pipe(to_peer) < 0 || pipe(from_peer) < 0)
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0)
		answer();
}

static void open_cgroups(void)
{
	cgroup_fds[0] = open("/sys/fs/cgroup/bench-0/cgroup.procs", O_WRONLY);
	cgroup_fds[1] = open("/sys/fs/cgroup/bench-1/cgroup.procs", O_WRONLY);
	if (cgroup_fds[0] < 0 || cgroup_fds[1] < 0)
		die("open of cgroup.procs");
}

/*
 * The keeper has the file's lock while it writes from a page that is not there, for which the
 * giver puts it there: it is less urgent, so that it runs when the load waits for the lock.
 */
static struct {
	int file, faults, to_keeper[2], to_giver[2];
	char *page;
} contended;

static void *keep(void *unused)
{
	char byte;

	while (read(contended.to_keeper[0], &byte, 1) == 1) {
		if (madvise(contended.page, 4096, MADV_DONTNEED) < 0 ||
		    pwrite(contended.file, contended.page, 4096, 0) != 4096)
			die("pwrite");
	}
	return unused;
}

static void *give(void *unused)
{
	static char zeroes[4096] __attribute__((aligned(4096)));
	char byte;

	while (read(contended.to_giver[0], &byte, 1) == 1) {
		struct uffdio_copy copy = {
			.dst = (unsigned long)contended.page,
			.src = (unsigned long)zeroes,
			.len = 4096,
		};

		if (ioctl(contended.faults, UFFDIO_COPY, &copy) < 0)
			die("UFFDIO_COPY");
	}
	return unused;
}

static void contends(long n)
{
	struct uffd_msg fault;

	while (n-- > 0) {
		if (write(contended.to_keeper[1], "", 1) != 1 ||
		    read(contended.faults, &fault, sizeof(fault)) != sizeof(fault) ||
		    write(contended.to_giver[1], "", 1) != 1 ||
		    fchmod(contended.file, n % 2 ? 0600 : 0640) < 0)
			die("fchmod");
	}
}

static void start_urgent(void *(*run)(void *), int priority)
{
	struct sched_param param = {.sched_priority = priority};
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &param);
	errno = pthread_create(&thread, &attributes, run, NULL);
	if (errno)
		die("pthread_create");
	pthread_attr_destroy(&attributes);
}

static void start_keeper(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};

	contended.file = open("/run/bench-contended", O_RDWR | O_CREAT, 0600);
	contended.faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	contended.page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (unsigned long)contended.page;
	range.range.len = 4096;
	if (contended.file < 0 || contended.faults < 0 || contended.page == MAP_FAILED ||
	    ioctl(contended.faults, UFFDIO_API, &api) < 0 ||
	    ioctl(contended.faults, UFFDIO_REGISTER, &range) < 0 || pipe(contended.to_keeper) < 0 ||
	    pipe(contended.to_giver) < 0)
		die("userfaultfd");
	start_urgent(keep, 50);
	start_urgent(give, 49);
}

static struct {
	int zero, disk;
	long nr;
} served;

static void ask_disk(long nr)
{
	static char block[4096] __attribute__((aligned(4096)));

	if (pread(served.disk, block, sizeof(block), nr % 1024 * (off_t)sizeof(block)) !=
	    sizeof(block))
		die("pread");
}

static void asks(long n)
{
	while (n-- > 0)
		ask_disk(n);
}

static void serve(long n)
{
	char bytes[64];
	int i;

	while (n-- > 0) {
		switches(1);
		for (i = 0; i < 10; i++)
			if (read(served.zero, bytes, sizeof(bytes)) != sizeof(bytes))
				die("read");
		ask_disk(served.nr);
		count(50000);
		if (served.nr++ % 10 == 0)
			forks(1);
	}
}

static void open_disk(void)
{
	served.disk = open("/dev/nullb0", O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (served.disk < 0)
		die("open of /dev/nullb0");
}

static void start_server(void)
{
	start_peer();
	open_disk();
	served.zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (served.zero < 0)
		die("open of /dev/zero");
}

static int zeroes;

static void open_zeroes(void)
{
	zeroes = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (zeroes < 0)
		die("open of /dev/zero");
}

static void read_zeroes(void)
{
	static char block[4096];

	if (read(zeroes, block, sizeof(block)) != sizeof(block))
		die("read");
}

static void count_10000(void)
{
	count(5000);
}

/* What samplers of stacks have to follow. */
static __attribute__((noinline, noclone, optimize("no-omit-frame-pointer"))) void
call_through(int frames, void (*run)(void), long n)
{
	if (frames > 0)
		call_through(frames - 1, run, n);
	else
		while (n-- > 0)
			run();
	/* Behind it, so that the call does not become a jump. */
	__asm__ volatile("" : : : "memory");
}

static void deep(long n)
{
	call_through(16, count_10000, n);
}

static void inside(long n)
{
	call_through(16, read_zeroes, n);
}

static void nothing(void)
{
}

static const struct work {
	const char *name;
	void (*prepare)(void);
	void (*run)(long n);
	long warm_up;
} works[] = {
	{"count", nothing, count, WARM_UP_OPERATIONS},
	{"fork", nothing, forks, WARM_UP_OPERATIONS},
	{"span", nothing, forks, WARM_UP_OPERATIONS},
	{"switch", start_peer, switches, WARM_UP_OPERATIONS},
	{"unshare", nothing, unshares, WARM_UP_OPERATIONS},
	{"attach", open_cgroups, attaches, WARM_UP_OPERATIONS},
	{"contend", start_keeper, contends, WARM_UP_OPERATIONS},
	{"deep", nothing, deep, WARM_UP_REQUESTS},
	{"inside", open_zeroes, inside, WARM_UP_OPERATIONS},
	{"ask", open_disk, asks, WARM_UP_OPERATIONS},
	{"request", start_server, serve, WARM_UP_REQUESTS},
};

static const struct work *find_work(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
		if (strcmp(works[i].name, name) == 0)
			return &works[i];
	usage();
	return NULL;
}

static long number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || value < 0)
		usage();
	return value;
}

/* The rest runs @depth PID namespaces deeper, as the first process there. */
static void nest(long depth)
{
	while (depth-- > 0) {
		pid_t pid;
		int status;

		if (unshare(CLONE_NEWPID) < 0)
			die("unshare");
		pid = fork();
		if (pid < 0)
			die("fork");
		if (pid == 0)
			continue;
		if (waitpid(pid, &status, 0) < 0)
			die("waitpid");
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
}

static void be_alone(void)
{
	struct sched_param param = {.sched_priority = 50};

	if (sched_setscheduler(0, SCHED_FIFO, &param) < 0)
		die("sched_setscheduler");
}

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long run_round(const struct work *work, long n)
{
	static const struct timespec pause = {.tv_nsec = 10000000};
	long long begin;

	nanosleep(&pause, NULL);
	begin = now();
	work->run(n);
	return now() - begin;
}

static void run_rounds(char **argv)
{
	const struct work *work = find_work(argv[1]);
	long level = number(argv[2]), rounds = number(argv[3]), n = number(argv[4]), warm_up;
	FILE *file = fopen(argv[5], "a");

	if (n < 1)
		usage();
	if (!file)
		die("fopen");
	nest(level);
	be_alone();
	work->prepare();
	/*
	 * The first rounds fill caches; and a PID namespace's numbers are found in a tree that
	 * grows until 4096 are in use, with the freed ones of which RCU has not heard.
	 */
	for (warm_up = 0; warm_up < work->warm_up; warm_up += n)
		run_round(work, n);
	while (rounds-- > 0)
		fprintf(file, "%s %s %ld %ld %lld\n", argv[0], argv[1], level, n,
			run_round(work, n));
	if (fclose(file))
		die("fclose");
}

static void *sleep_thread(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void start_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16 * 1024);
	errno = pthread_create(&thread, &attributes, sleep_thread, NULL);
	if (errno)
		die("pthread_create");
	pthread_attr_destroy(&attributes);
}

/* Each child tells that it is complete through the pipe. */
/* Puts this process into a cgroup of its own. */
static void enter_cgroup(const char *parent, long number)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%ld", parent, number);
	if (mkdir(path, 0755) < 0)
		die("mkdir");
	snprintf(path, sizeof(path), "%s/%ld/cgroup.procs", parent, number);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		die("cgroup.procs");
	close(fd);
}

static void crowd_child(long threads, int done)
{
	while (--threads > 0)
		start_thread();
	if (write(done, "", 1) != 1)
		die("write");
	sleep_thread(NULL);
}

static void crowd(char **argv)
{
	long processes = number(argv[1]), threads = number(argv[2]), i;
	int done[2];
	char byte;

	nest(number(argv[0]));
	if (pipe(done) < 0)
		die("pipe");
	for (i = 0; i < processes; i++) {
		pid_t pid = fork();

		if (pid < 0)
			die("fork");
		if (pid == 0) {
			if (argv[4])
				enter_cgroup(argv[4], i);
			crowd_child(threads, done[1]);
		}
	}
	for (i = 0; i < processes; i++)
		if (read(done[0], &byte, 1) != 1)
			die("read");
	if (open(argv[3], O_WRONLY | O_CREAT, 0600) < 0)
		die("open");
	sleep_thread(NULL);
}

static void chat(long n)
{
	start_peer();
	for (;;) {
		switches(n);
		forks(1);
	}
}

int main(int argc, char **argv)
{
	if ((argc == 6 || argc == 7) && strcmp(argv[1], "crowd") == 0)
		crowd(argv + 2);
	else if (argc == 3 && strcmp(argv[1], "chat") == 0)
		chat(number(argv[2]));
	else if (argc == 7)
		run_rounds(argv + 1);
	else
		usage();
	return 0;
}
