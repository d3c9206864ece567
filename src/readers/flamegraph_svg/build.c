/*
 * From boxes to call paths: a box's caller is the one on which it stands, or from which it hangs,
 * in a picture that grows down. The count of a box minus the counts of the boxes on it is its self
 * count.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "readers/flamegraph_svg/internal.h"

enum { MOST_TRIED = 64 };

static bool is_root(const struct svg_build *r, double y, double widest)
{
	size_t there = 0;

	for (size_t i = 0; i < r->boxes; i++)
		there += fabs(r->box[i].y - y) < 0.01;
	return there == 1 && widest > 0;
}

/* The root: a box that is alone in the lowest or in the highest row, and as wide as all boxes
 * together. */
static int find_root(struct svg_build *r)
{
	struct svg_box *low = r->box, *high = r->box;
	double widest = 0;
	bool flame, icicle;

	for (size_t i = 0; i < r->boxes; i++) {
		struct svg_box *box = &r->box[i];

		low = box->y > low->y ? box : low;
		high = box->y < high->y ? box : high;
		widest = box->width > widest ? box->width : widest;
		if (box->measure != r->box->measure)
			return pk_fail(r->err, PK_EFORMAT,
				       "boxes are measured in more than one unit");
		if (box->width < 0)
			return pk_fail(r->err, PK_EFORMAT, "box '%.60s' has a width below zero",
				       box->title ? box->title : box->label);
	}
	flame = low->width >= widest && is_root(r, low->y, widest);
	icicle = high->width >= widest && is_root(r, high->y, widest);
	if (!flame && !icicle)
		return pk_fail(r->err, PK_EFORMAT,
			       "no flame graph with one root: neither the lowest nor the highest "
			       "row is one box as wide as all");
	if (flame && icicle)
		flame = flamegraph_svg_called_all(low) || !flamegraph_svg_called_all(high);
	r->root = flame ? low : high;
	return 0;
}

/* The smallest difference between two rows. */
static double find_pitch(const struct svg_build *r)
{
	double *y = pk_malloc(pk_mul(r->boxes, sizeof(*y))), pitch = 0;

	for (size_t i = 0; i < r->boxes; i++)
		y[i] = r->box[i].y;
	qsort(y, r->boxes, sizeof(*y), pk_compare_reals);
	for (size_t i = 1; i < r->boxes; i++) {
		double step = y[i] - y[i - 1];

		if (step > 0.01 && (!pitch || step < pitch))
			pitch = step;
	}
	free(y);
	return pitch ? pitch : r->root->height + 1;
}

PK_COMPARE_ROWS(compare_places, struct svg_build,
		PK_ORDER(d->box[a].depth, d->box[b].depth) ?: PK_ORDER(d->box[a].x, d->box[b].x) ?:
		PK_ORDER(a, b))

static int find_depths(struct svg_build *r)
{
	double pitch = find_pitch(r);

	for (size_t i = 0; i < r->boxes; i++) {
		struct svg_box *box = &r->box[i];
		double depth = fabs(box->y - r->root->y) / pitch;

		if (depth > (double)r->boxes || fabs(depth - round(depth)) > 0.25)
			return pk_fail(r->err, PK_EFORMAT,
				       "box '%.60s' stands between two rows, or on nothing",
				       box->title ? box->title : box->label);
		box->depth = (uint32_t)lround(depth);
		r->depth = box->depth >= r->depth ? box->depth + 1 : r->depth;
	}
	r->order = pk_malloc(pk_mul(r->boxes, sizeof(*r->order)));
	r->row = pk_calloc(r->depth + 1, sizeof(*r->row));
	for (size_t i = 0; i < r->boxes; i++) {
		r->order[i] = (uint32_t)i;
		r->row[r->box[i].depth + 1]++;
	}
	for (size_t i = 0; i < r->depth; i++)
		r->row[i + 1] += r->row[i];
	qsort_r(r->order, r->boxes, sizeof(*r->order), compare_places, r);
	return 0;
}

/* Gives the counts in titles the same number of decimals, and computes those that no title has from
 * widths. */
static int find_weights(struct svg_build *r)
{
	double factor;

	flamegraph_svg_read_title(r, r->root, true);
	for (size_t i = 0; i < r->boxes; i++)
		if (&r->box[i] != r->root)
			flamegraph_svg_read_title(r, &r->box[i], false);
	for (size_t i = 0; i < r->boxes; i++) {
		struct svg_box *box = &r->box[i];
		int more = r->decimals - box->decimals;

		if (box->counted &&
		    __builtin_mul_overflow(box->weight, pk_power_of_ten(more), &box->weight))
			return pk_fail(r->err, PK_ELIMIT, "count of '%.60s' beyond 64 bits",
				       box->title);
		r->compared |= box->changed;
		r->uncounted += !box->counted;
	}
	if (!r->root->counted)
		r->root->weight = r->picture->total ? r->picture->total : llround(r->root->width);
	factor = (double)r->root->weight / r->root->width;
	for (size_t i = 0; i < r->boxes; i++)
		if (!r->box[i].counted && &r->box[i] != r->root)
			r->box[i].weight = llround(r->box[i].width * factor);
	r->rounded = r->uncounted && (r->root->measure != SVG_SAMPLES || factor != 1);
	/* With --factor, every count was rounded alone. */
	r->rounded |= r->picture->total &&
		      r->picture->total * pk_power_of_ten(r->decimals) != r->root->weight;
	return 0;
}

static bool stands_on(const struct svg_build *r, const struct svg_box *box, double middle)
{
	return middle >= box->x - r->tolerance && middle <= box->x + box->width + r->tolerance;
}

/*
 * The box of the row above (nearer to the root) over which the middle of this one lies. Where
 * places are rounded so that several may be meant, one is taken that still has as much to give.
 */
static struct svg_box *find_parent(const struct svg_build *r, const struct svg_box *box)
{
	const uint32_t *row = r->order + r->row[box->depth - 1];
	size_t count = r->row[box->depth] - r->row[box->depth - 1], low;
	double middle = box->x + box->width / 2;
	struct svg_box *nearest = NULL;

	low = PK_BISECT(i, 0, count, r->box[row[i]].x <= middle);
	/* low: the first that begins after the middle. */
	for (size_t tried = 0; tried < MOST_TRIED; tried++) {
		size_t step = (tried + 1) / 2, at;
		struct svg_box *parent;

		if (tried % 2 ? step > low : low + step >= count)
			continue;
		at = tried % 2 ? low - step : low + step;
		parent = &r->box[row[at]];
		if (!stands_on(r, parent, middle))
			continue;
		if (!nearest || (stands_on(r, parent, middle) && nearest->x > middle))
			nearest = parent;
		if (parent->weight - parent->children >= box->weight &&
		    (parent->x <= middle || tried > 1))
			return parent;
	}
	return nearest;
}

static int find_parents(struct svg_build *r)
{
	static const double tolerance[] = {0, 0.0002, 0.11};

	r->tolerance = tolerance[r->root->measure];
	if (r->root->measure == SVG_PIXELS) {
		bool whole = true;

		for (size_t i = 0; i < r->boxes && whole; i++)
			whole = r->box[i].x == floor(r->box[i].x) &&
				r->box[i].width == floor(r->box[i].width);
		r->tolerance = whole ? 1.01 : r->tolerance;
	}
	for (size_t i = 1; i < r->boxes; i++) {
		struct svg_box *box = &r->box[r->order[i]], *parent = find_parent(r, box);

		if (!parent)
			return pk_fail(r->err, PK_EFORMAT, "box '%.60s' has no caller below it",
				       box->title ? box->title : box->label);
		box->parent = (uint32_t)(parent - r->box);
		if (__builtin_add_overflow(parent->children, box->weight, &parent->children))
			return pk_fail(r->err, PK_ELIMIT, "counts beyond 64 bits");
	}
	return 0;
}

static int keep_framed(struct svg_build *r)
{
	for (size_t i = 0; i < r->picture->boxes; i++) {
		const struct svg_box *box = &r->picture->box[i];

		if (!r->picture->framed || box->inside)
			r->box[r->boxes++] = *box;
	}
	if (r->boxes)
		return 0;
	if (r->picture->message)
		return pk_fail(r->err, PK_EFORMAT, "a flame graph without frames: it says '%.200s'",
			       r->picture->message);
	return pk_fail(r->err, PK_EFORMAT, "no boxes of a flame graph");
}

static int build(struct svg_build *r)
{
	if (keep_framed(r) || find_root(r))
		return -1;
	if (r->boxes > UINT32_MAX / 2)
		return pk_fail(r->err, PK_ELIMIT, "more than 2,147,483,647 boxes");
	if (find_weights(r) || find_depths(r) || find_parents(r))
		return -1;
	flamegraph_svg_cost(r);
	return 0;
}

int flamegraph_svg_build(struct svg_picture *picture, struct pk_builder *b, struct pk_error *err)
{
	struct svg_build r = {.picture = picture, .b = b, .err = err};
	int ret;

	r.box = pk_calloc(picture->boxes + 1, sizeof(*r.box));
	ret = build(&r);
	free(r.box);
	free(r.order);
	free(r.row);
	return ret;
}
