#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/io/input.h"
#include "base/text/str.h"
#include "model/build/builder.h"

/*
 * A flame graph as boxes: flamegraph_svg_parse finds them in the XML, flamegraph_svg_build makes
 * call paths of them.
 */
enum svg_measure {
	SVG_SAMPLES, /* fg:x and fg:w: whole numbers */
	SVG_PERCENT,
	SVG_PIXELS,
};

struct svg_box {
	const char *title; /* "name (12 samples, 3.40%)", NUL-terminated as label is; NULL = none */
	const char *label; /* what is seen of the name */
	double x, width, y, height;
	enum svg_measure measure;
	bool inside;    /* of the element with id="frames" */
	bool estimated; /* hatched: by profkit */

	/* flamegraph_svg_build's own */
	const char *name;
	size_t name_len;
	int64_t weight, children, change; /* change: own, in 1/100 % of the total */
	uint32_t depth, node, location, parent;
	int decimals;          /* of weight, as written */
	bool counted, changed; /* weight, change were in the title */
};

struct svg_picture {
	struct pk_arena text;
	struct svg_box *box;
	size_t boxes, box_alloc;
	const char *title, *subtitle, *notes; /* NULL = none */
	const char *producer;
	const char *message; /* "ERROR: ..." instead of frames */
	bool is_svg, framed; /* framed: there is an element with id="frames" */
	int64_t total;       /* total_samples; 0 = not given */
};

struct svg_build {
	struct svg_picture *picture;
	struct pk_builder *b;
	struct pk_error *err;
	struct svg_box *box; /* without those outside of the frames */
	size_t boxes;
	uint32_t *order;    /* by depth, then from left to right */
	size_t *row, depth; /* where each depth begins in order; row[depth] is the end */
	struct svg_box *root;
	const char *unit;
	size_t unit_len;
	int decimals;
	double tolerance;
	bool rounded, compared;
	int64_t uncounted, overfull, merged;
	uint32_t metric, delta;
	int64_t scale; /* of the unit in base units of the metric */
};

/* Returns 0, or -1 if the bytes are not XML, or there is too much of it. */
int flamegraph_svg_parse(struct svg_picture *picture, struct pk_input *in, struct pk_builder *b,
			 struct pk_error *err);
/* A step of flamegraph_svg_parse: escapes what old programs did not. If there is any such text,
 * *text becomes a copy in buf. */
int flamegraph_svg_mend(struct pk_buf *buf, const char **text, size_t *len, struct pk_builder *b,
			struct pk_error *err);
int flamegraph_svg_build(struct svg_picture *picture, struct pk_builder *b, struct pk_error *err);

/* Steps of flamegraph_svg_build. The first sets name, weight, change, and the root's unit. */
void flamegraph_svg_read_title(struct svg_build *r, struct svg_box *box, bool root);
/* True if the box is "all", which is no function. */
bool flamegraph_svg_called_all(const struct svg_box *box);
/* Nodes and costs of boxes whose parents and weights are known, the metrics, and meta data. */
void flamegraph_svg_cost(struct svg_build *r);
