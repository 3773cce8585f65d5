/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lttng/lttng.h>

#include "record.h"
#include "base/text.h"
#include "base/util.h"

/* For how long modules may be in use after the end of what used them. */
#define UNLOAD_LIMIT_NS (3 * NS_PER_SEC)

extern char **environ;

/*
 * Each module of ours has a read-only parameter `containers`, which the kernel
 * shows of the module that is loaded, whatever may lie on the disk by now. A
 * distribution's module of the same name has none.
 */
static const struct module {
	const char *name;
	const char *lacks; /* what a trace has not without it; NULL: it must be there */
	enum with { ALWAYS, WITH_WHY, WITH_STACKS, WITH_WATCH } with;
} modules[] = {
	{"lttng-statedump", NULL, ALWAYS},
	{"lttng-probe-statedump", NULL, ALWAYS},
	{"lttng-probe-sched", NULL, ALWAYS},
	{"lttng-probe-cgroup", "moves between cgroups", ALWAYS},
	{"lttng-probe-namespace", "changes of namespaces as they happen", ALWAYS},
	{"lttng-probe-throttle", "when a quota keeps containers off the CPUs", ALWAYS},
	{"lttng-probe-charge", "whose pages kworkers write to disks", WITH_WHY},
	{"lttng-probe-contention", "waits for locks of the kernel", WITH_WHY},
	{"lttng-probe-profile", NULL, WITH_STACKS},
	{"lttng-probe-watch", NULL, WITH_WATCH},
};

enum state { ABSENT, FOREIGN, OURS };

static enum state state_of(const struct module *m)
{
	char path[128];
	char *dash;

	snprintf(path, sizeof(path), "/sys/module/%s", m->name);
	for (dash = path; (dash = strchr(dash, '-'));)
		*dash = '_';
	if (access(path, F_OK))
		return ABSENT;
	strncat(path, "/parameters/containers", sizeof(path) - strlen(path) - 1);
	return access(path, F_OK) ? FOREIGN : OURS;
}

/* Runs modprobe, silently: what counts is what is loaded afterwards. */
static void modprobe(const char *option, const char *name)
{
	char *argv[] = {"modprobe", (char *)option, (char *)name, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	pid_t pid;

	helper_attributes(&attr);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (!posix_spawnp(&pid, "modprobe", &files, &attr, argv, environ) ||
	    !posix_spawn(&pid, "/sbin/modprobe", &files, &attr, argv, environ))
		waitpid(pid, NULL, 0);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
}

/*
 * Whether all that is loaded is an lttng-modules that has our events of its own, by
 * the patches in patches/: none is ours, and the state dump tells of cgroups.
 */
static bool has_our_patches(void)
{
	static const char name[] = " __event_probe__lttng_statedump_process_cgroup\t";
	char line[1024];
	bool found = false;
	FILE *symbols;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modules); i++)
		if (state_of(&modules[i]) == OURS)
			return false;
	symbols = fopen("/proc/kallsyms", "re");
	while (symbols && !found && fgets(line, sizeof(line), symbols))
		found = strstr(line, name);
	if (symbols)
		fclose(symbols);
	return found;
}

int modules_check(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modules) && state_of(&modules[i]) != FOREIGN; i++)
		;
	if (i == ARRAY_SIZE(modules) || has_our_patches())
		return 0;
	return error("A kernel module that is loaded is not this project's, and"
		     " does not tell what lttng-containers needs; sudo make"
		     " modules_install, then stop lttng-sessiond and unload lttng's"
		     " modules (sudo modprobe -r %s), or reboot. module=%s",
		     modules[i].name, modules[i].name);
}

static int missing(const struct module *m)
{
	if (m->lacks) {
		note("A kernel module is not loaded; the trace will lack %s. module=%s", m->lacks,
		     m->name);
		return 0;
	}
	return error("A kernel module is not loaded; install it (sudo make modules_install), and"
		     " run this as root once, or: sudo modprobe %s module=%s",
		     m->name, m->name);
}

/* A file that switches off what namespace events come from, or NULL: they are on. */
static const char *switched_off(void)
{
	static const char *const files[] = {
		"/proc/sys/kernel/ftrace_enabled",
		"/sys/kernel/debug/kprobes/enabled",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		FILE *file = fopen(files[i], "re");
		int value = file ? fgetc(file) : EOF;

		if (file)
			fclose(file);
		if (value == '0')
			return files[i];
	}
	return NULL;
}

/*
 * Sets how often lttng-profile looks at each CPU; it does so while a session has the event. A user
 * who is not root takes what root has chosen.
 */
static int sample_at(unsigned int hz)
{
	static const char path[] = "/sys/module/lttng_profile/parameters/frequency";
	FILE *file = fopen(path, "re");
	unsigned int now = 0;
	bool known = file && fscanf(file, "%u", &now) == 1;

	if (file)
		fclose(file);
	if (known && now == hz)
		return 0;
	file = fopen(path, "we");
	if (!file)
		return error("How often CPUs are sampled cannot be set: as root, echo %u | sudo tee"
			     " %s now=%u reason=%s",
			     hz, path, now, strerror(errno));
	fprintf(file, "%u", hz);
	return fclose(file) ? error("How often CPUs are sampled cannot be set. hz=%u reason=%s", hz,
				    strerror(errno))
			    : 0;
}

static bool is_wanted(const struct module *m, const struct record_options *opt)
{
	switch (m->with) {
	case WITH_WHY:
		return opt->why;
	case WITH_STACKS:
		return opt->stacks_hz;
	case WITH_WATCH:
		return opt->watch;
	default:
		return true;
	}
}

int modules_load(struct modules *m, const struct record_options *opt)
{
	const char *off = switched_off();
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modules); i++) {
		if (state_of(&modules[i]) != ABSENT || !is_wanted(&modules[i], opt))
			continue;
		if (!geteuid())
			modprobe("-q", modules[i].name);
		if (state_of(&modules[i]) != ABSENT)
			m->loaded |= 1u << i;
		else if (missing(&modules[i]))
			return -1;
	}
	if (off)
		note("Function probes are switched off; the trace will lack %s: echo 1 | sudo tee"
		     " %s file=%s",
		     modules[4].lacks, off, off);
	return modules_check() || (opt->stacks_hz && sample_at(opt->stacks_hz)) ? -1 : 0;
}

bool modules_are_switched_off(void)
{
	return switched_off();
}

bool modules_follow_moves(void)
{
	return state_of(&modules[3]) != ABSENT && state_of(&modules[4]) != ABSENT &&
	       !switched_off();
}

/* The name of the next module of LTTng's in a list as /proc/modules; false: there is none. */
static bool next_module(FILE *list, char name[MODULE_NAME_SIZE])
{
	char line[4096];

	while (fgets(line, sizeof(line), list))
		if (!strncmp(line, "lttng_", 6) && sscanf(line, "%63s", name) == 1)
			return true;
	return false;
}

void modules_remember(struct modules *m)
{
	char name[MODULE_NAME_SIZE];
	FILE *list = fopen("/proc/modules", "re");

	m->n_before = 0;
	while (list && m->n_before < ARRAY_SIZE(m->before) && next_module(list, name))
		memcpy(m->before[m->n_before++], name, sizeof(name));
	/* Too many to remember: none is taken for new. */
	m->remembered = list && !next_module(list, name);
	if (list)
		fclose(list);
}

static bool was_before(const struct modules *m, const char *name)
{
	size_t i;

	for (i = 0; i < m->n_before; i++)
		if (!strcmp(m->before[i], name))
			return true;
	return false;
}

/* Removes what nothing uses of what is new; whether something was removed. */
static bool remove_new(const struct modules *m)
{
	char name[MODULE_NAME_SIZE];
	FILE *list = fopen("/proc/modules", "re");
	bool removed = false;

	while (list && next_module(list, name))
		if (!was_before(m, name) && !syscall(SYS_delete_module, name, O_NONBLOCK))
			removed = true;
	if (list)
		fclose(list);
	return removed;
}

/* A session that was removed a moment ago may still be on its way out of the kernel. */
static void unload_one(const struct module *m, uint64_t until)
{
	for (;;) {
		modprobe("-rq", m->name);
		if (state_of(m) == ABSENT || now_ns() >= until)
			return;
		sleep_ms(50);
	}
}

void modules_unload(struct modules *m, bool daemons_too)
{
	uint64_t until = now_ns() + UNLOAD_LIMIT_NS;
	size_t i;

	for (i = ARRAY_SIZE(modules); i-- > 0;)
		if (m->loaded & 1u << i)
			unload_one(&modules[i], until);
	m->loaded = 0;
	/* A session daemon removes what it has loaded, if it ends in good order. */
	if (daemons_too && m->remembered && lttng_session_daemon_alive() != 1)
		while (remove_new(m))
			;
}
