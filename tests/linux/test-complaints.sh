#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# What check-debug takes for a complaint that is ours, of what a kernel says: made-up consoles in the form that
# Documentation/dev-tools/kcsan.rst and kmemleak.rst of the kernel show.
set -eu
linux_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$linux_dir/lib.sh"
# shellcheck source-path=SCRIPTDIR source=../vm/qemu.sh
. "$vm_dir/qemu.sh"
# shellcheck source-path=SCRIPTDIR source=complaints.sh
. "$linux_dir/complaints.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source-path=SCRIPTDIR source=../vm/tap.sh
. "$vm_dir/tap.sh"

# What KCSAN says of a race in which these lines are in the stack trace of the one: race LINE...
race()
{
	local line

	printf '[  %s] %s\n' 51.202 '==================================================================' \
		51.203 'BUG: KCSAN: data-race in task_tick_fair / update_curr' 51.204 ''
	printf '[   51.205] %s\n' 'write to 0xffff8d3dc1a4d2a0 of 8 bytes by interrupt on cpu 1:'
	for line; do
		printf '[   51.206]  %s\n' "$line"
	done
	printf '[   51.207]  %s\n' 'scheduler_tick+0x12e/0x300' 'update_process_times+0xb5/0xd0'
	printf '[   51.208] %s\n' '' 'Reported by Kernel Concurrency Sanitizer on:' \
		'==================================================================' 'lttng_probe_watch: loaded'
}

# Which of our modules that is told of, if SYMBOL of it is in the stack trace: told_of MODULE
told_of()
{
	race "fires+0x12/0x90 [$1]" >"$work/console"
	places "$work/console"
}

# All that the build makes of our sources, by what the Kbuild files list; the replaced ones are named.
for module in $(cat "$vm_repo/Kbuild" "$vm_repo/probes/Kbuild" | grep '^obj-m +=' | grep -o 'lttng-[a-z-]*\.o') \
	lttng-statedump.o lttng-probe-sched.o lttng-probe-statedump.o; do
	name=$(tr - _ <<<"${module%.o}")
	equal "a race in $name is ours" "data-race in task_tick_fair / update_curr: fires [$name]" "$(told_of "$name")"
done
equal "one in lttng-modules' own code alone is not" "" "$(told_of lttng_ring_buffer_client_discard)"
equal "nor one in a module whose name only begins as ours" "" "$(told_of lttng_watcher)"
race >"$work/console"
equal "nor one in the kernel alone" "" "$(places "$work/console")"
race 'lib_ring_buffer_write+0x1/0x2 [lttng_lib_ring_buffer]' 'a+0x1/0x2 [lttng_watch]' 'b.isra.0+0x1/0x2 [lttng_probe_watch]' 'a+0x7/0x9 [lttng_watch]' >"$work/console"
equal "each function of ours is told once" "data-race in task_tick_fair / update_curr: a [lttng_watch] b.isra.0 [lttng_probe_watch]" "$(places "$work/console")"
head -n -4 "$work/console" >"$work/cut"
equal "a console that ends within a report tells of it" "$(places "$work/console")" "$(places "$work/cut")"

cat >"$work/console" <<'END'
[    9.1] Kernel command line: console=ttyS0 topic=lives WARNING: none
[   12.345678] WARNING: CPU: 1 PID: 77 at kernel/locking/lockdep.c:4321 check_flags+0x1a/0x1f0
END
equal "other complaints are told without numbers that differ from run to run" \
	"WARNING:   at kernel/locking/lockdep.c:4321 check_flags" "$(places "$work/console")"

# It was ours for the directory alone, and so of no use to compare.
for who in ours stock; do
	printf '[  26.123726] WARNING: CPU: 0 PID: 89 at /tmp/debug/%s/6.12/src/lttng-events.c:1819 sync+0x1/0x2 [lttng_tracer]\n' \
		"$who" >"$work/console"
	equal "a place in a module, of $who" "WARNING:   at lttng-events.c:1819 sync [lttng_tracer]" "$(places "$work/console")"
done

cat >"$work/kmemleak" <<'END'
unreferenced object 0xffff888003c2a400 (size 64):
  comm "modprobe", pid 93, jiffies 4294899999
  hex dump (first 32 bytes):
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
  backtrace (crc 0):
    [<ffffffff81234567>] __kmalloc_cache_noprof+0x1b3/0x2a0
    [<ffffffffc0012345>] hook+0x44/0x90 [lttng_namespace]
END
equal "who has leaked is told by the innermost functions" \
	"leaked by __kmalloc_cache_noprof hook [lttng_namespace]" "$(leaks "$work/kmemleak")"
printf '1..%s\n' "$count"
[ "$failed" = 0 ]
