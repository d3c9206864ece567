/*
 * What is unusual in a profile, for brief: cost in one function, many calls, uneven calls, waits,
 * functions without names.
 */
#include "analysis/unusual.h"

#include <stdlib.h>

#include "analysis/workers/class.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/nameless.h"

enum { MANY_CALLS = 10000, SHORT_NS = 10000, OUTLIER = 10 };

static double share(const struct pk_hotspots *h, int64_t value)
{
	return h->functions.total > 0 ? (double)value / (double)h->functions.total : 0;
}

/* Finds how many functions make up half of the whole, and most of it. */
static void find_concentration(struct pk_unusual *u, const struct pk_hotspots *h)
{
	PK_FREED int64_t *self = pk_malloc(pk_mul((size_t)h->functions.count + 1, sizeof(*self)));
	int64_t sum = 0;

	for (uint32_t i = 0; i < h->functions.count; i++)
		self[i] = h->functions.row[i].self;
	pk_sort(self, h->functions.count, sizeof(*self), pk_compare_ints);
	for (uint32_t i = h->functions.count; i-- > 0 && !u->most;) {
		pk_add_saturated(&sum, self[i]);
		if (!u->half && share(h, sum) >= 0.5)
			u->half = h->functions.count - i;
		if (share(h, sum) >= 0.9)
			u->most = h->functions.count - i;
	}
}

static void find_calls(struct pk_unusual *u, const struct pk_hotspots *h)
{
	bool time = h->profile->metric.kind[h->metric] == PK_METRIC_TIME;
	int64_t recursive = 0, tiny = 0;

	for (uint32_t i = 0; i < h->functions.count; i++) {
		const struct pk_function_total *f = &h->functions.row[i];

		if (f->calls == PK_NULL || f->self_unknown)
			continue;
		/* exec and import call themselves in every program */
		if (h->profile->function.kind[f->function] != PK_KIND_BUILTIN &&
		    f->primitive_calls > 0 && f->calls > f->primitive_calls &&
		    f->total > recursive && share(h, f->total) >= 0.05) {
			recursive = f->total;
			u->recursive = i + 1;
		}
		if (time && f->calls >= MANY_CALLS && f->self / f->calls < SHORT_NS &&
		    f->self > tiny && share(h, f->self) >= 0.02) {
			tiny = f->self;
			u->tiny = i + 1;
		}
	}
}

/* The outermost call of a recursive function takes as long as all others that it leads to. */
static void find_uneven(struct pk_unusual *u, const struct pk_hotspots *h)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_span_stats stats;
	int64_t most = 0;

	/* the spans of a sampler are where its samples were */
	if (h->profile->span.count < 2 || h->profile->metric.exactness[h->metric] != PK_EXACT ||
	    pk_span_stats_init(&stats, h->profile, h->metric, &err))
		return;
	for (uint32_t i = 0; i < h->functions.count; i++) {
		uint32_t function = h->functions.row[i].function;
		const struct pk_span_stat *s = &stats.of_function[function];

		if (h->functions.row[i].calls > h->functions.row[i].primitive_calls ||
		    s->count < OUTLIER || s->max / OUTLIER < s->p50 || s->max - s->p50 <= most ||
		    share(h, s->max) < 0.02)
			continue;
		most = s->max - s->p50;
		u->uneven = i + 1;
		u->spans = *s;
	}
	pk_span_stats_release(&stats);
}

/* Keeps the three with most self, the most first. */
static void add_waiting(struct pk_unusual *u, const struct pk_hotspots *h, uint32_t row)
{
	enum { MOST = sizeof(u->waiting) / sizeof(*u->waiting) };
	int64_t self = h->functions.row[row].self;
	int at = MOST;

	while (at > 0 &&
	       (!u->waiting[at - 1] || h->functions.row[u->waiting[at - 1] - 1].self < self))
		at--;
	if (at == MOST)
		return;
	for (int i = MOST - 1; i > at; i--)
		u->waiting[i] = u->waiting[i - 1];
	u->waiting[at] = row + 1;
}

static void find_waits(struct pk_unusual *u, const struct pk_hotspots *h)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_classes classes;

	if (h->profile->metric.kind[h->metric] != PK_METRIC_TIME ||
	    pk_classes_init(&classes, h->profile, NULL, 0, &err))
		return;
	for (uint32_t i = 0; i < h->functions.count; i++) {
		const struct pk_function_total *f = &h->functions.row[i];
		uint8_t class = classes.of_function[f->function];

		if ((class != PK_CLASS_WAIT && class != PK_CLASS_LOCK) || f->self <= 0)
			continue;
		pk_add_saturated(&u->waits, f->self);
		add_waiting(u, h, i);
	}
	pk_classes_release(&classes);
}

static void find_nameless(struct pk_unusual *u, const struct pk_hotspots *h)
{
	const struct pk_profile *p = h->profile;

	for (uint32_t i = 1; i < p->cost.count; i++)
		if (pk_cost_metric(p, i) == h->metric && p->cost.self[i] != PK_NULL &&
		    pk_is_nameless(p, p->node.location[p->cost.node[i]]))
			pk_add_saturated(&u->nameless, p->cost.self[i]);
}

void pk_unusual_init(struct pk_unusual *u, const struct pk_hotspots *h)
{
	*u = (struct pk_unusual){0};
	find_concentration(u, h);
	find_calls(u, h);
	find_uneven(u, h);
	find_waits(u, h);
	find_nameless(u, h);
}
