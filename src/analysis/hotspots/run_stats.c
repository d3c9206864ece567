/*
 * Mean, deviation, median, 95th percentile and largest run of each function of a part, and runs
 * that are unlike the others.
 */
#include "analysis/hotspots/run_stats.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/part/sketch.h"
#include "model/part/spread.h"

/* Statistics of the values of a function; runs without it count as 0. */
struct bucket {
	int64_t bucket, runs;
};

PK_COMPARE(by_bucket, struct bucket, PK_ORDER(a->bucket, b->bucket))

static int64_t place_of(double share, int64_t runs)
{
	return (int64_t)ceil(share * (double)runs);
}

/* The number of the bucket that has the place. */
static int64_t bucket_at(const struct bucket *b, uint32_t count, int64_t zeros, int64_t place)
{
	bool passed = !zeros;

	for (uint32_t i = 0; i < count; i++) {
		if (!passed && b[i].bucket >= 0) {
			place -= zeros;
			passed = true;
			if (place <= 0)
				return 0;
		}
		place -= b[i].runs;
		if (place <= 0)
			return b[i].bucket;
	}
	return passed && count ? b[count - 1].bucket : 0;
}

/* A value of the bucket that is between the least and the most. */
static int64_t value_of(int64_t bucket, int64_t least, int64_t most)
{
	double value = pk_bucket_value(bucket);

	if (!bucket || value >= (double)most)
		return bucket ? most : 0;
	return value <= (double)least ? least : (int64_t)llround(value);
}

/* The ends are known exactly. */
static int64_t percentile(const struct pk_spread_table *t, uint32_t i, const struct bucket *b,
			  uint32_t count, double share, int64_t runs)
{
	int64_t zeros = runs - t->runs[i], place = place_of(share, runs);

	if (place == runs && (!zeros || t->most[i] > 0))
		return t->most[i];
	return value_of(bucket_at(b, count, zeros, place), t->least[i], t->most[i]);
}

static void add_spread(struct pk_run_stats *stats, const struct pk_profile *p, uint32_t i,
		       const struct bucket *b, uint32_t count)
{
	const struct pk_spread_table *t = &p->spread;
	struct pk_run_stat *s = &stats->of_function[t->function[i]];
	int64_t runs = stats->runs > t->runs[i] ? stats->runs : t->runs[i];
	int64_t zeros = runs - t->runs[i];

	s->runs = t->runs[i];
	s->mean = (double)t->sum[i] / (double)runs;
	s->deviation = pk_spread_deviation(t, i, runs);
	s->p50 = percentile(t, i, b, count, 0.5, runs);
	s->p95 = percentile(t, i, b, count, 0.95, runs);
	s->most = zeros && t->most[i] < 0 ? 0 : t->most[i];
	s->most_in = t->most[i] > (zeros ? 0 : t->least[i]) ? t->most_in[i] : 0;
}

/* first[spread]: the place of its first bucket in the list, which end where the next begin. */
static struct bucket *buckets_by_spread(const struct pk_profile *p, uint32_t *first)
{
	const struct pk_bucket_table *t = &p->bucket;
	struct bucket *b = pk_calloc(t->count, sizeof(*b));
	PK_FREED uint32_t *next = pk_calloc(p->spread.count, sizeof(*next));
	uint32_t i;

	for (i = 1; i < t->count; i++)
		first[t->spread[i] + 1]++;
	for (i = 1; i <= p->spread.count; i++)
		first[i] += first[i - 1];
	memcpy(next, first, p->spread.count * sizeof(*next));
	for (i = 1; i < t->count; i++)
		b[next[t->spread[i]]++] = (struct bucket){t->bucket[i], t->runs[i]};
	return b;
}

static double distance(const struct pk_run_stats *stats, int64_t total)
{
	return fabs((double)total - (double)stats->median);
}

PK_COMPARE(by_total, struct pk_outlier,
	   PK_ORDER(a->total, b->total) ?: PK_ORDER(a->member, b->member))

/* Finds, among sorted totals, those that are much farther from the median than half of them are. */
static void find_outliers(struct pk_run_stats *stats, struct pk_outlier *run, uint32_t count)
{
	enum { FAR = 5 };
	const double least_share = 0.05;
	PK_FREED double *far = pk_calloc((size_t)count + 1, sizeof(*far));
	double limit;
	uint32_t i, from = 0, to = count;

	if (!count)
		return;
	stats->median = run[(count - 1) / 2].total;
	for (i = 0; i < count; i++)
		far[i] = distance(stats, run[i].total);
	qsort(far, count, sizeof(*far), pk_compare_reals);
	limit = fmax(FAR * 1.4826 * far[count / 2], least_share * fabs((double)stats->median));
	while (from < to) { /* the farthest is at one of the ends */
		bool last = distance(stats, run[to - 1].total) >= distance(stats, run[from].total);
		const struct pk_outlier *farthest = last ? &run[to - 1] : &run[from];

		if (distance(stats, farthest->total) <= limit)
			break;
		stats->outlier[stats->outliers++] = *farthest;
		from += !last;
		to -= last;
	}
}

static void read_totals(struct pk_run_stats *stats, const struct pk_profile *p, uint32_t metric)
{
	const struct pk_member_total_table *t = &p->member_total;
	struct pk_outlier *run = pk_calloc(t->count, sizeof(*run));
	uint32_t count = 0;

	stats->outlier = pk_calloc(t->count, sizeof(*stats->outlier));
	for (uint32_t i = 1; i < t->count; i++)
		if (t->metric[i] == metric)
			run[count++] = (struct pk_outlier){t->member[i], t->total[i]};
	pk_sort(run, count, sizeof(*run), by_total);
	stats->runs = count;
	find_outliers(stats, run, count);
	free(run);
}

void pk_run_stats_init(struct pk_run_stats *stats, const struct pk_profile *part, uint32_t metric)
{
	const struct pk_spread_table *t = &part->spread;
	PK_FREED uint32_t *first = pk_calloc((size_t)t->count + 1, sizeof(*first));
	PK_FREED struct bucket *buckets = buckets_by_spread(part, first);

	*stats = (struct pk_run_stats){0};
	stats->of_function = pk_calloc(part->function.count, sizeof(*stats->of_function));
	read_totals(stats, part, metric);
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t count = first[i + 1] - first[i];

		if (t->metric[i] != metric || t->of[i] != PK_SPREAD_SELF)
			continue;
		pk_sort(buckets + first[i], count, sizeof(*buckets), by_bucket);
		add_spread(stats, part, i, buckets + first[i], count);
	}
}

void pk_run_stats_release(struct pk_run_stats *stats)
{
	free(stats->of_function);
	free(stats->outlier);
}
