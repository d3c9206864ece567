/*
 * The numbers of a line in a callgrind file: places, then costs by event.
 *
 *	16 20 5			costs of line 16
 *	+3 . 5			of line 19, without the first event
 *	0x4005d6 * 20		with "positions: instr line": an address, the line before
 *
 * Of a range (16:3, 16+3) the begin is the place.
 */
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/callgrind/callgrind.h"

bool callgrind_number(const char **at, const char *end, uint64_t *number, bool *cut)
{
	enum { ALWAYS_FIT = 19 }; /* the number of digits that fit in 64 bits */
	const char *p = *at;
	unsigned digit;

	*number = 0;
	if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
		for (p += 2; p < end && (digit = pk_hex_digit(*p)) < 16; p++) {
			*cut |= *number >> 60 != 0;
			*number = *number << 4 | digit;
		}
		*at = p;
		return p[-1] != 'x';
	}
	for (; p < end && pk_is_digit(*p) && p - *at < ALWAYS_FIT; p++)
		*number = *number * 10 + (uint64_t)(*p - '0');
	for (; p < end && pk_is_digit(*p); p++)
		*cut |= __builtin_mul_overflow(*number, 10, number) ||
			__builtin_add_overflow(*number, (uint64_t)(*p - '0'), number);
	if (p == *at)
		return false;
	*at = p;
	return true;
}

/* One position, relative to the one before. */
static bool take_position(const char **at, const char *end, uint64_t before, uint64_t *position)
{
	bool cut = false;
	char sign = **at;
	uint64_t number;

	if (sign == '*') {
		*position = before;
		++*at;
	} else {
		*at += sign == '+' || sign == '-';
		if (!callgrind_number(at, end, &number, &cut) || cut)
			return false;
		*position = sign == '+' ? before + number : sign == '-' ? before - number : number;
		if (sign == '-' && number > before)
			return false;
	}
	if (*at < end && (**at == ':' || **at == '+' || **at == '-')) { /* a range: its begin */
		++*at;
		if (!callgrind_number(at, end, &number, &cut))
			return false;
	}
	return *at == end || pk_is_blank(**at);
}

bool callgrind_positions(struct callgrind *r, const char **at, const char *end,
			 uint64_t position[CALLGRIND_POSITIONS])
{
	for (unsigned i = 0; i < r->positions; i++) {
		callgrind_skip_blanks(at, end);
		if (*at == end || !take_position(at, end, r->position[i], &position[i]))
			return false;
	}
	return true;
}

uint32_t callgrind_line(const struct callgrind *r, const uint64_t position[CALLGRIND_POSITIONS])
{
	uint64_t line = r->line_position < 0 ? 0 : position[r->line_position];

	return line < UINT32_MAX ? (uint32_t)line : 0;
}

int callgrind_costs(struct callgrind *r, const char *at, const char *end, int64_t *sum)
{
	for (uint32_t c = 0; callgrind_skip_blanks(&at, end), at < end; c++) {
		bool negative = *at == '-', cut = false;
		int64_t value;
		uint64_t number;

		at += negative;
		if (!negative && *at == '.' && (end - at == 1 || pk_is_blank(at[1]))) {
			at++;
			continue;
		}
		if (c == r->columns)
			return callgrind_repair(r, "numbers beyond the events ignored");
		if (!callgrind_number(&at, end, &number, &cut) || (at < end && !pk_is_blank(*at)))
			return callgrind_repair(r,
						"what is no number ignored, with the rest of the "
						"line");
		cut |= number > INT64_MAX;
		value = cut ? INT64_MAX : (int64_t)number;
		value = pk_mul_saturated(negative ? -value : value, r->factor[c]);
		cut |= pk_add_known(&sum[r->column[c]], value);
		if ((cut || value == INT64_MAX) && callgrind_repair(r, "value beyond 64 bits cut"))
			return -1;
	}
	return 0;
}
