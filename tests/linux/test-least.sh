#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The kernel with least in it: everything off at once that our code uses and lttng-sessiond can do
# without. And one that is refused, which is neither built nor booted. `make check-configs` tries each alone.
exec "$(dirname "$0")/check-configs" trixie/least trixie/no-kprobes
