/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <stdlib.h>

#include "base/command.h"
#include "report/query.h"
#include "report-map.h"
#include "base/util.h"

static void help(FILE *out)
{
	fputs("Usage: lttng-containers map --tid N [OPTIONS] TRACE...\n"
	      "       lttng-containers map --container C --vtid N [OPTIONS] TRACE...\n"
	      "       lttng-containers map --ust [OPTIONS] TRACE...\n\n"
	      "Shows which thread of which container a thread id of the host is, or which thread\n"
	      "of the host a thread id in a container is: a line for each life, as ids are used\n"
	      "again. With --ust: the same for the threads of user-space traces of the same "
	      "host.\n\n"
	      "Options:\n"
	      "  --tid N        the thread id on the host (in the root PID namespace)\n"
	      "  --container C  the container: its name, its id or the begin of it, or the inode\n"
	      "                 of its PID namespace\n"
	      "  --vtid N       the thread id there\n"
	      "  --at TIME      only what lived at that moment: HH:MM:SS.nnn in local time,\n"
	      "                 seconds since the epoch, or +SECONDS from the begin of the trace\n"
	      "  --ust          the threads of user-space traces, with the host's ids and their\n"
	      "                 containers; --container, --tid and --vtid choose among them. The\n"
	      "                 traces need the contexts vpid, vtid and pid_ns:\n"
	      "                 lttng add-context -u -t vpid -t vtid -t pid_ns\n"
	      "  --events       with --ust: a line for each event\n"
	      "  --json         print the report as JSON\n"
	      "  --format F     print flat rows, one for each life, or with --ust each thread: "
	      "jsonl or csv\n"
	      "  -h, --help     show this\n\n"
	      "Exit status: 0 done; 1 no such thread is known; 2 bad usage, or a trace that "
	      "cannot\n"
	      "be used.\n\n"
	      "Example: lttng-containers map ~/lttng-traces/my-session --container db --vtid 894\n",
	      out);
}

static int check_query(const struct query *q)
{
	if (q->events && q->format)
		return error("--format has a row for each thread; it does not go with --events.");
	if (q->events && !q->ust)
		return error("--events goes with --ust.");
	if (q->ust)
		return q->at ? error("--at does not go with --ust.") : 0;
	if (q->tid > 0)
		return q->container || q->vtid > 0
			       ? error("--tid is the host's; it does not go with --container and"
				       " --vtid.")
			       : 0;
	if (!q->container && q->vtid < 0)
		return error("What to look for is missing: give --tid N, --container C --vtid N,"
			     " or --ust.");
	if (!q->container || q->vtid < 0)
		return error("--container and --vtid go together.");
	return 0;
}

static int on_host(void *ctx, struct host *h)
{
	const struct query *q = ctx;

	h->user = q->ust ? user_map_new(h->model, q->events) : NULL;
	return 0;
}

static int on_user_event(void *ctx, struct host *h, const struct user_event *ev)
{
	(void)ctx;
	user_map_event(h->user, ev);
	return 0;
}

/* An empty answer would look like one. */
static int check_user_events(const struct query *q, const struct loaded *l)
{
	uint64_t nr = 0, bare = 0;
	size_t i;

	if (!q->ust)
		return 0;
	for (i = 0; i < l->nr_hosts; i++) {
		const struct user_map *u = l->hosts[i]->user;

		nr += u->nr_events;
		bare += u->nr_bare;
	}
	if (!nr)
		return error("No user-space events of the host whose kernel was traced are among"
			     " the traces; give the directory of the whole session, or both. "
			     "nr_traces=%zu",
			     l->reader.nr_traces);
	if (nr == bare)
		return error("The user-space events do not say which thread they are of; record"
			     " them with the contexts. remedy=\"lttng add-context -u -t vpid -t"
			     " vtid -t pid_ns\"");
	return 0;
}

static int finish(struct host *h)
{
	if (h->user)
		user_map_finish(h->user);
	return 0;
}

static int show(FILE *out, const struct loaded *l, const struct query *q,
		const struct selection *selection)
{
	const struct map_options opt = {
		.question = {.tid = q->tid, .vtid = q->vtid, .where = selection},
		.at_given = q->at,
		.ust = q->ust,
		.format = q->format,
		.events = q->events,
	};

	if (q->format)
		report_map_table(out, l, &opt);
	else
		(q->json ? report_map_json : report_map_text)(out, l, &opt);
	return q->ust || report_map_has(l, &opt) ? EXIT_FINE : EXIT_NOT_FOUND;
}

static void drop(struct host *h)
{
	user_map_free(h->user);
}

int cmd_map(int argc, char **argv)
{
	struct question question = {
		.command = "map",
		.options = "at container events format json tid ust vtid",
		.help = help,
		.check = check_query,
		.load = {.model.keep_dead = true, .on_host = on_host},
		.finish = finish,
		.check_hosts = check_user_events,
		.show = show,
		.free = drop,
	};

	struct query q;
	int status;

	if (!query_parse(&q, &question, argc, argv, &status))
		return status;
	if (q.ust)
		question.load.on_user_event = on_user_event;
	return query_answer(&q);
}
