/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_READER_GRAPH_H
#define LC_READER_GRAPH_H

#include <babeltrace2/babeltrace.h>

#include "reader.h"

/*
 * The reading graph of libbabeltrace2: a source for each trace, a muxer that
 * puts their messages in order of time, and a sink of the caller's. A trace's
 * library name ends in # and its number in reader->traces.
 */
struct graph {
	const struct reader *reader;
	/* What is behind the muxer: makes it, and connects it with @from. Returns 0 or -1. */
	int (*add_sink)(struct graph *g, const bt_port_output *from);
	void *data; /* the caller's */

	bt_graph *bt;
	const bt_plugin *ctf, *utils;
	const bt_component_class_source *fs;
	const bt_component_filter *muxer;
	uint64_t nr_streams; /* 0: there is nothing to run */
	uint64_t begin, end; /* of all traces, ns; 0, 0 if not known */
};

/*
 * Says so where the library ends the program: while this is on, an abort is an
 * error message and status 2.
 */
void graph_guard(bool on);
/* What else an abort means from now on, as a line: it is no longer read. */
void graph_guard_says(const char *line);
/* Whether code of the library was interrupted by a signal; @context: as a handler gets it
 * (SA_SIGINFO). */
bool graph_was_in_library(const void *context);

/* Set the first members. Return 0, or -1 after an error was printed. */
int graph_build(struct graph *g);
/* @stopped: the sink ended the reading, and printed why. */
int graph_run(struct graph *g, const bool *stopped);
void graph_free(struct graph *g);
/* Prints that the clock of the trace at @path went back. */
void graph_went_back(const char *path);

/* Each source was given a name that ends in the number of its trace: finds that in the reader. */
struct trace_info *reader_trace(void *reader, const bt_trace *trace);

#endif
