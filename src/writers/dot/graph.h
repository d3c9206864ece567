#ifndef PK_DOT_GRAPH_H
#define PK_DOT_GRAPH_H

#include <graphviz/cgraph.h>

#include "base/text/str.h"
#include "writers/dot/dot.h"

/* The drawing as a cgraph graph, to be closed with agclose; NULL with err. Graphviz is guarded from
 * here on, see guard.h. */
Agraph_t *pk_dot_graph(const struct pk_profile *p, const struct pk_dot_params *params,
		       struct pk_error *err);

#endif
