#include "base/text/python_repr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Python's str.isprintable: false for controls, formats, surrogates, separators, private use. */
static bool is_printable(uint32_t cp)
{
	static const uint32_t ranges[][2] = {
		{0x00, 0x1F},     {0x7F, 0xA0},        {0xAD, 0xAD},     {0x600, 0x605},
		{0x61C, 0x61C},   {0x6DD, 0x6DD},      {0x70F, 0x70F},   {0x1680, 0x1680},
		{0x180E, 0x180E}, {0x2000, 0x200F},    {0x2028, 0x202F}, {0x205F, 0x206F},
		{0x3000, 0x3000}, {0xD800, 0xF8FF},    {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB},
		{0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return false;
	return true;
}

static void repr_char(struct pk_buf *buf, uint32_t cp, char quote)
{
	if (cp == '\n')
		pk_buf_adds(buf, "\\n");
	else if (cp == '\t')
		pk_buf_adds(buf, "\\t");
	else if (cp == '\r')
		pk_buf_adds(buf, "\\r");
	else if (cp == '\\' || cp == (uint32_t)quote)
		pk_buf_addf(buf, "\\%c", (char)cp);
	else if (is_printable(cp))
		pk_buf_addu8(buf, cp);
	else
		pk_buf_addf(buf, cp < 0x100 ? "\\x%02x" : cp < 0x10000 ? "\\u%04x" : "\\U%08x", cp);
}

void pk_python_repr(struct pk_buf *buf, const char *text)
{
	size_t len = strlen(text), i = 0;
	char quote = strchr(text, '\'') && !strchr(text, '"') ? '"' : '\'';

	pk_buf_addc(buf, quote);
	while (i < len) {
		uint32_t cp;
		bool valid;
		size_t n = pk_utf8_decode(text + i, len - i, &cp, &valid);

		/* Python turns bytes of arguments that are not UTF-8 into surrogates */
		repr_char(buf, valid ? cp : 0xDC00U + (uint8_t)text[i], quote);
		i += n;
	}
	pk_buf_addc(buf, quote);
}

void pk_python_repr_float(struct pk_buf *buf, double value)
{
	char text[40] = "";
	int digits;
	const char *e;

	if (!isfinite(value)) {
		pk_buf_adds(buf, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
		return;
	}
	for (digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*e", digits - 1, value);
		if (strtod(text, NULL) == value)
			break;
	}
	e = strchr(text, 'e');
	if (value != 0 && (atoi(e + 1) < -4 || atoi(e + 1) >= 16)) {
		pk_buf_adds(buf, text);
		return;
	}
	digits = digits - 1 - atoi(e + 1);
	pk_buf_addf(buf, "%.*f", digits < 1 ? 1 : digits, value);
}
