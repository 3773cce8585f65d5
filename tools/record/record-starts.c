/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/proc-stat.h"
#include "base/util.h"
#include "record.h"
#include "record-starts.h"

#define LINE_MAX 128
/* "x NS PID", at its longest. */
#define END_MAX	 34

/* When there are so many more it is looked for those whose end was lost. */
#define TIDY_AFTER (1u << 15)

struct process {
	struct owner owner;
	uint32_t pid;
	bool is_known; /* whose it is, or was when it began */
	bool is_asked; /* since then */
	bool is_told;  /* some line tells what it has; there is room for one that ends that */
	bool is_mute;
	bool is_gone;  /* that was so when it was looked for last */
	uint64_t last; /* ns of its last line */
	uint64_t exec; /* ns of when it was last told to have another program */
	struct stamp stamp;
};

bool stamp_of(uint32_t pid, struct stamp *stamp)
{
	struct stamp now = {.ns = now_ns()};
	struct proc_stat st;

	if (!proc_stat_read(&st, pid) || !st.stack)
		return false;
	now.began = st.start;
	now.code = st.code;
	now.stack = st.stack;
	*stamp = now;
	return true;
}

static bool is_there(uint32_t pid)
{
	return !kill((pid_t)pid, 0);
}

void starts_open(struct starts *s, struct kept *kept)
{
	*s = (struct starts){
		.kept = kept,
		.tidy_at = TIDY_AFTER,
		.owner_of = owner_of,
		.stamp_of = stamp_of,
		.is_there = is_there,
	};
}

/* What it had it has no longer. */
static void end(struct starts *s, struct process *p, uint32_t pid, char kind, uint64_t ns)
{
	char line[LINE_MAX];
	int len;

	if (!p->is_told)
		return;
	p->is_told = false;
	len = snprintf(line, sizeof(line), "%c %" PRIu64 " %u\n", kind, ns, pid);
	kept_give(s->kept, &p->owner, END_MAX - (uint64_t)len);
	kept_put(s->kept, "%s", line);
}

static void forget(struct starts *s, struct process *p, uint64_t ns)
{
	end(s, p, p->pid, 'e', ns);
	hash_del(&s->by_pid, p->pid);
	free(p);
}

/*
 * Those who are gone, and whose end was lost. What came of one who has just gone may be yet to be
 * taken, so it is the next look that takes who is gone.
 */
static void forget_gone(struct starts *s)
{
	struct process **gone = xcalloc(s->by_pid.nr, sizeof(struct process *)), *p;
	size_t nr = 0, nr_next = 0, pos = 0;
	uint64_t now = now_ns();

	while ((p = hash_next(&s->by_pid, &pos))) {
		bool was_gone = p->is_gone;

		p->is_gone = !s->is_there(p->pid);
		nr_next += p->is_gone && !was_gone;
		if (p->is_gone && was_gone)
			gone[nr++] = p;
	}
	while (nr)
		forget(s, gone[--nr], now);
	free(gone);
	s->tidy_at = s->by_pid.nr + (s->by_pid.nr - nr_next) + TIDY_AFTER;
}

/* Before anything that may be of one more. */
static void tidy(struct starts *s)
{
	if (s->by_pid.nr >= s->tidy_at)
		forget_gone(s);
}

static struct process *process_of(struct starts *s, uint32_t pid)
{
	struct process *p = hash_get(&s->by_pid, pid);

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->pid = pid;
	hash_put(&s->by_pid, pid, p);
	return p;
}

/* Nothing more of it. */
static void hush(struct starts *s, struct process *p, uint32_t pid, uint64_t ns)
{
	end(s, p, pid, 'x', ns);
	p->is_mute = true;
}

/* Whose it is now. Who is gone by now is still whose it was. */
static void ask(struct starts *s, struct process *p, uint32_t pid, uint64_t ns)
{
	struct owner owner;

	if (p->is_asked)
		return;
	p->is_asked = true;
	s->stamp_of(pid, &p->stamp);
	owner = s->owner_of(pid);
	if (owner.user == UINT32_MAX && p->is_known)
		return;
	p->is_known = true;
	if (p->is_told && !kept_take(s->kept, &owner, END_MAX))
		hush(s, p, pid, ns);
	if (p->is_told)
		kept_give(s->kept, &p->owner, END_MAX);
	p->owner = owner;
}

/* One more line of it, if there is room; else there is none of it any more. */
static bool put(struct starts *s, struct process *p, const struct change *c, const char *line,
		int len)
{
	uint64_t room = (uint64_t)len + (p->is_told ? 0 : END_MAX);

	if (!kept_take(s->kept, &p->owner, room)) {
		hush(s, p, c->pid, c->ns);
		s->kept->lost++;
		return false;
	}
	p->is_told = true;
	p->last = c->ns > p->last ? c->ns : p->last;
	kept_put(s->kept, "%s", line);
	return true;
}

void starts_fork(struct starts *s, const struct change *c)
{
	struct process *from, *p;
	char line[LINE_MAX];
	int len;

	tidy(s);
	from = hash_get(&s->by_pid, c->parent);
	/* One may have had its id whose end was lost. */
	starts_exit(s, c);
	if (!from || c->pid == c->parent)
		return;
	ask(s, from, c->parent, c->ns);
	p = process_of(s, c->pid);
	*p = (struct process){.owner = from->owner,
			      .pid = c->pid,
			      .is_known = true,
			      .is_mute = from->is_mute,
			      .stamp = from->stamp};
	/* When it began as its own file has it is not known yet. */
	p->stamp.began = 0;
	if (!from->is_told)
		return;
	len = snprintf(line, sizeof(line), "p %" PRIu64 " %u %u\n", c->ns, c->pid, c->parent);
	put(s, p, c, line, len);
}

void starts_exec(struct starts *s, const struct change *c)
{
	struct process *p;

	tidy(s);
	p = process_of(s, c->pid);
	end(s, p, c->pid, 'x', c->ns);
	p->is_mute = p->is_asked = false;
	p->exec = c->ns;
	ask(s, p, c->pid, c->ns);
}

void starts_exit(struct starts *s, const struct change *c)
{
	struct process *p = hash_get(&s->by_pid, c->pid);

	if (p)
		forget(s, p, c->ns);
}

static bool is_same(const struct stamp *known, const struct stamp *now)
{
	return (known->began == now->began || !known->began) && known->code == now->code &&
	       known->stack == now->stack;
}

bool starts_doubt(struct starts *s, uint32_t pid, uint64_t since, uint64_t until)
{
	struct process *p = hash_get(&s->by_pid, pid);
	struct stamp now;

	/* Who is gone has no more stacks. */
	if (!s->stamp_of(pid, &now))
		return false;
	if (!p)
		return true;
	if (p->is_mute)
		return false;
	/* What was seen since then may be the program whose begin was lost. */
	if (p->is_told && (p->exec > until || (is_same(&p->stamp, &now) && p->stamp.ns < since)))
		return false;
	end(s, p, pid, 'x', p->last > since ? p->last : since);
	p->stamp = now;
	p->is_asked = false;
	return true;
}

const struct owner *starts_owner(struct starts *s, const struct change *c)
{
	struct process *p;

	tidy(s);
	p = process_of(s, c->pid);
	if (!p->is_mute)
		ask(s, p, c->pid, c->ns);
	if (!p->is_mute)
		return &p->owner;
	s->kept->lost++;
	return NULL;
}

bool starts_map(struct starts *s, const struct change *c, size_t file)
{
	struct process *p = process_of(s, c->pid);
	char line[LINE_MAX];
	int len = snprintf(line, sizeof(line),
			   "m %" PRIu64 " %u %" PRIx64 " %" PRIx64 " %" PRIx64 " %zu\n", c->ns,
			   c->pid, c->map.begin, c->map.end, c->map.offset, file);

	return put(s, p, c, line, len);
}
