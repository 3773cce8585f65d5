// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Workloads whose waits are known by construction and measured by their own clocks, and the
 * kernel's own account of a task's delays. Static, so that it runs in any root file system.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define PORT 7007

static const char usage[] =
	"Usage: callers serve WAY DIR N BUSY IDLE READS DEVICE\n"
	"       callers call WAY DIR N\n"
	"       callers outside ADDRESS PORT N FILE\n"
	"       callers read DEVICE N FILE\n"
	"       callers fault DEVICE N FILE\n"
	"       callers swap MIB ROUNDS FILE\n"
	"       callers burn MS FILE\n"
	"       callers delays TID\n"
	"serve answers N requests: it uses the CPU for BUSY ms, sleeps IDLE ms, and reads READS "
	"times\n"
	"4 KiB of DEVICE, not through the cache. DIR/WAY-served then says how many there were, "
	"and\n"
	"the us that it was busy, slept, read, and had the CPU.\n"
	"call asks N times, and sleeps 20 ms after each. DIR/WAY-called says how many there were, "
	"the\n"
	"us until the answers, and of those the us that it had the CPU. So do the other files.\n"
	"WAY is pipe (DIR/asked and DIR/answers), unix (DIR/socket), tcp (of this host) or futex\n"
	"(DIR/memory). outside asks by TCP, by lines. fault reads pages of a mapped DEVICE, swap "
	"pages\n"
	"of its own memory. All then sleep until a signal; they are named as their FILE.\n"
	"delays prints, in ns, what the task waited for a CPU, for block I/O, swapping in, reclaim "
	"and\n"
	"thrashing, as the kernel's delay accounting has it.\n";

static void die(const char *what)
{
	fprintf(stderr, "callers: The system refused. call=%s error=%s\n", what, strerror(errno));
	exit(1);
}

static long us_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void sleep_ms(long ms)
{
	struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

static void burn(long ms)
{
	long end = us_of(CLOCK_MONOTONIC) + ms * 1000;

	while (us_of(CLOCK_MONOTONIC) < end)
		;
}

/* Times of what was done so far, in us. */
struct took {
	long n, wall, cpu;
};

/*
 * The CPU's time is read around the other one: reading a clock takes long where each system call is
 * recorded, and what ran within the interval is never more than is said here.
 */
static void begin(struct took *t)
{
	t->cpu -= us_of(CLOCK_THREAD_CPUTIME_ID);
	t->wall -= us_of(CLOCK_MONOTONIC);
}

static void end(struct took *t)
{
	t->wall += us_of(CLOCK_MONOTONIC);
	t->cpu += us_of(CLOCK_THREAD_CPUTIME_ID);
	t->n++;
}

/* Whole or not at all, as the file's being there says that it is done; then nothing more. */
static void say(const char *file, const char *text)
{
	char part[PATH_MAX];
	FILE *out;

	snprintf(part, sizeof(part), "%s.part", file);
	out = fopen(part, "w");
	if (!out || fprintf(out, "%s\n", text) < 0 || fclose(out) || rename(part, file))
		die(file);
	for (;;)
		pause();
}

static void say_took(const char *file, const struct took *t)
{
	char text[96];

	snprintf(text, sizeof(text), "%ld %ld %ld", t->n, t->wall, t->cpu);
	say(file, text);
}

static void be_named(const char *file)
{
	const char *slash = strrchr(file, '/');

	prctl(PR_SET_NAME, slash ? slash + 1 : file);
}

/* One end of a conversation: a byte goes, a byte comes. */
struct line {
	int in, out;
	int *heard, *said; /* a futex: in and out are not used */
	int nr_heard;
};

static int open_in(const char *dir, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	/* A pipe that is opened for both waits for nobody. */
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

static struct line pipe_line(const char *dir, bool serves)
{
	return (struct line){
		.in = open_in(dir, serves ? "asked" : "answers"),
		.out = open_in(dir, serves ? "answers" : "asked"),
	};
}

static struct line futex_line(const char *dir, bool serves)
{
	int fd = open_in(dir, "memory");
	int *words = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (words == MAP_FAILED)
		die("mmap");
	return (struct line){.heard = words + !serves, .said = words + serves};
}

static struct line socket_line(const struct sockaddr *to, socklen_t size, bool serves)
{
	int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	if (fd < 0)
		die("socket");
	if (serves) {
		int asks;

		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		if (bind(fd, to, size) || listen(fd, 1))
			die("bind");
		asks = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
		if (asks < 0)
			die("accept");
		return (struct line){.in = asks, .out = asks};
	}
	while (connect(fd, to, size)) {
		if (errno != ECONNREFUSED && errno != ENOENT)
			die("connect");
		sleep_ms(10);
	}
	return (struct line){.in = fd, .out = fd};
}

static struct line line_of(const char *way, const char *dir, bool serves)
{
	struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_port = htons(PORT)};
	struct sockaddr_un un = {.sun_family = AF_UNIX};

	tcp.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	snprintf(un.sun_path, sizeof(un.sun_path), "%s/socket", dir);
	switch (*way) {
	case 'p':
		return pipe_line(dir, serves);
	case 'f':
		return futex_line(dir, serves);
	case 'u':
		return socket_line((struct sockaddr *)&un, sizeof(un), serves);
	default:
		return socket_line((struct sockaddr *)&tcp, sizeof(tcp), serves);
	}
}

/* Not FUTEX_PRIVATE: the other one is another process. */
static void futex(int *word, int op, int value)
{
	if (syscall(SYS_futex, word, op, value, NULL, NULL, 0) < 0 && errno != EAGAIN &&
	    errno != EINTR)
		die("futex");
}

static void tell(struct line *l)
{
	if (!l->said) {
		if (write(l->out, "", 1) != 1)
			die("write");
		return;
	}
	__atomic_add_fetch(l->said, 1, __ATOMIC_SEQ_CST);
	futex(l->said, FUTEX_WAKE, 1);
}

static void hear(struct line *l)
{
	char c;

	if (!l->heard) {
		if (read(l->in, &c, 1) != 1)
			die("read");
		return;
	}
	while (__atomic_load_n(l->heard, __ATOMIC_SEQ_CST) == l->nr_heard)
		futex(l->heard, FUTEX_WAIT, l->nr_heard);
	l->nr_heard++;
}

static int open_device(const char *device)
{
	int fd = open(device, O_RDONLY | O_DIRECT | O_CLOEXEC);

	if (fd < 0)
		die(device);
	return fd;
}

static void read_block(int fd, long i)
{
	static char block[PAGE] __attribute__((aligned(PAGE)));

	if (pread(fd, block, PAGE, i * PAGE) != PAGE)
		die("pread");
}

static void serve(char **argv)
{
	long n = atol(argv[2]), reads = atol(argv[5]), i, k;
	int fd = open_device(argv[6]);
	struct took busy = {0}, idle = {0}, read = {0}, all = {0};
	char file[PATH_MAX], text[128];
	struct line l;

	snprintf(file, sizeof(file), "%s/%s-served", argv[1], argv[0]);
	be_named(file);
	l = line_of(argv[0], argv[1], true);
	for (i = 0; i < n; i++) {
		hear(&l);
		begin(&all);
		begin(&busy);
		burn(atol(argv[3]));
		end(&busy);
		begin(&idle);
		sleep_ms(atol(argv[4]));
		end(&idle);
		begin(&read);
		for (k = 0; k < reads; k++)
			read_block(fd, i * reads + k);
		end(&read);
		end(&all);
		tell(&l);
	}
	snprintf(text, sizeof(text), "%ld %ld %ld %ld %ld", n, busy.wall, idle.wall, read.wall,
		 all.cpu);
	say(file, text);
}

static void call(char **argv)
{
	long n = atol(argv[2]), i;
	struct took asked = {0};
	char file[PATH_MAX];
	struct line l;

	snprintf(file, sizeof(file), "%s/%s-called", argv[1], argv[0]);
	be_named(file);
	l = line_of(argv[0], argv[1], false);
	for (i = 0; i < n; i++) {
		begin(&asked);
		tell(&l);
		hear(&l);
		end(&asked);
		sleep_ms(20);
	}
	say_took(file, &asked);
}

static void ask_outside(char **argv)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(argv[1])),
		.sin_addr.s_addr = htonl((uint32_t)strtoul(argv[0], NULL, 0)),
	};
	struct took asked = {0};
	struct line l;
	long i;
	char c;

	be_named(argv[3]);
	l = socket_line((struct sockaddr *)&to, sizeof(to), false);
	for (i = 0; i < atol(argv[2]); i++) {
		begin(&asked);
		if (write(l.out, "\n", 1) != 1 || read(l.in, &c, 1) != 1)
			die("outside");
		end(&asked);
		sleep_ms(20);
	}
	say_took(argv[3], &asked);
}

static void read_all(char **argv)
{
	int fd = open_device(argv[0]);
	struct took took = {0};
	long i;

	be_named(argv[2]);
	for (i = 0; i < atol(argv[1]); i++) {
		begin(&took);
		read_block(fd, i);
		end(&took);
	}
	say_took(argv[2], &took);
}

/* Page by page, as no more is read than is asked for. */
static void fault(char **argv)
{
	long n = atol(argv[1]), i;
	int fd = open(argv[0], O_RDONLY | O_CLOEXEC);
	volatile char *memory = mmap(NULL, (size_t)n * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	struct took took = {0};

	be_named(argv[2]);
	if (memory == MAP_FAILED || madvise((void *)memory, (size_t)n * PAGE, MADV_RANDOM))
		die("mmap");
	for (i = 0; i < n; i++) {
		begin(&took);
		(void)memory[i * PAGE];
		end(&took);
	}
	say_took(argv[2], &took);
}

static void swap(char **argv)
{
	size_t size = (size_t)atol(argv[0]) << 20, at;
	volatile char *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct took took = {0};
	long i;

	be_named(argv[2]);
	if (memory == MAP_FAILED)
		die("mmap");
	for (i = 0; i < atol(argv[1]); i++) {
		begin(&took);
		for (at = 0; at < size; at += PAGE)
			memory[at]++;
		end(&took);
	}
	say_took(argv[2], &took);
}

static void use_cpu(char **argv)
{
	struct took took = {0};

	be_named(argv[1]);
	begin(&took);
	burn(atol(argv[0]));
	end(&took);
	say_took(argv[1], &took);
}

/* A message of generic netlink with one attribute. */
struct message {
	struct nlmsghdr head;
	struct genlmsghdr gen;
	char rest[PAGE];
};

static struct nlattr *attribute(void *at)
{
	return at;
}

/* Sends, and has the answer in the same place. */
static void ask_kernel(int fd, struct message *m, uint16_t type, uint8_t cmd, uint16_t what,
		       const void *value, uint16_t size)
{
	struct nlattr *a = attribute(m->rest);

	memset(m, 0, sizeof(*m));
	a->nla_type = what;
	a->nla_len = (uint16_t)(NLA_HDRLEN + size);
	memcpy(m->rest + NLA_HDRLEN, value, size);
	m->gen.cmd = cmd;
	m->gen.version = 1;
	m->head.nlmsg_type = type;
	m->head.nlmsg_flags = NLM_F_REQUEST;
	m->head.nlmsg_len = (uint32_t)(NLMSG_HDRLEN + GENL_HDRLEN + NLA_ALIGN(a->nla_len));
	if (send(fd, m, m->head.nlmsg_len, 0) < 0 || recv(fd, m, sizeof(*m), 0) < 0)
		die("netlink");
	if (m->head.nlmsg_type == NLMSG_ERROR) {
		errno = -((struct nlmsgerr *)NLMSG_DATA(&m->head))->error;
		die("taskstats");
	}
}

static const void *find(const struct message *m, const char *at, const char *until, uint16_t what)
{
	(void)m;
	while (until - at >= NLA_HDRLEN) {
		const struct nlattr *a = (const void *)at;

		if (a->nla_type == what)
			return at + NLA_HDRLEN;
		at += NLA_ALIGN(a->nla_len);
	}
	errno = ENODATA;
	die("taskstats");
	return NULL;
}

static const char *end_of(const struct message *m)
{
	return (const char *)m + m->head.nlmsg_len;
}

static void delays(char **argv)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	static const char name[] = TASKSTATS_GENL_NAME;
	uint32_t tid = (uint32_t)atol(argv[0]);
	struct taskstats stats = {0};
	struct message m;
	const char *both;
	uint16_t type;

	if (fd < 0)
		die("socket");
	ask_kernel(fd, &m, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, name,
		   sizeof(name));
	memcpy(&type, find(&m, m.rest, end_of(&m), CTRL_ATTR_FAMILY_ID), sizeof(type));
	ask_kernel(fd, &m, type, TASKSTATS_CMD_GET, TASKSTATS_CMD_ATTR_PID, &tid, sizeof(tid));
	both = find(&m, m.rest, end_of(&m), TASKSTATS_TYPE_AGGR_PID);
	memcpy(&stats, find(&m, both, end_of(&m), TASKSTATS_TYPE_STATS), sizeof(stats));
	printf("%llu %llu %llu %llu %llu\n", stats.cpu_delay_total, stats.blkio_delay_total,
	       stats.swapin_delay_total, stats.freepages_delay_total, stats.thrashing_delay_total);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int nr;
		void (*does)(char **argv);
	} all[] = {
		{"serve", 7, serve},   {"call", 3, call},     {"outside", 4, ask_outside},
		{"read", 3, read_all}, {"fault", 3, fault},   {"swap", 3, swap},
		{"burn", 2, use_cpu},  {"delays", 1, delays},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (argc > 1 && !strcmp(argv[1], all[i].name) && argc == all[i].nr + 2) {
			all[i].does(argv + 2);
			return 0;
		}
	fputs(usage, stderr);
	return 2;
}
