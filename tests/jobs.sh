# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# Running jobs side by side; to be sourced by bash. JOBS says how many at a time (default: one
# for each CPU; a machine of the VM tests takes one).

jobs_max=${JOBS:-$(nproc)}

# Each job is a process group of its own, so that it ends with all that it has started.
set -m
stop_jobs()
{
	local pid

	trap - INT TERM
	for pid in $(jobs -p); do
		kill -- "-$pid" 2>/dev/null || :
	done
	wait
	exit 130
}
trap stop_jobs INT TERM

# Runs a command in the background as soon as fewer than jobs_max run.
start_job()
{
	while [ "$(jobs -rp | wc -l)" -ge "$jobs_max" ]; do
		wait -n || :
	done
	"$@" </dev/null &
}

# Prints what standard input has in one piece, whoever else prints.
print_whole()
{
	local text

	text=$(cat)
	flock "$1" printf '%s\n' "$text"
}
