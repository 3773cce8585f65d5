/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_NAMES_STORAGE_H
#define LC_NAMES_STORAGE_H

#include <limits.h>

#include "names-helper.h"

/*
 * podman and CRI-O keep their containers with one library: DRIVER-containers
 * has a directory for each id, here what is gone after a boot, there the rest.
 */
#define RUN_PLACE	"run/containers/storage"
#define KEPT_PLACE	"var/lib/containers/storage"
/* The same of a user: below /run/user/UID and his home. */
#define USER_RUN_PLACE	"containers"
#define USER_KEPT_PLACE ".local/share/containers/storage"

#define DRIVERS 6
_Static_assert(2 * DRIVERS == HELPER_PLACES, "each driver has both places");
extern const char *const storage_drivers[DRIVERS];

/* More containers of one user are not looked for: it takes time, and he decides how many. */
#define USER_MAX 256

/*
 * What the helper sends: a candidate for each container, listed, facts of those that were then
 * asked for (struct storage_wanted), done; between them notes. Texts are cut where a line has no
 * room for them.
 */
enum storage_kind { STORAGE_CANDIDATE, STORAGE_LISTED, STORAGE_FACTS, STORAGE_DONE };

struct storage_message {
	uint32_t kind;
	uint32_t number;   /* of the candidate, from 0 in the order of the list */
	int32_t init;	   /* candidate */
	uint8_t crio;	   /* facts: with the names that CRI-O gives */
	uint8_t unsettled; /* done: a file was just being written */
	uint8_t over;	   /* listed, done: there was more than may be read */
	uint64_t written;  /* candidate: when init was written down, ns since the epoch */
	uint64_t state;	   /* listed: another one if names may have changed */
	char id[NAME_MAX + 1];
	/* Facts; empty: there is none. */
	char name[NAMES_LINE_MAX + 1], image[NAMES_LINE_MAX + 1];
	char pod[NAMES_LINE_MAX + 1], pod_namespace[NAMES_LINE_MAX + 1];
	char container[NAMES_LINE_MAX + 1];
};

/* One bit for each candidate. */
struct storage_bits {
	uint8_t bits[ENTRIES_MAX / 8];
};

static inline bool storage_has_bit(const struct storage_bits *b, size_t i)
{
	return b->bits[i / 8] & 1u << i % 8;
}

static inline void storage_set_bit(struct storage_bits *b, size_t i)
{
	b->bits[i / 8] |= (uint8_t)(1u << i % 8);
}

static inline void storage_clear_bit(struct storage_bits *b, size_t i)
{
	b->bits[i / 8] &= (uint8_t) ~(1u << i % 8);
}

/* What the helper is asked for. */
struct storage_wanted {
	struct storage_bits facts;
	struct storage_bits crio; /* of these: it is in a cgroup that CRI-O has made */
};

/* names-storage-read.c: what the helper may read, and does. */
size_t storage_places(struct names *n, const struct owner *o, int dirs[HELPER_PLACES]);
void storage_read(struct names *n, const struct owner *o);

#endif
