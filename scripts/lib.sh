# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Shared by the build scripts; to be sourced by bash, after `set -eu`.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lttng-containers
# shellcheck source=scripts/packages.sh
. "$top/scripts/packages.sh"

say() {
	printf '%s\n' "$*"
}

# A sentence, then key=value pairs; always says what to do.
die() {
	printf 'error: %s\n' "$*" >&2
	exit 2
}

# need_program PROGRAM PACKAGE: as Debian calls it
need_program() {
	command -v "$1" >/dev/null || die "$1 is missing: $(to_install "$2")"
}

# at_least LOWER VERSION
at_least() {
	[ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

# What git has here or would take, and nothing that was built: relative to $top, NUL-separated.
source_files() {
	local file

	git -C "$top" ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
		[ ! -e "$top/$file" ] && [ ! -L "$top/$file" ] || printf '%s\0' "$file"
	done
}

# A temporary file that is renamed when complete: nobody sees half of it.
write_if_changed() {
	local to=$1 tmp=$1.tmp.$$

	cat >"$tmp"
	if cmp -s "$tmp" "$to"; then
		rm -f "$tmp"
	else
		mv "$tmp" "$to"
	fi
}

# The release that a kernel built from this tree calls itself. Not
# include/config/kernel.release: Debian's headers override what that says.
kernel_release() {
	sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$1/include/generated/utsrelease.h" 2>/dev/null
}
