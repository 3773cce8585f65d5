/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"
#include "names/names-helper.h"
#include "shot.h"
#include "store.h"

/* Of how much time before the wait `why` tells. */
#define BEFORE_NS (5 * NS_PER_SEC)
/*
 * For all that it is asked, as nothing is watched meanwhile. It reads what the buffers hold, which
 * takes a second or two.
 */
#define WHY_S	  120
#define GRACE_NS  (2 * NS_PER_SEC)
#define STEP_MS	  200

static int open_new(const struct output *o)
{
	return openat(o->fd, SHOT_NEW, O_RDONLY | TREE_DIR_FLAGS);
}

void shot_clean(const struct output *o)
{
	int fd = open_new(o);
	DIR *d = fd < 0 ? NULL : tree_list(fd);
	struct dirent *e;

	while (d && (e = tree_next(d)))
		tree_remove(fd, e->d_name);
	if (d)
		closedir(d);
	if (fd >= 0)
		close(fd);
}

/* Gives what the session has written its name. Returns 0, or -1 with errno set. */
static int give_name(const struct output *o, const char *name)
{
	int fd = open_new(o), result = -1, why = ENOENT;
	DIR *d = fd < 0 ? NULL : tree_list(fd);
	struct dirent *e = d ? tree_next(d) : NULL;

	if (e) {
		result = renameat(fd, e->d_name, o->fd, name);
		why = errno;
	}
	if (d)
		closedir(d);
	if (fd >= 0)
		close(fd);
	errno = why;
	return result;
}

struct why {
	const char *file, *form; /* what is written, and the option for it, or NULL */
	const struct shot *shot;
	char *trace;
	bool narrow;	/* only what the shot is of */
	uint64_t until; /* it has time, as now_ns() tells it */
};

/* No less than one: alarm(0) sets none. */
static unsigned int seconds_left(uint64_t until)
{
	uint64_t now = now_ns();

	return until <= now ? 1 : (unsigned int)((until - now) / NS_PER_SEC) + 1;
}

static _Noreturn void be_why(const struct why *w, int out, const struct signals *s)
{
	char *argv[12] = {"lttng-containers", "why"}, **next = argv + 2;
	int null = open("/dev/null", O_RDWR);
	uint64_t before = w->shot->length_ns + BEFORE_NS;

	signals_restore(s);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(seconds_left(w->until));
	errno = 0;
	if (nice(10) == -1 && errno)
		_exit(126);
	if (w->narrow) {
		*next++ = "--begin";
		*next++ = xasprintf("%" PRIu64, w->shot->ns - before);
	}
	if (w->narrow && w->shot->select) {
		*next++ = "--container";
		*next++ = (char *)w->shot->select;
	}
	if (w->form)
		*next++ = (char *)w->form;
	*next++ = "--";
	*next = w->trace;
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	/* What it is not sure of belongs to the text. */
	dup2(w->form ? null : out, STDERR_FILENO);
	close_from(STDERR_FILENO + 1);
	/* Containers have a say in what is in the trace. */
	(void)confine_program();
	execv("/proc/self/exe", argv);
	_exit(126);
}

/*
 * Returns its status as wait() tells it. Who asks to stop does not wait for it, nor does anybody if
 * it has put off its alarm.
 */
static int await_why(pid_t pid, uint64_t until, struct signals *s)
{
	struct pollfd p = {.fd = s->fd, .events = POLLIN};
	int status;

	while (waitpid(pid, &status, WNOHANG) != pid) {
		if (signals_take(s) || now_ns() > until + GRACE_NS)
			kill(pid, SIGKILL);
		poll(&p, 1, STEP_MS);
	}
	return status;
}

/* Whether `why` had an answer. */
static bool ask_why(const struct why *w, int dir, struct signals *s)
{
	int out = openat(dir, w->file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0640);
	bool answered = false;
	pid_t pid;

	if (out < 0)
		return false;
	if (!w->form)
		dprintf(out, "%s\n\n", w->shot->text);
	pid = fork();
	if (!pid)
		be_why(w, out, s);
	if (pid > 0)
		answered = await_why(pid, w->until, s) == 0;
	close(out);
	return answered;
}

/* The container may have been too short to be in the trace: better all than nothing. */
static bool tell_why(struct why *w, const struct output *o, const char *name, struct signals *s)
{
	int dir = openat(o->fd, name, O_RDONLY | TREE_DIR_FLAGS);
	bool told;

	if (dir < 0)
		return false;
	w->narrow = true;
	told = ask_why(w, dir, s);
	if (!told && !s->stop) {
		w->narrow = false;
		told = ask_why(w, dir, s);
	}
	if (!told)
		unlinkat(dir, w->file, 0);
	close(dir);
	return told;
}

static void tell_all(struct recording *r, const struct shot *s, const char *name)
{
	uint64_t until = now_ns() + WHY_S * NS_PER_SEC;
	struct why text = {.file = "why.txt", .shot = s, .until = until};
	struct why json = {.file = "why.json", .form = "--json", .shot = s, .until = until};

	text.trace = json.trace = xasprintf("%s/%s", r->output.path, name);
	if (!tell_why(&text, &r->output, name, &r->signals) ||
	    !tell_why(&json, &r->output, name, &r->signals))
		note("What lttng-containers why says of the snapshot could not be written beside"
		     " it.");
	free(text.trace);
}

char *shot_take(struct recording *r, const struct shot *s)
{
	char name[STORE_NAME_MAX];

	store_name(name, s->ns, s->condition, s->container);
	shot_clean(&r->output);
	if (record_snapshot(r)) {
		shot_clean(&r->output);
		return NULL;
	}
	/* What comes now asks nothing of lttng-sessiond. */
	signals_expect(&r->signals, 0);
	if (give_name(&r->output, name)) {
		error("The snapshot cannot be given its name. reason=%s name=%s", strerror(errno),
		      name);
		return NULL;
	}
	tell_all(r, s, name);
	return xstrdup(name);
}
