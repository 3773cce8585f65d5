/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CTF_BIND_H
#define LC_CTF_BIND_H

#include "trace/reader.h"
#include "ctf.h"

/* What a trace's metadata say, as the program's own terms have it (schema.h). */

/* Fills in all of @info that the metadata tell. */
void ctf_describe(struct trace_info *info, const struct ctf_trace *t);
/* Makes the plans of all events: of a kernel trace for struct event, of others for struct
 * user_event. Returns 0, or -1 and a reason. */
int ctf_bind(struct ctf_trace *t, bool is_kernel, const struct reader_callbacks *cb);

#endif
