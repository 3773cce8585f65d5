#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
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
succeeds "lttng-containers builds" flock "$build/vm/tools.lock" make -s -C "$vm_repo/tools" BUILD="$build/tools"
for trace in "$results"/traces/*; do
	succeeds "check: the trace of ${trace##*/} is consistent" "$program" check "$trace"
done
finish
