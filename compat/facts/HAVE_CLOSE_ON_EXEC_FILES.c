// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* close_on_exec() takes the files_struct rather than its table. */
#include <linux/fdtable.h>

bool fact(const struct files_struct *files);
bool fact(const struct files_struct *files)
{
	return close_on_exec(0, files);
}
