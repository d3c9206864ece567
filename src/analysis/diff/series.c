/*
 * Values of many runs, for history: a run is matched, its values are taken, and it is freed unless
 * it names a function that no earlier run has.
 */
#include "analysis/diff/series.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/diff/internal.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/totals.h"

int pk_series_begin(struct pk_series *s, const struct pk_series_options *options,
		    struct pk_error *err)
{
	*s = (struct pk_series){.o = *options, .exactness = PK_EXACT};
	s->matcher = pk_match_begin(&s->match, &options->match, err);
	return s->matcher ? 0 : -1;
}

/* The metric of the run that was matched last; 0 if it has none that is the same as that of the
 * first run. */
static uint32_t metric_of(const struct pk_series *s, const struct pk_profile *p)
{
	const struct pk_profile *first = s->kept.count ? s->kept.item[0] : p;
	uint32_t m = pk_metric_find(first, s->o.metric);

	return m ? pk_diff_find_metric(first, m, p) : 0;
}

static int64_t measured(const struct pk_series *s, const struct pk_function_total *f)
{
	return s->o.measure == PK_SELF ? f->self : s->o.measure == PK_TOTAL ? f->total : f->calls;
}

static void add_value(struct pk_series *s, uint32_t item, int64_t value)
{
	struct pk_series_values *v = &s->values;

	PK_GROW(v->item, v->count + 1, v->item_alloc);
	PK_GROW(v->value, v->count + 1, v->value_alloc);
	v->item[v->count] = item;
	v->value[v->count++] = value;
}

static void take_values(struct pk_series *s, enum pk_side side, const struct pk_profile *p,
			uint32_t metric)
{
	const struct pk_match_side *matched = &s->match.side[side];
	const uint32_t *items = matched->of_function[matched->runs - 1];
	struct pk_functions functions;
	int64_t calls = PK_NULL;
	struct pk_series_run *run;

	PK_GROW(s->run, (size_t)s->count + 1, s->alloc);
	run = &s->run[s->count++];
	*run = (struct pk_series_run){
		.first = s->values.count, .side = side, .exponent = p->metric.exponent[metric]};
	pk_functions_init(&functions, p, metric);
	for (uint32_t i = 0; i < functions.count; i++) {
		const struct pk_function_total *f = &functions.row[i];
		uint32_t item = items[f->function];

		pk_add_known(&calls, f->calls);
		PK_GROW_ZERO(s->estimated[side], (size_t)item + 1, s->estimated_alloc[side]);
		s->estimated[side][item] |= f->estimated;
		if (s->o.functions)
			add_value(s, item, measured(s, f));
	}
	run->whole = s->o.measure == PK_CALLS ? calls : functions.total;
	pk_functions_release(&functions);
}

bool pk_series_add(struct pk_series *s, struct pk_profile *run, enum pk_side side)
{
	bool keeps = pk_match_add(s->matcher, side, run) || !s->kept.count || side == PK_AFTER;
	const struct pk_match_side *matched = &s->match.side[side];
	const struct pk_profile *p = matched->profile[matched->runs - 1];
	uint32_t metric = pk_is_benchmark(p) || pk_is_part(run) ? 0 : metric_of(s, p);

	if (metric) {
		if (side == PK_AFTER)
			s->metric = metric;
		if (p->metric.exponent[metric] > s->exponent)
			s->exponent = p->metric.exponent[metric];
		if (p->metric.exactness[metric] > s->exactness)
			s->exactness = p->metric.exactness[metric];
		take_values(s, side, p, metric);
	}
	if (keeps || !metric) {
		pk_profiles_add(&s->kept, run);
	} else {
		pk_match_forget(&s->match, side);
		pk_profile_free(run);
	}
	return metric != 0;
}

bool pk_series_end(struct pk_series *s)
{
	pk_match_end(s->matcher);
	s->matcher = NULL;
	return s->match.both > 0;
}

int64_t pk_series_value(const struct pk_series *s, uint32_t run, uint32_t function)
{
	const struct pk_series_run *r = &s->run[run];
	const uint32_t *of_item = s->match.side[r->side].of_item;
	size_t end = run + 1 < s->count ? r[1].first : s->values.count;
	int64_t value = function ? 0 : r->whole;

	if (s->o.measure == PK_CALLS && r->whole == PK_NULL)
		return PK_NULL;
	for (size_t i = r->first; function && i < end; i++) {
		uint32_t item = s->values.item[i];

		if ((of_item ? of_item[item] : item) == function)
			value = s->values.value[i];
	}
	for (int e = r->exponent; e < s->exponent && s->o.measure != PK_CALLS; e++)
		value = pk_mul_saturated(value, 10);
	return value;
}

bool pk_series_is_estimated(const struct pk_series *s, uint32_t function)
{
	const uint32_t *of_item = s->match.side[PK_BEFORE].of_item;

	if (function < s->estimated_alloc[PK_AFTER] && s->estimated[PK_AFTER][function])
		return true;
	for (size_t i = 1; i < s->estimated_alloc[PK_BEFORE]; i++)
		if (s->estimated[PK_BEFORE][i] && of_item[i] == function)
			return true;
	return false;
}

void pk_series_release(struct pk_series *s)
{
	if (s->matcher)
		pk_match_end(s->matcher);
	pk_match_release(&s->match);
	pk_profiles_release(&s->kept);
	free(s->run);
	free(s->values.item);
	free(s->values.value);
	free(s->estimated[PK_BEFORE]);
	free(s->estimated[PK_AFTER]);
}
