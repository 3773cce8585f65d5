# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# What the VM tests share: TAP, and a guest run of a scenario. Source it with $vm_dir set; it
# sources lib.sh. A test's arguments are [KERNEL [BASE]], as in tests/kernels; the default is the
# one that all tests run with.

# shellcheck source-path=SCRIPTDIR source=lib.sh disable=SC2154 # vm_dir is the caller's
. "$vm_dir/lib.sh"
# shellcheck source-path=SCRIPTDIR source=tap.sh
. "$vm_dir/tap.sh"
read -r default_kernel default_base _ < <(kernel_matrix | awk '$3 == "all"')
load_kernel "${1:-$default_kernel}"
base=${2:-$default_base}
build=${BUILD:-$vm_repo/build}
program=$build/tools/lttng-containers
test_name=$(basename "$0" .sh)
# PATCHED=1: what is tested is not ours, but upstream's with our patches.
test_name+=${PATCHED:+-patched}
# Each kernel has results of its own.
[ "$kernel $base" = "$default_kernel $default_base" ] || test_name+=-${kernel//\//-}-$base
results=$build/vm/$test_name
payload=''

# Two runs of one test share their results.
mkdir -p "$build/vm"
exec 8>"$build/vm/$test_name.lock"
flock 8

# succeeds NAME COMMAND...: shows the end of what it said if it does not.
succeeds()
{
	local name=$1 said status=0
	shift

	said=$("$@" 2>&1) || status=$?
	if [ "$status" = 0 ]; then
		ok "$name"
	else
		not_ok "$name" "status 0 of: $*" "status $status: $(printf '%s\n' "$said" | tail -n 25)"
	fi
}

# Passes on another program's TAP and counts it.
take_tap()
{
	local line

	while IFS= read -r line; do
		case $line in
		"not ok"*) failed=$((failed + 1)) count=$((count + 1)) ;;
		ok*) count=$((count + 1)) ;;
		esac
		printf '%s\n' "$line"
	done
}

# The end of a test: TAP's plan, and the status.
finish()
{
	printf '1..%s\n' "$count"
	[ "$failed" = 0 ]
	exit
}

# No machine, no verdict.
bail_out()
{
	printf 'Bail out! %s\n' "$*"
	exit "$vm_infra"
}

# What the tests call besides what the VM scripts do.
need_packages()
{
	"$vm_dir/host-setup" "$kernel" && "$vm_repo/scripts/require" jq procps perl-base || bail_out "This machine lacks packages."
}

# Gets what a guest is made from.
fetch_machine()
{
	"$vm_dir/tree" "$suite_guest" >/dev/null || bail_out "There is no tree. suite=$suite_guest"
	"$vm_dir/tree" "$suite_tree" >/dev/null || bail_out "There is no tree. suite=$suite_tree"
	"$vm_dir/kernel" "$kernel" >/dev/null || bail_out "There is no kernel. kernel=$kernel"
}

# Makes $payload, with our modules; more words are options of `payload`.
make_payload()
{
	local modules status

	need_packages
	fetch_machine
	modules=$("$vm_dir/modules" ${PATCHED:+--patched} --base "$base" "$kernel") || {
		status=$?
		[ "$status" != "$vm_infra" ] || bail_out "The modules could not be built."
		not_ok "our modules build for the guest" "status 0 of tests/vm/modules --base $base $kernel" "status $status"
		finish
	}
	payload=$(mktemp -d)
	trap 'rm -rf "$payload"' EXIT
	"$vm_dir/payload" --modules "$modules" "$@" "$kernel" "$payload" || bail_out "The payload could not be made."
}

# Makes $payload, without modules: words are options of `payload`.
make_plain_payload()
{
	need_packages
	fetch_machine
	payload=$(mktemp -d)
	trap 'rm -rf "$payload"' EXIT
	"$vm_dir/payload" "$@" "$kernel" "$payload" || bail_out "The payload could not be made."
}

# Adds the unmodified modules to the payload, as /vm/stock/modules, or with --patched those with our
# patches.
add_stock_modules()
{
	local modules which=${1:---stock}

	modules=$("$vm_dir/modules" "$which" --base "$base" "$kernel") || bail_out "Upstream's modules could not be built. which=$which"
	"$vm_dir/payload" --modules "$modules" "$kernel" "$payload/stock" || bail_out "The payload could not be made."
}

# Runs a guest script with the payload: run_guest NAME [BOOT OPTION]... -- COMMAND...
run_guest()
{
	local name=$1 status=0
	shift

	rm -rf "$results"
	mkdir -p "$results"
	"$vm_dir/boot" --kernel "$kernel" --payload "$payload" --results "$results" "$@" || status=$?
	case $status in
	0) ok "$name: the guest ends well, its kernel has no complaint" ;;
	3) bail_out "The guest could not be run." ;;
	*)
		not_ok "$name: the guest ends well, its kernel has no complaint" "status 0" "status $status, $(tail -n 15 "$results/output.log" || :)"
		finish
		;;
	esac
}

# An emulated CPU may stand still between a reading of the kernel's clock and an event, so that time goes
# to another task than the kernel says: on a busy machine 10 to 35 ms in 8 s were seen, in both directions. So
# there, and only there, 5 ms in a second more are let pass: emulation_noise SPAN, in its unit
emulation_noise()
{
	if grep -q 'Hypervisor detected: KVM' "$results/console.log"; then
		echo 0
	else
		echo $(($1 / 200))
	fi
}

# In the series for upstream, the names of events that are not the kernel's say so: name_as_ours FILE
name_as_ours()
{
	sed -i -E 's/\blttng_(namespace_(switch|free))\b/\1/' "$1"
}

# Makes the text that the comparisons read. What babeltrace2 has to complain of, lost events too,
# goes to standard error.
trace_text()
{
	local trace=$1 text=$2

	equal "this machine's babeltrace2 reads ${trace##*/} without a complaint" "" \
		"$(babeltrace2 --clock-cycles --no-delta "$trace" 2>&1 >"$text" || echo "status $?")"
	[ -z "${PATCHED:-}" ] || name_as_ours "$text"
}

# One line for each field: EVENT<tab>TYPE NAME, in order; and one for each event.
fields()
{
	babeltrace2 -o ctf-metadata "$1/kernel" | awk '
		/^[a-z]/ { wanted = /^event \{/; event = "" }
		wanted && /^\tname = "/ { split($0, part, "\""); event = part[2]; print event "\t" }
		event != "" && /^\tfields := struct/ { inside = 1; next }
		inside && /^\t};/ { inside = 0 }
		inside { sub(/^[ \t]*/, ""); print event "\t" $0 }'
}

# The program, which a test alone in a fresh clone does not find. Tests run side by side.
build_program()
{
	succeeds "lttng-containers builds" flock "$build/vm/tools.lock" make -s -C "$vm_repo/tools" BUILD="$build/tools"
}

# `check`, but of its table only the rules that do not hold: brief_check TRACE [--against SNAPSHOT]
brief_check()
{
	local said status=0

	said=$("$program" check "$@" 2>&1) || status=$?
	grep -vE '^[a-z-]+ +(pass|not tested) ' <<<"$said" || :
	return "$status"
}

# What lttng-containers has to say of a trace and its snapshots: check_trace TRACE SNAPSHOT...
check_trace()
{
	local trace=$1 snapshot
	shift

	build_program
	succeeds "check: ${trace##*/} is consistent" brief_check "$trace"
	for snapshot in "$@"; do
		succeeds "check --against: ${trace##*/} agrees with ${snapshot##*/}" brief_check "$trace" --against "$snapshot"
	done
	succeeds "tree shows ${trace##*/}" "$program" tree "$trace"
	check_readers "$trace"
}

# The native reader and libbabeltrace2 make the same documents of a trace: check_readers TRACE
check_readers()
{
	local trace=$1 report differ=''

	for report in check tree 'cpu --by task' delays 'wakeups --all' syscalls 'why --by task'; do
		# The status is compared, too: that of a trace which lacks what the report needs is 1 for both.
		# shellcheck disable=SC2086 # a report and its options
		cmp -s <("$program" --reader native $report --json "$trace" 2>&1; echo $?) \
			<("$program" --reader babeltrace $report --json "$trace" 2>&1; echo $?) || differ+=" ${report%% *}"
	done
	equal "both readers tell the same of ${trace##*/}" "" "$differ"
}

# A copy that enrich makes: nothing but the added context differs, and that is what /proc says of
# threads which lived throughout: check_enriched TRACE BEFORE AFTER
check_enriched()
{
	local trace=$1 before=$2 after=$3 copy=$results/enriched

	rm -rf "$copy"
	succeeds "enrich copies ${trace##*/}" "$program" enrich "$trace" -o "$copy"
	trace_text "$copy" "$results/text.enriched"
	trace_text "$trace" "$results/text.plain"
	succeeds "enrich: nothing else is changed" cmp "$results/text.plain" <(sed \
		's/, { container = ".*", container_id = "[^"]*", pid_ns = [0-9]*, vtid = [0-9]*, vpid = [0-9]* }//' "$results/text.enriched")
	equal "enrich: check and tree say the same of the copy" "" \
		"$(diff <("$program" check "$trace" | sed '/^trace /d') <("$program" check "$copy" | sed '/^trace /d'))$(
			diff <("$program" tree "$trace" | sed '/^trace /d') <("$program" tree "$copy" | sed '/^trace /d'))"
	take_tap < <("$vm_dir/compare-enriched" "$results/text.enriched" "$before" "$after" 2>&1 || :)
	rm -rf "$results/text.enriched" "$results/text.plain"
}
