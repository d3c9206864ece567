/* Which rows of a difference are shown, and in which order. */
#include "analysis/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/transform/transform.h"

const char *const pk_diff_keys[] = {"delta", "before",  "after", "ratio",
				    "p",     "verdict", "name",  NULL};

struct sorting {
	const struct pk_diff *d;
	enum pk_measure measure;
	const struct pk_diff_choice *choice;
};

/* Changes come first, regressions before improvements. */
static int rank_of(enum pk_verdict verdict)
{
	static const int rank[] = {
		[PK_REGRESSED] = 0, [PK_SUSPECT] = 1,      [PK_NEW] = 2,     [PK_IMPROVED] = 3,
		[PK_GONE] = 4,      [PK_INCONCLUSIVE] = 5, [PK_SHIFTED] = 6, [PK_UNRECORDED] = 7,
		[PK_MINOR] = 8,     [PK_UNCHANGED] = 9};

	return rank[verdict];
}

static double known(double value, double otherwise)
{
	return isnan(value) ? otherwise : value;
}

/* The relative size of a change, independent of how long the benchmark takes. */
static double size_of(const struct pk_change *c)
{
	return c->ratio > 0 ? fabs(log(c->ratio)) : 0;
}

static int compare(const struct sorting *s, uint32_t i, uint32_t k)
{
	const struct pk_change *a = &s->d->row[i].change[s->measure];
	const struct pk_change *b = &s->d->row[k].change[s->measure];

	switch (s->choice->key) {
	case PK_DIFF_BY_DELTA:
		/* changes of different benchmarks can only be compared relatively */
		if (s->d->benchmarks)
			return PK_ORDER(size_of(b), size_of(a));
		return PK_ORDER(fabs((double)pk_change_delta(b)), fabs((double)pk_change_delta(a)));
	case PK_DIFF_BY_BEFORE:
		return PK_ORDER((double)b->before, (double)a->before);
	case PK_DIFF_BY_AFTER:
		return PK_ORDER((double)b->after, (double)a->after);
	case PK_DIFF_BY_RATIO:
		return PK_ORDER(known(b->ratio, -1), known(a->ratio, -1));
	case PK_DIFF_BY_P:
		return PK_ORDER(known(a->p, 2), known(b->p, 2));
	case PK_DIFF_BY_VERDICT:
		return rank_of(a->verdict) - rank_of(b->verdict);
	case PK_DIFF_BY_NAME:
		return strcmp(pk_match_name(&s->d->match, i), pk_match_name(&s->d->match, k));
	}
	return 0;
}

static int64_t largest(const struct pk_change *c)
{
	return c->before > c->after ? c->before : c->after;
}

/* Equal keys: the larger change first, then the larger value, then the order of the file. */
static int compare_rows(const void *va, const void *vb, void *data)
{
	const struct sorting *s = data;
	uint32_t i = *(const uint32_t *)va, k = *(const uint32_t *)vb;
	const struct pk_change *a = &s->d->row[i].change[s->measure];
	const struct pk_change *b = &s->d->row[k].change[s->measure];
	int order = compare(s, i, k);

	if (s->choice->reverse)
		order = -order;
	if (!order)
		order = PK_ORDER(fabs((double)pk_change_delta(b)), fabs((double)pk_change_delta(a)))
				?: PK_ORDER(largest(b), largest(a));
	return order ? order : (i > k) - (i < k);
}

static bool matches(const struct pk_diff *d, uint32_t row, const struct pk_regex *re,
		    struct pk_buf *place)
{
	const struct pk_match_function *f = &d->match.function[row];

	for (int s = 0; s < PK_SIDES; s++) {
		if (f->id[s] &&
		    pk_function_matches(re, d->match.side[s].profile[f->run[s]], f->id[s], place))
			return true;
	}
	return false;
}

static bool is_large(const struct pk_diff *d, enum pk_measure m, uint32_t row, double share)
{
	const struct pk_change *whole = m == PK_CALLS ? &d->total_calls : &d->total;
	const struct pk_change *c = &d->row[row].change[m];

	if (d->benchmarks) /* benchmarks have no whole: the share of the value before */
		return fabs(c->ratio - 1) >= share || isnan(c->ratio);
	return (double)c->before >= share * (double)whole->before ||
	       (double)c->after >= share * (double)whole->after;
}

static bool hardly_changed(const struct pk_diff *d, enum pk_measure m, uint32_t row)
{
	const struct pk_change *whole = m == PK_CALLS ? &d->total_calls : &d->total;
	const struct pk_change *c = &d->row[row].change[m];
	double most =
		d->benchmarks ? 0 : fmax(fabs((double)whole->before), fabs((double)whole->after));

	bool exact =
		m == PK_CALLS || d->method == PK_DIFF_EXACT; /* every change of a count counts */
	bool alone = c->verdict == PK_NEW || c->verdict == PK_GONE || c->verdict == PK_UNRECORDED;

	if (c->before == c->after)
		return alone || c->verdict == PK_UNCHANGED || c->verdict == PK_MINOR;
	return (c->verdict == PK_UNCHANGED || c->verdict == PK_MINOR || (alone && !exact)) &&
	       fabs((double)pk_change_delta(c)) < 0.001 * most;
}

int pk_diff_choose(const struct pk_diff *d, enum pk_measure m, const struct pk_diff_choice *choice,
		   uint32_t *order, uint32_t *count, uint32_t *unchanged, struct pk_error *err)
{
	struct sorting sorting = {d, m, choice};
	struct pk_buf place = PK_BUF_INIT;
	struct pk_regex *re = NULL;

	*count = *unchanged = 0;
	if (choice->match && !(re = pk_regex_new(choice->match, err)))
		return -1;
	for (uint32_t i = 1; i < d->match.count; i++) {
		if (d->benchmarks && !pk_diff_has_metric(d, i))
			continue;
		if (choice->min_share > 0 && !is_large(d, m, i, choice->min_share))
			continue;
		if (re && !matches(d, i, re, &place))
			continue;
		if (choice->changed && hardly_changed(d, m, i))
			++*unchanged;
		else
			order[(*count)++] = i;
	}
	pk_regex_free(re);
	pk_buf_release(&place);
	qsort_r(order, *count, sizeof(*order), compare_rows, &sorting);
	return 0;
}
