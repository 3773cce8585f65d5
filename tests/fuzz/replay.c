/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

/* Gives files to the fuzz target, one after the other: for compilers that have no libFuzzer. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	FILE *f = fopen(path, "re");
	uint8_t *data = NULL, *exact;
	size_t size = 0, cap = 0;
	int c;

	if (!f)
		return error("The input cannot be opened. path=%s", path);
	while ((c = getc(f)) != EOF) {
		data = grow(data, size, &cap, 1);
		data[size++] = (uint8_t)c;
	}
	fclose(f);
	/* What is read behind the end is to be seen. */
	exact = xcalloc(size, 1);
	if (size)
		memcpy(exact, data, size);
	free(data);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (replay(argv[i]))
			return 2;
	return 0;
}
