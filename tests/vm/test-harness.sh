#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The harness itself: a guest that fails, complains, dies, stops or hangs is not taken for one
# that succeeds, and what says nothing about the guest has a status of its own.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

need_packages
fetch_machine
payload=$(mktemp -d)
trap 'rm -rf "$payload"' EXIT
rm -rf "$results"
said=$payload.said
trap 'rm -rf "$payload" "$said"' EXIT

# ends_with STATUS NAME [BOOT OPTION]... -- COMMAND...
ends_with()
{
	local wanted=$1 name=$2 status=0
	shift 2

	"$vm_dir/boot" --kernel "$kernel" --quiet --payload "$payload" --results "$results/$wanted" "$@" >"$said" 2>&1 || status=$?
	if [ "$status" = "$wanted" ]; then
		ok "$name"
	else
		not_ok "$name" "status $wanted" "status $status: $(tail -n 10 "$said")"
	fi
}

echo brought >"$payload/file"
ends_with 0 "a command that succeeds: 0" -- sh -c 'cat /vm/file >/results/file; echo printed'
equal "its results are brought back" brought "$(cat "$results/0/file")"
equal "its output is kept" printed "$(cat "$results/0/output.log")"
ends_with 1 "a command that fails: 1" -- false
ends_with 1 "a kernel that warns under a command that succeeds: 1" -- \
	sh -c 'echo "<4>WARNING: CPU: 0 PID: 1 at somewhere.c:1" >/dev/kmsg'
equal "the warning is shown" yes "$(grep -q 'somewhere.c:1' "$said" && echo yes)"
ends_with 1 "a kernel that crashes: 1" -- sh -c 'echo c >/proc/sysrq-trigger'
ends_with 1 "a guest that just stops, a marker of somebody else's printed: 1" -- \
	sh -c '. /vm/.harness/token; echo "vm-0 finished 0" >"/dev/$channel"; busybox poweroff -f'
ends_with 124 "a guest that hangs: 124" --timeout 40 -- sleep 1000
ends_with 3 "a machine that cannot boot: 3" --timeout 12 --append root=none --memory 24 -- true
ends_with 2 "a suite that is not there: 2" --kernel none/amd64 -- true
equal "no machine is left behind" "" "$(pgrep -f "qemu-system.*$results" || :)"
finish
