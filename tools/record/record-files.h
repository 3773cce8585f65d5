/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_RECORD_FILES_H
#define LC_RECORD_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/hash.h"
#include "record-jits.h"
#include "record-perf.h"

/*
 * What is written of programs (base/symbols.h), and which of their files have been read. One file
 * is read at a time, by a process of its own.
 */
struct files {
	int fd; /* where it is written */
	FILE *out;
	uint64_t written; /* bytes */
	bool is_full;
	struct hash known, tables;
	size_t nr_tables;
	uint64_t lost;
	struct wanted {
		struct file *file;
		uint32_t pid;
		struct mapping map; /* without its path */
	} * queue;
	size_t first, nr, cap; /* of the queue */
	struct wanted now;     /* is being read; file NULL: none is, or a map */
	struct jits jits;
	uint32_t jit_pid; /* whose map is being read */
	uint64_t jit_number;
	uint64_t jit_written; /* bytes, of all maps */
	pid_t reader;
	int from; /* -1: nothing is being read */
	char *text;
	size_t len;
	uint64_t until; /* ns of CLOCK_MONOTONIC */
};

/* Begins the file; @fd is its. Returns -1 if it cannot be written. */
int files_open(struct files *f, int fd);
/* A struct perf's. */
void files_change(void *files, const struct change *c);
/* What is not being read, though it should be: starts to. */
void files_go_on(struct files *f);
/* Takes what its reader says. */
void files_listen(struct files *f);
/* Ends its reader: it has had its time. */
void files_give_up(struct files *f);
/* How long the reader has, or when one is to start, ms; -1: there is none. */
int files_patience(const struct files *f);
/* Whether that is no longer now. */
bool files_is_late(const struct files *f);
/* What was wanted; when it ends also the maps that processes make. */
bool files_are_read(const struct files *f);
/* Maps are read for the last time. */
void files_end(struct files *f);
/* What was said of programs. Returns -1 if it could not be written. */
int files_close(struct files *f);

#endif
