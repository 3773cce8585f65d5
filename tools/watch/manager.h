/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_MANAGER_H
#define LC_MANAGER_H

/*
 * Tells a service manager that has asked for it ($NOTIFY_SOCKET, see sd_notify(3)) that all began,
 * READY=1, or that it ends, STOPPING=1. Whether it hears changes nothing.
 */
void manager_tell(const char *state);

#endif
