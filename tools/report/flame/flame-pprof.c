/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>

#include "protobuf.h"
#include "report-flame.h"
#include "base/texts.h"
#include "base/util.h"

/* pprof's profile.proto. Texts are numbers of a table, whose first is empty. */
enum profile_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
};
enum value_type_field { VALUE_TYPE = 1, VALUE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_TEXT = 2 };
enum location_field { LOCATION_ID = 1, LOCATION_LINE = 4 };
enum line_field { LINE_FUNCTION = 1 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3 };

struct pprof {
	FILE *out;
	struct message m;
	const struct texts *names;     /* of frames */
	struct hash locations;	       /* of frames, each as what it may be */
	struct texts texts, functions; /* a function's id is its number here, from 1 on */
	uint64_t period;	       /* 0: there is one value alone */
	bool of_waits;
};

static size_t text(struct pprof *p, const char *s)
{
	return text_number(&p->texts, s);
}

static void put_value_type(struct pprof *p, enum profile_field field, const char *type,
			   const char *unit)
{
	struct message v = {0};

	put_number(&v, VALUE_TYPE, text(p, type));
	put_number(&v, VALUE_UNIT, text(p, unit));
	put_message(&p->m, field, &v);
}

static void put_label(struct pprof *p, struct message *sample, const char *key, const char *value)
{
	struct message label = {0};

	put_number(&label, LABEL_KEY, text(p, key));
	put_number(&label, LABEL_TEXT, text(p, value));
	put_message(sample, SAMPLE_LABEL, &label);
}

/*
 * pprof adds up what is called the same, whatever it is, and a program calls its functions as it
 * likes: but not with a bracket, see stack-frames.c.
 */
static const char *const marks[] = {"[container] ", "[task] ", ""};

/* A function's id, which is its location's, too; it is made when it is asked for first. */
static size_t location_of(struct pprof *p, uint32_t frame, size_t depth)
{
	size_t mark = depth < ARRAY_SIZE(marks) ? depth : ARRAY_SIZE(marks) - 1;
	uint64_t key = (uint64_t)frame * ARRAY_SIZE(marks) + mark;
	uintptr_t id = (uintptr_t)hash_get(&p->locations, key);
	char *name;

	if (id)
		return id;
	name = xasprintf("%s%s", marks[mark], p->names->list[frame]);
	id = text_number(&p->functions, name) + 1;
	hash_put(&p->locations, key, (void *)id);
	free(name);
	return id;
}

/* Who it was are its first two frames, and labels, too; the last call comes first. */
static void put_sample(struct pprof *p, const struct flame_line *line)
{
	struct message sample = {0}, values = {0}, locations = {0};
	const char *who[2] = {"", ""};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(who) && i < line->nr_frames; i++)
		who[i] = p->names->list[line->frames[i]];
	for (i = line->nr_frames; i-- > 0;)
		put_varint(&locations, location_of(p, line->frames[i], i));
	put_message(&sample, SAMPLE_LOCATION, &locations);
	put_varint(&values, line->count);
	if (p->period)
		put_varint(&values, line->count * p->period);
	put_message(&sample, SAMPLE_VALUE, &values);
	put_label(p, &sample, "container", who[0]);
	put_label(p, &sample, "task", who[1]);
	put_message(&p->m, PROFILE_SAMPLE, &sample);
	protobuf_write(p->out, &p->m);
}

static void put_function(struct pprof *p, size_t i)
{
	struct message location = {0}, line = {0}, function = {0};

	put_number(&line, LINE_FUNCTION, i + 1);
	put_number(&location, LOCATION_ID, i + 1);
	put_message(&location, LOCATION_LINE, &line);
	put_message(&p->m, PROFILE_LOCATION, &location);
	put_number(&function, FUNCTION_ID, i + 1);
	put_number(&function, FUNCTION_NAME, text(p, p->functions.list[i]));
	put_number(&function, FUNCTION_SYSTEM_NAME, text(p, p->functions.list[i]));
	put_message(&p->m, PROFILE_FUNCTION, &function);
	protobuf_write(p->out, &p->m);
}

static void put_types(struct pprof *p)
{
	if (p->of_waits) {
		put_value_type(p, PROFILE_SAMPLE_TYPE, "wait", "nanoseconds");
		return;
	}
	put_value_type(p, PROFILE_SAMPLE_TYPE, "samples", "count");
	if (!p->period)
		return;
	put_value_type(p, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
	put_value_type(p, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	put_number(&p->m, PROFILE_PERIOD, p->period);
}

void report_flame_pprof(FILE *out, struct flame_graph *g)
{
	struct pprof p = {
		.out = out,
		.names = &g->lines.texts,
		.period = g->of_waits ? 0 : g->period,
		.of_waits = g->of_waits,
	};
	size_t i;

	text(&p, "");
	put_types(&p);
	put_number(&p.m, PROFILE_TIME, g->begin);
	put_number(&p.m, PROFILE_DURATION, g->length);
	for (i = 0; i < g->lines.nr; i++)
		put_sample(&p, &g->lines.line[i]);
	for (i = 0; i < p.functions.nr; i++)
		put_function(&p, i);
	for (i = 0; i < g->nr_notes; i++)
		put_number(&p.m, PROFILE_COMMENT, text(&p, g->notes[i]));
	for (i = 0; i < p.texts.nr; i++) {
		put_string(&p.m, PROFILE_STRING, p.texts.list[i]);
		protobuf_write(out, &p.m);
	}
	protobuf_write(out, &p.m);
	free(p.m.bytes);
	texts_free(&p.texts);
	texts_free(&p.functions);
	hash_free(&p.locations);
}
