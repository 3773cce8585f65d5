#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# test-series.sh [--quick]: the series for upstream is what our sources yield, applies, and looks as
# upstream wants it. --quick: without the kernel's checkpatch.pl, which comes with all of its sources. TAP.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$(dirname "$here")")
patches=$top/patches
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
count=0 failed=0

# succeeds NAME COMMAND...: shows what it said if it does not.
succeeds()
{
	local name=$1
	shift

	count=$((count + 1))
	if "$@" >"$tmp/said" 2>&1; then
		printf 'ok - %s\n' "$name"
	else
		failed=$((failed + 1))
		printf 'not ok - %s\n' "$name"
		tail -n 30 "$tmp/said" | sed 's/^/# /'
	fi
}

numbered()
{
	find "$patches/v2.16" -name '[0-9]*.patch' ! -name '0000-*' | LC_ALL=C sort
}

same_series()
{
	"$patches/series" out "$tmp/series" && diff -ru "$patches/v2.16" "$tmp/series"
}

newest_base()
(
	# shellcheck source=scripts/lib.sh
	. "$top/scripts/lib.sh"
	# shellcheck source=scripts/base.sh
	. "$top/scripts/base.sh"
	newest_from_debian 2.16
)

# As a maintainer does, with a git that knows nothing of us.
am()
{
	local base

	base=${BASE:-$(newest_base)}
	rm -rf "$tmp/am"
	cp -r "$base" "$tmp/am"
	cd "$tmp/am" || return
	git init --quiet . && git add --all --force . &&
		git -c user.name=x -c user.email=x@example.org commit --quiet -m base &&
		numbered | xargs git -c user.name=x -c user.email=x@example.org am --quiet
}

# Each file that a patch adds must be one that our sources have: nothing is kept twice.
added_are_ours()
{
	numbered | xargs sed -n '/^--- \/dev\/null$/{n;s,^+++ b/,,p}' | LC_ALL=C sort >"$tmp/added"
	sed -n 's/^[^# ][^ ]*  *//p' "$patches/files" | LC_ALL=C sort >"$tmp/listed"
	diff "$tmp/added" "$tmp/listed"
}

no_layer_of_ours()
{
	! numbered | xargs grep -nE '^\+.*(\<compat_|\<COMPAT_|<compat/|\<HAVE_[A-Z])'
}

# Complaints are lines of `-:LINE: KIND:TYPE: TEXT`, LINE being one of the patch. It reads its
# standard input, as it takes a file that is in git for a source, and exits with 1 for any complaint.
checkpatch()
{
	local patch=$1

	"$patches/checkpatch" --no-tree --terse --show-types - <"$patch" >"$tmp/complaints" 2>"$tmp/errors" || [ $? = 1 ] ||
		{ cat "$tmp/errors"; return 1; }
	awk '
		FILENAME == ARGV[1] { if (!/^#/ && NF) { type = $1; $1 = ""; sub(/^ /, ""); ignore[type] = $0 } }
		FILENAME == ARGV[2] { line[FNR] = $0 }
		FILENAME == ARGV[3] && split($0, part, ":") > 3 {
			type = part[4]
			if (!(type in ignore) || (ignore[type] != "" && line[part[2]] !~ ignore[type])) {
				print $0 "\n\t" line[part[2]]
				bad = 1
			}
		}
		FILENAME == ARGV[3] && /^total: / { whole = 1 }
		END { exit bad }' "$patches/checkpatch.ignore" "$patch" "$tmp/complaints"
}

"$top/scripts/require" unifdef git perl || exit 2
[ -n "${BASE:-$(newest_base)}" ] || "$top/scripts/fetch-base" >/dev/null || exit 2
succeeds "there are patches" test -n "$(numbered)"
succeeds "the series is what our sources yield ('make patches' writes it)" same_series
succeeds "all that it adds comes from our sources" added_are_ours
succeeds "nothing of our own layer for kernels is left in it" no_layer_of_ours
succeeds "git am takes it" am
[ "${1-}" = --quick ] || while read -r patch; do
	succeeds "checkpatch.pl: $(basename "$patch")" checkpatch "$patch"
done < <(numbered)
printf '1..%s\n' "$count"
[ "$failed" = 0 ]
