/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include "base/command.h"
#include "base/text.h"
#include "base/util.h"
#include "window.h"

int window_option(const char **to, const char *option, const char *value)
{
	if (!time_looks_valid(value))
		return argument_error("The time cannot be understood; give HH:MM:SS.nnn, seconds"
				      " since the epoch, or +SECONDS from the begin.",
				      option, value);
	*to = value;
	return 0;
}

void window_fix(const struct window *w, const struct host *h, uint64_t *from, uint64_t *to)
{
	*from = h->begin;
	*to = UINT64_MAX;
	if (w->begin)
		time_parse(w->begin, h->begin, from);
	if (*from < h->begin)
		*from = h->begin;
	if (w->end)
		time_parse(w->end, h->begin, to);
}

/* A time outside of the trace would give a report of nothing that looks like an answer. */
int window_check(const struct window *w, const struct loaded *l)
{
	char from[TIME_TEXT_MAX], to[TIME_TEXT_MAX];
	uint64_t begin, end;
	size_t i;

	if (load_check_time(l, "begin", w->begin) || load_check_time(l, "end", w->end))
		return -1;
	for (i = 0; i < l->nr_hosts; i++) {
		window_fix(w, l->hosts[i], &begin, &end);
		if (begin < end && begin < l->hosts[i]->last)
			return 0;
	}
	if (!w->begin && !w->end)
		return error("All events of the trace are of one moment, in which nobody's time can"
			     " be counted; record for longer. time=\"%s\"",
			     time_full(from, l->hosts[0]->begin));
	return error("The time from --begin to --end is empty, or lies outside of the trace."
		     " begin=\"%s\" end=\"%s\"",
		     time_full(from, l->hosts[0]->begin), time_full(to, l->hosts[0]->last));
}
