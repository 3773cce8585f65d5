/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_CHECK_OUTPUT_H
#define FUZZ_CHECK_OUTPUT_H

#include <stddef.h>

/* What must hold of all that is printed, whatever the trace. What does not ends the program. */

/*
 * OUT_ROWS: text, of which there may be none. OUT_TABLES: files; see check_tables(). OUT_CSV and
 * OUT_LINES: what --format csv and jsonl are. OUT_DOCUMENTS: several of OUT_JSON. OUT_SCREEN: what
 * a terminal of 24 lines of 80 columns is told to show.
 */
enum output {
	OUT_TEXT,
	OUT_ROWS,
	OUT_JSON,
	OUT_TRACE_EVENTS,
	OUT_SPEEDSCOPE,
	OUT_PAGE,
	OUT_FLAME_PAGE,
	OUT_TABLES,
	OUT_CSV,
	OUT_LINES,
	OUT_DOCUMENTS,
	OUT_SCREEN,
	OUT_PPROF,
	OUT_PROTOBUF,
	OUT_METRICS
};

/* All of a file, with a 0 behind it; closes it. The caller frees what it returns. */
char *read_whole(int fd, size_t *size);
/* Printable characters and ends of lines alone, in UTF-8. */
void check_text(const char *what, const char *text, size_t size);
/* ... and that it is whole, and sums are right; @text ends with a byte of 0. */
void check_output(enum output kind, const char *text, size_t size);
/* Of OUT_METRICS: one or several texts for Prometheus, one behind the other; sums do not go down
 * between them. */
void check_metrics(const char *text);
/* A heading and rows of as many cells, none of which a spreadsheet takes for a formula. */
void check_csv(const char *text);
/* Objects of the same members. */
void check_lines(const char *text, size_t size);
/* Removes the directory that export made, after a look at all that is in it. */
void check_tables(const char *dir);
/* Two texts are the same; the first lines that differ are printed behind their names. */
void check_same(const char *what, const char *name_a, const char *a, const char *name_b,
		const char *b);
/* Prints why and aborts. */
_Noreturn void broken(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
