#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# check-kernels keeps apart: what works, what fails, what could not be tried, and what is marked
# broken. Tried with a matrix of its own and a test in the place of test-containers.sh.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tests/vm/suites" "$work/scripts"
cp "$vm_dir/check-kernels" "$vm_dir/lib.sh" "$work/tests/vm/"
cp "$vm_dir/../jobs.sh" "$work/tests/"
cp "$vm_repo/scripts/packages.sh" "$work/scripts/"
echo "suite_archives=none" >"$work/tests/vm/suites/any"
for program in tests/vm/tree tests/vm/host-setup scripts/require; do
	printf '#!/bin/sh\n' >"$work/$program"
	chmod +x "$work/$program"
done
cat >"$work/tests/kernels" <<'END'
# A comment.
any/good      sid  -  works
any/bad       sid  -  works
any/odd       sid  -  works  # without a machine
any/mended    sid  -  broken: it was so
any/broken    sid  -  broken: it is so
any/kept      sid  containers  works
END
cat >"$work/tests/vm/test-containers.sh" <<'END'
#!/bin/sh
mkdir -p "$XDG_CACHE_HOME/lttng-containers/vm/kernels/$1"
case $1 in
*/good|*/mended|*/kept) echo "ok - a check" ;;
*/odd) echo "Bail out! no archive"; exit 3 ;;
*) echo "not ok - a check"; exit 1 ;;
esac
END
chmod +x "$work/tests/vm/test-containers.sh"

# ends_with STATUS PATTERN NAME KERNEL...: the status, and a line of what is said.
ends_with()
{
	local wanted=$1 pattern=$2 name=$3 status=0
	shift 3

	XDG_CACHE_HOME=$work/cache BUILD=$work/build "$work/tests/vm/check-kernels" "$@" >"$work/said" 2>&1 || status=$?
	if [ "$status" = "$wanted" ] && grep -q -E "$pattern" "$work/said"; then
		ok "$name"
	else
		not_ok "$name" "status $wanted and a line like $pattern" "status $status: $(cat "$work/said")"
	fi
}

ends_with 0 '^ok - any/good .*works' "a kernel that works: 0" any/good
ends_with 1 '^not ok - any/bad .*fails' "a kernel that fails: 1" any/bad
ends_with 3 '^# Bail out! no archive' "a kernel that could not be tried: 3, and why" any/odd
ends_with 1 '^not ok - any/mended .*marked broken: it was so, but works' "one that is marked broken and works: 1" any/mended
ends_with 0 '^ok - any/broken .*broken: it is so' "one that is marked broken and fails: 0" any/broken
ends_with 1 '^3 of 6 kernels .*, 2 are not, 1 could' "all: the sum, and the worst of them"
equal "the table has a line for each" 7 "$(wc -l <"$work/build/kernels.tsv")"
equal "only what make check takes is kept" "kept" "$(cd "$work/cache/lttng-containers/vm/kernels/any" && find . -mindepth 1 -type d -printf '%f\n')"
ends_with 2 'No kernel .*matches' "no kernel selected: 2" any/none
finish
