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
 * The text is written from the cgraph objects here and not by agwrite, whose line breaks
 * differ between versions: one statement a line can be compared and searched.
 */
#include "writers/dot/graph.h"

#include <stddef.h>
#include <string.h>

#include "base/os/guard.h"

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

/* Words and numbers need no quotes in DOT; its few keywords never are values here. */
static void write_id(struct pk_output *out, const char *text)
{
	size_t len = strlen(text);

	if (len && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == len) {
		pk_output_puts(out, text);
		return;
	}
	pk_output_putc(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			pk_output_putc(out, '\\');
		pk_output_putc(out, *text);
	}
	pk_output_putc(out, '"');
}

static void write_pair(struct pk_output *out, bool *first, const char *name, const char *value)
{
	pk_output_puts(out, *first ? " [" : ", ");
	*first = false;
	pk_output_puts(out, name);
	pk_output_putc(out, '=');
	write_id(out, value);
}

/* What is set on an object, in the order of the attributes' names. */
static void write_attributes(struct pk_output *out, Agraph_t *graph, int kind, void *object)
{
	bool first = true;

	for (Agsym_t *sym = agnxtattr(graph, kind, NULL); sym; sym = agnxtattr(graph, kind, sym)) {
		const char *value = agxget(object, sym);

		if (strcmp(value, sym->defval) != 0)
			write_pair(out, &first, sym->name, value);
	}
	pk_output_puts(out, first ? ";\n" : "];\n");
}

static void write_defaults(struct pk_output *out, Agraph_t *graph, int kind, const char *what)
{
	bool first = true;

	for (Agsym_t *sym = agnxtattr(graph, kind, NULL); sym; sym = agnxtattr(graph, kind, sym)) {
		if (!*sym->defval)
			continue;
		if (first)
			pk_output_printf(out, "\t%s", what);
		write_pair(out, &first, sym->name, sym->defval);
	}
	if (!first)
		pk_output_puts(out, "];\n");
}

static void write_graph(struct pk_output *out, Agraph_t *graph)
{
	pk_output_printf(out, "digraph %s {\n", agnameof(graph));
	write_defaults(out, graph, AGRAPH, "graph");
	write_defaults(out, graph, AGNODE, "node");
	write_defaults(out, graph, AGEDGE, "edge");
	for (Agnode_t *n = agfstnode(graph); n; n = agnxtnode(graph, n)) {
		pk_output_printf(out, "\t%s", agnameof(n));
		write_attributes(out, graph, AGNODE, n);
	}
	for (Agnode_t *n = agfstnode(graph); n; n = agnxtnode(graph, n)) {
		for (Agedge_t *e = agfstout(graph, n); e; e = agnxtout(graph, e)) {
			pk_output_printf(out, "\t%s -> %s", agnameof(n), agnameof(aghead(e)));
			write_attributes(out, graph, AGEDGE, e);
		}
	}
	pk_output_puts(out, "}\n");
}

int pk_dot_write(const struct pk_profile *p, const struct pk_dot_params *params,
		 struct pk_output *out, struct pk_error *err)
{
	Agraph_t *graph = pk_dot_graph(p, params, err);

	if (!graph)
		return -1;
	write_graph(out, graph);
	agclose(graph);
	pk_guard_end();
	return 0;
}

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
