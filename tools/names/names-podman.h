/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_NAMES_PODMAN_H
#define LC_NAMES_PODMAN_H

#include "names-int.h"

/* What podman says of its containers; asked at most once. Zero-initialized: not yet. */
struct podman {
	struct pod_of {
		char *id, *pod;
	} * list;
	size_t nr, cap;
	bool asked;
};

/* Whether a container of this cgroup is in a pod: podman's files do not name that. */
bool podman_in_pod(const char *cgroup);
/* The name of its pod, which @p keeps; NULL if it is not known. */
const char *podman_pod_of(struct scan *s, struct podman *p, const char *id);
void podman_forget(struct podman *p);

#endif
