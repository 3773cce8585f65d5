/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/symbols.h"
#include "record-elf.h"
#include "base/util.h"

/* More are not in one file, as its text would be too long. */
#define NR_FUNCTIONS_MAX (FUNCTIONS_MAX / 8)
#define SEGMENTS_MAX	 64

struct function {
	uint64_t offset, size;
	const char *name;
	bool is_local;
	size_t number; /* in the file */
};

struct functions {
	struct function *all;
	size_t nr, cap;
	GElf_Phdr segment[SEGMENTS_MAX];
	size_t nr_segments;
};

static void take_segments(Elf *elf, struct functions *f)
{
	size_t i, nr = 0;
	GElf_Phdr *p;

	if (elf_getphdrnum(elf, &nr))
		return;
	for (i = 0; i < nr && f->nr_segments < SEGMENTS_MAX; i++) {
		p = gelf_getphdr(elf, (int)i, &f->segment[f->nr_segments]);
		if (p && p->p_type == PT_LOAD)
			f->nr_segments++;
	}
}

/* Where in the file what will be at that address is. */
static bool offset_of(const struct functions *f, uint64_t address, uint64_t *offset)
{
	size_t i;

	for (i = 0; i < f->nr_segments; i++) {
		const GElf_Phdr *p = &f->segment[i];

		if (address < p->p_vaddr || address - p->p_vaddr >= p->p_filesz)
			continue;
		*offset = address - p->p_vaddr + p->p_offset;
		return true;
	}
	return false;
}

static bool is_function(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_shndx != SHN_UNDEF;
}

static void take_symbol(Elf *elf, const GElf_Shdr *table, const GElf_Sym *sym, struct functions *f)
{
	struct function fn = {.size = sym->st_size,
			      .is_local = GELF_ST_BIND(sym->st_info) == STB_LOCAL,
			      .number = f->nr};

	if (!is_function(sym) || !offset_of(f, sym->st_value, &fn.offset))
		return;
	fn.name = elf_strptr(elf, table->sh_link, sym->st_name);
	if (!fn.name || !*fn.name)
		return;
	f->all = grow(f->all, f->nr, &f->cap, sizeof(*f->all));
	f->all[f->nr++] = fn;
}

static void take_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *table, struct functions *f)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t i, size = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	GElf_Sym sym;

	if (!data || !size)
		return;
	for (i = 0; i < data->d_size / size && f->nr < NR_FUNCTIONS_MAX; i++)
		if (gelf_getsym(data, (int)i, &sym))
			take_symbol(elf, table, &sym, f);
}

static void take_tables(Elf *elf, struct functions *f)
{
	Elf_Scn *section = NULL;
	GElf_Shdr table;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &table) &&
		    (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM))
			take_table(elf, section, &table, f);
}

/* Of several at one place the one comes first that a person would choose. */
static int by_offset(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (!x->size != !y->size)
		return x->size ? -1 : 1;
	if (x->is_local != y->is_local)
		return x->is_local ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

/* In one line, and not without end. */
static void put_name(FILE *out, const char *name)
{
	size_t i;

	for (i = 0; name[i] && i < FUNCTION_NAME_MAX; i++)
		fputc(iscntrl((unsigned char)name[i]) ? '?' : name[i], out);
	fputc('\n', out);
}

static void put(FILE *out, const struct functions *f)
{
	size_t i;

	for (i = 0; i < f->nr; i++) {
		if (i && f->all[i].offset == f->all[i - 1].offset)
			continue;
		fprintf(out, " %" PRIx64 " %" PRIx64 " ", f->all[i].offset, f->all[i].size);
		put_name(out, f->all[i].name);
	}
}

int elf_functions(int fd, FILE *out)
{
	struct functions f = {0};
	Elf *elf;

	elf_version(EV_CURRENT);
	/* Not mapped: who makes it shorter meanwhile would end this process. */
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		take_segments(elf, &f);
		take_tables(elf, &f);
	}
	if (f.nr)
		qsort(f.all, f.nr, sizeof(*f.all), by_offset);
	put(out, &f);
	free(f.all);
	elf_end(elf);
	return f.nr_segments ? 0 : -1;
}
