/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "tap.h"
#include "base/text.h"

static void expect_escaped(const char *text, const char *wanted)
{
	char *saw = text_escape(text);

	expect_text(saw, wanted);
	free(saw);
}

static void plain_text_stays(void)
{
	expect_escaped("", "");
	expect_escaped("kworker/0:1 [x]", "kworker/0:1 [x]");
	expect_escaped("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7",
		       "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x90\xa7");
}

static void controls_are_escaped(void)
{
	expect_escaped("a\x1b[31mb\n\t\x7f", "a\\x1b[31mb\\x0a\\x09\\x7f");
	expect_escaped("\xc2\x9b"
		       "31m",
		       "\\u{9b}31m");
	expect_escaped("back\\slash", "back\\\\slash");
}

static void direction_marks_are_escaped(void)
{
	expect_escaped("\xe2\x80\xaegnp", "\\u{202e}gnp");
	expect_escaped("\xe2\x80\xa8", "\\u{2028}");
	expect_escaped("\xf3\xa0\x80\x81", "\\u{e0001}");
}

static void invisible_characters_are_escaped(void)
{
	/* Hangul fillers, a variation selector, an empty Braille pattern, wide and narrow blanks */
	expect_escaped("\xe3\x85\xa4", "\\u{3164}");
	expect_escaped("\xe1\x85\x9f\xe1\x85\xa0", "\\u{115f}\\u{1160}");
	expect_escaped("\xef\xbe\xa0", "\\u{ffa0}");
	expect_escaped("a\xef\xb8\x8f", "a\\u{fe0f}");
	expect_escaped("\xe2\xa0\x80", "\\u{2800}");
	expect_escaped("\xc2\xa0\xe2\x80\xaf\xe3\x80\x80", "\\u{a0}\\u{202f}\\u{3000}");
	/* Their neighbours, and what stands for bytes that are not UTF-8. */
	expect_escaped("\xe3\x85\xa3\xe3\x85\xa5", "\xe3\x85\xa3\xe3\x85\xa5");
	expect_escaped("\xe2\xa0\x81\xef\xbf\xbd", "\xe2\xa0\x81\xef\xbf\xbd");
}

static void bad_utf8_is_escaped(void)
{
	/* cut off; overlong; a surrogate; beyond U+10FFFF; a lone tail */
	expect_escaped("a\xc3", "a\\xc3");
	expect_escaped("\xc0\xaf", "\\xc0\\xaf");
	expect_escaped("\xed\xa0\x80", "\\xed\\xa0\\x80");
	expect_escaped("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	expect_escaped("\x80", "\\x80");
}

/* 2023-11-14 22:13:20 UTC */
#define BEGIN (1700000000 * NS_PER_SEC)

static void expect_time(const char *text, uint64_t wanted)
{
	uint64_t ns = 0;

	expect_int(time_parse(text, BEGIN, &ns), 0);
	expect_int((long long)ns, (long long)wanted);
}

static void times_are_read(void)
{
	expect_time("+2.5", BEGIN + 2500000000);
	expect_time("+0", BEGIN);
	expect_time("1700000001.000000001", BEGIN + NS_PER_SEC + 1);
	expect_time("22:13:21", BEGIN + NS_PER_SEC);
	expect_time("22:13:20.250", BEGIN + 250000000);
	expect_time("22:13:20.123456789", BEGIN + 123456789);
	/* The last moment that fits, not one before the trace. */
	expect_time("+18446743979", UINT64_MAX);
}

static void time_of_day_may_be_tomorrow(void)
{
	expect_time("00:00:01", BEGIN + (3600 + 46 * 60 + 41) * NS_PER_SEC);
}

static void bad_times_are_refused(void)
{
	static const char *const bad[] = {
		"",
		"+",
		"yesterday",
		"-1",
		"24:00:00",
		"12:60:00",
		"12:00",
		"12:00:61.5",
		"1e3",
		"+1s",
		" 1",
		"1.5.5",
		"99999999999999999999",
		"12:00:00Z",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (time_looks_valid(bad[i]))
			expect_text(bad[i], "refused");
	}
}

static void times_are_printed(void)
{
	char buf[TIME_TEXT_MAX];

	expect_text(time_of_day(buf, BEGIN + 5), "22:13:20.000000005");
	expect_text(time_full(buf, BEGIN), "2023-11-14 22:13:20.000000000");
}

static void expect_fit(const char *text, size_t columns, const char *wanted)
{
	char *saw = strdup(text);

	expect_text(text_fit(saw, columns), wanted);
	free(saw);
}

static void what_is_too_long_is_cut(void)
{
	expect_fit("", 0, "");
	expect_fit("name", 4, "name");
	expect_fit("names", 4, "na..");
	expect_fit("names", 2, "..");
	expect_fit("names", 1, ".");
	/* No byte is written behind a text of one. */
	expect_fit("n", 0, "");
	expect_fit("names", 0, "");
	expect_fit("gr\xc3\xbc\xc3\x9f", 4, "gr\xc3\xbc\xc3\x9f");
	expect_fit("gr\xc3\xbc\xc3\x9f"
		   "e",
		   4, "gr..");
	expect_fit("\xf0\x9f\x90\xa7\xe2\x82\xac\xe2\x82\xac", 2, "..");
	expect_fit("\xf0\x9f\x90\xa7\xe2\x82\xac\xe2\x82\xac\xc3\xbc", 3, "\xf0\x9f\x90\xa7..");
}

static size_t distance(const char *a, const char *b)
{
	size_t d = edit_distance(a, b);

	/* It is the same both ways. */
	return edit_distance(b, a) == d ? d : (size_t)-1;
}

static void distances_are_of_letters(void)
{
	char longer[64] = "";

	expect_int((long long)distance("", ""), 0);
	expect_int((long long)distance("", "cpu"), 3);
	expect_int((long long)distance("delays", "dleays"), 1);
	expect_int((long long)distance("kitten", "sitting"), 3);
	expect_int((long long)distance("ca", "abc"), 3);
	memset(longer, 'x', sizeof(longer) - 1);
	expect_int((long long)distance(longer, "cpu"), 63);
}

static const struct tap_test tests[] = {
	{"plain text and UTF-8 stay as they are", plain_text_stays},
	{"control characters and backslashes are escaped", controls_are_escaped},
	{"direction marks and invisible characters are escaped", direction_marks_are_escaped},
	{"invisible and blank characters are escaped", invisible_characters_are_escaped},
	{"bytes that are not UTF-8 are escaped", bad_utf8_is_escaped},
	{"times are read in all forms", times_are_read},
	{"a time of day before the begin is tomorrow's", time_of_day_may_be_tomorrow},
	{"what is no time is refused", bad_times_are_refused},
	{"text that is too long is cut between characters", what_is_too_long_is_cut},
	{"the distance of two words is the least number of slips", distances_are_of_letters},
	{"times are printed as babeltrace2 prints them", times_are_printed},
	{0},
};

int main(void)
{
	setenv("TZ", "UTC", 1);
	return tap_run(tests);
}
