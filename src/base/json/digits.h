#pragma once

#include <string.h>

#include "base/json/internal.h"

/* Reads many digits at a time. For the files of json.h only. */

#define FAST inline __attribute__((always_inline))
enum { STEP = 16 };

/* Characters that may follow a number. */
static FAST bool ends_number(uint8_t c)
{
	static const bool ends[256] = {[','] = true,  [']'] = true,  ['}'] = true, [' '] = true,
				       ['\n'] = true, ['\r'] = true, ['\t'] = true};

	return ends[c];
}

/* The number of digits at the start of 16 bytes. */
static FAST unsigned digits_at(const uint8_t *s)
{
#ifdef USE_SSE2
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);
	__m128i d = _mm_sub_epi8(x, _mm_set1_epi8((char)('0' + 0x80)));
	__m128i other = _mm_cmpgt_epi8(d, _mm_set1_epi8(9 - 0x80));

	return (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(other) | 1U << STEP);
#else
	unsigned n = 0;

	while (n < STEP && (uint8_t)(s[n] - '0') <= 9)
		n++;
	return n;
#endif
}

/* The number of eight digits 0 to 9, the first of which is in the lowest byte: neighbours are
 * joined three times. */
static FAST uint32_t join_digits(uint64_t x)
{
	x = (x * 10 + (x >> 8)) & 0x00FF00FF00FF00FFU;
	x = (x * 100 + (x >> 16)) & 0x0000FFFF0000FFFFU;
	return (uint32_t)(x * 10000 + (x >> 32));
}

/* The value of the n digits, 1 to 8, that end before s; the 8 bytes before s must be readable. */
static FAST uint32_t number_before(const uint8_t *s, unsigned n)
{
#if !defined(PK_JSON_PORTABLE) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x;

	memcpy(&x, s - 8, sizeof(x));
	return join_digits((x ^ 0x3030303030303030U) & ~0ULL << (8 - n) * 8);
#else
	uint32_t x = 0;
	unsigned i;

	for (i = n; i; i--)
		x = x * 10 + (uint32_t)(*(s - i) - '0');
	return x;
#endif
}

/* The value of the n digits, 1 to 8, at s; the 8 bytes at s must be readable. */
static FAST uint32_t number_at(const uint8_t *s, unsigned n)
{
#if !defined(PK_JSON_PORTABLE) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t x;

	memcpy(&x, s, sizeof(x));
	return join_digits((x ^ 0x3030303030303030U) << (8 - n) * 8);
#else
	return number_before(s + n, n);
#endif
}

/* The value of the first n of 16 digits, followed by 16 - n zeros. */
static FAST uint64_t digits_padded(const uint8_t *s, unsigned n)
{
	static const uint8_t keep[2 * STEP] = {
		0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
		0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	};
	const uint8_t *mask = keep + STEP - n;
#ifdef USE_SSE2
	const short ten = 10, hundred = 100, myriad = 10000;
	__m128i x =
		_mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)s), _mm_set1_epi8('0'));
	uint64_t halves;

	x = _mm_and_si128(x, _mm_loadu_si128((const __m128i *)(const void *)mask));
	/* neighbours are joined three times */
	x = _mm_add_epi16(
		_mm_mullo_epi16(_mm_and_si128(x, _mm_set1_epi16(0xFF)), _mm_set1_epi16(ten)),
		_mm_srli_epi16(x, 8));
	x = _mm_madd_epi16(x, _mm_set1_epi32(hundred | 1 << 16));
	x = _mm_madd_epi16(_mm_packs_epi32(x, x), _mm_set1_epi32(myriad | 1 << 16));
	_mm_storel_epi64((__m128i *)(void *)&halves, x);
	return (uint64_t)(uint32_t)halves * 100000000 + (halves >> 32);
#else
	uint64_t number = 0;

	for (unsigned i = 0; i < STEP; i++)
		number = number * 10 + ((uint8_t)(s[i] - '0') & mask[i]);
	return number;
#endif
}
