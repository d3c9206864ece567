/*
 * The JSON tokenizer over windows of an input: one token after the other, strings and numbers
 * where they stand, with repairs.
 */
#include "base/json/internal.h"

#include <stdio.h>
#include <string.h>

#include "base/text/ascii.h"

const char *const pk_json_repair_names[PK_JSON_REPAIRS] = {
	[PK_JSON_COMMA] = "comma too many or missing",
	[PK_JSON_CONTROL] = "raw control character in a string",
	[PK_JSON_ESCAPE] = "backslash that begins no escape, kept",
	[PK_JSON_UTF8] = "string that is not UTF-8, kept",
	[PK_JSON_INFINITE] = "number that is not finite",
	[PK_JSON_ZERO] = "number that is not written as JSON wants it",
	[PK_JSON_CUT] = "the end of the file is missing",
};

static enum pk_json_token fail(struct pk_json *j, const char *what);
static enum pk_json_token value(struct pk_json *j);

void pk_json_open(struct pk_json *j, struct pk_input *in)
{
	memset(j, 0, offsetof(struct pk_json, after));
	j->in = in;
	j->expect = j->after[0] = TOP;
	j->token = PK_JSON_NULL;
}

void pk_json_open_text(struct pk_json *j, const void *text, size_t len)
{
	pk_json_open(j, NULL);
	j->window = j->at = j->fast = text;
	j->end = len;
	j->last = true;
	if (len > PK_JSON_ROOM)
		j->fast += len - PK_JSON_ROOM;
}

void pk_json_open_within(struct pk_json *j, struct pk_input *in, int depth)
{
	pk_json_open(j, in);
	memset(j->after, AFTER_ITEM, (size_t)depth + 1);
	j->depth = depth;
	j->expect = AFTER_ITEM;
}

void pk_json_skip_to(struct pk_json *j, uint64_t offset)
{
	pk_input_skip(j->in, offset - pk_input_offset(j->in));
	j->window = pk_input_peek(j->in, 0, &j->end);
	j->at = j->fast = j->window;
	j->pos = 0;
	j->last = false;
	j->list = NULL;
}

static uint64_t offset_of(const struct pk_json *j, size_t pos)
{
	return (j->in ? pk_input_offset(j->in) : 0) + pos;
}

uint64_t pk_json_offset(const struct pk_json *j)
{
	return offset_of(j, (size_t)(j->at - j->window));
}

static void repair_at(struct pk_json *j, enum pk_json_repair what, size_t pos)
{
	if (!j->repair[what].count++)
		j->repair[what].first = offset_of(j, pos);
}

static void repair(struct pk_json *j, enum pk_json_repair what)
{
	repair_at(j, what, j->pos);
}

/*
 * Makes sure that `ahead` bytes from pos on are in the window, or that the input ends. Bytes
 * before `from` are dropped, unless a record that begins earlier is kept. Returns how far
 * positions in the window moved back.
 */
static size_t refill(struct pk_json *j, size_t from, size_t ahead)
{
	size_t drop, avail, want;

	if (j->marked && j->pos - j->mark > j->keep_limit)
		j->marked = false;
	drop = j->marked ? j->mark : from;
	want = j->pos - drop + ahead;
	if (want <= j->end - drop || j->last)
		return 0;
	if (drop)
		pk_input_take(j->in, drop);
	j->mark -= j->marked ? drop : 0;
	j->window = pk_input_peek(j->in, want, &avail);
	j->last = avail < want;
	j->end = avail;
	j->pos -= drop;
	j->list = NULL;
	return drop;
}

static bool at_end(struct pk_json *j)
{
	if (j->pos < j->end)
		return false;
	refill(j, j->pos, 1);
	return j->pos == j->end;
}

static bool skip_space(struct pk_json *j)
{
	for (;;) {
		while (j->pos < j->end) {
			if (!pk_json_is_space(j->window[j->pos]))
				return true;
			j->pos++;
		}
		if (at_end(j))
			return false;
	}
}

static void describe(char *out, size_t size, const struct pk_json *j)
{
	uint8_t c = j->pos < j->end ? j->window[j->pos] : 0;

	if (j->pos >= j->end)
		snprintf(out, size, "the end of the file");
	else if (c > ' ' && c < 0x7F)
		snprintf(out, size, "'%c'", c);
	else
		snprintf(out, size, "byte 0x%02x", c);
}

static enum pk_json_token fail(struct pk_json *j, const char *what)
{
	char found[32];

	describe(found, sizeof(found), j);
	pk_fail(&j->error, PK_EFORMAT, "byte %llu: %s expected in JSON, not %s",
		(unsigned long long)offset_of(j, j->pos), what, found);
	return j->token = PK_JSON_ERROR;
}

static enum pk_json_token open_container(struct pk_json *j, bool object)
{
	if (j->depth + 1 >= PK_JSON_DEPTH) {
		pk_fail(&j->error, PK_ELIMIT, "byte %llu: JSON nested deeper than %d",
			(unsigned long long)offset_of(j, j->pos), PK_JSON_DEPTH);
		return j->token = PK_JSON_ERROR;
	}
	pk_json_open_container(j, object);
	j->pos++;
	return j->token;
}

static void value_done(struct pk_json *j)
{
	j->expect = j->after[j->depth];
}

static enum pk_json_token close_container(struct pk_json *j)
{
	pk_json_close_container(j);
	return j->token;
}

/*
 * Moves from pos to the first quote, backslash or control character, or to the end of the
 * window. Returns true if bytes beyond ASCII were passed.
 */
static bool scan_string(struct pk_json *j)
{
	const uint8_t *s = j->window;
	size_t i = j->pos;
	bool beyond = false;

#ifdef USE_SSE2
	const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
	const __m128i control = _mm_set1_epi8(0x1F);

	for (; i + 16 <= j->end; i += 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)(s + i));
		__m128i low = _mm_cmpeq_epi8(_mm_max_epu8(x, control), control);
		__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(x, quote), _mm_cmpeq_epi8(x, slash));
		int mask = _mm_movemask_epi8(_mm_or_si128(hit, low)), high = _mm_movemask_epi8(x);

		if (mask) {
			int first = __builtin_ctz((unsigned)mask);

			j->pos = i + (size_t)first;
			return beyond || (high & ((1 << first) - 1));
		}
		beyond |= high != 0;
	}
#endif
	for (; i < j->end && s[i] != '"' && s[i] != '\\' && s[i] > 0x1F; i++)
		beyond |= s[i] >= 0x80;
	j->pos = i;
	return beyond;
}

static bool is_hex(const uint8_t *s)
{
	return (pk_hex_digit(s[0]) | pk_hex_digit(s[1]) | pk_hex_digit(s[2]) | pk_hex_digit(s[3])) <
	       16;
}

/* At a backslash: passes it and the escaped character. Returns false if the input ends. */
static bool pass_escape(struct pk_json *j, size_t *start)
{
	uint8_t c;

	j->escaped = true;
	if (j->end - j->pos < 6)
		*start -= refill(j, *start, 6);
	if (j->end - j->pos < 2)
		return false;
	c = j->window[j->pos + 1];
	if (!memchr("\"\\/bfnrtu", c, 9))
		repair(j, PK_JSON_ESCAPE);
	else if (c == 'u' && (j->end - j->pos < 6 || !is_hex(j->window + j->pos + 2)))
		repair(j, PK_JSON_ESCAPE);
	/* a control character is left to the scan */
	j->pos += c > 0x1F ? 2 : 1;
	return true;
}

static enum pk_json_token cut(struct pk_json *j)
{
	if (!j->repair[PK_JSON_CUT].count)
		repair(j, PK_JSON_CUT);
	if (j->depth)
		return close_container(j);
	return j->token = PK_JSON_END;
}

/* At an opening quote. A string cut off by the end of the input is no token. */
static enum pk_json_token string(struct pk_json *j, enum pk_json_token token)
{
	size_t start = ++j->pos;
	bool beyond = false;

	j->escaped = false;
	for (;;) {
		beyond |= scan_string(j);
		if (j->pos == j->end) {
			if (j->last)
				return cut(j);
			start -= refill(j, start, 1);
		} else if (j->window[j->pos] == '"') {
			break;
		} else if (j->window[j->pos] == '\\') {
			if (!pass_escape(j, &start)) {
				j->pos = j->end;
				return cut(j);
			}
		} else {
			repair(j, PK_JSON_CONTROL);
			j->pos++;
		}
	}
	j->text = (const char *)j->window + start;
	j->len = j->pos - start;
	if (beyond && !pk_utf8_valid(j->text, j->len))
		repair_at(j, PK_JSON_UTF8, start);
	j->pos++;
	return j->token = token;
}

static bool is_number_byte(uint8_t c)
{
	return pk_is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Tests for -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?; *shape false: a number in another
 * form. */
static bool check_number(const char *s, size_t len, bool *shape)
{
	size_t i = 0, whole, fraction = 0, digits;
	bool plus = false, dot = false;

	if (i < len && (s[i] == '-' || s[i] == '+'))
		plus = s[i++] == '+';
	whole = i;
	for (; i < len && pk_is_digit(s[i]); i++)
		;
	whole = i - whole;
	*shape = !plus && whole && (whole == 1 || s[i - whole] != '0');
	if (i < len && s[i] == '.') {
		dot = true;
		fraction = ++i;
		for (; i < len && pk_is_digit(s[i]); i++)
			;
		fraction = i - fraction;
		*shape &= fraction > 0;
	}
	if (!whole && !(dot && fraction))
		return false;
	if (i < len && (s[i] == 'e' || s[i] == 'E')) {
		i++;
		if (i < len && (s[i] == '-' || s[i] == '+'))
			i++;
		for (digits = i; i < len && pk_is_digit(s[i]); i++)
			;
		if (i == digits)
			return false;
	}
	return i == len;
}

static enum pk_json_token number(struct pk_json *j)
{
	size_t start = j->pos;
	bool shape;

	for (;;) {
		while (j->pos < j->end && is_number_byte(j->window[j->pos]))
			j->pos++;
		if (j->pos < j->end || j->last)
			break;
		start -= refill(j, start, 1);
	}
	/* a number at the end of a cut input may lack digits, so it is not used */
	if (j->pos == j->end && j->depth)
		return cut(j);
	j->text = (const char *)j->window + start;
	j->len = j->pos - start;
	j->escaped = false;
	if (!check_number(j->text, j->len, &shape)) {
		j->pos = start;
		return fail(j, "number");
	}
	if (!shape)
		repair_at(j, PK_JSON_ZERO, start);
	value_done(j);
	return j->token = PK_JSON_NUMBER;
}

static enum pk_json_token word(struct pk_json *j)
{
	static const struct {
		const char *text;
		enum pk_json_token token;
	} words[] = {{"true", PK_JSON_TRUE},        {"false", PK_JSON_FALSE},
		     {"null", PK_JSON_NULL},        {"NaN", PK_JSON_NUMBER},
		     {"nan", PK_JSON_NUMBER},       {"Infinity", PK_JSON_NUMBER},
		     {"-Infinity", PK_JSON_NUMBER}, {"-NaN", PK_JSON_NUMBER}};
	size_t i, len;

	refill(j, j->pos, 10);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		len = strlen(words[i].text);
		if (j->end - j->pos < len || memcmp(j->window + j->pos, words[i].text, len))
			continue;
		if (words[i].token == PK_JSON_NUMBER)
			repair(j, PK_JSON_INFINITE);
		j->text = (const char *)j->window + j->pos;
		j->len = len;
		j->pos += len;
		value_done(j);
		return j->token = words[i].token;
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		len = j->end - j->pos;
		if (j->last && len < strlen(words[i].text) &&
		    !memcmp(j->window + j->pos, words[i].text, len)) {
			j->pos = j->end;
			return cut(j);
		}
	}
	return fail(j, "value");
}

static enum pk_json_token value(struct pk_json *j)
{
	uint8_t c = j->window[j->pos];

	if (c == '"') {
		enum pk_json_token token = string(j, PK_JSON_STRING);

		if (token == PK_JSON_STRING)
			value_done(j);
		return token;
	}
	if (c == '{' || c == '[')
		return open_container(j, c == '{');
	refill(j, j->pos, 2);
	c = j->window[j->pos];
	if (c == '-' && j->pos + 1 < j->end && (j->window[j->pos + 1] | 0x20) >= 'a')
		return word(j);
	if (c == '-' || c == '+' || c == '.' || pk_is_digit(c))
		return number(j);
	return word(j);
}

static enum pk_json_token key(struct pk_json *j)
{
	enum pk_json_token token;
	size_t start, len;

	if (j->window[j->pos] != '"')
		return fail(j, "key");
	token = string(j, PK_JSON_KEY);
	if (token != PK_JSON_KEY)
		return token;
	/* the colon may be in the next window, so keep the text */
	start = (size_t)((const uint8_t *)j->text - j->window);
	len = j->len;
	for (;;) {
		while (j->pos < j->end && pk_json_is_space(j->window[j->pos]))
			j->pos++;
		if (j->pos < j->end || j->last)
			break;
		start -= refill(j, start, 1);
	}
	if (j->pos == j->end)
		return cut(j);
	if (j->window[j->pos] != ':')
		return fail(j, "':'");
	j->pos++;
	j->text = (const char *)j->window + start;
	j->len = len;
	j->expect = VALUE;
	return j->token = PK_JSON_KEY;
}

/* Between two values of a container, after blanks. */
static enum pk_json_token next_in_container(struct pk_json *j)
{
	bool object = j->after[j->depth] == AFTER_MEMBER, comma = false;
	bool after_value = j->expect == j->after[j->depth];
	char end = object ? '}' : ']';

	while (j->window[j->pos] == ',') {
		if (comma || !after_value)
			repair(j, PK_JSON_COMMA);
		comma = true;
		j->pos++;
		if (!skip_space(j))
			return cut(j);
	}
	if (j->window[j->pos] == (uint8_t)end) {
		if (comma && after_value)
			repair(j, PK_JSON_COMMA);
		j->pos++;
		return close_container(j);
	}
	if (!comma && after_value) {
		uint8_t c = j->window[j->pos];

		/* programs that write one file twice leave "}{"; anything else is an error */
		if (c != '{' && c != '"' && c != '[')
			return fail(j, object ? "',' or '}'" : "',' or ']'");
		repair(j, PK_JSON_COMMA);
	}
	return object ? key(j) : value(j);
}

static void any_token(struct pk_json *j)
{
	if (skip_space(j)) {
		if (j->expect == VALUE || j->expect == TOP)
			value(j);
		else
			next_in_container(j);
	} else if (!j->depth && j->expect == TOP) {
		j->token = PK_JSON_END;
	} else {
		cut(j);
	}
}

enum pk_json_token pk_json_slow_next(struct pk_json *j)
{
	if (j->token == PK_JSON_ERROR)
		return PK_JSON_ERROR;
	j->pos = (size_t)(j->at - j->window);
	any_token(j);
	j->at = j->window + j->pos;
	j->fast = j->window;
	if (j->token != PK_JSON_ERROR && j->end > PK_JSON_ROOM)
		j->fast += j->end - PK_JSON_ROOM;
	return j->token;
}

bool pk_json_begins_item(const uint8_t *s, const uint8_t *end, const char *const *keys)
{
	bool open = false;

	for (; s < end && (pk_json_is_space(*s) || *s == ',' || *s == '{'); s++)
		open |= *s == '{';
	if (!open || s == end || *s++ != '"')
		return false;
	for (; *keys; keys++) {
		size_t len = strlen(*keys);

		if ((size_t)(end - s) > len && !memcmp(s, *keys, len) && s[len] == '"')
			return true;
	}
	return false;
}

bool pk_json_resume(struct pk_json *j, int depth, const char *const *keys)
{
	enum { AHEAD = 200 };
	const uint8_t *brace;

	if (j->token != PK_JSON_ERROR || j->depth < depth)
		return false;
	j->marked = false;
	j->pos = (size_t)(j->at - j->window);
	for (;;) {
		refill(j, j->pos, AHEAD);
		brace = memchr(j->window + j->pos, '}', j->end - j->pos);
		j->pos = brace ? (size_t)(brace - j->window) + 1 : j->end;
		if (!brace && j->last)
			break;
		refill(j, j->pos, AHEAD);
		if (brace && pk_json_begins_item(j->window + j->pos, j->window + j->end, keys))
			break;
	}
	j->at = j->fast = j->window + j->pos;
	if (!brace)
		return false;
	j->depth = depth;
	j->expect = AFTER_ITEM;
	j->token = PK_JSON_NULL;
	return true;
}

bool pk_json_rest(struct pk_json *j)
{
	int depth = j->depth;

	if (j->token == PK_JSON_OBJECT || j->token == PK_JSON_ARRAY)
		while (j->depth >= depth && j->token > PK_JSON_END)
			pk_json_next(j);
	return j->token > PK_JSON_END;
}

bool pk_json_skip(struct pk_json *j)
{
	return pk_json_next(j) > PK_JSON_END && pk_json_rest(j);
}

bool pk_json_enter(struct pk_json *j, enum pk_json_token container)
{
	if (pk_json_next(j) == container)
		return true;
	pk_json_rest(j);
	return false;
}

void pk_json_begin(struct pk_json *j, size_t limit)
{
	j->marked = true;
	j->mark = (size_t)(j->at - j->window);
	j->keep_limit = limit;
}

const char *pk_json_written(const struct pk_json *j, size_t *len)
{
	*len = j->marked ? (size_t)(j->at - j->window) - j->mark : 0;
	return j->marked ? (const char *)j->window + j->mark : NULL;
}

void pk_json_finish(struct pk_json *j)
{
	j->marked = false;
}
