/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "record/record-elf.h"
#include "tap.h"

static unsigned char *image;
static size_t size;

static void read_self(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		exit(2);
	size = (size_t)st.st_size;
	image = xcalloc(size, 1);
	if (read(fd, image, size) != (ssize_t)size)
		exit(2);
	close(fd);
}

static int file_of(const void *what, size_t len, off_t claimed)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd < 0 || write(fd, what, len) != (ssize_t)len || ftruncate(fd, claimed))
		exit(2);
	return fd;
}

/* What is told of such a file; NULL: it is none. */
static char *told_of(const void *what, size_t len, off_t claimed)
{
	int fd = file_of(what, len, claimed), code;
	char *text = NULL;
	size_t told;
	FILE *out = open_memstream(&text, &told);

	code = elf_functions(fd, out);
	fclose(out);
	close(fd);
	if (code) {
		free(text);
		return NULL;
	}
	return text;
}

/* Where the loader has put this program, and from where in the file. */
static int find_offset(struct dl_phdr_info *info, size_t unused, void *address)
{
	uint64_t *at = address;
	int i;

	(void)unused;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t begin = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD || *at < begin || *at - begin >= p->p_memsz)
			continue;
		*at = *at - begin + p->p_offset;
		return 1;
	}
	return 0;
}

static bool tells(const char *text, const char *name, uintptr_t address)
{
	uint64_t offset = address;
	const char *line;
	char *begin;
	bool found = false;

	if (!dl_iterate_phdr(find_offset, &offset) || !text)
		return false;
	begin = xasprintf(" %" PRIx64 " ", offset);
	for (line = strstr(text, begin); line && !found; line = strstr(line + 1, begin)) {
		const char *of_name = line + strlen(begin), *end = strchr(of_name, '\n');

		of_name = strchr(of_name, ' ') + 1;
		found = (line == text || line[-1] == '\n') && end &&
			(size_t)(end - of_name) == strlen(name) &&
			!strncmp(of_name, name, strlen(name));
	}
	free(begin);
	return found;
}

static void functions_are_where_the_loader_has_them(void)
{
	char *text = told_of(image, size, (off_t)size);

	expect(tells(text, "read_self", (uintptr_t)read_self));
	expect(tells(text, "elf_functions", (uintptr_t)elf_functions));
	expect(tells(text, "xcalloc", (uintptr_t)xcalloc));
	free(text);
}

/* Lines of the form, in order of their places, each place once. */
static bool is_in_order(const char *text)
{
	uint64_t last = 0, offset, length;
	int name;

	for (; *text; text = strchr(text, '\n') + 1) {
		name = 0;
		if (sscanf(text, " %" SCNx64 " %" SCNx64 " %n", &offset, &length, &name) != 2 ||
		    !name || text[name] == '\n' || !strchr(text, '\n') || (last && offset <= last))
			return false;
		last = offset;
	}
	return true;
}

static void they_are_in_order(void)
{
	char *text = told_of(image, size, (off_t)size);

	expect(text && *text && is_in_order(text));
	free(text);
}

static void what_is_no_such_file_has_none(void)
{
	expect(!told_of("#!/bin/sh\n", 10, 10));
	expect(!told_of("", 0, 0));
	expect(!told_of(image, 20, 20));
}

/* Other checks are the sanitizers'. */
static void damage_is_survived(void)
{
	unsigned char *copy = xcalloc(size, 1);
	unsigned int seed = 1, i, n;
	bool good = true;
	char *text;

	for (i = 0; i < 400; i++) {
		const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
		size_t len = i % 4 ? size : (size_t)rand_r(&seed) % size;

		memcpy(copy, image, size);
		for (n = 0; n < 8; n++) {
			size_t at = i % 2 ? (size_t)rand_r(&seed) % sizeof(*head)
					  : head->e_shoff +
						    (size_t)rand_r(&seed) % (head->e_shnum * 64);

			copy[at % size] = (unsigned char)rand_r(&seed);
		}
		text = told_of(copy, len, (off_t)len);
		good = good && (!text || is_in_order(text));
		free(text);
	}
	free(copy);
	expect(good);
}

static void names_make_no_lines(void)
{
	unsigned char *copy = xcalloc(size, 1);
	char *text;
	size_t i;

	for (i = 0; i < size; i++)
		copy[i] = i > 8 && i + 8 < size && !memcmp(image + i - 4, "read_self", 9)
				  ? '\n'
				  : image[i];
	text = told_of(copy, size, (off_t)size);
	expect(tells(text, "read?self", (uintptr_t)read_self));
	expect(text && is_in_order(text));
	free(text);
	free(copy);
}

static void what_is_claimed_is_not_taken(void)
{
	unsigned char *copy = xcalloc(size, 1);
	Elf64_Ehdr *head = (Elf64_Ehdr *)copy;
	char *text;
	unsigned int i;

	memcpy(copy, image, size);
	for (i = 0; i < head->e_shnum; i++) {
		Elf64_Shdr *s = (Elf64_Shdr *)(copy + head->e_shoff) + i;

		if (s->sh_type == SHT_SYMTAB)
			s->sh_size = size + 24;
		if (s->sh_type == SHT_DYNSYM)
			s->sh_link = i;
	}
	text = told_of(copy, size, (off_t)size);
	expect(!text || is_in_order(text));
	free(text);
	free(copy);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"functions are where the loader has them",
		 functions_are_where_the_loader_has_them},
		{"they are in the order of their places", they_are_in_order},
		{"what is no such file has none", what_is_no_such_file_has_none},
		{"damage is survived", damage_is_survived},
		{"names make no lines", names_make_no_lines},
		{"what a file claims to have is not taken", what_is_claimed_is_not_taken},
		{0},
	};
	int status;

	read_self();
	status = tap_run(tests);
	free(image);
	return status;
}
