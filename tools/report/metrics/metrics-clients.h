/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METRICS_CLIENTS_H
#define LC_METRICS_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/*
 * Who is connected. A scrape takes milliseconds, so whoever has been there for long gives way to
 * who comes: the oldest connection of the same address, if that has too many; else, if all have too
 * many, the oldest of the address that has most. A client that sends a byte now and then, and so is
 * never idle, cannot keep others out, not even those that share its address.
 */
#define CLIENTS_MAX	    32
#define CLIENTS_PER_ADDRESS 8
/* Those that were told to go are still there for a moment. */
#define CLIENTS_LIMIT	    (2 * CLIENTS_MAX)

struct client {
	int fd;
	uint64_t address; /* all of IPv4's; of IPv6's the network, in which anybody has many */
	bool is_gone;	  /* was told to go */
};

struct clients {
	struct client list[CLIENTS_LIMIT]; /* the oldest first */
	size_t nr;
};

/* Somebody has come. Who is to give way has the connection shut down. */
void clients_add(struct clients *c, int fd, const struct sockaddr *from);
/* Before @fd is closed. */
void clients_remove(struct clients *c, int fd);

#endif
