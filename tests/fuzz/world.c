/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/util.h"
#include "check-output.h"
#include "world.h"

#define DEPTH_MAX 12

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C64 "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
#define D64 "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"

/* Processes that are there, unless the input says otherwise. */
static const struct {
	int pid;
	unsigned int uid;
	unsigned int pid_ns;
	const char *name, *cgroup;
} processes[] = {
	{1, 0, 4026531836, "systemd", "/init.scope"},
	{200, 0, 4026532300, "sh", "/system.slice/docker-" A64 ".scope"},
	{201, 0, 4026532301, "sh", "/machine.slice/libpod-" B64 ".scope/container"},
	{202, 100000, 4026532302, "sh",
	 "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" C64 ".scope/container"},
	{203, 0, 4026532303, "init", "/lxc.payload.db"},
	{204, 0, 4026532304, "init", "/machine.slice/machine-box.scope/payload"},
	{205, 0, 4026532305, "pause",
	 "/kubepods.slice/kubepods-pod0123.slice/cri-containerd-" D64 ".scope"},
	{206, 1000, 4026532306, "sh", "/user.slice/user-1000.slice/session-1.scope"},
	{207, 0, 4026531836, "systemd-nspawn",
	 "/machine.slice/systemd-nspawn@box.service/supervisor"},
	{208, 0, 4026532308, "sh", "/system.slice/runc-web.scope"},
};

static const char *const others[][2] = {
	{"etc/passwd", "root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n"},
	{"etc/subuid", "ann:100000:65536\n"},
	{"proc/207/task/207/children", "204 "},
	{"sys/fs/cgroup/lxc.payload.db/cgroup.procs", "203\n"},
};

static char path[] = "/dev/shm/lttng-containers-fuzz-XXXXXX";
static int root = -1;
/* What the input has made, to be removed. */
static char **made;
static size_t nr_made, cap_made;
/* Those of the base that it has overwritten, too. */
static bool is_base_changed;

/* Whether it is below the root, and nothing that must stay. */
static bool is_good(const char *file)
{
	int depth;

	if (!strcmp(file, "run/docker.sock"))
		return false;
	for (depth = 1;; depth++) {
		size_t len = strcspn(file, "/");

		if (!len || len > NAME_MAX || depth > DEPTH_MAX || (len == 1 && *file == '.') ||
		    (len == 2 && !strncmp(file, "..", 2)))
			return false;
		if (!file[len])
			return true;
		file += len + 1;
	}
}

/* Opens the directory that a good path is in, and makes it; *name is what comes last. Or -1. */
static int open_parent(const char *file, const char **name)
{
	int at = openat(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	const char *end;

	while (at >= 0 && (end = strchr(file, '/'))) {
		char *step = strndup(file, (size_t)(end - file));
		int next;

		mkdirat(at, step, 0755);
		next = openat(at, step, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		free(step);
		close(at);
		at = next;
		file = end + 1;
	}
	*name = file;
	return at;
}

static void put_file(int dir, const char *name, const void *data, size_t size)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);

	if (fd < 0)
		return;
	if (write(fd, data, size) != (ssize_t)size)
		broken("A file cannot be written. name=%s", name);
	close(fd);
}

/* One that leads elsewhere could lead out of here. */
static void put_link(int dir, const char *name, const void *data, size_t size)
{
	char target[64] = "";

	memcpy(target, data, size < sizeof(target) ? size : sizeof(target) - 1);
	target[strcspn(target, "\n")] = '\0';
	if (!*target || strchr(target, '/') || !strcmp(target, ".."))
		return;
	unlinkat(dir, name, 0);
	(void)!symlinkat(target, dir, name);
}

static void put(const char *file, const void *data, size_t size)
{
	bool is_link = *file == '>';
	const char *name;
	int dir;

	file += is_link;
	dir = open_parent(file, &name);
	if (dir < 0)
		return;
	if (is_link)
		put_link(dir, name, data, size);
	else
		put_file(dir, name, data, size);
	close(dir);
}

static void put_text(const char *file, char *text)
{
	put(file, text, strlen(text));
	free(text);
}

static void put_process(int pid, unsigned int uid, unsigned int pid_ns, const char *name,
			const char *cgroup)
{
	static const char *const files[] = {"stat",   "status", "cgroup",
					    "ns/pid", "comm",	"cmdline"};
	char *const texts[] = {
		xasprintf("%d (%s) S 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 %d 0 0\n", pid, name,
			  100 + pid),
		xasprintf("Name:\t%s\nUid:\t%u\t%u\t%u\t%u\n", name, uid, uid, uid, uid),
		xasprintf("0::%s\n", cgroup),
		xasprintf("pid:[%u]", pid_ns),
		xasprintf("%s\n", name),
		xasprintf("%s", name),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		char *file = xasprintf("%sproc/%d/%s", i == 3 ? ">" : "", pid, files[i]);

		put_text(file, texts[i]);
		free(file);
	}
}

static void put_base(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(processes); i++)
		put_process(processes[i].pid, processes[i].uid, processes[i].pid_ns,
			    processes[i].name, processes[i].cgroup);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		put(others[i][0], others[i][1], strlen(others[i][1]));
	/* Who asks. */
	put_process((int)getpid(), 0, 4026531836, "record", "/system.slice/record.service");
}

static int remove_one(const char *file, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(file);
}

static pid_t owner;

static void remove_world(void)
{
	if (getpid() == owner)
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put_socket(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	mkdirat(root, "run", 0755);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/run/docker.sock", path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)))
		broken("Docker's socket cannot be made.");
	close(fd);
}

const char *world_path(void)
{
	if (root >= 0)
		return path;
	if (!mkdtemp(path))
		broken("No directory can be made. path=%s", path);
	root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	owner = getpid();
	atexit(remove_world);
	put_socket();
	put_base();
	return path;
}

struct record *record_next(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *begin = *at, *line, *next;
	struct record *r;

	if (begin == end)
		return NULL;
	begin += *begin == '@';
	line = memchr(begin, '\n', (size_t)(end - begin));
	line = line ? line : end;
	/* The newline that ends it belongs to the file. */
	for (next = line; next < end; next++)
		if (*next == '\n' && next + 1 < end && next[1] == '@')
			break;
	r = xcalloc(1, sizeof(*r));
	r->name = xcalloc((size_t)(line - begin) + 1, 1);
	memcpy(r->name, begin, (size_t)(line - begin));
	line += line < end && line < next;
	r->size = (size_t)(next - line);
	r->size += r->size && next < end;
	r->data = xcalloc(r->size + 1, 1);
	memcpy(r->data, line, r->size);
	*at = next < end ? next + 1 : end;
	return r;
}

void record_free(struct record *r)
{
	free(r->name);
	free(r->data);
	free(r);
}

static bool is_base(const char *file)
{
	return !strncmp(file, "proc/", 5) || !strncmp(file, "etc/", 4) || !strncmp(file, "sys/", 4);
}

void world_put(const struct record *r)
{
	const char *file = r->name + (*r->name == '>');

	if (!is_good(file))
		return;
	is_base_changed |= is_base(file);
	put(r->name, r->data, r->size);
	made = grow(made, nr_made, &cap_made, sizeof(*made));
	made[nr_made++] = xstrdup(file);
}

static void remove_made(char *file)
{
	char *end;

	unlinkat(root, file, 0);
	while ((end = strrchr(file, '/'))) {
		*end = '\0';
		if (unlinkat(root, file, AT_REMOVEDIR))
			break;
	}
}

void world_reset(void)
{
	while (nr_made) {
		remove_made(made[--nr_made]);
		free(made[nr_made]);
	}
	free(made);
	made = NULL;
	cap_made = 0;
	if (is_base_changed)
		put_base();
	is_base_changed = false;
}
