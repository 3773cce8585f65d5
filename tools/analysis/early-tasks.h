/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_EARLY_TASKS_H
#define LC_EARLY_TASKS_H

#include "model/model.h"

/*
 * The tasks that lived when the trace began, by tid. Until the state dump comes to
 * them, events have a tid and nothing else: when all is read, that is who it was.
 * Wants a model with keep_dead. The map is the caller's.
 */
struct hash early_tasks(const struct model *m);

#endif
