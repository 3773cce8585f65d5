/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "base/command.h"
#include "base/descriptors.h"
#include "trace/reader.h"
#include "base/suggest.h"
#include "base/util.h"
#include "version.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *text;
} commands[] = {
	{"record", cmd_record, "record what containers do"},
	{"check", cmd_check, "is the trace consistent; does it agree with /proc"},
	{"cpu", cmd_cpu, "CPU time of containers, namespaces, cgroups or tasks"},
	{"delays", cmd_delays, "who waited for a CPU, for how long, and who had it"},
	{"flame", cmd_flame, "on-CPU flame graphs: where the time goes in the code"},
	{"map", cmd_map, "which thread of which container a thread id is, and the reverse"},
	{"names", cmd_names, "the containers that this host runs now, as their runtimes name them"},
	{"enrich", cmd_enrich, "a copy of the trace whose every event names its container"},
	{"syscalls", cmd_syscalls, "system calls by container and task: counts, errors, times"},
	{"tree", cmd_tree, "PID namespaces, their nesting, and tasks with all their ids"},
	{"wakeups", cmd_wakeups, "who wakes whom across containers"},
	{"why", cmd_why, "what the time of containers went by for, and who is to blame"},
	{"compare", cmd_compare, "what changed from one recording to another, beyond noise"},
	{"export", cmd_export, "tables for databases: CSV, JSON Lines, SQLite"},
	{"metrics", cmd_metrics, "what Prometheus reads: of traces, or while it is recorded"},
	{"timeline", cmd_timeline, "CPUs, containers and tasks over time, as a page to zoom in"},
	{"watch", cmd_watch, "a flight recorder that fires when a container waits too long"},
};

static void help(FILE *out)
{
	size_t i;

	fputs("Usage: lttng-containers COMMAND [OPTIONS] [TRACE...]\n\n"
	      "Records kernel traces with LTTng, and answers questions about containers from "
	      "them.\n\n"
	      "Commands:\n",
	      out);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].text);
	fputs("\nA TRACE is a directory that lttng wrote, or one above it.\n"
	      "Each command has --help, with an example; help COMMAND shows the same.\n\n"
	      "Options, before the command:\n"
	      "  --reader R     who reads traces: either, the one used unless told, which is\n"
	      "                 native, the program's own, and babeltrace for what that does not\n"
	      "                 know; native alone; or babeltrace, libbabeltrace2, much slower\n"
	      "  -h, --help     show this\n"
	      "  -V, --version  show the version\n\n"
	      "Exit status: 0 done, and nothing wrong; 1 check found violations;\n"
	      "2 bad usage, or input that cannot be read or used.\n\n"
	      "Example: lttng-containers tree ~/lttng-traces/my-session\n",
	      out);
}

static int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		error("Standard output cannot be written.");
		return EXIT_TROUBLE;
	}
	return status;
}

static const struct command *find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	return NULL;
}

static int unknown(const char *name)
{
	struct suggestion s = {.typed = name};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		suggest_offer(&s, commands[i].name);
	suggest_offer(&s, "help");
	unknown_word("There is no such command", "command", name, s.best);
	return usage_error("");
}

/* help COMMAND is COMMAND --help. */
static int help_of(char *name)
{
	char option[] = "--help", *args[] = {name, option, NULL};
	const struct command *c = find(name);

	return c ? c->run(2, args) : unknown(name);
}

/* Takes --reader from the front. Returns 0, or -1 after an error was printed. */
static int choose_reader(int *argc, char ***argv)
{
	static const char option[] = "--reader";
	const size_t len = sizeof(option) - 1;
	const char *arg = *argc > 1 ? (*argv)[1] : "", *name;
	int used = 1;

	if (strncmp(arg, option, len) || (arg[len] && arg[len] != '='))
		return 0;
	name = arg[len] ? arg + len + 1 : (*argv)[++used];
	if (!name)
		return argument_error("The option needs a value.", "option", option);
	if (!strcmp(name, "native"))
		reader_choose(READER_NATIVE);
	else if (!strcmp(name, "either"))
		reader_choose(READER_EITHER);
	else if (!strcmp(name, "babeltrace"))
		reader_choose(READER_BABELTRACE);
	else
		return argument_error("There is no such reader; readers=babeltrace,native,either",
				      "reader", name);
	*argc -= used;
	*argv += used;
	return 0;
}

int main(int argc, char **argv)
{
	const struct command *c;

	size_limit_ignore();
	if (standard_files_open())
		return EXIT_TROUBLE;
	if (choose_reader(&argc, &argv))
		return usage_error("");
	if (argc < 2) {
		error("A command is missing.");
		return usage_error("");
	}
	if (!strcmp(argv[1], "help") && argc > 2)
		return finish(help_of(argv[2]));
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		help(stdout);
		return finish(EXIT_FINE);
	}
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version")) {
		printf("lttng-containers %s\n", LC_VERSION);
		return finish(EXIT_FINE);
	}
	c = find(argv[1]);
	if (c && descriptors_need(DESCRIPTORS_OF_COMMAND))
		return EXIT_TROUBLE;
	if (c)
		return finish(c->run(argc - 1, argv + 1));
	if (argv[1][0] != '-')
		return unknown(argv[1]);
	argument_error("There is no such option.", "option", argv[1]);
	return usage_error("");
}
