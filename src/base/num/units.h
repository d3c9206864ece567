#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/str.h"

/*
 * Reads exact decimals and formats numbers. Numbers for people are formatted nowhere else.
 */

/*
 * Reads "[-]123[.456][e[+-]7]" at the start of text as an integer in units of 10^-exponent
 * (123.456 with exponent 2 is 12345; the remainder is dropped and *exact false). Returns the
 * characters used; 0 if there is no number or it does not fit 64 bits (then *overflow is
 * true). INT64_MIN counts as too large, since it means "not known" elsewhere.
 */
size_t pk_parse_decimal(const char *text, size_t len, int exponent, int64_t *value, bool *exact,
			bool *overflow);
/* Reads "[-]123[.456][e[+-]7]" at the start of text as the nearest double, which is infinite beyond
 * its range. Returns the characters used; 0 if there is no number. */
size_t pk_parse_real(const char *text, size_t len, double *value);
/* digits * 10^power as the nearest double, where that is found fast; false: read it as text. */
bool pk_scale_decimal(uint64_t digits, int power, double *value);
/* Converts "12", "1.5k", "64M", "2G", "2GiB" or "1e6" to bytes; false for other texts. A suffix is
 * a power of 1024, in either case; fractions of a byte are dropped. */
bool pk_parse_size(const char *text, uint64_t *value);

/* 10^exponent, 1 for a negative exponent; at most 10^18 fits. */
int64_t pk_power_of_ten(int exponent);
/* Integer arithmetic that saturates at INT64_MAX and -INT64_MAX; returns true if it did. */
static inline bool pk_add_saturated(int64_t *sum, int64_t add)
{
	int64_t result;

	if (!__builtin_add_overflow(*sum, add, &result) && result != INT64_MIN) {
		*sum = result;
		return false;
	}
	*sum = add < 0 ? -INT64_MAX : INT64_MAX;
	return true;
}
/* The same for values that may be unknown (INT64_MIN): unknown values count as 0 unless all are
 * unknown. */
static inline bool pk_add_known(int64_t *sum, int64_t add)
{
	if (*sum == INT64_MIN)
		*sum = add;
	else if (add != INT64_MIN)
		return pk_add_saturated(sum, add);
	return false;
}
/* value * factor, saturated; unknown (INT64_MIN) stays unknown. */
int64_t pk_mul_saturated(int64_t value, int64_t factor);
/* Rounded, saturated; INT64_MIN, a value that is not known, stays. */
int64_t pk_scaled(int64_t value, double factor);
/* Converts seconds to ns: the exact product rounded to nearest, halves to even; saturates; false
 * for NaN and infinities. */
bool pk_seconds_to_ns(double seconds, int64_t *ns);

/*
 * The unit of a column of values: one for the whole column, chosen from its largest absolute
 * value. Bases are "ns", "bytes", "bytes/s", "count", or any other text, which is shown as it is.
 * Bytes are divided by 1024.
 */
struct pk_unit {
	const char *name; /* "ms", "MB", "" for counts */
	double divisor;   /* base units in one unit: an integer */
	int decimals;     /* digits after the point that make sense, at most 18 */
};
struct pk_unit pk_unit_for(const char *base, int64_t largest);
/* For values in units of 10^-exponent; shows up to three decimals for units that had none. */
void pk_unit_scale(struct pk_unit *unit, int exponent);
/* pk_unit_for for such values. */
struct pk_unit pk_unit_for_scaled(const char *base, int64_t largest, int exponent);
/* The unit with this name ("ms", "s", "us", "ns", "KB", "MB", ...); false if it does not fit
 * base. */
bool pk_unit_named(const char *base, const char *name, struct pk_unit *unit);
/* Appends why it does not fit, and the names of those that do. */
void pk_unit_refuse(struct pk_buf *buf, const char *base, const char *name);

/* Append a value: "12.34" in the unit, "1,234" for counts, with unit name "12.34 ms".
 * Thousands are separated by commas everywhere. */
void pk_format_value(struct pk_buf *buf, int64_t value, const struct pk_unit *unit);
void pk_format_value_unit(struct pk_buf *buf, int64_t value, const char *base);
/* The same for a value in units of 10^-exponent. */
void pk_format_scaled(struct pk_buf *buf, int64_t value, const char *base, int exponent);
/* The same, without decimals if the value is whole in the base unit: "64 B". */
void pk_format_own(struct pk_buf *buf, int64_t value, const char *base, int exponent);
void pk_format_count(struct pk_buf *buf, int64_t value); /* thousands separated by commas */
/* The value exactly, in base units, for machines: 12340 with exponent 3 is "12.34". */
void pk_format_decimal(struct pk_buf *buf, int64_t value, int exponent);
/* The shortest decimal that reads back as the same number. */
void pk_format_real(struct pk_buf *buf, double value);
/* A share or ratio for machines: six significant digits, as printf's %.6g. */
void pk_format_significant(struct pk_buf *buf, double value);
void pk_format_fixed(struct pk_buf *buf, double value, int decimals); /* printf's %.*f, halves up */
/* The same for a ratio; from PK_RATIO_POWERS on, which the ends of intervals reach, "5.2e+30". */
#define PK_RATIO_POWERS 1e6
void pk_format_ratio(struct pk_buf *buf, double ratio, int decimals);
/* 0.1234 -> "12.3%". Total costs that contradict the sum of a file can give any number: from a
 * million percent on it is ">999999%". */
#define PK_MOST_SHARE 1e4
void pk_format_percent(struct pk_buf *buf, double share);

/* The same as texts, for a sentence: pk_buf_addf(buf, "%s in %s", pk_in_ns(time).text, ...). They
 * are valid until the end of the expression. */
struct pk_number {
	char text[64];
};
struct pk_number pk_in_ns(int64_t value);    /* "12.34 ms" */
struct pk_number pk_in_count(int64_t value); /* "1,234" */
struct pk_number pk_in_percent(double share);
