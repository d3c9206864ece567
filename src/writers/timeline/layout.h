#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io/output.h"
#include "model/events/sample_edges.h"
#include "model/profile.h"
#include "writers/timeline/timeline.h"

/*
 * Positions in a picture of a timeline: one lane for each thread, with a row for each depth of
 * calls. Spans narrower than `least` are joined with their neighbours in the row; if there are
 * still too many boxes, least grows.
 */
struct pk_timeline_box {
	uint32_t lane, depth;        /* depth from 0 */
	uint32_t function, category; /* of the longest span in the box */
	uint32_t count;              /* number of spans; 1 = not joined */
	uint32_t others;             /* number of spans of other functions than `function` */
	uint32_t first, last;        /* its spans: see `next` */
	int64_t begin, end;          /* ns */
	int64_t busy;                /* sum of the spans' durations */
	int64_t longest;
};

struct pk_timeline_lane {
	uint32_t thread;
	uint32_t depth; /* number of rows, at least 1 */
};

struct pk_timeline_area { /* one value of a counter over some time, joined as boxes are */
	int64_t begin, end;
	double low, high; /* place above the series below it */
	uint32_t series;  /* number of the series within the counter */
	uint32_t count;   /* values */
};

struct pk_timeline_counter {
	uint32_t process, name;
	uint32_t series[8], series_count; /* names; only the first 8 series are shown */
	uint32_t first, count;            /* areas */
	double most[8], highest;          /* of each series, and of their sum */
};

struct pk_timeline_mark { /* instants or samples of one lane that are closer than `least` */
	uint32_t lane;    /* lane_count: without a lane */
	uint32_t name, count;
	int64_t time;
	bool is_sample;
};

struct pk_timeline_flow {
	uint32_t from_lane, from_depth, to_lane, to_depth, category;
	int64_t from, to;
};

struct pk_timeline {
	const struct pk_profile *p;
	const struct pk_span_table *spans; /* NULL: samples are drawn */
	struct pk_moments moments;         /* samples, while the boxes are made */
	int64_t begin, end;

	struct pk_timeline_lane *lane;
	uint32_t lane_count;
	struct pk_timeline_box *box; /* by lane, then by begin, then from the outside in */
	size_t box_count;
	struct pk_timeline_counter *counter;
	uint32_t counter_count;
	struct pk_timeline_area *area;
	size_t area_count, area_alloc;
	struct pk_timeline_mark *mark;
	size_t mark_count;
	struct pk_timeline_flow *flow;
	size_t flow_count;

	/* Contents that are left out or changed. */
	uint32_t *next;   /* the next span of the same box, 0 = none; NULL if there are too many to
			     keep */
	int64_t least;    /* ns: shorter spans were joined */
	int64_t together; /* ns: samples that begin within it were taken as one; 0 = none were */
	uint64_t joined;  /* number of spans in joined boxes */
	uint64_t deep, other_spans; /* number of spans too deep; of spans of threads left out */
	uint32_t other_threads, other_counters;
	uint64_t other_flows;
	uint32_t *lane_of_thread; /* UINT32_MAX = none */
	uint32_t *row_of;         /* by span, from 1; NULL: that of its call path */
};

struct pk_timeline_limits {
	double pixels;  /* width of the picture */
	uint32_t depth; /* rows of a lane; 0 = as many as there is room for */
	bool flows;
	uint32_t sampled;   /* without spans, the samples of this metric are drawn as such */
	bool without_spans; /* the spans of joined boxes are not needed */
};
/* spans: the spans of p, or spans made from its samples; the result refers to both. NULL: spans of
 * samples are not kept, since there may be many times as many as samples. */
void pk_timeline_init(struct pk_timeline *t, const struct pk_profile *p,
		      const struct pk_span_table *spans, const struct pk_timeline_limits *limits);
void pk_timeline_release(struct pk_timeline *t);
/* True if samples are drawn, because there are no spans. */
bool pk_timeline_of_samples(const struct pk_profile *p);
/* The spans to draw: those of p, or spans made from its samples (*made, which the caller releases).
 * NULL: nothing in p has a time. */
const struct pk_span_table *pk_timeline_spans(const struct pk_profile *p, uint32_t metric,
					      struct pk_span_table *made);

/* The row of a span in its lane, from 0. depth: by node */
static inline uint32_t pk_timeline_row(const struct pk_timeline *t, const uint32_t *depth,
				       uint32_t span)
{
	uint32_t row = t->row_of ? t->row_of[span] : depth[t->spans->node[span]];

	return row ? row - 1 : 0;
}

/* Steps of pk_timeline_init. */
void pk_timeline_add_marks(struct pk_timeline *t);
/* True if a sample is a mark: one of the first metric beside spans. Without spans they are drawn as
 * calls; those of a metric that is exact are the spans again. */
bool pk_timeline_marks_sample(const struct pk_timeline *t, uint32_t row);
void pk_timeline_add_counters(struct pk_timeline *t);
void pk_timeline_add_flows(struct pk_timeline *t, const uint32_t *depth);

void pk_timeline_draw(const struct pk_timeline *t, const struct pk_timeline_params *params,
		      struct pk_output *out);
