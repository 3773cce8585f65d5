/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/proc-stat.h"
#include "base/text.h"
#include "base/util.h"
#include "known.h"
#include "model/cgroup-path.h"

#define SHORT_ID      12
#define TIDY_AT_LEAST 64
/*
 * Of one user so many containers and groups together are looked at for quotas: four times as many
 * as a user's files are read of (names/names-storage.h).
 */
#define USER_GROUPS   1024

/* What is kept of a container; the line is what others see of it. */
struct heard {
	struct container_line line;
	uint64_t start; /* of its first process, as /proc has it; 0: it is gone */
};

/* Users can have thousands of containers: what is asked of /proc is asked of few. */
static uint64_t ns_of(int64_t tid)
{
	char path[64], text[64];
	uint64_t inum;
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/ns/pid", tid);
	len = readlink(path, text, sizeof(text) - 1);
	text[len > 0 ? len : 0] = '\0';
	return sscanf(text, "pid:[%" SCNu64 "]", &inum) == 1 ? inum : 0;
}

static uint64_t start_of(int64_t tid)
{
	struct proc_stat st;

	return proc_stat_read(&st, tid) ? st.start : 0;
}

/*
 * The number of a namespace is another's once all tasks of it are gone, and then that of its first
 * process may come to be one's in that other.
 */
static bool is_alive(const struct container_line *l)
{
	const struct heard *h = (const struct heard *)l;
	uint64_t ns = h->start ? ns_of(l->init_tid) : 0;

	return ns && ns == l->pid_ns && h->start == start_of(l->init_tid);
}

/* By the process: whoever gives it ever new ids and names has told of one container. */
static uint64_t key_of(const struct container_line *l)
{
	return hash_numbers(hash_numbers(l->teller, l->user), (uint64_t)l->init_tid);
}

static void free_line(struct container_line *l)
{
	container_line_free(l);
	free(l);
}

static void forget_gone(struct known *k)
{
	struct container_line **gone = xcalloc(k->containers.nr + 1, sizeof(*gone)), *l;
	size_t nr = 0, pos = 0;

	while ((l = hash_next(&k->containers, &pos)))
		if (!is_alive(l))
			gone[nr++] = l;
	while (nr) {
		hash_del(&k->containers, key_of(gone[--nr]));
		free_line(gone[nr]);
	}
	free(gone);
	k->tidy_at = 2 * k->containers.nr + TIDY_AT_LEAST;
}

void known_hear(void *known, const char *line)
{
	struct heard *h = xcalloc(1, sizeof(*h));
	struct container_line *l = &h->line, *before;
	struct known *k = known;

	if (container_line_parse(l, line) != LINE_GOOD) {
		free_line(l);
		return;
	}
	h->start = start_of(l->init_tid);
	pthread_mutex_lock(&k->lock);
	if (k->containers.nr >= k->tidy_at)
		forget_gone(k);
	before = hash_get(&k->containers, key_of(l));
	hash_put(&k->containers, key_of(l), l);
	if (before)
		free_line(before);
	pthread_mutex_unlock(&k->lock);
}

void known_free(struct known *k)
{
	struct container_line *l;
	size_t pos = 0;

	while ((l = hash_next(&k->containers, &pos)))
		free_line(l);
	hash_free(&k->containers);
	k->tidy_at = 0;
}

/* Of version 2, or else of systemd's hierarchy. */
static char *path_of_line(char *line)
{
	char *controllers = strchr(line, ':'),
	     *path = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!path || (strncmp(controllers, "::", 2) && strncmp(controllers, ":name=systemd:", 14)))
		return NULL;
	path[strcspn(path, "\n")] = '\0';
	return xstrdup(path + 1);
}

/* Where the unified hierarchy is mounted; NULL: nowhere. */
static const char *unified(void)
{
	static const char *const all[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		char *path = xasprintf("%s/cgroup.procs", all[i]);
		bool is = !access(path, F_OK);

		free(path);
		if (is)
			return all[i];
	}
	return NULL;
}

/* The inode of a group's directory is its id (include/linux/kernfs.h: kernfs_id_ino()). */
static bool has_id(const char *root, const char *path, uint64_t id)
{
	char *dir = xasprintf("%s%s", root, path);
	struct stat st;
	bool has = !stat(dir, &st) && st.st_ino == id;

	free(dir);
	return has;
}

/* FILEID_KERNFS of include/linux/exportfs.h; since 5.5, commit 33c5ac9175195. */
#define KERNFS_HANDLE 0xfe

/* Where an open group is below where the hierarchy is mounted, or NULL. */
static char *path_of_open(const char *root, int fd)
{
	char path[PATH_MAX], link[64];
	size_t len = strlen(root);
	struct stat st;
	ssize_t got;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = readlink(link, path, sizeof(path) - 1);
	if (got < (ssize_t)len || strncmp(path, root, len) || fstat(fd, &st))
		return NULL;
	path[got] = '\0';
	return has_id(root, path + len, st.st_ino) ? xstrdup(path[len] ? path + len : "/") : NULL;
}

/* By how many levels it is gone up in one go. */
static const unsigned int steps[] = {512, 64, 8, 1};

#define STEP_MAX 512

static int open_above(int fd, unsigned int levels)
{
	char path[3 * STEP_MAX + 1];
	unsigned int i;

	for (i = 0; i < levels && i < STEP_MAX; i++)
		memcpy(path + (size_t)3 * i, "../", 3);
	path[(size_t)3 * i] = '\0';
	return openat(fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool is_too_deep(int fd)
{
	char path[PATH_MAX], link[64];
	ssize_t got;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	got = readlink(link, path, sizeof(path));
	return got < 0 ? errno == ENAMETOOLONG : (size_t)got == sizeof(path);
}

/*
 * The innermost group around it that is not too deep. Whoever makes groups may make very deep ones,
 * and to ask for a path is slow: so it is gone up by large steps first. Takes @fd.
 */
static int open_around(int fd)
{
	int above = -1;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		if (above >= 0)
			close(above);
		while ((above = open_above(fd, steps[i])) >= 0 && is_too_deep(above)) {
			close(fd);
			fd = above;
		}
	}
	close(fd);
	return above;
}

/*
 * Wherever the group is by now, or where the innermost group around it is whose path the kernel can
 * tell; NULL: it is gone, or this may not be asked. The caller frees it.
 */
static char *path_of_id(const char *root, uint64_t id)
{
	union {
		struct file_handle handle;
		char bytes[sizeof(struct file_handle) + sizeof(id)];
	} h = {.handle = {.handle_bytes = sizeof(id), .handle_type = KERNFS_HANDLE}};
	int mount = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;
	char *path = NULL;

	memcpy(h.handle.f_handle, &id, sizeof(id));
	if (mount >= 0)
		fd = open_by_handle_at(mount, &h.handle, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (mount >= 0)
		close(mount);
	if (fd >= 0 && is_too_deep(fd))
		fd = open_around(fd);
	if (fd >= 0) {
		path = path_of_open(root, fd);
		close(fd);
	}
	return path;
}

static char *path_of_task(int64_t tid)
{
	char file[64], *line = NULL, *path = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(file, sizeof(file), "/proc/%" PRId64 "/cgroup", tid);
	f = fopen(file, "re");
	while (f && getline(&line, &size, f) > 0) {
		char *better = path_of_line(line);

		/* That of version 2 is the last; but with both systemd's own may be it. */
		if (better && (!path || strcmp(better, "/"))) {
			free(path);
			path = better;
		} else {
			free(better);
		}
	}
	if (f)
		fclose(f);
	free(line);
	return path;
}

/* Whether it is in that namespace, and that is a container's: nobody else has the tid. */
static bool is_contained(int64_t tid, uint64_t ns_inum)
{
	return ns_inum != ns_of(getpid()) && ns_of(tid) == ns_inum;
}

char *where_cgroup(int64_t tid, uint64_t ns_inum, uint64_t cgroup_id)
{
	const char *root = cgroup_id ? unified() : NULL;
	char *path = path_of_task(tid), *by_id;

	if (path && root && has_id(root, path, cgroup_id))
		return path;
	/* Without version 2, or with both where all are in its root, it is only known whose the tid
	 * is now. */
	if (path && ns_of(tid) == ns_inum && (!root || has_id(root, "/", cgroup_id)))
		return path;
	by_id = root ? path_of_id(root, cgroup_id) : NULL;
	/* Whoever moves on, and removes the group, is still in the container. */
	if (!by_id && path && is_contained(tid, ns_inum))
		return path;
	free(path);
	return by_id;
}

/* Whether a path is that group's, or of one below it. */
static bool is_below(const char *path, const char *group)
{
	size_t len = strlen(group);

	if (!strcmp(group, "/"))
		return true;
	return path && len && !strncmp(path, group, len) && (!path[len] || path[len] == '/');
}

static bool has_namespace(const struct container_line *l, const struct where *w)
{
	return l->pid_ns == w->ns_inum && w->ns_inum != w->host_inum;
}

/* A group that others have, too, says nothing. */
static bool has_group(const struct container_line *l, const struct where *w)
{
	return *l->cgroup && !cgroup_is_shared(l->cgroup) && is_below(w->cgroup, l->cgroup);
}

/* The innermost whose group it is in. */
static const struct container_line *by_group(const struct known *k, const struct where *w)
{
	const struct container_line *best = NULL, *l;
	size_t pos = 0;

	while ((l = hash_next(&k->containers, &pos)))
		if (has_group(l, w) && (!best || strlen(l->cgroup) > strlen(best->cgroup)) &&
		    is_alive(l))
			best = l;
	return best;
}

/*
 * @group: by_group(). The containers of a pod may share a namespace: then their groups say which it
 * is, as they do where that of another says otherwise. One inside of that may be known by its
 * namespace alone, as model/container.c has it.
 */
static bool is_in(const struct container_line *l, const struct where *w,
		  const struct container_line *group)
{
	return has_group(l, w) ||
	       (has_namespace(l, w) && (!group || is_below(l->cgroup, group->cgroup)));
}

static bool is_called(const struct container_line *l, const char *name)
{
	bool is;
	char *of_user;

	if (!strcmp(l->name, name) || !strcmp(l->id, name))
		return true;
	if (strlen(name) >= SHORT_ID && !strncmp(l->id, name, strlen(name)))
		return true;
	if (l->teller != TELLER_USER)
		return false;
	of_user = xasprintf("user-%" PRIu32 ":%s", l->user, l->name);
	is = !strcmp(of_user, name);
	free(of_user);
	return is;
}

/* Where root's runtime has one of that name, a user cannot take its place. */
static bool roots_has(const struct known *k, const char *name)
{
	const struct container_line *l;
	size_t pos = 0;

	while ((l = hash_next(&k->containers, &pos)))
		if (l->teller != TELLER_USER && is_called(l, name) && is_alive(l))
			return true;
	return false;
}

static bool means_container(const struct known *k, const char *name, const struct where *w)
{
	const struct container_line *group = by_group(k, w), *l;
	bool is_users = false;
	size_t pos = 0;

	while ((l = hash_next(&k->containers, &pos))) {
		if (!is_in(l, w, group) || !is_called(l, name) || (l != group && !is_alive(l)))
			continue;
		if (l->teller != TELLER_USER)
			return true;
		is_users = true;
	}
	return is_users && !roots_has(k, name);
}

/*
 * The innermost group above or at a path that is named as a container's, as its id; or "". Returns
 * the length of its path.
 */
static size_t id_of_path(char id[CGROUP_ID_MAX], const char *cgroup)
{
	size_t len;

	char *path = xstrdup(cgroup), *slash;
	struct cgroup_name name = {0};

	*id = '\0';
	for (;;) {
		cgroup_name_parse(&name, path);
		slash = strrchr(path, '/');
		if (name.holds == HOLDS_CONTAINER || !slash || slash == path)
			break;
		*slash = '\0';
	}
	if (name.holds == HOLDS_CONTAINER)
		snprintf(id, CGROUP_ID_MAX, "%s", name.id);
	len = strlen(path);
	free(path);
	return len;
}

static bool is_in_container(const struct known *k, const struct where *w)
{
	char id[CGROUP_ID_MAX] = "";

	if (w->ns_inum != w->host_inum || by_group(k, w))
		return true;
	if (w->cgroup)
		id_of_path(id, w->cgroup);
	return *id;
}

static bool means(const struct known *k, const struct condition *c, const struct where *w)
{
	switch (c->whom) {
	case WHOM_ANY:
		return is_in_container(k, w);
	case WHOM_HOST:
		return !is_in_container(k, w);
	case WHOM_NAMESPACE:
		return c->ns_inum == w->ns_inum;
	case WHOM_CGROUP:
		return is_below(w->cgroup, c->name);
	case WHOM_CONTAINER:
		return means_container(k, c->name, w);
	}
	return false;
}

bool known_means(struct known *k, const struct condition *c, const struct where *w)
{
	bool is;

	pthread_mutex_lock(&k->lock);
	is = means(k, c, w);
	pthread_mutex_unlock(&k->lock);
	return is;
}

/* One whose namespace it is, inside of the one whose group it is in; else that. */
static const struct container_line *innermost(const struct known *k, const struct where *w)
{
	const struct container_line *group = by_group(k, w), *best = NULL, *l;
	size_t pos = 0;

	if (group && has_namespace(group, w))
		return group;
	while ((l = hash_next(&k->containers, &pos)))
		if (has_namespace(l, w) && is_in(l, w, group) &&
		    (!best || strlen(l->cgroup) > strlen(best->cgroup)) && is_alive(l))
			best = l;
	return best ? best : group;
}

bool known_is_shared(struct known *k, uint64_t ns_inum)
{
	const struct container_line *one = NULL, *l;
	bool is = false;
	size_t pos = 0;

	pthread_mutex_lock(&k->lock);
	while (!is && (l = hash_next(&k->containers, &pos))) {
		/* One container may be told of by several. */
		if (l->pid_ns != ns_inum || (one && one->init_tid == l->init_tid) || !is_alive(l))
			continue;
		is = one;
		one = l;
	}
	pthread_mutex_unlock(&k->lock);
	return is;
}

/* Whoever asks about a container by a number means who has that PID namespace. */
static bool is_inode(const char *name)
{
	size_t digits = strspn(name, "0123456789");

	return digits && digits <= strlen("4294967295") && !name[digits];
}

/* Whether a name is what others are called who have no runtime's, or not root's. */
static bool poses(const char *name)
{
	return is_inode(name) || !strcmp(name, "host") || !strncmp(name, "pid-ns-", 7) ||
	       !strncmp(name, "claimed:", 8) || (!strncmp(name, "user-", 5) && strchr(name, ':'));
}

/* Who writes a manifest of Kubernetes chooses what his containers are called, but not their ids. */
static char *name_of(const struct container_line *l)
{
	if (!*l->name || (l->teller != TELLER_USER && poses(l->name)))
		return xasprintf("%.*s", SHORT_ID, l->id);
	if (l->teller == TELLER_USER)
		return xasprintf("user-%" PRIu32 ":%s", l->user, l->name);
	/* Nor does he choose another's namespace of Kubernetes. */
	return *l->pod_namespace ? xasprintf("%s/%s", l->pod_namespace, l->name) : xstrdup(l->name);
}

/* Users choose ids, too. The caller frees it. */
static char *id_of(const struct container_line *l)
{
	return *l->id && l->teller != TELLER_USER ? xstrdup(l->id) : NULL;
}

/*
 * No runtime told of it: in a user's slice, a service or a container its name is theirs. NULL: it
 * is in no group that is named as a container's.
 */
static char *claimed_label(const char *cgroup)
{
	char id[CGROUP_ID_MAX], *path, *label = NULL;
	uint32_t user;

	path = xasprintf("%.*s", (int)id_of_path(id, cgroup), cgroup);
	if (*id && cgroup_user_slice(path, &user))
		label = xasprintf("user-%" PRIu32 ":%.*s", user, SHORT_ID, id);
	else if (*id)
		label = xasprintf("%s%.*s",
				  cgroup_is_nested(path) || cgroup_is_of_service(path) ? "claimed:"
										       : "",
				  SHORT_ID, id);
	free(path);
	return label;
}

char *known_label(struct known *k, const struct where *w, char **id)
{
	const struct container_line *l;
	char *label;

	pthread_mutex_lock(&k->lock);
	l = innermost(k, w);
	label = l ? name_of(l) : NULL;
	if (id)
		*id = l ? id_of(l) : NULL;
	pthread_mutex_unlock(&k->lock);
	if (!label && w->cgroup)
		label = claimed_label(w->cgroup);
	if (label)
		return label;
	return w->ns_inum == w->host_inum ? xstrdup("host")
					  : xasprintf("pid-ns-%" PRIu64, w->ns_inum);
}

/* ---- groups with their quotas ---------------------------------------------- */

struct groups {
	struct known_group *list;
	size_t nr, cap;
	struct hash by_path; /* points to what is not NULL, nothing more */
	struct hash users;   /* what each may still have, unsigned int, owned */
};

/* How many the user may still have looked at; NULL: it is root's, and there is no limit. */
static unsigned int *left_of(struct groups *g, const struct container_line *l)
{
	unsigned int *left;

	if (l->teller != TELLER_USER)
		return NULL;
	left = hash_get(&g->users, l->user);
	if (!left) {
		left = xcalloc(1, sizeof(*left));
		*left = USER_GROUPS;
		hash_put(&g->users, l->user, left);
	}
	return left;
}

/* Whether there was one left; it is taken. */
static bool take_one(unsigned int *left)
{
	if (!left)
		return true;
	if (!*left)
		return false;
	(*left)--;
	return true;
}

static void forget_users(struct groups *g)
{
	unsigned int *left;
	size_t pos = 0;

	while ((left = hash_next(&g->users, &pos)))
		free(left);
	hash_free(&g->users);
}

/* Not what is outside of this one's own view. */
static bool is_group(const char *path)
{
	return *path == '/' && path[1] && !strstr(path, "/../");
}

/*
 * A group and those above it, which limit it as well, as far as @left allows. Who comes first is
 * who it is told of.
 */
static void add_groups(struct groups *g, const char *from, const struct known_group *like,
		       unsigned int *left)
{
	char *path = xstrdup(from), *slash;

	for (; is_group(path); *slash = '\0') {
		uint64_t key = hash_text(path, strlen(path));

		/* With it, those above it are there. */
		if (hash_get(&g->by_path, key) || !take_one(left))
			break;
		g->list = grow(g->list, g->nr, &g->cap, sizeof(*g->list));
		g->list[g->nr++] = (struct known_group){
			.path = xstrdup(path),
			.label = xstrdup(like->label),
			.id = like->id ? xstrdup(like->id) : NULL,
			.inum = like->inum,
		};
		hash_put(&g->by_path, key, g);
		slash = strrchr(path, '/');
	}
	free(path);
}

/* @users_too: no container of root's has the name that is meant, if one is. */
static bool is_meant(const struct condition *c, const struct container_line *l, bool users_too)
{
	switch (c->whom) {
	case WHOM_ANY:
		return true;
	case WHOM_NAMESPACE:
		return c->ns_inum == l->pid_ns;
	case WHOM_CONTAINER:
		return is_called(l, c->name) && (users_too || l->teller != TELLER_USER);
	default:
		return false;
	}
}

size_t known_groups(struct known *k, const struct condition *c, uint64_t host_inum,
		    struct known_group **groups)
{
	struct container_line *l;
	struct groups g = {0};
	bool users_too;
	size_t pos = 0;

	if (c->whom == WHOM_CGROUP) {
		struct where w = {host_inum, host_inum, c->name};
		struct known_group like = {0};

		like.label = known_label(k, &w, &like.id);
		add_groups(&g, c->name, &like, NULL);
		known_group_clear(&like);
	}
	pthread_mutex_lock(&k->lock);
	users_too = c->whom != WHOM_CONTAINER || !roots_has(k, c->name);
	while ((l = hash_next(&k->containers, &pos))) {
		unsigned int *left = left_of(&g, l);
		struct known_group like = {.inum = l->pid_ns == host_inum ? 0 : l->pid_ns};

		/* A group that others have, too, says nothing. */
		if (!is_meant(c, l, users_too) || cgroup_is_shared(l->cgroup) || (left && !*left))
			continue;
		/* It is not asked for again, and takes nothing from the user's others. */
		if (!is_alive(l)) {
			((struct heard *)l)->start = 0;
			continue;
		}
		take_one(left);
		like.label = name_of(l);
		like.id = id_of(l);
		add_groups(&g, l->cgroup, &like, left);
		known_group_clear(&like);
	}
	pthread_mutex_unlock(&k->lock);
	hash_free(&g.by_path);
	forget_users(&g);
	*groups = g.list;
	return g.nr;
}

void known_group_clear(struct known_group *group)
{
	free(group->path);
	free(group->label);
	free(group->id);
	*group = (struct known_group){0};
}

void known_groups_free(struct known_group *groups, size_t nr)
{
	while (nr--)
		known_group_clear(&groups[nr]);
	free(groups);
}
