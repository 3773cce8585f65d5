/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "enrich-graph.h"
#include "enrich-run.h"
#include "base/util.h"
#include "trace/outdir.h"

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

static int run_child(const char *way, char *const *traces, size_t nr_traces)
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
		exit(enrich_graph(way, traces, nr_traces) ? 2 : 0);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (child < 0)
		return error("The copy cannot be made. reason=%s", strerror(errno));
	return wait_for_child();
}

int enrich_to(const char *dir, char *const *traces, size_t nr_traces)
{
	struct outdir out;
	char *way;
	int ret;

	catch (true);
	ret = outdir_open(&out, dir);
	if (!ret) {
		way = outdir_way(&out);
		ret = run_child(way, traces, nr_traces);
		free(way);
	}
	if (!ret)
		ret = outdir_finish(&out);
	outdir_drop(&out);
	catch (false);
	if (got_signal)
		raise(got_signal);
	return ret;
}
