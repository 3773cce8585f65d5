/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "tap.h"

/* The complaints of the running test; they are printed below its "not ok". */
static char complaints[4096];

static void complain(const char *file, int line, const char *what, const char *wanted,
		     const char *saw)
{
	size_t len = strlen(complaints);

	snprintf(complaints + len, sizeof(complaints) - len, "# %s:%d %s: expected %s, saw %s\n",
		 file, line, what, wanted, saw);
}

void tap_expect(bool ok, const char *what, const char *file, int line)
{
	if (!ok)
		complain(file, line, what, "true", "false");
}

void tap_expect_int(long long saw, long long wanted, const char *what, const char *file, int line)
{
	char w[32], s[32];

	if (saw == wanted)
		return;
	snprintf(w, sizeof(w), "%lld", wanted);
	snprintf(s, sizeof(s), "%lld", saw);
	complain(file, line, what, w, s);
}

void tap_expect_text(const char *saw, const char *wanted, const char *what, const char *file,
		     int line)
{
	if (!saw || strcmp(saw, wanted))
		complain(file, line, what, wanted, saw ? saw : "(none)");
}

int tap_run(const struct tap_test *tests)
{
	int n, failed = 0;

	for (n = 0; tests[n].name; n++) {
		complaints[0] = '\0';
		tests[n].run();
		printf("%sok - %s\n%s", complaints[0] ? "not " : "", tests[n].name, complaints);
		failed += complaints[0] != '\0';
		fflush(stdout);
	}
	printf("1..%d\n", n);
	return failed ? 1 : 0;
}
