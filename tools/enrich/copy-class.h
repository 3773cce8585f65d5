/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_COPY_CLASS_H
#define LC_COPY_CLASS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>

#include "base/hash.h"

/* Copies field classes of one trace class into another, of whatever kind they are. */
struct class_copier {
	bt_trace_class *tc;  /* of the copies */
	struct hash classes; /* original -> its copy, neither owned */
	/* The originals that lengths and selectors of what is copied now may be in; or NULL. */
	const bt_field_class *packet, *common, *specific, *payload;
	bool whole_bytes; /* what is copied now shall have no integers of another size */
};

/*
 * Returns a new reference, or NULL if there is no memory or the class is of a
 * kind that is not known. What a length or selector is taken from has to be
 * copied before.
 */
bt_field_class *copy_field_class(struct class_copier *c, const bt_field_class *from);
/* Appends copies of all members. Returns 0 or -1. */
int copy_members(struct class_copier *c, const bt_field_class *from, bt_field_class *to);
/*
 * A structure that is in no other, or NULL for none. sink.ctf.fs aligns no array without elements,
 * which readers do: where that tells, for a bit-field before one, all integers have whole bytes.
 * Returns 0 or -1.
 */
int copy_structure(struct class_copier *c, const bt_field_class *from, bt_field_class **to);

#endif
