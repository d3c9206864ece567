/*
 * The call graph in the DOT language (graphviz.org/doc/info/lang.html):
 *
 *	digraph callgraph {
 *		node [fontname=Arial, shape=box, style=filled];
 *		12 [color="#fe0500", label="app:4:main\n99.54%\n(0.02%)\n2×"];
 *		12 -> 15 [label="49.75%\n2×", penwidth="1.99"];
 *	}
 *
 * A box's label is the function's name, its share of the total with all that it
 * calls, its own share in parentheses, and its calls; an arrow's is the share spent in these
 * calls and their number. Numbers, and the looks of the color maps color to print, are those
 * of gprof2dot (github.com/jrfonseca/gprof2dot).
 *
 * One statement a line, attributes in the order of their names: texts can be compared and
 * searched. Graphviz reads this text when a picture is wanted (render.c).
 */
#include "writers/dot/dot.h"

#include <stddef.h>

const char *const pk_dot_colormaps[] = {"color", "pink", "gray", "bw",
					"print", "safe", "dark", NULL};
const char *const pk_dot_limit_keys[] = {"total", "self", "calls", NULL};
const char *const pk_dot_totals[] = {"exact", "callstacks", "callratios", NULL};

const struct pk_opt pk_dot_options[] = {
#define AT(member) offsetof(struct pk_dot_params, member)
#include "writers/dot/options.def"
#undef AT
	PK_OPT_LAST,
};

static int write_dot(const struct pk_profiles *list, const void *params, struct pk_output *out,
		     struct pk_error *err)
{
	return pk_dot_write(list->item[0], params, out, err);
}

static const char *const suffixes[] = {".dot", ".gv", NULL};

const struct pk_writer pk_writer_dot = {
	.name = "dot",
	.title = "call graph for Graphviz (DOT)",
	.suffixes = suffixes,
	.opts = pk_dot_options,
	.params_size = sizeof(struct pk_dot_params),
	.keeps = PK_PART_CALLS,
	.write = write_dot,
};
