/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_METRICS_HTTP_H
#define LC_METRICS_HTTP_H

#include <stdbool.h>

/*
 * Serves a page at /metrics, in two formats as Prometheus asks for; by threads of its own. What
 * clients send steers nothing else, and is bounded.
 */
struct http;

/* Whether it is ADDRESS:PORT, with the address of IPv6 in brackets; a name is none. */
bool http_looks_valid(const char *listen);
/* NULL after an error was printed. Says where it listens, also if the port was 0. */
struct http *http_start(const char *listen);
/* From now on that is the page: @text in format 0.0.4, @openmetrics. Takes both. */
void http_show(struct http *h, char *text, char *openmetrics);
void http_stop(struct http *h);

#endif
