/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/command.h"
#include "model/container-line.h"
#include "base/json.h"
#include "names.h"
#include "base/text.h"
#include "base/util.h"

struct names_args {
	bool json, lines, follow, help;
	const char *root;
};

/* All that names_scan() told. */
struct lines {
	char **text;
	size_t nr, cap;
};

static void help(FILE *out)
{
	fputs("Usage: lttng-containers names [OPTIONS]\n\n"
	      "Shows the containers that this host runs now, as their runtimes name them, and as "
	      "a\n"
	      "recording would tell of them: docker, podman, CRI-O, containerd, LXC, "
	      "systemd-nspawn\n"
	      "and what else systemd-machined knows, runc, crun. Needs root.\n\n"
	      "Options:\n"
	      "  --json      print the report as JSON\n"
	      "  --lines     print the lines that a recording has\n"
	      "  --follow    print these lines, and those of containers that begin later, until "
	      "Ctrl-C\n"
	      "  --root DIR  take the runtimes' state and /proc from below DIR\n"
	      "  -h, --help  show this\n\n"
	      "Exit status: 0 done, also if there are none; 2 bad usage, or not root.\n\n"
	      "Example: sudo lttng-containers names\n",
	      out);
}

static int parse_option(void *args, int c)
{
	struct names_args *a = args;

	switch (c) {
	case 'j':
		a->json = true;
		break;
	case 'l':
		a->lines = true;
		break;
	case 'f':
		a->follow = true;
		break;
	case 'r':
		a->root = optarg;
		break;
	case 'h':
		a->help = true;
		break;
	}
	return 0;
}

static int check_root(const struct names_args *a)
{
	struct stat st;

	if (a->root && (stat(a->root, &st) || !S_ISDIR(st.st_mode)))
		return argument_error("This is not a directory.", "root", a->root);
	if (!a->root && geteuid())
		return error("Only root may see the containers of this host; run it with sudo."
			     " uid=%u",
			     (unsigned int)geteuid());
	return 0;
}

static int parse(struct names_args *a, int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},   {"lines", no_argument, NULL, 'l'},
		{"follow", no_argument, NULL, 'f'}, {"root", required_argument, NULL, 'r'},
		{"help", no_argument, NULL, 'h'},   {0},
	};

	if (options_parse(argc, argv, ":h", options, parse_option, a))
		return -1;
	if (optind < argc)
		return argument_error("The command takes no such argument.", "argument",
				      argv[optind]);
	if (a->json + a->lines + a->follow > 1)
		return error("Only one of the options can be had."
			     " options=--json,--lines,--follow");
	return 0;
}

static void keep(void *ctx, const char *line)
{
	struct lines *l = ctx;

	l->text = grow(l->text, l->nr, &l->cap, sizeof(*l->text));
	l->text[l->nr++] = xstrdup(line);
}

static void put_json_container(struct json *j, const char *text)
{
	struct container_line l;

	if (container_line_parse(&l, text) == LINE_GOOD) {
		json_open(j, NULL, '{');
		json_text(j, "runtime", l.runtime);
		json_text(j, "id", l.id);
		json_text(j, "name", l.name);
		json_int(j, "init_tid", l.init_tid);
		json_uint(j, "pid_ns", l.pid_ns);
		json_text(j, "cgroup", l.cgroup);
		json_text(j, "told_by", teller_text(l.teller));
		if (l.teller == TELLER_USER)
			json_uint(j, "user", l.user);
		else
			json_null(j, "user");
		json_text_or_null(j, "pod_name", l.pod);
		json_text_or_null(j, "pod_namespace", l.pod_namespace);
		json_text_or_null(j, "pod_container", l.container);
		json_text_or_null(j, "image", l.image);
		json_close(j, '}');
	}
	container_line_free(&l);
}

static void put_json(FILE *out, const struct lines *l)
{
	struct json j = {.out = out};
	size_t i;

	json_open_document(&j, "names");
	json_open(&j, "containers", '[');
	for (i = 0; i < l->nr; i++)
		put_json_container(&j, l->text[i]);
	json_close(&j, ']');
	json_close(&j, '}');
}

/* The width of columns, in characters; together with blanks 100. */
enum {
	WIDE_RUNTIME = 10,
	WIDE_NAME = 24,
	WIDE_ID = 12,
	WIDE_TID = 8,
	WIDE_NS = 10,
	WIDE_TELLER = 10,
	WIDE_PLACE = 20
};

/* Writes escaped text into a column; what is too long ends with "..". */
static void put_cell(FILE *out, const char *text, size_t width, bool last)
{
	char *safe = text_escape(text);
	size_t wide = text_width(safe), bytes = 0, columns = 0;
	bool cut = wide > width;

	while (safe[bytes] && (!cut || columns < width - 2)) {
		do
			bytes++;
		while (((unsigned char)safe[bytes] & 0xc0) == 0x80);
		columns++;
	}
	fwrite(safe, 1, bytes, out);
	fprintf(out, "%s%*s", cut ? ".." : "", last || cut ? 0 : (int)(width - columns), "");
	free(safe);
}

/* Where it belongs: in Kubernetes NAMESPACE/POD/CONTAINER, else its pod, or its image. */
static void put_place(FILE *out, const struct container_line *l)
{
	char *text = xasprintf("%s%s%s%s%s", l->pod_namespace, *l->pod_namespace ? "/" : "", l->pod,
			       *l->container ? "/" : "", l->container);

	put_cell(out, *text ? text : *l->image ? l->image : "-", WIDE_PLACE, true);
	free(text);
}

/* Who says so; a user might say anything of what is the user's. */
static void put_teller(FILE *out, const struct container_line *l)
{
	char user[32];

	snprintf(user, sizeof(user), "user %lu", (unsigned long)l->user);
	put_cell(out, l->teller == TELLER_USER ? user : teller_text(l->teller), WIDE_TELLER, false);
	putc(' ', out);
}

static void put_row(FILE *out, const char *text)
{
	struct container_line l;

	if (container_line_parse(&l, text) == LINE_GOOD) {
		put_cell(out, l.runtime, WIDE_RUNTIME, false);
		putc(' ', out);
		put_cell(out, l.name, WIDE_NAME, false);
		putc(' ', out);
		put_cell(out, l.id, WIDE_ID, false);
		fprintf(out, " %-*lld %-*lu ", WIDE_TID, (long long)l.init_tid, WIDE_NS,
			(unsigned long)l.pid_ns);
		put_teller(out, &l);
		put_place(out, &l);
		putc('\n', out);
	}
	container_line_free(&l);
}

static void put_table(FILE *out, const struct lines *l)
{
	size_t i;

	if (!l->nr) {
		fputs("No containers are running.\n", out);
		return;
	}
	fprintf(out, "%-*s %-*s %-*s %-*s %-*s %-*s %s\n", WIDE_RUNTIME, "RUNTIME", WIDE_NAME,
		"NAME", WIDE_ID, "ID", WIDE_TID, "INIT_TID", WIDE_NS, "PID_NS", WIDE_TELLER,
		"TOLD BY", "POD OR IMAGE");
	for (i = 0; i < l->nr; i++)
		put_row(out, l->text[i]);
}

static void put_lines(FILE *out, const struct lines *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		fprintf(out, "%s\n", l->text[i]);
}

static int names(const struct names_args *a)
{
	struct names *n = names_new_at(a->root ? a->root : "/");
	struct lines l = {0};
	struct report report;
	int status;
	size_t i;

	names_scan(n, keep, &l);
	names_free(n);
	report_open(&report);
	(a->json ? put_json : a->lines ? put_lines : put_table)(report.out, &l);
	status = report_show(&report) ? EXIT_TROUBLE : EXIT_FINE;
	for (i = 0; i < l.nr; i++)
		free(l.text[i]);
	free(l.text);
	return status;
}

static void print_line(void *ctx, const char *line)
{
	bool *ok = ctx;

	*ok = *ok && puts(line) >= 0 && !fflush(stdout);
}

/* Ends with a signal, or when nobody reads any more. */
static int follow(const struct names_args *a)
{
	struct names *n = names_new_at(a->root ? a->root : "/");
	struct pollfd p = {.fd = names_fd(n), .events = POLLIN};
	bool ok = true;

	do {
		names_scan(n, print_line, &ok);
	} while (ok && (poll(&p, 1, p.fd < 0 ? 500 : -1) >= 0 || errno == EINTR));
	names_free(n);
	error("Standard output cannot be written.");
	return EXIT_TROUBLE;
}

int cmd_names(int argc, char **argv)
{
	struct names_args a = {0};

	if (parse(&a, argc, argv))
		return usage_error("names");
	if (a.help) {
		help(stdout);
		return EXIT_FINE;
	}
	if (check_root(&a))
		return EXIT_TROUBLE;
	return a.follow ? follow(&a) : names(&a);
}
