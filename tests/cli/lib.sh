# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# What the tests of the program share. Sourced by *.test, which set nothing before.
#
# BUILD     its cli/ is where programs are built and kept (default: build)
# PROGRAM   an lttng-containers to test as it is, instead of building one with sanitizers
# QUICK     not empty: what is built is without sanitizers, in quick/ instead of cli/
# ok, not_ok, is: print TAP; a test ends with `finish`
# trace NAME: sets $trace to the directory of that fixture's trace
# run ARGS...: runs lttng-containers; sets $status, fills $out and $err

set -eu

cli=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$cli/../.." && pwd)
fixtures=$root/tests/fixtures
built=${BUILD:-$root/build}/cli
tools=$built/tools sanitize=1
if [ -n "${QUICK:-}" ]; then
	built=${BUILD:-$root/build}/quick
	# What `build plain` makes is the same.
	tools=$built/plain sanitize=
fi
program=${PROGRAM:-$tools/lttng-containers}
writer=$built/fixtures/ctf-write

# Files have the same names and bytes everywhere; messages are in English.
LC_ALL=C
export LC_ALL
# A leak or a report ends with a status that nothing else has.
ASAN_OPTIONS=exitcode=99:detect_leaks=1
UBSAN_OPTIONS=halt_on_error=1:exitcode=99:print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS

failed=0
tests=0
finished=

ok() {
	tests=$((tests + 1))
	echo "ok - $1"
}

# not_ok NAME EXPECTED SAW
not_ok() {
	tests=$((tests + 1))
	failed=$((failed + 1))
	echo "not ok - $1"
	printf '%s\n' "expected $2" "saw $3" | sed 's/^/# /'
}

# is NAME EXPECTED SAW
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "$2" "$3"
	fi
}

finish() {
	finished=yes
	echo "1..$tests"
	[ "$failed" -eq 0 ]
	exit
}

need() {
	missing=
	for pair in cc:gcc make:make pkg-config:pkg-config jq:jq perl:perl-base \
		valgrind:valgrind babeltrace2:babeltrace2 timeout:coreutils; do
		command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
	done
	if command -v pkg-config >/dev/null 2>&1; then
		pkg-config --exists babeltrace2 || missing="$missing libbabeltrace2-dev"
		pkg-config --exists jansson || missing="$missing libjansson-dev"
		pkg-config --exists libelf || missing="$missing libelf-dev"
		[ -e /usr/include/libiberty/demangle.h ] || missing="$missing libiberty-dev"
		pkg-config --exists libseccomp || missing="$missing libseccomp-dev"
		pkg-config --exists libmicrohttpd || missing="$missing libmicrohttpd-dev"
		pkg-config --exists sqlite3 || missing="$missing libsqlite3-dev"
		pkg-config --exists lttng-ctl || missing="$missing liblttng-ctl-dev"
	fi
	[ -z "$missing" ] && return 0
	echo "Bail out! Packages are missing, install them: packages=$(echo "$missing" |
		sed 's/^ //; s/ /,/g')"
	exit 2
}

# Make decides what is out of date; its output matters only when it fails. Another part of the tests may be at it.
build() {
	mkdir -p "$built"
	for part in "$@"; do
		[ "$part" != tools ] || [ -z "${PROGRAM:-}" ] || continue
		case $part in
		fixtures) set -- -C "$fixtures" BUILD="$built/fixtures" SANITIZE="$sanitize" ;;
		tools) set -- -C "$root/tools" BUILD="$tools" SANITIZE="$sanitize" ;;
		plain) set -- -C "$root/tools" BUILD="$built/plain" ;;
		esac
		flock "$built/make.lock" make -j"$(nproc)" "$@" >"$built/make-$part.log" 2>&1 && continue
		sed 's/^/# /' "$built/make-$part.log"
		echo "Bail out! Cannot build: part=$part"
		exit 2
	done
}

# trace NAME [AS]: NAME.txt, or what NAME.sh prints, becomes a trace; once per name.
trace() {
	trace=$tmp/traces/${2:-$1}
	[ -d "$trace" ] && return 0
	mkdir -p "$tmp/traces"
	text=$fixtures/$1.txt
	if [ ! -f "$text" ]; then
		text=$tmp/${2:-$1}.txt
		"$fixtures/$1.sh" >"$text"
	fi
	"$writer" "$text" "$trace" && return 0
	echo "Bail out! Cannot write the trace of a fixture: fixture=$text"
	exit 2
}

run() {
	status=0
	timeout 60 "$program" "$@" >"$out" 2>"$err" </dev/null || status=$?
}

# hooked WHEN COMMAND ARGS...: runs the program, which makes $tmp/theirs/new, while COMMAND is done there.
hooked() {
	[ -e "$tmp/exchange.so" ] || gcc -shared -fPIC -o "$tmp/exchange.so" "$cli/exchange.c" -ldl
	rm -rf "$tmp/theirs" "$tmp/away"
	mkdir -m 0700 "$tmp/theirs" "$tmp/theirs/old"
	echo kept >"$tmp/theirs/old/kept"
	: >"$tmp/theirs/victim"
	when=$1
	hook="unset LD_PRELOAD; cd '$tmp/theirs' && $2"
	shift 2
	status=0
	HOOK_AT=$when HOOK=$hook timeout 60 env LD_PRELOAD="$tmp/exchange.so" "$built/plain/lttng-containers" "$@" \
		-o "$tmp/theirs/new" >"$out" 2>"$err" </dev/null || status=$?
}

# exchanged WHEN COMMAND ARGS...: as hooked, for one that makes a directory: $new is its name, and what it made is away.
exchanged() {
	when=$1
	hook="new=\$(ls -d new.??????) && mv \$new away && $2"
	shift 2
	hooked "$when" "$hook" "$@"
}

# True if the last run ended by itself and no checker of memory complained.
clean() {
	[ "$status" -le 2 ] &&
		! grep -q -e Sanitizer -e 'runtime error:' "$err"
}

# Why the last run was not what it should be, on one line.
how_it_ended() {
	echo "exit=$status $(grep -m 3 -e Sanitizer -e 'runtime error:' "$err" ||
		head -n 3 "$err")" | tr '\n' ' '
}

# The ids of rules with a verdict in the last run's JSON, sorted, one blank between.
rules_that() {
	jq -r --arg verdict "$1" \
		'[.rules[] | select(.verdict == $verdict) | .id] | sort | join(" ")' \
		"$out" 2>/dev/null || echo 'no JSON'
}

tmp=$(mktemp -d)
trap 'ended $?' EXIT
trap 'exit 1' HUP INT TERM
out=$tmp/out
err=$tmp/err
need

# A command failed, and nothing else may tell of it: what would have come after it is missing.
ended() {
	rm -rf "$tmp"
	[ -n "$finished" ] || printf 'not ok - %s ended early\n# exit status %s\n' "${0##*/}" "$1"
}

# of_library OLD NEW: the one for the libbabeltrace2 that is installed: 2.0, or later
of_library() {
	case $(babeltrace2 --version) in
	*' 2.0.'*) echo "$1" ;;
	*) echo "$2" ;;
	esac
}
