# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Shared by the tests of the build; to be sourced by bash. Needs $work, a directory.
# shellcheck shell=bash disable=SC2034,SC2154 # for, and from, the script that sources this

failed=0

ok() {
	echo "ok - $1"
}

not_ok() {
	echo "not ok - $1"
	sed 's/^/# /' "$work/out" | tail -n 25
	failed=1
}

# expect NAME STATUS PATTERN: what the last command printed, and its exit status
expect() {
	if [ "$status" = "$2" ] && grep -qE -- "$3" "$work/out"; then
		ok "$1"
	else
		echo "# expected status $2 and a line like: $3; saw status $status" >>"$work/out"
		not_ok "$1"
	fi
}

run() {
	"$@" >"$work/out" 2>&1
	status=$?
}

# A base with few probes, so that a build takes half a minute.
small_base() {
	cp -r "$1" "$work/base"
	printf '%s\n' 'TOP_LTTNG_MODULES_DIR := $(shell dirname $(lastword $(MAKEFILE_LIST)))/../..' \
		'include $(TOP_LTTNG_MODULES_DIR)/src/Kbuild.common' \
		'ccflags-y += -I$(TOP_LTTNG_MODULES_DIR)/include' \
		'obj-m += lttng-probe-sched.o lttng-probe-irq.o lttng-probe-statedump.o lttng-probe-signal.o lttng-probe-net.o' \
		>"$work/base/src/probes/Kbuild"
}
