// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/*
 * Writes what /proc says about every thread of this machine, in the snapshot format of
 * docs/snapshot.md, to standard output: the ground truth that traces are compared with. Some
 * fields and lines are only for the tests here: pid_ns_inums, pid_ns_owner,
 * uid, gid, their maps, switches, flags, processor, hierarchy, fd.
 * To be run by root in the root namespaces.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of a file in /proc; the longest, cgroup, has some lines of at most PATH_MAX each. */
#define FILE_MAX 65536

/* The names of the fields and of the links below ns/, by kind. */
static const struct {
	const char *field, *link;
} namespaces[] = {
	{"pid_ns", "ns/pid"},	{"pid_ns_for_children", "ns/pid_for_children"},
	{"user_ns", "ns/user"}, {"mnt_ns", "ns/mnt"},
	{"uts_ns", "ns/uts"},	{"ipc_ns", "ns/ipc"},
	{"net_ns", "ns/net"},	{"cgroup_ns", "ns/cgroup"},
	{"time_ns", "ns/time"},
};

static void die(const char *what, const char *name)
{
	fprintf(stderr, "procsnap: It cannot be read. what=%s name=%s error=%s\n", what, name,
		strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Reads a whole file below dir into buffer, NUL-terminated; -1 when it or its thread is gone. */
static ssize_t read_at(int dir, const char *name, char *buffer)
{
	ssize_t used = 0, got;
	int file = openat(dir, name, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return -1;
	do {
		got = read(file, buffer + used, (size_t)(FILE_MAX - 1 - used));
		used += got > 0 ? got : 0;
	} while (got > 0 && used < FILE_MAX - 1);
	close(file);
	buffer[used] = '\0';
	return got < 0 ? -1 : used;
}

static void put_encoded(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		/* Not isalnum() alone: it is the locale's, and strchr() finds NUL. */
		if (c < 0x80 && c && (isalnum(c) || strchr("_./:@+,-", c)))
			putc(c, out);
		else
			fprintf(out, "%%%02X", c);
	}
}

/* The start of a field's value in the text of a status file; NULL if it has no such field. */
static const char *status_value(const char *status, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = status; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, length) == 0 && line[length] == ':')
			return line + length + 1 + strspn(line + length + 1, " \t");
	}
	return NULL;
}

static long status_number(const char *status, const char *name)
{
	const char *value = status_value(status, name);

	return value ? strtol(value, NULL, 10) : 0;
}

/* Blanks between numbers become commas. */
static void put_list(FILE *out, const char *value)
{
	bool first = true;

	while (value && *value && *value != '\n') {
		size_t length = strcspn(value, " \t\n");

		if (length) {
			fprintf(out, "%s%.*s", first ? "" : ",", (int)length, value);
			first = false;
		}
		value += length;
		value += strspn(value, " \t");
	}
}

/*
 * A map of user ids as its lines say, INSIDE:OUTSIDE:COUNT each. The file is for the reader's own
 * namespace: the outside is the root's.
 */
static void put_map(FILE *out, int dir, const char *name)
{
	static char text[FILE_MAX];
	char *line, *rest = text;
	bool first = true;

	fprintf(out, " %s=", name);
	if (read_at(dir, name, text) <= 0)
		return;
	while ((line = strsep(&rest, "\n"))) {
		unsigned int inside, outside, count;

		if (sscanf(line, "%u %u %u", &inside, &outside, &count) != 3)
			continue;
		fprintf(out, "%s%u:%u:%u", first ? "" : ",", inside, outside, count);
		first = false;
	}
}

/* A link reads as "pid:[4026531836]"; 0 if it does not. */
static unsigned long namespace_inode(int dir, const char *link)
{
	char target[64];
	ssize_t length = readlinkat(dir, link, target, sizeof(target) - 1);
	const char *number;

	if (length <= 0)
		return 0;
	target[length] = '\0';
	number = strchr(target, '[');
	return number ? strtoul(number + 1, NULL, 10) : 0;
}

/* The name in stat's second field may hold anything, blanks and parentheses too. */
static unsigned long long stat_number(const char *stat, int wanted)
{
	const char *at = strrchr(stat, ')');

	/* Field 3 follows the parenthesis. */
	for (int field = 2; at && field < wanted; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

static unsigned long inode_of(int file)
{
	struct stat status;

	return fstat(file, &status) ? 0 : (unsigned long)status.st_ino;
}

/* The inodes of a PID namespace and all above it, root first, and that of its owner. */
static void put_pid_namespace(FILE *out, int dir)
{
	/* The kernel's limit, and the root. */
	unsigned long inodes[33];
	size_t count = 0;
	int space = openat(dir, "ns/pid", O_RDONLY | O_CLOEXEC);
	int owner = space < 0 ? -1 : ioctl(space, NS_GET_USERNS);

	if (owner >= 0) {
		fprintf(out, " pid_ns_owner=%lu", inode_of(owner));
		close(owner);
	}
	while (space >= 0 && count < sizeof(inodes) / sizeof(inodes[0])) {
		int parent = ioctl(space, NS_GET_PARENT);

		inodes[count++] = inode_of(space);
		close(space);
		space = parent;
	}
	if (space >= 0)
		close(space);
	fputs(" pid_ns_inums=", out);
	while (count-- > 0)
		fprintf(out, "%lu%s", inodes[count], count ? "," : "");
}

/* The open files of a process, one line each; flags as fdinfo has them, in octal. */
static void put_files(FILE *out, int dir, long pid)
{
	static char text[FILE_MAX];
	int files = openat(dir, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = files < 0 ? NULL : fdopendir(files);
	struct dirent *entry;

	while (list && (entry = readdir(list))) {
		char name[sizeof(entry->d_name) + sizeof("fdinfo/")], target[4096];
		const char *flags;
		ssize_t length;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		length = readlinkat(files, entry->d_name, target, sizeof(target));
		snprintf(name, sizeof(name), "fdinfo/%s", entry->d_name);
		if (length < 0 || read_at(dir, name, text) <= 0)
			continue;
		flags = status_value(text, "flags");
		fprintf(out, "fd pid=%ld fd=%s flags=%.*s path=", pid, entry->d_name,
			flags ? (int)strcspn(flags, "\n") : 0, flags ? flags : "");
		put_encoded(out, target, (size_t)length);
		putc('\n', out);
	}
	if (list)
		closedir(list);
	else if (files >= 0)
		close(files);
}

static void put_cgroups(FILE *out, const char *text, bool dead)
{
	static const char deleted[] = " (deleted)";
	const size_t deleted_length = sizeof(deleted) - 1;
	bool first = true;

	while (*text) {
		size_t length = strcspn(text, "\n");
		long hierarchy = strtol(text, NULL, 10);
		const char *path = memchr(text, ':', length);

		path = path ? memchr(path + 1, ':', (size_t)(text + length - path - 1)) : NULL;
		/* For the dead, /proc says "/" in version 1 hierarchies, whatever they are in. */
		if (path && !(dead && hierarchy != 0)) {
			size_t path_length = (size_t)(text + length - path - 1);

			path++;
			if (path_length > deleted_length &&
			    memcmp(path + path_length - deleted_length, deleted, deleted_length) ==
				    0)
				path_length -= deleted_length;
			fprintf(out, "%s%ld:", first ? "" : ";", hierarchy);
			put_encoded(out, path, path_length);
			first = false;
		}
		text += length;
		text += *text == '\n';
	}
}

/*
 * Writes the line of the thread whose directory in /proc is open as dir. The open directory is
 * this very thread's: when it ends, reads fail, even if its number is in use again.
 */
static bool put_thread(FILE *out, int dir, long tid)
{
	static char text[FILE_MAX];
	const char *state;
	bool dead;

	if (read_at(dir, "status", text) <= 0 || !status_value(text, "Tgid"))
		return false;
	state = status_value(text, "State");
	dead = state && (*state == 'Z' || *state == 'X');
	fprintf(out, "thread tid=%ld pid=%ld ppid=%ld state=%c nspid=", tid,
		status_number(text, "Tgid"), status_number(text, "PPid"), state ? *state : '?');
	put_list(out, status_value(text, "NSpid"));
	fputs(" nstgid=", out);
	put_list(out, status_value(text, "NStgid"));
	fprintf(out, " uid=%ld gid=%ld switches=%ld", status_number(text, "Uid"),
		status_number(text, "Gid"),
		status_number(text, "voluntary_ctxt_switches") +
			status_number(text, "nonvoluntary_ctxt_switches"));
	put_map(out, dir, "uid_map");
	put_map(out, dir, "gid_map");
	for (size_t kind = 0; kind < sizeof(namespaces) / sizeof(namespaces[0]); kind++)
		fprintf(out, " %s=%lu", namespaces[kind].field,
			namespace_inode(dir, namespaces[kind].link));
	put_pid_namespace(out, dir);
	fputs(" comm=", out);
	if (read_at(dir, "comm", text) > 0)
		put_encoded(out, text, strlen(text) - (text[strlen(text) - 1] == '\n'));
	if (read_at(dir, "stat", text) > 0)
		fprintf(out, " starttime=%llu flags=%llu processor=%llu", stat_number(text, 22),
			stat_number(text, 9), stat_number(text, 39));
	fputs(" cgroup=", out);
	if (read_at(dir, "cgroup", text) > 0)
		put_cgroups(out, text, dead);
	putc('\n', out);
	return true;
}

/* Writes the threads of a process to out, its files to files; returns how many threads. */
static unsigned long put_process(FILE *out, FILE *files, int proc, const char *pid)
{
	char name[sizeof(((struct dirent *)0)->d_name) + sizeof("/task")];
	unsigned long count = 0;
	struct dirent *entry;
	DIR *tasks;
	int dir;

	snprintf(name, sizeof(name), "%s/task", pid);
	dir = openat(proc, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tasks = dir < 0 ? NULL : fdopendir(dir);
	if (!tasks) {
		if (dir >= 0)
			close(dir);
		return 0;
	}
	while ((entry = readdir(tasks))) {
		int task;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		task = openat(dir, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (task < 0)
			continue;
		count += put_thread(out, task, strtol(entry->d_name, NULL, 10));
		if (strcmp(entry->d_name, pid) == 0)
			put_files(files, task, strtol(pid, NULL, 10));
		close(task);
	}
	closedir(tasks);
	return count;
}

static unsigned long put_processes(FILE *out, FILE *files)
{
	unsigned long count = 0;
	struct dirent *entry;
	DIR *proc = opendir("/proc");

	if (!proc)
		die("directory", "/proc");
	while ((entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]))
			count += put_process(out, files, dirfd(proc), entry->d_name);
	closedir(proc);
	return count;
}

/* nftw() has no argument for its caller. */
static struct {
	FILE *out;
	long hierarchy;
	size_t root_length;
} walk;

static int put_cgroup(const char *path, const struct stat *status, int type, struct FTW *where)
{
	const char *below = path + walk.root_length;

	(void)where;
	if (type != FTW_D)
		return 0;
	fprintf(walk.out, "cgroup hierarchy=%ld id=%ju path=", walk.hierarchy,
		(uintmax_t)status->st_ino);
	put_encoded(walk.out, *below ? below : "/", *below ? strlen(below) : 1);
	putc('\n', walk.out);
	return 0;
}

/* Whether every name of a list is in another; lists are comma-separated. */
static bool all_in(const char *names, size_t names_length, const char *list)
{
	const char *end = names + names_length;

	while (names < end) {
		const char *comma = memchr(names, ',', (size_t)(end - names));
		size_t length = (size_t)((comma ? comma : end) - names);
		const char *at = list;
		bool found = false;

		while (*at && !found) {
			size_t item = strcspn(at, ",\n");

			found = item == length && memcmp(at, names, length) == 0;
			at += item;
			at += *at == ',' || *at == '\n';
		}
		if (!found)
			return false;
		names += length + 1;
	}
	return true;
}

/* The number of the hierarchy that is mounted with these options, by /proc/self/cgroup; or -1. */
static long hierarchy_of(const char *cgroup, const char *options)
{
	while (*cgroup) {
		const char *names = strchr(cgroup, ':');
		const char *end = names ? strchr(names + 1, ':') : NULL;

		if (!end)
			return -1;
		names++;
		if (end > names && all_in(names, (size_t)(end - names), options))
			return strtol(cgroup, NULL, 10);
		cgroup = strchr(end, '\n');
		if (!cgroup)
			return -1;
		cgroup++;
	}
	return -1;
}

/* One line for each hierarchy, of the root's own lines; one without controllers has a name. */
static void put_hierarchy_names(FILE *out, const char *cgroup)
{
	while (*cgroup) {
		const char *names = cgroup + strcspn(cgroup, ":\n") + 1;

		fprintf(out, "hierarchy number=%ld controllers=", strtol(cgroup, NULL, 10));
		put_encoded(out, names, strcspn(names, ":\n"));
		putc('\n', out);
		cgroup += strcspn(cgroup, "\n");
		cgroup += *cgroup == '\n';
	}
}

/* Writes the cgroups of every hierarchy that is mounted with its root. */
static void put_hierarchies(FILE *out)
{
	static char mounts[FILE_MAX], cgroup[FILE_MAX];
	bool seen[64] = {false};
	char *line, *rest = mounts;

	/* A kernel without cgroups has no such file. */
	if (access("/proc/self/cgroup", F_OK) < 0 && errno == ENOENT)
		return;
	if (read_at(AT_FDCWD, "/proc/self/mountinfo", mounts) < 0 ||
	    read_at(AT_FDCWD, "/proc/self/cgroup", cgroup) < 0)
		die("file", "/proc/self/mountinfo");
	put_hierarchy_names(out, cgroup);
	while ((line = strsep(&rest, "\n"))) {
		char root[4096], place[4096], type[64], options[4096];
		char *behind = strstr(line, " - ");
		long hierarchy;

		if (!behind || sscanf(line, "%*s %*s %*s %4095s %4095s", root, place) != 2 ||
		    strcmp(root, "/") != 0 ||
		    sscanf(behind, " - %63s %*s %4095s", type, options) != 2)
			continue;
		if (strcmp(type, "cgroup2") == 0)
			hierarchy = 0;
		else if (strcmp(type, "cgroup") == 0)
			hierarchy = hierarchy_of(cgroup, options);
		else
			continue;
		if (hierarchy < 0 || hierarchy >= 64 || seen[hierarchy])
			continue;
		seen[hierarchy] = true;
		walk.out = out;
		walk.hierarchy = hierarchy;
		walk.root_length = strlen(place);
		nftw(place, put_cgroup, 16, FTW_PHYS | FTW_MOUNT);
	}
}

int main(void)
{
	static char text[FILE_MAX];
	uint64_t begin, end;
	unsigned long count;
	char hostname[256] = "", *lines = NULL, *file_lines = NULL;
	size_t length = 0, files_length = 0;
	FILE *out = open_memstream(&lines, &length);
	FILE *files = open_memstream(&file_lines, &files_length);

	if (!out || !files)
		die("memory", "lines");
	gethostname(hostname, sizeof(hostname) - 1);
	begin = now_ns();
	count = put_processes(out, files);
	end = now_ns();
	put_hierarchies(out);
	if (fclose(out) || fclose(files) || !count)
		die("directory", "/proc");
	if (read_at(AT_FDCWD, "/proc/sys/kernel/random/boot_id", text) <= 0)
		die("file", "/proc/sys/kernel/random/boot_id");
	printf("lttng-containers-snapshot 1\nhost boot_id=%.*s hostname=", (int)strcspn(text, "\n"),
	       text);
	put_encoded(stdout, hostname, strlen(hostname));
	printf(" begin=%" PRIu64 " end=%" PRIu64 "\n", begin, end);
	fwrite(lines, 1, length, stdout);
	fwrite(file_lines, 1, files_length, stdout);
	printf("end threads=%lu\n", count);
	free(lines);
	free(file_lines);
	if (fflush(stdout) || ferror(stdout))
		die("file", "standard output");
	return 0;
}
