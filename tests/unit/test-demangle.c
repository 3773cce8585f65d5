/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/symbols.h"
#include "base/util.h"
#include "stacks/demangler.h"
#include "tap.h"

#define OWNER 1

static struct demangler d;

/* By hand, from the C++ ABI and Rust's RFC 2603. */
static const struct {
	const char *mangled, *expected;
} names[] = {
	{"_Z1fv", "f"},
	{"_ZN3foo3barEi", "foo::bar"},
	{"_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<int, std::allocator<int> >::push_back"},
	{"_ZN5queue4itemC1Ev", "queue::item::item"},
	{"_ZNK5TableI4Name3RefI6ScriptE7CompareIS0_E5AllocE3hasERKS0_",
	 "Table<Name, Ref<Script>, Compare<Name>, Alloc>::has"},
	{"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"},
	{"_ZN3app9main_loop17h0f1e2d3c4b5a6978E", "app::main_loop"},
	{"_RNvC6_123foo3bar", "123foo::bar"},
	{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
	{"_RNCNvCsgStHSCytQ6I_7mycrate4main0B3_", "mycrate::main::{closure#0}"},
	{"_RNvMs_NtCs1234_7mycrateNtB4_3Foo3bar", NULL},
};

static void names_are_those_of_the_sources(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		char *name = demangler_ask(&d, OWNER, names[i].mangled);

		if (names[i].expected)
			expect_text(name ? name : "nothing", names[i].expected);
		free(name);
	}
}

static void others_stay_as_they_are(void)
{
	static const char *const others[] = {
		"",
		"_",
		"_Z",
		"_R",
		"main",
		"_start",
		"Z1fv",
		"_ZN",
		"_Z1",
		"_Z99999999999f",
		"_RNvC",
		"_ZN3foo",
		"LazyCompile:*f x.js:1",
		"py::f:/x.py",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++)
		expect(!demangler_ask(&d, OWNER, others[i]));
	expect_int(d.failures, 0);
}

/* The ABI's S_, S0_, ... SZ_, S10_ ... */
static char *put_substitution(char *to, size_t number)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	*to++ = 'S';
	if (number > 36)
		*to++ = digits[(number - 1) / 36];
	*to++ = digits[(number - 1) % 36];
	*to++ = '_';
	return to;
}

/* f<B<A, A>, B<B<A, A>, B<A, A>>, ...>: each stands for twice what the one before stands for. */
static char *doubling(size_t times)
{
	char *name = xcalloc(FUNCTION_NAME_MAX, 1), *to = stpcpy(name, "_Z1fI1BI1AS1_E");
	size_t i;

	for (i = 3; i < times; i++) {
		to = stpcpy(to, "S0_I");
		to = put_substitution(put_substitution(to, i), i);
		*to++ = 'E';
	}
	strcpy(to, "Evv");
	return name;
}

static char *repeated(const char *begin, const char *part, size_t times, const char *end)
{
	char *name = xcalloc(strlen(begin) + times * strlen(part) + strlen(end) + 1, 1);
	char *to = stpcpy(name, begin);

	while (times--)
		to = stpcpy(to, part);
	strcpy(to, end);
	return name;
}

static double seconds_of(char *name)
{
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	free(demangler_ask(&d, OWNER, name));
	clock_gettime(CLOCK_MONOTONIC, &end);
	free(name);
	return (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
}

/* On a machine that has much else to do. */
#define SOON 15

static void names_that_grow_without_end_are_left(void)
{
	char *small = doubling(4), *name = demangler_ask(&d, OWNER, small);
	size_t i;

	expect_text(name, "f<B<A, A>, B<B<A, A>, B<A, A> > >");
	free(name);
	free(small);
	for (i = 10; i < 300; i += 30)
		expect(seconds_of(doubling(i)) < SOON);
	expect(seconds_of(repeated("_Z1f", "P", 4000, "v")) < SOON);
	expect(seconds_of(repeated("_Z1f", "FvPFvP", 600, "vEEv")) < SOON);
	expect(seconds_of(repeated("_ZN", "1aI", 1000, "")) < SOON);
	expect(seconds_of(repeated("_Zcv", "cv", 1900, "i")) < SOON);
	expect(seconds_of(repeated("_Z1fIXcv", "Dpsr", 900, "E")) < SOON);
	expect(seconds_of(repeated("_RNv", "Nv", 1900, "C1a")) < SOON);
	expect(seconds_of(repeated("_RINvC1a1b", "RAj", 1300, "E")) < SOON);
	expect(seconds_of(repeated("_RNvC", "u9aaaa_bbbb", 300, "1f")) < SOON);
	expect(seconds_of(repeated("_RNvYB", "B_", 1000, "")) < SOON);
	printf("# %llu of them broke it\n", (unsigned long long)d.failures);
	demangler_free(&d);
	d.failures = 0;
}

static void long_names_are_not_asked_for(void)
{
	char *name = repeated("_Z1f", "P", FUNCTION_NAME_MAX, "v");

	expect(!demangler_ask(&d, OWNER, name));
	expect_int(d.failures, 0);
	free(name);
}

/* Made up from what names are made of. */
static void noise_breaks_nothing(void)
{
	static const char letters[] =
		"NKSIEJTDpt_LRvBCxy0123456789aZQGMFXcvsrilufnoPOhbdmwgeqzjkAUVWY$.";
	unsigned int seed = 19, i, n;
	char name[200];

	for (i = 0; i < 20000; i++) {
		unsigned int len = 3 + (unsigned int)rand_r(&seed) % (sizeof(name) - 4);

		for (n = 0; n < len; n++)
			name[n] = letters[(unsigned int)rand_r(&seed) % (sizeof(letters) - 1)];
		memcpy(name, i % 2 ? "_Z" : "_R", 2);
		name[len] = '\0';
		free(demangler_ask(&d, OWNER, name));
	}
	expect_int(d.failures, 0);
}

/* Whoever answers may break: then another one does, but not for ever. */
static void one_that_breaks_is_replaced(void)
{
	struct demangler own = {0};
	char *name;
	int i;

	for (i = 0; i < 3; i++) {
		free(demangler_ask(&own, OWNER, "_Z1fv"));
		kill(own.pid, SIGKILL);
		expect(!demangler_ask(&own, OWNER, "_Z1fv"));
		name = demangler_ask(&own, OWNER, "_Z1fv");
		expect_text(name, "f");
		free(name);
	}
	kill(own.pid, SIGKILL);
	expect(!demangler_ask(&own, OWNER, "_Z1fv"));
	expect(!demangler_ask(&own, OWNER, "_Z1fv"));
	expect_int(own.pid, 0);
	demangler_free(&own);
}

static void one_that_does_not_answer_is_not_waited_for(void)
{
	struct demangler own = {0};

	free(demangler_ask(&own, OWNER, "_Z1fv"));
	kill(own.pid, SIGSTOP);
	expect(!demangler_ask(&own, OWNER, "_Z1fv"));
	expect_int(own.failures, 1);
	demangler_free(&own);
	expect(waitpid(-1, NULL, WNOHANG) <= 0);
}

/* The loop of a binder that is not printed, some ten million times: most of a second. */
#define SLOW "_RNvMIC1aFGFXuh_EuEu1f"

/* What one has used the next one has not. */
static void all_together_have_a_minute(void)
{
	struct demangler own = {0};
	int i;

	free(demangler_ask(&own, OWNER, SLOW));
	demangler_free(&own);
	expect(own.used_us > 10000);
	own = (struct demangler){.used_us = 59900000};
	for (i = 0; i < 100 && !own.is_over; i++)
		free(demangler_ask(&own, OWNER, SLOW));
	expect(own.is_over);
	expect(own.used_us >= 60000000);
	expect(!demangler_answers(&own, OWNER + 1));
	expect(!demangler_ask(&own, OWNER + 1, "_Z1fv"));
	demangler_free(&own);
}

static void others_are_answered(struct demangler *own)
{
	char *name = demangler_ask(own, OWNER + 1, "_Z1fv");

	expect(!demangler_answers(own, OWNER));
	expect(!demangler_ask(own, OWNER, "_Z1fv"));
	expect(demangler_answers(own, OWNER + 1));
	expect_text(name ? name : "nothing", "f");
	free(name);
}

static void who_breaks_it_breaks_it_for_himself(void)
{
	struct demangler own = {0};
	int i;

	for (i = 0; i < 4; i++) {
		expect(demangler_answers(&own, OWNER));
		free(demangler_ask(&own, OWNER, "_Z1fv"));
		kill(own.pid, SIGKILL);
		expect(!demangler_ask(&own, OWNER, "_Z1fv"));
	}
	others_are_answered(&own);
	demangler_free(&own);
}

/* Also where each name has its answer in time. */
static void who_takes_long_takes_it_from_himself(void)
{
	struct demangler own = {0};
	uint64_t us;
	int i;

	free(demangler_ask(&own, OWNER, SLOW));
	demangler_free(&own);
	us = own.used_us;
	own = (struct demangler){0};
	for (i = 0; i < 1000 && demangler_answers(&own, OWNER); i++)
		free(demangler_ask(&own, OWNER, SLOW));
	printf("# %d names, of %llu us\n", i, (unsigned long long)us);
	others_are_answered(&own);
	demangler_free(&own);
	expect(own.used_us < 60000000 / 2);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"names are those of the sources", names_are_those_of_the_sources},
		{"others stay as they are", others_stay_as_they_are},
		{"names that grow without end are left", names_that_grow_without_end_are_left},
		{"long names are not asked for", long_names_are_not_asked_for},
		{"noise breaks nothing", noise_breaks_nothing},
		{"one that breaks is replaced", one_that_breaks_is_replaced},
		{"one that does not answer is not waited for",
		 one_that_does_not_answer_is_not_waited_for},
		{"all together have a minute", all_together_have_a_minute},
		{"who breaks it breaks it for himself", who_breaks_it_breaks_it_for_himself},
		{"who takes long takes it from himself", who_takes_long_takes_it_from_himself},
		{0},
	};
	int status = tap_run(tests);

	demangler_free(&d);
	return status;
}
