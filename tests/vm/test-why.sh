#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# `record --why` and `why`: who waited for whom and for what, as those who waited measured it by their own clocks.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload --program
extra=$("$vm_dir/extra" why "$vm_dir/packages-why" "$suite_guest") || bail_out "dmsetup cannot be had for the guest."
mkdir "$payload/extra"
# The first line is where they are.
cp -a "${extra%%$'\n'*}/." "$payload/extra/"
run_guest why --timeout 600 -- /vm/guest/scenario-why
build_program
succeeds "why reads what record --why has recorded" "$program" why --json "$results/trace"
"$program" why "$results/trace" >"$results/why.text"
"$program" why --by task --json "$results/trace" >"$results/why.json"

# column NAME N: of the file that has the containers
column()
{
	awk -v name="$1" -v n="$2" '$1 == name { print $n }' "$results/containers"
}

# Us that a container's first thread has under some causes: time_of NAME FILTER, which finds them
time_of()
{
	jq -r --argjson tid "$(column "$1" 3)" \
		"[.hosts[].rows[] | select(.tid == \$tid) | .causes[] | $2 | .ns] | add // 0 | . / 1000 | floor" "$results/why.json"
}

# between WHAT LEAST MOST OURS
between()
{
	printf '# %s: %s to %s us, we %s us\n' "$1" "$2" "$3" "$4"
	equal "$1" yes "$([ "$4" -ge "$2" ] && [ "$4" -le "$3" ] && echo yes || echo "we $4 us")"
}

# jq's filter for what another container did while it was waited for: by NAME
by()
{
	printf 'select(.kind == "others") | .by[] | select(.container.pid_ns? == %s)' "$(column "$1" 2)"
}

# What one of the workloads has measured: took FILE COLUMN (times, us that it waited, us of CPU time)
took()
{
	cut -d ' ' -f "$2" "$results/$1"
}

ran='select(.kind == "ran")'
slept='select(.kind == "slept")'
awake='select(.kind == "ran" or .kind == "interrupted" or .kind == "cpu")'

# Their own clocks have what lies between the wakeup and the clock's reading, too: they run then, or wait for a CPU.
waited=$(took pipes/app/waited 2)
between "web waited for app as long as its own clock says" "$((waited - $(time_of web "$awake")))" "$waited" "$(time_of web "$(by app)")"
disk_waited=$(took disk 2)
disk='select(.kind == "disk") | .by[] | select(.device == "nullb0" and .operation == "read")'
between "reader waited for the disk as long as its own clock says" "$((disk_waited - $(time_of reader "$awake")))" "$disk_waited" \
	"$(time_of reader "$disk")"
# Who asks may not be asleep yet when the disk begins.
between "the disk took 40 times 20 ms" "$((800000 - $(time_of reader "$awake")))" "$disk_waited" "$(time_of reader "$disk")"
# Half of what is positive is not above twice its mean; the median is told a 16th too long at most. Who was awake all the time
# has not waited. Another container may have the inode of its namespace later.
label=$(jq -r --argjson tid "$(column reader 3)" '.hosts[].rows[] | select(.tid == $tid) | .container.label' "$results/why.json")
median=$("$program" why --json "$results/trace" | jq -r --arg whose "$label" \
	'.hosts[].rows[] | select(.container.label? == $whose) | .waits[] | select(.kind == "disk" and .waits > 20) | .p50_ns / 1000 | floor')
between "and half of its waits for it no less than that" 20000 "$((disk_waited * 2 * 17 / 40 / 16))" "${median:-0}"

# Of a device that delays, the kernel tells when it has ended a request; the disk below gets it when the delay is over. It is
# charged to the container that waits for it, whoever passes it on.
delayed_waited=$(took delayed 2)
delayed='select(.kind == "disk") | .by[] | select(.device == "dm-0" and .operation == "read")'
delayed_awake=$(($(took delayed 3) + $(time_of delayed 'select(.kind == "interrupted" or .kind == "cpu")')))
between "delayed waited for the device that delays as long as its own clock says" "$((delayed_waited - delayed_awake))" "$delayed_waited" \
	"$(time_of delayed "$delayed")"
between "the device took 40 times 20 ms" "$((800000 - delayed_awake))" "$delayed_waited" "$(time_of delayed "$delayed")"
between "for that long the disk below was not asked for it" "$((800000 - delayed_awake))" "$delayed_waited" \
	"$(time_of delayed "$delayed | .requests[] | select(.stage == \"not_yet\")")"
equal "what the disk below did then was done for the container" true \
	"$(jq --argjson tid "$(column delayed 3)" "[.hosts[].rows[] | select(.tid == \$tid) | .causes[] | $delayed | .requests[] |
		select(.stage != \"not_yet\") | .stage == \"served\" and .own] | . != [] and all" "$results/why.json")"
equal "the device is to blame" "disk dm-0 read" "$(jq -r --argjson tid "$(column delayed 3)" '.hosts[].rows[] | select(.tid == $tid) |
	.most_to_blame.cause | "\(.kind) \(.device) \(.operation)"' "$results/why.json")"

# Who asks may be awake for a moment when the other one has begun already: 1 ms is let pass each time.
meanwhile="$(by app) | .meanwhile[]"
between "app was busy meanwhile, 20 times 10 ms" 180000 "$waited" "$(time_of web "$meanwhile | $awake")"
between "app ran meanwhile no longer than its CPU clock says" 100000 "$(took pipes/app/took 3)" "$(time_of web "$meanwhile | $ran")"
between "app slept meanwhile, 20 times 20 ms" 400000 "$(took pipes/app/waited 2)" "$(time_of web "$meanwhile | $slept")"
waited=$(took pipes/app/took 2)
between "app waited for db as long as its own clock says" "$((waited - $(time_of app "$awake")))" "$waited" \
	"$(time_of web "$meanwhile | $(by db)")"
meanwhile="$meanwhile | $(by db) | .meanwhile[]"
between "db was busy meanwhile, 20 times 20 ms" 380000 "$waited" "$(time_of web "$meanwhile | $awake")"
between "db ran meanwhile no longer than its CPU clock says" 200000 "$(took pipes/db/took 3)" "$(time_of web "$meanwhile | $ran")"
between "db slept meanwhile, 20 times 30 ms" 600000 "$waited" "$(time_of web "$meanwhile | $slept")"

# The lock is another one's for no longer than that one's writes took.
lock_waited=$(took changed 2)
kept="select(.kind == \"locks\") | .by[] | select(.lock == \"write\" and .container.pid_ns? == $(column keeper 2))"
between "changer waited for the lock that keeper had as long as its own clock says" "$((lock_waited - $(time_of changer "$awake")))" "$lock_waited" \
	"$(time_of changer "$kept")"
# Each write has the lock for 10 times 20 ms, and 20 ms later comes the next. Of two changes, 30 ms apart, at least one comes in a
# write, of which no more than those 30 ms are over.
between "that is most of each write that it came into" $((7 * 170000)) "$(took held 2)" "$(time_of changer "$kept")"
between "keeper waited for the disk meanwhile" "$(($(time_of changer "$kept") - $(time_of keeper "$awake")))" "$(time_of changer "$kept")" \
	"$(time_of changer "$kept | .meanwhile[] | $disk")"

# Of a disk that takes one request at a time, each but the first has waited for one of the two neighbours' at least, less
# the moments in which it was awake: then that is served already. Itself it had 20 ms each time. The scheduler may
# have held it back, too.
waited=$(took nullb1 2)
awake_for=$(time_of nullb1-reader "$awake")
requests='select(.kind == "disk") | .by[] | select(.device == "nullb1") | .requests[]'
queued="$requests | select(.stage == \"queued\" and .container.pid_ns? == $(column nullb1-hog 2))"
between "a disk that takes one request at a time had the neighbours' before, 29 times 20 ms and more" "$((29 * 20000 - awake_for))" "$((waited - 30 * 20000))" \
	"$(time_of nullb1-reader "$queued")"
between "all that together is what was waited for the disk" "$((waited - awake_for))" "$waited" "$(time_of nullb1-reader "$requests")"
between "and 30 times 20 ms what was asked for" 600000 "$((waited - 29 * 20000 + awake_for))" \
	"$(time_of nullb1-reader "$requests | select(.stage == \"served\" and .own)")"
equal "the neighbour is to blame" "disk queued $(column nullb1-hog 2)" "$(jq -r --argjson tid "$(column nullb1-reader 3)" '.hosts[].rows[] |
	select(.tid == $tid) | .most_to_blame.cause | "\(.kind) \(.request.stage) \(.request.container.pid_ns)"' "$results/why.json")"
# One that takes them all at once serves each in 20 ms, whatever else it has: nobody waited for the neighbours.
waited=$(took nullb2 2)
requests=${requests/nullb1/nullb2}
between "a disk that takes 64 had each at once" "$((600000 - $(time_of nullb2-reader "$awake")))" "$waited" \
	"$(time_of nullb2-reader "$requests | select(.stage == \"served\" or .stage == \"behind\")")"
between "and nobody was in the way" 0 "$((waited - 600000))" "$(time_of nullb2-reader "$requests | select(.stage == \"queued\")")"
equal "nor is anybody to blame but the disk" "disk null" "$(jq -r --argjson tid "$(column nullb2-reader 3)" '.hosts[].rows[] |
	select(.tid == $tid) | .most_to_blame.cause | "\(.kind) \(.request)"' "$results/why.json")"

# What a container has in memory alone a kworker writes. The disk takes one request at a time, and has more of them than it
# can do: each read, but the first, comes when it has just got another one.
waited=$(took nullb3 2)
awake_for=$(time_of nullb3-reader "$awake")
requests=${requests/nullb2/nullb3}
queued="$requests | select(.stage == \"queued\" and .container.pid_ns? == $(column writer 2))"
between "a disk to which a kworker writes had what it writes before, 29 times 20 ms and more" "$((29 * 20000 - awake_for))" \
	"$((waited - 30 * 20000))" "$(time_of nullb3-reader "$queued")"
equal "whose pages those are is told, and to blame" "disk queued $(column writer 2)" "$(jq -r --argjson tid "$(column nullb3-reader 3)" '.hosts[].rows[] |
	select(.tid == $tid) | .most_to_blame.cause | "\(.kind) \(.request.stage) \(.request.container.pid_ns)"' "$results/why.json")"
equal "nobody else had requests there" 0 "$(time_of nullb3-reader "$requests | select((.own | not) and .culprit != \"idle\") |
	select(.container.pid_ns? != $(column writer 2))")"
# The kernel charges each of those requests by the same cgroup, when it is given to the disk: a bio each, as its pages lie apart.
read -r group <"$results/writer"
charged=$(sed -n 's/^rbytes.* rios=\([0-9]*\) wios=\([0-9]*\).*/\1 + \2/p' "$results/writer")
equal "each request that io.stat has of it is told as charged to it" "$((charged))" \
	"$(babeltrace2 "$results/trace" | grep -c " block_rq_charge: .* cgroup_id = $group }")"
equal "and there are some" yes "$([ $((charged)) -gt 100 ] && echo yes || echo "$charged")"

for pair in 'victim noisy' 'noisy victim'; do
	read -r one other <<<"$pair"
	cpu=$(time_of "$one" 'select(.kind == "cpu")')
	# 7 s, of which each has a half.
	between "$one waited for a CPU that $other had" 3000000 "$cpu" \
		"$(time_of "$one" "select(.kind == \"cpu\") | .by[] | select(.container.pid_ns? == $(column "$other" 2))")"
done
# Who has a CPU may have it for 50 ms longer than was asked at each end of a window, or be asked that much later.
sed 's/^/# watched: /' "$results/watched"
read -r since_before delay_before until_before more_before since_after delay_after until_after more_after <<<"$(tr '\n' ' ' <"$results/watched")"
succeeds "compare reads both windows" "$program" compare --json --container victim --before "$since_before..$until_before" \
	--after "$since_after..$until_after" "$results/trace"
"$program" compare --json --container victim --before "$since_before..$until_before" --after "$since_after..$until_after" "$results/trace" \
	>"$results/compare.json"
# changed KIND WHICH FIELD: of a row in ns each second; WHICH is jq's
changed()
{
	jq -r ".rows[] | select(.label == \"victim\") | .causes[] | select(.kind == \"$1\" and .which == $2) | .$3" "$results/compare.json"
}
# rate SINCE UNTIL DELAY MORE SLACK: us of waiting for a CPU in each second, by schedstat, and so much more in all
rate()
{
	local length
	length=$(awk -v since="$1" -v until="$2" 'BEGIN { printf "%.0f", (until - since) * 1e6 }')
	echo $((((($4 - $3) / 1000 + $5) * 1000000) / length))
}
rate_least() { rate "$@" -100000; }
rate_most() { rate "$@" 100000; }
# rate_of WHAT FIELD SINCE UNTIL DELAY MORE: by compare as by schedstat
rate_of()
{
	local what=$1 field=$2
	shift 2
	between "$what" "$(rate_least "$@")" "$(rate_most "$@")" "$(($(changed cpu null "$field") / 1000))"
}
rate_of "compare has what schedstat says of one who is alone" before_ns_per_s "$since_before" "$until_before" "$delay_before" "$more_before"
rate_of "and of one who is not" after_ns_per_s "$since_after" "$until_after" "$delay_after" "$more_after"
equal "this is more than noise" "true true" "$(changed cpu null changed) $(changed cpu '"noisy"' changed)"
equal "the other one had nothing to do with it before" 0 "$(changed cpu '"noisy"' before_ns_per_s)"
# It was all that was in the way, but for what is in the way of one who is alone, too.
between "the other one's part is what schedstat says of who is not alone" \
	"$(($(rate_least "$since_after" "$until_after" "$delay_after" "$more_after") - $(rate_most "$since_before" "$until_before" "$delay_before" "$more_before")))" \
	"$(rate_most "$since_after" "$until_after" "$delay_after" "$more_after")" "$(($(changed cpu '"noisy"' change_ns_per_s) / 1000))"

# The kernel's own count of the time that the cgroup was kept off its CPU; a part of it the thread may have slept. From 6.18 on
# the kernel counts up to a twentieth less: docs/events.md.
throttled=$(sed -n 's/^throttled_usec //p' "$results/cpu.stat")
between "limited was throttled as long as its cpu.stat says" "$((throttled - throttled / 20))" "$((throttled + throttled / 20))" \
	"$(jq -r '[.hosts[].rows[] | .causes[] | select(.kind == "throttled") | .by[] | select(.cgroup | endswith("/limited")) | .ns] | add / 1000 | floor' \
	"$results/why.json")"
equal "what its quota was is in the trace" "20000 100000" "$(jq -r \
	'[.hosts[].rows[] | .causes[] | select(.kind == "throttled") | .by[] | select(.cgroup | endswith("/limited"))][0] | "\(.quota_us) \(.period_us)"' \
	"$results/why.json")"
equal "delays says the same" true "$("$program" delays --json "$results/trace" | jq --slurpfile why "$results/why.json" \
	'([.hosts[].victims[].culprits[] | select(.kind == "quota") | .ns] | add) ==
	([$why[0].hosts[].rows[] | .causes[] | select(.kind == "throttled") | .ns] | add)')"
"$program" metrics "$results/trace" --textfile "$results/metrics"
between "metrics has for limited what its cpu.stat says" "$((throttled - throttled / 20))" "$((throttled + throttled / 20))" \
	"$(awk '/^lttng_containers_throttled_seconds_total[{].*,container="limited",/ { s += $NF } END { printf "%.0f", s * 1e6 }' "$results/metrics")"
equal "and for nobody else anything" 1 \
	"$(awk '/^lttng_containers_throttled_seconds_total[{]/ && $NF > 0' "$results/metrics" | wc -l)"
equal "nobody else was throttled" 1 "$(jq '[.hosts[].rows[] | .causes[] | select(.kind == "throttled") | .by[] | .cgroup] | unique | length' "$results/why.json")"
# Where throttling cannot be hooked: the sums that the recorder read, at the start, each second, and at the end. The kernel's own
# are from before and after it, and from within; what it took from the thread is no more than that waited.
"$program" why --by task --json "$results/coarse" >"$results/coarse.json"
"$program" why "$results/coarse" >"$results/coarse.text"
sums_of()
{
	awk -v from="$1" -v to="$2" -v column="$3" 'NR == from { first = $column } NR == to { print $column - first }' "$results/coarse.sums"
}
coarse=$(jq '[.hosts[].rows[].causes[] | select(.kind == "throttled") | .by[] | select(.coarse) | .ns] | add // 0 | . / 1000 | floor' "$results/coarse.json")
between "without a hook: between what cpu.stat says from within and from around" "$(sums_of 2 3 1)" "$(sums_of 1 4 1)" "$coarse"
between "and no more than limited's thread waited" 0 "$(sums_of 1 4 2)" "$coarse"
equal "all of it limited's, and coarse" "true true 20000" "$(jq -r --argjson tid "$(column limited 3)" \
	'[.hosts[].rows[] | select(.tid == $tid) | .causes[] | select(.kind == "throttled") | .by[] | "\(.cgroup | endswith("/limited")) \(.coarse) \(.quota_us)"] | join(", ")' \
	"$results/coarse.json")"
equal "nobody else was said to be throttled" 1 "$(jq '[.hosts[].rows[] | .causes[] | select(.kind == "throttled")] | length' "$results/coarse.json")"
equal "the causes are still the time" true "$(jq '[.hosts[].rows[] | ([.causes[].ns] | add) == .ns] | all' "$results/coarse.json")"
equal "the text says that it is coarse" 1 "$(grep -c '^    coarse, cpu.max 20000/100000 of limited ' "$results/coarse.text")"

between "limited's thread was the one" "$((throttled / 2))" "$((throttled + throttled / 20))" "$(time_of limited 'select(.kind == "throttled")')"
equal "all of a thread's causes are its time" true \
	"$(jq '[.hosts[].rows[] | ([.causes[].ns] | add) == .ns] | all' "$results/why.json")"
equal "where nothing was lost all is sure" true "$(jq '[.hosts[].rows[] | .least_ns == .ns] | all' "$results/why.json")"
says_lost=$(sed -n "s/.*lost_events=\([0-9]*\).*/\1/p" "$results/record.log")
equal "no event was lost" 0 "$says_lost"
check_readers "$results/trace"
finish
