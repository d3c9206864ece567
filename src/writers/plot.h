#pragma once

#include "render/svg.h"

/* Shared by plots of points over an axis. */

struct pk_plot_head {
	int width, height;    /* px */
	const char *label;    /* description for screen readers */
	const int64_t *total; /* ns, for programs that read the picture; NULL = none */
	int clip[4];          /* x, y, width and height of the clip path "plot"; width 0 = none */
	const char *style;    /* CSS in addition to that of the grid */
	const char *title;
};
/* Writes the picture up to its title. */
void pk_plot_begin(struct pk_svg *svg, const struct pk_plot_head *head);
/* The distance of grid lines: 1, 2 or 5 times a power of ten, at least `least`, so that at most ten
 * fit. */
double pk_plot_step(double most, double least);
