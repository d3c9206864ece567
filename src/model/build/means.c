/* The costs of benchmarks: the means of their values. */

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/build/internal.h"

/* Sums by cost row. */
struct means {
	struct pk_builder *b;
	struct pk_index index; /* (node, metric) -> cost row */
	double *sum;
	uint32_t *count;
	size_t sums, counts;
};

/* The row of the cost; 0 if there is none: then it becomes `row`, if that is not 0. */
static uint32_t find(struct means *m, uint32_t node, uint32_t metric, uint32_t row)
{
	const struct pk_profile *p = m->b->p;
	uint32_t tag = pk_index_tag(pk_hash_pair(node, metric)), i;

	pk_index_reserve(&m->index);
	for (i = tag & m->index.mask; m->index.slot[i].id; i = (i + 1) & m->index.mask)
		if (m->index.slot[i].tag == tag && p->cost.node[m->index.slot[i].id] == node &&
		    pk_cost_metric(p, m->index.slot[i].id) == metric)
			return m->index.slot[i].id;
	if (row)
		pk_index_put(&m->index, i, tag, row);
	return row;
}

static void add_costs(struct means *m)
{
	const struct pk_profile *p = m->b->p;

	for (uint32_t row = 1; row < p->cost.count; row++)
		find(m, p->cost.node[row], pk_cost_metric(p, row), row);
}

/* The row of the cost of values, which is made if there is none. */
static uint32_t cost_of(struct means *m, uint32_t node, uint32_t metric)
{
	uint32_t row = find(m, node, metric, 0);

	if (!row) {
		pk_build_cost(m->b, 0, node, metric, 0, PK_NULL);
		row = find(m, node, metric, m->b->p->cost.count - 1);
	}
	return row;
}

static void make_room(struct means *m)
{
	size_t rows = m->b->p->cost.count;

	PK_GROW_ZERO(m->sum, rows, m->sums);
	PK_GROW_ZERO(m->count, rows, m->counts);
}

static void add_values(struct means *m)
{
	const struct pk_value_table *t = &m->b->p->value;

	for (uint32_t i = 1, end; i < t->count; i = end) {
		uint32_t row = cost_of(m, t->node[i], pk_value_metric(t, i));
		double sum;

		make_room(m);
		end = pk_value_run(t, i);
		if (pk_is_warmup(t, i))
			continue;
		m->count[row] += end - i;
		for (sum = m->sum[row]; i < end; i++)
			sum += t->value[i];
		m->sum[row] = sum;
	}
}

int64_t pk_benchmark_cost(double value, int exponent, enum pk_metric_kind kind)
{
	value *= pow(10, exponent) * (kind == PK_METRIC_TIME ? 1e9 : 1);
	if (isnan(value))
		return PK_NULL;
	if (fabs(value) >= 0x1p63)
		return value > 0 ? INT64_MAX : -INT64_MAX;
	return llround(value);
}

int64_t pk_benchmark_amount(const struct pk_profile *p, uint32_t metric, double value)
{
	return pk_benchmark_cost(value, p->metric.exponent[metric], p->metric.kind[metric]);
}

void pk_builder_means(struct pk_builder *b)
{
	struct means m = {.b = b};
	struct pk_profile *p = b->p;

	b->ordered = false; /* costs are no samples here */
	add_costs(&m);
	add_values(&m);
	for (uint32_t row = 1; row < p->cost.count; row++) {
		uint32_t metric = pk_cost_metric(p, row),
			 first = find(&m, p->cost.node[row], metric, 0);

		if (m.count[first])
			p->cost.self[row] =
				pk_benchmark_amount(p, metric, m.sum[first] / m.count[first]);
	}
	pk_index_release(&m.index);
	free(m.sum);
	free(m.count);
}
