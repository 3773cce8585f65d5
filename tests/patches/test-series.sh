#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# test-series.sh [--quick]: the series for upstream are what our sources yield, apply, and look as
# upstream wants them. --quick: without the kernel's checkpatch.pl, which comes with all of its sources. TAP.
#
# UPSTREAM=DIR, LTTNG_TOOLS_DIR=DIR: git repositories of lttng-modules and lttng-tools; what is for their
# branches is tried there, too. Neither is fetched, and nothing is written to them.
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

# The patches of these series, in their order.
numbered()
{
	local name

	for name; do
		find "$patches/$name" -maxdepth 1 -name '[0-9]*.patch' ! -name '0000-*' | LC_ALL=C sort
	done
}

all_series()
{
	awk '!/^#/ && NF { print $1 }' "$patches/list"
}

needs()
{
	awk -v name="$1" '$1 == name { for (i = $2 == "RFC" ? 4 : 3; i <= NF; i++) if ($i != "-") print $i }' "$patches/list"
}

same_series()
{
	local name

	"$patches/series" out "$tmp/series" || return
	for name in "${all[@]}"; do
		diff -ru --exclude=cover.txt --exclude='stable-*' "$patches/$name" "$tmp/series/$name" || return
	done
}

newest_base()
(
	# shellcheck source=scripts/lib.sh
	. "$top/scripts/lib.sh"
	# shellcheck source=scripts/base.sh
	. "$top/scripts/base.sh"
	newest_from_debian 2.16
)

git_as_x()
{
	git -C "$tmp/am" -c user.name=x -c user.email=x@example.org "$@"
}

pristine()
{
	cp -r "${BASE:-$(newest_base)}" "$tmp/am" && git_as_x init --quiet && git_as_x add --all --force . &&
		git_as_x commit --quiet -m base && git_as_x tag base
}

# A series on what it says that it needs, and no more. As a maintainer does, with a git that knows
# nothing of us, and no white space that it warns of: am NAME
am()
{
	local series patches_of

	git_as_x checkout --quiet -B "$1" base || return
	mapfile -t series < <(needs "$1" && echo "$1")
	mapfile -t patches_of < <(numbered "${series[@]}")
	git_as_x am --quiet --whitespace=error "${patches_of[@]}" || { git_as_x am --abort; return 1; }
}

# ---- upstream's branches ---------------------------------------------------

# Brings a repository's branches, its own or those of its origin, into a new one: of_upstream DIR
of_upstream()
{
	rm -rf "$tmp/am"
	git init --quiet "$tmp/am" &&
		git -C "$1" rev-parse --git-path objects | (cd "$1" && xargs realpath) >"$tmp/am/.git/objects/info/alternates" &&
		git -C "$tmp/am" fetch --quiet "$1" '+refs/remotes/origin/*:refs/from/*' &&
		git -C "$tmp/am" fetch --quiet "$1" '+refs/heads/*:refs/from/*'
}

# The branches of these that are there.
branches_among()
{
	local branch

	for branch; do
		! git -C "$tmp/am" rev-parse --quiet --verify "refs/from/$branch" >/dev/null || echo "$branch"
	done
}

# on_branch BRANCH SERIES...
on_branch()
{
	local branch=$1 patches_of
	shift

	git_as_x checkout --quiet --force -B am "refs/from/$branch" || return
	mapfile -t patches_of < <(numbered "$@")
	[ ${#patches_of[@]} -gt 0 ] || return
	git_as_x am --quiet --3way "${patches_of[@]}" || { git_as_x am --abort; return 1; }
}

has_fixes()
{
	numbered "$1" | xargs grep -q '^Subject: .*\] Fix:'
}

# Each series on master and the newest stable branch, fixes on those before it, ports on theirs.
on_modules_branches()
{
	local branch name with

	for branch in $(branches_among master stable-2.16); do
		for name in "${all[@]}"; do
			mapfile -t with < <(needs "$name")
			succeeds "$name: git am takes it on $branch" on_branch "$branch" "${with[@]}" "$name"
		done
	done
	for branch in $(branches_among stable-2.15 stable-2.14 stable-2.13); do
		for name in "${all[@]}"; do
			if [ -d "$patches/$name/$branch" ]; then
				succeeds "$name: git am takes its port on $branch" on_branch "$branch" "$name/$branch"
			elif [ "$branch" != stable-2.13 ] && has_fixes "$name"; then
				succeeds "$name: git am takes it on $branch" on_branch "$branch" "$name"
			fi
		done
	done
}

# Upstream's tree has no complaint of reuse, and must have none with all series.
licences()
{
	on_branch master "${all[@]}" && (cd "$tmp/am" && reuse lint)
}

on_tools_branches()
{
	local branch

	for branch in $(branches_among master stable-2.16); do
		succeeds "lttng-tools: git am takes the series on $branch" on_branch "$branch" lttng-tools lttng-tools/namespace
	done
}

# ----------------------------------------------------------------------------

# Gerrit tells by it which change a commit is a version of.
change_ids()
{
	local patch id

	numbered "${all[@]}" | while read -r patch; do
		id=$(sed -n '/^---$/q; s/^Change-Id: \(I[0-9a-f]\{40\}\)$/\1/p' "$patch")
		[ "$(wc -w <<<"$id")" = 1 ] || echo "$patch"
		echo "$id" >>"$tmp/ids"
	done >"$tmp/without"
	sort "$tmp/ids" | uniq -d >>"$tmp/without"
	cat "$tmp/without"
	[ ! -s "$tmp/without" ]
}

# Ports to older branches are versions of the same changes: port_ids NAME
port_ids()
{
	local id=s/^Change-Id://p

	numbered "$1/stable-2.13" | xargs sed -n "$id" | LC_ALL=C sort >"$tmp/ports"
	numbered "$1" | xargs sed -n "$id" | LC_ALL=C sort | LC_ALL=C comm -13 - "$tmp/ports" | { ! grep .; }
}

# A fix says what introduced the error.
fixes_say_since_when()
{
	! numbered "${all[@]}" | xargs grep -l '^Subject: .*\] Fix:' | xargs grep -L '^Introduced by: [0-9a-f]\{12\} ("' | grep .
}

# Each file that a patch adds must be one that our sources have: nothing is kept twice.
added_are_ours()
{
	numbered "${all[@]}" | xargs sed -n '/^--- \/dev\/null$/{n;s,^+++ b/,,p}' | LC_ALL=C sort >"$tmp/added"
	sed -n 's/^[^# ][^ ]*  *//p' "$patches/files" | LC_ALL=C sort >"$tmp/listed"
	diff "$tmp/added" "$tmp/listed"
}

no_layer_of_ours()
{
	! numbered "${all[@]}" | xargs grep -nE '^\+.*(\<compat_|\<COMPAT_|<compat/|\<HAVE_[A-Z])'
}

# lttng-tracer warns, with a stack trace, of an event whose name does not begin with that of its provider, TRACE_SYSTEM.
events_are_of_their_provider()
{
	numbered "${all[@]}" | xargs awk '
		/^diff --git / { provider = "" }
		/^[ +]#define TRACE_SYSTEM / { provider = $NF }
		/^\+LTTNG_TRACEPOINT_EVENT[A-Z_]*\(/ && !/_CLASS/ {
			split($0, part, /[(,] */)
			event = part[/_INSTANCE/ ? 3 : 2]
			seen += provider != ""
			if (provider != "" && index(event, provider "_") != 1) {
				print FILENAME ": " provider ": " event
				bad = 1
			}
		}
		END { exit bad || seen < 10 }'
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

"$top/scripts/require" unifdef git perl ${UPSTREAM:+reuse} || exit 2
[ -n "${BASE:-$(newest_base)}" ] || "$top/scripts/fetch-base" >/dev/null || exit 2
mapfile -t all < <(all_series)
# What is for other branches, and for the kernel. lttng-tools has a style of its own.
elsewhere=(fixes/stable-2.13 streams/stable-2.13 vtid/stable-2.13 linux)
for name in "${all[@]}"; do
	succeeds "$name: there are patches" test -n "$(numbered "$name")"
done
succeeds "the series are what our sources yield ('make patches' writes them)" same_series
succeeds "all that they add comes from our sources" added_are_ours
succeeds "nothing of our own layer for kernels is left in them" no_layer_of_ours
succeeds "each event is named after its provider" events_are_of_their_provider
succeeds "each patch has a Change-Id of its own" change_ids
succeeds "each fix says what introduced the error" fixes_say_since_when
for name in fixes streams vtid; do
	succeeds "$name: its ports have the Change-Ids of what they port" port_ids "$name"
done
succeeds "there is a pristine base" pristine
for name in "${all[@]}"; do
	succeeds "$name: git am takes it, on what it says that it needs" am "$name"
done
[ "${1-}" = --quick ] || while read -r patch; do
	succeeds "checkpatch.pl: ${patch#"$patches/"}" checkpatch "$patch"
done < <(numbered "${all[@]}" "${elsewhere[@]}")
[ -z "${UPSTREAM-}" ] || {
	succeeds "there are upstream's branches" of_upstream "$UPSTREAM"
	on_modules_branches
	[ -z "$(branches_among master)" ] || succeeds "master with all series: reuse lint has no complaint" licences
}
[ -z "${LTTNG_TOOLS_DIR-}" ] || {
	succeeds "there are the branches of lttng-tools" of_upstream "$LTTNG_TOOLS_DIR"
	on_tools_branches
}
printf '1..%s\n' "$count"
[ "$failed" = 0 ]
