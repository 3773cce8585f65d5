# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# What the scripts of this directory share; source it with $linux_dir set to it. It sources
# tests/vm/lib.sh.

# shellcheck disable=SC2034,SC2154 # for, and from, the script that sources this
vm_dir=$linux_dir/../vm
# shellcheck source-path=SCRIPTDIR source=../vm/lib.sh
. "$vm_dir/lib.sh"
linux_cache=${vm_cache%/vm}/linux
# shellcheck source-path=SCRIPTDIR source=../../scripts/lib.sh
at_least() { (. "$vm_repo/scripts/lib.sh" && at_least "$@"); }

# The fragment of a configuration; ends the script if there is none.
fragment_of()
{
	local file=$linux_dir/configs/$1

	[ -f "$file" ] ||
		usage_error "The configuration is unknown: add a file for it. name=$1 file=$file known=$(cd "$linux_dir/configs" && echo *)"
	printf '%s\n' "$file"
}

# Of the lines on standard input those that are meant for this version: behind a line may stand
# "# since VERSION" or "# before VERSION", which is cut off.
lines_for()
{
	local version=$1 line

	while IFS= read -r line; do
		case $line in
		*" # since "*) at_least "${line##* }" "$version" || continue ;;
		*" # before "*) ! at_least "${line##* }" "$version" || continue ;;
		esac
		line=${line%% # since *}
		printf '%s\n' "${line%% # before *}"
	done
}
