/*
 * Puts the values of all runs of both sides side by side, for the metric that they have in common.
 */
#include "analysis/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/diff/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/label.h"
#include "model/totals.h"

const char *const pk_measures[] = {"self", "total", "calls", NULL};
const char *const pk_verdicts[] = {"unchanged", "regressed",  "improved", "inconclusive",
				   "suspect",   "new",        "gone",     "shifted",
				   "minor",     "unrecorded", NULL};
const char *const pk_diff_methods[] = {"exact", "sampling-noise",  "exploratory", "permutation",
				       "means", "repeated-values", NULL};

int64_t pk_diff_median(int64_t *value, size_t n)
{
	int64_t low, high;

	qsort(value, n, sizeof(*value), pk_compare_ints);
	if (value[0] == PK_NULL)
		return PK_NULL;
	low = value[(n - 1) / 2];
	high = value[n / 2];
	return (int64_t)(((__int128)low + high + 1) >> 1); /* rounds halves up */
}

static bool same_metric(const struct pk_profile *a, uint32_t ma, const struct pk_profile *b,
			uint32_t mb)
{
	return !strcmp(pk_metric_unit(a, ma), pk_metric_unit(b, mb)) &&
	       !strcmp(pk_text(a, a->metric.name[ma]), pk_text(b, b->metric.name[mb]));
}

/* True if m counts the things whose size or time is another metric: hits, allocations. */
static bool is_count(const struct pk_profile *p, uint32_t m)
{
	for (uint32_t i = 1; p->metric.counts && i < p->metric.count; i++)
		if (p->metric.counts[i] == m)
			return true;
	return false;
}

uint32_t pk_diff_find_metric(const struct pk_profile *first, uint32_t m, const struct pk_profile *p)
{
	for (uint32_t i = 1; i < p->metric.count; i++) {
		if (same_metric(first, m, p, i))
			return i;
	}
	for (uint32_t i = 1; i < p->metric.count; i++) {
		if (!strcmp(pk_metric_unit(first, m), pk_metric_unit(p, i)) &&
		    first->metric.kind[m] == p->metric.kind[i] && !is_count(first, m) &&
		    !is_count(p, i))
			return i;
	}
	return 0;
}

/* Fails: no metric of b can be compared with ma. The message names the first metric of b. */
static int cannot_compare(const struct pk_profile *a, uint32_t ma, const struct pk_profile *b,
			  struct pk_error *err)
{
	if (pk_match_units(a, ma, b, 1, err))
		return -1;
	return pk_fail(err, PK_EUSAGE, "cannot compare %s of '%s' with %s of '%s'",
		       pk_text(a, a->metric.name[ma]), pk_text(a, a->run.source[1]),
		       pk_text(b, b->metric.name[1]), pk_text(b, b->run.source[1]));
}

/* Sets the metrics of all runs to the one that corresponds to metric m of the first profile. `any`:
 * the side after may use any metric. Returns false if a run has none. */
static bool set_metrics(struct pk_diff *d, const struct pk_profile *first, uint32_t m, bool any,
			const struct pk_profile **lacks)
{
	for (int s = 0; s < PK_SIDES; s++) {
		for (uint32_t r = 0; r < d->side[s].runs; r++) {
			const struct pk_profile *p = d->match.side[s].profile[r];

			d->side[s].metric[r] = pk_diff_find_metric(first, m, p);
			if (!d->side[s].metric[r] && any && s == PK_AFTER && p->metric.count > 1)
				d->side[s].metric[r] = 1;
			if (!d->side[s].metric[r]) {
				*lacks = p;
				return false;
			}
		}
	}
	return true;
}

/* True for rates such as MB/s; in Go's benchmarks if a line "Unit score better=higher" says so. */
static bool more_is_better(const struct pk_profile *p, const char *metric, const char *unit)
{
	PK_BUF_AUTO key = PK_BUF_INIT;
	const char *better;

	pk_buf_addf(&key, "unit %s better", metric);
	better = pk_meta_find(p, key.data);
	return better ? strcmp(better, "higher") == 0
		      : pk_ends_with(unit, "/s") || pk_ends_with(metric, "/s");
}

/* Values are shown in the unit of the side after. If the units differ, both are scaled to it. */
static void set_unit(struct pk_diff *d)
{
	const struct pk_profile *p = d->match.side[PK_AFTER].profile[0];
	uint32_t m = d->side[PK_AFTER].metric[0];

	d->metric = pk_text(p, p->metric.name[m]);
	d->unit = pk_metric_unit(p, m);
	d->kind = p->metric.kind[m];
	d->more_is_better = d->benchmarks && more_is_better(p, d->metric, d->unit);
}

static int choose_metric(struct pk_diff *d, const struct pk_diff_options *options,
			 struct pk_error *err)
{
	const char *wanted = options->metric;
	const struct pk_profile *first = d->match.side[PK_BEFORE].profile[0];
	const struct pk_profile *lacks = NULL;
	uint32_t m = pk_metric_find(first, wanted), from = m, next = 1;

	if (!m)
		return pk_metric_missing(first, wanted, err);
	while (!set_metrics(d, first, m, options->normalize, &lacks)) {
		if (wanted || next == first->metric.count)
			return lacks->metric.count > 1 ? cannot_compare(first, from, lacks, err)
						       : pk_metric_missing(lacks, wanted, err);
		m = next++;
	}
	set_unit(d);
	d->exactness = PK_EXACT;
	for (int s = 0; s < PK_SIDES; s++) {
		for (uint32_t r = 0; r < d->side[s].runs; r++) {
			const struct pk_metric_table *t = &d->match.side[s].profile[r]->metric;
			uint32_t metric = d->side[s].metric[r];

			if (t->exponent[metric] > d->exponent)
				d->exponent = t->exponent[metric];
			if (t->exactness[metric] > d->exactness)
				d->exactness = t->exactness[metric];
		}
	}
	return 0;
}

int64_t pk_diff_factor(const struct pk_diff *d, enum pk_side s, uint32_t r)
{
	int64_t factor = 1;

	for (int e = d->match.side[s].profile[r]->metric.exponent[d->side[s].metric[r]];
	     e < d->exponent; e++)
		factor = pk_mul_saturated(factor, 10);
	return factor;
}

static void collect_run(struct pk_diff *d, enum pk_side s, uint32_t r)
{
	const struct pk_profile *p = d->match.side[s].profile[r];
	struct pk_diff_side *side = &d->side[s];
	uint32_t metric = side->metric[r], runs = side->runs;
	struct pk_functions functions;
	int64_t factor = pk_diff_factor(d, s, r);
	bool all = side->value[PK_SELF];

	pk_functions_init(&functions, p, metric);
	side->whole[r] = pk_mul_saturated(functions.total, factor);
	side->calls[r] = PK_NULL;
	for (uint32_t i = 0; i < functions.count; i++) {
		const struct pk_function_total *f = &functions.row[i];
		uint32_t row = d->match.side[s].of_function[r][f->function];
		size_t at = (size_t)row * runs + r;

		pk_add_known(&side->calls[r], f->calls);
		if (f->estimated)
			d->row[row].estimated = true;
		if (!all)
			continue;
		side->value[PK_SELF][at] = pk_mul_saturated(f->self, factor);
		side->value[PK_TOTAL][at] = pk_mul_saturated(f->total, factor);
		side->value[PK_CALLS][at] = f->calls;
	}
	/* if calls are known, a function that is missing has 0 */
	for (uint32_t i = 1; all && side->calls[r] == PK_NULL && i < d->match.count; i++)
		side->value[PK_CALLS][(size_t)i * runs + r] = PK_NULL;
	pk_functions_release(&functions);
}

int64_t pk_diff_value(const struct pk_diff *d, enum pk_side s, uint32_t r, enum pk_measure m,
		      uint32_t row)
{
	const struct pk_diff_side *side = &d->side[s];
	int64_t factor = m == PK_CALLS ? 1 : pk_diff_factor(d, s, r), value = 0;
	struct pk_functions functions;

	if (side->value[m])
		return side->value[m][(size_t)row * side->runs + r];
	if (m == PK_CALLS && side->calls[r] == PK_NULL)
		return PK_NULL;
	pk_functions_init(&functions, d->match.side[s].profile[r], side->metric[r]);
	for (uint32_t i = 0; i < functions.count; i++) {
		const struct pk_function_total *f = &functions.row[i];

		if (d->match.side[s].of_function[r][f->function] == row)
			value = m == PK_SELF ? f->self : m == PK_TOTAL ? f->total : f->calls;
	}
	pk_functions_release(&functions);
	return pk_mul_saturated(value, factor);
}

static void collect_side(struct pk_diff *d, enum pk_side s, bool wholes)
{
	struct pk_diff_side *side = &d->side[s];
	bool is_part = pk_is_part(d->match.side[s].given[0]);

	side->whole = pk_calloc(side->runs, sizeof(*side->whole));
	side->calls = pk_calloc(side->runs, sizeof(*side->calls));
	for (int m = 0; (!wholes || is_part) && m < PK_MEASURES; m++)
		side->value[m] = pk_calloc(pk_mul(d->match.count, side->runs), sizeof(int64_t));
	for (uint32_t r = 0; r < side->runs; r++)
		collect_run(d, s, r);
	if (is_part)
		pk_diff_collect_part(d, s);
}

void pk_diff_range(const struct pk_diff *d, enum pk_side s, enum pk_measure m, uint32_t row,
		   int64_t *low, int64_t *high)
{
	const struct pk_diff_side *side = &d->side[s];
	const int64_t *value = side->value[m] + (size_t)row * side->runs;

	if (side->members) {
		*low = side->spread[m][row].least;
		*high = side->spread[m][row].most;
		return;
	}
	if (!row)
		value = m == PK_CALLS ? side->calls : side->whole;
	*low = *high = value[0];
	for (uint32_t r = 1; r < side->runs; r++) {
		*low = value[r] < *low ? value[r] : *low;
		*high = value[r] > *high ? value[r] : *high;
	}
}

static struct pk_change compare_medians(const struct pk_diff *d, const int64_t *before,
					const int64_t *after, int64_t *scratch)
{
	struct pk_change c = {.ci_low = NAN, .ci_high = NAN, .p = NAN};

	memcpy(scratch, before, d->side[PK_BEFORE].runs * sizeof(*scratch));
	c.before = pk_diff_median(scratch, d->side[PK_BEFORE].runs);
	memcpy(scratch, after, d->side[PK_AFTER].runs * sizeof(*scratch));
	c.after = pk_diff_median(scratch, d->side[PK_AFTER].runs);
	c.ratio = pk_change_ratio(&c);
	return c;
}

static void compare_sides(struct pk_diff *d)
{
	const struct pk_diff_side *b = &d->side[PK_BEFORE], *a = &d->side[PK_AFTER];
	uint32_t most = b->runs > a->runs ? b->runs : a->runs;
	int64_t *scratch = pk_malloc(pk_mul(most, sizeof(*scratch)));

	for (uint32_t i = 1; b->value[PK_SELF] && i < d->match.count; i++) {
		for (int m = 0; m < PK_MEASURES; m++)
			d->row[i].change[m] =
				compare_medians(d, &b->value[m][(size_t)i * b->runs],
						&a->value[m][(size_t)i * a->runs], scratch);
	}
	d->total = compare_medians(d, b->whole, a->whole, scratch);
	d->total_calls = compare_medians(d, b->calls, a->calls, scratch);
	free(scratch);
}

/* Multiplies all of a value but its waits. */
static int64_t scaled(int64_t value, int64_t waits, double factor)
{
	waits = waits < 0 || value <= 0 ? 0 : waits < value ? waits : value;
	value = pk_scaled(value - waits, factor);
	if (waits)
		pk_add_saturated(&value, waits);
	return value;
}

static void scale_run(struct pk_diff *d, uint32_t r, double factor)
{
	const struct pk_diff_side *b = &d->side[PK_BEFORE];
	struct pk_diff_waits waits;
	bool known;

	pk_diff_waits_init(&waits, d, PK_BEFORE, r);
	known = pk_diff_waits_guess(&waits, d, PK_BEFORE);
	for (uint32_t i = 1; i < d->match.count; i++) {
		int64_t *self = &b->value[PK_SELF][(size_t)i * b->runs + r];
		int64_t *total = &b->value[PK_TOTAL][(size_t)i * b->runs + r];

		if (!d->row[i].waits)
			*self = pk_scaled(*self, factor);
		*total = scaled(*total, waits.value[i], factor);
		d->row[i].total_estimated |= waits.least[i] < waits.most[i];
		d->row[i].total_unknown |= !known && waits.least[i] < waits.most[i];
	}
	b->whole[r] = scaled(b->whole[r], waits.value[0], factor);
	if (b->members)
		pk_diff_scale_part(d, factor, waits.value);
	pk_diff_waits_release(&waits);
}

void pk_diff_scale(struct pk_diff *d, double factor)
{
	d->scale *= factor;
	d->shares = false;
	for (uint32_t r = 0; r < d->side[PK_BEFORE].runs; r++)
		scale_run(d, r, factor);
	compare_sides(d);
}

/* Sets whether these are benchmarks, which all must be then. */
static int find_kind(struct pk_diff *d, struct pk_error *err)
{
	const struct pk_profile *first = d->match.side[PK_BEFORE].profile[0];

	d->benchmarks = pk_is_benchmark(first);
	for (int s = 0; s < PK_SIDES; s++)
		for (uint32_t r = 0; r < d->side[s].runs; r++) {
			const struct pk_profile *p = d->match.side[s].profile[r];

			if (pk_is_benchmark(p) != d->benchmarks)
				return pk_fail(err, PK_EUSAGE,
					       "'%s' is a result of benchmarks, '%s' is a profile",
					       pk_run_name(d->benchmarks ? first : p),
					       pk_run_name(d->benchmarks ? p : first));
			if (pk_is_part(p) != pk_is_part(first) ||
			    (pk_is_part(p) && d->side[s].runs > 1))
				return pk_fail(err, PK_EUSAGE,
					       "a part can only be compared with a part");
		}
	return 0;
}

static int check_parts(const struct pk_diff *d, struct pk_error *err)
{
	for (int s = 0; s < PK_SIDES; s++)
		if (pk_is_part(d->match.side[s].given[0]) && !d->side[s].members)
			return pk_fail(err, PK_EFORMAT,
				       "broken part: '%s' does not say which runs have %s",
				       d->side[s].name, d->metric);
	return 0;
}

static int normalize(struct pk_diff *d, struct pk_error *err)
{
	if (d->benchmarks)
		return pk_fail(err, PK_EUSAGE, "--normalize: benchmarks have no whole");
	if (d->total.before <= 0 || d->total.after <= 0)
		return pk_fail(err, PK_EFORMAT, "--normalize: the total of '%s' is not positive",
			       d->side[d->total.before > 0 ? PK_AFTER : PK_BEFORE].name);
	pk_diff_scale(d, (double)d->total.after / (double)d->total.before);
	d->shares = true;
	return 0;
}

int pk_diff_check_common(const struct pk_match *m, const char *before, const char *after,
			 struct pk_error *err)
{
	if (m->both)
		return 0;
	return pk_fail(err, PK_EFORMAT,
		       pk_is_benchmark(m->side[PK_BEFORE].profile[0])
			       ? "no benchmark of '%s' is in '%s'; --map OLD=NEW tells new names"
			       : "no function of '%s' is in '%s': they are of different programs, "
				 "or recorded by "
				 "tools that show different functions",
		       before, after);
}

int pk_diff_init(struct pk_diff *d, const struct pk_profiles *before,
		 const struct pk_profiles *after, const struct pk_diff_options *options,
		 struct pk_error *err)
{
	const struct pk_profiles *list[PK_SIDES] = {before, after};

	memset(d, 0, sizeof(*d));
	d->machine_factor = NAN;
	d->scale = 1;
	if (!before->count || !after->count)
		return pk_fail(err, PK_EUSAGE, "no runs %s", before->count ? "after" : "before");
	if (pk_match_init(&d->match, before, after, &options->match, err))
		return -1;
	for (int s = 0; s < PK_SIDES; s++) {
		d->side[s].runs = (uint32_t)list[s]->count;
		d->side[s].name = pk_run_name(list[s]->item[0]);
		d->side[s].metric = pk_calloc(list[s]->count, sizeof(*d->side[s].metric));
	}
	if (find_kind(d, err) || choose_metric(d, options, err)) {
		pk_diff_release(d);
		return -1;
	}
	if (pk_diff_check_common(&d->match, d->side[PK_BEFORE].name, d->side[PK_AFTER].name, err)) {
		pk_diff_release(d);
		return -1;
	}
	d->row = pk_calloc(d->match.count, sizeof(*d->row));
	if (d->benchmarks) {
		pk_diff_collect_benchmarks(d);
	} else {
		collect_side(d, PK_BEFORE, options->wholes);
		collect_side(d, PK_AFTER, options->wholes);
		compare_sides(d);
		if (check_parts(d, err)) {
			pk_diff_release(d);
			return -1;
		}
	}
	if (options->normalize && normalize(d, err)) {
		pk_diff_release(d);
		return -1;
	}
	return 0;
}

int pk_diff_check_calls(const struct pk_diff *d, struct pk_error *err)
{
	const struct pk_change *c = &d->total_calls;

	if (c->before != PK_NULL && c->after != PK_NULL)
		return 0;
	return pk_fail(err, PK_EFORMAT, "'%s' does not know how often functions were called",
		       d->side[c->before == PK_NULL ? PK_BEFORE : PK_AFTER].name);
}

void pk_diff_release(struct pk_diff *d)
{
	for (int s = 0; s < PK_SIDES; s++) {
		struct pk_diff_side *side = &d->side[s];

		free(side->metric);
		free(side->whole);
		free(side->calls);
		for (int m = 0; m < PK_MEASURES; m++) {
			free(side->value[m]);
			free(side->spread[m]);
		}
		pk_diff_release_benchmarks(&side->repeated);
	}
	free(d->row);
	pk_match_release(&d->match);
	pk_arena_release(&d->arena);
	memset(d, 0, sizeof(*d));
}
