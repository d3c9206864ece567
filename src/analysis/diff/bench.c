/* Benchmarks of two sides: the repeated values of each row, of all files of a side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/internal.h"
#include "analysis/stats/stats.h"
#include "base/alloc.h"
#include "model/build/builder.h"

static int64_t amount_of(const struct pk_diff *d, double value)
{
	return pk_benchmark_cost(value, d->exponent, d->kind);
}

/* The row of the diff that a value or cost belongs to; 0 = it is of another metric, or a
 * warm-up. */
static uint32_t row_of(const struct pk_diff *d, enum pk_side s, uint32_t run, uint32_t node,
		       uint32_t metric)
{
	const struct pk_profile *p = d->match.side[s].profile[run];

	return metric == d->side[s].metric[run]
		       ? d->match.side[s].of_function[run][pk_node_function(p, node)]
		       : 0;
}

static uint32_t row_of_value(const struct pk_diff *d, enum pk_side s, uint32_t run, uint32_t i)
{
	const struct pk_value_table *t = &d->match.side[s].profile[run]->value;

	return pk_is_warmup(t, i) ? 0 : row_of(d, s, run, t->node[i], pk_value_metric(t, i));
}

static void count_values(struct pk_diff *d, enum pk_side s)
{
	struct pk_diff_repeated *r = &d->side[s].repeated;
	size_t at = 0;

	r->first = pk_calloc((size_t)d->match.count + 1, sizeof(*r->first));
	for (uint32_t run = 0; run < d->side[s].runs; run++)
		for (uint32_t i = 1; i < d->match.side[s].profile[run]->value.count; i++)
			r->first[row_of_value(d, s, run, i)]++;
	r->first[0] = 0;
	for (uint32_t row = 0; row <= d->match.count; row++) {
		size_t count = r->first[row];

		r->first[row] = at;
		at += count;
	}
}

/* Processes of different files get different numbers. */
static void collect_values(struct pk_diff *d, enum pk_side s)
{
	struct pk_diff_repeated *r = &d->side[s].repeated;
	size_t count = r->first[d->match.count];
	PK_FREED size_t *next = pk_malloc(pk_mul(d->match.count, sizeof(*next)));
	uint32_t process = 0;

	memcpy(next, r->first, d->match.count * sizeof(*next));
	r->value = pk_malloc(pk_mul(count, sizeof(*r->value)));
	r->process = pk_malloc(pk_mul(count, sizeof(*r->process)));
	for (uint32_t run = 0; run < d->side[s].runs; run++) {
		const struct pk_profile *p = d->match.side[s].profile[run];

		for (uint32_t i = 1; i < p->value.count; i++) {
			uint32_t row = row_of_value(d, s, run, i);

			if (!row)
				continue;
			r->value[next[row]] = p->value.value[i];
			r->process[next[row]++] = process + pk_value_thread(&p->value, i);
		}
		process += p->thread.count;
	}
}

/* The mean of the values that the files give instead of repetitions. */
static void collect_given(struct pk_diff *d, enum pk_side s)
{
	struct pk_diff_repeated *r = &d->side[s].repeated;
	PK_FREED uint32_t *files = pk_calloc(d->match.count, sizeof(*files));

	r->given = pk_calloc(d->match.count, sizeof(*r->given));
	for (uint32_t run = 0; run < d->side[s].runs; run++) {
		const struct pk_profile *p = d->match.side[s].profile[run];
		double unit = pk_metric_scale(p, d->side[s].metric[run]) *
			      (d->kind == PK_METRIC_TIME ? 1e9 : 1);

		for (uint32_t i = 1; i < p->cost.count; i++) {
			uint32_t row = row_of(d, s, run, p->cost.node[i], pk_cost_metric(p, i));

			files[row]++;
			r->given[row] +=
				((double)p->cost.self[i] / unit - r->given[row]) / files[row];
		}
	}
	for (uint32_t row = 1; row < d->match.count; row++)
		if (!files[row])
			r->given[row] = NAN;
}

static int64_t middle(const struct pk_diff *d, enum pk_side s, uint32_t row, bool given,
		      double *scratch)
{
	const struct pk_diff_repeated *r = &d->side[s].repeated;
	size_t count = r->first[row + 1] - r->first[row];

	if (!d->match.function[row].id[s] && !isnan(d->side[!s].repeated.given[row]))
		return 0;
	if (given || !count)
		return amount_of(d, r->given[row]);
	memcpy(scratch, r->value + r->first[row], count * sizeof(*scratch));
	return amount_of(d, pk_median(scratch, count));
}

/* Takes medians, or means where a side has nothing else. */
static void compare(struct pk_diff *d)
{
	size_t most = d->side[PK_BEFORE].repeated.first[d->match.count] +
		      d->side[PK_AFTER].repeated.first[d->match.count];
	PK_FREED double *scratch = pk_malloc(pk_mul(most, sizeof(*scratch)));

	for (uint32_t i = 1; i < d->match.count; i++) {
		struct pk_change c = {.ci_low = NAN, .ci_high = NAN, .p = NAN};
		bool given =
			pk_diff_values(d, PK_BEFORE, i) == 0 || pk_diff_values(d, PK_AFTER, i) == 0;

		c.before = middle(d, PK_BEFORE, i, given && d->match.function[i].id[PK_AFTER],
				  scratch);
		c.after = middle(d, PK_AFTER, i, given && d->match.function[i].id[PK_BEFORE],
				 scratch);
		c.ratio = pk_change_ratio(&c);
		d->row[i].change[PK_SELF] = d->row[i].change[PK_TOTAL] = c;
	}
}

void pk_diff_collect_benchmarks(struct pk_diff *d)
{
	for (int s = 0; s < PK_SIDES; s++) {
		count_values(d, (enum pk_side)s);
		collect_values(d, (enum pk_side)s);
		collect_given(d, (enum pk_side)s);
	}
	d->total = (struct pk_change){.before = PK_NULL,
				      .after = PK_NULL,
				      .ratio = NAN,
				      .ci_low = NAN,
				      .ci_high = NAN,
				      .p = NAN};
	d->total_calls = d->total; /* those of rows are not looked at */
	compare(d);
}

void pk_diff_release_benchmarks(struct pk_diff_repeated *r)
{
	free(r->first);
	free(r->value);
	free(r->process);
	free(r->given);
}
