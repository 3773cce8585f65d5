// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * What lttng-tracer does when an allocation fails: makes one of its system calls while the first
 * allocation in it fails, then the second, and so on, and after each uses what is there then. And
 * what it does when a stream is read whose session has ended. Needs no lttng-sessiond; the event is
 * the tracer's own, lttng_logger.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FAIL_NTH "/proc/thread-self/fail-nth"
/* Far more than there are in one of these calls. */
#define MOST	 500

/* Of include/lttng/abi.h. */
struct abi_channel {
	uint64_t subbuf_size;
	uint64_t num_subbuf;
	uint32_t switch_timer_interval;
	uint32_t read_timer_interval;
	uint32_t output;
	int32_t overwrite;
	char padding[256 + 32];
} __attribute__((packed));

struct abi_event {
	char name[256];
	uint32_t instrumentation;
	uint64_t token;
	uint64_t event_ext;
	char padding[256 + 32];
} __attribute__((packed));

#define ABI_SESSION	  _IO(0xF6, 0x45)
#define ABI_CHANNEL	  _IOW(0xF6, 0x55, struct abi_channel)
#define ABI_SESSION_START _IO(0xF6, 0x56)
#define ABI_METADATA	  _IOW(0xF6, 0x54, struct abi_channel)
#define ABI_STREAM	  _IO(0xF6, 0x62)
#define ABI_EVENT	  _IOW(0xF6, 0x63, struct abi_event)
#define ABI_ENABLE	  _IO(0xF6, 0x82)
#define RB_GET_NEXT	  _IO(0xF6, 0x05)
#define RB_PUT_NEXT	  _IO(0xF6, 0x06)
#define RB_FLUSH_EMPTY	  _IO(0xF6, 0x0f)
#define RB_GET_STREAM_ID  _IOR(0xF6, 0x25, uint64_t)
#define OUTPUT_MMAP	  1

/* As small as they can be. */
static struct abi_channel channel = {.subbuf_size = 4096, .num_subbuf = 2, .output = OUTPUT_MMAP};
static int fail_fd;

static void die(const char *what)
{
	fprintf(stderr, "failing: The system refused. call=%s error=%s\n", what, strerror(errno));
	exit(1);
}

/* Makes the call while its nth allocation fails; says whether it has that many. */
static int fails(int nth, int fd, unsigned long request, void *argument, int *result)
{
	char number[16], left[16] = "";
	int length = snprintf(number, sizeof(number), "%d", nth);

	if (write(fail_fd, number, length) < 0)
		die(FAIL_NTH);
	*result = ioctl(fd, request, argument);
	if (pread(fail_fd, left, sizeof(left) - 1, 0) < 1 || write(fail_fd, "0", 1) < 0)
		die(FAIL_NTH);
	return atoi(left) == 0;
}

static int must(int fd, unsigned long request, void *argument, const char *what)
{
	int result = ioctl(fd, request, argument);

	if (result < 0)
		die(what);
	return result;
}

/* A session that was refused must not be in the list to which the next one is added. */
static void sessions(int lttng)
{
	int nth, result, refused = 0;

	for (nth = 1; nth < MOST && fails(nth, lttng, ABI_SESSION, NULL, &result); nth++) {
		if (result < 0)
			refused++;
		else
			close(result);
		close(must(lttng, ABI_SESSION, NULL, "SESSION"));
	}
	printf("count: failed %d\ncount: refused %d\n", nth - 1, refused);
}

/* The channel of a new session that is active. */
static int start(int lttng, int *session)
{
	int buffers;

	*session = must(lttng, ABI_SESSION, NULL, "SESSION");
	buffers = must(*session, ABI_CHANNEL, &channel, "CHANNEL");
	must(*session, ABI_SESSION_START, NULL, "SESSION_START");
	return buffers;
}

/* Where an enabler was refused there is none to be enabled. */
static void enable(int lttng)
{
	struct abi_event event = {.name = "lttng_logger"};
	int nth, session, result, failed = 1, refused = 0;

	for (nth = 1; nth < MOST && failed; nth++) {
		int buffers = start(lttng, &session);

		failed = fails(nth, buffers, ABI_EVENT, &event, &result);
		if (result < 0)
			refused++;
		else if (ioctl(result, ABI_ENABLE) < 0)
			die("ENABLE");
		if (result >= 0)
			close(result);
		close(buffers);
		close(session);
	}
	printf("count: failed %d\ncount: refused %d\n", nth - 2, refused);
}

/*
 * The events of an enabler are made when it is enabled, and at once if the session is active. If
 * one could not be made only the kernel's log says so. Each time another session.
 */
static void events(int lttng)
{
	struct abi_event event = {.name = "lttng_logger"};
	int nth, session, result, failed = 1;

	for (nth = 1; nth < MOST && failed; nth++) {
		int buffers = start(lttng, &session);
		int enabler = must(buffers, ABI_EVENT, &event, "EVENT");

		failed = fails(nth, enabler, ABI_ENABLE, NULL, &result);
		close(enabler);
		close(buffers);
		close(session);
	}
	printf("count: failed %d\n", nth - 2);
}

/* Who reads a stream may have it longer than there is a session, and asks for what every packet
 * needs. */
static void stream(int lttng)
{
	uint64_t before, after;
	int session, fd, packets = 0;
	int buffers = start(lttng, &session);

	fd = must(buffers, ABI_STREAM, NULL, "STREAM");
	must(fd, RB_GET_STREAM_ID, &before, "GET_STREAM_ID");
	close(buffers);
	close(session);
	must(fd, RB_GET_STREAM_ID, &after, "GET_STREAM_ID");
	if (after != before)
		exit(1);
	/* Each begins the next one, whose header has the session's uuid. */
	for (; packets < 4; packets++) {
		must(fd, RB_FLUSH_EMPTY, NULL, "FLUSH_EMPTY");
		must(fd, RB_GET_NEXT, NULL, "GET_NEXT_SUBBUF");
		must(fd, RB_PUT_NEXT, NULL, "PUT_NEXT_SUBBUF");
	}
	close(fd);
	printf("count: packets %d\n", packets);
}

/* The same of the stream of metadata, with so many channels that it needs more than a packet. */
static void metadata(int lttng)
{
	int channels[32], packets = 0, i, n = sizeof(channels) / sizeof(*channels);
	int session = must(lttng, ABI_SESSION, NULL, "SESSION");
	int buffers = must(session, ABI_METADATA, &channel, "METADATA");
	int fd = must(buffers, ABI_STREAM, NULL, "STREAM");

	for (i = 0; i < n; i++)
		channels[i] = must(session, ABI_CHANNEL, &channel, "CHANNEL");
	must(session, ABI_SESSION_START, NULL, "SESSION_START");
	for (i = 0; i < n; i++)
		close(channels[i]);
	close(buffers);
	close(session);
	while (ioctl(fd, RB_GET_NEXT) == 0) {
		must(fd, RB_PUT_NEXT, NULL, "PUT_NEXT_SUBBUF");
		packets++;
	}
	close(fd);
	printf("count: packets %d\n", packets);
}

static const struct {
	const char *name;
	void (*run)(int lttng);
} topics[] = {
	{"sessions", sessions}, {"events", events},	{"enable", enable},
	{"stream", stream},	{"metadata", metadata},
};

int main(int argc, char **argv)
{
	size_t i, nr = sizeof(topics) / sizeof(*topics);
	int lttng;

	for (i = 0; i < nr && (argc != 2 || strcmp(argv[1], topics[i].name)); i++)
		;
	if (i == nr) {
		fputs("Usage: failing sessions|events|enable|stream|metadata\n", stderr);
		return 2;
	}
	fail_fd = open(FAIL_NTH, O_RDWR);
	if (fail_fd < 0)
		die(FAIL_NTH);
	lttng = open("/proc/lttng", O_RDONLY);
	if (lttng < 0)
		die("/proc/lttng");
	topics[i].run(lttng);
	return 0;
}
