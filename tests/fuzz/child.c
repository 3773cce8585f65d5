/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-output.h"
#include "child.h"

/* How often each edge was passed, as clang counts it; other compilers have none of it. */
extern uint8_t first_counter[] __asm__("__start___sancov_cntrs") __attribute__((weak));
extern uint8_t last_counter[] __asm__("__stop___sancov_cntrs") __attribute__((weak));

static size_t nr_counters(void)
{
	return (size_t)((uintptr_t)last_counter - (uintptr_t)first_counter);
}

pid_t child_start(struct child *c)
{
	c->covered = mmap(NULL, nr_counters() + 1, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->covered == MAP_FAILED)
		broken("There is no memory to share.");
	c->pid = fork();
	if (c->pid < 0)
		broken("No process can be started.");
	/* libFuzzer's clock is not its. */
	if (!c->pid)
		signal(SIGALRM, SIG_DFL);
	return c->pid;
}

#define SECONDS	  150
#define EVERY	  2
#define MAX_BYTES (1L << 30)

/* Bytes of it that are in memory. */
static long resident(void)
{
	char text[64] = "", *size;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		return 0;
	close(fd);
	size = strchr(text, ' ');
	return size ? strtol(size, NULL, 10) * sysconf(_SC_PAGESIZE) : 0;
}

static void on_alarm(int sig)
{
	static int seconds;

	seconds += EVERY;
	if (resident() > MAX_BYTES)
		_exit(CHILD_OOM);
	if (seconds >= SECONDS) {
		signal(sig, SIG_DFL);
		raise(sig);
	}
	alarm(EVERY);
}

void child_bound(void)
{
	signal(SIGALRM, on_alarm);
	alarm(EVERY);
}

void child_tell(const struct child *c)
{
	if (nr_counters())
		memcpy(c->covered, first_counter, nr_counters());
}

/* libFuzzer's clock interrupts. */
int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			broken("The process is gone.");
	return status;
}

static void collect(struct child *c)
{
	const uint8_t *covered = c->covered;
	size_t i;

	for (i = 0; i < nr_counters(); i++)
		if (covered[i] > first_counter[i])
			first_counter[i] = covered[i];
	munmap(c->covered, nr_counters() + 1);
}

int child_wait(struct child *c)
{
	int status = wait_for(c->pid);

	collect(c);
	return status;
}

bool child_has_ended(struct child *c, int *status)
{
	if (waitpid(c->pid, status, WNOHANG) != c->pid)
		return false;
	collect(c);
	return true;
}
