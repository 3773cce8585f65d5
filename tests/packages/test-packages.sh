#!/bin/bash
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# test-packages.sh: the Debian packages, as a user has them. They are built from the tarball in a copy of
# Debian 13's tree, without a network, and lintian finds no error; apt installs them in another, where
# DKMS builds the modules for its kernel; that machine boots and records; then they are upgraded and
# purged, and nothing is left. TAP. It wants the archive. KEEP=1 keeps the packages in build/vm.
set -eu
packages_dir=$(cd "$(dirname "$0")" && pwd)
vm_dir=$packages_dir/../vm
# shellcheck source-path=SCRIPTDIR source=../vm/testlib.sh
. "$vm_dir/testlib.sh"
# shellcheck source-path=SCRIPTDIR source=../vm/copy.sh
. "$vm_dir/copy.sh"
# shellcheck source-path=SCRIPTDIR source=../vm/disk.sh
. "$vm_dir/disk.sh"

both='lttng-containers lttng-containers-dkms'
newer=9.9

# What is said goes to a log; its end is shown where it fails: step NAME COMMAND...
step()
{
	local name=$1
	shift

	stage "$name"
	succeeds "$name" "$@"
	[ "$failed" = 0 ] || finish
}

# ---- building ------------------------------------------------------------------

# Builds packages of a tarball's tree, without a network: build_packages TREE [VARIABLE=VALUE]...
build_packages()
{
	local tree=$1
	shift

	in_copy build env "$@" unshare --net make -C "/mnt/$tree" deb LTTNG_MODULES_DIR="/mnt/${base##*/}"
}

# A version more, with less in it: what an upgrade brings.
make_newer()
{
	cp -r "$work/$tree" "$work/newer"
	rm -rf "$work/newer/build"
	sed -i "s/LC_VERSION \".*\"/LC_VERSION \"$newer\"/" "$work/newer/tools/version.h"
}

lintian_errors()
{
	# shellcheck disable=SC2016 # expanded by the inner shell
	in_copy build sh -c 'lintian --allow-root --fail-on error --tag-display-limit 0 "$1"/*.changes' sh "/mnt/$tree/build/deb" >"$work/lintian" 2>&1 || {
		cat "$work/lintian"
		return 1
	}
	# What it thinks besides.
	sed 's/^/# /' "$work/lintian" >&3
}

# ---- installing ----------------------------------------------------------------

# Packages that are in a directory of the work directory: install DIR
install()
{
	# shellcheck disable=SC2046 # words
	copy_apt host install $(cd "$work" && printf '/mnt/%s\n' "$1"/*.deb)
}

# All that is there, but for what apt and dpkg keep of their own work.
files()
{
	in_copy host find / -xdev \( -path /proc -o -path /dev -o -path /src -o -path /mnt -o -path /tmp -o -path /var/log -o -path /var/cache 		-o -path /var/lib/apt -o -path '/var/lib/dpkg/*-old' -o -path /var/lib/dpkg/triggers \) -prune -o -print | LC_ALL=C sort
}

dkms_status()
{
	in_copy host dkms status
}

# The modules that dkms has for the kernel, one name a line.
modules_of_dkms()
{
	in_copy host find "/lib/modules/$release/updates/dkms" -name 'lttng-*.ko*' | sed 's|.*/||; s/\.ko.*//'
}

check_program()
{
	equal "$1: the program is of that version" "lttng-containers $2" "$(in_copy host lttng-containers --version)"
	equal "$1: dkms has that version, and no other, for the kernel" "lttng-containers/$2, $release, x86_64: installed" \
		"$(dkms_status | grep lttng)"
}

"$vm_dir/host-setup" "$kernel" || bail_out "This machine lacks packages."
fetch_machine
use_base "$base"
tree_dir=$("$vm_dir/tree" "$suite_tree")
release=$(fetched_release)
work=$(mktemp -d)
trap 'as_tree_root rm -rf "$work"; rm -rf "$payload"' EXIT
cp -r "$base" "$work/"

lower=$tree_dir
tarball=$("$vm_repo/scripts/dist" "$work") || bail_out "There is no tarball."
tar -C "$work" -xf "$tarball"
tree=$(basename "$tarball" .tar.gz)
version=${tree#lttng-containers-}
make_newer
stage "installing what building packages needs"
copy_apt build update >"$work/log" 2>&1 && copy_apt build install debhelper dh-dkms fakeroot libiberty-dev lintian build-essential >"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	bail_out "The packages that building packages needs could not be installed."
}
step "make deb builds packages of the tarball, without a network" build_packages "$tree"
step "lintian finds no error" lintian_errors 3>&1
equal "they are these" "$(printf '%s\n' $both | LC_ALL=C sort)" \
	"$(cd "$work/$tree/build/deb" && for deb in *.deb; do echo "${deb%%_*}"; done | grep -v dbgsym | LC_ALL=C sort)"
step "and of a newer version" build_packages newer MODULES=needed DEB_BUILD_OPTIONS=noopt

# Of other machines than this one: its kernel lies over the tree.
# shellcheck disable=SC2154 # of lib.sh
lower=$kernel_cache/root:$tree_dir
stage "installing dkms"
copy_apt host update >"$work/log" 2>&1 && copy_apt host install dkms >"$work/log" 2>&1 && in_copy host sh -eu -c '
	dkms generate_mok
	depmod "$1"' sh "$release" >>"$work/log" 2>&1 || {
	tail -n 20 "$work/log" >&2
	bail_out "dkms could not be installed."
}
mkdir "$work/debs"
mv "$work/$tree"/build/deb/lttng-containers*.deb "$work/debs/"
rm -f "$work/debs"/*dbgsym*
files >"$work/before"
step "apt installs them, dkms builds" install debs
check_program "installed" "$version"
equal "the service that watches is there, and not enabled" disabled "$(in_copy host systemctl is-enabled lttng-containers-watch.service || :)"
modules_of_dkms >"$work/modules"
equal "the needed modules are among those of dkms" "" "$(LC_ALL=C comm -13 <(LC_ALL=C sort "$work/modules") <(LC_ALL=C sort <<-END
	lttng-namespace
	lttng-probe-block
	lttng-probe-cgroup
	lttng-probe-charge
	lttng-probe-contention
	lttng-probe-irq
	lttng-probe-namespace
	lttng-probe-profile
	lttng-probe-sched
	lttng-probe-signal
	lttng-probe-statedump
	lttng-probe-throttle
	lttng-probe-timer
	lttng-probe-vmscan
	lttng-probe-watch
	lttng-profile
	lttng-statedump
	lttng-throttle
	lttng-tracer
	lttng-watch
END
))"
equal "and the others, too" yes "$([ "$(wc -l <"$work/modules")" -gt 35 ] && echo yes || wc -l <"$work/modules")"
equal "Debian's lttng-modules-dkms would replace ours, not lie beside it" yes \
	"$(copy_apt host --simulate install lttng-modules-dkms | grep -q '^Remv lttng-containers-dkms ' && echo yes)"

# ---- that machine boots ----------------------------------------------------------

stage "making its disks"
make_ext4 "$work/root.ext4" "$work/host/root" 2048 with_copy host
make_ext4 "$work/modules.ext4" "$work/host/root/usr/lib/modules" 64 with_copy host
payload=$(mktemp -d)
"$vm_dir/payload" "$kernel" "$payload" || bail_out "The payload could not be made."
run_guest packages --disk "$work/root.ext4" --modules-disk "$work/modules.ext4" --timeout 600 -- /vm/guest/scenario-packages
rm -f "$work"/*.ext4
equal "the program and the modules are the packages'" "/usr/bin/lttng-containers
$(printf '/updates/dkms/lttng-%s.ko.xz\n' statedump tracer probe-sched)" "$(sed "s|^.*/lib/modules/$release||" "$results/files")"
equal "babeltrace2 finds their plug-in" yes "$([ "$(cat "$results/enriched")" -gt 0 ] && echo yes)"
equal "tree tells of the containers" "late web" "$(sed -n 's/^ *container \([a-z]*\), .*/\1/p' "$results/tree" | sort | xargs)"
check_trace "$results/trace" "$results/proc.snapshot"

# ---- upgrade, purge ----------------------------------------------------------------

mkdir "$work/newer-debs"
mv "$work/newer"/build/deb/lttng-containers*.deb "$work/newer-debs/"
rm -f "$work/newer-debs"/*dbgsym*
upgrade()
{
	install newer-debs >"$work/upgrade.log" 2>&1 || {
		cat "$work/upgrade.log"
		return 1
	}
}
step "apt upgrades them, dkms builds again" upgrade
check_program "upgraded" "$newer"
equal "MODULES=needed: what is not needed is neither built nor put there" "" "$(modules_of_dkms | grep -x -e lttng-probe-net -e lttng-probe-power)"
equal "and nothing is signed in vain" "$(modules_of_dkms | wc -l)" "$(grep -c '^Signing module ' "$work/upgrade.log")"
# shellcheck disable=SC2086 # words
step "apt purges them" copy_apt host purge --autoremove $both
files >"$work/after"
equal "nothing is left" "" "$(diff "$work/before" "$work/after" | grep '^>' | head -n 20)"
[ -z "${KEEP-}" ] || { rm -rf "$results/debs" && cp -r "$work/debs" "$results/"; }
finish
