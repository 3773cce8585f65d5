# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# Completion for lttng-containers in bash. Commands and options are taken from the program's own
# help, so that they are always those of the program that is there.

# Words of the help: commands are indented by two, behind "Commands:".
_lttng_containers_commands()
{
	"$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'
}

# _lttng_containers_options PROGRAM COMMAND
_lttng_containers_options()
{
	"$1" "$2" --help 2>/dev/null | sed -n '/^Options:/,/^$/s/^  \(-.*\)/\1/p' |
		sed 's/   *.*//' | grep -o -e '--[a-z][a-z-]*' -e '^-[a-zA-Z]'
}

# What may follow an option; fails if it takes no value.
_lttng_containers_values()
{
	case $1/$2 in
	cpu/--by) printf '%s\n' container pod namespace cgroup task ;;
	flame/--by|syscalls/--by|why/--by) printf '%s\n' container task ;;
	cpu/--format|compare/--format|delays/--format) printf '%s\n' csv jsonl ;;
	export/--format) printf '%s\n' csv jsonl sqlite ;;
	flame/--format) printf '%s\n' folded html perfetto pprof speedscope ;;
	timeline/--format) printf '%s\n' html perfetto ;;
	*/--after|*/--at|*/--before|*/--begin|*/--end) printf '%s\n' + ;;
	*/--container|*/--duration|*/--every|*/--examples|*/--keep|*/--listen|*/--live|*/--max-containers|*/--max-size|*/--name|*/--net|*/--num-subbuf|*/--subbuf-size|*/--task|*/--tid|*/--vtid|*/--when|*/--windows|*/--worst) ;;
	*) return 1 ;;
	esac
}

_lttng_containers()
{
	local program=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} at=1 command words

	# Behind --reader NAME.
	[ "$COMP_CWORD" -lt 3 ] || [ "${COMP_WORDS[1]}" != --reader ] || at=3
	command=${COMP_WORDS[at]-}
	COMPREPLY=()
	if [ "$COMP_CWORD" = 2 ] && [ "$before" = --reader ]; then
		words='babeltrace native either'
	elif [ "$COMP_CWORD" = "$at" ]; then
		words="$(_lttng_containers_commands "$program") --help --reader --version"
	elif words=$(_lttng_containers_values "$command" "$before"); then
		:
	elif [[ $word == -* ]]; then
		words=$(_lttng_containers_options "$program" "$command")
	else
		# Traces and snapshots: bash's own completion of files.
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	# Nothing fits: not files, either.
	compopt +o default 2>/dev/null
}

complete -o default -F _lttng_containers lttng-containers
