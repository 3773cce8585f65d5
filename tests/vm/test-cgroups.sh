#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Tasks in cgroups of version 1 and 2 side by side: the trace has their paths and ids in every
# hierarchy, as /proc and the cgroup file systems have them.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload
run_guest cgroups --cgroups hybrid --timeout 900 -- /vm/guest/scenario-cgroups
trace_text "$results/trace" "$results/text"
take_tap < <("$vm_dir/compare" statedump "$results/text" "$results/1.snapshot" "$results/2.snapshot" 2>&1 || :)
take_tap < <("$vm_dir/compare" forks "$results/text" "$results/3.snapshot" late 2>&1 || :)
# The hierarchies that init mounts: the unified one and four with controllers. A fifth one has
# only a name, and no module can know it.
equal "the state dump tells the five hierarchies that have controllers" 5 \
	"$(sed -n 's/.*process_cgroup: .* hierarchy = \([0-9]*\),.*/\1/p' "$results/text" | sort -u | wc -l)"
# The first snapshot is older than the trace.
check_trace "$results/trace" "$results"/[2-9].snapshot
finish
