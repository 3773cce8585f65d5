#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# wakeups, syscalls and map: what programs in containers did, as they and /proc say.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload
"$vm_dir/ust" "$kernel" "$payload/ust" || bail_out "The application with LTTng-UST could not be made."
"$vm_dir/in-tree" --bind "$payload/rootfs/bin=out" "$kernel" gcc -std=c17 -O2 -Wall -Wextra -Werror -static \
	-o /mnt/out/peers /src/tests/vm/peers.c || bail_out "A program of the guest does not compile. program=peers"
run_guest map --timeout 900 -- /vm/guest/scenario-map
trace=$results/trace
check_trace "$trace" "$results/snapshot"

inode_of()
{
	sed -n "s/^$1 //p" "$results/inodes"
}
web=$(inode_of web) shop=$(inode_of shop)

# said FILE WORD: the number that a program printed
said()
{
	sed -n "s/^$2=//p" "$results/$1"
}

# ask NAME ARGS...: the program's JSON, as $results/NAME.json
ask()
{
	local name=$1
	shift

	"$program" "$@" --json "$trace" >"$results/$name.json" || not_ok "$name" "status 0 of $*" "status $?"
}

ask wakeups wakeups --container "$web"
# wakeups_of WAKER-INODE WAKER INODE WOKEN FIELD
wakeups_of()
{
	jq -r --argjson from "$1" --arg waker "$2" --argjson to "$3" --arg woken "$4" \
		"[.hosts[].pairs[] | select(.waker.container.pid_ns == \$from and .waker.comm == \$waker and
			.woken.container.pid_ns == \$to and .woken.comm == \$woken) | .$5] | add" "$results/wakeups.json"
}
# By the text of babeltrace2: who is on the CPU, not in an interrupt, when somebody is woken.
wakings_by_text()
{
	awk -v waker="$1" -v woken="$2" '{
		match($0, /cpu_id = [0-9]+/)
		cpu = substr($0, RSTART + 9, RLENGTH - 9)
	}
	/ sched_switch: / {
		match($0, /next_comm = "[^"]*"/)
		on[cpu] = substr($0, RSTART + 13, RLENGTH - 14)
		depth[cpu] = 0
	}
	/ (irq_handler|irq_softirq|timer_hrtimer_expire)_entry: / { depth[cpu]++ }
	/ (irq_handler|irq_softirq|timer_hrtimer_expire)_exit: / { if (depth[cpu]) depth[cpu]-- }
	/ sched_waking: / && index($0, " comm = \"" woken "\",") && on[cpu] == waker && !depth[cpu] { n++ }
	END { print n + 0 }' "$results/text"
}
# A byte that is there already wakes nobody, and who is woken before it slept does not count it.
between()
{
	if [ "$1" -le "$2" ] && [ "$2" -le "$3" ]; then
		echo yes
	else
		echo "no: $1 <= $2 <= $3"
	fi
}
trace_text "$trace/kernel" "$results/text"
for pair in "$web asker $shop answerer" "$shop answerer $web asker"; do
	read -r from waker to woken <<<"$pair"
	wakes=$(wakeups_of "$from" "$waker" "$to" "$woken" count)
	equal "$waker wakes $woken as often as the trace's text has it" "$(wakings_by_text "$waker" "$woken")" "$wakes"
	equal "$waker wakes $woken at least as often as that slept, at most for each of 200 bytes" yes \
		"$(between "$(said "$woken" woken)" "$wakes" 200)"
	equal "$waker wakes $woken for nearly all of them" yes "$(between 180 "$wakes" 200)"
done
equal "nearly all waits are measured" yes \
	"$(between 180 "$(wakeups_of "$web" asker "$shop" answerer measured)" 200)"
"$program" wakeups --all "$trace" | head -n 30 | sed 's/^/# /'

ask syscalls syscalls --container "$web"
# calls NAME FIELDS
calls()
{
	jq -r "[.hosts[].containers[] | select(.container.pid_ns == $web) | .tasks[] | select(.comm == \"caller\") |
		.calls[] | select(.name == \"$1\") | $2] | join(\",\")" "$results/syscalls.json"
}
equal "300 calls of fsync, none fails" "300 0" "$(calls fsync '"\(.calls) \(.errors)"')"
equal "150 calls of fdatasync, all fail" "150 150" "$(calls fdatasync '"\(.calls) \(.errors)"')"
equal "a call that lasts when the trace ends is unfinished" "1 1" "$(calls pause '"\(.calls) \(.unfinished)"')"
kernel_ns=$(calls fsync .time_ns) user_ns=$(said caller fsync_ns)
printf '# fsync: %s ns by the trace, %s ns as the program measured\n' "$kernel_ns" "$user_ns"
equal "the time in fsync is within what the program measured" yes \
	"$([ "$kernel_ns" -gt 0 ] && [ "$kernel_ns" -le "$user_ns" ] && echo yes || echo no)"
ask fsync syscalls --container "$web" --name fsync
equal "--name lists each of them, by one thread" "300 1" \
	"$(jq -r '[.hosts[].calls[] | select(.comm_then == "caller")] | "\(length) \([.[].vtids[-1]] | unique | length)"' "$results/fsync.json")"

# Threads of the snapshot in a PID namespace below the root, and of a few names on the host: TID COMM NSPID INODE
threads()
{
	awk '/^thread / {
		for (i = 2; i <= NF; i++)
			of[substr($i, 1, index($i, "=") - 1)] = substr($i, index($i, "=") + 1)
		if (index(of["nspid"], ",") || of["comm"] ~ /^(lttng-sessiond|ust-done)$/)
			print of["tid"], of["comm"], of["nspid"], of["pid_ns"]
	}' "$results/snapshot"
}
taken=$(sed -n 's/^host .* begin=\([0-9]*\) .*/\1/p' "$results/snapshot")
offset=$(babeltrace2 --clock-seconds "$trace/kernel" | head -n 1 | sed 's/^\[\([0-9.]*\)\].*/\1/')
cycles=$(babeltrace2 --clock-cycles "$trace/kernel" | head -n 1 | sed 's/^\[0*\([0-9]*\)\].*/\1/')
# The snapshot's time is the clock's; the trace's begin tells what that is since the epoch.
at=$(perl -e 'my ($t, $o, $c) = @ARGV; my ($s, $n) = split /\./, $o; my $d = $t - $c + $n; printf "%d.%09d", $s + int($d / 1e9), $d % 1e9' \
	"$taken" "$offset" "$cycles")
bad='' count_threads=0
while read -r tid comm nspid inode; do
	count_threads=$((count_threads + 1))
	saw=$("$program" map --tid "$tid" --at "$at" --json "$trace" |
		jq -r '.hosts[].lives | map("\(.tid) \(.comm) \([.levels[].vtid] | join(",")) \(.levels[-1].pid_ns)") | join(";")')
	[ "$saw" = "$tid $comm $nspid $inode" ] || bad+="$tid $comm $nspid $inode: $saw; "
	[ "$inode" != 4026531836 ] || continue
	saw=$("$program" map --container "$inode" --vtid "${nspid##*,}" --at "$at" --json "$trace" | jq -r '[.hosts[].lives[].tid] | join(";")')
	[ "$saw" = "$tid" ] || bad+="$inode ${nspid##*,}: $saw, and not $tid; "
done < <(threads)
equal "map of each thread, both ways, is what /proc says" "" "$bad"
equal "of many threads" yes "$([ "$count_threads" -ge 12 ] && echo yes || echo "no: $count_threads")"

ask ust map --ust
"$program" map --ust "$trace" | sed 's/^/# /'
# By the threads that wrote events: TID NSPID INODE EVENTS
equal "each user-space thread has the host's tid, all its ids and its namespace, and all its events" \
	"$(threads | awk -v web="$web" -v shop="$shop" '$2 == "ust-done" { print $1, $3, $4, $4 == web ? 40 : $4 == shop ? 70 : 20 }' | sort)" \
	"$(jq -r '.hosts[].threads[] | "\(.tid) \(.vtids | join(",")) \(.pid_ns) \(.events)"' "$results/ust.json" | sort)"
equal "each of them is in its container" "$web $web $web $shop $shop null" \
	"$(jq -r '[.hosts[].threads[] | .container.pid_ns // "null"] | sort_by(if . == '"$web"' then 0 elif . == '"$shop"' then 1 else 2 end) |
		join(" ")' "$results/ust.json")"
equal "--events has a line for each event" "$(((3 * 40) + (2 * 70) + 20))" "$("$program" map --ust --events "$trace" | grep -c ' lttng_ust_tracef:event$')"
finish
