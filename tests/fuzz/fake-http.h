/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef FUZZ_FAKE_HTTP_H
#define FUZZ_FAKE_HTTP_H

/*
 * Stands in for libmicrohttpd, without a network: asks for the page in both formats, and for what
 * is not there, and prints the one of Prometheus's format. Nothing if nobody serves, or there is no
 * page but the one before.
 */
void fake_http_ask(void);

#endif
