# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The lttng-modules tree to build on: which one, and what it consists of. To be
# sourced after lib.sh; needs $release, the kernel's.
# shellcheck shell=bash disable=SC2154 # from the script that sources this

# 2.13 is the first version of this layout.
is_base() {
	[ -f "$1/src/Kbuild" ] && [ -f "$1/src/lttng-statedump-impl.c" ] && [ -f "$1/include/lttng/tracer.h" ]
}

base_version_of() {
	sed -n 's/^#define LTTNG_MODULES_\(MAJOR\|MINOR\|PATCHLEVEL\)_VERSION[ \t]*\([0-9]*\).*/\2/p' \
		"$1/include/lttng/tracer.h" | paste -sd.
}

# 2.14 dropped kernels before 4.4 (lttng-modules ChangeLog).
base_serves() {
	case $1 in
	2.13.*) ;;
	*) at_least 4.4 "${release%%-*}" ;;
	esac
}

# The bases on this machine that serve this kernel, newest last: `version path`.
known_bases() {
	local d

	for d in /usr/src/lttng-modules-* "$cache"/base/lttng-modules-*; do
		if is_base "$d" && base_serves "$(base_version_of "$d")"; then
			echo "$(base_version_of "$d") $d"
		fi
	done | sort -s -k1,1V
}

# The newest that was fetched from Debian's archive, or the newest of VERSION: newest_from_debian [VERSION]
newest_from_debian() {
	# What came from elsewhere (FROM=) has a + in its name. Before the first is fetched there is no directory.
	{ find "$cache/base" -mindepth 1 -maxdepth 1 -name "lttng-modules-${1:+$1.}*" ! -name '*+*' 2>/dev/null || :; } | sort -V | tail -n 1
}

# How to get a base that serves this kernel.
fetch_hint() {
	if base_serves newest; then
		echo "'make base' fetches the newest"
	else
		echo "'make base BASE_SUITE=trixie' fetches a 2.13, the last that knows kernels before 4.4"
	fi
}

# What to try where this base has failed.
other_base_hint() {
	local version path

	read -r version path < <(known_bases | tail -n 1) || true
	if [ -n "${version:-}" ] && [ "$version" != "$base_version" ] && at_least "$base_version" "$version"; then
		echo "lttng-modules $version is here and newer: make LTTNG_MODULES_DIR=$path"
	else
		echo "a newer base may know it: $(fetch_hint)"
	fi
}

# Sets base and base_version.
find_base() {
	base=${LTTNG_MODULES_DIR:-}
	if [ -n "$base" ]; then
		is_base "$base" ||
			die "not an lttng-modules tree of version 2.13 or later: give another, or fetch one with 'make base' (LTTNG_MODULES_DIR=$base)"
	else
		base=$(known_bases | tail -n 1 | cut -d' ' -f2-)
		[ -n "$base" ] ||
			die "no lttng-modules to build on: run 'make base' (fetches it from Debian, or from a git repository or tarball: FROM=URL), or make LTTNG_MODULES_DIR=/path; for this kernel, $(fetch_hint) (kernel=$release)"
	fi
	base=$(cd "$base" && pwd)
	base_version=$(base_version_of "$base")
	base_serves "$base_version" ||
		die "this base needs kernel 4.4 or later: $(fetch_hint) (kernel=$release base=$base_version)"
}

# Its sources, NUL-separated. A git checkout has its history besides, and what its
# owner built there for another kernel.
base_files() {
	(cd "$base" && find . \( -name .git -o -name .tmp_versions \) -prune -o \
		\( -type f -o -type l \) ! -name '*.o' ! -name '*.ko' ! -name '*.mod' ! -name '*.mod.c' ! -name '*.cmd' \
		! -name '*.a' ! -name '*.dwo' ! -name modules.order ! -name Module.symvers "$@" | LC_ALL=C sort -z)
}

base_identity() {
	echo "$base $base_version"
	base_files -printf '%P %s %T@\0' | tr '\0' '\n'
}

copy_base() {
	base_files -print0 | tar -C "$base" --null --no-recursion -T - -cf - | tar -C "$1" -xf -
}

# All names that the modules of these Kbuild files have, on any kernel, less those that there is no
# source for: module_names KBUILD...
module_names() {
	grep -hE '^[^#]*(obj-[$m]|echo "lttng-)' "$@" |
		grep -v 'SYSCALLS_EXTRACTOR' | grep -oE 'lttng-[a-z0-9-]+\.o' | sed 's/\.o$//' | LC_ALL=C sort -u
}

# required, wanted or optional, for a module or object path relative to the staged tree.
need_of() {
	local need pattern

	while read -r need pattern; do
		# shellcheck disable=SC2254 # a pattern is what it is
		case $1 in $pattern) echo "$need"; return ;; esac
	done < <(grep -v '^#' "$top/compat/modules.txt" | grep .)
	echo required
}
