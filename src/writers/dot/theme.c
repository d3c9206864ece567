/* Colors, sizes of fonts and widths of pens in call graphs, as gprof2dot computes them. */
#include "writers/dot/internal.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

/* ColorBrewer's YlOrBr without its palest end: gets darker all the way, so that
 * every kind of color vision, and a gray printer, sees the order. */
static const uint32_t safe[] = {0xf3dc8c, 0xfec44f, 0xfe9929, 0xec7014,
				0xcc4c02, 0x993404, 0x662506};
/* The same idea on black: viridis, gets lighter all the way. */
static const uint32_t dark[] = {0x3f4660, 0x3b528b, 0x31688e, 0x21918c,
				0x35b779, 0x90d743, 0xfde725};

#define WHITE_PAPER .background = 0xffffff, .text = 0x000000
#define PLAIN_SIZES .font_min = 10, .font_max = 10, .pen_min = 0.5, .pen_max = 4

const struct pk_dot_theme pk_dot_themes[] = {
	{"color",
	 "blue is small, red is large",
	 {2.0 / 3.0, 0.80, 0.25},
	 {0, 1, 0.5},
	 1,
	 .filled = true,
	 WHITE_PAPER,
	 PLAIN_SIZES},
	{"pink",
	 "red is large",
	 {0, 1, 0.9},
	 {0, 1, 0.5},
	 2.2,
	 .filled = true,
	 WHITE_PAPER,
	 PLAIN_SIZES},
	{"gray",
	 "dark is large",
	 {0, 0, 0.85},
	 {0, 0, 0},
	 2.2,
	 .filled = true,
	 WHITE_PAPER,
	 PLAIN_SIZES},
	{"bw",
	 NULL,
	 {0, 0, 0},
	 {0, 0, 0},
	 2.2,
	 .filled = true,
	 WHITE_PAPER,
	 .font_min = 8,
	 .font_max = 24,
	 .pen_min = 0.1,
	 .pen_max = 8},
	{"print",
	 NULL,
	 {0, 0, 0},
	 {0, 0, 0},
	 2.2,
	 .filled = false,
	 WHITE_PAPER,
	 .font_min = 18,
	 .font_max = 30,
	 .pen_min = 0.1,
	 .pen_max = 8},
	{"safe", "dark is large", .stops = safe, .stop_count = sizeof(safe) / sizeof(*safe),
	 .filled = true, WHITE_PAPER, PLAIN_SIZES},
	{"dark", "bright is large", .stops = dark, .stop_count = sizeof(dark) / sizeof(*dark),
	 .filled = true, .background = 0x16181d, .text = 0xd7dae0, PLAIN_SIZES},
	{.name = NULL},
};

static double clamp(double value)
{
	return value > 1 ? 1 : value > 0 ? value : 0;
}

/* One channel of a color in HSL, see CSS Color 3, section 4.2.4. */
static double hue_to_channel(double low, double high, double hue)
{
	hue -= hue > 1 ? 1 : 0;
	hue += hue < 0 ? 1 : 0;
	if (hue * 6 < 1)
		return low + (high - low) * hue * 6;
	if (hue * 2 < 1)
		return high;
	if (hue * 3 < 2)
		return low + (high - low) * (2.0 / 3.0 - hue) * 6;
	return low;
}

static struct pk_rgb from_hsl(double h, double s, double l, double gamma)
{
	double high, low;

	h -= floor(h);
	s = clamp(s);
	l = clamp(l);
	high = l <= 0.5 ? l * (s + 1) : l + s - l * s;
	low = l * 2 - high;
	return (struct pk_rgb){
		pow(hue_to_channel(low, high, h + 1.0 / 3.0), gamma),
		pow(hue_to_channel(low, high, h), gamma),
		pow(hue_to_channel(low, high, h - 1.0 / 3.0), gamma),
	};
}

struct pk_rgb pk_rgb_from(uint32_t rrggbb)
{
	return (struct pk_rgb){(rrggbb >> 16) / 255.0, (rrggbb >> 8 & 255) / 255.0,
			       (rrggbb & 255) / 255.0};
}

static struct pk_rgb mix(struct pk_rgb a, struct pk_rgb b, double part)
{
	return (struct pk_rgb){a.r + (b.r - a.r) * part, a.g + (b.g - a.g) * part,
			       a.b + (b.b - a.b) * part};
}

static struct pk_rgb between_stops(const struct pk_dot_theme *theme, double place)
{
	double at = place * (theme->stop_count - 1);
	int i = (int)at;

	if (i >= theme->stop_count - 1)
		return pk_rgb_from(theme->stops[theme->stop_count - 1]);
	return mix(pk_rgb_from(theme->stops[i]), pk_rgb_from(theme->stops[i + 1]), at - i);
}

struct pk_rgb pk_theme_color(const struct pk_dot_theme *theme, double weight, double skew)
{
	double place = clamp(weight);

	/* Both forms are the same curve; the sums are made in the order of other tools, so that the
	 * last digit of a color agrees. */
	if (theme->stops) {
		if (skew != 1)
			place = (pow(skew, place) - 1) / (skew - 1);
		return between_stops(theme, clamp(place));
	}
	if (skew == 1)
		return from_hsl(theme->low.h + place * (theme->high.h - theme->low.h),
				theme->low.s + place * (theme->high.s - theme->low.s),
				theme->low.l + place * (theme->high.l - theme->low.l),
				theme->gamma);
	place = -1 + pow(skew, place);
	return from_hsl(theme->low.h + (theme->high.h - theme->low.h) * place / (skew - 1),
			theme->low.s + (theme->high.s - theme->low.s) * place / (skew - 1),
			theme->low.l + (theme->high.l - theme->low.l) * place / (skew - 1),
			theme->gamma);
}

double pk_theme_font_size(const struct pk_dot_theme *theme, double weight)
{
	return fmax(weight * weight * theme->font_max, theme->font_min);
}

double pk_theme_pen_width(const struct pk_dot_theme *theme, double weight)
{
	return fmax(weight * theme->pen_max, theme->pen_min);
}

/* Relative luminance, as WCAG 2 defines it. */
static double linear(double channel)
{
	return channel <= 0.03928 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
}

static double luminance(struct pk_rgb c)
{
	return 0.2126 * linear(clamp(c.r)) + 0.7152 * linear(clamp(c.g)) +
	       0.0722 * linear(clamp(c.b));
}

static double contrast_of(struct pk_rgb a, struct pk_rgb b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

struct pk_rgb pk_rgb_text_on(struct pk_rgb fill)
{
	const struct pk_rgb white = {1, 1, 1}, black = {0, 0, 0};

	return contrast_of(white, fill) >= 3 ? white : black;
}

struct pk_rgb pk_rgb_readable(struct pk_rgb color, struct pk_rgb background, double contrast)
{
	const struct pk_rgb white = {1, 1, 1}, black = {0, 0, 0};
	struct pk_rgb away = luminance(background) > 0.5 ? black : white, moved = color;

	for (int step = 1; step <= 10 && contrast_of(moved, background) < contrast; step++)
		moved = mix(color, away, step / 10.0);
	return moved;
}

static int channel_to_byte(double channel)
{
	return (int)(255 * clamp(channel) + 0.5);
}

void pk_rgb_format(struct pk_rgb color, char text[8])
{
	snprintf(text, 8, "#%02x%02x%02x", (unsigned)channel_to_byte(color.r) & 255,
		 (unsigned)channel_to_byte(color.g) & 255,
		 (unsigned)channel_to_byte(color.b) & 255);
}
