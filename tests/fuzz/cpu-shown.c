/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/* cpu-live.c: the fuzzer has its own handlers, and says what is a terminal. */
#define sigaction fake_sigaction
#define isatty	  fake_isatty
#define ioctl	  fake_ioctl
#include "report/cpu/cpu-live.c"
