/*
 * A flame graph that needs no script, with the roots on top: its largest boxes, as SVG. The policy
 * of the page allows no style of its own, so that everything is an attribute.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "render/xml.h"
#include "writers/report/internal.h"

enum { WIDTH = 1200, ROW = 18, MOST_ROWS = 60, MOST_BOXES = 400, LETTER = 7, LONGEST_NAME = 300 };

/* Dark text on them has a contrast above 4.5. */
static const char *const fills[] = {"#f3c08b", "#f0d27e", "#efb08f", "#e9c86f",
				    "#f2cf9f", "#eebb77", "#f5dc96"};

struct picture {
	const struct pk_report_data *d;
	struct spot {
		double start, next; /* where it begins, and where its next child does */
		int depth;          /* 1 for roots */
	} * spot;                   /* by place; 0 is that of the whole */
	double scale;               /* px of a unit */
	int rows;
	uint32_t count, boxes; /* count: of paths that may have a box */
	bool estimated;
	struct pk_buf svg;
};

static double width_of(const struct picture *pic, uint32_t place)
{
	int64_t width = pk_report_widths(pic->d, 0)[place];

	return width > 0 ? (double)width : 0;
}

/* The number of paths from the first on that may have a box: all later ones are too narrow. */
static uint32_t count_wide(const struct picture *pic)
{
	uint32_t count = pic->d->node_count;

	while (count && width_of(pic, count) * pic->scale < 1)
		count--;
	return count;
}

/* Callers come first, and larger boxes before smaller ones, which may all be left out. */
static void place(struct picture *pic)
{
	struct spot *spot;

	pic->scale = width_of(pic, 0) > 0 ? WIDTH / width_of(pic, 0) : 0;
	pic->count = count_wide(pic);
	spot = pk_calloc((size_t)pic->count + 1, sizeof(*spot));
	for (uint32_t i = 1; i <= pic->count; i++) {
		struct spot *above = &spot[pic->d->caller[i]];

		spot[i].start = spot[i].next = above->next;
		spot[i].depth = above->depth + 1;
		above->next += width_of(pic, i);
	}
	pic->spot = spot;
}

static void put_label(struct picture *pic, const char *name, size_t len, double width)
{
	size_t room = (size_t)(width / LETTER), used = 0;

	for (; used < len && room > 0; room--) {
		uint32_t codepoint;
		bool valid;

		used += pk_utf8_decode(name + used, len - used, &codepoint, &valid);
	}
	pk_xml_text(&pic->svg, name, used, false);
}

static void put_box(struct picture *pic, uint32_t place)
{
	const struct pk_profile *p = pic->d->calls.profile;
	const struct spot *spot = &pic->spot[place];
	uint32_t node = pic->d->node[place - 1], string = pk_node_name(p, node);
	PK_BUF_AUTO text = PK_BUF_INIT;
	size_t len = p->string.len[string];
	const char *name;
	double x = spot->start * pic->scale, width = width_of(pic, place) * pic->scale;
	int row = spot->depth - 1;
	bool estimated = pk_node_estimated(p, node);

	pk_utf8_visible(&text, pk_text(p, string), len < LONGEST_NAME ? len : LONGEST_NAME);
	pk_buf_adds(&text, "");
	name = text.data;
	len = text.len;
	pk_buf_adds(&pic->svg, "<g><title>");
	pk_xml_text(&pic->svg, name, len, false);
	pk_buf_addf(&pic->svg,
		    ", %s</title><rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" ",
		    pk_in_percent(width / WIDTH).text, x, row * ROW,
		    width > 1 ? width - 0.5 : width, ROW - 1);
	pk_buf_addf(&pic->svg, "fill=\"%s\"%s/>",
		    fills[pk_hash_fixed(name, len) % (sizeof(fills) / sizeof(*fills))],
		    estimated ? " stroke=\"#7a5a2a\" stroke-dasharray=\"3 2\"" : "");
	if (width > 4 * LETTER) {
		pk_buf_addf(&pic->svg, "<text x=\"%.2f\" y=\"%d\">", x + 4, row * ROW + 13);
		put_label(pic, name, len, width - 8);
		pk_buf_adds(&pic->svg, "</text>");
	}
	pk_buf_adds(&pic->svg, "</g>\n");
	pic->estimated |= estimated;
	pic->rows = row >= pic->rows ? row + 1 : pic->rows;
	pic->boxes++;
}

void pk_report_picture(struct pk_buf *html, const struct pk_report_data *d, size_t room)
{
	struct picture pic = {.d = d};

	if (!d->has_tree || d->no_sum[0])
		return;
	place(&pic);
	for (uint32_t i = 1; i <= pic.count && pic.boxes < MOST_BOXES && pic.svg.len < room; i++)
		if (width_of(&pic, i) * pic.scale >= 1 && pic.spot[i].depth <= MOST_ROWS)
			put_box(&pic, i);
	if (pic.boxes) {
		pk_buf_addf(html,
			    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
			    "role=\"img\" "
			    "aria-label=\"Flame graph\" font-size=\"12\" fill=\"#16181c\">\n",
			    WIDTH, pic.rows * ROW);
		pk_buf_add(html, pic.svg.data, pic.svg.len);
		pk_buf_addf(html,
			    "</svg>\n<p>Flame graph with the roots on top: %s of %s call paths",
			    pk_in_count(pic.boxes).text, pk_in_count(d->node_total).text);
		if (d->negative[0])
			pk_buf_addf(html, "; %s %s below zero left out",
				    pk_in_count(d->negative[0]).text,
				    d->negative[0] == 1 ? "value" : "values");
		if (pic.estimated)
			pk_buf_adds(
				html,
				"; dashed: estimated, the profile knows callers, not call paths");
		pk_buf_adds(html, ".</p>\n");
	}
	pk_buf_release(&pic.svg);
	free(pic.spot);
}
