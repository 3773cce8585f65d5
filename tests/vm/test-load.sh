#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# test-load.sh [--times TIMES] [--firsts FIRSTS]: the modules come and go so many times (100), with and without a session; so
# many sessions (8) begin while containers start, and their state dumps are right; so is that of 2,000 tasks while others
# fork and exit.
set -eu
times=100 firsts=8
[ "${1-}" != --times ] || { times=$2; shift 2; }
[ "${1-}" != --firsts ] || { firsts=$2; shift 2; }
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload
run_guest load --timeout $((1200 + 60 * firsts)) -- /vm/guest/scenario-load "$times" "$firsts"
equal "modules load and unload $times times without a session" "$times" "$(cat "$results/without-session")"
equal "modules load and unload $times times beside a running session" "$times" "$(cat "$results/beside-session")"
equal "that session's trace is whole" "" "$(babeltrace2 "$results/beside" -c sink.utils.dummy 2>&1)"
equal "modules that a running session uses refuse to unload $times times" "$times" "$(cat "$results/under-session")"
trace_text "$results/trace" "$results/text"
tasks=$(sed '/lttng_statedump_end/q' "$results/text" | sed -n 's/.*process_state: [^}]*}, { tid = \([0-9]*\),.*/\1/p' | sort -u | wc -l)
equal "the state dump has at least 2,000 tasks" yes "$([ "$tasks" -ge 2000 ] && echo yes || echo "no: $tasks")"
equal "others fork and exit during the state dump" yes \
	"$(sed -n '/lttng_statedump_start/,/lttng_statedump_end/p' "$results/text" | awk '/sched_process_fork/ { f++ } /sched_process_exit/ { e++ }
		END { print (f > 0 && e > 0 ? "yes" : "no") }')"
take_tap < <("$vm_dir/compare" statedump "$results/text" "$results/1.snapshot" "$results/2.snapshot" 2>&1 || :)
take_tap < <("$vm_dir/compare" statedump "$results/text" "$results/3.snapshot" "$results/4.snapshot" 3 2>&1 |
	sed 's/^\(ok\|not ok\) - /&third /' || :)
build_program
for ((n = 1; n <= firsts; n++)); do
	succeeds "check: a session that begins while containers start is consistent ($n)" brief_check "$results/first-$n"
done
# The first snapshot is older than the trace.
check_trace "$results/trace" "$results"/[2-9].snapshot
finish
