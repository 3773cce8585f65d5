/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/cgroup-path.h"
#include "tap.h"

#define HEX  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UID  "0a1b2c3d-0000-1111-2222-333344445555"
#define UID_ "0a1b2c3d_0000_1111_2222_333344445555"

struct sample {
	const char *path, *runtime, *id;
};

static void all_are(enum cgroup_holds holds, const struct sample *s)
{
	struct cgroup_name name;

	for (; s->path; s++) {
		cgroup_name_parse(&name, s->path);
		if (name.holds != holds)
			printf("# %s\n", s->path);
		expect_int(name.holds, holds);
		expect_text(name.runtime, s->runtime);
		expect_text(name.id, s->id);
	}
}

static void containers_are_told(void)
{
	static const struct sample samples[] = {
		{"/docker/" HEX, "docker", HEX},
		{"/system.slice/docker-" HEX ".scope", "docker", HEX},
		{"/docker/" HEX "/docker/" HEX, "docker", HEX},
		{"/machine.slice/libpod-" HEX ".scope", "podman", HEX},
		{"/libpod_parent/libpod-" HEX, "podman", HEX},
		{"/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" HEX ".scope",
		 "podman", HEX},
		{"/kubepods.slice/kubepods-pod" UID_ ".slice/crio-" HEX ".scope", "crio", HEX},
		{"/kubepods/burstable/pod" UID "/crio-" HEX, "crio", HEX},
		{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_
		 ".slice/cri-containerd-" HEX ".scope",
		 "containerd", HEX},
		{"/system.slice/containerd.service/kubepods-burstable-pod" UID_
		 ".slice:cri-containerd:" HEX,
		 "containerd", HEX},
		{"/kubepods/pod" UID "/" HEX, "", HEX},
		{"/system.slice/nerdctl-" HEX ".scope", "containerd", HEX},
		{"/lxc.payload.web", "lxc", "web"},
		{"/lxc/web", "lxc", "web"},
		{"/system.slice/runc-my-box.scope", "runc", "my-box"},
		{"/system.slice/crun-x.scope", "crun", "x"},
		{"/machine.slice/machine-my\\x2dbox.scope", "nspawn", "my-box"},
		{"/machine.slice/systemd-nspawn@db.service", "nspawn", "db"},
		{"/machine.slice/machine-lxc\\x2d12\\x2dvm.scope", "libvirt-lxc", "12-vm"},
		{"/machine.slice/machine-qemu\\x2d1\\x2dvm.scope", "libvirt-qemu", "1-vm"},
		{NULL, NULL, NULL},
	};

	all_are(HOLDS_CONTAINER, samples);
}

static void pods_are_told(void)
{
	static const struct sample samples[] = {
		{"/kubepods.slice/kubepods-pod" UID_ ".slice", "kubernetes", UID},
		{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice",
		 "kubernetes", UID},
		{"/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort-pod" UID_
		 ".slice",
		 "kubernetes", UID},
		{"/kubepods/pod" UID, "kubernetes", UID},
		{"/kubepods/burstable/pod" UID, "kubernetes", UID},
		{"/kubepods/besteffort/pod0123456789abcdef0123456789abcdef", "kubernetes",
		 "0123456789abcdef0123456789abcdef"},
		{"/machine.slice/machine-libpod_pod_" HEX ".slice", "podman", HEX},
		{"/libpod_parent/" HEX, "podman", HEX},
		{NULL, NULL, NULL},
	};

	all_are(HOLDS_POD, samples);
}

static void other_groups_are_not(void)
{
	static const struct sample samples[] = {
		{"/", "", ""},
		{"", "", ""},
		{"/user.slice", "", ""},
		{"/system.slice/docker.service", "", ""},
		{"/machine.slice/libpod-conmon-" HEX ".scope", "", ""},
		{"/system.slice/crio-conmon-" HEX ".scope", "", ""},
		{"/lxc.monitor.web", "", ""},
		{"/lxc.payload.", "", ""},
		{"/docker", "", ""},
		{"/docker/0123", "", ""},
		{"/docker/" HEX "0", "", ""},
		{"/docker/" HEX "/init.scope", "", ""},
		{"/docker-" HEX ".scope.x", "", ""},
		{"/notdocker/x" HEX, "", ""},
		{"/kubepods/podnonsense", "", ""},
		{"/kubepods.slice", "", ""},
		{"/machine.slice/machine-.scope", "", ""},
		{NULL, NULL, NULL},
	};

	all_are(HOLDS_NOTHING, samples);
}

static void escapes_of_units_stay_in_bounds(void)
{
	struct cgroup_name name;

	cgroup_name_parse(&name, "/machine.slice/machine-a\\x00b\\x2.scope");
	expect_text(name.id, "a\\x00b\\x2");
	cgroup_name_parse(&name, "/machine.slice/machine-\\x41\\xzz.scope");
	expect_text(name.id, "A\\xzz");
}

/* Whose slice it is in: 0 if in no ordinary user's. */
static uint32_t user_of(const char *path)
{
	uint32_t user = 0;
	size_t len = cgroup_user_slice(path, &user);

	expect(len ? path[len] == '/' || !path[len] : !user);
	return user;
}

static void slices_of_users_are_told(void)
{
	expect_int(user_of("/user.slice/user-1000.slice"), 1000);
	expect_int(user_of("/user.slice/user-1000.slice/user@1000.service/app.slice"), 1000);
	expect_int(user_of("/user.slice/user-4294967295.slice/x"), 4294967295);
	expect_int(user_of("/user.slice/user-0.slice/session-1.scope"), 0);
	expect_int(user_of("/user.slice/user-4294967296.slice/x"), 0);
	expect_int(user_of("/user.slice/user-.slice/x"), 0);
	expect_int(user_of("/user.slice/user--1.slice/x"), 0);
	expect_int(user_of("/user.slice/user-1000.slices/x"), 0);
	expect_int(user_of("/user.slice/user-1000"), 0);
	expect_int(user_of("/user.slice"), 0);
	expect_int(user_of("/docker/user.slice/user-1000.slice/x"), 0);
	expect_int(user_of(""), 0);
}

static void nested_groups_are_told(void)
{
	expect(cgroup_is_nested("/docker/" HEX "/docker/" HEX));
	expect(cgroup_is_nested("/lxc/web/x/y"));
	expect(cgroup_is_nested("/machine.slice/libpod-" HEX ".scope/container"));
	expect(!cgroup_is_nested("/docker/" HEX));
	expect(!cgroup_is_nested("/system.slice/docker-" HEX ".scope"));
	expect(!cgroup_is_nested("/"));
	expect(!cgroup_is_nested(""));
}

static void groups_of_services_are_told(void)
{
	expect(cgroup_is_of_service("/system.slice/app.service/lxc/db"));
	expect(cgroup_is_of_service("/system.slice/app.service/docker/" HEX));
	expect(cgroup_is_of_service("/user.slice/user-7.slice/user@7.service/x"));
	expect(cgroup_is_of_service("/system.slice/mydocker.service/docker/" HEX));
	expect(!cgroup_is_of_service("/system.slice/docker.service/docker/" HEX));
	expect(!cgroup_is_of_service("/system.slice/containerd.service/x:cri-containerd:" HEX));
	expect(!cgroup_is_of_service("/machine.slice/systemd-nspawn@db.service/payload"));
	expect(!cgroup_is_of_service("/system.slice/app.service"));
	expect(!cgroup_is_of_service("/docker/" HEX));
	expect(!cgroup_is_of_service("/"));
	expect(!cgroup_is_of_service(""));
}

static void expect_service(const char *path, size_t len)
{
	tap_expect_int((long long)cgroup_service(path), (long long)len, path, __FILE__, __LINE__);
}

static void the_outermost_service_is_told(void)
{
	static const char service[] = "/system.slice/app.service";

	expect_service(service, strlen(service));
	expect_service("/system.slice/app.service/lxc/db/b.service", strlen(service));
	expect_service("/system.slice/app.service/docker/" HEX, strlen(service));
	expect_service("/system.slice/docker.service/docker/" HEX, 0);
	expect_service("/system.slice/docker.service", 0);
	expect_service("/machine.slice/systemd-nspawn@db.service/payload", 0);
	expect_service("/system.slice", 0);
	expect_service("/", 0);
	expect_service("", 0);
}

static void shared_groups_are_told(void)
{
	static const char *const shared[] = {"/",
					     "/system.slice/containerd.service",
					     "/system.slice/docker.service",
					     "/k3s.service",
					     "",
					     "/user.slice",
					     "/system.slice",
					     "/init.scope",
					     "/user.slice/user-7.slice",
					     "/user.slice/user-7.slice/session-c2.scope",
					     "/user.slice/user-7.slice/user@7.service",
					     "/user.slice/user-0.slice/session-3.scope",
					     "/user.slice/user-7.slice/user@7.service/app.slice",
					     NULL};
	static const char *const own[] = {"/system.slice/containerd.service/x",
					  "/system.slice/my-docker.service",
					  "/web",
					  "/lxc.payload.web",
					  "/system.slice/runc-x.scope",
					  "/user.slice/user-7.slice/web",
					  "/user.slice/user-7.slice/user@7.service/web",
					  "/docker/" HEX,
					  "/lxc.payload.web/init.scope",
					  NULL};
	size_t i;

	for (i = 0; shared[i]; i++)
		expect(cgroup_is_shared(shared[i]));
	for (i = 0; own[i]; i++)
		expect(!cgroup_is_shared(own[i]));
}

/* What it takes to ask who made a group that is so deep, and whose it is. */
static uint64_t asking_ns(unsigned int depth)
{
	char *path = malloc(2 * depth + 1);
	uint64_t best = UINT64_MAX;
	struct timespec began, now;
	unsigned int i;

	if (!path)
		exit(2);
	for (i = 0; i < depth; i++)
		memcpy(path + 2 * i, "/a", 3);
	for (i = 0; i < 5; i++) {
		uint64_t took;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
		expect(!cgroup_maker(path));
		expect(!cgroup_is_of_service(path));
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		took = (uint64_t)(now.tv_sec - began.tv_sec) * 1000000000 +
		       (uint64_t)(now.tv_nsec - began.tv_nsec);
		best = took < best ? took : best;
	}
	free(path);
	return best;
}

/* Whoever makes groups may make them as deep. */
static void deep_groups_cost_no_more_for_each_above(void)
{
	uint64_t some = asking_ns(200), more = asking_ns(3200);

	if (more > 40 * some)
		tap_expect_int((long long)more, 16 * (long long)some,
			       "of sixteen times as deep a group, in ns", __FILE__, __LINE__);
}

static uint64_t asking_service_ns(const char *path, size_t expected)
{
	uint64_t best = UINT64_MAX;
	struct timespec began, now;
	unsigned int i, k;

	for (i = 0; i < 5; i++) {
		uint64_t took;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
		for (k = 0; k < 100; k++)
			expect_service(path, expected);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		took = (uint64_t)(now.tv_sec - began.tv_sec) * 1000000000 +
		       (uint64_t)(now.tv_nsec - began.tv_nsec);
		best = took < best ? took : best;
	}
	return best;
}

static void groups_within_a_service_cost_nothing(void)
{
	static const char service[] = "/system.slice/app.service";
	char path[4000] = "";
	uint64_t flat, deep;

	strcpy(path, service);
	flat = asking_service_ns(path, strlen(service));
	while (strlen(path) + strlen("/a.service") < sizeof(path))
		strcat(path, "/a.service");
	deep = asking_service_ns(path, strlen(service));
	if (deep > 10 * flat)
		tap_expect_int((long long)deep, (long long)flat, "of a deep group, in ns", __FILE__,
			       __LINE__);
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"cgroups of containers are told, with runtime and id", containers_are_told},
		{"cgroups of pods are told", pods_are_told},
		{"other cgroups are neither", other_groups_are_not},
		{"escapes in unit names are undone where they are whole",
		 escapes_of_units_stay_in_bounds},
		{"slices of users are told, root's is none", slices_of_users_are_told},
		{"cgroups inside of a container's are told", nested_groups_are_told},
		{"cgroups below services are told, but for those of runtimes",
		 groups_of_services_are_told},
		{"the outermost service of a cgroup is told", the_outermost_service_is_told},
		{"what a service makes below itself does not make that longer",
		 groups_within_a_service_cost_nothing},
		{"cgroups that hold what does not belong together are told",
		 shared_groups_are_told},
		{"deep groups cost no more for each that is above",
		 deep_groups_cost_no_more_for_each_above},
		{0},
	};

	return tap_run(tests);
}
