# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# Where packages come from, and packages that are unpacked, not installed: kernels, and all of another
# architecture. apt says which they are, and nothing of them is run. Source it after lib.sh and
# load_suite.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mirror_main=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
mirror_security=${DEBIAN_SECURITY_MIRROR:-http://deb.debian.org/debian-security}

url_of()
{
	case $1 in
	*-security) printf '%s\n' "$mirror_security" ;;
	*) printf '%s\n' "$mirror_main" ;;
	esac
}

# One sources.list line for each archive of the suite.
sources_list()
{
	local archive

	for archive in $suite_archives; do
		printf 'deb [signed-by=%s] %s %s main\n' "$keyring" "$(url_of "$archive")" "$archive"
	done
}

# shellcheck disable=SC2154 # from lib.sh
suite_apt()
{
	DEBIAN_ARCH=${suite_arch#"$vm_arch"} "$vm_repo/scripts/debian-apt" "${suite_archives// /,}" "$@"
}

# Asks the archive, unless that was done lately or $2 is 1: update_lists SUITE REFRESH
update_lists()
{
	local state=$vm_cache/kernels/$1 refresh=$2

	hold_lock "$state/lists.lock" exclusive
	[ "$refresh" = 0 ] && is_younger "$state/lists.asked" "$ask_every" && return
	suite_apt apt-get update >&2 || return
	touch "$state/lists.asked"
}

# NAME=VERSION of each package that apt would install, of another architecture's NAME:ARCH=VERSION:
# resolve_packages LOG [APT OPTION]... PACKAGE...
resolve_packages()
{
	local log=$1
	shift

	suite_apt apt-get -q install --no-install-recommends --print-uris "$@" 2>"$log" |
		sed -n "s/^'[^']*' \([^_]*\)_\([^_]*\)_\([^.]*\)\.deb .*/\1:\3=\2/p" | sed -e 's/%3a/:/' -e "s/:\(all\|$vm_arch\)=/=/"
}

# Puts what packages hold into DIR/root, which is there; DIR/packages lists them: unpack_packages DIR
# [TAR OPTION]...
unpack_packages()
{
	local new=$1
	shift

	mkdir -p "$new/debs"
	# shellcheck disable=SC2046 # a word for each package
	(cd "$new/debs" && suite_apt apt-get -q download $(cat "$new/packages")) >"$new/log" 2>&1 || {
		tail -n 5 "$new/log" >&2
		infra "Packages could not be downloaded. list=$new/packages log=$new/log"
	}
	# shellcheck disable=SC2016 # expanded by the inner shell
	as_tree_root sh -eu -c '
		new=$1
		shift
		for deb in "$new"/debs/*.deb; do
			dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$new/root" --numeric-owner --keep-directory-symlink "$@"
		done
	' sh "$new" "$@" || infra "Packages could not be unpacked. directory=$new"
	rm -rf "$new/debs"
}
