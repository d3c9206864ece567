#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/io/output.h"
#include "base/opt.h"
#include "model/build/id_map.h"
#include "model/profile.h"
#include "writers/flamegraph/color.h"
#include "writers/flamegraph/flamegraph.h"

/*
 * Two small files that users keep beside their flame graphs, as flamegraph.pl reads and writes
 * them.
 *
 * Palette map: colors that functions had in earlier pictures, sorted by name.
 *
 *	main->rgb(205,116,27)
 *
 * Name attributes: what is added to the boxes of a function, tabs in between.
 * id, class, href, target and title have a value; g_extra and a_extra hold
 * attributes written as in XML. A title takes the place of name and numbers; a box with
 * href is a link.
 *
 *	main	class=own	href=https://example.org/main.c	g_extra=stroke="green"
 */
struct pk_flame_map {
	struct pk_flame_entry {
		const char *name;
		size_t len;
		uint32_t color;
	} * entry;
	size_t count, alloc, sorted; /* the first `sorted` entries can be found */
	struct pk_arena arena;
};
/* A missing file is an empty map. */
int pk_flame_map_load(struct pk_flame_map *map, const char *path, struct pk_error *err);
/* The color; -1 if the map has none. */
int64_t pk_flame_map_find(const struct pk_flame_map *map, const char *name, size_t len);
/* The name must live as long as the map. */
void pk_flame_map_add(struct pk_flame_map *map, const char *name, size_t len, uint32_t color);
int pk_flame_map_save(struct pk_flame_map *map, const char *path, struct pk_error *err);
void pk_flame_map_release(struct pk_flame_map *map);

struct pk_flame_attrs {
	struct pk_flame_attr {
		const char *name, *title; /* title NULL = none */
		size_t len;               /* of name */
		const char *xml;          /* " class=\"own\" id=...", escaped */
		bool link;
	} * item; /* sorted by name */
	size_t count, alloc;
	bool links; /* at least one is a link */
	struct pk_arena arena;
};
int pk_flame_attrs_load(struct pk_flame_attrs *attrs, const char *path, struct pk_error *err);
const struct pk_flame_attr *pk_flame_attrs_find(const struct pk_flame_attrs *attrs,
						const char *name, size_t len);
void pk_flame_attrs_release(struct pk_flame_attrs *attrs);

/*
 * Names of boxes: "all" for node 0; the function; "function (path/file.py:12)" if the file is
 * known, with the line being executed, otherwise the function's. Bytes of the profile, not
 * escaped; the middle of very long names is left out. Each name is made once and does not move.
 */
struct pk_flame_name {
	const char *text;
	size_t len;
	uint32_t function;
	int64_t color; /* for the drawing code; -1 = not set */
	bool cut;      /* and not drawn yet */
};

struct pk_flame_names {
	const struct pk_profile *p;
	struct pk_flame_name **of_function; /* names with line 0; NULL = not made yet */
	struct pk_flame_name **with_line;   /* the others, by number */
	size_t alloc;
	struct pk_id_map numbers; /* by function and line */
	uint32_t cut;             /* number of names drawn that are cut */
	struct pk_arena arena;
};
void pk_flame_names_init(struct pk_flame_names *names, const struct pk_profile *p);
struct pk_flame_name *pk_flame_name(struct pk_flame_names *names, uint32_t node);
void pk_flame_names_release(struct pk_flame_names *names);

/* The length of the name that is shown. Marks such as "_[k]" (kernel, inlined, compiled, waker) are
 * only for palettes. */
size_t pk_flame_name_shown(const struct pk_flame_name *name);
/*
 * A box shows "run (/usr/lib/python3/threading.py:975)" as "run (threading.py:975)": *from and
 * *skip are the bytes left out (*skip 0 = none).
 */
void pk_flame_name_folder(const struct pk_flame_name *name, size_t *from, size_t *skip);

/*
 * Where the boxes of a flame graph are: call paths as nested intervals of the metric. The self
 * of a path comes first, then its children in the order of their names (bytes). Paths narrower
 * than `least` are left out with all below.
 */
struct pk_flame_box {
	uint32_t node, depth;  /* node 0 is the root, "all" */
	int64_t start, total;  /* values of the metric: place and width */
	int64_t before, after; /* totals of both sides, of a difference */
	int64_t self_change;   /* of a difference: the change of the function's own cost */
};

struct pk_flame {
	struct pk_flame_box *box; /* parents first, left to right */
	size_t count, alloc;
	uint32_t depth;            /* of the deepest box */
	int64_t total;             /* the whole width */
	int64_t most_changed;      /* largest |after - before| below the root */
	int64_t most_self_changed; /* largest |self_change| */
	uint64_t narrow;           /* number of paths left out */
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

/* All data of a picture. */
struct pk_flame_picture {
	const struct pk_flamegraph_params *params;
	const struct pk_flame *flame;
	struct pk_flame_names *names;
	struct pk_flame_map *map; /* NULL = colors are not kept; new ones are added */
	const struct pk_flame_attrs *attrs;
	struct pk_flame_background background;
	const char *unit;
	const char *bytes; /* which bytes, if the metric counts these: "peak"; otherwise "" */
	int exponent;      /* values are in 10^-exponent of the unit */
	bool compare;      /* a difference: boxes have a `before` */
	enum pk_flame_widths widths;
	bool percent; /* minwidth is in percent, not px */
	double minwidth;
	bool ascii; /* the encoding declared is not UTF-8 */
};
void pk_flame_draw(const struct pk_flame_picture *picture, struct pk_output *out);
