# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# A test's results as TAP. Source it; $count and $failed are how many there are, and how many of these failed.
# shellcheck disable=SC2034 # the caller's
failed=0 count=0

# ok NAME
ok()
{
	count=$((count + 1))
	printf 'ok - %s\n' "$1"
}

# not_ok NAME EXPECTED SAW
not_ok()
{
	count=$((count + 1))
	failed=$((failed + 1))
	printf 'not ok - %s\n' "$1"
	printf '# expected %s\n# saw %s\n' "$2" "$3" | sed '2,$s/^\([^#]\)/# \1/'
}

# equal NAME EXPECTED SAW
equal()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "$2" "$3"
	fi
}
