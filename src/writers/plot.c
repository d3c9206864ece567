#include "writers/plot.h"

#include <math.h>

#include "writers/flame_draw.h"

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
