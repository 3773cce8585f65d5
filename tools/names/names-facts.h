/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_NAMES_FACTS_H
#define LC_NAMES_FACTS_H

#include <limits.h>

#include "names-helper.h"

/*
 * What runtimes write has labels, annotations and names in it that whoever starts a container
 * chooses. So it is not understood in this process, but in a helper that can do nothing else, and
 * that says what was asked for in messages of one shape.
 */
enum facts_of {
	FACTS_RUNC,	      /* init, start */
	FACTS_CRUN,	      /* the same */
	FACTS_CONTAINERD,     /* name (none: it has none of its own), pod..., image */
	FACTS_DOCKER_FILE,    /* name, pod..., image */
	FACTS_DOCKER_DETAILS, /* of HTTP: the same, init, started */
	FACTS_DOCKER_LIST,    /* of HTTP: for each container: id, name */
	FACTS_PODMAN_LIST,    /* for each container: id, pod */
	FACTS_MACHINE,	      /* name, runtime, unit, init, user; has_name: it is a container */
};

/* Texts end, and are cut where a line has no room for them. Empty: there is none. */
struct facts {
	uint8_t is_end;	   /* there is no more */
	uint8_t is_broken; /* with the end: it could not be understood */
	uint8_t has_name;  /* which may be empty */
	int64_t init, start;
	uint64_t user;
	uint64_t started; /* when init ran already, ns since the epoch; or 0 */
	char id[NAME_MAX + 1], unit[NAME_MAX + 1];
	char name[NAMES_LINE_MAX + 1], image[NAMES_LINE_MAX + 1], runtime[NAMES_LINE_MAX + 1];
	char pod[NAMES_LINE_MAX + 1], pod_namespace[NAMES_LINE_MAX + 1];
	char container[NAMES_LINE_MAX + 1];
};

/* The longest text that is understood: docker's answers are longer than files. */
#define FACTS_TEXT_MAX (8u << 20)

/* names-parse.c: what the helper does with a text; it may change it, and @text[len] is 0. */
void facts_parse(enum facts_of what, char *text, size_t len,
		 void (*put)(void *ctx, struct facts *f), void *ctx);

/*
 * names-facts.c: asks the helper, which is started when there is need of it. Calls @take for each
 * of the messages, if there is one; the last one has no more than its end. @what_of names the text
 * in a note, should it be broken. Returns 0; -1 if it is, or nobody could say.
 */
int facts_ask(struct names *n, enum facts_of what, const char *text, size_t len,
	      const char *what_of, void (*take)(void *ctx, const struct facts *f), void *ctx);
/* The same for a text that has one message of facts. */
int facts_one(struct names *n, enum facts_of what, const char *text, size_t len,
	      const char *what_of, struct facts *f);
/* The same of a file below @dir; @written: its time, may be NULL. -1 also if there is no file. */
int facts_read(struct names *n, enum facts_of what, int dir, const char *path, uint64_t *written,
	       struct facts *f);
/* NULL for the text that is empty. */
const char *facts_text(const char *text);
/* Its names of Kubernetes, and its image. */
void facts_place(struct found *found, const struct facts *f);
/* The helper is not needed any more. */
void facts_end(struct names *n);

#endif
