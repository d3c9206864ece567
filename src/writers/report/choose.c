/* Which functions and call paths are most important, over all metrics of the page. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "writers/report/internal.h"

/* The number of rows that is worth a second thread. */
enum { LARGE = 100000 };

static double size_of(int64_t value)
{
	return value == PK_NULL ? 0 : fabs((double)value);
}

static void choose_metrics(struct pk_report_data *d, const struct pk_report *r)
{
	uint32_t count = r->profile->metric.count;

	if (!r->metric)
		return;
	d->metric[d->metric_count++] = r->metric;
	for (uint32_t m = 1; m < count; m++) {
		if (m != r->metric && d->metric_count < PK_REPORT_METRICS)
			d->metric[d->metric_count++] = m;
		else if (m != r->metric)
			d->metrics_left++;
	}
}

/* The importance of rows: the score, or the total if there is none. */
struct importance {
	const double *score;
	const int64_t *total;
};

static double importance_of(const struct importance *of, uint32_t row)
{
	return of->score ? of->score[row] : (double)of->total[row];
}

PK_COMPARE_ROWS(most_important, struct importance,
		PK_ORDER(importance_of(d, b), importance_of(d, a)) ?: PK_ORDER(a, b))

/* The largest share of the whole that a function has in any metric. */
static double *score_functions(const struct pk_report_data *d)
{
	double *score = pk_malloc(pk_mul(d->report->profile->function.count, sizeof(*score)));

	for (uint32_t f = 0; f < d->report->profile->function.count; f++)
		score[f] = -1;
	for (uint32_t i = 0; i < d->metric_count; i++) {
		const struct pk_hotspots *h = &d->hotspots[i];
		double whole = fmax(size_of(h->functions.total), 1);

		for (uint32_t j = 0; j < h->count; j++) {
			const struct pk_function_total *f = &h->functions.row[h->order[j]];
			double share = fmax(size_of(f->self), size_of(f->total)) / whole;

			score[f->function] = fmax(score[f->function], share);
		}
	}
	return score;
}

/* The tree of the profile, unless its paths were made from others. */
static const struct pk_tree *tree_of(const struct pk_report_data *d, uint32_t m)
{
	return d->has_tree && d->calls.profile == d->report->profile ? &d->tree[m] : NULL;
}

static void choose_functions(struct pk_report_data *d)
{
	struct pk_hotspot_options all = {.sort = {.key = {PK_SORT_SELF}, .count = 1}};
	const struct pk_profile *p = d->report->profile;
	PK_FREED double *score = NULL;
	struct pk_error err = PK_ERROR_INIT;

	for (uint32_t i = 0; i < d->metric_count; i++) {
		all.tree = tree_of(d, i);
		all.arcs = &d->arcs[i];
		/* fails for regular expressions only */
		pk_hotspots_init(&d->hotspots[i], p, d->metric[i], &all, &err);
	}
	score = score_functions(d);
	d->function = pk_malloc(pk_mul(p->function.count, sizeof(*d->function)));
	for (uint32_t f = 0; f < p->function.count && !pk_is_benchmark(p); f++)
		if (score[f] >= 0)
			d->function[d->function_count++] = f;
	qsort_r(d->function, d->function_count, sizeof(*d->function), most_important,
		&(struct importance){score, NULL});
}

/* A bucket for each size, in steps of a sixteenth of a power of two: a larger score has a larger
 * bucket. */
static uint32_t bucket_of(double score)
{
	return (uint32_t)(pk_real_key(score) >> 48);
}

/* Rows of one bucket come in their order; many have the same importance. */
static void sort_bucket(uint32_t *row, uint32_t count, const struct importance *of)
{
	for (uint32_t i = 1; i < count; i++) {
		if (importance_of(of, row[i]) > importance_of(of, row[i - 1])) {
			qsort_r(row, count, sizeof(*row), most_important, (void *)of);
			return;
		}
	}
}

/* The most important rows from 1, in this order: at least PK_REPORT_NODES, and not many more. All
 * of these would be a lot to sort. */
static uint32_t *keep_largest(const struct importance *of, uint32_t rows, uint32_t *kept)
{
	PK_FREED uint32_t *end = pk_calloc(1 << 16, sizeof(*end)); /* of each bucket */
	uint32_t least = 1 << 16, from = 0, *row;

	*kept = 0;
	for (uint32_t i = 1; i < rows; i++)
		end[bucket_of(importance_of(of, i))]++;
	while (least > 0 && *kept < PK_REPORT_NODES) {
		uint32_t here = end[--least];

		end[least] = *kept;
		*kept += here;
	}
	row = pk_malloc(pk_mul((size_t)*kept + 1, sizeof(*row)));
	for (uint32_t i = 1; i < rows; i++) {
		uint32_t bucket = bucket_of(importance_of(of, i));

		if (bucket >= least)
			row[end[bucket]++] = i;
	}
	for (uint32_t bucket = 1 << 16; bucket-- > least; from = end[bucket])
		sort_bucket(row + from, end[bucket] - from, of);
	return row;
}

static void choose_arcs(struct pk_report_data *d)
{
	uint32_t functions = d->report->profile->function.count;

	d->row_of = pk_malloc(pk_mul(functions, sizeof(*d->row_of)));
	for (uint32_t f = 0; f < functions; f++)
		d->row_of[f] = UINT32_MAX;
	for (uint32_t i = 0; i < d->function_count; i++)
		d->row_of[d->function[i]] = i;
	for (uint32_t m = 0; m < d->metric_count; m++) {
		const struct pk_arcs *arcs = &d->arcs[m];
		PK_FREED double *score = NULL;

		score = pk_malloc(pk_mul((size_t)arcs->count + 1, sizeof(*score)));
		for (uint32_t i = 0; i < arcs->count; i++)
			score[i + 1] = size_of(arcs->row[i].total);
		d->arc[m] = keep_largest(&(struct importance){score, NULL}, arcs->count + 1,
					 &d->arc_count[m]);
	}
}

/* True if totals tell how important a path is: values are added up, and none is negative. */
static bool totals_suffice(const struct pk_report_data *d)
{
	return d->metric_count == 1 && !d->negative[0] &&
	       pk_metric_adds_up(d->calls.profile, d->metric[0]);
}

/* Adds up sizes, not values, so that a path is never less important than one below it: values of
 * differences are negative, too. */
static void score_nodes(const struct pk_profile *p, const struct pk_tree *tree, double *score)
{
	PK_FREED double *below = pk_calloc(tree->count, sizeof(*below));

	for (uint32_t i = tree->count; i-- > 1;) {
		below[i] += size_of(tree->self[i]);
		below[p->node.parent[i]] += below[i];
	}
	for (uint32_t i = 1; i < tree->count && below[0] > 0; i++)
		score[i] = fmax(score[i], below[i] / below[0]);
}

/* Totals with costs below 0 are less than their parts, so that boxes of parts would be too wide. */
static void choose_widths(struct pk_report_data *d, uint32_t m)
{
	const uint32_t *parent = d->calls.profile->node.parent;
	const struct pk_tree *tree = &d->tree[m];
	int64_t *width;

	for (uint32_t i = 1; i < tree->count; i++)
		d->negative[m] += tree->self[i] < 0;
	if (!d->negative[m])
		return;
	width = d->width[m] = pk_calloc(tree->count, sizeof(*width));
	for (uint32_t i = tree->count; i-- > 1;) {
		pk_add_saturated(&width[i], tree->self[i] > 0 ? tree->self[i] : 0);
		pk_add_saturated(&width[parent[i]], width[i]);
	}
}

const int64_t *pk_report_widths(const struct pk_report_data *d, uint32_t m)
{
	return d->value[m].width ? d->value[m].width : d->value[m].total;
}

/* Callers come before callees in the order of importance, and in that of nodes. */
static void place_nodes(struct pk_report_data *d)
{
	const struct pk_node_table *t;

	if (!d->has_tree)
		return;
	t = &d->calls.profile->node;
	d->place = pk_alloc_zeros(t->count, sizeof(*d->place));
	d->caller = pk_calloc((size_t)d->node_count + 1, sizeof(*d->caller));
	for (uint32_t i = 0; i < d->node_count; i++) {
		d->place[d->node[i]] = i + 1;
		d->caller[i + 1] = d->place[t->parent[d->node[i]]];
	}
	for (uint32_t i = 1; i < t->count; i++)
		if (!d->place[i])
			d->place[i] = d->place[t->parent[i]] | PK_REPORT_BELOW;
}

static void find_paths(struct pk_report_data *d)
{
	const struct pk_call_tree_options all = {.paths_alone = true};
	struct pk_error err = PK_ERROR_INIT;

	d->has_tree = d->metric_count && !pk_is_benchmark(d->report->profile) &&
		      pk_profile_parts(d->report->profile) & (PK_PART_PATHS | PK_PART_EDGES) &&
		      !pk_call_tree_init(&d->calls, d->report->profile, d->metric[0], &all, &err);
}

static void make_trees(struct pk_report_data *d)
{
	for (uint32_t i = 0; d->has_tree && i < d->metric_count; i++)
		pk_tree_init(&d->tree[i], d->calls.profile, d->metric[i]);
}

static void choose_nodes(struct pk_report_data *d)
{
	const struct pk_profile *p = d->calls.profile;
	PK_FREED double *score = NULL;

	if (!d->has_tree)
		return;
	for (uint32_t i = 0; i < d->metric_count; i++) {
		d->no_sum[i] = pk_parts_exceed(p, d->metric[i]);
		choose_widths(d, i);
	}
	if (!totals_suffice(d))
		score = pk_calloc(p->node.count, sizeof(*score));
	for (uint32_t i = 0; score && i < d->metric_count; i++)
		score_nodes(p, &d->tree[i], score);
	d->node = keep_largest(&(struct importance){score, d->tree[0].total}, p->node.count,
			       &d->node_count);
	if (d->node_count > PK_REPORT_NODES)
		d->node_count = PK_REPORT_NODES; /* the rest is never shown */
	d->node_total = p->node.count - 1;
}

/* The values of the chosen nodes, in the order of their places. */
static int64_t *of_chosen(const struct pk_report_data *d, const int64_t *of_node)
{
	int64_t *value = pk_malloc(pk_mul((size_t)d->node_count + 1, sizeof(*value)));

	value[0] = of_node[0];
	for (uint32_t i = 0; i < d->node_count; i++)
		value[i + 1] = of_node[d->node[i]];
	return value;
}

/* Keeps what the page shows of the call paths; trees of all paths take much memory. */
static void keep_chosen(struct pk_report_data *d)
{
	for (uint32_t i = 0; d->has_tree && i < d->metric_count; i++) {
		struct pk_tree *tree = &d->tree[i];

		d->value[i] = (struct pk_report_values){
			.self = of_chosen(d, tree->self),
			.total = of_chosen(d, tree->total),
			.calls = tree->calls ? of_chosen(d, tree->calls) : NULL,
			.width = d->width[i] ? of_chosen(d, d->width[i]) : NULL,
		};
		pk_tree_release(tree);
		free(d->width[i]);
		d->width[i] = NULL;
	}
}

static void forget_places(struct pk_report_data *d)
{
	free(d->place);
	d->place = NULL;
}

/* The paths of both sides are chosen as those of a profile with two metrics. */
static void choose_pair(struct pk_report_data *d)
{
	const struct pk_report_comparison *c = d->report->comparison;

	if (!c || !c->pair)
		return;
	d->pair = pk_calloc(1, sizeof(*d->pair));
	d->of_pair = *d->report;
	d->of_pair.profile = c->pair;
	d->of_pair.metric = 1;
	d->pair->report = &d->of_pair;
	choose_metrics(d->pair, d->pair->report);
	find_paths(d->pair);
	make_trees(d->pair);
	choose_nodes(d->pair);
	place_nodes(d->pair);
	forget_places(d->pair);
	keep_chosen(d->pair);
}

static void make_workers(struct pk_report_data *d)
{
	if (d->report->beside)
		d->report->beside(d->report->beside_data);
}

static void make_timeline(struct pk_report_data *d)
{
	if (!pk_is_benchmark(d->report->profile))
		d->time = pk_report_time_new(d);
}

static void find_samples(struct pk_report_data *d)
{
	d->split = pk_report_split_new(d);
	if (d->calls.derived)
		pk_profile_forget_samples(d->calls.derived);
}

static void forget_samples(struct pk_report_data *d)
{
	if (d->report->forget)
		d->report->forget(d->report->beside_data);
}

static void make_totals(struct pk_report_data *d)
{
	choose_functions(d);
	choose_arcs(d);
}

static void split(struct pk_report_data *d)
{
	place_nodes(d);
	pk_report_split_fill(d->split);
	forget_places(d);
}

/* The order is that in which one thread needs the least memory. */
enum { WORKERS, TIMELINE, PATHS, SAMPLES, FORGET, TREES, TOTALS, NODES, KEEP, SPLIT, STEPS };

static const struct step {
	void (*make)(struct pk_report_data *d);
	uint32_t after; /* steps, as bits, that come before */
} steps[STEPS] = {
#define AFTER(step) (1U << (step))
	[WORKERS] = {make_workers, 0},
	[TIMELINE] = {make_timeline, 0},
	[PATHS] = {find_paths, 0},
	[SAMPLES] = {find_samples, AFTER(PATHS)},
	[FORGET] = {forget_samples, AFTER(WORKERS) | AFTER(TIMELINE) | AFTER(SAMPLES)},
	[TREES] = {make_trees, AFTER(PATHS)},
	[TOTALS] = {make_totals, AFTER(TREES)},
	[NODES] = {choose_nodes, AFTER(TREES)},
	[KEEP] = {keep_chosen, AFTER(TOTALS) | AFTER(NODES)},
	[SPLIT] = {split, AFTER(SAMPLES) | AFTER(NODES)},
#undef AFTER
};

struct work {
	struct pk_report_data *d;
	pthread_mutex_t lock; /* protects the members below */
	pthread_cond_t moved;
	uint32_t begun, done; /* steps, as bits */
};

/* The first step that may begin; STEPS if there is none now. */
static int next_step(const struct work *w)
{
	for (int i = 0; i < STEPS; i++)
		if (!(w->begun & 1U << i) && !(steps[i].after & ~w->done))
			return i;
	return STEPS;
}

static void *do_steps(void *data)
{
	const uint32_t all = (1U << STEPS) - 1;
	struct work *w = data;

	pthread_mutex_lock(&w->lock);
	while (w->begun != all) {
		int step = next_step(w);

		if (step == STEPS) {
			pthread_cond_wait(&w->moved, &w->lock);
			continue;
		}
		w->begun |= 1U << step;
		pthread_mutex_unlock(&w->lock);
		steps[step].make(w->d);
		pthread_mutex_lock(&w->lock);
		w->done |= 1U << step;
		pthread_cond_broadcast(&w->moved);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Makes what the page shows, with a second thread if that is worth it. */
static void make_contents(struct pk_report_data *d)
{
	const struct pk_profile *p = d->report->profile;
	bool large = (uint64_t)p->node.count + p->sample.count + p->span.count > LARGE, helped;
	struct work w = {.d = d};
	pthread_t second;

	pthread_mutex_init(&w.lock, NULL);
	pthread_cond_init(&w.moved, NULL);
	helped = large && d->report->threads > 1 && !pthread_create(&second, NULL, do_steps, &w);
	do_steps(&w);
	if (helped)
		pthread_join(second, NULL);
	pthread_cond_destroy(&w.moved);
	pthread_mutex_destroy(&w.lock);
}

void pk_report_choose(struct pk_report_data *d, const struct pk_report *r)
{
	memset(d, 0, sizeof(*d));
	d->report = r;
	choose_metrics(d, r);
	pk_alloc_keep();
	make_contents(d);
	if (r->tell)
		r->tell(r->beside_data, &d->hotspots[0].functions);
	d->parts = pk_report_parts_new(d);
	choose_pair(d);
}

void pk_report_release(struct pk_report_data *d)
{
	if (d->pair)
		pk_report_release(d->pair);
	free(d->pair);
	for (uint32_t i = 0; i < d->metric_count; i++) {
		pk_hotspots_release(&d->hotspots[i]);
		pk_arcs_release(&d->arcs[i]);
		free(d->arc[i]);
		free(d->value[i].self);
		free(d->value[i].total);
		free(d->value[i].calls);
		free(d->value[i].width);
	}
	if (d->has_tree)
		pk_call_tree_release(&d->calls);
	pk_report_split_free(d->split);
	if (d->parts)
		pk_report_parts_free(d->parts);
	pk_report_time_free(d->time);
	free(d->function);
	free(d->row_of);
	free(d->node);
	free(d->caller);
}
