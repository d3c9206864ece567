/* One run a side: only the noise of sampling within a run is known. */
#include "analysis/check/judge_internal.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats/stats.h"
#include "base/alloc.h"

enum { BLOCKS = 20 };

/* The samples of every function on one side, in blocks of equal time. */
struct blocks {
	double *count; /* BLOCKS values per row of the diff; NULL if times are not known */
};

static bool time_range(const struct pk_profile *p, int64_t *first, int64_t *last)
{
	*first = INT64_MAX;
	*last = INT64_MIN;
	for (uint32_t i = 1; i < p->sample.count; i++) {
		int64_t t = p->sample.time[i];

		if (t == PK_NULL)
			return false;
		*first = t < *first ? t : *first;
		*last = t > *last ? t : *last;
	}
	return *first < *last && (double)*last - (double)*first < 9e18;
}

/* Only self is counted, because only self samples are independent. */
static void count_blocks(struct blocks *blocks, const struct pk_diff *d, enum pk_side s)
{
	const struct pk_match_side *side = &d->match.side[s];
	const struct pk_profile *p = side->profile[0];
	int64_t first, last;

	blocks->count = NULL;
	if (p != side->given[0] || !time_range(p, &first, &last))
		return;
	blocks->count = pk_calloc(pk_mul(d->match.count, BLOCKS), sizeof(*blocks->count));
	for (uint32_t i = 1; i < p->sample.count; i++) {
		uint32_t row = side->of_function[0][pk_node_function(p, p->sample.node[i])];
		double part = (double)(p->sample.time[i] - first) / ((double)last - (double)first);
		int block = (int)(part * BLOCKS);

		if (pk_sample_metric(&p->sample, i) == d->side[s].metric[0])
			blocks->count[(size_t)row * BLOCKS +
				      (size_t)(block < BLOCKS ? block : BLOCKS - 1)]++;
	}
}

static double variance_factor(const struct blocks blocks[PK_SIDES], uint32_t row)
{
	double factor = 1;

	for (int s = 0; s < PK_SIDES; s++) {
		const double *count = blocks[s].count;
		double phi = pk_variance_factor(count ? count + (size_t)row * BLOCKS : NULL,
						count ? BLOCKS : 0);

		factor = phi > factor ? phi : factor;
	}
	return factor;
}

static enum pk_verdict verdict_of(const struct pk_judging *judging, const struct pk_change *c,
				  double factor)
{
	const struct pk_judge_options *o = judging->options;
	double after = (double)c->after / factor, before = (double)c->before;
	double whole = (double)pk_larger_side(&judging->d->total);
	double by = fabs(after - before);

	if (by == 0)
		return PK_UNCHANGED;
	if (by < o->least * whole)
		return PK_MINOR;
	if (fmax(after, before) <= (1 + o->suspect) * fmin(after, before))
		return PK_INCONCLUSIVE;
	if (c->ci_low <= 1 && c->ci_high >= 1)
		return PK_INCONCLUSIVE;
	return PK_SUSPECT;
}

static void judge_change(const struct pk_judging *judging, struct pk_change *c, double factor,
			 double phi)
{
	if (judging->d->exactness == PK_SAMPLED) {
		struct pk_interval ratio =
			pk_count_ratio((double)c->before / judging->interval, 1,
				       (double)c->after / judging->interval, factor, phi,
				       judging->options->confidence);

		c->ci_low = ratio.low;
		c->ci_high = ratio.high;
	}
	c->ratio /= factor;
	c->verdict = verdict_of(judging, c, factor);
}

static bool is_on_both(const struct pk_diff *d, uint32_t row)
{
	return d->match.function[row].id[PK_BEFORE] && d->match.function[row].id[PK_AFTER];
}

void pk_judge_single(struct pk_judging *judging)
{
	struct pk_diff *d = judging->d;
	struct blocks blocks[PK_SIDES];
	struct pk_judged j;

	pk_judged_init(&j, judging, PK_SELF);
	pk_judge_machines(judging, &j, PK_SELF);
	pk_judged_release(&j);
	pk_judge_waiting(judging);
	d->method = PK_DIFF_NOISE;
	for (int s = 0; s < PK_SIDES; s++)
		count_blocks(&blocks[s], d, (enum pk_side)s);
	for (uint32_t i = 1; i < d->match.count; i++) {
		double phi = variance_factor(blocks, i);

		if (!is_on_both(d, i))
			continue;
		for (int m = PK_SELF; m <= PK_TOTAL; m++)
			judge_change(judging, &d->row[i].change[m],
				     pk_diff_machine(d, i, (enum pk_measure)m), phi);
	}
	d->total.ci_low = d->total.ci_high = d->total.p = NAN;
	judge_change(judging, &d->total, 1, PK_PHI_UNKNOWN);
	pk_judge_like_whole(judging);
	free(blocks[PK_BEFORE].count);
	free(blocks[PK_AFTER].count);
}
