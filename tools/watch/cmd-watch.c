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
	fputs("Usage: lttng-containers watch --when CONDITION... [OPTIONS]\n"
	      "       lttng-containers watch --config FILE [-o DIR] [--check]\n\n"
	      "A flight recorder that fires by itself: keeps in memory what the kernel's "
	      "scheduler\n"
	      "and containers do, and when a condition is met, writes what was before, and beside\n"
	      "it what lttng-containers why says of the last seconds. Until Ctrl-C. Starts\n"
	      "lttng-sessiond if none runs. Needs root.\n\n"
	      "CONDITION is one of\n"
	      "  delay > DURATION in WHOM             a task waited longer for a CPU\n"
	      "  blocked > DURATION in WHOM           a task slept longer uninterruptibly (ps: D), "
	      "as\n"
	      "                                       for a disk\n"
	      "  throttled > DURATION/PERIOD in WHOM  quotas kept it from CPUs for longer\n"
	      "DURATION and PERIOD are as 20ms (ns, us, ms, s); WHOM is a container's name or id, "
	      "the\n"
	      "inode of a PID namespace, the path of a cgroup, host, or any, which is any "
	      "container, as\n"
	      "it is without \"in\".\n\n"
	      "Options:\n"
	      "  --when CONDITION   may be given several times\n"
	      "  -o, --output DIR   where snapshots are written (./lttng-containers-watch)\n"
	      "  --keep N           of more snapshots (20) the oldest one of the container that\n"
	      "                     has most is deleted; 0: none is\n"
	      "  --max-size SIZE    the same when they take more bytes; K, M or G may follow\n"
	      "  --every S          the least time from one snapshot to the next, seconds (10)\n"
	      "  --config FILE      the same from a file, as \"when delay > 20ms in web\" on a "
	      "line; "
	      "it is\n"
	      "                     read again at SIGHUP\n"
	      "  --check            say how the conditions are understood, and end\n"
	      "  -h, --help         show this\n\n"
	      "Exit status: 0 watched until it was told to end; 2 bad usage, or it could not "
	      "begin.\n\n"
	      "Example: sudo lttng-containers watch --when 'delay > 20ms in web' -o "
	      "/var/tmp/late\n",
	      out);
}

static int take(struct watch_options *o, const char *name)
{
	o->given = true;
	return settings_take(&o->settings, name, optarg);
}

static int parse_option(void *args, int c)
{
	struct watch_options *o = args;

	switch (c) {
	case 'w':
		return take(o, "when");
	case 'o':
		o->dir = optarg;
		return *optarg ? 0 : argument_error("The directory's name is empty.", "output", "");
	case 'k':
		return take(o, "keep");
	case 'm':
		return take(o, "max-size");
	case 'e':
		return take(o, "every");
	case 'f':
		o->config = optarg;
		break;
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
		{"when", required_argument, NULL, 'w'},
		{"output", required_argument, NULL, 'o'},
		{"keep", required_argument, NULL, 'k'},
		{"max-size", required_argument, NULL, 'm'},
		{"every", required_argument, NULL, 'e'},
		{"config", required_argument, NULL, 'f'},
		{"check", no_argument, NULL, 'c'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	if (options_parse(argc, argv, ":ho:", options, parse_option, o))
		return -1;
	if (o->help)
		return 0;
	if (optind < argc)
		return argument_error("The command takes no such argument; a condition with blanks"
				      " is quoted.",
				      "argument", argv[optind]);
	if (o->config && o->given)
		return argument_error("What to watch for is given by options or by a file, not by"
				      " both.",
				      "config", o->config);
	if (o->config)
		return settings_read(&o->settings, o->config);
	if (!o->settings.nr)
		return error("What to watch for is missing: --when 'delay > 20ms in web'.");
	return 0;
}

static void show_conditions(const struct watch_options *o)
{
	size_t i;

	for (i = 0; i < o->settings.nr; i++) {
		char *text = condition_describe(&o->settings.conditions[i]);

		printf("a snapshot when %s\n", text);
		free(text);
	}
}

static int run(struct watch_options *o)
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
				.signals.rereads = o->config,
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
	struct watch_options o = {.dir = "lttng-containers-watch"};
	int status = EXIT_FINE;

	settings_begin(&o.settings);
	if (parse(&o, argc, argv))
		status = usage_error("watch");
	else if (o.help)
		help(stdout);
	else if (o.check)
		show_conditions(&o);
	else
		status = run(&o);
	settings_free(&o.settings);
	return status;
}
