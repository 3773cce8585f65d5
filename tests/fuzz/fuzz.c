/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check-output.h"
#include "base/command.h"
#include "base/symbols.h"
#include "stacks/kept-file.h"
#include "fake-reader.h"
#include "trace/outfile.h"
#include "base/util.h"

/*
 * The program's commands on a trace that the fuzzer makes up (see wire.h). The first byte
 * of the input chooses the command; what a snapshot of /proc is begins with its length, two
 * bytes, and comes before the trace. So do what `record --stacks` has kept of programs, and of the
 * kernel, for commands that read it.
 */

#define ARGS_MAX 12
/* Stands for the name of a file that has the snapshot, and of a directory that is not there. */
#define SNAPSHOT "@"
#define NEW_DIR	 "%"
/* No argument: what was kept comes before the trace. */
#define KEPT	 "&"

static const struct command {
	int (*run)(int argc, char **argv);
	enum output kind;
	const char *args[ARGS_MAX];
} commands[] = {
	{cmd_check, OUT_TEXT, {"check", "t"}},
	{cmd_check, OUT_JSON, {"check", "t", "--json", "--examples", "100"}},
	{cmd_check, OUT_TEXT, {"check", "t", "--against", SNAPSHOT}},
	{cmd_check, OUT_JSON, {"check", "t", "--json", "--against", SNAPSHOT}},
	{cmd_tree, OUT_TEXT, {"tree", "t"}},
	{cmd_tree, OUT_TEXT, {"tree", "t", "--all", "--at", "+0.01"}},
	{cmd_tree, OUT_JSON, {"tree", "t", "--json"}},
	{cmd_tree, OUT_JSON, {"tree", "t", "--json", "--all", "--at", "+0.005"}},
	{cmd_cpu, OUT_TEXT, {"cpu", "t", "--cpus"}},
	{cmd_cpu, OUT_JSON, {"cpu", "t", "--json"}},
	{cmd_cpu, OUT_TEXT, {"cpu", "t", "--by", "namespace", "--every", "10ms"}},
	{cmd_cpu, OUT_JSON, {"cpu", "t", "--json", "--by", "namespace"}},
	{cmd_cpu, OUT_TEXT, {"cpu", "t", "--by", "cgroup"}},
	{cmd_cpu, OUT_JSON, {"cpu", "t", "--json", "--by", "cgroup", "--every", "30ms"}},
	{cmd_cpu, OUT_TEXT, {"cpu", "t", "--by", "task", "--begin", "+0.002"}},
	{cmd_cpu, OUT_JSON, {"cpu", "t", "--json", "--by", "task", "--end", "+0.02"}},
	{cmd_delays, OUT_TEXT, {"delays", "t"}},
	{cmd_delays, OUT_JSON, {"delays", "t", "--json", "--begin", "+0.001", "--end", "+0.02"}},
	{cmd_delays, OUT_JSON, {"delays", "t", "--json", "--worst", "1000"}},
	{cmd_delays, OUT_TEXT, {"delays", "t", "--container", "web"}},
	{cmd_why, OUT_TEXT, {"why", "t"}},
	{cmd_why, OUT_JSON, {"why", "t", "--json"}},
	{cmd_why,
	 OUT_JSON,
	 {"why", "t", "--json", "--by", "task", "--begin", "+0.001", "--end", "+0.02"}},
	{cmd_wakeups, OUT_TEXT, {"wakeups", "t", "--all"}},
	{cmd_wakeups, OUT_JSON, {"wakeups", "t", "--json"}},
	{cmd_syscalls, OUT_TEXT, {"syscalls", "t"}},
	{cmd_syscalls, OUT_TEXT, {"syscalls", "t", "--by", "task", "--name", "fsync"}},
	{cmd_syscalls, OUT_JSON, {"syscalls", "t", "--json"}},
	{cmd_syscalls, OUT_JSON, {"syscalls", "t", "--json", "--name", "fsync"}},
	{cmd_map, OUT_TEXT, {"map", "t", "--tid", "201"}},
	{cmd_map, OUT_JSON, {"map", "t", "--json", "--container", "4026532301", "--vtid", "2"}},
	{cmd_map, OUT_TEXT, {"map", "t", "--container", "web", "--vtid", "1", "--at", "+0.01"}},
	{cmd_map, OUT_TEXT, {"map", "t", "--ust", "--events"}},
	{cmd_map, OUT_JSON, {"map", "t", "--ust", "--json"}},
	{cmd_timeline, OUT_PAGE, {"timeline", "t", "-o", "page"}},
	{cmd_timeline, OUT_TRACE_EVENTS, {"timeline", "t", "-o", "events", "--format", "perfetto"}},
	{cmd_timeline, OUT_PAGE, {"timeline", "t", "-o", "page", "--begin", "+0.003"}},
	/* The corpus knows the others by their place: new ones go behind them. */
	{cmd_why, OUT_LINES, {"why", "t", "--format", "jsonl"}},
	{cmd_why, OUT_TEXT, {"why", "t", "--path"}},
	{cmd_why, OUT_JSON, {"why", "t", "--path", "--json", "--task", "201"}},
	{cmd_delays, OUT_TEXT, {"delays", "t", "--histogram"}},
	{cmd_wakeups, OUT_TEXT, {"wakeups", "t", "--all", "--histogram"}},
	{cmd_wakeups, OUT_LINES, {"wakeups", "t", "--all", "--format", "jsonl"}},
	{cmd_syscalls, OUT_LINES, {"syscalls", "t", "--by", "task", "--format", "jsonl"}},
	{cmd_tree, OUT_LINES, {"tree", "t", "--format", "jsonl"}},
	{cmd_map, OUT_LINES, {"map", "t", "--tid", "201", "--format", "jsonl"}},
	{cmd_timeline, OUT_PAGE, {"timeline", "t", "-o", "page", "--path"}},
	{cmd_compare, OUT_TEXT, {"compare", "t", "--before", "..+0.01", "--after", "+0.01.."}},
	{cmd_compare, OUT_JSON, {"compare", "t", "t", "--json", "--windows", "3"}},
	{cmd_compare, OUT_LINES, {"compare", "t", "t", "--format", "jsonl"}},
	{cmd_flame, OUT_ROWS, {"flame", "t"}},
	{cmd_flame, OUT_SPEEDSCOPE, {"flame", "t", "--by", "task", "--format", "speedscope"}},
	{cmd_flame, OUT_ROWS, {"flame", "t", "--wakeup"}},
	{cmd_flame, OUT_ROWS, {"flame", "t", "--off-cpu", "--against", "t"}},
	{cmd_why, OUT_TEXT, {"why", "t", "--histogram"}},
	{cmd_why, OUT_LINES, {"why", "t", "--histogram", "--format", "jsonl"}},
	/* tests/fuzz/run counts on it that the next 7 read what was kept. */
	{cmd_flame, OUT_ROWS, {"flame", "t", KEPT}},
	{cmd_flame, OUT_PPROF, {"flame", "t", "--by", "task", "--format", "pprof", KEPT}},
	{cmd_flame, OUT_PROTOBUF, {"flame", "t", "--format", "perfetto", KEPT}},
	{cmd_flame, OUT_FLAME_PAGE, {"flame", "t", "--format", "html", "-o", "page", KEPT}},
	{cmd_export, OUT_TABLES, {"export", "t", "--format", "csv", "-o", NEW_DIR, KEPT}},
	{cmd_export, OUT_TABLES, {"export", "t", "--format", "jsonl", "-o", NEW_DIR, KEPT}},
	{cmd_export, OUT_TABLES, {"export", "t", "--format", "sqlite", "-o", NEW_DIR, KEPT}},
	{cmd_metrics, OUT_METRICS, {"metrics", "t", "--textfile", "-"}},
	{cmd_metrics, OUT_METRICS, {"metrics", "t", "--textfile", "-", "--max-containers", "1"}},
	{cmd_metrics, OUT_METRICS, {"metrics", "--live", "net://h", "--textfile", "-"}},
	{cmd_metrics,
	 OUT_METRICS,
	 {"metrics", "--live", "net://h", "--textfile", "-", "--max-containers", "2"}},
	{cmd_cpu, OUT_TEXT, {"cpu", "t", "--by", "pod", "--every", "20ms"}},
	{cmd_cpu, OUT_JSON, {"cpu", "t", "--json", "--by", "pod"}},
	{cmd_cpu, OUT_CSV, {"cpu", "t", "--by", "pod", "--format", "csv"}},
	{cmd_cpu, OUT_LINES, {"cpu", "t", "--by", "task", "--every", "10ms", "--format", "jsonl"}},
	{cmd_cpu,
	 OUT_CSV,
	 {"cpu", "t", "--by", "namespace", "--container", "web", "--format", "csv"}},
	{cmd_cpu, OUT_TEXT, {"cpu", "t", "--by", "task", "--container", "web", "--cpus"}},
	{cmd_cpu, OUT_DOCUMENTS, {"cpu", "--live", "net://h", "--json", "--every", "10ms"}},
	{cmd_cpu, OUT_TEXT, {"cpu", "--live", "net://h", "--cpus", "--by", "pod"}},
	{cmd_cpu, OUT_SCREEN, {"cpu", "--live", "net://h", "--by", "task", "--every", "10ms"}},
	{cmd_metrics, OUT_METRICS, {"metrics", "--live", "net://h", "--listen", "[::1]:0"}},
	{cmd_delays, OUT_CSV, {"delays", "t", "--format", "csv"}},
	{cmd_delays, OUT_LINES, {"delays", "t", "--histogram", "--format", "jsonl"}},
	{cmd_wakeups, OUT_CSV, {"wakeups", "t", "--container", "web", "--format", "csv"}},
	{cmd_wakeups, OUT_LINES, {"wakeups", "t", "--all", "--histogram", "--format", "jsonl"}},
	{cmd_syscalls, OUT_CSV, {"syscalls", "t", "--name", "fsync", "--format", "csv"}},
	{cmd_syscalls, OUT_TEXT, {"syscalls", "t", "--by", "task", "--histogram"}},
	{cmd_syscalls, OUT_LINES, {"syscalls", "t", "--histogram", "--format", "jsonl"}},
	{cmd_why, OUT_CSV, {"why", "t", "--by", "task", "--format", "csv"}},
	{cmd_why, OUT_TEXT, {"why", "t", "--by", "task", "--container", "web"}},
	{cmd_compare, OUT_CSV, {"compare", "t", "t", "--format", "csv"}},
	{cmd_tree, OUT_CSV, {"tree", "t", "--container", "web", "--format", "csv"}},
	{cmd_map, OUT_CSV, {"map", "t", "--ust", "--format", "csv"}},
	{cmd_map, OUT_JSON, {"map", "t", "--ust", "--json", "--events", "--container", "web"}},
	{cmd_timeline,
	 OUT_TRACE_EVENTS,
	 {"timeline", "t", "-o", "e", "--format", "perfetto", "--path", "--task", "201"}},
	{cmd_timeline, OUT_PAGE, {"timeline", "t", "-o", "page", "--container", "web"}},
	{cmd_flame, OUT_SPEEDSCOPE, {"flame", "t", "--off-cpu", "--format", "speedscope"}},
	{cmd_flame,
	 OUT_FLAME_PAGE,
	 {"flame", "t", "--against", "t", "--format", "html", "-o", "page", "--container", "web"}},
};

/* Something that is printed, caught in memory. */
struct caught {
	FILE *out;
	char *text;
	size_t size;
};

/* What `timeline` writes, too: this stands in for outfile.c. */
static struct caught file;

static void catch (struct caught *c)
{
	*c = (struct caught){0};
	c->out = open_memstream(&c->text, &c->size);
	if (!c->out)
		broken("out of memory");
}

int outfile_check(const char *path, bool replace)
{
	(void)path;
	(void)replace;
	return 0;
}

int outfile_open(struct outfile *f, const char *path, bool replace, const struct access *readers)
{
	(void)path;
	(void)readers;
	(void)replace;
	catch (&file);
	f->out = file.out;
	return 0;
}

int outfile_place(const char *path)
{
	(void)path;
	return open("/", O_PATH | O_CLOEXEC);
}

int outfile_open_in(struct outfile *f, int place, const char *path, bool replace,
		    const struct access *readers)
{
	(void)place;
	return outfile_open(f, path, replace, readers);
}

int outfile_finish(struct outfile *f)
{
	return fclose(f->out);
}

void outfile_drop(struct outfile *f)
{
	fclose(f->out);
}

/* What comes before the trace; behind it is a 0, and its length in *@len. The caller frees it. */
static char *text_of(struct wire *w, size_t *len)
{
	char *text;

	*len = wire_byte(w);
	*len |= (size_t)wire_byte(w) << 8;
	if (*len > (size_t)(w->end - w->at))
		*len = (size_t)(w->end - w->at);
	text = xcalloc(*len + 1, 1);
	memcpy(text, w->at, *len);
	w->at += *len;
	return text;
}

static int snapshot_of(struct wire *w)
{
	int fd = memfd_create("snapshot", MFD_CLOEXEC);
	size_t len;
	char *text = text_of(w, &len);

	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		broken("The snapshot cannot be written.");
	free(text);
	return fd;
}

/* What was kept beside the trace; this stands in for kept-file.c. */
static struct {
	char *programs, *kernel;
} kept;

char *kept_text(const struct trace_info *t, const char *name, size_t max, char **whole)
{
	const char *text = strcmp(name, PROGRAMS_FILE) ? kept.kernel : kept.programs;

	(void)t;
	(void)max;
	return *whole = text ? xstrdup(text) : NULL;
}

/* A directory for those that export makes, which are there no longer afterwards. */
static const char *new_dir(void)
{
	static char name[PATH_MAX];
	const char *tmp = getenv("TMPDIR");
	size_t len;

	if (*name)
		return name;
	snprintf(name, sizeof(name) - 2, "%s/fuzz-reports.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(name))
		broken("There can be no directory. dir=%s", name);
	len = strlen(name);
	memcpy(name + len, "/d", 3);
	return name;
}

static int call(const struct command *c, struct wire w)
{
	char *argv[ARGS_MAX + 1] = {0}, name[32] = "";
	int argc, fd = -1, status;
	size_t len;

	for (argc = 0; argc < ARGS_MAX && c->args[argc]; argc++) {
		if (!strcmp(c->args[argc], KEPT)) {
			kept.programs = text_of(&w, &len);
			kept.kernel = text_of(&w, &len);
			break;
		}
		if (!strcmp(c->args[argc], SNAPSHOT) && fd < 0) {
			fd = snapshot_of(&w);
			snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		}
		argv[argc] = xstrdup(!strcmp(c->args[argc], SNAPSHOT)  ? name
				     : !strcmp(c->args[argc], NEW_DIR) ? new_dir()
								       : c->args[argc]);
	}
	fake_input = w;
	fake_terminal = c->kind == OUT_SCREEN;
	/* Begin anew. */
	optind = 0;
	status = c->run(argc, argv);
	while (argc--)
		free(argv[argc]);
	if (fd >= 0)
		close(fd);
	free(kept.programs);
	free(kept.kernel);
	memset(&kept, 0, sizeof(kept));
	return status;
}

/* What a session told is shown while it goes on, and then it may not be possible to go on. */
static bool is_shown_at_once(const struct command *c)
{
	return !strcmp(c->args[1], "--live");
}

/* A session may end before it tells anything. */
static bool may_be_empty(enum output kind)
{
	return kind == OUT_ROWS || kind == OUT_LINES || kind == OUT_TABLES || kind == OUT_CSV ||
	       kind == OUT_PPROF || kind == OUT_PROTOBUF || kind == OUT_METRICS;
}

/* After an error nothing is left, under whatever name. */
static void check_no_tables(void)
{
	const char *dir = new_dir();
	char *above = xasprintf("%.*s", (int)(strlen(dir) - 2), dir);

	/* It is made again with the next one. */
	if (rmdir(above) || mkdir(above, 0700))
		broken("Something is left of tables after an error. dir=%s", above);
	free(above);
}

static void check_printed(enum output kind, const char *text, size_t size)
{
	if (kind != OUT_CSV)
		check_output(kind, text, size);
	if (kind == OUT_LINES)
		check_lines(text, size);
	/* Of a report without a row there is no heading. */
	if (kind == OUT_CSV && strlen(text) != size)
		broken("csv: there is a byte of 0");
	if (kind == OUT_CSV && size)
		check_csv(text);
}

static void run(const struct command *c, struct wire w)
{
	FILE *real_out = stdout, *real_err = stderr;
	struct caught out, err;
	int status;

	file = (struct caught){0};
	catch (&out);
	catch (&err);
	stdout = out.out;
	stderr = err.out;
	status = call(c, w);
	stdout = real_out;
	stderr = real_err;
	fclose(out.out);
	fclose(err.out);
	check_text("standard error", err.text, err.size);
	if (status < 0 || status > EXIT_TROUBLE ||
	    (status == EXIT_VIOLATIONS && c->run != cmd_check && c->run != cmd_map))
		broken("The exit status is none of the command's. status=%d", status);
	/* What was shown while it was read was. */
	if (status == EXIT_TROUBLE ? (out.size && !is_shown_at_once(c)) || !err.size
				   : !out.size && !file.size && !may_be_empty(c->kind))
		broken("There is output after an error, or none without one. status=%d", status);
	if (c->kind == OUT_TABLES)
		status == EXIT_TROUBLE ? check_no_tables() : check_tables(new_dir());
	if (c->kind == OUT_METRICS)
		check_metrics(out.text);
	if (status != EXIT_TROUBLE || is_shown_at_once(c))
		check_printed(c->kind, file.text ? file.text : out.text,
			      file.text ? file.size : out.size);
	free(out.text);
	free(err.text);
	free(file.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire w = {data, data + size};
	unsigned int which = wire_byte(&w) % ARRAY_SIZE(commands);

	run(&commands[which], w);
	return 0;
}
