/* Texts of JSON: escapes undone, and texts of values that are kept as they stand. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/json/write.h"
#include "base/num/units.h"
#include "base/text/ascii.h"

static bool hex4(const char *s, uint32_t *value)
{
	*value = 0;
	for (int i = 0; i < 4; i++) {
		if (pk_hex_digit(s[i]) == 16)
			return false;
		*value = *value << 4 | pk_hex_digit(s[i]);
	}
	return true;
}

/* At "\u": the code point of one escape or of a pair; returns the bytes used. */
static size_t unescape_unicode(struct pk_buf *buf, const char *s, size_t len)
{
	uint32_t high, low;

	if (len < 6 || !hex4(s + 2, &high)) {
		pk_buf_add(buf, s, 2);
		return 2;
	}
	if (high < 0xD800 || high > 0xDFFF) {
		pk_buf_addu8(buf, high);
		return 6;
	}
	if (high <= 0xDBFF && len >= 12 && s[6] == '\\' && s[7] == 'u' && hex4(s + 8, &low) &&
	    low >= 0xDC00 && low <= 0xDFFF) {
		pk_buf_addu8(buf, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
		return 12;
	}
	pk_buf_addu8(buf, 0xFFFD);
	return 6;
}

void pk_json_unescape(struct pk_buf *buf, const char *text, size_t len)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	size_t i = 0;

	while (i < len) {
		const char *slash = memchr(text + i, '\\', len - i), *found;
		size_t plain = slash ? (size_t)(slash - text) - i : len - i;

		pk_buf_add(buf, text + i, plain);
		i += plain;
		if (!slash)
			break;
		if (i + 1 == len) {
			pk_buf_addc(buf, '\\');
			break;
		}
		found = strchr(from, text[i + 1]);
		if (text[i + 1] == 'u') {
			i += unescape_unicode(buf, text + i, len - i);
		} else if (found && *found) {
			pk_buf_addc(buf, to[found - from]);
			i += 2;
		} else {
			pk_buf_add(buf, text + i, 2);
			i += 2;
		}
	}
}

bool pk_json_next_text(struct pk_json *j, struct pk_buf *buf)
{
	buf->len = 0;
	pk_buf_adds(buf, "");
	if (pk_json_next(j) != PK_JSON_STRING) {
		pk_json_rest(j);
		return false;
	}
	if (j->escaped)
		pk_json_unescape(buf, j->text, j->len);
	else
		pk_buf_add(buf, j->text, j->len);
	return true;
}

double pk_json_next_real(struct pk_json *j)
{
	double value = NAN;

	if (pk_json_next(j) == PK_JSON_NUMBER)
		pk_parse_real(j->text, j->len, &value);
	pk_json_rest(j);
	return value;
}

/* Appends the separator and the token. */
static void add_token(struct pk_buf *buf, struct pk_json *j, struct pk_buf *scratch, bool *first)
{
	static const char *const fixed[] = {
		[PK_JSON_OBJECT] = "{",    [PK_JSON_OBJECT_END] = "}", [PK_JSON_ARRAY] = "[",
		[PK_JSON_ARRAY_END] = "]", [PK_JSON_TRUE] = "true",    [PK_JSON_FALSE] = "false",
		[PK_JSON_NULL] = "null"};
	enum pk_json_token token = j->token;

	if (!*first && token != PK_JSON_OBJECT_END && token != PK_JSON_ARRAY_END)
		pk_buf_addc(buf, ',');
	*first = token == PK_JSON_OBJECT || token == PK_JSON_ARRAY || token == PK_JSON_KEY;
	if (token == PK_JSON_NUMBER && pk_json_read_text(j->text, j->len, NULL)) {
		pk_buf_add(buf, j->text, j->len);
	} else if (token == PK_JSON_KEY || token == PK_JSON_STRING || token == PK_JSON_NUMBER) {
		scratch->len = 0;
		pk_json_unescape(scratch, j->text, j->len);
		pk_json_quote(buf, scratch->data, scratch->len);
		if (token == PK_JSON_KEY)
			pk_buf_addc(buf, ':');
	} else {
		pk_buf_adds(buf, fixed[token]);
	}
}

bool pk_json_read_text(const void *text, size_t len, struct pk_buf *mended)
{
	enum { SQLITE_DEPTH = 1000 };
	struct pk_buf scratch = PK_BUF_INIT;
	int documents = 0, deepest = 0;
	bool first = true;
	struct pk_json j;

	pk_json_open_text(&j, text, len);
	while (pk_json_next(&j) > PK_JSON_END) {
		documents += !j.depth;
		deepest = j.depth > deepest ? j.depth : deepest;
		if (mended)
			add_token(mended, &j, &scratch, &first);
	}
	pk_buf_release(&scratch);
	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		if (j.repair[i].count)
			return false;
	return j.token == PK_JSON_END && documents == 1 && deepest < SQLITE_DEPTH;
}
