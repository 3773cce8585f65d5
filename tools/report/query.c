/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/command.h"
#include "query.h"
#include "base/text.h"
#include "base/util.h"

enum what { ALL, AT, BY, CONTAINER, EVENTS, HELP, JSON, NAME, TID, UST, VTID, NR };

/* Above all letters, which getopt_long() would take for short options. */
#define FIRST 256

static const struct option known[NR] = {
	[ALL] = {"all", no_argument, NULL, FIRST + ALL},
	[AT] = {"at", required_argument, NULL, FIRST + AT},
	[BY] = {"by", required_argument, NULL, FIRST + BY},
	[CONTAINER] = {"container", required_argument, NULL, FIRST + CONTAINER},
	[EVENTS] = {"events", no_argument, NULL, FIRST + EVENTS},
	[HELP] = {"help", no_argument, NULL, 'h'},
	[JSON] = {"json", no_argument, NULL, FIRST + JSON},
	[NAME] = {"name", required_argument, NULL, FIRST + NAME},
	[TID] = {"tid", required_argument, NULL, FIRST + TID},
	[UST] = {"ust", no_argument, NULL, FIRST + UST},
	[VTID] = {"vtid", required_argument, NULL, FIRST + VTID},
};

static bool is_in(const char *list, const char *word)
{
	size_t len = strlen(word);

	while (*list) {
		size_t this = strcspn(list, " ");

		if (this == len && !strncmp(list, word, len))
			return true;
		list += this + (list[this] == ' ');
	}
	return false;
}

static int parse_id(const char *option, int64_t *id)
{
	char *end;
	long v = strtol(optarg, &end, 10);

	if (end == optarg || *end || v < 1 || v > INT_MAX)
		return argument_error("A thread id is a number from 1 on.", option, optarg);
	*id = v;
	return 0;
}

static int set_at(struct query *q)
{
	if (!time_looks_valid(optarg))
		return argument_error("The time of --at cannot be understood; give HH:MM:SS.nnn,"
				      " seconds since the epoch, or +SECONDS from the begin.",
				      "at", optarg);
	q->at = optarg;
	return 0;
}

static int set_text(const char *option, const char **to)
{
	if (!*optarg)
		return argument_error("The option's value is empty.", "option", option);
	*to = optarg;
	return 0;
}

static int set(void *args, int c)
{
	struct query *q = args;

	switch (c == 'h' ? HELP : c - FIRST) {
	case ALL:
		q->all = true;
		break;
	case AT:
		return set_at(q);
	case BY:
		return set_text("--by", &q->by);
	case CONTAINER:
		return set_text("--container", &q->container);
	case EVENTS:
		q->events = true;
		break;
	case HELP:
		q->help = true;
		break;
	case JSON:
		q->json = true;
		break;
	case NAME:
		return set_text("--name", &q->name);
	case TID:
		return parse_id("tid", &q->tid);
	case UST:
		q->ust = true;
		break;
	case VTID:
		return parse_id("vtid", &q->vtid);
	}
	return 0;
}

int query_parse(struct query *q, const char *allowed, int argc, char **argv)
{
	struct option options[NR + 1] = {0};
	size_t i, nr = 0;

	*q = (struct query){.tid = -1, .vtid = -1};
	for (i = 0; i < NR; i++)
		if (i == HELP || is_in(allowed, known[i].name))
			options[nr++] = known[i];
	if (options_parse(argc, argv, ":h", options, set, q))
		return -1;
	q->traces = argv + optind;
	q->nr_traces = (size_t)(argc - optind);
	if (!q->nr_traces && !q->help)
		return error("A trace is missing; give the directory that lttng wrote.");
	return 0;
}
