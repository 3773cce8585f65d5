/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dirent.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc-stat.h"
#include "base/symbols.h"
#include "base/text.h"
#include "base/util.h"
#include "record/record-elf.h"
#include "record/record.h"
#include "tap.h"

/*
 * What `record --stacks` keeps of programs that run on this machine: the recorder's own process
 * follows them, by perf, which is root's.
 */

#define LEN 65536

/* How long who does not live long lives: a process takes some tenths of a second to begin there. */
#ifdef __SANITIZE_ADDRESS__
#define SHORT_MS 1000
#else
#define SHORT_MS 150
#endif

static struct program_writer writer;
static struct output output;
static char dir[4096];

static void begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/programs.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(dir))
		exit(2);
	output.fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	expect(!programs_start(&writer, &output));
}

/* All that was kept; the caller frees it. */
static char *end(void)
{
	char *text = NULL;
	struct stat st;
	int fd;

	programs_end(&writer);
	fd = openat(output.fd, PROGRAMS_FILE, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st)) {
		text = xcalloc((size_t)st.st_size + 1, 1);
		if (read(fd, text, (size_t)st.st_size) != st.st_size)
			exit(2);
		close(fd);
	}
	unlinkat(output.fd, PROGRAMS_FILE, 0);
	close(output.fd);
	rmdir(dir);
	return text ? text : xstrdup("");
}

/* Memory that is first written, and then run. */
static void make(void)
{
	char *code = mmap(NULL, LEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED || mprotect(code, LEN, PROT_READ | PROT_EXEC))
		_exit(2);
}

static FILE *open_map(void)
{
	char path[64];
	FILE *map;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "we");
	if (!map)
		_exit(2);
	return map;
}

static void tell(FILE *map, const char *name)
{
	fprintf(map, "1000 10 %s\n", name);
	if (fflush(map))
		_exit(2);
}

static pid_t start(void (*program)(void))
{
	pid_t pid = fork();

	if (pid < 0)
		exit(2);
	if (!pid) {
		program();
		_exit(0);
	}
	return pid;
}

static void finish(pid_t pid)
{
	char path[64];
	int status;

	waitpid(pid, &status, 0);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	unlink(path);
}

static void stop(pid_t pid)
{
	kill(pid, SIGKILL);
	finish(pid);
}

/* Twelve megabytes, and always more. */
static void tell_much(void)
{
	FILE *map = open_map();
	unsigned int i;

	make();
	for (i = 0; i < 400000; i++)
		fprintf(map, "%x 10 one_of_very_many_%u\n", 4096 + 16 * i, i);
	for (;;) {
		tell(map, "another");
		sleep_ms(20);
	}
}

static void tell_of_two(void)
{
	FILE *map;

	make();
	map = open_map();
	tell(map, "the_first");
	sleep_ms(2 * SHORT_MS);
	make();
	tell(map, "the_second");
	sleep_ms(2 * SHORT_MS);
}

/*
 * A machine that is busy, or that stands still, may keep the recorder from a CPU for as long as one
 * lives. So there are some tries; a recorder that looks too late does so in each.
 */
#define ROUNDS 6
#define TRIES  3

static bool has_two(const char *kept)
{
	return strstr(kept, " the_first\n") && strstr(kept, " the_second\n");
}

/* What was kept where one tells of two functions beside who keeps the recorder busy. */
static char *kept_of_two(void (*busy)(void))
{
	unsigned int tries = TRIES;
	pid_t pid;

	begin();
	pid = start(busy);
	sleep_ms(2000);
	while (tries--)
		finish(start(tell_of_two));
	stop(pid);
	return end();
}

/* The caller frees it. */
static char *kept_beside(void (*busy)(void))
{
	char *kept = kept_of_two(busy);
	unsigned int rounds = ROUNDS;

	while (!has_two(kept) && --rounds) {
		free(kept);
		kept = kept_of_two(busy);
	}
	expect(has_two(kept));
	return kept;
}

static void a_map_that_takes_long_keeps_nobody_waiting(void)
{
	char *kept = kept_beside(tell_much);

	expect(strstr(kept, " one_of_very_many_7\n"));
	free(kept);
}

/* Long enough that nobody looks any more. */
static void tell_at_last(void)
{
	FILE *map;

	make();
	map = open_map();
	tell(map, "at_first");
	sleep_ms(2000);
	tell(map, "at_last");
}

static void what_is_told_at_last_is_read(void)
{
	char *kept;

	begin();
	finish(start(tell_at_last));
	kept = end();
	expect(strstr(kept, " at_first\n"));
	expect(strstr(kept, " at_last\n"));
	free(kept);
}

static void tell_soon(void)
{
	FILE *map;

	make();
	sleep_ms(120);
	map = open_map();
	tell(map, "soon");
	sleep_ms(SHORT_MS);
}

static bool is_read_soon(void)
{
	unsigned int tries = TRIES;
	char *kept;
	bool is_read;

	begin();
	sleep_ms(200);
	while (tries--)
		finish(start(tell_soon));
	kept = end();
	is_read = strstr(kept, " soon\n");
	free(kept);
	return is_read;
}

static void who_does_not_live_long_is_read_soon(void)
{
	unsigned int rounds = ROUNDS;

	while (rounds && !is_read_soon())
		rounds--;
	expect(rounds);
}

#define SOMEBODY 54321
/* More than one user's processes are looked at. */
#define CROWD	 1100

static void become_somebody(void)
{
	if (setresuid(SOMEBODY, SOMEBODY, SOMEBODY))
		_exit(2);
}

/* A user's, all of which make functions and live on; they end with their parent. */
static void be_a_crowd(void)
{
	pid_t parent = getpid();
	unsigned int i;

	become_somebody();
	for (i = 0; i < CROWD; i++)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				_exit(0);
			make();
			pause();
			_exit(0);
		}
	pause();
}

static void who_has_many_keeps_nobody_from_being_read(void)
{
	free(kept_beside(be_a_crowd));
}

/* Names of files that are mapped to be run: all of one file, and of another one. */
static char *many, *one;

static void map_file(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		_exit(2);
	close(fd);
}

/* Until the next call. */
static const char *name_of_many(unsigned int i)
{
	static char name[sizeof(dir) + 32];

	snprintf(name, sizeof(name), "%s.%u", many, i);
	return name;
}

static void name_files(void)
{
	many = xasprintf("%s.many", dir);
	one = xasprintf("%s.one", dir);
}

/* All that have these names, so many of the one file. */
static void remove_files(unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		unlink(name_of_many(i));
	unlink(many);
	unlink(one);
	free(many);
	free(one);
}

static void map_many(void)
{
	unsigned int i;

	become_somebody();
	for (i = 0; i < CROWD; i++)
		map_file(name_of_many(i));
	pause();
}

static void map_one(void)
{
	map_file(one);
	/* On a busy machine, too: what is in its way stays there for longer. */
	sleep_ms(5 * SHORT_MS);
}

/* Where much is read before it, or a busy machine takes long to try again. */
static void map_one_for_long(void)
{
	map_file(one);
	sleep_ms(30 * SHORT_MS);
}

/* Never for as long as it takes to read it, and each time elsewhere. */
static void map_for_moments(void)
{
	uintptr_t place = (uintptr_t)1 << 32;

	become_somebody();
	for (;;) {
		int fd = open(one, O_RDONLY | O_CLOEXEC);
		void *at = mmap((void *)place, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

		place += LEN;
		if (fd < 0 || at == MAP_FAILED || munmap(at, 4096))
			_exit(2);
		close(fd);
		sleep_ms(1);
	}
}

static void copy_own_program(const char *to)
{
	char *copy = xasprintf("cp /proc/%d/exe %s && chmod 755 %s", (int)getpid(), to, to);

	if (system(copy))
		exit(2);
	free(copy);
}

/* The number that a file has in what was kept, or -1. */
static int number_of(const char *kept, const char *name)
{
	char *end = xasprintf(" %s\n", name);
	const char *at = strstr(kept, end);
	int number = -1;

	while (at && at > kept && at[-1] != '\n')
		at--;
	if (at)
		(void)sscanf(at, "f %d ", &number);
	free(end);
	return number;
}

static bool is_read(const char *kept, const char *name)
{
	char *said = xasprintf("\ns %d ", number_of(kept, name));
	bool read = strstr(kept, said);

	free(said);
	return read;
}

static void who_maps_many_files_keeps_nobodys_from_being_read(void)
{
	unsigned int i;
	char *kept;
	pid_t much;

	begin();
	name_files();
	copy_own_program(many);
	copy_own_program(one);
	for (i = 0; i < CROWD; i++)
		if (link(many, name_of_many(i)))
			exit(2);
	much = start(map_many);
	sleep_ms(300);
	finish(start(map_one));
	stop(much);
	kept = end();
	expect(is_read(kept, name_of_many(0)));
	expect(is_read(kept, one));
	remove_files(CROWD);
	free(kept);
}

static void who_maps_a_file_for_moments_keeps_nobody_from_having_it_read(void)
{
	char *kept;
	pid_t moments;

	begin();
	one = xasprintf("%s.one", dir);
	copy_own_program(one);
	moments = start(map_for_moments);
	sleep_ms(1000);
	finish(start(map_one_for_long));
	stop(moments);
	kept = end();
	expect(is_read(kept, one));
	unlink(one);
	free(one);
	free(kept);
}

/* A library whose functions' names are nearly as long as is kept of a file, and all it can be told
 * from another by. */
#define MANY_NAMES 3600
#define NR_LARGE   14

static void write_large(const char *to)
{
	char *command = xasprintf("cc -shared -nostdlib -o %s -x assembler -", to);
	FILE *as = popen(command, "w");
	char name[4000];
	unsigned int i;

	if (!as)
		exit(2);
	memset(name, 'x', sizeof(name));
	fprintf(as, ".text\n.type unique_a,@function\nunique_a: .byte 0\n");
	for (i = 0; i < MANY_NAMES; i++)
		fprintf(as, ".type %.*s%u,@function\n%.*s%u: .byte 0\n", (int)sizeof(name), name, i,
			(int)sizeof(name), name, i);
	if (pclose(as))
		exit(2);
	free(command);
}

/* The same with another letter. */
static void write_other(const char *text, size_t len, char letter, const char *to)
{
	static const char unique[] = "unique_";
	char *other = xcalloc(len, 1), *at;
	FILE *out = fopen(to, "we");

	memcpy(other, text, len);
	at = memmem(other, len, unique, sizeof(unique) - 1);
	if (!at || !out)
		exit(2);
	at[sizeof(unique) - 1] = letter;
	if (fwrite(other, len, 1, out) != 1 || fclose(out))
		exit(2);
	free(other);
}

static void map_large(void)
{
	unsigned int i;

	become_somebody();
	for (i = 0; i < NR_LARGE; i++)
		map_file(name_of_many(i));
	pause();
}

/* Whether the first of the large files is read, and that of somebody else. */
static bool has_room(void)
{
	char *kept;
	pid_t large;
	bool has;

	large = start(map_large);
	sleep_ms(6000);
	finish(start(map_one_for_long));
	stop(large);
	kept = end();
	has = is_read(kept, name_of_many(0)) && is_read(kept, one);
	free(kept);
	return has;
}

static void who_has_long_names_leaves_others_room(void)
{
	unsigned int i, tries = 3;
	struct stat st;
	char *text;
	bool has;
	int fd;

	begin();
	name_files();
	write_large(one);
	fd = open(one, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		exit(2);
	text = xcalloc((size_t)st.st_size, 1);
	if (read(fd, text, (size_t)st.st_size) != st.st_size)
		exit(2);
	close(fd);
	for (i = 0; i < NR_LARGE; i++)
		write_other(text, (size_t)st.st_size, (char)('b' + i), name_of_many(i));
	/* On a busy machine one takes longer to read than there is time while others wait: then it
	 * is given up. */
	for (has = has_room(); !has && --tries; has = has_room())
		begin();
	expect(has);
	remove_files(NR_LARGE);
	free(text);
}

static void run(const char *command, const char *word)
{
	char *whole = xasprintf(command, word);

	if (system(whole))
		exit(2);
	free(whole);
}

/* With one function. */
static void write_library(const char *function, const char *to)
{
	char *command =
		xasprintf("echo 'void %s(void) {}' | cc -shared -fPIC -o %%s -xc -", function);

	run(command, to);
	free(command);
}

/* An empty file with that number, in the place of one that is gone; false: there it is not given
 * again. */
static bool make_with_number(const char *name, ino_t number)
{
	unsigned int i;
	struct stat st = {0};

	for (i = 0; i < 256 && st.st_ino != number; i++) {
		char *other = xasprintf("%s.%u", name, i);
		int fd = open(other, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);

		if (fd < 0 || fstat(fd, &st) || close(fd))
			exit(2);
		if (st.st_ino == number && rename(other, name))
			exit(2);
		free(other);
	}
	while (i--) {
		char *other = xasprintf("%s.%u", name, i);

		unlink(other);
		free(other);
	}
	return st.st_ino == number;
}

/* As it comes to be where a program is built again and again, or who can write a file there wants
 * it. */
static void a_new_file_with_the_number_of_an_old_one_has_its_own_functions(void)
{
	struct stat st;
	char *kept, *copy;
	bool is_same;

	begin();
	one = xasprintf("%s.one", dir);
	many = xasprintf("%s.new", dir);
	write_library("the_old_one", one);
	write_library("the_new_one", many);
	finish(start(map_one));
	if (stat(one, &st) || unlink(one))
		exit(2);
	sleep_ms(300);
	is_same = make_with_number(one, st.st_ino);
	copy = xasprintf("cat %s > %%s", many);
	run(copy, one);
	finish(start(map_one));
	kept = end();
	expect(strstr(kept, " the_old_one\n"));
	expect(!is_same || strstr(kept, " the_new_one\n"));
	unlink(one);
	unlink(many);
	free(one);
	free(many);
	free(copy);
	free(kept);
}

/* A container's file system, the second or the first, both of which have the same lower layer. */
static int mount_of(unsigned int container)
{
	char *options = xasprintf("lowerdir=%s.layers/lower,upperdir=%s.layers/%u,"
				  "workdir=%s.layers/work-%u",
				  dir, dir, container, dir, container);
	char *to = xasprintf("%s.layers/merged", dir);
	int code = unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		   mount("overlay", to, "overlay", 0, options);

	free(options);
	free(to);
	return code;
}

static void map_one_in_container(void)
{
	map_file(one);
	sleep_ms(4000);
}

/* It has changed that file. */
static void map_in_first_container(void)
{
	char *copy = xasprintf("cat %s > %%s", many);

	if (mount_of(1))
		_exit(0);
	run(copy, one);
	map_one_in_container();
}

static void map_in_second_container(void)
{
	if (!mount_of(2))
		map_one_in_container();
}

/* The kernel gives its file system the number of that of the first one, whose files have the same
 * numbers and names. */
static void a_new_container_has_its_own_functions(void)
{
	char *kept;

	begin();
	one = xasprintf("%s.layers/lower", dir);
	run("for d in lower 1 2 work-1 work-2 merged; do mkdir -p $(dirname %s)/$d; done", one);
	free(one);
	many = xasprintf("%s.new", dir);
	write_library("of_the_first", many);
	one = xasprintf("%s.layers/lower/one", dir);
	write_library("of_the_second", one);
	free(one);
	one = xasprintf("%s.layers/merged/one", dir);
	finish(start(map_in_first_container));
	finish(start(map_in_second_container));
	kept = end();
	/* Without overlayfs there are no such containers. */
	expect(number_of(kept, one) < 0 || strstr(kept, " of_the_second\n"));
	run("rm -r $(dirname $(dirname %s))", one);
	unlink(many);
	free(one);
	free(many);
	free(kept);
}

static unsigned int count(const char *text, const char *what)
{
	unsigned int nr = 0;

	while ((text = strstr(text, what))) {
		text++;
		nr++;
	}
	return nr;
}

static void map_and_wait(void)
{
	map_file(one);
	pause();
}

/* Of what is mapped already /proc tells, and perf later. */
static void a_file_that_was_mapped_before_is_read_once(void)
{
	char *kept, *line;
	pid_t pid;

	one = xasprintf("/tmp/programs-%d.one", (int)getpid());
	copy_own_program(one);
	pid = start(map_and_wait);
	sleep_ms(100);
	begin();
	finish(start(map_one));
	stop(pid);
	kept = end();
	line = xasprintf(" %s\n", one);
	expect(count(kept, line) == 1);
	expect(is_read(kept, one));
	unlink(one);
	free(line);
	free(one);
	free(kept);
}

/* Whose files' readers do not come to an end: the kernel may make them wait for whom they ask of.
 */
static volatile pid_t *detains;

pid_t __real_elf_start(unsigned int pid, const struct mapping *m, int *from);
pid_t __wrap_elf_start(unsigned int pid, const struct mapping *m, int *from);

pid_t __wrap_elf_start(unsigned int pid, const struct mapping *m, int *from)
{
	int fds[2];
	pid_t reader;

	if (!detains || (pid_t)pid != *detains)
		return __real_elf_start(pid, m, from);
	if (pipe(fds))
		return -1;
	reader = fork();
	if (!reader) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	close(fds[1]);
	*from = fds[0];
	return reader;
}

#define NR_DETAINING 3

/* More at a time than are read at a time, each again and again; one of them is another's, too. */
static void detain(void)
{
	unsigned int i;

	*detains = getpid();
	become_somebody();
	for (;;) {
		map_file(one);
		for (i = 0; i < NR_DETAINING; i++)
			map_file(name_of_many(i));
		sleep_ms(500);
	}
}

static void whose_readers_come_to_no_end_keeps_nobody_from_having_it_read(void)
{
	unsigned int i;
	char *kept;
	pid_t pid, other;

	detains = mmap(NULL, sizeof(*detains), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (detains == MAP_FAILED)
		exit(2);
	begin();
	name_files();
	copy_own_program(one);
	for (i = 0; i < NR_DETAINING; i++)
		copy_own_program(name_of_many(i));
	pid = start(detain);
	/* Each is given four seconds, three at a time; and three times. */
	sleep_ms(24000);
	other = start(map_and_wait);
	sleep_ms(8000);
	stop(other);
	stop(pid);
	kept = end();
	detains = NULL;
	expect(!is_read(kept, name_of_many(0)));
	expect(is_read(kept, one));
	remove_files(NR_DETAINING);
	free(kept);
}

#define NR_HANGING 8

static void answer(int fuse, uint64_t number, const void *what, size_t len)
{
	char text[sizeof(struct fuse_out_header) + 256];
	const struct fuse_out_header header = {.len = (uint32_t)(sizeof(header) + len),
					       .unique = number};

	memcpy(text, &header, sizeof(header));
	memcpy(text + sizeof(header), what, len);
	if (write(fuse, text, sizeof(header) + len) < 0)
		_exit(2);
}

/* There is a directory, and who asks what is in it waits for ever. */
static void serve_nothing(int fuse)
{
	static const struct fuse_init_out init = {.major = 7, .minor = 31, .max_write = 4096};
	static const struct fuse_attr_out attr = {
		.attr_valid = 1000, .attr = {.ino = 1, .mode = S_IFDIR | 0755, .nlink = 2}};
	static char request[1 << 17];
	const struct fuse_in_header *header = (const void *)request;

	while (read(fuse, request, sizeof(request)) > 0)
		if (header->opcode == FUSE_INIT)
			answer(fuse, header->unique, &init, sizeof(init));
		else if (header->opcode == FUSE_GETATTR)
			answer(fuse, header->unique, &attr, sizeof(attr));
}

/* A container whose /tmp does not answer. */
static void hang(void)
{
	pid_t parent = getpid();
	char options[128];
	int fuse, i;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		_exit(2);
	for (i = 0; i < NR_HANGING; i++)
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() != parent)
				_exit(0);
			sleep_ms(1000);
			make();
			pause();
		}
	fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 fuse);
	/* Not everywhere there is such a file system. */
	if (fuse >= 0 && !mount("hangs", "/tmp", "fuse", 0, options))
		serve_nothing(fuse);
	_exit(0);
}

static unsigned int count_children(pid_t parent)
{
	DIR *proc = opendir("/proc");
	struct proc_stat st;
	struct dirent *e;
	unsigned int nr = 0;

	while (proc && (e = readdir(proc)))
		nr += proc_stat_read(&st, strtol(e->d_name, NULL, 10)) && st.parent == parent;
	if (proc)
		closedir(proc);
	return nr;
}

/* They cannot even be killed. */
static void whose_files_do_not_answer_keeps_few_readers_waiting(void)
{
	pid_t pid;

	begin();
	pid = start(hang);
	/* Each is given four seconds. */
	sleep_ms(18000);
	expect(count_children(writer.pid) <= 2);
	stop(pid);
	free(end());
}

/* Processes that share their memory, in which as much is mapped as may be: each has a list of its
 * own of it. */
#define NR_SHARING 600

static int right;

static int wait_for_ever(void *unused)
{
	(void)unused;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (pause())
		;
	return 0;
}

static void map_all(void)
{
	int fd = open(one, O_RDONLY | O_CLOEXEC), i;
	char *stacks = mmap(NULL, (size_t)NR_SHARING * LEN, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	become_somebody();
	if (stacks == MAP_FAILED)
		_exit(2);
	while (mmap(NULL, 4096, right, MAP_PRIVATE, fd, 0) != MAP_FAILED)
		;
	for (i = 1; i <= NR_SHARING; i++)
		if (clone(wait_for_ever, stacks + (size_t)i * LEN, CLONE_VM | SIGCHLD, NULL) < 0)
			_exit(2);
	pause();
}

static void keep_beside_much_that_is_mapped(int with)
{
	char *kept;
	size_t len;
	pid_t pid;

	right = with;
	one = xasprintf("/tmp/programs-%d.one", (int)getpid());
	copy_own_program(one);
	pid = start(map_all);
	sleep_ms(2000);
	begin();
	kept = end();
	stop(pid);
	len = strlen(kept);
	expect(len > 3 && !strcmp(kept + len - 3, "\n.\n"));
	unlink(one);
	free(one);
	free(kept);
}

static void who_has_much_mapped_keeps_nobodys_names_away(void)
{
	keep_beside_much_that_is_mapped(PROT_READ | PROT_EXEC);
	keep_beside_much_that_is_mapped(PROT_READ);
}

static int go[2];
static char *other;

static void stay_on_one_cpu(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		_exit(2);
}

static void become_another_when_told(void)
{
	char told;

	stay_on_one_cpu();
	map_file(one);
	if (read(go[0], &told, 1) == 1)
		execl(other, "sleep", "60", NULL);
	_exit(2);
}

/* More than the kernel's buffer of that CPU has room for. */
static void flood(void)
{
	int fd = open(one, O_RDONLY | O_CLOEXEC), i;

	stay_on_one_cpu();
	for (i = 0; i < 8000; i++) {
		void *at = mmap(NULL, LEN, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

		if (at == MAP_FAILED || munmap(at, LEN))
			_exit(2);
	}
}

/* The last line that says that what the process had has ended; NULL: there is none. */
static const char *last_end(const char *kept, pid_t pid)
{
	const char *line = kept, *found = NULL;
	int who;

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "x %*u %d", &who) == 1 && who == pid)
			found = line;
	}
	return found;
}

static bool is_named(const char *kept, int number, const char *name)
{
	char *line = xasprintf("f %d %s\n", number, name);
	bool found = strstr(kept, line);

	free(line);
	return found;
}

/* The last line that says that it maps a file of that name; NULL: there is none. */
static const char *last_map(const char *kept, pid_t pid, const char *name)
{
	const char *line = kept, *found = NULL;
	int who, number;

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "m %*u %d %*x %*x %*x %d", &who, &number) == 2 && who == pid &&
		    is_named(kept, number, name))
			found = line;
	}
	return found;
}

static void keep_off_that_cpu(pid_t pid)
{
	cpu_set_t cpus;

	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		exit(2);
	CPU_CLR(0, &cpus);
	/* Where there is no other one it stays. */
	(void)sched_setaffinity(pid, sizeof(cpus), &cpus);
}

/* Nobody else has that CPU for most of a second, so that nothing changes there. */
static void occupy(void)
{
	struct sched_param most = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};

	stay_on_one_cpu();
	if (sched_setscheduler(0, SCHED_FIFO, &most))
		_exit(2);
	/* What it keeps waiting may be all that could end it. */
	alarm(5);
	for (;;)
		;
}

/*
 * Who fills the buffer keeps another program's begin from being told. The recording ends so many
 * milliseconds later; 0: before anything else changes on that CPU.
 */
static void lose_another_program(unsigned int ms)
{
	const char *ended, *mapped;
	char *kept, *copy;
	pid_t pid, busy = 0;

	begin();
	one = xasprintf("%s.one", dir);
	copy_own_program(one);
	/* Another root on this machine may have a /bin/sleep, too. */
	other = xasprintf("%s.sleep", dir);
	copy = xasprintf("cp /bin/sleep %s", other);
	if (system(copy) || pipe2(go, O_CLOEXEC))
		exit(2);
	pid = start(become_another_when_told);
	sleep_ms(500);
	kill(writer.pid, SIGSTOP);
	finish(start(flood));
	if (write(go[1], "", 1) != 1)
		exit(2);
	sleep_ms(500);
	if (!ms) {
		keep_off_that_cpu(writer.pid);
		keep_off_that_cpu(0);
		busy = start(occupy);
		sleep_ms(20);
	}
	kill(writer.pid, SIGCONT);
	sleep_ms(ms);
	kept = end();
	stop(pid);
	if (busy)
		stop(busy);
	ended = last_end(kept, pid);
	mapped = last_map(kept, pid, other);
	expect(strstr(kept, "\nl "));
	expect(ended);
	expect(mapped > ended);
	unlink(one);
	unlink(other);
	close(go[0]);
	close(go[1]);
	free(copy);
	free(other);
	free(one);
	free(kept);
}

static void whose_other_program_is_lost_has_its_files_all_the_same(void)
{
	lose_another_program(1500);
}

/* That something was lost is told by the kernel with what comes next on that CPU. */
static void what_is_lost_at_last_is_found_all_the_same(void)
{
	lose_another_program(0);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"a map that takes long keeps nobody waiting",
		 a_map_that_takes_long_keeps_nobody_waiting},
		{"what is told at last is read", what_is_told_at_last_is_read},
		{"who does not live long is read soon", who_does_not_live_long_is_read_soon},
		{"who has many keeps nobody from being read",
		 who_has_many_keeps_nobody_from_being_read},
		{"who maps many files keeps nobody's from being read",
		 who_maps_many_files_keeps_nobodys_from_being_read},
		{"who has long names leaves others room", who_has_long_names_leaves_others_room},
		{"who maps a file for moments keeps nobody from having it read",
		 who_maps_a_file_for_moments_keeps_nobody_from_having_it_read},
		{"a new file with the number of an old one has its own functions",
		 a_new_file_with_the_number_of_an_old_one_has_its_own_functions},
		{"a new container has its own functions", a_new_container_has_its_own_functions},
		{"a file that was mapped before is read once",
		 a_file_that_was_mapped_before_is_read_once},
		{"who has much mapped keeps nobody's names away",
		 who_has_much_mapped_keeps_nobodys_names_away},
		{"whose files do not answer keeps few readers waiting",
		 whose_files_do_not_answer_keeps_few_readers_waiting},
		{"whose readers come to no end keeps nobody from having it read",
		 whose_readers_come_to_no_end_keeps_nobody_from_having_it_read},
		{"whose other program is lost has its files all the same",
		 whose_other_program_is_lost_has_its_files_all_the_same},
		{"what is lost at last is found all the same",
		 what_is_lost_at_last_is_found_all_the_same},
		{0},
	};

	return tap_run(tests);
}
