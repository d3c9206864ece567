#ifndef PK_DOT_THEME_H
#define PK_DOT_THEME_H

#include <stdbool.h>
#include <stdint.h>

/* Channels 0..1. */
struct pk_rgb {
	double r, g, b;
};

/* How weights (0..1) look. Sizes in points. */
struct pk_dot_theme {
	const char *name;
	/* Colors from weight 0 to weight 1: either between two points in HSL (hue in turns,
	 * lightness last), to the power of gamma, or along stops in RGB. */
	struct {
		double h, s, l;
	} low, high;
	double gamma;
	const uint32_t *stops; /* 0xRRGGBB; NULL: low and high are used */
	int stop_count;
	uint32_t background, text; /* text: on the background */
	bool filled;               /* boxes are filled, not outlined */
	double font_min, font_max, pen_min, pen_max;
};

extern const struct pk_dot_theme pk_dot_themes[]; /* ended by one without a name */

struct pk_rgb pk_rgb_from(uint32_t rrggbb);
struct pk_rgb pk_theme_color(const struct pk_dot_theme *theme, double weight, double skew);
double pk_theme_font_size(const struct pk_dot_theme *theme, double weight);
double pk_theme_pen_width(const struct pk_dot_theme *theme, double weight);

/* White, or black where white would be hard to read. */
struct pk_rgb pk_rgb_text_on(struct pk_rgb fill);
/* The color moved away from the background until it has this contrast (WCAG 2: text that can
 * be read has 4.5). */
struct pk_rgb pk_rgb_readable(struct pk_rgb color, struct pk_rgb background, double contrast);
/* "#rrggbb" into text. */
void pk_rgb_format(struct pk_rgb color, char text[8]);

#endif
