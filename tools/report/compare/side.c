/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "side.h"
#include "report/query.h"
#include "base/text.h"
#include "base/util.h"

static int on_host(void *ctx, struct host *h)
{
	(void)ctx;
	return query_check_sched(h);
}

static int check_one_host(const struct side *s, const struct loaded *l)
{
	char *path;

	if (l->nr_hosts == 1)
		return 0;
	path = text_escape(s->trace);
	error("Each side is one recording of one host; give the directory of one. trace=%s"
	      " recordings=%zu",
	      path, l->nr_hosts);
	free(path);
	return -1;
}

/* Shorter windows are no sample of anything. */
#define WINDOW_NS_MIN 1000

static int fix_span(struct side *s, const struct loaded *l)
{
	char *path;

	if (check_one_host(s, l) || load_check_time(l, "begin", s->part.begin) ||
	    load_check_time(l, "end", s->part.end))
		return -1;
	window_fix(&s->part, l->hosts[0], &s->from, &s->to);
	s->to = s->to < l->hosts[0]->last ? s->to : l->hosts[0]->last;
	if (s->from < s->to && (s->to - s->from) / s->nr_windows >= WINDOW_NS_MIN)
		return 0;
	path = text_escape(s->trace);
	error("The recording, or what was chosen of it, is empty, or too short for so many"
	      " windows. trace=%s windows=%zu",
	      path, s->nr_windows);
	free(path);
	return -1;
}

static int find_span(struct side *s)
{
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = on_host,
		.wants = why_wants() | sched_wants(&why_sched),
	};
	struct loaded l = {0};
	int ret = load(&l, &s->trace, 1, &opt);

	if (!ret)
		ret = fix_span(s, &l);
	loaded_free(&l);
	return ret;
}

static int count_on_host(void *ctx, struct host *h)
{
	const struct side *s = ctx;
	const struct why_options opt = {.nr_windows = s->nr_windows};

	h->user = why_new(h, &opt);
	why_limit(h->user, s->from, s->to);
	return 0;
}

static int after_event(void *ctx, struct host *h, const struct event *ev)
{
	(void)ctx;
	why_event(h->user, ev);
	return 0;
}

static void on_loss(void *ctx, struct host *h, const struct loss *loss)
{
	(void)ctx;
	why_loss(h->user, loss);
}

static int count(struct side *s)
{
	const struct load_options opt = {
		.model.keep_dead = true,
		.on_host = count_on_host,
		.sched = &why_sched,
		.after_event = after_event,
		.on_loss = on_loss,
		.wants = why_wants(),
		.ctx = s,
	};

	if (load(&s->loaded, &s->trace, 1, &opt) || check_one_host(s, &s->loaded))
		return -1;
	s->host = s->loaded.hosts[0];
	why_finish(s->host->user, s->host->last);
	return why_is_too_long(s->host->user) ? error_too_long() : 0;
}

int side_read(struct side *s, const char *container)
{
	int found = 0;

	if (find_span(s) || count(s))
		return -1;
	s->is_selected = container;
	if (container)
		found = selection_find(&s->selection, &s->loaded, container, 0);
	s->has_selected = found > 0;
	return found < 0 ? -1 : 0;
}

void side_free(struct side *s)
{
	size_t i;

	for (i = 0; i < s->loaded.nr_hosts; i++)
		if (s->loaded.hosts[i]->user)
			why_free(s->loaded.hosts[i]->user);
	selection_free(&s->selection);
	loaded_free(&s->loaded);
}
