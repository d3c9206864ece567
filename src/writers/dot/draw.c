#include "writers/dot/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/function_name.h"
#include "base/alloc.h"
#include "base/os/guard.h"
#include "base/num/units.h"
#include "writers/dot/label.h"

void pk_dot_set(void *object, const char *attribute, const char *value)
{
	struct pk_buf text = PK_BUF_INIT;

	pk_buf_adds(&text, value);
	pk_dot_cut_text(&text);
	/* cgraph copies what it is given, and takes it without const. */
	agsafeset(object, (char *)(uintptr_t)attribute, text.data, "");
	pk_buf_release(&text);
}

void pk_dot_set_number(void *object, const char *attribute, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.2f", value);
	pk_dot_set(object, attribute, text);
}

void pk_dot_set_color(void *object, const char *attribute, struct pk_rgb color)
{
	char text[8];

	pk_rgb_format(color, text);
	pk_dot_set(object, attribute, text);
}

static void set_default(Agraph_t *graph, int kind, const char *attribute, const char *value)
{
	agattr(graph, kind, (char *)(uintptr_t)attribute, (char *)(uintptr_t)value);
}

void pk_dot_begin_text(struct pk_drawing *d)
{
	d->text.len = 0;
	pk_buf_adds(&d->text, "");
}

/* The name of a function in d->name, as it may be shown. */
void pk_dot_name_function(struct pk_drawing *d, uint32_t frame)
{
	struct pk_buf place = PK_BUF_INIT;
	uint32_t function = d->p->function.name[frame];

	d->name.len = 0;
	pk_graph_name(&d->name, d->p, frame);
	if (d->params->strip) {
		size_t len = d->p->string.len[function];

		pk_buf_add(&place, d->name.data, d->name.len - len);
		d->name.len = 0;
		pk_buf_add(&d->name, pk_text(d->p, function), len);
		pk_dot_strip_name(&d->name);
		pk_buf_add(&place, d->name.data, d->name.len);
		d->name.len = 0;
		pk_buf_add(&d->name, place.data, place.len);
	}
	d->cut_names += pk_dot_cut_name(&d->name);
	pk_buf_release(&place);
}

void pk_dot_add_name(struct pk_drawing *d)
{
	const char *line, *end;

	if (!d->params->wrap) {
		pk_dot_add_text(&d->text, d->name.data, d->name.len);
		return;
	}
	pk_dot_wrap_name(&d->name);
	line = d->name.data;
	end = line + d->name.len;
	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		pk_dot_add_text(&d->text, line, (size_t)(stop - line));
		if (stop < end)
			pk_buf_adds(&d->text, "\\n");
		line = stop + 1;
	}
}

void pk_dot_add_line(struct pk_drawing *d)
{
	if (d->text.len)
		pk_buf_adds(&d->text, "\\n");
}

void pk_dot_add_whole_name(struct pk_drawing *d, uint32_t frame)
{
	d->name.len = 0;
	pk_buf_add(&d->name, pk_text(d->p, d->p->function.name[frame]),
		   d->p->string.len[d->p->function.name[frame]]);
	pk_dot_cut_name(&d->name);
	pk_dot_add_text(&d->text, d->name.data, d->name.len);
}

/* cgraph's own goes on with NULL when there is no memory. */
static void *memory_open(Agdisc_t *disc)
{
	(void)disc;
	return NULL;
}

static void *memory_get(void *state, size_t size)
{
	(void)state;
	return pk_calloc(1, size);
}

static void *memory_resize(void *state, void *p, size_t before, size_t size)
{
	(void)state;
	p = pk_realloc(p, size);
	if (size > before)
		memset((char *)p + before, 0, size - before);
	return p;
}

static void memory_free(void *state, void *p)
{
	(void)state;
	free(p);
}

static Agraph_t *new_graph(void)
{
	static Agmemdisc_t memory = {memory_open, memory_get, memory_resize, memory_free, NULL};
	Agdisc_t disc = {&memory, &AgIdDisc, &AgIoDisc};

	return agopen((char *)(uintptr_t) "callgraph", Agdirected, &disc);
}

void pk_dot_begin_graph(struct pk_drawing *d)
{
	char color[8];

	/* Its dictionaries take memory from malloc, and do not look at what they get. */
	pk_guard_begin("Graphviz");
	d->graph = new_graph();
	if (d->theme->background != 0xffffff) {
		pk_rgb_format(d->background, color);
		set_default(d->graph, AGRAPH, "bgcolor", color);
	}
	set_default(d->graph, AGRAPH, "fontname", "Arial");
	set_default(d->graph, AGRAPH, "nodesep", "0.125");
	set_default(d->graph, AGRAPH, "ranksep", "0.25");
	set_default(d->graph, AGRAPH, "tooltip", " ");
	set_default(d->graph, AGNODE, "fontname", "Arial");
	set_default(d->graph, AGNODE, "height", "0");
	set_default(d->graph, AGNODE, "shape", "box");
	set_default(d->graph, AGNODE, "style", d->theme->filled ? "filled" : "solid");
	set_default(d->graph, AGNODE, "width", "0");
	set_default(d->graph, AGEDGE, "fontname", "Arial");
}

void pk_dot_note(const struct pk_dot_params *params, uint32_t count, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	if (!count || !params->note)
		return;
	pk_format_count(&buf, count);
	pk_buf_adds(&buf, text);
	params->note(params->note_data, buf.data);
	pk_buf_release(&buf);
}

struct pk_callgraph_params pk_dot_graph_params(const struct pk_dot_params *params)
{
	return (struct pk_callgraph_params){
		.node_threshold = params->node_threshold,
		.edge_threshold = params->edge_threshold,
		.limit = params->limit.count,
		.limit_share = params->limit.share,
		.key = (enum pk_callgraph_key)params->limit_by,
		.root = params->root,
		.leaf = params->leaf,
		.depth = params->depth,
		.paths = params->paths.item,
		.path_count = params->paths.count,
		.totals = (enum pk_callgraph_totals)params->totals,
		.residual = params->residual,
	};
}
