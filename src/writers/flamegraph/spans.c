/* Charts of spans: what ran when, as it was recorded; see internal.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/group.h"
#include "base/num/units.h"
#include "model/events/spans.h"
#include "writers/flamegraph/internal.h"

struct extent { /* of the spans of a thread */
	int64_t from, to;
	bool any;
};

bool pk_flame_has_spans(const struct pk_profile *p, uint32_t metric)
{
	if (metric >= p->metric.count || p->metric.kind[metric] != PK_METRIC_TIME ||
	    p->metric.exponent[metric] ||
	    (p->metric.exactness[metric] == PK_SAMPLED && p->sample.count > 1))
		return false;
	for (uint32_t i = 1; i < p->span.count; i++)
		if (p->span.node[i] && pk_span_metric(p, p->span.thread[i]) == metric)
			return true;
	return false;
}

/* Where each thread begins in the picture: one after the other. Gives the whole width. */
static int64_t place_threads(struct pk_flame *flame, const struct pk_profile *p, uint32_t metric,
			     struct extent *extent, int64_t *start)
{
	int64_t width = 0;

	for (uint32_t i = 1; i < p->span.count; i++) {
		struct extent *e = &extent[p->span.thread[i]];

		if (!p->span.node[i] || pk_span_metric(p, p->span.thread[i]) != metric)
			continue;
		if (!e->any || p->span.time[i] < e->from)
			e->from = p->span.time[i];
		if (!e->any || pk_span_end(p, i) > e->to)
			e->to = pk_span_end(p, i);
		e->any = true;
	}
	for (uint32_t i = 0; i < p->thread.count; i++) {
		if (!extent[i].any)
			continue;
		start[i] = width;
		flame->threads++;
		pk_add_saturated(&width, extent[i].to - extent[i].from);
	}
	return width;
}

static void add_span(struct pk_flame *flame, const struct pk_profile *p, uint32_t span,
		     uint32_t depth, int64_t start)
{
	PK_GROW(flame->box, flame->count + 1, flame->alloc);
	flame->box[flame->count++] = (struct pk_flame_box){.node = p->span.node[span],
							   .depth = depth,
							   .start = start,
							   .total = p->span.duration[span]};
	flame->estimated += pk_node_estimated(p, p->span.node[span]);
	if (depth > flame->depth)
		flame->depth = depth;
}

static void add_spans(struct pk_flame *flame, const struct pk_profile *p,
		      const struct extent *extent, const int64_t *start, double least)
{
	uint32_t *depth = pk_node_depths(p);
	struct pk_groups by_thread;

	pk_groups_init(&by_thread, p->span.thread, sizeof(*p->span.thread), 1, p->span.count,
		       p->thread.count);
	for (uint32_t k = 0; k + 1 < p->span.count; k++) {
		uint32_t i = by_thread.row[k], thread = p->span.thread[i];

		if (!p->span.node[i] || !extent[thread].any || p->span.duration[i] <= 0)
			continue;
		if ((double)p->span.duration[i] < least)
			flame->narrow++;
		else
			add_span(flame, p, i, depth[p->span.node[i]],
				 start[thread] + (p->span.time[i] - extent[thread].from));
	}
	free(depth);
	pk_groups_release(&by_thread);
}

void pk_flame_spans(struct pk_flame *flame, const struct pk_profile *p,
		    const struct pk_flame_scale *scale)
{
	struct extent *extent = pk_calloc(p->thread.count, sizeof(*extent));
	int64_t *start = pk_calloc(p->thread.count, sizeof(*start)), width;

	memset(flame, 0, sizeof(*flame));
	width = place_threads(flame, p, scale->metric, extent, start);
	if (width > 0) {
		flame->total = scale->total > width ? scale->total : width;
		PK_GROW(flame->box, 1, flame->alloc);
		flame->box[flame->count++] = (struct pk_flame_box){.total = flame->total};
		add_spans(flame, p, extent, start, scale->least * (double)flame->total);
	}
	free(extent);
	free(start);
}
