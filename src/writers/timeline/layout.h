#ifndef PK_TIMELINE_LAYOUT_H
#define PK_TIMELINE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

/*
 * Where things stand in a picture of a timeline: one lane for each thread, in it one row for each
 * depth of calls. What is narrower than `least` is joined with its neighbours of the same row; if
 * there would still be too many boxes, least grows until there are not.
 */
struct pk_timeline_box {
	uint32_t lane, depth;     /* depth from 0 */
	uint32_t frame, category; /* those of the longest span in it */
	uint32_t count;           /* spans; 1 = one, not joined */
	uint32_t others;          /* spans in it whose frame is another than `frame` */
	int64_t begin, end;       /* ns */
	int64_t busy;             /* sum of what the spans took */
	int64_t longest;
};

struct pk_timeline_lane {
	uint32_t thread;
	uint32_t depth;  /* rows: at least 1 */
	uint32_t hidden; /* spans deeper than that */
};

struct pk_timeline_area { /* one value of a counter for some time, joined as boxes are */
	int64_t begin, end;
	double low, high; /* where it stands upon the series below it */
	uint32_t series;  /* number among those of the counter */
	uint32_t count;   /* values */
};

struct pk_timeline_counter {
	uint32_t process, name;
	uint32_t series[8], series_count; /* names; further series are left out */
	uint32_t first, count;            /* areas */
	double highest;
};

struct pk_timeline_mark { /* instants of one lane that are less than least from each other */
	uint32_t lane;    /* lane_count: of no lane */
	uint32_t name, count;
	int64_t time;
};

struct pk_timeline_flow {
	uint32_t from_lane, from_depth, to_lane, to_depth, category;
	int64_t from, to;
};

struct pk_timeline {
	const struct pk_profile *p;
	const struct pk_span_table *spans;
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

	/* What is not shown as it is. */
	int64_t least;              /* ns: what is shorter was joined */
	uint64_t joined;            /* spans that are in boxes with others */
	uint64_t deep, other_spans; /* spans too deep; spans of threads left out */
	uint32_t other_threads, other_counters;
	uint64_t other_flows;
	uint32_t *lane_of_thread; /* UINT32_MAX = none */
};

struct pk_timeline_limits {
	double pixels;  /* width of the picture */
	uint32_t depth; /* rows of a lane; 0 = as many as there is room for */
	bool flows;
};
/* spans: those of p, or made from its samples; the result refers to both. */
void pk_timeline_init(struct pk_timeline *t, const struct pk_profile *p,
		      const struct pk_span_table *spans, const struct pk_timeline_limits *limits);
void pk_timeline_release(struct pk_timeline *t);

#endif
