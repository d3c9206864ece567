#include "readers/speedscope_value.h"

#include <string.h>

#include "base/units.h"

enum { LARGEST_POWER = 18, LARGEST_DIGITS = 28 };

static const struct pk_speedscope_unit units[] = {
	{"none", "samples", "count", PK_METRIC_COUNT, 0, 9},
	{"nanoseconds", "time", "ns", PK_METRIC_TIME, 0, 3},
	{"microseconds", "time", "ns", PK_METRIC_TIME, 3, 3},
	{"milliseconds", "time", "ns", PK_METRIC_TIME, 6, 3},
	{"seconds", "time", "ns", PK_METRIC_TIME, 9, 3},
	{"bytes", "bytes", "bytes", PK_METRIC_BYTES, 0, 9},
};

const struct pk_speedscope_unit *pk_speedscope_unit(const char *name, size_t len)
{
	size_t i;

	for (i = 1; i < sizeof(units) / sizeof(units[0]); i++)
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
		if (n < 10000000)
			n = n * 10 + (text[i] - '0');
	return negative ? -n : n;
}

/* Takes digits while they fit; false for those that are dropped. */
static bool take_digit(struct pk_speedscope_decimal *d, char digit)
{
	int64_t digits;

	if (__builtin_mul_overflow(d->digits, 10, &digits) ||
	    __builtin_add_overflow(digits, digit - '0', &digits))
		return false;
	d->digits = digits;
	return true;
}

struct pk_speedscope_decimal pk_speedscope_decimal(const char *text, size_t len)
{
	struct pk_speedscope_decimal d = {0, 0, false};
	bool negative = len && text[0] == '-';
	size_t i = len && (text[0] == '-' || text[0] == '+');

	for (; is_digit(text, len, i); i++) {
		d.is_number = true;
		d.scale -= !take_digit(&d, text[i]) && d.scale > -10000000;
	}
	if (i < len && text[i] == '.') {
		for (i++; is_digit(text, len, i); i++) {
			d.is_number = true;
			d.scale += take_digit(&d, text[i]) && d.scale < 10000000;
		}
	}
	d.scale -= parse_exponent(text, len, i);
	if (negative)
		d.digits = -d.digits;
	return d;
}

pk_speedscope_int pk_speedscope_fixed(const struct pk_speedscope_unit *unit,
				      struct pk_speedscope_decimal d)
{
	int32_t power = unit->shift + unit->finest - d.scale;
	pk_speedscope_int n = d.digits, most = pk_power_of_ten(LARGEST_DIGITS / 2);
	int64_t divisor;

	if (power >= 0 && power <= 9 && n < INT32_MAX && n > -INT32_MAX)
		return d.digits * pk_power_of_ten(power);
	most *= most;
	if (power < -LARGEST_POWER)
		return 0;
	if (power < 0) {
		divisor = pk_power_of_ten(-power);
		return (n + (n < 0 ? -divisor / 2 : divisor / 2)) / divisor;
	}
	if (power <= LARGEST_POWER) {
		n *= pk_power_of_ten(power);
		power = 0;
	}
	for (; power && n && n < most && n > -most; power--)
		n *= 10;
	if (n > most)
		return most;
	return n < -most ? -most : n;
}

static bool fits(pk_speedscope_int n)
{
	return n <= INT64_MAX && n > INT64_MIN;
}

/* The exponent that holds all digits of n, which is in 10^-finest. */
static int digits_needed(pk_speedscope_int n, int finest)
{
	while (finest && n % 10 == 0) {
		n /= 10;
		finest--;
	}
	return finest;
}

static void refine(struct pk_speedscope_metric *m, pk_speedscope_int fixed)
{
	int finest = m->unit->finest, needed = digits_needed(fixed, finest);
	int old = pk_builder_profile(m->b)->metric.exponent[m->id];

	for (; needed > old && !m->stuck; needed--) {
		if (!fits(fixed / pk_power_of_ten(finest - needed)))
			continue;
		if (pk_build_metric_refine(m->b, m->id, needed))
			return;
		m->stuck = true;
	}
}

bool pk_speedscope_value(struct pk_speedscope_metric *m, pk_speedscope_int fixed, int64_t *value)
{
	const struct pk_metric_table *t = &pk_builder_profile(m->b)->metric;
	int64_t step = pk_power_of_ten(m->unit->finest - t->exponent[m->id]);
	pk_speedscope_int half = step / 2;

	if (fits(fixed)) {
		*value = (int64_t)fixed / step;
		if (*value * step == (int64_t)fixed)
			return true;
	}
	if (fixed % step) {
		refine(m, fixed);
		step = pk_power_of_ten(m->unit->finest - t->exponent[m->id]);
		half = step / 2;
	}
	fixed = (fixed + (fixed < 0 ? -half : half)) / step;
	*value = fixed > 0 ? INT64_MAX : -INT64_MAX;
	if (!fits(fixed))
		return false;
	*value = (int64_t)fixed;
	return true;
}
