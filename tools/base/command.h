/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COMMAND_H
#define LC_COMMAND_H

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>

/* Exit statuses: an interface. */
enum { EXIT_FINE = 0, EXIT_VIOLATIONS = 1, EXIT_NOT_FOUND = 1, EXIT_TROUBLE = 2 };

/* Each takes its own arguments, argv[0] being its name, and returns an exit status. */
int cmd_record(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_cpu(int argc, char **argv);
int cmd_delays(int argc, char **argv);
int cmd_enrich(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_flame(int argc, char **argv);
int cmd_map(int argc, char **argv);
int cmd_metrics(int argc, char **argv);
int cmd_names(int argc, char **argv);
int cmd_syscalls(int argc, char **argv);
int cmd_tree(int argc, char **argv);
int cmd_wakeups(int argc, char **argv);
int cmd_watch(int argc, char **argv);
int cmd_why(int argc, char **argv);
int cmd_timeline(int argc, char **argv);

/* Prints "WHAT NAME=VALUE", the value escaped; returns -1. */
int argument_error(const char *what, const char *name, const char *value);
/* The same for a word that there is not; @meant is the one that was probably meant, or NULL. */
int unknown_word(const char *what, const char *name, const char *value, const char *meant);
/*
 * Takes an option's value that is a whole number from @min to @max. Returns 0, or -1 after @what,
 * the sentence that says what to give, was printed.
 */
int number_option(const char *what, const char *option, const char *text, uint64_t min,
		  uint64_t max, uint64_t *n);
/*
 * Calls @take with what getopt_long() returns for each option; @letters are as for that,
 * and have the colon that tells a missing value apart. Returns 0, or -1 after an error was
 * printed; an answer of @take other than 0 is one, too. optind is then the first word's.
 */
int options_parse(int argc, char **argv, const char *letters, const struct option *options,
		  int (*take)(void *args, int c), void *args);

/* Prints a hint where to find help, and returns EXIT_TROUBLE. */
int usage_error(const char *command);

/*
 * A report is written to memory and shown as a whole or not at all.
 * report_show() returns 0, or -1 after it printed why standard output failed.
 */
struct report {
	FILE *out;
	char *text;
	size_t size;
};

void report_open(struct report *r);
int report_show(struct report *r);
/* As report_show(), of what was written there at once. */
int report_flush(void);
void report_drop(struct report *r);

#endif
