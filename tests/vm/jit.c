/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * jit ROUNDS FILE: a program that makes its functions while it runs, as the engines of JavaScript
 * and Java do, and tells of them in /tmp/perf-PID.map, by its id in its own PID namespace. Two of
 * them use the CPU, one three times as long as the other; the second one is made, and told of, when
 * the first has run for a while. Then it puts others where these are, links and pipes, in the place
 * of maps of children of its. FILE has for each function a line: name, addresses, us of CPU time.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CODE                                                                                       \
	__attribute__((noinline, noclone, section("made_code"), optimize("no-omit-frame-pointer")))

extern const char __start_made_code[], __stop_made_code[];

/* It refers to nothing, so that it runs wherever it is copied to. */
CODE static unsigned long turn(unsigned long n)
{
	unsigned long i, sum = n;

	/* Or it has no frame, as it calls nobody, and its caller is missing in stacks. */
	__asm__ volatile("" : : "r"(__builtin_frame_address(0)));
	for (i = 0; i < n; i++)
		__asm__ volatile("add %1, %0" : "+r"(sum) : "r"(i));
	return sum;
}

struct made {
	const char *name;
	unsigned long (*run)(unsigned long n);
	size_t size;
	long long us;
};

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static long long cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static char *map_of(pid_t pid)
{
	static char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	return path;
}

/* First to be written, then to be run, as these engines do. */
static void make(struct made *m, const char *name, FILE *map)
{
	size_t size = (size_t)(__stop_made_code - __start_made_code);
	size_t at = (size_t)((uintptr_t)turn - (uintptr_t)__start_made_code);
	char *code = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	need(code != MAP_FAILED, "mmap");
	memcpy(code, __start_made_code, size);
	need(!mprotect(code, 65536, PROT_READ | PROT_EXEC), "mprotect");
	*m = (struct made){.name = name, .size = size};
	code += at;
	memcpy(&m->run, &code, sizeof(code));
	fprintf(map, "%lx %zx %s\n", (unsigned long)(uintptr_t)m->run, size - at, name);
	need(!fflush(map), "map");
}

static __attribute__((noinline, noclone)) void burn(struct made *m, long long us)
{
	long long begin = cpu_us(), now;

	do {
		m->run(200000);
		now = cpu_us();
	} while (now < begin + us);
	m->us += now - begin;
}

/* A child that has what this has, and nothing of its own but what is put where its map would be. */
static void child(void (*put)(const char *map))
{
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (!pid) {
		put(map_of(getpid()));
		for (;;)
			pause();
	}
}

static void put_link(const char *map)
{
	need(!symlink("/root/secret.map", map), "symlink");
}

static void put_pipe(const char *map)
{
	need(!mkfifo(map, 0666), "mkfifo");
}

static void put_directory(const char *map)
{
	need(!mkdir(map, 0777), "mkdir");
}

static void put_anothers(const char *map)
{
	FILE *f = fopen(map, "w");

	/* At no time is there something in it while it is the own user's. */
	need(f && !fchown(fileno(f), 1234, 1234), "chown");
	need(fputs("1000 ffffffffffff of_another_user\n", f) >= 0 && !fclose(f), map);
}

/* A terabyte, and lines that would be some of the recorder's own. */
static void put_huge(const char *map)
{
	FILE *f = fopen(map, "w");

	need(f &&
		     fputs("1000 10 huge\n\nj 1 1\nm 1 1 0 ffffffffffff 0 0\n 3000 10 "
			   "not_asked\n2000 10 red\033[31m\n",
			   f) >= 0 &&
		     !fclose(f),
	     map);
	need(!truncate(map, 1LL << 40), "truncate");
}

/* Always another one, and whole at any time. */
static void put_changing(const char *map)
{
	unsigned long n;

	for (n = 0;; n++) {
		FILE *f = fopen("/tmp/changing", "w");
		unsigned int i;

		need(f != NULL, map);
		for (i = 0; i < 2000; i++)
			fprintf(f, "%x 10 changing_%lu_%u\n", i * 16 + 4096, n, i);
		need(!fclose(f) && !rename("/tmp/changing", map), map);
		usleep(50000);
	}
}

static void tell(FILE *f, const struct made *m)
{
	fprintf(f, "%s 0x%lx 0x%lx %lld\n", m->name, (unsigned long)(uintptr_t)m->run,
		(unsigned long)(uintptr_t)m->run + m->size, m->us);
}

int main(int argc, char **argv)
{
	struct made light, heavy;
	long rounds, i;
	char name[4096];
	FILE *f, *map;

	if (argc != 3)
		return 2;
	mkdir("/root", 0700);
	f = fopen("/root/secret.map", "w");
	need(f && fputs("1000 ffffffffffff secret\n", f) >= 0 && !fclose(f), "secret");
	map = fopen(map_of(getpid()), "w");
	need(map != NULL, "map");
	rounds = strtol(argv[1], NULL, 10);
	make(&light, "made_light", map);
	for (i = 0; i < rounds; i++)
		burn(&light, 10000);
	make(&heavy, "made heavy;\033[31m", map);
	for (i = 0; i < rounds; i++)
		burn(&heavy, 30000);
	child(put_link);
	child(put_pipe);
	child(put_directory);
	child(put_anothers);
	child(put_huge);
	child(put_changing);
	/* These have been looked at, too. */
	sleep(5);
	snprintf(name, sizeof(name), "%s.new", argv[2]);
	f = fopen(name, "w");
	need(f != NULL, name);
	tell(f, &light);
	tell(f, &heavy);
	need(!fclose(f) && !rename(name, argv[2]), name);
	for (;;)
		pause();
}
