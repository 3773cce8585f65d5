/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TAP_H
#define LC_TAP_H

#include <stdbool.h>

/* A small test harness that prints TAP: one line for each test, named by what must hold. */

struct tap_test {
	const char *name;
	void (*run)(void);
};

/* Fails the running test, and says what was expected and what was seen. */
#define expect(what)		 tap_expect((what), #what, __FILE__, __LINE__)
#define expect_int(saw, wanted)	 tap_expect_int((saw), (wanted), #saw, __FILE__, __LINE__)
#define expect_text(saw, wanted) tap_expect_text((saw), (wanted), #saw, __FILE__, __LINE__)

void tap_expect(bool ok, const char *what, const char *file, int line);
void tap_expect_int(long long saw, long long wanted, const char *what, const char *file, int line);
void tap_expect_text(const char *saw, const char *wanted, const char *what, const char *file,
		     int line);

/* Runs all tests up to one without a name; returns the exit status for main(). */
int tap_run(const struct tap_test *tests);

#endif
