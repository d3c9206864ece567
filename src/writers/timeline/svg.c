/*
 * A timeline as SVG, built as a flame graph is (flamegraph/svg.c), so that the same script works on
 * it: the boxes of all lanes are in <svg id="frames">, which is as wide as the time shown. Other
 * things that move when people zoom are in <svg class="moves">. What is particular to timelines
 * (axis, wheel, panning) is in timeline.js.
 */
#include "writers/timeline/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "model/build/id_map.h"
#include "model/label.h"
#include "writers/flamegraph/assets.h"
#include "writers/flamegraph/draw.h"
#include "writers/flamegraph/color.h"

enum {
	FONT = 12,
	ROW = 16,    /* of boxes, with 1 px between them */
	LABEL = 17,  /* the name of a lane */
	HEADER = 24, /* the name of a process */
	PLOT = 30,   /* height of a counter */
	MARKS = 10,  /* height of the marks of a lane, below its name */
	GAP = 5,
};

struct svg {
	const struct pk_timeline *t;
	const struct pk_timeline_params *params;
	const struct pk_profile *p;
	struct pk_svg svg;
	struct pk_buf text;
	double inner;                        /* width of the time shown, px */
	double *lane_y, *counter_y, marks_y; /* top of boxes and plots */
	bool *marked, *drawn;                /* lanes with marks, with boxes */
	double axis, bottom;
	uint32_t *category; /* categories in the order of their first box */
	uint32_t category_count, category_alloc;
	struct pk_id_map names; /* of spans in joined boxes: numbers by function and category */
};

static double share_of(const struct svg *s, int64_t ns)
{
	return (double)ns / (double)(s->t->end - s->t->begin);
}

/* Light enough for black letters, and pale enough that search results stand out, on white and
 * black. */
static const uint32_t hues[] = {0xA9C6E8, 0xF0C896, 0xB2D8AC, 0xC9BBE0,
				0xD9D59A, 0xE6B4AE, 0xA3D3D3};
enum { HUES = sizeof(hues) / sizeof(*hues) };

/* The name decides the lightness, from 86 to 100 %. */
static uint32_t shade_of(const struct svg *s, uint32_t hue, uint32_t name)
{
	struct pk_flame_shade shade =
		pk_flame_shade_of(PK_FLAME_BY_HASH, pk_text(s->p, name), s->p->string.len[name]);
	uint32_t color = 0;

	for (int shift = 0; shift < 24; shift += 8)
		color |= (uint32_t)((hue >> shift & 255) * (0.86 + 0.14 * shade.v[1])) << shift;
	return color;
}

static uint32_t place_of_category(struct svg *s, uint32_t category)
{
	uint32_t i = 0;

	while (i < s->category_count && s->category[i] != category)
		i++;
	if (i == s->category_count) {
		PK_GROW(s->category, (size_t)i + 1, s->category_alloc);
		s->category[s->category_count++] = category;
	}
	return i;
}

static uint32_t color_of_key(const struct svg *s, uint32_t category)
{
	const struct pk_timeline_key *key = s->params->keys;

	while (key->category && strcmp(key->category, pk_text(s->p, category)) != 0)
		key++;
	return key->color;
}

/* States of threads: unwanted waiting stands out. */
static uint32_t color_of_state(const char *state)
{
	static const struct {
		const char *state;
		uint32_t color;
	} colors[] = {{"running", 0xA5D49B}, {"runnable", 0xF3C588}, {"blocked", 0xE79A92}};

	for (size_t i = 0; i < sizeof(colors) / sizeof(*colors); i++)
		if (pk_starts_with(state, colors[i].state))
			return colors[i].color;
	return 0xC4C8D0;
}

static uint32_t color_of(struct svg *s, const struct pk_timeline_box *box)
{
	uint32_t name = s->p->function.name[box->function];
	struct pk_flame_shade shade;

	if (s->params->keys)
		return color_of_key(s, box->category);
	if (!strcmp(pk_text(s->p, box->category), PK_CATEGORY_STATE))
		return color_of_state(pk_text(s->p, name));
	if (s->params->color == PK_TIMELINE_BY_CATEGORY)
		return shade_of(s, hues[place_of_category(s, box->category) % HUES], name);
	shade = pk_flame_shade_of(PK_FLAME_BY_HASH, pk_text(s->p, name), s->p->string.len[name]);
	return shade_of(s, hues[(uint32_t)(shade.v[0] * 7919) % HUES], name);
}

/* "NAME", "12 x NAME", "NAME and 11 others". */
static void put_box_name(struct svg *s, const struct pk_timeline_box *box,
			 enum pk_label_style style)
{
	s->text.len = 0;
	if (box->count > 1 && !box->others) {
		pk_format_count(&s->text, box->count);
		pk_buf_adds(&s->text, " x ");
	}
	pk_function_label(&s->text, s->p, box->function, style);
	if (!s->text.len)
		pk_buf_adds(&s->text, "(no name)");
	if (box->others) {
		pk_buf_adds(&s->text, " and ");
		pk_format_count(&s->text, box->count - 1);
		pk_buf_adds(&s->text, box->count == 2 ? " other" : " others");
	}
}

static const char *unit_of(const struct svg *s)
{
	return s->params->unit ? s->params->unit : "ns";
}

static void put_title(struct svg *s, const char *name, size_t len, int64_t ns)
{
	pk_svg_put(&s->svg, "<title>");
	pk_svg_text_len(&s->svg, name, len);
	pk_svg_put(&s->svg, " (");
	pk_format_count(&s->svg.buf, ns);
	pk_svg_format(&s->svg, " %t, ", unit_of(s));
	pk_buf_addf(&s->svg.buf, "%.2f%%)</title>", 100 * share_of(s, ns));
}

static void put_label(struct svg *s, double x, double width, double y, uint32_t color)
{
	struct pk_buf label = PK_BUF_INIT;
	double room = (width * s->inner - 6) / (FONT * 0.59);

	if (room >= 3)
		pk_svg_fit(&label, s->text.data, s->text.len, (size_t)room, true);
	if (label.len) {
		pk_svg_put(&s->svg,
			   pk_flame_color_is_dark(color) ? "<text class=\"w\" x=\"" : "<text x=\"");
		pk_svg_scaled(&s->svg, (uint64_t)llround((x + 3 / s->inner) * 1e6), 4);
		pk_svg_format(&s->svg, "%%\" y=\"%p\">", y + (ROW - 1) / 2.0 + FONT / 4.0);
		pk_svg_text_len(&s->svg, label.data, label.len);
		pk_svg_put(&s->svg, "</text>");
	}
	pk_buf_release(&label);
}

static void put_rect(struct svg *s, int64_t begin, int64_t end, double y, double height)
{
	int64_t least = (int64_t)((double)(s->t->end - s->t->begin) / s->inner * 0.6);

	pk_svg_format(&s->svg, "<rect x=\"%q%%\" width=\"%q%%\" y=\"%p\" height=\"%p\"",
		      share_of(s, begin - s->t->begin),
		      share_of(s, end - begin > least ? end - begin : least), y, height);
}

/* Mixed with white. */
static uint32_t paler(uint32_t color)
{
	uint32_t mixed = 0;

	for (int shift = 0; shift < 24; shift += 8)
		mixed |= ((color >> shift & 255) * 7 + 255 * 3) / 10 << shift;
	return mixed;
}

/* To the base 36, with a blank behind it. */
static void put_base36(struct svg *s, uint64_t value)
{
	char text[16], *at = text + sizeof(text);

	*--at = ' ';
	do
		*--at = "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
	while (value /= 36);
	pk_buf_add(&s->svg.buf, at, (size_t)(text + sizeof(text) - at));
}

/* The spans of a joined box, for timeline.js to draw where there is room: begin after that of the
 * box, duration, and number in put_names, to the base 36. */
static void put_spans(struct svg *s, const struct pk_timeline_box *box)
{
	const struct pk_span_table *t = s->t->spans;

	pk_svg_put(&s->svg, " data-s=\"");
	for (uint32_t i = box->first; i; i = s->t->next[i]) {
		int64_t key = (int64_t)pk_node_function(s->p, t->node[i]) << 32 | t->category[i];

		put_base36(s, t->time[i] > box->begin ? (uint64_t)(t->time[i] - box->begin) : 0);
		put_base36(s, t->duration[i] > 0 ? (uint64_t)t->duration[i] : 0);
		put_base36(s, pk_id_map_number(&s->names, key) - 1);
	}
	pk_buf_addc(&s->svg.buf, '"');
}

static void put_names(struct svg *s)
{
	if (!s->names.count)
		return;
	pk_svg_put(&s->svg, "<defs id=\"names\">\n");
	for (uint32_t i = 0; i < s->names.count; i++) {
		struct pk_timeline_box box = {
			.count = 1,
			.function = (uint32_t)(s->names.entry[i].id >> 32),
			.category = (uint32_t)s->names.entry[i].id,
		};

		put_box_name(s, &box, PK_LABEL_FULL);
		pk_svg_format(&s->svg, "<rect fill=\"%c\"><title>", color_of(s, &box));
		pk_svg_text_len(&s->svg, s->text.data, s->text.len);
		pk_svg_put(&s->svg, "</title></rect>\n");
	}
	pk_svg_put(&s->svg, "</defs>\n");
}

static void put_box(struct svg *s, const struct pk_timeline_box *box)
{
	double y = s->lane_y[box->lane] + box->depth * ROW;
	uint32_t color = box->count > 1 ? paler(color_of(s, box)) : color_of(s, box);
	bool kept = box->count > 1 && s->t->next && s->params->javascript;

	pk_svg_put(&s->svg, "<g");
	if (kept)
		put_spans(s, box);
	pk_svg_put(&s->svg, ">");
	put_box_name(s, box, PK_LABEL_FULL);
	put_title(s, s->text.data, s->text.len, box->busy);
	put_rect(s, box->begin, box->end, y, ROW - 1);
	pk_svg_format(&s->svg, " fill=\"%c\"/>", color);
	put_box_name(s, box, PK_LABEL_SHORT);
	put_label(s, share_of(s, box->begin - s->t->begin), share_of(s, box->end - box->begin), y,
		  color);
	pk_svg_put(&s->svg, "</g>\n");
}

/* Begins an element of the width of the time shown, and in it one that moves when people zoom. */
static void begin_moving(struct svg *s, const char *attributes)
{
	pk_svg_format(&s->svg, "<svg x=\"10\" width=\"%p\">\n<svg %s>\n", s->inner, attributes);
}

static void put_boxes(struct svg *s)
{
	static const char all[] = "all";

	begin_moving(s, "id=\"frames\" class=\"moves\" fill=\"#000\"");
	pk_svg_put(&s->svg, "<g>");
	put_title(s, all, sizeof(all) - 1, s->t->end - s->t->begin);
	put_rect(s, s->t->begin, s->t->end, s->axis, ROW - 1);
	pk_svg_put(&s->svg, " fill=\"#c8ccd4\"/>");
	s->text.len = 0;
	pk_buf_adds(&s->text, all);
	put_label(s, 0, 1, s->axis, 0xC8CCD4);
	pk_svg_put(&s->svg, "</g>\n");
	for (size_t i = 0; i < s->t->box_count && !pk_output_failed(s->svg.out); i++)
		put_box(s, &s->t->box[i]);
	pk_svg_put(&s->svg, "</svg>\n</svg>\n");
}

/* The unit for times up to `most`, and the digits that ticks `step` apart need in it. */
static const char *tick_unit(int64_t most, int64_t step, int64_t *ns, int *digits)
{
	static const struct {
		int64_t ns;
		const char *name;
	} units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
	size_t i = 0;

	while (units[i].ns > 1 && most < units[i].ns)
		i++;
	*ns = units[i].ns;
	for (*digits = 0; step < units[i].ns && step > 0 && *digits < 9; step *= 10)
		++*digits;
	return units[i].name;
}

/* 1, 2 or 5 times a power of ten, so that ticks are at least `room` apart. */
static int64_t tick_step(double room)
{
	int64_t step = 1;

	for (;;) {
		if ((double)step >= room || step > INT64_MAX / 10)
			return step;
		if (2 * (double)step >= room)
			return 2 * step;
		if (5 * (double)step >= room)
			return 5 * step;
		step *= 10;
	}
}

static void put_axis(struct svg *s)
{
	int64_t begin = s->t->begin, end = s->t->end, step, at, ns;
	const char *unit;
	int digits;

	step = tick_step((double)(end - begin) / s->inner * 100);
	unit = tick_unit(end > -begin ? end : -begin, step, &ns, &digits);
	if (s->params->unit) {
		unit = s->params->unit;
		ns = 1;
		digits = 0;
	}
	pk_svg_format(&s->svg, "<svg id=\"axis\" x=\"10\" width=\"%p\">\n", s->inner);
	at = begin / step * step;
	for (at = at < begin ? at + step : at; at <= end; at += step) {
		double x = share_of(s, at - begin);

		pk_svg_format(&s->svg, "<line x1=\"%q%%\" x2=\"%q%%\" y1=\"%p\" y2=\"%p\"/>\n", x,
			      x, s->axis + ROW, s->bottom);
		/* Where there is no room beside the last one, it has no text. */
		if ((1 - x) * s->inner < 70)
			continue;
		pk_svg_format(&s->svg, "<text x=\"%q%%\" y=\"%p\" dx=\"3\">", x,
			      s->axis + ROW + FONT);
		pk_buf_addf(&s->svg.buf, "%.*f ", digits, (double)at / (double)ns);
		pk_svg_format(&s->svg, "%t</text>\n", unit);
	}
	pk_svg_put(&s->svg, "</svg>\n");
}

/* attributes: with a blank before them; description: a string, what the trace says of it. */
static void put_heading(struct svg *s, const char *class, double y, const char *attributes,
			uint32_t description)
{
	size_t room = (size_t)(s->inner / (FONT * 0.59));
	struct pk_buf label = PK_BUF_INIT;

	pk_svg_fit(&label, s->text.data, s->text.len, room, true);
	pk_svg_format(&s->svg, "<text class=\"%s\" x=\"10\" y=\"%p\"%s%s>", class, y, attributes,
		      description ? " style=\"pointer-events:auto\"" : "");
	pk_svg_text_len(&s->svg, label.data ? label.data : "", label.len);
	if (description)
		pk_svg_format(&s->svg, "<title>%t</title>", pk_text(s->p, description));
	pk_svg_put(&s->svg, "</text>\n");
	pk_buf_release(&label);
}

static uint32_t process_of(const struct svg *s, uint32_t lane)
{
	return s->p->thread.process[s->t->lane[lane].thread];
}

/* The height of a counter. In a picture of counters that have no unit the first one is the main
 * one.
 */
static int height_of(const struct svg *s, uint32_t counter)
{
	bool lower = counter && !s->params->counter_unit;

	return !s->params->plot ? PLOT : lower ? 2 * PLOT : s->params->plot;
}

/* The counters of a process stand below its threads. */
static void place_counters(struct svg *s, uint32_t process, bool *placed)
{
	for (uint32_t i = 0; i < s->t->counter_count; i++) {
		if (placed[i] || s->t->counter[i].process != process)
			continue;
		placed[i] = true;
		s->counter_y[i] = s->bottom + LABEL;
		s->bottom += LABEL + height_of(s, i) + GAP;
	}
}

static bool has_loose_marks(const struct pk_timeline *t)
{
	return t->mark_count && t->mark[t->mark_count - 1].lane == t->lane_count;
}

/* True if a heading for the process stands above the lane. */
static bool has_header(const struct svg *s, uint32_t lane)
{
	uint32_t process = process_of(s, lane);

	return process && (!lane || process != process_of(s, lane - 1));
}

static void see_lanes(struct svg *s)
{
	for (size_t i = 0; i < s->t->mark_count; i++)
		s->marked[s->t->mark[i].lane] = true;
	for (size_t i = 0; i < s->t->box_count; i++)
		s->drawn[s->t->box[i].lane] = true;
}

static void place_all(struct svg *s)
{
	const struct pk_timeline *t = s->t;
	bool *placed = pk_calloc((size_t)t->counter_count + 1, sizeof(*placed));
	uint32_t i;

	see_lanes(s);
	s->axis = (s->params->subtitle ? 6 : 4) * FONT + 4;
	s->bottom = s->axis + 2 * ROW + GAP;
	if (has_loose_marks(t)) {
		s->marks_y = s->bottom + LABEL + MARKS;
		s->bottom += LABEL + MARKS + GAP;
	}
	for (i = 0; i < t->lane_count; i++) {
		s->bottom += has_header(s, i) ? HEADER : 0;
		s->lane_y[i] = s->bottom + LABEL + (s->marked[i] ? MARKS : 0);
		s->bottom = s->lane_y[i] + (s->drawn[i] ? t->lane[i].depth * ROW : 0) + GAP;
		if (i + 1 == t->lane_count || process_of(s, i + 1) != process_of(s, i))
			place_counters(s, process_of(s, i), placed);
	}
	for (i = 0; i < t->counter_count; i++)
		place_counters(s, t->counter[i].process, placed);
	free(placed);
}

/* True for a stream of a GPU that has only a number; lanes for its overlapping work have the same
 * name. */
static bool is_nameless_stream(const struct pk_profile *p, uint32_t thread)
{
	const char *name = pk_text(p, p->thread.name[thread]);

	return p->thread.role[thread] == PK_ROLE_GPU && p->thread.tid[thread] != PK_NULL &&
	       (!*name || *name == '(');
}

/* If the name contains the number, it is not repeated. */
static void put_thread_name(struct svg *s, uint32_t thread)
{
	const char *name = pk_text(s->p, s->p->thread.name[thread]), *at;
	char number[24];
	int len = snprintf(number, sizeof(number), "%lld", (long long)s->p->thread.tid[thread]);

	s->text.len = 0;
	for (at = name; (at = strstr(at, number)); at++)
		if ((at == name || !pk_is_digit(at[-1])) && !pk_is_digit(at[len]))
			break;
	if (at && s->p->thread.tid[thread] != PK_NULL)
		pk_buf_adds(&s->text, name);
	else if (is_nameless_stream(s->p, thread))
		pk_buf_addf(&s->text, "stream %s%s%s", number, *name ? " " : "", name);
	else
		pk_thread_label(&s->text, s->p, thread);
	if (!s->text.len)
		pk_buf_adds(&s->text, "(no name)");
}

/* A thread without a name is told by what it runs: its outermost function that is not the start of
 * all threads of Python. The boxes of a lane begin at *box. */
static void put_first_function(struct svg *s, uint32_t lane, size_t *box)
{
	const struct pk_timeline *t = s->t;
	const struct pk_function_table *f = &s->p->function;
	uint32_t found = 0;

	while (*box < t->box_count && t->box[*box].lane < lane)
		++*box;
	if (s->p->thread.name[t->lane[lane].thread] ||
	    is_nameless_stream(s->p, t->lane[lane].thread))
		return;
	for (size_t i = *box; i < t->box_count && t->box[i].lane == lane && !found; i++)
		if (strcmp(pk_basename(pk_text(s->p, f->file[t->box[i].function])), "threading.py"))
			found = t->box[i].function;
	if (found) {
		pk_buf_adds(&s->text, ": ");
		pk_function_label(&s->text, s->p, found, PK_LABEL_SHORT);
	}
}

static void put_headings(struct svg *s)
{
	const struct pk_profile *p = s->p;
	const struct pk_timeline *t = s->t;
	char attributes[30];
	size_t box = 0;
	double y;
	uint32_t i;

	s->text.len = 0;
	pk_buf_adds(&s->text, "marks");
	if (has_loose_marks(t))
		put_heading(s, "lane", s->marks_y - MARKS - 4, "", 0);
	for (i = 0; i < t->lane_count; i++) {
		uint32_t thread = t->lane[i].thread, process = process_of(s, i);

		y = s->lane_y[i] - (s->marked[i] ? MARKS : 0);
		if (has_header(s, i)) {
			s->text.len = 0;
			pk_process_label(&s->text, p, process);
			if (!s->text.len)
				pk_buf_adds(&s->text, "(no name)");
			put_heading(s, "process", y - LABEL - 6, "",
				    p->process.labels ? p->process.labels[process] : 0);
		}
		put_thread_name(s, thread);
		put_first_function(s, i, &box);
		snprintf(attributes, sizeof(attributes), " data-lane=\"%u\"", i);
		put_heading(s, "lane", y - 4, attributes,
			    p->thread.description ? p->thread.description[thread] : 0);
	}
}

/* Bytes if the name says so: torch's counters of memory, and counters that users name like that. */
static void put_amount(struct svg *s, struct pk_buf *buf, uint32_t counter, uint32_t series,
		       double amount)
{
	const char *name = pk_text(s->p, s->t->counter[counter].name);

	if (fabs(amount) < 1e15 && (pk_is_memory_counter(name) || strcasestr(name, "bytes") ||
				    strcasestr(pk_text(s->p, series), "bytes")))
		pk_format_value_unit(buf, llround(amount), "bytes");
	else if (fabs(amount) < 1e15 && amount == floor(amount))
		pk_format_count(buf, llround(amount));
	else
		pk_format_significant(buf, amount);
	if (s->params->counter_unit && *s->params->counter_unit)
		pk_buf_addf(buf, " %s", s->params->counter_unit);
}

static uint32_t color_of_series(const struct svg *s, uint32_t counter, uint32_t number)
{
	uint32_t series = s->t->counter[counter].series[number];

	return s->params->keys ? color_of_key(s, series) : shade_of(s, hues[number % HUES], series);
}

static void put_area(struct svg *s, uint32_t counter, const struct pk_timeline_area *a)
{
	const struct pk_timeline_counter *c = &s->t->counter[counter];
	double height = height_of(s, counter), y = s->counter_y[counter];
	double scale = c->highest > 0 ? height / c->highest : 0;
	uint32_t series = c->series[a->series];

	put_rect(s, a->begin, a->end, y + height - a->high * scale, (a->high - a->low) * scale);
	pk_svg_format(&s->svg, " fill=\"%c\"><title>%t: ", color_of_series(s, counter, a->series),
		      pk_text(s->p, series));
	put_amount(s, &s->svg.buf, counter, series, a->high - a->low);
	if (a->count > c->series_count)
		pk_buf_adds(&s->svg.buf, " at most");
	pk_svg_put(&s->svg, "</title></rect>\n");
}

/* The name of a function, without its place if there are many. */
static void put_series_name(struct svg *s, uint32_t counter, uint32_t number)
{
	const char *name = pk_text(s->p, s->t->counter[counter].series[number]);
	const char *place = s->params->plot ? strstr(name, " (") : NULL;

	pk_svg_format(&s->svg, "<tspan fill=\"%c\">\xE2\x96\xA0</tspan> ",
		      color_of_series(s, counter, number));
	pk_svg_text_len(&s->svg, name, place ? (size_t)(place - name) : strlen(name));
	pk_svg_put(&s->svg, " ");
}

/* "balance", then each series with its color and its highest value. */
static void put_counter_name(struct svg *s, uint32_t counter)
{
	const struct pk_timeline_counter *c = &s->t->counter[counter];
	const char *most = s->params->plot && !s->params->counter_unit ? "" : "at most ";
	uint32_t k;

	pk_svg_format(&s->svg,
		      "<text class=\"lane\" x=\"10\" y=\"%p\">%t:", s->counter_y[counter] - 4,
		      c->name ? pk_text(s->p, c->name) : "counter");
	if (s->params->keys) { /* the legend has the series */
		pk_svg_put(&s->svg, " at most ");
		put_amount(s, &s->svg.buf, counter, 0, c->highest);
	}
	for (k = 0; k < c->series_count && !s->params->keys; k++) {
		pk_svg_put(&s->svg, k ? ", " : " ");
		if (c->series_count > 1)
			put_series_name(s, counter, k);
		if (c->most[k] > 0) {
			pk_svg_put(&s->svg, most);
			put_amount(s, &s->svg.buf, counter, c->series[k], c->most[k]);
		} else {
			pk_svg_put(&s->svg, "never above 0");
		}
	}
	pk_svg_put(&s->svg, "</text>\n");
}

static void put_counters(struct svg *s)
{
	const struct pk_timeline *t = s->t;
	uint32_t i, k;

	for (i = 0; i < t->counter_count; i++)
		put_counter_name(s, i);
	begin_moving(s, "class=\"moves\" shape-rendering=\"crispEdges\"");
	for (i = 0; i < t->counter_count; i++)
		for (k = 0; k < t->counter[i].count; k++)
			put_area(s, i, &t->area[t->counter[i].first + k]);
	pk_svg_put(&s->svg, "</svg>\n</svg>\n");
}

static void put_mark(struct svg *s, const struct pk_timeline_mark *m)
{
	double y = m->lane < s->t->lane_count ? s->lane_y[m->lane] : s->marks_y;
	double x = share_of(s, m->time - s->t->begin);
	const char *name = m->name ? pk_text(s->p, m->name) : m->is_sample ? "sample" : "";

	pk_svg_format(&s->svg,
		      "<line class=\"%s\" x1=\"%q%%\" x2=\"%q%%\" y1=\"%p\" y2=\"%p\"><title>%t",
		      m->is_sample ? "mark sampled" : "mark", x, x, y - MARKS,
		      s->params->plot ? s->bottom : y - 1, name);
	if (m->count > 1) {
		pk_svg_put(&s->svg, " and ");
		pk_svg_count(&s->svg, m->count - 1, m->is_sample ? " other sample" : " other mark",
			     m->is_sample ? " other samples" : " other marks");
	}
	pk_svg_put(&s->svg, "</title></line>\n");
}

static void put_flow(struct svg *s, const struct pk_timeline_flow *f)
{
	pk_svg_format(&s->svg,
		      "<line class=\"flow\" x1=\"%q%%\" y1=\"%p\" x2=\"%q%%\" y2=\"%p\" "
		      "marker-end=\"url(#arrow)\"><title>%t</title></line>\n",
		      share_of(s, f->from - s->t->begin),
		      s->lane_y[f->from_lane] + f->from_depth * ROW + ROW / 2.0,
		      share_of(s, f->to - s->t->begin),
		      s->lane_y[f->to_lane] + f->to_depth * ROW + ROW / 2.0,
		      pk_text(s->p, f->category));
}

static void put_marks(struct svg *s)
{
	begin_moving(s, "class=\"moves\"");
	for (size_t i = 0; i < s->t->mark_count; i++)
		put_mark(s, &s->t->mark[i]);
	for (size_t i = 0; i < s->t->flow_count; i++)
		put_flow(s, &s->t->flow[i]);
	pk_svg_put(&s->svg, "</svg>\n</svg>\n");
}

static void begin_footer(struct svg *s, uint64_t count, const char *one, const char *more)
{
	s->bottom += FONT + 4;
	pk_svg_format(&s->svg, "<text class=\"foot\" x=\"10\" y=\"%p\">", s->bottom);
	if (count)
		pk_svg_count(&s->svg, count, one, more);
}

/* Contents that the picture leaves out or changes. */
static void put_footer(struct svg *s)
{
	const struct pk_timeline *t = s->t;

	if (t->joined) {
		begin_footer(s, t->joined, " span", " spans");
		pk_svg_put(&s->svg, " shorter than ");
		pk_format_value_unit(&s->svg.buf, t->least, "ns");
		pk_svg_put(&s->svg, " joined with what is beside them");
		if (t->next && s->params->javascript)
			pk_svg_put(&s->svg, s->params->keys
						    ? "; zoom in to see them</text>\n"
						    : " (paler); zoom in to see them</text>\n");
		else
			pk_svg_put(
				&s->svg,
				s->params->keys
					? "</text>\n"
					: " (paler); --time A..B shows a part as it is</text>\n");
	}
	if (t->deep) {
		begin_footer(s, t->deep, " span", " spans");
		pk_svg_put(&s->svg, " deeper than there is room for not drawn; --depth N</text>\n");
	}
	if (t->other_threads) {
		begin_footer(s, t->other_threads, " thread", " threads");
		pk_svg_put(&s->svg, " with less time (");
		pk_svg_count(&s->svg, t->other_spans, " span", " spans");
		pk_svg_put(&s->svg, ") not drawn; --thread RE</text>\n");
	}
	if (t->other_counters || t->other_flows) {
		begin_footer(s, t->other_counters, " counter", " counters");
		pk_svg_put(&s->svg, t->other_counters && t->other_flows ? " and " : "");
		if (t->other_flows)
			pk_svg_count(&s->svg, t->other_flows, " arrow", " arrows");
		pk_svg_put(&s->svg, t->other_flows
					    ? " not drawn; --time A..B shows more of them</text>\n"
					    : " not drawn</text>\n");
	}
}

/* False where there is no more room in the line. */
static bool put_legend_entry(struct svg *s, double *x, uint32_t color, const char *name)
{
	double width = (double)strlen(name) * FONT * 0.62 + 30;

	if (*x + width > s->inner)
		return false;
	pk_svg_format(&s->svg,
		      "<rect x=\"%p\" y=\"%p\" width=\"12\" height=\"12\" fill=\"%c\"/>"
		      "<text x=\"%p\" y=\"%p\">%t</text>\n",
		      *x, s->bottom - 10, color, *x + 16, s->bottom, name);
	*x += width;
	return true;
}

/* The legend of categories, as far as one line has room. */
static void put_legend(struct svg *s)
{
	const struct pk_timeline_key *key = s->params->keys;
	double x = PK_FLAME_MARGIN;

	if (s->params->color != PK_TIMELINE_BY_CATEGORY)
		return;
	s->bottom += FONT + 6;
	for (; key && key->category; key++)
		put_legend_entry(s, &x, key->color, key->category);
	for (uint32_t i = 0; i < s->category_count; i++) {
		uint32_t category = s->category[i];
		const char *name = category ? pk_text(s->p, category) : "none";

		if (!put_legend_entry(s, &x, shade_of(s, hues[i % HUES], category), name))
			break;
	}
}

static void put_lanes(struct svg *s)
{
	pk_svg_put(&s->svg, " data-lanes=\"");
	for (uint32_t i = 0; i < s->t->lane_count; i++) {
		pk_svg_put(&s->svg, i ? " " : "");
		pk_svg_px(&s->svg, s->lane_y[i]);
	}
	pk_svg_put(&s->svg, "\"");
}

/* Without a title, the name of the file. */
static const char *title_of(const struct svg *s)
{
	const char *source = pk_text(s->p, s->p->run.source[1]);

	if (s->params->title)
		return s->params->title;
	return *source && *source != '<' ? pk_basename(source) : "Timeline";
}

static void put_root(struct svg *s, double height)
{
	struct pk_svg_head head = {.width = s->inner + 2 * PK_FLAME_MARGIN,
				   .height = height,
				   .font_size = FONT,
				   .role = "group",
				   .label = title_of(s)};

	pk_svg_begin(&s->svg, &head);
	pk_buf_addf(&s->svg.buf, " data-total=\"%lld\"", (long long)(s->t->end - s->t->begin));
	pk_svg_attr(&s->svg, "data-unit", unit_of(s));
	pk_buf_addf(&s->svg.buf, " data-begin=\"%lld\"", (long long)s->t->begin);
	put_lanes(s);
	pk_svg_put(&s->svg, s->params->width ? ">\n" : " data-fluid=\"\">\n");
}

static void put_styles(struct svg *s)
{
	pk_svg_begin_defs(&s->svg, PK_SVG_TOP, PK_SVG_BOTTOM);
	pk_svg_put(
		&s->svg,
		"<marker id=\"arrow\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" "
		"markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"#d03070\"/>"
		"</marker>\n");
	pk_flame_styles(&s->svg, "#ee00ee");
	pk_svg_put(&s->svg,
		   ".pkfg .process{font-weight:bold}\n.pkfg .lane,.pkfg .foot,.pkfg #axis text{"
		   "font-size:11px;opacity:.8}\n"
		   ".pkfg #axis line{stroke:#888;stroke-opacity:.35;stroke-width:1}\n"
		   ".pkfg .mark{stroke:#d02030;stroke-width:2}\n"
		   ".pkfg .sampled{stroke:#5080c0;stroke-width:1}\n"
		   ".pkfg.found #frames>:not(.m){opacity:.3}\n"
		   ".pkfg [aria-expanded]:hover{opacity:1;text-decoration:underline}\n"
		   ".pkfg .flow{stroke:#d03070;stroke-width:1;stroke-opacity:.5}\n");
	if (s->params->keys) /* light gray must not stand out on a dark background */
		pk_svg_put(&s->svg, "@media (prefers-color-scheme:dark){.pkfg "
				    "[fill=\"#c8c8c8\"]{fill:#7d8088}.pkfg "
				    "[fill=\"#e0e0e0\"]{fill:#b4b7bf}}\n");
	pk_svg_end_defs(&s->svg, true, true);
}

static void put_line(struct svg *s, const char *id, int size, double y, const char *text)
{
	pk_buf_addf(&s->svg.buf,
		    "<text id=\"%s\" x=\"50%%\" y=\"%g\" text-anchor=\"middle\" font-size=\"%d\">",
		    id, y, size);
	pk_svg_text(&s->svg, text);
	pk_svg_put(&s->svg, "</text>\n");
}

static void put_titles(struct svg *s)
{
	const struct pk_timeline_params *o = s->params;

	put_line(s, "title", FONT + 5, 2 * FONT, title_of(s));
	if (o->subtitle)
		put_line(s, "subtitle", FONT, 4 * FONT, o->subtitle);
	pk_buf_addf(&s->svg.buf, "<text id=\"details\" x=\"10\" y=\"%g\"></text>\n",
		    s->axis - FONT / 2.0 - 2);
}

static double footer_height(const struct svg *s)
{
	const struct pk_timeline *t = s->t;
	int lines = (t->joined != 0) + (t->deep != 0) + (t->other_threads != 0) +
		    (t->other_counters || t->other_flows);

	return lines * (FONT + 4) + (s->params->color == PK_TIMELINE_BY_CATEGORY ? FONT + 6 : 0) +
	       FONT;
}

void pk_timeline_draw(const struct pk_timeline *t, const struct pk_timeline_params *params,
		      struct pk_output *out)
{
	struct svg s = {.t = t, .params = params, .p = t->p, .svg.out = out};

	s.inner = (params->width ? (double)params->width : PK_FLAME_WIDTH) - 2 * PK_FLAME_MARGIN;
	s.lane_y = pk_calloc((size_t)t->lane_count + 1, sizeof(*s.lane_y));
	s.marked = pk_calloc((size_t)t->lane_count + 1, sizeof(*s.marked));
	s.drawn = pk_calloc((size_t)t->lane_count + 1, sizeof(*s.drawn));
	s.counter_y = pk_calloc((size_t)t->counter_count + 1, sizeof(*s.counter_y));
	place_all(&s);
	put_root(&s, s.bottom + footer_height(&s));
	put_styles(&s);
	put_titles(&s);
	put_axis(&s);
	put_headings(&s);
	put_counters(&s);
	put_boxes(&s);
	put_names(&s);
	put_marks(&s);
	put_footer(&s);
	put_legend(&s);
	if (params->javascript) {
		pk_svg_put(&s.svg, "<script><![CDATA[\n");
		pk_svg_put(&s.svg, pk_flame_script);
		pk_svg_put(&s.svg, pk_timeline_script);
		pk_svg_put(&s.svg, "]]></script>\n");
	}
	pk_svg_end(&s.svg);
	free(s.lane_y);
	free(s.counter_y);
	free(s.marked);
	free(s.drawn);
	free(s.category);
	pk_id_map_release(&s.names);
	pk_buf_release(&s.text);
}
