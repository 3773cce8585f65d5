/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_VERSION_H
#define LC_VERSION_H

#define LC_VERSION "0.2"

#endif
