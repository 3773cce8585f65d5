/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "record.h"
#include "base/text.h"
#include "base/util.h"

#define END_LIMIT_NS (10 * NS_PER_SEC)

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static bool is_in_path(const char *name)
{
	const char *dirs = getenv("PATH");
	char *copy = xstrdup(dirs ? dirs : "/usr/local/bin:/bin:/usr/bin"), *rest = copy, *dir;
	bool found = false;

	while (!found && (dir = strsep(&rest, ":"))) {
		char *path = xasprintf("%s/%s", *dir ? dir : ".", name);

		found = is_program(path);
		free(path);
	}
	free(copy);
	return found;
}

int child_find(const char *name)
{
	if (strchr(name, '/') ? is_program(name) : *name && is_in_path(name))
		return 0;
	return argument_error("The command is not found, or is not a program; nothing was"
			      " recorded.",
			      "command", name);
}

static _Noreturn void be_command(char **command, const struct signals *s, int report)
{
	int why;

	signals_restore(s);
	execvp(command[0], command);
	why = errno;
	if (write(report, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(127);
}

int child_start(struct child *c, char **command, const struct signals *s)
{
	int report[2], why = 0;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return error("The command cannot be started. reason=%s", strerror(errno));
	/* What is shared with the guard is not the child's to write. */
	pid = fork();
	if (!pid)
		be_command(command, s, report[1]);
	if (pid < 0)
		why = errno;
	c->pid = pid;
	close(report[1]);
	/* Nothing comes when the exec succeeds. */
	if (c->pid > 0 && read(report[0], &why, sizeof(why)) > 0)
		waitpid(c->pid, NULL, 0);
	close(report[0]);
	if (!why) {
		c->ran = true;
		return 0;
	}
	c->pid = 0;
	return error("The command cannot be started. reason=%s", strerror(why));
}

bool child_has_ended(struct child *c)
{
	if (c->pid && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->pid = 0;
	return !c->pid;
}

static void tell(const struct child *c)
{
	if (WIFSIGNALED(c->status))
		note("The command was ended by a signal. signal=%d", WTERMSIG(c->status));
	else
		note("The command has ended. exit_status=%d", WEXITSTATUS(c->status));
}

void child_finish(struct child *c)
{
	uint64_t limit = now_ns() + END_LIMIT_NS;

	if (!c->ran)
		return;
	if (!child_has_ended(c))
		kill(c->pid, SIGTERM);
	while (!child_has_ended(c) && now_ns() < limit)
		sleep_ms(20);
	if (c->pid)
		note("The command does not heed SIGTERM, and is left running. pid=%d", (int)c->pid);
	else
		tell(c);
	c->ran = false;
}
