/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_CONTAINER_H
#define LC_CONTAINER_H

#include "container-line.h"
#include "model.h"

/*
 * Containers: what people name. A PID namespace below the root is one, with the
 * control group that a runtime made for it; and so is such a group alone
 * (--pid=host). They belong to the model, and live as long as it, or
 * until they are swept out (sweep.h).
 *
 * Which one a task is in follows from its control group and its PID namespace:
 * - the container whose group holds it (several share a PID namespace with
 *   --pid=container:X),
 * - or one inside of that which has the task's PID namespace (unshare),
 * - or, where no container's group holds it, that of its PID namespace (nsenter).
 */
struct container {
	uint32_t serial;	  /* from 1 on, unique in the model */
	const char *runtime;	  /* "" if not known; never freed */
	char *id, *name;	  /* "" and NULL if not told; owned */
	struct pidns *ns;	  /* NULL: it has none of its own */
	struct cgroup *cgroup;	  /* the runtime's; NULL: none */
	struct container *around; /* that of its first task's control group, for one without */
	struct container *became; /* it was found out to be that other one: see container_is() */
	struct pod *pod;	  /* NULL: none */
	uint64_t seen;		  /* when first met, ns since the epoch */
	uint64_t told;		  /* when its name was; 0: never */
	enum teller teller;	  /* by whom runtime, id and name are told */
	uint32_t user;		  /* whose runtime it is, of TELLER_USER */
	char *label;		  /* see label.h; owned, NULL before containers_label() */
	bool is_born_told;	  /* its birth is part of that, as others are called so, too */
	bool keeps_born;	  /* ... and stays so though they are forgotten */
	size_t number;		  /* behind its birth, as others have the same; 0: it has none */
	uint64_t numbered_as;	  /* ... hash_text() of what is before that */
	size_t label_least;	  /* so many columns of it no other one's has; 0: not known */
	/* What container_parent() found, and when. */
	struct container *parent;
	unsigned int parent_gen;
	bool is_busy;
	struct container *same_path; /* an older one of a control group of that path */
	uint64_t path_key;	     /* in model.containers_by_path */
	bool is_kept;		     /* see model-sweep.c */
};

struct pod {
	const char *runtime;
	uint64_t key; /* in model.pods_by_key */
	bool is_kept; /* see model-sweep.c */
	char *id;     /* by the path of its control group, else its name */
	char *maker;  /* the path of the user's slice or container that named it; "": root */
	bool is_told;
	char *name, *space; /* space: of Kubernetes; NULL: not told */
};

/* The container that a task is in; NULL: the host. O(1) unless something changed. */
struct container *task_container(struct model *m, struct task *t);
/*
 * The one whose control group that is, or is below, by its name or as its runtime told; NULL: the
 * host's, or not told.
 */
struct container *cgroup_holder(struct model *m, int hierarchy, uint64_t id);
/* The container that was taken for @c at first is known as. NULL stays NULL. */
struct container *container_is(struct container *c);
/* The container that holds it; NULL: the host. */
struct container *container_parent(struct model *m, struct container *c);
/* Whether @c is @outer, or is inside of it. */
bool container_is_within(struct model *m, struct container *c, const struct container *outer);
/*
 * The outermost one around @c in which @in is not, or @c itself: to who is in @in, or with NULL on
 * the host, what is within it is one, as a container can make as many within itself as it likes.
 */
struct container *container_outside(struct model *m, struct container *c, struct container *in);
/* The container that it is within, and that is within no other; NULL: it is within none. */
struct container *container_around(struct model *m, struct container *c);
/* ns since the epoch; 0: before the trace, or not in it. */
uint64_t container_birth(const struct container *c);
/* Whether lost events may have changed when it was born or died, or what it is called. */
bool container_is_unsure(const struct model *m, const struct container *c);
uint64_t container_death(const struct container *c);
/*
 * Whether it is only claimed: its name comes from a control group that an ordinary user could make,
 * or another container, or a service.
 */
bool container_is_claimed(const struct container *c);
/* Whether a user tells or claims it; then @user is who. */
bool container_user(const struct container *c, uint32_t *user);
/* Its name, else a short id, else the inode of its PID namespace. The caller frees it. */
char *container_title(const struct container *c);

#endif
