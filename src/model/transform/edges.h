#pragma once

#include "base/num/hash.h"
#include "model/transform/copy.h"

/* Adds edges of one or several profiles to the edge table of a builder. Edges with equal keys are
 * added up; they stay in the order in which they first came. */
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
/* The same, but where functions of the source become one, the calls between them are left out: its
 * total is the sum of their totals minus those of these calls, and at least the largest of their
 * totals (calls in a circle are in more than one edge). Calls that leave the functions and come
 * back count twice, because edges do not show them. */
void pk_edges_add_grouped(struct pk_edges *edges, struct pk_copy *copy);
/* The edges of one profile alone, by one of these. */
void pk_edges_copy(struct pk_copy *copy, void (*add)(struct pk_edges *edges, struct pk_copy *copy));
