#ifndef PK_UNITS_H
#define PK_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/str.h"

/*
 * Numbers: exact decimals in, readable ones out. The only place where numbers
 * are formatted for people.
 */

/*
 * Reads "[-]123[.456][e[+-]7]" at the start of text as a whole number of
 * 10^-exponent (123.456 with exponent 2 is 12345, remainder dropped and *exact
 * false). Returns the characters used, 0 if there is no number or it does not
 * fit 64 bits (then *overflow is true). INT64_MIN is taken for too large: it means
 * "not known" elsewhere.
 */
size_t pk_parse_decimal(const char *text, size_t len, int exponent, int64_t *value, bool *exact,
			bool *overflow);
/* "12", "1.5k", "64M", "2G", "2GiB", "1e6" -> bytes; false if it is none of these.
 * A suffix is a power of 1024, in either case; what is less than a byte is dropped. */
bool pk_parse_size(const char *text, uint64_t *value);

/* 10^exponent, 1 for a negative exponent; at most 10^18 fits. */
int64_t pk_power_of_ten(int exponent);
/* Integer arithmetic that stops at INT64_MAX and -INT64_MAX; true = it had to. */
bool pk_add_saturated(int64_t *sum, int64_t add);
/* The same for values that may not be known (INT64_MIN): a sum of nothing known is not known. */
static inline void pk_add_known(int64_t *sum, int64_t add)
{
	if (*sum == INT64_MIN)
		*sum = add;
	else if (add != INT64_MIN)
		pk_add_saturated(sum, add);
}
/* value * factor, stopping there, too; what is not known (INT64_MIN) stays so. */
int64_t pk_mul_saturated(int64_t value, int64_t factor);
/* seconds -> ns, rounded to nearest (the exact product; halves to even); saturates;
 * false for NaN and infinities. */
bool pk_seconds_to_ns(double seconds, int64_t *ns);

/*
 * The unit in which a column of values is shown: one unit for the whole column,
 * chosen from its largest absolute value. Bases: "ns", "bytes", "count" or any
 * other text, which is then shown as it is. Bytes are divided by 1024.
 */
struct pk_unit {
	const char *name; /* "ms", "MB", "" for counts */
	double divisor;   /* base units in one: a whole number */
	int decimals;     /* digits after the point that make sense, at most 18 */
};
struct pk_unit pk_unit_for(const char *base, int64_t largest);
/* For values that are whole numbers of 10^-exponent base units; shows up to three decimals
 * where there were none. */
void pk_unit_scale(struct pk_unit *unit, int exponent);
/* The same as pk_unit_for, for such values. */
struct pk_unit pk_unit_for_scaled(const char *base, int64_t largest, int exponent);
/* By name ("ms", "s", "us", "ns", "KB", "MB", ...); false if base cannot be shown in it. */
bool pk_unit_named(const char *base, const char *name, struct pk_unit *unit);

/* Append a value: "12.34" in the unit, "1,234" for counts, with unit name "12.34 ms".
 * Thousands are separated by commas everywhere. */
void pk_format_value(struct pk_buf *buf, int64_t value, const struct pk_unit *unit);
void pk_format_value_unit(struct pk_buf *buf, int64_t value, const char *base);
void pk_format_count(struct pk_buf *buf, int64_t value); /* thousands separated by commas */
/* The value exactly, in base units, for machines: 12340 with exponent 3 is "12.34". */
void pk_format_decimal(struct pk_buf *buf, int64_t value, int exponent);
/* The shortest decimal that reads back as the same number. */
void pk_format_real(struct pk_buf *buf, double value);
/* A share or ratio for machines: six significant digits, as printf's %.6g. */
void pk_format_significant(struct pk_buf *buf, double value);
void pk_format_fixed(struct pk_buf *buf, double value, int decimals); /* printf's %.*f, halves up */
void pk_format_percent(struct pk_buf *buf, double share);             /* 0.1234 -> "12.3%" */

#endif
