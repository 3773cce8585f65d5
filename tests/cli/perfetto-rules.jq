# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# What is wrong with trace events in JSON, by the rules that their format is published with (Google's "Trace Event
# Format", which Perfetto imports): a line for each fault. Times are us, with ns behind the point.

def ns: . * 1000 | round;
def is_number: type == "number" and . == .;
def say($what): "\($what): \(del(.args) | tojson)";

# Each event by itself.
def faults:
	(select((.ph | IN("X", "M", "C", "s", "f")) | not) | say("no such phase")),
	(select([.pid, .tid] | all(is_number) | not) | say("no pid or tid")),
	(select(.name | type != "string") | say("no name")),
	(select(.ph != "M" and ((.ts | is_number | not) or .ts < 0)) | say("no time")),
	(select(.ph == "X" and ((.dur | is_number | not) or .dur < 0)) | say("no duration")),
	(select(.ph == "C" and ((.args | type != "object") or (.args | length == 0) or (.args | all(is_number) | not))) |
		say("a counter without numbers")),
	(select(.ph == "M" and (.name | IN("process_name", "thread_name")) and (.args.name | type != "string")) | say("a name without text")),
	(select(.ph == "M" and (.name | test("sort_index")) and (.args.sort_index | is_number | not)) | say("an order without a number")),
	(select(.ph == "M" and (.name | IN("process_name", "thread_name", "process_sort_index") | not)) | say("no such metadata")),
	(select((.ph == "s" or .ph == "f") and ((.id == null) or (.cat | type != "string"))) | say("a flow without id or category"));

# Slices of a thread follow one another, or lie within one another.
def crossed:
	map(select(.ph == "X")) | group_by([.pid, .tid])[] | sort_by([.ts, -.dur]) |
	reduce .[] as $s ({open: [], bad: []};
		($s.ts | ns) as $from | (($s.ts | ns) + ($s.dur | ns)) as $until |
		.open |= map(select(. > $from)) |
		if (.open | length) > 0 and .open[-1] < $until then .bad += [$s] else .open += [$until] end) |
	.bad[] | say("slices cross");

# A flow has one begin and at most one end behind it, each within a slice of its thread.
def flows:
	(map(select(.ph == "X")) | group_by([.pid, .tid]) | map({key: "\(.[0].pid) \(.[0].tid)", value: .}) | from_entries) as $slices |
	map(select(.ph == "s" or .ph == "f")) |
	(group_by([.cat, .id])[] | select((map(select(.ph == "s")) | length) != 1 or (map(select(.ph == "f")) | length) > 1 or
		(map(select(.ph == "f").ts) + [1e300])[0] < map(select(.ph == "s").ts)[0]) | .[0] | say("a flow that is none")),
	(.[] | . as $e | (.ts | ns) as $at | select([$slices["\(.pid) \(.tid)"][]? | select((.ts | ns) <= $at and $at <= (.ts | ns) + (.dur | ns))] |
		length == 0) | say("an end of a flow in no slice"));

(select((.displayTimeUnit | IN("ms", "ns")) | not) | "no such unit"),
(.traceEvents | (.[] | faults), crossed, flows,
	([.[] | select(.ph == "M" and .name == "process_name") | .pid] as $named |
		[.[] | select(.ph != "M") | .pid] | unique | map(select(. as $pid | $named | index($pid) | not))[] | "a process without a name: \(.)"))
