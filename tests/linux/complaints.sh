# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# What a kernel that complains has said, a line for each place. Source it behind lib.sh and tests/vm/qemu.sh.
# shellcheck disable=SC2154 # from what is sourced before

# Where the kernel complained, without what differs from run to run: a line each. A module that is built outside of
# the kernel has the whole name of its file in a WARN, which differs between ours and the unmodified ones.
places()
{
	{
		show_complaints_of "$1" | grep -v 'BUG: KCSAN: ' || :
		# A report of lockdep says in its next lines which locks it is about.
		grep -a -A 12 -E 'WARNING: (possible|inconsistent)' "$1" | grep -o -E '\([^ ]*\)\{.*, at: .*' || :
	} | sed -E -e 's/^[0-9]+://' -e 's/^\[[ 0-9.]*\] *(\[[^]]*\] *)?//' -e 's/(CPU|PID|Comm): [^ ]*//g' \
		-e 's/\+?0x[0-9a-f]+(\/0x[0-9a-f]+)?//g' -e 's| at /[^ ]*/src/| at |'
	races "$1"
}

# Who had allocated what nobody points to any more: the innermost functions, a line for each.
leaks()
{
	awk '
		function tell() { if (leak) print "leaked by" leak; leak = "" }
		/^unreferenced object/ { tell(); inside = 0; depth = 0 }
		/^  backtrace/ { inside = 1; next }
		inside && depth++ < 8 {
			sub(/^ *(\[<[0-9a-f]*>\] )?/, "")
			sub(/\+0x[0-9a-f]*\/0x[0-9a-f]*/, "")
			leak = leak " " $0
		}
		END { tell() }' "$1"
}

show_complaints_of()
{
	grep -E -n -a "$complaints" "$1" | grep -v 'Kernel command line' || :
}

# The modules that are made from our sources, as stack traces name them, in the form of a regular expression.
own_modules()
{
	(cd "$vm_repo" && printf '%s\n' lttng-*.c probes/lttng-*.c) |
		sed -e 's|.*/||' -e 's/\.c$//' -e 's/^lttng-statedump-.*/lttng-statedump/' -e 'y/-/_/' | LC_ALL=C sort -u | paste -s -d '|'
}

# The data races that one of our modules takes part in: the functions of ours that are in a report.
races()
{
	awk -v ours_are="\\\\[($(own_modules))\\\\]" '
		function tell() { if (race != "" && ours != "") print race ours; race = ours = "" }
		/====================/ { tell() }
		/BUG: KCSAN: / { sub(/.*BUG: KCSAN: /, ""); race = $0 ":" }
		match($0, "[a-zA-Z_0-9.]+[+]0x[0-9a-f]+/0x[0-9a-f]+ " ours_are) {
			name = substr($0, RSTART, RLENGTH)
			sub(/\+.*\[/, " [", name)
			if (race != "" && index(ours, name) == 0)
				ours = ours " " name
		}
		END { tell() }' "$1"
}
