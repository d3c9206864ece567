/*
 * The end of an object or array, and nothing else of it. 64 bytes at a time: which of them are
 * within strings follows from the quotes, and brackets outside of strings are counted.
 */
#include "base/json_internal.h"

struct block {
	uint64_t quotes, opens, closes;
	uint64_t controls; /* that belong in no string */
	uint64_t odd;      /* backslashes, and bytes beyond ASCII: left to the others */
};

#ifdef USE_SSE2
static inline __attribute__((always_inline)) void see_16(struct block *b, const uint8_t *s, int at)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);
	__m128i lower = _mm_or_si128(x, _mm_set1_epi8(0x20)); /* [ and { are the same, so are ] } */
	__m128i control = _mm_cmpeq_epi8(_mm_max_epu8(x, _mm_set1_epi8(0x1F)), _mm_set1_epi8(0x1F));

	b->quotes |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8('"'))) << at;
	b->opens |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lower, _mm_set1_epi8('{'))) << at;
	b->closes |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(lower, _mm_set1_epi8('}'))) << at;
	b->controls |= (uint64_t)_mm_movemask_epi8(control) << at;
	b->odd |=
		(uint64_t)_mm_movemask_epi8(_mm_or_si128(x, _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'))))
		<< at;
}
#else
static void see_16(struct block *b, const uint8_t *s, int at)
{
	for (int i = 0; i < 16; i++) {
		uint64_t bit = (uint64_t)1 << (at + i);
		uint8_t c = s[i];

		b->quotes |= c == '"' ? bit : 0;
		b->opens |= c == '{' || c == '[' ? bit : 0;
		b->closes |= c == '}' || c == ']' ? bit : 0;
		b->controls |= c <= 0x1F ? bit : 0;
		b->odd |= c == '\\' || c >= 0x80 ? bit : 0;
	}
}
#endif

/* Bits from each quote up to the one before the next: what is within strings. */
static inline uint64_t between(uint64_t quotes)
{
	for (int shift = 1; shift < 64; shift *= 2)
		quotes ^= quotes << shift;
	return quotes;
}

/* Few are set as a rule, and not all machines can count them at once. */
static inline int count_bits(uint64_t bits)
{
	int count = 0;

	for (; bits; bits &= bits - 1)
		count++;
	return count;
}

/* The place of the bracket that makes the depth zero. */
static int find_end(const struct block *b, int depth)
{
	uint64_t brackets = b->opens | b->closes;

	for (; brackets; brackets &= brackets - 1) {
		depth += b->opens & brackets & -brackets ? 1 : -1;
		if (!depth)
			return __builtin_ctzll(brackets);
	}
	return 64;
}

bool pk_json_pass(struct pk_json *j)
{
	char close = j->token == PK_JSON_OBJECT ? '}' : ']';
	const uint8_t *s = j->at;
	uint64_t within = 0; /* all ones: a string is open */
	int depth = 1;

	if (j->token != PK_JSON_OBJECT && j->token != PK_JSON_ARRAY)
		return j->token > PK_JSON_END;
	for (; s < j->fast; s += 64) {
		struct block b = {0, 0, 0, 0, 0};
		uint64_t strings;
		int end;

		for (int i = 0; i < 64; i += 16)
			see_16(&b, s + i, i);
		strings = between(b.quotes) ^ within;
		within = (uint64_t)((int64_t)strings >> 63);
		b.opens &= ~strings;
		b.closes &= ~strings;
		end = b.closes && count_bits(b.closes) >= depth ? find_end(&b, depth) : 64;
		if (end < 64) {
			uint64_t before = ((uint64_t)1 << end) - 1;

			if (((b.odd | (b.controls & strings)) & before) || s[end] != (uint8_t)close)
				break;
			j->at = s + end + 1;
			pk_json_close_container(j);
			return true;
		}
		if (b.odd | (b.controls & strings))
			break;
		depth += count_bits(b.opens) - count_bits(b.closes);
	}
	return pk_json_rest(j);
}
