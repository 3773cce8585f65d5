#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# An hour of a guest's time in which nobody is late: `lttng-containers watch` writes nothing, and fires after it.
set -eu
vm_dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=testlib.sh
. "$vm_dir/testlib.sh"

make_payload --program
# In a wait for the disk minutes may pass for the guest, which its kernel would take for a task that hangs.
run_guest watch-hour --skip-idle --smp 1 --timeout 900 --append sysctl.kernel.hung_task_timeout_secs=0 -- /vm/guest/scenario-watch-hour
take_tap <"$results/tap"
finish
