#include "writers/plot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "config.h"

#include "writers/flamegraph/draw.h"
#include "render/xml.h"

void pk_plot_begin(struct pk_buf *buf, const struct pk_plot_head *head)
{
	static const struct pk_flame_background background = {0xFFFFFF, 0xF2F4F8};

	pk_buf_addf(buf,
		    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pkfg\" version=\"1.1\" "
		    "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		    "font-family=\"Verdana, 'DejaVu Sans', sans-serif\" font-size=\"12\" "
		    "fill=\"#000\" role=\"img\" aria-label=\"%s\" "
		    "data-profkit=\"" PACKAGE_VERSION "\"",
		    head->width, head->height, head->width, head->height, head->label);
	if (head->total)
		pk_buf_addf(buf, " data-total=\"%" PRId64 "\" data-unit=\"ns\"", *head->total);
	pk_buf_adds(buf, ">\n<defs>\n");
	pk_flame_gradient(buf, &background);
	if (head->clip[2])
		pk_buf_addf(buf,
			    "<clipPath id=\"plot\"><rect x=\"%d\" y=\"%d\" width=\"%d\" "
			    "height=\"%d\"/></clipPath>\n",
			    head->clip[0], head->clip[1], head->clip[2], head->clip[3]);
	pk_buf_addf(buf, "<style>\n.grid line{stroke:#888;stroke-opacity:.35}\n%s", head->style);
	pk_flame_dark(buf, true);
	pk_buf_adds(buf, "</style>\n</defs>\n<rect width=\"100%\" height=\"100%\" "
			 "fill=\"url(#background)\"/>\n<text x=\"50%\" y=\"28\" "
			 "text-anchor=\"middle\" font-size=\"17\">");
	pk_flame_xml(buf, head->title, strlen(head->title), false);
	pk_buf_adds(buf, "</text>\n");
}

void pk_plot_px(struct pk_buf *buf, const char *attribute, double px)
{
	pk_buf_addf(buf, " %s=\"", attribute);
	pk_flame_px(buf, px);
	pk_buf_adds(buf, "\"");
}

void pk_plot_line(struct pk_buf *buf, double x1, double y1, double x2, double y2)
{
	pk_buf_adds(buf, "<line");
	pk_plot_px(buf, "x1", x1);
	pk_plot_px(buf, "y1", y1);
	pk_plot_px(buf, "x2", x2);
	pk_plot_px(buf, "y2", y2);
	pk_buf_adds(buf, "/>\n");
}

double pk_plot_step(double most, double least)
{
	double step = pow(10, floor(log10(most / 10)));
	double k = most / 10 / step;

	return fmax(least, step * (k <= 1 ? 1 : k <= 2 ? 2 : k <= 5 ? 5 : 10));
}
