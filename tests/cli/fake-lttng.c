/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/*
 * Preloaded, it stands for a session daemon that answers everything, and records nothing; what it
 * is to do besides is told by the environment:
 *
 *   FAKE_TRACE=DIR   copies to DIR/kernel, when tracing starts, what is in FAKE_FROM
 *   FAKE_DEAD=1      from when tracing is stopped the consumer daemon is dead
 *   FAKE_DISK=1      what is written to a file never reaches the disk
 *   FAKE_SHOT=DIR    a snapshot is an empty directory in DIR/.new
 *   FAKE_FLOOD=1     at any time some task has waited for a CPU for long
 *   FAKE_RARE=N      every Nth of them is one of the host's
 *   FAKE_COMM=NAME   which has that name
 */
#include <errno.h>
/* Its handle is const from lttng-tools 2.16 on. */
#define lttng_list_channels declared_otherwise
#include <lttng/lttng.h>
#undef lttng_list_channels
#include <lttng/snapshot.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int is_stopped;

int fsync(int fd)
{
	struct stat st;

	if (!getenv("FAKE_DISK") || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	errno = EIO;
	return -1;
}

int lttng_session_daemon_alive(void)
{
	return 1;
}

enum lttng_error_code lttng_create_session_ext(struct lttng_session_descriptor *session)
{
	(void)session;
	return LTTNG_OK;
}

int lttng_enable_channel(struct lttng_handle *handle, struct lttng_channel *channel)
{
	(void)handle;
	(void)channel;
	return 0;
}

int lttng_enable_event_with_exclusions(struct lttng_handle *handle, struct lttng_event *ev,
				       const char *channel, const char *filter, int nr,
				       char **names)
{
	(void)handle;
	(void)ev;
	(void)channel;
	(void)filter;
	(void)nr;
	(void)names;
	return 0;
}

int lttng_add_context(struct lttng_handle *handle, struct lttng_event_context *ctx,
		      const char *event, const char *channel)
{
	(void)handle;
	(void)ctx;
	(void)event;
	(void)channel;
	return 0;
}

int lttng_list_tracepoints(struct lttng_handle *handle, struct lttng_event **events)
{
	(void)handle;
	*events = calloc(1, sizeof(**events));
	if (!*events)
		return -LTTNG_ERR_NOMEM;
	strcpy((*events)->name, "sched_switch");
	return 1;
}

int lttng_start_tracing(const char *name)
{
	char command[4096];

	(void)name;
	if (!getenv("FAKE_TRACE"))
		return 0;
	/* Not the same preloaded. */
	snprintf(command, sizeof(command), "LD_PRELOAD= mkdir '%s/kernel' && cp '%s'/* '%s/kernel'",
		 getenv("FAKE_TRACE"), getenv("FAKE_FROM"), getenv("FAKE_TRACE"));
	return system(command) ? -LTTNG_ERR_FATAL : 0;
}

int lttng_snapshot_record(const char *name, struct lttng_snapshot_output *output, int wait)
{
	char path[4096];

	(void)name;
	(void)output;
	(void)wait;
	if (!getenv("FAKE_SHOT"))
		return -LTTNG_ERR_UNK;
	snprintf(path, sizeof(path), "%s/.new", getenv("FAKE_SHOT"));
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/.new/shot", getenv("FAKE_SHOT"));
	return mkdir(path, 0700) ? -LTTNG_ERR_UNK : 0;
}

int lttng_stop_tracing_no_wait(const char *name)
{
	(void)name;
	is_stopped = 1;
	return 0;
}

int lttng_data_pending(const char *name)
{
	(void)name;
	return 0;
}

int lttng_list_channels(const struct lttng_handle *handle, struct lttng_channel **channels);

int lttng_list_channels(const struct lttng_handle *handle, struct lttng_channel **channels)
{
	(void)handle;
	*channels = NULL;
	return is_stopped && getenv("FAKE_DEAD") ? -LTTNG_ERR_UNK : 0;
}

int lttng_regenerate_statedump(const char *name)
{
	(void)name;
	return 0;
}

enum lttng_error_code lttng_destroy_session_ext(const char *name,
						struct lttng_destruction_handle **handle)
{
	(void)name;
	*handle = NULL;
	return LTTNG_ERR_SESS_NOT_FOUND;
}

/* ---- who waits too long ---------------------------------------------------- */

enum lttng_error_code lttng_register_trigger_with_name(struct lttng_trigger *trigger,
						       const char *name)
{
	(void)trigger;
	(void)name;
	return LTTNG_OK;
}

enum lttng_error_code lttng_list_triggers(struct lttng_triggers **triggers)
{
	*triggers = NULL;
	return LTTNG_ERR_UNK;
}

/* What nobody looks into. */
static char some, rare;

/* The initial PID namespace, PROC_PID_INIT_INO of the kernel's proc_ns.h. */
#define HOST_PID_NS 0xEFFFFFFCu

struct lttng_notification_channel *
lttng_notification_channel_create(struct lttng_endpoint *endpoint)
{
	(void)endpoint;
	return (struct lttng_notification_channel *)&some;
}

void lttng_notification_channel_destroy(struct lttng_notification_channel *channel)
{
	(void)channel;
}

enum lttng_notification_channel_status
lttng_notification_channel_subscribe(struct lttng_notification_channel *channel,
				     const struct lttng_condition *condition)
{
	(void)channel;
	(void)condition;
	return LTTNG_NOTIFICATION_CHANNEL_STATUS_OK;
}

enum lttng_notification_channel_status
lttng_notification_channel_has_pending_notification(struct lttng_notification_channel *channel,
						    bool *pending)
{
	(void)channel;
	*pending = getenv("FAKE_FLOOD");
	return LTTNG_NOTIFICATION_CHANNEL_STATUS_OK;
}

enum lttng_notification_channel_status
lttng_notification_channel_get_next_notification(struct lttng_notification_channel *channel,
						 struct lttng_notification **notification)
{
	const char *every = getenv("FAKE_RARE");
	static unsigned long nr;

	(void)channel;
	*notification = (struct lttng_notification *)(every && ++nr % strtoul(every, NULL, 10) == 0
							      ? &rare
							      : &some);
	return LTTNG_NOTIFICATION_CHANNEL_STATUS_OK;
}

void lttng_notification_destroy(struct lttng_notification *notification)
{
	(void)notification;
}

const struct lttng_evaluation *
lttng_notification_get_evaluation(struct lttng_notification *notification)
{
	return (const struct lttng_evaluation *)notification;
}

enum lttng_evaluation_event_rule_matches_status
lttng_evaluation_event_rule_matches_get_captured_values(
	const struct lttng_evaluation *evaluation, const struct lttng_event_field_value **values)
{
	*values = (const struct lttng_event_field_value *)evaluation;
	return LTTNG_EVALUATION_EVENT_RULE_MATCHES_STATUS_OK;
}

enum lttng_event_field_value_status
lttng_event_field_value_array_get_element_at_index(const struct lttng_event_field_value *array,
						   unsigned int at,
						   const struct lttng_event_field_value **value)
{
	(void)at;
	*value = array;
	return LTTNG_EVENT_FIELD_VALUE_STATUS_OK;
}

enum lttng_event_field_value_status
lttng_event_field_value_unsigned_int_get_value(const struct lttng_event_field_value *value,
					       uint64_t *number)
{
	*number = (const char *)value == &rare ? HOST_PID_NS : 3000000000;
	return LTTNG_EVENT_FIELD_VALUE_STATUS_OK;
}

enum lttng_event_field_value_status
lttng_event_field_value_string_get_value(const struct lttng_event_field_value *value,
					 const char **text)
{
	(void)value;
	*text = getenv("FAKE_COMM") ? getenv("FAKE_COMM") : "late";
	return LTTNG_EVENT_FIELD_VALUE_STATUS_OK;
}
