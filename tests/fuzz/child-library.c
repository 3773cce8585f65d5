/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "child-library.h"
#include "trace/reader-graph.h"

static struct sigaction checkers;

static void on_bad_address(int sig, siginfo_t *info, void *context)
{
	(void)info;
	if (graph_was_in_library(context))
		_exit(2);
	/* Raised again on return. */
	sigaction(sig, &checkers, NULL);
}

void library_may_die(void)
{
	const struct sigaction sa = {.sa_sigaction = on_bad_address,
				     .sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigaction(SIGSEGV, &sa, &checkers);
}

bool library_asked(const char *said)
{
	/* The last frame of the checker's, and who called it: GLib, which we do not call. */
	const char *at = strstr(said, " in __interceptor_"), *glib;

	at = at ? strchr(at, '\n') : NULL;
	glib = at ? strstr(at, "/libglib-2.0.") : NULL;
	return glib && glib < at + 1 + strcspn(at + 1, "\n");
}
