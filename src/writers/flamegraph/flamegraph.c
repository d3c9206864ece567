/*
 * Flame graph: call paths as nested boxes, as wide as what they cost, in an SVG that is interactive
 * in a browser. The meaning of options, names and numbers is that of flamegraph.pl
 * (https://github.com/brendangregg/FlameGraph) and inferno.
 */
#include "writers/flamegraph/flamegraph.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "base/num/units.h"
#include "model/label.h"
#include "model/totals.h"
#include "model/transform/copy.h"
#include "model/transform/transform.h"
#include "writers/flamegraph/internal.h"
#include "writers/flamegraph/draw.h"
#include "render/xml.h"

#define AT(member) offsetof(struct pk_flamegraph_params, member)

static const struct pk_opt options[] = {
	{PK_OPT_TEXT, "metric", 'm', AT(metric), "METRIC",
	 .help = "metric to draw: its name, or its number from 1"},
	PK_FLAMEGRAPH_OPTIONS(AT),
	PK_OPT_LAST,
};

const char *const pk_flame_deltas[] = {"auto", "self", "total", NULL};
const char *const pk_flame_widths[] = {"auto", "both", "after", "before", NULL};
static const char *const suffixes[] = {".svg", NULL};

/* Colors are put into a style sheet, so only "#0a0", "rgb(1, 2, 3)" or "tomato" are allowed. */
static int check_color(const char *option, const char *color, struct pk_error *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789#(),.% -";

	if (!color || (*color && color[strspn(color, allowed)] == '\0'))
		return 0;
	return pk_fail(err, PK_EUSAGE, "%s: '%s' is not a color", option, color);
}

static int check_minwidth(struct pk_flame_picture *pic, struct pk_error *err)
{
	const char *text = pic->params->minwidth;
	char *end;

	pic->minwidth = strtod(text, &end);
	pic->percent = *end == '%';
	if (end == text || end[pic->percent] || !(pic->minwidth >= 0) || !isfinite(pic->minwidth))
		return pk_fail(err, PK_EUSAGE,
			       "minwidth: '%s' is neither a number of pixels nor a percentage",
			       text);
	return 0;
}

/* Any encoding that contains ASCII is suitable: other characters are written as references. */
static int check_encoding(struct pk_flame_picture *pic, struct pk_error *err)
{
	static const char *const known[] = {"us-ascii",    "ascii",   "iso-8859-",
					    "windows-125", "koi8-",   "euc-",
					    "gb2312",      "gb18030", "latin"};
	const char *name = pic->params->encoding;
	char lower[20];
	size_t i;

	for (i = 0; name[i] && i < sizeof(lower) - 1; i++)
		lower[i] = (char)(pk_is_letter(name[i]) ? name[i] | 0x20 : name[i]);
	lower[i] = '\0';
	pic->ascii = true;
	if (!*name || strcmp(lower, "utf-8") == 0 || strcmp(lower, "utf8") == 0) {
		pic->ascii = false;
		return 0;
	}
	for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++) {
		if (pk_starts_with(lower, known[k]) && !name[i] &&
		    lower[strspn(lower, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0')
			return 0;
	}
	return pk_fail(err, PK_EUSAGE, "encoding: '%s' cannot be declared; UTF-8 can", name);
}

static int check_params(struct pk_flame_picture *pic, struct pk_error *err)
{
	const struct pk_flamegraph_params *o = pic->params;

	if (check_color("stroke-color", o->stroke_color, err) ||
	    check_color("uicolor", o->uicolor, err) ||
	    check_color("search-color", o->search_color, err) || check_minwidth(pic, err) ||
	    check_encoding(pic, err))
		return -1;
	if (o->width && o->width <= 2 * PK_FLAME_MARGIN)
		return pk_fail(err, PK_EUSAGE, "width: more than %d px are needed",
			       2 * PK_FLAME_MARGIN);
	pic->background = pk_flame_background_of((enum pk_flame_palette)o->colors);
	if (o->bgcolors && !pk_flame_background_named(o->bgcolors, &pic->background))
		return pk_fail(err, PK_EUSAGE,
			       "bgcolors: '%s' is not one of yellow, blue, green, grey, #rrggbb",
			       o->bgcolors);
	return 0;
}

/* "samples" if the unit is not known, as in flamegraph.pl. */
static const char *unit_of(const struct pk_flamegraph_params *o, const struct pk_profile *p,
			   uint32_t metric, bool compare)
{
	const char *unit = pk_metric_unit(p, metric), *name = pk_text(p, p->metric.name[metric]);

	if (o->countname)
		return o->countname;
	if (strcmp(unit, "count") != 0 && *unit)
		return unit;
	return compare || !*name ? "samples" : name;
}

/* Brings both metrics of a difference to the finer unit of the two. */
static void set_factors(struct pk_flame_picture *pic, const struct pk_profile *p,
			struct pk_flame_scale *scale)
{
	int now = p->metric.exponent[scale->metric];
	int before = scale->before ? p->metric.exponent[scale->before] : now;

	pic->exponent = now > before ? now : before;
	scale->factor = scale->before_factor = 1;
	for (int i = now; i < pic->exponent; i++)
		scale->factor *= 10;
	for (int i = before; i < pic->exponent; i++)
		scale->before_factor *= 10;
}

static int choose_metric(struct pk_flame_picture *pic, const struct pk_profile *p,
			 struct pk_flame_scale *scale, struct pk_error *err)
{
	const struct pk_flamegraph_params *o = pic->params;
	uint32_t before = pk_metric_find(p, "before"), after = pk_metric_find(p, "after");

	scale->metric = pk_metric_find(p, o->metric);
	if (!scale->metric && p->metric.count > 1)
		return pk_fail(err, PK_EUSAGE, "there is no metric '%s'", o->metric);
	if (!o->flamechart && pk_parts_exceed(p, scale->metric))
		return pk_fail_no_sum(err,
				      before && after && o->compared
					      ? o->compared
					      : pk_text(p, p->metric.name[scale->metric]),
				      "flame graph");
	pic->compare = !o->metric && before && after && !o->flamechart;
	if (!o->metric && before && after) {
		scale->metric = after;
		scale->before = pic->compare ? before : 0;
	}
	pic->unit = unit_of(o, p, scale->metric, before && after);
	pic->bytes = p->metric.kind[scale->metric] != PK_METRIC_BYTES ? ""
		     : o->compared                                    ? o->compared
		     : pic->compare                                   ? ""
				    : pk_text(p, p->metric.name[scale->metric]);
	set_factors(pic, p, scale);
	return 0;
}

/* In a difference with named sides, the widths of both. */
static enum pk_flame_widths widths_of(const struct pk_flamegraph_params *o)
{
	if (o->widths == PK_FLAME_AUTO)
		return o->before_name ? PK_FLAME_BOTH : PK_FLAME_AFTER;
	return (enum pk_flame_widths)o->widths;
}

static int64_t total_asked_for(const struct pk_flame_picture *pic)
{
	double total = pic->params->total * pow(10, pic->exponent);

	return total < 9e18 ? (int64_t)(total + 0.5) : INT64_MAX;
}

static void set_least(const struct pk_flame_picture *pic, struct pk_flame_scale *scale)
{
	double width = pic->params->width ? (double)pic->params->width : PK_FLAME_WIDTH;

	scale->total = total_asked_for(pic);
	scale->least =
		pic->percent ? pic->minwidth / 100 : pic->minwidth / (width - 2 * PK_FLAME_MARGIN);
}

const char *pk_flamegraph_map_path(const struct pk_flamegraph_params *o)
{
	return o->palette_map ? o->palette_map : "palette.map";
}

static void note_left_out(const struct pk_flame_picture *pic, struct pk_output *out)
{
	const struct pk_flame *flame = pic->flame;

	if (flame->threads > 1)
		pk_output_note(out, "the spans of %u threads follow one another", flame->threads);
	if (pic->params->picture)
		return;
	if (flame->narrow)
		pk_output_note(out, "%" PRIu64 " frame%s too narrow to show (less than %g%s)",
			       flame->narrow, flame->narrow == 1 ? "" : "s", pic->minwidth,
			       pic->percent ? "%" : " px");
	pk_note_negative(out, flame->negative);
}

static const char *why_empty(const struct pk_flame_picture *pic)
{
	if (pic->params->base.count)
		return "no function that --base names costs anything";
	return pic->flame->negative ? "no path costs more than 0" : "no path costs anything";
}

static int draw(struct pk_flame_picture *pic, const struct pk_profile *p, struct pk_output *out,
		struct pk_error *err)
{
	struct pk_flame_names names;
	struct pk_flame flame = {0};
	struct pk_flame_scale scale = {0};
	int status = 0;

	if (choose_metric(pic, p, &scale, err))
		return -1;
	set_least(pic, &scale);
	scale.widths = pic->widths = widths_of(pic->params);
	pk_flame_names_init(&names, p);
	if (pic->params->flamechart && pk_flame_has_spans(p, scale.metric))
		pk_flame_spans(&flame, p, &scale);
	else if (pic->params->flamechart)
		pk_flame_chart(&flame, p, &scale);
	else if (scale.metric)
		pk_flame_layout(&flame, &names, &scale);
	pic->flame = &flame;
	pic->names = &names;
	note_left_out(pic, out);
	if (flame.count) {
		pk_flame_draw(pic, out);
		if (names.cut)
			pk_output_note(out, "%u name%s too long for a box, and cut", names.cut,
				       names.cut == 1 ? " is" : "s are");
		if (pic->map)
			status = pk_flame_map_save(pic->map, pk_flamegraph_map_path(pic->params),
						   err);
	} else {
		status = pk_fail(err, PK_EFORMAT, "there is nothing to draw: %s", why_empty(pic));
	}
	pk_flame_release(&flame);
	pk_flame_names_release(&names);
	return status;
}

/* True if a function is called so, by its name or by the name of its box. */
static bool is_base(const struct pk_profile *p, uint32_t function,
		    const struct pk_opt_list *functions)
{
	struct pk_buf label = PK_BUF_INIT;
	bool found = false;

	pk_function_label(&label, p, function, PK_LABEL_SHORT);
	pk_buf_addc(&label, '\0');
	for (size_t i = 0; i < functions->count && !found; i++)
		found = strcmp(functions->item[i], label.data) == 0 ||
			strcmp(functions->item[i], pk_text(p, p->function.name[function])) == 0;
	pk_buf_release(&label);
	return found;
}

static void copy_nodes(struct pk_copy *copy, const bool *base)
{
	const struct pk_profile *p = copy->p;

	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t above = copy->node[p->node.parent[i]];
		bool is_root = base[pk_node_function(p, i)];

		if (!is_root && !above)
			continue;
		pk_copy_node(copy, i, is_root ? 0 : above,
			     pk_copy_location(copy, p->node.location[i]));
	}
}

/* The stacks that have one of the functions in them, each from the deepest of these on, as
 * inferno's
 * --base cuts them. The caller frees the result. */
static struct pk_profile *cut_at_base(const struct pk_profile *p,
				      const struct pk_opt_list *functions)
{
	struct pk_builder *b = pk_builder_new();
	bool *base = pk_calloc(p->function.count, sizeof(*base));
	struct pk_copy copy;

	for (uint32_t i = 1; i < p->function.count; i++)
		base[i] = is_base(p, i, functions);
	pk_copy_init(&copy, b, p);
	pk_copy_begin(&copy);
	copy_nodes(&copy, base);
	pk_copy_costs(&copy, NULL);
	pk_copy_events(&copy, NULL);
	pk_copy_release(&copy);
	free(base);
	return pk_builder_finish(b);
}

static int transform_and_draw(struct pk_flame_picture *pic, const struct pk_profile *p,
			      struct pk_output *out, struct pk_error *err)
{
	struct pk_profile *cut = NULL, *reversed = NULL;
	uint32_t shortened = 0;
	int status;

	if (pic->params->base.count)
		p = cut = cut_at_base(p, &pic->params->base);
	if (pic->params->reverse)
		p = reversed = pk_invert(p, &shortened);
	if (shortened)
		pk_output_note(out, "%u paths too long to reverse: outermost callers left out",
			       shortened);
	status = draw(pic, p, out, err);
	pk_profile_free(reversed);
	pk_profile_free(cut);
	return status;
}

static int load_files(const struct pk_flame_picture *pic, struct pk_flame_attrs *attrs,
		      struct pk_error *err)
{
	const struct pk_flamegraph_params *o = pic->params;

	if ((pic->map && pk_flame_map_load(pic->map, pk_flamegraph_map_path(o), err)) ||
	    (o->nameattr && pk_flame_attrs_load(attrs, o->nameattr, err))) {
		err->code = PK_EUSAGE; /* the profile is in order: see PK_EFORMAT of draw */
		return -1;
	}
	return 0;
}

static int write_flamegraph(const struct pk_profiles *list, const void *params,
			    struct pk_output *out, struct pk_error *err)
{
	const struct pk_flamegraph_params *o = params;
	struct pk_flame_picture pic = {.params = o};
	struct pk_flame_map map = {0};
	struct pk_flame_attrs attrs = {0};
	int status = -1;

	pic.attrs = &attrs;
	if (o->cp || o->palette_map)
		pic.map = &map;
	if (!check_params(&pic, err) && !load_files(&pic, &attrs, err))
		status = transform_and_draw(&pic, list->item[0], out, err);
	pk_flame_map_release(&map);
	pk_flame_attrs_release(&attrs);
	return status;
}

const struct pk_writer pk_writer_flamegraph = {
	.name = "flamegraph",
	.read_as = "flamegraph-svg",
	.title = "flame graph: an SVG picture to look at, search and zoom in a browser",
	.suffixes = suffixes,
	.opts = options,
	.params_size = sizeof(struct pk_flamegraph_params),
	.needs = PK_PART_PATHS,
	.keeps = PK_PART_PATHS,
	.uses = PK_PART_ORDER | PK_PART_SPANS,
	.binary = true,
	.write = write_flamegraph,
};
