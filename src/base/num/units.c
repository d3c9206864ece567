/*
 * Numbers as texts and back: decimals without rounding, sizes, times, and units that fit a column.
 *
 *	1.25	12.5MiB	100ms	1,234.5 ms
 */
#include "base/num/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"

static const int64_t powers[] = {
	1,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
};

static const double negative_powers[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};

#define MAX_POWER ((int64_t)(sizeof(powers) / sizeof(powers[0])) - 1)

/* An exponent this large decides the result whatever the digits are. */
#define HUGE_EXPONENT ((int64_t)1 << 60)

int64_t pk_power_of_ten(int exponent)
{
	return powers[exponent > 0 ? exponent : 0];
}

static bool is_digit(const char *text, size_t len, size_t i)
{
	return i < len && pk_is_digit(text[i]);
}

/* Reads "e-7" at text[i] and returns its end; i if there is none. */
static size_t parse_exponent(const char *text, size_t len, size_t i, int64_t *exponent)
{
	size_t at = i + 1;
	bool negative = false;

	if (i >= len || (text[i] != 'e' && text[i] != 'E'))
		return i;
	if (at < len && (text[at] == '+' || text[at] == '-'))
		negative = text[at++] == '-';
	if (!is_digit(text, len, at))
		return i;
	for (; is_digit(text, len, at); at++)
		if (*exponent < HUGE_EXPONENT / 10)
			*exponent = *exponent * 10 + (text[at] - '0');
	if (negative)
		*exponent = -*exponent;
	return at;
}

/*
 * The first `keep` digits of whole and fraction (zeros follow the last) as a number;
 * false if it does not fit.
 */
static bool take_digits(const char *whole, size_t wholes, const char *fraction, size_t fractions,
			int64_t keep, int64_t *value, bool *exact)
{
	int64_t missing = keep - (int64_t)(wholes + fractions);
	int64_t v = 0;
	size_t i;

	for (i = 0; i < wholes + fractions; i++) {
		int digit = (i < wholes ? whole[i] : fraction[i - wholes]) - '0';

		if ((int64_t)i >= keep) {
			if (digit)
				*exact = false;
		} else if (__builtin_mul_overflow(v, 10, &v) ||
			   __builtin_add_overflow(v, digit, &v)) {
			return false;
		}
	}
	*value = v;
	if (v == 0 || missing <= 0)
		return true;
	return missing <= MAX_POWER && !__builtin_mul_overflow(v, powers[missing], value);
}

size_t pk_parse_decimal(const char *text, size_t len, int exponent, int64_t *value, bool *exact,
			bool *overflow)
{
	size_t i = 0, whole, fraction, wholes, fractions = 0;
	int64_t v = 0, ten = 0;
	bool negative = len && text[0] == '-';

	*exact = true;
	*overflow = false;
	i = whole = negative;
	for (; is_digit(text, len, i); i++)
		v = (int64_t)((uint64_t)v * 10 + (uint64_t)(text[i] - '0'));
	wholes = i - whole;
	if (!wholes)
		return 0;
	fraction = i + 1;
	if (i < len && text[i] == '.' && is_digit(text, len, fraction)) {
		for (i = fraction; is_digit(text, len, i);)
			i++;
		fractions = i - fraction;
	}
	i = parse_exponent(text, len, i, &ten);
	if (exponent == 0 && fractions == 0 && ten == 0 && wholes <= 18) {
		*value = negative ? -v : v; /* the most frequent case */
		return i;
	}
	if (!take_digits(text + whole, wholes, text + fraction, fractions,
			 (int64_t)wholes + ten + exponent, &v, exact)) {
		*overflow = true;
		return 0;
	}
	*value = negative ? -v : v;
	return i;
}

/* "k", "M", "GiB", "TB", "B", "" -> powers of 1024; -1 if it is not one of these. */
static int size_suffix(const char *text)
{
	static const char letters[] = "kmgtp";
	const char *letter = NULL;
	int shift = 0;

	if (*text)
		letter = strchr(letters, *text | 0x20);
	if (letter) {
		shift = 10 * (int)(letter - letters + 1);
		text++;
		if (text[0] == 'i' && text[1] == 'B')
			text++;
	}
	if (*text == 'B')
		text++;
	return *text ? -1 : shift;
}

bool pk_parse_size(const char *text, uint64_t *value)
{
	size_t used;
	int64_t thousandths;
	bool exact, overflow;
	int shift;
	unsigned __int128 bytes;

	used = pk_parse_decimal(text, strlen(text), 3, &thousandths, &exact, &overflow);
	if (!used || thousandths < 0)
		return false;
	shift = size_suffix(text + used);
	if (shift < 0)
		return false;
	bytes = ((unsigned __int128)thousandths << shift) / 1000;
	if (bytes > UINT64_MAX)
		return false;
	*value = (uint64_t)bytes;
	return true;
}

int64_t pk_mul_saturated(int64_t value, int64_t factor)
{
	int64_t product;

	if (value == INT64_MIN)
		return value;
	if (!__builtin_mul_overflow(value, factor, &product) && product != INT64_MIN)
		return product;
	return (value < 0) != (factor < 0) ? -INT64_MAX : INT64_MAX;
}

int64_t pk_scaled(int64_t value, double factor)
{
	double product = round((double)value * factor);

	if (value == INT64_MIN)
		return value;
	if (product >= 0x1p63)
		return INT64_MAX;
	return product <= -0x1p63 ? -INT64_MAX : (int64_t)product;
}

bool pk_seconds_to_ns(double seconds, int64_t *ns)
{
	double product = seconds * 1e9, rounded, rest;

	if (!isfinite(seconds))
		return false;
	if (fabs(product) >= 0x1p63) {
		*ns = product < 0 ? -INT64_MAX : INT64_MAX;
		return true;
	}
	/* the product is rounded itself, and its error may decide the direction */
	rounded = rint(product);
	rest = (product - rounded) + fma(seconds, 1e9, -product);
	if (rest > 0.5)
		rounded += 1;
	else if (rest < -0.5)
		rounded -= 1;
	*ns = (int64_t)rounded;
	return true;
}

struct scale {
	const char *base;
	struct pk_unit unit; /* its decimals depend on the value */
	const char *alias;
};

/* By base, the smallest first. */
static const struct scale scales[] = {
	{"ns", {"ns", 1, 0}, NULL},
	{"ns", {"us", 1e3, 0}, "\xC2\xB5s"},
	{"ns", {"ms", 1e6, 0}, NULL},
	{"ns", {"s", 1e9, 0}, NULL},
	{"bytes", {"B", 1, 0}, "bytes"},
	{"bytes", {"KB", 0x1p10, 0}, "KiB"},
	{"bytes", {"MB", 0x1p20, 0}, "MiB"},
	{"bytes", {"GB", 0x1p30, 0}, "GiB"},
	{"bytes", {"TB", 0x1p40, 0}, "TiB"},
	{"bytes/s", {"B/s", 1, 0}, "bytes/s"},
	{"bytes/s", {"KB/s", 0x1p10, 0}, "KiB/s"},
	{"bytes/s", {"MB/s", 0x1p20, 0}, "MiB/s"},
	{"bytes/s", {"GB/s", 0x1p30, 0}, "GiB/s"},
	{"bytes/s", {"TB/s", 0x1p40, 0}, "TiB/s"},
};

#define SCALES (sizeof(scales) / sizeof(scales[0]))

struct pk_unit pk_unit_for(const char *base, int64_t largest)
{
	double size = fabs((double)largest);
	struct pk_unit unit = {strcmp(base, "count") == 0 ? "" : base, 1, 0};
	size_t i;

	for (i = 0; i < SCALES; i++)
		if (strcmp(scales[i].base, base) == 0 &&
		    (size >= scales[i].unit.divisor || scales[i].unit.divisor == 1))
			unit = scales[i].unit;
	if (unit.divisor > 1)
		unit.decimals = size < 10 * unit.divisor ? 3 : 2;
	return unit;
}

void pk_unit_scale(struct pk_unit *unit, int exponent)
{
	int i;

	for (i = 0; i < exponent && unit->divisor < 1e17; i++)
		unit->divisor *= 10;
	if (exponent > 0 && unit->decimals == 0)
		unit->decimals = exponent < 3 ? exponent : 3;
}

struct pk_unit pk_unit_for_scaled(const char *base, int64_t largest, int exponent)
{
	struct pk_unit unit;
	int i;

	for (i = 0; i < exponent; i++)
		largest /= 10;
	unit = pk_unit_for(base, largest);
	pk_unit_scale(&unit, exponent);
	return unit;
}

bool pk_unit_named(const char *base, const char *name, struct pk_unit *unit)
{
	size_t i;

	for (i = 0; i < SCALES; i++) {
		const struct scale *s = &scales[i];

		if (strcmp(s->base, base) == 0 && (strcmp(s->unit.name, name) == 0 ||
						   (s->alias && strcmp(s->alias, name) == 0))) {
			*unit = s->unit;
			unit->decimals = s->unit.divisor > 1 ? 3 : 0;
			return true;
		}
	}
	if (strcmp(base, name) != 0)
		return false;
	*unit = pk_unit_for(base, 0);
	return true;
}

void pk_unit_refuse(struct pk_buf *buf, const char *base, const char *name)
{
	const char *before = "; there are: ";

	pk_buf_addf(buf, "values in %s cannot be shown in '%s'",
		    strcmp(base, "count") == 0 ? "counts" : base, name);
	for (size_t i = 0; i < SCALES; i++) {
		if (strcmp(scales[i].base, base) != 0)
			continue;
		pk_buf_addf(buf, "%s%s", before, scales[i].unit.name);
		before = ", ";
	}
}

/* Writes digits backwards from end, thousands separated when `comma`; returns their begin. */
static char *digits_before(char *end, uint64_t value, bool comma)
{
	int n = 0;

	do {
		if (comma && n && n % 3 == 0)
			*--end = ',';
		*--end = (char)('0' + value % 10);
		n++;
	} while (value /= 10);
	return end;
}

/* Appends scaled * 10^-decimals. */
static void add_scaled(struct pk_buf *buf, bool negative, uint64_t scaled, int decimals, bool comma)
{
	uint64_t power = (uint64_t)powers[decimals], rest = scaled % power;
	char text[64], *end = text + sizeof(text), *p = end;
	int i;

	for (i = 0; i < decimals; i++, rest /= 10)
		*--p = (char)('0' + rest % 10);
	if (decimals)
		*--p = '.';
	p = digits_before(p, scaled / power, comma);
	if (negative)
		*--p = '-';
	pk_buf_add(buf, p, (size_t)(end - p));
}

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void pk_format_value(struct pk_buf *buf, int64_t value, const struct pk_unit *unit)
{
	unsigned __int128 scaled;
	uint64_t divisor;

	if (unit->divisor == 1 && unit->decimals == 0) {
		add_scaled(buf, value < 0, magnitude(value), 0, true);
		return;
	}
	divisor = (uint64_t)unit->divisor;
	scaled = (unsigned __int128)magnitude(value) * (uint64_t)powers[unit->decimals];
	scaled = (scaled + divisor / 2) / divisor;
	if (scaled > UINT64_MAX)
		scaled = UINT64_MAX;
	add_scaled(buf, value < 0 && scaled, (uint64_t)scaled, unit->decimals, true);
}

void pk_format_value_unit(struct pk_buf *buf, int64_t value, const char *base)
{
	pk_format_scaled(buf, value, base, 0);
}

void pk_format_scaled(struct pk_buf *buf, int64_t value, const char *base, int exponent)
{
	struct pk_unit unit = pk_unit_for_scaled(base, value, exponent);

	pk_format_value(buf, value, &unit);
	if (*unit.name)
		pk_buf_addf(buf, " %s", unit.name);
}

void pk_format_own(struct pk_buf *buf, int64_t value, const char *base, int exponent)
{
	struct pk_unit unit = pk_unit_for_scaled(base, value, exponent);
	int64_t one = powers[exponent < MAX_POWER ? exponent : MAX_POWER];

	if (exponent > 0 && value % one == 0 &&
	    !strcmp(pk_unit_for_scaled(base, one, exponent).name, unit.name))
		pk_format_count(buf, value / one);
	else
		pk_format_value(buf, value, &unit);
	if (*unit.name)
		pk_buf_addf(buf, " %s", unit.name);
}

void pk_format_count(struct pk_buf *buf, int64_t value)
{
	struct pk_unit unit = {"", 1, 0};

	pk_format_value(buf, value, &unit);
}

void pk_format_decimal(struct pk_buf *buf, int64_t value, int exponent)
{
	uint64_t rest = magnitude(value);

	while (exponent > 0 && rest % 10 == 0) {
		rest /= 10;
		exponent--;
	}
	if (exponent <= MAX_POWER)
		add_scaled(buf, value < 0, rest, exponent, false);
	else
		pk_buf_addf(buf, "%s%llue-%d", value < 0 ? "-" : "", (unsigned long long)rest,
			    exponent);
}

/* Six digits of value, which is 10^exponent times a number from 1 to 10. Returns false if printf
 * must decide the rounding. */
static bool six_digits(double value, int *exponent, uint64_t *digits)
{
	double scaled = value, rounded;
	int e = 0;

	if (!(value >= 1e-9 && value < 1e6))
		return false;
	while (e > -9 && value < negative_powers[-e])
		e--;
	while (e >= 0 && value >= (double)powers[e + 1])
		e++;
	scaled *= (double)powers[5 - e];
	rounded = rint(scaled);
	if (fabs(fabs(scaled - rounded) - 0.5) < 1e-6)
		return false;
	*exponent = e;
	*digits = (uint64_t)rounded;
	if (*digits == 1000000) {
		*digits = 100000;
		(*exponent)++;
	}
	return *digits >= 100000;
}

void pk_format_significant(struct pk_buf *buf, double value)
{
	char digits[8], *end;
	uint64_t number;
	int e;

	if (!six_digits(fabs(value), &e, &number) || e > 5) {
		pk_buf_addf(buf, "%.6g", value);
		return;
	}
	end = digits + 6;
	digits_before(end, number, false);
	while (end > digits + 1 && end[-1] == '0')
		end--;
	if (value < 0)
		pk_buf_addc(buf, '-');
	if (e >= 0) {
		size_t whole = (size_t)e + 1, count = (size_t)(end - digits);

		pk_buf_add(buf, digits,
			   whole); /* digits that were cut off are zeros in the integer part */
		if (count > whole) {
			pk_buf_addc(buf, '.');
			pk_buf_add(buf, digits + whole, count - whole);
		}
	} else if (e >= -4) {
		pk_buf_add(buf, "0.000", (size_t)(1 - e));
		pk_buf_add(buf, digits, (size_t)(end - digits));
	} else {
		pk_buf_addc(buf, digits[0]);
		if (end > digits + 1)
			pk_buf_addc(buf, '.');
		pk_buf_add(buf, digits + 1, (size_t)(end - digits) - 1);
		pk_buf_adds(buf, "e-0");
		pk_buf_addc(buf, (char)('0' - e));
	}
}

void pk_format_real(struct pk_buf *buf, double value)
{
	char text[40];
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	pk_buf_adds(buf, text);
}

void pk_format_fixed(struct pk_buf *buf, double value, int decimals)
{
	double scaled = fabs(value) * (double)powers[decimals] + 0.5;

	if (scaled < 1e15)
		add_scaled(buf, value < 0 && scaled >= 1, (uint64_t)scaled, decimals, false);
	else
		pk_buf_addf(buf, "%.*f", decimals, value);
}

void pk_format_ratio(struct pk_buf *buf, double ratio, int decimals)
{
	if (ratio < PK_RATIO_POWERS)
		pk_format_fixed(buf, ratio, decimals);
	else
		pk_buf_addf(buf, "%.1e", ratio);
}

void pk_format_percent(struct pk_buf *buf, double share)
{
	if (share >= PK_MOST_SHARE)
		pk_buf_adds(buf, ">999999");
	else
		pk_format_fixed(buf, share * 100, 1);
	pk_buf_addc(buf, '%');
}

static struct pk_number take_number(struct pk_buf *buf)
{
	struct pk_number number;

	snprintf(number.text, sizeof(number.text), "%s", buf->data);
	pk_buf_release(buf);
	return number;
}

struct pk_number pk_in_ns(int64_t value)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_value_unit(&buf, value, "ns");
	return take_number(&buf);
}

struct pk_number pk_in_count(int64_t value)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_count(&buf, value);
	return take_number(&buf);
}

struct pk_number pk_in_percent(double share)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_percent(&buf, share);
	return take_number(&buf);
}
