/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_NAMES_FAKES_H
#define FUZZ_NAMES_FAKES_H

#include "world.h"

/* Stands for Docker, podman and the processes that read for the recorder: what they answer. */
void fake_answer(const struct record *r);
void fake_reset(void);

#endif
