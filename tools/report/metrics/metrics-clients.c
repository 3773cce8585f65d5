/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <netinet/in.h>
#include <string.h>

#include "metrics-clients.h"

static uint64_t address_of(const struct sockaddr *from)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	uint64_t network;
	uint32_t host;

	if (from->sa_family == AF_INET) {
		memcpy(&v4, from, sizeof(v4));
		return v4.sin_addr.s_addr;
	}
	if (from->sa_family != AF_INET6)
		return 0;
	memcpy(&v6, from, sizeof(v6));
	if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
		memcpy(&host, &v6.sin6_addr.s6_addr[12], sizeof(host));
		return host;
	}
	memcpy(&network, &v6.sin6_addr, sizeof(network));
	return network;
}

static size_t count(const struct clients *c, uint64_t address)
{
	size_t i, n = 0;

	for (i = 0; i < c->nr; i++)
		n += !c->list[i].is_gone && c->list[i].address == address;
	return n;
}

/* It reads the end of the connection then, and closes it. */
static void tell_to_go(struct clients *c, uint64_t address)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (!c->list[i].is_gone && c->list[i].address == address) {
			c->list[i].is_gone = true;
			shutdown(c->list[i].fd, SHUT_RDWR);
			return;
		}
}

static void make_room(struct clients *c)
{
	size_t i, n, all = 0, most = 0;
	uint64_t address = 0;

	for (i = 0; i < c->nr; i++) {
		if (c->list[i].is_gone)
			continue;
		all++;
		n = count(c, c->list[i].address);
		if (n > most) {
			most = n;
			address = c->list[i].address;
		}
	}
	if (all > CLIENTS_MAX)
		tell_to_go(c, address);
}

void clients_add(struct clients *c, int fd, const struct sockaddr *from)
{
	uint64_t address = address_of(from);

	if (c->nr == CLIENTS_LIMIT) {
		shutdown(fd, SHUT_RDWR);
		return;
	}
	c->list[c->nr++] = (struct client){.fd = fd, .address = address};
	if (count(c, address) > CLIENTS_PER_ADDRESS)
		tell_to_go(c, address);
	else
		make_room(c);
}

void clients_remove(struct clients *c, int fd)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->list[i].fd == fd) {
			memmove(&c->list[i], &c->list[i + 1], (c->nr - i - 1) * sizeof(c->list[0]));
			c->nr--;
			return;
		}
}
