#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Whoever reads the traces of unmodified lttng-modules can read ours: every event and field of
# theirs is there, with the same name and type, in the same order; what is new comes after.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

# The fields of one event. Upstream changed process_state in 2.12; ours is that of before, which
# readers need, with the later fields behind: docs/events.md says so.
fields_of()
{
	local event=$1 file=$2

	awk -F '\t' -v event="$event" '$1 == event && $2 != "" { print $2 }' "$file"
}

# process_state without what its older shape has more, which are integers.
without_levels()
{
	grep -v -E '^integer \{ size = 32; .* (_vtid|_vpid|_vppid|_ns_level|_ns_inum);$'
}

compare_event()
{
	local event=$1 theirs ours

	theirs=$(fields_of "$event" "$results/stock.fields")
	ours=$(fields_of "$event" "$results/ours.fields")
	case $event in
	lttng_statedump_process_state)
		equal "$event: upstream's fields, and those of before 2.12" "$theirs" "$(without_levels <<<"$ours")"
		equal "$event: the names and their order" \
			"tid vtid pid vpid ppid vppid name type mode submode status ns_level ns_inum cpu file_table_address" \
			"$(sed 's/.* _\([a-z_]*\)[^a-z_]*$/\1/; s/.* _name\[16\];/name/' <<<"$ours" | paste -s -d ' ')"
		;;
	lttng_statedump_vm_map)
		# Upstream names this event in the metadata, but never records it: the call is commented out.
		equal "$event: never recorded by upstream" 0 "$(grep -c "$event:" "$results/stock.text")"
		;;
	*)
		equal "$event: upstream's fields, then new ones" "$theirs" "$(head -n "$(grep -c . <<<"$theirs")" <<<"$ours")"
		;;
	esac
}

# What an event says, without when and where: the same machine says the same.
values()
{
	sed -n "s/.*$1: { cpu_id = [0-9]* }, //p" "$2" | sort -u
}

make_payload
add_stock_modules
run_guest upstream --timeout 900 -- /vm/guest/scenario-upstream
for which in stock ours; do
	trace_text "$results/$which" "$results/$which.text"
	fields "$results/$which" >"$results/$which.fields"
done
events=$(cut -f 1 "$results/stock.fields" | sort -u)
equal "the unmodified modules recorded with are not ours" "" "$(grep 'ns_inums' "$results/stock.fields")"
equal "there are events to compare" yes "$([ "$(wc -l <<<"$events")" -ge 35 ] && echo yes || echo "no: $events")"
for event in $events; do
	compare_event "$event"
done
for event in lttng_statedump_interrupt lttng_statedump_network_interface lttng_statedump_block_device \
	lttng_statedump_cpu_topology; do
	equal "$event: the same values" "$(values "$event" "$results/stock.text")" "$(values "$event" "$results/ours.text")"
	equal "$event: is recorded" yes "$([ -n "$(values "$event" "$results/ours.text")" ] && echo yes)"
done
check_trace "$results/ours" "$results/ours.snapshot"
check_trace "$results/stock" "$results/stock.snapshot"
finish
