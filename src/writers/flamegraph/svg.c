/*
 * A flame graph as SVG. Every box is
 *
 *	<g><title>NAME (1,234 samples, 5.67%)</title>
 *	<rect x="1.5%" width="5.67%" y="37" height="15" fill="#e6741b"/><text ...>NAME</text></g>
 *
 * in a nested <svg id="frames"> which is as wide as the whole profile: so the file needs no
 * script to be seen at any width, and zooming is a change of the place and width of
 * "frames" alone.
 */
#include "writers/flamegraph/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diff/words.h"
#include "base/alloc.h"
#include "base/text/str.h"
#include "base/num/units.h"
#include "model/label.h"
#include "writers/flamegraph/assets.h"
#include "writers/flamegraph/draw.h"

struct svg {
	const struct pk_flame_picture *pic;
	const struct pk_flamegraph_params *params;
	const struct pk_flame *flame;
	const struct pk_profile *p;
	struct pk_svg svg;
	struct pk_buf label, whole_label;
	double inner;       /* width of the frames, px */
	double top, bottom; /* room above and below the frames, px */
	double height;      /* of everything */
	double details;     /* y of the line of details */
	double scale;       /* shown value of 1 */
	int64_t hundred;    /* the value of 100 % */
	double whole;       /* the same as it is shown */
	int decimals;       /* of values shown */
	int places;         /* decimals of positions in percent */
	double positions;   /* of the whole width in units of the last place */
	bool hatch_all, hatch_some;
	bool delta_self; /* colors are changes of the function itself */
	struct pk_buf title;
};

/* As printf's %.2f. */
static void put_percent(struct svg *s, double value)
{
	double hundredths = fabs(value) * 100, whole = floor(hundredths + 0.5);

	/* Near a tie all digits of the binary number count: leave that to printf. */
	if (!(hundredths < 1e11) || fabs(hundredths - floor(hundredths) - 0.5) < 1e-4) {
		pk_buf_addf(&s->svg.buf, "%.2f", value);
		return;
	}
	if (value < 0)
		pk_buf_addc(&s->svg.buf, '-');
	pk_svg_uint(&s->svg, (uint64_t)whole / 100);
	pk_buf_addc(&s->svg.buf, '.');
	pk_buf_addc(&s->svg.buf, (char)('0' + (uint64_t)whole / 10 % 10));
	pk_buf_addc(&s->svg.buf, (char)('0' + (uint64_t)whole % 10));
}

static void put_commas(struct pk_buf *buf, const char *digits)
{
	size_t whole = strcspn(digits, "."), sign = digits[0] == '-';

	for (size_t i = 0; i < whole; i++) {
		if (i > sign && (whole - i) % 3 == 0)
			pk_buf_addc(buf, ',');
		pk_buf_addc(buf, digits[i]);
	}
	pk_buf_adds(buf, digits + whole);
}

/* Appends the value as it is shown, and returns the number that it then is. */
static double add_value(const struct svg *s, struct pk_buf *buf, int64_t value)
{
	char digits[400];

	if (s->scale == 1) {
		pk_format_count(buf, value);
		return (double)value;
	}
	snprintf(digits, sizeof(digits), "%.*f", s->decimals, (double)value * s->scale);
	put_commas(buf, digits);
	return strtod(digits, NULL);
}

static double put_value(struct svg *s, int64_t value)
{
	return add_value(s, &s->svg.buf, value);
}

/* For people: times and sizes in a unit that suits them. Not escaped. */
static void add_value_unit(const struct svg *s, struct pk_buf *buf, int64_t value)
{
	if (s->scale == 1 &&
	    (strcmp(s->pic->unit, "ns") == 0 || strcmp(s->pic->unit, "bytes") == 0)) {
		pk_format_value_unit(buf, value, s->pic->unit);
		return;
	}
	add_value(s, buf, value);
	pk_buf_addf(buf, " %s", s->pic->unit);
}

static void put_value_unit(struct svg *s, int64_t value)
{
	struct pk_buf text = PK_BUF_INIT;

	add_value_unit(s, &text, value);
	pk_svg_text(&s->svg, text.data);
	pk_buf_release(&text);
}

static uint32_t color_by_name(struct svg *s, struct pk_flame_name *name)
{
	const struct pk_flamegraph_params *o = s->params;
	enum pk_flame_shading how = o->hash            ? PK_FLAME_BY_START
				    : o->deterministic ? PK_FLAME_BY_HASH
						       : PK_FLAME_BY_SUM;
	size_t len = name->function ? name->len : 0; /* the root has no name but a label */
	struct pk_flame_shade shade;

	if (name->color >= 0)
		return (uint32_t)name->color;
	if (s->pic->map)
		name->color = pk_flame_map_find(s->pic->map, name->text, len);
	if (name->color < 0) {
		shade = pk_flame_shade_of(how, name->text, len);
		name->color =
			pk_flame_color((enum pk_flame_palette)o->colors, name->text, len,
				       pk_text(s->p, s->p->function.file[name->function]), &shade);
		if (s->pic->map)
			pk_flame_map_add(s->pic->map, name->text, len, (uint32_t)name->color);
	}
	return (uint32_t)name->color;
}

static int64_t change_of(const struct svg *s, const struct pk_flame_box *box)
{
	int64_t change;

	if (__builtin_sub_overflow(box->after, box->before, &change))
		change = box->after > box->before ? INT64_MAX : -INT64_MAX;
	return s->params->negate ? -change : change;
}

/* A change of less than 0.1 % of the whole is noise. */
static int64_t self_change_of(const struct svg *s, const struct pk_flame_box *box)
{
	if (fabs((double)box->self_change) < 0.001 * (double)s->hundred)
		return 0;
	return s->params->negate ? -box->self_change : box->self_change;
}

static bool is_time(const struct svg *s)
{
	return strcmp(s->pic->unit, "ns") == 0;
}

static const char *word_for(const struct svg *s, const struct pk_flame_box *box)
{
	/* less is shown as 0.00% */
	if (fabs((double)change_of(s, box)) < 0.00005 * (double)s->hundred)
		return "unchanged";
	if (!box->before)
		return "new";
	if (!box->after)
		return "gone";
	return pk_direction_word(is_time(s), box->after > box->before);
}

static uint32_t color_of(struct svg *s, const struct pk_flame_box *box, size_t i)
{
	struct pk_flame_name *name = pk_flame_name(s->pic->names, box->node);

	if (s->pic->compare)
		return i ? pk_flame_color_change(s->delta_self ? self_change_of(s, box)
							       : change_of(s, box),
						 s->delta_self ? s->flame->most_self_changed
							       : s->flame->most_changed,
						 s->params->colors == PK_FLAME_SAFE)
			 : 0xFFFFFF;
	if (s->params->colordiffusion)
		return pk_flame_color_share((double)box->total / (double)s->flame->total);
	if (s->params->random && !s->pic->map) {
		struct pk_flame_shade shade = pk_flame_shade_random(i);

		return pk_flame_color((enum pk_flame_palette)s->params->colors, name->text,
				      box->node ? name->len : 0,
				      pk_text(s->p, s->p->function.file[name->function]), &shade);
	}
	return color_by_name(s, name);
}

/* "; +12.30%", and where the sides have names ", before 1,000: slower". */
static void put_change(struct svg *s, const struct pk_flame_box *box)
{
	int64_t change = change_of(s, box);

	pk_svg_put(&s->svg, change > 0 ? "; +" : "; ");
	put_percent(s, 100 * (double)change / (double)s->hundred);
	pk_buf_addc(&s->svg.buf, '%');
	if (!s->params->before_name)
		return;
	pk_svg_put(&s->svg, ", before ");
	put_value(s, box->before);
	pk_svg_put(&s->svg, ": ");
	pk_svg_put(&s->svg, word_for(s, box));
	if (s->delta_self && self_change_of(s, box)) {
		pk_svg_put(&s->svg, self_change_of(s, box) > 0 ? ", itself +" : ", itself ");
		put_percent(s, 100 * (double)self_change_of(s, box) / (double)s->hundred);
		pk_buf_addc(&s->svg.buf, '%');
	}
}

static void put_title(struct svg *s, const struct pk_flame_box *box,
		      const struct pk_flame_name *name, const struct pk_flame_attr *attr)
{
	bool named = s->params->before_name;
	double shown;

	pk_svg_put(&s->svg, "<title>");
	if (attr && attr->title) {
		pk_svg_text(&s->svg, attr->title);
		pk_svg_put(&s->svg, "</title>");
		return;
	}
	pk_svg_text_len(&s->svg, name->text, pk_flame_name_shown(name));
	pk_svg_put(&s->svg, " (");
	shown = put_value(s, named || s->pic->widths == PK_FLAME_BOTH ? box->after : box->total);
	pk_buf_addc(&s->svg.buf, ' ');
	pk_svg_text(&s->svg, s->pic->unit);
	pk_svg_put(&s->svg, ", ");
	if (box->depth)
		put_percent(s, 100 * shown / s->whole);
	else
		pk_svg_put(&s->svg, "100");
	/* tables have shares of the sum, which is less */
	pk_svg_put(&s->svg, s->flame->negative ? "% of all above 0" : "%");
	if (s->pic->compare && (box->depth || named))
		put_change(s, box);
	pk_svg_put(&s->svg, ")</title>");
}

/* The name, cut to a box of this width, if three letters fit. */
static bool fit_label(struct svg *s, const struct pk_flame_name *name, double px)
{
	double room = px / (s->params->fontsize * s->params->fontwidth);
	size_t most = (size_t)room, len = pk_flame_name_shown(name), from, skip;

	s->label.len = 0;
	if (most < 3)
		return false;
	pk_flame_name_folder(name, &from, &skip);
	s->whole_label.len = 0;
	pk_buf_add(&s->whole_label, name->text, from);
	pk_buf_add(&s->whole_label, name->text + from + skip, len - from - skip);
	len -= skip;
	pk_svg_fit(&s->label, s->whole_label.data, len, most, s->params->truncate_text_right);
	return s->label.len > 0;
}

static double y_of(const struct svg *s, uint32_t depth)
{
	double row = s->params->height;

	if (s->params->inverted)
		return s->top + depth * row;
	return s->height - s->bottom - (depth + 1) * row + 1;
}

static uint64_t position(const struct svg *s, int64_t value)
{
	return (uint64_t)((double)value / (double)s->flame->total * s->positions + 0.5);
}

static void put_rect(struct svg *s, const struct pk_flame_box *box)
{
	int64_t end = box->start;
	uint64_t from = position(s, box->start), to;

	pk_add_saturated(&end, box->total);
	to = position(s, end);

	pk_svg_put(&s->svg, "<rect x=\"");
	pk_svg_scaled(&s->svg, from, s->places);
	pk_svg_put(&s->svg, "%\" width=\"");
	pk_svg_scaled(&s->svg, to - from, s->places);
	pk_svg_put(&s->svg, "%\" y=\"");
	pk_svg_px(&s->svg, y_of(s, box->depth));
	pk_svg_put(&s->svg, "\" height=\"");
	pk_svg_px(&s->svg, s->params->height - 1);
}

static void put_label(struct svg *s, const struct pk_flame_box *box, uint32_t color)
{
	double x = (double)box->start / (double)s->flame->total + 3 / s->inner;

	pk_svg_put(&s->svg,
		   pk_flame_color_is_dark(color) ? "<text class=\"w\" x=\"" : "<text x=\"");
	pk_svg_scaled(&s->svg, (uint64_t)(x * 1e5 + 0.5), 3);
	pk_svg_put(&s->svg, "%\" y=\"");
	pk_svg_px(&s->svg,
		  y_of(s, box->depth) + (s->params->height - 1) / 2 + s->params->fontsize / 4);
	pk_svg_put(&s->svg, "\">");
	pk_svg_text_len(&s->svg, s->label.data, s->label.len);
	pk_svg_put(&s->svg, "</text>");
}

static void put_box(struct svg *s, const struct pk_flame_box *box, size_t i)
{
	struct pk_flame_name *name = pk_flame_name(s->pic->names, box->node);
	const struct pk_flame_attr *attr =
		pk_flame_attrs_find(s->pic->attrs, name->text, pk_flame_name_shown(name));
	const char *tag = attr && attr->link ? "a" : "g";
	uint32_t color = color_of(s, box, i);

	s->pic->names->cut += name->cut;
	name->cut = false;
	pk_buf_addc(&s->svg.buf, '<');
	pk_svg_put(&s->svg, tag);
	pk_svg_put(&s->svg, attr ? attr->xml : "");
	pk_buf_addc(&s->svg.buf, '>');
	put_title(s, box, name, attr);
	put_rect(s, box);
	pk_svg_put(&s->svg, "\" fill=\"");
	pk_svg_rgb(&s->svg, color);
	if (s->params->before_name && box->depth && !box->after)
		pk_svg_put(&s->svg, "\" class=\"gone");
	else if (s->params->before_name && box->depth && !box->before)
		pk_svg_put(&s->svg, "\" class=\"new");
	pk_svg_put(&s->svg, "\"/>");
	if (s->hatch_some && pk_node_estimated(s->p, box->node)) {
		put_rect(s, box);
		pk_svg_put(&s->svg, "\" fill=\"url(#hatch)\"/>");
	}
	if (fit_label(s, name, (double)box->total / (double)s->flame->total * s->inner))
		put_label(s, box, color);
	pk_svg_put(&s->svg, "</");
	pk_svg_put(&s->svg, tag);
	pk_svg_put(&s->svg, ">\n");
	pk_svg_flush(&s->svg);
}

/* "Flame Graph: base.prof, 1.234 s", of bytes "Flame Graph: app.bin, peak 2.5 MB"; of a difference
 * "Flame Graph: before base.prof, after new.prof", with folders only where names are the same. */
static void make_title(struct svg *s)
{
	const struct pk_flamegraph_params *o = s->params;
	const char *before = o->before_name, *after = o->after_name, *file = pk_run_name(s->p);
	bool whole = before && strcmp(pk_basename(before), pk_basename(after)) == 0;

	if (o->title) {
		pk_buf_adds(&s->title, o->title);
		return;
	}
	pk_buf_adds(&s->title, o->flamechart ? "Flame Chart"
			       : o->inverted ? "Icicle Graph"
					     : "Flame Graph");
	if (before) {
		pk_buf_addf(&s->title, ": %s%sbefore %s, after %s", s->pic->bytes,
			    *s->pic->bytes ? ", " : "", whole ? before : pk_basename(before),
			    whole ? after : pk_basename(after));
		return;
	}
	if (*file)
		pk_buf_addf(&s->title, ": %s", pk_basename(file));
	if (!s->pic->compare) {
		pk_buf_addf(&s->title, "%s%s%s", *file ? ", " : ": ", s->pic->bytes,
			    *s->pic->bytes ? " " : "");
		add_value_unit(s, &s->title, s->flame->box[0].total);
		pk_buf_adds(&s->title, s->flame->negative ? " above 0" : "");
	}
}

static double width_of(const struct pk_flamegraph_params *o)
{
	return o->width ? (double)o->width : PK_FLAME_WIDTH;
}

static void put_root(struct svg *s)
{
	const struct pk_flamegraph_params *o = s->params;
	struct pk_svg_head head = {.width = width_of(o),
				   .height = s->height,
				   .encoding = s->pic->ascii ? o->encoding : NULL,
				   .links = s->pic->attrs->links,
				   .font = o->fonttype,
				   .font_size = o->fontsize,
				   .fill = o->uicolor,
				   .role = "group",
				   .label = s->title.data};

	pk_svg_begin(&s->svg, &head);
	pk_svg_put(&s->svg, " data-total=\"");
	pk_svg_scaled(&s->svg, (uint64_t)s->flame->total, s->pic->exponent);
	pk_buf_addc(&s->svg.buf, '"');
	pk_svg_attr(&s->svg, "data-unit", s->pic->unit);
	pk_svg_attr(&s->svg, "data-nametype", o->nametype);
	pk_svg_put(&s->svg, o->width ? "" : " data-fluid=\"\"");
	pk_svg_put(&s->svg, o->truncate_text_right ? "" : " data-left=\"\"");
	pk_svg_put(&s->svg, ">\n");
}

/* A comment may neither contain "--" nor end in "-". */
static void put_notes(struct svg *s)
{
	const char *notes = s->params->notes;
	size_t from;

	if (!notes || !*notes)
		return;
	pk_svg_put(&s->svg, "<!-- NOTES: ");
	from = s->svg.buf.len;
	pk_svg_text(&s->svg, notes);
	for (size_t i = from; i + 1 < s->svg.buf.len; i++) {
		if (s->svg.buf.data[i] == '-' && s->svg.buf.data[i + 1] == '-')
			s->svg.buf.data[i + 1] = '_';
	}
	pk_svg_put(&s->svg, " -->\n");
}

/* Estimated boxes have a hatched edge at their bottom, where no text is. If all boxes are
 * estimated, it is one mask over the frames, otherwise a second box over each. */
static void put_hatch(struct svg *s)
{
	double row = s->params->height, edge = row / 5;

	if (!s->hatch_all && !s->hatch_some)
		return;
	pk_svg_format(&s->svg,
		      "<pattern id=\"%s\" y=\"%p\" width=\"%p\" height=\"%p\" "
		      "patternUnits=\"userSpaceOnUse\">%s",
		      s->hatch_all ? "stripes" : "hatch", y_of(s, 0), edge * 1.5, row,
		      s->hatch_all ? "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>" : "");
	pk_svg_format(&s->svg,
		      "<path d=\"M0 %pL%p %p\" stroke=\"%s\" stroke-width=\"%p\"/></pattern>\n",
		      row - 1, edge, row - 1 - edge, s->hatch_all ? "#777" : "#fff", edge / 2);
	if (s->hatch_all)
		pk_svg_put(&s->svg, "<mask id=\"hatch\" maskUnits=\"userSpaceOnUse\" x=\"0\" "
				    "y=\"0\" width=\"100%\" height=\"100%\"><rect width=\"100%\" "
				    "height=\"100%\" fill=\"url(#stripes)\"/></mask>\n");
}

static void put_styles(struct svg *s)
{
	const struct pk_flamegraph_params *o = s->params;

	pk_svg_begin_defs(&s->svg, s->pic->background.top, s->pic->background.bottom);
	put_hatch(s);
	pk_flame_styles(&s->svg, o->search_color);
	if (strcmp(o->stroke_color, "none") != 0)
		pk_buf_addf(&s->svg.buf, ".pkfg #frames rect{stroke:%s;stroke-width:.5}\n",
			    o->stroke_color);
	else if (s->pic->compare) /* neighbours often have the same color */
		pk_svg_put(&s->svg,
			   ".pkfg #frames rect{stroke:#000;stroke-opacity:.15;stroke-width:.5}\n");
	if (s->params->before_name)
		pk_svg_put(&s->svg,
			   ".pkfg #frames .gone{stroke:#08c;stroke-opacity:1;stroke-width:1;"
			   "stroke-dasharray:4 2}\n"
			   ".pkfg #frames .new{stroke:#600;stroke-opacity:1;stroke-width:1}\n");
	if (s->pic->compare && !o->bgcolors) /* on black, white would be too bright */
		pk_svg_put(&s->svg, "@media (prefers-color-scheme:dark){"
				    ".pkfg :not(.m)>rect[fill=\"#ffffff\"]{fill:#8e919a}}\n");
	pk_svg_end_defs(&s->svg, !o->bgcolors, !o->uicolor);
}

static void begin_line(struct svg *s, const char *id, const char *x, double y, const char *more)
{
	pk_svg_format(&s->svg, "<text id=\"%s\" x=\"%s\" y=\"%p\"%s>", id, x, y, more);
}

static void put_separator(struct svg *s, size_t from)
{
	pk_svg_put(&s->svg, s->svg.buf.len > from ? "; " : "");
}

static bool has_subtitle(const struct svg *s)
{
	return (s->params->subtitle && *s->params->subtitle) || s->pic->compare ||
	       s->flame->estimated;
}

/* "before: 5 ms, after: 6 ms (width); red: more than before, blue: less" */
static void put_sides(struct svg *s)
{
	const struct pk_flamegraph_params *o = s->params;
	const struct pk_flame_box *root = &s->flame->box[0];
	enum pk_flame_widths widths = s->pic->widths;
	const char *red = o->colors == PK_FLAME_SAFE ? "orange" : "red";
	bool time = o->before_name && is_time(s);

	pk_svg_put(&s->svg, "before: ");
	put_value_unit(s, root->before);
	pk_svg_put(&s->svg, widths == PK_FLAME_BEFORE ? " (width), after: " : ", after: ");
	put_value_unit(s, o->before_name ? root->after : root->total);
	if (widths == PK_FLAME_BOTH)
		pk_svg_put(&s->svg, ", width: the larger of both");
	pk_buf_addf(&s->svg.buf, "%s; %s%s: %s, %s: %s", widths == PK_FLAME_AFTER ? " (width)" : "",
		    s->delta_self ? "colors: the function alone, " : "", o->negate ? "blue" : red,
		    time ? "slower" : "more than before", o->negate ? red : "blue",
		    time ? "faster" : "less");
	if (o->before_name)
		pk_svg_put(&s->svg, "; dashed: gone, dark border: new");
}

static void put_subtitle(struct svg *s)
{
	size_t from;

	begin_line(s, "subtitle", "50%", 4 * s->params->fontsize, " text-anchor=\"middle\"");
	from = s->svg.buf.len;
	if (s->params->subtitle)
		pk_svg_text(&s->svg, s->params->subtitle);
	if (s->pic->compare) {
		put_separator(s, from);
		put_sides(s);
	}
	if (s->flame->estimated) {
		put_separator(s, from);
		pk_svg_put(
			&s->svg,
			s->params->before_name
				? "hatched: estimated"
				: "hatched: estimated, the profile knows direct callers, not call "
				  "paths");
	}
	pk_svg_put(&s->svg, "</text>\n");
}

/* The line of what the picture does not show, at the place of details. */
static void put_details(struct svg *s)
{
	const struct pk_flame *flame = s->flame;
	size_t from;

	begin_line(s, "details", "10", s->details, "");
	from = s->svg.buf.len;
	if (flame->narrow) {
		pk_svg_count(&s->svg, flame->narrow, " frame", " frames");
		pk_buf_addf(&s->svg.buf, " too narrow to show (less than %g%s)", s->pic->minwidth,
			    s->pic->percent ? "%" : " px");
	}
	if (flame->unseen) {
		bool new = s->pic->widths == PK_FLAME_BEFORE;

		put_separator(s, from);
		pk_svg_count(&s->svg, flame->unseen, " frame", " frames");
		pk_svg_put(&s->svg, new ? " new (after: " : " gone (before: ");
		put_value_unit(s, flame->unseen_value);
		pk_svg_put(&s->svg, ")");
	}
	if (flame->negative) {
		put_separator(s, from);
		pk_svg_count(&s->svg, flame->negative, " value", " values");
		pk_svg_put(&s->svg, " below zero left out");
	}
	pk_svg_put(&s->svg, "</text>\n");
}

static void put_texts(struct svg *s)
{
	char more[80];

	snprintf(more, sizeof(more), " text-anchor=\"middle\" font-size=\"%g\"",
		 s->params->fontsize + 5);
	begin_line(s, "title", "50%", 2 * s->params->fontsize, more);
	pk_svg_text(&s->svg, s->title.data);
	pk_svg_put(&s->svg, "</text>\n");
	if (has_subtitle(s))
		put_subtitle(s);
	put_details(s);
}

static void put_frames(struct svg *s)
{
	pk_svg_format(
		&s->svg,
		"<svg x=\"10\" width=\"%p\"%s>\n<svg id=\"frames\" fill=\"#000\" total_samples=\"",
		s->inner, s->hatch_all ? " mask=\"url(#hatch)\"" : "");
	pk_svg_uint(&s->svg, (uint64_t)s->flame->total);
	pk_svg_put(&s->svg, "\">\n");
	for (size_t i = 0; i < s->flame->count && !pk_output_failed(s->svg.out); i++)
		put_box(s, &s->flame->box[i], i);
	pk_svg_put(&s->svg, "</svg>\n</svg>\n");
}

static void set_heights(struct svg *s)
{
	double font = s->params->fontsize;

	s->top = s->params->inverted ? 4 * font + 4 : 3 * font;
	s->top += has_subtitle(s) ? 2 * font : 0;
	s->bottom = s->params->inverted ? font + 10 : 2 * font + 10;
	s->height = s->top + s->bottom + (s->flame->depth + 1) * s->params->height;
	s->details = s->params->inverted ? s->top - font / 2 - 2 : s->height - s->bottom / 2;
}

static void set_scales(struct svg *s)
{
	double narrowest = s->pic->percent ? s->pic->minwidth : 100 * s->pic->minwidth / s->inner;
	double single = 100 / (double)s->flame->total;

	s->scale = s->params->factor * pow(10, -s->pic->exponent);
	/* of both sides: no side has all of the width */
	s->hundred =
		s->pic->compare && s->pic->widths == PK_FLAME_BOTH && s->flame->box[0].after > 0
			? s->flame->box[0].after
			: s->flame->total;
	s->whole = (double)s->hundred * s->scale;
	/* Whole numbers, as other tools expect them, unless that would leave one digit. */
	s->decimals = s->whole < 10 && s->pic->exponent ? 3 : 0;
	if (narrowest < single)
		narrowest = single;
	s->places = 2 - (int)floor(log10(narrowest));
	s->places = s->places < 4 ? 4 : s->places > 9 ? 9 : s->places;
	s->positions = 100 * pow(10, s->places);
}

void pk_flame_draw(const struct pk_flame_picture *picture, struct pk_output *out)
{
	struct svg s = {.pic = picture,
			.params = picture->params,
			.flame = picture->flame,
			.p = picture->names->p,
			.svg = {.out = out, .ascii = picture->ascii}};

	s.inner = width_of(s.params) - 2 * PK_FLAME_MARGIN;
	s.hatch_all = s.flame->estimated && s.flame->estimated == s.flame->count - 1;
	s.hatch_some = s.flame->estimated && !s.hatch_all;
	s.delta_self = s.params->delta == PK_FLAME_DELTA_AUTO
			       ? s.params->before_name != NULL
			       : s.params->delta == PK_FLAME_DELTA_SELF;
	set_heights(&s);
	set_scales(&s);
	make_title(&s);
	put_root(&s);
	put_notes(&s);
	put_styles(&s);
	put_texts(&s);
	put_frames(&s);
	if (s.params->javascript) {
		pk_svg_put(&s.svg, "<script><![CDATA[\n");
		pk_svg_put(&s.svg, pk_flame_script);
		pk_svg_put(&s.svg, "]]></script>\n");
	}
	pk_svg_end(&s.svg);
	pk_buf_release(&s.title);
	pk_buf_release(&s.label);
	pk_buf_release(&s.whole_label);
}
