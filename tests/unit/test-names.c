/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "names/names-facts.h"
#include "names/names-helper.h"
#include "names/names-storage.h"
#include "tap.h"
#include "base/memory.h"
#include "base/util.h"

/* What anything that is bounded may take here, where a test shares the machine. */
#define SOON_MS 3000

static bool was_soon(uint64_t began)
{
	return now_ms() < began + SOON_MS;
}

/* What a shell's script writes, with that time for it; NULL if it is not taken. */
static char *shell(struct names *n, const char *script, unsigned int ms)
{
	char *const argv[] = {"sh", "-c", (char *)script, NULL};
	size_t len;

	return program_read(n, "/bin/sh", argv, ms, &len);
}

static void expect_shell(const char *script, unsigned int ms, const char *wanted)
{
	struct names *n = names_new();
	uint64_t began = now_ms();
	char *text = shell(n, script, ms);

	expect(was_soon(began));
	expect_text(text ? text : "nothing", wanted);
	expect_int(waitpid(-1, NULL, WNOHANG), -1);
	free(text);
	names_free(n);
}

static void what_a_program_writes_is_read(void)
{
	expect_shell("echo a; echo b >&2; echo c", 30000, "a\nc\n");
	expect_shell("exit 1", 30000, "");
}

static void a_program_that_hangs_is_killed(void)
{
	expect_shell("echo a; sleep 60; :", 200, "nothing");
}

static void one_that_has_said_all_and_stays_is_killed(void)
{
	expect_shell("echo a; exec >&-; sleep 60; :", 30000, "a\n");
}

static void one_that_does_not_cease_is_killed(void)
{
	expect_shell("cat /dev/zero", 30000, "nothing");
}

static void *abort_soon(void *names)
{
	usleep(200000);
	names_abort(names);
	return NULL;
}

static void an_aborted_scan_kills_its_program(void)
{
	struct names *n = names_new();
	uint64_t began = now_ms();
	pthread_t thread;
	char *text;

	expect_int(pthread_create(&thread, NULL, abort_soon, n), 0);
	text = shell(n, "sleep 60; :", 60000);
	expect(was_soon(began));
	expect(!text);
	pthread_join(thread, NULL);
	names_free(n);
}

/* A host with many containers, whose reader is halted: then the scan is aborted. */
#define CONTAINERS 1000

struct halting {
	struct names *names;
	pid_t scanner;
	atomic_bool over;
	bool halted;
};

static pid_t first_child(pid_t parent)
{
	char *path = xasprintf("/proc/%d/task/%d/children", (int)parent, (int)parent);
	FILE *f = fopen(path, "re");
	int child = 0;

	if (f && fscanf(f, "%d", &child) != 1)
		child = 0;
	if (f)
		fclose(f);
	free(path);
	return (pid_t)child;
}

static void *halt_and_abort(void *arg)
{
	struct halting *h = arg;

	while (!h->over && !h->halted) {
		pid_t child = first_child(h->scanner);

		h->halted = child > 0 && !kill(child, SIGSTOP);
	}
	if (h->halted)
		abort_soon(h->names);
	return NULL;
}

static void make_dirs(char *path)
{
	char *s;

	for (s = path + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(path, 0755);
		*s = '/';
	}
}

static void make_host(const char *dir)
{
	size_t i;

	for (i = 0; i < CONTAINERS; i++) {
		char *path = xasprintf("%s/run/containers/storage/overlay-containers/%zu/userdata/"
				       "pidfile",
				       dir, i);
		FILE *f;

		make_dirs(path);
		f = fopen(path, "we");
		if (f) {
			fprintf(f, "%zu\n", i + 2);
			fclose(f);
		}
		free(path);
	}
}

static void ignore(void *ctx, const char *line)
{
	(void)ctx;
	(void)line;
}

/* Whether its reader was caught. */
static bool scan_and_halt(const char *dir)
{
	struct halting h = {.names = names_new_at(dir), .scanner = getpid()};
	uint64_t began = now_ms();
	pthread_t thread;

	expect_int(pthread_create(&thread, NULL, halt_and_abort, &h), 0);
	names_scan(h.names, ignore, NULL);
	expect(was_soon(began));
	h.over = true;
	pthread_join(thread, NULL);
	expect_int(waitpid(-1, NULL, WNOHANG), -1);
	names_free(h.names);
	return h.halted;
}

static void remove_all(const char *dir)
{
	char *command = xasprintf("rm -r %s", dir);

	expect_int(system(command), 0);
	free(command);
}

static void an_aborted_scan_kills_who_reads(void)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	bool halted = false;
	int tries;

	expect(mkdtemp(dir) != NULL);
	make_host(dir);
	for (tries = 0; tries < 100 && !halted; tries++)
		halted = scan_and_halt(dir);
	expect(halted);
	remove_all(dir);
}

/* What a process may do that has one file to read. */
static _Noreturn void be_reader(int file)
{
	const struct owner nobody = {.user = 65534, .group = 65534};
	char byte;
	struct stat st;

	/* Nobody else needs to be here. */
	if (confine_calls(&nobody, false))
		_exit(77);
	if (fstat(file, &st) || pread(file, &byte, 1, 0) != 1)
		_exit(1);
	if (open("/etc/passwd", O_RDONLY) >= 0 || errno != EPERM)
		_exit(2);
	if (openat(file, "passwd", O_RDONLY) >= 0 || errno != EPERM)
		_exit(3);
	if (stat("/etc/passwd", &st) != -1 || errno != EPERM)
		_exit(4);
	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || errno != EPERM)
		_exit(5);
	if (send(file, &byte, 1, 0) >= 0 || errno != EPERM)
		_exit(6);
	if (kill(getppid(), 0) != -1 || errno != EPERM)
		_exit(7);
	if (fcntl(file, F_GETFL) < 0 || fcntl(file, F_GETFD) < 0)
		_exit(8);
	if (fcntl(file, F_SETFL, O_NONBLOCK) != -1 || fcntl(file, F_DUPFD, 0) != -1 ||
	    fcntl(file, F_SETOWN, getppid()) != -1)
		_exit(9);
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
	    MAP_FAILED)
		_exit(10);
	_exit(0);
}

/* It has ended, and nothing went through that its filter is to stop. */
static void expect_confined(pid_t pid)
{
	int status;

	expect_int(waitpid(pid, &status, 0), pid);
	expect(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		printf("# the kernel has no seccomp\n");
	else
		expect_int(WEXITSTATUS(status), 0);
}

static void who_reads_one_file_opens_no_other(void)
{
	int file = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
	pid_t pid = fork();

	if (!pid)
		be_reader(file);
	close(file);
	expect_confined(pid);
}

/* Whether it was refused, and not for another reason. */
static bool is_refused(long result)
{
	return result == -1 && errno == EPERM;
}

static bool has_refused_files(const char *old, const char *new)
{
	return is_refused(open(new, O_WRONLY | O_CREAT, 0600)) && is_refused(open(old, O_WRONLY)) &&
	       is_refused(open(old, O_RDONLY | O_TRUNC)) && is_refused(open(old, O_RDWR)) &&
	       is_refused(unlink(old)) && is_refused(truncate(old, 0)) &&
	       is_refused(rename(old, new)) && is_refused(mkdir(new, 0700)) &&
	       is_refused(symlink(old, new)) && is_refused(link(old, new)) &&
	       is_refused(chmod(old, 0777)) && is_refused(chown(old, 1, 1)) &&
	       is_refused(utimes(old, NULL));
}

/*
 * By number, as the C library may have no names for them; with arguments that the kernel, too,
 * would find wrong: but then it says something else.
 */
static bool has_refused_new_calls(void)
{
	/* process_mrelease, fchmodat2, setxattrat, removexattrat, open_tree_attr, file_setattr */
	static const long calls[] = {448, 452, 463, 466, 467, 469};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(calls); i++)
		if (!is_refused(syscall(SYS_openat2 - 437 + calls[i], -1, NULL, -1, NULL, -1, 0)))
			return false;
	return true;
}

static bool has_refused_processes(pid_t other)
{
	struct rlimit limits;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	return is_refused(kill(other, 0)) && is_refused(ptrace(PTRACE_SEIZE, other, NULL, NULL)) &&
	       is_refused(prlimit(other, RLIMIT_CPU, NULL, &limits)) &&
	       !getrlimit(RLIMIT_CPU, &limits) && is_refused(setpriority(PRIO_PROCESS, other, 1)) &&
	       is_refused(sched_setaffinity(other, sizeof(cpus), &cpus)) &&
	       is_refused(shmget(IPC_PRIVATE, 4096, 0600)) && is_refused(fork()) &&
	       is_refused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
	       is_refused(socket(AF_INET, SOCK_STREAM, 0));
}

/* All but TCGETS, and TCGETS2, with which glibc from 2.42 on asks what is a terminal. */
static bool has_refused_ioctls(int fd)
{
	static const unsigned int asked[] = {
		TCGETS,
#ifdef TCGETS2
		TCGETS2,
#endif
	};
	char answer[256];
	unsigned int bit;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(asked); i++) {
		if (!ioctl(fd, asked[i], answer) || errno != ENOTTY)
			return false;
		for (bit = 1; bit; bit <<= 1)
			if (!is_refused(ioctl(fd, asked[i] ^ bit, answer)))
				return false;
	}
	return is_refused(ioctl(fd, FIGETBSZ, answer)) && is_refused(ioctl(fd, TIOCSTI, answer));
}

/* What asks who has opened it alone, or who is root. */
static bool has_refused_descriptors(int fd, pid_t other)
{
	return is_refused(fcntl(fd, F_SETOWN, other)) && is_refused(fcntl(fd, F_SETSIG, SIGKILL)) &&
	       is_refused(fcntl(fd, F_SETLEASE, F_WRLCK)) && is_refused(flock(fd, LOCK_EX)) &&
	       has_refused_ioctls(fd) && fcntl(fd, F_GETFL) >= 0 && !isatty(fd) && errno == ENOTTY;
}

/* Who is root runs a program with all rights, unless it is kept from that. */
#define SHELL_OF_FEW_RIGHTS                                                                        \
	"while read -r name value; do\n"                                                           \
	"	case $name:$value in\n"                                                                  \
	"	Cap[PE][rf][mf]:*) [ $((0x$value & ~(1 << 2))) = 0 ] || exit 9;;\n"                      \
	"	esac\n"                                                                                  \
	"done </proc/self/status"

/* How much it may have is known when it knows the trace. */
static bool has_final_memory(void)
{
	struct rlimit before, after;

	memory_limit(0);
	return memory_is_checked ||
	       (!getrlimit(RLIMIT_DATA, &before) && before.rlim_cur != RLIM_INFINITY &&
		setrlimit(RLIMIT_DATA, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}) &&
		!getrlimit(RLIMIT_DATA, &after) && after.rlim_max == before.rlim_cur);
}

/* What a program may not do that reads a trace as root; then it is one that prints. */
static _Noreturn void be_program(const char *dir)
{
	char *old = xasprintf("%s/old", dir), *new = xasprintf("%s/new", dir);
	int out = open(old, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	pid_t parent = getppid();

	if (confine_program() && prctl(PR_GET_SECCOMP) != 2)
		_exit(77);
	if (!has_refused_files(old, new))
		_exit(1);
	if (!has_refused_processes(parent))
		_exit(2);
	if (!has_refused_new_calls())
		_exit(5);
	if (!has_refused_descriptors(out, parent))
		_exit(3);
	/* What is open is written to. */
	if (open("/etc/passwd", O_RDONLY) < 0 || write(out, "", 1) != 1)
		_exit(4);
	/* But not without end. */
	signal(SIGXFSZ, SIG_IGN);
	if (pwrite(out, "", 1, PROGRAM_TEXT_MAX) >= 0 || errno != EFBIG)
		_exit(6);
	if (!has_final_memory())
		_exit(7);
	execl("/bin/sh", "sh", "-c", SHELL_OF_FEW_RIGHTS, NULL);
	_exit(8);
}

static void who_reads_a_trace_as_root_changes_nothing(void)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	pid_t pid;

	expect(mkdtemp(dir) != NULL);
	pid = fork();
	if (!pid)
		be_program(dir);
	expect_confined(pid);
	remove_all(dir);
}

/*
 * Who owns a descriptor is sent the signal that was asked for when something comes, with the rights
 * of who asked; so to ask is to kill.
 */
static _Noreturn void be_killer(int fd, pid_t victim)
{
	const struct owner root = {0};
	int keep[] = {fd};
	char byte;

	if (confine(&root, keep, 1) || confine_calls(&root, true))
		_exit(77);
	fcntl(fd, F_SETOWN, victim);
	fcntl(fd, F_SETSIG, SIGKILL);
	fcntl(fd, F_SETFL, O_RDWR | O_ASYNC);
	/* It is done. */
	if (send(fd, "", 1, 0) != 1)
		_exit(1);
	while (recv(fd, &byte, 1, 0) == 1)
		;
	_exit(0);
}

static pid_t new_victim(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;)
		pause();
}

static void who_reads_roots_files_signals_nobody(void)
{
	pid_t victim = new_victim(), pid;
	int fds[2], status;
	char byte;

	expect_int(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		be_killer(fds[1], victim);
	}
	close(fds[1]);
	if (recv(fds[0], &byte, 1, 0) == 1)
		expect_int(send(fds[0], "", 1, MSG_NOSIGNAL), 1);
	close(fds[0]);
	expect_confined(pid);
	expect_int(waitpid(victim, &status, WNOHANG), 0);
	kill(victim, SIGKILL);
	waitpid(victim, &status, 0);
}

/* What it can reach; then it waits to be looked at. */
static void try_all(struct names *n, const struct owner *o)
{
	char reached = 0;

	(void)o;
	reached |= open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
	reached |= openat(n->root, "etc", O_RDONLY | O_CLOEXEC) >= 0 ? 2 : 0;
	reached |= fcntl(n->root, F_GETFL) >= 0 ? 4 : 0;
	reached |= send(n->helper, "", 1, 0) >= 0 ? 8 : 0;
	if (write(n->helper, &reached, 1) == 1 && read(n->helper, &reached, 1) >= 0)
		_exit(0);
}

static void put_file(const char *dir, const char *name, const char *text);

/* What has changed is for who asked, and for nobody whom a file has taken over. */
static void take_changes(struct names *n, const struct owner *o)
{
	int changes = watch_inotify(n->watch), there;
	char event[4096], reached = 0;

	(void)o;
	there = open(n->root_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	reached |= there < 0;
	watch_dir(n->watch, there);
	reached |= read(changes, event, sizeof(event)) >= 0 || errno != EPERM ? 2 : 0;
	reached |= inotify_add_watch(changes, n->root_path, IN_DELETE) >= 0 ? 4 : 0;
	if (write(n->helper, &reached, 1) == 1 && recv(n->helper, &reached, 1, 0) >= 0)
		_exit(0);
}

static size_t open_root(struct names *n, const struct owner *o, int dirs[HELPER_PLACES])
{
	(void)o;
	dirs[0] = dup(n->root);
	return 1;
}

static void who_reads_files_takes_no_changes(void)
{
	char dir[] = "/tmp/test-names-XXXXXX", reached = -1, event[4096];
	const struct owner root = {.places = open_root};
	struct helper h;
	struct names *n;

	expect(mkdtemp(dir) != NULL);
	n = names_new_at(dir);
	expect_int(helper_start(n, &h, &root, 30000, take_changes), 0);
	expect_int((long long)helper_receive(n, &h, &reached, 1), 1);
	if (reached & 2)
		printf("# the kernel has no seccomp, or: %d\n", reached);
	expect_int(reached, 0);
	helper_send(&h, "", 1);
	helper_end(n, &h, true);
	/* What it has asked for is told here. */
	put_file(dir, "new/file", "");
	expect(read(watch_inotify(n->watch), event, sizeof(event)) > 0);
	unlinkat(n->root, "new/file", 0);
	unlinkat(n->root, "new", AT_REMOVEDIR);
	expect_int(rmdir(dir), 0);
	names_free(n);
}

/* What the host has, and whether who reads podman's files may. */
static const struct {
	const char *path;
	bool allowed;
} kept[] = {
	{"run/containers/storage/overlay-containers/a/userdata/pidfile", true},
	{"var/lib/containers/storage/overlay-containers/containers.json", true},
	{"var/lib/containers/storage/overlay/a/diff/etc/shadow", false},
	{"run/containers/auth.json", false},
	{"etc/shadow", false},
};

static bool opens(int dir, const char *path, int flags)
{
	int fd = openat(dir, path, flags | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Each bit is what is not as it should be. */
static void open_all(struct names *n, const struct owner *o)
{
	uint32_t wrong = 0;
	char byte;
	size_t i;

	(void)o;
	for (i = 0; i < ARRAY_SIZE(kept); i++)
		if (opens(n->root, kept[i].path, O_RDONLY) != kept[i].allowed)
			wrong |= 1u << i;
	wrong |= opens(AT_FDCWD, "/etc/shadow", O_RDONLY) ? 0x100 : 0;
	wrong |= opens(AT_FDCWD, "/etc/passwd", O_RDONLY) ? 0x200 : 0;
	wrong |= opens(AT_FDCWD, "/proc/1/environ", O_RDONLY) ? 0x400 : 0;
	wrong |= opens(AT_FDCWD, "/proc/self/mem", O_RDONLY) ? 0x800 : 0;
	wrong |= opens(n->root, ".", O_RDONLY | O_DIRECTORY) ? 0x1000 : 0;
	wrong |= opens(n->root, "etc/../etc/shadow", O_RDONLY) ? 0x2000 : 0;
	if (send(n->helper, &wrong, sizeof(wrong), 0) > 0 && recv(n->helper, &byte, 1, 0) >= 0)
		_exit(0);
}

/* Whoever is taken over by what these files say may read nothing else, be it root's. */
static void who_reads_podmans_files_opens_no_others(void)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	const struct owner root = {.places = storage_places};
	uint32_t wrong = 0xffffffff;
	struct helper h;
	struct names *n;
	size_t i;

	expect(mkdtemp(dir) != NULL);
	for (i = 0; i < ARRAY_SIZE(kept); i++)
		put_file(dir, kept[i].path, "1\n");
	n = names_new_at(dir);
	expect_int(helper_start(n, &h, &root, 30000, open_all), 0);
	expect_int((long long)helper_receive(n, &h, &wrong, sizeof(wrong)), sizeof(wrong));
	/* landlock_create_ruleset(2) tells its version. */
	if (syscall(444, NULL, 0, 1) < 0)
		printf("# the kernel has no Landlock, and did not refuse: %#x\n", wrong);
	else
		expect_int(wrong, 0);
	helper_send(&h, "", 1);
	helper_end(n, &h, true);
	names_free(n);
	remove_all(dir);
}

static char *status_of(pid_t pid, const char *key)
{
	char *path = xasprintf("/proc/%d/status", (int)pid), line[256], *value = NULL;
	FILE *f = fopen(path, "re");

	while (f && !value && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			value = xasprintf("%.*s", (int)strcspn(line, "\n"), line);
	if (f)
		fclose(f);
	free(path);
	return value ? value : xstrdup("none");
}

/* Who is called nobody: a service, or a container. */
static bool may_be_ended_by_nobody(pid_t pid)
{
	pid_t child = fork();
	int status = 0;

	if (!child)
		_exit(!setresuid(65534, 65534, 65534) && !kill(pid, 0));
	expect_int(waitpid(child, &status, 0), child);
	return status != 0;
}

static void who_understands_what_runtimes_wrote_is_nobody(void)
{
	const struct owner nobody = {
		.user = nobodys_id(), .group = nobodys_id(), .opens_nothing = true};
	struct names *n = names_new();
	char *seccomp, *uid, *caps, reached = -1;
	char *wanted = xasprintf("Uid:\t%u\t%u\t%u\t%u", nobody.user, nobody.user, nobody.user,
				 nobody.user);
	struct helper h;

	expect_int(helper_start(n, &h, &nobody, 30000, try_all), 0);
	expect_int((long long)helper_receive(n, &h, &reached, 1), 1);
	seccomp = status_of(h.pid, "Seccomp:");
	uid = status_of(h.pid, "Uid:");
	caps = status_of(h.pid, "CapPrm:");
	if (!strcmp(seccomp, "Seccomp:\t2"))
		expect_int(reached, 0);
	else
		printf("# the kernel has no seccomp\n");
	if (!geteuid()) {
		expect_text(uid, wanted);
		expect(!may_be_ended_by_nobody(h.pid));
	}
	expect_text(caps, "CapPrm:\t0000000000000000");
	helper_send(&h, "", 1);
	helper_end(n, &h, true);
	free(wanted);
	free(seccomp);
	free(uid);
	free(caps);
	names_free(n);
}

static void who_tells(void *ctx, const struct facts *f)
{
	pid_t *pid = ctx;

	(void)f;
	*pid = first_child(getpid());
	if (!geteuid())
		expect(!may_be_ended_by_nobody(*pid));
}

/* So that one that is taken over has no say in what others are called. */
static void each_text_is_understood_by_another(void)
{
	static const char text[] = "{\"id\":\"a\",\"init_process_pid\":1}";
	struct names *n = names_new();
	pid_t first = 0, next = 0;

	expect_int(facts_ask(n, FACTS_RUNC, text, strlen(text), "a", who_tells, &first), 0);
	expect_int(facts_ask(n, FACTS_RUNC, text, strlen(text), "b", who_tells, &next), 0);
	expect(first > 0 && next > 0 && first != next);
	expect_int(kill(first, 0), -1);
	facts_end(n);
	expect_int(waitpid(-1, NULL, WNOHANG), -1);
	names_free(n);
}

/* ---- a user who never rests ------------------------------------------------- */

#define FIRST_PID 2000

static void put_file(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f;

	make_dirs(path);
	f = fopen(path, "we");
	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(2);
	free(path);
}

static void put_process(const char *dir, int pid, unsigned int user)
{
	char *name = xasprintf("proc/%d/stat", pid);
	char *text = xasprintf("%d (a) S 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 5000 1 1\n", pid);
	char *link = xasprintf("%s/proc/%d/ns/pid", dir, pid);

	put_file(dir, name, text);
	free(name);
	free(text);
	name = xasprintf("proc/%d/cgroup", pid);
	text = xasprintf("0::/user.slice/user-%u.slice/session.scope\n", user);
	put_file(dir, name, text);
	free(name);
	free(text);
	name = xasprintf("proc/%d/status", pid);
	text = xasprintf("Name:\ta\nUid:\t%u\t%u\t%u\t%u\n", user, user, user, user);
	put_file(dir, name, text);
	free(name);
	free(text);
	make_dirs(link);
	if (symlink("pid:[4026532999]", link))
		exit(2);
	free(link);
}

static char *place_of_container(const char *dir, unsigned int user, int nr, unsigned int round)
{
	return xasprintf("%s/run/user/%u/containers/overlay-containers/%064x", dir, user,
			 round * 1000 + (unsigned int)nr);
}

static void put_container(const char *dir, unsigned int user, int nr)
{
	char *place = place_of_container(dir, user, nr, 0), *pid = xasprintf("%d", FIRST_PID + nr);

	put_process(dir, FIRST_PID + nr, user);
	put_file(place, "userdata/pidfile", pid);
	free(place);
	free(pid);
}

static void put_user(const char *dir, int nr)
{
	int i;

	put_file(dir, "etc/passwd", "somebody:x:1000:1000::/home/somebody:/bin/sh\n");
	put_file(dir, "home/somebody/.local/share/containers/storage/overlay-containers/x", "");
	for (i = 0; i < nr; i++)
		put_container(dir, 1000, i);
}

static void rename_all(const char *dir, int nr, unsigned int round)
{
	int i;

	for (i = 0; i < nr; i++) {
		char *from = place_of_container(dir, 1000, i, round - 1);
		char *to = place_of_container(dir, 1000, i, round);

		expect_int(rename(from, to), 0);
		free(from);
		free(to);
	}
}

static void count_line(void *ctx, const char *line)
{
	(void)line;
	++*(unsigned int *)ctx;
}

/* Each scan finds all of them under new ids. Returns how many lines were told. */
static unsigned int scan_renamed(int nr, unsigned int rounds, size_t *remembered)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	unsigned int lines = 0, round;
	struct names *n;
	size_t i;

	expect(mkdtemp(dir) != NULL);
	chmod(dir, 0755);
	put_user(dir, nr);
	n = names_new_at(dir);
	for (round = 1; round <= rounds; round++) {
		/* Who takes long because the machine is busy does not rest here. */
		for (i = 0; i < n->nr_users; i++)
			n->users[i].rests = 0;
		names_scan(n, count_line, &lines);
		rename_all(dir, nr, round);
	}
	*remembered = n->nr_told;
	names_free(n);
	remove_all(dir);
	return lines;
}

static void what_was_told_of_a_process_is_remembered_once(void)
{
	size_t remembered;

	expect_int(scan_renamed(3, 20, &remembered), 60);
	expect_int((long long)remembered, 3);
}

/* His files name other processes each time, and all of them live on. */
static void of_a_user_not_all_is_remembered(void)
{
	char dir[] = "/tmp/test-names-XXXXXX", *command;
	struct names *n;
	unsigned int lines = 0, round, i;

	expect(mkdtemp(dir) != NULL);
	chmod(dir, 0755);
	put_user(dir, 0);
	n = names_new_at(dir);
	for (round = 0; round < 6; round++) {
		for (i = 0; i < 200; i++)
			put_container(dir, 1000, (int)(round * 200 + i));
		for (i = 0; i < n->nr_users; i++)
			n->users[i].rests = n->users[i].told = 0;
		names_scan(n, count_line, &lines);
		for (i = 0; i < 200; i++) {
			char *place = place_of_container(dir, 1000, (int)(round * 200 + i), 0);

			command = xasprintf("%s/userdata/pidfile", place);
			expect_int(unlink(command), 0);
			free(command);
			free(place);
		}
	}
	expect_int(lines, 1200);
	expect(n->nr_told >= 200 && n->nr_told <= 512);
	names_free(n);
	remove_all(dir);
}

static void a_user_does_not_fill_the_trace(void)
{
	unsigned int lines;
	size_t remembered;

	lines = scan_renamed(200, 6, &remembered);
	expect(lines >= 200 && lines <= 512);
}

/* Which he may have systemd-machined register. */
static void nor_with_machines(void)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	unsigned int lines = 0, round, i;
	uint64_t began = now_ms();
	struct names *n;

	expect(mkdtemp(dir) != NULL);
	chmod(dir, 0755);
	put_file(dir, "etc/passwd", "");
	n = names_new_at(dir);
	for (round = 0; round < 4; round++) {
		for (i = 0; i < 200; i++) {
			char *file = xasprintf("run/systemd/machines/%u", i), *text;

			text = xasprintf("NAME=%u-%u\nCLASS=container\nLEADER=%u\nUID=1000\n",
					 round, i, FIRST_PID + i);
			put_file(dir, file, text);
			if (!round)
				put_process(dir, FIRST_PID + (int)i, 1000);
			free(file);
			free(text);
		}
		names_scan(n, count_line, &lines);
	}
	/* In the next minute there are others. */
	expect(lines == 512 || now_ms() > began + 60000);
	names_free(n);
	remove_all(dir);
}

static void users_have_their_turns(void)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	unsigned int lines[4] = {0}, i;
	struct names *n;

	expect(mkdtemp(dir) != NULL);
	chmod(dir, 0755);
	put_file(dir, "etc/passwd", "");
	for (i = 0; i < 70; i++)
		put_container(dir, 1000 + i, (int)i);
	n = names_new_at(dir);
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		usleep(i ? 300000 : 0);
		names_scan(n, count_line, &lines[i]);
	}
	expect_int(lines[0], 32);
	expect_int(lines[1], 32);
	expect_int(lines[2], 6);
	expect_int(lines[3], 0);
	names_free(n);
	remove_all(dir);
}

/* ---- what is told again ----------------------------------------------------- */

struct repeated {
	size_t lines[2]; /* of each user */
	size_t bytes;	 /* of users' */
	unsigned int roots, behind_roots;
};

static void take_repeated(void *ctx, const char *line)
{
	struct repeated *r = ctx;

	r->behind_roots += r->roots && *line != 'r';
	r->roots += *line == 'r';
	if (*line == 'r')
		return;
	r->lines[*line - '0']++;
	r->bytes += strlen(line);
}

/* @whose: r: root, 0 and 1: users. */
static void add_told(struct names *n, const char *dir, char whose)
{
	int pid = FIRST_PID + (int)n->nr_told;
	unsigned int user = whose == 'r' ? 0 : 1000 + (unsigned int)(whose - '0');
	char *line = xcalloc(NAMES_LINE_MAX + 1, 1);

	put_process(dir, pid, user);
	memset(line, 'x', NAMES_LINE_MAX);
	*line = whose;
	n->told = grow(n->told, n->nr_told, &n->cap_told, sizeof(*n->told));
	n->told[n->nr_told++] =
		(struct told){.user = user, .init = pid, .start = 5000, .line = line};
}

/* A flight recorder's buffer of names has 256 KiB: as much as that user has to tell. */
static void a_user_pushes_out_no_other_names(void)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	struct repeated r = {0};
	struct names *n;
	int i;

	expect(mkdtemp(dir) != NULL);
	n = names_new_at(dir);
	add_told(n, dir, 'r');
	for (i = 0; i < 256; i++)
		add_told(n, dir, '0');
	add_told(n, dir, '1');
	add_told(n, dir, '1');
	names_repeat(n, 32768, take_repeated, &r);
	expect_int(r.roots, 1);
	expect_int(r.behind_roots, 0);
	expect_int((long long)r.lines[1], 2);
	expect(r.lines[0] > 20 && r.bytes <= 32768);
	names_free(n);
	remove_all(dir);
}

/* All that were told again, in their first two bytes: whose, and which of these. */
static void take_which(void *ctx, const char *line)
{
	bool *was = ctx;

	was[(*line - '0') * 128 + line[1]] = true;
}

/* What there is no room for is told the next time, as by a recording that others watch. */
static void what_is_not_told_again_is_so_later(void)
{
	char dir[] = "/tmp/test-names-XXXXXX";
	bool was[2 * 128] = {false};
	struct names *n;
	int i, nr = 0;

	expect(mkdtemp(dir) != NULL);
	n = names_new_at(dir);
	for (i = 0; i < 64; i++) {
		add_told(n, dir, i < 60 ? '0' : '1');
		n->told[i].line[1] = (char)(i + 1);
	}
	for (i = 0; i < 4; i++)
		names_repeat(n, 20480, take_which, was);
	for (i = 0; i < 2 * 128; i++)
		nr += was[i];
	expect_int(nr, 64);
	names_free(n);
	remove_all(dir);
}

static void look_and_abort(void *names)
{
	names_abort(names);
}

/* Whoever waits for its own turn has it also where a runtime does not answer. */
static void who_looks_during_a_scan_has_his_turn(void)
{
	struct names *n = names_new();
	uint64_t began = now_ms();
	char *text;

	names_look(n, look_and_abort, n);
	text = shell(n, "sleep 60; :", 60000);
	expect(was_soon(began));
	expect(!text);
	names_free(n);
}

/* Each is said once; so many are kept to know that, and then nothing more is said. */
static void a_user_does_not_use_up_all_notes(void)
{
	struct names *n = names_new_at("/nowhere");
	/* That a runtime's file is too large, and that seccomp is missing. */
	static const uint32_t whats[] = {0, 3};
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
	struct note_message m = {0};
	unsigned int i, k;
	size_t before;

	dup2(null, STDERR_FILENO);
	for (i = 0; i < ARRAY_SIZE(whats); i++)
		for (k = 0; k < 1000; k++) {
			m.what = whats[i];
			snprintf(m.value, sizeof(m.value), "%u", k);
			names_note_sent(n, &m, 1000);
		}
	before = n->nr_noted;
	names_note_sent(n, &m, 1001);
	m.what = 0;
	names_note_sent(n, &m, 1001);
	names_note_sent(n, &m, 0);
	names_note(n, "Something else is wrong.", "file", "x");
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(null);
	expect_int((long long)before, 16);
	expect_int((long long)n->nr_noted, 19);
	names_free(n);
}

static unsigned int count_watched(const struct watch *w)
{
	char *path = xasprintf("/proc/self/fdinfo/%d", watch_inotify(w)), line[512];
	FILE *f = fopen(path, "re");
	unsigned int nr = 0;

	while (f && fgets(line, sizeof(line), f))
		nr += !strncmp(line, "inotify ", 8);
	if (f)
		fclose(f);
	free(path);
	return nr;
}

/* Who moves his directories away, and makes others, again and again. */
static void what_is_gone_is_not_watched_for_ever(void)
{
	char dir[] = "/tmp/names.XXXXXX", *command, event[4096];
	struct watch *w = watch_new();
	struct names *n;
	int i;

	expect(mkdtemp(dir) != NULL);
	n = names_new_at(dir);
	watch_end(w, false);
	for (i = 0; i < 5000; i++) {
		char *path = xasprintf("%s/%d", dir, i);
		int fd;

		if (mkdir(path, 0700) || (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
			exit(2);
		watch_dir(w, fd);
		close(fd);
		free(path);
	}
	watch_begin(w);
	expect(count_watched(w) < 5000);
	/* All that is watched by then is to be watched anew, and changes are seen again. */
	expect(watch_changed(w));
	watch_dir(w, n->root);
	watch_end(w, false);
	watch_begin(w);
	watch_end(w, false);
	expect_int((long long)count_watched(w), 1);
	command = xasprintf("%s/new", dir);
	expect_int(mkdir(command, 0700), 0);
	free(command);
	expect(read(watch_inotify(w), event, sizeof(event)) > 0);
	remove_all(dir);
	names_free(n);
	watch_free(w);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"what is gone is not watched for ever", what_is_gone_is_not_watched_for_ever},
		{"a user does not use up all notes", a_user_does_not_use_up_all_notes},
		{"what a program writes is read", what_a_program_writes_is_read},
		{"a program that hangs is killed", a_program_that_hangs_is_killed},
		{"one that has said all, and stays, is killed",
		 one_that_has_said_all_and_stays_is_killed},
		{"one that does not cease to write is killed", one_that_does_not_cease_is_killed},
		{"an aborted scan kills its program", an_aborted_scan_kills_its_program},
		{"an aborted scan kills who reads for it", an_aborted_scan_kills_who_reads},
		{"who reads one file opens no other", who_reads_one_file_opens_no_other},
		{"what was told of a process is remembered once",
		 what_was_told_of_a_process_is_remembered_once},
		{"of a user's many processes some are remembered", of_a_user_not_all_is_remembered},
		{"a user does not fill the trace with names", a_user_does_not_fill_the_trace},
		{"nor with machines", nor_with_machines},
		{"a user pushes out no other names", a_user_pushes_out_no_other_names},
		{"what is not told again is so later", what_is_not_told_again_is_so_later},
		{"who looks during a scan has his turn", who_looks_during_a_scan_has_his_turn},
		{"of many users some are looked at in each scan", users_have_their_turns},
		{"who understands what runtimes wrote is nobody, and opens nothing",
		 who_understands_what_runtimes_wrote_is_nobody},
		{"each text of a runtime is understood by another process",
		 each_text_is_understood_by_another},
		{"who reads files takes away no changes", who_reads_files_takes_no_changes},
		{"who reads a trace as root changes nothing",
		 who_reads_a_trace_as_root_changes_nothing},
		{"who reads podman's files opens no others",
		 who_reads_podmans_files_opens_no_others},
		{"who reads root's files signals nobody", who_reads_roots_files_signals_nobody},
		{0},
	};

	return tap_run(tests);
}
