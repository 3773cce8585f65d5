/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#include "base/util.h"
#include "check-output.h"
#include "report/metrics/metrics-clients.h"

/* A connection is a number, its place in ever[]. */
static int fake_shutdown(int fd, int how);
#define shutdown fake_shutdown
#include "report/metrics/metrics-clients.c"

/*
 * Who connects to `metrics --listen`, and goes. The input is a row of four bytes: what happens, and
 * an address. Beside what the program keeps there is what docs/lttng-containers.md promises, as a
 * list of all that were ever there.
 */

enum { COMES, COMES_BY_IPV6, COMES_BY_BOTH, GOES, WHAT_NR };

/* More than there is room for. */
#define EVER_MAX 160

/* Who shares something with whom is by @address alone. */
static struct somebody {
	char address[INET6_ADDRSTRLEN];
	bool is_there;	/* its connection is not closed */
	bool was_asked; /* to go */
	bool has_room;
} ever[EVER_MAX];
static size_t nr;
/* Who was told to go by what just happened; -1: nobody. */
static int told;

static int fake_shutdown(int fd, int how)
{
	if (fd < 0 || (size_t)fd >= nr || !ever[fd].is_there || how != SHUT_RDWR)
		broken("clients: a connection is shut down that is not there. fd=%d", fd);
	if (ever[fd].was_asked || told >= 0)
		broken("clients: one has to go twice, or two for one. fd=%d", fd);
	told = fd;
	return 0;
}

static size_t count_of(const char *address)
{
	size_t i, n = 0;

	for (i = 0; i < nr; i++)
		n += ever[i].is_there && !ever[i].was_asked &&
		     (!address || !strcmp(ever[i].address, address));
	return n;
}

/* IPv6 counts by the first 64 bits; what is IPv4's in IPv6 is IPv4's. */
static void make_address(struct sockaddr_storage *to, const uint8_t *in, char *text)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
	struct in6_addr network = {0};

	if (in[0] % WHAT_NR == COMES) {
		memcpy(&v4.sin_addr, (uint8_t[]){10, 0, in[1] & 3, in[2] & 3}, 4);
		memcpy(to, &v4, sizeof(v4));
		inet_ntop(AF_INET, &v4.sin_addr, text, INET6_ADDRSTRLEN);
		return;
	}
	if (in[0] % WHAT_NR == COMES_BY_BOTH) {
		memcpy(&v6.sin6_addr, (uint8_t[]){[10] = 0xff, 0xff, 10, 0, in[1] & 3, in[2] & 3},
		       16);
		inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], text, INET6_ADDRSTRLEN);
	} else {
		memcpy(&v6.sin6_addr,
		       (uint8_t[]){0x20, 1, 0, in[1] & 3, [7] = in[2] & 3, [8] = in[3], [15] = 1},
		       16);
		memcpy(&network, &v6.sin6_addr, 8);
		inet_ntop(AF_INET6, &network, text, INET6_ADDRSTRLEN);
	}
	memcpy(to, &v6, sizeof(v6));
}

/* Those before it, of the same address or all, that have not been asked. */
static bool is_oldest(int who)
{
	int i;

	for (i = 0; i < who; i++)
		if (ever[i].is_there && !ever[i].was_asked &&
		    !strcmp(ever[i].address, ever[who].address))
			return false;
	return true;
}

static size_t most(void)
{
	size_t i, n, max = 0;

	for (i = 0; i < nr; i++) {
		n = ever[i].is_there && !ever[i].was_asked ? count_of(ever[i].address) : 0;
		max = n > max ? n : max;
	}
	return max;
}

static size_t nr_with_room(void)
{
	size_t i, n = 0;

	for (i = 0; i < nr; i++)
		n += ever[i].is_there && ever[i].has_room;
	return n;
}

static void check_coming(int who)
{
	bool is_many = count_of(ever[who].address) > CLIENTS_PER_ADDRESS;

	ever[who].has_room = nr_with_room() < CLIENTS_LIMIT;
	if (!ever[who].has_room) {
		if (told != who)
			broken("clients: there is no room, and it need not go");
	} else if (is_many || count_of(NULL) > CLIENTS_MAX) {
		if (told < 0 || told == who || !is_oldest(told))
			broken("clients: nobody gives way, or not the oldest. told=%d", told);
		if (is_many ? strcmp(ever[told].address, ever[who].address) != 0
			    : count_of(ever[told].address) != most())
			broken("clients: one of another address gives way. told=%d", told);
	} else if (told >= 0) {
		broken("clients: somebody has to go for nothing. told=%d", told);
	}
	if (told >= 0)
		ever[told].was_asked = true;
}

static void come(struct clients *c, const uint8_t *in)
{
	struct sockaddr_storage from = {0};
	int fd = (int)nr++;

	ever[fd] = (struct somebody){.is_there = true};
	make_address(&from, in, ever[fd].address);
	told = -1;
	clients_add(c, fd, (const struct sockaddr *)&from);
	check_coming(fd);
}

/* The how manieth of those that are there. */
static void go(struct clients *c, unsigned int which)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (ever[i].is_there && !which--) {
			told = -1;
			clients_remove(c, (int)i);
			ever[i].is_there = false;
			return;
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct clients c = {.nr = 0};

	for (nr = 0; size >= 4 && nr < EVER_MAX; data += 4, size -= 4)
		if (data[0] % WHAT_NR == GOES)
			go(&c, data[1] % CLIENTS_LIMIT);
		else
			come(&c, data);
	return 0;
}
