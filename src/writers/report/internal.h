#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/hotspots/hotspots.h"
#include "analysis/tree.h"
#include "base/json/write.h"
#include "base/num/hash.h"
#include "writers/report/report.h"

/* The page has no more of these; rows: of each other table. */
enum {
	PK_REPORT_METRICS = 8,
	PK_REPORT_FUNCTIONS = 20000,
	PK_REPORT_NODES = 50000,
	PK_REPORT_ROWS = 3000,
	PK_REPORT_GRAPH = 60 /* functions of the call graph */
};

#define PK_REPORT_BELOW (UINT32_C(1) << 31)

/* The contents of the page, chosen once. The number of each that goes into the page is decided
 * later, by its size. The report must live as long. */
struct pk_report_data {
	const struct pk_report *report;
	uint32_t metric[PK_REPORT_METRICS]; /* the one shown first, then the others */
	uint32_t metric_count, metrics_left;

	struct pk_hotspots hotspots[PK_REPORT_METRICS]; /* by metric */
	uint32_t *function; /* those with a value in a metric of the page, most important first */
	uint32_t function_count;
	uint32_t *row_of; /* function -> its place in `function`; UINT32_MAX: none */
	struct pk_arcs arcs[PK_REPORT_METRICS]; /* by metric: calls between functions */
	uint32_t arc_count[PK_REPORT_METRICS];
	uint32_t *arc[PK_REPORT_METRICS]; /* rows of these from 1, the largest first */

	bool has_tree;
	struct pk_call_tree calls;             /* has the profile that nodes belong to */
	uint32_t negative[PK_REPORT_METRICS];  /* paths with a self below 0 */
	bool no_sum[PK_REPORT_METRICS];        /* parts exceed the whole: no flame graph */
	uint32_t *node;                        /* most important first: callers before callees */
	uint32_t node_count, node_total;       /* of those; of all */
	uint32_t *caller;                      /* place, from 1 in `node` -> that of its caller */
	struct pk_report_values {              /* by metric; by place, 0 has those of the whole */
		int64_t *self, *total, *calls; /* calls: NULL: no path has any */
		int64_t *width;                /* sums of what is above 0; NULL: nothing is below */
	} value[PK_REPORT_METRICS];
	/* By node: only while the contents are chosen. */
	struct pk_tree tree[PK_REPORT_METRICS];
	int64_t *width[PK_REPORT_METRICS];
	uint32_t *place; /* its place; that of its lowest caller in `node`, or 0, with
			    PK_REPORT_BELOW */

	struct pk_report_time *time;   /* NULL: the times of events are not known */
	struct pk_report_parts *parts; /* tables of other commands */
	struct pk_report_split *split; /* NULL: paths are not known by thread or time */
	/* For a comparison with call paths: the paths, with the metrics "before" and "after". */
	struct pk_report_data *pair;
	struct pk_report of_pair;
};
void pk_report_choose(struct pk_report_data *d, const struct pk_report *r);
void pk_report_release(struct pk_report_data *d);
/* Totals for boxes of a flame graph, in which costs below 0 have no width. By place; 0 has the
 * whole. */
const int64_t *pk_report_widths(const struct pk_report_data *d, uint32_t m);

/* The number of functions, call paths and rows of other tables that go into the page. */
struct pk_report_limits {
	uint32_t functions, nodes, rows;
};
/* Appends the data of the page as JSON: see data.c. */
void pk_report_json(struct pk_buf *json, const struct pk_report_data *d,
		    const struct pk_report_limits *limits);

struct pk_report_names;
/* The timeline: see parts/timeline.c. */
struct pk_report_time *pk_report_time_new(const struct pk_report_data *d);
void pk_report_time_free(struct pk_report_time *time);
/* The tables of other commands, and their part of the data: see parts/. */
struct pk_report_parts *pk_report_parts_new(const struct pk_report_data *d);
void pk_report_parts_free(struct pk_report_parts *parts);
void pk_report_parts_json(struct pk_json_writer *w, const struct pk_report_parts *parts,
			  struct pk_report_names *names, const struct pk_report_limits *limits);
/* Appends the member "paths". */
void pk_report_put_paths(struct pk_json_writer *w, const struct pk_report_data *d,
			 struct pk_report_names *names, uint32_t limit);
/* The values of paths by thread and time, see parts/split.c: first what is needed of the samples,
 * then, when paths are chosen, the rest. */
struct pk_report_split *pk_report_split_new(const struct pk_report_data *d);
void pk_report_split_fill(struct pk_report_split *s);
void pk_report_split_free(struct pk_report_split *s);
/* Appends the member "split" of the paths at these places; limit: of paths. Rows are joined if it
 * is less than the last time. */
void pk_report_put_split(struct pk_json_writer *w, struct pk_report_split *s, uint32_t metrics,
			 const uint32_t *place, uint32_t places, uint32_t limit);
/* Appends the members "comparison" and "check" if there are any: see comparison.c. */
void pk_report_put_comparison(struct pk_json_writer *w, const struct pk_report_data *d,
			      struct pk_report_names *names, const struct pk_report_limits *limits);
/* For tables without a script. */
void pk_report_cut_names(struct pk_grid *g);
/* The functions whose values changed most, and what `check` says, as tables without a script. */
void pk_report_put_changes(struct pk_buf *html, const struct pk_report *r, uint32_t rows);

/* Appends a flame graph that needs no script, of about `room` bytes at most; nothing if there are
 * no call paths. */
void pk_report_picture(struct pk_buf *html, const struct pk_report_data *d, size_t room);
