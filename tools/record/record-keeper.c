/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/util.h"
#include "names/names-helper.h"
#include "record.h"

/* How often it looks whether others still record. */
#define LOOK_S 1

static _Noreturn void be_daemon(const struct session_daemon *d, const struct signals *s,
				pid_t keeper)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	signals_restore(s);
	/* Whoever started us may block signals; the daemon ends by one. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* Whatever happens to us, the daemon goes, too. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != keeper)
		_exit(1);
	dup2(null, STDIN_FILENO);
	dup2(d->log >= 0 ? d->log : null, STDOUT_FILENO);
	dup2(d->log >= 0 ? d->log : null, STDERR_FILENO);
	execlp("lttng-sessiond", "lttng-sessiond", "--extra-kmod-probes=cgroup,namespace,throttle",
	       (char *)NULL);
	_exit(errno == ENOENT ? 127 : 126);
}

/* The guard's pipe, and all else of the recorder's, has an end when the recorder has. */
static void leave_files(void)
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close_from(STDERR_FILENO + 1);
}

/* So that who waits for us sees how it ended. */
static _Noreturn void end_as(int status)
{
	const struct rlimit none = {0, 0};
	sigset_t sig;

	if (!WIFSIGNALED(status))
		_exit(WEXITSTATUS(status));
	setrlimit(RLIMIT_CORE, &none);
	signal(WTERMSIG(status), SIG_DFL);
	sigemptyset(&sig);
	sigaddset(&sig, WTERMSIG(status));
	sigprocmask(SIG_UNBLOCK, &sig, NULL);
	raise(WTERMSIG(status));
	_exit(1);
}

/* What the recorder left; it may use what is shared for another daemon by now. */
struct left {
	bool is_left;
	char session[sizeof(((struct session_daemon *)NULL)->session)];
	struct modules modules;
};

static void take_over(struct left *left, struct session_daemon *d)
{
	prctl(PR_SET_PDEATHSIG, 0);
	left->is_left = true;
	left->modules = *d->modules;
	memcpy(left->session, d->session, sizeof(left->session));
	atomic_store(&d->is_left, true);
}

/*
 * Who signals all processes of this name means the recorder, which ends in order. The kernel tells
 * of the recorder's death in its name.
 */
static bool is_meant(const siginfo_t *info, pid_t recorder)
{
	return info->si_pid == recorder || getppid() != recorder;
}

/* Until the daemon ends; returns its status. */
static int look_after(pid_t daemon, struct left *left, struct session_daemon *d, pid_t recorder)
{
	const struct timespec second = {LOOK_S, 0};
	bool is_asked = false;
	siginfo_t info;
	int status, sig;
	sigset_t all;

	sigfillset(&all);
	while (waitpid(daemon, &status, WNOHANG) != daemon) {
		sig = sigtimedwait(&all, &info, &second);
		if (sig > 0 && !left->is_left && !is_meant(&info, recorder))
			continue;
		if (sig == SIGUSR1 && !left->is_left)
			take_over(left, d);
		if (sig == KEEPER_KILLS)
			kill(daemon, SIGKILL);
		if (sig == SIGTERM ||
		    (left->is_left && !is_asked && sessions_of_others(left->session) <= 0)) {
			is_asked = true;
			kill(daemon, SIGTERM);
		}
	}
	return status;
}

_Noreturn void keeper_run(struct session_daemon *d, const struct signals *s, pid_t recorder)
{
	static struct left left;
	pid_t self, daemon;
	sigset_t all;
	int status;

	/* Ctrl-C is the recorder's to heed; and whatever happens to that, the daemon goes, too. */
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != recorder)
		_exit(1);
	self = getpid();
	daemon = fork();
	if (!daemon)
		be_daemon(d, s, self);
	if (daemon < 0)
		_exit(126);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	leave_files();
	status = look_after(daemon, &left, d, recorder);
	if (left.is_left)
		modules_unload(&left.modules, true);
	end_as(status);
}
