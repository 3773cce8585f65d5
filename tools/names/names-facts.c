/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "names-facts.h"
#include "base/util.h"

/* How long one text may take. */
#define PARSE_MS   2000
/* Whoever makes it die has it started anew as often as that in one scan. */
#define DEATHS_MAX 3
/*
 * Each text has a helper of its own, so that who takes one over has no say in what the next text
 * means. That is a process for each; should there be more texts in a scan, so many share one.
 */
#define ALONE_MAX  256
#define TOGETHER   32
/* More facts than that are in no list. */
#define FACTS_MAX  65536

struct facts_helper {
	struct helper helper;
	bool runs;
	bool is_of_machines; /* what it was asked last */
	unsigned int deaths;
	unsigned int asked, served; /* texts in this scan; by the helper that runs */
	/*
	 * What is to be understood, FACTS_TEXT_MAX + 1 bytes. Shared with the helper; here it is
	 * only written.
	 */
	char *room;
};

struct request {
	uint32_t what;
	uint32_t len;
};

/* Nobody listens, of which a signal tells, too: this was all. */
static void send_facts(void *ctx, struct facts *f)
{
	const struct names *n = ctx;

	if (write(n->helper, f, sizeof(*f)) != (ssize_t)sizeof(*f))
		_exit(0);
}

static void serve(struct names *n, const struct owner *o)
{
	struct request r;

	(void)o;
	while (read(n->helper, &r, sizeof(r)) == (ssize_t)sizeof(r))
		facts_parse((enum facts_of)r.what, n->facts->room, r.len, send_facts, n);
}

static void dismiss(struct names *n)
{
	helper_dismiss(n, &n->facts->helper);
	n->facts->runs = false;
}

static bool start(struct names *n, enum facts_of what)
{
	struct facts_helper *h = n->facts;
	const struct owner nobody = {
		.user = nobodys_id(), .group = nobodys_id(), .opens_nothing = true};
	bool is_of_machines = what == FACTS_MACHINE;

	if (!h)
		h = n->facts = xcalloc(1, sizeof(*h));
	if (h->runs && h->is_of_machines != is_of_machines)
		dismiss(n);
	h->is_of_machines = is_of_machines;
	if (h->runs)
		return true;
	if (h->deaths == DEATHS_MAX)
		return false;
	if (!h->room) {
		h->room = mmap(NULL, FACTS_TEXT_MAX + 1, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (h->room == MAP_FAILED)
			h->room = NULL;
	}
	h->served = 0;
	h->runs = h->room && !helper_start(n, &h->helper, &nobody, PARSE_MS, serve);
	if (!h->runs) {
		h->deaths = DEATHS_MAX;
		names_note(n, "Containers are left out, no process can be started.", "reader",
			   "runtimes' files");
	}
	return h->runs;
}

/* It has said what it was asked for. */
static void let_go(struct names *n)
{
	struct facts_helper *h = n->facts;

	/*
	 * Files of systemd-machined are no JSON, but lines that a few of ours understand. They are
	 * read in each scan, also those of virtual machines, of which there may be hundreds.
	 */
	if (h->is_of_machines)
		return;
	h->served++;
	if (++h->asked > ALONE_MAX && h->served < TOGETHER)
		return;
	dismiss(n);
}

/* It has died, says nonsense, or takes too long; or the scan is to end. */
static void give_up(struct names *n)
{
	struct facts_helper *h = n->facts;

	helper_end(n, &h->helper, false);
	h->runs = false;
	h->deaths++;
}

/* Whatever the helper was made to send: texts end. */
static void make_safe(struct facts *f)
{
	f->id[sizeof(f->id) - 1] = '\0';
	f->unit[sizeof(f->unit) - 1] = '\0';
	f->name[sizeof(f->name) - 1] = '\0';
	f->image[sizeof(f->image) - 1] = '\0';
	f->runtime[sizeof(f->runtime) - 1] = '\0';
	f->pod[sizeof(f->pod) - 1] = '\0';
	f->pod_namespace[sizeof(f->pod_namespace) - 1] = '\0';
	f->container[sizeof(f->container) - 1] = '\0';
}

/* The next message that is no note; false if none came. */
static bool receive(struct names *n, struct facts *f)
{
	size_t len;

	while ((len = helper_receive(n, &n->facts->helper, f, sizeof(*f)))) {
		struct note_message note;

		if (len == sizeof(*f)) {
			make_safe(f);
			return true;
		}
		if (len != sizeof(note))
			return false;
		memcpy(&note, f, sizeof(note));
		names_note_sent(n, &note, 0);
	}
	return false;
}

static int receive_all(struct names *n, void (*take)(void *ctx, const struct facts *f), void *ctx)
{
	struct facts f;
	size_t nr = 0;

	while (receive(n, &f) && nr++ < FACTS_MAX) {
		if (f.is_end) {
			let_go(n);
			return f.is_broken ? -1 : 0;
		}
		take(ctx, &f);
	}
	give_up(n);
	return -1;
}

static int ask(struct names *n, enum facts_of what, const char *text, size_t len,
	       void (*take)(void *ctx, const struct facts *f), void *ctx)
{
	struct request r = {.what = what, .len = (uint32_t)len};

	if (len > FACTS_TEXT_MAX || !start(n, what))
		return -1;
	memcpy(n->facts->room, text, len);
	n->facts->room[len] = '\0';
	n->facts->helper.until = now_ms() + PARSE_MS;
	helper_send(&n->facts->helper, &r, sizeof(r));
	return receive_all(n, take, ctx);
}

int facts_ask(struct names *n, enum facts_of what, const char *text, size_t len,
	      const char *what_of, void (*take)(void *ctx, const struct facts *f), void *ctx)
{
	int status = ask(n, what, text, len, take, ctx);

	if (status && !names_aborted(n))
		names_note(n, NOTE_BROKEN, "file", what_of);
	return status;
}

static void copy(void *ctx, const struct facts *f)
{
	*(struct facts *)ctx = *f;
}

int facts_one(struct names *n, enum facts_of what, const char *text, size_t len,
	      const char *what_of, struct facts *f)
{
	*f = (struct facts){0};
	return facts_ask(n, what, text, len, what_of, copy, f);
}

int facts_read(struct names *n, enum facts_of what, int dir, const char *path, uint64_t *written,
	       struct facts *f)
{
	uint64_t when = 0;
	size_t len = 0;
	char *text = state_read(n, dir, path, &when, &len);
	int status = -1;

	*f = (struct facts){0};
	if (text)
		status = ask(n, what, text, len, copy, f);
	/* A new one may not be whole yet. */
	if (text && status && !names_aborted(n))
		state_broken(n, path, when);
	if (written)
		*written = when;
	free(text);
	return status;
}

const char *facts_text(const char *text)
{
	return *text ? text : NULL;
}

void facts_place(struct found *found, const struct facts *f)
{
	found->pod = facts_text(f->pod);
	found->pod_namespace = facts_text(f->pod_namespace);
	found->container = facts_text(f->container);
	found->image = facts_text(f->image);
}

void facts_end(struct names *n)
{
	struct facts_helper *h = n->facts;

	if (!h)
		return;
	if (h->runs)
		helper_end(n, &h->helper, true);
	if (h->room)
		munmap(h->room, FACTS_TEXT_MAX + 1);
	free(h);
	n->facts = NULL;
}
