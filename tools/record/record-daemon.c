/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <lttng/lttng.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record.h"
#include "base/proc-stat.h"
#include "base/text.h"
#include "base/util.h"

/* Loading some fifty modules takes minutes on an emulated machine. */
#define START_LIMIT_NS (300 * NS_PER_SEC)
/* One that waits for a thread which it had no memory to make waits for ever. */
#define IDLE_LIMIT_NS  (30 * NS_PER_SEC)
#define END_LIMIT_NS   (60 * NS_PER_SEC)
#define LEAVE_LIMIT_NS (2 * NS_PER_SEC)
/* Between tries where another one starts. */
#define AGAIN_MS       300

/* The processes of a group. */
struct group {
	bool lives;
	bool works;	/* one of them runs, or waits for a disk */
	uint64_t ticks; /* of CPU time, with that of their children who have ended */
};

static struct group look_at_group(pid_t group)
{
	DIR *d = opendir("/proc");
	struct group found = {0};
	struct dirent *e;

	while (d && (e = readdir(d))) {
		struct proc_stat st;

		if (proc_stat_read(&st, strtol(e->d_name, NULL, 10)) && st.group == group &&
		    st.state != 'Z' && st.state != 'X') {
			found.lives = true;
			found.works = found.works || st.state == 'R' || st.state == 'D';
			found.ticks += st.ticks;
		}
	}
	if (d)
		closedir(d);
	return found;
}

bool daemon_group_lives(pid_t group)
{
	return look_at_group(group).lives;
}

/* The last line of what the daemon said, escaped; the caller frees it. */
static char *last_words(const struct session_daemon *d)
{
	char buf[1025];
	char *line, *end;
	off_t size = d->log >= 0 ? lseek(d->log, 0, SEEK_END) : 0;
	ssize_t n = 0;

	if (size > 0)
		n = pread(d->log, buf, sizeof(buf) - 1, size > 1024 ? size - 1024 : 0);
	buf[n > 0 ? n : 0] = '\0';
	end = buf + strlen(buf);
	while (end > buf && end[-1] == '\n')
		*--end = '\0';
	line = strrchr(buf, '\n');
	return text_escape(line ? line + 1 : buf);
}

static bool is_dead(const struct session_daemon *d)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)d->own, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid;
}

bool daemon_has_ended(struct session_daemon *d)
{
	return d->own && is_dead(d);
}

static int not_started(struct session_daemon *d)
{
	siginfo_t info = {0};
	char *said = last_words(d);

	waitid(P_PID, (id_t)d->own, &info, WEXITED | WNOHANG | WNOWAIT);
	if (info.si_pid && info.si_code == CLD_EXITED && info.si_status == 127)
		error("There is no lttng-sessiond: install the package lttng-tools.");
	else if (info.si_pid)
		error("lttng-sessiond ended while it started. status=%d said=\"%s\"",
		      info.si_status, said);
	else
		error("lttng-sessiond does not answer, and is killed; is there too little memory"
		      " for it (ulimit -v)? said=\"%s\"",
		      said);
	/* One that never answered has nothing to put in order, and may not heed SIGTERM. */
	if (!info.si_pid)
		kill(d->own, KEEPER_KILLS);
	free(said);
	return -1;
}

/* What was seen of a daemon that starts. */
struct start {
	uint64_t ticks;
	uint64_t looked_ns;
	uint64_t worked_ns;
};

/* Whether it has done nothing for long. */
static bool is_idle(const struct session_daemon *d, struct start *seen)
{
	uint64_t now = now_ns();
	struct group g;

	if (now - seen->looked_ns < NS_PER_SEC)
		return false;
	seen->looked_ns = now;
	g = look_at_group(d->own);
	if (g.works || g.ticks != seen->ticks) {
		seen->ticks = g.ticks;
		seen->worked_ns = now;
	}
	return now - seen->worked_ns > IDLE_LIMIT_NS;
}

/* Whether ours has ended as another one runs, which may not answer yet. */
static bool another_starts(const struct session_daemon *d)
{
	char *said = is_dead(d) ? last_words(d) : NULL;
	bool starts = said && strcasestr(said, "already running");

	free(said);
	return starts;
}

/* From here on it is nobody's of ours. */
static void let_go(struct session_daemon *d)
{
	d->own = 0;
	if (d->log >= 0)
		close(d->log);
	d->log = -1;
}

static void forget(struct session_daemon *d)
{
	kill(d->own, SIGTERM);
	waitpid(d->own, NULL, 0);
	let_go(d);
}

/* Returns 1 if another one runs, or is about to. */
static int start(struct session_daemon *d, struct signals *s, uint64_t limit)
{
	struct start seen = {.looked_ns = now_ns(), .worked_ns = now_ns()};
	pid_t parent = getpid(), pid, answers;

	d->log = memfd_create("lttng-sessiond's log", MFD_CLOEXEC);
	/* What is shared with the guard is not the child's to write. */
	pid = fork();
	if (pid < 0)
		return error("No process can be made. reason=%s", strerror(errno));
	if (!pid)
		keeper_run(d, s, parent);
	d->own = pid;
	while (lttng_session_daemon_alive() != 1) {
		if (is_dead(d) || now_ns() > limit || is_idle(d, &seen))
			return now_ns() < limit && another_starts(d) ? 1 : not_started(d);
		if (signals_take(s))
			return error("Stopped before the recording began. signal=%d", s->stop);
		sleep_ms(50);
	}
	answers = host_session_daemon();
	return answers > 0 && getpgid(answers) != d->own;
}

int daemon_use(struct session_daemon *d, struct modules *modules, struct signals *s)
{
	uint64_t limit = now_ns() + START_LIMIT_NS;
	int ret;

	*d = (struct session_daemon){.log = -1, .modules = modules};
	/* Others were told already that root's must run. */
	while (lttng_session_daemon_alive() != 1) {
		ret = start(d, s, limit);
		if (ret <= 0)
			return ret;
		forget(d);
		sleep_ms(AGAIN_MS);
		if (signals_take(s))
			return error("Stopped before the recording began. signal=%d", s->stop);
	}
	return 0;
}

/*
 * The consumer daemon is in its group, and ends by itself when the session
 * daemon is gone, but need not have when we look. Until the session daemon is
 * reaped the group's number is no other's.
 */
void daemon_end(struct session_daemon *d)
{
	uint64_t limit = now_ns() + END_LIMIT_NS;
	pid_t group = d->own;
	siginfo_t info;

	if (!d->own)
		return;
	kill(d->own, SIGTERM);
	while (!is_dead(d) && now_ns() < limit)
		sleep_ms(20);
	if (!is_dead(d)) {
		note("lttng-sessiond does not end, and is killed. pid=%d", (int)d->own);
		kill(d->own, KEEPER_KILLS);
	}
	waitid(P_PID, (id_t)d->own, &info, WEXITED | WNOWAIT);
	for (limit = now_ns() + 2 * NS_PER_SEC; daemon_group_lives(group) && now_ns() < limit;)
		sleep_ms(20);
	kill(-group, SIGKILL);
	forget(d);
}

bool daemon_leave(struct session_daemon *d, const char *session)
{
	uint64_t limit = now_ns() + LEAVE_LIMIT_NS;
	int nr = d->own && !is_dead(d) ? sessions_of_others(session) : 0;

	if (nr <= 0)
		return false;
	snprintf(d->session, sizeof(d->session), "%s", session);
	kill(d->own, SIGUSR1);
	while (!atomic_load(&d->is_left) && !is_dead(d) && now_ns() < limit)
		sleep_ms(5);
	if (!atomic_load(&d->is_left))
		return false;
	note("Others record by the lttng-sessiond that was started here; it ends after the last"
	     " of them. sessions=%d pid=%d",
	     nr, (int)d->own);
	let_go(d);
	return true;
}
