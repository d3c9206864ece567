#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Colors of flame graphs, as 0xRRGGBB. */
enum pk_flame_palette {
	PK_FLAME_HOT,
	PK_FLAME_MEM,
	PK_FLAME_IO,
	PK_FLAME_RED,
	PK_FLAME_GREEN,
	PK_FLAME_BLUE,
	PK_FLAME_AQUA,
	PK_FLAME_YELLOW,
	PK_FLAME_PURPLE,
	PK_FLAME_ORANGE,
	PK_FLAME_SAFE, /* for color-blind readers: from dark blue to light yellow */
	/* From here on the name of a function decides between some of those above. */
	PK_FLAME_WAKEUP,
	PK_FLAME_CHAIN,
	PK_FLAME_JAVA,
	PK_FLAME_JS,
	PK_FLAME_PERL,
	PK_FLAME_PYTHON,
	PK_FLAME_RUST,
};
/* Their names as options, in this order, NULL at the end. */
extern const char *const pk_flame_palettes[];

/* Where in the range of a palette a color lies: each 0 <= v < 1. */
struct pk_flame_shade {
	double v[3];
};
/* How names get a shade: as flamegraph.pl does by default, as it does with --hash,
 * and from a hash of the whole name. */
enum pk_flame_shading { PK_FLAME_BY_SUM, PK_FLAME_BY_START, PK_FLAME_BY_HASH };
struct pk_flame_shade pk_flame_shade_of(enum pk_flame_shading how, const char *name, size_t len);
/* The shade of the i-th box where shades are random: the same in every run. */
struct pk_flame_shade pk_flame_shade_random(uint64_t i);

/* path: the source file of the function, "" if it is not known. */
uint32_t pk_flame_color(enum pk_flame_palette palette, const char *name, size_t len,
			const char *path, const struct pk_flame_shade *shade);
/* White for no change, red for more, blue for less; most: the largest change in the picture. safe:
 * orange instead of red, which color-blind readers can tell from blue. */
uint32_t pk_flame_color_change(int64_t change, int64_t most, bool safe);
/* The wider, the redder. share: 0..1. */
uint32_t pk_flame_color_share(double share);

/* True if white text is easier to read on this color than black text. */
bool pk_flame_color_is_dark(uint32_t rgb);

/* The ends of the background of a palette, or of one asked for by name ("yellow blue
 * green grey" or "#rrggbb", false if it is none of these). */
struct pk_flame_background {
	uint32_t top, bottom;
};
struct pk_flame_background pk_flame_background_of(enum pk_flame_palette palette);
bool pk_flame_background_named(const char *name, struct pk_flame_background *background);
