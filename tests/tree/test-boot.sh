#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# tests/tree/boot itself, with a Debian kernel in the shape of a kernel tree: it finds what works, and
# what does not is not taken for it.
set -eu
vm_dir=$(cd "$(dirname "$0")/../vm" && pwd)
# shellcheck source-path=SCRIPTDIR source=../vm/testlib.sh
. "$vm_dir/testlib.sh"

# boots STATUS NAME ARGUMENT...
boots()
{
	local wanted=$1 name=$2 status=0
	shift 2

	"$vm_dir/../tree/boot" --quiet --results "$results/guest" "$@" >"$scratch/verdict" 2>"$scratch/log" || status=$?
	if [ "$status" = "$wanted" ]; then
		ok "$name"
	else
		not_ok "$name" "status $wanted" "status $status: $(tail -n 10 "$scratch/log" "$scratch/verdict")"
	fi
}

need_packages
fetch_machine
# What was installed; beside it is what it was built from.
modules=$("$vm_dir/modules" --base "$base" "$kernel")/lib || bail_out "The modules could not be built."
release=$(fetched_release)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

kernel_tree=$scratch/kernel
mkdir -p "$kernel_tree/include/generated" "$kernel_tree/arch/x86/boot"
printf '#define UTS_RELEASE "%s"\n' "$release" >"$kernel_tree/include/generated/utsrelease.h"
boots 2 "a tree whose kernel is not built: 2" "$kernel_tree" "$modules"
# shellcheck disable=SC2154 # load_kernel sets it
cp "$kernel_cache/root/boot/vmlinuz-$release" "$kernel_tree/arch/x86/boot/bzImage"
boots 2 "a directory that is not there: 2" "$kernel_tree" "$scratch/none"
boots 0 "our modules: 0" "$kernel_tree" "$modules"
equal "the verdict says so" 1 "$(grep -c "^boot: $release works: rules: .* 0 fail, .*; threads compared: [0-9]*$" "$scratch/verdict")"
cp -r "$modules" "$scratch/less"
find "$scratch/less" -name 'lttng-probe-sched.ko*' -delete
boots 1 "our modules without one that is needed: 1" "$kernel_tree" "$scratch/less"
: >"$kernel_tree/arch/x86/boot/bzImage"
boots 3 "a kernel that does not boot: 3" --timeout 20 "$kernel_tree" "$modules"
finish
