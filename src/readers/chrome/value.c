/*
 * The values of an event's members: times, names, numbers, ids.
 *
 *	"ts": 10.5, "dur": 4, "pid": "7", "id": "0x1", "id2": {"local": "0x1"}, "bp": "e"
 */
#include <string.h>

#include "base/num/units.h"
#include "readers/chrome/internal.h"

/* Converts "12.3456" us to ns, rounded half up at the fourth digit; false for other forms. */
static bool plain_time(const char *s, size_t len, int64_t *ns, bool *fraction)
{
	int64_t v = 0, rest = 0;
	size_t i = 0, point;
	bool negative = len && s[0] == '-';
	int digits = 0;

	for (i = negative; i < len && i < 18 && (uint8_t)(s[i] - '0') <= 9; i++)
		v = v * 10 + (s[i] - '0');
	if (i == (size_t)negative || i > 16)
		return false;
	point = i;
	if (i < len && s[i] == '.') {
		for (i++; i < len && digits < 3 && (uint8_t)(s[i] - '0') <= 9; i++, digits++)
			rest = rest * 10 + (s[i] - '0');
		for (; digits < 3; digits++)
			rest *= 10;
		if (i < len && s[i] >= '5' && s[i] <= '9')
			rest++;
		*fraction |= rest != 0;
		while (i < len && i - point < 40 && (uint8_t)(s[i] - '0') <= 9)
			i++;
	}
	if (i != len || v > PK_CHROME_MAX_TIME / 1000 - 1)
		return false;
	*ns = v * 1000 + rest;
	if (negative)
		*ns = -*ns;
	return true;
}

/* Handles exponents and very long numbers; false if it is not a number or too large. */
static bool odd_time(const char *s, size_t len, int64_t *ns, bool *fraction)
{
	bool exact, overflow;
	int64_t v;

	if (pk_parse_decimal(s, len, 4, &v, &exact, &overflow) != len || overflow || !len)
		return false;
	*fraction |= !exact || v % 10000;
	*ns = v < 0 ? -((-v + 5) / 10) : (v + 5) / 10;
	return *ns <= PK_CHROME_MAX_TIME && *ns >= -PK_CHROME_MAX_TIME;
}

/* Converts the last token, a number or a text with a number, from us to ns, rounded; false if it is
 * neither. */
static bool time_of_token(struct pk_chrome *c, int64_t *ns)
{
	const struct pk_json *j = &c->json;

	return (j->token == PK_JSON_NUMBER || j->token == PK_JSON_STRING) &&
	       (plain_time(j->text, j->len, ns, &c->has_fractions) ||
		odd_time(j->text, j->len, ns, &c->has_fractions));
}

uint32_t pk_chrome_string(struct pk_chrome *c)
{
	if (!c->json.escaped)
		return pk_build_string(c->b, c->json.text, c->json.len);
	c->text.len = 0;
	pk_json_unescape(&c->text, c->json.text, c->json.len);
	return pk_build_string(c->b, c->text.data, c->text.len);
}

/* Longer names are ignored. */
#define LONGEST_NAME ((size_t)64 << 10)

/* Reads a name. A number is a name, too; other values are none. */
uint32_t pk_chrome_read_text(struct pk_chrome *c)
{
	enum pk_json_token token = pk_json_next(&c->json);

	if (token == PK_JSON_STRING || token == PK_JSON_NUMBER) {
		if (c->json.len > LONGEST_NAME) {
			c->json.len = LONGEST_NAME;
			c->names_cut++;
		}
		return pk_chrome_string(c);
	}
	pk_json_rest(&c->json);
	return 0;
}

void pk_chrome_read_time(struct pk_chrome *c, int64_t *ns, bool *odd)
{
	if (pk_json_thousandths(&c->json, ns, &c->has_fractions)) {
		*odd = false;
		return;
	}
	pk_json_next(&c->json);
	*odd = !time_of_token(c, ns) && c->json.token != PK_JSON_NULL;
	if (*odd || c->json.token == PK_JSON_NULL)
		*ns = PK_NULL;
	pk_json_rest(&c->json);
}

bool pk_chrome_whole(const char *s, size_t len, int64_t *number)
{
	size_t i = len && s[0] == '-', digits = 0;
	int64_t v = 0;

	for (; i < len && (uint8_t)(s[i] - '0') <= 9 && digits < 18; i++, digits++)
		v = v * 10 + (s[i] - '0');
	*number = s[0] == '-' ? -v : v;
	return digits && i == len;
}

/* Reads a pid or tid. A text that is a number is that number, because some files write both for one
 * thread. */
struct pk_chrome_number pk_chrome_read_number(struct pk_chrome *c)
{
	struct pk_chrome_number n = {0, 0};
	bool exact, overflow;

	pk_json_next(&c->json);
	if (c->json.token != PK_JSON_NUMBER && c->json.token != PK_JSON_STRING) {
		pk_json_rest(&c->json);
		return n;
	}
	if (pk_chrome_whole(c->json.text, c->json.len, &n.number))
		return n;
	if (c->json.token == PK_JSON_NUMBER) { /* such as 12.0 */
		if (!pk_parse_decimal(c->json.text, c->json.len, 0, &n.number, &exact, &overflow))
			n.number = 0;
		return n;
	}
	n.number = PK_NULL;
	n.text = pk_chrome_string(c);
	return n;
}

/* named: also keeps the text. */
struct pk_chrome_id pk_chrome_token_id(struct pk_chrome *c, bool named)
{
	struct pk_chrome_id id = {0, 0, false};
	int64_t number;

	if (c->json.token == PK_JSON_STRING || c->json.token == PK_JSON_NUMBER) {
		/* "12" and 12 are the same. */
		if (pk_chrome_whole(c->json.text, c->json.len, &number))
			id.hash = pk_hash_u64((uint64_t)number);
		else
			id.hash = pk_hash_bytes(c->json.text, c->json.len);
		id.hash += !id.hash;
		if (named)
			id.text = pk_chrome_string(c);
	}
	pk_json_rest(&c->json);
	return id;
}

/* {"local": "0x1"} or {"global": "0x1"} */
struct pk_chrome_id pk_chrome_read_id2(struct pk_chrome *c)
{
	struct pk_chrome_id id = {0, 0, false};

	if (!pk_json_enter(&c->json, PK_JSON_OBJECT))
		return id;
	while (pk_json_next_key(&c->json)) {
		bool global = pk_json_is(&c->json, "global");

		pk_json_next(&c->json);
		id = pk_chrome_token_id(c, true);
		id.global = global;
	}
	return id;
}

char pk_chrome_read_letter(struct pk_chrome *c)
{
	bool text = pk_json_next(&c->json) == PK_JSON_STRING && c->json.len;
	char letter = text ? *c->json.text : 0;

	pk_json_rest(&c->json);
	return letter;
}

/* Reads the weight of a sample as an integer. */
int64_t pk_chrome_token_weight(struct pk_chrome *c)
{
	bool exact, overflow, text = c->json.token == PK_JSON_STRING;
	int64_t weight;

	if ((!text && c->json.token != PK_JSON_NUMBER) ||
	    !pk_parse_decimal(c->json.text, c->json.len, 0, &weight, &exact, &overflow) || overflow)
		weight = PK_NULL;
	pk_json_rest(&c->json);
	return weight;
}

bool pk_chrome_read_flag(struct pk_chrome *c)
{
	enum pk_json_token token = pk_json_next(&c->json);
	bool set =
		token == PK_JSON_TRUE || (token == PK_JSON_STRING && pk_json_is(&c->json, "true"));

	pk_json_rest(&c->json);
	return set;
}
