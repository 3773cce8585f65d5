/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CAUSE_LABEL_H
#define LC_CAUSE_LABEL_H

#include "analysis/why.h"

/* What causes are called, escaped. Callers free what is not const. */

/* What a kind is called; and the same for programs. */
const char *why_title(enum why_kind kind);
const char *why_name(enum why_kind kind);
/* Which one of its kind it is, for @a. */
char *why_label(const struct why *w, const struct cause *c, const struct why_account *a);
/* Of WHY_OTHERS, WHY_SIGNAL and WHY_LOCK: what stands behind who it was. */
const char *why_how(const struct cause *c);
/*
 * What was done with the request that was waited for, and whose the disk had then; NULL where that
 * is not told. @own: why_is_own().
 */
char *why_stage_label(const struct cause *c, const struct why_account *a, bool own);
const char *why_stage_name(enum disk_stage stage);
/* Whether who waited asked for it: @a's threads, or, if @over is not NULL, whom they waited for. */
bool why_is_own(const struct cause *c, const struct cause *over, const struct why_account *a);
/* Who woke it: a container, or a task of the host. */
char *why_who_label(const struct cause *c, const struct why_account *a);
/* Whether that is of the account's container itself. */
bool why_is_itself(const struct cause *c, const struct why_account *a);
/* The container, of NULL the host; or that it is not told. */
char *why_place_label(bool told, const struct container *c, size_t columns);

#endif
