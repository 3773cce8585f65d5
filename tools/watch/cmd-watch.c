/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/command.h"
#include "base/text.h"
#include "base/util.h"
#include "watch.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers watch --when CONDITION... [OPTIONS]\n\n"
	      "A flight recorder that fires by itself: keeps in memory what the kernel's "
	      "scheduler\n"
	      "and containers do, and when a task has waited too long for a CPU, writes what was\n"
	      "before, and beside it what lttng-containers why says of the last seconds. Until\n"
	      "Ctrl-C. Starts lttng-sessiond if none runs. Needs root.\n\n"
	      "CONDITION is 'delay > DURATION in WHOM': DURATION as 20ms (ns, us, ms, s); WHOM is "
	      "a\n"
	      "container's name or id, the inode of a PID namespace, the path of a cgroup, host, "
	      "or\n"
	      "any, which is any container, as it is without \"in\".\n\n"
	      "Options:\n"
	      "  --when CONDITION   may be given several times\n"
	      "  -o, --output DIR   where snapshots are written (./lttng-containers-watch)\n"
	      "  --keep N           of more snapshots the oldest are deleted (20); 0: none is\n"
	      "  --max-size SIZE    the same when they take more bytes; K, M or G may follow\n"
	      "  --every S          the least time from one snapshot to the next, seconds (10)\n"
	      "  --check            say how the conditions are understood, and end\n"
	      "  -h, --help         show this\n\n"
	      "Exit status: 0 watched until it was told to end; 2 bad usage, or it could not "
	      "begin.\n\n"
	      "Example: sudo lttng-containers watch --when 'delay > 20ms in web' -o "
	      "/var/tmp/late\n",
	      out);
}

static int add_condition(struct watch_options *o)
{
	o->conditions = grow(o->conditions, o->nr, &o->cap, sizeof(*o->conditions));
	return condition_parse(&o->conditions[o->nr], optarg) ? -1 : (o->nr++, 0);
}

static int parse_size(struct watch_options *o)
{
	static const char units[] = "KMG";
	char *text = xstrdup(optarg);
	size_t len = strlen(text);
	const char *unit = len ? strchr(units, text[len - 1]) : NULL;
	int result;

	if (unit)
		text[len - 1] = '\0';
	result = number_option("The size cannot be understood; give bytes, as 500M or 2G.",
			       "max-size", *text ? text : optarg, 1, UINT64_MAX >> 31,
			       &o->max_bytes);
	free(text);
	if (unit)
		o->max_bytes <<= 10 * (unit - units + 1);
	return result;
}

static int parse_every(struct watch_options *o)
{
	uint64_t seconds;

	if (number_option("The time between snapshots cannot be understood; give seconds, 1 or"
			  " more.",
			  "every", optarg, 1, 86400, &seconds))
		return -1;
	o->every_ns = seconds * NS_PER_SEC;
	return 0;
}

static int parse_option(void *args, int c)
{
	struct watch_options *o = args;

	switch (c) {
	case 'w':
		return add_condition(o);
	case 'o':
		o->dir = optarg;
		return *optarg ? 0 : argument_error("The directory's name is empty.", "output", "");
	case 'k':
		return number_option("How many snapshots to keep cannot be understood; give a"
				     " number, or 0 for all.",
				     "keep", optarg, 0, UINT32_MAX, &o->keep);
	case 'm':
		return parse_size(o);
	case 'e':
		return parse_every(o);
	case 'c':
		o->check = true;
		break;
	case 'h':
		o->help = true;
		break;
	}
	return 0;
}

static int parse(struct watch_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{"when", required_argument, NULL, 'w'},	 {"output", required_argument, NULL, 'o'},
		{"keep", required_argument, NULL, 'k'},	 {"max-size", required_argument, NULL, 'm'},
		{"every", required_argument, NULL, 'e'}, {"check", no_argument, NULL, 'c'},
		{"help", no_argument, NULL, 'h'},	 {0},
	};

	if (options_parse(argc, argv, ":ho:", options, parse_option, o))
		return -1;
	if (o->help)
		return 0;
	if (optind < argc)
		return argument_error("The command takes no such argument; a condition with blanks"
				      " is quoted.",
				      "argument", argv[optind]);
	if (!o->nr)
		return error("What to watch for is missing: --when 'delay > 20ms in web'.");
	return 0;
}

static void show_conditions(const struct watch_options *o)
{
	size_t i;

	for (i = 0; i < o->nr; i++) {
		char *text = condition_describe(&o->conditions[i]);

		printf("a snapshot when %s\n", text);
		free(text);
	}
}

static int run(const struct watch_options *o)
{
	struct record_options record = {
		.dir = o->dir, .snapshot = true, .why = true, .watch = true};
	struct recording *r;
	int status = EXIT_TROUBLE;

	if (geteuid())
		return error("Watching needs root, whose it is to say how long is too long; run it"
			     " with sudo. uid=%u",
			     (unsigned int)geteuid()),
		       EXIT_TROUBLE;
	r = guard_share(sizeof(*r));
	if (!r)
		return EXIT_TROUBLE;
	*r = (struct recording){.opt = &record,
				.signals.fd = -1,
				.signals.end = -1,
				.daemon.log = -1,
				.output = OUTPUT_NONE};
	if (!host_check() && !session_size(&record, &r->session.buffers) && !modules_check()) {
		if (!signals_open(&r->signals))
			status = watch_run(r, o);
		signals_close(&r->signals);
		output_close(&r->output);
	}
	munmap(r, sizeof(*r));
	return status;
}

int cmd_watch(int argc, char **argv)
{
	struct watch_options o = {
		.dir = "lttng-containers-watch", .keep = 20, .every_ns = 10 * NS_PER_SEC};
	int status = EXIT_FINE;
	size_t i;

	if (parse(&o, argc, argv))
		status = usage_error("watch");
	else if (o.help)
		help(stdout);
	else if (o.check)
		show_conditions(&o);
	else
		status = run(&o);
	for (i = 0; i < o.nr; i++)
		condition_free(&o.conditions[i]);
	free(o.conditions);
	return status;
}
