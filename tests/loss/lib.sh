# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# What the scripts of tests/loss share: source it with $loss_dir set. It makes $program, and $built for all
# else; both messages and tables are in English, times are UTC.
# shellcheck disable=SC2154,SC2034 # loss_dir and program are the callers'

loss_top=$(cd "$loss_dir/../.." && pwd)
built=${BUILD:-$loss_top/build}/loss
program=${PROGRAM:-$built/tools/lttng-containers}
export LC_ALL=C TZ=UTC PYTHONDONTWRITEBYTECODE=1

# Returns 2 if a package is missing, or a program does not build.
make_programs()
{
	"$loss_top/scripts/require" python3 gcc make pkg-config babeltrace2 libbabeltrace2-dev libelf-dev libiberty-dev libjansson-dev \
		liblttng-ctl-dev libmicrohttpd-dev libseccomp-dev libsqlite3-dev >&2 || return 2
	mkdir -p "$built"
	{
		[ -n "${PROGRAM:-}" ] || make -C "$loss_top/tools" BUILD="$built/tools"
		make -C "$loss_top/tests/fixtures" BUILD="$built/fixtures"
	} >"$built/make.log" 2>&1 || {
		cat "$built/make.log" >&2
		return 2
	}
}

# Makes up a host and what a tracer would record of it, in $built/worlds/SEED: make_world SEED
make_world()
{
	local dir=$built/worlds/$1

	python3 "$loss_dir/world.py" "$1" "$dir"
	rm -rf "$dir/trace"
	"$built/fixtures/ctf-write" "$dir/world.txt" "$dir/trace"
}
