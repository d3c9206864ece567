#include "render/xml.h"

static bool is_plain(unsigned char c)
{
	const uint64_t special = 0xFFFFFFFF | 1ULL << '&' | 1ULL << '<' | 1ULL << '>' | 1ULL << '"';

	return (c < 0x7F) & !(special >> (c & 63) & (c < 0x40)); /* without branches */
}

static bool is_xml(uint32_t cp)
{
	if (cp < 0x20)
		return cp == '\t' || cp == '\n' || cp == '\r';
	/* 0x7F to 0x9F are allowed in XML, but have no use except to trick terminals. */
	return !(cp >= 0x7F && cp < 0xA0) && cp != 0xFFFE && cp != 0xFFFF;
}

static void add_special(struct pk_buf *buf, uint32_t cp, bool ascii)
{
	switch (cp) {
	case '&':
		pk_buf_add(buf, "&amp;", 5);
		return;
	case '<':
		pk_buf_add(buf, "&lt;", 4);
		return;
	case '>':
		pk_buf_add(buf, "&gt;", 4);
		return;
	case '"':
		pk_buf_add(buf, "&quot;", 6);
		return;
	}
	if (!is_xml(cp))
		cp = 0xFFFD;
	if (cp < 0x20 || ascii)
		pk_buf_addf(buf, "&#%u;", cp);
	else
		pk_buf_addu8(buf, cp);
}

void pk_xml_text(struct pk_buf *buf, const char *text, size_t len, bool ascii)
{
	size_t from = 0, i = 0;

	while (i < len) {
		uint32_t cp;
		bool valid;

		if (is_plain((unsigned char)text[i])) {
			i++;
			continue;
		}
		pk_buf_add(buf, text + from, i - from);
		i += pk_utf8_decode(text + i, len - i, &cp, &valid);
		add_special(buf, cp, ascii);
		from = i;
	}
	pk_buf_add(buf, text + from, i - from);
}
