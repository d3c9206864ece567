/*
 * Flame graphs as SVG pictures, back to the call paths they were drawn of: by flamegraph.pl (2011
 * to today), inferno and what uses it (py-spy, cargo-flamegraph, rbspy), and profkit.
 * Format: flamegraph.pl of github.com/brendangregg/FlameGraph; inferno, src/flamegraph/mod.rs;
 * writers/flamegraph/svg.c.
 *
 *	<svg ... xmlns:fg="http://github.com/jonhoo/inferno"><text id="title" ...>Flame Graph</text>
 *	<svg id="frames" x="10" width="1180" total_samples="300">
 *	<g><title>all (300 samples, 100%)</title>
 *	<rect x="0.0000%" y="85" width="100.0000%" height="15" fill="..." fg:x="0" fg:w="300"/>
 *	<text ...>all</text></g>
 *	<g><title>main (200 samples, 66.67%)</title>
 *	<rect x="0.0000%" y="69" width="66.6667%" height="15" fill="..." fg:x="0" fg:w="200"/>...
 *
 * The title of a box has its exact name and count; its place says who called it. Older pictures
 * measure in px (with one decimal, or none), have no element "frames", or no <title> but
 * onmouseover="s('main (200 samples, 66.67%)')". A title that the user gave (nameattr) has no
 * count: then the width is measured.
 *
 * The count of boxes too narrow to be drawn is self time of their caller. Boxes of one path that a
 * chart in the order of time draws apart are added up. In the picture of a difference, "; +1.20%"
 * at the end of a title is the change of the frame's own count, in parts of the total: metric
 * delta.
 */
#include <stdlib.h>
#include <string.h>

#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/flamegraph_svg/internal.h"
#include "readers/reader.h"

/* Titles of boxes: "name (12 samples, 3.40%)", with "; -0.10%" in pictures of differences. */
enum { MOST_DECIMALS = 9 };

/* The numbers in a title, after the name. */
struct info {
	int64_t digits, change;
	int decimals;
	const char *unit;
	size_t unit_len;
	bool changed;
};

/* "1,234.5": the digits alone as a number, and how many come after the point. */
static size_t parse_count(const char *text, int64_t *digits, int *decimals)
{
	const char *at = text;
	bool point = false;

	*digits = 0;
	*decimals = 0;
	for (; pk_is_digit(*at) || *at == ',' || *at == '.'; at++) {
		if (*at == '.') {
			if (point)
				return 0;
			point = true;
		} else if (*at != ',') {
			if (__builtin_mul_overflow(*digits, 10, digits) ||
			    __builtin_add_overflow(*digits, *at - '0', digits))
				return 0;
			*decimals += point;
		}
	}
	return *decimals > MOST_DECIMALS ? 0 : (size_t)(at - text);
}

/* "12.34%": in 1/100 %. */
static const char *parse_percent(const char *text, int64_t *hundredths)
{
	bool exact, overflow, plus = *text == '+';
	size_t used = pk_parse_decimal(text + plus, strlen(text + plus), 2, hundredths, &exact,
				       &overflow);

	return used && text[plus + used] == '%' ? text + plus + used + 1 : NULL;
}

/* What follows " (" in a title: "12 samples, 3.40%; -0.10%)", "12 bytes, 3.40% of all above 0)".
 * The unit may hold anything. */
static bool parse_info(const char *text, struct info *info)
{
	static const char above[] = " of all above 0";
	size_t used = parse_count(text, &info->digits, &info->decimals);
	const char *share, *rest;
	int64_t percent;

	if (!used || text[used] != ' ')
		return false;
	info->unit = text + used + 1;
	for (share = info->unit; (share = strstr(share, ", ")); share++) {
		rest = parse_percent(share + 2, &percent);
		if (!rest)
			continue;
		if (pk_starts_with(rest, above))
			rest += strlen(above);
		info->changed = rest[0] == ';' && rest[1] == ' ';
		if (info->changed)
			rest = parse_percent(rest + 2, &info->change);
		if (rest && !strcmp(rest, ")")) {
			info->unit_len = (size_t)(share - info->unit);
			return true;
		}
	}
	return false;
}

static bool unit_fits(const struct svg_build *r, const struct info *info)
{
	return !r->unit ||
	       (info->unit_len == r->unit_len && !memcmp(info->unit, r->unit, r->unit_len));
}

/* Names may hold " (" too, so the last one that makes sense counts; but the root's name is known,
 * so that its first one tells the unit. */
void flamegraph_svg_read_title(struct svg_build *r, struct svg_box *box, bool root)
{
	const char *title = box->title ? box->title : "", *end = title + strlen(title), *at;
	struct info info;

	for (at = root ? strstr(title, " (") : end; at && at >= title; at--) {
		if (at[0] != ' ' || at[1] != '(' || !parse_info(at + 2, &info) ||
		    !unit_fits(r, &info))
			continue;
		box->name = title;
		box->name_len = (size_t)(at - title);
		box->counted = true;
		box->weight = info.digits;
		box->decimals = info.decimals;
		box->changed = info.changed;
		box->change = info.changed ? info.change : 0;
		r->decimals = info.decimals > r->decimals ? info.decimals : r->decimals;
		if (root) {
			r->unit = info.unit;
			r->unit_len = info.unit_len;
		}
		return;
	}
	/* A title of the user's own: the name is what is seen, if that is all of it. */
	at = box->label;
	if (!at || !*at || (title[0] && strstr(at, "..")))
		at = title;
	box->name = at;
	box->name_len = strlen(at);
}

bool flamegraph_svg_called_all(const struct svg_box *box)
{
	const char *title = box->title ? box->title : "";

	return !strncmp(title, "all (", 5) || !strncmp(title, "all samples (", 13) ||
	       !strcmp(title, "all") || !strncmp(title, " (", 2) || !*title;
}

static int read_flamegraph_svg(struct pk_input *in, const void *params, struct pk_builder *b,
			       struct pk_error *err)
{
	struct svg_picture picture = {0};
	int ret;

	(void)params;
	ret = flamegraph_svg_parse(&picture, in, b, err);
	if (!ret && !picture.is_svg)
		ret = pk_fail(err, PK_EFORMAT, "no SVG picture");
	if (!ret)
		ret = flamegraph_svg_build(&picture, b, err);
	free(picture.box);
	pk_arena_release(&picture.text);
	return ret;
}

static enum pk_score probe_flamegraph_svg(const struct pk_probe *probe)
{
	const char *text = (const char *)probe->data;

	text += strspn(text, " \t\r\n");
	if (*text != '<' || !pk_probe_has(probe, "<svg") ||
	    pk_probe_has(probe, " data-lanes=\"")) /* profkit's other pictures */
		return PK_NO;
	if (pk_probe_has(probe, " data-profkit=\"") ||
	    pk_probe_has(probe, "Flame graph stack visualization"))
		return PK_SURE;
	if (pk_probe_has(probe, "id=\"frames\"") || pk_probe_has(probe, "onmouseover=\"s("))
		return PK_LIKELY;
	return PK_NO;
}

static const char *const suffixes[] = {".svg", NULL};

const struct pk_reader pk_reader_flamegraph_svg = {
	.name = "flamegraph-svg",
	.title = "flame graphs as SVG: flamegraph.pl, inferno, py-spy, profkit",
	.suffixes = suffixes,
	.keeps = PK_PART_PATHS | PK_PART_FILES | PK_PART_METRICS | PK_PART_META,
	.probe = probe_flamegraph_svg,
	.read = read_flamegraph_svg,
};
