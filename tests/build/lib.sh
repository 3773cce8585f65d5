# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Shared by the tests of the build; to be sourced by bash. Needs $work, a directory, and $top; in_tree
# also $suite.
# shellcheck shell=bash disable=SC2034,SC2154 # for, and from, the script that sources this

failed=0
caches=${XDG_CACHE_HOME:-$HOME/.cache}/lttng-containers

# What messages say depends on the distribution: of_distribution ID
of_distribution() {
	echo "ID=$1" >"$work/os-release"
	export OS_RELEASE=$work/os-release
}
of_distribution debian

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

# empty NAME: what standard input lists should not be there
empty() {
	cat >"$work/out"
	if [ -s "$work/out" ]; then not_ok "$1"; else ok "$1"; fi
}

# script DIRECTORY/NAME: makes it below $work; what it does is on standard input
script() {
	mkdir -p "$(dirname "$work/$1")"
	{ echo '#!/bin/sh' && cat; } >"$work/$1"
	chmod +x "$work/$1"
}

# Puts programs in $work/traps that only Debian's own ways may call.
set_traps() {
	local program

	for program in apt apt-get apt-cache dpkg dpkg-query dpkg-deb; do
		script "traps/$program" <<<"echo \"$program \$*\" >>'$work/called'; exit 1"
	done
}

# Whoever calls one, and goes on in spite of what it says, is seen here: none_called NAME
none_called() {
	cat "$work/called" 2>/dev/null | empty "$1: neither dpkg nor apt is called"
	rm -f "$work/called"
}

# made_up_base DIR VERSION: enough of a tree to be taken for one
made_up_base() {
	local dir=$1 major minor patch

	mkdir -p "$dir/src/probes" "$dir/include/lttng"
	touch "$dir/src/Kbuild" "$dir/src/probes/Kbuild" "$dir/src/lttng-statedump-impl.c"
	IFS=. read -r major minor patch <<<"$2"
	printf '#define LTTNG_MODULES_%s_VERSION %s\n' MAJOR "$major" MINOR "$minor" PATCHLEVEL "$patch" \
		>"$dir/include/lttng/tracer.h"
}

# In the guest's tree: the repository is /src, the work directory /mnt/work.
in_tree() {
	run "$top/tests/vm/in-tree" --bind "$work=work" --bind "$caches=cache/lttng-containers" "$suite" "$@"
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
