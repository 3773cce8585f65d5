# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# shellcheck shell=bash
# What scenarios do in the guest: modules, recording, containers. Sourced by scripts that the
# host runs there; everything here wants root and a machine that nobody else uses.

rootfs=/vm/rootfs
bundles=/var/lib/bundles
PATH=/vm/bin:$PATH
# CTF 2, the default of lttng-tools from 2.15 on, is news to many readers.
trace_format=()
! lttng create --list-options 2>&1 | grep -q trace-format || trace_format=(--trace-format=ctf-1.8)
note_begin=$SECONDS

note()
{
	printf '# [%3ds] %s\n' "$((SECONDS - note_begin))" "$*"
}

fail()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Waits until a command succeeds: wait_for SECONDS COMMAND...
wait_for()
{
	local end=$((SECONDS + $1))
	shift

	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || fail "It did not happen in time. command=$*"
		sleep 0.1
	done
}

# Whether any thread is called $1: of a group whose leader is gone only a thread has the name.
named_thread()
{
	grep -q -x "$1" /proc/[0-9]*/task/*/comm
}

# Puts the payload's modules where depmod prefers them: install_modules [DIR]
install_modules()
{
	local from=${1:-/vm/modules} release
	release=$(uname -r)

	[ -d "$from/lib/modules/$release/updates" ] || fail "The payload has no modules for this kernel. kernel=$release directory=$from"
	rm -rf "/lib/modules/$release/updates"
	# The payload's index is of the tree's modules and of these.
	cp -a "$from/lib/modules/$release/." "/lib/modules/$release/"
}

# lttng-sessiond loads modules by name and only warns when one fails, so each run looks.
start_sessiond()
{
	lttng-sessiond --daemonize --extra-kmod-probes=cgroup,namespace
	wait_for 180 lttng --no-sessiond list
}

stop_sessiond()
{
	local pid

	pid=$(pgrep -x lttng-sessiond | head -n 1) || return 0
	kill "$pid"
	wait_for 180 not_running lttng-sessiond
}

not_running()
{
	! pgrep -x "$1"
}

# A session that records what the tools need, not yet started: create_trace NAME DIR
create_trace()
{
	local name=$1 dir=$2

	lttng create "$name" --output="$dir" "${trace_format[@]}" >/dev/null
	lttng enable-channel -s "$name" -k --subbuf-size=1M --num-subbuf=16 c >/dev/null
	lttng enable-event -s "$name" -k -c c 'sched_*,lttng_statedump_*,cgroup_*,namespace_*' >/dev/null
}

# start_trace NAME DIR
start_trace()
{
	create_trace "$@"
	lttng start "$1" >/dev/null
}

stop_trace()
{
	lttng stop "$1" >/dev/null
	lttng destroy "$1" >/dev/null
}

# The words as a JSON list of strings. Words are the scenarios' own: no quotes, no backslashes.
json_list()
{
	local word separator=''

	for word in "$@"; do
		printf '%s"%s"' "$separator" "$word"
		separator=', '
	done
}

# Starts a container in the background: oci_start runc|crun NAME COMMAND...
oci_start()
{
	local runtime=$1 name=$2 bundle=$bundles/$2
	shift 2

	# A name may come again.
	rm -rf "$bundle"
	mkdir -p "$bundle"
	cp -a "$rootfs" "$bundle/rootfs"
	(cd "$bundle" && "$runtime" spec)
	# The runtime's own default, but for what it runs, where it may write, the terminal, and the
	# capability to make more namespaces.
	sed -i -e 's/"terminal": true/"terminal": false/' -e 's/"readonly": true/"readonly": false/' \
		-e 's/"CAP_KILL"/"CAP_KILL", "CAP_SYS_ADMIN"/' \
		-e "/\"args\": \[/,/\]/c\\\"args\": [$(json_list "$@")]," "$bundle/config.json"
	"$runtime" run -d -b "$bundle" "$name" </dev/null >"$bundle/log" 2>&1 || {
		cat "$bundle/log" >&2
		fail "The container did not start. runtime=$runtime name=$name"
	}
}

# oci_exec runc|crun NAME COMMAND...
oci_exec()
{
	local runtime=$1 name=$2
	shift 2

	"$runtime" exec -d "$name" "$@" </dev/null >"$bundles/$name/exec.log" 2>&1
}

oci_stop()
{
	"$1" delete --force "$2"
}

oci_pid()
{
	"$1" state "$2" | sed -n 's/.*"pid": \([0-9]*\).*/\1/p'
}

podman_quiet()
{
	podman --cgroup-manager cgroupfs --events-backend file --runtime crun "$@" </dev/null >>/run/podman.log 2>&1
}

# podman_start NAME COMMAND...
podman_start()
{
	local name=$1
	shift

	podman_quiet image exists work:latest || tar -c -C "$rootfs" . | podman import - work:latest >>/run/podman.log 2>&1
	podman_quiet run -d --network none --pull never --name "$name" work:latest "$@" || {
		cat /run/podman.log >&2
		fail "The container did not start. runtime=podman name=$name"
	}
}

podman_exec()
{
	local name=$1
	shift

	podman_quiet exec -d "$name" "$@"
}

podman_stop()
{
	podman_quiet rm --force --time 0 "$1"
}

podman_pid()
{
	podman inspect --format '{{.State.Pid}}' "$1"
}
