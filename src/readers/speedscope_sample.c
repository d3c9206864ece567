#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/units.h"
#include "readers/speedscope_profile.h"

static const char cut[] = "value beyond 64 bits cut";

/* ns from the base, PK_NULL where values are no times. */
int64_t pk_speedscope_time(const struct pk_speedscope *s, pk_speedscope_int at)
{
	pk_speedscope_int ps = at - s->base;

	if (s->unit->kind != PK_METRIC_TIME)
		return PK_NULL;
	if (ps == (int64_t)ps) /* a division of 128 bits takes long */
		return (int64_t)ps / 1000;
	ps /= 1000;
	return ps > INT64_MAX || ps <= INT64_MIN ? PK_NULL : (int64_t)ps;
}

void pk_speedscope_mark_estimated(struct pk_speedscope *s, uint32_t node)
{
	const struct pk_profile *p = pk_builder_profile(s->b);

	for (; node && !pk_node_estimated(p, node); node = p->node.parent[node])
		pk_build_node_estimated(s->b, node);
}

static void scale_sums(struct pk_speedscope *s, int from, int to)
{
	size_t i;

	for (; from < to; from++) {
		for (i = 0; i < s->summed_count; i++) {
			int64_t *sum = &s->sum[s->summed[i]];

			if (__builtin_mul_overflow(*sum, 10, sum)) {
				*sum = INT64_MAX;
				s->sum_cut = true;
			}
		}
	}
}

static void add_to_sum(struct pk_speedscope *s, uint32_t node, int64_t value)
{
	size_t old = s->sum_alloc;

	PK_GROW(s->sum, (size_t)node + 1, s->sum_alloc);
	if (s->sum_alloc > old)
		memset(s->sum + old, 0, (s->sum_alloc - old) * sizeof(*s->sum));
	if (!s->sum[node]) {
		PK_GROW(s->summed, s->summed_count + 1, s->summed_alloc);
		s->summed[s->summed_count++] = node;
	}
	s->sum_cut |= pk_add_saturated(&s->sum[node], value);
}

int pk_speedscope_put(struct pk_speedscope *s, uint32_t node, pk_speedscope_int value,
		      uint64_t offset)
{
	const struct pk_metric_table *t = &pk_builder_profile(s->b)->metric;
	int exponent = t->exponent[s->metric.id];
	int64_t v;
	bool whole = pk_speedscope_value(&s->metric, value, &v);

	s->stuck = s->metric.stuck;
	if (s->is_estimated)
		pk_speedscope_mark_estimated(s, node);
	if (s->ordered) {
		pk_build_sample(s->b, pk_speedscope_time(s, s->last), s->thread, node, s->metric.id,
				v);
	} else {
		if (t->exponent[s->metric.id] != exponent)
			scale_sums(s, exponent, t->exponent[s->metric.id]);
		add_to_sum(s, node, v);
	}
	return whole ? 0 : pk_speedscope_mend(s, cut, offset);
}

void pk_speedscope_put_sums(struct pk_speedscope *s)
{
	size_t i;

	for (i = 0; i < s->summed_count; i++) {
		uint32_t node = s->summed[i];

		pk_build_sample(s->b, PK_NULL, s->thread, node, s->metric.id, s->sum[node]);
		s->sum[node] = 0;
	}
	s->summed_count = 0;
}
