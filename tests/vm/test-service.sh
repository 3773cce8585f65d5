#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# lttng-containers-watch.service in a guest whose PID 1 is systemd: as it is installed nothing is watched for;
# with a condition it starts, fires for the container that was meant, reads a new configuration and keeps
# the old one if that is bad, is restarted when it is killed, and when it is stopped nothing is left.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload --program
# As `make install prefix=/usr` has them.
mkdir "$payload/service"
sed -e 's|@bindir@|/usr/bin|' -e 's|@sysconfdir@|/etc|' "$vm_repo/tools/watch/service/lttng-containers-watch.service.in" \
	>"$payload/service/lttng-containers-watch.service"
cp "$vm_repo/tools/watch/service/watch.conf" "$payload/service/"
run_guest service --systemd --timeout 1500 -- /vm/guest/scenario-service
take_tap <"$results/tap"
finish
