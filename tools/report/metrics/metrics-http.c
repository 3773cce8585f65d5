/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/text.h"
#include "base/util.h"
#include "metrics-clients.h"
#include "metrics-http.h"

/* Without a byte. */
#define TIMEOUT_S 10
#define MEMORY	  (16 * 1024)

#define TYPE_TEXT	 "text/plain; version=0.0.4; charset=utf-8"
#define TYPE_OPENMETRICS "application/openmetrics-text; version=1.0.0; charset=utf-8"

struct http {
	struct MHD_Daemon *daemon;
	struct clients clients; /* its thread's alone */
	pthread_mutex_t lock;	/* of both */
	struct MHD_Response *text, *openmetrics;
	struct MHD_Response *missing, *refused;
};

/* Free with freeaddrinfo(). NULL: it cannot be understood. */
static struct addrinfo *resolve(const char *listen)
{
	static const struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
		.ai_socktype = SOCK_STREAM,
	};
	const char *colon = strrchr(listen, ':');
	struct addrinfo *found = NULL;
	char *host;

	if (!colon || colon == listen || !colon[1])
		return NULL;
	if (*listen == '[' && colon[-1] == ']')
		host = xasprintf("%.*s", (int)(colon - listen - 2), listen + 1);
	else
		host = xasprintf("%.*s", (int)(colon - listen), listen);
	if (getaddrinfo(host, colon + 1, &hints, &found))
		found = NULL;
	free(host);
	return found;
}

bool http_looks_valid(const char *listen)
{
	struct addrinfo *found = resolve(listen);

	if (found)
		freeaddrinfo(found);
	return found;
}

static bool wants_openmetrics(struct MHD_Connection *c)
{
	const char *accept = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Accept");

	return accept && strstr(accept, "application/openmetrics-text");
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *c, const char *url,
				  const char *method, const char *version, const char *data,
				  size_t *size, void **state)
{
	struct http *h = ctx;
	enum MHD_Result ret;

	(void)version;
	(void)data;
	(void)size;
	(void)state;
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return MHD_queue_response(c, MHD_HTTP_METHOD_NOT_ALLOWED, h->refused);
	if (strcmp(url, "/metrics"))
		return MHD_queue_response(c, MHD_HTTP_NOT_FOUND, h->missing);
	pthread_mutex_lock(&h->lock);
	ret = MHD_queue_response(c, MHD_HTTP_OK, wants_openmetrics(c) ? h->openmetrics : h->text);
	pthread_mutex_unlock(&h->lock);
	return ret;
}

/* libmicrohttpd says it after a connection is there, and before it is closed. */
static void on_connection(void *ctx, struct MHD_Connection *c, void **state,
			  enum MHD_ConnectionNotificationCode what)
{
	struct http *h = ctx;
	int fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

	(void)state;
	if (what == MHD_CONNECTION_NOTIFY_CLOSED)
		clients_remove(&h->clients, fd);
	else
		clients_add(&h->clients, fd,
			    MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
				    ->client_addr);
}

/* Takes the text. */
static struct MHD_Response *response(char *text, const char *type)
{
	struct MHD_Response *r =
		MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_MUST_FREE);

	if (r)
		MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	return r;
}

static int say_where(const struct http *h, const char *listen)
{
	const union MHD_DaemonInfo *info =
		MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_BIND_PORT);
	const char *colon = strrchr(listen, ':');

	note("Metrics are served; Ctrl-C ends it. url=http://%.*s:%u/metrics",
	     (int)(colon - listen), listen, info ? info->port : 0);
	return 0;
}

struct http *http_start(const char *listen)
{
	struct addrinfo *at = resolve(listen);
	struct http *h = xcalloc(1, sizeof(*h));
	unsigned int flags = MHD_USE_INTERNAL_POLLING_THREAD;

	pthread_mutex_init(&h->lock, NULL);
	h->missing = response(xstrdup("Metrics are at /metrics\n"), "text/plain");
	h->refused = response(xstrdup("Only GET\n"), "text/plain");
	http_show(h, xstrdup(""), xstrdup("# EOF\n"));
	if (at->ai_family == AF_INET6)
		flags |= MHD_USE_IPv6;
	h->daemon = MHD_start_daemon(
		flags, 0, NULL, NULL, on_request, h, MHD_OPTION_SOCK_ADDR, at->ai_addr,
		MHD_OPTION_CONNECTION_LIMIT, CLIENTS_LIMIT, MHD_OPTION_NOTIFY_CONNECTION,
		on_connection, h, MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_END);
	freeaddrinfo(at);
	if (h->daemon) {
		say_where(h, listen);
		return h;
	}
	error("It is not possible to listen there. listen=%s reason=\"%s\"", listen,
	      strerror(errno));
	http_stop(h);
	return NULL;
}

static void replace(struct MHD_Response **at, struct MHD_Response *by)
{
	if (*at)
		MHD_destroy_response(*at);
	*at = by;
}

void http_show(struct http *h, char *text, char *openmetrics)
{
	struct MHD_Response *plain = response(text, TYPE_TEXT);
	struct MHD_Response *open = response(openmetrics, TYPE_OPENMETRICS);

	pthread_mutex_lock(&h->lock);
	replace(&h->text, plain);
	replace(&h->openmetrics, open);
	pthread_mutex_unlock(&h->lock);
}

void http_stop(struct http *h)
{
	if (!h)
		return;
	if (h->daemon)
		MHD_stop_daemon(h->daemon);
	replace(&h->text, NULL);
	replace(&h->openmetrics, NULL);
	replace(&h->missing, NULL);
	replace(&h->refused, NULL);
	pthread_mutex_destroy(&h->lock);
	free(h);
}
