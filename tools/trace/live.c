/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <babeltrace2/babeltrace.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/command.h"
#include "messages.h"
#include "live.h"
#include "base/memory.h"
#include "reader-graph.h"
#include "base/text.h"
#include "base/util.h"

/* The library does not tell when to ask again. */
#define PAUSE_MS   50
/* A session that is started again, or one of the same name, is another trace. */
#define TRACES_MAX 64
/* What a session may take: as if the files of a trace were that large. */
#define LIVE_BYTES (64 << 20)

struct live {
	struct reader *reader;
	const struct live_session *session;
	const struct live_callbacks *cb;
	struct messages messages;
	const bt_trace *seen[TRACES_MAX];
	bt_graph *graph;
	const bt_plugin *ctf;
	bt_message_iterator *iterator;
	uint64_t now;
};

static volatile sig_atomic_t stopped;
/* The relay daemon is asked for its sessions: the library lets nothing interrupt that. */
static volatile sig_atomic_t asking;
/* Ends the library's waiting. */
static bt_interrupter *volatile interrupter;

/* How many seconds the library has to heed who asks it to end. */
#define HEED_S 5
/* How much time of a CPU it may take for what it has got at one time, s. */
#define BUSY_S 30

/* From a handler of signals. Nothing needs to be undone. */
static _Noreturn void leave(const char *said)
{
	if (write(STDERR_FILENO, said, strlen(said)) < 0)
		_exit(EXIT_TROUBLE);
	_exit(EXIT_TROUBLE);
}

static _Noreturn void leave_busy(void)
{
	leave("lttng-containers: What the relay daemon has sent keeps libbabeltrace2 busy without"
	      " end; nothing more can be told of the session.\n");
}

/* Of the thread that reads: others of the process, as who serves pages, work for others. */
static clockid_t reader_clock;
static volatile uint64_t busy_from;
static volatile sig_atomic_t is_limited;

static uint64_t reader_ns(void)
{
	struct timespec ts = {0};

	clock_gettime(reader_clock, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

static void set_timer(unsigned int seconds)
{
	const struct itimerval limit = {.it_value.tv_sec = seconds};

	setitimer(ITIMER_PROF, &limit, NULL);
}

/* The library reads some metadata without end (2.0.4). */
static void limit_busy(unsigned int seconds)
{
	is_limited = seconds != 0;
	busy_from = reader_ns();
	set_timer(seconds);
}

/* The timer counts the time of all threads: it may come too early. */
static void on_busy(int sig)
{
	uint64_t took = (reader_ns() - busy_from) / NS_PER_SEC;

	(void)sig;
	if (!is_limited)
		return;
	if (took >= BUSY_S)
		leave_busy();
	set_timer((unsigned int)(BUSY_S - took));
}

/*
 * Asks the library to end what it does, and again each second: a signal that
 * comes just before it waits for the relay daemon does not wake it. Where it is not heeded for some
 * seconds the process ends.
 */
void live_stop(int sig)
{
	static volatile sig_atomic_t seconds;

	if (asking)
		leave("lttng-containers: Stopped before the relay daemon had answered.\n");
	if (sig == SIGALRM && stopped && ++seconds > HEED_S)
		leave_busy();
	stopped = 1;
	if (!interrupter)
		return;
	bt_interrupter_set(interrupter);
	alarm(1);
}

bool live_stopped(void)
{
	return stopped;
}

void live_session_free(struct live_session *s)
{
	free(s->url);
	free(s->hostname);
	free(s->name);
	*s = (struct live_session){0};
}

/* The causes from the first one on; the library's later ones tell of its own parts. */
static char *library_reason(void)
{
	const bt_error *err = bt_current_thread_take_error();
	char *why = text_escape(
		err && bt_error_get_cause_count(err)
			? bt_error_cause_get_message(bt_error_borrow_cause_by_index(err, 0))
			: "no reason given");

	if (err)
		bt_error_release(err);
	return why;
}

static int library_error(const char *what, const char *url)
{
	char *why = library_reason(), *safe = text_escape(url);

	error("%s url=%s reason=\"%s\"", what, safe, why);
	free(why);
	free(safe);
	return -1;
}

static const bt_component_class_source *live_class(const bt_plugin **ctf)
{
	const bt_component_class_source *cls = NULL;

	if (bt_plugin_find("ctf", BT_TRUE, BT_TRUE, BT_TRUE, BT_TRUE, BT_FALSE, ctf) ==
	    BT_PLUGIN_FIND_STATUS_OK)
		cls = bt_plugin_borrow_source_component_class_by_name_const(*ctf, "lttng-live");
	if (!cls)
		error("libbabeltrace2 cannot read live sessions. missing=source.ctf.lttng-live");
	return cls;
}

static const char *map_text(const bt_value *map, const char *key)
{
	const bt_value *v = bt_value_map_borrow_entry_value_const(map, key);

	return v && bt_value_is_string(v) ? bt_value_string_get(v) : "";
}

static uint64_t map_number(const bt_value *map, const char *key)
{
	const bt_value *v = bt_value_map_borrow_entry_value_const(map, key);

	if (v && bt_value_is_unsigned_integer(v))
		return bt_value_integer_unsigned_get(v);
	return v && bt_value_is_signed_integer(v) ? (uint64_t)bt_value_integer_signed_get(v) : 0;
}

/* The sessions of a relay daemon; NULL after an error was printed. */
static const bt_value *ask_sessions(const bt_component_class_source *cls, const char *url)
{
	bt_value *params = bt_value_map_create();
	bt_query_executor *query = NULL;
	const bt_value *sessions = NULL;

	if (params && !bt_value_map_insert_string_entry(params, "url", url))
		query = bt_query_executor_create(
			bt_component_class_source_as_component_class_const(cls), "sessions",
			params);
	if (!query || bt_query_executor_query(query, &sessions) || !bt_value_is_array(sessions))
		library_error("No lttng-relayd answers there; does it run, and is its port for"
			      " viewers (5344) open?",
			      url);
	bt_query_executor_put_ref(query);
	bt_value_put_ref(params);
	return sessions;
}

static void tell_sessions(const bt_value *sessions, const char *url)
{
	uint64_t i;

	for (i = 0; i < bt_value_array_get_length(sessions); i++) {
		const bt_value *one = bt_value_array_borrow_element_by_index_const(sessions, i);
		char *text = xasprintf("%s/host/%s/%s", url, map_text(one, "target-hostname"),
				       map_text(one, "session-name"));
		char *safe = text_escape(text);

		note("There is: %s%s", safe,
		     map_number(one, "timer-us") ? "" : " (not made to be watched)");
		free(text);
		free(safe);
	}
}

/* The first that fits; @which as for live_find(), what is behind the host, or "". */
static const bt_value *pick(const bt_value *sessions, const char *which, size_t *nr)
{
	const bt_value *found = NULL;
	uint64_t i;

	*nr = 0;
	for (i = 0; i < bt_value_array_get_length(sessions); i++) {
		const bt_value *one = bt_value_array_borrow_element_by_index_const(sessions, i);
		char *path = xasprintf("/host/%s/%s", map_text(one, "target-hostname"),
				       map_text(one, "session-name"));
		bool fits = *which ? !strcmp(which, path) : map_number(one, "timer-us") > 0;

		free(path);
		if (!fits)
			continue;
		/* One that has ended may still be there beside another one of its name. */
		if (!found || map_number(one, "timer-us"))
			found = one;
		++*nr;
	}
	return found;
}

static int find_in(const bt_value *sessions, const char *url, const char *which,
		   struct live_session *s)
{
	size_t nr;
	const bt_value *one = pick(sessions, which, &nr);
	char *safe = text_escape(url);

	if (!one && *which)
		error("The relay daemon has no such session. url=%s", safe);
	else if (!one)
		error("Nothing is recorded there that could be watched; record with"
		      " lttng-containers record --live --net, or lttng create --live. url=%s",
		      safe);
	else if (!*which && nr > 1)
		error("There are several sessions; give one of them. url=%s", safe);
	else if (map_number(one, "client-count"))
		error("Somebody watches the session already; lttng-relayd lets only one at a"
		      " time. url=%s",
		      safe);
	else if (!map_number(one, "timer-us"))
		error("The session was not made to be watched; record with lttng-containers record"
		      " --live, or lttng create --live. url=%s",
		      safe);
	else
		*s = (struct live_session){
			.hostname = xstrdup(map_text(one, "target-hostname")),
			.name = xstrdup(map_text(one, "session-name")),
			.period_us = map_number(one, "timer-us"),
		};
	free(safe);
	return s->name ? 0 : -1;
}

bool live_looks_valid(const char *text)
{
	static const char *const schemes[] = {"net://", "net4://", "net6://"};
	size_t i, len, slashes = 0;
	const char *path;

	for (i = 0; i < ARRAY_SIZE(schemes); i++) {
		len = strlen(schemes[i]);
		if (strncmp(text, schemes[i], len) != 0)
			continue;
		path = text + len + strcspn(text + len, "/");
		if (path == text + len)
			return false;
		if (!*path || !path[1])
			return true;
		for (text = path; *path; path++)
			slashes += *path == '/';
		return !strncmp(text, "/host/", 6) && slashes == 3 && path[-1] != '/';
	}
	return false;
}

/* What is behind the host, or "". */
static const char *which_of(const char *text)
{
	const char *host = strstr(text, "://"), *which = host ? strchr(host + 3, '/') : NULL;

	return which && which[1] ? which : "";
}

/* The relay daemon alone; the caller frees it. */
static char *relay_of(const char *text)
{
	const char *host = strstr(text, "://") + 3;

	return xasprintf("%.*s", (int)(strcspn(host, "/") + (size_t)(host - text)), text);
}

bool live_names_session(const char *text)
{
	return *which_of(text);
}

int live_list(const char *text, void (*each)(void *ctx, const struct live_session *s), void *ctx)
{
	const bt_component_class_source *cls;
	const bt_value *sessions = NULL;
	const bt_plugin *ctf = NULL;
	struct live_session s = {0};
	char *url = relay_of(text);
	uint64_t i;
	int nr = -1;

	asking = 1;
	cls = live_class(&ctf);
	if (cls)
		sessions = ask_sessions(cls, url);
	for (i = 0, nr = sessions ? 0 : -1; sessions && i < bt_value_array_get_length(sessions);
	     i++) {
		const bt_value *one = bt_value_array_borrow_element_by_index_const(sessions, i);

		if (!map_number(one, "timer-us") || map_number(one, "client-count"))
			continue;
		s = (struct live_session){
			.url = url,
			.hostname = (char *)map_text(one, "target-hostname"),
			.name = (char *)map_text(one, "session-name"),
			.period_us = map_number(one, "timer-us"),
		};
		each(ctx, &s);
		nr++;
	}
	s = (struct live_session){0};
	if (!nr && find_in(sessions, url, "", &s))
		tell_sessions(sessions, url);
	bt_value_put_ref(sessions);
	bt_plugin_put_ref(ctf);
	free(url);
	asking = 0;
	return nr;
}

int live_find(const char *text, struct live_session *s)
{
	const char *which = which_of(text);
	const bt_component_class_source *cls;
	const bt_value *sessions = NULL;
	const bt_plugin *ctf = NULL;
	char *url = relay_of(text);
	int ret = -1;

	asking = 1;
	*s = (struct live_session){0};
	cls = live_class(&ctf);
	if (cls)
		sessions = ask_sessions(cls, url);
	if (sessions) {
		ret = find_in(sessions, url, which, s);
		if (ret)
			tell_sessions(sessions, url);
	}
	bt_value_put_ref(sessions);
	bt_plugin_put_ref(ctf);
	if (ret)
		free(url);
	else
		s->url = url;
	return ret;
}

/* Place 0 is that of all that is not the kernel's. */
static struct trace_info *trace_of(void *ctx, const bt_trace *trace)
{
	struct live *v = ctx;
	const bt_value *domain =
		bt_trace_borrow_environment_entry_value_by_name_const(trace, "domain");
	size_t i;

	if (!domain || !bt_value_is_string(domain) ||
	    strcmp(bt_value_string_get(domain), "kernel") != 0)
		return &v->reader->traces[0];
	/* The messages hold their streams, and they hold it: no address is used again. */
	for (i = 1; i < TRACES_MAX - 1 && v->seen[i] && v->seen[i] != trace; i++)
		;
	v->seen[i] = trace;
	return &v->reader->traces[i];
}

static int take_time(struct live *v, const bt_clock_snapshot *clock)
{
	int64_t ns;

	if (bt_clock_snapshot_get_ns_from_origin(clock, &ns) || ns <= 0 || (uint64_t)ns <= v->now)
		return 0;
	v->now = (uint64_t)ns;
	return v->cb->on_time(v->cb->ctx, v->now);
}

static int take(void *data, const bt_message *msg)
{
	struct live *v = data;
	int ret = 0;

	switch (bt_message_get_type(msg)) {
	case BT_MESSAGE_TYPE_EVENT:
		ret = take_time(v, bt_message_event_borrow_default_clock_snapshot_const(msg));
		break;
	case BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY:
		return take_time(
			v, bt_message_message_iterator_inactivity_borrow_clock_snapshot_const(msg));
	default:
		break;
	}
	return ret ? ret : messages_take(&v->messages, msg);
}

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *iterator,
								  void *data)
{
	struct live *v = data;

	limit_busy(BUSY_S);
	return messages_next(&v->messages, iterator, take, v);
}

static bt_value *source_params(const struct live_session *s)
{
	bt_value *params = bt_value_map_create(), *inputs = NULL;
	char *url = xasprintf("%s/host/%s/%s", s->url, s->hostname, s->name);
	bool ok;

	ok = params && !bt_value_map_insert_empty_array_entry(params, "inputs", &inputs) &&
	     !bt_value_array_append_string_element(inputs, url) &&
	     !bt_value_map_insert_string_entry(params, "session-not-found-action", "fail");
	free(url);
	if (ok)
		return params;
	bt_value_put_ref(params);
	return NULL;
}

static int build(struct live *v)
{
	const bt_component_class_source *cls = live_class(&v->ctf);
	const bt_component_source *source = NULL;
	const bt_component_sink *sink = NULL;
	bt_value *params;
	bool ok;

	if (!cls)
		return -1;
	params = source_params(v->session);
	v->graph = bt_graph_create(0);
	ok = v->graph && params &&
	     !bt_graph_add_source_component(v->graph, cls, "live", params, BT_LOGGING_LEVEL_NONE,
					    &source) &&
	     !bt_graph_add_simple_sink_component(v->graph, "sink", NULL, consume, NULL, v, &sink) &&
	     !bt_graph_connect_ports(
		     v->graph, bt_component_source_borrow_output_port_by_index_const(source, 0),
		     bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL);
	bt_value_put_ref(params);
	return ok ? 0 : library_error("The session cannot be watched.", v->session->url);
}

static int run(struct live *v)
{
	bt_graph_run_status status;

	const struct sigaction sa = {.sa_handler = on_busy, .sa_flags = SA_RESTART};

	if (pthread_getcpuclockid(pthread_self(), &reader_clock))
		reader_clock = CLOCK_PROCESS_CPUTIME_ID;
	sigaction(SIGPROF, &sa, NULL);
	interrupter = bt_graph_borrow_default_interrupter(v->graph);
	asking = 0;
	do {
		limit_busy(BUSY_S);
		status = stopped ? BT_GRAPH_RUN_STATUS_OK : bt_graph_run(v->graph);
		/* A signal ends the pause. */
		if (status == BT_GRAPH_RUN_STATUS_AGAIN && !stopped)
			poll(NULL, 0, PAUSE_MS);
	} while (status == BT_GRAPH_RUN_STATUS_AGAIN);
	interrupter = NULL;
	alarm(0);
	limit_busy(0);
	if (status == BT_GRAPH_RUN_STATUS_OK)
		return 0;
	/* Interrupted while it waited for the relay daemon. */
	if (stopped || v->messages.stopped) {
		bt_current_thread_clear_error();
		return v->messages.stopped ? -1 : 0;
	}
	return library_error("The session cannot be watched any longer.", v->session->url);
}

/*
 * Until the process ends: the end of a session's graph says good-bye to the relay daemon, and waits
 * for its answer, which may never come. Nothing interrupts that.
 */
static bt_graph *volatile kept_graph;
static const bt_plugin *volatile kept_plugin;

int live_run(struct reader *r, const struct live_session *s, const struct live_callbacks *cb)
{
	struct live v = {
		.reader = r,
		.session = s,
		.cb = cb,
		.messages = {.teller = {.cb = &cb->reader}, .trace_of = trace_of, .is_live = true},
	};
	size_t i;
	int ret;

	v.messages.ctx = &v;
	r->traces = xcalloc(TRACES_MAX, sizeof(*r->traces));
	for (i = 0; i < TRACES_MAX; i++)
		r->traces[i].path = xasprintf("%s/host/%s/%s", s->url, s->hostname, s->name);
	r->nr_traces = TRACES_MAX;
	memory_limit(LIVE_BYTES);
	graph_guard(true);
	ret = build(&v);
	kept_graph = v.graph;
	kept_plugin = v.ctf;
	if (!ret)
		ret = run(&v);
	messages_free(&v.messages);
	graph_guard(false);
	return ret;
}
