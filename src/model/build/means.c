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

static void find_rows(struct means *m)
{
	const struct pk_value_table *t = &m->b->p->value;
	const struct pk_profile *p = m->b->p;

	for (uint32_t row = 1; row < p->cost.count; row++)
		find(m, p->cost.node[row], pk_cost_metric(p, row), row);
	for (uint32_t i = 1; i < t->count; i = pk_value_run(t, i)) {
		if (!find(m, t->node[i], t->metric[i], 0)) {
			pk_build_cost(m->b, 0, t->node[i], t->metric[i], 0, PK_NULL);
			find(m, t->node[i], t->metric[i], p->cost.count - 1);
		}
	}
}

static void add_values(struct means *m)
{
	const struct pk_value_table *t = &m->b->p->value;

	for (uint32_t i = 1, end; i < t->count; i = end) {
		uint32_t row = find(m, t->node[i], t->metric[i], 0);

		end = pk_value_run(t, i);
		if (pk_is_warmup(t, i))
			continue;
		m->count[row] += end - i;
		for (; i < end; i++)
			m->sum[row] += t->value[i];
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
	find_rows(&m);
	m.sum = pk_calloc(p->cost.count, sizeof(*m.sum));
	m.count = pk_calloc(p->cost.count, sizeof(*m.count));
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
