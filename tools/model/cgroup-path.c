/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup-path.h"
#include "base/text.h"
#include "base/util.h"

/*
 * Patterns for the end of a path, the first that fits counts. They begin at a
 * slash, unless with *, which is any text without a slash. One of the braces is
 * the id:
 *   {hex}   64 hexadecimal digits, as docker, podman, CRI-O and containerd make
 *   {uid}   a pod's UUID; systemd wants _ for the - in it
 *   {unit}  a name as systemd escapes it in the names of units
 *   {name}  any text without a slash
 *
 * Sources: runc's and crun's documentation of cgroupsPath, the kubelet's pod
 * container manager, libpod's and LXC's sources, systemd's unit names; each as
 * seen with the runtime itself where a test says so.
 */
static const struct rule {
	const char *pattern;
	enum cgroup_holds holds;
	const char *runtime;
} rules[] = {
	{"*libpod_pod_{hex}.slice", HOLDS_POD, "podman"},
	{"/libpod_parent/{hex}", HOLDS_POD, "podman"},
	{"/libpod-{hex}.scope", HOLDS_CONTAINER, "podman"},
	{"/libpod-{hex}", HOLDS_CONTAINER, "podman"},
	{"/docker-{hex}.scope", HOLDS_CONTAINER, "docker"},
	{"/docker/{hex}", HOLDS_CONTAINER, "docker"},
	{"/crio-{hex}.scope", HOLDS_CONTAINER, "crio"},
	{"/crio-{hex}", HOLDS_CONTAINER, "crio"},
	{"/cri-containerd-{hex}.scope", HOLDS_CONTAINER, "containerd"},
	{"*:cri-containerd:{hex}", HOLDS_CONTAINER, "containerd"},
	{"/nerdctl-{hex}.scope", HOLDS_CONTAINER, "containerd"},
	{"/buildkit/{name}", HOLDS_CONTAINER, "buildkit"},
	{"*kubepods-pod{uid}.slice", HOLDS_POD, "kubernetes"},
	{"*kubepods-burstable-pod{uid}.slice", HOLDS_POD, "kubernetes"},
	{"*kubepods-besteffort-pod{uid}.slice", HOLDS_POD, "kubernetes"},
	{"/kubepods/pod{uid}", HOLDS_POD, "kubernetes"},
	{"/kubepods/burstable/pod{uid}", HOLDS_POD, "kubernetes"},
	{"/kubepods/besteffort/pod{uid}", HOLDS_POD, "kubernetes"},
	{"/runc-{name}.scope", HOLDS_CONTAINER, "runc"},
	{"/crun-{name}.scope", HOLDS_CONTAINER, "crun"},
	{"/lxc.payload.{name}", HOLDS_CONTAINER, "lxc"},
	{"/lxc.payload/{name}", HOLDS_CONTAINER, "lxc"},
	{"/lxc/{name}", HOLDS_CONTAINER, "lxc"},
	{"/machine-lxc\\x2d{unit}.scope", HOLDS_CONTAINER, "libvirt-lxc"},
	{"/machine-qemu\\x2d{unit}.scope", HOLDS_CONTAINER, "libvirt-qemu"},
	{"/machine-{unit}.scope", HOLDS_CONTAINER, "nspawn"},
	{"/systemd-nspawn@{unit}.service", HOLDS_CONTAINER, "nspawn"},
	/* With --cgroup-parent, or by the kubelet without systemd. */
	{"/{hex}", HOLDS_CONTAINER, ""},
};

#define HEX_LENGTH 64
#define UID_LENGTH 36

/* Copies an id of exactly @len bytes; false if it is not one of that kind. */
static bool take_hex(char *id, const char *s, size_t len)
{
	size_t i;

	if (len != HEX_LENGTH)
		return false;
	for (i = 0; i < len; i++)
		if (hex_digit(s[i]) < 0)
			return false;
	memcpy(id, s, len);
	id[len] = '\0';
	return true;
}

static bool take_uid(char *id, const char *s, size_t len)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	size_t i;

	/* Pods of a file on the node have a hash for their UID. */
	if (len == 32) {
		for (i = 0; i < len && hex_digit(s[i]) >= 0; i++)
			id[i] = s[i];
		id[i] = '\0';
		return i == len;
	}
	if (len != UID_LENGTH)
		return false;
	for (i = 0; i < len; i++) {
		if (form[i] == 'x' ? hex_digit(s[i]) < 0 : s[i] != '-' && s[i] != '_')
			return false;
		id[i] = form[i] == 'x' ? s[i] : '-';
	}
	id[len] = '\0';
	return true;
}

static bool take_name(char *id, const char *s, size_t len)
{
	if (!len || len >= CGROUP_ID_MAX)
		return false;
	memcpy(id, s, len);
	id[len] = '\0';
	return true;
}

/* systemd.unit(5): \xHH stands for a byte. */
static bool take_unit(char *id, const char *s, size_t len)
{
	size_t i, to = 0;

	if (!len || len >= CGROUP_ID_MAX)
		return false;
	for (i = 0; i < len; to++) {
		int byte = -1;

		if (i + 3 < len && s[i] == '\\' && s[i + 1] == 'x' && hex_digit(s[i + 2]) >= 0 &&
		    hex_digit(s[i + 3]) >= 0)
			byte = hex_digit(s[i + 2]) << 4 | hex_digit(s[i + 3]);
		id[to] = byte > 0 ? (char)byte : s[i];
		i += byte > 0 ? 4 : 1;
	}
	id[to] = '\0';
	return true;
}

static bool take_id(char *id, const char *kind, const char *s, size_t len)
{
	if (!strncmp(kind, "{hex}", 5))
		return take_hex(id, s, len);
	if (!strncmp(kind, "{uid}", 5))
		return take_uid(id, s, len);
	if (!strncmp(kind, "{unit}", 6))
		return take_unit(id, s, len);
	return take_name(id, s, len);
}

/*
 * From its end: the text behind the id, the id, the text before it. Of @path these are the first
 * @len bytes, and @name is behind their last slash: all that is above is looked at only as far as
 * the pattern goes, for a path may have thousands of groups, each of which is asked about.
 */
static bool fits(const char *pattern, const char *path, size_t len, const char *name, char *id)
{
	const char *open = strchr(pattern, '{'), *after = strchr(open, '}') + 1;
	bool any_head = *pattern == '*';
	const char *head = pattern + any_head, *begin;
	size_t head_len = (size_t)(open - head), tail = strlen(after);

	if (len < tail || memcmp(path + len - tail, after, tail) != 0)
		return false;
	if (any_head) {
		/* The last place: what comes before may be anything. */
		for (begin = path + len; begin > name; begin--)
			if ((size_t)(begin - name) >= head_len &&
			    !memcmp(begin - head_len, head, head_len))
				break;
		if (begin <= name)
			return false;
	} else {
		const char *slash = strrchr(head, '/');
		size_t in_name = head_len - (size_t)(slash + 1 - head);

		begin = name + in_name;
		if (begin > path + len || (size_t)(begin - path) < head_len ||
		    memcmp(begin - head_len, head, head_len) != 0)
			return false;
	}
	if (begin > path + len - tail)
		return false;
	return take_id(id, open, begin, (size_t)(path + len - tail - begin));
}

static void parse(struct cgroup_name *name, const char *path, size_t len)
{
	const char *last;
	size_t i;

	*name = (struct cgroup_name){.runtime = ""};
	if (len < 2 || *path != '/')
		return;
	last = (const char *)memrchr(path, '/', len) + 1;
	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (!fits(rules[i].pattern, path, len, last, name->id))
			continue;
		name->holds = rules[i].holds;
		name->runtime = rules[i].runtime;
		return;
	}
	name->id[0] = '\0';
}

void cgroup_name_parse(struct cgroup_name *name, const char *path)
{
	parse(name, path, strlen(path));
}

#define USERS "/user.slice/user-"
#define SLICE ".slice"

/* The length of the path of a user's slice, root's too; 0: the group is in none. */
static size_t slice_of(const char *path, uint32_t *user)
{
	const char *digits = path + strlen(USERS);
	unsigned long long uid;
	char *end;

	if (strncmp(path, USERS, strlen(USERS)) || !isdigit((unsigned char)*digits))
		return 0;
	uid = strtoull(digits, &end, 10);
	if (uid > UINT32_MAX || strncmp(end, SLICE, strlen(SLICE)))
		return 0;
	end += strlen(SLICE);
	if (*end && *end != '/')
		return 0;
	*user = (uint32_t)uid;
	return (size_t)(end - path);
}

size_t cgroup_user_slice(const char *path, uint32_t *user)
{
	size_t len = slice_of(path, user);

	return len && *user ? len : 0;
}

/* The length of the path of the group above; 0: that is the root, or there is none. */
static size_t above(const char *path, size_t len)
{
	const char *slash = memrchr(path, '/', len);

	return slash ? (size_t)(slash - path) : 0;
}

/* The outermost group above it that is named as a container's: the length of its path, or 0. */
static size_t outermost(const char *path)
{
	size_t len = strlen(path), found = 0;
	struct cgroup_name name;

	while ((len = above(path, len))) {
		parse(&name, path, len);
		if (name.holds == HOLDS_CONTAINER)
			found = len;
	}
	return found;
}

bool cgroup_is_nested(const char *path)
{
	return outermost(path) > 0;
}

size_t cgroup_maker(const char *path)
{
	uint32_t user;
	size_t slice = cgroup_user_slice(path, &user);

	return slice ? slice : outermost(path);
}

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t end_len = strlen(end);

	return len >= end_len && !memcmp(s + len - end_len, end, end_len);
}

static bool is_runtimes(const char *path, size_t len)
{
	static const char *const runtimes[] = {
		"/buildkit.service",	"/containerd.service", "/crio.service",
		"/docker.service",	"/k3s.service",	       "/k3s-agent.service",
		"/kubelet.service",	"/podman.service",     "/rke2-agent.service",
		"/rke2-server.service",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(runtimes); i++)
		if (ends_with(path, len, runtimes[i]))
			return true;
	return false;
}

bool cgroup_is_runtimes(const char *path)
{
	return is_runtimes(path, strlen(path));
}

/* Without settings for systemd, runtimes put containers below themselves. */
static bool is_service(const char *path, size_t len)
{
	struct cgroup_name name;

	if (!ends_with(path, len, ".service") || is_runtimes(path, len))
		return false;
	parse(&name, path, len);
	return name.holds != HOLDS_CONTAINER;
}

/*
 * Of the groups at or above that length of the path, the outermost that is a service. From outside:
 * what is below it may be as deep as who runs there likes, and this is asked for each of his
 * frames.
 */
static size_t service(const char *path, size_t len)
{
	size_t at;

	for (at = 1; at <= len; at++)
		if ((at == len || path[at] == '/') && is_service(path, at))
			return at;
	return 0;
}

bool cgroup_is_of_service(const char *path)
{
	return service(path, above(path, strlen(path))) > 0;
}

size_t cgroup_service(const char *path)
{
	return service(path, strlen(path));
}

bool cgroup_is_shared(const char *path)
{
	const char *name = strrchr(path, '/');
	uint32_t user;
	size_t slice;

	if (!name || !name[1] || ends_with(name, strlen(name), SLICE) ||
	    !strcmp(path, "/init.scope") || cgroup_is_runtimes(path))
		return true;
	slice = slice_of(path, &user);
	return slice && name == path + slice &&
	       (!strncmp(name, "/session-", 9) || !strncmp(name, "/user@", 6));
}
