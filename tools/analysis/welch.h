/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-only */
/* SPDX-FileCopyrightText: 2026 The lttng-containers authors */
#ifndef LC_WELCH_H
#define LC_WELCH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether two means differ: Welch's interval, for samples whose variances need not be the same. B.
 * L. Welch, "The generalization of 'Student's' problem when several different population variances
 * are involved", Biometrika 34(1-2), 1947.
 */

struct sample {
	size_t nr;
	double mean, variance; /* of the sample: over nr - 1; 0 for one value */
};

struct sample sample_of(const double *values, size_t nr);
/* The value that Student's t with @df degrees of freedom, at least 1, is below with probability @p,
 * from 0.5 to below 1. */
double student_quantile(double p, double df);
/*
 * Half of the width of the interval around b's mean without a's that has the true one with
 * probability @confidence. Returns whether there is one: each sample needs two values.
 */
bool welch_interval(const struct sample *a, const struct sample *b, double confidence,
		    double *half);

#endif
