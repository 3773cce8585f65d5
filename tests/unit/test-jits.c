/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/util.h"
#include "record/record-jits.h"
#include "tap.h"

/* The maps that programs write of functions which they make: which are read, when, and of what. */

static char *path;

static void write_map(const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		exit(2);
	close(fd);
}

static char *told_of(int fd)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (map_file_functions(fd, out))
		fputs("none", out);
	fclose(out);
	return text;
}

static int open_own(struct map_stamp *stamp)
{
	struct map_place place;
	int fd;

	if (map_place_open((unsigned int)getpid(), &place))
		exit(2);
	fd = map_file_open(&place, stamp);
	map_place_close(&place);
	return fd;
}

static bool opens(struct map_stamp *stamp)
{
	int fd = open_own(stamp);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* What the map of this process is told to be; NULL: it is not opened. */
static char *read_own(void)
{
	struct map_stamp stamp;
	int fd = open_own(&stamp);
	char *text;

	if (fd < 0)
		return NULL;
	text = told_of(fd);
	close(fd);
	return text;
}

static bool reads(const char *map, const char *expected)
{
	char *text;
	bool same;

	write_map(map);
	text = read_own();
	same = text && !strcmp(text, expected);
	if (!same)
		printf("# saw %s\n", text ? text : "nothing");
	free(text);
	return same;
}

static void functions_are_told_in_the_order_of_the_file(void)
{
	expect(reads("7f00 10 py::f:/a b.py\n400 20 g\n7f00 8 h\n",
		     " 7f00 10 py::f:/a b.py\n 400 20 g\n 7f00 8 h\n"));
	expect(reads("0x7F00 0x10 f\nffffffffffffffff 0 x\n", " 7f00 10 f\n"));
	expect(reads("", ""));
}

static void other_lines_are_left_out(void)
{
	expect(reads("\n\n \n10\n10 20\n10 20 \ng 1 f\n1 g f\n-1 1 f\n 1 1 f\n"
		     "10000000000000000 1 f\nffffffffffffffff 2 over\n1 0 empty\n1 1 f\n",
		     " 1 1 f\n"));
}

static void names_make_no_lines_of_their_own(void)
{
	expect(reads("1 1 a\033[31m\tb\rc\n", " 1 1 a?[31m?b?c\n"));
}

static void what_has_no_end_of_line_is_waited_for(void)
{
	expect(reads("1 1 a\n2 1 b", " 1 1 a\n"));
	expect(reads("1 1 a\n2 1 bc\n", " 1 1 a\n 2 1 bc\n"));
}

static void long_names_are_cut(void)
{
	char *line = xcalloc(6000, 1), *text;

	memset(line, 'n', 5990);
	memcpy(line, "1 1 ", 4);
	line[5990] = '\n';
	write_map(line);
	text = read_own();
	expect_int((int64_t)strlen(text), (int64_t)strlen(" 1 1 \n") + FUNCTION_NAME_MAX);
	free(text);
	free(line);
}

/* A file that has a terabyte, of which nothing is written. */
static void no_more_is_read_than_anybody_keeps(void)
{
	char *text;

	write_map("1 1 a\n");
	if (truncate(path, 1ll << 40)) {
		expect(true); /* This file system has none. */
		return;
	}
	text = read_own();
	expect(text && !strcmp(text, " 1 1 a\n"));
	free(text);
}

static void a_link_is_not_followed(void)
{
	char *other = xasprintf("%s.other", path);
	struct map_stamp stamp;

	write_map("1 1 a\n");
	expect(opens(&stamp));
	if (rename(path, other) || symlink(other, path))
		exit(2);
	expect(!opens(&stamp));
	unlink(path);
	unlink(other);
	free(other);
}

static void what_is_no_regular_file_is_not_opened(void)
{
	struct map_stamp stamp;

	unlink(path);
	expect(!opens(&stamp));
	if (mkfifo(path, 0600))
		exit(2);
	expect(!opens(&stamp));
	unlink(path);
	if (mkdir(path, 0700))
		exit(2);
	expect(!opens(&stamp));
	rmdir(path);
}

static void anothers_file_is_not_opened(void)
{
	struct map_stamp stamp;

	write_map("1 1 a\n");
	/* Only root can give it away. */
	if (!chown(path, 65534, 65534) && geteuid() != 65534)
		expect(!opens(&stamp));
	else
		expect(opens(&stamp));
	unlink(path);
}

static void stamps_tell_files_apart(void)
{
	struct map_stamp a = {0}, b = {0}, c = {0};
	int fds[2];
	char text[128] = "";

	write_map("1 1 a\n");
	expect(opens(&a) && opens(&b) && !memcmp(&a, &b, sizeof(a)));
	write_map("1 1 a\n1 1 b\n");
	expect(opens(&b) && memcmp(&a, &b, sizeof(a)));
	if (pipe(fds))
		exit(2);
	map_stamp_write(fds[1], &b);
	expect(read(fds[0], text, sizeof(text) - 1) > 0);
	expect_int((int64_t)map_stamp_parse(text, &c), (int64_t)strlen(text));
	expect(!memcmp(&b, &c, sizeof(b)));
	expect_int((int64_t)map_stamp_parse("", &c), 0);
	expect_int((int64_t)map_stamp_parse("1 2 3 4", &c), 0);
	expect_int((int64_t)map_stamp_parse("1 2 3\n 1 1 a\n", &c), 0);
	close(fds[0]);
	close(fds[1]);
}

static bool has_news(struct jit *jit, const char *text, const char *expected)
{
	return !strcmp(jit_news(jit, text, strlen(text)), expected);
}

static void only_what_is_new_is_told(void)
{
	struct jit jit = {0};

	expect(has_news(&jit, " 1 1 a\n", " 1 1 a\n"));
	expect(has_news(&jit, " 1 1 a\n", ""));
	expect(has_news(&jit, " 1 1 a\n 2 1 b\n", " 2 1 b\n"));
	expect(has_news(&jit, " 1 1 A\n 2 1 b\n 3 1 c\n", " 1 1 A\n 2 1 b\n 3 1 c\n"));
	expect(has_news(&jit, " 1 1 A\n", " 1 1 A\n"));
	expect(has_news(&jit, "", ""));
}

#define MS (NS_PER_SEC / 1000)

/* Each ten thousand belong to another user. */
static struct owner somebody(uint32_t pid)
{
	return (struct owner){.user = pid / 10000, .pid_ns = pid / 10000};
}

static void close_jits(struct jits *j)
{
	hash_free(&j->shares.users);
	hash_free(&j->shares.groups);
	hash_free(&j->by_pid);
	hash_free(&j->all);
}

/* Is read, which takes that long. Returns when that has ended. */
static uint64_t read_for(struct jits *j, struct jit *jit, uint64_t now, uint64_t ns, bool has_more)
{
	jits_begin(j, jit, now);
	jits_done(j, jit, has_more, now + ns);
	return now + ns;
}

static void maps_are_read_again_but_not_all_the_time(void)
{
	struct jits j = {.owner_of = somebody};
	struct jit *jit;
	uint64_t now = 10 * NS_PER_SEC, last, i;

	expect(!jits_due(&j, now));
	expect(jits_next(&j) == UINT64_MAX);
	jits_see(&j, 7, now);
	jit = jits_due(&j, now);
	expect(jit && jit->pid == 7 && jit->since == now);
	jits_begin(&j, jit, now);
	expect(!jits_due(&j, now + 1000 * NS_PER_SEC));
	/* It takes 100 ms: while it is young there is none for four times that, then for 20 times.
	 */
	jits_done(&j, jit, true, now + 100 * MS);
	expect_int((int64_t)jits_next(&j), (int64_t)(now + 500 * MS));
	now = read_for(&j, jit, now + NS_PER_SEC, 100 * MS, true);
	expect(!jits_due(&j, now + 1999 * MS));
	expect(jits_due(&j, now + 2000 * MS) == jit);
	/* Nor when it makes more. */
	jits_see(&j, 7, now);
	expect(!jits_due(&j, now + 1999 * MS));
	/* Who has none is looked at ever more seldom, unless it makes more. */
	for (i = 0; i < 20; i++)
		now = last = read_for(&j, jit, jits_next(&j), 0, false);
	expect(jits_next(&j) == last + 10 * NS_PER_SEC);
	jits_see(&j, 7, last);
	expect(jits_next(&j) == last + 10 * MS);
	/* What it makes while it is read is looked for soon, too. */
	jits_begin(&j, jit, now);
	jits_see(&j, 7, now);
	jits_done(&j, jit, false, now);
	expect(jits_next(&j) == now + 10 * MS);
	/* At the end at once, and then no more. */
	now = read_for(&j, jit, now, NS_PER_SEC, false);
	jits_end(&j);
	expect(jits_due(&j, now) == jit);
	read_for(&j, jit, now, 0, true);
	jits_see(&j, 7, now);
	jits_see(&j, 8, now);
	expect(jits_next(&j) == UINT64_MAX);
	jits_gone(&j, 7);
	expect_int((int64_t)j.all.nr, 0);
	close_jits(&j);
}

static void see_many(struct jits *j, uint32_t pid, uint32_t nr, uint64_t now)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		jits_see(j, pid + i, now);
}

static bool is_known(const struct jits *j, uint32_t pid)
{
	return hash_get(&j->by_pid, pid);
}

static void who_has_many_leaves_places_for_others(void)
{
	struct jits j = {.owner_of = somebody};
	uint64_t now = 10 * NS_PER_SEC;
	uint32_t i;

	jits_see(&j, 10000, now);
	/* What they fork is theirs, whatever user it has become. */
	for (i = 20000; i < 30000; i++)
		jits_fork(&j, i, 10000, now);
	expect_int((int64_t)j.all.nr, 1024);
	see_many(&j, 30000, 1000, now);
	see_many(&j, 40000, 1000, now);
	expect(is_known(&j, 30000) && is_known(&j, 40000) && !is_known(&j, 40999));
	jits_see(&j, 50000, now);
	expect(is_known(&j, 50000));
	/* Who is gone has none. */
	jits_gone(&j, 40000);
	jits_gone(&j, 40001);
	jits_see(&j, 40999, now);
	expect(is_known(&j, 40999));
	for (i = 10000; i < 60000; i++)
		jits_gone(&j, i);
	expect_int((int64_t)j.all.nr, 0);
	expect_int((int64_t)j.shares.nr, 0);
	expect_int((int64_t)j.shares.groups.nr, 0);
	close_jits(&j);
}

/* Each may take two descriptors, of which a recorder can have few. */
static void few_places_are_shared_out_too(void)
{
	struct jits j = {.owner_of = somebody, .nr_max = 40};
	uint64_t now = 10 * NS_PER_SEC;
	uint32_t i;

	see_many(&j, 10000, 100, now);
	expect_int((int64_t)j.all.nr, 10);
	jits_see(&j, 30000, now);
	expect(is_known(&j, 30000));
	jits_gone(&j, 30000);
	for (i = 10000; i < 10100; i++)
		jits_gone(&j, i);
	close_jits(&j);
}

/* Whoever has many that are due, and some that have ended, takes turns with the others. */
static void each_owner_has_his_turn(void)
{
	struct jits j = {.owner_of = somebody};
	struct map_place place = {.dir = open("/", O_PATH | O_CLOEXEC), .file = -1};
	uint64_t now = 10 * NS_PER_SEC;
	struct jit *jit;
	uint32_t i;

	see_many(&j, 10000, 100, now);
	jit = hash_get(&j.by_pid, 10099);
	jit_is_at(jit, &place);
	jits_gone(&j, 10099);
	jits_see(&j, 20000, now + MS);
	jits_see(&j, 30000, now + MS);
	now += NS_PER_SEC;
	jit = jits_due(&j, now);
	expect(jit && jit->pid / 10000 == 1);
	now = read_for(&j, jit, now, MS, false);
	for (i = 2; i <= 3; i++) {
		jit = jits_due(&j, now);
		expect(jit && jit->pid / 10000 == i);
		now = read_for(&j, jit, now, MS, true);
	}
	expect(jits_due(&j, now) && jits_due(&j, now)->pid / 10000 == 1);
	/* Who comes and goes has no more of them. */
	now = read_for(&j, jits_due(&j, now), now, MS, false);
	now += NS_PER_SEC;
	jits_see(&j, 40000, now - MS);
	expect(jits_due(&j, now) && jits_due(&j, now)->pid == 20000);
	for (i = 10000; i <= 40000; i++)
		jits_gone(&j, i);
	expect_int((int64_t)j.all.nr, 0);
	close_jits(&j);
}

static void a_map_that_takes_long_is_in_nobodys_way(void)
{
	struct jits j = {.owner_of = somebody};
	struct jit *large;
	uint64_t now = 10 * NS_PER_SEC;

	jits_see(&j, 7, now);
	large = jits_due(&j, now);
	now = read_for(&j, large, now, NS_PER_SEC, true);
	jits_see(&j, 8, now);
	expect(jits_due(&j, now) && jits_due(&j, now)->pid == 8);
	now = read_for(&j, jits_due(&j, now), now, MS, true);
	/* It is read in 1 s, so that there is none in the three before. */
	large->not_before = large->due = now;
	expect(!jits_due(&j, now + 2999 * MS) || jits_due(&j, now + 2999 * MS)->pid == 8);
	expect(jits_due(&j, now + 3000 * MS) != NULL);
	jits_gone(&j, 8);
	expect(jits_due(&j, now + 3000 * MS) == large);
	jits_gone(&j, 7);
	close_jits(&j);
}

static void who_has_told_is_read_once_more_when_it_has_ended(void)
{
	struct jits j = {.owner_of = somebody};
	struct map_place place = {.dir = open("/", O_PATH | O_CLOEXEC), .file = -1};
	struct jit *jit;
	uint64_t now = 10 * NS_PER_SEC;

	jits_see(&j, 7, now);
	jit = jits_due(&j, now);
	jits_begin(&j, jit, now);
	jit_is_at(jit, &place);
	/* It may have told more since that began. */
	jits_gone(&j, 7);
	jits_done(&j, jit, true, now + NS_PER_SEC);
	expect(jits_due(&j, now + NS_PER_SEC) == jit && jit->has_ended);
	/* Another one of that id is another. */
	jits_see(&j, 7, now + NS_PER_SEC);
	expect_int((int64_t)j.all.nr, 2);
	expect(jits_due(&j, now + NS_PER_SEC) == jit);
	read_for(&j, jit, now + NS_PER_SEC, NS_PER_SEC, true);
	expect_int((int64_t)j.all.nr, 1);
	expect(jits_due(&j, now + 2 * NS_PER_SEC) && jits_due(&j, now + 2 * NS_PER_SEC) != jit);
	expect(fcntl(place.dir, F_GETFD) < 0);
	jits_gone(&j, 7);
	close_jits(&j);
}

static void who_has_told_nothing_is_gone_when_it_has_ended(void)
{
	struct jits j = {.owner_of = somebody};
	struct jit *jit;

	jits_see(&j, 7, 1);
	jits_gone(&j, 7);
	jits_gone(&j, 7);
	expect_int((int64_t)j.all.nr, 0);
	jits_see(&j, 7, 2);
	jit = jits_due(&j, 2);
	jits_begin(&j, jit, 2);
	jits_gone(&j, 7);
	jits_done(&j, jit, false, 3);
	expect_int((int64_t)j.all.nr, 0);
	jits_see(&j, 7, 3);
	jits_fork(&j, 8, 7, 3);
	jits_fork(&j, 9, 6, 3);
	expect_int((int64_t)j.all.nr, 2);
	jits_gone(&j, 7);
	jits_gone(&j, 8);
	close_jits(&j);
}

static void what_has_lost_its_name_is_still_there(void)
{
	struct map_place place;
	struct map_stamp stamp;
	int fd;

	write_map("1 1 a\n");
	if (map_place_open((unsigned int)getpid(), &place))
		exit(2);
	close(map_file_open(&place, &stamp));
	unlink(path);
	fd = map_file_open(&place, &stamp);
	expect(fd >= 0);
	close(fd);
	/* Another one that has the name is it, whatever it is. */
	if (symlink("/etc/passwd", path))
		exit(2);
	expect(map_file_open(&place, &stamp) < 0);
	unlink(path);
	map_place_close(&place);
	expect(place.dir < 0 && place.file < 0);
}

static void there_are_not_too_many(void)
{
	struct jits j = {.owner_of = somebody};
	uint32_t i;

	for (i = 1; i < 5000; i++)
		jits_see(&j, i, i);
	expect_int((int64_t)j.all.nr, 1024);
	for (i = 1; i < 5000; i++)
		jits_gone(&j, i);
	expect_int((int64_t)j.all.nr, 0);
	close_jits(&j);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"functions are told in the order of the file",
		 functions_are_told_in_the_order_of_the_file},
		{"other lines are left out", other_lines_are_left_out},
		{"names make no lines of their own", names_make_no_lines_of_their_own},
		{"what has no end of line is waited for", what_has_no_end_of_line_is_waited_for},
		{"long names are cut", long_names_are_cut},
		{"no more is read than anybody keeps", no_more_is_read_than_anybody_keeps},
		{"a link is not followed", a_link_is_not_followed},
		{"what is no regular file is not opened", what_is_no_regular_file_is_not_opened},
		{"another's file is not opened", anothers_file_is_not_opened},
		{"stamps tell files apart", stamps_tell_files_apart},
		{"only what is new is told", only_what_is_new_is_told},
		{"maps are read again, but not all the time",
		 maps_are_read_again_but_not_all_the_time},
		{"a map that takes long is in nobody's way",
		 a_map_that_takes_long_is_in_nobodys_way},
		{"each owner has his turn", each_owner_has_his_turn},
		{"who has told is read once more when it has ended",
		 who_has_told_is_read_once_more_when_it_has_ended},
		{"who has told nothing is gone when it has ended",
		 who_has_told_nothing_is_gone_when_it_has_ended},
		{"what has lost its name is still there", what_has_lost_its_name_is_still_there},
		{"there are not too many", there_are_not_too_many},
		{"who has many leaves places for others", who_has_many_leaves_places_for_others},
		{"few places are shared out, too", few_places_are_shared_out_too},
		{0},
	};
	int status;

	path = xasprintf("/tmp/perf-%d.map", (int)getpid());
	status = tap_run(tests);
	unlink(path);
	free(path);
	return status;
}
