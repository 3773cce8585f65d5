/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame-perfetto.h"
#include "stacks/stack-frames.h"
#include "protobuf.h"
#include "base/text.h"
#include "base/texts.h"
#include "base/util.h"

/* Of perfetto.protos: a trace is packets, one behind the other. */
enum { TRACE_PACKET = 1 };
enum packet_field {
	PACKET_PROCESS_TREE = 2,
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_SAMPLE = 66,
};
/* What was interned before is not of this sequence; it is needed. */
enum { FLAG_CLEARED = 1, FLAG_NEEDS = 2 };
enum interned_field {
	INTERNED_FUNCTION = 5,
	INTERNED_FRAME = 6,
	INTERNED_CALLSTACK = 7,
	INTERNED_PATH = 17,
	INTERNED_MAPPING = 19,
};
enum { IID = 1 }; /* of all that is interned */
enum { STRING_TEXT = 2 };
enum { FRAME_FUNCTION = 2, FRAME_MAPPING = 3 };
enum { CALLSTACK_FRAME = 2 };
enum { MAPPING_PATH = 7 };
enum sample_field {
	SAMPLE_CPU = 1,
	SAMPLE_PID = 2,
	SAMPLE_TID = 3,
	SAMPLE_CALLSTACK = 4,
	SAMPLE_MODE = 5,
};
enum { MODE_KERNEL = 1, MODE_USER = 2 };
enum { DEFAULTS_SAMPLE = 12, SAMPLE_TIMEBASE = 1, TIMEBASE_PERIOD = 1, TIMEBASE_COUNTER = 4 };
enum { COUNTER_CPU_CLOCK = 1 };
enum { CLOCKS_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_REALTIME_ID = 1, CLOCK_BOOT_ID = 6 };
enum tree_field { TREE_PROCESS = 1, TREE_THREAD = 2 };
enum { PROCESS_PID = 1, PROCESS_COMMAND = 3, THREAD_TID = 1, THREAD_NAME = 2, THREAD_PID = 3 };

/* Mappings: of what is the kernel's, which is called so in Perfetto, and of all else. */
enum { MAPPING_KERNEL = 1, MAPPING_PROGRAM = 2 };
#define KERNEL_MARK "_[k]"
#define SEQUENCE    1
/* Of a packet: readers leave out what is longer than 256 MiB, without a word. */
#define PART_BYTES  (1u << 20)
/* No kernel gives a higher id. */
#define PID_LIMIT   4194304

/* Who a sample is of, by the numbers that they have in the file. */
struct who {
	uint64_t pid, tid;
};

struct moment {
	struct profile_time at;
	const struct profile_stack *stack;
	struct who who;
	size_t callstack;
};

struct process {
	uint64_t pid;
	char *name;
	bool is_main; /* the name is its first thread's */
};

struct thread {
	struct who who;
	const struct profile_stack *stack; /* of it */
};

struct writer {
	FILE *out;
	const struct host *host;
	struct message packet, interned;
	struct message *parts; /* of what is interned, before that */
	size_t nr_parts, cap_parts;
	struct texts texts;		/* what frames are called */
	struct texts callstacks;	/* of the numbers of these */
	struct hash told;		/* those that were interned */
	struct hash processes, threads; /* by their numbers, with one added */
	struct hash numbers;		/* ... of an id in a container, which are given once */
	struct hash taken;		/* by the numbers */
	uint64_t next_number;
	struct task **leaders; /* of processes, by their ids and since when they lived */
	size_t nr_leaders;
	uint64_t begin;
};

/* What is about to be said in the packet is at that time. */
static void begin_packet(struct writer *w, uint64_t ns, unsigned int flags)
{
	put_number(&w->packet, PACKET_TIME, ns);
	put_number(&w->packet, PACKET_SEQUENCE, SEQUENCE);
	put_number(&w->packet, PACKET_FLAGS, flags);
}

static void end_packet(struct writer *w)
{
	struct message trace = {0};

	put_message(&trace, TRACE_PACKET, &w->packet);
	protobuf_write(w->out, &trace);
	free(trace.bytes);
}

static void put_clock(struct message *clocks, unsigned int id, uint64_t ns)
{
	struct message clock = {0};

	put_number(&clock, CLOCK_ID, id);
	put_number(&clock, CLOCK_TIME, ns);
	put_message(clocks, CLOCKS_CLOCK, &clock);
}

/* Times are those of the trace's clock, which says that of the day. */
static void put_clocks(struct writer *w)
{
	struct message clocks = {0};

	put_clock(&clocks, CLOCK_REALTIME_ID, w->begin);
	put_clock(&clocks, CLOCK_BOOT_ID, w->begin);
	begin_packet(w, w->begin, 0);
	put_message(&w->packet, PACKET_CLOCKS, &clocks);
	end_packet(w);
}

static void put_interned(struct writer *w, enum interned_field field, struct message *what)
{
	put_message(&w->interned, field, what);
	if (w->interned.nr < PART_BYTES)
		return;
	w->parts = grow(w->parts, w->nr_parts, &w->cap_parts, sizeof(*w->parts));
	w->parts[w->nr_parts++] = w->interned;
	w->interned = (struct message){0};
}

static void put_mappings(struct writer *w)
{
	struct message path = {0}, kernel = {0}, program = {0};

	put_number(&path, IID, 1);
	put_string(&path, STRING_TEXT, "kernel");
	put_interned(w, INTERNED_PATH, &path);
	put_number(&kernel, IID, MAPPING_KERNEL);
	put_number(&kernel, MAPPING_PATH, 1);
	put_interned(w, INTERNED_MAPPING, &kernel);
	put_number(&program, IID, MAPPING_PROGRAM);
	put_interned(w, INTERNED_MAPPING, &program);
}

/* What a sequence begins with: of what samples are, and all that they refer to. */
static void put_first(struct writer *w, uint64_t period)
{
	struct message defaults = {0}, sample = {0}, timebase = {0};
	size_t i;

	put_number(&timebase, TIMEBASE_PERIOD, period);
	put_number(&timebase, TIMEBASE_COUNTER, COUNTER_CPU_CLOCK);
	put_message(&sample, SAMPLE_TIMEBASE, &timebase);
	put_message(&defaults, DEFAULTS_SAMPLE, &sample);
	begin_packet(w, w->begin, FLAG_CLEARED);
	put_message(&w->packet, PACKET_DEFAULTS, &defaults);
	for (i = 0; i < w->nr_parts; i++) {
		put_message(&w->packet, PACKET_INTERNED, &w->parts[i]);
		end_packet(w);
		begin_packet(w, w->begin, FLAG_NEEDS);
	}
	put_message(&w->packet, PACKET_INTERNED, &w->interned);
	end_packet(w);
}

/* Its number, from 1 on; it is told when it is new. */
static size_t intern_frame(struct writer *w, uint32_t frame)
{
	const char *name = w->texts.list[frame];
	size_t id = (size_t)frame + 1, len = strlen(name), mark = strlen(KERNEL_MARK);
	bool is_kernels = len > mark && !strcmp(name + len - mark, KERNEL_MARK);
	struct message function = {0}, told = {0};

	if (hash_get(&w->told, id))
		return id;
	hash_put(&w->told, id, w);
	put_number(&function, IID, id);
	put_string(&function, STRING_TEXT, name);
	put_interned(w, INTERNED_FUNCTION, &function);
	put_number(&told, IID, id);
	put_number(&told, FRAME_FUNCTION, id);
	put_number(&told, FRAME_MAPPING, is_kernels ? MAPPING_KERNEL : MAPPING_PROGRAM);
	put_interned(w, INTERNED_FRAME, &told);
	return id;
}

/* From the third frame on: the first two are the container and the task. */
static size_t callstack_number(struct writer *w, const struct stack_line *line)
{
	char *text = NULL;
	size_t size, i, number;
	FILE *out = text_stream(&text, &size);

	for (i = 2; i < line->nr; i++)
		fprintf(out, "%" PRIx32 " ", line->frames[i]);
	fclose(out);
	number = text_number(&w->callstacks, text);
	free(text);
	return number;
}

static size_t intern_callstack(struct writer *w, const struct stack_line *line)
{
	size_t before = w->callstacks.nr, id = callstack_number(w, line) + 1, i;
	struct message callstack = {0};

	if (w->callstacks.nr == before)
		return id;
	put_number(&callstack, IID, id);
	for (i = 2; i < line->nr; i++)
		put_number(&callstack, CALLSTACK_FRAME, intern_frame(w, line->frames[i]));
	put_interned(w, INTERNED_CALLSTACK, &callstack);
	return id;
}

static int by_pid(const void *a, const void *b)
{
	const struct task *x = *(struct task *const *)a, *y = *(struct task *const *)b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->seen < y->seen ? -1 : x->seen > y->seen;
}

static void find_leaders(struct writer *w)
{
	const struct model *m = w->host->model;
	struct task *t;

	w->leaders = xcalloc(m->nr_tasks + 1, sizeof(struct task *));
	for (t = m->tasks; t; t = t->next)
		if (t->pid == t->tid)
			w->leaders[w->nr_leaders++] = t;
	if (w->nr_leaders)
		qsort(w->leaders, w->nr_leaders, sizeof(*w->leaders), by_pid);
}

/*
 * The last of the process' id that was there before the thread; or one that lived before the trace,
 * and was met after the thread. NULL: none is known.
 */
static const struct task *leader_of(const struct writer *w, const struct task *t)
{
	size_t low = 0, high = w->nr_leaders;

	if (!t || t->pid <= 0 || t->pid == t->tid)
		return t;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct task *l = w->leaders[middle];

		if (l->tid < t->pid || (l->tid == t->pid && l->seen <= t->seen))
			low = middle + 1;
		else
			high = middle;
	}
	if (low && w->leaders[low - 1]->tid == t->pid)
		return w->leaders[low - 1];
	if (low < w->nr_leaders && w->leaders[low]->tid == t->pid && !w->leaders[low]->birth)
		return w->leaders[low];
	return NULL;
}

/*
 * Readers know processes and threads by their ids alone, and give all samples of one the same name.
 * An id is used again, and a task may enter a container: in the file the next one has another
 * number. @t: whose the id @tid is, as far as is known.
 */
static uint64_t number_of(struct writer *w, uint64_t pid, uint64_t tid, const struct task *t,
			  const struct profile_stack *s)
{
	uint64_t key = hash_numbers(hash_numbers(hash_numbers(pid, tid), (uintptr_t)t),
				    hash_numbers((uintptr_t)s->container, s->is_placed));
	uintptr_t number = (uintptr_t)hash_get(&w->numbers, key);
	uint64_t free_one = tid;

	if (number)
		return number - 1;
	while (hash_get(&w->taken, free_one + 1))
		free_one = PID_LIMIT + ++w->next_number;
	hash_put(&w->taken, free_one + 1, w);
	hash_put(&w->numbers, key, (void *)(uintptr_t)(free_one + 1));
	return free_one;
}

static struct who who_of(struct writer *w, const struct profile_stack *s)
{
	uint64_t pid = (uint64_t)(s->task && s->task->pid > 0 ? s->task->pid : s->tid);
	struct who who;

	who.pid = number_of(w, pid, pid, leader_of(w, s->task), s);
	who.tid = number_of(w, pid, (uint64_t)s->tid, s->task, s);
	return who;
}

/* Takes @name over. */
static void call_process(struct writer *w, const struct who *who, char *name)
{
	bool is_main = who->pid == who->tid;
	struct process *p = hash_get(&w->processes, who->pid + 1);

	if (p && (p->is_main || !is_main)) {
		free(name);
		return;
	}
	if (!p) {
		p = xcalloc(1, sizeof(*p));
		p->pid = who->pid;
		hash_put(&w->processes, who->pid + 1, p);
	}
	free(p->name);
	p->name = name;
	p->is_main = is_main;
}

static void call_thread(struct writer *w, const struct who *who, const struct profile_stack *s)
{
	struct thread *t;

	if (hash_get(&w->threads, who->tid + 1))
		return;
	t = xcalloc(1, sizeof(*t));
	*t = (struct thread){*who, s};
	hash_put(&w->threads, who->tid + 1, t);
}

/* Who it was, by the names of its first two frames; returns its stack. */
static size_t take_stack(struct writer *w, const struct who *who, const struct profile_stack *s,
			 const struct stack_line *line)
{
	char *const *names = w->texts.list;

	call_process(w, who, xasprintf("%s: %s", names[line->frames[0]], names[line->frames[1]]));
	call_thread(w, who, s);
	return intern_callstack(w, line);
}

static void put_sample(struct writer *w, const struct moment *m)
{
	struct message sample = {0};

	put_number(&sample, SAMPLE_CPU, m->at.cpu < 0 ? 0 : (uint64_t)m->at.cpu);
	put_number(&sample, SAMPLE_PID, m->who.pid);
	put_number(&sample, SAMPLE_TID, m->who.tid);
	put_number(&sample, SAMPLE_CALLSTACK, m->callstack);
	put_number(&sample, SAMPLE_MODE, m->stack->nr_kernel ? MODE_KERNEL : MODE_USER);
	begin_packet(w, m->at.ns, FLAG_NEEDS);
	put_message(&w->packet, PACKET_SAMPLE, &sample);
	end_packet(w);
}

static void put_tree(struct writer *w, struct message *tree)
{
	begin_packet(w, w->begin, 0);
	put_message(&w->packet, PACKET_PROCESS_TREE, tree);
	end_packet(w);
}

/* As much as fits into a packet. */
static void add_to_tree(struct writer *w, struct message *tree, enum tree_field field,
			struct message *what)
{
	put_message(tree, field, what);
	if (tree->nr >= PART_BYTES)
		put_tree(w, tree);
}

/* All have them from the begin on. */
static void put_names(struct writer *w)
{
	struct message tree = {0};
	struct process *p;
	struct thread *t;
	size_t pos;

	for (pos = 0; (p = hash_next(&w->processes, &pos));) {
		struct message process = {0};

		put_number(&process, PROCESS_PID, p->pid);
		put_string(&process, PROCESS_COMMAND, p->name);
		add_to_tree(w, &tree, TREE_PROCESS, &process);
	}
	for (pos = 0; (t = hash_next(&w->threads, &pos));) {
		struct message thread = {0};
		char *name = text_escape(t->stack->tid ? t->stack->comm : "idle");

		put_number(&thread, THREAD_TID, t->who.tid);
		if (*name)
			put_string(&thread, THREAD_NAME, name);
		put_number(&thread, THREAD_PID, t->who.pid);
		add_to_tree(w, &tree, TREE_THREAD, &thread);
		free(name);
	}
	put_tree(w, &tree);
}

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->at.ns != y->at.ns)
		return x->at.ns < y->at.ns ? -1 : 1;
	return x->at.cpu - y->at.cpu;
}

struct moments {
	struct moment *all;
	size_t nr, cap;
};

static void add_moments(struct moments *m, const struct profile_stack *s, const struct who *who,
			size_t callstack)
{
	size_t i;

	for (i = 0; i < s->nr_times; i++) {
		m->all = grow(m->all, m->nr, &m->cap, sizeof(*m->all));
		m->all[m->nr++] = (struct moment){s->times[i], s, *who, callstack};
	}
}

/* Of all stacks that are asked for; what they are is interned meanwhile. */
static struct moments moments_of(struct writer *w, const struct stack_options *opt, uint64_t *lone)
{
	const struct profile *p = opt->profile_of(w->host);
	struct kernel_symbols symbols = kernel_symbols_of(w->host->trace);
	struct stack_names names = {.texts = &w->texts};
	struct stack_line line = {.names = &names};
	const struct profile_stack *s;
	struct moments m = {0};
	struct who who;
	size_t pos = 0;

	while ((s = hash_next(&p->stacks, &pos))) {
		if (!flame_is_asked_for(w->host, s, opt->selection))
			continue;
		if (s->tid < 0) {
			*lone += s->count;
			continue;
		}
		(void)stack_frames(&line, w->host, &symbols, s, opt);
		who = who_of(w, s);
		add_moments(&m, s, &who, take_stack(w, &who, s, &line));
	}
	free(line.frames);
	stack_names_free(&names);
	kernel_symbols_free(&symbols);
	if (m.nr)
		qsort(m.all, m.nr, sizeof(*m.all), by_time);
	return m;
}

static void drop(struct writer *w)
{
	struct process *p;
	struct thread *t;
	size_t pos;

	for (pos = 0; (p = hash_next(&w->processes, &pos));) {
		free(p->name);
		free(p);
	}
	for (pos = 0; (t = hash_next(&w->threads, &pos));)
		free(t);
	hash_free(&w->processes);
	hash_free(&w->threads);
	hash_free(&w->numbers);
	hash_free(&w->taken);
	free(w->leaders);
	free(w->parts);
	hash_free(&w->told);
	texts_free(&w->texts);
	texts_free(&w->callstacks);
}

uint64_t report_flame_perfetto(FILE *out, const struct host *h, const struct stack_options *opt)
{
	struct writer w = {.out = out, .host = h};
	struct moments m;
	uint64_t lone = 0;
	size_t i;

	find_leaders(&w);
	put_mappings(&w);
	m = moments_of(&w, opt, &lone);
	w.begin = m.nr ? m.all[0].at.ns : h->begin;
	put_clocks(&w);
	put_names(&w);
	put_first(&w, opt->profile_of(h)->period);
	for (i = 0; i < m.nr; i++)
		put_sample(&w, &m.all[i]);
	free(m.all);
	drop(&w);
	return lone;
}
