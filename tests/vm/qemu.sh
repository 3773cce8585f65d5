# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# Runs machines: what boot here and tests/tree/boot share. Source it after lib.sh; it makes the
# temporary directory $scratch and removes it, with the machine, at the script's end.
#
# From the script that sources it: $timeout in seconds, $quiet, the directory $results, and, to try
# /dev/kvm, $vmlinuz and $initramfs. It calls choose_machine, which sets $console and $channel, the
# names that the guest has for two serial lines. The guest is told $token, a word that only this run
# knows, and says "TOKEN started", "TOKEN broken WHY" or "TOKEN finished STATUS" on $channel.

# shellcheck disable=SC2154 # the variables above, and those of lib.sh

# What a kernel prints when something is wrong with it.
complaints='Oops|BUG:|kernel BUG at|WARNING:|general protection fault|Kernel panic|detected stalls|self-detected stall'
complaints+='|rcu_sched kthread|rcu: INFO|suspicious RCU usage|possible (circular|recursive) locking|inconsistent lock state'
complaints+='|possible irq lock inversion|soft lockup|hard LOCKUP|blocked for more than|UBSAN:|KASAN:|KCSAN:|[Uu]nable to handle'
complaints+='|scheduling while atomic|sleeping function called|invalid context|bad unlock balance|held lock freed|refcount_t:'
# arm64's words.
complaints+='|Internal error:|Unexpected kernel BRK|Bad mode in'

scratch=$(mktemp -d)
token=vm-$(od -An -N8 -tx8 /dev/urandom | tr -d ' ')
qemu_pid='' tail_pid=''
cleanup()
{
	local pid

	for pid in $qemu_pid $tail_pid; do
		kill "$pid" 2>/dev/null || :
		wait "$pid" 2>/dev/null || :
	done
	rm -rf "$scratch"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# What differs between architectures: choose_machine ARCH
choose_machine()
{
	case $1 in
	amd64)
		qemu=qemu-system-x86_64 machine=() console=ttyS0 channel=ttyS1
		# Without cx16=off QEMU 7.2 corrupts flags in cmpxchg16b and the guest's kernel dies anywhere.
		emulated_cpu=max,cx16=off
		need_program "$qemu" qemu-system-x86
		;;
	arm64)
		qemu=qemu-system-aarch64 machine=(-machine virt) console=ttyAMA0 channel=hvc0
		# Pointer authentication by the architecture's own cipher takes most of the time.
		emulated_cpu=max,pauth-impdef=on
		need_program "$qemu" qemu-system-arm
		;;
	*) usage_error "There is no machine of this architecture. architecture=$1" ;;
	esac
}

# Sets lines, arguments that give the machine its two lines: serial_lines CONSOLE-FILE CHANNEL-FILE
serial_lines()
{
	lines=(-chardev "file,id=channel,path=$2" -serial "file:$1")
	case $channel in
	ttyS1) lines+=(-serial chardev:channel) ;;
	# The machine has but one serial port.
	hvc0) lines+=(-device virtio-serial-pci -device virtconsole,chardev=channel) ;;
	esac
}

# Starts the machine; prints nothing. $1 is the accelerator, the rest are more arguments.
start_qemu()
{
	local accel=$1 cpu=host
	shift

	[ "$accel" = kvm ] || cpu=$emulated_cpu
	# One thread for all CPUs: with one for each, a guest died with "Oops: int3" where a static key or
	# tracepoint was switched (seen once, QEMU 7.2): it ran an int3 that was patched away already.
	[ "$accel" = kvm ] || accel=tcg,thread=single
	# A shell that does not end leaves the machine no line to close on: its ports are files. Nor must
	# a machine that is left over hold locks.
	"$qemu" "${machine[@]}" -nodefaults -no-user-config -display none -no-reboot -nic none \
		-accel "$accel" -cpu "$cpu" "$@" </dev/null 2>"$scratch/qemu.err" 8>&- {lock_fd}>&- &
	qemu_pid=$!
}

# The verdict holds for one boot of this machine. /dev/kvm may exist and yet not run a kernel.
accelerator()
{
	local verdict

	if [ "$qemu" != qemu-system-x86_64 ]; then
		accel=tcg
		return
	fi
	verdict=$vm_cache/accel-$(cat /proc/sys/kernel/random/boot_id)

	hold_lock "$vm_cache/accel.lock" exclusive
	if [ ! -f "$verdict" ]; then
		rm -f "$vm_cache"/accel-*
		if [ -r /dev/kvm ] && [ -w /dev/kvm ]; then
			stage "trying /dev/kvm"
			probe_kvm 2>/dev/null && echo kvm >"$verdict" || echo tcg >"$verdict"
			stage "/dev/kvm: using $(cat "$verdict")"
		else
			echo tcg >"$verdict"
		fi
	fi
	accel=$(cat "$verdict")
	exec {lock_fd}>&-
}

probe_kvm()
{
	local end=$((SECONDS + 20)) good=1

	: >"$scratch/probe"
	start_qemu kvm -m 512 -smp 1 -kernel "$vmlinuz" -initrd "$initramfs" \
		-append "console=$console vm.channel=$channel quiet panic=-1 vm.probe" -serial null -serial "file:$scratch/probe"
	while [ "$SECONDS" -lt "$end" ] && kill -0 "$qemu_pid" 2>/dev/null; do
		if grep -q VM-PROBE-OK "$scratch/probe"; then
			good=0
			break
		fi
		# A failed machine stays, stopped, and says so on standard error.
		! grep -q 'KVM internal error' "$scratch/qemu.err" || break
		sleep 0.2
	done
	kill "$qemu_pid" 2>/dev/null || :
	wait "$qemu_pid" 2>/dev/null || :
	qemu_pid=''
	return "$good"
}

# Waits for the end; sets outcome to finished, stopped or timeout.
watch()
{
	local end=$((SECONDS + timeout)) announced=0

	outcome=stopped
	while kill -0 "$qemu_pid" 2>/dev/null; do
		if [ "$announced" = 0 ] && grep -q "^$token started" "$scratch/channel"; then
			stage "the guest runs the command"
			announced=1
		fi
		if [ "$SECONDS" -ge "$end" ]; then
			outcome=timeout
			return
		fi
		sleep 0.3
	done
	[ -z "$(said finished)" ] || outcome=finished
}

# Runs the machine until it ends, with these arguments more; shows what the guest says unless
# $quiet, and leaves that in output.log, the kernel's messages in console.log. Sets outcome.
run_machine()
{
	local lines

	rm -f "$results/console.log" "$results/output.log"
	: >"$results/console.log"
	: >"$scratch/channel"
	serial_lines "$results/console.log" "$scratch/channel"
	start_qemu "$accel" "$@" "${lines[@]}"
	if [ "$quiet" = 0 ]; then
		tail -n +1 -s 0.3 -f "$scratch/channel" --pid="$qemu_pid" 2>/dev/null 8>&- {lock_fd}>&- |
			grep -a -v --line-buffered "^$token " >&2 &
		tail_pid=$!
	fi
	watch
	if [ "$outcome" = timeout ]; then
		kill "$qemu_pid" 2>/dev/null || :
	fi
	wait "$qemu_pid" 2>/dev/null || :
	qemu_pid=''
	[ -z "$tail_pid" ] || wait "$tail_pid" || :
	tail_pid=''
	tr -d '\r' <"$scratch/channel" | grep -a -v "^$token " >"$results/output.log" || :
}

# What the guest has said of itself: said WORD prints the rest of those lines. Before it may be what a progress
# bar has left on the line, which ends in a carriage return.
said()
{
	tr '\r' '\n' <"$scratch/channel" | sed -n "s/^$token $1 \{0,1\}//p"
}

show_complaints()
{
	# The kernel's own command line may name a thing; only messages count.
	grep -E -n -a "$complaints" "$results/console.log" | grep -v 'Kernel command line' | head -n 20
}

# Ends the script, unless the kernel had nothing to complain of and the command succeeded.
judge()
{
	local status

	if [ -n "$(show_complaints)" ]; then
		printf '%s: The kernel complained. log=%s\n' "${0##*/}" "$results/console.log" >&2
		show_complaints >&2
		exit 1
	fi
	if ! grep -a -q "^$token started" "$scratch/channel"; then
		tail -n 5 "$results/console.log" "$scratch/qemu.err" >&2
		infra "The guest did not start. outcome=$outcome reason=$(grep -a VM-BROKEN "$scratch/channel" | tr -d '\r' || :) log=$results/console.log"
	fi
	case $outcome in
	timeout)
		printf '%s: The guest took too long. seconds=%s log=%s\n' "${0##*/}" "$timeout" "$results/console.log" >&2
		exit 124
		;;
	stopped)
		if grep -a -q "^$token broken" "$scratch/channel"; then
			infra "The guest could not be prepared. reason=$(said broken)"
		fi
		printf '%s: The guest stopped before the command ended. log=%s\n' "${0##*/}" "$results/console.log" >&2
		exit 1
		;;
	esac
	status=$(said finished | tail -n 1)
	stage "the command ended with status $status"
	[ "$status" = 0 ] || exit 1
}
