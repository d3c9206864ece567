#ifndef PK_FLAME_LAYOUT_H
#define PK_FLAME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"
#include "writers/flamegraph/name.h"

/*
 * Where the boxes of a flame graph are: call paths as nested intervals of the
 * metric. Siblings stand in the order of their names (bytes), the cost of a path
 * itself before them; paths narrower than `least` are left out with all below.
 */
struct pk_flame_box {
	uint32_t node, depth;  /* node 0 is the root, "all" */
	int64_t start, total;  /* values of the metric: place and width */
	int64_t before, after; /* totals of both sides, of a difference */
};

struct pk_flame {
	struct pk_flame_box *box; /* parents first, left to right */
	size_t count, alloc;
	uint32_t depth;       /* of the deepest box */
	int64_t total;        /* the whole width */
	int64_t most_changed; /* largest |after - before| below the root */
	uint64_t narrow;      /* paths left out, see above */
	uint64_t unseen; /* paths of a difference that have no width: of the other side alone */
	int64_t unseen_value; /* what they cost there */
	uint64_t negative;    /* rows of cost below zero: counted as zero */
	uint64_t estimated;   /* boxes that are estimated */
	uint32_t threads;     /* of spans: how many stand one after the other */
};

/* What the widths of a difference are: values of a side, or of each path itself the larger of
 * both, so that nothing is without width. */
enum pk_flame_widths { PK_FLAME_AUTO, PK_FLAME_BOTH, PK_FLAME_AFTER, PK_FLAME_BEFORE };

/*
 * least: a share of the whole, 0..1. total: the value that the whole width
 * stands for; less than the sum = the sum. before: the metric to compare with,
 * 0 = none; charts know neither it nor factors. An empty result (count 0) means that nothing costs
 * anything.
 */
struct pk_flame_scale {
	uint32_t metric, before;
	int64_t factor, before_factor; /* what their values are multiplied by */
	enum pk_flame_widths widths;   /* PK_FLAME_AUTO: after */
	int64_t total;
	double least;
};
void pk_flame_layout(struct pk_flame *flame, struct pk_flame_names *names,
		     const struct pk_flame_scale *scale);
/* In the order of samples (of rows of cost, where there are none): equal paths that
 * follow one another are one box, others are not merged. */
void pk_flame_chart(struct pk_flame *flame, const struct pk_profile *p,
		    const struct pk_flame_scale *scale);
/* Whether the times of the metric are those of spans, and not of samples. */
bool pk_flame_has_spans(const struct pk_profile *p, uint32_t metric);
/* Every span is a box, from its begin to its end, in the row of its path; when no span is open,
 * there is a gap. Threads follow one another, each from its first span to its last. */
void pk_flame_spans(struct pk_flame *flame, const struct pk_profile *p,
		    const struct pk_flame_scale *scale);
void pk_flame_release(struct pk_flame *flame);

#endif
