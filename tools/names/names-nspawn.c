/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "model/cgroup-path.h"
#include "names-nspawn.h"
#include "base/util.h"

/*
 * systemd-nspawn makes a directory of the container's name on the host, and
 * mounts it inside. So an init whose mounts have it is that container's; what
 * a container mounts by itself is of another device.
 */
#define PLACE "run/systemd/nspawn/propagate"
#define ROOT  "/systemd/nspawn/propagate/"

struct search {
	struct scan *scan;
	int proc;
	uint64_t pid_ns; /* where supervisors are: ours */
	dev_t device;
};

/* The name by the mounts of a process, or NULL. The caller frees it. */
static char *name_by_mounts(const struct search *h, const char *pid)
{
	char *path = xasprintf("%s/mountinfo", pid), *line, *save = NULL, *name = NULL;
	char *text = state_read(h->scan->names, h->proc, path, NULL, NULL);

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line && !name;
	     line = strtok_r(NULL, "\n", &save)) {
		unsigned int major, minor;
		int at = 0;

		if (sscanf(line, "%*d %*d %u:%u %n", &major, &minor, &at) != 2 || !at ||
		    makedev(major, minor) != h->device || strncmp(line + at, ROOT, strlen(ROOT)))
			continue;
		line += at + strlen(ROOT);
		name = strndup(line, strcspn(line, " /"));
	}
	free(text);
	free(path);
	return name;
}

static void probe_child(const struct search *h, pid_t child)
{
	struct scan *s = h->scan;
	struct process p;
	uint32_t user;
	char pid[16];
	char *name;

	if (scan_claimed(s, child) || process_read(s->names, child, &p))
		return;
	snprintf(pid, sizeof(pid), "%d", (int)child);
	name = p.pid_ns != h->pid_ns ? name_by_mounts(h, pid) : NULL;
	if (name && *name) {
		struct found f = {.runtime = "nspawn",
				  .id = name,
				  .name = name,
				  .init = child,
				  .start = p.start};

		/* No runtime wrote that down. There the supervisor may be any program of root's. */
		if (cgroup_user_slice(p.cgroup, &user))
			f.start = 0;

		scan_found(s, &f);
	}
	free(name);
	process_free(&p);
}

static bool is_supervisor(const struct search *h, const char *pid)
{
	char *path = xasprintf("%s/comm", pid);
	char *comm = state_read(h->scan->names, h->proc, path, NULL, NULL);
	bool is = comm && !strcmp(comm, "systemd-nspawn\n");
	struct process p;

	free(comm);
	free(path);
	if (!is || process_read(h->scan->names, (pid_t)strtol(pid, NULL, 10), &p))
		return false;
	/* Anybody may have that name; systemd-nspawn of the host's is root's. */
	is = p.pid_ns == h->pid_ns && !p.uid;
	process_free(&p);
	return is;
}

static void probe_children(const struct search *h, const char *pid)
{
	char *path = xasprintf("%s/task/%s/children", pid, pid);
	char *text = state_read(h->scan->names, h->proc, path, NULL, NULL), *word, *save = NULL;

	for (word = text ? strtok_r(text, " \n", &save) : NULL; word;
	     word = strtok_r(NULL, " \n", &save))
		probe_child(h, (pid_t)strtol(word, NULL, 10));
	free(text);
	free(path);
}

static uint64_t own_pid_ns(const struct names *n)
{
	struct process p;
	uint64_t inum;

	if (process_read(n, getpid(), &p))
		return 0;
	inum = p.pid_ns;
	process_free(&p);
	return inum;
}

/* All of them, however many. */
static void search(struct search *h)
{
	struct names *n = h->scan->names;
	const struct dirent *e;
	DIR *d;

	h->proc = state_look(n, "proc");
	d = h->proc < 0 ? NULL
			: fdopendir(openat(h->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	while (d && !names_aborted(n) && (e = readdir(d)))
		if (isdigit((unsigned char)e->d_name[0]) && is_supervisor(h, e->d_name))
			probe_children(h, e->d_name);
	if (d)
		closedir(d);
	if (h->proc >= 0)
		close(h->proc);
}

void names_nspawn(struct scan *s)
{
	struct search h = {.scan = s, .pid_ns = own_pid_ns(s->names)};
	int dir = state_dir(s->names, PLACE);
	struct list names;
	struct stat st;
	size_t i, unknown = 0;

	if (dir < 0)
		return;
	state_list(dir, &names);
	for (i = 0; i < names.nr; i++)
		unknown += !scan_still(s, "nspawn", names.names[i], names.names[i], 0);
	list_free(&names);
	if (unknown && !fstat(dir, &st)) {
		h.device = st.st_dev;
		search(&h);
	}
	close(dir);
}
