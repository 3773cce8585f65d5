// SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
// SPDX-FileCopyrightText: 2026 The lttng-containers authors
/* 5.18: the same for a state that was read before. */
#include <linux/sched.h>

unsigned int fact(unsigned int state, unsigned int exit_state);
unsigned int fact(unsigned int state, unsigned int exit_state)
{
	return __task_state_index(state, exit_state);
}
