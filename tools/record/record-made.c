/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/symbols.h"
#include "record.h"
#include "record-made.h"
#include "base/text.h"
#include "base/util.h"

/* Longer no map is read. */
#define READER_NS   (4 * NS_PER_SEC)
/* What else is open, at its most: four readers, and what is asked of /proc. */
#define OTHER_FILES 24
/* "j NS PID", at its longest. */
#define HEAD_MAX    34

/*
 * As many as there are descriptors for, two for each: else who has more keeps everything from being
 * read, for that takes some, too.
 */
static size_t nr_places(void)
{
	int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct rlimit r;

	close(next);
	if (next < 0 || getrlimit(RLIMIT_NOFILE, &r) || r.rlim_cur < (rlim_t)next + OTHER_FILES + 2)
		return 1;
	return (r.rlim_cur - (rlim_t)next - OTHER_FILES) / 2;
}

void made_open(struct made *m, struct kept *kept)
{
	*m = (struct made){.kept = kept,
			   .jits = {.owner_of = owner_of, .nr_max = nr_places()},
			   .reading.from = -1};
}

static void begin(struct made *m, struct jit *jit)
{
	/* While it lives it may have another root by now. */
	const struct map_place *place = jit->has_ended ? &jit->place : &no_map_place;

	jits_begin(&m->jits, jit, now_ns());
	m->is_placed = false;
	if (!reading_begin_map(&m->reading, &jit->owner, jit->pid, place, &jit->stamp))
		m->now = jit;
	/* That was the last time; and whoever closes them last may have to wait for a disk. */
	if (jit->has_ended)
		map_place_close(&jit->place);
	if (!m->now)
		jits_done(&m->jits, jit, false, now_ns());
}

static void end(struct made *m, bool has_more)
{
	struct jit *jit = m->now;

	reading_end(&m->reading);
	m->now = NULL;
	jits_done(&m->jits, jit, has_more, now_ns());
}

void made_go_on(struct made *m)
{
	uint64_t now = now_ns();
	struct jit *jit;

	if (m->now && now >= m->reading.began + READER_NS) {
		m->kept->lost++;
		end(m, false);
	}
	jit = m->now || m->kept->is_full ? NULL : jits_due(&m->jits, now);
	if (jit)
		begin(m, jit);
}

/* Nobody's map, however often it is another one, takes all the room that others' have. */
static bool take_room(struct made *m, struct jit *jit, uint64_t len)
{
	if (!len)
		return true;
	if (jit->written + len > FUNCTIONS_MAX ||
	    !kept_take_with(m->kept, &jit->owner, HEAD_MAX + len, &m->shares, len, JITS_MAX))
		return false;
	jit->written += len;
	return true;
}

/* Behind its stamp. Returns whether that is of the form. */
static bool take_functions(struct made *m, struct jit *jit)
{
	struct reading *r = &m->reading;
	size_t head = map_stamp_parse(r->text, &jit->stamp), len;
	const char *news;
	bool fits;

	if (!head || !reading_is_table(r, head))
		return false;
	news = jit_news(jit, r->text + head, r->len - head);
	len = strlen(news);
	fits = take_room(m, jit, len);
	if (!fits || jit->stamp.size > MAP_FILE_MAX)
		m->kept->lost++;
	if (!len || !fits)
		return true;
	kept_put(m->kept, "j %" PRIu64 " %u\n", jit->since, jit->pid);
	kept_put(m->kept, "%s", news);
	return true;
}

static void finish(struct made *m, enum reading_state state)
{
	struct jit *jit = m->now;
	bool has_more = state == READING_READ && take_functions(m, jit);

	if (state == READING_LARGE || state == READING_BAD)
		m->kept->lost++;
	/* What was not told of by then comes later, and may have been there before. */
	if (has_more || state == READING_SAME)
		jit->since = m->jits.began;
	end(m, has_more);
}

void made_listen(struct made *m)
{
	struct map_place place;
	enum reading_state state;

	if (!m->is_placed) {
		m->is_placed = true;
		if (!reading_place(&m->reading, &place))
			jit_is_at(m->now, &place);
		return;
	}
	state = reading_listen(&m->reading);
	if (state != READING_GOES_ON)
		finish(m, state);
}

uint64_t made_next(const struct made *m)
{
	if (m->now)
		return m->reading.began + READER_NS;
	return m->kept->is_full ? UINT64_MAX : jits_next(&m->jits);
}

bool made_is_done(const struct made *m)
{
	return !m->now &&
	       (!m->jits.is_ending || m->kept->is_full || jits_next(&m->jits) == UINT64_MAX);
}
