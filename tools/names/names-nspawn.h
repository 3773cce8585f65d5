/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_NAMES_NSPAWN_H
#define LC_NAMES_NSPAWN_H

#include "names-int.h"

/* Containers of systemd-nspawn that systemd-machined was not told of (--register=no). */
void names_nspawn(struct scan *s);

#endif
