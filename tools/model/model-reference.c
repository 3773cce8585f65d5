/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "dump-int.h"

void references_drop(struct dump *d)
{
	while (d->references) {
		struct reference *c = d->references;

		d->references = c->next;
		free(c->ids);
		free(c);
	}
}

/* What is known of the other: 1 it agrees, 0 it does not, -1 nothing yet. */
static int test_reference(const struct model *m, const struct reference *c)
{
	const struct task *t = model_task(m, c->tid), *o = model_task(m, c->other);
	int i;

	if (!o || (o->birth > c->ev.ns && o->forked) || !t || !t->ns)
		return -1;
	if (!o->ns)
		return -1;
	for (i = 0; i < c->n; i++) {
		const struct pidns *a = task_ns_at(t, i), *b = task_ns_at(o, i);
		int32_t want = i < o->nr_levels && a == b ? o->vtids[i] : 0;

		if (!a)
			return -1;
		if (c->ids[i] != want)
			return 0;
	}
	return 1;
}

static void judge_reference(struct model *m, const struct reference *c, int result)
{
	const struct task *o = model_task(m, c->other);
	enum sure sure = o && o->ns ? told_sure(m, o->conf) : told_sure(m, m->dump_start);

	/* The process is known, but not all of where it lives. */
	if (o && result < 0)
		sure = both_sure(sure, UNSURE_SHAPE);
	if (o && o->forked && o->birth > c->ev.ns)
		sure = UNSURE_EARLY;
	judge(m->v, c->rule, sure, result == 1, &c->ev, "tid=%d %s=%d ids=%s known=%s", c->tid,
	      c->rule == RULE_DUMP_LEADER ? "pid" : "ppid", c->other, vtids_text(c->ids, c->n),
	      o && o->ns ? vtids_text(o->vtids, o->nr_levels) : "no");
}

static void make_claim(struct model *m, const struct task_record *r, enum rule rule, int other,
		       const int32_t *ids)
{
	struct reference c = {.ev = r->ev,
			      .tid = r->tid,
			      .other = other,
			      .rule = rule,
			      .n = r->chain.n},
			 *keep;
	int32_t copy[LEVELS_MAX];
	int result;

	memcpy(copy, ids, sizeof(copy));
	c.ids = copy;
	result = test_reference(m, &c);
	if (result >= 0) {
		judge_reference(m, &c, result);
		return;
	}
	keep = xcalloc(1, sizeof(*keep));
	*keep = c;
	keep->ids = xcalloc((size_t)c.n, sizeof(*keep->ids));
	memcpy(keep->ids, copy, (size_t)c.n * sizeof(*copy));
	keep->next = m->dump->references;
	m->dump->references = keep;
}

void references_judge(struct model *m, const struct task_record *r)
{
	int32_t vpids[LEVELS_MAX] = {0}, vppids[LEVELS_MAX] = {0};
	int i;

	if (!r->chain.n)
		return;
	for (i = 0; i < r->nr; i++) {
		vpids[r->levels[i].level] = (int32_t)r->levels[i].vpid;
		vppids[r->levels[i].level] = (int32_t)r->levels[i].vppid;
	}
	/* The root level has a rule of its own. */
	vpids[0] = r->pid;
	if (r->pid == r->tid)
		judge(m->v, RULE_DUMP_LEADER, SURE,
		      !memcmp(vpids, r->chain.vtids, (size_t)r->chain.n * sizeof(*vpids)), &r->ev,
		      "tid=%d vtids=%s vpids=%s", r->tid, vtids_text(r->chain.vtids, r->chain.n),
		      vtids_text(vpids, r->chain.n));
	else
		make_claim(m, r, RULE_DUMP_LEADER, r->pid, vpids);
	/* A dead task's parent may be changing under the record; elsewhere it is read twice. */
	if (r->ppid > 0 && !r->is_dead && (m->shape == SHAPE_OURS || vppids[0] == r->ppid))
		make_claim(m, r, RULE_DUMP_PARENT, r->ppid, vppids);
}

void references_settle(struct model *m)
{
	struct reference *c;

	for (c = m->dump->references; c; c = c->next)
		judge_reference(m, c, test_reference(m, c));
	references_drop(m->dump);
}
