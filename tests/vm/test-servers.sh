#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# `why` of servers that are called through a pipe, a Unix socket, a futex and TCP, of those that wait for a disk, memory, a
# CPU and a host outside: against what they measured by their own clocks, and against what the kernel accounts itself.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload --program
run_guest servers --timeout 600 --append 'delayacct psi=1' --peer "$vm_dir/answer" -- /vm/guest/scenario-servers
build_program
succeeds "why reads what record --why has recorded" "$program" why --json "$results/trace"
"$program" why --by task --json "$results/trace" >"$results/why.json"
check_readers "$results/trace"

calls=20

# task NAME N: of the file that has the tasks
task()
{
	awk -v name="$1" -v n="$2" '$1 == name { print $n }' "$results/tasks"
}

# What a workload has measured: said NAME COLUMN
said()
{
	cut -d ' ' -f "$2" "$results/said/$1"
}

# Us that a thread has under some causes: time_of TID FILTER, which finds them
time_of()
{
	jq -r --argjson tid "$1" "[.hosts[].rows[] | select(.tid == \$tid) | .causes[] | $2 | .ns] | add // 0 | . / 1000 | floor" \
		"$results/why.json"
}

# between WHAT LEAST MOST OURS
between()
{
	printf '# %s: %s to %s us, here %s us\n' "$1" "$2" "$3" "$4"
	equal "$1" yes "$([ "$4" -ge "$2" ] && [ "$4" -le "$3" ] && echo yes || echo "$4 us")"
}

read_from='.by[] | select(.device == "nullb0" and .operation == "read")'
awake='select(.kind == "ran" or .kind == "interrupted" or .kind == "cpu")'
cpu='select(.kind == "cpu")'
idle='.by[] | select(.culprit == "idle")'
reclaim='select(.kind == "memory") | .by[] | select(.what == "reclaim")'
memory='select(.kind == "memory")'
stalled='select(.kind == "disk" or .kind == "memory")'

# While who asks is still awake, who was asked may have begun: of what that one did, so much may be before the wait. It
# is what of the asking was on a CPU, or waiting for one.
overlap_of()
{
	echo $(($(said "$1" 3) + $(time_of "$(task "$1" 3)" 'select(.kind == "cpu" or .kind == "interrupted")')))
}

for way in pipe unix futex tcp; do
	caller=$(task $way-called 3) waited=$(said $way-called 2)
	overlap=$(overlap_of $way-called)
	by="select(.kind == \"others\") | .by[] | select(.container.pid_ns? == $(task $way-served 2))"
	between "$way: who asks waited for the server as long as its own clock says" "$((waited - overlap - $(emulation_noise "$waited")))" "$waited" \
		"$(time_of "$caller" "$by")"
	# On a machine that is busy the server may be that far before who asked it waits: no more is missing of what it did
	# meanwhile than of the wait.
	missing=$((waited - $(time_of "$caller" "$by")))
	between "$way: the server slept meanwhile, $calls times 20 ms" "$((calls * 20000 - missing))" "$(said $way-served 3)" \
		"$(time_of "$caller" "$by | .meanwhile[] | select(.kind == \"slept\")")"
	between "$way: the server read from the slow disk meanwhile, $calls times 20 ms" "$((calls * 20000 - missing))" "$(said $way-served 4)" \
		"$(time_of "$caller" "$by | .meanwhile[] | select(.kind == \"disk\") | $read_from")"
	between "$way: the server was busy meanwhile, $calls times 10 ms" "$(($(said $way-served 2) - overlap))" "$waited" \
		"$(time_of "$caller" "$by | .meanwhile[] | $awake")"
	between "$way: the server ran meanwhile no longer than in all" 0 "$(($(cut -d ' ' -f 1 "$results/judged/$way-served.schedstat") / 1000))" \
		"$(time_of "$caller" "$by | .meanwhile[] | select(.kind == \"ran\")")"
done

# The peer waits for 50 ms each time, by the clock of the host, which is the guest's, too.
between "outside: the network, $calls times 50 ms" "$((calls * 50000 - $(overlap_of outside)))" "$(said outside 2)" \
	"$(time_of "$(task outside 3)" 'select(.kind == "network") | .by[] | select(.call != "connect")')"
between "read: the disk, 40 times 20 ms" "$((800000 - $(overlap_of read)))" "$(said read 2)" "$(time_of "$(task read 3)" "select(.kind == \"disk\") | $read_from")"
between "fault: major faults, 40 times 20 ms" "$((800000 - $(overlap_of fault)))" "$(said fault 2)" \
	"$(time_of "$(task fault 3)" 'select(.kind == "memory") | .by[] | select(.what == "fault" and .device == "nullb0")')"

# judged NAME FILE COLUMN: ns of the kernel's as us
judged()
{
	echo $(($(cut -d ' ' -f "$3" "$results/judged/$1.$2") / 1000))
}

# pressure NAME KIND: us for which someone of the cgroup was stalled
pressure()
{
	sed -n 's/^some.*total=//p' "$results/judged/$1.$2.pressure"
}

while read -r name _ tid parent; do
	lived=$(time_of "$tid" .)
	noise=$(emulation_noise "$lived")
	queued=$(time_of "$tid" "$cpu") stall=$(time_of "$tid" "$stalled")
	# The kernel begins before sched_switch, and ends after sched_waking, at the latest when the thread runs.
	between "$name: taskstats has the waits for block I/O" "$((stall - $(time_of "$tid" "$reclaim") - noise))" "$((stall + queued + noise))" "$(judged "$name" delays 2)"
	# It begins with the thread's being queued, which is after sched_waking: on a CPU that sleeps, once that woke up.
	between "$name: taskstats and schedstat have no longer waits for a CPU" 0 "$((queued + noise))" "$(judged "$name" schedstat 2)"
	equal "$name: taskstats and schedstat agree" "$(judged "$name" schedstat 2)" "$(judged "$name" delays 1)"
	# The cgroup has two threads, of which one waits for the other. Of each period of 2 s in which it is awake, pressure
	# may miss a tick of 4 ms.
	noise=$((noise + 4000 * (lived / 2000000 + 1)))
	# It says for how long one of the two at least was queued and did not run, on the one CPU that both keep to: no less than the
	# one did, no longer than both did, one after the other. What goes by until one is queued, once its CPU woke up, is not in it;
	# that CPU is idle then.
	between "$name: cpu.pressure has the waits for a CPU" "$((queued - $(time_of "$tid" "$cpu | $idle") - noise))" \
		"$((queued + $(time_of "$parent" "$cpu") + noise))" "$(pressure "$name" cpu)"
	between "$name: io.pressure has the waits for the disk" "$((stall - noise))" \
		"$((stall + queued + $(time_of "$parent" "$stalled") + $(time_of "$parent" "$cpu") + noise))" "$(pressure "$name" io)"
	# Both count the reclaim from its begin to its end, whatever the task did in it; pressure has faults as well, of pages that
	# were used lately.
	ran=$(time_of "$tid" "$awake") ran_parent=$(time_of "$parent" "$awake")
	between "$name: taskstats has the waits in reclaim" "$(($(time_of "$tid" "$reclaim") - noise))" \
		"$(($(time_of "$tid" "$reclaim") + ran + noise))" "$(judged "$name" delays 4)"
	between "$name: taskstats has no longer waits for pages" 0 "$(($(time_of "$tid" "$memory") + ran + noise))" \
		"$(($(judged "$name" delays 3) + $(judged "$name" delays 5)))"
	between "$name: memory.pressure has the waits in reclaim, and no more than those for memory" "$(($(time_of "$tid" "$reclaim") - noise))" \
		"$(($(time_of "$tid" "$memory") + $(time_of "$parent" "$memory") + ran + ran_parent + noise))" "$(pressure "$name" memory)"
	equal "$name: io.stat knows the disks" "" "$(jq -r --argjson tid "$tid" '.hosts[].rows[] | select(.tid == $tid) | .causes[] |
		select(.kind == "disk" or .kind == "memory") | .by[] | .device // empty' "$results/why.json" | grep -v -x -f "$results/judged/$name.disks")"
done <"$results/tasks"
finish
