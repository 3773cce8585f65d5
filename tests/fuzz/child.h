/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_CHILD_H
#define FUZZ_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Processes of a target's own: what libbabeltrace2 gives up on ends no more than these. What they
 * cover counts as covered in the target.
 */

/*
 * With which libFuzzer ends a process that asks for too much memory. The program's own bound
 * (base/memory.h), with which a command says so and ends with 2, is not there under a checker.
 */
#define CHILD_OOM 71

struct child {
	pid_t pid;
	void *covered; /* shared with it */
};

/* As fork(). */
pid_t child_start(struct child *c);
/*
 * In a child: ends it after some minutes by SIGALRM, and by CHILD_OOM if it has a gigabyte then or
 * before.
 */
void child_bound(void);
/* In the child, before its end. */
void child_tell(const struct child *c);
/* The status of any child, as waitpid() has it. */
int wait_for(pid_t pid);
/* Waits for it, and returns the status as waitpid() has it. */
int child_wait(struct child *c);
/* The same, if it has ended; else returns false. */
bool child_has_ended(struct child *c, int *status);

#endif
