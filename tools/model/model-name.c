/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>

#include "base/proc-stat.h"
#include "cgroup-path.h"
#include "container-int.h"
#include "container-line.h"

/* Bytes; the tracer takes no longer messages. */
#define LOGGER_MAX 1024

/* What a line says is for a container that is not known yet. */
struct pending_name {
	struct container_line line;
	uint64_t when;
	struct pending_name *next;
};

static bool same_id(const char *a, const char *b)
{
	size_t len = strlen(a) < strlen(b) ? strlen(a) : strlen(b);

	/* Short forms of long ids. */
	return len && (len >= 12 ? !strncmp(a, b, len) : !strcmp(a, b));
}

static struct cgroup *group_of_line(const struct model *m, const struct container_line *l)
{
	const struct task *init = model_task(m, l->init_tid);
	struct task_groups of = {0};
	struct cgroup *g;
	size_t i;

	if (!*l->cgroup)
		return NULL;
	g = model_cgroup_at(m, 0, l->cgroup);
	if (init)
		of = task_groups(m, init);
	for (i = 0; !g && i < of.nr; i++)
		g = model_cgroup_at(m, of.list[i].hierarchy, l->cgroup);
	return g;
}

/* The boundary around the group that has the line's id. */
static struct container *by_group(struct model *m, const struct container_line *l, struct cgroup *g)
{
	struct container *c;

	for_each_cgroup_up(g) {
		if (!g->is_boundary)
			continue;
		c = cgroup_container(m, g);
		if (same_id(c->id, l->id) || same_id(c->id, l->name))
			return c;
	}
	return NULL;
}

/* A container whose group has a name of its own, and which has no PID namespace of its own. */
static struct container *make_boundary(struct model *m, struct cgroup *g)
{
	if (!g || cgroup_is_shared(g->path))
		return NULL;
	if (!g->is_boundary) {
		g->is_boundary = true;
		m->container_gen++;
	}
	return cgroup_container(m, g);
}

/* What a user tells counts in the user's slice alone. */
static bool is_users(const struct container_line *l, const char *path)
{
	uint32_t user;

	return cgroup_user_slice(path, &user) && user == l->user;
}

/* Whether the line may say what @c is: nobody says it who is to be trusted more. */
static bool may_tell(const struct container_line *l, const struct container *c)
{
	if (l->teller == TELLER_USER && c->cgroup && !is_users(l, c->cgroup->path))
		return false;
	return l->teller >= c->teller;
}

static struct container *of_line(struct model *m, const struct container_line *l)
{
	struct cgroup *g = group_of_line(m, l);
	struct container *c = by_group(m, l, g);
	struct task *init = model_task(m, l->init_tid);

	if (l->teller == TELLER_USER && !is_users(l, l->cgroup))
		return NULL;
	if (c)
		return c;
	if (init && init->ns && init->ns->inum == l->pid_ns && init->ns->level &&
	    init->vtids[init->ns->level] == 1)
		return pidns_container(m, init->ns, init);
	/* One that was started after the line was made would be another container. */
	return init && init->ns && init->ns->inum == l->pid_ns ? make_boundary(m, g) : NULL;
}

static void replace(char **to, const char *from)
{
	if (!*from)
		return;
	free(*to);
	*to = xstrdup(from);
}

/* Names of runtimes live as long as the model. */
static const char *intern(struct model *m, const char *s)
{
	uint64_t key = hash_text(s, strlen(s));
	char *name = hash_get(&m->runtimes, key);

	if (!name) {
		name = xstrdup(s);
		hash_put(&m->runtimes, key, name);
	}
	return name;
}

static void take(struct model *m, struct container *c, const struct container_line *l,
		 uint64_t when)
{
	struct cgroup *g = group_of_line(m, l);

	if (!may_tell(l, c))
		return;
	/* A name of somebody else's must not stay with what is told now. */
	if (l->teller > c->teller) {
		free(c->name);
		c->name = NULL;
	}
	if (g && !cgroup_is_shared(g->path) && g->told != c) {
		g->told = c;
		m->container_gen++;
	}
	m->container_gen += c->teller != l->teller;
	c->runtime = intern(m, l->runtime);
	c->told = when;
	c->teller = l->teller;
	c->user = l->user;
	replace(&c->id, l->id);
	replace(&c->name, l->name);
	if (!*l->pod)
		return;
	if (!c->pod)
		c->pod = told_pod(m, c->runtime, l->pod, l->pod_namespace, l->cgroup);
	replace(&c->pod->name, l->pod);
	replace(&c->pod->space, l->pod_namespace);
}

static void keep(struct model *m, const struct container_line *l)
{
	struct pending_name *p = xcalloc(1, sizeof(*p));

	p->line = *l;
	p->when = m->now;
	p->next = m->pending_names;
	m->pending_names = p;
	m->nr_pending_names++;
}

void model_recorder_gone(struct model *m, int64_t tid)
{
	if (tid > 0 && tid == m->recorder_pid)
		m->recorder_gone = true;
}

/* 0 is what `enrich` adds where it does not know. */
static bool is_of_host(int64_t pid_ns)
{
	return pid_ns == ABSENT || !pid_ns || pid_ns == ROOT_PID_NS;
}

/*
 * Everybody may write to /proc/lttng-logger; the kernel tells who did. A pid is another's once the
 * recorder is gone, as when it was killed and its session went on. Its end may have been lost; but
 * neither its user nor its PID namespace, which is the host's, can be had.
 */
static bool by_recorder(const struct model *m, const struct ev_logger *e)
{
	return m->recorder_pid > 0 && e->pid == m->recorder_pid && !m->recorder_gone &&
	       (m->recorder_uid == ABSENT || e->uid == ABSENT || e->uid == m->recorder_uid) &&
	       is_of_host(e->pid_ns);
}

/* Whether it is the recorder's and whole. */
static bool judge_line(struct model *m, const struct event *ev, enum line_kind kind)
{
	const struct ev_logger *e = &ev->logger;
	bool is_recorders = by_recorder(m, e);

	judge(m->v, RULE_NAME_LINE, SURE, is_recorders && kind == LINE_GOOD, ev,
	      "pid=%s uid=%s pid_ns=%s recorder_pid=%lld is=%s msg=\"%s\"", int_text(e->pid),
	      int_text(e->uid), int_text(e->pid_ns), (long long)m->recorder_pid,
	      is_recorders ? "broken" : "forged", e->msg);
	if (!is_recorders)
		m->nr_forged_lines++;
	return is_recorders && kind == LINE_GOOD;
}

static void quota_line(struct model *m, const struct event *ev)
{
	const struct ev_logger *e = &ev->logger;
	enum line_kind kind = quotas_line(by_recorder(m, e) ? &m->quotas : NULL, e->msg);

	if (kind == LINE_OTHER)
		kind = quota_taken_line(&m->taken, e->msg);
	if (kind != LINE_OTHER && !judge_line(m, ev, kind))
		quota_taken_free(&m->taken);
}

void model_logger(struct model *m, const struct event *ev)
{
	const struct ev_logger *e = &ev->logger;
	struct container_line line;
	struct container *c;
	enum line_kind kind;

	quota_taken_free(&m->taken);
	if (!e->msg || strnlen(e->msg, LOGGER_MAX + 1) > LOGGER_MAX)
		return;
	kind = container_line_parse(&line, e->msg);
	if (kind == LINE_OTHER) {
		container_line_free(&line);
		quota_line(m, ev);
		return;
	}
	if (!judge_line(m, ev, kind)) {
		container_line_free(&line);
		return;
	}
	c = of_line(m, &line);
	if (!c) {
		keep(m, &line);
		return;
	}
	take(m, c, &line, m->now);
	container_line_free(&line);
}

static void pending_free(struct model *m, struct pending_name *p)
{
	container_line_free(&p->line);
	free(p);
	m->nr_pending_names--;
}

/* A container that was named before the trace told of it. */
void model_names_finish(struct model *m)
{
	struct pending_name *p;
	struct container *c;

	for (p = m->pending_names; p; p = p->next) {
		c = of_line(m, &p->line);
		if (c && !c->told)
			take(m, c, &p->line, p->when);
	}
}

void model_names_forget(struct model *m, uint64_t before)
{
	struct pending_name **link = &m->pending_names, *p;

	while ((p = *link)) {
		if (p->when >= before) {
			link = &p->next;
			continue;
		}
		*link = p->next;
		pending_free(m, p);
	}
}

void model_names_free(struct model *m)
{
	size_t pos = 0;
	char *name;

	quotas_free(&m->quotas);
	quota_taken_free(&m->taken);
	while (m->pending_names) {
		struct pending_name *p = m->pending_names;

		m->pending_names = p->next;
		pending_free(m, p);
	}
	while ((name = hash_next(&m->runtimes, &pos)))
		free(name);
	hash_free(&m->runtimes);
}
