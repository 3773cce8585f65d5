#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# test-profile.sh [--times TIMES]: profile_sample: a container's program uses the CPU in two functions; samples and
# stacks say the same of it as its own clock and its own symbols, and once more with `record --stacks`, whose names of
# functions are held against their addresses, and against perf record -g of the same runs, with and without frame
# pointers, and where the program makes its functions itself, as node does, while others have files mapped, and maps
# of functions, that lie. The sampler's timers come and go, its modules so many times (100).
set -eu
times=100
[ "${1-}" != --times ] || { times=$2; shift 2; }
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload --program
# guest_program NAME SOURCE [OPTION...]
guest_program()
{
	local name=$1 source=$2
	shift 2

	"$vm_dir/in-tree" --bind "$payload/rootfs/bin=out" "$kernel" gcc -std=c17 -O2 -Wall -Wextra -Werror -static \
		"$@" -o "/mnt/out/$name" "/src/tests/vm/$source" || bail_out "A program of the guest does not compile. program=$name"
}

guest_program shares shares.c
guest_program shares-bare shares.c -DFRAMES=0
guest_program liar liar.c
guest_program waits waits.c
guest_program jit jit.c -fno-omit-frame-pointer
extra=$("$vm_dir/extra" profile "$vm_dir/packages-profile" "${kernel%%/*}") || bail_out "perf and node cannot be had for the guest."
mkdir "$payload/extra"
# The first line is where they are.
cp -a "${extra%%$'\n'*}/." "$payload/extra/"
cp "$vm_dir/hot.js" "$payload/"
run_guest profile --timeout 1500 -- /vm/guest/scenario-profile "$times"
while IFS=$'\t' read -r what expected saw; do
	equal "$what" "$expected" "$saw"
done <"$results/verdicts"
trace_text "$results/trace" "$results/text"
trace_text "$results/recorded/trace" "$results/recorded/text"
ln -sf ../text "$results/recorded/bare/text"

# between WHAT LEAST MOST SAW
between()
{
	equal "$1 ($4 of $2 to $3)" yes "$([ "$4" -ge "$2" ] && [ "$4" -le "$3" ] && echo yes || echo no)"
}

# figures_of DIRECTORY PERIOD: of the program's samples at that frequency, the figures by name: samples, user, light, heavy (by their own address),
# called_by (those in either whose stack has their caller next), under_caller (those that have it somewhere in their stack), kernel,
# kernel_whole (the kernel's stack has the sample's address).
figures_of()
{
	perl -e '
		my ($shares, $tid, $period) = @ARGV;
		my (%begin, %end, %n);
		open(my $f, "<", $shares) or die;
		while (<$f>) {
			my ($name, $b, $e) = split;
			next if $b !~ /^0x/;
			($begin{$name}, $end{$name}) = (hex($b), hex($e));
		}
		sub is_in { my ($name, $ip) = @_; return $ip >= $begin{$name} && $ip < $end{$name}; }
		sub stack { my ($kind, $line) = @_; $line =~ /callstack_$kind = \[([^}]*?)\](?: \}|, _)/ or return (); my $all = $1; return map { hex } $all =~ /= (0x[0-9A-Fa-f]+)/g; }
		$n{$_} = 0 for qw(samples user light heavy called_by under_caller kernel kernel_whole);
		no warnings "portable";
		while (<STDIN>) {
			next if !/ profile_sample: .*[{ ]tid = $tid, pid = $tid, mode = .*?"(user|kernel)".*?, ip = (0x[0-9A-Fa-f]+), period = $period /;
			my ($mode, $ip) = ($1, hex($2));
			$n{samples}++;
			$n{$mode}++;
			my @user = stack("user", $_);
			$n{under_caller}++ if grep { is_in("caller", $_) } @user;
			if ($mode eq "kernel") {
				$n{kernel_whole}++ if grep { $_ == $ip } stack("kernel", $_);
				next;
			}
			for my $name ("light", "heavy") {
				next if !is_in($name, $ip);
				$n{$name}++;
				$n{called_by}++ if @user >= 2 && $user[0] == $ip && is_in("caller", $user[1]);
			}
		}
		print "$_ $n{$_}\n" for sort keys %n;
	' "$1/shares" "$(cat "$1/tid")" "$2" <"$1/text" >"$1/figures"
	sed 's/^/# /' "$1/figures" "$1/shares"
}

# figure NAME
figure()
{
	awk -v name="$1" '$1 == name { print $2 }' "$from/figures"
}

# us NAME: what the program says of a function
us()
{
	awk -v name="$1" '$1 == name { print $4 }' "$from/shares"
}

# Percent. An emulated machine that stands still for some ticks has one of them, late: 71 and 77 were seen, never more than there is.
least=90
grep -q 'Hypervisor detected: KVM' "$results/console.log" || least=50
# shares_agree DIRECTORY HZ WHOSE
shares_agree()
{
	local from=$1 expected both share called

	figures_of "$1" $((1000000000 / $2))
	expected=$(($(us all) * $2 / 1000000))
	between "$3: the program has a sample for each 1/$2 s of its CPU time" $((expected * least / 100)) $((expected * 110 / 100)) "$(figure samples)"
	both=$(($(figure light) + $(figure heavy)))
	share=$(($(us heavy) * 1000 / ($(us heavy) + $(us light))))
	# Thousandths of the sum; 60 are three standard deviations of 500 samples.
	between "$3: its functions have the shares that its own clock says" $((share - 60)) $((share + 60)) $(($(figure heavy) * 1000 / (both > 0 ? both : 1)))
	# The rest was the runtime, before it became this program.
	called=$(($(us caller) * $2 / 1000000))
	between "$3: user stacks have their caller for as long as it ran, also from within the kernel" $((called * least / 100)) \
		$((called * 110 / 100)) "$(figure under_caller)"
	# At the first two and the last instructions of a function there is no frame yet, or no longer.
	between "$3: their user stacks have the function, and its caller next" $((both * 98 / 100)) "$both" "$(figure called_by)"
	equal "$3: kernel stacks have the address that was interrupted" "$(figure kernel)" "$(figure kernel_whole)"
}

shares_agree "$results" 99 "lttng add-context"
shares_agree "$results/recorded" 97 "record --stacks"
equal "samples at another frequency say so" yes "$(grep -q 'profile_sample: .* period = 2000000 ' "$results/text" && echo yes || echo no)"
equal "an idle CPU has no sample" 0 "$(grep -c 'profile_sample: .*[{ ]tid = 0, ' "$results/text" || :)"
equal "record --stacks: no event is lost" 1 "$(grep -c 'lost_events=0' "$results/recorded/said")"
equal "record --stacks: no event but samples has stacks" 0 "$(grep -v ' profile_sample: ' "$results/recorded/text" | grep -c callstack || :)"
check_trace "$results/trace"
check_trace "$results/recorded/trace"
# What the program did by its own clock is what flame says of the kernel's function that it called for that.
for reader in native babeltrace; do
	succeeds "the $reader reader tells flame of stacks" "$program" --reader "$reader" flame "$results/recorded/trace"
	"$program" --reader "$reader" flame "$results/recorded/trace" >"$results/flame-$reader" 2>"$results/flame-said" || :
done
equal "and they tell the same stacks" "$(cksum <"$results/flame-babeltrace")" "$(cksum <"$results/flame-native")"
equal "flame has all samples" "$(grep -c ' profile_sample: ' "$results/recorded/text")" "$(awk '{ sum += $NF } END { print sum + 0 }' "$results/flame-native")"
reads=$(awk '/^burner;shares;.*;ksys_read_\[k\]/ { reads += $NF } END { print reads + 0 }' "$results/flame-native")
from=$results/recorded
all=$(figure under_caller)
share=$(($(us reads) * 1000 / $(us caller)))
between "flame: the kernel's function has the share that the program's own clock says, of $all samples" $((share - 60)) $((share + 60)) \
	$((reads * 1000 / (all > 0 ? all : 1)))
equal "flame: functions of the kernel have names" 0 "$(grep -c 'unknown\]_\[k\]' "$results/flame-native" || :)"
# Names are held against addresses: the program told where its functions are, and each sample where it was.
# samples_of PROGRAM PATTERN: in flame's lines
samples_of()
{
	awk -v program="$1" -v pattern="$2" '$1 ~ "^(burner|shares-bare);" program ";" && $1 ~ pattern { sum += $NF } END { print sum + 0 }' "$results/flame-native"
}
for name in light heavy; do
	equal "flame: $name has each sample at its addresses" "$(figure $name)" "$(samples_of shares ";$name\$")"
done
called=$(figure under_caller)
equal "flame: their caller has each stack with its addresses" "$called" "$(samples_of shares ';take_turns(;|$)')"
# As above: at its first instructions it has no frame of its own, and its caller is missing.
between "flame: callers have names down to the program's begin" $((called * 98 / 100)) "$called" "$(samples_of shares ';main;take_turns(;|$)')"
from=$results/recorded/bare
figures_of "$from" $((1000000000 / 97))
for name in light heavy; do
	equal "flame: $name without frame pointers, too" "$(figure $name)" "$(samples_of shares-bare ";$name\$")"
done
both=$(($(figure light) + $(figure heavy)))
share=$(($(us heavy) * 1000 / ($(us heavy) + $(us light))))
# Thousandths; three standard deviations of the samples that there are.
error=$(awk -v n="$both" -v p="$share" 'BEGIN { p /= 1000; printf "%d", 3000 * sqrt(p * (1 - p) / (n ? n : 1)) + 1 }')
between "flame: and they have the shares that the program's own clock says" $((share - error)) $((share + error)) \
	$(($(samples_of shares-bare ';heavy$') * 1000 / (both > 0 ? both : 1)))
equal "flame: without frame pointers callers are missing" 0 "$(samples_of shares-bare ';main;take_turns;heavy$')"
# perf sampled the same: perf_agrees DIRECTORY WHOSE CONTAINER;PROGRAM FUNCTION...: of both their samples in
# these functions each has the same share, and each stack that one of them has often is the other's, too.
perf_agrees()
{
	local from=$1 whose=$2
	shift 2

	"$vm_dir/compare-perf" "$results/recorded/perf" "$(cat "$from/tid")" "$results/flame-native" "$@" >"$from/agrees"
	sed 's/^/# /' "$from/agrees"
	equal "$whose: perf has samples of them, and flame" 2 "$(grep -cE '^(perf|flame): ([5-9]|[1-9][0-9]+)[0-9] samples$' "$from/agrees")"
	equal "$whose: their shares, and the stacks that they have, are those that perf has" "" "$(grep '^differs' "$from/agrees" || :)"
}

perf_agrees "$results/recorded" "with frame pointers" 'burner;shares' light heavy 'ksys_read_\[k\]'
perf_agrees "$results/recorded/bare" "without frame pointers" 'shares-bare;shares-bare' light heavy
perf_agrees "$results/recorded/jit" "functions that the program makes" 'jit;jit' made_light 'made.heavy..\[31m'
perf_agrees "$results/recorded/node" "functions of a script" 'node;node' 'JS:[^;]*coldFunction[^;]*' 'JS:[^;]*hotFunction[^;]*'
# They have the names that it told, and the shares of its own clock; the first one had been told of when the second was made.
heavy='made\\x20heavy\\x3b\?\\x5b31m'
made()
{
	pattern=$1 awk '/^jit;jit;/ && $0 ~ ENVIRON["pattern"] { sum += $NF } END { print sum + 0 }' "$results/flame-native"
}
from=$results/recorded/jit
light_us=$(awk '$1 == "made_light" { print $4 }' "$from/shares") heavy_us=$(awk '$1 == "made" { print $NF }' "$from/shares")
light=$(made ';main;burn;made_light[; ]') both=$((light + $(made ";main;burn;${heavy}[; ]")))
share=$((light_us * 1000 / (light_us + heavy_us)))
error=$(awk -v n="$both" -v p="$share" 'BEGIN { p /= 1000; printf "%d", 4000 * sqrt(p * (1 - p) / (n ? n : 1)) + 1 }')
between "flame: functions that a program has made have names" $(((light_us + heavy_us) * 97 / 1000000 * least / 100)) \
	$(((light_us + heavy_us) * 97 / 1000000 * 110 / 100)) "$both"
between "flame: and they have the shares that the program's own clock says" $((share - error)) $((share + error)) $((light * 1000 / (both > 0 ? both : 1)))
# Files that lie are no line of their own, and keep nobody from the names of others.
programs=$results/recorded/trace/programs
equal "what is kept of programs has its form" 0 "$(LC_ALL=C grep -avcE "^( [0-9a-f]+ [0-9a-f]+ [^[:cntrl:]]+|# boot_id [0-9a-f-]{36}|[ts] [0-9 ]+|u [0-9]+ (late|gone|large|bad)|f [0-9]+ [^[:cntrl:]]+|m [0-9]+ [0-9]+ [0-9a-f ]+ [0-9]+|[pxej] [0-9 ]+|l [0-9]+|\.)$" "$programs" || :)"
equal "and has an end" . "$(tail -n 1 "$programs")"
equal "files that lie are told by name" "liar-cut liar-endless liar-half liar-long liar-own-names liar-sections liar-text" \
	"$(LC_ALL=C sed -n 's|^f [0-9]* /memfd:\(liar-[a-z-]*\) (deleted)$|\1|p' "$programs" | sort -u | paste -sd ' ')"
# told NAME: how many functions of maps are called so
told()
{
	LC_ALL=C grep -acE "^ [0-9a-f]+ [0-9a-f]+ $1\$" "$programs" || :
}
equal "a library of 55 MB is read, though it takes long" read "$(LC_ALL=C awk '$1 == "f" && /\/libnode\.so/ { file[$2] = 1 } $1 == "s" && $2 in file { print "read"; exit }' "$programs")"
equal "a map behind a link, or of another user, is not read" "0 0" "$(told secret) $(told of_another_user)"
equal "of one with a terabyte, what it says is, and no line that would be the recorder's own" "1 1 0" \
	"$(told huge) $(told 'red\?\[31m') $(told not_asked)"
between "of one that changes all the time, no more than there is room for" 1 2000000 "$(told 'changing_[0-9_]+')"
# node, as it is: what its compiler makes. The functions begin in the interpreter. Its library, of 55 MB, takes an emulated guest
# long to read.
from=$results/recorded/node
# samples_in FUNCTION: of a script of node's
samples_in()
{
	pattern=";JS:[^;]*$1.x20" awk '/^node;/ && $0 ~ ENVIRON["pattern"] { sum += $NF } END { print sum + 0 }' "$results/flame-native"
}
hot=$(samples_in hotFunction) both=$((hot + $(samples_in coldFunction)))
hot_us=$(us hotFunction) all_us=$((hot_us + $(us coldFunction)))
share=$((hot_us * 1000 / all_us))
error=$(awk -v n="$both" -v p="$share" 'BEGIN { p /= 1000; printf "%d", 3000 * sqrt(p * (1 - p) / (n ? n : 1)) + 20 }')
between "node: the functions of a script have names" $((all_us * 97 / 1000000 * 7 / 10 * least / 100)) $((all_us * 97 / 1000000 * 110 / 100)) "$both"
between "node: and the shares that its own clock says" $((share - error)) $((share + error)) $((hot * 1000 / (both > 0 ? both : 1)))
# What a container waits for, by function: against its own clocks, and against why.
trace=$results/off-cpu/trace
check_trace "$trace"
for reader in native babeltrace; do
	succeeds "the $reader reader tells flame of waits" "$program" --reader "$reader" flame --off-cpu "$trace"
	"$program" --reader "$reader" flame --off-cpu "$trace" >"$results/off-cpu/flame-$reader" 2>"$results/off-cpu/said-$reader" || :
done
equal "and they tell the same waits" "$(cksum <"$results/off-cpu/flame-babeltrace")" "$(cksum <"$results/off-cpu/flame-native")"
equal "record --off-cpu: no event is lost" 1 "$(grep -c 'lost_events=0' "$results/off-cpu/said")"
# us_of PATTERN: us of the waits whose stack has it
us_of()
{
	awk -v pattern="$1" '$1 ~ "^waits;waits;main;" && $1 ~ pattern { sum += $NF } END { printf "%.0f", sum / 1000 }' "$results/off-cpu/flame-native"
}
# The clocks are read within the function, and the kernel's at its switches: each time 100 us may be between. A
# thread's clock does not have the interrupts that come while it runs, which take some 300 us here. That a thread waits
# for a CPU is counted from a moment before the event that tells it: an emulated CPU that its host stops between the two
# was stopped while the thread waited, by the one, and while it slept, by the other. No longer than it waited for CPUs.
waited()
{
	awk -v name="$1" '$1 == name { print '"$2"' }' "$results/off-cpu/shares"
}
for name in naps asks; do
	between "flame --off-cpu: $name waits as long as its own clocks say" "$(waited $name '$2 - 1000 * $3')" "$(waited $name '$2 + $4 + 100 * $3')" "$(us_of ";$name;")"
done
equal "flame --off-cpu: naps waits for timers" "$(us_of ';naps;')" "$(us_of ';naps;.*;\[slept_by_its_own_choice:_timers[^;]*\]$')"
asked=$(us_of ';asks;')
equal "flame --off-cpu: asks waits for its own process" "$asked" "$(us_of ';asks;.*;\[waited_for_others:_[(]itself[)]\](;|$)')"
between "flame --off-cpu: which sleeps for the most part" $((100 * 30000)) "$asked" \
	"$(us_of ';asks;.*;\[waited_for_others:_[(]itself[)]\];\[slept_by_its_own_choice:_timers[^;]*\]$')"
equal "flame --off-cpu: the scheduler and the tracer are left out" 0 \
	"$(grep -cE ';(__schedule|[^;]*stack_trace_save|__traceiter_)[^;]*_\[k\]' "$results/off-cpu/flame-native" || :)"
equal "flame --off-cpu: the system call is in the stacks" "$(us_of ';naps;')" "$(us_of ';naps;.*;do_syscall_64_\[k\];.*nanosleep.*_\[k\];schedule_\[k\];')"
# sums_agree OPTION: of each container, to the nanosecond
sums_agree()
{
	local from=$results/$1

	"$program" why --json "$from/trace" >"$from/why.json" 2>/dev/null || :
	equal "flame --$1: its sums are those of why" \
		"$(jq -r '.hosts[].rows[] | [(if .known | not then "(unknown)" elif .container then .container.label else "host" end), ([.causes[] | select(.kind | IN("ran", "interrupted", "cpu", "throttled") | not) | .ns] | add)] | select(.[1]) | @tsv' "$from/why.json" | sort)" \
		"$(awk '{ ns = $NF; sub(/;.*/, ""); sum[$0] += ns } END { for (c in sum) printf "%s\t%.0f\n", c, sum[c] }' "$from/flame-native" | sort)"
}

sums_agree off-cpu
# Who ended these waits: against the same clocks, and what the program is made of.
trace=$results/wakeup/trace
check_trace "$trace"
for reader in native babeltrace; do
	succeeds "the $reader reader tells flame of wakers" "$program" --reader "$reader" flame --wakeup "$trace"
	"$program" --reader "$reader" flame --wakeup "$trace" >"$results/wakeup/flame-$reader" 2>"$results/wakeup/said-$reader" || :
done
equal "and they tell the same wakers" "$(cksum <"$results/wakeup/flame-babeltrace")" "$(cksum <"$results/wakeup/flame-native")"
equal "record --wakeup: no event is lost" 1 "$(grep -c 'lost_events=0' "$results/wakeup/said")"
"$program" flame --off-cpu "$trace" >"$results/wakeup/waits" 2>/dev/null || :
# us_woken PATTERN: us of the waits that such a stack ended, of the container's program
us_woken()
{
	awk -v pattern="$1" '$1 ~ "^waits;waits;" && $1 ~ pattern { sum += $NF } END { printf "%.0f", sum / 1000 }' "$results/wakeup/flame-native"
}
# us_waited PATTERN: the same of what --off-cpu says, on standard input
us_waited()
{
	awk -v pattern="$1" '$1 ~ "^waits;waits;" && $1 ~ pattern { sum += $NF } END { printf "%.0f", sum / 1000 }'
}
asked=$(us_waited ';main;.*asks;' <"$results/wakeup/waits")
between "flame --wakeup: the process that answers ends the waits for it, in replies" $((asked - 1000)) $((asked + 1000)) \
	"$(us_woken ';\[woken_by:_waits\];waits;.*;replies;.*;do_syscall_64_\[k\];.*pipe_write_\[k\];')"
# Their own naps, right behind the function that waits: those of whom they waited for are told, too, behind what they
# waited for.
napped=$(us_waited ';schedule_\[k\];\[slept_by_its_own_choice:_timers[^;]*\]$' <"$results/wakeup/waits")
between "flame --wakeup: timers' interrupts end the naps of both" $((napped - 1000)) $((napped + 1000)) \
	"$(us_woken ';\[slept_by_its_own_choice:_timers[^;]*\];.*;hrtimer_wakeup_\[k\]$')"
equal "flame --wakeup: whom an interrupt met is not in its stacks" 0 \
	"$(grep -c 'slept_by_its_own_choice:_timers[^;]*\];.*;do_syscall_64_\[k\]' "$results/wakeup/flame-native" || :)"
equal "flame --wakeup: how the tracer is called is left out" 0 \
	"$(grep -cE ';(try_to_wake_up|[^;]*stack_trace_save|__traceiter_)[^;]*_\[k\]' "$results/wakeup/flame-native" || :)"
sums_agree wakeup
for reader in native babeltrace; do
	succeeds "the $reader reader reads stacks" "$program" --reader "$reader" cpu --json "$results/trace"
	"$program" --reader "$reader" cpu --json "$results/trace" >"$results/$reader.json" 2>/dev/null || :
done
equal "and they tell the same" "$(cksum <"$results/babeltrace.json")" "$(cksum <"$results/native.json")"
finish
