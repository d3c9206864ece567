#include "analysis/stats/counts.h"

#include <math.h>

#include "analysis/stats/dist.h"

struct pk_interval pk_count_ratio(double before, double exposure_before, double after,
				  double exposure_after, double phi, double confidence)
{
	double exposure = exposure_before / exposure_after, tail = (1 - confidence) / 2;
	double k = after / phi, rest = before / phi, low, high;
	struct pk_interval interval = {NAN, 0, INFINITY};

	if (!(exposure_before > 0 && exposure_after > 0 && before >= 0 && after >= 0))
		return interval;
	interval.estimate = (after + 0.5) / (before + 0.5) * exposure;
	if (k > 0) {
		low = pk_beta_quantile(tail, k, rest + 1);
		interval.low = low / (1 - low) * exposure;
	}
	if (rest > 0) {
		high = pk_beta_quantile(1 - tail, k + 1, rest);
		interval.high = high / (1 - high) * exposure;
	}
	return interval;
}

double pk_variance_factor(const double *block, size_t blocks)
{
	enum { LEAST_BLOCKS = 10 };
	double sum = 0, squares = 0, mean, factor;

	if (blocks < LEAST_BLOCKS)
		return PK_PHI_UNKNOWN;
	for (size_t i = 0; i < blocks; i++)
		sum += block[i];
	if (!(sum > 0))
		return 1;
	mean = sum / (double)blocks;
	for (size_t i = 0; i < blocks; i++)
		squares += (block[i] - mean) * (block[i] - mean);
	factor = (double)blocks / (double)(blocks - 1) * squares / sum;
	return factor > 1 ? factor : 1;
}
