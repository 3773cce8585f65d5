/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "util.h"

#define BAR_WIDTH 30
#define REDRAW_MS 200

static struct {
	bool on, drawn;
	uint64_t begin, end;
	int64_t started_ms, next_ms;
} bar;

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

bool progress_wanted(void)
{
	return isatty(STDERR_FILENO) == 1;
}

void progress_start(uint64_t begin, uint64_t end)
{
	bar.on = progress_wanted();
	bar.drawn = false;
	bar.begin = begin;
	bar.end = end;
	bar.started_ms = now_ms();
	bar.next_ms = bar.started_ms + 1000;
}

void progress_at(uint64_t nr_events, uint64_t ns)
{
	char line[BAR_WIDTH + 1];
	unsigned int percent = 0;
	int64_t now;

	if (!bar.on)
		return;
	now = now_ms();
	if (now < bar.next_ms)
		return;
	bar.next_ms = now + REDRAW_MS;
	bar.drawn = true;
	if (ns > bar.begin && bar.end > bar.begin)
		percent = (unsigned int)((double)(ns - bar.begin) * 100 /
					 (double)(bar.end - bar.begin));
	if (percent > 100)
		percent = 100;
	memset(line, ' ', BAR_WIDTH);
	memset(line, '=', (size_t)percent * BAR_WIDTH / 100);
	line[BAR_WIDTH] = '\0';
	fprintf(stderr, "\rreading [%s] %3u %%, %llu events, %lld s", line, percent,
		(unsigned long long)nr_events, (long long)((now - bar.started_ms) / 1000));
	fflush(stderr);
}

void progress_end(void)
{
	if (bar.drawn)
		fprintf(stderr, "\r%*s\r", 78, "");
	bar.on = bar.drawn = false;
}
