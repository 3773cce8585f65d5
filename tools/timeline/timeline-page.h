/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_TIMELINE_PAGE_H
#define LC_TIMELINE_PAGE_H

#include <stddef.h>

/* The page that shows a timeline, before and after the data; tools/base/assemble-page makes it. */
extern const unsigned char timeline_page_before[], timeline_page_after[];
extern const size_t timeline_page_before_size, timeline_page_after_size;

#endif
