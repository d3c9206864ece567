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

/* Skips blanks, 16 at a time. The result is beyond the limit if only blanks come before it. */
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

/*
 * Reads a number of one digit and a fraction of up to 20, with an exponent of two digits or none,
 * as Python writes times below 10 s; NULL if it has another form. The first 16 digits of the
 * fraction are taken at once, a shorter fraction as if zeros followed it: the value is the same,
 * and no loop depends on the number of digits. Lengths of the other parts are branches, which
 * the processor guesses, so that it works on several numbers at a time.
 */
static FAST const uint8_t *read_short(const uint8_t *s, double *value)
{
	static const uint64_t unit = UINT64_C(10000000000000000); /* of STEP digits */
	static const uint64_t most = UINT64_C(10000000000000000000);
	static const uint32_t powers[] = {1, 10, 100, 1000, 10000};
	uint64_t digits = (uint8_t)(*s - '0');
	int power = -STEP;
	unsigned n, more = 0;

	if (digits > 9 || s[1] != '.')
		return NULL;
	s += 2;
	n = digits_at(s);
	if (!n)
		return NULL;
	digits = digits * unit + digits_padded(s, n);
	s += n;
	if (n == STEP && (uint8_t)(*s - '0') <= 9) {
		more = digits_at(s);
		if (more > 4 || digits >= most / powers[more])
			return NULL;
		digits = digits * powers[more] + number_at(s, more);
		power -= (int)more;
		s += more;
	}
	if ((*s | 0x20) == 'e') {
		unsigned tens = (uint8_t)(s[2] - '0'), ones = (uint8_t)(s[3] - '0');

		if (s[1] != '-' || tens > 9 || ones > 9)
			return NULL;
		power -= (int)(tens * 10 + ones);
		s += 4;
	}
	return ends_number(*s) && pk_scale_decimal(digits, power, value) ? s : NULL;
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

/* True if the next number follows after the same `gap` characters as the one before. Then the
 * processor can read it while these characters are still being compared. */
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
		if (s >= j->fast)
			break;
		end = read_short(s, &list->value[list->count]);
		if (!end && !(end = read_real(s, &list->value[list->count])))
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
