#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# `lttng-containers record`: however it ends, nothing is left behind but a trace that can be read.
# PARTS='PART...' runs only those of the scenario.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload --program
add_stock_modules
# shellcheck disable=SC2086 # words
run_guest record --timeout 1500 -- /vm/guest/scenario-record ${PARTS:-}
take_tap <"$results/tap"
build_program
check_names()
{
	local trace=$results/traces/names text=$results/names.text session lines

	trace_text "$trace" "$text"
	session=$(babeltrace2 -o ctf-metadata "$trace/kernel" | sed -n 's/.*trace_name = "lttng-containers-\([0-9]*\)-0-[0-9a-f]\{8\}";/\1/p')
	lines=$(grep 'lttng_logger: ' "$text" | grep -c "pid = $session, " || :)
	equal "names: the recorder's lines have the pid that is in the session's name, and there are no others" \
		"2 2" "$lines $(grep -c 'lttng_logger: ' "$text")"
	for name in web late; do
		equal "names: there is a line of $name" 1 "$(grep -c "lttng_logger: .*pid = $session, .* name=$name " "$text")"
	done
}

for trace in "$results"/traces/* "$results"/traces/snapshot/*; do
	# Snapshots are read one by one, as they overlap.
	[ "${trace##*/}" != snapshot ] && [ -e "$trace" ] || continue
	succeeds "check: the trace of ${trace##*/} is consistent" brief_check "$trace"
done
[ ! -d "$results/traces/names" ] || check_names
# Of a ring whose oldest names are lost a snapshot has them all the same.
for trace in "$results"/traces/snapshot/*; do
	[ -e "$trace" ] || continue
	text=$results/snapshot.text
	trace_text "$trace" "$text"
	told=$(grep -c 'lttng_logger: .*name=a*-' "$text" || :)
	printf '# names that are left of 1800: %s\n' "$told"
	equal "snapshot: what was told of containers is more than the buffers hold" yes "$([ "$told" -gt 100 ] && [ "$told" -lt 1500 ] && echo yes)"
	equal "snapshot: a container that was there before has its name" yes \
		"$(grep -q 'lttng_logger: .* name=oldest ' "$text" && echo yes || grep 'lttng_logger: ' "$text" | tail -n 2)"
done
finish
