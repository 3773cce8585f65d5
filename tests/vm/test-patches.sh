#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Upstream with our patches records what we do: each event of ours with the same fields, of the same
# type, in the same order, and a trace in which /proc finds nothing wrong.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

fields_of()
{
	awk -F '\t' -v event="$1" '$1 == event { print $2 }' "$results/$2.fields"
}

make_payload --program
add_stock_modules --patched
run_guest patches --timeout 900 -- /vm/guest/scenario-upstream
for which in stock ours; do
	trace_text "$results/$which" "$results/$which.text"
	fields "$results/$which" >"$results/$which.fields"
done
equal "the events of namespaces have upstream's names" "lttng_namespace_free lttng_namespace_switch" \
	"$(cut -f 1 "$results/stock.fields" | grep 'namespace_[sf]' | sort -u | paste -s -d ' ')"
name_as_ours "$results/stock.text"
name_as_ours "$results/stock.fields"
# Quotas, samples, locks and charges are not in the series.
events=$(cut -f 1 "$results/ours.fields" | grep -v "^cgroup_throttle_\|^profile_\|^lock_contention_\|^block_rq_charge$" | sort -u)
equal "there are events to compare" yes "$([ "$(wc -l <<<"$events")" -ge 50 ] && echo yes || echo "no: $events")"
for event in $events; do
	equal "$event: the same fields" "$(fields_of "$event" ours)" "$(fields_of "$event" stock)"
done
# Upstream names this one in the metadata, but never records it.
equal "there is no other event" lttng_statedump_vm_map \
	"$(cut -f 1 "$results/stock.fields" | sort -u | comm -13 <(echo "$events") -)"
# The same scenario: an event that one records and the other does not would be seen here.
recorded()
{
	sed -n 's/^[^a-z]*[^ ]* \([a-z_]*\): .*/\1/p' "$results/$1.text" | grep -E '^(lttng_statedump|namespace|cgroup_attach|sched_process)' | sort -u
}
equal "the same events of containers are recorded" "$(recorded ours)" "$(recorded stock)"
check_trace "$results/stock" "$results/stock.snapshot"
check_trace "$results/ours" "$results/ours.snapshot"
equal "lttng-containers record takes the patched modules for what they are" "0 " \
	"$(cat "$results/status") $([ "$(cat "$results/status")" = 0 ] || cat "$results/said")"
check_trace "$results/recorded"
finish
