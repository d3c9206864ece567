#include "writers/plot.h"

#include <inttypes.h>
#include <math.h>
void pk_plot_begin(struct pk_svg *svg, const struct pk_plot_head *head)
{
	const struct pk_svg_head root = {.width = head->width,
					 .height = head->height,
					 .font_size = 12,
					 .role = "img",
					 .label = head->label};

	pk_svg_begin(svg, &root);
	if (head->total)
		pk_buf_addf(&svg->buf, " data-total=\"%" PRId64 "\" data-unit=\"ns\"",
			    *head->total);
	pk_svg_put(svg, ">\n");
	pk_svg_begin_defs(svg, PK_SVG_TOP, PK_SVG_BOTTOM);
	if (head->clip[2])
		pk_buf_addf(&svg->buf,
			    "<clipPath id=\"plot\"><rect x=\"%d\" y=\"%d\" width=\"%d\" "
			    "height=\"%d\"/></clipPath>\n",
			    head->clip[0], head->clip[1], head->clip[2], head->clip[3]);
	/* a narrow window shows all of it, smaller */
	pk_svg_put(svg, "<style>\n.pkfg{max-width:100%;height:auto}\n"
			".grid line{stroke:#888;stroke-opacity:.35}\n");
	pk_svg_put(svg, head->style);
	pk_svg_end_defs(svg, true, true);
	pk_svg_format(
		svg, "<text x=\"50%%\" y=\"28\" text-anchor=\"middle\" font-size=\"17\">%t</text>\n",
		head->title);
}

double pk_plot_step(double most, double least)
{
	double step = pow(10, floor(log10(most / 10)));
	double k = most / 10 / step;

	return fmax(least, step * (k <= 1 ? 1 : k <= 2 ? 2 : k <= 5 ? 5 : 10));
}
