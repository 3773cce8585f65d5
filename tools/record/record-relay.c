/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"
#include "base/util.h"
#include "record.h"

/* Where lttng-relayd hears session daemons (lttng-relayd(8)). */
#define CONTROL_PORT "5342"
#define CONNECT_MS   2000
/* So that nobody on the way takes it for forgotten, s. */
#define KEEP_ALIVE_S 60

/* Of net://HOST[:PORT[:DATA_PORT]][/PATH]. */
size_t relay_host(const char *url, const char **host)
{
	size_t len;

	*host = strstr(url, "://") + 3;
	len = strcspn(*host, **host == '[' ? "]" : ":/");
	return len + ((*host)[len] == ']');
}

static void take_apart(const char *url, char **host, char **port)
{
	const char *at, *end;
	size_t len = relay_host(url, &at);

	end = at + len;
	at += *at == '[';
	*host = xasprintf("%.*s", (int)(end - at - (end[-1] == ']')), at);
	at = *end == ':' ? end + 1 : "";
	*port = xasprintf("%.*s", (int)strcspn(at, ":/"), at);
	if (!**port) {
		free(*port);
		*port = xstrdup(CONTROL_PORT);
	}
}

static int connect_to(const struct addrinfo *to)
{
	int fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd p = {.fd = fd, .events = POLLOUT};
	int on = 1, idle = KEEP_ALIVE_S, why = 0;
	socklen_t size = sizeof(why);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	if (!connect(fd, to->ai_addr, to->ai_addrlen) ||
	    (errno == EINPROGRESS && poll(&p, 1, CONNECT_MS) == 1 &&
	     !getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &size) && !why))
		return fd;
	close(fd);
	return -1;
}

void relay_follow(struct relay *r, const char *url)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *all = NULL, *one;
	char *host, *port;

	hints.ai_family = !strncmp(url, "net6:", 5) ? AF_INET6 : AF_INET;
	take_apart(url, &host, &port);
	r->fd = -1;
	if (!getaddrinfo(host, port, &hints, &all))
		for (one = all; one && r->fd < 0; one = one->ai_next)
			r->fd = connect_to(one);
	if (all)
		freeaddrinfo(all);
	r->is_followed = r->fd >= 0;
	free(host);
	free(port);
}

bool relay_has_gone(struct relay *r)
{
	char byte;
	ssize_t got;

	if (!r->is_followed)
		return false;
	/* It is asked for nothing, and so says nothing. */
	got = recv(r->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	return !got || (got < 0 && errno != EAGAIN && errno != EINTR);
}

void relay_close(struct relay *r)
{
	if (r->is_followed)
		close(r->fd);
	r->is_followed = false;
}
