/* What drawings of one call graph and of two share: statements of DOT, names, remarks. */
#include "writers/dot/internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/function_name.h"
#include "base/num/units.h"

/* Words need no quotes in DOT; its few keywords never are values here. */
static void write_value(struct pk_output *out, const char *text, size_t len)
{
	if (strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == len) {
		pk_output_write(out, text, len);
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

void pk_dot_set(struct pk_drawing *d, const char *attribute, const char *value)
{
	struct pk_buf text = PK_BUF_INIT;

	if (!*value)
		return;
	pk_buf_adds(&text, value);
	pk_dot_cut_text(&text);
	pk_output_puts(d->out, d->in_attributes ? ", " : " [");
	d->in_attributes = true;
	pk_output_puts(d->out, attribute);
	pk_output_putc(d->out, '=');
	write_value(d->out, text.data, text.len);
	pk_buf_release(&text);
}

void pk_dot_set_number(struct pk_drawing *d, const char *attribute, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.2f", value);
	pk_dot_set(d, attribute, text);
}

void pk_dot_set_color(struct pk_drawing *d, const char *attribute, struct pk_rgb color)
{
	char text[8];

	pk_rgb_format(color, text);
	pk_dot_set(d, attribute, text);
}

void pk_dot_end_statement(struct pk_drawing *d)
{
	pk_output_puts(d->out, d->in_attributes ? "];\n" : ";\n");
	d->in_attributes = false;
}

void pk_dot_begin_graph(struct pk_drawing *d, size_t arrows)
{
	/* The number of arrows from which Graphviz would take many seconds for a layout that is
	 * hardly better: with nslimit=2, 475 arrows take 0.9 s instead of 2.9 s, and the picture is
	 * narrower. */
	enum { MANY = 150, TOO_MANY_TO_BEND = 1000 };

	pk_output_puts(d->out, "digraph callgraph {\n\tgraph");
	if (d->theme->background != 0xffffff)
		pk_dot_set_color(d, "bgcolor", d->background);
	pk_dot_set(d, "fontname", "Arial");
	if (arrows > MANY)
		pk_dot_set(d, "mclimit", arrows > TOO_MANY_TO_BEND ? "0.1" : "0.5");
	pk_dot_set(d, "nodesep", "0.125");
	if (arrows > MANY) {
		pk_dot_set(d, "nslimit", "2");
		pk_dot_set(d, "nslimit1", "2");
	}
	pk_dot_set(d, "ranksep", "0.25");
	if (arrows > TOO_MANY_TO_BEND)
		pk_dot_set(d, "splines", "line");
	pk_dot_set(d, "tooltip", " ");
	pk_dot_end_statement(d);
	pk_output_puts(d->out, "\tnode");
	pk_dot_set(d, "fontname", "Arial");
	pk_dot_set(d, "height", "0");
	pk_dot_set(d, "shape", "box");
	pk_dot_set(d, "style", d->theme->filled ? "filled" : "solid");
	pk_dot_set(d, "width", "0");
	pk_dot_end_statement(d);
	pk_output_puts(d->out, "\tedge");
	pk_dot_set(d, "fontname", "Arial");
	pk_dot_end_statement(d);
}

void pk_dot_begin_text(struct pk_drawing *d)
{
	d->text.len = 0;
	pk_buf_adds(&d->text, "");
}

/* The name of a function in d->name, as it may be shown. */
void pk_dot_name_function(struct pk_drawing *d, uint32_t function)
{
	struct pk_buf place = PK_BUF_INIT;
	uint32_t name = d->p->function.name[function];

	d->name.len = 0;
	pk_graph_name(&d->name, d->p, function);
	if (d->params->strip && d->name.len && pk_ends_with(d->name.data, pk_text(d->p, name))) {
		size_t len = d->p->string.len[name];

		pk_buf_add(&place, d->name.data, d->name.len - len);
		d->name.len = 0;
		pk_buf_add(&d->name, pk_text(d->p, name), len);
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

void pk_dot_add_whole_name(struct pk_drawing *d, uint32_t function)
{
	d->name.len = 0;
	pk_buf_add(&d->name, pk_text(d->p, d->p->function.name[function]),
		   d->p->string.len[d->p->function.name[function]]);
	pk_dot_cut_name(&d->name);
	pk_dot_add_text(&d->text, d->name.data, d->name.len);
}

void pk_dot_add_place(struct pk_drawing *d, uint32_t file, uint32_t line)
{
	const char *text = pk_text(d->p, file);

	if (!*text)
		return;
	pk_buf_adds(&d->text, "\\n");
	pk_dot_add_text(&d->text, text, strlen(text));
	if (line)
		pk_buf_addf(&d->text, ":%u", line);
}

void pk_dot_put_legend(struct pk_drawing *d, const char *color, const char *font_color)
{
	pk_output_puts(d->out, "\tlegend");
	pk_dot_set(d, "color", color);
	pk_dot_set(d, "fontcolor", font_color);
	pk_dot_set_number(d, "fontsize", d->theme->font_min);
	pk_dot_set(d, "label", d->text.data);
	pk_dot_set(d, "margin", "0.15,0.1");
	pk_dot_set(d, "shape", "note");
	if (d->theme->filled)
		pk_dot_set(d, "style", "solid");
	pk_dot_set(d, "tooltip", " ");
	pk_dot_end_statement(d);
}

void pk_dot_note(const struct pk_drawing *d, uint32_t count, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	if (!count)
		return;
	pk_format_count(&buf, count);
	pk_buf_adds(&buf, text);
	if (d->params->note)
		d->params->note(d->params->note_data, buf.data);
	else
		pk_output_note(d->out, "%s", buf.data);
	pk_buf_release(&buf);
}
