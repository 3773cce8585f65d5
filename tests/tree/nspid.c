// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Fills in what older kernels do not tell of a thread's PID namespaces: the nspid= and nstgid=
 * (since Linux 4.1) and pid_ns_inums= (4.9) of a snapshot (docs/snapshot.md), from standard
 * input to standard output.
 *
 * The kernel translates the process number in a socket's credentials into the PID namespace
 * of whoever receives them. So a process in each namespace says which numbers it sees; the
 * more namespaces see a namespace's tasks, the deeper that is.
 * To be run by root in the root namespaces, soon after the snapshot: of who has ended nothing more
 * is told.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS_MAX 4096
#define SPACES_MAX  1024

struct thread {
	char *line;
	pid_t tid, pid;
	unsigned long space;
	bool asked;
};

/* A PID namespace, and the numbers that it has for the threads: 0 if it does not see one. */
struct space {
	unsigned long inode;
	pid_t member;
	unsigned int depth;
	pid_t *numbers;
};

static struct thread threads[THREADS_MAX];
static struct space spaces[SPACES_MAX];
static size_t thread_count, space_count;

static void die(const char *what)
{
	fprintf(stderr, "nspid: The system refused. call=%s error=%s\n", what, strerror(errno));
	exit(1);
}

static unsigned long field(const char *line, const char *name)
{
	const char *at = strstr(line, name);

	return at ? strtoul(at + strlen(name), NULL, 10) : 0;
}

/* The number of items in a list. */
static size_t items(const char *line, const char *name)
{
	const char *at = strstr(line, name);
	size_t count;

	if (!at)
		return 0;
	at += strlen(name);
	count = *at != ' ';
	for (; *at && *at != ' '; at++)
		count += *at == ',';
	return count;
}

static void read_lines(void)
{
	size_t size = 0;
	char *line = NULL;

	while (getline(&line, &size, stdin) > 0) {
		struct thread *thread = &threads[thread_count++];

		if (thread_count == THREADS_MAX) {
			errno = E2BIG;
			die("getline");
		}
		thread->line = strdup(line);
		if (strncmp(line, "thread ", 7) != 0)
			continue;
		thread->tid = (pid_t)field(line, " tid=");
		thread->pid = (pid_t)field(line, " pid=");
		thread->space = field(line, " pid_ns=");
		thread->asked =
			items(line, " nspid=") == 0 ||
			(thread->space && items(line, " pid_ns_inums=") < items(line, " nspid="));
	}
	free(line);
}

static void find_spaces(void)
{
	for (size_t t = 0; t < thread_count; t++) {
		size_t s = 0;

		while (s < space_count && spaces[s].inode != threads[t].space)
			s++;
		if (!threads[t].space || s < space_count)
			continue;
		if (s == SPACES_MAX) {
			errno = E2BIG;
			die("spaces");
		}
		spaces[s].inode = threads[t].space;
		spaces[s].member = threads[t].tid;
		spaces[s].numbers = calloc(THREADS_MAX, sizeof(pid_t));
		space_count++;
	}
}

/* Sends a number of this namespace; false if nobody has it, or listens, any more. */
static bool send_number(int socket, pid_t number)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(struct ucred))];
	} control = {.header = {.cmsg_len = CMSG_LEN(sizeof(struct ucred)),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_CREDENTIALS}};
	struct ucred who = {.pid = number};
	struct iovec byte = {.iov_base = "", .iov_len = 1};
	struct msghdr message = {.msg_iov = &byte,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};

	memcpy(CMSG_DATA(&control.header), &who, sizeof(who));
	if (sendmsg(socket, &message, MSG_NOSIGNAL) == 1)
		return true;
	if (errno != ESRCH && errno != EPIPE)
		die("sendmsg");
	return false;
}

/* Answers each credential with the number that it has here, until the other side ends. */
static void answer(int socket)
{
	for (;;) {
		char byte, room[CMSG_SPACE(sizeof(struct ucred))];
		struct iovec data = {.iov_base = &byte, .iov_len = 1};
		struct msghdr message = {.msg_iov = &data,
					 .msg_iovlen = 1,
					 .msg_control = room,
					 .msg_controllen = sizeof(room)};
		struct ucred who = {0};

		if (recvmsg(socket, &message, 0) <= 0)
			_exit(0);
		if (CMSG_FIRSTHDR(&message))
			memcpy(&who, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(who));
		if (write(socket, &who.pid, sizeof(who.pid)) != sizeof(who.pid))
			_exit(1);
	}
}

/* Starts a process that answers from within a namespace; setns() counts for its children only. */
static pid_t start_answerer(const struct space *space, const int sockets[2])
{
	char name[64];
	pid_t pid = fork();
	int file;

	if (pid < 0)
		die("fork");
	if (pid > 0)
		return pid;
	/* Or the end of the asking would not be seen. */
	close(sockets[0]);
	snprintf(name, sizeof(name), "/proc/%d/ns/pid", space->member);
	file = open(name, O_RDONLY);
	/* A namespace that is gone sees nothing. */
	if (file < 0 || setns(file, CLONE_NEWPID) < 0)
		_exit(0);
	pid = fork();
	if (pid < 0)
		_exit(0);
	if (pid == 0)
		answer(sockets[1]);
	close(sockets[1]);
	waitpid(pid, NULL, 0);
	_exit(0);
}

static void ask(struct space *space)
{
	int sockets[2], on = 1;
	pid_t answerer;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0 ||
	    setsockopt(sockets[1], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) < 0)
		die("socketpair");
	answerer = start_answerer(space, sockets);
	close(sockets[1]);
	for (size_t t = 0; t < thread_count; t++) {
		pid_t number = 0;

		if (!threads[t].tid || !send_number(sockets[0], threads[t].tid))
			continue;
		if (read(sockets[0], &number, sizeof(number)) != sizeof(number))
			break;
		space->numbers[t] = number;
	}
	close(sockets[0]);
	waitpid(answerer, NULL, 0);
}

static bool any_asked(void)
{
	for (size_t t = 0; t < thread_count; t++)
		if (threads[t].asked)
			return true;
	return false;
}

static size_t thread_of(pid_t tid)
{
	size_t t = 0;

	while (t < thread_count && threads[t].tid != tid)
		t++;
	return t;
}

static void find_depths(void)
{
	for (size_t s = 0; s < space_count; s++) {
		size_t member = thread_of(spaces[s].member);

		for (size_t other = 0; other < space_count; other++)
			spaces[s].depth += spaces[other].numbers[member] != 0;
	}
}

static int by_depth(const void *a, const void *b)
{
	const struct space *one = a, *two = b;

	return (one->depth > two->depth) - (one->depth < two->depth);
}

/* The namespaces that see a thread, from the root on: their inodes, or its numbers there. */
static void put_list(const char *name, size_t t, bool inodes)
{
	const char *separator = "";

	printf("%s", name);
	for (size_t s = 0; s < space_count; s++)
		if (spaces[s].numbers[t]) {
			printf("%s%lu", separator,
			       inodes ? spaces[s].inode : (unsigned long)spaces[s].numbers[t]);
			separator = ",";
		}
}

static void put_line(size_t t)
{
	static const char nspid[] = "nspid=", nstgid[] = "nstgid=", inums[] = "pid_ns_inums=";
	const char *word = threads[t].line;
	size_t leader = thread_of(threads[t].pid);

	while (*word) {
		size_t length = strcspn(word, " ");

		if (strncmp(word, nspid, strlen(nspid)) == 0)
			put_list(nspid, t, false);
		else if (strncmp(word, nstgid, strlen(nstgid)) == 0 && leader < thread_count)
			put_list(nstgid, leader, false);
		else if (strncmp(word, inums, strlen(inums)) == 0)
			put_list(inums, t, true);
		else
			printf("%.*s", (int)length, word);
		word += length;
		if (*word == ' ')
			putchar(*word++);
	}
}

static bool seen(size_t t)
{
	for (size_t s = 0; s < space_count; s++)
		if (spaces[s].numbers[t])
			return true;
	return false;
}

static void put_lines(void)
{
	for (size_t t = 0; t < thread_count; t++)
		if (threads[t].asked && seen(t))
			put_line(t);
		else
			fputs(threads[t].line, stdout);
}

int main(void)
{
	read_lines();
	find_spaces();
	for (size_t s = 0; any_asked() && s < space_count; s++)
		ask(&spaces[s]);
	find_depths();
	qsort(spaces, space_count, sizeof(spaces[0]), by_depth);
	put_lines();
	if (fflush(stdout) || ferror(stdout))
		die("fflush");
	return 0;
}
