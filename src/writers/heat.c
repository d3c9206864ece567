/* Heat maps of ranks or GPUs by steps and parts. */
#include "writers/heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/profile.h"
#include "writers/plot.h"

enum { LEFT = 200, TOP = 96, STEPS_WIDTH = 504, GAP = 24, PARTS_WIDTH = 448, RIGHT = 24 };
enum { MOST_ROWS = 250, MOST_COLUMNS = 60, LEVELS = 8, LEGEND = 64 };
enum { WIDTH = LEFT + STEPS_WIDTH + GAP + PARTS_WIDTH + RIGHT };

struct heat {
	const struct pk_heat *of;
	struct pk_svg svg;
	uint32_t rows, columns;            /* of cells */
	double *median;                    /* by step; NaN = no row has it */
	double *median_share, *most_share; /* by part */
	double most;                       /* ratio at which colors end, above 1 */
	double height;                     /* of a row */
	double wide;                       /* of a part */
};

static double median_of(double *value, size_t count)
{
	if (!count)
		return NAN;
	qsort(value, count, sizeof(*value), pk_compare_reals);
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

static const struct pk_heat_value *value_at(const struct heat *h, uint32_t row, uint32_t step)
{
	return &h->of->value[(size_t)row * h->of->steps + step];
}

static void find_medians(struct heat *h)
{
	const double least = 0.01;
	const struct pk_heat *of = h->of;
	PK_FREED double *value = pk_malloc(pk_mul((size_t)of->rows + 1, sizeof(*value)));

	h->median = pk_malloc(pk_mul((size_t)of->steps + 1, sizeof(*h->median)));
	h->median_share = pk_calloc((size_t)of->parts, sizeof(*h->median_share));
	h->most_share = pk_calloc((size_t)of->parts, sizeof(*h->most_share));
	for (uint32_t s = 0; s < of->steps; s++) {
		size_t count = 0;

		for (uint32_t i = 0; i < of->rows; i++)
			if (value_at(h, i, s)->whole != PK_NULL)
				value[count++] = (double)value_at(h, i, s)->own;
		h->median[s] = median_of(value, count);
	}
	for (int k = 0; k < of->parts; k++) {
		h->most_share[k] = least; /* so that a column of next to nothing is not full */
		for (uint32_t i = 0; i < of->rows; i++) {
			value[i] = of->share[(size_t)i * of->parts + k];
			h->most_share[k] = fmax(h->most_share[k], value[i]);
		}
		h->median_share[k] = median_of(value, of->rows);
	}
}

/* The value of a cell: if several rows and steps share it, the value farthest from the median. */
struct cell {
	uint32_t row, step;
	double value; /* NaN = nothing */
};

static uint32_t part_of(uint32_t i, uint32_t cells, uint32_t all)
{
	return (uint32_t)((uint64_t)i * all / cells);
}

static struct cell find_ratio(const struct heat *h, uint32_t row, uint32_t column)
{
	struct cell c = {.value = NAN};
	uint32_t to = part_of(row + 1, h->rows, h->of->rows);
	uint32_t end = part_of(column + 1, h->columns, h->of->steps);

	for (uint32_t i = part_of(row, h->rows, h->of->rows); i < to; i++) {
		for (uint32_t s = part_of(column, h->columns, h->of->steps); s < end; s++) {
			const struct pk_heat_value *v = value_at(h, i, s);
			double ratio = v->whole == PK_NULL ? NAN : (double)v->own / h->median[s];

			if (isfinite(ratio) && ratio > 0 &&
			    !(fabs(log(ratio)) <= fabs(log(c.value))))
				c = (struct cell){i, s, ratio};
		}
	}
	return c;
}

static struct cell find_share(const struct heat *h, uint32_t row, int part)
{
	struct cell c = {.value = NAN};
	uint32_t to = part_of(row + 1, h->rows, h->of->rows);

	for (uint32_t i = part_of(row, h->rows, h->of->rows); i < to; i++) {
		double share = h->of->share[(size_t)i * h->of->parts + part];

		if (!isnan(share) &&
		    !(fabs(share - h->median_share[part]) <= fabs(c.value - h->median_share[part])))
			c = (struct cell){i, 0, share};
	}
	return c;
}

/* Steps of color: 0 = as the median, to LEVELS. */
static int level_of(double part)
{
	int level = (int)lround(fmin(1, part) * LEVELS);

	return level < 0 ? 0 : level;
}

static void begin_cell(struct heat *h, uint32_t row)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	h->of->add_name(&name, h->of->data, row);
	pk_svg_format(&h->svg, "<g><title>%t", name.data);
}

static void end_cell(struct heat *h, double x, uint32_t row, double width, const char *kind,
		     int level)
{
	pk_buf_addf(&h->svg.buf, "</title><rect class=\"%s%d\"", kind, level);
	pk_svg_format(&h->svg, " x=\"%p\" y=\"%p\" width=\"%p\" height=\"%p\"/></g>\n", x,
		      TOP + row * h->height, width, h->height);
}

static void put_ratio(struct heat *h, uint32_t row, uint32_t column)
{
	struct cell c = find_ratio(h, row, column);
	double width = (double)STEPS_WIDTH / h->columns;
	const struct pk_heat_value *v;

	if (isnan(c.value))
		return;
	v = value_at(h, c.row, c.step);
	begin_cell(h, c.row);
	if (h->of->step[c.step] != PK_NULL)
		pk_buf_addf(&h->svg.buf, ", step %lld", (long long)h->of->step[c.step]);
	pk_buf_addf(&h->svg.buf, ": %s, of which ", pk_in_ns(v->whole).text);
	pk_buf_addf(&h->svg.buf, "%s %s, ", pk_in_ns(v->own).text, h->of->own);
	pk_format_fixed(&h->svg.buf, c.value, 2);
	pk_buf_adds(&h->svg.buf, " times the median");
	end_cell(h, LEFT + column * width, row, width, c.value >= 1 ? "s" : "f",
		 level_of(fabs(log(c.value)) / log(h->most)));
}

static void put_share(struct heat *h, uint32_t row, int part)
{
	struct cell c = find_share(h, row, part);

	if (isnan(c.value))
		return;
	begin_cell(h, c.row);
	pk_buf_addf(&h->svg.buf, ", %s: %s of %s", h->of->part[part], pk_in_percent(c.value).text,
		    h->of->its);
	pk_buf_addf(&h->svg.buf, "; median %s", pk_in_percent(h->median_share[part]).text);
	end_cell(h, LEFT + STEPS_WIDTH + GAP + part * h->wide, row, h->wide, "p",
		 level_of(c.value / h->most_share[part]));
}

static void put_text(struct heat *h, double x, double y, const char *anchor, const char *text)
{
	pk_svg_format(&h->svg, "<text x=\"%p\" y=\"%p\" text-anchor=\"%s\">%t</text>\n", x, y,
		      anchor, text);
}

/* Names of as many rows as have room. */
static void put_rows(struct heat *h)
{
	enum { ROOM = 14, LETTERS = 26 };
	uint32_t every = (uint32_t)ceil(ROOM / h->height);
	PK_BUF_AUTO name = PK_BUF_INIT, fit = PK_BUF_INIT;

	for (uint32_t row = 0; row < h->rows; row += every) {
		name.len = fit.len = 0;
		h->of->add_name(&name, h->of->data, part_of(row, h->rows, h->of->rows));
		pk_svg_fit(&fit, name.data, name.len, LETTERS, false);
		put_text(h, LEFT - 8.0, TOP + row * h->height + fmin(h->height, ROOM) / 2 + 4,
			 "end", fit.len ? fit.data : "");
	}
}

static void put_columns(struct heat *h)
{
	enum { ROOM = 40 };
	double width = (double)STEPS_WIDTH / h->columns;
	uint32_t every = (uint32_t)ceil(ROOM / width);
	PK_BUF_AUTO head = PK_BUF_INIT;

	pk_buf_addf(&head, "shares of %s of each; colors end at the most of a column",
		    h->of->shared);
	put_text(h, LEFT, TOP - 28.0, "start", h->of->what);
	put_text(h, LEFT + STEPS_WIDTH + GAP, TOP - 46.0, "start", head.data);
	for (uint32_t c = 0; c < h->columns; c += every) {
		int64_t step = h->of->step[part_of(c, h->columns, h->of->steps)];
		PK_BUF_AUTO name = PK_BUF_INIT;

		if (step == PK_NULL)
			pk_buf_adds(&name, "all");
		else
			pk_buf_addf(&name, "%lld", (long long)step);
		put_text(h, LEFT + (c + 0.5) * width, TOP - 8.0, "middle", name.data);
	}
	for (int k = 0; k < h->of->parts; k++) {
		double x = LEFT + STEPS_WIDTH + GAP + (k + 0.5) * h->wide;
		const char *space = strchr(h->of->part[k], ' ');
		PK_BUF_AUTO first = PK_BUF_INIT;

		pk_buf_add(&first, h->of->part[k],
			   space ? (size_t)(space - h->of->part[k]) : strlen(h->of->part[k]));
		put_text(h, x, TOP - (space ? 22.0 : 8.0), "middle", first.data);
		if (space)
			put_text(h, x, TOP - 8.0, "middle", space + 1);
	}
}

static void put_legend(struct heat *h, double y)
{
	enum { SIZE = 16, TEXT = 150 };
	double x = LEFT + TEXT;
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_format_fixed(&text, 1 / h->most, 2);
	pk_buf_adds(&text, " times the median");
	put_text(h, x - 8, y + 12, "end", text.data);
	for (int i = -LEVELS; i <= LEVELS; i++, x += SIZE) {
		pk_buf_addf(&h->svg.buf, "<rect class=\"%c%d\"", i < 0 ? 'f' : 's', abs(i));
		pk_svg_format(&h->svg, " x=\"%p\" y=\"%p\" width=\"%p\" height=\"%p\"/>\n", x, y,
			      (double)SIZE, (double)SIZE);
	}
	text.len = 0;
	pk_format_fixed(&text, h->most, 2);
	pk_buf_adds(&text, " times");
	put_text(h, x + 8, y + 12, "start", text.data);
	x = LEFT + STEPS_WIDTH + GAP + 40;
	put_text(h, x - 8, y + 12, "end", "0%");
	for (int i = 0; i <= LEVELS; i++, x += SIZE) {
		pk_buf_addf(&h->svg.buf, "<rect class=\"p%d\"", i);
		pk_svg_format(&h->svg, " x=\"%p\" y=\"%p\" width=\"%p\" height=\"%p\"/>\n", x, y,
			      (double)SIZE, (double)SIZE);
	}
	put_text(h, x + 8, y + 12, "start", "the most, at least 1%");
}

/* Colors are transparent by their level, so that they suit a light and a dark background. */
static void make_style(struct pk_buf *style)
{
	static const struct {
		char kind;
		const char *color;
	} scales[] = {{'s', "#d55e00"}, {'f', "#0072b2"}, {'p', "#009e73"}};

	/* so that there are no gaps between rows whose height is not a whole number of pixels */
	pk_buf_adds(style, "g rect{shape-rendering:crispEdges}\n");
	for (size_t k = 0; k < sizeof(scales) / sizeof(*scales); k++)
		for (int i = 0; i <= LEVELS; i++)
			pk_buf_addf(style, ".%c%d{fill:%s;fill-opacity:.%02d}\n", scales[k].kind, i,
				    i ? scales[k].color : "#888", i ? 10 + i * 89 / LEVELS : 12);
}

static void find_scale(struct heat *h)
{
	const double least = 1.05, most = 4;

	h->most = least;
	for (uint32_t row = 0; row < h->rows; row++)
		for (uint32_t c = 0; c < h->columns; c++) {
			double value = find_ratio(h, row, c).value;

			if (!isnan(value))
				h->most = fmax(h->most, exp(fabs(log(value))));
		}
	h->most = fmin(h->most, most);
}

/* "a row is 1 or 2 GPUs", if cells are fewer. */
static void add_joined(struct pk_buf *buf, const char *what, uint32_t cells, uint32_t all,
		       const char *are)
{
	if (cells >= all)
		return;
	pk_buf_addf(buf, "%sa %s is %u", buf->len ? ", " : "", what, all / cells);
	if (all % cells)
		pk_buf_addf(buf, " or %u", all / cells + 1);
	pk_buf_addf(buf, " %s", are);
}

static void put_head(struct heat *h)
{
	enum { LETTERS = 105 };
	PK_BUF_AUTO style = PK_BUF_INIT, more = PK_BUF_INIT, title = PK_BUF_INIT;
	struct pk_plot_head head = {.width = WIDTH,
				    .height = (int)(TOP + h->rows * h->height + LEGEND),
				    .label = h->of->label};

	pk_svg_fit(&title, h->of->title, strlen(h->of->title), LETTERS, false);
	head.title = title.data;
	make_style(&style);
	head.style = style.data;
	pk_plot_begin(&h->svg, &head);
	add_joined(&more, "row", h->rows, h->of->rows, h->of->rows_are);
	add_joined(&more, "column", h->columns, h->of->steps, "steps");
	if (more.len) {
		pk_buf_adds(&more, ": the one farthest from the median");
		put_text(h, LEFT, TOP - 46.0, "start", more.data);
	}
}

void pk_heat_draw(const struct pk_heat *heat, struct pk_output *out)
{
	const double full = 640, least = 2.5, tallest = 22;
	struct heat h = {.of = heat, .svg.out = out};

	find_medians(&h);
	h.rows = heat->rows < MOST_ROWS ? heat->rows : MOST_ROWS;
	h.columns = heat->steps < MOST_COLUMNS ? heat->steps : MOST_COLUMNS;
	h.wide = (double)PARTS_WIDTH / heat->parts;
	h.height = fmin(tallest, fmax(least, full / h.rows));
	find_scale(&h);
	put_head(&h);
	put_rows(&h);
	put_columns(&h);
	for (uint32_t row = 0; row < h.rows; row++) {
		for (uint32_t c = 0; c < h.columns; c++)
			put_ratio(&h, row, c);
		for (int k = 0; k < heat->parts; k++)
			put_share(&h, row, k);
		pk_svg_flush(&h.svg);
	}
	put_legend(&h, TOP + h.rows * h.height + 24);
	pk_svg_end(&h.svg);
	free(h.median);
	free(h.median_share);
	free(h.most_share);
}
