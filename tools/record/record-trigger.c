/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
/* LTTng 2.16 needs it before its event-field-value.h. */
#include <stddef.h>

#include <inttypes.h>
#include <lttng/action/action.h>
#include <lttng/action/list.h>
#include <lttng/action/notify.h>
#include <lttng/condition/event-rule-matches.h>
#include <lttng/endpoint.h>
#include <lttng/event-expr.h>
#include <lttng/event-field-value.h>
#include <lttng/event-rule/kernel-tracepoint.h>
#include <lttng/lttng.h>
#include <lttng/notification/channel.h>
#include <lttng/notification/notification.h>
#include <lttng/trigger/trigger.h>
#include <stdio.h>
#include <string.h>

#include "record.h"
#include "base/util.h"

/* What is told of each event; read_late() takes it in this order. */
enum {
	CAPTURED_TID,
	CAPTURED_NS_INUM,
	CAPTURED_CGROUP_ID,
	CAPTURED_NS,
	CAPTURED_COMM,
	CAPTURED_IOWAIT,
	NR_CAPTURED
};

static const struct {
	const char *event;
	const char *captured[NR_CAPTURED]; /* names of fields; NULL: it has none */
} watches[] = {
	[WATCHED_DELAY] = {"watch_delay", {"tid", "ns_inum", "cgroup_id", "delay", "comm"}},
	[WATCHED_BLOCKED] = {"watch_blocked",
			     {"tid", "ns_inum", "cgroup_id", "blocked", "comm", "in_iowait"}},
};

static struct lttng_event_rule *make_rule(enum watched what, uint64_t ns)
{
	struct lttng_event_rule *rule = lttng_event_rule_kernel_tracepoint_create();
	char filter[64];

	/* The kernel's threshold may be lower: it is for all who listen. */
	snprintf(filter, sizeof(filter), "%s > %" PRIu64, watches[what].captured[CAPTURED_NS], ns);
	if (rule &&
	    lttng_event_rule_kernel_tracepoint_set_name_pattern(rule, watches[what].event) ==
		    LTTNG_EVENT_RULE_STATUS_OK &&
	    lttng_event_rule_kernel_tracepoint_set_filter(rule, filter) ==
		    LTTNG_EVENT_RULE_STATUS_OK)
		return rule;
	lttng_event_rule_destroy(rule);
	return NULL;
}

static bool capture_all(struct lttng_condition *condition, const char *const captured[])
{
	size_t i;

	for (i = 0; i < NR_CAPTURED && captured[i]; i++) {
		struct lttng_event_expr *field =
			lttng_event_expr_event_payload_field_create(captured[i]);

		/* The condition owns it then. */
		if (!field || lttng_condition_event_rule_matches_append_capture_descriptor(
				      condition, field) != LTTNG_CONDITION_STATUS_OK) {
			lttng_event_expr_destroy(field);
			return false;
		}
	}
	return true;
}

static struct lttng_condition *make_condition(enum watched what, uint64_t ns)
{
	struct lttng_event_rule *rule = make_rule(what, ns);
	struct lttng_condition *condition =
		rule ? lttng_condition_event_rule_matches_create(rule) : NULL;

	lttng_event_rule_destroy(rule);
	if (condition && capture_all(condition, watches[what].captured))
		return condition;
	lttng_condition_destroy(condition);
	error("What to hear of cannot be described; is there memory?");
	return NULL;
}

/* In a list, as lttng's own commands make it: lttng list-triggers (2.13) dies of one that is not.
 */
static struct lttng_action *make_action(void)
{
	struct lttng_action *list = lttng_action_list_create(), *notify;

	notify = list ? lttng_action_notify_create() : NULL;
	if (!notify || lttng_action_list_add_action(list, notify) != LTTNG_ACTION_STATUS_OK) {
		lttng_action_destroy(list);
		list = NULL;
	}
	lttng_action_destroy(notify);
	return list;
}

static int register_it(struct trigger *t, struct lttng_condition *condition)
{
	struct lttng_action *action = make_action();
	struct lttng_trigger *trigger = action ? lttng_trigger_create(condition, action) : NULL;
	enum lttng_error_code code = LTTNG_ERR_NOMEM;

	if (trigger)
		code = lttng_register_trigger_with_name(trigger, t->name);
	t->there = code == LTTNG_OK;
	lttng_trigger_destroy(trigger);
	lttng_action_destroy(action);
	return t->there ? 0
			: error("The session daemon cannot be told what to tell of; lttng-tools"
				" 2.13 or later is needed. reason=\"%s\"",
				lttng_strerror(-(int)code));
}

static int subscribe(struct trigger *t, struct lttng_condition *condition)
{
	t->channel = lttng_notification_channel_create(lttng_session_daemon_notification_endpoint);
	if (t->channel && lttng_notification_channel_subscribe(t->channel, condition) ==
				  LTTNG_NOTIFICATION_CHANNEL_STATUS_OK)
		return 0;
	return error("The session daemon does not tell what it hears of.");
}

int trigger_open(struct trigger *t, const char *session, enum watched what, uint64_t ns)
{
	struct lttng_condition *condition = make_condition(what, ns);
	int result;

	*t = (struct trigger){.what = what};
	snprintf(t->name, sizeof(t->name), "%s-%s", session, watches[what].event);
	if (!condition)
		return -1;
	result = register_it(t, condition) || subscribe(t, condition) ? -1 : 0;
	lttng_condition_destroy(condition);
	return result;
}

static bool take_number(const struct lttng_event_field_value *values, unsigned int at, uint64_t *n)
{
	const struct lttng_event_field_value *value;
	int64_t is_signed;

	if (lttng_event_field_value_array_get_element_at_index(values, at, &value) !=
	    LTTNG_EVENT_FIELD_VALUE_STATUS_OK)
		return false;
	if (lttng_event_field_value_unsigned_int_get_value(value, n) ==
	    LTTNG_EVENT_FIELD_VALUE_STATUS_OK)
		return true;
	if (lttng_event_field_value_signed_int_get_value(value, &is_signed) !=
	    LTTNG_EVENT_FIELD_VALUE_STATUS_OK)
		return false;
	*n = (uint64_t)is_signed;
	return true;
}

static void take_comm(const struct lttng_event_field_value *values, unsigned int at,
		      struct late *late)
{
	const struct lttng_event_field_value *value;
	const char *text = "";

	if (lttng_event_field_value_array_get_element_at_index(values, at, &value) ==
	    LTTNG_EVENT_FIELD_VALUE_STATUS_OK)
		lttng_event_field_value_string_get_value(value, &text);
	snprintf(late->comm, sizeof(late->comm), "%s", text);
}

static bool read_late(const struct lttng_notification *notification, enum watched what,
		      struct late *late)
{
	const struct lttng_evaluation *evaluation =
		lttng_notification_get_evaluation((struct lttng_notification *)notification);
	const struct lttng_event_field_value *values = NULL;
	uint64_t tid, in_iowait = 0;

	if (!evaluation ||
	    lttng_evaluation_event_rule_matches_get_captured_values(evaluation, &values) !=
		    LTTNG_EVALUATION_EVENT_RULE_MATCHES_STATUS_OK)
		return false;
	if (!take_number(values, CAPTURED_TID, &tid) ||
	    !take_number(values, CAPTURED_NS_INUM, &late->ns_inum) ||
	    !take_number(values, CAPTURED_CGROUP_ID, &late->cgroup_id) ||
	    !take_number(values, CAPTURED_NS, &late->ns))
		return false;
	if (watches[what].captured[CAPTURED_IOWAIT] &&
	    !take_number(values, CAPTURED_IOWAIT, &in_iowait))
		return false;
	late->what = what;
	late->tid = (int64_t)tid;
	late->in_iowait = in_iowait;
	take_comm(values, CAPTURED_COMM, late);
	return true;
}

int trigger_next(struct trigger *t, struct late *late)
{
	struct lttng_notification *notification = NULL;
	enum lttng_notification_channel_status status;
	bool pending = false, told;

	if (!t->channel)
		return 0;
	if (lttng_notification_channel_has_pending_notification(t->channel, &pending) !=
	    LTTNG_NOTIFICATION_CHANNEL_STATUS_OK)
		return -1;
	if (!pending)
		return 0;
	status = lttng_notification_channel_get_next_notification(t->channel, &notification);
	/* Too many at once: those that come are enough. */
	if (status == LTTNG_NOTIFICATION_CHANNEL_STATUS_NOTIFICATIONS_DROPPED ||
	    status == LTTNG_NOTIFICATION_CHANNEL_STATUS_INTERRUPTED)
		return 0;
	if (status != LTTNG_NOTIFICATION_CHANNEL_STATUS_OK)
		return -1;
	told = read_late(notification, t->what, late);
	lttng_notification_destroy(notification);
	return told;
}

void trigger_forget(struct trigger *t)
{
	struct lttng_triggers *all = NULL;
	unsigned int nr = 0, i;

	if (!t->there || lttng_list_triggers(&all) != LTTNG_OK)
		return;
	lttng_triggers_get_count(all, &nr);
	for (i = 0; i < nr; i++) {
		const struct lttng_trigger *one = lttng_triggers_get_at_index(all, i);
		const char *name = NULL;

		if (lttng_trigger_get_name(one, &name) == LTTNG_TRIGGER_STATUS_OK &&
		    !strcmp(name, t->name))
			lttng_unregister_trigger(one);
	}
	lttng_triggers_destroy(all);
	t->there = false;
}

void trigger_close(struct trigger *t)
{
	lttng_notification_channel_destroy(t->channel);
	t->channel = NULL;
	trigger_forget(t);
}
