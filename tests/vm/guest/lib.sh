# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# shellcheck shell=bash
# What scenarios do in the guest: modules, recording, containers. Sourced by scripts that the
# host runs there; everything here wants root and a machine that nobody else uses.

rootfs=/vm/rootfs
bundles=/var/lib/bundles
PATH=/vm/bin:$PATH
# CTF 2, the default of lttng-tools from 2.15 on, is news to many readers.
trace_format=()
! lttng create --list-options 2>&1 | grep -q trace-format || trace_format=(--trace-format=ctf-1.8)
# What scenarios read in lists is there in the form that they had before 2.16.
export LTTNG_LIST_LEGACY=1
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
	lttng-sessiond --daemonize --extra-kmod-probes=cgroup,namespace,throttle
	wait_for 180 lttng --no-sessiond list
}

stop_sessiond()
{
	local pid

	pid=$(pgrep -x lttng-sessiond | head -n 1) || return 0
	kill "$pid"
	wait_for 180 not_running lttng-sessiond
}

# The kernel keeps 15 characters of a process's name.
not_running()
{
	! pgrep -x "$(printf %.15s "$1")"
}

# A session that records what the tools need, not yet started: create_trace NAME DIR
create_trace()
{
	local name=$1 dir=$2

	lttng create "$name" --output="$dir" "${trace_format[@]}" >/dev/null
	lttng enable-channel -s "$name" -k --subbuf-size=1M --num-subbuf=16 c >/dev/null
	lttng enable-event -s "$name" -k -c c 'sched_*,lttng_statedump_*,cgroup_*,namespace_*,lttng_namespace_*' >/dev/null
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

# Records with the names of containers, into DIR; lttng-sessiond comes and goes with it: record_start DIR [OPTION]...
record_start()
{
	lttng-containers record --output "$@" </dev/null >/results/record.log 2>&1 &
	recorder=$!
	wait_for 120 recording_began_or_ended
	kill -0 "$recorder" 2>/dev/null || {
		cat /results/record.log >&2
		fail "The recording did not begin."
	}
}

recording_began_or_ended()
{
	! kill -0 "$recorder" || lttng list | grep -q 'lttng-containers-.*\[active'
}

# In the session of a recorder the kernel lets pass only its own lines: others' go to another channel. record_others PID
record_others()
{
	local session

	session=$(lttng list | grep -o "lttng-containers-$1-[-0-9a-f]*" | head -n 1)
	lttng enable-event --kernel --session "$session" --channel containers lttng_logger --filter "\$ctx.pid != $1" >/dev/null ||
		fail "Marks cannot be recorded."
}

record_stop()
{
	kill -INT "$recorder"
	wait "$recorder" || {
		cat /results/record.log >&2
		fail "The recording did not end well."
	}
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

# What of the guest its containers see at the same place, words that were set before the start.
oci_mount=''
# yes: they may open devices, too.
oci_devices=''

# Starts a container in the background: oci_start runc|crun NAME COMMAND...
oci_start()
{
	local runtime=$1 name=$2 bundle=$bundles/$2 mount
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
	for mount in $oci_mount; do
		sed -i "s|\"mounts\": \[|&{\"destination\": \"$mount\", \"type\": \"bind\", \"source\": \"$mount\", \"options\": [\"rbind\", \"rw\"]},|" \
			"$bundle/config.json"
	done
	[ -z "$oci_devices" ] || sed -i '/"devices": \[/,/\]/s/"allow": false/"allow": true/' "$bundle/config.json"
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

# Prints the id of a pod: podman_pod NAME
podman_pod()
{
	podman_quiet pod create --network none --name "$1" || {
		cat /run/podman.log >&2
		fail "The pod was not made. pod=$1"
	}
}

# podman_start_with 'OPTION...' NAME COMMAND...: as podman_start, with more options of `podman run`.
podman_start_with()
{
	local options=$1 name=$2
	shift 2

	# shellcheck disable=SC2086 # the words of a command
	podman_quiet run -d --pull never $options --name "$name" work:latest "$@" || {
		cat /run/podman.log >&2
		fail "The container did not start. runtime=podman name=$name options=$options"
	}
}

# The daemon, without what needs a network; it starts a containerd of its own.
# It gives its containerd fifteen seconds, which are not enough where others keep the machine busy, and ends: again.
dockerd_answers()
{
	if ! pgrep -x dockerd; then
		dockerd --iptables=false --ip6tables=false --bridge=none </dev/null >/run/dockerd.log 2>&1 &
		sleep 1
	fi
	docker version
}

dockerd_start()
{
	pgrep -x dockerd >/dev/null && return
	# Minutes, on an emulated machine that others keep busy.
	(wait_for 420 dockerd_answers) || {
		tail -n 20 /run/dockerd.log >&2
		exit 1
	}
	docker image inspect work:latest >/dev/null 2>&1 || tar -c -C "$rootfs" . | docker import - work:latest >/dev/null
}

dockerd_stop()
{
	local pid

	pid=$(pgrep -x dockerd) || return 0
	kill "$pid"
	wait_for 60 not_running dockerd
}

# docker_start NAME COMMAND...
docker_start()
{
	docker_start_with '' "$@"
}

# docker_start_with 'OPTION...' NAME COMMAND...: with more options of `docker run`.
docker_start_with()
{
	local options=$1 name=$2
	shift 2

	dockerd_start
	# shellcheck disable=SC2086 # the words of a command
	docker run -d --network none $options --name "$name" work:latest "$@" </dev/null >>/run/docker.log 2>&1 || {
		tail -n 20 /run/dockerd.log /run/docker.log >&2
		fail "The container did not start. runtime=docker name=$name options=$options"
	}
}

docker_exec()
{
	local name=$1
	shift

	docker exec -d "$name" "$@" </dev/null >>/run/docker.log 2>&1
}

docker_stop()
{
	docker rm --force "$1" </dev/null >>/run/docker.log 2>&1
}

docker_pid()
{
	docker inspect --format '{{.State.Pid}}' "$1"
}

# lxc_start NAME COMMAND...
lxc_start()
{
	local name=$1 dir=/var/lib/lxc/$1
	shift

	rm -rf "$dir"
	mkdir -p "$dir"
	cp -a "$rootfs" "$dir/rootfs"
	cat >"$dir/config" <<-END
		lxc.rootfs.path = dir:$dir/rootfs
		lxc.uts.name = $name
		lxc.net.0.type = empty
		lxc.apparmor.profile = unconfined
		lxc.mount.auto = proc sys
	END
	lxc-start --name "$name" --logfile "$dir/log" -- "$@" </dev/null || {
		tail -n 20 "$dir/log" >&2
		fail "The container did not start. runtime=lxc name=$name"
	}
}

# lxc_exec NAME COMMAND...
lxc_exec()
{
	local name=$1
	shift

	lxc-attach --name "$name" -- "$@" </dev/null >"/var/lib/lxc/$name/exec.log" 2>&1 &
}

lxc_stop()
{
	lxc-stop --kill --name "$1"
}

lxc_pid()
{
	lxc-info --name "$1" --pid --no-humanize
}

# Where systemd would have put it: nspawn_start NAME COMMAND...
nspawn_start()
{
	local name=$1 dir=/var/lib/machines/$1 cgroup=/sys/fs/cgroup/machine.slice/machine-$1.scope
	shift

	rm -rf "$dir"
	mkdir -p "${dir%/*}" "$cgroup"
	cp -a "$rootfs" "$dir"
	mkdir -p "$dir/usr"
	(
		echo "$BASHPID" >"$cgroup/cgroup.procs"
		exec systemd-nspawn --quiet --register=no --keep-unit --console=pipe --link-journal=no --resolv-conf=off \
			--timezone=off --private-network --machine="$name" --directory="$dir" -- "$@"
	) </dev/null >"$dir.log" 2>&1 &
	for ((n = 0; n < 300; n++)); do
		[ -z "$(nspawn_pid "$name")" ] || return 0
		sleep 0.1
	done
	cat "$dir.log" >&2
	fail "The container did not start. runtime=nspawn name=$name"
}

# The init is in the payload's cgroup, and in a PID namespace of its own: there it is 1.
nspawn_pid()
{
	local pid

	while read -r pid; do
		! grep -q '^NSpid:.*[[:space:]]1$' "/proc/$pid/status" || printf '%s\n' "$pid"
	done 2>/dev/null <"/sys/fs/cgroup/machine.slice/machine-$1.scope/payload/cgroup.procs"
	:
}

nspawn_stop()
{
	local pid cgroup=/sys/fs/cgroup/machine.slice/machine-$1.scope

	pid=$(nspawn_pid "$1")
	kill -KILL "$pid"
	wait_for 30 nspawn_ended "$cgroup"
}

# With its last process systemd-nspawn goes, and may take cgroups along.
nspawn_ended()
{
	[ ! -d "$1" ] || find "$1" -depth -type d -exec rmdir {} +
}
