/*
 * 64 bytes at once become masks of a bit for each byte: quotes, brackets, what is in strings.
 * pk_json_extent copes with all that may stand in a text; pk_json_pass, which may leave what is odd
 * to pk_json_rest, does so.
 */
#include "base/json/extent.h"

#include <stdint.h>
#include <string.h>

#include "base/json/internal.h"

struct block {
	uint64_t quote, backslash, open, close;
	uint64_t control; /* belongs in no string */
	uint64_t odd;     /* backslashes, and bytes beyond ASCII */
};

#ifdef USE_SSE2
static inline __attribute__((always_inline)) void see_16(struct block *b, const char *s, int at)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);
	__m128i lower = _mm_or_si128(x, _mm_set1_epi8(0x20)); /* [ is { then, and ] is } */
	__m128i control = _mm_cmpeq_epi8(_mm_max_epu8(x, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));
	__m128i backslash = _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'));

	b->quote |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << at;
	b->backslash |= (uint64_t)_mm_movemask_epi8(backslash) << at;
	b->open |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lower, _mm_set1_epi8('{'))) << at;
	b->close |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lower, _mm_set1_epi8('}'))) << at;
	b->control |= (uint64_t)_mm_movemask_epi8(control) << at;
	b->odd |= (uint64_t)_mm_movemask_epi8(_mm_or_si128(x, backslash)) << at;
}
#else
static void see_16(struct block *b, const char *s, int at)
{
	for (int i = 0; i < 16; i++) {
		uint64_t bit = (uint64_t)1 << (at + i);
		uint8_t c = (uint8_t)s[i];

		b->quote |= c == '"' ? bit : 0;
		b->backslash |= c == '\\' ? bit : 0;
		b->open |= c == '{' || c == '[' ? bit : 0;
		b->close |= c == '}' || c == ']' ? bit : 0;
		b->control |= c <= 0x1F ? bit : 0;
		b->odd |= c == '\\' || c >= 0x80 ? bit : 0;
	}
}
#endif

/* Bytes that stand behind an odd number of backslashes. *carry: the first one of the block is. */
static uint64_t escaped_by(uint64_t backslash, uint64_t *carry)
{
	uint64_t escaped = *carry, rest = backslash & ~*carry;

	*carry = 0;
	while (rest) {
		int at = __builtin_ctzll(rest);

		if (at == 63) {
			*carry = 1;
			break;
		}
		escaped |= (uint64_t)2 << at;
		rest &= ~((uint64_t)3 << at);
	}
	return escaped;
}

/* Each bit becomes whether the number of ones up to it is odd. */
static uint64_t odd_prefix(uint64_t m)
{
	for (int shift = 1; shift < 64; shift *= 2)
		m ^= m << shift;
	return m;
}

static void note_nested(struct pk_json_extent *x, size_t at, bool begins)
{
	if (begins && x->nested_count < PK_JSON_NESTED)
		x->nested[x->nested_count].begin = at;
	else if (!begins && x->nested_count < PK_JSON_NESTED)
		x->nested[x->nested_count++].end = at + 1;
}

struct scan {
	uint64_t carry, in_string; /* all ones: a string is open */
	uint64_t depth;
	bool plain; /* backslashes and the like are none of its business */
};

enum { NO_END = 64, ODD = 65 };

/* The place of the bracket in 64 bytes that makes the depth zero. x: NULL, or gets what is nested,
 * counted from `at`, the place of text. */
static inline __attribute__((always_inline)) int step(struct scan *s, const char *text,
						      struct pk_json_extent *x, size_t at)
{
	struct block b = {0, 0, 0, 0, 0, 0};
	uint64_t strings, brackets, odd;
	int end = NO_END;

	for (int i = 0; i < 64; i += 16)
		see_16(&b, text + i, i);
	if (!s->plain && (b.backslash | s->carry))
		b.quote &= ~escaped_by(b.backslash, &s->carry);
	strings = odd_prefix(b.quote) ^ s->in_string;
	s->in_string = (uint64_t)((int64_t)strings >> 63);
	for (brackets = (b.open | b.close) & ~strings; brackets; brackets &= brackets - 1) {
		int i = __builtin_ctzll(brackets);
		bool opens = b.open >> i & 1;

		s->depth += opens ? 1 : (uint64_t)-1;
		if (x && s->depth == 1 + (uint64_t)opens)
			note_nested(x, at + (size_t)i, opens);
		if (!s->depth) {
			end = i;
			break;
		}
	}
	odd = b.odd | (b.control & strings);
	if (end < NO_END)
		odd &= ((uint64_t)1 << end) - 1;
	return s->plain && odd ? ODD : end;
}

bool pk_json_extent(const char *text, size_t len, struct pk_json_extent *x)
{
	struct scan s = {0, 0, 0, false};
	char last[64];
	size_t at;

	x->nested_count = 0;
	for (at = 0; at < len; at += 64) {
		int end;

		if (len - at < 64) {
			memset(last, ' ', sizeof(last));
			memcpy(last, text + at, len - at);
		}
		end = step(&s, len - at < 64 ? last : text + at, x, at);
		if (end < NO_END) {
			x->len = at + (size_t)end + 1;
			return true;
		}
	}
	return false;
}

bool pk_json_pass(struct pk_json *j)
{
	struct scan s = {0, 0, 1, true};
	const uint8_t *at = j->at;

	if (j->token != PK_JSON_OBJECT && j->token != PK_JSON_ARRAY)
		return j->token > PK_JSON_END;
	for (; at < j->fast; at += 64) {
		int end = step(&s, (const char *)at, NULL, 0);

		if (end == NO_END)
			continue;
		if (end == ODD || at[end] != (j->token == PK_JSON_OBJECT ? '}' : ']'))
			break;
		j->at = at + end + 1;
		pk_json_close_container(j);
		return true;
	}
	return pk_json_rest(j);
}
