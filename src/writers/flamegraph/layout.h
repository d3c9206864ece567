#ifndef PK_FLAME_LAYOUT_H
#define PK_FLAME_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"
#include "writers/flamegraph/name.h"

/*
 * Where the boxes of a flame graph are: call paths as nested intervals of the metric. The self
 * of a path comes first, then its children in the order of their names (bytes). Paths narrower
 * than `least` are left out with all below.
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
	uint64_t narrow;      /* number of paths left out */
	uint64_t unseen; /* paths without width, because only the other side of a difference has
			    them */
	int64_t unseen_value; /* their cost on that side */
	uint64_t negative;    /* number of rows with negative cost, which count as zero */
	uint64_t estimated;   /* number of estimated boxes */
	uint32_t threads;     /* of spans: number of threads side by side */
};

/* Widths of a difference: the values of one side, or the larger self of both sides for each path,
 * so that no path is without width. */
enum pk_flame_widths { PK_FLAME_AUTO, PK_FLAME_BOTH, PK_FLAME_AFTER, PK_FLAME_BEFORE };

/*
 * least: a share of the whole, 0..1. total: the value of the whole width, at least the sum.
 * before: the metric to compare with, 0 = none; charts use neither it nor factors. An empty
 * result (count 0) means that nothing has a cost.
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
/* Boxes in the order of samples (without samples: of cost rows). Neighbours with equal paths are
 * joined, others are not. */
void pk_flame_chart(struct pk_flame *flame, const struct pk_profile *p,
		    const struct pk_flame_scale *scale);
/* True if times of the metric are those of spans and not of samples. */
bool pk_flame_has_spans(const struct pk_profile *p, uint32_t metric);
/* Every span is a box from its begin to its end, in the row of its path; time without a span is a
 * gap. Threads stand side by side, each from its first span to its last. */
void pk_flame_spans(struct pk_flame *flame, const struct pk_profile *p,
		    const struct pk_flame_scale *scale);
void pk_flame_release(struct pk_flame *flame);

#endif
