/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <arpa/inet.h>
#include <jansson.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "base/util.h"
#include "check-output.h"
#include "child.h"
#include "child-library.h"
#include "report/cpu/cpu-fleet.h"

/*
 * `cpu --live` with a hostile relay daemon. The protocol is lttng-tools' for viewers
 * (lttng-viewer-abi.h): a viewer's command is its length, its number and a version, and has an
 * answer without a head. The input is a row of answers:
 *
 *   byte K   a command's number in the lower four bits; 0x80: then the daemon hangs up
 *   length   two bytes, the lowest first
 *   bytes    the answer; for 0x10 set: behind what a good answer begins with
 *
 * A command is answered by the next of its kind, and the last of these once more each time; a kind
 * that has none is answered well. A viewer that says no more has got too short an answer, and
 * waits for the rest: then, and after so many commands, the daemon hangs up.
 */

#define COMMANDS_MAX 24
#define ANSWERS_MAX  256
#define KINDS	     16
#define WAIT_S	     10
/* It asks again after 50 ms. */
#define SAMPLE_MS    10
#define SAMPLES	     15
#define NAME_SIZE    255
#define PATH_SIZE    4096
#define HOST_SIZE    64

enum {
	CONNECT = 1,
	LIST,
	ATTACH,
	NEXT_INDEX,
	GET_PACKET,
	GET_METADATA,
	NEW_STREAMS,
	CREATE,
	DETACH
};

struct answer {
	unsigned int kind;
	bool hangs_up, is_extended;
	const uint8_t *data;
	size_t size;
};

/* The daemon. */
struct relay {
	struct answer answers[ANSWERS_MAX];
	size_t nr, next[KINDS];
	int commands;
	pid_t viewer;
};

/* What is being written. */
struct message {
	uint8_t data[2 * (PATH_SIZE + NAME_SIZE) + 256];
	size_t size;
};

static void put_number(struct message *m, uint64_t n, size_t bytes)
{
	while (bytes--)
		m->data[m->size++] = (uint8_t)(n >> 8 * bytes);
}

static void put_name(struct message *m, const char *name, size_t size)
{
	memset(m->data + m->size, 0, size);
	memcpy(m->data + m->size, name, strlen(name));
	m->size += size;
}

static void put_stream(struct message *m, uint64_t id, bool is_metadata)
{
	put_number(m, id, 8);
	put_number(m, 1, 8);
	put_number(m, is_metadata, 4);
	put_name(m, "kernel", PATH_SIZE);
	put_name(m, is_metadata ? "metadata" : "channel0_0", NAME_SIZE);
}

/* How a good answer begins; what is of any length comes from the input. */
static void put_good(struct message *m, unsigned int kind, size_t more, bool again)
{
	switch (kind) {
	case CONNECT:
		put_number(m, 1, 8);
		put_number(m, 2, 4);
		put_number(m, 4, 4);
		put_number(m, 1, 4);
		break;
	case LIST:
		put_number(m, 1, 4);
		put_number(m, 1, 8);
		put_number(m, 1000000, 4);
		put_number(m, 0, 4);
		put_number(m, 2, 4);
		put_name(m, "host", HOST_SIZE);
		put_name(m, "session", NAME_SIZE);
		break;
	case ATTACH:
		put_number(m, 1, 4);
		put_number(m, 2, 4);
		put_stream(m, 1, true);
		put_stream(m, 2, false);
		break;
	case NEXT_INDEX:
		/* Offset, sizes, times, lost events, stream; there is no more, or none yet. */
		put_number(m, 0, 7 * 8);
		put_number(m, again ? 3 : 2, 4);
		put_number(m, 0, 4);
		break;
	case GET_PACKET:
		put_number(m, 1, 4);
		put_number(m, more, 4);
		put_number(m, 0, 4);
		break;
	case GET_METADATA:
		put_number(m, more, 8);
		put_number(m, more ? 1 : 2, 4);
		break;
	case NEW_STREAMS:
		put_number(m, 2, 4);
		put_number(m, 0, 4);
		break;
	default:
		put_number(m, 1, 4);
		break;
	}
}

static bool send_all(int fd, const uint8_t *data, size_t size)
{
	while (size) {
		ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);

		if (sent <= 0)
			return false;
		data += sent;
		size -= (size_t)sent;
	}
	return true;
}

static const struct answer *answer_of(struct relay *r, unsigned int kind)
{
	const struct answer *last = NULL;
	size_t i, nr = 0;

	for (i = 0; i < r->nr; i++) {
		if (r->answers[i].kind != kind)
			continue;
		last = &r->answers[i];
		if (nr++ == r->next[kind]) {
			r->next[kind]++;
			return last;
		}
	}
	return last;
}

static bool answer(struct relay *r, int fd, unsigned int kind)
{
	const struct answer *a = answer_of(r, kind);
	struct message m = {.size = 0};

	if (!a || a->is_extended)
		put_good(&m, kind, a ? a->size : 0, r->commands > 8);
	if (!send_all(fd, m.data, m.size) || (a && !send_all(fd, a->data, a->size)))
		return false;
	return !a || !a->hangs_up;
}

/* It sleeps: it does not only wait for its turn on a busy machine. */
static bool is_asleep(pid_t pid)
{
	char path[32], state = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	if (f)
		fclose(f);
	return state == 'S';
}

/* Returns false if nobody is there any more, or the viewer waits for something. */
static bool receive(const struct relay *r, int fd, void *data, size_t size)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	int asleep = 0;

	while (poll(&p, 1, SAMPLE_MS) <= 0) {
		asleep = is_asleep(r->viewer) ? asleep + 1 : 0;
		if (asleep == SAMPLES)
			return false;
	}
	return recv(fd, data, size, MSG_WAITALL) == (ssize_t)size;
}

static void serve(struct relay *r, int fd)
{
	uint32_t head[4];
	uint8_t body[256];

	while (receive(r, fd, head, sizeof(head))) {
		size_t size = ntohl(head[1]);

		if (size > sizeof(body) || (size && !receive(r, fd, body, size)))
			break;
		if (r->commands++ == COMMANDS_MAX || !answer(r, fd, ntohl(head[2]) % KINDS))
			break;
	}
	close(fd);
}

static int listen_somewhere(int *port)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, len) || listen(fd, 8) ||
	    getsockname(fd, (struct sockaddr *)&address, &len))
		broken("There is no port.");
	*port = ntohs(address.sin_port);
	return fd;
}

/* What each of its processes does, in this one. */
int cpu_fleet(const struct cpu_live_options *o)
{
	const struct sigaction sa = {.sa_handler = live_stop};
	struct live_session s;
	int status;

	/* Not libFuzzer's own: see watch(). */
	sigaction(SIGALRM, &sa, NULL);
	if (live_find(o->url, &s))
		return EXIT_TROUBLE;
	status = cpu_live_session(o, &s, false);
	live_session_free(&s);
	return status;
}

/* In a process of its own, for the library may abort. */
static _Noreturn void watch(const struct child *c, int port, int out, int err)
{
	char *url = xasprintf("net://127.0.0.1:%d", port);
	char *argv[] = {"cpu", "--live", url, "--json", NULL};
	int status;

	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	/* It takes that as a user's Ctrl-C. */
	alarm(WAIT_S);
	library_may_die();
	optind = 0;
	status = cmd_cpu(4, argv);
	fflush(stdout);
	child_tell(c);
	_exit(status);
}

/* One document for each interval, and one for all. */
static void check_documents(const char *text, size_t size)
{
	const size_t flags = JSON_DISABLE_EOF_CHECK | JSON_DECODE_INT_AS_REAL;
	const char *end = text + size;
	json_error_t why;
	json_t *root;

	while (text < end) {
		root = json_loadb(text, (size_t)(end - text), flags, &why);
		if (!root)
			broken("cpu --live: this is not JSON. why=%s", why.text);
		json_decref(root);
		check_output(OUT_JSON, text, (size_t)why.position);
		text += why.position;
		text += strspn(text, "\n");
	}
}

static void check(int status, int out, int err)
{
	size_t size, err_size;
	char *text = read_whole(out, &size), *said = read_whole(err, &err_size);

	if (WIFSIGNALED(status))
		broken("cpu --live was ended by a signal, or hangs. signal=%d\n%s",
		       WTERMSIG(status), said);
	if (WEXITSTATUS(status) == CHILD_OOM && library_asked(said))
		status = W_EXITCODE(EXIT_TROUBLE, 0);
	if (WEXITSTATUS(status) != EXIT_FINE && WEXITSTATUS(status) != EXIT_TROUBLE)
		broken("The exit status is none of the command's. status=%d\n%s",
		       WEXITSTATUS(status), said);
	if (WEXITSTATUS(status) == EXIT_FINE ? !size : !err_size)
		broken("There is no output, or no message. status=%d", WEXITSTATUS(status));
	check_text("standard error", said, err_size);
	check_documents(text, size);
	free(text);
	free(said);
}

static void parse(struct relay *r, const uint8_t *at, const uint8_t *end)
{
	while (end - at >= 3 && r->nr < ANSWERS_MAX) {
		size_t told = (size_t)(at[1] | at[2] << 8), left = (size_t)(end - at) - 3;
		struct answer *a = &r->answers[r->nr++];

		*a = (struct answer){at[0] % KINDS, at[0] & 0x80, at[0] & 0x10, at + 3,
				     told < left ? told : left};
		at += 3 + a->size;
	}
}

/* Serves until the viewer has ended. */
static int serve_all(struct relay *r, int listener, struct child *c)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};
	int status, rounds;

	for (rounds = 0;; rounds++) {
		int fd = poll(&p, 1, 5) > 0 ? accept(listener, NULL, NULL) : -1;

		if (fd >= 0)
			serve(r, fd);
		else if (child_has_ended(c, &status))
			return status;
		if (rounds == 3 * WAIT_S * 200)
			kill(c->pid, SIGKILL);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct relay r = {.nr = 0};
	struct child c;
	int port, listener = listen_somewhere(&port);
	int out = memfd_create("out", 0), err = memfd_create("err", 0);

	parse(&r, data, data + size);
	if (!child_start(&c)) {
		close(listener);
		watch(&c, port, out, err);
	}
	r.viewer = c.pid;
	check(serve_all(&r, listener, &c), out, err);
	close(listener);
	return 0;
}
