/*
 * Draws a value over runs: a point for each run, with its name as tooltip, and a line for each
 * level. The picture has no script.
 */
#include "writers/history_svg.h"

#include <math.h>
#include <string.h>

#include "base/num/units.h"
#include "model/profile.h"
#include "writers/plot.h"

enum { WIDTH = 1000, HEIGHT = 400, LEFT = 90, RIGHT = 30, TOP = 60, BOTTOM = 60 };
enum { MANY = 150 }; /* with more points than this, they are small */

struct plot {
	const struct pk_history_plot *o;
	struct pk_svg svg;
	struct pk_unit unit;
	double low, high; /* ends of the value axis, in base values */
};

static double x_of(const struct plot *p, double run)
{
	return LEFT + (run + 0.5) / (double)p->o->count * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct plot *p, double value)
{
	return HEIGHT - BOTTOM - (value - p->low) / (p->high - p->low) * (HEIGHT - TOP - BOTTOM);
}

static void set_range(struct plot *p)
{
	double largest = 0;

	for (size_t i = 0; i < p->o->count; i++) {
		if (p->o->value[i] == PK_NULL)
			continue;
		p->low = fmin(p->low, (double)p->o->value[i]);
		p->high = fmax(p->high, (double)p->o->value[i]);
	}
	largest = fmax(p->high, -p->low);
	p->unit = pk_unit_for_scaled(p->o->unit, largest < 0x1p62 ? (int64_t)largest : INT64_MAX,
				     p->o->exponent);
	if (p->high > p->low)
		p->high += (p->high - p->low) * 0.08;
	else
		p->high = p->low + 1;
}

static void put_value(struct plot *p, int64_t value)
{
	pk_format_value(&p->svg.buf, value, &p->unit);
	if (*p->unit.name)
		pk_buf_addf(&p->svg.buf, " %s", p->unit.name);
}

static void put_grid(struct plot *p)
{
	double step = pk_plot_step((p->high - p->low) / p->unit.divisor, 0) * p->unit.divisor;
	double first = ceil(p->low / step);

	pk_svg_put(&p->svg, "<g class=\"grid\">\n");
	for (int k = 0; (first + k) * step <= p->high && k < 20; k++) {
		double value = (first + k) * step, y = y_of(p, value);

		pk_svg_line(&p->svg, LEFT, y, WIDTH - RIGHT, y);
		pk_svg_format(&p->svg, "<text x=\"%p\" y=\"%p\" text-anchor=\"end\">", LEFT - 8.0,
			      y + 4);
		pk_format_significant(&p->svg.buf, value / p->unit.divisor);
		pk_buf_addf(&p->svg.buf, "%s%s</text>\n", *p->unit.name ? " " : "", p->unit.name);
	}
	pk_svg_put(&p->svg, "</g>\n");
}

/* Writes the names of as many runs as fit, from the first; every point has its name as tooltip. */
static void put_names(struct plot *p)
{
	enum { ROOM = 90, LETTERS = 12 };
	size_t every = 1 + (size_t)((double)p->o->count * ROOM / (WIDTH - LEFT - RIGHT));
	PK_BUF_AUTO name = PK_BUF_INIT;

	for (size_t i = 0; i < p->o->count; i += every) {
		name.len = 0;
		pk_svg_fit(&name, p->o->name[i], strlen(p->o->name[i]), LETTERS, true);
		pk_svg_format(&p->svg, "<text x=\"%p\" y=\"%p\" text-anchor=\"middle\">%t</text>\n",
			      x_of(p, (double)i), HEIGHT - BOTTOM + 18.0,
			      name.len ? name.data : "");
	}
}

static void put_levels(struct plot *p)
{
	pk_svg_put(&p->svg, "<g class=\"level\">\n");
	for (size_t i = 0; i < p->o->history->count; i++) {
		const struct pk_history_level *l = &p->o->history->level[i];
		double y = y_of(p, (double)l->value);

		pk_svg_line(&p->svg, x_of(p, (double)l->from - 0.5), y,
			    x_of(p, (double)l->to - 0.5), y);
	}
	pk_svg_put(&p->svg, "</g>\n");
}

/* Marks the begin of each level with its run and its ratio to the level before. */
static void put_steps(struct plot *p)
{
	enum { LETTERS = 24 };
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_svg_put(&p->svg, "<g class=\"step\">\n");
	for (size_t i = 1; i < p->o->history->count; i++) {
		const struct pk_history_level *l = &p->o->history->level[i];
		double ratio = pk_history_ratio(p->o->history, i),
		       x = x_of(p, (double)l->from - 0.5);

		text.len = 0;
		pk_svg_fit(&text, p->o->name[l->from], strlen(p->o->name[l->from]), LETTERS, true);
		if (isfinite(ratio) && ratio > 0)
			pk_buf_addf(&text, " %+.3g%%", 100 * (ratio - 1));
		pk_svg_line(&p->svg, x, TOP - 10, x, HEIGHT - BOTTOM);
		pk_svg_format(&p->svg, "<text x=\"%p\" y=\"%p\" text-anchor=\"%s\">%t</text>\n", x,
			      TOP - 14.0, x > WIDTH - RIGHT - 100 ? "end" : "middle",
			      text.len ? text.data : "");
	}
	pk_svg_put(&p->svg, "</g>\n");
}

static void put_points(struct plot *p)
{
	double radius = p->o->count > MANY ? 2 : 4;

	for (size_t i = 0; i < p->o->count; i++) {
		if (p->o->value[i] == PK_NULL)
			continue;
		pk_svg_format(&p->svg, "<g><title>%t: ", p->o->name[i]);
		put_value(p, p->o->value[i]);
		pk_svg_format(&p->svg, "</title><circle r=\"%p\" cx=\"%p\" cy=\"%p\"/></g>\n",
			      radius, x_of(p, (double)i), y_of(p, (double)p->o->value[i]));
	}
}

static void put_head(struct plot *p)
{
	const struct pk_plot_head head = {
		.width = WIDTH,
		.height = HEIGHT,
		.label = "History of runs",
		.style = ".step line{stroke:#888;stroke-dasharray:4}\n"
			 "circle{fill:#0072b2}\n"
			 ".level line{stroke:#e69f00;stroke-width:3;pointer-events:none}\n",
		.title = p->o->title};

	pk_plot_begin(&p->svg, &head);
}

void pk_history_draw(const struct pk_history_plot *plot, struct pk_output *out)
{
	struct plot p = {.o = plot, .svg.out = out};

	set_range(&p);
	put_head(&p);
	put_grid(&p);
	put_names(&p);
	put_steps(&p);
	if (plot->count <= MANY)
		put_levels(&p);
	put_points(&p);
	if (plot->count > MANY) /* large points would hide the lines */
		put_levels(&p);
	pk_svg_end(&p.svg);
}
