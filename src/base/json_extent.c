/* 64 bytes at once become masks of a bit for each byte: quotes, brackets, what is in strings. */
#include "base/json_extent.h"

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

struct masks {
	uint64_t quote, backslash, open, close;
};

#if defined(__SSE2__) && !defined(PK_JSON_PORTABLE)
static uint64_t equal(const __m128i part[4], char c)
{
	const __m128i wanted = _mm_set1_epi8(c);
	uint64_t mask = 0;

	for (int i = 3; i >= 0; i--)
		mask = mask << 16 | (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(part[i], wanted));
	return mask;
}

static struct masks look(const char *text)
{
	const __m128i lower = _mm_set1_epi8(0x20);
	__m128i part[4], bracket[4];

	for (int i = 0; i < 4; i++) {
		part[i] = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
		bracket[i] = _mm_or_si128(part[i], lower); /* [ is { then, and ] is } */
	}
	return (struct masks){equal(part, '"'), equal(part, '\\'), equal(bracket, '{'),
			      equal(bracket, '}')};
}
#else
static struct masks look(const char *text)
{
	struct masks m = {0, 0, 0, 0};

	for (int i = 0; i < 64; i++) {
		uint64_t bit = (uint64_t)1 << i;

		m.quote |= text[i] == '"' ? bit : 0;
		m.backslash |= text[i] == '\\' ? bit : 0;
		m.open |= text[i] == '{' || text[i] == '[' ? bit : 0;
		m.close |= text[i] == '}' || text[i] == ']' ? bit : 0;
	}
	return m;
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

bool pk_json_extent(const char *text, size_t len, struct pk_json_extent *x)
{
	uint64_t carry = 0, in_string = 0, depth = 0;
	char last[64];
	size_t at;

	x->nested_count = 0;
	for (at = 0; at < len; at += 64) {
		struct masks m;
		uint64_t strings, brackets;

		if (len - at < 64) {
			memset(last, ' ', sizeof(last));
			memcpy(last, text + at, len - at);
		}
		m = look(len - at < 64 ? last : text + at);
		if (m.backslash | carry)
			m.quote &= ~escaped_by(m.backslash, &carry);
		strings = odd_prefix(m.quote) ^ in_string;
		in_string = (uint64_t)((int64_t)strings >> 63);
		brackets = (m.open | m.close) & ~strings;
		for (; brackets; brackets &= brackets - 1) {
			int i = __builtin_ctzll(brackets);
			bool opens = m.open >> i & 1;

			depth += opens ? 1 : (uint64_t)-1;
			if (depth == 1 + (uint64_t)opens)
				note_nested(x, at + (size_t)i, opens);
			if (!depth) {
				x->len = at + (size_t)i + 1;
				return true;
			}
		}
	}
	return false;
}
