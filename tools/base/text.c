/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory.h"
#include "text.h"
#include "util.h"

size_t utf8_decode(const char *s, size_t len, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *b = (const unsigned char *)s;
	size_t n, i;

	if (!len)
		return 0;
	if (b[0] < 0x80) {
		*code = b[0];
		return 1;
	}
	n = b[0] >= 0xf0 && b[0] < 0xf8	  ? 4
	    : b[0] >= 0xe0 && b[0] < 0xf0 ? 3
	    : b[0] >= 0xc2 && b[0] < 0xe0 ? 2
					  : 0;
	if (!n || n > len)
		return 0;
	*code = b[0] & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((b[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (b[i] & 0x3f);
	}
	if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

/*
 * Unicode's default ignorable code points, format characters (Cf), blanks other than the space
 * (Zs, Zl, Zp), and what looks blank or has no look: fillers, the empty Braille pattern,
 * noncharacters. In order; the planes from U+E0000 on are tags, selectors and private ones.
 */
static const struct {
	uint32_t first, last;
} unsafe[] = {
	{0x0, 0x1f},	       {0x7f, 0xa0},	   {0xad, 0xad},       {0x34f, 0x34f},
	{0x600, 0x605},	       {0x61c, 0x61c},	   {0x6dd, 0x6dd},     {0x70f, 0x70f},
	{0x890, 0x891},	       {0x8e2, 0x8e2},	   {0x115f, 0x1160},   {0x1680, 0x1680},
	{0x17b4, 0x17b5},      {0x180b, 0x180f},   {0x2000, 0x200f},   {0x2028, 0x202f},
	{0x205f, 0x206f},      {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},
	{0xfdd0, 0xfdef},      {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
	{0xfff0, 0xfffb},      {0xfffe, 0xffff},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd},
	{0x13430, 0x1345f},    {0x1bca0, 0x1bca3}, {0x1d159, 0x1d159}, {0x1d173, 0x1d17a},
	{0xe0000, UINT32_MAX},
};

int is_unsafe(uint32_t c)
{
	size_t low = 0, high = ARRAY_SIZE(unsafe);

	/* Nearly all text is that. */
	if (c >= 0x20 && c < 0x7f)
		return 0;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (c > unsafe[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return c >= unsafe[low].first;
}

char *text_escape(const char *s)
{
	size_t len = strlen(s);
	/* Of a byte come four at most. */
	char *buf = xcalloc(4 * len + 1, 1), *to = buf;

	while (len) {
		uint32_t c;
		size_t n = utf8_decode(s, len, &c);

		if (!n) {
			to += sprintf(to, "\\x%02x", (unsigned char)*s);
			n = 1;
		} else if (c == '\\') {
			to += sprintf(to, "\\\\");
		} else if (is_unsafe(c)) {
			to += sprintf(to, c < 0x80 ? "\\x%02x" : "\\u{%x}", c);
		} else {
			memcpy(to, s, n);
			to += n;
		}
		s += n;
		len -= n;
	}
	*to++ = '\0';
	return xrealloc(buf, (size_t)(to - buf), 1);
}

struct growing {
	char **text;
	size_t *size, cap;
};

static ssize_t add_text(void *cookie, const char *from, size_t len)
{
	struct growing *g = cookie;

	if (g->cap - *g->size <= len) {
		g->cap = 2 * g->cap + len + 1;
		*g->text = xrealloc(*g->text, g->cap, 1);
	}
	memcpy(*g->text + *g->size, from, len);
	*g->size += len;
	(*g->text)[*g->size] = '\0';
	return (ssize_t)len;
}

static int end_text(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *text_stream(char **text, size_t *size)
{
	struct growing *g = xcalloc(1, sizeof(*g));
	FILE *f;

	*g = (struct growing){.text = text, .size = size, .cap = 1};
	f = fopencookie(g, "w", (cookie_io_functions_t){.write = add_text, .close = end_text});
	if (!f)
		memory_exhausted();
	*text = xcalloc(1, 1);
	*size = 0;
	return f;
}

char *text_valid(const char *s)
{
	size_t len = strlen(s), at = 0;
	char *valid = xcalloc(len * 3 + 1, 1);

	while (len) {
		uint32_t c;
		size_t n = utf8_decode(s, len, &c);

		memcpy(valid + at, n ? s : "\xef\xbf\xbd", n ? n : 3);
		at += n ? n : 3;
		n = n ? n : 1;
		s += n;
		len -= n;
	}
	return valid;
}

int hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		return -1;
	return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
}

static bool is_plain(unsigned char c)
{
	return c < 0x80 && (isalnum(c) || (c && strchr("-._~/:@,", c)));
}

char *percent_encode(const char *s, size_t max)
{
	size_t len = strnlen(s, max);
	char *text = xcalloc(len * 3 + 1, 1), *t = text;

	for (; len; len--, s++) {
		if (is_plain((unsigned char)*s))
			*t++ = *s;
		else
			t += sprintf(t, "%%%02X", (unsigned char)*s);
	}
	return text;
}

int percent_decode(char *s)
{
	char *to = s;

	for (; *s; s++) {
		int high, low;

		if (*s != '%') {
			*to++ = *s;
			continue;
		}
		high = hex_digit(s[1]);
		low = high < 0 ? -1 : hex_digit(s[2]);
		if (low < 0 || !(high << 4 | low))
			return -1;
		*to++ = (char)(high << 4 | low);
		s += 2;
	}
	*to = '\0';
	return 0;
}

void uuid_text(char buf[UUID_TEXT_MAX], const uint8_t u[16])
{
	snprintf(buf, UUID_TEXT_MAX,
		 "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", u[0], u[1],
		 u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14],
		 u[15]);
}

size_t text_width(const char *s)
{
	size_t width = 0;

	for (; *s; s++)
		width += ((unsigned char)*s & 0xc0) != 0x80;
	return width;
}

char *text_fit(char *text, size_t columns)
{
	size_t dots = columns < 2 ? columns : 2, kept = columns - dots, nr = 0;
	char *end = text;

	if (text_width(text) <= columns)
		return text;
	/* Up to the begin of the first character that is cut. */
	while (((unsigned char)*end & 0xc0) == 0x80 || nr++ < kept)
		end++;
	/* So many bytes are free: what was cut was wider than that. */
	memset(end, '.', dots);
	end[dots] = '\0';
	return text;
}

static struct tm local(uint64_t ns)
{
	time_t t = (time_t)(ns / NS_PER_SEC);
	struct tm tm = {0};

	localtime_r(&t, &tm);
	return tm;
}

const char *time_of_day(char buf[TIME_TEXT_MAX], uint64_t ns)
{
	struct tm tm = local(ns);

	snprintf(buf, TIME_TEXT_MAX, "%02d:%02d:%02d.%09u", tm.tm_hour, tm.tm_min, tm.tm_sec,
		 (unsigned int)(ns % NS_PER_SEC));
	return buf;
}

const char *time_full(char buf[TIME_TEXT_MAX], uint64_t ns)
{
	struct tm tm = local(ns);
	char tail[TIME_TEXT_MAX];

	time_of_day(tail, ns);
	if (!strftime(buf, TIME_TEXT_MAX, "%Y-%m-%d ", &tm))
		buf[0] = '\0';
	strncat(buf, tail, TIME_TEXT_MAX - strlen(buf) - 1);
	return buf;
}

/* Reads SECONDS[.fraction] up to the end of the text; digits only, no sign, no exponent. */
static int parse_seconds(const char *s, uint64_t *ns)
{
	uint64_t sec = 0, frac = 0, unit = NS_PER_SEC / 10;

	if (!isdigit((unsigned char)*s))
		return -1;
	for (; isdigit((unsigned char)*s); s++) {
		if (sec > UINT64_MAX / NS_PER_SEC / 10 - 10)
			return -1;
		sec = sec * 10 + (uint64_t)(*s - '0');
	}
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s); s++) {
			frac += (uint64_t)(*s - '0') * unit;
			unit /= 10;
		}
	*ns = sec * NS_PER_SEC + frac;
	return *s ? -1 : 0;
}

static int two_digits(const char *s, unsigned int limit, unsigned int *value)
{
	if (!isdigit((unsigned char)s[0]) || !isdigit((unsigned char)s[1]))
		return -1;
	*value = (unsigned int)(s[0] - '0') * 10 + (unsigned int)(s[1] - '0');
	return *value < limit ? 0 : -1;
}

static int parse_clock(const char *s, uint64_t begin, uint64_t *ns)
{
	struct tm tm = local(begin);
	unsigned int hour, min;
	uint64_t sec;
	time_t t;

	if (two_digits(s, 24, &hour) || s[2] != ':' || two_digits(s + 3, 60, &min) || s[5] != ':' ||
	    parse_seconds(s + 6, &sec) || sec >= 61 * NS_PER_SEC)
		return -1;
	tm.tm_hour = (int)hour;
	tm.tm_min = (int)min;
	tm.tm_sec = 0;
	tm.tm_isdst = -1;
	t = mktime(&tm);
	*ns = (uint64_t)t * NS_PER_SEC + sec;
	/* The time of day may be given with fewer digits than the trace has. */
	if (*ns + NS_PER_SEC < begin) {
		tm.tm_mday++;
		tm.tm_isdst = -1;
		t = mktime(&tm);
		*ns = (uint64_t)t * NS_PER_SEC + sec;
	}
	return 0;
}

/* As JSON tells a moment. So many digits are no seconds: they would be more ns than fit. */
static bool is_nanoseconds(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	return digits > 11 && !s[digits];
}

static int parse_whole(const char *s, uint64_t *ns)
{
	char *end;

	errno = 0;
	*ns = strtoull(s, &end, 10);
	return errno ? -1 : 0;
}

int time_parse(const char *s, uint64_t begin, uint64_t *ns)
{
	if (*s == '+') {
		if (parse_seconds(s + 1, ns))
			return -1;
		if (__builtin_add_overflow(*ns, begin, ns))
			*ns = UINT64_MAX;
		return 0;
	}
	if (strlen(s) >= 8 && s[2] == ':')
		return parse_clock(s, begin, ns);
	return is_nanoseconds(s) ? parse_whole(s, ns) : parse_seconds(s, ns);
}

int time_looks_valid(const char *s)
{
	uint64_t ns;

	return !time_parse(s, 0, &ns);
}
