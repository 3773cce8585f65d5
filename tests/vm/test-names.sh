#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Containers of every runtime: `lttng-containers names` tells of them what their own runtimes do.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_plain_payload --program
run_guest names --timeout 1200 -- /vm/guest/scenario-names

# The lines of `expected` have the first process's cgroup; ours is that, or one above that the runtime
# made: told FILE.expected JSON prints the lines as our JSON has them, with the expected cgroup if ours
# is above it and has the container's id in its name.
told()
{
	jq -r --rawfile expected "$1" '
		($expected | split("\n") | map(select(. != "") | split(" ")) | map({key: .[3], value: .[5]}) | from_entries) as $cgroups |
		.containers[] | . as $c | $cgroups[.init_tid | tostring] as $is |
		[.runtime, .name, .id, .init_tid, .pid_ns,
			(if $is and ($is == .cgroup or ($is | startswith($c.cgroup + "/"))) and
				(.cgroup | contains($c.id) or contains($c.name)) then $is else .cgroup end),
			.pod_name // "-"] | map(tostring) | join(" ")' "$2" | sort
}

# The same from lines.
lines_told()
{
	awk '{
		delete v
		for (i = 3; i <= NF; i++) {
			at = index($i, "=")
			v[substr($i, 1, at - 1)] = substr($i, at + 1)
		}
		print v["runtime"], v["name"], v["id"], v["init_tid"], v["pid_ns"]
	}' "$1" | sort
}

equal "every container is told as its runtime tells it" "$(sort "$results/first.expected")" \
	"$(told "$results/first.expected" "$results/first.json")"
equal "all of it is told by root's runtimes" root "$(jq -r '.containers[].told_by' "$results/first.json" | sort -u)"
# An emulated docker may be slow; its containers are known without it.
equal "nothing is to be complained of" "" "$(grep -v "Docker does not answer in time" "$results/first.err" || :)"
equal "the table has a row for each" "$(wc -l <"$results/first.expected")" "$(tail -n +2 "$results/first.table" | wc -l)"
equal "the table is at most 100 columns wide" "" "$(awk 'length($0) > 100' "$results/first.table")"
equal "those that run already are followed at once" "$(cut -d ' ' -f 1-5 "$results/first.expected" | sort)" \
	"$(lines_told "$results/follow.first")"
equal "and those that begin later, once each, also a name that comes again" \
	"$(cut -d ' ' -f 1-5 "$results/first.expected" "$results/follow.expected" | sort)" "$(lines_told "$results/follow")"
equal "a docker that hangs does not take its containers' names away" \
	"$(cut -d ' ' -f 1,2,4 "$results/hung.expected")" \
	"$(jq -r '.containers[] | select(.name == "cache") | [.runtime, .name, .init_tid] | map(tostring) | join(" ")' "$results/hung.json")"
equal "all that ended are gone" "" "$(told /dev/null "$results/last.json")"
finish
