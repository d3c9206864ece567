/*
 * Functions that wait, whose time does not depend on the speed of the machine, and what they make
 * of the totals of others.
 *
 * Where a file after does not say how much of a total waits, a total that grew as little as
 * possible is judged, so that nothing is certain that is not.
 */
#include "analysis/check/judge_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/workers/class.h"
#include "base/alloc.h"

static void find_waits(struct pk_diff *d, enum pk_side s, uint32_t run)
{
	const struct pk_match_side *side = &d->match.side[s];
	const struct pk_profile *p = side->profile[run];
	struct pk_error err = PK_ERROR_INIT;
	struct pk_classes classes;

	if (pk_classes_init(&classes, p, NULL, 0, &err))
		return;
	for (uint32_t i = 1; i < p->function.count; i++) {
		uint8_t class = classes.of_function[i];
		uint32_t row = side->of_function[run][i];

		if (row && (class == PK_CLASS_WAIT || class == PK_CLASS_LOCK))
			d->row[row].waits = true;
	}
	pk_classes_release(&classes);
}

void pk_judge_find_waits(struct pk_diff *d)
{
	for (int s = 0; s < PK_SIDES; s++)
		for (uint32_t run = 0; run < d->side[s].runs; run++)
			find_waits(d, (enum pk_side)s, run);
}

/* Where a file says nothing, the machine may have made all of the difference between the bounds. */
static void take_least_growth(struct pk_diff_waits *w, const struct pk_diff *d, enum pk_side s)
{
	bool faster = s == PK_AFTER && d->machine_factor < 1;

	if (w->known == PK_WAITS_NOTHING)
		memcpy(w->value, faster ? w->most : w->least, d->match.count * sizeof(*w->value));
}

/* The other end of what the waits of a row may be. */
static int64_t other_end(const struct pk_diff_waits *w, uint32_t row)
{
	if (w->known != PK_WAITS_NOTHING)
		return w->value[row];
	return w->value[row] == w->least[row] ? w->most[row] : w->least[row];
}

/* Sets the medians over the runs of a side; scratch has room for these. */
static void set_typical(const struct pk_judging *judging, enum pk_side s, uint32_t row,
			int64_t *scratch)
{
	const struct pk_diff *d = judging->d;
	const struct pk_diff_waits *of = judging->waits + (s ? d->side[PK_BEFORE].runs : 0);
	struct pk_diff_row *r = &d->row[row];
	uint32_t runs = d->side[s].runs;

	for (uint32_t i = 0; i < runs; i++)
		scratch[i] = of[i].value[row];
	r->waiting[s] = pk_diff_median(scratch, runs);
	for (uint32_t i = 0; i < runs && s == PK_AFTER; i++) {
		scratch[i] = other_end(&of[i], row);
		r->waiting_estimated |=
			of[i].known == PK_WAITS_CALLERS && of[i].least[row] < of[i].most[row];
	}
	if (s == PK_AFTER)
		r->waiting_perhaps = pk_diff_median(scratch, runs);
}

void pk_judge_waiting(struct pk_judging *judging)
{
	struct pk_diff *d = judging->d;
	uint32_t runs = d->side[PK_BEFORE].runs + d->side[PK_AFTER].runs;
	PK_FREED int64_t *scratch = pk_malloc(pk_mul(runs, sizeof(*scratch)));

	if (!judging->machine || isnan(d->machine_factor) || !pk_diff_any_waits(d))
		return;
	judging->waits = pk_calloc(runs, sizeof(*judging->waits));
	for (uint32_t i = 0; i < runs; i++) {
		enum pk_side s = i >= d->side[PK_BEFORE].runs;

		pk_diff_waits_init(&judging->waits[i], d, s, i - (s ? d->side[PK_BEFORE].runs : 0));
		take_least_growth(&judging->waits[i], d, s);
	}
	for (uint32_t row = 0; row < d->match.count; row++) {
		set_typical(judging, PK_BEFORE, row, scratch);
		set_typical(judging, PK_AFTER, row, scratch);
	}
}

void pk_judge_waiting_release(struct pk_judging *judging)
{
	uint32_t runs = judging->d->side[PK_BEFORE].runs + judging->d->side[PK_AFTER].runs;

	for (uint32_t i = 0; judging->waits && i < runs; i++)
		pk_diff_waits_release(&judging->waits[i]);
	free(judging->waits);
}
