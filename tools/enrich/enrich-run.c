/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enrich-graph.h"
#include "enrich-run.h"
#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"

/*
 * The copy is made by a child, under another name: whatever ends it, even the
 * library with an abort, what it wrote is removed.
 */

static volatile sig_atomic_t got_signal;
static volatile sig_atomic_t child;

static void on_signal(int sig)
{
	got_signal = sig;
	if (child > 0)
		kill(child, SIGKILL);
}

static const int fatal[] = {SIGINT, SIGTERM, SIGHUP};

static void catch (bool on)
{
	struct sigaction sa = {.sa_handler = on ? on_signal : SIG_DFL};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &sa, NULL);
}

static int path_error(const char *what, const char *path, int why)
{
	char *shown = text_escape(path);

	error("%s path=%s%s%s", what, shown, why ? " reason=" : "", why ? strerror(why) : "");
	free(shown);
	return -1;
}

/*
 * What holds the directory, and its name there. Who may rename there can put another in its place,
 * or a link: what is removed must be ours, and nothing elsewhere.
 */
struct place {
	int parent, fd;
	const char *name;
};

static int open_parent(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *holder = !slash ? xstrdup(".") : xasprintf("%.*s", (int)(slash - path + 1), path);
	int fd = open(holder, O_PATH | O_DIRECTORY | O_CLOEXEC);

	free(holder);
	return fd;
}

/* Whether something is in the directory; so it is taken for if it cannot be read. */
static bool has_entries(int dir)
{
	DIR *d = tree_list(dir);
	bool has = !d || tree_next(d);

	if (d)
		closedir(d);
	return has;
}

static int make_directory(struct place *p, char *path)
{
	const char *slash = strrchr(path, '/');

	p->name = slash ? slash + 1 : path;
	p->parent = open_parent(path);
	if (p->parent < 0 || !mkdtemp(path))
		return -1;
	p->fd = openat(p->parent, p->name, O_RDONLY | TREE_DIR_FLAGS);
	/* Ours is new. Of one that is not ours nothing is removed. */
	if (p->fd >= 0 && has_entries(p->fd)) {
		close(p->fd);
		p->fd = -1;
	}
	return 0;
}

static void remove_all(const struct place *p)
{
	struct stat ours, there;
	struct dirent *e;
	DIR *d;

	if (p->fd < 0 || fstat(p->fd, &ours) || ours.st_uid != geteuid())
		return;
	d = tree_list(p->fd);
	while (d && (e = tree_next(d)))
		tree_remove(p->fd, e->d_name);
	if (d)
		closedir(d);
	if (!fstatat(p->parent, p->name, &there, AT_SYMLINK_NOFOLLOW) &&
	    there.st_dev == ours.st_dev && there.st_ino == ours.st_ino)
		unlinkat(p->parent, p->name, AT_REMOVEDIR);
}

static void close_place(const struct place *p)
{
	if (p->fd >= 0)
		close(p->fd);
	if (p->parent >= 0)
		close(p->parent);
}

/* A trailing slash would put what is made beside DIR inside of it. */
static char *without_slashes(const char *dir)
{
	size_t len = strlen(dir);

	while (len > 1 && dir[len - 1] == '/')
		len--;
	return xasprintf("%.*s", (int)len, dir);
}

static int wait_for_child(void)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return error("The copy cannot be made. reason=%s", strerror(errno));
	if (got_signal)
		return -1;
	if (WIFSIGNALED(status))
		return error("The copy was ended by a signal. signal=%d", WTERMSIG(status));
	return WEXITSTATUS(status) ? -1 : 0;
}

static int run_child(const char *tmp, char *const *traces, size_t nr_traces)
{
	sigset_t set, old;
	size_t i;

	/* A signal between fork() and the assignment would not find the child. */
	sigemptyset(&set);
	for (i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaddset(&set, fatal[i]);
	sigprocmask(SIG_BLOCK, &set, &old);
	child = fork();
	if (!child) {
		catch (false);
		sigprocmask(SIG_SETMASK, &old, NULL);
		exit(enrich_graph(tmp, traces, nr_traces) ? 2 : 0);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (child < 0)
		return error("The copy cannot be made. reason=%s", strerror(errno));
	return wait_for_child();
}

static int give_name(const char *tmp, const char *dir)
{
	struct stat st;

	if (!lstat(dir, &st))
		return path_error("The output directory came into being meanwhile.", dir, 0);
	if (rename(tmp, dir))
		return path_error("The output directory cannot be made.", dir, errno);
	return 0;
}

static int enrich(const char *dir, char *const *traces, size_t nr_traces)
{
	struct place place = {-1, -1, NULL};
	struct stat st;
	char *tmp;
	int ret;

	if (!lstat(dir, &st))
		return path_error("The output directory exists already; give another one.", dir, 0);
	tmp = xasprintf("%s.XXXXXX", dir);
	catch (true);
	if (make_directory(&place, tmp)) {
		ret = path_error("The output directory cannot be made.", dir, errno);
	} else {
		ret = run_child(tmp, traces, nr_traces);
		if (!ret)
			ret = give_name(tmp, dir);
		if (ret)
			remove_all(&place);
	}
	catch (false);
	close_place(&place);
	free(tmp);
	return ret;
}

int enrich_to(const char *dir, char *const *traces, size_t nr_traces)
{
	char *plain = without_slashes(dir);
	int ret = enrich(plain, traces, nr_traces);

	free(plain);
	if (got_signal)
		raise(got_signal);
	return ret;
}
