# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# Helpers that the VM scripts share. Source it with $vm_dir set to this directory.

# shellcheck disable=SC2034,SC2154 # for, and from, the script that sources this
vm_repo=$(cd "$vm_dir/../.." && pwd)
# shellcheck source=scripts/packages.sh
. "$vm_repo/scripts/packages.sh"
vm_cache=${XDG_CACHE_HOME:-$HOME/.cache}/lttng-containers/vm
# The exit status that says nothing about the code under test.
vm_infra=3
# The archive is asked at most this often (seconds): what is cached is consistent in itself, so a
# late update harms nobody, and asking before each boot would.
ask_every=3600

# Fail for a reason that says nothing about the code under test.
infra()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit "$vm_infra"
}

usage_error()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 2
}

# Scripts call one another; the first one's beginning counts.
export VM_BEGIN=${VM_BEGIN:-$(date +%s)}

# One progress line, with the seconds since the first script began.
stage()
{
	printf '[%4ds] %s\n' "$(($(date +%s) - VM_BEGIN))" "$*" >&2
}

# Shows some lines of a long job's output as they come.
progress()
{
	local line

	while IFS= read -r line; do
		if [[ $line =~ $1 ]]; then
			stage "  $line"
		fi
	done
}

need_program()
{
	local program=$1 package=$2

	PATH=$PATH:/usr/sbin:/sbin command -v "$program" >/dev/null ||
		infra "A program is missing: $(to_install "$package"). program=$program"
}

# The architecture that trees are made on. Another one's programs cannot run here: its packages are
# unpacked, not installed, its kernels' modules are built by a cross compiler.
vm_arch=amd64

# Reads a suite's file. A kernel of the suite is built in the tree of suite_tree, by the compiler
# whose name begins with suite_cross; it boots with the user space of suite_guest's tree.
load_suite()
{
	local suite=$1 file=$vm_dir/suites/$1

	case $suite in
	''|*/*|.*) usage_error "The suite's name is not one. suite=$suite" ;;
	esac
	[ -f "$file" ] ||
		usage_error "The suite is unknown: add a file for it. suite=$suite file=$file known=$(cd "$vm_dir/suites" && echo *)"
	suite_archives='' suite_target='' suite_tree=$suite suite_guest='' suite_packages=''
	suite_arch=$vm_arch suite_cross='' suite_flavour=cloud-$vm_arch
	# shellcheck source-path=SCRIPTDIR source=suites/trixie
	. "$file"
	suite_guest=${suite_guest:-$suite_tree}
	suite_cache=$vm_cache/$suite_tree
}

# A kernel is SUITE/FLAVOUR, or SUITE for its cloud flavour. Sets kernel, kernel_cache, and what
# load_suite sets. GUEST in the environment is the suite whose user space it boots with instead of its own.
load_kernel()
{
	kernel=$1
	load_suite "${kernel%%/*}"
	case $kernel in
	*/*) ;;
	*) kernel=$kernel/$suite_flavour ;;
	esac
	case ${kernel#*/} in
	''|*/*|.*) usage_error "The kernel's flavour is not one. kernel=$kernel" ;;
	esac
	kernel_cache=$vm_cache/kernels/$kernel
	suite_guest=${GUEST:-$suite_guest}
}

# The release of a kernel that has been fetched.
fetched_release()
{
	cat "$kernel_cache/release"
}

# The lines of a kernel matrix, by default that of Debian's kernels: KERNEL BASE PART-IN-MAKE-CHECK
# EXPECTATION...
kernel_matrix()
{
	sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "${1:-$vm_repo/tests/kernels}"
}

# True if a kernel fits one of the patterns, or there is none: is_selected KERNEL PATTERN... A pattern is
# as in the shell; one without a slash is a suite.
is_selected()
{
	local kernel=$1 pattern
	shift

	[ $# -gt 0 ] || return 0
	for pattern in "$@"; do
		[[ $pattern == */* ]] || pattern+='/*'
		# shellcheck disable=SC2053 # a pattern
		[[ $kernel != $pattern ]] || return 0
	done
	return 1
}

# The lines of the matrix on standard input that the patterns select: selected PATTERN...
selected()
{
	local kernel rest

	while read -r kernel rest; do
		if is_selected "$kernel" "$@"; then
			printf '%s %s\n' "$kernel" "$rest"
		fi
	done
}

# Runs a command as the tree's root: we are root, or the owner of subordinate ids. A mount
# namespace of its own makes every mount go away with the command.
as_tree_root()
{
	if [ "$(id -u)" = 0 ]; then
		unshare --mount --propagation private -- "$@"
	else
		unshare --map-auto --map-root-user --mount -- "$@"
	fi
}

# The lock that was taken last; 9 is none.
lock_fd=9

# Holds a lock until the script ends, or closes $lock_fd; waits for other runs: hold_lock FILE
# shared|exclusive. What modules are built in must not be replaced meanwhile: its users hold its
# lock shared.
hold_lock()
{
	local lock=$1 kind=$2

	mkdir -p "${lock%/*}"
	exec {lock_fd}>"$lock"
	if ! flock --nonblock "--$kind" "$lock_fd"; then
		stage "waiting for another run to release $lock"
		flock "--$kind" "$lock_fd"
	fi
}

# The lock of a tree: hold_tree shared|exclusive
hold_tree()
{
	hold_lock "$suite_cache/tree.lock" "$1"
}

# The lock of a fetched kernel, which outlives it.
hold_kernel()
{
	hold_lock "$kernel_cache.lock" "$1"
}

# True if a file was touched less than SECONDS ago: is_younger FILE SECONDS
is_younger()
{
	[ -f "$1" ] && [ $(($(date +%s) - $(stat -c %Y "$1"))) -lt "$2" ]
}

# What is in a cache may belong to subordinate ids.
remove_cached()
{
	[ ! -e "$1" ] || as_tree_root rm -rf --one-file-system "$1"
}

base_every=86400

base_is_fresh()
{
	is_younger "$base_stamp" "$base_every" && [ -d "$(cat "$base_stamp")" ]
}

fetch_base()
{
	hold_lock "$base_stamp.lock" exclusive
	! base_is_fresh || return 0
	stage "fetching the lttng-modules of $1"
	"$vm_repo/scripts/fetch-base" "$1" >"$base_stamp.new" || infra "There is no lttng-modules to build on. suite=$1"
	mv "$base_stamp.new" "$base_stamp"
}

# Sets base to the lttng-modules that a suite of the archive has: what `make` finds on this machine is
# not the tests' affair. It stays until the script ends, or closes $lock_fd.
use_base()
{
	base_stamp=${vm_cache%/vm}/base/.vm-$1
	# Who builds on a base does not wait for others who do.
	base_is_fresh || (fetch_base "$1")
	hold_lock "$base_stamp.lock" shared
	base=$(cat "$base_stamp")
}
