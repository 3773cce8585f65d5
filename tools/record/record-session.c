/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <dlfcn.h>
#include <errno.h>
#include <lttng/destruction-handle.h>
#include <lttng/lttng.h>
#include <lttng/session-descriptor.h>
#include <lttng/snapshot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "record-events.h"
#include "record.h"
#include "base/text.h"
#include "base/util.h"

#define PREFIX	       "lttng-containers-"
#define CHANNEL	       "containers"
#define NAMES_CHANNEL  "names"
/* Names come by the dozen, at most. */
#define NAMES_SUBBUF   65536
#define NAMES_NUM      4
#define STACKS_CHANNEL "samples"
/* A sample has at most 2 KiB, mostly a tenth of that: for each CPU some seconds at 99 Hz, at least.
 */
#define STACKS_SUBBUF  262144
#define STACKS_NUM     8
/* With those of tasks that begin to wait. */
#define WAITS_NUM      32
/* And for each of these waits one that ends it. */
#define WAKEUPS_NUM    64
/* What was recorded is on the disk a second later, should the machine or a daemon die. */
#define SWITCH_US      1000000
#define STOP_LIMIT_S   60

static int failed(const char *what, int code)
{
	return error("%s reason=\"%s\"", what, lttng_strerror(code < 0 ? code : -code));
}

static uint64_t power_of_2(uint64_t n)
{
	uint64_t p = 1;

	while (p * 2 <= n)
		p *= 2;
	return p;
}

static uint64_t num_stacks(const struct record_options *opt)
{
	return opt->wakeup ? WAKEUPS_NUM : opt->off_cpu ? WAITS_NUM : STACKS_NUM;
}

int session_size(struct record_options *opt, uint64_t *buffers)
{
	unsigned int cpus = host_cpus();
	/* A 64th of the memory, at most 16 MiB for each CPU. */
	uint64_t each = host_memory() / 64 / cpus, floor = 512u << 10, limit = 16u << 20;

	each = each < floor ? floor : each > limit ? limit : each;
	if (!opt->num_subbuf)
		opt->num_subbuf = 16;
	if (!opt->subbuf_size)
		opt->subbuf_size = power_of_2(each / opt->num_subbuf);
	/* The tracer refuses less than a page, which is 16K or 64K on some arm64 and ppc64 kernels.
	 */
	if (opt->subbuf_size < host_page())
		opt->subbuf_size = host_page();
	each = NAMES_SUBBUF * NAMES_NUM + (opt->stacks_hz ? STACKS_SUBBUF * num_stacks(opt) : 0);
	if (__builtin_mul_overflow(opt->subbuf_size, opt->num_subbuf, buffers) ||
	    __builtin_add_overflow(*buffers, each, buffers) ||
	    __builtin_mul_overflow(*buffers, (uint64_t)cpus, buffers))
		*buffers = UINT64_MAX;
	if (*buffers > host_memory() / 2)
		return error("The buffers would take more than half of the memory; make"
			     " --subbuf-size or --num-subbuf smaller. buffers=%llu memory=%llu",
			     (unsigned long long)*buffers, (unsigned long long)host_memory());
	return 0;
}

/*
 * From 2.15 on lttng-tools record CTF 2 unless asked for 1.8, which all readers
 * know. Before, there is nothing to ask, nor a function to ask with.
 */
static int ask_for_ctf_1_8(struct lttng_session_descriptor *descriptor)
{
	enum { CTF_1_8 = 1 };
	int (*set)(struct lttng_session_descriptor *, int);

	*(void **)&set = dlsym(RTLD_DEFAULT, "lttng_session_descriptor_set_trace_format");
	if (set && set(descriptor, CTF_1_8))
		return error("The trace's format cannot be chosen. format=ctf-1.8");
	return 0;
}

static struct lttng_session_descriptor *describe(const struct session *s, const char *net,
						 const char *path)
{
	if (s->live_us)
		return lttng_session_descriptor_live_network_create(s->name, net, NULL, s->live_us);
	if (s->snapshot)
		return net ? lttng_session_descriptor_snapshot_network_create(s->name, net, NULL)
			   : lttng_session_descriptor_snapshot_local_create(s->name, path);
	return net ? lttng_session_descriptor_network_create(s->name, net, NULL)
		   : lttng_session_descriptor_local_create(s->name, path);
}

static int create(struct session *s, const char *net, const char *path)
{
	struct lttng_session_descriptor *descriptor = describe(s, net, path);
	enum lttng_error_code code;

	if (!descriptor && net) {
		char *safe = text_escape(net);

		error("The URL cannot be understood; give net://HOST or net6://HOST. url=%s", safe);
		free(safe);
		return -1;
	}
	if (!descriptor)
		return error("The recording session cannot be described.");
	if (ask_for_ctf_1_8(descriptor)) {
		lttng_session_descriptor_destroy(descriptor);
		return -1;
	}
	code = lttng_create_session_ext(descriptor);
	lttng_session_descriptor_destroy(descriptor);
	if (code != LTTNG_OK)
		return failed(net ? "The recording session cannot be made; does lttng-relayd run"
				    " there?"
				  : "The recording session cannot be made.",
			      (int)code);
	s->created = true;
	return 0;
}

static int enable_channel(struct session *s, const char *name, uint64_t subbuf_size,
			  uint64_t num_subbuf)
{
	struct lttng_domain domain = {.type = LTTNG_DOMAIN_KERNEL, .buf_type = LTTNG_BUFFER_GLOBAL};
	struct lttng_channel *channel = lttng_channel_create(&domain);
	int code;

	if (!channel)
		return error("The channel cannot be made. channel=%s", name);
	snprintf(channel->name, sizeof(channel->name), "%s", name);
	channel->enabled = 1;
	channel->attr.overwrite = s->snapshot;
	channel->attr.subbuf_size = subbuf_size;
	channel->attr.num_subbuf = num_subbuf;
	/*
	 * A flight recorder's sub-buffers are too good to be given up half full; a live
	 * session has a timer of its own.
	 */
	channel->attr.switch_timer_interval = s->snapshot || s->live_us ? 0 : SWITCH_US;
	if (s->snapshot)
		channel->attr.output = LTTNG_EVENT_MMAP;
	code = lttng_enable_channel(s->handle, channel);
	lttng_channel_destroy(channel);
	return code < 0 ? failed("The channel's buffers cannot be made; make --subbuf-size or"
				 " --num-subbuf smaller if memory is short.",
				 code)
			: 0;
}

/* Returns 0, or a negative error of lttng, unprinted. */
static int try_event(struct session *s, const char *channel, const char *name,
		     enum lttng_event_type type, const char *filter)
{
	struct lttng_event *event = lttng_event_create();
	int code;

	if (!event)
		return -LTTNG_ERR_NOMEM;
	event->type = type;
	event->loglevel_type = LTTNG_EVENT_LOGLEVEL_ALL;
	event->loglevel = -1;
	snprintf(event->name, sizeof(event->name), "%s", name);
	code = lttng_enable_event_with_exclusions(s->handle, event, channel, filter, 0, NULL);
	lttng_event_destroy(event);
	return code;
}

static int enable_event(struct session *s, const char *channel, const char *name,
			enum lttng_event_type type)
{
	int code = try_event(s, channel, name, type, NULL);

	return code < 0 ? error("The event cannot be enabled. event=%s reason=\"%s\"", name,
				lttng_strerror(code))
			: 0;
}

/* An event that is never told says that nobody was throttled. */
static bool is_of_throttling(const char *name)
{
	return !strncmp(name, "cgroup_throttle_", strlen("cgroup_throttle_"));
}

static int enable_events(struct session *s, const struct record_options *opt)
{
	struct lttng_event *offered = NULL;
	int nr = lttng_list_tracepoints(s->handle, &offered), i, result = 0;

	if (nr < 0)
		return failed("The kernel's events cannot be listed; are the modules loaded, and"
			      " is the session daemon root's?",
			      nr);
	events_tell_missing(offered, (size_t)nr, opt->why);
	s->tells_throttling = event_is_offered(offered, (size_t)nr, "cgroup_throttle_begin") &&
			      !modules_are_switched_off();
	for (i = 0; i < nr && !result; i++)
		if (event_is_wanted(offered, (size_t)nr, offered[i].name, opt->why) &&
		    (s->tells_throttling || !is_of_throttling(offered[i].name)))
			result = enable_event(s, CHANNEL, offered[i].name, LTTNG_EVENT_TRACEPOINT);
	free(offered);
	if (!result && opt->syscalls)
		result = enable_event(s, CHANNEL, "*", LTTNG_EVENT_SYSCALL);
	return result;
}

/*
 * Everybody may write to /proc/lttng-logger. The kernel lets only this process's
 * lines pass, so that nobody can fill the channel; readers trust no other's, and
 * after our death, when the pid may be another's, nobody's.
 */
static int enable_logger(struct session *s)
{
	char filter[64];
	int code;

	/* Of the user the kernel's filters do not know; one that asks for it lets nothing pass. */
	snprintf(filter, sizeof(filter), "$ctx.pid == %d", (int)getpid());
	code = try_event(s, NAMES_CHANNEL, "lttng_logger", LTTNG_EVENT_TRACEPOINT, filter);
	if (code >= 0)
		return 0;
	note("The kernel cannot filter what processes write to /proc/lttng-logger; names of"
	     " containers may be lost if one writes much. reason=\"%s\"",
	     lttng_strerror(code));
	return enable_event(s, NAMES_CHANNEL, "lttng_logger", LTTNG_EVENT_TRACEPOINT);
}

static int enable_names(struct session *s)
{
	static const enum lttng_event_context_type wanted[] = {
		LTTNG_EVENT_CONTEXT_PID, LTTNG_EVENT_CONTEXT_UID, LTTNG_EVENT_CONTEXT_PID_NS};
	size_t i;

	if (enable_logger(s))
		return -1;
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct lttng_event_context context = {.ctx = wanted[i]};
		int code = lttng_add_context(s->handle, &context, NULL, NAMES_CHANNEL);

		if (code < 0)
			return failed("A context of the names cannot be added.", code);
	}
	return 0;
}

static int add_stack(struct session *s, enum lttng_event_context_type type)
{
	struct lttng_event_context context = {.ctx = type};

	return lttng_add_context(s->handle, &context, NULL, STACKS_CHANNEL);
}

/* Modules of before may be loaded; the tracer waits for others without a word. */
static int check_offered(struct session *s, const char *name)
{
	struct lttng_event *offered = NULL;
	int nr = lttng_list_tracepoints(s->handle, &offered);
	bool there = nr > 0 && event_is_offered(offered, (size_t)nr, name);

	free(offered);
	return there ? 0
		     : error("The modules that are loaded do not have the event; load those of"
			     " this version. event=%s",
			     name);
}

/* Of tasks that begin to wait; who is preempted is found by samples, and often. */
static int enable_switches(struct session *s)
{
	int code;

	if (check_offered(s, "profile_switch"))
		return -1;
	code = try_event(s, STACKS_CHANNEL, "profile_switch", LTTNG_EVENT_TRACEPOINT,
			 "runnable == 0");

	return code < 0 ? failed("Stacks of tasks that begin to wait cannot be recorded.", code)
			: 0;
}

/* A channel of its own, as a context is of all events of a channel. */
static int enable_stacks(struct session *s, const struct record_options *opt)
{
	int code;

	if (enable_channel(s, STACKS_CHANNEL, STACKS_SUBBUF, num_stacks(opt)))
		return -1;
	code = add_stack(s, LTTNG_EVENT_CONTEXT_CALLSTACK_KERNEL);
	if (code < 0)
		return failed("Stacks of the kernel cannot be recorded.", code);
	code = add_stack(s, LTTNG_EVENT_CONTEXT_CALLSTACK_USER);
	if (code < 0)
		note("Stacks of programs cannot be recorded, as the tracer knows them on x86 only."
		     " reason=\"%s\"",
		     lttng_strerror(code));
	if (enable_event(s, STACKS_CHANNEL, "profile_sample", LTTNG_EVENT_TRACEPOINT))
		return -1;
	if (opt->off_cpu && enable_switches(s))
		return -1;
	if (!opt->wakeup)
		return 0;
	return check_offered(s, "profile_waking")
		       ? -1
		       : enable_event(s, STACKS_CHANNEL, "profile_waking", LTTNG_EVENT_TRACEPOINT);
}

int session_choose_name(struct session *s)
{
	uint32_t random;

	if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return error("There are no random numbers. reason=%s", strerror(errno));
	snprintf(s->name, sizeof(s->name), PREFIX "%d-%u-%08x", (int)getpid(),
		 (unsigned int)getuid(), random);
	return 0;
}

int session_create(struct session *s, const struct record_options *opt, const char *path)
{
	struct lttng_domain domain = {.type = LTTNG_DOMAIN_KERNEL, .buf_type = LTTNG_BUFFER_GLOBAL};

	s->snapshot = opt->snapshot;
	s->live_us = opt->live_us;
	if (create(s, opt->net, path))
		return -1;
	s->handle = lttng_create_handle(s->name, &domain);
	if (!s->handle)
		return error("The recording session cannot be used.");
	if (enable_channel(s, CHANNEL, opt->subbuf_size, opt->num_subbuf) ||
	    enable_channel(s, NAMES_CHANNEL, NAMES_SUBBUF, NAMES_NUM))
		return -1;
	if (enable_events(s, opt) || enable_names(s))
		return -1;
	return opt->stacks_hz ? enable_stacks(s, opt) : 0;
}

int session_start(struct session *s)
{
	int code = lttng_start_tracing(s->name);

	if (code < 0)
		return failed("The recording cannot be started.", code);
	s->started = true;
	return 0;
}

int session_loss(const struct session *s, struct loss *loss)
{
	struct lttng_channel *channels = NULL;
	int nr = lttng_list_channels(s->handle, &channels), i;

	if (nr < 0)
		return nr;
	*loss = (struct loss){0};
	for (i = 0; i < nr; i++) {
		uint64_t n = 0;

		if (!lttng_channel_get_discarded_event_count(&channels[i], &n))
			loss->events += n;
		/* A flight recorder overwrites; that is no loss. */
		n = 0;
		if (!s->snapshot && !lttng_channel_get_lost_packet_count(&channels[i], &n))
			loss->packets += n;
	}
	free(channels);
	return 0;
}

int session_dump_again(struct session *s)
{
	int code = lttng_regenerate_statedump(s->name);

	return code < 0 ? failed("The state dump cannot be repeated.", code) : 0;
}

int session_snapshot(struct session *s)
{
	int code;

	/* The first state dump may have been overwritten long ago. */
	session_dump_again(s);
	code = lttng_snapshot_record(s->name, NULL, 1);
	return code < 0 ? failed("The snapshot cannot be written.", code) : 0;
}

/* Returns 0 once all is written. A second signal ends the patience. */
static int await_data(struct session *s, struct signals *sig)
{
	uint64_t limit = now_ns() + STOP_LIMIT_S * NS_PER_SEC;
	int first = sig->stop, pending;

	sig->stop = 0;
	while ((pending = lttng_data_pending(s->name)) == 1 && now_ns() < limit &&
	       !signals_take(sig))
		sleep_ms(20);
	if (first)
		sig->stop = first;
	return pending ? -1 : 0;
}

int session_stop(struct session *s, struct signals *sig)
{
	int code;

	if (!s->started)
		return 0;
	s->started = false;
	code = lttng_stop_tracing_no_wait(s->name);
	if (code < 0 && code != -LTTNG_ERR_TRACE_ALREADY_STOPPED)
		return failed("The recording cannot be stopped.", code);
	return s->snapshot ? 0 : await_data(s, sig);
}

void session_destroy(struct session *s)
{
	struct lttng_destruction_handle *destruction = NULL;
	enum lttng_error_code code;

	if (s->created) {
		code = lttng_destroy_session_ext(s->name, &destruction);
		if (code == LTTNG_OK)
			lttng_destruction_handle_wait_for_completion(destruction,
								     STOP_LIMIT_S * 1000);
		else if (code != LTTNG_ERR_SESS_NOT_FOUND && code != LTTNG_ERR_NO_SESSIOND)
			failed("The recording session cannot be removed; use lttng destroy.",
			       (int)code);
		lttng_destruction_handle_destroy(destruction);
	}
	s->created = false;
	if (s->handle)
		lttng_destroy_handle(s->handle);
	s->handle = NULL;
}

bool session_remove(const struct session *s)
{
	struct lttng_destruction_handle *destruction = NULL;
	enum lttng_error_code code = lttng_destroy_session_ext(s->name, &destruction);

	if (code == LTTNG_OK)
		lttng_destruction_handle_wait_for_completion(destruction, STOP_LIMIT_S * 1000);
	lttng_destruction_handle_destroy(destruction);
	return code == LTTNG_OK || code == LTTNG_ERR_NO_SESSIOND;
}

int sessions_of_others(const char *own)
{
	struct lttng_session *all = NULL;
	int nr = lttng_list_sessions(&all), others = 0, i;

	for (i = 0; i < nr; i++)
		if ((all[i].enabled || !strncmp(all[i].name, PREFIX, strlen(PREFIX))) &&
		    strcmp(all[i].name, own))
			others++;
	free(all);
	return nr < 0 ? nr : others;
}
