# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=sh
#
# What makes inputs of fixtures. To be set: here, top and build, where ctf-write and seed are.
# shellcheck disable=SC2154

# byte N, as a character
byte() {
	# shellcheck disable=SC2059 # that is what the format is for
	printf "\\$(printf '%03o' "$(($1 % 256))")"
}

# part FILE: as trace-input.h has it
part() {
	part_size=$(wc -c <"$1")
	byte "$part_size" && byte $((part_size / 256)) && cat "$1"
}

# begin_of COMMAND BEFORE: what an input has before the trace, as fuzz.c has it
begin_of() {
	byte "$1"
	case $2 in
	snapshot) part "$top/tests/fixtures/proc.snapshot" ;;
	kept) part "$here/seeds/programs" && part "$here/seeds/kallsyms" ;;
	esac
}

texts_of_reports() {
	rm -rf "$build/texts"
	mkdir -p "$build/texts"
	cp "$top"/tests/fixtures/*.txt "$top"/tests/fixtures/*.inc "$here"/seeds/*.txt "$build/texts"
	"$here/commands" "$here/fuzz.c" >"$build/commands"
}

# body_of NAME [NAME2]: the input of the fixture, and of one of user space beside it, without the command: $build/body
body_of() {
	rm -rf "$build/trace" "$build/body"
	"$build/fixtures/ctf-write" "$build/texts/$1.txt" "$build/trace/1" 2>/dev/null || return 1
	[ $# = 1 ] || "$build/fixtures/ctf-write" "$build/texts/$2.txt" "$build/trace/2" || return 1
	"$build/seed" "$build"/trace/* >"$build/body" 2>/dev/null
}

# wants NAME NR WORDS: whether a fixture is given to a command: to all of its own report, and a third of the others;
# those of a rule are many, and much alike
wants() {
	case $1 in
	small) return 0 ;;
	# They take long: only for those that do otherwise with many.
	crowd*)
		case $1:$3 in
		crowd-tasks:cpu-json | crowd-tasks:syscalls-json | crowd-tasks:export-format-sqlite | crowd-tasks:metrics-live-textfile) ;;
		crowd-disk:why-json | crowd-disk:why-by-task-* | crowd-disk:compare-json-*) ;;
		crowd:metrics-live-* | crowd:export-format-sqlite | crowd:delays) ;;
		crowd:why | crowd:wakeups-json | crowd:cpu-live-cpus-*) ;;
		*) return 1 ;;
		esac
		;;
	proc*) [ "$2" = 2 ] || [ "$2" = 3 ] ;;
	*.pass* | *.fail*) [ $((($2 + nr_of_text) % 11)) = 0 ] ;;
	*) [ $((($2 + nr_of_text) % 3)) = 0 ] || [ "${1%%[-.]*}" = "${3%%-*}" ] ;;
	esac
}

# input_of FILE COMMAND BEFORE
input_of() {
	{ begin_of "$2" "$3" && cat "$build/body"; } >"$1"
}

# seeds_of_reports DIRECTORY: each fixture for some of the commands; those of user space with the kernel's beside them
seeds_of_reports() {
	texts_of_reports
	# What is watched is shown each second.
	sed 's/^\(@\|end \)0\.\([0-9]\)\([0-9]\)\([0-9]*\)/\1\2\3.\40/' "$build/texts/delays.txt" >"$build/texts/delays-of-seconds.txt"
	nr_of_text=0
	for text in "$build"/texts/*.txt; do
		name=$(basename "$text" .txt)
		case $name in
		map | small) body_of "$name" "$name-ust" || continue ;;
		*) body_of "$name" || continue ;;
		esac
		nr_of_text=$((nr_of_text + 1))
		while read -r command before words; do
			! wants "$name" "$command" "$words" || input_of "$1/$name-$command" "$command" "$before"
		done <"$build/commands"
	done
	rm -rf "$build/trace" "$build/body" "$build/texts" "$build/commands"
}
