/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <math.h>
#include <stddef.h>

#include "analysis/welch.h"
#include "base/util.h"
#include "tap.h"

static bool is_near(double saw, double wanted, double tolerance)
{
	return fabs(saw - wanted) <= tolerance;
}

/* As tables of Student's distribution have them, with three digits behind the point. */
static void quantiles(void)
{
	static const struct {
		double p, df, t;
	} table[] = {
		{0.95, 1, 6.314},   {0.95, 2, 2.920},	 {0.95, 5, 2.015},   {0.95, 10, 1.812},
		{0.95, 30, 1.697},  {0.95, 120, 1.658},	 {0.975, 1, 12.706}, {0.975, 2, 4.303},
		{0.975, 5, 2.571},  {0.975, 10, 2.228},	 {0.975, 30, 2.042}, {0.975, 120, 1.980},
		{0.995, 1, 63.657}, {0.995, 2, 9.925},	 {0.995, 5, 4.032},  {0.995, 10, 3.169},
		{0.995, 30, 2.750}, {0.995, 120, 2.617},
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		expect(is_near(student_quantile(table[i].p, table[i].df), table[i].t, 0.0006));
	expect(is_near(student_quantile(0.5, 7), 0, 1e-9));
	/* Of very many degrees it is the normal distribution's. */
	expect(is_near(student_quantile(0.975, 1e7), 1.95996, 0.0001));
}

/* The figures of Student's own example of 1908, hours of sleep: mean 0.75 and 2.33. */
static const double first[] = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
static const double second[] = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

static void samples(void)
{
	const struct sample s = sample_of(first, ARRAY_SIZE(first));
	const struct sample one = sample_of(first, 1);

	expect_int((long long)s.nr, 10);
	expect(is_near(s.mean, 0.75, 1e-9));
	expect(is_near(s.variance, 3.200556, 1e-6));
	expect(is_near(one.mean, 0.7, 1e-9) && is_near(one.variance, 0, 1e-9));
}

/* Published for it with 17.776 degrees of freedom: -3.3654832 to 0.2054832 around -1.58. */
static void interval(void)
{
	const struct sample a = sample_of(first, ARRAY_SIZE(first));
	const struct sample b = sample_of(second, ARRAY_SIZE(second));
	double half = 0;

	expect(welch_interval(&a, &b, 0.95, &half));
	expect(is_near(b.mean - a.mean, 1.58, 1e-9));
	expect(is_near(half, 1.7854832, 1e-5));
	/* Which one is first does not matter. */
	expect(welch_interval(&b, &a, 0.95, &half));
	expect(is_near(half, 1.7854832, 1e-5));
}

static void too_few(void)
{
	const struct sample a = sample_of(first, ARRAY_SIZE(first));
	const struct sample one = sample_of(second, 1), none = sample_of(second, 0);
	double half = 0;

	expect(!welch_interval(&a, &one, 0.95, &half));
	expect(!welch_interval(&none, &a, 0.95, &half));
}

/* What never varies differs for sure, or not at all. */
static void constant(void)
{
	static const double same[] = {4, 4, 4};
	const struct sample a = sample_of(same, ARRAY_SIZE(same));
	double half = -1;

	expect(welch_interval(&a, &a, 0.95, &half));
	expect(is_near(half, 0, 1e-12));
}

int main(void)
{
	static const struct tap_test tests[] = {
		{"Student's quantiles are those of tables", quantiles},
		{"mean and variance of a sample", samples},
		{"Welch's interval is the published one", interval},
		{"there is none for fewer than two values", too_few},
		{"values that are all alike have an interval of no width", constant},
		{0},
	};

	return tap_run(tests);
}
