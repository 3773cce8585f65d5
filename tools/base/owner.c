/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "owner.h"

static bool ran_sudo(uid_t uid)
{
	const char *text = getenv("SUDO_UID");
	unsigned long n;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoul(text, &end, 10);
	return !*end && !errno && n == uid;
}

bool owner_is_trusted(uid_t uid)
{
	return !uid || uid == geteuid() || (!geteuid() && ran_sudo(uid));
}

static bool is_own_group(uid_t uid, gid_t gid)
{
	const struct passwd *user = getpwuid(uid);
	const struct group *group = getgrgid(gid);

	return user && group && user->pw_gid == gid && !strcmp(user->pw_name, group->gr_name) &&
	       (!group->gr_mem[0] ||
		(!strcmp(group->gr_mem[0], user->pw_name) && !group->gr_mem[1]));
}

bool owner_others_write(const struct stat *st)
{
	return st->st_mode & S_IWOTH ||
	       (st->st_mode & S_IWGRP && !is_own_group(st->st_uid, st->st_gid));
}
