/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What `watch` watches for and keeps: conditions, which container is meant, names of snapshots, and
 * which of them are deleted.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"
#include "tap.h"
#include "watch/condition.h"
#include "watch/known.h"
#include "watch/store.h"
#include "watch/throttling.h"
#include "watch/turns.h"

static struct condition good(const char *text)
{
	struct condition c;

	expect_int(condition_parse(&c, text), 0);
	return c;
}

static void durations_have_units(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} all[] = {
		{"delay > 20ms", 20000000},   {"delay>20ms", 20000000},
		{"delay > 1.5s", 1500000000}, {" delay  >  7 us in any", 7000},
		{"delay > 1ns", 1},	      {"delay > 3600s", 3600 * NS_PER_SEC},
		{"delay > 0.25ms", 250000},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		struct condition c = good(all[i].text);

		expect_int((long long)c.ns, (long long)all[i].ns);
		expect_int(c.whom, WHOM_ANY);
		condition_free(&c);
	}
}

static void whom_is_told_by_its_look(void)
{
	static const struct {
		const char *text;
		enum whom whom;
		const char *name;
		uint64_t ns_inum;
	} all[] = {
		{"delay > 1ms in any", WHOM_ANY, "any", 0},
		{"delay > 1ms in host", WHOM_HOST, "host", 0},
		{"delay > 1ms in web", WHOM_CONTAINER, "web", 0},
		{"delay > 1ms in  my own web \t", WHOM_CONTAINER, "my own web", 0},
		{"delay > 1ms in 4026532281", WHOM_NAMESPACE, "4026532281", 4026532281u},
		{"delay > 1ms in pid-ns-4026532281", WHOM_NAMESPACE, "pid-ns-4026532281",
		 4026532281u},
		{"delay > 1ms in 123456789012", WHOM_CONTAINER, "123456789012", 0},
		{"delay > 1ms in 12ab", WHOM_CONTAINER, "12ab", 0},
		{"delay > 1ms in /a/b//", WHOM_CGROUP, "/a/b", 0},
		{"delay > 1ms in /", WHOM_CGROUP, "/", 0},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		struct condition c = good(all[i].text);

		expect_int(c.whom, all[i].whom);
		expect_text(c.name, all[i].name);
		expect_int((long long)c.ns_inum, (long long)all[i].ns_inum);
		condition_free(&c);
	}
}

/* Messages are the program's tests' affair. */
static bool is_refused(const char *text)
{
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
	struct condition c;
	bool refused;

	dup2(null, STDERR_FILENO);
	refused = condition_parse(&c, text) == -1;
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(null);
	return refused;
}

static void what_cannot_be_watched_for_is_refused(void)
{
	static const char *const all[] = {
		"",
		" ",
		"delay",
		"delay >",
		"delay > ms",
		"delay > 20",
		"delay > .5ms",
		"delay > 1..2ms",
		"delay > -1ms",
		"delay > 0ms",
		"delay > 0.1ns",
		"delay > nan ms",
		"delay > inf s",
		"delay > 0x10ms",
		"delay > 1e3ms",
		"delay > 3601s",
		"delay > 999999999999999999999s",
		"delay > 20 minutes",
		"delay >= 20ms",
		"delay < 20ms",
		"delay 20ms",
		"delays > 20ms",
		"delay > 20ms web",
		"delay > 20ms in",
		"delay > 20ms in \t",
		"delay > 20ms into web",
		"delay > 20ms/1s",
		"blocked > 1s/2s in db",
		"blocked",
		"throttled > 100ms in any",
		"throttled > 100ms/ in any",
		"throttled > 100ms/999ms",
		"throttled > 100ms/3601s",
		"throttled > 100ms/1s in host",
		"throttled > /1s",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!is_refused(all[i]))
			tap_expect(false, all[i], __FILE__, __LINE__);
}

static void what_is_watched_for_is_a_word(void)
{
	static const struct {
		const char *text;
		enum condition_what what;
		uint64_t ns, period_ns;
	} all[] = {
		{"delay > 20ms", CONDITION_DELAY, 20000000, 0},
		{"blocked>1s in db", CONDITION_BLOCKED, NS_PER_SEC, 0},
		{"throttled > 100ms/1s in any", CONDITION_THROTTLED, 100000000, NS_PER_SEC},
		{"throttled > 4s / 2.5 s in /a", CONDITION_THROTTLED, 4 * NS_PER_SEC, 2500000000},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		struct condition c = good(all[i].text);

		expect_int(c.what, all[i].what);
		expect_int((long long)c.ns, (long long)all[i].ns);
		expect_int((long long)c.period_ns, (long long)all[i].period_ns);
		condition_free(&c);
	}
}

static uint64_t own_ns(void)
{
	struct stat st = {0};

	expect_int(stat("/proc/self/ns/pid", &st), 0);
	return st.st_ino;
}

/* More than the kernel gives: /proc is made to have them, as copies of this test's process. */
#define MADE_UP	    1000000000
/* From here on they are in another namespace. */
#define OF_OTHER_NS (MADE_UP + 500000)
#define OTHER_NS    77

static void hear_of(struct known *k, int pid, const char *rest)
{
	char *line =
		xasprintf("container v1 init_tid=%d pid_ns=%" PRIu64 " %s", pid, own_ns(), rest);

	known_hear(k, line);
	free(line);
}

/* A container whose first process is this test's. */
static void hear(struct known *k, const char *rest)
{
	hear_of(k, getpid(), rest);
}

static void means(struct known *k, const char *text, const struct where *w, bool expected)
{
	struct condition c = good(text);

	if (known_means(k, &c, w) != expected)
		tap_expect(false, text, __FILE__, __LINE__);
	condition_free(&c);
}

static void a_container_is_known_by_its_namespace(void)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), 1, NULL}, out = {own_ns() + 1, 1, "/elsewhere"};
	char *label;

	hear(&k, "runtime=runc id=0123456789abcdef name=web cgroup=/a/web told_by=root");
	means(&k, "delay > 1ms in web", &in, true);
	means(&k, "delay > 1ms in 0123456789abcdef", &in, true);
	means(&k, "delay > 1ms in 0123456789ab", &in, true);
	means(&k, "delay > 1ms in 0123", &in, false);
	means(&k, "delay > 1ms in db", &in, false);
	means(&k, "delay > 1ms in any", &in, true);
	means(&k, "delay > 1ms in host", &in, false);
	means(&k, "delay > 1ms in web", &out, false);
	means(&k, "delay > 1ms in any", &out, true);
	label = known_label(&k, &in, NULL);
	expect_text(label, "web");
	free(label);
	known_free(&k);
}

static void is_called(struct known *k, const struct where *w, const char *expected)
{
	char *label = known_label(k, w, NULL);

	expect_text(label, expected);
	free(label);
}

/* @expected_id: NULL for none. */
static void is_called_and_has_id(struct known *k, const struct where *w, const char *expected,
				 const char *expected_id)
{
	char *id, *label = known_label(k, w, &id);

	expect_text(label, expected);
	expect(!id == !expected_id);
	if (id && expected_id)
		expect_text(id, expected_id);
	free(label);
	free(id);
}

/* As of a pod with shareProcessNamespace, or with docker's --pid=container:web. */
static void containers_of_one_namespace_are_known_by_their_groups(void)
{
	struct known k = KNOWN_NONE;
	struct where web = {own_ns(), 1, "/pod/web/x"}, sidecar = {own_ns(), 1, "/pod/longer"};
	struct where moved = {own_ns(), 1, "/elsewhere"};

	hear(&k, "runtime=crio id=w name=web cgroup=/pod/web told_by=root");
	hear_of(&k, MADE_UP, "runtime=crio id=s name=sidecar cgroup=/pod/longer told_by=root");
	is_called(&k, &web, "web");
	is_called(&k, &sidecar, "sidecar");
	means(&k, "delay > 1ms in web", &web, true);
	means(&k, "delay > 1ms in sidecar", &web, false);
	means(&k, "delay > 1ms in web", &sidecar, false);
	means(&k, "delay > 1ms in sidecar", &sidecar, true);
	means(&k, "delay > 1ms in web", &moved, true);
	means(&k, "delay > 1ms in any", &moved, true);
	known_free(&k);
}

/* What `why` is asked about: the inode of a namespace means but one of those that have it. */
static void a_shared_namespace_says_not_which_container(void)
{
	struct known k = KNOWN_NONE;

	hear(&k, "runtime=crio id=w name=web cgroup=/pod/web told_by=root");
	/* The same, told of by another. */
	hear(&k, "runtime=podman id=w name=mine cgroup=/pod/web told_by=user:7");
	expect(!known_is_shared(&k, own_ns()));
	hear_of(&k, OF_OTHER_NS, "runtime=crio id=gone name=gone cgroup=/pod/gone told_by=root");
	expect(!known_is_shared(&k, own_ns()));
	hear_of(&k, MADE_UP, "runtime=crio id=s name=sidecar cgroup=/pod/longer told_by=root");
	expect(known_is_shared(&k, own_ns()));
	known_free(&k);
}

/* Its tasks may have been moved to the outer one's group. */
static void one_inside_of_another_is_known_by_its_namespace(void)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), 1, "/web"}, around = {OTHER_NS, 1, "/web/x"};
	char *outer = xasprintf("container v1 runtime=lxc id=web name=web init_tid=%d pid_ns=%d"
				" cgroup=/web told_by=root",
				OF_OTHER_NS, OTHER_NS);

	hear(&k, "runtime=runc id=i name=inner cgroup=/web/inner told_by=root");
	known_hear(&k, outer);
	is_called(&k, &in, "inner");
	is_called(&k, &around, "web");
	means(&k, "delay > 1ms in inner", &in, true);
	means(&k, "delay > 1ms in inner", &around, false);
	means(&k, "delay > 1ms in web", &in, true);
	free(outer);
	known_free(&k);
}

static void one_without_a_namespace_is_known_by_its_group(void)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), own_ns(), "/a/web/inner"};
	struct where beside = {own_ns(), own_ns(), "/a/webs"}, host = {own_ns(), own_ns(), NULL};
	char *label;

	hear(&k, "runtime=runc id=web name=web cgroup=/a/web told_by=root");
	means(&k, "delay > 1ms in web", &in, true);
	means(&k, "delay > 1ms in any", &in, true);
	means(&k, "delay > 1ms in /a/web", &in, true);
	means(&k, "delay > 1ms in /a", &in, true);
	means(&k, "delay > 1ms in /", &in, true);
	means(&k, "delay > 1ms in web", &beside, false);
	means(&k, "delay > 1ms in /a/web", &beside, false);
	means(&k, "delay > 1ms in host", &beside, true);
	means(&k, "delay > 1ms in web", &host, false);
	means(&k, "delay > 1ms in any", &host, false);
	means(&k, "delay > 1ms in host", &host, true);
	label = known_label(&k, &host, NULL);
	expect_text(label, "host");
	free(label);
	known_free(&k);
}

/* With both versions of cgroups docker leaves its containers where they were started in version 2.
 */
static void the_group_of_a_runtime_is_no_containers(void)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), 1, "/system.slice/containerd.service"};
	struct where runtime = {1, 1, "/system.slice/containerd.service"};

	hear(&k, "runtime=docker id=w name=web cgroup=/system.slice/containerd.service"
		 " told_by=root");
	is_called(&k, &in, "web");
	is_called(&k, &runtime, "host");
	means(&k, "delay > 1ms in web", &in, true);
	means(&k, "delay > 1ms in web", &runtime, false);
	means(&k, "delay > 1ms in any", &runtime, false);
	known_free(&k);
}

static void a_user_cannot_take_the_place_of_roots_container(void)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), own_ns(), "/user.slice/user-7.slice/x"};
	char *label;

	hear(&k, "runtime=podman id=u name=web cgroup=/user.slice/user-7.slice/x told_by=user:7");
	means(&k, "delay > 1ms in web", &in, true);
	hear(&k, "runtime=podman id=r name=web cgroup=/machine.slice/web told_by=root");
	means(&k, "delay > 1ms in web", &in, false);
	means(&k, "delay > 1ms in user-7:web", &in, true);
	label = known_label(&k, &in, NULL);
	expect_text(label, "user-7:web");
	free(label);
	known_free(&k);
}

/* As of a pod: whoever writes its manifest calls its containers what he likes. */
static void no_container_is_called_as_what_is_none(void)
{
	static const char *const names[] = {"host", "4026532281", "pid-ns-4026531836",
					    "claimed:0123456789ab", "user-7:web"};
	struct where in = {own_ns(), 1, NULL};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct known k = KNOWN_NONE;
		char *line = xasprintf("runtime=containerd id=0123456789abcdef name=%s"
				       " cgroup=/pod/x told_by=root",
				       names[i]);

		hear(&k, line);
		is_called(&k, &in, "0123456789ab");
		free(line);
		known_free(&k);
	}
}

/* Nor does he take another's name, as that has the namespace before it. */
static void containers_of_one_name_are_told_apart(void)
{
	struct known k = KNOWN_NONE;
	struct where shop = {1, 1, "/pod/a"}, other = {1, 1, "/pod/b"}, users = {1, 1, "/user/c"};

	hear(&k, "runtime=containerd id=aa name=web cgroup=/pod/a pod_namespace=shop told_by=root");
	hear_of(&k, MADE_UP,
		"runtime=containerd id=bb name=web cgroup=/pod/b pod_namespace=evil told_by=root");
	hear_of(&k, MADE_UP + 1,
		"runtime=podman id=aa name=web cgroup=/user/c pod_namespace=shop told_by=user:7");
	is_called_and_has_id(&k, &shop, "shop/web", "aa");
	is_called_and_has_id(&k, &other, "evil/web", "bb");
	is_called_and_has_id(&k, &users, "user-7:web", NULL);
	known_free(&k);
}

/* The groups that a condition is about, as PATH=LABEL. */
static void has_groups(struct known *k, const char *text, const char *expected)
{
	struct condition c = good(text);
	struct known_group *groups;
	size_t nr = known_groups(k, &c, 1, &groups), i;
	char *all = xstrdup("");

	for (i = 0; i < nr; i++) {
		char *more = xasprintf("%s%s=%s ", all, groups[i].path, groups[i].label);

		free(all);
		all = more;
	}
	expect_text(all, expected);
	free(all);
	known_groups_free(groups, nr);
	condition_free(&c);
}

static void quotas_are_those_of_groups_and_of_what_is_above(void)
{
	struct known k = KNOWN_NONE;

	hear(&k, "runtime=runc id=a name=web cgroup=/pods/1/a told_by=root");
	hear_of(&k, MADE_UP, "runtime=runc id=b name=db cgroup=/pods/1/b told_by=root");
	hear_of(&k, MADE_UP + 1, "runtime=runc id=c name=out cgroup=/../c told_by=root");
	hear_of(&k, MADE_UP + 2, "runtime=runc id=d name=all cgroup=/ told_by=root");
	hear(&k, "runtime=podman id=e name=web cgroup=/user.slice/user-7.slice/e told_by=user:7");
	has_groups(&k, "throttled > 1s/1s in web", "/pods/1/a=web /pods/1=web /pods=web ");
	has_groups(&k, "throttled > 1s/1s in b", "/pods/1/b=db /pods/1=db /pods=db ");
	has_groups(&k, "throttled > 1s/1s",
		   "/pods/1/a=web /pods/1=web /pods=web /pods/1/b=db "
		   "/user.slice/user-7.slice/e=user-7:web "
		   "/user.slice/user-7.slice=user-7:web /user.slice=user-7:web ");
	has_groups(&k, "throttled > 1s/1s in /x/y", "/x/y=host /x=host ");
	has_groups(&k, "throttled > 1s/1s in /../x", "");
	has_groups(&k, "throttled > 1s/1s in nobody", "");
	known_free(&k);
}

struct quotas {
	char root[32];
	struct throttling t;
	struct known k;
	struct condition c[2];
};

static void write_text(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *file = fopen(path, "w");

	if (file) {
		fputs(text, file);
		fclose(file);
	}
	expect(file);
	free(path);
}

/* A group that was throttled for so long; its directory is made. */
static void throttle(const struct quotas *q, const char *group, uint64_t ms)
{
	char *dir = xasprintf("%s/%s", q->t.root, group),
	     *text = xasprintf("usage_usec 7\nnr_throttled 3\nthrottled_%s %" PRIu64
			       "000%s\nburst_usec 9\n",
			       q->t.is_v1 ? "time" : "usec", ms, q->t.is_v1 ? "000" : "");

	mkdir(dir, 0700);
	write_text(dir, "cpu.stat", text);
	free(dir);
	free(text);
}

static bool looks(struct quotas *q, uint64_t second, struct throttled *found)
{
	return throttling_look(&q->t, q->c, ARRAY_SIZE(q->c), &q->k, 1, second * NS_PER_SEC, found);
}

static void begin_quotas(struct quotas *q, const char *marker, const char *first,
			 const char *second)
{
	char *dir;

	*q = (struct quotas){.root = "/tmp/test-watch-XXXXXX", .k = KNOWN_NONE};
	q->c[0] = good(first);
	q->c[1] = good(second);
	expect(mkdtemp(q->root));
	dir = xasprintf("%s/%s", q->root, marker);
	if (!strcmp(marker, "cpu"))
		mkdir(dir, 0700);
	else
		write_text(q->root, marker, "");
	free(dir);
	throttling_begin(&q->t, q->root);
	expect(q->t.root);
}

static void end_quotas(struct quotas *q)
{
	condition_free(&q->c[0]);
	condition_free(&q->c[1]);
	throttling_end(&q->t);
	known_free(&q->k);
	tree_remove(AT_FDCWD, q->root);
}

static void too_much_throttling_is_found(const char *marker)
{
	struct throttled found;
	struct quotas q;

	begin_quotas(&q, marker, "throttled > 100ms/1s in /a", "delay > 1s");
	throttle(&q, "a", 5000);
	expect(!looks(&q, 1, &found));
	throttle(&q, "a", 5100);
	expect(!looks(&q, 2, &found));
	throttle(&q, "a", 5201);
	expect(looks(&q, 3, &found));
	expect_text(found.group.path, "/a");
	expect_int((long long)found.ns, 101000000);
	expect_int((long long)found.period_ns, NS_PER_SEC);
	expect(found.condition == &q.c[0]);
	throttled_free(&found);
	/* Once. A second look that comes late is of that much time. */
	expect(!looks(&q, 4, &found));
	throttle(&q, "a", 5500);
	expect(!looks(&q, 7, &found));
	throttle(&q, "a", 5801);
	expect(looks(&q, 10, &found));
	throttled_free(&found);
	/* One that was made anew. */
	throttle(&q, "a", 10);
	expect(!looks(&q, 11, &found));
	throttle(&q, "a", 120);
	expect(looks(&q, 12, &found));
	throttled_free(&found);
	/* What was before a pause does not count. */
	throttling_forget(&q.t);
	throttle(&q, "a", 900);
	expect(!looks(&q, 13, &found));
	end_quotas(&q);
}

static void version_2_tells_how_long(void)
{
	too_much_throttling_is_found("cgroup.controllers");
}

static void version_1_tells_how_long(void)
{
	too_much_throttling_is_found("cpu");
}

static void periods_may_be_long(void)
{
	struct throttled found;
	struct quotas q;
	uint64_t at;

	begin_quotas(&q, "cgroup.controllers", "throttled > 5s/60s in /a",
		     "throttled > 900ms/1s in /a");
	for (at = 0; at < 200; at++) {
		throttle(&q, "a", at * 80);
		expect(!looks(&q, at, &found));
	}
	/* With 4.8 s a minute it was not too much; as soon as it is, it is told. */
	throttle(&q, "a", 200 * 80 + 700);
	expect(looks(&q, 200, &found));
	expect(found.condition == &q.c[0]);
	expect(found.ns > 5 * NS_PER_SEC && found.period_ns <= 60 * NS_PER_SEC);
	throttled_free(&found);
	expect_int((long long)q.t.meters.nr, 2);
	end_quotas(&q);
}

/* Who is found at that second; both are throttled all the time. */
static void finds(struct quotas *q, uint64_t second, const char *group)
{
	struct throttled found;

	throttle(q, "a", second * 900);
	throttle(q, "b", second * 200);
	expect(looks(q, second, &found));
	expect_text(found.group.path, group);
	throttled_free(&found);
}

static void who_is_throttled_all_the_time_hides_nobody(void)
{
	struct throttled found;
	struct quotas q;

	begin_quotas(&q, "cgroup.controllers", "throttled > 100ms/1s in /a",
		     "throttled > 100ms/1s in /b");
	throttle(&q, "a", 0);
	throttle(&q, "b", 0);
	expect(!looks(&q, 0, &found));
	finds(&q, 1, "/a");
	finds(&q, 2, "/b");
	finds(&q, 3, "/a");
	/* While nobody is told, nothing is forgotten. */
	throttle(&q, "a", 3 * 900);
	throttle(&q, "b", 13 * 200);
	expect(!throttling_look(&q.t, q.c, ARRAY_SIZE(q.c), &q.k, 1, 13 * NS_PER_SEC, NULL));
	finds(&q, 14, "/b");
	end_quotas(&q);
}

/* All of them are throttled all the time; web is a new one. */
static void throttle_all(const struct quotas *q, unsigned int nr, uint64_t second)
{
	char group[16];

	while (nr--) {
		snprintf(group, sizeof(group), "u%u", nr);
		throttle(q, group, second * 900);
	}
	throttle(q, "web", second * 900);
}

static void who_has_many_groups_throttled_hides_nobody(void)
{
	struct throttled found;
	unsigned int i, nr = 100;
	struct quotas q;

	begin_quotas(&q, "cgroup.controllers", "throttled > 100ms/1s", "delay > 1s");
	for (i = 0; i < nr; i++) {
		char *rest = xasprintf("runtime=podman id=u%u name=u%u told_by=user:7 cgroup=/u%u",
				       i, i, i);

		hear_of(&q.k, (int)(MADE_UP + i), rest);
		free(rest);
	}
	throttle_all(&q, nr, 1);
	expect(!looks(&q, 1, &found));
	hear(&q.k, "runtime=runc id=web name=web cgroup=/web told_by=root");
	throttle_all(&q, nr, 2);
	expect(looks(&q, 2, &found));
	expect_int(strncmp(found.group.path, "/u", 2), 0);
	throttled_free(&found);
	throttle_all(&q, nr, 3);
	expect(looks(&q, 3, &found));
	expect_text(found.group.path, "/web");
	throttled_free(&found);
	throttle_all(&q, nr, 4);
	expect(looks(&q, 4, &found));
	expect_int(strncmp(found.group.path, "/u", 2), 0);
	throttled_free(&found);
	end_quotas(&q);
}

static void groups_that_are_gone_are_forgotten(void)
{
	struct throttled found;
	struct quotas q;

	begin_quotas(&q, "cgroup.controllers", "throttled > 100ms/1s", "throttled > 1s/1s in x");
	hear(&q.k, "runtime=runc id=x name=x cgroup=/x told_by=root");
	expect(!looks(&q, 1, &found));
	expect_int((long long)q.t.meters.nr, 2);
	known_free(&q.k);
	expect(!looks(&q, 2, &found));
	expect_int((long long)q.t.meters.nr, 0);
	end_quotas(&q);
}

#define FORGED "docker-0123456789ab0123456789ab0123456789ab0123456789ab0123456789abcdef.scope"

static void is_labelled(const char *cgroup, const char *expected)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), own_ns(), cgroup};
	char *label = known_label(&k, &in, NULL);

	expect_text(label, expected);
	free(label);
	known_free(&k);
}

static void who_made_a_group_is_who_claims_its_name(void)
{
	is_labelled("/system.slice/" FORGED, "0123456789ab");
	is_labelled("/system.slice/" FORGED "/x", "0123456789ab");
	is_labelled("/system.slice/" FORGED "/" FORGED, "claimed:0123456789ab");
	is_labelled("/user.slice/user-7.slice/user@7.service/" FORGED, "user-7:0123456789ab");
	is_labelled("/user.slice/user-7.slice/user@7.service/" FORGED "/x", "user-7:0123456789ab");
	is_labelled("/system.slice/web.service/" FORGED, "claimed:0123456789ab");
}

static void who_is_gone_is_forgotten(void)
{
	struct known k = KNOWN_NONE;
	struct where w = {77, 1, NULL};
	char *label;

	/* Nobody has such an id. */
	known_hear(&k, "container v1 runtime=runc id=old name=old init_tid=1073741824 pid_ns=77");
	known_hear(&k, "container v1 broken");
	known_hear(&k, "something else");
	means(&k, "delay > 1ms in old", &w, false);
	label = known_label(&k, &w, NULL);
	expect_text(label, "pid-ns-77");
	free(label);
	known_free(&k);
}

static bool is_made_up(const char *path)
{
	return !strncmp(path, "/proc/", 6) && strtoull(path + 6, NULL, 10) >= MADE_UP &&
	       strtoull(path + 6, NULL, 10) < MADE_UP + 1000000;
}

/* The linker puts this in its place (Makefile): who has this test's tid is another process. */
static bool is_another;
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
	static char later[] = "7 (a) ) x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 1 20 21";

	if ((is_another || is_made_up(path)) && !strncmp(path, "/proc/", 6) &&
	    strstr(path, "/stat"))
		return fmemopen(later, strlen(later), "r");
	return __real_fopen(path, mode);
}

/* Whoever makes one namespace after the other gets the number of one that is gone, and its tids. */
static void numbers_of_one_that_is_gone_are_not_its(void)
{
	struct known k = KNOWN_NONE;
	struct where w = {own_ns(), 1, "/a/web"};
	char *label, *expected = xasprintf("pid-ns-%" PRIu64, own_ns());

	hear(&k, "runtime=runc id=web name=web cgroup=/a/web told_by=root");
	means(&k, "delay > 1ms in web", &w, true);
	is_another = true;
	means(&k, "delay > 1ms in web", &w, false);
	has_groups(&k, "throttled > 1s/1s in web", "");
	label = known_label(&k, &w, NULL);
	expect_text(label, expected);
	free(label);
	/* It is told of that one. */
	hear(&k, "runtime=runc id=web name=web cgroup=/a/web told_by=root");
	means(&k, "delay > 1ms in web", &w, true);
	is_another = false;
	free(expected);
	known_free(&k);
}

/* ---- many containers ------------------------------------------------------- */

/* How often /proc was asked of a task's namespace; the linker puts this in its place (Makefile). */
static unsigned int nr_asked;
ssize_t __real_readlink(const char *path, char *buf, size_t size);
ssize_t __wrap_readlink(const char *path, char *buf, size_t size);
ssize_t __wrap_readlink(const char *path, char *buf, size_t size)
{
	nr_asked++;
	if (is_made_up(path) && strtoull(path + 6, NULL, 10) >= OF_OTHER_NS)
		return snprintf(buf, size, "pid:[%d]", OTHER_NS);
	return __real_readlink(is_made_up(path) ? "/proc/self/ns/pid" : path, buf, size);
}

static void hear_many(struct known *k, unsigned int nr)
{
	while (nr--) {
		char *rest = xasprintf("runtime=podman id=u%u name=web told_by=user:7 "
				       "cgroup=/user.slice/user-7.slice/%u",
				       nr, nr);

		hear_of(k, (int)(MADE_UP + nr), rest);
		free(rest);
	}
}

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NS_PER_SEC + (uint64_t)now.tv_nsec;
}

/* What it takes to hear of so many, twice. */
static uint64_t hearing_ns(unsigned int nr)
{
	uint64_t best = UINT64_MAX;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		struct known k = KNOWN_NONE;
		uint64_t began = cpu_ns(), took;

		hear_many(&k, nr);
		hear_many(&k, nr);
		took = cpu_ns() - began;
		if (took < best)
			best = took;
		known_free(&k);
	}
	return best;
}

static void many_containers_cost_no_more_each(void)
{
	uint64_t some = hearing_ns(4000), more = hearing_ns(16000);

	if (more > 8 * some)
		tap_expect_int((long long)more, 4 * (long long)some, "of four times as many, in ns",
			       __FILE__, __LINE__);
}

static void who_is_late_makes_few_questions(void)
{
	struct known k = KNOWN_NONE;
	struct where w = {own_ns(), own_ns(), "/user.slice/user-7.slice/17"};
	struct where nowhere = {own_ns(), own_ns(), "/user.slice/user-8.slice"};
	char *label;

	hear_many(&k, 10000);
	nr_asked = 0;
	means(&k, "delay > 1ms in web", &w, true);
	means(&k, "delay > 1ms in u17", &w, true);
	means(&k, "delay > 1ms in any", &w, true);
	label = known_label(&k, &w, NULL);
	expect_text(label, "user-7:web");
	free(label);
	expect_int(nr_asked, 4);
	means(&k, "delay > 1ms in web", &nowhere, false);
	means(&k, "delay > 1ms in host", &nowhere, true);
	label = known_label(&k, &nowhere, NULL);
	expect_text(label, "host");
	free(label);
	expect_int(nr_asked, 4);
	has_groups(&k, "throttled > 1s/1s in u17",
		   "/user.slice/user-7.slice/17=user-7:web /user.slice/user-7.slice=user-7:web "
		   "/user.slice=user-7:web ");
	expect_int(nr_asked, 5);
	known_free(&k);
}

/* Whoever gives a container one id after the other has one, not as many as it had ids. */
static void who_gets_other_ids_is_known_by_the_last(void)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), 1, NULL};
	unsigned int i;

	hear(&k, "runtime=runc id=web name=web cgroup=/a/web told_by=root");
	for (i = 0; i < 1000; i++) {
		char *rest = xasprintf("runtime=podman id=u%u name=n%u told_by=user:7 "
				       "cgroup=/user.slice/user-7.slice/x",
				       i, i);

		hear(&k, rest);
		free(rest);
	}
	expect_int((long long)k.containers.nr, 2);
	means(&k, "delay > 1ms in web", &in, true);
	means(&k, "delay > 1ms in n998", &in, false);
	means(&k, "delay > 1ms in n999", &in, true);
	known_free(&k);
}

/* A user's container in a group so deep, each of its own. */
static void hear_deep(struct known *k, unsigned int first, unsigned int nr)
{
	char path[1024], *rest;
	unsigned int i;

	while (nr--) {
		int at = sprintf(path, "/user.slice/user-7.slice/%u", nr);

		for (i = 0; i < 300; i++)
			at += sprintf(path + at, "/a");
		rest = xasprintf("runtime=podman id=u%u name=web told_by=user:7 cgroup=%s", nr,
				 path);
		hear_of(k, (int)(first + nr), rest);
		free(rest);
	}
}

static void a_user_has_so_many_groups_looked_at(void)
{
	struct known k = KNOWN_NONE;
	struct condition c = good("throttled > 1s/1s");
	struct known_group *groups;
	size_t nr, i, of_root = 0, of_other = 0;

	hear_deep(&k, MADE_UP, 100);
	hear_of(&k, MADE_UP + 1000, "runtime=runc id=web name=web cgroup=/a/web told_by=root");
	hear_of(&k, MADE_UP + 1001,
		"runtime=podman id=e name=web cgroup=/user.slice/user-8.slice/e told_by=user:8");
	nr_asked = 0;
	nr = known_groups(&k, &c, 1, &groups);
	for (i = 0; i < nr; i++) {
		of_root += !strcmp(groups[i].path, "/a/web");
		of_other += !strcmp(groups[i].path, "/user.slice/user-8.slice/e");
	}
	expect_int((long long)of_root, 1);
	expect_int((long long)of_other, 1);
	if (nr > 1100 || nr < 1000)
		tap_expect_int((long long)nr, 1024, "of 30,000 groups", __FILE__, __LINE__);
	known_groups_free(groups, nr);
	known_free(&k);
	/* Nor is /proc asked of more containers than that, but those that are gone take none. */
	hear_many(&k, 5000);
	for (i = 0; i < 2000; i++)
		hear_of(&k, (int)(MADE_UP + 5000000 + i),
			"runtime=podman id=g told_by=user:8 "
			"cgroup=/user.slice/user-8.slice/g");
	hear_of(&k, MADE_UP + 5000,
		"runtime=podman id=e name=web cgroup=/user.slice/user-8.slice/e told_by=user:8");
	nr_asked = 0;
	nr = known_groups(&k, &c, 1, &groups);
	if (nr_asked > 1100)
		tap_expect_int(nr_asked, 1024, "questions", __FILE__, __LINE__);
	of_other = 0;
	for (i = 0; i < nr; i++)
		of_other += !strcmp(groups[i].path, "/user.slice/user-8.slice/e");
	expect_int((long long)of_other, 1);
	known_groups_free(groups, nr);
	known_free(&k);
	condition_free(&c);
}

static void who_was_told_of_last_comes_last(void)
{
	struct turns t = {0};
	unsigned int i;

	expect_int((long long)turns_wait(&t, "web", NULL, 1000), 0);
	turns_take(&t, "web", NULL);
	expect_int((long long)turns_wait(&t, "web", NULL, 1000), 1000);
	expect_int((long long)turns_wait(&t, "db", NULL, 1000), 0);
	turns_take(&t, "user-7:a", NULL);
	turns_take(&t, "web", NULL);
	turns_take(&t, "user-7:b", NULL);
	turns_take(&t, "pid-ns-4026532281", NULL);
	turns_take(&t, "claimed:0123456789ab", NULL);
	/* As many names as there are of what one can make: they have one turn. */
	expect_int((long long)turns_wait(&t, "claimed:x", NULL, 1000), 1000);
	expect_int((long long)turns_wait(&t, "pid-ns-1", NULL, 1000), 750);
	expect_int((long long)turns_wait(&t, "user-7:c", NULL, 1000), 500);
	expect_int((long long)turns_wait(&t, "web", NULL, 1000), 250);
	expect_int((long long)turns_wait(&t, "user-8:c", NULL, 1000), 0);
	for (i = 0; i < 2 * TURNS_MAX; i++) {
		char *label = xasprintf("c%u", i);

		turns_take(&t, label, NULL);
		free(label);
	}
	expect_int((long long)turns_wait(&t, "web", NULL, 1000), 0);
	expect(turns_wait(&t, "c31", NULL, 1000) > turns_wait(&t, "c16", NULL, 1000));
	turns_free(&t);
}

#define OF_USER "/user.slice/user-7.slice"

static void who_is_in_no_container_has_a_users_turn_or_a_services(void)
{
	struct turns t = {0};

	turns_take(&t, "host", OF_USER "/session-1.scope");
	expect_int((long long)turns_wait(&t, "host", OF_USER "/session-2.scope", 1000), 1000);
	expect_int((long long)turns_wait(&t, "pid-ns-1", OF_USER "/session-1.scope", 1000), 1000);
	expect_int((long long)turns_wait(&t, "user-7:a", OF_USER "/a", 1000), 1000);
	expect_int((long long)turns_wait(&t, "host", "/system.slice/web.service", 1000), 0);
	expect_int((long long)turns_wait(&t, "host", "/", 1000), 0);
	expect_int((long long)turns_wait(&t, "host", NULL, 1000), 0);
	/* Of one that root's runtime has told of. */
	expect_int((long long)turns_wait(&t, "web", OF_USER "/a", 1000), 0);
	turns_free(&t);
	turns_take(&t, "claimed:0123456789ab", "/system.slice/app.service/docker/x");
	expect_int((long long)turns_wait(&t, "host", "/system.slice/app.service", 1000), 1000);
	expect_int((long long)turns_wait(&t, "claimed:x", "/system.slice/b.service/x", 1000), 0);
	turns_free(&t);
}

static void expect_named(const char *label, const char *cgroup, const char *expected)
{
	char *name = turns_name(label, cgroup);

	expect_text(name, expected);
	free(name);
}

static void what_is_on_the_host_is_named_after_whose_it_is_too(void)
{
	expect_named("host", OF_USER "/session-1.scope", "user-7:host");
	expect_named("host", "/system.slice/app.service/x", "app.service:host");
	expect_named("host", "/", "host");
	expect_named("host", NULL, "host");
	expect_named("web", OF_USER "/a", "web");
	expect_named("user-7:a", OF_USER "/a", "user-7:a");
}

static void where_a_task_is_comes_from_proc(void)
{
	char *path = where_cgroup(getpid(), own_ns(), 0);

	expect(path && *path == '/');
	free(path);
	/* It is another's number by now. */
	expect(!where_cgroup(getpid(), own_ns() + 1, 0));
	expect(!where_cgroup(1073741824, own_ns(), 0));
}

/* Where version 2 is mounted, with the right to make one. */
static void a_group_is_known_by_its_id(void)
{
	const char *group = access("/sys/fs/cgroup/cgroup.procs", F_OK)
				    ? "/sys/fs/cgroup/unified/test-watch"
				    : "/sys/fs/cgroup/test-watch";
	struct stat st;
	char *path;

	if (mkdir(group, 0700)) {
		printf("# no control group can be made here\n");
		return;
	}
	expect_int(stat(group, &st), 0);
	/* This process is not in it; who was has gone. */
	path = where_cgroup(getpid(), own_ns(), st.st_ino);
	if (path)
		expect_text(path, "/test-watch");
	else
		printf("# groups cannot be opened by their id here\n");
	free(path);
	expect_int(rmdir(group), 0);
	expect(!where_cgroup(getpid(), own_ns(), st.st_ino));
}

#define GROUPS                                                                                     \
	(access("/sys/fs/cgroup/cgroup.procs", F_OK) ? "/sys/fs/cgroup/unified" : "/sys/fs/cgroup")

/* Waits in a group, in a PID namespace of its own, until it is killed. */
static _Noreturn void be_contained(const char *group)
{
	write_text(group, "cgroup.procs", "0");
	for (;;)
		pause();
}

static pid_t start_contained(const char *group)
{
	pid_t pid = -1;
	int old = open("/proc/self/ns/pid", O_RDONLY);

	if (old >= 0 && !unshare(CLONE_NEWPID)) {
		pid = fork();
		if (!pid)
			be_contained(group);
		setns(old, CLONE_NEWPID);
	}
	close(old);
	return pid;
}

/* Of another PID namespace: a container's. */
static void whose_group_is_gone_is_where_he_is_now(void)
{
	char *gone = xasprintf("%s/test-watch", GROUPS), *group = xasprintf("%s-2", gone),
	     *path = NULL;
	struct stat st = {0}, ns = {0};
	pid_t pid = -1;
	unsigned int i;

	if (mkdir(group, 0700) || mkdir(gone, 0700) || (pid = start_contained(group)) < 0) {
		printf("# no control group or namespace can be made here\n");
	} else {
		char *ns_path = xasprintf("/proc/%d/ns/pid", (int)pid);

		expect_int(stat(gone, &st) | stat(ns_path, &ns), 0);
		rmdir(gone);
		/* It is on its way there. */
		for (i = 0; i < 500; i++) {
			free(path);
			path = where_cgroup(pid, ns.st_ino, st.st_ino);
			if (path && !strcmp(path, "/test-watch-2"))
				break;
			usleep(10000);
		}
		expect_text(path ? path : "nowhere", "/test-watch-2");
		/* It is another's number by now. */
		expect(!where_cgroup(pid, ns.st_ino + 1, st.st_ino));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		free(ns_path);
	}
	for (i = 0; i < 500 && rmdir(group) && errno == EBUSY; i++)
		usleep(10000);
	rmdir(gone);
	free(path);
	free(group);
	free(gone);
}

#define DEEPER_THAN_PATHS 2200

/* Makes a chain of such groups below the directory that is open. Returns the last. */
static int make_chain(int fd, unsigned int nr)
{
	while (nr-- && fd >= 0) {
		int below = mkdirat(fd, "a", 0700) ? -1 : openat(fd, "a", O_RDONLY | O_DIRECTORY);

		close(fd);
		fd = below;
	}
	return fd;
}

static void remove_chain(int fd)
{
	int above;

	while ((above = openat(fd, "..", O_RDONLY | O_DIRECTORY)) >= 0 &&
	       !unlinkat(above, "a", AT_REMOVEDIR)) {
		close(fd);
		fd = above;
	}
	close(fd);
	close(above);
}

/* Whoever makes groups, as a user in the user's own slice, must not hide there. */
static void a_group_too_deep_for_a_path_is_known_by_those_above(void)
{
	const char *group = access("/sys/fs/cgroup/cgroup.procs", F_OK)
				    ? "/sys/fs/cgroup/unified/test-watch"
				    : "/sys/fs/cgroup/test-watch";
	struct known k = KNOWN_NONE;
	struct where w = {own_ns(), own_ns(), NULL};
	struct stat st = {0};
	char *path;
	int fd;

	if (mkdir(group, 0700)) {
		printf("# no control group can be made here\n");
		return;
	}
	expect_int(stat(group, &st), 0);
	path = where_cgroup(getpid(), own_ns(), st.st_ino);
	if (!path)
		printf("# groups cannot be opened by their id here\n");
	fd = path ? make_chain(open(group, O_RDONLY | O_DIRECTORY), DEEPER_THAN_PATHS) : -1;
	free(path);
	if (fd >= 0) {
		expect_int(fstat(fd, &st), 0);
		nr_asked = 0;
		path = where_cgroup(getpid(), own_ns(), st.st_ino);
		/* To be told a path, or that it is too long, takes a tenth of a millisecond. */
		if (nr_asked > 40)
			tap_expect_int(nr_asked, 30, "questions", __FILE__, __LINE__);
		w.cgroup = path;
		means(&k, "delay > 1ms in /test-watch", &w, true);
		means(&k, "delay > 1ms in /test-watch/a/a", &w, true);
		/* As far as there is a path. */
		expect(path && strlen(path) > 4000);
		free(path);
		remove_chain(fd);
	}
	expect_int(rmdir(group), 0);
	known_free(&k);
}

static void hostile_names_stay_in_the_directory(void)
{
	static const struct {
		const char *container, *end;
	} all[] = {
		{"web", "-delay-web"},
		{"../../etc", "-delay-..%2F..%2Fetc"},
		{"a b\x1b[2J\n", "-delay-a%20b%1B%5B2J%0A"},
		{"\xc3\xa4%", "-delay-%C3%A4%25"},
		{"", "-delay-"},
	};
	char name[STORE_NAME_MAX], many[1000];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		store_name(name, 1700000000123456789, "delay", all[i].container);
		expect(!strncmp(name, "20231114T221320.123Z-", 21));
		expect_text(name + 20, all[i].end);
		expect(store_is_name(name));
	}
	memset(many, '/', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	store_name(name, 1700000000123456789, "delay", many);
	expect(strlen(name) > 100 && strlen(name) < STORE_NAME_MAX);
	expect_text(name + strlen(name) - 3, "%2F");
}

/* Whether it is there: of a container, the @i-th. */
static bool has_of(int dir, const char *container, unsigned int i)
{
	char name[STORE_NAME_MAX];

	store_name(name, (1700000000 + i) * NS_PER_SEC, "delay", container);
	return !faccessat(dir, name, F_OK, 0);
}

static void add_of(int dir, const char *container, unsigned int i)
{
	char name[STORE_NAME_MAX];

	store_name(name, (1700000000 + i) * NS_PER_SEC, "delay", container);
	expect_int(mkdirat(dir, name, 0700), 0);
}

/* A directory with @nr snapshots of 1000 bytes each, and what is none. */
static int make_store(char *path, unsigned int nr)
{
	int dir, one, stream;
	unsigned int i;
	char name[STORE_NAME_MAX];
	static const char *const others[] = {"notes", ".new", "20231114T221320.123-delay-web",
					     "20231114T221320.123Z", "2-delay-web"};

	expect(mkdtemp(path));
	dir = open(path, O_RDONLY | TREE_DIR_FLAGS);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		expect_int(mkdirat(dir, others[i], 0700), 0);
	/* The newest first: the order is by name. */
	for (i = nr; i-- > 0;) {
		store_name(name, (1700000000 + i) * NS_PER_SEC, "delay", "web");
		expect_int(mkdirat(dir, name, 0700), 0);
		one = openat(dir, name, O_RDONLY | TREE_DIR_FLAGS);
		expect_int(mkdirat(one, "kernel", 0700), 0);
		stream = openat(one, "kernel/stream", O_WRONLY | O_CREAT, 0600);
		expect_int(ftruncate(stream, 1000), 0);
		close(stream);
		close(one);
	}
	return dir;
}

static bool has(int dir, unsigned int i)
{
	char name[STORE_NAME_MAX];

	store_name(name, (1700000000 + i) * NS_PER_SEC, "delay", "web");
	return !faccessat(dir, name, F_OK, 0);
}

static void drop_store(int dir, const char *path)
{
	expect(!faccessat(dir, "notes", F_OK, 0) && !faccessat(dir, ".new", F_OK, 0) &&
	       !faccessat(dir, "20231114T221320.123-delay-web", F_OK, 0) &&
	       !faccessat(dir, "20231114T221320.123Z", F_OK, 0) &&
	       !faccessat(dir, "2-delay-web", F_OK, 0));
	close(dir);
	tree_remove(AT_FDCWD, path);
}

static void the_oldest_are_deleted(void)
{
	char path[] = "/tmp/test-watch-XXXXXX";
	int dir = make_store(path, 5);

	expect_int((long long)store_tidy(dir, 0, 0), 0);
	expect_int((long long)store_tidy(dir, 5, 5000), 0);
	expect_int((long long)store_tidy(dir, 4, 0), 1);
	expect(!has(dir, 0) && has(dir, 1));
	expect_int((long long)store_tidy(dir, 0, 2999), 2);
	expect(!has(dir, 2) && has(dir, 3) && has(dir, 4));
	/* The newest stays, whatever its size. */
	expect_int((long long)store_tidy(dir, 1, 1), 1);
	expect_int((long long)store_tidy(dir, 1, 1), 0);
	expect(has(dir, 4));
	drop_store(dir, path);
}

/* What was written then is not what came last. */
static void a_clock_that_went_back_keeps_what_comes(void)
{
	const uint64_t ahead = 4000000000u, now = (uint64_t)time(NULL);
	char path[] = "/tmp/test-watch-XXXXXX", name[STORE_NAME_MAX];
	int dir = make_store(path, 1);
	unsigned int i;

	for (i = 0; i < 4; i++) {
		store_name(name, (i < 2 ? ahead + i : now - 3 + i) * NS_PER_SEC, "delay", "web");
		expect_int(mkdirat(dir, name, 0700), 0);
	}
	expect_int((long long)store_tidy(dir, 3, 0), 2);
	/* Of the other time none is left, the last one is. */
	expect(has(dir, 0) && !faccessat(dir, name, F_OK, 0));
	expect_int((long long)store_tidy(dir, 1, 0), 2);
	expect(!faccessat(dir, name, F_OK, 0));
	drop_store(dir, path);
}

/* As one that is late all the time would: each of its snapshots is a reason to delete one. */
static void who_has_most_loses_snapshots(void)
{
	static const char *const alike[][3] = {
		{"noisy", "noisy", "noisy"},
		{"user-1000:a", "user-1000:b", "user-1000:c"},
		{"claimed:0123", "claimed:4567", "claimed:89ab"},
		{"pid-ns-4026532001", "pid-ns-4026532002", "pid-ns-4026532003"},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(alike); i++) {
		char path[] = "/tmp/test-watch-XXXXXX";
		int dir = make_store(path, 1);

		add_of(dir, "user-1001:a", 1);
		add_of(dir, alike[i][0], 2);
		add_of(dir, alike[i][1], 3);
		add_of(dir, alike[i][2], 4);
		expect_int((long long)store_tidy(dir, 4, 0), 1);
		expect(has(dir, 0) && has_of(dir, "user-1001:a", 1));
		expect(!has_of(dir, alike[i][0], 2));
		expect_int((long long)store_tidy(dir, 3, 0), 1);
		expect(!has_of(dir, alike[i][1], 3) && has_of(dir, alike[i][2], 4));
		/* Each has one. */
		expect_int((long long)store_tidy(dir, 2, 0), 1);
		expect(!has(dir, 0) && has_of(dir, "user-1001:a", 1));
		drop_store(dir, path);
	}
}

/* Root may call one as a user's begin. */
static void no_user_pushes_out_roots_snapshots(void)
{
	char path[] = "/tmp/test-watch-XXXXXX";
	int dir = make_store(path, 0);

	add_of(dir, "user-1000", 1);
	add_of(dir, "user-1000:a", 2);
	add_of(dir, "user-1000:b", 3);
	add_of(dir, "web", 4);
	expect_int((long long)store_tidy(dir, 3, 0), 1);
	expect(has_of(dir, "user-1000", 1) && !has_of(dir, "user-1000:a", 2));
	drop_store(dir, path);
}

static void what_cannot_be_deleted_counts(void)
{
	char path[] = "/tmp/test-watch-XXXXXX", name[STORE_NAME_MAX], *command;
	int dir = make_store(path, 4), at, next;
	unsigned int i;

	/* Deeper than anything that a session writes, which is not gone into. */
	store_name(name, 1700000000 * NS_PER_SEC, "delay", "web");
	at = openat(dir, name, O_RDONLY | TREE_DIR_FLAGS);
	for (i = 0; i < 12; i++) {
		expect_int(mkdirat(at, "d", 0700), 0);
		next = openat(at, "d", O_RDONLY | TREE_DIR_FLAGS);
		close(at);
		at = next;
	}
	close(at);
	expect_int((long long)store_tidy(dir, 3, 0), 1);
	expect(has(dir, 0) && !has(dir, 1) && has(dir, 2) && has(dir, 3));
	/* The newest is not deleted in its place. */
	expect_int((long long)store_tidy(dir, 1, 0), 1);
	expect_int((long long)store_tidy(dir, 1, 0), 0);
	expect(has(dir, 0) && has(dir, 3));
	command = xasprintf("rm -r %s/%s", path, name);
	expect_int(system(command), 0);
	free(command);
	drop_store(dir, path);
}

static void nothing_is_followed_when_it_is_deleted(void)
{
	char path[] = "/tmp/test-watch-XXXXXX", other[] = "/tmp/test-watch-XXXXXX";
	int dir = make_store(path, 2), outside = make_store(other, 1);
	char name[STORE_NAME_MAX], *in;

	/* A link is no snapshot, and one in a snapshot is deleted itself. */
	store_name(name, 1600000000 * NS_PER_SEC, "delay", "link");
	expect_int(symlinkat(other, dir, name), 0);
	store_name(name, 1700000000 * NS_PER_SEC, "delay", "web");
	in = xasprintf("%s/link", name);
	expect_int(symlinkat(other, dir, in), 0);
	free(in);
	expect_int((long long)store_tidy(dir, 1, 0), 1);
	expect(!has(dir, 0) && has(dir, 1) && has(outside, 0));
	drop_store(dir, path);
	drop_store(outside, other);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"watch: durations have units", durations_have_units},
		{"watch: whom a condition means is told by its look", whom_is_told_by_its_look},
		{"watch: what cannot be watched for is refused",
		 what_cannot_be_watched_for_is_refused},
		{"watch: what is watched for is a word", what_is_watched_for_is_a_word},
		{"watch: who was told of last comes last", who_was_told_of_last_comes_last},
		{"watch: who is in no container has a user's turn, or a service's",
		 who_is_in_no_container_has_a_users_turn_or_a_services},
		{"watch: a snapshot of the host is named after the user or the service, too",
		 what_is_on_the_host_is_named_after_whose_it_is_too},
		{"watch: a group is known by its id", a_group_is_known_by_its_id},
		{"watch: whose group is gone is where he is now",
		 whose_group_is_gone_is_where_he_is_now},
		{"watch: a group that is too deep for a path is known by those above",
		 a_group_too_deep_for_a_path_is_known_by_those_above},
		{"watch: quotas are those of groups and of what is above",
		 quotas_are_those_of_groups_and_of_what_is_above},
		{"watch: version 2 of control groups tells how long", version_2_tells_how_long},
		{"watch: version 1 of control groups tells how long", version_1_tells_how_long},
		{"watch: periods may be long", periods_may_be_long},
		{"watch: who has many groups throttled hides nobody",
		 who_has_many_groups_throttled_hides_nobody},
		{"watch: groups that are gone are forgotten", groups_that_are_gone_are_forgotten},
		{"watch: who is throttled all the time hides nobody",
		 who_is_throttled_all_the_time_hides_nobody},
		{"watch: a container is known by its namespace",
		 a_container_is_known_by_its_namespace},
		{"watch: containers of one namespace are known by their groups",
		 containers_of_one_namespace_are_known_by_their_groups},
		{"watch: the group of a runtime is no container's",
		 the_group_of_a_runtime_is_no_containers},
		{"watch: a shared namespace says not which container",
		 a_shared_namespace_says_not_which_container},
		{"watch: one inside of another is known by its namespace",
		 one_inside_of_another_is_known_by_its_namespace},
		{"watch: one without a namespace is known by its group",
		 one_without_a_namespace_is_known_by_its_group},
		{"watch: a user cannot take the place of root's container",
		 a_user_cannot_take_the_place_of_roots_container},
		{"watch: no container is called as what is none",
		 no_container_is_called_as_what_is_none},
		{"watch: containers of one name are told apart",
		 containers_of_one_name_are_told_apart},
		{"who made a group is who claims its name",
		 who_made_a_group_is_who_claims_its_name},
		{"watch: who is gone is forgotten", who_is_gone_is_forgotten},
		{"watch: numbers of one that is gone are not its",
		 numbers_of_one_that_is_gone_are_not_its},
		{"watch: many containers cost no more each", many_containers_cost_no_more_each},
		{"watch: who is late makes few questions", who_is_late_makes_few_questions},
		{"watch: who gets other ids is known by the last",
		 who_gets_other_ids_is_known_by_the_last},
		{"watch: a user has so many groups looked at", a_user_has_so_many_groups_looked_at},
		{"watch: where a task is comes from /proc", where_a_task_is_comes_from_proc},
		{"watch: hostile names stay in the directory", hostile_names_stay_in_the_directory},
		{"watch: the oldest snapshots are deleted", the_oldest_are_deleted},
		{"watch: a clock that went back keeps what comes",
		 a_clock_that_went_back_keeps_what_comes},
		{"watch: who has most loses snapshots", who_has_most_loses_snapshots},
		{"watch: no user pushes out snapshots of root's containers",
		 no_user_pushes_out_roots_snapshots},
		{"watch: what cannot be deleted counts", what_cannot_be_deleted_counts},
		{"watch: nothing is followed when it is deleted",
		 nothing_is_followed_when_it_is_deleted},
		{0},
	};

	return tap_run(tests);
}
