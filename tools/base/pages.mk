# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The parts of the pages that reports write, and how they become C sources. PAGES is where tools/ is.
PAGES := $(patsubst %/base/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
TIMELINE_PAGE := $(wildcard $(PAGES)/timeline/page/*) $(PAGES)/base/assemble-page
FLAME_PAGE := $(wildcard $(PAGES)/report/flame/page/*) $(PAGES)/base/assemble-page
ASSEMBLE_TIMELINE := $(PAGES)/base/assemble-page $(PAGES)/timeline/page timeline_page timeline/timeline-page.h \
	data.js time.js rows.js draw.js tip.js page.js
ASSEMBLE_FLAME := $(PAGES)/base/assemble-page $(PAGES)/report/flame/page flame_page report/flame/flame-page.h flame.js
