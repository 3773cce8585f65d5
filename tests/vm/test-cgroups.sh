#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Tasks in cgroups of version 1 and 2 side by side: the trace has their paths and ids in every
# hierarchy, as /proc and the cgroup file systems have them.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload
run_guest cgroups --cgroups hybrid --timeout 900 -- /vm/guest/scenario-cgroups
trace_text "$results/trace" "$results/text"
take_tap < <("$vm_dir/compare" statedump "$results/text" "$results/1.snapshot" "$results/2.snapshot" 2>&1 || :)
take_tap < <("$vm_dir/compare" forks "$results/text" "$results/3.snapshot" late 2>&1 || :)
# The hierarchies that init mounts: the unified one and four with controllers. A fifth one has
# only a name, and no module can know it.
equal "the state dump tells the five hierarchies that have controllers" 5 \
	"$(sed -n 's/.*process_cgroup: .* hierarchy = \([0-9]*\),.*/\1/p' "$results/text" | sort -u | wc -l)"
# The first snapshot is older than the trace.
check_trace "$results/trace" "$results"/[2-9].snapshot

# A chain of cgroups, of which the kernel would take the cube of the length to find all paths.
inode_at()
{
	sed -n "$(($1 + 1))p" "$results/deep.cgroups"
}

# What the state dump says of the cgroup with that number: parent and path.
told_of()
{
	sed -n "s/.*lttng_statedump_cgroup: .*cgroup_id = $1, parent_id = \([0-9]*\), path = \(.*\) }.*/\1 \2/p" "$results/text"
}

trace_text "$results/deep" "$results/text"
names=$(printf '/c%.0s' $(seq 63))
equal "a cgroup 64 below the root is told with its parent and path" "$(inode_at 62) \"/deep$names\"" "$(told_of "$(inode_at 63)")"
equal "one 1,501 below it with its ancestor's there" "$(inode_at 63) \"/deep$names/...\"" "$(told_of "$(inode_at 1500)")"
equal "those between are not told" "" "$(told_of "$(inode_at 1000)")"
equal "its task is in it" 1 "$(grep -c "process_cgroup: .*cgroup_id = $(inode_at 1500) " "$results/text")"
flat=$(cat "$results/flat.ms") deep=$(cat "$results/deep.ms")
# It took 11 seconds, and a third of one without them; a guest may stand still for a while.
if [ "$deep" -lt $((10 * flat + 3000)) ]; then
	ok "a session starts about as soon as without them"
else
	not_ok "a session starts about as soon as without them" "less than ten times as long, and 3 s" "with them ms=$deep without ms=$flat"
fi
check_trace "$results/deep"
finish
