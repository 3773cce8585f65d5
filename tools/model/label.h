/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MODEL_LABEL_H
#define LC_MODEL_LABEL_H

#include "container.h"

/*
 * What a container, a namespace and the host are called wherever one is printed: in text, in JSON,
 * on pages and in enriched events. No two of a host are called the same, and each label is taken
 * where a user says which container is meant (analysis/selection.h).
 */

/* The host itself, which no container is called. */
#define HOST_LABEL "host"

/* All containers are there then, also those that hold no task but another container. */
void containers_meet(struct model *m);
/*
 * When all is read: gives each container its label. It is container_title(), and in front of that
 * who says so if that is not root: user-1000:web, claimed:web. Those that would look alike get
 * behind it when they were born, in local time, or that it was before the trace, and then a
 * number: web@01:14:14.961, web@start#2.
 */
void containers_label(struct model *m);
/*
 * The label, of NULL the host's; as long as containers_label() was not called, as if there were no
 * other container. The caller frees it.
 */
char *container_label(const struct container *c);
/*
 * What it would be called if there were no other container, so that it is the same in every
 * recording, and that of several where one was started again. The caller frees it.
 */
char *container_label_plain(const struct container *c);
/* The same with the birth behind it: for one that another one's label was given away to. */
char *container_label_born(const struct container *c);
/* The same for a terminal: escaped, and with a backslash in front of a parenthesis, with which
 * only begins what is no container. The caller frees it. */
char *container_label_safe(const struct container *c);
/*
 * The same, cut to so many columns, with a ~ for what is missing; but whole where another one's
 * would look alike then.
 */
char *container_label_fit(const struct container *c, size_t columns);
/* Whether the text is what one of these printed, or what JSON has for it. */
bool container_is_labelled(const struct container *c, const char *text);
/* pod:NAMESPACE/NAME or pod:ID, and behind it @ and whose slice or container named it, if not
 * root's. The caller frees it. */
char *pod_label(const struct pod *p);
/* pid-ns-INODE, and the birth behind it if the inode was used again. The caller frees it. */
char *pidns_label(const struct pidns *ns);

#endif
