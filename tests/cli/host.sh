# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Made-up hosts, for tests of `names`. Sourced after lib.sh.

host=$tmp/host
run=$host/run
id1=1111111111111111111111111111111111111111111111111111111111111111
id2=2222222222222222222222222222222222222222222222222222222222222222
id3=3333333333333333333333333333333333333333333333333333333333333333

new_host() {
	rm -rf "$host"
	mkdir -p "$host/proc" "$run"
}

# process PID START CGROUP NAMESPACE [STATE [UID]]: a process that began at START ticks
process() {
	mkdir -p "$host/proc/$1/ns"
	echo "$1 (a) b) ${5:-S} 1 1 1 0 -1 4 0 0 0 0 0 0 0 0 20 0 1 0 $2 1 1" >"$host/proc/$1/stat"
	printf '0::%s\n' "$3" >"$host/proc/$1/cgroup"
	ln -sfn "pid:[$4]" "$host/proc/$1/ns/pid"
	printf 'Name:\ta\nUid:\t%s\t0\t0\t0\n' "${6:-0}" >"$host/proc/$1/status"
}

# file PATH: standard input becomes that file of the host
file() {
	mkdir -p "$(dirname "$host/$1")"
	cat >"$host/$1"
}

# runc NAME PID START, crun NAME PID START
runc() {
	echo '{"id":"'"$1"'","init_process_pid":'"$2"',"init_process_start":'"$3"',
		"config":{"labels":["bundle=/b"]}}' | file "run/runc/$1/state.json"
}
crun() {
	echo '{"pid":'"$2"',"process-start-time":'"$3"',"bundle":"/b"}' | file "run/crun/$1/status"
}

# told NAME LINES: LINES, sorted, each with a | behind, and no complaint
told() {
	name=$1
	shift
	run names --root "$host" --lines
	saw=$(sort "$out" | tr '\n' '|')
	[ "$status" -eq 0 ] && clean || saw="$(how_it_ended)"
	is "$name" "$*" "$saw"
}

# said NAME PATTERN
said() {
	is "$1" yes "$(grep -q -e "$2" "$err" && echo yes || cat "$err")"
}
