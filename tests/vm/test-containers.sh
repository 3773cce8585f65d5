#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Real containers of every kind, 33 levels, zombies, leaderless groups, other user namespaces:
# what the trace says of each task is what /proc says.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload
run_guest containers --timeout 900 -- /vm/guest/scenario-containers
trace=$results/trace

equal "our modules are the ones that depmod names" 2 "$(grep -c '/updates/' "$results/module-files")"
equal "our modules are loaded" 2 "$(grep -c -E '^(lttng_statedump|lttng_probe_sched) ' "$results/lsmod")"
equal "the guest's babeltrace2 reads the trace without a complaint" "" "$(cat "$results/babeltrace2.guest")"
trace_text "$trace" "$results/text"
take_tap < <("$vm_dir/compare" statedump "$results/text" "$results/1.snapshot" "$results/2.snapshot" 2>&1 || :)
take_tap < <("$vm_dir/compare" statedump "$results/text" "$results/3.snapshot" "$results/4.snapshot" 2 2>&1 |
	sed 's/^\(ok\|not ok\) - /&second /' || :)
take_tap < <("$vm_dir/compare" forks "$results/text" "$results/3.snapshot" \
	late-runc,late-crun,late-inner,late-podman,late-exec,late-exec-in-db,late-userns,late-deepest,after-exec,late-follower 2>&1 || :)
deepest=$(sed -n 's/^thread tid=\([0-9]*\) .* comm=deepest .*/\1/p' "$results/1.snapshot")
equal "a task 33 levels deep has 33 records in the state dump" 33 \
	"$(sed '/lttng_statedump_end/q' "$results/text" | grep -c "process_state: .*{ tid = ${deepest:-none},")"
equal "a fork 33 levels deep has 33 numbers and 33 namespaces" "yes" \
	"$(grep 'sched_process_fork: .*parent_comm = "late-deepest"' "$results/text" |
		grep -q '_vtids_length = 33,.*_ns_inums_length = 33,' && echo yes || echo no)"
# The first snapshot is older than the trace.
check_trace "$trace" "$results"/[2-4].snapshot
check_enriched "$trace" "$results"/2.snapshot "$results"/4.snapshot
finish
