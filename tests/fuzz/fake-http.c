/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <microhttpd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "check-output.h"
#include "fake-http.h"

/* A connection is what it asks, and what it was answered. */
struct MHD_Connection {
	const char *accept;
	unsigned int status;
	struct MHD_Response *answer;
};

struct MHD_Response {
	char *text;
	const char *type;
};

static MHD_AccessHandlerCallback handler;
static void *handler_ctx;
/* There is a page that nobody has asked for yet. */
static bool is_new;

struct MHD_Daemon *MHD_start_daemon(unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback apc,
				    void *apc_ctx, MHD_AccessHandlerCallback dh, void *dh_ctx, ...)
{
	(void)flags;
	(void)port;
	(void)apc;
	(void)apc_ctx;
	handler = dh;
	handler_ctx = dh_ctx;
	return (struct MHD_Daemon *)&handler;
}

void MHD_stop_daemon(struct MHD_Daemon *daemon)
{
	(void)daemon;
	handler = NULL;
}

const union MHD_DaemonInfo *MHD_get_daemon_info(struct MHD_Daemon *daemon,
						enum MHD_DaemonInfoType type, ...)
{
	(void)daemon;
	(void)type;
	return NULL;
}

const union MHD_ConnectionInfo *MHD_get_connection_info(struct MHD_Connection *c,
							enum MHD_ConnectionInfoType type, ...)
{
	(void)c;
	(void)type;
	broken("http: a connection is asked for that nobody made");
}

const char *MHD_lookup_connection_value(struct MHD_Connection *c, enum MHD_ValueKind kind,
					const char *key)
{
	return kind == MHD_HEADER_KIND && !strcmp(key, "Accept") ? c->accept : NULL;
}

struct MHD_Response *MHD_create_response_from_buffer(size_t size, void *text,
						     enum MHD_ResponseMemoryMode mode)
{
	struct MHD_Response *r = xcalloc(1, sizeof(*r));

	if (mode != MHD_RESPMEM_MUST_FREE || strlen(text) != size)
		broken("http: a page is not the text that it was given");
	r->text = text;
	is_new = true;
	return r;
}

enum MHD_Result MHD_add_response_header(struct MHD_Response *r, const char *header,
					const char *content)
{
	(void)header;
	r->type = content;
	return MHD_YES;
}

void MHD_destroy_response(struct MHD_Response *r)
{
	free(r->text);
	free(r);
}

enum MHD_Result MHD_queue_response(struct MHD_Connection *c, unsigned int status,
				   struct MHD_Response *r)
{
	c->status = status;
	c->answer = r;
	return MHD_YES;
}

static const char *ask(const char *method, const char *url, const char *accept, unsigned int status,
		       const char *type)
{
	struct MHD_Connection c = {.accept = accept};
	void *state = NULL;
	size_t size = 0;

	if (handler(handler_ctx, &c, url, method, "HTTP/1.1", NULL, &size, &state) != MHD_YES ||
	    c.status != status || strncmp(c.answer->type, type, strlen(type)))
		broken("http: the answer is another one. status=%u wanted=%u", c.status, status);
	return c.answer->text;
}

/* One text, with its end. */
static void check_openmetrics(const char *text)
{
	static const char end[] = "# EOF\n";
	size_t len = strlen(text);

	check_text("openmetrics", text, len);
	if (len < strlen(end) || strcmp(text + len - strlen(end), end))
		broken("http: OpenMetrics without its end");
	check_metrics(text);
}

void fake_http_ask(void)
{
	if (!handler || !is_new)
		return;
	is_new = false;
	fputs(ask("GET", "/metrics", NULL, MHD_HTTP_OK, "text/plain; version=0.0.4"), stdout);
	check_openmetrics(ask("HEAD", "/metrics", "application/openmetrics-text;version=1.0.0,*/*",
			      MHD_HTTP_OK, "application/openmetrics-text"));
	ask("GET", "/", NULL, MHD_HTTP_NOT_FOUND, "text/plain");
	ask("POST", "/metrics", NULL, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain");
}
