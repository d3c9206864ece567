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
#include "writers/flamegraph/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"

#include "analysis/diff/words.h"
#include "base/alloc.h"
#include "base/text/str.h"
#include "base/num/units.h"
#include "writers/flamegraph/assets.h"
#include "writers/flamegraph/draw.h"
#include "render/xml.h"

struct svg {
	const struct pk_flame_picture *pic;
	const struct pk_flamegraph_params *params;
	const struct pk_flame *flame;
	const struct pk_profile *p;
	struct pk_output *out;
	struct pk_buf buf, label, whole_label;
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
};

static void flush(struct svg *s)
{
	pk_output_write(s->out, s->buf.data, s->buf.len);
	s->buf.len = 0;
}

static void put(struct svg *s, const char *text)
{
	pk_buf_adds(&s->buf, text);
}

static void put_text(struct svg *s, const char *text)
{
	pk_flame_xml(&s->buf, text, strlen(text), s->pic->ascii);
}

static void put_px(struct svg *s, double px)
{
	pk_flame_px(&s->buf, px);
}

/* As printf's %.2f. */
static void put_percent(struct svg *s, double value)
{
	double hundredths = value * 100, whole = floor(hundredths + 0.5);

	/* Near a tie all digits of the binary number count: leave that to printf. */
	if (!(value >= 0 && value < 1e9) || fabs(hundredths - floor(hundredths) - 0.5) < 1e-4) {
		pk_buf_addf(&s->buf, "%.2f", value);
		return;
	}
	pk_flame_uint(&s->buf, (uint64_t)whole / 100);
	pk_buf_addc(&s->buf, '.');
	pk_buf_addc(&s->buf, (char)('0' + (uint64_t)whole / 10 % 10));
	pk_buf_addc(&s->buf, (char)('0' + (uint64_t)whole % 10));
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

/* Puts the value as it is shown, and returns the number that it then is. */
static double put_value(struct svg *s, int64_t value)
{
	char digits[400];
	int len;

	if (s->scale == 1) {
		len = snprintf(digits, sizeof(digits), "%lld", (long long)value);
		if (len <= 3)
			pk_buf_add(&s->buf, digits, (size_t)len);
		else
			put_commas(&s->buf, digits);
		return (double)value;
	}
	snprintf(digits, sizeof(digits), "%.*f", s->decimals, (double)value * s->scale);
	put_commas(&s->buf, digits);
	return strtod(digits, NULL);
}

/* For people: times and sizes in a unit that suits them. */
static void put_value_unit(struct svg *s, int64_t value)
{
	if (s->scale == 1 &&
	    (strcmp(s->pic->unit, "ns") == 0 || strcmp(s->pic->unit, "bytes") == 0)) {
		pk_format_value_unit(&s->buf, value, s->pic->unit);
		return;
	}
	put_value(s, value);
	pk_buf_addc(&s->buf, ' ');
	put_text(s, s->pic->unit);
}

static uint32_t color_by_name(struct svg *s, struct pk_flame_name *name)
{
	const struct pk_flamegraph_params *o = s->params;
	enum pk_flame_shading how = o->hash            ? PK_FLAME_BY_START
				    : o->deterministic ? PK_FLAME_BY_HASH
						       : PK_FLAME_BY_SUM;
	size_t len = name->frame ? name->len : 0; /* the root has no name but a label */
	struct pk_flame_shade shade;

	if (name->color >= 0)
		return (uint32_t)name->color;
	if (s->pic->map)
		name->color = pk_flame_map_find(s->pic->map, name->text, len);
	if (name->color < 0) {
		shade = pk_flame_shade_of(how, name->text, len);
		name->color =
			pk_flame_color((enum pk_flame_palette)o->colors, name->text, len,
				       pk_text(s->p, s->p->function.file[name->frame]), &shade);
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

static bool is_time(const struct svg *s)
{
	return strcmp(s->pic->unit, "ns") == 0;
}

static const char *word_for(const struct svg *s, const struct pk_flame_box *box)
{
	/* what is shown as 0.00% */
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
		return i ? pk_flame_color_change(change_of(s, box), s->flame->most_changed,
						 s->params->colors == PK_FLAME_SAFE)
			 : 0xFFFFFF;
	if (s->params->colordiffusion)
		return pk_flame_color_share((double)box->total / (double)s->flame->total);
	if (s->params->random && !s->pic->map) {
		struct pk_flame_shade shade = pk_flame_shade_random(i);

		return pk_flame_color((enum pk_flame_palette)s->params->colors, name->text,
				      box->node ? name->len : 0,
				      pk_text(s->p, s->p->function.file[name->frame]), &shade);
	}
	return color_by_name(s, name);
}

/* "; +12.30%", and where the sides have names ", before 1,000: slower". */
static void put_change(struct svg *s, const struct pk_flame_box *box)
{
	int64_t change = change_of(s, box);

	put(s, change > 0 ? "; +" : "; ");
	put_percent(s, 100 * (double)change / (double)s->hundred);
	pk_buf_addc(&s->buf, '%');
	if (!s->params->before_name)
		return;
	put(s, ", before ");
	put_value(s, box->before);
	put(s, ": ");
	put(s, word_for(s, box));
}

static void put_title(struct svg *s, const struct pk_flame_box *box,
		      const struct pk_flame_name *name, const struct pk_flame_attr *attr)
{
	bool named = s->params->before_name;
	double shown;

	put(s, "<title>");
	if (attr && attr->title) {
		put_text(s, attr->title);
		put(s, "</title>");
		return;
	}
	pk_flame_xml(&s->buf, name->text, pk_flame_name_shown(name), s->pic->ascii);
	put(s, " (");
	shown = put_value(s, named || s->pic->widths == PK_FLAME_BOTH ? box->after : box->total);
	pk_buf_addc(&s->buf, ' ');
	put_text(s, s->pic->unit);
	put(s, ", ");
	if (box->depth)
		put_percent(s, 100 * shown / s->whole);
	else
		put(s, "100");
	pk_buf_addc(&s->buf, '%');
	if (s->pic->compare && (box->depth || named))
		put_change(s, box);
	put(s, ")</title>");
}

/* The name as far as it fits into a box so wide, if three letters do. */
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
	pk_flame_fit(&s->label, s->whole_label.data, len, most, s->params->truncate_text_right);
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

	put(s, "<rect x=\"");
	pk_flame_scaled(&s->buf, from, s->places);
	put(s, "%\" width=\"");
	pk_flame_scaled(&s->buf, to - from, s->places);
	put(s, "%\" y=\"");
	put_px(s, y_of(s, box->depth));
	put(s, "\" height=\"");
	put_px(s, s->params->height - 1);
}

static void put_label(struct svg *s, const struct pk_flame_box *box, uint32_t color)
{
	double x = (double)box->start / (double)s->flame->total + 3 / s->inner;

	put(s, pk_flame_color_is_dark(color) ? "<text class=\"w\" x=\"" : "<text x=\"");
	pk_flame_scaled(&s->buf, (uint64_t)(x * 1e5 + 0.5), 3);
	put(s, "%\" y=\"");
	put_px(s, y_of(s, box->depth) + (s->params->height - 1) / 2 + s->params->fontsize / 4);
	put(s, "\">");
	pk_flame_xml(&s->buf, s->label.data, s->label.len, s->pic->ascii);
	put(s, "</text>");
}

static void put_box(struct svg *s, const struct pk_flame_box *box, size_t i)
{
	const struct pk_flame_name *name = pk_flame_name(s->pic->names, box->node);
	const struct pk_flame_attr *attr =
		pk_flame_attrs_find(s->pic->attrs, name->text, pk_flame_name_shown(name));
	const char *tag = attr && attr->link ? "a" : "g";
	uint32_t color = color_of(s, box, i);

	pk_buf_addc(&s->buf, '<');
	put(s, tag);
	put(s, attr ? attr->xml : "");
	pk_buf_addc(&s->buf, '>');
	put_title(s, box, name, attr);
	put_rect(s, box);
	put(s, "\" fill=\"");
	pk_flame_rgb(&s->buf, color);
	if (s->params->before_name && box->depth && !box->after)
		put(s, "\" class=\"gone");
	else if (s->params->before_name && box->depth && !box->before)
		put(s, "\" class=\"new");
	put(s, "\"/>");
	if (s->hatch_some && pk_node_estimated(s->p, box->node)) {
		put_rect(s, box);
		put(s, "\" fill=\"url(#hatch)\"/>");
	}
	if (fit_label(s, name, (double)box->total / (double)s->flame->total * s->inner))
		put_label(s, box, color);
	put(s, "</");
	put(s, tag);
	put(s, ">\n");
	if (s->buf.len > 60000)
		flush(s);
}

static void put_attr(struct svg *s, const char *name, const char *value)
{
	pk_buf_addf(&s->buf, " %s=\"", name);
	put_text(s, value);
	pk_buf_addc(&s->buf, '"');
}

static const char *title_of(const struct pk_flamegraph_params *o)
{
	if (o->title)
		return o->title;
	return o->flamechart ? "Flame Chart" : o->inverted ? "Icicle Graph" : "Flame Graph";
}

static double width_of(const struct pk_flamegraph_params *o)
{
	return o->width ? (double)o->width : PK_FLAME_WIDTH;
}

static void put_font(struct svg *s)
{
	const char *font = s->params->fonttype;

	put(s, " font-family=\"");
	put_text(s, font);
	put(s, strcmp(font, "Verdana") == 0 ? ", 'DejaVu Sans', sans-serif\" font-size=\""
					    : "\" font-size=\"");
	put_px(s, s->params->fontsize);
	pk_buf_addc(&s->buf, '"');
}

static void put_root(struct svg *s)
{
	const struct pk_flamegraph_params *o = s->params;
	const char *encoding = s->pic->ascii ? o->encoding : "UTF-8";

	pk_buf_addf(&s->buf, "<?xml version=\"1.0\" encoding=\"%s\"?>\n", encoding);
	put(s, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	if (s->pic->attrs->links)
		put(s, " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
	put(s, " class=\"pkfg\" version=\"1.1\" width=\"");
	put_px(s, width_of(o));
	put(s, "\" height=\"");
	put_px(s, s->height);
	put(s, "\" viewBox=\"0 0 ");
	put_px(s, width_of(o));
	pk_buf_addc(&s->buf, ' ');
	put_px(s, s->height);
	pk_buf_addc(&s->buf, '"');
	put_font(s);
	put_attr(s, "fill", o->uicolor ? o->uicolor : "#000");
	put(s, " role=\"group\"");
	put_attr(s, "aria-label", title_of(o));
	put_attr(s, "data-profkit", PACKAGE_VERSION);
	put(s, " data-total=\"");
	pk_flame_scaled(&s->buf, (uint64_t)s->flame->total, s->pic->exponent);
	pk_buf_addc(&s->buf, '"');
	put_attr(s, "data-unit", s->pic->unit);
	put_attr(s, "data-nametype", o->nametype);
	put(s, o->width ? "" : " data-fluid=\"\"");
	put(s, o->truncate_text_right ? "" : " data-left=\"\"");
	put(s, ">\n");
}

/* "--" may not stand in a comment, nor "-" at its end. */
static void put_notes(struct svg *s)
{
	const char *notes = s->params->notes;
	size_t from;

	if (!notes || !*notes)
		return;
	put(s, "<!-- NOTES: ");
	from = s->buf.len;
	put_text(s, notes);
	for (size_t i = from; i + 1 < s->buf.len; i++) {
		if (s->buf.data[i] == '-' && s->buf.data[i + 1] == '-')
			s->buf.data[i + 1] = '_';
	}
	put(s, " -->\n");
}

static void put_hatch(struct svg *s)
{
	if (s->hatch_all)
		put(s, "<pattern id=\"stripes\" width=\"8\" height=\"8\" "
		       "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
		       "<rect width=\"8\" height=\"8\" fill=\"#fff\"/>"
		       "<rect width=\"2.5\" height=\"8\" fill=\"#bbb\"/></pattern>\n"
		       "<mask id=\"hatch\" maskUnits=\"userSpaceOnUse\" x=\"0\" y=\"0\" "
		       "width=\"100%\" height=\"100%\">"
		       "<rect width=\"100%\" height=\"100%\" fill=\"url(#stripes)\"/></mask>\n");
	else if (s->hatch_some)
		put(s, "<pattern id=\"hatch\" width=\"7\" height=\"7\" "
		       "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
		       "<rect width=\"2.5\" height=\"7\" fill=\"#fff\" fill-opacity=\".45\"/>"
		       "</pattern>\n");
}

static void put_styles(struct svg *s)
{
	const struct pk_flamegraph_params *o = s->params;

	put(s, "<defs>\n");
	pk_flame_gradient(&s->buf, &s->pic->background);
	put_hatch(s);
	pk_flame_styles(&s->buf, o->search_color);
	if (strcmp(o->stroke_color, "none") != 0)
		pk_buf_addf(&s->buf, ".pkfg #frames rect{stroke:%s;stroke-width:.5}\n",
			    o->stroke_color);
	else if (s->pic->compare) /* neighbours often have the same color */
		put(s, ".pkfg #frames rect{stroke:#000;stroke-opacity:.15;stroke-width:.5}\n");
	if (s->params->before_name)
		put(s, ".pkfg #frames .gone{stroke:#08c;stroke-opacity:1;stroke-width:1;"
		       "stroke-dasharray:4 2}\n"
		       ".pkfg #frames .new{stroke:#600;stroke-opacity:1;stroke-width:1}\n");
	if (!o->bgcolors)
		pk_flame_dark(&s->buf, !o->uicolor);
	put(s, "</style>\n</defs>\n<rect width=\"100%\" height=\"100%\" "
	       "fill=\"url(#background)\"/>\n");
}

static void begin_line(struct svg *s, const char *id, const char *x, double y, const char *more)
{
	pk_buf_addf(&s->buf, "<text id=\"%s\" x=\"%s\" y=\"", id, x);
	put_px(s, y);
	pk_buf_addf(&s->buf, "\"%s>", more);
}

static void put_separator(struct svg *s, size_t from)
{
	put(s, s->buf.len > from ? "; " : "");
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

	put(s, "before: ");
	put_value_unit(s, root->before);
	put(s, widths == PK_FLAME_BEFORE ? " (width), after: " : ", after: ");
	put_value_unit(s, o->before_name ? root->after : root->total);
	if (widths == PK_FLAME_BOTH)
		put(s, ", width: the larger of both");
	pk_buf_addf(&s->buf, "%s; %s: %s, %s: %s", widths == PK_FLAME_AFTER ? " (width)" : "",
		    o->negate ? "blue" : red, time ? "slower" : "more than before",
		    o->negate ? red : "blue", time ? "faster" : "less");
	if (o->before_name)
		put(s, "; dashed: gone, dark border: new");
}

static void put_subtitle(struct svg *s)
{
	size_t from;

	begin_line(s, "subtitle", "50%", 4 * s->params->fontsize, " text-anchor=\"middle\"");
	from = s->buf.len;
	if (s->params->subtitle)
		put_text(s, s->params->subtitle);
	if (s->pic->compare) {
		put_separator(s, from);
		put_sides(s);
	}
	if (s->flame->estimated) {
		put_separator(s, from);
		put(s, s->params->before_name
			       ? "hatched: estimated"
			       : "hatched: estimated, the profile knows direct callers, not call "
				 "paths");
	}
	put(s, "</text>\n");
}

static void put_count_of(struct svg *s, uint64_t count, const char *one, const char *more)
{
	pk_format_count(&s->buf, (int64_t)count);
	put(s, count == 1 ? one : more);
}

/* What the picture does not show. Stands where details come and go. */
static void put_details(struct svg *s)
{
	const struct pk_flame *flame = s->flame;
	size_t from;

	begin_line(s, "details", "10", s->details, "");
	from = s->buf.len;
	if (flame->narrow) {
		put_count_of(s, flame->narrow, " frame", " frames");
		pk_buf_addf(&s->buf, " too narrow to show (less than %g%s)", s->pic->minwidth,
			    s->pic->percent ? "%" : " px");
	}
	if (flame->unseen) {
		bool new = s->pic->widths == PK_FLAME_BEFORE;

		put_separator(s, from);
		put_count_of(s, flame->unseen, " frame", " frames");
		put(s, new ? " new (after: " : " gone (before: ");
		put_value_unit(s, flame->unseen_value);
		put(s, ")");
	}
	if (flame->negative) {
		put_separator(s, from);
		put_count_of(s, flame->negative, " value", " values");
		put(s, " below zero left out");
	}
	put(s, "</text>\n");
}

/* ": before base.prof, after new.prof", with folders only where names are the same. */
static void put_names(struct svg *s)
{
	const char *before = s->params->before_name, *after = s->params->after_name;
	bool whole = strcmp(pk_basename(before), pk_basename(after)) == 0;

	put(s, ": before ");
	put_text(s, whole ? before : pk_basename(before));
	put(s, ", after ");
	put_text(s, whole ? after : pk_basename(after));
}

static void put_texts(struct svg *s)
{
	char more[80];

	snprintf(more, sizeof(more), " text-anchor=\"middle\" font-size=\"%g\"",
		 s->params->fontsize + 5);
	begin_line(s, "title", "50%", 2 * s->params->fontsize, more);
	put_text(s, title_of(s->params));
	if (s->params->before_name && !s->params->title)
		put_names(s);
	put(s, "</text>\n");
	if (has_subtitle(s))
		put_subtitle(s);
	put_details(s);
}

static void put_frames(struct svg *s)
{
	put(s, "<svg x=\"10\" width=\"");
	put_px(s, s->inner);
	put(s, "\"");
	put(s, s->hatch_all ? " mask=\"url(#hatch)\"" : "");
	put(s, ">\n<svg id=\"frames\" fill=\"#000\" total_samples=\"");
	pk_flame_uint(&s->buf, (uint64_t)s->flame->total);
	put(s, "\">\n");
	for (size_t i = 0; i < s->flame->count && !pk_output_failed(s->out); i++)
		put_box(s, &s->flame->box[i], i);
	put(s, "</svg>\n</svg>\n");
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
			.out = out};

	s.inner = width_of(s.params) - 2 * PK_FLAME_MARGIN;
	s.hatch_all = s.flame->estimated && s.flame->estimated == s.flame->count - 1;
	s.hatch_some = s.flame->estimated && !s.hatch_all;
	set_heights(&s);
	set_scales(&s);
	put_root(&s);
	put_notes(&s);
	put_styles(&s);
	put_texts(&s);
	put_frames(&s);
	if (s.params->javascript) {
		put(&s, "<script><![CDATA[\n");
		put(&s, pk_flame_script);
		put(&s, "]]></script>\n");
	}
	put(&s, "</svg>\n");
	flush(&s);
	pk_buf_release(&s.buf);
	pk_buf_release(&s.label);
	pk_buf_release(&s.whole_label);
}
