/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#include <math.h>

#include "welch.h"

/* What a step of the fraction adds is nothing from here on. */
#define TINY	  1e-300
#define PRECISION 1e-15
#define STEPS_MAX 10000
/* As many as a double has digits. */
#define HALVINGS  53

struct sample sample_of(const double *values, size_t nr)
{
	struct sample s = {.nr = nr};
	size_t i;

	for (i = 0; i < nr; i++)
		s.mean += values[i] / (double)nr;
	for (i = 0; i < nr && nr > 1; i++)
		s.variance += (values[i] - s.mean) * (values[i] - s.mean) / (double)(nr - 1);
	return s;
}

static double not_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22), from its begin on by
 * Lentz's method; it converges fast for x below (a + 1) / (a + b + 2).
 */
static double beta_fraction(double x, double a, double b)
{
	double f = 1, c = 1, d = 0;
	int i;

	for (i = 0; i < STEPS_MAX; i++) {
		double m = i / 2, n;

		if (!i)
			n = 1;
		else if (i % 2)
			n = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		else
			n = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / not_zero(1 + n * d);
		c = not_zero(1 + n / c);
		f *= c * d;
		if (i && fabs(1 - c * d) < PRECISION)
			break;
	}
	return f - 1;
}

static double beta(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta(1 - x, b, a);
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return front / a * beta_fraction(x, a, b);
}

/* How probable it is that t is at least that much, which is above 0. */
static double above(double t, double df)
{
	return beta(df / (df + t * t), df / 2, 0.5) / 2;
}

double student_quantile(double p, double df)
{
	double low = 0, high = 1;
	int i;

	while (above(high, df) > 1 - p && high < 1e15)
		high *= 2;
	for (i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;

		if (above(middle, df) > 1 - p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

bool welch_interval(const struct sample *a, const struct sample *b, double confidence, double *half)
{
	double x, y, df;

	if (a->nr < 2 || b->nr < 2)
		return false;
	x = a->variance / (double)a->nr;
	y = b->variance / (double)b->nr;
	*half = 0;
	if (x + y <= 0)
		return true;
	df = (x + y) * (x + y) / (x * x / (double)(a->nr - 1) + y * y / (double)(b->nr - 1));
	*half = student_quantile(0.5 + confidence / 2, df) * sqrt(x + y);
	return true;
}
