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
# Ns for which the events say that a cgroup was throttled: throttled_ns ID
throttled_ns()
{
	# Numbers of cycles are ns here; they are more than awk's numbers hold.
	grep "cgroup_throttle_.*cgroup_id = $1," "$results/text" | sed -E 's/^\[0*([0-9]+)\].*cgroup_throttle_([a-z]+):.*target_cpu = ([0-9]+).*/\1 \2 \3/' |
		(
			sum=0
			declare -A since
			while read -r ns what cpu; do
				[ "$what" = begin ] && since[$cpu]=$ns || sum=$((sum + ns - ${since[$cpu]:-$ns}))
			done
			echo $sum
		)
}

if [ -e "$results/throttled" ]; then
	# In the kernel's clock, which stands still in interrupts; from 6.18 on a task is let go on to the end
	# of its call or, at the latest, to a tick of 10 ms.
	theirs=$(sed -n 's/^throttled_usec //p' "$results/throttled") times=$(sed -n 's/^nr_throttled //p' "$results/throttled")
	ours=$(($(throttled_ns "$(head -n 1 "$results/throttled")") / 1000))
	echo "# throttled $times times, $theirs us; by the events $ours us"
	equal "a quota is used up as often as the kernel counts" yes "$([ "$times" -ge 5 ] && echo yes || echo "$times times")"
	equal "and for as long" yes "$([ "$ours" -ge $((theirs * 95 / 100)) ] && [ "$ours" -le $((theirs * 105 / 100 + times * 10000)) ] && echo yes ||
		echo "theirs $theirs us, ours $ours us")"
fi
# The first snapshot is older than the trace.
check_trace "$trace" "$results"/[2-4].snapshot
check_enriched "$trace" "$results"/2.snapshot "$results"/4.snapshot
finish
