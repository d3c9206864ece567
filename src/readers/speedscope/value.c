/*
 * The numbers of speedscope files: decimals of a unit, which are added and subtracted exactly in
 * 128 bits, and become values of a metric whose exponent grows with the decimals it needs.
 *
 *	"unit": "seconds", "weights": [0.01, 1.5e-7]     10,000,000 ns and 150 ns
 */
#include <string.h>

#include "base/num/units.h"
#include "readers/speedscope/speedscope.h"

enum { LARGEST_POWER = 18, LARGEST_DIGITS = 28, LARGEST_SCALE = 10000000 };

static const struct speedscope_unit units[] = {
	{"none", "samples", "count", PK_METRIC_COUNT, 0, 9},
	{"nanoseconds", "time", "ns", PK_METRIC_TIME, 0, 3},
	{"microseconds", "time", "ns", PK_METRIC_TIME, 3, 3},
	{"milliseconds", "time", "ns", PK_METRIC_TIME, 6, 3},
	{"seconds", "time", "ns", PK_METRIC_TIME, 9, 3},
	{"bytes", "bytes", "bytes", PK_METRIC_BYTES, 0, 9},
};

const struct speedscope_unit *speedscope_unit(const char *name, size_t len)
{
	for (size_t i = 1; i < sizeof(units) / sizeof(units[0]); i++)
		if (strlen(units[i].name) == len && !memcmp(units[i].name, name, len))
			return &units[i];
	return &units[0];
}

static bool is_digit(const char *text, size_t len, size_t i)
{
	return i < len && text[i] >= '0' && text[i] <= '9';
}

static int32_t parse_exponent(const char *text, size_t len, size_t i)
{
	bool negative = false;
	int32_t n = 0;

	if (i >= len || (text[i] | 0x20) != 'e')
		return 0;
	i++;
	if (i < len && (text[i] == '-' || text[i] == '+'))
		negative = text[i++] == '-';
	for (; is_digit(text, len, i); i++)
		if (n < LARGEST_SCALE)
			n = n * 10 + (text[i] - '0');
	return negative ? -n : n;
}

/* Takes a digit if it fits; false if it is dropped. */
static bool take_digit(struct speedscope_decimal *d, char digit)
{
	int64_t digits;

	if (__builtin_mul_overflow(d->digits, 10, &digits) ||
	    __builtin_add_overflow(digits, digit - '0', &digits))
		return false;
	d->digits = digits;
	d->is_number = true;
	return true;
}

struct speedscope_decimal speedscope_decimal(const char *text, size_t len)
{
	struct speedscope_decimal d = {0, 0, false};
	bool negative = len && text[0] == '-';
	size_t i = len && (text[0] == '-' || text[0] == '+');

	for (; is_digit(text, len, i); i++)
		d.scale -= !take_digit(&d, text[i]) && d.scale > -LARGEST_SCALE;
	if (i < len && text[i] == '.')
		for (i++; is_digit(text, len, i); i++)
			d.scale += take_digit(&d, text[i]) && d.scale < LARGEST_SCALE;
	d.scale -= parse_exponent(text, len, i);
	if (negative)
		d.digits = -d.digits;
	return d;
}

speedscope_int speedscope_fixed(const struct speedscope_unit *unit, struct speedscope_decimal d)
{
	int32_t power = unit->shift + unit->finest - d.scale;
	speedscope_int n = d.digits, most = pk_power_of_ten(LARGEST_DIGITS / 2);

	if (power >= 0 && power <= 9 && n < INT32_MAX && n > -INT32_MAX)
		return d.digits * pk_power_of_ten(power);
	if (power < -LARGEST_POWER)
		return 0;
	if (power < 0) {
		int64_t divisor = pk_power_of_ten(-power);

		return (n + (n < 0 ? -divisor / 2 : divisor / 2)) / divisor;
	}
	most *= most;
	for (; power && n && n < most && n > -most; power--)
		n *= 10;
	if (n > most)
		return most;
	return n < -most ? -most : n;
}

int64_t speedscope_time(const struct speedscope *s, speedscope_int at)
{
	speedscope_int ps = at - s->base;

	if (s->unit->kind != PK_METRIC_TIME)
		return PK_NULL;
	if (ps == (int64_t)ps) /* a division of 128 bits takes long */
		return (int64_t)ps / 1000;
	ps /= 1000;
	return ps > INT64_MAX || ps <= INT64_MIN ? PK_NULL : (int64_t)ps;
}

static bool fits(speedscope_int n)
{
	return n <= INT64_MAX && n > INT64_MIN;
}

/* The weight of the last decimal that the metric holds, in 10^-finest base units. */
static int64_t step_of(const struct speedscope *s)
{
	const struct pk_metric_table *t = &pk_builder_profile(s->b)->metric;

	return pk_power_of_ten(s->unit->finest - t->exponent[s->metric]);
}

/* Gives the metric as many decimals as `fixed` has and as fit. */
static void refine(struct speedscope *s, speedscope_int fixed)
{
	int finest = s->unit->finest, needed = finest;
	int old = pk_builder_profile(s->b)->metric.exponent[s->metric];

	for (speedscope_int n = fixed; needed && n % 10 == 0; n /= 10)
		needed--;
	if (needed > old)
		speedscope_flush(s); /* values that are there get the decimals */
	for (; needed > old && !s->stuck; needed--) {
		if (!fits(fixed / pk_power_of_ten(finest - needed)))
			continue;
		if (pk_build_metric_refine(s->b, s->metric, needed))
			return;
		s->stuck = true;
	}
}

bool speedscope_value(struct speedscope *s, speedscope_int fixed, int64_t *value)
{
	int64_t step;

	if (fixed == s->fixed) {
		*value = s->value;
		return true;
	}
	step = step_of(s);
	if (fits(fixed)) {
		*value = (int64_t)fixed / step;
		if (*value * step == (int64_t)fixed) {
			s->fixed = fixed;
			s->value = *value;
			return true;
		}
	}
	if (fixed % step) {
		refine(s, fixed);
		step = step_of(s);
		s->fixed = s->value = 0;
	}
	fixed = (fixed + (fixed < 0 ? -(step / 2) : step / 2)) / step;
	*value = fixed > 0 ? INT64_MAX : -INT64_MAX;
	if (!fits(fixed))
		return false;
	*value = (int64_t)fixed;
	return true;
}
