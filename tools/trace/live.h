/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_LIVE_H
#define LC_LIVE_H

#include <stdbool.h>

#include "reader.h"

/*
 * Reads a session while it is recorded: its events come from an lttng-relayd. What was
 * recorded before the reading began is not sent.
 */

/* One of the sessions that an lttng-relayd has. */
struct live_session {
	char *url; /* of the relay daemon alone */
	char *hostname, *name;
	uint64_t period_us; /* how often it sends; 0: it was not made to be watched */
};

/* Whether it is net://HOST[:PORT], or net://HOST[:PORT]/host/HOSTNAME/SESSION. */
bool live_looks_valid(const char *text);
/*
 * Finds the session that such a text means; where it names none, the only one there is.
 * Returns 0, or -1 after it printed why not.
 */
int live_find(const char *text, struct live_session *s);
/* Whether such a text names a session, and not a relay daemon alone. */
bool live_names_session(const char *text);
/*
 * Calls for each session of a relay daemon, net://HOST[:PORT], that nobody watches and that was
 * made to be watched; what it is given is freed afterwards. Returns how many there are, or -1 after
 * it printed why none is known. Where there are none it prints why, too.
 */
int live_list(const char *text, void (*each)(void *ctx, const struct live_session *s), void *ctx);
void live_session_free(struct live_session *s);

struct live_callbacks {
	struct reader_callbacks reader; /* of kernel traces */
	/*
	 * All that is older than that moment was told. Comes before each event, and where
	 * there are none from time to time. An answer other than 0 ends the reading.
	 */
	int (*on_time)(void *ctx, uint64_t ns);
	void *ctx; /* of on_time */
};

/* Whether the reading is to end; a signal handler may set it with live_stop(). */
void live_stop(int sig);
bool live_stopped(void);

/*
 * Reads until the session ends, or live_stop(). @r's traces are made as they come. Returns 0,
 * or -1 after it printed why.
 */
int live_run(struct reader *r, const struct live_session *s, const struct live_callbacks *cb);

#endif
