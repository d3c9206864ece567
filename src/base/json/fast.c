/*
 * The fast path of the tokenizer: tokens that are plain and far enough from the end of the window.
 * The others are left to pk_json_slow_next (json.c), which knows repairs and gets more of the
 * input: so *j does not change here before a token is complete.
 *
 * What a token costs is its number of instructions, so a table lookup stands where
 * several comparisons would.
 */
#include <string.h>

#include "base/json/digits.h"

/* A bit mask over 16 bytes: set at the first quote, backslash, control character or byte beyond
 * ASCII, and at some of the later ones. */
static FAST unsigned string_ends(const uint8_t *s)
{
#ifdef USE_SSE2
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);
	__m128i hit = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')),
				   _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));

	/* Bytes beyond ASCII are negative as signed numbers, so this comparison finds them, too. */
	hit = _mm_or_si128(hit, _mm_cmplt_epi8(x, _mm_set1_epi8(' ')));
	return (unsigned)_mm_movemask_epi8(hit);
#else
	unsigned i;

	for (i = 0; i < STEP; i++)
		if (s[i] == '"' || s[i] == '\\' || s[i] < ' ' || s[i] >= 0x80)
			return 1U << i;
	return 0;
#endif
}

/* Returns s + n, where n was computed from the bytes at s. As an addition, the next token would
 * wait for that chain of loads and comparisons. As a branch, n is predicted by the processor,
 * mostly correctly because lengths repeat, and the work on several tokens overlaps. */
#define STEP_BY(n)                     \
	case n:                        \
		s += (n);              \
		__asm__("" : "+r"(s)); \
		break
static FAST const uint8_t *step(const uint8_t *s, unsigned n)
{
	switch (n) {
		STEP_BY(0);
		STEP_BY(1);
		STEP_BY(2);
		STEP_BY(3);
		STEP_BY(4);
		STEP_BY(5);
		STEP_BY(6);
		STEP_BY(7);
		STEP_BY(8);
		STEP_BY(9);
		STEP_BY(10);
		STEP_BY(11);
		STEP_BY(12);
		STEP_BY(13);
		STEP_BY(14);
		STEP_BY(15);
	default:
		__builtin_unreachable();
	}
	return s;
}

/* Skips blanks; NULL if too near to the end of the window. */
static FAST const uint8_t *pass_space(const uint8_t *s, const uint8_t *limit)
{
	while (pk_json_is_space(*s))
		if (++s >= limit)
			return NULL;
	return s;
}

/* From an opening quote to the closing one; NULL if the string needs the slow path. Strings with
 * bytes beyond ASCII take the slow path, too: a call here would slow down all strings. */
static FAST const uint8_t *pass_string(const uint8_t *s, const uint8_t *limit)
{
	unsigned ends;

	for (s++; !(ends = string_ends(s)); s += STEP)
		if (s >= limit)
			return NULL;
	s = step(s, (unsigned)__builtin_ctz(ends));
	return *s == '"' ? s : NULL;
}

/* Skips digits, and a fraction if there is one. */
static FAST const uint8_t *pass_number(const uint8_t *s, const uint8_t *limit)
{
	unsigned n;

	if (*s == '-')
		s++;
	n = digits_at(s);
	if (n - 1 >= STEP - 1 || (*s == '0' && n > 1))
		return NULL;
	s = step(s, n);
	if (ends_number(*s))
		return s;
	if (*s++ != '.' || !(n = digits_at(s)))
		return NULL;
	for (; n == STEP; n = digits_at(s))
		if ((s += n) >= limit)
			return NULL;
	s = step(s, n);
	return ends_number(*s) ? s : NULL;
}

static FAST enum pk_json_token done(struct pk_json *j, const uint8_t *s, enum pk_json_token token,
				    enum expect expect)
{
	j->at = s;
	j->expect = (int)expect;
	return j->token = token;
}

static FAST void done_text(struct pk_json *j, const uint8_t *start, const uint8_t *end)
{
	j->text = (const char *)start;
	j->len = (size_t)(end - start);
	j->escaped = false;
}

static FAST enum pk_json_token word(struct pk_json *j, const uint8_t *s, enum expect after)
{
	if (!memcmp(s, "true", 4))
		return done(j, s + 4, PK_JSON_TRUE, after);
	if (!memcmp(s, "null", 4))
		return done(j, s + 4, PK_JSON_NULL, after);
	if (!memcmp(s, "false", 5))
		return done(j, s + 5, PK_JSON_FALSE, after);
	return pk_json_slow_next(j);
}

static FAST enum pk_json_token open_container(struct pk_json *j, const uint8_t *s)
{
	if (j->depth + 1 >= PK_JSON_DEPTH)
		return pk_json_slow_next(j);
	pk_json_open_container(j, *s == '{');
	j->at = s + 1;
	return j->token;
}

static FAST enum pk_json_token close_container(struct pk_json *j, const uint8_t *s)
{
	pk_json_close_container(j);
	j->at = s + 1;
	return j->token;
}

static FAST enum pk_json_token value(struct pk_json *j, const uint8_t *s, enum expect after)
{
	const uint8_t *end;

	if (*s == '"') {
		end = pass_string(s, j->fast);
		if (!end)
			return pk_json_slow_next(j);
		done_text(j, s + 1, end);
		return done(j, end + 1, PK_JSON_STRING, after);
	}
	if ((uint8_t)(*s - '0') <= 9 || *s == '-') {
		end = pass_number(s, j->fast);
		if (!end)
			return pk_json_slow_next(j);
		done_text(j, s, end);
		return done(j, end, PK_JSON_NUMBER, after);
	}
	if ((*s | 0x20) == '{')
		return open_container(j, s);
	return word(j, s, after);
}

/* Reads a key; s is at its opening quote. */
static FAST enum pk_json_token key(struct pk_json *j, const uint8_t *s)
{
	const uint8_t *end = pass_string(s, j->fast), *colon;

	if (!end)
		return pk_json_slow_next(j);
	colon = end + 1;
	if (*colon != ':' && (!(colon = pass_space(colon, j->fast)) || *colon != ':'))
		return pk_json_slow_next(j);
	done_text(j, s + 1, end);
	return done(j, colon + 1, PK_JSON_KEY, VALUE);
}

enum pk_json_token pk_json_next(struct pk_json *j)
{
	const uint8_t *s = j->at;

	if (s >= j->fast || (*s <= ' ' && !(s = pass_space(s, j->fast))))
		return pk_json_slow_next(j);
	switch ((enum expect)j->expect) {
	case VALUE:
		return value(j, s, AFTER_MEMBER);
	case AFTER_MEMBER:
		if (*s == '}')
			return close_container(j, s);
		if (*s != ',' || (*++s <= ' ' && !(s = pass_space(s, j->fast))) || *s != '"')
			break;
		return key(j, s);
	case AFTER_ITEM:
		if (*s == ']')
			return close_container(j, s);
		if (*s != ',' || (*++s <= ' ' && !(s = pass_space(s, j->fast))))
			break;
		return value(j, s, AFTER_ITEM);
	case KEY_OR_END:
		if (*s == '"')
			return key(j, s);
		if (*s == '}')
			return close_container(j, s);
		break;
	case ITEM_OR_END:
		if (*s == ']')
			return close_container(j, s);
		return value(j, s, AFTER_ITEM);
	case TOP:
		break;
	}
	return pk_json_slow_next(j);
}

/* The value of the n digits before s; 16 bytes before s can be read. */
static FAST int64_t whole_before(const uint8_t *s, unsigned n)
{
	return n > 8 ? number_before(s - 8, n - 8) * (int64_t)100000000 + number_before(s, 8)
		     : number_before(s, n);
}

/* The first three digits of a fraction of n, with the fourth rounded. */
static FAST int64_t thousandths(const uint8_t *s, unsigned n)
{
	unsigned digit[4] = {0, 0, 0, 0}, i;

	for (i = 0; i < 4; i++)
		digit[i] = i < n ? (unsigned)s[i] - '0' : 0;
	return digit[0] * 100 + digit[1] * 10 + digit[2] + (digit[3] >= 5);
}

bool pk_json_thousandths(struct pk_json *j, int64_t *value, bool *fraction)
{
	const uint8_t *s = j->at;
	unsigned n, m;
	int64_t whole, rest = 0;

	if (s >= j->fast || s - j->window < STEP || j->expect != VALUE ||
	    (*s <= ' ' && !(s = pass_space(s, j->fast))))
		return false;
	n = digits_at(s);
	if (n - 1 >= STEP - 1 || (*s == '0' && n > 1))
		return false;
	s += n;
	whole = whole_before(s, n) * 1000;
	if (*s == '.') {
		m = digits_at(++s);
		if (m - 1 >= STEP - 1)
			return false;
		rest = thousandths(s, m);
		s = step(s, m);
	}
	if (!ends_number(*s))
		return false;
	*value = whole + rest;
	*fraction |= rest != 0;
	done(j, s, PK_JSON_NUMBER, AFTER_MEMBER);
	return true;
}
