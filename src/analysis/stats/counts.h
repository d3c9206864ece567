#ifndef PK_STATS_COUNTS_H
#define PK_STATS_COUNTS_H

#include <stddef.h>

#include "analysis/stats/rank.h"

/*
 * One sampled run a side: how far two counts of samples may differ by chance alone. Variation
 * between runs does not show in one run, so these intervals are too narrow for it.
 */

/* The assumed ratio of the counts' variance to Poisson's if the samples do not tell it. */
#define PK_PHI_UNKNOWN 2.0

/*
 * The ratio of the rates after / before, given so many samples out of so much exposure (all
 * samples of the run, or its seconds) a side. The estimate adds half a sample to either count
 * (Haldane); the interval is the exact binomial one (Clopper-Pearson) of the share that falls
 * after, with counts divided by phi >= 1, their variance over that of independent samples.
 * Without any samples there are no bounds: 0 to INFINITY.
 */
struct pk_interval pk_count_ratio(double before, double exposure_before, double after,
				  double exposure_after, double phi, double confidence);

/*
 * phi of a count from its parts in blocks of equal time, at least 10: the jackknife variance
 * of the sum over that of independent samples, at least 1. PK_PHI_UNKNOWN for fewer
 * blocks, 1 without samples.
 */
double pk_variance_factor(const double *block, size_t blocks);

#endif
