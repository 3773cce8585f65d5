/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/record-owner.h"
#include "tap.h"

/*
 * Whose a process is, asked of real ones in namespaces; where nobody may make any, of this process
 * alone. And how much each may have.
 */

#define SOMEBODY 54321

/* What a process becomes, one after the other. */
enum step { END, USER, REAL_USER, SECRET, USER_NS, PID_NS };

static bool put(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	return f && fputs(text, f) >= 0 && !fclose(f);
}

/* Who is nobody in it, or in no group, can make no other one. */
static bool enter_user_namespace(void)
{
	char users[64], groups[64];

	snprintf(users, sizeof(users), "0 %d 1\n", (int)geteuid());
	snprintf(groups, sizeof(groups), "0 %d 1\n", (int)getegid());
	return !unshare(CLONE_NEWUSER) && !prctl(PR_SET_DUMPABLE, 1) &&
	       put("/proc/self/uid_map", users) && put("/proc/self/setgroups", "deny") &&
	       put("/proc/self/gid_map", groups);
}

static bool take_step(enum step step)
{
	switch (step) {
	case USER:
		return !setresgid(100, 100, 100) && !setresuid(SOMEBODY, SOMEBODY, SOMEBODY);
	case REAL_USER:
		return !setresuid(SOMEBODY, 0, 0);
	case SECRET:
		return !prctl(PR_SET_DUMPABLE, 0);
	case USER_NS:
		return enter_user_namespace();
	case PID_NS:
		return !unshare(CLONE_NEWPID);
	case END:
		break;
	}
	return true;
}

/*
 * It ends with its parent. Who is born in the new PID namespace goes on in its place. All of them
 * have asked for that before the last says that it is there: the first may be killed then.
 */
static _Noreturn void become(const enum step *steps, int to)
{
	bool works = true;

	for (; works && *steps != END; steps++) {
		works = take_step(*steps);
		if (!works || *steps != PID_NS)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (fork()) {
			pause();
			_exit(0);
		}
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (send(to, works ? "y" : "n", 1, 0) == 1)
		pause();
	_exit(0);
}

/* Who sent a message, by the id that it has here; 0: it could not become what it was to. */
static pid_t sender(int from)
{
	union {
		char room[CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} control;
	char said = 'n';
	struct iovec data = {&said, 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *c;
	struct ucred who;

	if (recvmsg(from, &message, 0) != 1 || said != 'y')
		return 0;
	c = CMSG_FIRSTHDR(&message);
	if (!c || c->cmsg_type != SCM_CREDENTIALS)
		exit(2);
	memcpy(&who, CMSG_DATA(c), sizeof(who));
	return who.pid;
}

/* The PID namespace that children of @pid are born in. */
static uint64_t children_pid_ns(pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid_for_children", (int)pid);
	return stat(path, &st) ? 0 : st.st_ino;
}

/* The outermost PID namespace of who was asked last. */
static uint64_t outermost;

/* Returns whether there can be such a process here. */
static bool ask_owner(const enum step *steps, struct owner *o)
{
	int channel[2], on = 1;
	pid_t first, last;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) ||
	    setsockopt(channel[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)))
		exit(2);
	first = fork();
	if (first < 0)
		exit(2);
	if (!first)
		become(steps, channel[1]);
	close(channel[1]);
	last = sender(channel[0]);
	if (last)
		*o = owner_of((uint32_t)last);
	outermost = children_pid_ns(first);
	close(channel[0]);
	kill(first, SIGKILL);
	waitpid(first, NULL, 0);
	return last;
}

#define OWNER(o, ...) ask_owner((const enum step[]){__VA_ARGS__, END}, o)

static void a_process_is_its_users(void)
{
	struct owner o = owner_of((uint32_t)getpid());

	expect_int(o.user, getuid());
	expect_int((int64_t)o.pid_ns, 0);
	if (!OWNER(&o, USER))
		return;
	expect_int(o.user, SOMEBODY);
	expect_int((int64_t)o.pid_ns, 0);
	/* Its files in /proc are root's. */
	expect(OWNER(&o, USER, SECRET));
	expect_int(o.user, SOMEBODY);
}

static void a_user_namespace_is_his_who_made_it(void)
{
	struct owner o;

	if (!OWNER(&o, USER, USER_NS))
		return;
	expect_int(o.user, SOMEBODY);
	expect(OWNER(&o, USER, USER_NS, USER_NS, USER_NS));
	expect_int(o.user, SOMEBODY);
	expect(OWNER(&o, USER, USER_NS, PID_NS));
	expect_int(o.user, SOMEBODY);
	expect(o.pid_ns != 0);
	/* Root's, whoever is in it. */
	expect(OWNER(&o, REAL_USER, USER_NS));
	expect_int(o.user, 0);
}

static void a_pid_namespace_is_roots(void)
{
	struct owner o;

	if (!OWNER(&o, PID_NS))
		return;
	expect_int(o.user, 0);
	expect(o.pid_ns != 0);
	expect(OWNER(&o, PID_NS, USER));
	expect_int(o.user, 0);
	expect(o.pid_ns != 0);
}

/* Who makes more of them has no more for it. */
static void the_outermost_pid_namespace_counts(void)
{
	struct owner o;

	if (!OWNER(&o, PID_NS, PID_NS, PID_NS))
		return;
	expect_int((int64_t)o.pid_ns, (int64_t)outermost);
	/* In a chroot there are no user namespaces. */
	if (OWNER(&o, USER, USER_NS, PID_NS, USER_NS, PID_NS))
		expect_int((int64_t)o.pid_ns, (int64_t)outermost);
}

static void who_is_gone_is_nobodys(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	expect_int(owner_of((uint32_t)pid).user, UINT32_MAX);
}

/* How many of @max it may have. */
static uint64_t take_all(struct shares *s, uint32_t user, uint64_t pid_ns, uint64_t max)
{
	const struct owner o = {.user = user, .pid_ns = pid_ns};
	uint64_t nr = 0;

	while (shares_take(s, &o, 1, max))
		nr++;
	return nr;
}

static void free_all(struct hash *h)
{
	size_t pos = 0;
	void *share;

	while ((share = hash_next(h, &pos)))
		free(share);
	hash_free(h);
}

static void give_all(struct shares *s, uint32_t user, uint64_t pid_ns, uint64_t nr)
{
	const struct owner o = {.user = user, .pid_ns = pid_ns};

	shares_give(s, &o, nr);
}

static void everybody_leaves_some_for_others(void)
{
	struct shares s = {0};
	uint64_t i;

	expect_int((int64_t)take_all(&s, 0, 0, 4096), 1024);
	expect_int((int64_t)take_all(&s, 0, 1, 4096), 512);
	/* However many namespaces one has, it is half of all. */
	for (i = 2; i < 100; i++)
		take_all(&s, 0, i, 4096);
	expect(s.nr > 2000 && s.nr <= 2048);
	expect_int((int64_t)take_all(&s, 1, 0, 4096), 512);
	expect(take_all(&s, 2, 0, 4096) > 300);
	give_all(&s, 1, 0, 512);
	expect(take_all(&s, 3, 0, 4096) > 300);
	/* What was given back can be had again. */
	give_all(&s, 0, 0, 1024);
	expect(take_all(&s, 0, 0, 4096) > 300);
	free_all(&s.users);
	free_all(&s.groups);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"a process is its user's", a_process_is_its_users},
		{"a user namespace is his who made it", a_user_namespace_is_his_who_made_it},
		{"a PID namespace is root's", a_pid_namespace_is_roots},
		{"the outermost PID namespace counts", the_outermost_pid_namespace_counts},
		{"who is gone is nobody's", who_is_gone_is_nobodys},
		{"everybody leaves some for others", everybody_leaves_some_for_others},
		{0},
	};

	return tap_run(tests);
}
