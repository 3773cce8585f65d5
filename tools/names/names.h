/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_NAMES_H
#define LC_NAMES_H

#include <stddef.h>

/*
 * The containers that this host runs, as the runtimes name them: one line of
 * text for each, which a recorder writes into its trace.
 *
 *   container v1 runtime=R id=I name=N init_tid=T pid_ns=INODE cgroup=PATH told_by=B
 *	[pod=P] [pod_namespace=S] [container=C] [image=M]
 *
 * B is root, or user:UID if it is a user's runtime that says so.
 *
 * Values are percent-encoded: all bytes but A-Z a-z 0-9 - . _ ~ / : @ and the
 * comma. A value that had to be cut, for the line to fit, ends with an
 * encoded ellipsis (%E2%80%A6).
 */
#define NAMES_LINE_MAX	1024
/* What a recorder's buffer takes for each of them beside its text, bytes, at most. */
#define NAMES_LINE_MORE 32

struct names;

/* Never NULL. names_free() takes NULL, too. */
struct names *names_new(void);
/* The same, with the state, /proc and cgroups below another directory. */
struct names *names_new_at(const char *root);
void names_free(struct names *n);

/*
 * Calls @tell for each running container that it was not called for before,
 * and again for one whose name or first process has changed. The line has no
 * newline, is at most NAMES_LINE_MAX bytes long, and is valid during the call.
 * What cannot be read costs a note, once, and no more than that container. A
 * runtime that does not answer delays by half a second (podman, which is
 * asked for a new pod's name: 20), one that answers slowly by two seconds, and
 * users, whatever they have written, by ten.
 */
void names_scan(struct names *n, void (*tell)(void *ctx, const char *line), void *ctx);

/*
 * Ends the scan that runs, and all later ones, as soon as that can be; what it would have told is
 * not told. May be called by another thread.
 */
void names_abort(struct names *n);

/*
 * Calls @tell once more for each of those that still run. It may be for a buffer in which what is
 * new pushes out what is old: of what users' runtimes tell no more than that many bytes come, one
 * line of each user after the other, those first that were told again least often; and last what
 * root's tell.
 */
void names_repeat(struct names *n, size_t users_max, void (*tell)(void *ctx, const char *line),
		  void *ctx);

/* Calls @look again and again while a scan waits for somebody, each 20 ms. */
void names_look(struct names *n, void (*look)(void *ctx), void *ctx);

/*
 * Can be polled: readable when a scan is worthwhile, until it is made. -1 if
 * there is no such thing; then scan now and then. Belongs to @n.
 */
int names_fd(const struct names *n);

#endif
