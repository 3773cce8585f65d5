#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# cpu and delays: the figures are the kernel's own, of cgroups and of runqueues.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

build_program
make_payload
run_guest reports --timeout 420 -- /vm/guest/scenario-reports
trace=$results/trace
babeltrace2 --clock-seconds --no-delta "$trace" 2>"$results/text.err" >"$results/text" || :
equal "no event was lost" "" "$(cat "$results/text.err")"

# When a mark was written, seconds since the epoch: moment N.CPU|N.d a|b
moment()
{
	sed -n "s/^\[\([0-9.]*\)\].* lttng_logger: .*msg = \"mark $1 $2\".*/\1/p" "$results/text"
}

# The time from one mark to another, us: span N M
span()
{
	awk -v a="$(moment "$1" a)" -v b="$(moment "$2" b)" 'BEGIN { printf "%.0f", (b - a) * 1e6 }'
}

# jq on a report, $from and $to being marks 3 and 4: report NAME FILTER ARGS...
report()
{
	local name=$1 filter=$2
	shift 2

	"$program" "$@" --json "$trace" >"$results/$name.json"
	jq -r --argjson from "$(moment 3.1 b)" --argjson to "$(moment 4.1 a)" "$filter" "$results/$name.json"
}

# What a report has for each name between two marks, at least and at most, as it is not known
# when between a mark's two events a figure was read: NAME LEAST MOST.
between()
{
	local name=$1 from=$2 to=$3 filter=$4
	shift 4

	join <(report "$name-$from-least" "$filter" "$@" --begin "$(moment "$from" b)" --end "$(moment "$to" a)" | sort) \
		<(report "$name-$from-most" "$filter" "$@" --begin "$(moment "$from" a)" --end "$(moment "$to" b)" | sort)
}

# agrees THEIR-LEAST THEIR-MOST LEAST MOST TOLERANCE SPAN: "yes", or what differs; all in us.
agrees()
{
	awk -v t="$1" -v u="$2" -v least="$3" -v most="$4" -v tolerance="$5" -v noise="$(emulation_noise "$6")" 'BEGIN {
		if (t / 100 > tolerance)
			tolerance = t / 100
		tolerance += noise
		print (u >= least - tolerance && t <= most + tolerance) ? "yes" : "kernel " t " to " u ", we " least " to " most
	}'
}

# Of each cgroup: within 1%, or 2 ms a second.
compare_usage()
{
	local from=$1 to=$2 span group before after least most

	between cgroup "$from" "$to" '.hosts[] | .rows[] | select(.known) |
		"\(.path) \((.total_ns + .total_interrupted_ns) / 1000 | floor)"' cpu --by cgroup >"$results/ours.$from"
	span=$(span "$from" "$to")
	while read -r group before; do
		after=$(awk -v g="$group" '$1 == g { print $2 }' "$results/usage.$to")
		read -r least most < <(awk -v g="$group" '$1 == g { print $2, $3 } END { print 0, 0 }' "$results/ours.$from")
		printf '# %s, marks %s to %s: cpu.stat %s us, we %s to %s us, in %s us\n' "$group" "$from" "$to" \
			"$((after - before))" "$least" "$most" "$span"
		equal "cpu: ${group##*/} has the time that its cgroup has, marks $from to $to" yes \
			"$(agrees "$((after - before))" "$((after - before))" "$least" "$most" "$((span / 500))" "$span")"
	done <"$results/usage.$from"
}

# inode NAME: of a container's PID namespace.
inode()
{
	awk -v n="$1" '$1 == n { print $2 }' "$results/namespaces"
}

# For how long a task that never sleeps has been waiting at a mark, us: waiting_at NAME MARK prints LEAST MOST. The
# kernel counts a wait when it is over, which may be between the two events of a mark: before or after it read.
waiting_at()
{
	awk -v name="$1" -v from="$(moment "$2" a)" -v to="$(moment "$2" b)" '
		function begin() { begun = 1; least = most = since ? from - since : 0 }
		function at(time,   waits) {
			waits = since ? time - since : 0
			least = waits < least ? waits : least
			most = waits > most ? waits : most
		}
		!/ sched_switch: / { next }
		{ time = substr($1, 2) + 0 }
		time > from && !begun { begin() }
		time > to { exit }
		index($0, "prev_comm = \"" name "\"") { since = time; if (begun) at(time) }
		index($0, "next_comm = \"" name "\"") { if (begun) at(time); since = 0; if (begun) at(time) }
		END { if (!begun) begin(); at(to); printf "%.0f %.0f\n", least * 1e6, most * 1e6 }' "$results/text"
}

# Of the containers with one task: within 1%, or the 12 ms that reading at two marks may take.
compare_delays()
{
	local from=$1 to=$2 name before after least most first last theirs

	between delay "$from" "$to" '.hosts[] | .victims[] | select(.container) |
		"\(.container.pid_ns) \(.waited_ns / 1000 | floor)"' \
		delays >"$results/delays.$from"
	for name in victim noisy; do
		before=$(awk -v n=$name '$1 == n { print $2 }' "$results/delay.$from")
		after=$(awk -v n=$name '$1 == n { print $2 }' "$results/delay.$to")
		read -r least most < <(awk -v n="$(inode "$name")" '$1 == n { print $2, $3 } END { print 0, 0 }' "$results/delays.$from")
		read -ra first < <(waiting_at "$name" "$from")
		read -ra last < <(waiting_at "$name" "$to")
		theirs=$(((after - before) / 1000))
		printf '# %s, marks %s to %s: run-delay %s us, and waits for %s us at the first and %s us at the last, we %s to %s us\n' \
			"$name" "$from" "$to" "$theirs" "${first[*]}" "${last[*]}" "$least" "$most"
		equal "delays: $name waited as long as the kernel says, marks $from to $to" yes \
			"$(agrees "$((theirs + last[0] - first[1]))" "$((theirs + last[1] - first[0]))" "$least" "$most" 12000 "$(span "$from" "$to")")"
	done
}

sums='.hosts[] | ([.rows[].own_ns, .idle.ns, .interrupts.ns, .unknown.ns] | add) as $all |
	([.rows[], .idle, .interrupts, .unknown | .by_cpu[]] | group_by(.cpu) | map(map(.ns) | add) | unique) as $cpus |
	"\($all == .whole_ns) \($cpus == [.whole_ns / .cpus]) \(.cpus) \(.contradictions) \(.unknown.ns)"'
compare_usage 1.0 2.0
compare_usage 3.1 4.1
compare_usage 4.1 5.1
compare_delays 3.d 4.d
compare_delays 4.d 5.d
# Two that use the same CPU all the time, at equal weights, wait half of it; and the victim,
# which never sleeps, for its neighbour just as long as that one has the CPU.
equal "delays: the victim waited about half of the time" true "$(
	report half ".hosts[] | .victims[] | select(.container.pid_ns == $(inode victim)) |"'
		.waited_ns / (($to - $from) * 1e9) | . > 0.4 and . < 0.6' \
		delays --begin "$(moment 3.1 b)" --end "$(moment 4.1 a)")"
read -r _ least most < <(between blame 3.1 4.1 ".hosts[] | .victims[] | select(.container.pid_ns == $(inode victim)) |
	.culprits[] | select(.container.pid_ns == $(inode noisy)) | \"noisy \\(.ns / 1000 | floor)\"" delays)
used=$(awk '$1 == "/noisy" { sum = $2 - sum } END { print sum }' "$results/usage.3.1" "$results/usage.4.1")
printf '# the victim waited for its neighbour %s to %s us, which ran %s us\n' "${least:-0}" "${most:-0}" "$used"
equal "delays: the victim waited for its neighbour while that one ran" yes \
	"$(agrees "$used" "$used" "${least:-0}" "${most:-0}" 0 "$(span 3.1 4.1)")"
for by in container namespace cgroup task; do
	equal "cpu: all and idle are the CPUs times the time, by $by, of the whole trace" "true true 2 0 0" \
		"$(report "whole-$by" "$sums" cpu --by "$by")"
done
finish
