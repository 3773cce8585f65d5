/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>

#include "trace/reader.h"
#include "model/schema.h"
#include "wire.h"

/* seed TRACE: the trace as an input of the fuzzer (see wire.h), without the command, to stdout. */

static uint64_t before;

static unsigned int number_of(const struct trace_info *t)
{
	return (unsigned int)(uintptr_t)t->user % WIRE_TRACES;
}

static void put_head(const struct trace_info *t, unsigned int what)
{
	putchar((int)(number_of(t) << 6 | what));
}

static void put_other(const struct trace_info *t, unsigned int what)
{
	put_head(t, WIRE_OTHER_RECORD);
	putchar((int)what);
}

static unsigned int place_of(enum event_kind kind)
{
	unsigned int i;

	for (i = 0; wire_kinds[i] != kind; i++)
		;
	return i;
}

static void put_offers(const struct trace_info *t)
{
	uint64_t without = 0;
	unsigned int i;

	for (i = 0; i < EV_NR; i++)
		without |= (uint64_t)!t->offers[wire_kinds[i]] << i;
	for (i = 0; i < 8; i++)
		putchar((int)(without >> 8 * i & 0xff));
}

/* A line "again RECORDS POWER" in a fixture stands for that record. */
static bool put_again(const struct trace_info *t, const char *line)
{
	unsigned int records, power;

	if (sscanf(line, "again %u %u", &records, &power) != 2)
		return false;
	put_other(t, WIRE_AGAIN);
	putchar((int)records);
	putchar((int)(0xf0 | power));
	return true;
}

static void put_time(uint64_t ns)
{
	wire_put_int(stdout, before && ns > before ? (int64_t)(ns - before) : 0);
	before = ns;
}

static int on_trace(void *ctx, struct trace_info *t)
{
	static uintptr_t nr;

	(void)ctx;
	t->user = (void *)nr++;
	put_other(t, WIRE_TRACE);
	putchar((int)t->shape);
	putchar(WIRE_OFFERS);
	put_offers(t);
	wire_put_text(stdout, t->hostname);
	wire_put_text(stdout, *t->boot_id ? "b" : "");
	wire_put_text(stdout, t->session);
	wire_put_int(stdout, (int64_t)t->begin);
	before = t->begin;
	return 0;
}

static void put_seq(const struct seq *seq, int64_t room)
{
	int64_t i;

	wire_put_int(stdout, seq->nr);
	for (i = 0; i < seq->nr && i < room; i++)
		wire_put_int(stdout, seq->v[i]);
}

static int on_event(void *ctx, struct trace_info *t, const struct event *ev)
{
	const struct event_desc *desc = &event_descs[ev->kind];
	size_t i;

	(void)ctx;
	if (ev->kind == EV_LOGGER && ev->logger.msg && put_again(t, ev->logger.msg))
		return 0;
	put_head(t, place_of(ev->kind));
	wire_put_int(stdout, ev->cpu);
	put_time(ev->ns);
	for (i = 0; i < desc->nr_fields; i++) {
		const char *from = (const char *)ev + desc->fields[i].offset;

		switch (desc->fields[i].type) {
		case TYPE_INT:
		case TYPE_CONTEXT:
			wire_put_int(stdout, *(const int64_t *)from);
			break;
		case TYPE_TEXT:
		case TYPE_VARIANT:
			wire_put_text(stdout, *(const char *const *)from);
			break;
		case TYPE_SEQ:
		case TYPE_STACK:
			put_seq((const struct seq *)from, (int64_t)type_room(desc->fields[i].type));
			break;
		}
	}
	return 0;
}

static int on_loss(void *ctx, struct trace_info *t, const struct loss *loss)
{
	(void)ctx;
	put_other(t, WIRE_LOSS);
	wire_put_int(stdout, loss->cpu);
	putchar((loss->may_switch ? WIRE_MAY_SWITCH : 0) | (loss->packets ? WIRE_PACKETS : 0) |
		(loss->end == UINT64_MAX ? WIRE_NO_TIME : 0));
	wire_put_int(stdout, (int64_t)(loss->end - loss->begin));
	wire_put_int(stdout, (int64_t)loss->count);
	return 0;
}

static int on_cpu(void *ctx, struct trace_info *t, int cpu, uint64_t ns)
{
	(void)ctx;
	put_other(t, WIRE_CPU);
	wire_put_int(stdout, cpu);
	wire_put_int(stdout, before > ns ? (int64_t)(before - ns) : 0);
	return 0;
}

static int on_user_event(void *ctx, struct trace_info *t, const struct user_event *ev)
{
	(void)ctx;
	/* The last number is that of user-space traces. */
	if (!t->user) {
		t->user = (void *)(uintptr_t)(WIRE_TRACES - 1);
		put_other(t, WIRE_TRACE);
		putchar(SHAPE_NONE);
		putchar(WIRE_IS_USER);
		wire_put_text(stdout, t->hostname);
		wire_put_text(stdout, *t->boot_id ? "b" : "");
		wire_put_text(stdout, t->session);
		wire_put_int(stdout, 0);
	}
	put_other(t, WIRE_USER_EVENT);
	put_time(ev->ns);
	wire_put_text(stdout, ev->name);
	wire_put_int(stdout, ev->vpid);
	wire_put_int(stdout, ev->vtid);
	wire_put_int(stdout, ev->pid_ns);
	return 0;
}

int main(int argc, char **argv)
{
	const struct reader_callbacks cb = {
		.on_trace = on_trace,
		.on_event = on_event,
		.on_loss = on_loss,
		.on_cpu = on_cpu,
		.on_user_event = on_user_event,
		.wants = UINT64_MAX,
	};
	struct reader r = {0};
	int ret = argc < 2 ? -1 : reader_run(&r, argv + 1, (size_t)(argc - 1), &cb);

	reader_free(&r);
	return ret ? 2 : 0;
}
