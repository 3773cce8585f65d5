/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "container-int.h"

struct model *model_new(struct verdicts *v, enum shape shape, const bool offers[EV_NR],
			const struct model_options *opt)
{
	struct model *m = xcalloc(1, sizeof(*m));

	m->v = v;
	m->shape = shape;
	memcpy(m->offers, offers, sizeof(m->offers));
	m->keep_dead = opt->keep_dead;
	m->attributes_until = opt->attributes_until;
	m->recorder_pid = opt->recorder_pid;
	m->recorder_uid = opt->recorder_uid;
	m->container_gen = 1;
	m->dump = dump_new();
	return m;
}

void model_free(struct model *m)
{
	size_t i;

	if (!m)
		return;
	tasks_free(m);
	for (i = 0; i < m->nr_namespaces; i++)
		free(m->namespaces[i]);
	free(m->namespaces);
	hash_free(&m->by_inum);
	model_names_free(m);
	containers_free(m);
	model_cgroup_free(m);
	dump_free(m->dump);
	free(m);
}

void model_event(struct model *m, const struct event *ev)
{
	m->now = ev->ns;
	m->nr_events++;
	/* Of use to reports alone. */
	if (ev->kind >= EV_FIRST_ON_DEMAND)
		return;
	switch (ev->kind) {
	case EV_FORK:
		model_recorder_gone(m, ev->fork.child_tid);
		model_fork(m, ev);
		break;
	case EV_EXIT:
		model_recorder_gone(m, ev->task.tid);
		model_exit(m, ev);
		break;
	case EV_FREE:
		model_recorder_gone(m, ev->task.tid);
		model_free_event(m, ev);
		break;
	case EV_EXEC:
		model_exec(m, ev);
		break;
	case EV_SWITCH:
		model_switch(m, ev);
		break;
	case EV_DUMP_PROCESS_CGROUP:
		model_dump_flush(m);
		model_cgroup_event(m, ev);
		break;
	case EV_DUMP_CGROUP:
	case EV_CGROUP_MKDIR:
	case EV_CGROUP_RMDIR:
	case EV_CGROUP_RENAME:
	case EV_CGROUP_ATTACH:
	case EV_CGROUP_TRANSFER:
		model_cgroup_event(m, ev);
		break;
	case EV_NAMESPACE_SWITCH:
		model_namespace_switch(m, ev);
		break;
	case EV_LOGGER:
		model_logger(m, ev);
		break;
	default:
		model_dump_event(m, ev);
	}
}

void model_loss(struct model *m, const struct loss *loss)
{
	if (loss->end > m->loss_until)
		m->loss_until = loss->end;
	if (!m->nr_losses++)
		m->first_loss = loss->begin;
	if (loss->packets || !loss->count)
		m->lost_uncounted = true;
	if (loss->packets)
		m->nr_lost_packets += loss->count;
	else
		m->nr_lost_events += loss->count;
}

void model_finish(struct model *m)
{
	model_dump_finish(m);
	model_names_finish(m);
	judge(m->v, RULE_DUMP_PRESENT, !m->nr_whole_dumps && m->nr_losses ? UNSURE_LOST : SURE,
	      m->nr_whole_dumps, NULL, "whole_state_dumps=0 begun=%u", m->dump_seq);
}

enum sure model_is_whole(const struct model *m)
{
	return absence_sure(m);
}
