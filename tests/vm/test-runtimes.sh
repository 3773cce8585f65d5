#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# test-runtimes.sh [--many MANY]: containers of every runtime, recorded with `lttng-containers record`: tree has each process in the
# container that the runtime says, at each time, by its name; MANY containers (200) that reuse inodes are as many.
set -eu
many=200
[ "${1-}" != --many ] || { many=$2; shift 2; }
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

# What tree says of each process at a moment: PID NAME RUNTIME.
tree_members()
{
	"$program" tree --json --at "$1" "$trace" | jq -r '.hosts[] | .containers as $all |
		[.. | objects | select(has("tid"))] | .[] | select(.tid == .pid and .container_number != null) | . as $t |
		$all[] | select(.number == $t.container_number) | "\($t.tid) \(.name // .id) \(.runtime)"'
}

# Each process that a runtime told of is there, and no other one is in those containers.
compare_members()
{
	local n=$1 when=$2 names

	tree_members "$(cat "$results/$n.at")" | sort >"$results/$n.tree"
	names=$(cut -d ' ' -f 2 "$results/$n.members" | sort -u)
	equal "$when: who is in which container, as the runtimes say" "$(sort "$results/$n.members")" \
		"$(grep -F -w -f <(printf '%s\n' "$names") "$results/$n.tree" | awk -v names="$names" \
			'BEGIN { split(names, list, "\n"); for (i in list) ok[list[i]] } $2 in ok')"
}

# The container that a process is in at the second moment.
container_of()
{
	sed -n "s/^$1 //p" "$results/2.tree"
}

build_program
make_payload --program
run_guest runtimes --timeout 1800 -- /vm/guest/scenario-runtimes "$many"
trace=$results/trace
compare_members 1 "before tracing"
compare_members 2 "while tracing"
equal "a process that was moved into a container's cgroup is in it" "cache podman" "$(container_of "$(cat "$results/moved")")"
"$program" tree --json --at "$(cat "$results/2.at")" "$trace" >"$results/tree.json"
equal "a pod of the kubelet's is told by its cgroup" "containerd 0a1b2c3d-0000-1111-2222-333344445555 eeeeeeeeeeee" \
	"$(jq -r '.hosts[].containers[] | select(.pod.id == "0a1b2c3d-0000-1111-2222-333344445555") | "\(.runtime) \(.pod.id) \(.id[0:12])"' \
		"$results/tree.json")"
equal "what is unshared in a container is inside of it" "dind" \
	"$(jq -r --argjson tid "$(cat "$results/priv-inner")" '.hosts[] | .containers as $all |
		[.. | objects | select(.tid? == $tid)][0].container_number as $in | $all[] | select(.number == $in).parent as $p |
		$all[] | select(.number == $p).name' "$results/tree.json")"
equal "containers of a podman pod are told to be in it" "shop shop" \
	"$(jq -r '[.hosts[].containers[] | select(.name == "shop-a" or .name == "shop-b").pod.name] | join(" ")' "$results/tree.json")"
"$program" tree --json "$trace" >"$results/whole.json"
equal "a line that the recorder did not write names nothing" 0 \
	"$(jq '[.hosts[].containers[] | select(.name == "forged")] | length' "$results/whole.json")"
# Some are gone before anybody asks for their names; crun calls their cgroups after them.
jq '[.hosts[].containers[] | select((.cgroup // "") | startswith("/many-"))]' "$results/whole.json" >"$results/many.json"
equal "$many containers after one another are $many containers" "$many in $many cgroups" \
	"$(jq -r '"\(length) in \([.[].cgroup] | unique | length) cgroups"' "$results/many.json")"
equal "they had fewer inodes than that" yes \
	"$(jq -r --argjson many "$many" '[.[].pid_ns] | unique | if length < $many / 2 then "yes" else "no: \(length)" end' "$results/many.json")"
equal "each has its first task" "$many" \
	"$(jq '[.hosts[] | [.containers[] | select((.cgroup // "") | startswith("/many-")).number] as $many |
		.. | objects | select(has("tid") and .comm == "many" and .vtids[-1] == 1 and (.container_number as $c | $many | index($c)))] | length' \
		"$results/whole.json")"
"$program" check "$trace" --json >"$results/check.json" || :
equal "check: nothing is violated, as the kernel kept the forged line out" "" \
	"$(jq -r '[.rules[] | select(.fail > 0) | "\(.id) \(.fail)"] | join(", ")' "$results/check.json")"
"$program" check "$trace" --against "$results/snapshot" --json >"$results/against.json" || :
equal "check --against agrees with /proc" "" \
	"$(jq -r '[.rules[] | select(.fail > 0).id] | join(", ")' "$results/against.json")"
finish
