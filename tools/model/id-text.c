/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>

#include "model-int.h"

/* Several texts are used in one message; each is short-lived. */
#define NR_BUFFERS  8
#define BUFFER_SIZE (SEQ_MAX * 22)

static char *next_buffer(void)
{
	static char buffers[NR_BUFFERS][BUFFER_SIZE];
	static unsigned int turn;

	return buffers[turn++ % NR_BUFFERS];
}

const char *int_text(int64_t v)
{
	char *buf = next_buffer();

	if (v == ABSENT)
		return "none";
	snprintf(buf, BUFFER_SIZE, "%lld", (long long)v);
	return buf;
}

const char *seq_text(const struct seq *s)
{
	char *buf = next_buffer();
	size_t len = 1;
	int64_t i;

	if (s->nr < 0)
		return "none";
	buf[0] = '[';
	for (i = 0; i < s->nr && i < SEQ_MAX; i++)
		len += (size_t)snprintf(buf + len, BUFFER_SIZE - len, "%s%lld", i ? "," : "",
					(long long)s->v[i]);
	snprintf(buf + len, BUFFER_SIZE - len, s->nr > SEQ_MAX ? ",..]" : "]");
	return buf;
}

const char *vtids_text(const int32_t *vtids, int n)
{
	char *buf = next_buffer();
	size_t len = 1;
	int i;

	buf[0] = '[';
	for (i = 0; i < n; i++)
		len += (size_t)snprintf(buf + len, BUFFER_SIZE - len, "%s%d", i ? "," : "",
					vtids[i]);
	snprintf(buf + len, BUFFER_SIZE - len, "]");
	return buf;
}

const char *inums_text(const struct chain *c)
{
	char *buf = next_buffer();
	size_t len = 1;
	int i;

	if (!c->has_inums)
		return int_text(c->own);
	buf[0] = '[';
	for (i = 0; i < c->n; i++)
		len += (size_t)snprintf(buf + len, BUFFER_SIZE - len, "%s%u", i ? "," : "",
					c->inums[i]);
	snprintf(buf + len, BUFFER_SIZE - len, "]");
	return buf;
}

const char *pidns_text(const struct pidns *ns)
{
	const struct pidns *chain[LEVELS_MAX];
	char *buf = next_buffer();
	size_t len = 1;
	int n = 0;

	if (!ns)
		return "unknown";
	for (; ns && n < LEVELS_MAX; ns = ns->parent)
		chain[n++] = ns;
	buf[0] = '[';
	/* A gap above the topmost that is known */
	if (chain[n - 1]->level > 0)
		len += (size_t)snprintf(buf + len, BUFFER_SIZE - len, "?,");
	while (n--)
		len += (size_t)snprintf(buf + len, BUFFER_SIZE - len, "%u%s", chain[n]->inum,
					n ? "," : "");
	snprintf(buf + len, BUFFER_SIZE - len, "]");
	return buf;
}
