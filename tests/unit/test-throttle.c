/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Quotas of cgroups that come and go: what is gone for long takes no memory, what is there is kept.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "model/throttle.h"
#include "tap.h"
#include "world.h"

#define STAYS 7

static struct throttles throttles;

static void hear(const struct event *ev)
{
	throttles_event(&throttles, world, ev);
}

static void cgroup_event(uint64_t ms, enum event_kind kind, int64_t id, const char *path)
{
	at(ms * 1000000, 0, kind,
	   (struct event){
		   .cgroup = {.hierarchy = 0, .cgroup_id = id, .parent_id = 1, .path = path}});
}

static void quota_event(uint64_t ms, enum event_kind kind, int64_t id, int cpu)
{
	at(ms * 1000000, 0, kind,
	   (struct event){.throttle = {.hierarchy = 0, .cgroup_id = id, .target_cpu = cpu}});
}

/* Lives for a millisecond, and is throttled on two CPUs. */
static void live(uint64_t ms, int64_t id)
{
	char *path = xasprintf("/%lld", (long long)id);

	cgroup_event(ms, EV_CGROUP_MKDIR, id, path);
	quota_event(ms, EV_THROTTLE, id, 0);
	quota_event(ms, EV_THROTTLE, id, 1);
	quota_event(ms, EV_UNTHROTTLE, id, 0);
	quota_event(ms, EV_UNTHROTTLE, id, 1);
	cgroup_event(ms, EV_CGROUP_RMDIR, id, path);
	free(path);
}

static void cgroups_that_are_gone_are_forgotten(void)
{
	uint64_t ms;
	size_t most = 0, left;

	world_begin(SHAPE_OURS);
	world_hears = hear;
	throttles = (struct throttles){0};
	cgroup_event(1, EV_CGROUP_MKDIR, STAYS, "/stays");
	quota_event(1, EV_THROTTLE, STAYS, 3);
	for (ms = 2; ms < 100000; ms += 5) {
		live(ms, (int64_t)(1000 + ms));
		most = throttles.nr > most ? throttles.nr : most;
	}
	/* In ten seconds 2,000 live, of two places each; twice that is looked at. */
	expect(most > 4000 && most < 4 * 4100);
	printf("# most: %zu, places of all: %d\n", most, 2 * 20000);
	/* One that is there is known. */
	left = throttles.nr;
	quota_event(100001, EV_UNTHROTTLE, STAYS, 3);
	expect(throttles.nr <= left);
	throttles_free(&throttles);
	world_hears = NULL;
	world_end();
}

static const struct tap_test tests[] = {
	{"throttle: cgroups that are gone are forgotten", cgroups_that_are_gone_are_forgotten},
	{0},
};

int main(void)
{
	return tap_run(tests);
}
