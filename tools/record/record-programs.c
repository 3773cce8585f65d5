/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/symbols.h"
#include "record.h"
#include "record-files.h"
#include "record-made.h"
#include "record-mapped.h"
#include "base/text.h"
#include "base/util.h"

/* How long the recording waits for the files of what runs already; the rest is read meanwhile. */
#define READY_MS 20000
/* How long it may take to write the rest when it has ended, on a machine that has much to do. */
#define LAST_MS	 15000
#define REST_NS	 (2 * NS_PER_SEC)

/*
 * How many processes are looked at in one go after changes were lost, and for how long; and then
 * not again for as long, and not for nine times as long as all of them have taken.
 */
#define DOUBTS	  64
#define DOUBT_NS  (NS_PER_SEC / 10)
#define DOUBTS_NS NS_PER_SEC

/*
 * So many lines of what is mapped are read as it begins, and so many in one go, of all that run;
 * who has more has no names for the rest. Most are of memory that is not run.
 */
#define LINES_MAX     (4u << 20)
#define LINES_AT_ONCE 64

/* What the writer says when it is ready, or why it is not. */
enum { READY = 'r', REFUSED = 'p', FAILED = 'w' };

/* When changes were lost, and whom they may be of. */
struct doubts {
	uint64_t since, until;	       /* 0: none were; those that are yet to be asked for */
	uint64_t now_since, now_until; /* those that are */
	DIR *proc;		       /* the processes; NULL: none is being asked */
	uint64_t began, next;
};

struct writer {
	struct kept kept;
	struct starts starts;
	struct files files;
	struct made made;
	struct perf perf;
	struct doubts doubts;
	struct pollfd *fds; /* perf's, then the others' */
	int channel;
	uint64_t scanned;	 /* what was so by then is known */
	struct shares lines;	 /* of LINES_MAX */
	bool is_ready, is_asked; /* asked to end */
	bool has_rest;		 /* perf has more */
};

/* Others' fds, behind perf's. */
enum { FD_RECORDER, FD_MADE, FD_FILES, NR_FDS = FD_FILES + NR_READERS };

/* Returns whether there was room for it. */
static bool take_map(struct writer *w, const struct change *c)
{
	bool is_kept = files_map(&w->files, c);

	if (is_kept && symbols_is_memory(c->map.path))
		jits_see(&w->made.jits, c->pid, c->ns);
	return is_kept;
}

static void take_full(struct writer *w, const struct change *c)
{
	struct doubts *d = &w->doubts;

	w->kept.lost++;
	if (c->ns < w->scanned)
		return;
	if (!d->until || c->since < d->since)
		d->since = c->since;
	if (c->ns > d->until)
		d->until = c->ns;
}

/* A struct perf's. */
static void take(void *writer, const struct change *c)
{
	struct writer *w = writer;

	if (c->ns < w->scanned && c->kind != CHANGE_LOST && c->kind != CHANGE_FULL)
		return;
	switch (c->kind) {
	case CHANGE_MAP:
		take_map(w, c);
		break;
	case CHANGE_EXEC:
		jits_gone(&w->made.jits, c->pid);
		starts_exec(&w->starts, c);
		break;
	case CHANGE_FORK:
		jits_fork(&w->made.jits, c->pid, c->parent, c->ns);
		starts_fork(&w->starts, c);
		break;
	case CHANGE_EXIT:
		jits_gone(&w->made.jits, c->pid);
		starts_exit(&w->starts, c);
		break;
	case CHANGE_LOST:
		w->kept.lost += c->lost;
		break;
	case CHANGE_FULL:
		take_full(w, c);
		break;
	}
}

static bool may_read_more(struct writer *w, const struct change *c)
{
	const struct owner *owner = starts_owner(&w->starts, c);

	if (!owner || shares_take(&w->lines, owner, LINES_AT_ONCE, LINES_MAX))
		return owner;
	w->kept.lost++;
	return false;
}

/*
 * As far as there is room for it: many processes may each have a long list of the same memory.
 * @is_first: nor more than is to be read of its owner's.
 */
static void scan_process(struct writer *w, uint32_t pid, uint64_t ns, bool is_first)
{
	struct change c = {.kind = CHANGE_MAP, .pid = pid, .ns = ns};
	char *name = xasprintf("/proc/%u/maps", pid), *line = NULL;
	FILE *maps = fopen(name, "re");
	size_t cap = 0;
	bool may_run, has_room = true;
	size_t nr;

	free(name);
	for (nr = 0; maps && has_room && getline(&line, &cap, maps) > 0; nr++) {
		if (is_first && nr % LINES_AT_ONCE == 0 && !may_read_more(w, &c))
			break;
		if (mapped_parse(line, &c.map, &may_run) && may_run)
			has_room = take_map(w, &c);
	}
	free(line);
	if (maps)
		fclose(maps);
}

static uint32_t process_of(const struct dirent *e)
{
	char *end;
	unsigned long pid = strtoul(e->d_name, &end, 10);

	return *end || pid > INT_MAX ? 0 : (uint32_t)pid;
}

/*
 * What has changed since perf was asked is told twice, which is no harm. All has the time of the
 * begin: what a process that is yet to come here has is what one has that it forks meanwhile.
 */
static void scan(struct writer *w)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	w->scanned = now_ns();

	while (proc && (e = readdir(proc))) {
		uint32_t pid = process_of(e);

		if (pid)
			scan_process(w, pid, w->scanned, true);
	}
	if (proc)
		closedir(proc);
}

static void doubt(struct writer *w, uint32_t pid)
{
	const struct doubts *d = &w->doubts;
	uint64_t ns = now_ns();

	if (!starts_doubt(&w->starts, pid, d->now_since, d->now_until))
		return;
	jits_gone(&w->made.jits, pid);
	scan_process(w, pid, ns, false);
}

/* Some of those that may have another program, of which nothing was told. */
static void doubt_some(struct writer *w)
{
	struct doubts *d = &w->doubts;
	uint64_t began = now_ns();
	struct dirent *e = NULL;
	unsigned int i;

	if (!d->proc) {
		d->began = now_ns();
		if (!d->until || d->began < d->next)
			return;
		d->proc = opendir("/proc");
		d->now_since = d->since;
		d->now_until = d->until;
		d->since = d->until = 0;
	}
	for (i = 0; i < DOUBTS && d->proc && (e = readdir(d->proc));) {
		uint32_t pid = process_of(e);

		i += pid != 0;
		if (pid)
			doubt(w, pid);
		if (now_ns() > began + DOUBT_NS)
			break;
	}
	if (e)
		return;
	if (d->proc)
		closedir(d->proc);
	d->proc = NULL;
	d->next = now_ns();
	d->next += 9 * (d->next - d->began) + DOUBTS_NS;
}

static uint64_t doubts_next(const struct doubts *d)
{
	return d->proc ? 0 : d->until ? d->next : UINT64_MAX;
}

static void say(const struct writer *w, char what)
{
	/* If nobody listens any more, that is seen where this waits. */
	(void)send(w->channel, &what, 1, MSG_NOSIGNAL);
}

static int patience(const struct writer *w)
{
	uint64_t now = now_ns(), files = files_next(&w->files), made = made_next(&w->made);
	uint64_t until = files < made ? files : made, doubts = doubts_next(&w->doubts);

	until = doubts < until ? doubts : until;
	if (w->has_rest)
		return 0;
	if (until == UINT64_MAX)
		return -1;
	return now < until ? (int)((until - now) / 1000000 + 1) : 0;
}

static void listen_to(struct writer *w, const struct pollfd *others)
{
	size_t i;

	/* What begins from here on was not asked. */
	if (others[FD_MADE].revents)
		made_listen(&w->made);
	for (i = 0; i < NR_READERS; i++)
		if (others[FD_FILES + i].revents)
			files_listen(&w->files, &w->files.work[i]);
}

/* One round of waiting. Returns whether the recorder still wants it. */
static bool wait_and_take(struct writer *w)
{
	struct pollfd *others = w->fds + w->perf.nr;
	size_t i;

	kept_flush(&w->kept);
	readings_reap();
	files_go_on(&w->files);
	made_go_on(&w->made);
	doubt_some(w);
	others[FD_RECORDER] =
		(struct pollfd){.fd = w->is_asked ? -1 : w->channel, .events = POLLIN};
	others[FD_MADE] = (struct pollfd){.fd = w->made.reading.from, .events = POLLIN};
	for (i = 0; i < NR_READERS; i++)
		others[FD_FILES + i] =
			(struct pollfd){.fd = w->files.work[i].reading.from, .events = POLLIN};
	if (poll(w->fds, w->perf.nr + NR_FDS, patience(w)) < 0)
		return errno == EINTR;
	/* Of a CPU that was switched off comes nothing more. */
	for (i = 0; i < w->perf.nr; i++)
		if (w->fds[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			w->fds[i].fd = -1;
	w->has_rest = !perf_take(&w->perf, now_ns(), take, w);
	listen_to(w, others);
	if (!w->is_ready && files_are_settled(&w->files)) {
		w->is_ready = true;
		say(w, READY);
	}
	return !others[FD_RECORDER].revents;
}

/* Files of what has come last, as far as it still lives. */
static void take_rest(struct writer *w)
{
	uint64_t until = now_ns() + REST_NS;

	while (!perf_take(&w->perf, now_ns(), take, w) && now_ns() < until)
		;
	w->doubts.next = 0;
	while (doubts_next(&w->doubts) != UINT64_MAX && now_ns() < until) {
		w->doubts.next = 0;
		doubt_some(w);
	}
	jits_end(&w->made.jits);
	w->is_asked = true;
	while (!(files_are_read(&w->files) && made_is_done(&w->made)) && now_ns() < until)
		wait_and_take(w);
	files_close(&w->files);
}

/* Sessions, the guard's pipe: all of it has an end when the recorder has. */
static void keep_only(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a, fd;
	bool done = false;

	for (fd = STDERR_FILENO + 1; fd < high; fd++)
		if (fd != low)
			close(fd);
#ifdef SYS_close_range
	done = !syscall(SYS_close_range, high + 1, ~0u, 0);
#endif
	for (fd = high + 1; !done && fd < 1 << 16; fd++)
		close(fd);
}

/* One for each process that tells of functions. */
static void have_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return;
	r.rlim_cur = r.rlim_max;
	setrlimit(RLIMIT_NOFILE, &r);
}

static _Noreturn void be_writer(int file, int channel, pid_t recorder)
{
	struct writer w = {.channel = channel};

	keep_only(file, channel);
	have_files();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != recorder)
		_exit(1);
	if (perf_open(&w.perf)) {
		say(&w, REFUSED);
		_exit(1);
	}
	if (kept_open(&w.kept, file)) {
		say(&w, FAILED);
		_exit(1);
	}
	starts_open(&w.starts, &w.kept);
	files_open(&w.files, &w.kept, &w.starts);
	made_open(&w.made, &w.kept);
	w.fds = xcalloc(w.perf.nr + NR_FDS, sizeof(*w.fds));
	memcpy(w.fds, w.perf.fds, w.perf.nr * sizeof(*w.fds));
	scan(&w);
	while (wait_and_take(&w))
		;
	take_rest(&w);
	_exit(kept_close(&w.kept) ? 1 : 0);
}

static int start(struct program_writer *w, int file)
{
	pid_t recorder = getpid(), pid;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -1;
	/* What is shared with the guard is not the child's to write. */
	pid = fork();
	if (!pid)
		be_writer(file, fds[1], recorder);
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return -1;
	}
	w->pid = pid;
	w->channel = fds[0];
	return 0;
}

/* Why there is no such file; "": there is one. */
static const char *await_ready(struct program_writer *w)
{
	struct pollfd p = {.fd = w->channel, .events = POLLIN};
	char said = READY;

	if (poll(&p, 1, READY_MS) > 0 && recv(w->channel, &said, 1, MSG_DONTWAIT) != 1)
		said = FAILED;
	return said == READY	 ? ""
	       : said == REFUSED ? "perf, which tells what they map, is not for this user"
				   " (sysctl kernel.perf_event_paranoid), or not in this kernel."
				 : "what they map cannot be written.";
}

int programs_start(struct program_writer *w, struct output *o)
{
	const char *why = "";
	int file;

	if (o->fd < 0)
		return 0;
	if (geteuid()) {
		note("Functions of programs will have no names: only root is told what they map.");
		return 0;
	}
	file = openat(o->fd, PROGRAMS_FILE, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);
	if (file < 0)
		return error("What programs map cannot be written. reason=%s", strerror(errno));
	why = start(w, file) ? "there can be no process for it." : await_ready(w);
	close(file);
	o->has_symbols = true;
	if (!*why)
		return 0;
	programs_end(w);
	unlinkat(o->fd, PROGRAMS_FILE, 0);
	note("Functions of programs will have no names: %s", why);
	return 0;
}

void programs_end(struct program_writer *w)
{
	struct pollfd p = {.fd = w->channel, .events = POLLIN};
	char said;

	if (!w->pid)
		return;
	shutdown(w->channel, SHUT_WR);
	/* The channel's other end is closed when it ends, and not before. */
	while (poll(&p, 1, LAST_MS) > 0 && recv(w->channel, &said, 1, MSG_DONTWAIT) > 0)
		;
	if (!p.revents)
		kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(w->channel);
	w->pid = 0;
}
