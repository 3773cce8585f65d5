/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_NAMES_HELPER_H
#define LC_NAMES_HELPER_H

#include <unistd.h>

#include "names-int.h"

/* How often somebody who waits looks whether the scan is to end. */
#define LOOK_MS 20
/* How long a process may take to end that has said all, or was killed: its disk may not answer. */
#define END_MS	500

/* There a helper has the descriptor by which it adds to what is watched. */
#define HELPER_INOTIFY 255
/* In so many directories it may be what an owner's runtime keeps. */
#define HELPER_PLACES  12

/* Whose files are read; 0: root's, else those of his user. */
struct owner {
	uid_t user;
	gid_t group;
	char *home; /* without the first slash; or NULL */
	/* He is nobody, who is given what root's runtimes wrote, and needs no files. */
	bool opens_nothing;
	/*
	 * Opens, in a helper, the directories that files are read from, all of them below these,
	 * and returns how many there are. NULL: none.
	 */
	size_t (*places)(struct names *n, const struct owner *o, int dirs[HELPER_PLACES]);
	unsigned int seconds; /* of the processor; 0: what is usual */
	uint64_t memory;      /* bytes; 0: what is usual */
};

/* A process that reads an owner's files with his rights, and dies with the scan. */
struct helper {
	pid_t pid;
	int fd;
	uint64_t until; /* ms of the monotonic clock */
	bool late;
};

/*
 * Starts it, for @ms at most. There @work gets the other end of the messages' channel as n->helper,
 * from which who opens nothing only reads and writes. Returns -1 if there can be none.
 */
int helper_start(struct names *n, struct helper *h, const struct owner *o, unsigned int ms,
		 void (*work)(struct names *n, const struct owner *o));
/* The length of a message of at most @size bytes; 0: that was all, or it is too late. */
size_t helper_receive(struct names *n, struct helper *h, void *message, size_t size);
void helper_send(struct helper *h, const void *message, size_t size);
/* Waits for it to end, or kills it unless it was @done. */
void helper_end(struct names *n, struct helper *h, bool done);
/* Kills one that has said all, as it need not want to end. */
void helper_dismiss(struct names *n, struct helper *h);

/* Whether a process of ours ends in that time; it is waited for. */
bool process_has_ended(pid_t pid, unsigned int ms);
/*
 * Kills it, or its group (0: it alone). Should that take long, as a disk or a file system does not
 * answer, it is waited for by later scans.
 */
void process_kill(struct names *n, pid_t pid, pid_t group);
/* Whether it is one of those. */
bool names_is_left(const struct names *n, pid_t pid);
/*
 * Calls who wants to be called while a scan waits for somebody. Returns how long that took, ms, by
 * which the other may be late.
 */
uint64_t names_wait(const struct names *n);
/* Waits for them, but not for long. */
void names_reap(struct names *n);

/*
 * names-run.c: what a program writes, with a 0 behind it, within @ms and STATE_MAX bytes; or NULL.
 * It is killed if that is not enough. The caller frees the text.
 */
char *program_read(struct names *n, const char *program, char *const argv[], unsigned int ms,
		   size_t *len);

/* How much a socket may answer, and what came of it. */
struct socket_answer {
	size_t max, len; /* bytes */
	bool late;	 /* there is somebody, who did not answer all in time, or too much */
};

/*
 * names-run.c: all that the socket at @path, below the host's root, answers to @question until it
 * hangs up, within @ms; or NULL. The caller frees the text, which nobody has looked at.
 */
char *socket_read(struct names *n, const char *path, const char *question, unsigned int ms,
		  struct socket_answer *answer);

/*
 * names-confine.c: takes away from this process all but what reading the owner's files and telling
 * of them needs. -1: it has more rights than the owner, and must not go on.
 */
int confine(const struct owner *o, const int *keep, size_t nr_keep);
/*
 * A user's and a group's number for who reads what strangers wrote; systems, subuid(5) and runtimes
 * give none as high. Not that of the user nobody (65534), which services and containers have: each
 * of them could end all that read.
 */
#define FIRST_OF_NOBODY 0xc0000000u
static inline uid_t nobodys_id(void)
{
	return FIRST_OF_NOBODY + (uid_t)getpid();
}
/*
 * Allows only the system calls that this takes, @opens: also those to look for files and to open
 * them; -1 if the kernel cannot.
 */
int confine_calls(const struct owner *o, bool opens);

/* Closes all descriptors from that one on. */
void close_from(int first);
/* Leaves this process the capabilities of that mask alone, as far as it has them. */
int confine_rights(uint32_t mask);

/*
 * names-landlock.c: from now on this process can open nothing but files and directories below
 * these, and only to read; not even root. To be called before confine_calls(), which refuses it. -1
 * if the kernel cannot.
 */
int confine_files(const int *dirs, size_t nr);
/* The same: it can open everything to read, and run it, but write to nothing that is not open. */
int confine_writing(void);

/*
 * names-program.c: that, no capability but to read everything, and no calls that reach other
 * processes, start any, or change the host, also for a program that is run next, which reads
 * strangers' files and prints: no more than PROGRAM_TEXT_MAX into one file. -1 if the kernel cannot
 * do all of it: then some of it may hold.
 */
#define PROGRAM_TEXT_MAX (64 << 20)
int confine_program(void);

#endif
