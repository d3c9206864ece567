#include "analysis/hotspots/hotspots.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/transform/transform.h"

bool pk_function_has_value(const struct pk_profile *p, const struct pk_function_total *f)
{
	return p->metric.count <= 2 || (f->self && f->self != PK_NULL) ||
	       (f->total && f->total != PK_NULL) || (f->calls && f->calls != PK_NULL);
}

bool pk_has_negative(const struct pk_functions *functions)
{
	int64_t below = 0;

	for (uint32_t i = 0; i < functions->count; i++)
		if (functions->row[i].self < 0 && functions->row[i].self != PK_NULL)
			pk_add_saturated(&below, functions->row[i].self);
	return (double)below < -0.0005 * (double)functions->total;
}

static int choose(struct pk_hotspots *h, const struct pk_hotspot_options *options,
		  struct pk_error *err)
{
	PK_BUF_AUTO place = PK_BUF_INIT;
	double least = options->min_share * (double)h->functions.total;
	struct pk_regex *re = NULL;
	uint32_t i;

	if (options->match && !(re = pk_regex_new(options->match, err)))
		return -1;
	for (i = 0; i < h->functions.count; i++) {
		const struct pk_function_total *f = &h->functions.row[i];

		if (!pk_function_has_value(h->profile, f))
			continue;
		if (options->min_share > 0 && (double)f->total < least)
			continue;
		if (options->match && !pk_function_matches(re, h->profile, f->function, &place))
			continue;
		h->order[h->count++] = i;
	}
	pk_regex_free(re);
	return 0;
}

int pk_hotspots_init(struct pk_hotspots *h, const struct pk_profile *p, uint32_t metric,
		     const struct pk_hotspot_options *options, struct pk_error *err)
{
	memset(h, 0, sizeof(*h));
	h->profile = p;
	h->metric = metric;
	pk_totals_of(&h->functions, options->arcs, p, metric, options->tree);
	h->order = pk_malloc(pk_mul(h->functions.count, sizeof(*h->order)));
	if (choose(h, options, err)) {
		pk_hotspots_release(h);
		return -1;
	}
	pk_sort_functions(&options->sort, p, h->functions.row, h->order, h->count);
	return 0;
}

void pk_hotspots_release(struct pk_hotspots *h)
{
	pk_functions_release(&h->functions);
	free(h->order);
	memset(h, 0, sizeof(*h));
}
