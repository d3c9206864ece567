#pragma once

#include "base/num/hash.h"
#include "model/transform/copy.h"

/* Edges of one or several profiles in the edge table of a builder, equal ones (those whose keys
 * are equal) added, in the order in which they first came. */
struct pk_edges {
	struct pk_builder *b;
	struct pk_index index;
};
void pk_edges_init(struct pk_edges *edges, struct pk_builder *b);
void pk_edges_release(struct pk_edges *edges);
/* The edges of copy->p, their functions and metrics mapped. */
void pk_edges_add(struct pk_edges *edges, struct pk_copy *copy);
/* The same, but where two callers of one function of the source become equal, the later
 * replaces the earlier, as Python's strip_dirs does; functions themselves are added. */
void pk_edges_add_replacing(struct pk_edges *edges, struct pk_copy *copy);
/* The same, but where functions of the source become one, what they called of each other is no
 * longer part of its total: that is the sum of theirs without it, and no less than the largest
 * of them (calls that go in a circle are in more than one edge). What leaves and comes back is
 * in it twice: edges do not tell. */
void pk_edges_add_grouped(struct pk_edges *edges, struct pk_copy *copy);
/* The edges of one profile alone, by one of these. */
void pk_edges_copy(struct pk_copy *copy, void (*add)(struct pk_edges *edges, struct pk_copy *copy));
