/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "record.h"
#include "base/text.h"
#include "base/util.h"
#include "base/proc-stat.h"

/* lttng-tools' defaults. */
#define TRACING_GROUP "tracing"
#define ROOT_SOCKET   "/var/run/lttng/client-lttng-sessiond"

/*
 * Names in the trace are trusted when the process that wrote them is the one in
 * the session's name; inside of a PID namespace we do not know our own id.
 */
static int check_pid_namespace(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st))
		return error("The PID namespace cannot be told; is /proc mounted? reason=%s",
			     strerror(errno));
	if (st.st_ino != ROOT_PID_NS)
		return error("Recording works in the host's PID namespace only, not in a container;"
			     " run it on the host. pid_ns=%llu",
			     (unsigned long long)st.st_ino);
	return 0;
}

static bool in_group(gid_t gid)
{
	int n = getgroups(0, NULL), i;
	gid_t *groups = xcalloc(n > 0 ? (size_t)n : 1, sizeof(*groups));
	bool found = getegid() == gid;

	n = getgroups(n, groups);
	for (i = 0; i < n && !found; i++)
		found = groups[i] == gid;
	free(groups);
	return found;
}

pid_t host_session_daemon(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = ROOT_SOCKET};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);
	bool answers;

	if (fd < 0)
		return -1;
	answers = !connect(fd, (struct sockaddr *)&address, sizeof(address));
	/* It is whoever listens. */
	if (answers && getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		peer.pid = 0;
	close(fd);
	return answers ? peer.pid : -1;
}

/* Only root's session daemon records the kernel; the tracing group may tell it to. */
static int check_user(void)
{
	struct group *group;
	struct passwd *user;
	char *name;

	if (!geteuid())
		return 0;
	group = getgrnam(TRACING_GROUP);
	if (!group || !in_group(group->gr_gid)) {
		user = getpwuid(geteuid());
		name = text_escape(user ? user->pw_name : "USER");
		error("Recording the kernel needs root or the group " TRACING_GROUP
		      "; run it with sudo, or once: sudo usermod -aG " TRACING_GROUP
		      " %s, and log in again. uid=%u",
		      name, (unsigned int)geteuid());
		free(name);
		return -1;
	}
	if (host_session_daemon() < 0)
		return error(
			"No session daemon of root runs; start it: sudo lttng-sessiond --daemonize"
			" --extra-kmod-probes=cgroup,namespace,throttle socket=" ROOT_SOCKET);
	return 0;
}

int host_check(void)
{
	/*
	 * Who runs out of descriptors cannot even end a recording: that takes a connection to the
	 * session daemon. So it does not begin.
	 */
	return descriptors_need(DESCRIPTORS_OF_RECORDING) || check_pid_namespace() || check_user()
		       ? -1
		       : 0;
}

unsigned int host_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	return n > 0 ? (unsigned int)n : 1;
}

uint64_t host_page(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t host_memory(void)
{
	return (uint64_t)sysconf(_SC_PHYS_PAGES) * host_page();
}

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

void sleep_ms(unsigned int ms)
{
	struct timespec ts = {ms / 1000, (long)(ms % 1000) * 1000000};

	nanosleep(&ts, NULL);
}
