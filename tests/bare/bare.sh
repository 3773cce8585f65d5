# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
# What the tests in bare Debian roots share: a root with next to nothing in it, this repository in its
# /src, and README's own commands run there. Source it with $vm_dir set; it sources tests/vm/testlib.sh.
# What is installed on this machine proves nothing there. Only downloaded packages are shared.

# shellcheck disable=SC2034,SC2154 # for, and from, testlib.sh and the scripts that source this
# shellcheck source-path=SCRIPTDIR source=../vm/testlib.sh
. "$vm_dir/testlib.sh"
# shellcheck source-path=SCRIPTDIR source=../vm/packages.sh
. "$vm_dir/packages.sh"

bare_cache=$vm_cache/bare/$test_name
bare_dir='' root=''
# Said in each of README's commands, which are run by root: no sudo, and the kernel that is asked
# for is not this machine's.
bare_prelude='sudo() { "$@"; }; uname() { if [ "$*" = -r ]; then echo "$release"; else command uname "$@"; fi; }'
release=none

remove_bare()
{
	[ -z "$bare_dir" ] || as_tree_root rm -rf --one-file-system "$bare_dir"
}

# Makes $root, of a suite with all updates: make_bare SUITE PACKAGE...
make_bare()
{
	local suite=$1 packages
	shift

	packages=$(printf '%s\n' "$@" | paste -sd ,)
	# Of the host, only what makes the root.
	"$vm_repo/scripts/require" mmdebstrap debian-archive-keyring git >&2 || bail_out "This machine lacks packages."
	load_suite "$suite"
	mkdir -p "$bare_cache/debs"
	bare_dir=$(mktemp -d "$bare_cache/new.XXXXXX")
	trap remove_bare EXIT
	chmod 755 "$bare_dir"
	root=$bare_dir/root
	stage "making a bare root of $suite with $*"
	# apt's conf: what README's `apt install` asks and throws away is answered and kept. policy-rc.d: no
	# service starts in a chroot.
	# shellcheck disable=SC2016 # expanded by mmdebstrap's shell
	sources_list | DEBS=$bare_cache/debs as_tree_root mmdebstrap --mode=unshare --variant=minbase --format=directory \
		--include="$packages" --aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='APT::Sandbox::User "root"' --dpkgopt='force-unsafe-io' --skip=download/empty --skip=essential/unlink \
		--setup-hook='mkdir -p "$1/var/cache/apt/archives" && cp -l "$DEBS"/*.deb "$1/var/cache/apt/archives/" || :' \
		--customize-hook='printf "%s\n" "Binary::apt::APT::Keep-Downloaded-Packages \"true\";" "APT::Get::Assume-Yes \"true\";" >"$1/etc/apt/apt.conf.d/99kept"' \
		--customize-hook='printf "#!/bin/sh\nexit 101\n" >"$1/usr/sbin/policy-rc.d" && chmod 755 "$1/usr/sbin/policy-rc.d"' \
		"${suite_archives%% *}" "$root" - >"$results/root.log" 2>&1 || {
		tail -n 20 "$results/root.log" >&2
		bail_out "The bare root could not be made."
	}
	copy_repository
}

# What is here, committed or not, but nothing that was built.
copy_repository()
{
	# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
	(. "$vm_repo/scripts/lib.sh" && source_files | tar -C "$top" -c --null --owner=0 --group=0 -T -) >"$bare_dir/src.tar"
	as_tree_root sh -eu -c 'mkdir "$1/src" && tar -x -C "$1/src" -f "$2" && git init --quiet "$1/src"' sh "$root" "$bare_dir/src.tar" ||
		bail_out "The repository could not be copied."
	rm "$bare_dir/src.tar"
	as_tree_root cp --remove-destination /etc/resolv.conf "$root/etc/resolv.conf"
}

# Gives a directory of the root the packages in one of this machine's caches: share_debs CACHE DIR
share_debs()
{
	# shellcheck disable=SC2016 # expanded by the inner shell
	as_tree_root sh -eu -c 'mkdir -p "$2"; find "$1" -maxdepth 1 -name "*.deb" -exec cp -l -t "$2" {} +' sh "$1" "$root$2" || :
}

# Keeps what the root has downloaded by now, and of what was kept only that.
keep_debs()
{
	in_bare apt-get -q autoclean >/dev/null 2>&1 || return 0
	# shellcheck disable=SC2016 # expanded by the inner shell
	as_tree_root sh -eu -c 'rm -f "$2"/*.deb; find "$1" -maxdepth 1 -name "*.deb" -exec cp -l -t "$2" {} +' sh \
		"$root/var/cache/apt/archives" "$bare_cache/debs" || :
}

# Runs a command in the root, as its root, in /src.
in_bare()
{
	local name passed=()

	for name in DEBIAN_MIRROR DEBIAN_SECURITY_MIRROR http_proxy https_proxy KERNELDIR release; do
		[ -z "${!name-}" ] || passed+=("$name=${!name}")
	done
	# A root that is to make roots itself must be a mount point.
	# shellcheck disable=SC2016 # expanded by the inner shell
	as_tree_root bash -eu -c '
		root=$1
		shift
		mount --bind "$root" "$root"
		for dir in proc dev sys; do
			mount --rbind "/$dir" "$root/$dir"
		done
		exec chroot "$root" /usr/bin/env --chdir=/src "$@"
	' bash "$root" -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
		DEBIAN_FRONTEND=noninteractive "${passed[@]}" "$@" </dev/null
}

# The lines of the first example of a section of README: readme_commands SECTION
readme_commands()
{
	awk -v section="## $1" '
		$0 == section { inside = 1; next }
		inside && /^## / { exit }
		inside && sub(/^    /, "") { print; example = 1; next }
		example { exit }' "$vm_repo/README.md"
}

# A command ends well, and no shell misses a program on the way: bare_succeeds NAME COMMAND
bare_succeeds()
{
	local name=$1 command=$2 status=0 log missing begin=$SECONDS

	log=$results/$((count + 1)).log
	stage "in the bare root: $command"
	in_bare bash -c "$bare_prelude; $command" >"$log" 2>&1 || status=$?
	missing=$(grep -E ': (command )?not found$' "$log" || :)
	if [ "$status" = 0 ] && [ -z "$missing" ]; then
		ok "$name"
		printf '# %s s\n' $((SECONDS - begin))
		return
	fi
	not_ok "$name" "status 0 of '$command', and all programs there" "status $status: $missing
$(grep -E -A 5 '^not ok' "$log" | head -n 50)
$(tail -n 25 "$log")"
	# What comes next needs it.
	keep_debs
	finish
}

# README's commands up to the first that reads a trace, which this root has not: readme_succeeds SECTION...
readme_succeeds()
{
	local section command

	for section in "$@"; do
		while read -r command; do
			case $command in
			build/tools/*) break ;;
			esac
			bare_succeeds "README: ${command%%  *}" "$command"
		done < <(readme_commands "$section")
	done
}
