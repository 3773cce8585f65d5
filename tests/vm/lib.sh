# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
# Helpers that the VM scripts share. Source it with $vm_dir set to this directory.

# shellcheck disable=SC2034,SC2154 # for, and from, the script that sources this
vm_repo=$(cd "$vm_dir/../.." && pwd)
vm_cache=${XDG_CACHE_HOME:-$HOME/.cache}/lttng-containers/vm
# The exit status that says nothing about the code under test.
vm_infra=3

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
		infra "A program is missing: install its Debian package. program=$program package=$package"
}

# Sets suite_sources, suite_kernel, suite_headers and suite_skip_packages.
load_suite()
{
	local suite=$1 file=$vm_dir/suites/$1

	case $suite in
	''|*/*|.*) usage_error "The suite's name is not one. suite=$suite" ;;
	esac
	[ -f "$file" ] ||
		usage_error "The suite is unknown: add a file for it. suite=$suite file=$file known=$(cd "$vm_dir/suites" && echo *)"
	suite_sources='' suite_kernel='' suite_headers='' suite_skip_packages=''
	# shellcheck source-path=SCRIPTDIR source=suites/trixie
	. "$file"
	# shellcheck disable=SC2034 # the callers' variable
	suite_cache=$vm_cache/$suite
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

# Holds a lock of the suite until the script ends; waits for other runs. A tree that modules are
# built in must not be replaced meanwhile: its users hold the tree's lock shared.
lock_suite()
{
	local lock=$suite_cache/$1.lock kind=$2

	mkdir -p "$suite_cache"
	exec 9>"$lock"
	if ! flock --nonblock "--$kind" 9; then
		stage "waiting for another run to release $lock"
		flock "--$kind" 9
	fi
}

# The newest kernel release in a tree.
tree_kernel()
{
	local tree=$1 release newest=''

	for release in "$tree"/boot/vmlinuz-*; do
		release=${release##*/vmlinuz-}
		[ -d "$tree/lib/modules/$release" ] || continue
		newest=$(printf '%s\n%s\n' "$newest" "$release" | sort -V | tail -n 1)
	done
	[ -n "$newest" ] || infra "The tree has no kernel. tree=$tree"
	printf '%s\n' "$newest"
}
