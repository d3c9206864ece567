/* Values of benchmarks by benchmark and metric, and their statistics: see bench.h. */
#include "analysis/bench/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/label.h"

/* The slot of the pair, or the empty one that it would have. */
static uint32_t slot_of(const struct pk_benchmarks *list, uint32_t node, uint32_t metric,
			uint32_t tag)
{
	const struct pk_index *index = &list->index;
	uint32_t i = tag & index->mask;

	for (; index->slot[i].id; i = (i + 1) & index->mask) {
		const struct pk_benchmark *r = &list->row[index->slot[i].id - 1];

		if (index->slot[i].tag == tag && r->node == node && r->metric == metric)
			break;
	}
	return i;
}

/* Its number from 1; 0 if there is none. */
static uint32_t find(const struct pk_benchmarks *list, uint32_t node, uint32_t metric)
{
	uint32_t tag = pk_index_tag(pk_hash_pair(node, metric));

	return list->count ? list->index.slot[slot_of(list, node, metric, tag)].id : 0;
}

/* The first cost of a benchmark and metric is its row. */
static void add_row(struct pk_benchmarks *list, uint32_t node, uint32_t metric, uint32_t cost)
{
	uint32_t tag = pk_index_tag(pk_hash_pair(node, metric)), slot;

	pk_index_reserve(&list->index);
	slot = slot_of(list, node, metric, tag);
	if (list->index.slot[slot].id)
		return;
	list->row[list->count++] =
		(struct pk_benchmark){.node = node, .metric = metric, .cost = cost};
	pk_index_put(&list->index, slot, tag, list->count);
}

static void add_rows(struct pk_benchmarks *list, uint32_t wanted)
{
	const struct pk_profile *p = list->profile;

	list->row = pk_calloc(p->cost.count, sizeof(*list->row));
	for (uint32_t cost = 1; cost < p->cost.count; cost++) {
		uint32_t metric = pk_cost_metric(p, cost);

		if ((!wanted || metric == wanted) &&
		    pk_metric_aggregate(p, metric) == PK_AGGREGATE_MEAN)
			add_row(list, p->cost.node[cost], metric, cost);
	}
}

/* Calls `use` for all values except warm-ups: once for each sequence [i, end) of values of one
 * row. */
static void each_run(struct pk_benchmarks *list,
		     void (*use)(struct pk_benchmarks *list, struct pk_benchmark *row, uint32_t i,
				 uint32_t end))
{
	const struct pk_value_table *t = &list->profile->value;

	for (uint32_t i = 1, end; i < t->count; i = end) {
		uint32_t row = find(list, t->node[i], pk_value_metric(t, i));

		end = pk_value_run(t, i);
		if (row && !pk_is_warmup(t, i))
			use(list, &list->row[row - 1], i, end);
	}
}

static void count_values(struct pk_benchmarks *list, struct pk_benchmark *row, uint32_t i,
			 uint32_t end)
{
	const double *value = list->profile->value.value;

	/* NULL: values of other benchmarks are between them */
	row->value = row->count ? NULL : value + i;
	row->count += end - i;
}

/* Gives each row that has to be copied its place, and counts its values again. */
static void copy_values(struct pk_benchmarks *list, struct pk_benchmark *row, uint32_t i,
			uint32_t end)
{
	const double *value = list->profile->value.value;

	if (row->value < list->copied || row->value >= list->copied + list->profile->value.count)
		return;
	memcpy(list->copied + (row->value - list->copied) + row->count, value + i,
	       (end - i) * sizeof(*value));
	row->count += end - i;
}

static void gather_values(struct pk_benchmarks *list)
{
	size_t scattered = 0;

	each_run(list, count_values);
	for (uint32_t i = 0; i < list->count; i++)
		if (list->row[i].count && !list->row[i].value)
			scattered += list->row[i].count;
	if (!scattered)
		return;
	list->copied = pk_malloc(pk_mul(list->profile->value.count, sizeof(*list->copied)));
	scattered = 0;
	for (uint32_t i = 0; i < list->count; i++) {
		struct pk_benchmark *row = &list->row[i];

		if (!row->count || row->value)
			continue;
		row->value = list->copied + scattered;
		scattered += row->count;
		row->count = 0;
	}
	each_run(list, copy_values);
}

static void gather_facts(struct pk_benchmarks *list)
{
	const struct pk_profile *p = list->profile;

	list->fact = pk_calloc(p->node.count, sizeof(*list->fact));
	list->after = pk_calloc(p->arg.count, sizeof(*list->after));
	for (uint32_t i = 1; i < p->arg.count; i++) {
		if (p->arg.owner[i] != PK_TABLE_NODE)
			continue;
		list->after[i] = list->fact[p->arg.row[i]];
		list->fact[p->arg.row[i]] = i;
	}
}

void pk_benchmarks_init(struct pk_benchmarks *list, const struct pk_profile *p, uint32_t metric)
{
	*list = (struct pk_benchmarks){.profile = p};
	add_rows(list, metric);
	gather_values(list);
	gather_facts(list);
	for (uint32_t i = 0; i < list->count; i++)
		list->summaries += !list->row[i].count;
}

void pk_benchmarks_release(struct pk_benchmarks *list)
{
	free(list->row);
	free(list->copied);
	free(list->fact);
	free(list->after);
	pk_index_release(&list->index);
}

const struct pk_benchmark *pk_benchmarks_find(const struct pk_benchmarks *list, uint32_t node,
					      uint32_t metric)
{
	uint32_t row = find(list, node, metric);

	return row ? &list->row[row - 1] : NULL;
}

const char *pk_benchmark_fact(const struct pk_benchmarks *list, uint32_t node, const char *key)
{
	const struct pk_profile *p = list->profile;

	for (uint32_t i = list->fact[node]; i; i = list->after[i])
		if (!strcmp(pk_text(p, pk_arg_key(&p->arg, i)), key))
			return pk_text(p, p->arg.value[i]);
	return NULL;
}

double pk_benchmark_number(const struct pk_benchmarks *list, uint32_t node, const char *key)
{
	const char *text = pk_benchmark_fact(list, node, key);

	return text && *text ? strtod(text, NULL) : NAN;
}

const char *pk_benchmark_label(const struct pk_benchmarks *list, const struct pk_benchmark *row,
			       const char *key)
{
	const struct pk_profile *p = list->profile;

	return pk_label_text(p, pk_cost_labels(p, row->cost), key);
}

/* A number of the file that is about this metric. */
static double stated(const struct pk_benchmarks *list, const struct pk_benchmark *row,
		     const char *what)
{
	const struct pk_profile *p = list->profile;
	PK_BUF_AUTO key = PK_BUF_INIT;

	if (row->metric > 1)
		pk_buf_addf(&key, "%s.", pk_text(p, p->metric.name[row->metric]));
	pk_buf_adds(&key, what);
	return pk_benchmark_number(list, row->node, key.data);
}

static int64_t stated_count(const struct pk_benchmarks *list, const struct pk_benchmark *row,
			    const char *what)
{
	double value = stated(list, row, what);

	return value >= 0 && value < 1e15 ? (int64_t)value : PK_NULL;
}

void pk_bench_describe(const struct pk_benchmarks *list, const struct pk_benchmark *row,
		       struct pk_bench_stats *stats)
{
	const struct pk_profile *p = list->profile;
	double scale = pk_metric_scale(p, row->metric);

	if (row->count) {
		pk_bench_describe_values(row->value, row->count, stats);
		return;
	}
	*stats = (struct pk_bench_stats){
		.count = stated_count(list, row, "count"),
		.mean = stated(list, row, "mean"),
		.stddev = stated(list, row, "stddev"),
		.median = stated(list, row, "median"),
		.min = stated(list, row, "min"),
		.max = stated(list, row, "max"),
		.q1 = stated(list, row, "q1"),
		.q3 = stated(list, row, "q3"),
		.outside_stddev = stated_count(list, row, "outside_stddev"),
		.outside_fences = stated_count(list, row, "outside_fences"),
	};
	if (isnan(stats->mean) && p->cost.self[row->cost] != PK_NULL)
		stats->mean = (double)p->cost.self[row->cost] / scale /
			      (p->metric.kind[row->metric] == PK_METRIC_TIME ? 1e9 : 1);
}

/* The median of the sorted values from..to, the last one included. */
static double median(const double *sorted, size_t from, size_t to)
{
	size_t sum = from + to;

	return sum % 2 ? (sorted[sum / 2] + sorted[sum / 2 + 1]) / 2 : sorted[sum / 2];
}

/* Quartiles. If the number of values is odd, they are the weighted means of two kinds: with the
 * median in neither half, and with the median in both. */
static void find_quartiles(const double *x, size_t n, double *q1, double *q3)
{
	size_t k = n / 4;

	if (n == 1) {
		*q1 = *q3 = x[0];
	} else if (n % 2 == 0) {
		*q1 = median(x, 0, n / 2 - 1);
		*q3 = median(x, n / 2, n - 1);
	} else if (n % 4 == 1) {
		*q1 = 0.25 * x[k - 1] + 0.75 * x[k];
		*q3 = 0.75 * x[3 * k] + 0.25 * x[3 * k + 1];
	} else {
		*q1 = 0.75 * x[k] + 0.25 * x[k + 1];
		*q3 = 0.25 * x[3 * k + 1] + 0.75 * x[3 * k + 2];
	}
}

/* Sums have more digits than a double, so that the mean of doubles is nearly always correctly
 * rounded, as Python's statistics.mean is. */
static long double long_mean(const double *value, size_t count)
{
	/* two sums, so that an addition need not wait for the one before */
	long double sum = 0, other = 0;
	size_t i = 0;

	for (; i + 1 < count; i += 2) {
		sum += value[i];
		other += value[i + 1];
	}
	if (i < count)
		sum += value[i];
	return (sum + other) / (long double)count;
}

double pk_bench_mean_of(const double *value, size_t count)
{
	return (double)long_mean(value, count);
}

void pk_bench_describe_values(const double *value, size_t count, struct pk_bench_stats *s)
{
	PK_FREED double *x = pk_sorted_reals(value, count);
	long double squares = 0, mean = long_mean(value, count);
	double fence;

	*s = (struct pk_bench_stats){.count = (int64_t)count};
	for (size_t i = 0; i < count; i++)
		squares += (value[i] - mean) * (value[i] - mean);
	s->mean = (double)mean;
	s->stddev = count > 1 ? (double)sqrtl(squares / (long double)(count - 1)) : 0;
	s->min = x[0];
	s->max = x[count - 1];
	s->median = median(x, 0, count - 1);
	find_quartiles(x, count, &s->q1, &s->q3);
	fence = 1.5 * (s->q3 - s->q1);
	for (size_t i = 0; i < count; i++) {
		s->outside_stddev += x[i] < s->mean - s->stddev || x[i] > s->mean + s->stddev;
		s->outside_fences += x[i] < s->q1 - fence || x[i] > s->q3 + fence;
	}
}
