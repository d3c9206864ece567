/*
 * Timeline: what ran when, on every thread, in an SVG that is interactive in a browser, as flame
 * graphs are. Its size is bounded: spans too short to be seen are joined with their neighbours.
 */
#include "writers/timeline/timeline.h"

#include <stddef.h>

#include "model/events/sample_edges.h"
#include "writers/flamegraph/draw.h"
#include "writers/timeline/layout.h"

const char *const pk_timeline_colors[] = {"name", "category", NULL};

#define AT(member) offsetof(struct pk_timeline_params, member)

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "metric", 'm', AT(metric), "METRIC",
	 .help = "metric whose samples are drawn as calls, also if there are spans (default: the "
		 "first, if no span lasts)"},
	PK_TIMELINE_OPTIONS(AT),
	PK_OPT_LAST,
};

static const char *const suffixes[] = {".timeline.svg", NULL};

static void draw(const struct pk_profile *p, const struct pk_span_table *spans,
		 const struct pk_timeline_params *params, struct pk_output *out)
{
	double width = params->width ? (double)params->width : PK_FLAME_WIDTH;
	struct pk_timeline_limits limits = {.pixels = width - 2 * PK_FLAME_MARGIN,
					    .depth = (uint32_t)params->depth,
					    .flows = params->flows};
	struct pk_timeline t;

	pk_timeline_init(&t, p, spans, &limits);
	pk_timeline_draw(&t, params, out);
	pk_timeline_release(&t);
}

bool pk_timeline_of_samples(const struct pk_profile *p)
{
	if (p->sample.count == 1 || p->sample.time[1] == PK_NULL)
		return false;
	for (uint32_t i = 1; i < p->span.count; i++)
		if (p->span.duration[i])
			return false;
	return true;
}

static bool has_moments(const struct pk_profile *p, uint32_t metric)
{
	for (uint32_t i = 1; i < p->sample.count; i++)
		if (pk_sample_metric(&p->sample, i) == metric && p->sample.time[i] != PK_NULL)
			return true;
	return false;
}

const struct pk_span_table *pk_timeline_spans(const struct pk_profile *p, uint32_t metric,
					      struct pk_span_table *made)
{
	if (pk_timeline_of_samples(p)) {
		pk_sample_spans_init(made, p, metric);
		return made;
	}
	return p->span.count > 1 || p->instant.count > 1 || p->counter.count > 1 ? &p->span : NULL;
}

static int write_timeline(const struct pk_profiles *list, const void *data, struct pk_output *out,
			  struct pk_error *err)
{
	const struct pk_timeline_params *params = data;
	const struct pk_profile *p = list->item[0];
	uint32_t metric = pk_metric_find(p, params->metric);
	const struct pk_span_table *spans;
	struct pk_span_table made;

	if (params->width && params->width <= 2 * PK_FLAME_MARGIN)
		return pk_fail(err, PK_EUSAGE, "width: more than %d px are needed",
			       2 * PK_FLAME_MARGIN);
	if (params->metric && !metric)
		return pk_fail(err, PK_EUSAGE, "there is no metric '%s'", params->metric);
	spans = &made;
	if (params->metric && has_moments(p, metric))
		pk_sample_spans_init(&made, p, metric);
	else
		spans = pk_timeline_spans(p, metric, &made);
	if (!spans)
		return pk_fail(err, PK_EFORMAT,
			       "there is nothing to draw over time: '%s' does not say when "
			       "things happened",
			       pk_text(p, p->run.source[1]));
	draw(p, spans, params, out);
	if (spans == &made)
		pk_sample_spans_release(&made);
	return 0;
}

const struct pk_writer pk_writer_timeline = {
	.name = "timeline",
	.read_as = "flamegraph-svg",
	.title = "timeline: an SVG picture of processes and threads over time",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct pk_timeline_params),
	.keeps = PK_PART_PATHS | PK_PART_ORDER | PK_PART_SPANS | PK_PART_MARKS | PK_PART_THREADS,
	.binary = true,
	.write = write_timeline,
};
