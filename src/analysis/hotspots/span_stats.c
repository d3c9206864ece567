/* Durations of the single calls of each function: mean, percentiles, largest, deviation. */
#include "analysis/hotspots/span_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/events/spans.h"

static int64_t percentile(const int64_t *sorted, size_t count, unsigned percent)
{
	return sorted[(count * percent + 99) / 100 - 1];
}

static void describe(struct pk_span_stat *s, int64_t *duration, size_t count)
{
	__int128 sum = 0;
	double squares = 0;
	size_t i;

	qsort(duration, count, sizeof(*duration), pk_compare_ints);
	for (i = 0; i < count; i++)
		sum += duration[i];
	s->count = (int64_t)count;
	s->mean = (double)sum / (double)count;
	for (i = 0; i < count; i++)
		squares += ((double)duration[i] - s->mean) * ((double)duration[i] - s->mean);
	s->deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : NAN;
	s->min = duration[0];
	s->p50 = percentile(duration, count, 50);
	s->p90 = percentile(duration, count, 90);
	s->p99 = percentile(duration, count, 99);
	s->max = duration[count - 1];
}

/* Per thread: true if its spans have costs in the metric. The caller frees it. */
static bool *threads_of(const struct pk_profile *p, uint32_t metric)
{
	bool *wanted = pk_malloc(pk_mul(p->thread.count, sizeof(*wanted)));
	uint32_t i;

	for (i = 0; i < p->thread.count; i++)
		wanted[i] = pk_span_metric(p, i) == metric;
	return wanted;
}

static uint32_t function_of(const struct pk_profile *p, const bool *wanted, uint32_t span)
{
	return wanted[p->span.thread[span]] ? pk_node_function(p, p->span.node[span]) : 0;
}

int pk_span_stats_init(struct pk_span_stats *stats, const struct pk_profile *p, uint32_t metric,
		       struct pk_error *err)
{
	size_t *start;
	int64_t *duration;
	bool *wanted;
	uint32_t i;

	stats->of_function = NULL;
	if (p->span.count == 1)
		return pk_fail(err, PK_EUSAGE,
			       "'%s' has no spans: it does not say how long single calls took",
			       pk_text(p, p->run.source[1]));
	wanted = threads_of(p, metric);
	/* Sorts durations by function with a counting sort; in the end start[f + 1] is the end of
	 * function f. */
	start = pk_calloc((size_t)p->function.count + 2, sizeof(*start));
	duration = pk_malloc(pk_mul(p->span.count, sizeof(*duration)));
	for (i = 1; i < p->span.count; i++)
		start[function_of(p, wanted, i) + 2]++;
	for (i = 2; i < p->function.count + 2; i++)
		start[i] += start[i - 1];
	for (i = 1; i < p->span.count; i++)
		duration[start[function_of(p, wanted, i) + 1]++] = p->span.duration[i];
	stats->of_function = pk_calloc(p->function.count, sizeof(*stats->of_function));
	for (i = 1; i < p->function.count; i++)
		if (start[i + 1] > start[i])
			describe(&stats->of_function[i], duration + start[i],
				 start[i + 1] - start[i]);
	free(duration);
	free(start);
	free(wanted);
	return 0;
}

void pk_span_stats_release(struct pk_span_stats *stats)
{
	free(stats->of_function);
	stats->of_function = NULL;
}

static const char *const keys[] = {"count", "mean", "min", "p50", "p90", "p99", "max", "stddev"};

static size_t key_of(const char *name)
{
	size_t i = 0;

	while (i < sizeof(keys) / sizeof(*keys) && strcmp(keys[i], name) != 0)
		i++;
	return i;
}

bool pk_span_stats_is_key(const char *name)
{
	return key_of(name) < sizeof(keys) / sizeof(*keys);
}

static double value_of(const struct pk_span_stat *s, size_t key)
{
	const double values[] = {(double)s->count, s->mean,        (double)s->min, (double)s->p50,
				 (double)s->p90,   (double)s->p99, (double)s->max, s->deviation};

	return s->count && !isnan(values[key]) ? values[key] : -1;
}

struct item {
	double value;
	uint32_t place, row;
};

PK_COMPARE(compare_items, struct item, PK_ORDER(b->value, a->value) ?: PK_ORDER(a->place, b->place))

void pk_span_stats_sort(const struct pk_span_stats *stats, const char *key,
			const struct pk_function_total *rows, uint32_t *order, uint32_t count)
{
	PK_FREED struct item *item = pk_malloc(pk_mul(count, sizeof(*item)));
	size_t by = key_of(key);
	uint32_t i;

	for (i = 0; i < count; i++)
		item[i] = (struct item){value_of(&stats->of_function[rows[order[i]].function], by),
					i, order[i]};
	qsort(item, count, sizeof(*item), compare_items);
	for (i = 0; i < count; i++)
		order[i] = item[i].row;
}
