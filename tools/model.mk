# SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only
# SPDX-FileCopyrightText: 2026 The lttng-containers authors
# The model's sources, which need no library: the program's and the unit tests'.
MODEL := cgroup-path.c container.c container-line.c cpus.c hash.c memory.c model.c model-cgroup.c model-claim.c model-dump.c \
	model-fork.c model-life.c model-name.c pidns.c schema.c show.c task.c text.c util.c verdict.c
