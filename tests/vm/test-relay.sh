#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# Two hosts stream to one lttng-relayd: what it wrote is a world for each; and `cpu --live` shows, while
# it is recorded, what the cgroups' own figures are.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

build_program
make_payload --program
run_guest relay --timeout 1500 -- /vm/guest/scenario-relay
net=$results/net
said=$results/said

status_of()
{
	sed -n "s/^$1 //p" "$results/status" | xargs
}

# yes NAME COMMAND...: it succeeds; else what the file $shown ends with is shown.
yes()
{
	local name=$1
	shift

	if "$@" >/dev/null 2>&1; then
		ok "$name"
	else
		not_ok "$name" "success of: $*" "$(tail -n 15 "$shown")"
	fi
}

# When a mark was written, seconds since the epoch: moment HOST N a|b
moment()
{
	sed -n "s/^\[\([0-9.]*\)\].* lttng_logger: .*msg = \"mark $1 $2 $3\".*/\1/p" "$results/marks.text.$1"
}

# The CPU time of a cgroup at a mark, us: usage HOST GROUP N
usage()
{
	awk -v g="$2" '$1 == g { print $2 }' "$results/usage.$1.$3"
}

# agrees THEIRS LEAST MOST TOLERANCE: "yes", or what differs; all in one unit.
agrees()
{
	awk -v t="$1" -v least="$2" -v most="$3" -v tolerance="$4" 'BEGIN {
		print (t >= least - tolerance && t <= most + tolerance) ? "yes" : "kernel " t ", we " least " to " most
	}'
}

check_worlds()
{
	local host group

	shown=$results/check
	yes "check: what the relay daemon wrote is consistent" "$program" check "$net"
	"$program" check "$net" >"$shown" 2>&1 || :
	"$program" tree --json "$net" >"$results/tree.json"
	equal "tree: two hosts, each with its own containers" "guest: alpha beta
second: gamma" "$(jq -r '.hosts | sort_by(.hostname) | .[] |
		"\(.hostname): \([.. | objects | select(.runtime? == "runc") | .name | strings] | unique | join(" "))"' "$results/tree.json")"
	for host in first second; do
		babeltrace2 --clock-seconds --no-delta "$net/$([ $host = first ] && echo guest || echo second)" \
			2>"$results/text.err" >"$results/text.$host" || :
		grep 'lttng_logger: ' "$results/text.$host" >"$results/marks.text.$host" || :
		equal "no event of the $host host was lost" "" "$(cat "$results/text.err")"
	done
	compare_host first guest "$(cat "$results/marks.first")" /alpha /beta
	compare_host second second "$(cat "$results/marks.second")" /gamma
}

# The totals from the first mark to the last, of both hosts read together: within 1%, or 2 ms a
# second, and the 30 ms that compare_live() allows, too. compare_host HOST HOSTNAME LAST GROUP...
compare_host()
{
	local host=$1 hostname=$2 last=$3 group least most span theirs part
	shift 3

	span=$(awk -v a="$(moment "$host" 1 a)" -v b="$(moment "$host" "$last" b)" 'BEGIN { printf "%.0f", (b - a) * 1e6 }')
	for group in "$@"; do
		least=$(total "$hostname" "$group" "$(moment "$host" 1 b)" "$(moment "$host" "$last" a)")
		most=$(total "$hostname" "$group" "$(moment "$host" 1 a)" "$(moment "$host" "$last" b)")
		theirs=$(($(usage "$host" "$group" "$last") - $(usage "$host" "$group" 1)))
		part=$((theirs / 100 > span / 500 ? theirs / 100 : span / 500))
		printf '# %s, %s: cpu.stat %s us, we %s to %s us, in %s us\n' "$hostname" "$group" "$theirs" "$least" "$most" "$span"
		equal "cpu: $group of $hostname has the time that its cgroup has" yes \
			"$(agrees "$theirs" "$least" "$most" "$((part + 30000))")"
	done
}

# total HOSTNAME GROUP FROM TO
total()
{
	"$program" cpu --json --by cgroup --begin "$3" --end "$4" "$net" |
		jq --arg h "$1" --arg g "$2" '[.hosts[] | select(.hostname == $h) | .rows[] | select(.path == $g) |
			(.total_ns + .total_interrupted_ns) / 1000] | add // 0 | floor'
}

# The figures of cpu.stat at any moment between marks, and what a live table says: on a straight line
# between two marks, as the containers want the CPU all the time and share it 3 to 1. A mark's figures were
# read at some moment between its beginning and its end, which are far apart where the host is busy: what
# cpu.stat says of an interval has a least and a most.
compare_live()
{
	local n last

	last=$(cat "$results/marks.first")
	for ((n = 1; n <= last; n++)); do
		printf '%s %s %s %s\n' "$(moment first $n a)" "$(moment first $n b)" \
			"$(usage first /alpha $n)" "$(usage first /beta $n)"
	done >"$results/stat"
	jq -r 'select(.part == "interval") | .hosts[0] | . as $h | [(.from_ns, .to_ns | .[:-9] + "." + .[-9:]),
		(["/alpha", "/beta"][] as $g | [$h.rows[] | select(.path == $g) | .total_ns + .total_interrupted_ns] | add // 0 | . / 1000)] |
		map(tostring) | join(" ")' "$said/json.out" >"$results/live"
	# Prints for each interval between the marks, and for all of them: its time, and of each group the least
	# and the most that cpu.stat says, and ours. Side 1 of a mark is its beginning, side 2 its end.
	awk '
		function at(t, column, side,   i, part) {
			for (i = 1; i < nr - 1 && time[i + 1, side] < t; i++)
				;
			part = (t - time[i, side]) / (time[i + 1, side] - time[i, side])
			return value[i, column] + part * (value[i + 1, column] - value[i, column])
		}
		NR == 1 { base = int($1) }
		NR == FNR { nr++; time[nr, 1] = $1 - base; time[nr, 2] = $2 - base; value[nr, 1] = $3; value[nr, 2] = $4; next }
		{
			from = $1 - base; to = $2 - base
			if (from < time[1, 2] || to > time[nr, 1])
				next
			if (!span)
				first = from
			last = to
			span += to - from
			printf "interval %.0f", (to - from) * 1e6
			for (g = 1; g <= 2; g++) {
				ours[g] += $(2 + g)
				printf " %.0f %.0f %.0f", at(to, g, 2) - at(from, g, 1), at(to, g, 1) - at(from, g, 2), $(2 + g)
			}
			print ""
		}
		END {
			printf "all %.0f", span * 1e6
			for (g = 1; g <= 2; g++)
				printf " %.0f %.0f %.0f", at(last, g, 2) - at(first, g, 1), at(last, g, 1) - at(first, g, 2), ours[g]
			print ""
		}' "$results/stat" "$results/live" >"$results/compared"
	sed 's/^/# live, us: least and most of cpu.stat, and we, of alpha and of beta: /' "$results/compared"
	equal "live: at least four intervals can be compared" yes \
		"$([ "$(grep -c '^interval' "$results/compared")" -ge 4 ] && echo yes)"
	# A slice of one container may be on either side of a mark: 30 ms.
	equal "live: in each interval the containers have what cpu.stat says, within 5% of the interval and 30 ms" "" \
		"$(awk '$1 == "interval" { t = $2 / 20 + 30000
			if ($3 - $5 > t || $5 - $4 > t || $6 - $8 > t || $8 - $7 > t) print }' "$results/compared")"
	equal "live: in all intervals together, within 1% and 30 ms" "" \
		"$(awk '$1 == "all" { t = $2 / 100 + 30000
			if ($3 - $5 > t || $5 - $4 > t || $6 - $8 > t || $8 - $7 > t) print }' "$results/compared")"
	equal "live: all rows are the CPUs times the time, in each table and on each CPU" "true true 2" \
		"$(jq -r '.hosts[] | ([.rows[].own_ns, .idle.ns, .interrupts.ns, .unknown.ns] | add) as $all |
			([.rows[], .idle, .interrupts, .unknown | .by_cpu[]] | group_by(.cpu) | map(map(.ns) | add) | unique) as $cpus |
			"\($all == .whole_ns) \($cpus == [.whole_ns / .cpus]) \(.cpus)"' "$said/json.out" | sort -u)"
	equal "live: the total at the end is that of all intervals, and more" true \
		"$(jq -s '([.[] | select(.part == "interval") | .hosts[0].rows[] | select(.path == "/alpha") | .own_ns] | add) as $sum |
			[.[] | select(.part == "total") | .hosts[0].rows[] | select(.path == "/alpha") | .own_ns] | length == 1 and .[0] >= $sum' "$said/json.out")"
}

# figures_of FILE: what the containers have, ns
figures_of()
{
	jq -c '[(.hosts[0] // .).rows[] | select(.path == ("/alpha", "/beta")) | [.path, .total_ns, .total_interrupted_ns]] | sort' "$1"
}

# What is shown while it is recorded is what the recorded trace says afterwards, which is compared with
# cpu.stat above.
compare_recorded()
{
	local interval from to n=0 differ=''

	jq -c 'select(.part == "interval" and .hosts[0].whole_state_dumps > 0)' "$said/json.out" >"$results/intervals"
	# The state was not told before in the first one.
	sed -i 1d "$results/intervals"
	while IFS= read -r interval; do
		n=$((n + 1))
		printf '%s\n' "$interval" >"$results/interval"
		read -r from to < <(jq -r '.hosts[0] | "\(.from_ns) \(.to_ns)"' "$results/interval")
		"$program" cpu --json --by cgroup --begin "$from" --end "$to" "$net/guest" >"$results/recorded"
		[ "$(figures_of "$results/interval")" = "$(figures_of "$results/recorded")" ] || differ+=" $from"
	done <"$results/intervals"
	equal "live: each interval says what the recorded trace says of that time" "" "$differ"
	equal "live: of six intervals at least" yes "$([ "$n" -ge 6 ] && echo yes)"
}

# Each document of the JSON, by a validator.
check_schema()
{
	local n=0 document

	"$vm_repo/scripts/require" python3-jsonschema || bail_out "This machine lacks packages."
	mkdir -p "$results/documents"
	jq -c . "$said/json.out" | while IFS= read -r document; do
		n=$((n + 1))
		printf '%s\n' "$document" >"$results/documents/$n"
		echo "cpu.json $results/documents/$n live: document $n is what docs/schema says"
	done >"$results/documents.list"
	# It takes each schema to pieces besides; tests/cli/schema.test has documents with more in them.
	"$vm_repo/tests/cli/schema-check" "$vm_repo/docs/schema" <"$results/documents.list" |
		grep -v ' notices each of ' >"$results/documents.tap" || :
	take_tap <"$results/documents.tap"
	equal "live: each document was judged" "$(jq -c . "$said/json.out" | wc -l)" "$(grep -c '^\(not \)*ok' "$results/documents.tap")"
}

check_viewers()
{
	local name

	equal "the recorders end well" "0 0" "$(status_of recorder) $(status_of second)"
	equal "live: it ends by itself when the session does" 0 "$(status_of text)"
	equal "live: SIGINT and SIGTERM end it, which is no failure" "0 0" "$(status_of json) $(status_of terminal)"
	for name in text terminal; do
		shown=$said/$name.out
		yes "live: $name has the total at the end" grep -q '^in all' "$shown"
	done
	shown=$said/text.out
	yes "live: who comes late is told the names of what was there before" grep -q ' alpha$' "$shown"
	equal "live: what is no terminal gets no control characters" "" "$(LC_ALL=C grep -c $'[\001-\010\013-\037\177]' "$shown" | grep -v '^0$')"
	shown=$said/terminal.out
	yes "live: a terminal's screen is redrawn" grep -q $'\033\\[H' "$shown"
	yes "live: names are escaped there" grep -q -F '\x1b[2Jevil' "$shown"
	equal "live: names do not clear it" "" "$(grep -c -F $'\033[2J' "$shown" | grep -v '^0$')"
	for name in idle twice nosuch norelay; do
		equal "live: $name is an error, with nothing on standard output" "2 " "$(status_of $name) $(cat "$said/$name.out")"
	done
	shown=$said/idle
	yes "live: where nothing is recorded, it is told" grep -q 'Nothing is recorded there' "$shown"
	shown=$said/twice
	yes "live: that somebody watches it already is told" grep -q 'watches the session already' "$shown"
	shown=$said/nosuch
	yes "live: a session that is not there is told, with those that are" grep -q 'There is: net://127.0.0.1/host/guest/lttng-containers-' "$shown"
	shown=$said/norelay
	yes "live: that no relay daemon runs is told" grep -q 'No lttng-relayd answers' "$shown"
}

# Two sessions in one run: each has its tables and its total, and what the kernel did is the same in both.
check_fleet()
{
	local one two
	one=$(sed -n 's/.*To watch: .*\/\(.*\)/\1/p' "$said/one")
	two=$(sed -n 's/.*To watch: .*\/\(.*\)/\1/p' "$said/two")
	equal "several sessions: all end well" "0 0 0" "$(status_of one) $(status_of two) $(status_of fleet)"
	jq -r '"\(.part) \(.hosts | length) \(.hosts[0].session)"' "$said/fleet.out" | sort | uniq -c | sed 's/^/# /'
	equal "several sessions: each has a total" "$(printf '%s\n' "$one" "$two" | sort)" \
		"$(jq -r 'select(.part == "total") | .hosts[] | .session' "$said/fleet.out" | sed 's/ .*//' | sort -u)"
	shown=$said/fleet
	yes "several sessions: that one ended is said" grep -q "A session has ended\. session=guest/$one left=1" "$shown"
	equal "several sessions: the other goes on" yes "$(jq -r --arg after "$(jq -r '.hosts[0].to_ns' "$results/fleet.ended")" \
		'select(.part == "interval") | .hosts[0] | select(.to_ns > $after) | .session' "$said/fleet.out" |
		grep -qF "$two" && echo yes)"
	equal "several sessions: alpha has the CPU three times as long as beta in the second" yes "$(jq -rs --arg two "$two" \
		'[.[] | select(.part == "total") | .hosts[] | select(tostring | contains($two)) | .rows[]] |
		(map(select(.path == "/alpha") | .total_ns) | add) / (map(select(.path == "/beta") | .total_ns) | add) | . > 2.4 and . < 3.6' \
		"$said/fleet.out" | sed 's/true/yes/')"
}

check_worlds
check_fleet
compare_live
compare_recorded
check_schema
check_viewers
finish
