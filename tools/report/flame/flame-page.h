/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_FLAME_PAGE_H
#define LC_FLAME_PAGE_H

#include <stddef.h>

/* The page that shows flame graphs, before and after the data; tools/base/assemble-page makes it.
 */
extern const unsigned char flame_page_before[], flame_page_after[];
extern const size_t flame_page_before_size, flame_page_after_size;

#endif
