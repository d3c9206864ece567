/*
 * Lists of numbers with fractions and exponents, a line each as Python's json indents them, or
 * without blanks: see json.h. Token by token, a file of benchmarks takes twice as long.
 *
 *	[
 *	    1.4520333328012688e-05,
 *	    0.00011581499984458787
 *	]
 */
#include "base/json/digits.h"

#include "base/alloc.h"
#include "base/num/units.h"

/* Past blanks, 16 at a time; beyond the limit if there are no others before it. */
static FAST const uint8_t *pass_blanks(const uint8_t *s, const uint8_t *limit)
{
#ifdef USE_SSE2
	for (; s < limit; s += STEP) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);
		__m128i blank = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(' ')),
							  _mm_cmpeq_epi8(x, _mm_set1_epi8('\n'))),
					     _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('\r')),
							  _mm_cmpeq_epi8(x, _mm_set1_epi8('\t'))));
		unsigned others = ~(unsigned)_mm_movemask_epi8(blank) & 0xFFFF;

		if (others)
			return s + __builtin_ctz(others);
	}
#else
	while (s < limit && pk_json_is_space(*s))
		s++;
#endif
	return s;
}

/* Appends n digits, at most 31, to the number. */
static FAST uint64_t add_digits(uint64_t number, const uint8_t *s, unsigned n)
{
	static const uint32_t powers[] = {1,      10,      100,      1000,     10000,
					  100000, 1000000, 10000000, 100000000};
	enum { EIGHT = 8 };

	for (; n > EIGHT; n -= EIGHT, s += EIGHT)
		number = number * powers[EIGHT] + number_at(s, EIGHT);
	return n ? number * powers[n] + number_at(s, n) : number;
}

/* Reads a number of JSON of less than 70 characters; NULL if there is none. */
static FAST const uint8_t *read_real(const uint8_t *s, double *value)
{
	enum { MOST_DIGITS = 19 }; /* that fit into 64 bits */
	const uint8_t *start = s;
	unsigned n, more = 0;
	uint64_t digits;
	int power = 0;

	s += *s == '-';
	n = digits_at(s);
	if (n - 1 >= STEP - 1 || (*s == '0' && n > 1))
		return NULL;
	digits = add_digits(0, s, n);
	s += n;
	if (*s == '.') {
		unsigned fraction = digits_at(++s);

		if (fraction == STEP)
			more = digits_at(s + STEP);
		if (!fraction || more == STEP)
			return NULL;
		fraction += more;
		digits = add_digits(digits, s, fraction);
		power = -(int)fraction;
		n += fraction;
		s += fraction;
	}
	if ((*s | 0x20) == 'e') {
		bool negative = *++s == '-';
		unsigned count;

		s += negative || *s == '+';
		count = digits_at(s);
		if (count - 1 >= 4)
			return NULL;
		power += negative ? -(int)number_at(s, count) : (int)number_at(s, count);
		s += count;
	}
	if (!ends_number(*s))
		return NULL;
	if (!power && n < STEP) { /* less than 2^53 */
		*value = (double)digits;
	} else if (n > MOST_DIGITS || !pk_scale_decimal(digits, power, value)) {
		pk_parse_real((const char *)start, (size_t)(s - start), value);
		return s;
	}
	if (*start == '-')
		*value = -*value;
	return s;
}

/* Whether the next number follows as the one before did, by the same `gap` characters. Then its
 * place does not depend on what these are, and it is read while they are compared. */
static FAST bool same_gap(const uint8_t *end, const uint8_t *before, size_t gap)
{
	uint64_t a, b, other = 0;
	size_t i;

	for (i = 0; i + sizeof(a) <= gap; i += sizeof(a)) {
		memcpy(&a, end + i, sizeof(a));
		memcpy(&b, before + i, sizeof(b));
		other |= a ^ b;
	}
	for (; i < gap; i++)
		other |= end[i] ^ before[i];
	return !other;
}

void pk_json_reals(struct pk_json *j, struct pk_json_reals *list)
{
	enum { MOST_GAP = 40 };
	const uint8_t *s = j->at, *at = NULL, *before = NULL, *end;
	bool comma = j->expect == AFTER_ITEM;
	size_t gap = 0;

	if (!comma && j->expect != ITEM_OR_END)
		return;
	for (; s < j->fast; comma = true) {
		if (gap && same_gap(s, before, gap)) {
			s += gap;
		} else {
			before = s;
			s = pass_blanks(s, j->fast);
			if (comma && *s == ',' && s < j->fast)
				s = pass_blanks(s + 1, j->fast);
			else if (comma)
				break;
			gap = comma && s - before <= MOST_GAP ? (size_t)(s - before) : 0;
		}
		PK_GROW(list->value, list->count + 1, list->alloc);
		if (s >= j->fast || !(end = read_real(s, &list->value[list->count])))
			break;
		list->count++;
		at = s = end;
	}
	if (!at)
		return;
	j->at = at;
	j->expect = AFTER_ITEM;
	j->token = PK_JSON_NUMBER;
}
