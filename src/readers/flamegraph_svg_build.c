/*
 * From boxes to call paths: a box's caller is the one on which it stands, or from which it hangs,
 * in a picture that grows down. What a box has more than those on it is its own.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/units.h"
#include "model/frame_text.h"
#include "readers/flamegraph_svg_internal.h"

enum { MOST_DECIMALS = 9, MOST_TRIED = 64 };

struct build {
	struct svg_picture *picture;
	struct pk_builder *b;
	struct pk_error *err;
	struct svg_box *box; /* without those outside of the frames */
	size_t boxes;
	uint32_t *order;    /* by depth, then from left to right */
	size_t *row, depth; /* where each depth begins in order; row[depth] is the end */
	struct svg_box *root;
	const char *unit;
	size_t unit_len;
	int decimals;
	double tolerance;
	bool rounded, compared;
	int64_t uncounted, overfull, merged;
	uint32_t metric, delta;
	int64_t scale; /* of the unit in base units of the metric */
};

/* "1,234.5": the digits alone as a number, and how many come after the point. */
static size_t parse_count(const char *text, int64_t *digits, int *decimals)
{
	const char *at = text;
	bool point = false;

	*digits = 0;
	*decimals = 0;
	for (; (*at >= '0' && *at <= '9') || *at == ',' || *at == '.'; at++) {
		if (*at == '.') {
			if (point)
				return 0;
			point = true;
		} else if (*at != ',') {
			if (__builtin_mul_overflow(*digits, 10, digits) ||
			    __builtin_add_overflow(*digits, *at - '0', digits))
				return 0;
			*decimals += point;
		}
	}
	return *decimals > MOST_DECIMALS ? 0 : (size_t)(at - text);
}

/* "12.34%": in 1/100 %. */
static const char *parse_percent(const char *text, int64_t *hundredths)
{
	bool exact, overflow, plus = *text == '+';
	size_t used = pk_parse_decimal(text + plus, strlen(text + plus), 2, hundredths, &exact,
				       &overflow);

	return used && text[plus + used] == '%' ? text + plus + used + 1 : NULL;
}

struct info {
	int64_t digits, change;
	int decimals;
	const char *unit;
	size_t unit_len;
	bool changed;
};

/* What follows " (" in a title: "12 samples, 3.40%; -0.10%)". The unit may hold anything. */
static bool parse_info(const char *text, struct info *info)
{
	size_t used = parse_count(text, &info->digits, &info->decimals);
	const char *share, *rest;
	int64_t percent;

	if (!used || text[used] != ' ')
		return false;
	info->unit = text + used + 1;
	for (share = info->unit; (share = strstr(share, ", ")); share++) {
		rest = parse_percent(share + 2, &percent);
		if (!rest)
			continue;
		info->changed = rest[0] == ';' && rest[1] == ' ';
		if (info->changed)
			rest = parse_percent(rest + 2, &info->change);
		if (rest && !strcmp(rest, ")")) {
			info->unit_len = (size_t)(share - info->unit);
			return true;
		}
	}
	return false;
}

static bool unit_fits(const struct build *r, const struct info *info)
{
	return !r->unit ||
	       (info->unit_len == r->unit_len && !memcmp(info->unit, r->unit, r->unit_len));
}

/* Names may hold " (" too, so the last one that makes sense counts; but the root's name is known,
 * so that its first one tells the unit. */
static void read_title(struct build *r, struct svg_box *box, bool root)
{
	const char *title = box->title ? box->title : "", *end = title + strlen(title), *at;
	struct info info;

	for (at = root ? strstr(title, " (") : end; at && at >= title; at--) {
		if (at[0] != ' ' || at[1] != '(' || !parse_info(at + 2, &info) ||
		    !unit_fits(r, &info))
			continue;
		box->name = title;
		box->name_len = (size_t)(at - title);
		box->counted = true;
		box->weight = info.digits;
		box->decimals = info.decimals;
		box->changed = info.changed;
		box->change = info.changed ? info.change : 0;
		r->decimals = info.decimals > r->decimals ? info.decimals : r->decimals;
		if (root) {
			r->unit = info.unit;
			r->unit_len = info.unit_len;
		}
		return;
	}
	/* A title of the user's own: the name is what is seen, if that is all of it. */
	at = box->label;
	if (!at || !*at || (title[0] && strstr(at, "..")))
		at = title;
	box->name = at;
	box->name_len = strlen(at);
}

static bool called_all(const struct svg_box *box)
{
	const char *title = box->title ? box->title : "";

	return !strncmp(title, "all (", 5) || !strncmp(title, "all samples (", 13) ||
	       !strcmp(title, "all") || !strncmp(title, " (", 2) || !*title;
}

static bool is_root(const struct build *r, double y, double widest)
{
	size_t there = 0;

	for (size_t i = 0; i < r->boxes; i++)
		there += fabs(r->box[i].y - y) < 0.01;
	return there == 1 && widest > 0;
}

/* The box that alone in the lowest or in the highest row is as wide as all. */
static int find_root(struct build *r)
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
	}
	flame = low->width >= widest && is_root(r, low->y, widest);
	icicle = high->width >= widest && is_root(r, high->y, widest);
	if (!flame && !icicle)
		return pk_fail(r->err, PK_EFORMAT,
			       "no flame graph with one root: neither the lowest nor the highest "
			       "row is one box as wide as all");
	if (flame && icicle)
		flame = called_all(low) || !called_all(high);
	r->root = flame ? low : high;
	return 0;
}

static int compare_reals(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The smallest difference between two rows. */
static double find_pitch(const struct build *r)
{
	double *y = pk_malloc(pk_mul(r->boxes, sizeof(*y))), pitch = 0;

	for (size_t i = 0; i < r->boxes; i++)
		y[i] = r->box[i].y;
	qsort(y, r->boxes, sizeof(*y), compare_reals);
	for (size_t i = 1; i < r->boxes; i++) {
		double step = y[i] - y[i - 1];

		if (step > 0.01 && (!pitch || step < pitch))
			pitch = step;
	}
	free(y);
	return pitch ? pitch : r->root->height + 1;
}

static int compare_places(const void *a, const void *b, void *data)
{
	const struct build *r = data;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct svg_box *x = &r->box[i], *y = &r->box[j];

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	return (i > j) - (i < j);
}

static int find_depths(struct build *r)
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

static int64_t power(int exponent)
{
	int64_t value = 1;

	while (exponent-- > 0)
		value *= 10;
	return value;
}

/* Titles' counts with the same number of decimals; and from widths, what no title says. */
static int find_weights(struct build *r)
{
	double factor;

	read_title(r, r->root, true);
	for (size_t i = 0; i < r->boxes; i++)
		if (&r->box[i] != r->root)
			read_title(r, &r->box[i], false);
	for (size_t i = 0; i < r->boxes; i++) {
		struct svg_box *box = &r->box[i];
		int more = r->decimals - box->decimals;

		if (box->counted && __builtin_mul_overflow(box->weight, power(more), &box->weight))
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
	r->rounded |=
		r->picture->total && r->picture->total * power(r->decimals) != r->root->weight;
	return 0;
}

static bool stands_on(const struct build *r, const struct svg_box *box, double middle)
{
	return middle >= box->x - r->tolerance && middle <= box->x + box->width + r->tolerance;
}

/*
 * The box of the row above (nearer to the root) over which the middle of this one lies. Where
 * places are rounded so that several may be meant, one is taken that still has as much to give.
 */
static struct svg_box *find_parent(const struct build *r, const struct svg_box *box)
{
	const uint32_t *row = r->order + r->row[box->depth - 1];
	size_t count = r->row[box->depth] - r->row[box->depth - 1], low = 0, high = count;
	double middle = box->x + box->width / 2;
	struct svg_box *nearest = NULL;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->box[row[mid]].x <= middle)
			low = mid + 1;
		else
			high = mid;
	}
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

static int find_parents(struct build *r)
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

struct unit {
	const char *text, *name, *unit;
	int64_t scale;
	enum pk_metric_kind kind;
};

static const struct unit units[] = {
	{"samples", "samples", "count", 1, PK_METRIC_COUNT},
	{"ns", "time", "ns", 1, PK_METRIC_TIME},
	{"nanoseconds", "time", "ns", 1, PK_METRIC_TIME},
	{"us", "time", "ns", 1000, PK_METRIC_TIME},
	{"usec", "time", "ns", 1000, PK_METRIC_TIME},
	{"μs", "time", "ns", 1000, PK_METRIC_TIME}, /* the letter mu */
	{"µs", "time", "ns", 1000, PK_METRIC_TIME}, /* the micro sign */
	{"microseconds", "time", "ns", 1000, PK_METRIC_TIME},
	{"ms", "time", "ns", 1000000, PK_METRIC_TIME},
	{"milliseconds", "time", "ns", 1000000, PK_METRIC_TIME},
	{"s", "time", "ns", 1000000000, PK_METRIC_TIME},
	{"seconds", "time", "ns", 1000000000, PK_METRIC_TIME},
	{"bytes", "memory", "bytes", 1, PK_METRIC_BYTES},
};

static void make_metrics(struct build *r)
{
	char *text = pk_strndup(r->unit ? r->unit : "samples", r->unit ? r->unit_len : 7);
	struct unit unit = {NULL, text, "count", 1, PK_METRIC_COUNT};
	enum pk_exactness exactness = r->rounded || r->overfull ? PK_ROUNDED : PK_SAMPLED;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(text, units[i].text))
			unit = units[i];
	r->scale = unit.scale;
	r->metric = pk_build_metric(r->b, unit.name, unit.unit, r->decimals, unit.kind, exactness);
	if (r->compared)
		r->delta = pk_build_metric(r->b, "delta", unit.unit, r->decimals, unit.kind,
					   PK_ROUNDED);
	free(text);
}

static int64_t scaled(const struct build *r, int64_t value)
{
	int64_t result;

	if (__builtin_mul_overflow(value, r->scale, &result))
		return value < 0 ? -INT64_MAX : INT64_MAX;
	return result;
}

static void cost_box(struct build *r, const struct svg_box *box)
{
	int64_t own = box->weight - box->children;

	if (own > 0)
		pk_build_cost(r->b, 0, box->node, r->metric, scaled(r, own), PK_NULL);
	if (box->change)
		pk_build_cost(
			r->b, 0, box->node, r->delta,
			scaled(r, llround((double)box->change * (double)r->root->weight / 10000)),
			PK_NULL);
}

/* profkit's own pictures show how a frame changed with all that it calls. */
static void own_changes(struct build *r)
{
	if (!r->picture->producer || strcmp(r->picture->producer, "profkit") != 0)
		return;
	for (size_t i = 1; i < r->boxes; i++) {
		const struct svg_box *box = &r->box[r->order[i]];

		/* Rows nearer to the root come first, so that the parent's is done with. */
		r->box[box->parent].change -= box->change;
	}
	r->root->change = 0;
}

static bool by_py_spy(const struct build *r)
{
	const char *title = r->picture->title;
	const char *record = title ? strstr(title, "py-spy record ") : NULL;

	return record && (record == title || record[-1] == '/');
}

/* py-spy's names are "function (file:line)", those of processes and threads apart. */
static uint32_t frame_of(struct build *r, const struct svg_box *box, bool split, uint32_t *line)
{
	struct pk_frame_text text;
	struct pk_frame frame;

	*line = 0;
	if (!split || !pk_frame_text_place(box->name, box->name_len, &text))
		return pk_build_label(r->b, box->name, box->name_len);
	frame = pk_frame_text_frame(r->b, &text);
	*line = text.line;
	return pk_build_frame(r->b, &frame);
}

static void build_nodes(struct build *r)
{
	bool drop = called_all(r->root), split = by_py_spy(r);
	uint32_t line;

	for (size_t i = 0; i < r->boxes; i++) {
		struct svg_box *box = &r->box[r->order[i]];
		const struct svg_box *parent = &r->box[box->parent];

		r->overfull += box->children > box->weight;
		if (box == r->root && drop)
			continue;
		box->frame = frame_of(r, box, split, &line);
		box->node =
			pk_build_node(r->b, box == r->root ? 0 : parent->node, box->frame, line);
		if (box->estimated)
			pk_build_node_estimated(r->b, box->node);
	}
}

/* What the root has and no box on it is drawn for, or was asked for as --total. */
static void cost_root(struct build *r)
{
	static const char label[] = "[not drawn]";

	if (!r->root->node && r->root->weight > r->root->children)
		r->root->node =
			pk_build_node(r->b, 0, pk_build_label(r->b, label, strlen(label)), 0);
	if (r->root->node)
		cost_box(r, r->root);
}

static int compare_nodes(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Boxes of one path: parted by time in a chart, or by the order of lines in flamegraph.pl. */
static void count_merged(struct build *r)
{
	uint32_t *node = pk_malloc(pk_mul(r->boxes, sizeof(*node)));

	for (size_t i = 0; i < r->boxes; i++)
		node[i] = r->box[i].node;
	qsort(node, r->boxes, sizeof(*node), compare_nodes);
	for (size_t i = 1; i < r->boxes; i++)
		r->merged += node[i] && node[i] == node[i - 1];
	free(node);
}

static void say(struct build *r, const char *key, int64_t count, const char *what)
{
	struct pk_buf text = PK_BUF_INIT;

	if (count) {
		pk_format_count(&text, count);
		pk_buf_adds(&text, " of ");
		pk_format_count(&text, (int64_t)r->boxes);
		pk_buf_addf(&text, " boxes: %s", what);
		pk_build_meta(r->b, key, text.data);
	}
	pk_buf_release(&text);
}

/* py-spy draws with inferno; its title is its command line, the program's after "--". */
static void say_producer(struct build *r)
{
	const char *producer = r->picture->producer;
	const char *command = by_py_spy(r) ? strstr(r->picture->title, " -- ") : NULL;

	/* flamegraph.pl writes places in px with a point. */
	if (!producer)
		producer = r->tolerance > 1 ? "inferno" : "flamegraph.pl";
	if (by_py_spy(r))
		producer = "py-spy";
	pk_build_run_text(r->b, PK_RUN_PRODUCER, producer);
	if (command)
		pk_build_run_text(r->b, PK_RUN_COMMAND, command + 4);
}

static void say_all(struct build *r)
{
	say_producer(r);
	if (r->picture->title)
		pk_build_meta(r->b, "flamegraph.title", r->picture->title);
	if (r->picture->subtitle)
		pk_build_meta(r->b, "flamegraph.subtitle", r->picture->subtitle);
	if (r->picture->notes)
		pk_build_meta(r->b, "flamegraph.notes", r->picture->notes);
	pk_build_meta(r->b, "flamegraph.self", "includes calls too thin to be drawn");
	say(r, "flamegraph.merged", r->merged, "added to another one of the same path");
	say(r, "flamegraph.uncounted", r->uncounted, "no count in the title, so measured");
	say(r, "flamegraph.rounded", r->overfull, "less than those on it, by rounding");
}

static int keep_framed(struct build *r)
{
	for (size_t i = 0; i < r->picture->boxes; i++) {
		const struct svg_box *box = &r->picture->box[i];

		if (!r->picture->framed || box->inside)
			r->box[r->boxes++] = *box;
	}
	if (r->boxes)
		return 0;
	if (r->picture->message)
		return pk_fail(r->err, PK_EFORMAT, "a flame graph of nothing: it says '%.200s'",
			       r->picture->message);
	return pk_fail(r->err, PK_EFORMAT, "no boxes of a flame graph");
}

static int build(struct build *r)
{
	if (keep_framed(r) || find_root(r))
		return -1;
	if (r->boxes > UINT32_MAX / 2)
		return pk_fail(r->err, PK_ELIMIT, "more than 2,147,483,647 boxes");
	if (find_weights(r) || find_depths(r) || find_parents(r))
		return -1;
	build_nodes(r);
	make_metrics(r);
	own_changes(r);
	for (size_t i = 1; i < r->boxes; i++)
		cost_box(r, &r->box[r->order[i]]);
	cost_root(r);
	count_merged(r);
	say_all(r);
	return 0;
}

int flamegraph_svg_build(struct svg_picture *picture, struct pk_builder *b, struct pk_error *err)
{
	struct build r = {.picture = picture, .b = b, .err = err};
	int ret;

	r.box = pk_calloc(picture->boxes + 1, sizeof(*r.box));
	ret = build(&r);
	free(r.box);
	free(r.order);
	free(r.row);
	return ret;
}
