/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * liar FILE: maps files to run them that are not what they say: cut off, of a terabyte, with tables
 * that are their own names, without end or with names that would be lines of their own. Then FILE
 * is there, and it sleeps.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char *image;
static size_t size;

static void need(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(1);
}

static void read_self(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;

	need(fd >= 0 && !fstat(fd, &st), "exe");
	size = (size_t)st.st_size;
	image = malloc(size);
	need(image && read(fd, image, size) == (ssize_t)size, "read");
	close(fd);
}

/* Maps @len bytes of @what, in a file that is @claimed long. */
static void map_file(const char *name, const void *what, size_t len, off_t claimed)
{
	int fd = memfd_create(name, 0);

	need(fd >= 0 && write(fd, what, len) == (ssize_t)len && !ftruncate(fd, claimed), name);
	need(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED, "mmap");
	close(fd);
}

static Elf64_Shdr *sections(unsigned char *file)
{
	return (Elf64_Shdr *)(file + ((Elf64_Ehdr *)file)->e_shoff);
}

/* Another copy in which each section of symbols is what @change makes of it. */
static void map_changed(const char *name, off_t claimed,
			void (*change)(unsigned char *file, Elf64_Shdr *table))
{
	unsigned char *copy = malloc(size);
	unsigned int i;

	need(copy != NULL, "memory");
	memcpy(copy, image, size);
	for (i = 0; i < ((Elf64_Ehdr *)copy)->e_shnum; i++)
		if (sections(copy)[i].sh_type == SHT_SYMTAB)
			change(copy, &sections(copy)[i]);
	map_file(name, copy, size, claimed > (off_t)size ? claimed : (off_t)size);
	free(copy);
}

static void is_its_own_names(unsigned char *file, Elf64_Shdr *table)
{
	table->sh_link = (Elf64_Word)(table - sections(file));
}

static void has_no_end(unsigned char *file, Elf64_Shdr *table)
{
	(void)file;
	table->sh_size = 1ull << 39;
}

static void is_long(unsigned char *file, Elf64_Shdr *table)
{
	(void)file;
	table->sh_size = 96 << 20;
}

static void has_lines(unsigned char *file, Elf64_Shdr *table)
{
	Elf64_Shdr *names = &sections(file)[table->sh_link];
	size_t i;

	for (i = 1; i + 1 < names->sh_size; i++)
		if (file[names->sh_offset + i] == '_')
			file[names->sh_offset + i] = '\n';
}

static void has_many_sections(unsigned char *file, Elf64_Shdr *table)
{
	(void)table;
	((Elf64_Ehdr *)file)->e_shnum = 0;
	sections(file)[0].sh_size = 1ull << 32;
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 2)
		return 2;
	read_self();
	map_file("liar-cut", image, 100, 100);
	map_file("liar-half", image, size / 2, (off_t)(size / 2));
	map_file("liar-text", "#!/bin/sh\n", 10, 10);
	map_changed("liar-own-names", 0, is_its_own_names);
	map_changed("liar-endless", 1ll << 40, has_no_end);
	map_changed("liar-long", 200 << 20, is_long);
	map_changed("liar-sections", 1ll << 40, has_many_sections);
	map_changed("liar\nm 1 1 0 ffffffffffffffff 0 0\n\033[31m", 0, has_lines);
	fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	need(fd >= 0 && mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) != MAP_FAILED,
	     "/dev/zero");
	fd = open(argv[1], O_WRONLY | O_CREAT, 0600);
	need(fd >= 0 && write(fd, "told\n", 5) == 5, argv[1]);
	for (;;)
		pause();
}
