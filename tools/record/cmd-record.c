/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <limits.h>
#include <lttng/lttng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/command.h"
#include "record.h"
#include "base/text.h"
#include "base/util.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers record [OPTIONS] [-- COMMAND...]\n\n"
	      "Records what the kernel's scheduler, containers, cgroups and namespaces do, until\n"
	      "Ctrl-C, or the end of --duration or of COMMAND. Starts lttng-sessiond if none "
	      "runs,\n"
	      "and ends it again. Needs root or the group tracing.\n\n"
	      "Options:\n"
	      "  -o, --output DIR    where to write; it must be empty, or not be there yet\n"
	      "                      (./lttng-containers-DATE-TIME)\n"
	      "  --net URL           send the trace to an lttng-relayd: net://HOST\n"
	      "  --live[=USEC]       with --net: let others watch (lttng-containers cpu --live); "
	      "it\n"
	      "                      is sent each USEC microseconds (1000000)\n"
	      "  --duration S        record that many seconds, as 10 or 0.5\n"
	      "  --snapshot          keep the latest in memory, and write it at the end and on\n"
	      "                      SIGUSR1\n"
	      "  --syscalls          record all system calls, too\n"
	      "  --why               what lttng-containers why tells apart, too: disks, memory,\n"
	      "                      signals, locks of the kernel\n"
	      "  --stacks[=HZ]       what each CPU does, HZ times a second (99), with the stacks "
	      "of\n"
	      "                      kernel and program\n"
	      "  --off-cpu           the stacks by which tasks begin to wait, too; with --stacks\n"
	      "                      and --why\n"
	      "  --wakeup            the stacks by which they are woken, too; with --off-cpu\n"
	      "  --subbuf-size SIZE  bytes of a sub-buffer, a power of 2; K and M may follow\n"
	      "  --num-subbuf N      sub-buffers of each CPU, a power of 2\n"
	      "  -h, --help          show this\n\n"
	      "Exit status: 0 recorded; 2 bad usage, nothing was recorded, or it was cut short.\n\n"
	      "Example: sudo lttng-containers record -o trace -- docker run --rm alpine true\n"
	      "         lttng-containers tree trace\n",
	      out);
}

static int parse_duration(struct record_options *o)
{
	if (strspn(optarg, "0123456789.") != strlen(optarg) ||
	    time_parse(optarg, 0, &o->duration_ns) || !o->duration_ns)
		return argument_error("The duration cannot be understood; give seconds, as 10 or"
				      " 0.5.",
				      "duration", optarg);
	return 0;
}

/* A power of 2, with a unit where one may follow. */
static int parse_size(const char *name, bool unit, uint64_t *value)
{
	char *end;
	unsigned long long n = strtoull(optarg, &end, 10);
	unsigned int shift = 0;

	if (unit && (*end == 'K' || *end == 'k'))
		shift = 10;
	else if (unit && *end == 'M')
		shift = 20;
	if (shift)
		end++;
	if (*optarg < '0' || *optarg > '9' || *end || !n || n > 1u << 30 || (n & (n - 1)))
		return argument_error(unit ? "The size must be a power of 2, as 512K or 1M."
					   : "The number must be a power of 2, as 16.",
				      name, optarg);
	*value = (uint64_t)n << shift;
	return 0;
}

static int parse_live(struct record_options *o)
{
	o->live_us = 1000000;
	return optarg ? number_option("How often to send cannot be understood; give microseconds"
				      " (1000 at least), as 500000.",
				      "live", optarg, 1000, 3600000000u, &o->live_us)
		      : 0;
}

/* Not a divisor of what else happens regularly. */
#define STACKS_HZ     99
#define MAX_STACKS_HZ 10000

static int parse_stacks(struct record_options *o)
{
	uint64_t hz = STACKS_HZ;

	if (optarg &&
	    number_option("How often to sample cannot be understood; give Hz, 1 to 10000.",
			  "stacks", optarg, 1, MAX_STACKS_HZ, &hz))
		return -1;
	o->stacks_hz = (unsigned int)hz;
	return 0;
}

static int parse_option(void *args, int c)
{
	struct record_options *o = args;

	switch (c) {
	case 'o':
		o->dir = optarg;
		return *optarg ? 0 : argument_error("The directory's name is empty.", "output", "");
	case 'n':
		o->net = optarg;
		if (!strncmp(optarg, "net://", 6) || !strncmp(optarg, "net6://", 7))
			return 0;
		return argument_error("The URL cannot be understood; give net://HOST or"
				      " net6://HOST.",
				      "net", optarg);
	case 'd':
		return parse_duration(o);
	case 'l':
		return parse_live(o);
	case 's':
		o->snapshot = true;
		break;
	case 'y':
		o->syscalls = true;
		break;
	case 'w':
		o->why = true;
		break;
	case 'S':
		return parse_stacks(o);
	case 'O':
		o->off_cpu = true;
		break;
	case 'W':
		o->wakeup = true;
		break;
	case 'b':
		return parse_size("subbuf-size", true, &o->subbuf_size);
	case 'N':
		return parse_size("num-subbuf", false, &o->num_subbuf);
	case 'h':
		o->help = true;
		break;
	}
	return 0;
}

static int parse(struct record_options *o, int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"net", required_argument, NULL, 'n'},
		{"duration", required_argument, NULL, 'd'},
		{"live", optional_argument, NULL, 'l'},
		{"snapshot", no_argument, NULL, 's'},
		{"syscalls", no_argument, NULL, 'y'},
		{"why", no_argument, NULL, 'w'},
		{"stacks", optional_argument, NULL, 'S'},
		{"off-cpu", no_argument, NULL, 'O'},
		{"wakeup", no_argument, NULL, 'W'},
		{"subbuf-size", required_argument, NULL, 'b'},
		{"num-subbuf", required_argument, NULL, 'N'},
		{"help", no_argument, NULL, 'h'},
		{0},
	};

	/* What follows the first word is the command's own. */
	if (options_parse(argc, argv, "+:ho:", options, parse_option, o))
		return -1;
	if (o->help)
		return 0;
	o->off_cpu = o->off_cpu || o->wakeup;
	/* A stack alone does not tell what it was that was waited for. */
	o->why = o->why || o->off_cpu;
	if (o->off_cpu && !o->stacks_hz)
		o->stacks_hz = STACKS_HZ;
	if (optind < argc && strcmp(argv[optind - 1], "--"))
		return argument_error("A command to record stands behind --.", "word",
				      argv[optind]);
	if (optind < argc)
		o->command = argv + optind;
	else if (!strcmp(argv[argc - 1], "--"))
		return error("The command behind -- is missing.");
	if (o->live_us && (!o->net || o->snapshot))
		return error(
			"A live recording goes to an lttng-relayd, and is no flight recorder's:"
			" --live needs --net, and cannot be with --snapshot.");
	if (o->dir && o->net)
		return error("A trace goes to a directory or to the network; give either --output"
			     " or --net.");
	return 0;
}

/* Nothing has been started yet, so nothing needs to be undone. */
static int check(struct record_options *o, struct recording *r)
{
	if (host_check() || (o->command && child_find(o->command[0])) ||
	    session_size(o, &r->session.buffers) || modules_check())
		return -1;
	return 0;
}

static int prepare_output(struct recording *r)
{
	if (r->opt->net)
		return 0;
	if (output_prepare(&r->output, r->opt->dir, false))
		return -1;
	if (output_free(&r->output) < 2 * r->session.buffers)
		return error("There is too little room where the trace would be; give another"
			     " directory, or make --subbuf-size smaller. free=%llu needed=%llu",
			     (unsigned long long)output_free(&r->output),
			     (unsigned long long)(2 * r->session.buffers));
	return 0;
}

/* For what comes next lttng-sessiond has so long. */
static int expect(struct recording *r, unsigned int seconds)
{
	signals_expect(&r->signals, seconds);
	return 0;
}

static int follow(struct recording *r)
{
	if (r->opt->net)
		relay_follow(&r->relay, r->opt->net);
	return 0;
}

static int asked_to_stop(struct recording *r)
{
	return signals_take(&r->signals)
		       ? error("Stopped before the recording began. signal=%d", r->signals.stop)
		       : 0;
}

/* The relay daemon knows this host by its name, and has a port of its own for viewers. */
static void tell_watchers(const struct recording *r)
{
	char name[HOST_NAME_MAX + 1] = "", *to, *safe;
	const char *host;
	int len = (int)relay_host(r->opt->net, &host);

	gethostname(name, sizeof(name) - 1);
	to = xasprintf("%.*s", (int)(host - r->opt->net) + len, r->opt->net);
	safe = text_escape(to);
	note("To watch: lttng-containers cpu --live %s/host/%s/%s", safe, name, r->session.name);
	free(to);
	free(safe);
}

/* Before it records, as this takes its time on the CPU. */
static int save_names(struct recording *r)
{
	return symbols_save(&r->output) || programs_start(&r->programs, &r->output) ? -1 : 0;
}

static int start(struct recording *r)
{
	if (prepare_output(r))
		return -1;
	modules_remember(&r->modules);
	if (guard_start(&r->guard, r) || expect(r, START_S) ||
	    daemon_use(&r->daemon, &r->modules, &r->signals) || expect(r, 0) ||
	    modules_load(&r->modules, r->opt) || asked_to_stop(r) ||
	    session_choose_name(&r->session) || expect(r, ANSWER_S) ||
	    session_create(&r->session, r->opt, r->output.path) || expect(r, 0) || follow(r) ||
	    (r->opt->stacks_hz && save_names(r)) || asked_to_stop(r) || expect(r, ANSWER_S) ||
	    session_start(&r->session) || expect(r, 0) || output_check(&r->output))
		return -1;
	r->begin_ns = now_ns();
	if (r->opt->live_us)
		tell_watchers(r);
	if (names_start(&r->names, r->opt, &r->session))
		return -1;
	if (r->opt->command && child_start(&r->child, r->opt->command, &r->signals))
		return -1;
	return 0;
}

/*
 * Where every change has its event, the first state dump is enough. A second one
 * makes certain again what lost events have made uncertain.
 */
static void dump_if_needed(struct recording *r)
{
	session_loss(&r->session, &r->loss);
	if (!r->opt->snapshot && (!modules_follow_moves() || r->loss.events || r->loss.packets))
		session_dump_again(&r->session);
}

/*
 * Whether what was recorded last has come to nobody. That a session has stopped, and has nothing to
 * write any more, lttng-sessiond says of one whose consumer daemon is dead, too.
 */
static bool is_lost(struct recording *r)
{
	int code = session_loss(&r->session, &r->loss);

	if (relay_has_gone(&r->relay)) {
		char *safe = text_escape(r->opt->net);

		error("lttng-relayd has ended, and the recording with it. url=%s", safe);
		free(safe);
	} else if (code < 0) {
		error("lttng-consumerd, or the recording session, is gone. reason=\"%s\"",
		      lttng_strerror(code));
	} else {
		return false;
	}
	return true;
}

/* Returns whether the trace is whole. */
static bool stop(struct recording *r, enum record_end end)
{
	bool whole = end == END_ASKED;

	expect(r, ANSWER_S);
	if (end == END_DAEMON) {
		r->end_ns = now_ns();
		r->session.started = false;
		if (r->daemon.own)
			error("lttng-sessiond has died, and the recording with it.");
	} else {
		if (end == END_ASKED)
			dump_if_needed(r);
		if (r->opt->snapshot && record_snapshot(r))
			whole = false;
		r->end_ns = now_ns();
		/* It waits for what is written. */
		expect(r, 2 * ANSWER_S);
		if (session_stop(&r->session, &r->signals) || is_lost(r))
			whole = false;
	}
	expect(r, 2 * ANSWER_S);
	session_destroy(&r->session);
	expect(r, 0);
	return whole;
}

static void tell_loss(const struct recording *r)
{
	if (!r->loss.events && !r->loss.packets)
		return;
	note("Events were lost, as the buffers were full; make them larger (--subbuf-size, now"
	     " %lluK; --num-subbuf, now %llu)%s. lost_events=%llu lost_packets=%llu",
	     (unsigned long long)r->opt->subbuf_size >> 10, (unsigned long long)r->opt->num_subbuf,
	     r->opt->syscalls ? ", or record without --syscalls" : "",
	     (unsigned long long)r->loss.events, (unsigned long long)r->loss.packets);
}

/*
 * Why nobody can read what is left, or NULL: the disk was full before the consumer daemon had
 * written what the events are, or that daemon was killed before it had written the first of them.
 */
static const char *why_unreadable(const struct recording *r)
{
	if (r->opt->snapshot || r->output.fd < 0)
		return NULL;
	if (!trace_has_metadata(r->output.fd))
		return "Nobody can read what was recorded, as the trace has no metadata; was the"
		       " disk full? Make room, remove the directory, and record again.";
	if (!trace_has_events(r->output.fd))
		return "Nobody can read what was recorded, as the trace has no events; was"
		       " lttng-consumerd killed, or the disk full? Remove the directory, and"
		       " record again.";
	return NULL;
}

static int tell_unreadable(const struct recording *r, const char *why)
{
	char *where = text_escape(r->output.path);

	tell_loss(r);
	error("%s directory=%s", why, where);
	free(where);
	return EXIT_TROUBLE;
}

/* What was written is in memory first, and it is then that a disk fails. */
static int tell_not_on_disk(const struct recording *r, int reason)
{
	char *where = text_escape(r->output.path);

	tell_loss(r);
	error("The disk did not take all that was recorded, and perhaps nobody can read it; what"
	      " the kernel says of the disk is in dmesg. reason=%s directory=%s",
	      strerror(reason), where);
	free(where);
	return EXIT_TROUBLE;
}

static const char *how_it_ended(const struct recording *r, bool whole)
{
	if (whole)
		return "The recording is complete.";
	if (r->opt->net)
		return "The recording was cut short; of what lttng-relayd had been sent before,"
		       " perhaps nobody can read anything.";
	return "The recording was cut short; what was written before is kept.";
}

static void tell(const struct recording *r, bool whole, uint64_t cut)
{
	char *where = text_escape(r->opt->net ? r->opt->net : r->output.path);

	tell_loss(r);
	note("%s %s=%s seconds=%.1f bytes=%llu lost_events=%llu", how_it_ended(r, whole && !cut),
	     r->opt->net ? "url" : "directory", where,
	     (double)(r->end_ns - r->begin_ns) / (double)NS_PER_SEC,
	     (unsigned long long)output_bytes(&r->output), (unsigned long long)r->loss.events);
	if (cut)
		note("Packets that were not written as a whole were removed. bytes=%llu",
		     (unsigned long long)cut);
	/* What root records is root's to read. */
	if (r->output.path)
		note("Next: %slttng-containers tree %s", getenv("SUDO_UID") ? "sudo " : "", where);
	else
		note("Next, there: lttng-containers tree ~/lttng-traces");
	free(where);
}

static void end_daemon(struct recording *r)
{
	bool own = r->daemon.own;

	if (daemon_leave(&r->daemon, r->session.name))
		return;
	daemon_end(&r->daemon);
	modules_unload(&r->modules, own);
}

static int record(struct recording *r)
{
	enum record_end end;
	const char *why;
	bool whole;
	uint64_t cut;
	int reason;

	if (start(r)) {
		expect(r, 2 * ANSWER_S);
		if (r->session.started)
			session_stop(&r->session, &r->signals);
		expect(r, 0);
		names_stop(&r->names);
		programs_end(&r->programs);
		expect(r, 2 * ANSWER_S);
		session_destroy(&r->session);
		expect(r, 0);
		child_finish(&r->child);
		relay_close(&r->relay);
		end_daemon(r);
		output_remove(&r->output);
		guard_end(&r->guard);
		return EXIT_TROUBLE;
	}
	end = record_loop(r);
	expect(r, 0);
	if (end == END_DISK)
		error("The disk is nearly full, and the recording stops. free=%llu",
		      (unsigned long long)output_free(&r->output));
	/* The recording ends before anything that may take long, as nobody looks after the disk. */
	if (end == END_ASKED)
		names_end(&r->names);
	whole = stop(r, end);
	names_stop(&r->names);
	programs_end(&r->programs);
	child_finish(&r->child);
	end_daemon(r);
	cut = r->output.fd >= 0 ? repair_trace(r->output.fd) : 0;
	guard_end(&r->guard);
	relay_close(&r->relay);
	why = why_unreadable(r);
	if (why)
		return tell_unreadable(r, why);
	reason = output_sync(&r->output);
	if (reason)
		return tell_not_on_disk(r, reason);
	tell(r, whole, cut);
	return whole && !cut ? EXIT_FINE : EXIT_TROUBLE;
}

int cmd_record(int argc, char **argv)
{
	struct record_options o = {0};
	struct recording *r;
	int status = EXIT_TROUBLE;

	if (parse(&o, argc, argv))
		return usage_error("record");
	if (o.help) {
		help(stdout);
		return EXIT_FINE;
	}
	r = guard_share(sizeof(*r));
	if (!r)
		return EXIT_TROUBLE;
	*r = (struct recording){.opt = &o,
				.signals.fd = -1,
				.signals.end = -1,
				.daemon.log = -1,
				.output = OUTPUT_NONE};
	if (check(&o, r))
		return EXIT_TROUBLE;
	if (!signals_open(&r->signals))
		status = record(r);
	signals_close(&r->signals);
	output_close(&r->output);
	munmap(r, sizeof(*r));
	return status;
}
