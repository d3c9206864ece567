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
 * onmouseover="s('main (200 samples, 66.67%)')". The title is ours alone if the user gave none
 * of his own (nameattr): then the width is measured.
 *
 * What was too narrow to be drawn is self time of its caller now. Boxes of one path that a chart
 * in the order of time draws apart are added up. In the picture of a difference, "; +1.20%" at
 * the end of a title is the change of the frame's own count, in parts of the total: metric delta.
 */
#include <stdlib.h>
#include <string.h>

#include "readers/flamegraph_svg/internal.h"
#include "readers/reader.h"

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
	if (*text != '<' || !pk_probe_has(probe, "<svg"))
		return PK_NO;
	if (pk_probe_has(probe, " data-profkit=\"") || pk_probe_has(probe, "Flame graph stack visualization"))
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
