#include "writers/gpu/heat.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/gpu/grid.h"
#include "writers/plot.h"

enum { LEFT = 200, TOP = 96, STEPS_WIDTH = 560, GAP = 24, PART_WIDTH = 56, RIGHT = 24 };
enum { MOST_ROWS = 250, MOST_COLUMNS = 60, LEVELS = 8, PARTS = PK_GPU_KINDS + PK_GPU_IDLES };
enum { LEGEND = 64, WIDTH = LEFT + STEPS_WIDTH + GAP + PARTS * PART_WIDTH + RIGHT };

static const char *const part_names[PARTS] = {"compute",     "exposed comm", "exposed copies",
					      "launch",      "data loading", "host wait",
					      "kernel wait", "other idle"};

struct heat {
	const struct pk_gpu *g;
	struct pk_svg svg;
	uint32_t rows, columns; /* of cells */
	int64_t *step;          /* numbers of steps, ascending; steps of them */
	uint32_t steps;
	double *median; /* by step; NaN = no GPU has it */
	double median_share[PARTS], most_share[PARTS];
	double most;   /* ratio at which colors end, above 1 */
	double height; /* of a row */
};

static double median_of(double *value, size_t count)
{
	if (!count)
		return NAN;
	qsort(value, count, sizeof(*value), pk_compare_reals);
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

/* The window of a step; NULL: the GPU does not have it. Steps are in order. */
static const struct pk_gpu_window *window_of(const struct pk_gpu_device *d, int64_t step)
{
	uint32_t low = 0, high = d->windows;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (d->window[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low < d->windows && d->window[low].step == step ? &d->window[low] : NULL;
}

/* Of a step, without the time in which it only communicates: most of that is waiting for others, so
 * that steps of all ranks take the same time. */
static int64_t own_time(const struct pk_gpu_window *w)
{
	return pk_gpu_whole(&w->times) - pk_gpu_exposed(&w->times, PK_GPU_COMMUNICATION);
}

static void find_steps(struct heat *h)
{
	size_t alloc = 0, count = 0;

	for (uint32_t i = 0; i < h->g->devices; i++) {
		const struct pk_gpu_device *d = &h->g->device[i];

		PK_GROW(h->step, count + d->windows, alloc);
		for (uint32_t k = 0; k < d->windows; k++)
			h->step[count++] = d->window[k].step;
	}
	qsort(h->step, count, sizeof(*h->step), pk_compare_ints);
	for (size_t i = 0; i < count; i++)
		if (!i || h->step[i] != h->step[i - 1])
			h->step[h->steps++] = h->step[i];
}

static void find_medians(struct heat *h)
{
	const struct pk_gpu *g = h->g;
	PK_FREED double *value = pk_malloc(pk_mul((size_t)g->devices + 1, sizeof(*value)));

	h->median = pk_malloc(pk_mul((size_t)h->steps + 1, sizeof(*h->median)));
	for (uint32_t s = 0; s < h->steps; s++) {
		size_t count = 0;

		for (uint32_t i = 0; i < g->devices; i++) {
			const struct pk_gpu_window *w = window_of(&g->device[i], h->step[s]);

			if (w)
				value[count++] = (double)own_time(w);
		}
		h->median[s] = median_of(value, count);
	}
	for (int k = 0; k < PARTS; k++) {
		for (uint32_t i = 0; i < g->devices; i++) {
			int64_t part[PARTS];

			pk_gpu_parts(part, &g->device[i].times);
			value[i] = pk_gpu_share(part[k], &g->device[i].times);
			h->most_share[k] = fmax(h->most_share[k], value[i]);
		}
		h->median_share[k] = median_of(value, g->devices);
	}
}

/* What a cell shows: of the GPUs and steps that share it the one farthest from the median. */
struct cell {
	uint32_t device, step;
	double value; /* NaN = nothing */
};

static uint32_t part_of(uint32_t i, uint32_t cells, uint32_t all)
{
	return (uint32_t)((uint64_t)i * all / cells);
}

static struct cell find_ratio(const struct heat *h, uint32_t row, uint32_t column)
{
	struct cell c = {.value = NAN};
	uint32_t to = part_of(row + 1, h->rows, h->g->devices);
	uint32_t end = part_of(column + 1, h->columns, h->steps);

	for (uint32_t i = part_of(row, h->rows, h->g->devices); i < to; i++) {
		for (uint32_t s = part_of(column, h->columns, h->steps); s < end; s++) {
			const struct pk_gpu_window *w = window_of(&h->g->device[i], h->step[s]);
			double ratio = w ? (double)own_time(w) / h->median[s] : NAN;

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
	uint32_t to = part_of(row + 1, h->rows, h->g->devices);

	for (uint32_t i = part_of(row, h->rows, h->g->devices); i < to; i++) {
		int64_t of[PARTS];
		double share;

		pk_gpu_parts(of, &h->g->device[i].times);
		share = pk_gpu_share(of[part], &h->g->device[i].times);
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

static void begin_cell(struct heat *h, uint32_t device)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	pk_gpu_add_place(&name, h->g, &h->g->device[device]);
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
	const struct pk_gpu_window *w;

	if (isnan(c.value))
		return;
	w = window_of(&h->g->device[c.device], h->step[c.step]);
	begin_cell(h, c.device);
	if (w->step != PK_NULL)
		pk_buf_addf(&h->svg.buf, ", step %lld", (long long)w->step);
	pk_buf_addf(&h->svg.buf, ": %s, of which ", pk_in_ns(pk_gpu_whole(&w->times)).text);
	pk_buf_addf(&h->svg.buf, "%s its own, ", pk_in_ns(own_time(w)).text);
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
	begin_cell(h, c.device);
	pk_buf_addf(&h->svg.buf, ", %s: %s of its steps", part_names[part],
		    pk_in_percent(c.value).text);
	pk_buf_addf(&h->svg.buf, "; median %s", pk_in_percent(h->median_share[part]).text);
	end_cell(h, LEFT + STEPS_WIDTH + GAP + part * (double)PART_WIDTH, row, PART_WIDTH, "p",
		 h->most_share[part] > 0 ? level_of(c.value / h->most_share[part]) : 0);
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
		pk_gpu_add_place(&name, h->g, &h->g->device[part_of(row, h->rows, h->g->devices)]);
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

	put_text(h, LEFT, TOP - 28.0, "start",
		 "time of each step without exposed communication, by its median");
	put_text(h, LEFT + STEPS_WIDTH + GAP, TOP - 46.0, "start",
		 "shares of the steps of each; colors end at the most of a column");
	for (uint32_t c = 0; c < h->columns; c += every) {
		int64_t step = h->step[part_of(c, h->columns, h->steps)];
		PK_BUF_AUTO name = PK_BUF_INIT;

		if (step == PK_NULL)
			pk_buf_adds(&name, "all");
		else
			pk_buf_addf(&name, "%lld", (long long)step);
		put_text(h, LEFT + (c + 0.5) * width, TOP - 8.0, "middle", name.data);
	}
	for (int k = 0; k < PARTS; k++) {
		double x = LEFT + STEPS_WIDTH + GAP + (k + 0.5) * PART_WIDTH;
		const char *space = strchr(part_names[k], ' ');
		PK_BUF_AUTO first = PK_BUF_INIT;

		pk_buf_add(&first, part_names[k],
			   space ? (size_t)(space - part_names[k]) : strlen(part_names[k]));
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
	put_text(h, x - 8, y + 12, "end", "0 %");
	for (int i = 0; i <= LEVELS; i++, x += SIZE) {
		pk_buf_addf(&h->svg.buf, "<rect class=\"p%d\"", i);
		pk_svg_format(&h->svg, " x=\"%p\" y=\"%p\" width=\"%p\" height=\"%p\"/>\n", x, y,
			      (double)SIZE, (double)SIZE);
	}
	put_text(h, x + 8, y + 12, "start", "the most");
}

/* Colors are transparent by their level, so that they do on a light and on a dark background. */
static void make_style(struct pk_buf *style)
{
	static const struct {
		char kind;
		const char *color;
	} scales[] = {{'s', "#d55e00"}, {'f', "#0072b2"}, {'p', "#009e73"}};

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

static void put_head(struct heat *h, const char *title)
{
	PK_BUF_AUTO style = PK_BUF_INIT, more = PK_BUF_INIT;
	struct pk_plot_head head = {.width = WIDTH,
				    .height = (int)(TOP + h->rows * h->height + LEGEND),
				    .label = "Heat map of GPUs",
				    .title = title};

	make_style(&style);
	head.style = style.data;
	pk_plot_begin(&h->svg, &head);
	if (h->rows < h->g->devices || h->columns < h->steps) {
		pk_buf_addf(&more, "a row is %.3g GPUs", (double)h->g->devices / h->rows);
		if (h->columns < h->steps)
			pk_buf_addf(&more, ", a column %.3g steps", (double)h->steps / h->columns);
		pk_buf_adds(&more, ": the one farthest from the median");
		put_text(h, LEFT, TOP - 46.0, "start", more.data);
	}
}

void pk_gpu_draw_heat(const struct pk_gpu *g, const char *title, struct pk_output *out)
{
	const double full = 640, least = 2.5, tallest = 22;
	struct heat h = {.g = g, .svg.out = out};

	find_steps(&h);
	find_medians(&h);
	h.rows = g->devices < MOST_ROWS ? g->devices : MOST_ROWS;
	h.columns = h.steps < MOST_COLUMNS ? h.steps : MOST_COLUMNS;
	h.height = fmin(tallest, fmax(least, full / h.rows));
	find_scale(&h);
	put_head(&h, title);
	put_rows(&h);
	put_columns(&h);
	for (uint32_t row = 0; row < h.rows; row++) {
		for (uint32_t c = 0; c < h.columns; c++)
			put_ratio(&h, row, c);
		for (int k = 0; k < PARTS; k++)
			put_share(&h, row, k);
		pk_svg_flush(&h.svg);
	}
	put_legend(&h, TOP + h.rows * h.height + 24);
	pk_svg_end(&h.svg);
	free(h.step);
	free(h.median);
}
