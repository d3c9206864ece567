#ifndef PK_PLOT_H
#define PK_PLOT_H

#include "base/text/str.h"

/* Pieces of plots as SVG; all append to buf. */

struct pk_plot_head {
	int width, height;    /* px */
	const char *label;    /* for who cannot see it */
	const int64_t *total; /* ns, for programs; NULL = none */
	int clip[4];          /* x, y, width and height of the area "plot"; no width = none */
	const char *style;    /* CSS, beside that of the grid */
	const char *title;
};
/* The picture up to its title. */
void pk_plot_begin(struct pk_buf *buf, const struct pk_plot_head *head);
/* A length as an attribute, after a blank. */
void pk_plot_px(struct pk_buf *buf, const char *attribute, double px);
void pk_plot_line(struct pk_buf *buf, double x1, double y1, double x2, double y2);
/* 1, 2 or 5 times a power of ten, at least `least`: at most ten of them are the whole axis. */
double pk_plot_step(double most, double least);

#endif
