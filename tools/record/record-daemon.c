/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lttng/lttng.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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

static _Noreturn void be_daemon(const struct session_daemon *d, const struct signals *s,
				pid_t parent)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	signals_restore(s);
	/* Whoever started us may block signals; the daemon ends by one. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Ctrl-C is ours to heed; and whatever happens to us, the daemon goes, too. */
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	dup2(null, STDIN_FILENO);
	dup2(d->log >= 0 ? d->log : null, STDOUT_FILENO);
	dup2(d->log >= 0 ? d->log : null, STDERR_FILENO);
	execlp("lttng-sessiond", "lttng-sessiond", "--extra-kmod-probes=cgroup,namespace,throttle",
	       (char *)NULL);
	_exit(errno == ENOENT ? 127 : 126);
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
		kill(d->own, SIGKILL);
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

static int start(struct session_daemon *d, struct signals *s)
{
	struct start seen = {.looked_ns = now_ns(), .worked_ns = now_ns()};
	uint64_t limit = now_ns() + START_LIMIT_NS;
	pid_t parent = getpid(), pid;

	d->log = memfd_create("lttng-sessiond's log", MFD_CLOEXEC);
	/* What is shared with the guard is not the child's to write. */
	pid = fork();
	if (pid < 0)
		return error("No process can be made. reason=%s", strerror(errno));
	if (!pid)
		be_daemon(d, s, parent);
	d->own = pid;
	while (lttng_session_daemon_alive() != 1) {
		if (is_dead(d) || now_ns() > limit || is_idle(d, &seen))
			return not_started(d);
		if (signals_take(s))
			return error("Stopped before the recording began. signal=%d", s->stop);
		sleep_ms(50);
	}
	return 0;
}

int daemon_use(struct session_daemon *d, struct signals *s)
{
	*d = (struct session_daemon){.log = -1};
	if (lttng_session_daemon_alive() == 1)
		return 0;
	/* Others were told already that root's must run. */
	return start(d, s);
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
	if (!is_dead(d))
		note("lttng-sessiond does not end, and is killed. pid=%d", (int)d->own);
	kill(d->own, SIGKILL);
	waitid(P_PID, (id_t)d->own, &info, WEXITED | WNOWAIT);
	for (limit = now_ns() + 2 * NS_PER_SEC; daemon_group_lives(group) && now_ns() < limit;)
		sleep_ms(20);
	kill(-group, SIGKILL);
	waitpid(d->own, NULL, 0);
	d->own = 0;
	if (d->log >= 0)
		close(d->log);
	d->log = -1;
}
