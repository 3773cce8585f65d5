/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CGROUP_PATH_H
#define LC_CGROUP_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the names of control groups tell of containers: container runtimes and
 * the kubelet name them after the containers and pods that they hold.
 */

enum cgroup_holds { HOLDS_NOTHING, HOLDS_CONTAINER, HOLDS_POD };

#define CGROUP_ID_MAX 256

struct cgroup_name {
	enum cgroup_holds holds;
	const char *runtime;	/* of the container or pod; "" if the path does not tell */
	char id[CGROUP_ID_MAX]; /* as the runtime shows it */
};

/*
 * Whether the group itself (not one above or below it) is that of a container
 * or of a pod. @path: from the hierarchy's root, absolute.
 */
void cgroup_name_parse(struct cgroup_name *name, const char *path);

/*
 * Whether systemd has the group in the slice of an ordinary user, who may make and name groups
 * there; then @user is whose, and the length of the slice's path is returned. 0: it is not.
 */
size_t cgroup_user_slice(const char *path, uint32_t *user);
/*
 * The length of the path of what chose the group's name: a user's slice, or the outermost of the
 * groups above it that are named as a container's. 0: neither, so it is root's.
 */
size_t cgroup_maker(const char *path);
/* Whether the name of a group above it is that of a container. */
bool cgroup_is_nested(const char *path);
/*
 * Whether it is below a service that is no container's, nor one of a runtime: whoever that runs as
 * may have been given the groups below.
 */
bool cgroup_is_of_service(const char *path);
/* The length of the path of the outermost such service that it is, or is below. 0: none. */
size_t cgroup_service(const char *path);
/* Whether it is the service of a runtime, by its name. */
bool cgroup_is_runtimes(const char *path);
/*
 * Whether the group is shared by what does not belong together: a slice, which holds units, the
 * root, a runtime's service, a user's session or service manager. Such a group is no container's
 * own.
 */
bool cgroup_is_shared(const char *path);

#endif
