/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "trace/access.h"
#include "enrich-graph.h"
#include "enrich.h"
#include "enrich-first.h"
#include "enrich-unused.h"
#include "base/progress.h"
#include "trace/reader-changed.h"
#include "trace/reader-find.h"
#include "trace/reader-graph.h"
#include "base/util.h"

#define NOT_COPIED                                                                                 \
	"The trace cannot be copied: libbabeltrace2 gave up on it. It is damaged, is still being"  \
	" written, or has what the library's sink.ctf.fs cannot write."
#define NO_FORM                                                                                    \
	"The copy cannot be written: libbabeltrace2's sink.ctf.fs has no form for something in "   \
	"the"                                                                                      \
	" trace, such as a sequence that is an element of another, or a field of a variant, or a"  \
	" tag that has more labels than its variant fields."
#define NOT_WRITTEN                                                                                \
	"The copy cannot be written; is the disk full, or a limit reached (a quota, ulimit -f)?"   \
	" Make room, or give a directory elsewhere."

struct target {
	const char *dir;
	bool is_read; /* and copied, whatever was asked for: it is the writing that fails */
	struct reader reader;
	struct unused unused;
	struct firsts firsts;
	struct enrich_hooks hooks;
};

static bool needs_version(void)
{
	return bt_version_get_major() > 2 ||
	       (bt_version_get_major() == 2 && bt_version_get_minor() > 0);
}

static bt_value *sink_params(const char *dir)
{
	bt_value *params = bt_value_map_create();

	if (params &&
	    bt_value_map_insert_string_entry(params, "path", dir) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    bt_value_map_insert_bool_entry(params, "quiet", BT_TRUE) ==
		    BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	    /* 2.0 writes nothing else, and does not know the parameter. */
	    (!needs_version() || bt_value_map_insert_string_entry(params, "ctf-version", "1.8") ==
					 BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK))
		return params;
	bt_value_put_ref(params);
	return NULL;
}

static bt_component_class_filter *filter_class(void)
{
	bt_message_iterator_class *iterator = bt_message_iterator_class_create(enrich_next);
	bt_component_class_filter *class = NULL;

	if (iterator &&
	    !bt_message_iterator_class_set_initialize_method(iterator, enrich_iterator_init) &&
	    !bt_message_iterator_class_set_finalize_method(iterator, enrich_iterator_finalize))
		class = bt_component_class_filter_create("enrich", iterator);
	if (class)
		bt_component_class_filter_set_initialize_method(class, enrich_init);
	if (class)
		bt_component_class_filter_set_finalize_method(class, enrich_finalize);
	bt_message_iterator_class_put_ref(iterator);
	return class;
}

static const bt_component_filter *add_filter(struct graph *g)
{
	struct target *t = g->data;
	bt_component_class_filter *class = filter_class();
	const bt_component_filter *filter = NULL;

	if (class)
		bt_graph_add_filter_component_with_initialize_method_data(
			g->bt, class, "enrich", NULL, &t->hooks, BT_LOGGING_LEVEL_NONE, &filter);
	bt_component_class_filter_put_ref(class);
	return filter;
}

static const bt_component_sink *add_writer(struct graph *g)
{
	const struct target *t = g->data;
	const bt_component_class_sink *class =
		bt_plugin_borrow_sink_component_class_by_name_const(g->ctf, "fs");
	const bt_component_sink *sink = NULL;
	bt_value *params = class ? sink_params(t->dir) : NULL;

	if (params)
		bt_graph_add_sink_component(g->bt, class, "writer", params, BT_LOGGING_LEVEL_NONE,
					    &sink);
	bt_value_put_ref(params);
	return sink;
}

static struct trace_info *trace_of(void *ctx, const bt_trace *trace)
{
	struct target *t = ctx;
	struct trace_info *info = reader_trace(&t->reader, trace);

	if (!info->seen) {
		unused_note(&t->unused, trace);
		firsts_note(&t->firsts, trace);
	}
	return info;
}

static void fail(void *ctx)
{
	struct target *t = ctx;

	t->is_read = false;
}

static int add_sink(struct graph *g, const bt_port_output *from)
{
	const bt_component_filter *filter = add_filter(g);
	const bt_component_sink *sink = filter ? add_writer(g) : NULL;

	if (!sink)
		return -1;
	if (bt_graph_connect_ports(g->bt, from,
				   bt_component_filter_borrow_input_port_by_index_const(filter, 0),
				   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
		return -1;
	return bt_graph_connect_ports(
		g->bt, bt_component_filter_borrow_output_port_by_index_const(filter, 0),
		bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL);
}

#define ROOM (1 << 20)

/* More than the library asks for at a time; false also where that is not known. */
static bool has_room(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	struct rlimit limit;
	bool has = fd >= 0 && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur == RLIM_INFINITY &&
		   !posix_fallocate(fd, 0, ROOM);

	if (fd >= 0)
		close(fd);
	return has;
}

/* The library does not say why. */
static int tell_not_written(const struct target *t)
{
	struct statvfs v = {0};

	if (has_room(t->dir))
		return error(NO_FORM);
	statvfs(t->dir, &v);
	return error(NOT_WRITTEN " free=%llu",
		     (unsigned long long)(geteuid() ? v.f_bavail : v.f_bfree) * v.f_frsize);
}

static int read_and_write(struct target *t, struct graph *g)
{
	int ret;

	t->is_read = true;
	ret = graph_run(g, &t->is_read);
	return ret && t->is_read ? tell_not_written(t) : ret;
}

static int run(struct target *t)
{
	struct graph g = {.reader = &t->reader, .add_sink = add_sink, .data = t};
	int ret;

	graph_guard_says("lttng-containers: " NOT_COPIED "\n");
	graph_guard(true);
	ret = graph_build(&g);
	if (!ret && g.nr_streams)
		ret = read_and_write(t, &g);
	if (!ret)
		ret = changed_check(&t->reader);
	/*
	 * After an error sink.ctf.fs of libbabeltrace2 2.0.4 ends the writing with a trace
	 * that it has freed. So it never gets there: the copy is thrown away, and the process
	 * was made for it.
	 */
	if (ret)
		_exit(2);
	/* This ends the writing, or, where metadata find no room, the process. */
	graph_guard_says("lttng-containers: " NOT_WRITTEN "\n");
	graph_free(&g);
	graph_guard(false);
	return reader_check(&t->reader);
}

/* Who cannot read the traces shall not read the copy. The library heeds the umask. */
static mode_t restrict_readers(const struct target *t)
{
	struct access readers = access_of(&t->reader);
	struct stat st;
	mode_t mode = S_IRUSR | S_IWUSR;

	if (!stat(t->dir, &st))
		mode = access_mode(&readers, st.st_gid);
	mode |= S_IXUSR | (mode & S_IRGRP ? S_IXGRP : 0) | (mode & S_IROTH ? S_IXOTH : 0);
	umask(~mode & 0777);
	return mode;
}

int enrich_graph(const char *dir, char *const *traces, size_t nr_traces)
{
	mode_t mode = S_IRWXU;
	struct target t = {
		.dir = dir,
		.hooks = {.trace_of = trace_of, .ctx = &t, .progress = progress_at, .fail = fail},
	};
	int ret = reader_find(&t.reader, traces, nr_traces);

	if (!ret) {
		mode = restrict_readers(&t);
		ret = run(&t);
	}
	if (!ret)
		ret = unused_append(&t.unused, dir);
	if (!ret)
		ret = firsts_restore(&t.firsts, dir);
	if (!ret && chmod(dir, mode))
		ret = error("The output directory cannot be made. reason=%s", strerror(errno));
	unused_free(&t.unused);
	firsts_free(&t.firsts);
	reader_free(&t.reader);
	return ret;
}
