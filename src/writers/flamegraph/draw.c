#include "writers/flamegraph/draw.h"

#include <math.h>

#include "writers/flamegraph/assets.h"

void pk_flame_uint(struct pk_buf *buf, uint64_t value)
{
	char digits[20];
	int at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	pk_buf_add(buf, digits + at, sizeof(digits) - (size_t)at);
}

void pk_flame_scaled(struct pk_buf *buf, uint64_t value, int places)
{
	char digits[24];
	int at = sizeof(digits), left = places;

	for (; left && value % 10 == 0; left--)
		value /= 10;
	while (left-- > 0) {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
		if (!left)
			digits[--at] = '.';
	}
	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	pk_buf_add(buf, digits + at, sizeof(digits) - (size_t)at);
}

void pk_flame_px(struct pk_buf *buf, double px)
{
	if (px < 0)
		pk_buf_addc(buf, '-');
	pk_flame_scaled(buf, (uint64_t)llround(fabs(px) * 100), 2);
}

void pk_flame_rgb(struct pk_buf *buf, uint32_t color)
{
	static const char digits[] = "0123456789abcdef";

	pk_buf_addc(buf, '#');
	for (int shift = 20; shift >= 0; shift -= 4)
		pk_buf_addc(buf, digits[color >> shift & 15]);
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

void pk_flame_fit(struct pk_buf *buf, const char *text, size_t len, size_t columns, bool at_end)
{
	if (columns < 3)
		return;
	if (columns_of(text, len, columns) <= columns)
		pk_buf_add(buf, text, len);
	else
		cut_text(buf, text, len, columns - 2, at_end);
}

static void put_stop(struct pk_buf *buf, uint32_t color, const char *offset, const char *class)
{
	pk_buf_addf(buf, "<stop class=\"%s\" offset=\"%s\" stop-color=\"#%06x\"/>", class, offset,
		    color);
}

void pk_flame_gradient(struct pk_buf *buf, const struct pk_flame_background *background)
{
	pk_buf_adds(buf, "<linearGradient id=\"background\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"1\">");
	put_stop(buf, background->top, "5%", "b0");
	put_stop(buf, background->bottom, "95%", "b1");
	pk_buf_adds(buf, "</linearGradient>\n");
}

void pk_flame_styles(struct pk_buf *buf, const char *search_color)
{
	pk_buf_adds(buf, "<style>\n");
	pk_buf_adds(buf, pk_flame_style);
	pk_buf_addf(buf, ".pkfg .m>rect{fill:%s}\n.pkfg .m>text{fill:#000}\n", search_color);
}

void pk_flame_dark(struct pk_buf *buf, bool text)
{
	pk_buf_adds(buf, "@media (prefers-color-scheme:dark){.pkfg .b0{stop-color:#17181c}.pkfg "
			 ".b1{stop-color:#24262d}.pkfg .up>text{fill:#eee}");
	pk_buf_adds(buf, text ? ".pkfg{fill:#e4e4e8}}\n" : "}\n");
}

void pk_flame_put_error(struct pk_output *out, double width, double fontsize, const char *text)
{
	pk_output_printf(out,
			 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
			 "width=\"%g\" height=\"%g\">\n"
			 "<rect width=\"100%%\" height=\"100%%\" fill=\"#eee\"/>\n"
			 "<text x=\"50%%\" y=\"%g\" text-anchor=\"middle\" font-size=\"%g\" "
			 "font-family=\"sans-serif\">%s</text>\n"
			 "</svg>\n",
			 width > 0 ? width : PK_FLAME_WIDTH, fontsize * 5, fontsize * 2,
			 fontsize + 2, text);
}
