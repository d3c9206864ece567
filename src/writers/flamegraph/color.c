/*
 * Colors of flame graphs: the palettes of flamegraph.pl and inferno, of changes, and of
 * backgrounds.
 */
#include "writers/flamegraph/color.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/hash.h"
#include "base/text/str.h"

const char *const pk_flame_palettes[] = {
	"hot",  "mem",    "io",    "red",  "green", "blue", "aqua",   "yellow", "purple", "orange",
	"safe", "wakeup", "chain", "java", "js",    "perl", "python", "rust",   NULL};

/* A channel of a palette: low + range * v[which]. */
struct channel {
	uint8_t low, range, which;
};

/* flamegraph.pl's ranges. */
static const struct channel ranges[][3] = {
	[PK_FLAME_HOT] = {{205, 50, 2}, {0, 230, 0}, {0, 55, 1}},
	[PK_FLAME_MEM] = {{0, 0, 0}, {190, 50, 1}, {0, 210, 0}},
	[PK_FLAME_IO] = {{80, 60, 0}, {80, 60, 0}, {190, 55, 1}},
	[PK_FLAME_RED] = {{200, 55, 0}, {50, 80, 0}, {50, 80, 0}},
	[PK_FLAME_GREEN] = {{50, 60, 0}, {200, 55, 0}, {50, 60, 0}},
	[PK_FLAME_BLUE] = {{80, 60, 0}, {80, 60, 0}, {205, 50, 0}},
	[PK_FLAME_AQUA] = {{50, 60, 0}, {165, 55, 0}, {165, 55, 0}},
	[PK_FLAME_YELLOW] = {{175, 55, 0}, {175, 55, 0}, {50, 20, 0}},
	[PK_FLAME_PURPLE] = {{190, 65, 0}, {80, 60, 0}, {190, 65, 0}},
	[PK_FLAME_ORANGE] = {{190, 65, 0}, {90, 65, 0}, {0, 0, 0}},
};

static uint32_t rgb(double r, double g, double b)
{
	return (uint32_t)r << 16 | (uint32_t)g << 8 | (uint32_t)b;
}

static uint32_t color_in_range(enum pk_flame_palette palette, const struct pk_flame_shade *shade)
{
	uint32_t color = 0;

	for (int i = 0; i < 3; i++) {
		const struct channel *c = &ranges[palette][i];

		color = color << 8 | (uint32_t)(c->low + (int)(c->range * shade->v[c->which]));
	}
	return color;
}

/* Blue to yellow with lightness rising all the way, so that shades differ for every eye. */
static uint32_t color_safe(double v)
{
	static const uint8_t stops[][3] = {
		{62, 92, 150}, {112, 129, 160}, {150, 152, 160}, {190, 180, 140}, {248, 226, 110}};
	double at = v * 4;
	int i = (int)at;
	double part = at - i, c[3];

	for (int k = 0; k < 3; k++)
		c[k] = stops[i][k] + part * (stops[i + 1][k] - stops[i][k]);
	return rgb(c[0], c[1], c[2]);
}

/* The first number of drand48 after srand48(seed), which is what perl's rand gives. */
static double random_from(uint32_t seed)
{
	uint64_t x = (uint64_t)seed << 16 | 0x330E;

	x = (x * 0x5DEECE66DU + 0xB) & 0xFFFFFFFFFFFFU;
	return (double)x / (double)(1ULL << 48);
}

static double sum_shade(const char *name, size_t len)
{
	uint32_t sum = 0, cp;
	bool valid;

	for (size_t i = 0; i < len;) {
		i += pk_utf8_decode(name + i, len - i, &cp, &valid);
		sum += cp;
	}
	return random_from(sum);
}

/* Three characters decide, the first most; a module's name and a '`' before them do not count. */
static double start_shade(const char *name, size_t len, bool backwards)
{
	const char *tick = len > 1 ? memchr(name + 1, '`', len - 1) : NULL;
	double sum = 0, most = 0, weight = 1;
	size_t skip;

	/* Read backwards, the part after the last tick comes first and is dropped. */
	if (backwards && len > 1) {
		tick = memrchr(name, '`', len - 1);
		len = tick ? (size_t)(tick - name) : len;
		skip = 0;
	} else {
		skip = tick ? (size_t)(tick - name) + 1 : 0;
	}
	for (size_t i = 0; i < 3 && skip + i < len; i++) {
		unsigned char c = (unsigned char)name[backwards ? len - 1 - i : skip + i];
		double mod = 10 + (double)i;

		sum += fmod(c, mod) / (mod - 1) * weight;
		most += weight;
		weight *= 0.7;
	}
	return fmax(0, 1 - sum / (1 + most));
}

static struct pk_flame_shade shade_from_bits(uint64_t bits)
{
	struct pk_flame_shade shade;

	for (int i = 0; i < 3; i++, bits >>= 20)
		shade.v[i] = (double)(bits & 0xFFFFF) / 0x100000;
	return shade;
}

struct pk_flame_shade pk_flame_shade_of(enum pk_flame_shading how, const char *name, size_t len)
{
	struct pk_flame_shade shade;

	switch (how) {
	case PK_FLAME_BY_START:
		shade.v[0] = start_shade(name, len, false);
		shade.v[1] = shade.v[2] = start_shade(name, len, true);
		return shade;
	case PK_FLAME_BY_HASH:
		return shade_from_bits(pk_hash_fixed(name, len));
	case PK_FLAME_BY_SUM:
		break;
	}
	shade.v[0] = shade.v[1] = shade.v[2] = sum_shade(name, len);
	return shade;
}

struct pk_flame_shade pk_flame_shade_random(uint64_t i)
{
	return shade_from_bits(pk_hash_mix(i ^ 0x9E3779B97F4A7C15U, 0xD6E8FEB86659FD93U));
}

struct name { /* NUL-terminated copy of the part that rules look at */
	char text[512];
	size_t len;
};

static bool has(const struct name *n, const char *part)
{
	return strstr(n->text, part) != NULL;
}

static bool ends(const struct name *n, const char *part)
{
	return pk_ends_with(n->text, part);
}

static bool is_java_path(const char *text)
{
	static const char *const roots[] = {"java/", "javax/", "jdk/", "net/",
					    "org/",  "com/",   "io/",  "sun/"};

	text += *text == 'L';
	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		if (pk_starts_with(text, roots[i]))
			return true;
	}
	return false;
}

static enum pk_flame_palette java_palette(const struct name *n)
{
	if (ends(n, "_[j]"))
		return PK_FLAME_GREEN;
	if (ends(n, "_[i]"))
		return PK_FLAME_AQUA;
	if (is_java_path(n->text) || has(n, ":::"))
		return PK_FLAME_GREEN;
	if (has(n, "::"))
		return PK_FLAME_YELLOW;
	return ends(n, "_[k]") ? PK_FLAME_ORANGE : PK_FLAME_RED;
}

static enum pk_flame_palette js_palette(const struct name *n)
{
	const char *slash = strchr(n->text, '/');

	if (ends(n, "_[j]"))
		return slash ? PK_FLAME_GREEN : PK_FLAME_AQUA;
	if (has(n, "::"))
		return PK_FLAME_YELLOW;
	if (slash && strstr(slash, ".js"))
		return PK_FLAME_GREEN;
	if (has(n, ":"))
		return PK_FLAME_AQUA;
	if (strcmp(n->text, " ") == 0)
		return PK_FLAME_GREEN;
	return has(n, "_[k]") ? PK_FLAME_ORANGE : PK_FLAME_RED;
}

static enum pk_flame_palette perl_palette(const struct name *n)
{
	if (has(n, "::"))
		return PK_FLAME_YELLOW;
	if (has(n, "Perl") || has(n, ".pl"))
		return PK_FLAME_GREEN;
	return ends(n, "_[k]") ? PK_FLAME_ORANGE : PK_FLAME_RED;
}

/* "python3.11", "Python3": where the standard library is, or the interpreter itself. */
static bool is_python(const char *part, size_t len)
{
	if (len < 7 || (part[0] != 'p' && part[0] != 'P') || memcmp(part + 1, "ython", 5) != 0)
		return false;
	return strspn(part + 6, "0123456789.t") >= len - 6;
}

/* Own code is red, libraries are aqua, code that comes with Python is yellow. If the file is not
 * known, the name may contain the path: py-spy's "run (/usr/lib/python3.11/threading.py:975)". */
static enum pk_flame_palette python_palette(const struct name *n, const char *path)
{
	static const char *const own[] = {"<built-in", "<method", "<frozen", "{built-in",
					  "{method"};
	bool standard = false;

	for (const char *part = *path ? path : n->text; *part;) {
		size_t len = strcspn(part, "/\\()");

		if (len == 13 && (memcmp(part, "site-packages", 13) == 0 ||
				  memcmp(part, "dist-packages", 13) == 0))
			return PK_FLAME_AQUA;
		standard |= is_python(part, len);
		for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
			standard |= pk_starts_with(part, own[i]);
		part += len + (part[len] != '\0');
	}
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		standard |= pk_starts_with(n->text, own[i]);
	return standard ? PK_FLAME_YELLOW : PK_FLAME_RED;
}

static enum pk_flame_palette rust_palette(const struct name *n)
{
	const char *text = n->text + strspn(n->text, "<&");

	if (pk_starts_with(text, "core::") || pk_starts_with(text, "std::") ||
	    pk_starts_with(text, "alloc::"))
		return PK_FLAME_ORANGE;
	return has(n, "::") ? PK_FLAME_AQUA : PK_FLAME_YELLOW;
}

static enum pk_flame_palette choose(enum pk_flame_palette palette, const char *text, size_t len,
				    const char *path)
{
	struct name n;

	/* Rules look at the beginning and at the end. */
	n.len = len < sizeof(n.text) ? len : sizeof(n.text) - 1;
	memcpy(n.text, text, n.len);
	if (len > n.len)
		memcpy(n.text + n.len - 8, text + len - 8, 8);
	n.text[n.len] = '\0';
	switch (palette) {
	case PK_FLAME_WAKEUP:
		return PK_FLAME_AQUA;
	case PK_FLAME_CHAIN:
		return ends(&n, "_[w]") ? PK_FLAME_AQUA : PK_FLAME_BLUE;
	case PK_FLAME_JAVA:
		return java_palette(&n);
	case PK_FLAME_JS:
		return js_palette(&n);
	case PK_FLAME_PERL:
		return perl_palette(&n);
	case PK_FLAME_PYTHON:
		return python_palette(&n, path);
	case PK_FLAME_RUST:
		return rust_palette(&n);
	default:
		return palette;
	}
}

uint32_t pk_flame_color(enum pk_flame_palette palette, const char *name, size_t len,
			const char *path, const struct pk_flame_shade *shade)
{
	if (len == 1 && name[0] == '-')
		return rgb(200, 200, 200);
	if (len == 2 && memcmp(name, "--", 2) == 0)
		return rgb(160, 160, 160);
	if (palette > PK_FLAME_SAFE)
		palette = choose(palette, name, len, path);
	if (palette == PK_FLAME_SAFE)
		return color_safe(shade->v[0]);
	return color_in_range(palette, shade);
}

/* From white to a color at its strongest. */
static uint32_t tint(uint32_t color, double part)
{
	double c[3];

	for (int i = 0; i < 3; i++)
		c[i] = 255 - (255 - (color >> (16 - 8 * i) & 255)) * (0.12 + 0.88 * part);
	return rgb(c[0], c[1], c[2]);
}

uint32_t pk_flame_color_change(int64_t change, int64_t most, bool safe)
{
	enum { ORANGE = 0xE66101, BLUE = 0x2166AC };
	double part, pale;

	if (!change || most <= 0)
		return 0xFFFFFF;
	part = fmin(fabs((double)change) / (double)most, 1);
	if (safe)
		return tint(change > 0 ? ORANGE : BLUE, part);
	pale = floor(210 * (1 - part));
	return change > 0 ? rgb(255, pale, pale) : rgb(pale, pale, 255);
}

uint32_t pk_flame_color_share(double share)
{
	double pale = 100 + 150 * (1 - sqrt(fmin(fmax(share, 0), 1)));

	return rgb(255, pale, pale);
}

/* Relative luminance, and contrast, as the Web Content Accessibility Guidelines define them. */
static double linear(uint32_t channel)
{
	double c = channel / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

bool pk_flame_color_is_dark(uint32_t color)
{
	double luminance = 0.2126 * linear(color >> 16 & 255) + 0.7152 * linear(color >> 8 & 255) +
			   0.0722 * linear(color & 255);

	return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05;
}

static const struct pk_flame_background yellow = {0xEEEEEE, 0xEEEEB0}, blue = {0xEEEEEE, 0xE0E0FF},
					green = {0xEEF2EE, 0xE0FFE0}, grey = {0xF8F8F8, 0xE8E8E8};

struct pk_flame_background pk_flame_background_of(enum pk_flame_palette palette)
{
	switch (palette) {
	case PK_FLAME_MEM:
		return green;
	case PK_FLAME_IO:
	case PK_FLAME_WAKEUP:
	case PK_FLAME_CHAIN:
		return blue;
	case PK_FLAME_HOT:
	case PK_FLAME_JAVA:
	case PK_FLAME_JS:
	case PK_FLAME_PERL:
	case PK_FLAME_PYTHON:
	case PK_FLAME_RUST:
		return yellow;
	default:
		return grey;
	}
}

bool pk_flame_background_named(const char *name, struct pk_flame_background *background)
{
	static const struct {
		const char *name;
		const struct pk_flame_background *is;
	} named[] = {{"yellow", &yellow}, {"blue", &blue}, {"green", &green}, {"grey", &grey}};

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		if (strcmp(name, named[i].name) == 0) {
			*background = *named[i].is;
			return true;
		}
	}
	if (name[0] != '#' || strlen(name) != 7 || strspn(name + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	background->top = background->bottom = (uint32_t)strtoul(name + 1, NULL, 16);
	return true;
}
