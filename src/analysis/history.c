/*
 * Values over the runs of a store, and at which run they changed: levels found by dynamic
 * programming, with a penalty for each change.
 */
#include "analysis/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/diff.h"
#include "analysis/stats/stats.h"
#include "base/alloc.h"
#include "base/num/compare.h"

/* For values with noise: ENOUGH are needed to measure the noise; a level has at least SHORTEST
 * values. */
enum { ENOUGH = 6, SHORTEST = 3 };

/* Differences below half a percent always count as noise. */
#define LEAST_NOISE 0.005
/* A value farther than this many standard deviations from its neighborhood is moved nearer. */
#define FAR 2.5
#define LEAST_NOISE_EXACT 1e-12

struct series { /* the known values */
	size_t *at;
	int64_t *value;
	double *log;
	size_t count, shortest; /* shortest: the least number of values of a level */
	double penalty;
};

/* Takes logarithms, linear below a hundredth of a typical value so that 0 and negative values have
 * one. */
static void take_logs(struct series *s)
{
	double *scratch = pk_malloc(pk_mul(s->count, sizeof(*scratch))), small;
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->value[i])
			scratch[n++] = fabs((double)s->value[i]);
	}
	small = n ? pk_median(scratch, n) / 100 : 1;
	for (size_t i = 0; i < s->count; i++)
		s->log[i] = copysign(log1p(fabs((double)s->value[i]) / small), (double)s->value[i]);
	free(scratch);
}

/* Limits the distance of a value from the median of its neighborhood to `most`. Otherwise two or
 * three runs on a busy machine side by side would make a level. */
static void trim(struct series *s, double most)
{
	enum { BESIDE = 3 };
	PK_FREED double *trimmed = pk_malloc(pk_mul(s->count, sizeof(*trimmed)));
	double near[2 * BESIDE + 1];

	for (size_t i = 0; i < s->count; i++) {
		size_t from = i > BESIDE ? i - BESIDE : 0;
		size_t to = s->count - i > BESIDE ? i + BESIDE + 1 : s->count;
		double middle;

		memcpy(near, &s->log[from], (to - from) * sizeof(*near));
		middle = pk_median(near, to - from);
		trimmed[i] = fmin(fmax(s->log[i], middle - most), middle + most);
	}
	memcpy(s->log, trimmed, s->count * sizeof(*trimmed));
}

/* Sets the cost of a step. The median difference of two neighbors is 0.954 standard deviations of a
 * normal distribution; with few values it is uncertain itself. With these numbers 1 to 3 of 100
 * histories of 6 to 100 values have a false step, and at most 5 if every tenth value is far off
 * (bench/sim_history). Counts have no noise unless most neighbors differ. */
static void set_penalty(struct series *s, bool exact)
{
	size_t n = s->count - 1;
	double *difference = pk_malloc(pk_mul(s->count, sizeof(*difference))), noise = 0;

	for (size_t i = 0; i < n; i++)
		difference[i] = fabs(s->log[i + 1] - s->log[i]);
	if (exact) {
		difference[n] = 0;
		qsort(difference, n + 1, sizeof(*difference), pk_compare_reals);
		noise = difference[n / 2] / 0.954;
	} else if (n) {
		noise = pk_median(difference, n) / 0.954;
	}
	free(difference);
	noise = fmax(noise, exact ? LEAST_NOISE_EXACT : LEAST_NOISE);
	s->penalty = noise * (3 + log((double)s->count) + 10 / (double)s->count);
	if (!exact)
		trim(s, FAR * noise);
}

/* The distance of x from the middle value, or the two middle values, of n sorted values. */
static double distance(const double *sorted, size_t n, double x)
{
	if (!n)
		return 0;
	return fmax(0, fmax(sorted[(n - 1) / 2] - x, x - sorted[n / 2]));
}

static void insert(double *sorted, size_t n, double x)
{
	size_t low = PK_BISECT(i, 0, n, sorted[i] <= x);

	memmove(&sorted[low + 1], &sorted[low], (n - low) * sizeof(*sorted));
	sorted[low] = x;
}

/* Sets begin[j] to the begin of the last level in the best line through the first j values. Adding
 * a value adds its distance from the medians to the level's sum of distances. */
static void fit(const struct series *s, size_t *begin)
{
	PK_FREED double *best = pk_malloc(pk_mul(s->count + 1, sizeof(*best)));
	PK_FREED double *sorted = pk_malloc(pk_mul(s->count + 1, sizeof(*sorted)));

	best[0] = 0;
	for (size_t j = 1; j <= s->count; j++) {
		double cost = 0;

		best[j] = INFINITY;
		for (size_t i = j; i-- > 0;) {
			double sum;

			cost += distance(sorted, j - 1 - i, s->log[i]);
			insert(sorted, j - 1 - i, s->log[i]);
			sum = best[i] + cost + (i ? s->penalty : 0);
			if (j - i >= s->shortest && sum < best[j]) {
				best[j] = sum;
				begin[j] = i;
			}
		}
	}
}

static void add_levels(struct pk_history *h, const struct series *s, const size_t *begin)
{
	PK_FREED int64_t *scratch = pk_malloc(pk_mul(s->count, sizeof(*scratch)));
	size_t k;

	for (size_t j = s->count; j; j = begin[j])
		h->count++;
	h->level = pk_calloc(h->count, sizeof(*h->level));
	k = h->count;
	for (size_t j = s->count; j; j = begin[j]) {
		struct pk_history_level *l = &h->level[--k];
		size_t n = j - begin[j];

		memcpy(scratch, &s->value[begin[j]], n * sizeof(*scratch));
		*l = (struct pk_history_level){s->at[begin[j]], s->at[j - 1] + 1,
					       pk_diff_median(scratch, n)};
	}
}

void pk_history_init(struct pk_history *h, const int64_t *value, size_t count, bool exact)
{
	struct series s = {.shortest = exact ? 1 : SHORTEST};
	size_t *begin;

	*h = (struct pk_history){.skipped = count > PK_HISTORY_MOST ? count - PK_HISTORY_MOST : 0};
	s.at = pk_malloc(pk_mul(count + 1, sizeof(*s.at)));
	s.value = pk_malloc(pk_mul(count + 1, sizeof(*s.value)));
	s.log = pk_malloc(pk_mul(count + 1, sizeof(*s.log)));
	begin = pk_calloc(count + 1, sizeof(*begin));
	for (size_t i = h->skipped; i < count; i++) {
		if (value[i] == PK_NULL)
			continue;
		s.at[s.count] = i;
		s.value[s.count++] = value[i];
	}
	h->too_few = !exact && s.count < ENOUGH;
	if (s.count && !h->too_few) {
		take_logs(&s);
		set_penalty(&s, exact);
		fit(&s, begin);
	}
	if (s.count)
		add_levels(h, &s, begin);
	free(s.at);
	free(s.value);
	free(s.log);
	free(begin);
}

void pk_history_release(struct pk_history *h)
{
	free(h->level);
	*h = (struct pk_history){0};
}

double pk_history_ratio(const struct pk_history *h, size_t level)
{
	struct pk_change c = {.before = h->level[level - 1].value, .after = h->level[level].value};

	return pk_change_ratio(&c);
}
