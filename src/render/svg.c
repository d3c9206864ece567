/*
 * Pictures as SVG: numbers, escaped text, the head with its background in light and dark.
 *
 *	<svg xmlns="http://www.w3.org/2000/svg" class="pkfg" version="1.1" width="1200" ...>
 *	<defs>
 *	<linearGradient id="background" ...>...</linearGradient>
 *	<style>...</style>
 *	</defs>
 *	<rect width="100%" height="100%" fill="url(#background)"/>
 */
#include "render/svg.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/num/units.h"
#include "config.h"
#include "render/xml.h"

void pk_svg_text(struct pk_svg *svg, const char *text)
{
	pk_svg_text_len(svg, text, strlen(text));
}

void pk_svg_text_len(struct pk_svg *svg, const char *text, size_t len)
{
	pk_xml_text(&svg->buf, text, len, svg->ascii);
}

void pk_svg_uint(struct pk_svg *svg, uint64_t value)
{
	pk_svg_scaled(svg, value, 0);
}

void pk_svg_count(struct pk_svg *svg, uint64_t count, const char *one, const char *more)
{
	pk_format_count(&svg->buf, (int64_t)count);
	pk_svg_put(svg, count == 1 ? one : more);
}

void pk_svg_scaled(struct pk_svg *svg, uint64_t value, int places)
{
	pk_format_decimal(&svg->buf, (int64_t)value, places);
}

void pk_svg_px(struct pk_svg *svg, double px)
{
	if (px < 0)
		pk_buf_addc(&svg->buf, '-');
	pk_svg_scaled(svg, (uint64_t)llround(fabs(px) * 100), 2);
}

void pk_svg_rgb(struct pk_svg *svg, uint32_t color)
{
	static const char digits[] = "0123456789abcdef";

	pk_buf_addc(&svg->buf, '#');
	for (int shift = 20; shift >= 0; shift -= 4)
		pk_buf_addc(&svg->buf, digits[color >> shift & 15]);
}

void pk_svg_attr(struct pk_svg *svg, const char *name, const char *text)
{
	pk_buf_addf(&svg->buf, " %s=\"", name);
	pk_svg_text(svg, text);
	pk_buf_addc(&svg->buf, '"');
}

static void pk_svg_attr_px(struct pk_svg *svg, const char *name, double px)
{
	pk_buf_addf(&svg->buf, " %s=\"", name);
	pk_svg_px(svg, px);
	pk_buf_addc(&svg->buf, '"');
}

void pk_svg_line(struct pk_svg *svg, double x1, double y1, double x2, double y2)
{
	pk_svg_format(svg, "<line x1=\"%p\" y1=\"%p\" x2=\"%p\" y2=\"%p\"/>\n", x1, y1, x2, y2);
}

void pk_svg_format(struct pk_svg *svg, const char *format, ...)
{
	const char *next;
	va_list args;

	va_start(args, format);
	for (; (next = strchr(format, '%')); format = next + 2) {
		pk_buf_add(&svg->buf, format, (size_t)(next - format));
		if (next[1] == 's')
			pk_svg_put(svg, va_arg(args, const char *));
		else if (next[1] == 't')
			pk_svg_text(svg, va_arg(args, const char *));
		else if (next[1] == 'p')
			pk_svg_px(svg, va_arg(args, double));
		else if (next[1] == 'q')
			pk_svg_scaled(svg, (uint64_t)llround(va_arg(args, double) * 1e8), 6);
		else if (next[1] == 'c')
			pk_svg_rgb(svg, va_arg(args, uint32_t));
		else
			pk_buf_addc(&svg->buf, '%');
	}
	va_end(args);
	pk_buf_adds(&svg->buf, format);
}

/* Places in columns of letters: wide characters take two. */
static size_t columns_of(const char *text, size_t len, size_t most)
{
	size_t columns = 0;
	uint32_t cp;
	bool valid;

	for (size_t i = 0; i < len && columns <= most;) {
		i += pk_utf8_decode(text + i, len - i, &cp, &valid);
		columns += (size_t)pk_utf8_columns(cp);
	}
	return columns;
}

/* The first or last characters of text that take at most `room` columns. */
static void cut_text(struct pk_buf *buf, const char *text, size_t len, size_t room, bool at_end)
{
	size_t columns = columns_of(text, len, len), from = 0, i = 0;
	uint32_t cp;
	bool valid;

	if (!at_end)
		pk_buf_adds(buf, "..");
	while (!at_end && from < len && columns > room) {
		from += pk_utf8_decode(text + from, len - from, &cp, &valid);
		columns -= (size_t)pk_utf8_columns(cp);
	}
	for (i = from; at_end && i < len;) {
		size_t step = pk_utf8_decode(text + i, len - i, &cp, &valid);
		size_t wide = (size_t)pk_utf8_columns(cp);

		if (wide > room)
			break;
		room -= wide;
		i += step;
	}
	pk_buf_add(buf, text + from, (at_end ? i : len) - from);
	if (at_end)
		pk_buf_adds(buf, "..");
}

void pk_svg_fit(struct pk_buf *buf, const char *text, size_t len, size_t columns, bool at_end)
{
	if (columns < 3)
		return;
	if (columns_of(text, len, columns) <= columns)
		pk_buf_add(buf, text, len);
	else
		cut_text(buf, text, len, columns - 2, at_end);
}

void pk_svg_begin(struct pk_svg *svg, const struct pk_svg_head *head)
{
	const char *font = head->font ? head->font : PK_SVG_FONT;

	pk_buf_addf(&svg->buf, "<?xml version=\"1.0\" encoding=\"%s\"?>\n",
		    head->encoding ? head->encoding : "UTF-8");
	pk_svg_put(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
	if (head->links)
		pk_svg_put(svg, " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
	pk_svg_put(svg, " class=\"pkfg\" version=\"1.1\"");
	pk_svg_attr_px(svg, "width", head->width);
	pk_svg_attr_px(svg, "height", head->height);
	pk_svg_put(svg, " viewBox=\"0 0 ");
	pk_svg_px(svg, head->width);
	pk_svg_put(svg, " ");
	pk_svg_px(svg, head->height);
	pk_svg_put(svg, "\" font-family=\"");
	pk_svg_text(svg, font);
	if (strcmp(font, PK_SVG_FONT) == 0)
		pk_svg_put(svg, ", 'DejaVu Sans', sans-serif");
	pk_svg_put(svg, "\"");
	pk_svg_attr_px(svg, "font-size", head->font_size);
	pk_svg_attr(svg, "fill", head->fill ? head->fill : "#000");
	pk_svg_attr(svg, "role", head->role);
	pk_svg_attr(svg, "aria-label", head->label);
	pk_svg_attr(svg, "data-profkit", PACKAGE_VERSION);
}

void pk_svg_begin_defs(struct pk_svg *svg, uint32_t top, uint32_t bottom)
{
	pk_buf_addf(&svg->buf,
		    "<defs>\n<linearGradient id=\"background\" x1=\"0\" x2=\"0\" y1=\"0\" "
		    "y2=\"1\"><stop class=\"b0\" offset=\"5%%\" stop-color=\"#%06x\"/>"
		    "<stop class=\"b1\" offset=\"95%%\" stop-color=\"#%06x\"/></linearGradient>\n",
		    top, bottom);
}

void pk_svg_end_defs(struct pk_svg *svg, bool dark, bool light_text)
{
	if (dark)
		pk_svg_put(svg, "@media (prefers-color-scheme:dark){.pkfg .b0{stop-color:#17181c}"
				".pkfg .b1{stop-color:#24262d}.pkfg .up>text{fill:#eee}");
	if (dark)
		pk_svg_put(svg, light_text ? ".pkfg{fill:#e4e4e8}}\n" : "}\n");
	pk_svg_put(svg, "</style>\n</defs>\n<rect width=\"100%\" height=\"100%\" "
			"fill=\"url(#background)\"/>\n");
}

void pk_svg_flush(struct pk_svg *svg)
{
	pk_output_drain(svg->out, &svg->buf, 60000);
}

void pk_svg_end(struct pk_svg *svg)
{
	pk_svg_put(svg, "</svg>\n");
	pk_output_write(svg->out, svg->buf.data, svg->buf.len);
	pk_buf_release(&svg->buf);
}
