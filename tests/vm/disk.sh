# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
# Disks for guests. Source it after lib.sh.

# Makes a disk that holds a directory, with room for SPARE MiB more. Both are read by a command that is
# given as as_tree_root is: make_ext4 DISK DIR SPARE [COMMAND...]
make_ext4()
{
	local disk=$1 dir=$2 spare=$3 used
	shift 3

	[ $# -gt 0 ] || set -- as_tree_root
	rm -f "$disk" "$disk.stamp" "$disk.new"
	used=$("$@" du -s -m "$dir" | cut -f 1)
	# -E: everything is initialised now, so that the guest does not do it under emulation.
	"$@" env PATH="$PATH:/usr/sbin:/sbin" mke2fs -q -F -t ext4 -m 0 -O '^has_journal' \
		-E lazy_itable_init=0,root_owner=0:0 -d "$dir" "$disk.new" "$((used + used / 8 + spare))M" >&2 ||
		infra "mke2fs failed. file=$disk.new"
	mv "$disk.new" "$disk"
}
