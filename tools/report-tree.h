/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
#ifndef LC_REPORT_TREE_H
#define LC_REPORT_TREE_H

#include <stdio.h>

#include "load.h"

/*
 * The namespaces and tasks of the loaded hosts; with @at_given those that lived
 * at the hosts' moment (model.attributes_until), else all.
 */
void report_tree_text(FILE *out, const struct loaded *l, bool at_given);
void report_tree_json(FILE *out, const struct loaded *l, bool at_given);

#endif
