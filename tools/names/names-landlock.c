/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "names-helper.h"
#include "base/util.h"

/*
 * The kernel's interface has these numbers everywhere (landlock(7)). They are told here as the
 * headers that a program is built with may be older than the kernel that it runs on.
 */
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE	    445
#define CALL_RESTRICT_SELF  446

#define CREATE_VERSION	  1
#define RULE_PATH_BENEATH 1

#define FS_EXECUTE   (1ull << 0)
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR  (1ull << 3)
/* Ports of TCP, to bind or to connect; abstract sockets, and signals to who is not below it. */
#define NET_ALL	     3ull
#define SCOPE_ALL    3ull

struct ruleset {
	uint64_t fs, net, scoped;
};

struct path_beneath {
	uint64_t access;
	int32_t dir;
} __attribute__((packed));

static long version(void)
{
	return syscall(CALL_CREATE_RULESET, NULL, 0, CREATE_VERSION);
}

/* All that a kernel of this version can refuse of files: opening, making, moving, cutting, ioctl().
 */
static uint64_t all_of_files(long abi)
{
	static const unsigned int bits[] = {13, 14, 15, 15};

	return (1ull << (abi > 4 ? 16 : bits[abi - 1])) - 1;
}

/* Landlock refuses what no rule allows, whoever asks, and however he is privileged. */
static int new_ruleset(long abi)
{
	const struct ruleset r = {
		.fs = all_of_files(abi),
		.net = abi >= 4 ? NET_ALL : 0,
		.scoped = abi >= 6 ? SCOPE_ALL : 0,
	};

	/* What is 0 at the end an older kernel need not know. */
	return (int)syscall(CALL_CREATE_RULESET, &r, sizeof(r), 0);
}

static int confine_to(const int *dirs, size_t nr, uint64_t access)
{
	long abi = version();
	int rules = abi > 0 ? new_ruleset(abi) : -1, status = 0;
	size_t i;

	if (rules < 0)
		return -1;
	for (i = 0; i < nr && !status; i++) {
		const struct path_beneath p = {access, dirs[i]};

		status = (int)syscall(CALL_ADD_RULE, rules, RULE_PATH_BENEATH, &p, 0);
	}
	if (!status)
		status = (int)syscall(CALL_RESTRICT_SELF, rules, 0);
	close(rules);
	return status;
}

int confine_files(const int *dirs, size_t nr)
{
	return confine_to(dirs, nr, FS_READ_FILE | FS_READ_DIR);
}

int confine_writing(void)
{
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), status = -1;

	if (root < 0)
		return -1;
	status = confine_to(&root, 1, FS_EXECUTE | FS_READ_FILE | FS_READ_DIR);
	close(root);
	return status;
}
