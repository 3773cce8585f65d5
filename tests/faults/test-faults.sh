#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# test-faults.sh [--trials N] [--seed N] [--first N] [--limit S]: recordings that are killed, or run out of disk, memory
# or files; see docs/faults.md. Each ends with a message, leaves nothing behind, and its trace can be read.
set -eu
trials=20 seed=1 first=0 limit=3000
while [[ ${1-} = --* ]]; do
	printf -v "${1#--}" %s "$2"
	shift 2
done
vm_dir=$(cd "$(dirname "$0")/../vm" && pwd)
# shellcheck source-path=SCRIPTDIR source=../vm/testlib.sh
. "$vm_dir/testlib.sh"

# read_trace NUMBER: what every report says of it; prints what is wrong.
read_trace()
{
	local trace=$results/traces/$1 report status

	for report in check tree cpu delays wakeups syscalls "map --tid 1" timeline enrich; do
		rm -rf "$results/out"
		status=0
		# shellcheck disable=SC2086 # words
		case $report in
		timeline | enrich) "$program" $report "$trace" -o "$results/out" ;;
		map*) "$program" map "$trace" ${report#map} ;;
		*) "$program" $report "$trace" ;;
		esac >"$results/report" 2>&1 || status=$?
		case $report:$status in
		*:0 | check:1) ;;
		# Where little was recorded, the report has nothing to tell of, and says so.
		syscalls:2 | map*:2) grep -q '^lttng-containers: ' "$results/report" || printf '%s status %s; ' "${report%% *}" "$status" ;;
		*) printf '%s status %s: %s; ' "${report%% *}" "$status" "$(tail -n 1 "$results/report")" ;;
		esac
	done
	rm -rf "$results/out" "$results/report"
}

make_payload --program
truncate -s 48M "$payload/disk.img"
mke2fs -q -t ext4 -m 0 "$payload/disk.img"
gzip "$payload/disk.img"
run_guest faults --timeout "$((limit + 400))" -- /vm/guest/scenario-faults "$seed" "$first" "$trials" "$limit"
succeeds "lttng-containers builds" flock "$build/vm/tools.lock" make -s -C "$vm_repo/tools" BUILD="$build/tools"
declare -A tried good
while IFS=$'\t' read -r n kind daemon ms status outcome wrong; do
	[ "$n" != trial ] || continue
	[ "$wrong" != - ] || wrong=''
	[ "$outcome" != trace ] || wrong+=$(read_trace "$n")
	equal "trial $n: $kind, session daemon: $daemon, after $ms ms: status $status, $outcome" "" "$wrong"
	tried[$kind:$daemon]=$((${tried[$kind:$daemon]:-0} + 1))
	[ -n "$wrong" ] || good[$kind:$daemon]=$((${good[$kind:$daemon]:-0} + 1))
done <"$results/trials.tsv"
for kind in "${!tried[@]}"; do
	printf '# %s: %s trials, %s good\n' "$kind" "${tried[$kind]}" "${good[$kind]:-0}"
done | sort
finish
