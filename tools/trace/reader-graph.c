/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/progress.h"
#include "base/memory.h"
#include "metadata.h"
#include "reader-damage.h"
#include "reader-graph.h"
#include "reader-range.h"
#include "trace/ctf/native.h"
#include "base/text.h"
#include "base/util.h"

#define NOT_OPENED "The trace cannot be opened: it is damaged, cut off, or still being recorded."

#define NOT_READ                                                                                   \
	"The trace cannot be read to its end: it is cut off or damaged, or its clock goes back."

/* What the program's arguments and environment take of the stack, and what a call may skip. */
#define STACK_SLACK (1 << 20)

/*
 * libbabeltrace2 aborts on some damaged traces, divides by zero where a clock has no frequency, and
 * where there is no memory it aborts, traps (as GLib does) or runs into a null pointer; it nests
 * calls as a trace nests types, and a file that shrinks while it is mapped raises SIGBUS. Neither
 * can be caught but here.
 */
static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(2);
	_exit(2);
}

/* What an abort means. */
static const char *meaning =
	"lttng-containers: The trace cannot be read: libbabeltrace2 gave up on it."
	" It is damaged, or is still being written.\n";

void graph_guard_says(const char *line)
{
	meaning = line;
}

static void on_library_death(int sig)
{
	if (sig == SIGTRAP || memory_is_exhausted())
		memory_exhausted();
	say(meaning);
}

/* Where the stack begins, and may reach to; 0: it has no limit. */
static uintptr_t stack_begin, stack_size;

/* Where the program was; NULL where it is not known how this architecture tells. */
static const void *interrupted_at(const ucontext_t *context)
{
#if defined(__x86_64__)
	return (const void *)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__i386__)
	return (const void *)context->uc_mcontext.gregs[REG_EIP];
#elif defined(__aarch64__)
	return (const void *)context->uc_mcontext.pc;
#else
	(void)context;
	return NULL;
#endif
}

bool graph_was_in_library(const void *context)
{
	const void *at = interrupted_at(context);
	const char *name;
	Dl_info info;

	if (!at || !dladdr(at, &info) || !info.dli_fname)
		return false;
	name = strrchr(info.dli_fname, '/');
	name = name ? name + 1 : info.dli_fname;
	/* The library's, or a plug-in's. */
	return !strncmp(name, "libbabeltrace2", strlen("libbabeltrace2")) ||
	       !strncmp(name, "babeltrace-plugin-", strlen("babeltrace-plugin-"));
}

static void on_bad_address(int sig, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;

	if (memory_is_exhausted())
		memory_exhausted();
	if (stack_size && at < stack_begin && stack_begin - at < stack_size + STACK_SLACK)
		say("lttng-containers: The trace cannot be read: its types nest too deep for"
		    " libbabeltrace2; it was made to.\n");
	/* Such as an array whose length is negative, 2.0.4. */
	if (graph_was_in_library(context))
		on_library_death(sig);
	/* A defect of ours, or elsewhere: returning from here raises it again. */
	signal(sig, SIG_DFL);
}

static void guard_stack(bool on)
{
	static char alternate[64 * 1024];
	const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
	struct sigaction sa = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
	struct rlimit rl;

	/* A checker has handlers of its own. */
	if (memory_is_checked || sigaltstack(&stack, NULL))
		return;
	stack_begin = (uintptr_t)__builtin_frame_address(0) + STACK_SLACK;
	stack_size = getrlimit(RLIMIT_STACK, &rl) || rl.rlim_cur == RLIM_INFINITY
			     ? 0
			     : (uintptr_t)rl.rlim_cur;
	if (on)
		sa.sa_sigaction = on_bad_address;
	else
		sa = (struct sigaction){.sa_handler = SIG_DFL};
	sigaction(SIGSEGV, &sa, NULL);
}

void graph_guard(bool on)
{
	struct sigaction sa = {.sa_handler = on ? on_library_death : SIG_DFL};

	sigaction(SIGABRT, &sa, NULL);
	sigaction(SIGBUS, &sa, NULL);
	sigaction(SIGFPE, &sa, NULL);
	sigaction(SIGTRAP, &sa, NULL);
	guard_stack(on);
}

/* @failed: the trace that could not be opened; NULL if it may be any. */
static int library_error(const struct reader *r, const struct trace_info *failed, const char *what)
{
	const bt_error *err = bt_current_thread_take_error();
	const struct trace_info *t = failed ? failed : &r->traces[0];
	char *path = text_escape(t->path), *why;

	why = text_escape(
		err && bt_error_get_cause_count(err)
			? bt_error_cause_get_message(bt_error_borrow_cause_by_index(err, 0))
			: "no reason given");
	error("%s trace=%s%s reason=\"%s\"", what, path,
	      !failed && r->nr_traces > 1 ? " (or another one given)" : "", why);
	if (err)
		bt_error_release(err);
	free(path);
	free(why);
	return -1;
}

/* A damage that can be named says more than the library's reason. */
static bool named_damage(const struct reader *r, const struct trace_info *failed)
{
	size_t i;

	for (i = 0; i < r->nr_traces; i++) {
		if ((failed && failed != &r->traces[i]) || !damage_explained(r->traces[i].path))
			continue;
		bt_current_thread_clear_error();
		return true;
	}
	return false;
}

static int source_error(const struct reader *r, const struct trace_info *t)
{
	char *metadata = xasprintf("%s/metadata", t->path);
	bool is_ctf2 = metadata_is_ctf2(metadata);

	free(metadata);
	if (!is_ctf2 && named_damage(r, t))
		return -1;
	return library_error(
		r, t,
		is_ctf2 ? "The trace is CTF 2, which this libbabeltrace2 does not read: reports do"
			  " with --reader native, and all else with version 2.1 of the library."
			: NOT_OPENED);
}

static bt_value *source_params(const struct trace_info *t, size_t number)
{
	bt_value *params = bt_value_map_create(), *inputs = NULL;
	char *name = xasprintf("#%zu", number);
	bool ok;

	ok = params &&
	     bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) ==
		     BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	     bt_value_array_append_string_element(inputs, t->path) ==
		     BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
	     bt_value_map_insert_string_entry(params, "trace-name", name) ==
		     BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
	     bt_value_map_insert_bool_entry(params, "force-clock-class-origin-unix-epoch",
					    BT_TRUE) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK;
	free(name);
	if (ok)
		return params;
	bt_value_put_ref(params);
	return NULL;
}

static int connect_source(struct graph *g, const bt_component_source *source)
{
	uint64_t i, nr = bt_component_source_get_output_port_count(source);

	for (i = 0; i < nr; i++) {
		const bt_port_output *out =
			bt_component_source_borrow_output_port_by_index_const(source, i);
		const bt_port_input *in = bt_component_filter_borrow_input_port_by_index_const(
			g->muxer, g->nr_streams++);

		if (bt_graph_connect_ports(g->bt, out, in, NULL) !=
		    BT_GRAPH_CONNECT_PORTS_STATUS_OK)
			return -1;
	}
	return 0;
}

static int add_source(struct graph *g, const struct trace_info *t, size_t number)
{
	const bt_component_source *source;
	bt_value *params = source_params(t, number);
	char *name = xasprintf("source%zu", number);
	int ret = -1;

	if (params &&
	    bt_graph_add_source_component(g->bt, g->fs, name, params, BT_LOGGING_LEVEL_NONE,
					  &source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
		ret = connect_source(g, source);
		if (!ret && progress_wanted())
			reader_range(g->fs, params, &g->begin, &g->end);
	}
	if (params)
		bt_value_put_ref(params);
	free(name);
	return ret;
}

static int add_muxer(struct graph *g)
{
	const bt_component_class_filter *muxer;

	muxer = bt_plugin_borrow_filter_component_class_by_name_const(g->utils, "muxer");
	return muxer && bt_graph_add_filter_component(g->bt, muxer, "muxer", NULL,
						      BT_LOGGING_LEVEL_NONE,
						      &g->muxer) == BT_GRAPH_ADD_COMPONENT_STATUS_OK
		       ? 0
		       : -1;
}

static int no_plugins(void)
{
	const char *path = getenv("BABELTRACE_PLUGIN_PATH");
	char *safe = text_escape(path ? path : "default");

	error("The plug-ins ctf and utils of libbabeltrace2 are missing; install the package"
	      " libbabeltrace2-0. plugin_path=%s",
	      safe);
	free(safe);
	return -1;
}

static int find_plugins(struct graph *g)
{
	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &g->ctf) !=
		    BT_PLUGIN_FIND_STATUS_OK ||
	    bt_plugin_find("utils", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, &g->utils) !=
		    BT_PLUGIN_FIND_STATUS_OK)
		return no_plugins();
	g->fs = bt_plugin_borrow_source_component_class_by_name_const(g->ctf, "fs");
	return g->fs ? 0 : error("libbabeltrace2 cannot read CTF. missing=source.ctf.fs");
}

/* From 2.1 on the library counts the packets of a file first, and where one has no size, forever.
 */
static int refuse_endless(const struct reader *r)
{
	size_t i;

	if (bt_version_get_major() == 2 && bt_version_get_minor() == 0)
		return 0;
	for (i = 0; i < r->nr_traces; i++) {
		char *name = native_endless_file(r->traces[i].path), *path, *file;

		if (!name)
			continue;
		path = text_escape(r->traces[i].path);
		file = text_escape(name);
		if (!damage_explained(r->traces[i].path))
			error(NOT_OPENED " trace=%s reason=\"a packet has no size\" file=%s", path,
			      file);
		free(path);
		free(file);
		free(name);
		return -1;
	}
	return 0;
}

int graph_build(struct graph *g)
{
	const struct reader *r = g->reader;
	size_t i;

	if (refuse_endless(r))
		return -1;
	if (find_plugins(g))
		return -1;
	g->bt = bt_graph_create(0);
	if (!g->bt || add_muxer(g))
		return library_error(r, NULL, "The trace reader cannot be set up.");
	for (i = 0; i < r->nr_traces; i++)
		if (add_source(g, &r->traces[i], i))
			return source_error(r, &r->traces[i]);
	if (g->nr_streams &&
	    g->add_sink(g, bt_component_filter_borrow_output_port_by_index_const(g->muxer, 0)))
		return library_error(r, NULL, "The trace reader cannot be set up.");
	return 0;
}

int graph_run(struct graph *g, const bool *stopped)
{
	bt_graph_run_status status;

	progress_start(g->begin, g->end);
	do {
		status = bt_graph_run(g->bt);
	} while (status == BT_GRAPH_RUN_STATUS_AGAIN);
	progress_end();
	if (status == BT_GRAPH_RUN_STATUS_OK)
		return 0;
	if (!*stopped && named_damage(g->reader, NULL))
		return -1;
	if (!*stopped)
		return library_error(g->reader, NULL, NOT_READ);
	bt_current_thread_clear_error();
	return -1;
}

void graph_went_back(const char *path)
{
	char *shown = text_escape(path);

	error(NOT_READ " trace=%s reason=\"the clock goes back\"", shown);
	free(shown);
}

void graph_free(struct graph *g)
{
	bt_graph_put_ref(g->bt);
	bt_plugin_put_ref(g->ctf);
	bt_plugin_put_ref(g->utils);
}
