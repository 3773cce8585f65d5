#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Changes of namespaces and cgroups: what follows from the events for each task at the end is
# what /proc says.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload
run_guest namespaces --timeout 300 -- /vm/guest/scenario-namespaces
trace=$results/trace
trace_text "$trace" "$results/text"

# Events of a name, of a namespace: events NAME INUM [BEFORE]
frees_of()
{
	awk -v inum="$1" -v before="${2:-}" '/ namespace_free: / && $0 ~ "ns_inum = " inum " " {
		time = substr($1, 2, length($1) - 2)
		if (before == "" || time + 0 < before + 0)
			n++
	} END { print n + 0 }' "$results/text"
}

equal "the kernel's functions are hooked as long as the module is there" "yes" \
	"$(grep -q wake_up_new_task "$results/hooks.loaded" && echo yes || echo no)"
equal "the hooks go with it" 0 "$(grep -c . "$results/hooks.unloaded")"
equal "20 sessions with namespace events come and go while another tracer is switched" "20, 10 switches or more" \
	"$(cat "$results/sessions"), $([ "$(cat "$results/switched")" -ge 10 ] && echo 10 switches or more || cat "$results/switched")"
take_tap < <("$vm_dir/compare" replay "$results/text" "$results/snapshot" 2>&1 || :)
equal "unshare() and setns() that fail fire no event" 0 \
	"$(grep -c ' namespace_switch: .*comm = "refused"' "$results/text")"
equal "unshare() and setns() that change no namespace fire no event" 0 \
	"$(grep -c ' namespace_switch: .*comm = "unchanged"' "$results/text")"
equal "a namespace that a mount keeps is not gone with its last task" 0 \
	"$(frees_of "$(cat "$results/kept")" "$(cat "$results/kept.until")")"
equal "it is gone with the mount" 1 "$(frees_of "$(cat "$results/kept")")"
equal "a namespace ends with its last task" "yes" \
	"$([ "$(frees_of "$(cat "$results/gone")")" -ge 1 ] && echo yes || echo no)"
# It is in its cgroup from birth, and no move is told.
equal "a child of clone3(CLONE_INTO_CGROUP) is born in that cgroup" "$(cat "$results/into")" \
	"$(sed -n 's/.* sched_process_fork: .*parent_comm = "starter".* child_cgroup_id = \([0-9]*\).*/\1/p' "$results/text")"
equal "and is not moved into it" 0 "$(grep -c ' cgroup_attach_task: .*dst_path = "/into"' "$results/text")"
for table in leaderless sharing thread; do
	equal "files: a table is told once ($table)" 1 "$(grep -c "file_descriptor: .*filename = \"/run/of-$table\"" "$results/text")"
done
# Threads that share a table of 20,000 files end one after another while it is told.
trace_text "$results/turns" "$results/turns.text"
told=$(grep -c 'file_descriptor: .*filename = "/run/of-turns"' "$results/turns.text")
equal "files: who shares a table and ends cannot have it told again and again" "yes" \
	"$([ "$told" -ge 20000 ] && [ "$told" -lt 30000 ] && echo yes || echo "$told")"
check_trace "$trace" "$results/snapshot"
finish
