# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
# Throwaway copies of a tree, in which all can be written. Source it after lib.sh, with $work, a
# directory to remove by as_tree_root, and $lower, the directories that copies are laid over as overlayfs
# has them, set.

# shellcheck disable=SC2154 # work and lower are the caller's, vm_repo is of lib.sh

# Runs a command that sees a copy, as $work/NAME/root: with_copy NAME COMMAND...
with_copy()
{
	local copy=$work/$1
	shift

	# shellcheck disable=SC2016 # expanded by the inner shell
	as_tree_root bash -eu -c '
		copy=$1 lower=$2
		shift 2
		mkdir -p "$copy/root" "$copy/upper" "$copy/overlay"
		mount -t overlay overlay -o "lowerdir=$lower,upperdir=$copy/upper,workdir=$copy/overlay" "$copy/root"
		exec "$@"
	' bash "$copy" "$lower" "$@"
}

# Runs a command in a copy; /src is the repository, /mnt the work directory: in_copy NAME COMMAND...
in_copy()
{
	local name=$1
	shift

	# shellcheck disable=SC2016 # expanded by the inner shell
	with_copy "$name" bash -eu -c '
		work=$1 repo=$2 root=$1/$3/root
		shift 3
		mount --rbind /proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount --bind "$repo" "$root/src"
		mount --bind "$work" "$root/mnt"
		cp -L --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
		exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
			INITRD=No DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"
	' bash "$work" "$vm_repo" "$name" "$@"
}

# apt-get in a copy: copy_apt NAME ARGUMENT...
copy_apt()
{
	local name=$1
	shift

	in_copy "$name" apt-get -q -y --no-install-recommends -o APT::Sandbox::User=root -o Acquire::Check-Valid-Until=false \
		-o Dpkg::Options::=--force-unsafe-io "$@"
}
