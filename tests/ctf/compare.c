/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <babeltrace2/babeltrace.h>

#include "print.h"
#include "trace/ctf/native.h"

/*
 * Reads traces with both readers and compares all that they tell, event by event and field by
 * field. With ROUNDS, each trace is damaged that often, and compared again; with WORDS, only the
 * words of its metadata. With TWINS, every second trace is what the library reads in place of the
 * one before: the same events, told of in metadata that it knows. With ALONE, the native reader
 * only has to end by itself.
 */

#define MEMORY_MAX (64 << 20)
/* More can only have been lost by a counter that was damaged, and mostly by one that goes back. */
#define LOST_MAX   (UINT64_C(1) << 48)

enum outcome { GOOD, FAILED, REFUSED, DIED };

static const char *const outcomes[] = {"good", "failed", "refused", "died"};
/* What each reader said last. */
static char said[READER_BABELTRACE + 1][4096];
static unsigned long long nr_stricter;
static unsigned long long nr_compared, nr_good, nr_refused, nr_differ;

static bool knows_2_1(void)
{
	return bt_version_get_major() > 2 || bt_version_get_minor() > 0;
}

/* In a process of its own: libbabeltrace2 ends it where it gives up. */
static enum outcome read_as(enum reader_kind kind, char *path, FILE *out)
{
	const struct reader_callbacks cb = print_to(out);
	struct reader r = {0};
	int errors = memfd_create("said", MFD_CLOEXEC), ret, pid = fork(), status;
	ssize_t got;

	if (pid < 0)
		exit(2);
	if (pid) {
		if (waitpid(pid, &status, 0) < 0)
			exit(2);
		got = pread(errors, said[kind], sizeof(said[kind]) - 1, 0);
		if (got >= 0)
			said[kind][got] = '\0';
		close(errors);
		return WIFEXITED(status) && WEXITSTATUS(status) < DIED
			       ? (enum outcome)WEXITSTATUS(status)
			       : DIED;
	}
	dup2(errors, STDERR_FILENO);
	alarm(60);
	print_below = path;
	reader_choose(kind);
	ret = reader_run(&r, &path, 1, &cb);
	print_ends(out, &r);
	fflush(out);
	/* The native reader says that it does not know a trace before it tells anything. */
	if (ret && kind == READER_NATIVE && native_has_refused())
		_exit(REFUSED);
	reader_free(&r);
	fclose(out);
	exit(ret ? FAILED : GOOD);
}

static char *read_into(enum reader_kind kind, char *path, enum outcome *outcome)
{
	int fd = memfd_create("told", MFD_CLOEXEC);
	FILE *out = fdopen(fd, "w");
	size_t size;
	char *text;

	if (!out)
		exit(2);
	*outcome = read_as(kind, path, out);
	size = (size_t)lseek(fd, 0, SEEK_END);
	text = calloc(1, size + 2);
	if (pread(fd, text, size, 0) != (ssize_t)size)
		exit(2);
	fclose(out);
	print_sort(text);
	return text;
}

static void show_difference(const char *a, const char *b)
{
	const char *line = a;

	while (*a && *a == *b) {
		if (*a == '\n')
			line = a + 1;
		a++;
		b++;
	}
	b -= a - line;
	printf("# native:     %.*s\n# babeltrace: %.*s\n", (int)strcspn(line, "\n"), line,
	       (int)strcspn(b, "\n"), b);
}

static bool has_said(enum reader_kind kind, const char *what)
{
	return strstr(said[kind], what);
}

/*
 * libbabeltrace2 takes the low bits of a big id, and a file that ends within an event for one that
 * ends: what it tells of such a trace is not the truth. 2.1 says nothing of losses of which a
 * counter tells that goes back; so when these were is nothing to it.
 */
static bool is_stricter(void)
{
	return has_said(READER_NATIVE, "an event's id has more than 32 bits") ||
	       has_said(READER_NATIVE, "a packet's contents do not fit into it") ||
	       (knows_2_1() && has_said(READER_NATIVE, "a loss begins before what was told"));
}

/* From 2.1 on a stream has one number in all of its packets. */
static bool library_is_stricter(void)
{
	return knows_2_1() &&
	       has_said(READER_BABELTRACE, "packets belong to different data streams");
}

/*
 * 2.1 says nothing of events that were lost in the first packet or before, whose number nobody
 * knows, nor of counters that go back.
 */
static bool is_silent_on(const char *line)
{
	const char *cpu = strstr(line, " cpu");
	unsigned long long count;
	int packets;

	return !strncmp(line, "lost ", 5) && cpu &&
	       sscanf(cpu, " cpu%*d %*d %*u-%*u %llu %d", &count, &packets) == 2 &&
	       ((!count && !packets) || count > LOST_MAX);
}

static bool tell_the_same(const char *native, const char *library)
{
	while (*native) {
		size_t len = strcspn(native, "\n");

		len += native[len] == '\n';
		if (!strncmp(native, library, len))
			library += len;
		else if (!knows_2_1() || !is_silent_on(native))
			return false;
		native += len;
	}
	return !*library;
}

/* Where both read, they tell the same; where one fails, so does the other. */
static bool compare(char *path, char *twin, const char *name)
{
	enum outcome native, library;
	char *a = read_into(READER_NATIVE, path, &native);
	char *b = NULL;
	bool same = true;

	nr_compared++;
	if (native == REFUSED || (native != DIED && getenv("ALONE"))) {
		/* The library decides then. */
		nr_refused += native == REFUSED;
		free(a);
		return true;
	}
	b = read_into(READER_BABELTRACE, twin, &library);
	if (native != GOOD) {
		same = native == FAILED && (library != GOOD || is_stricter());
		nr_stricter += native == FAILED && library == GOOD && same;
	} else {
		nr_good++;
		same = library == GOOD ? tell_the_same(a, b) : library_is_stricter();
	}
	if (!same) {
		nr_differ++;
		printf("not ok - %s: native %s, babeltrace %s\n", name, outcomes[native],
		       outcomes[library]);
		if (native != GOOD)
			printf("# %s", said[READER_NATIVE]);
		if (native == GOOD && library == GOOD)
			show_difference(a, b);
	}
	free(a);
	free(b);
	return same;
}

static uint64_t state;

static uint64_t dice(uint64_t sides)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % sides;
}

/* Flips bits, writes numbers, or cuts. The metadata less often: most of that is refused. */
static void damage(uint8_t *bytes, size_t *size, bool is_metadata)
{
	static const uint8_t odd[] = {0, 1, 0x7f, 0x80, 0xff, 31, 0xfe};
	uint64_t times = 1 + dice(4);

	if (!*size || dice(is_metadata ? 3 : 2))
		return;
	while (times--) {
		/* Headers are what matters most. */
		size_t at = (size_t)dice(dice(2) ? *size : *size < 200 ? *size : 200);

		switch (dice(4)) {
		case 0:
			bytes[at] = odd[dice(sizeof(odd))];
			break;
		case 1:
			bytes[at] += (uint8_t)(dice(2) ? 1 : -1);
			break;
		default:
			bytes[at] ^= (uint8_t)(1u << dice(8));
			break;
		}
	}
	if (!dice(8))
		*size = (size_t)dice(*size);
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The word at that place of the text, or behind it; a sign is one, too. Returns its length. */
static size_t word_at(const char *text, size_t *at)
{
	size_t len = 0;

	while (isspace((unsigned char)text[*at]))
		++*at;
	if (!is_of_word(text[*at]))
		return text[*at] != '\0';
	while (*at && is_of_word(text[*at - 1]))
		--*at;
	while (is_of_word(text[*at + len]))
		len++;
	return len;
}

/* Another word: of the same text, or a keyword of TSDL. */
static size_t other_word(const char *text, size_t size, const char **word)
{
	static const char *const keywords[] = {
		"align",
		"callsite",
		"char",
		"clock",
		"const",
		"double",
		"enum",
		"env",
		"event",
		"float",
		"floating_point",
		"int",
		"long",
		"integer",
		"short",
		"signed",
		"stream",
		"string",
		"struct",
		"trace",
		"typedef",
		"typealias",
		"unsigned",
		"variant",
		"void",
		"_Bool",
		":=",
		"_Imaginary",
		"_Complex",
		".",
		"fields",
		"byte_order",
		"*",
		"->",
		"map",
		"...",
	};
	size_t at = (size_t)dice(size), len;

	if (dice(2)) {
		*word = keywords[dice(sizeof(keywords) / sizeof(keywords[0]))];
		return strlen(*word);
	}
	len = word_at(text, &at);
	*word = text + at;
	return len;
}

/* Words are left out (0), doubled (1), others put in place of them (2) or before (3). */
static char *damage_words(char *text, size_t *size)
{
	uint64_t times = 1 + dice(2);

	while (times-- && *size) {
		size_t at = (size_t)dice(*size), len = word_at(text, &at), put, new_size;
		const char *word = text + at;
		uint64_t how = dice(4);
		char *new;

		put = how < 2 ? how * len : other_word(text, *size, &word);
		new = calloc(1, *size + put + 3);
		memcpy(new, text, at);
		new_size = at;
		new[new_size++] = ' ';
		memcpy(new + new_size, word, put);
		new_size += put;
		new[new_size++] = ' ';
		at += how % 2 ? 0 : len;
		memcpy(new + new_size, text + at, *size - at);
		*size = new_size + *size - at;
		free(text);
		text = new;
	}
	return text;
}

static void copy_file(const char *from, const char *to, bool damages, bool is_metadata)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	uint8_t *bytes;
	struct stat st;
	size_t size;

	if (in < 0 || fstat(in, &st) || !S_ISREG(st.st_mode) || st.st_size > MEMORY_MAX) {
		if (in >= 0)
			close(in);
		return;
	}
	size = (size_t)st.st_size;
	bytes = calloc(1, size + 1);
	if (read(in, bytes, size) != (ssize_t)size)
		exit(2);
	if (damages && !getenv("WORDS"))
		damage(bytes, &size, is_metadata);
	else if (damages && is_metadata)
		bytes = (uint8_t *)damage_words((char *)bytes, &size);
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (out < 0 || write(out, bytes, size) != (ssize_t)size)
		exit(2);
	close(in);
	close(out);
	free(bytes);
}

/* A damaged copy of the trace, always the same for the same number. */
static void make_victim(const char *trace, const char *victim, uint64_t number)
{
	struct dirent **names;
	int i, nr = scandir(trace, &names, NULL, alphasort);
	char from[PATH_MAX + 300], to[PATH_MAX + 300];

	state = number * 0x9e3779b97f4a7c15u + 1;
	for (i = 0; i < 8; i++)
		dice(2);
	for (i = 0; i < nr; i++) {
		bool is_metadata = !strcmp(names[i]->d_name, "metadata");

		snprintf(from, sizeof(from), "%s/%s", trace, names[i]->d_name);
		snprintf(to, sizeof(to), "%s/%s", victim, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			copy_file(from, to, true, is_metadata);
		free(names[i]);
	}
	free(names);
}

static void empty_directory(const char *path)
{
	struct dirent **names;
	int i, nr = scandir(path, &names, NULL, NULL);
	char file[PATH_MAX + 300];

	for (i = 0; i < nr; i++) {
		snprintf(file, sizeof(file), "%s/%s", path, names[i]->d_name);
		unlink(file);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
}

/* What differs is kept. */
static void compare_damaged(const char *trace, uint64_t first, uint64_t rounds)
{
	const char *dir = getenv("TMPDIR");
	char victim[1024], name[PATH_MAX];
	uint64_t i;

	for (i = first; i < first + rounds; i++) {
		snprintf(victim, sizeof(victim), "%s/ctf-victim-XXXXXX", dir ? dir : "/tmp");
		if (!mkdtemp(victim))
			exit(2);
		make_victim(trace, victim, i);
		snprintf(name, sizeof(name), "%s damaged with %" PRIu64 ", kept as %s", trace, i,
			 victim);
		if (compare(victim, victim, name)) {
			empty_directory(victim);
			rmdir(victim);
		}
	}
}

int main(int argc, char **argv)
{
	uint64_t rounds = getenv("ROUNDS") ? strtoull(getenv("ROUNDS"), NULL, 10) : 0;
	uint64_t first = getenv("FIRST") ? strtoull(getenv("FIRST"), NULL, 10) : 1;
	int i, twins = getenv("TWINS") != NULL;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 1; i + twins < argc; i++) {
		if (!rounds)
			compare(argv[i], argv[i + twins], argv[i]), i += twins;
		else
			compare_damaged(argv[i], first, rounds);
	}
	printf("# %llu compared: %llu read, %llu not known to the native reader, %llu refused by it"
	       " alone, %llu differ\n",
	       nr_compared, nr_good, nr_refused, nr_stricter, nr_differ);
	return nr_differ ? 1 : 0;
}
