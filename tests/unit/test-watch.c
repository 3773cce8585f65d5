/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * What `watch` watches for and keeps: conditions, which container is meant, names of snapshots, and
 * which of them are deleted.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/tree.h"
#include "base/util.h"
#include "tap.h"
#include "watch/condition.h"
#include "watch/known.h"
#include "watch/store.h"

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
		"throttled > 100ms/1s in any",
		"blocked > 1s in db",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (!is_refused(all[i]))
			tap_expect(false, all[i], __FILE__, __LINE__);
}

static uint64_t own_ns(void)
{
	struct stat st = {0};

	expect_int(stat("/proc/self/ns/pid", &st), 0);
	return st.st_ino;
}

/* A container whose first process is this test's. */
static void hear(struct known *k, const char *rest)
{
	char *line = xasprintf("container v1 init_tid=%d pid_ns=%" PRIu64 " %s", (int)getpid(),
			       own_ns(), rest);

	known_hear(k, line);
	free(line);
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
	label = known_label(&k, &in);
	expect_text(label, "web");
	free(label);
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
	label = known_label(&k, &host);
	expect_text(label, "host");
	free(label);
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
	label = known_label(&k, &in);
	expect_text(label, "user-7:web");
	free(label);
	known_free(&k);
}

#define FORGED "docker-0123456789ab0123456789ab0123456789ab0123456789ab0123456789abcdef.scope"

static void is_labelled(const char *cgroup, const char *expected)
{
	struct known k = KNOWN_NONE;
	struct where in = {own_ns(), own_ns(), cgroup};
	char *label = known_label(&k, &in);

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
	label = known_label(&k, &w);
	expect_text(label, "pid-ns-77");
	free(label);
	known_free(&k);
}

static void where_a_task_is_comes_from_proc(void)
{
	char *path = where_cgroup(getpid(), own_ns());

	expect(path && *path == '/');
	free(path);
	/* It is another's number by now. */
	expect(!where_cgroup(getpid(), own_ns() + 1));
	expect(!where_cgroup(1073741824, own_ns()));
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
		{"watch: a container is known by its namespace",
		 a_container_is_known_by_its_namespace},
		{"watch: one without a namespace is known by its group",
		 one_without_a_namespace_is_known_by_its_group},
		{"watch: a user cannot take the place of root's container",
		 a_user_cannot_take_the_place_of_roots_container},
		{"who made a group is who claims its name",
		 who_made_a_group_is_who_claims_its_name},
		{"watch: who is gone is forgotten", who_is_gone_is_forgotten},
		{"watch: where a task is comes from /proc", where_a_task_is_comes_from_proc},
		{"watch: hostile names stay in the directory", hostile_names_stay_in_the_directory},
		{"watch: the oldest snapshots are deleted", the_oldest_are_deleted},
		{"watch: nothing is followed when it is deleted",
		 nothing_is_followed_when_it_is_deleted},
		{0},
	};

	return tap_run(tests);
}
