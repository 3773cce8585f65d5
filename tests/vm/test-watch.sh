#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# lttng-watch: who waits too long for a CPU is told, as /proc/PID/schedstat has it, nobody else is; and
# LTTng's trigger then writes the snapshot that says who was in the way; and so does `lttng-containers watch`,
# by itself, for the container that was meant.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload --program
run_guest watch --count --smp 1 --timeout 900 -- /vm/guest/scenario-watch
tid=$(cat "$results/tid") inum=$(cat "$results/inum") cgroup=$(cat "$results/cgroup")

equal "the threshold is root's, a positive number, and at first 0" "600 0" "$(grep -v 'Permission denied' "$results/asked" | xargs)"

# The victim's events in the trace, and their delays' sum: told NAME TID
trace_text "$results/each" "$results/each.text"
trace_text "$results/all" "$results/all.text"
delays_of()
{
	sed -n "s/.* watch_delay: .* tid = $2, .* delay = \([0-9]*\),.*/\1/p" "$results/$1.text"
}
read -r waited_before runs_before <"$results/before"
read -r waited_after runs_after <"$results/after"
waited=$((waited_after - waited_before)) runs=$((runs_after - runs_before))
read -r told_runs told <<<"$(delays_of each "$tid" | awk '{ sum += $1; n++ } END { printf "%d %.0f\n", n, sum }')"
printf '# schedstat: %s ns in %s waits; told: %s ns in %s\n' "$waited" "$runs" "$told" "$told_runs"
equal "with a threshold of 1 ns the waits are told, as many as schedstat counts, within 5%" yes \
	"$([ "$((told_runs * 20))" -ge "$((runs * 19))" ] && [ "$((told_runs * 20))" -le "$((runs * 21 + 100))" ] && echo yes)"
equal "and they are as long, within 2%" yes \
	"$([ "$((told * 50))" -ge "$((waited * 49))" ] && [ "$((told * 50))" -le "$((waited * 51))" ] && echo yes)"
equal "once the threshold is 0 nothing is told: of two bursts one is" 1 \
	"$(delays_of each "$tid" | awk '$1 >= 45000000 { n++ } END { print n + 0 }')"

equal "in quiet time no snapshot is written" 0 "$(cat "$results/quiet")"
late=$(delays_of all "$tid")
printf '# late: %s ns\n' "$late"
equal "with 30 ms, the burst of 50 ms is told of the victim, once" 1 "$(grep -c . <<<"$late")"
read -r waited_before _ <"$results/flight.before"
read -r waited_after _ <"$results/flight.after"
printf '# schedstat: %s ns meanwhile\n' "$((waited_after - waited_before))"
equal "and is part of what schedstat counts" yes \
	"$([ "${late:-0}" -ge 45000000 ] && [ "${late:-0}" -le "$((waited_after - waited_before))" ] && echo yes)"
event=$(grep " watch_delay: .* tid = $tid, " "$results/all.text" | head -n 1)
for field in 'comm = "web-7"' "pid = $tid" "ns_inum = $inum" "cgroup_id = $cgroup" "threshold = 30000000"; do
	equal "it says $field" yes "$(grep -qF "$field" <<<"$event" && echo yes || echo "$event")"
done
equal "nobody is told who waited less" 0 "$(sed -n 's/.* delay = \([0-9]*\),.*/\1/p' "$results/all.text" | awk '$1 <= 30000000 { n++ } END { print n + 0 }')"
equal "the trigger wrote one snapshot" 1 "$(cat "$results/written")"
snapshot=$(find "$results/flight" -name metadata -printf '%h\n' | head -n 1)
succeeds "lttng-containers builds" flock "$build/vm/tools.lock" make -s -C "$vm_repo/tools" BUILD="$build/tools"
"$program" delays "$snapshot" --json >"$results/delays.json" 2>"$results/delays.err" || cat "$results/delays.err"
equal "which says whose 45 ms or more of its longest wait were" "$(cat "$results/burst")" \
	"$(jq -r --argjson victim "$inum" '[.hosts[].victims[] | select(.container.pid_ns == $victim) | .culprits[] |
		select(.container.pid_ns != null and .container.pid_ns != $victim)] | max_by(.ns) |
		select(.ns >= 45000000) | .container.pid_ns' "$results/delays.json")"

# The command: what the guest has seen, and what its first snapshot and the texts beside it say.
take_tap <"$results/tap"
sed 's/^/# /' "$results/late.said"
culprit=pid-ns-$(cat "$results/late.burst")
sed 's/^/# /' "$results/late/why.txt"
equal "beside the snapshot stands who waited, and how long" yes \
	"$(head -n 1 "$results/late/why.txt" | grep -qE "^A task waited (4[5-9]|[5-9][0-9])\.[0-9]{3} ms for a CPU: web-7 \($tid\) of web\. " && echo yes)"
equal "and who was in the way" yes "$(grep -qF "$culprit" "$results/late/why.txt" && echo yes)"
equal "also as JSON, 45 ms or more of it" yes \
	"$(jq -r --arg culprit "$culprit" '[.. | objects | select((.container.label? // .label? // "") == $culprit) | .. | numbers] | any(. >= 45000000)' "$results/late/why.json" | sed 's/true/yes/')"
"$program" delays "$results/late" --json >"$results/late.json" 2>"$results/late.err" || cat "$results/late.err"
equal "and in the snapshot itself" "$(cat "$results/late.burst")" \
	"$(jq -r --argjson victim "$inum" '[.hosts[].victims[] | select(.container.pid_ns == $victim) | .culprits[] |
		select(.container.pid_ns != null and .container.pid_ns != $victim)] | max_by(.ns) | select(.ns >= 45000000) | .container.pid_ns' "$results/late.json")"
equal "the modules came and went" 10 "$(cat "$results/came")"
finish
