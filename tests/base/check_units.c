/* Numbers, units and dates as text, in both directions. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num/date.h"
#include "base/num/units.h"

#include "tests/check_util.h"

static void expect_decimal(const char *text, int exponent, size_t used, int64_t value, bool exact)
{
	int64_t v = 77;
	bool is_exact, overflow;

	ck_assert_uint_eq(pk_parse_decimal(text, strlen(text), exponent, &v, &is_exact, &overflow),
			  used);
	ck_assert(!overflow);
	if (!used)
		return;
	ck_assert_int_eq(v, value);
	ck_assert(is_exact == exact);
}

static void expect_overflow(const char *text, int exponent)
{
	int64_t v;
	bool exact, overflow;

	ck_assert_uint_eq(pk_parse_decimal(text, strlen(text), exponent, &v, &exact, &overflow), 0);
	ck_assert(overflow);
}

START_TEST(decimals)
{
	expect_decimal("0", 0, 1, 0, true);
	expect_decimal("123", 0, 3, 123, true);
	expect_decimal("-123 rest", 0, 4, -123, true);
	expect_decimal("123.456", 2, 7, 12345, false);
	expect_decimal("123.450", 2, 7, 12345, true);
	expect_decimal("-0.999", 0, 6, 0, false);
	expect_decimal("12", 3, 2, 12000, true);
	expect_decimal("1.5e3", 0, 5, 1500, true);
	expect_decimal("1.5E+3x", 0, 6, 1500, true);
	expect_decimal("15e-1", 0, 5, 1, false);
	expect_decimal("15e-1", 1, 5, 15, true);
	expect_decimal("1e-400", 9, 6, 0, false);
	expect_decimal("0e99999999999999999999", 0, 22, 0, true);
	expect_decimal("007", 0, 3, 7, true);
	expect_decimal("9223372036854775807", 0, 19, INT64_MAX, true);
	expect_decimal("-9223372036854775807", 0, 20, -INT64_MAX, true);
	expect_decimal("9.223372036854775807", 18, 20, INT64_MAX, true);
	expect_decimal("0.00000000000000000000000000001e29", 0, 34, 1, true);
	expect_decimal("1659999999123456.789", 3, 20, 1659999999123456789, true);
}
END_TEST

START_TEST(decimals_end_where_the_number_ends)
{
	expect_decimal("12.", 0, 2, 12, true);
	expect_decimal("12.x", 0, 2, 12, true);
	expect_decimal("12e", 0, 2, 12, true);
	expect_decimal("12e+", 0, 2, 12, true);
	expect_decimal("1.2.3", 1, 3, 12, true);
	expect_decimal("", 0, 0, 0, true);
	expect_decimal("-", 0, 0, 0, true);
	expect_decimal("+1", 0, 0, 0, true);
	expect_decimal(".5", 0, 0, 0, true);
	expect_decimal("nan", 0, 0, 0, true);
}
END_TEST

START_TEST(decimals_do_not_read_beyond_len)
{
	char *three = malloc(3);
	int64_t v;
	bool exact, overflow;

	memcpy(three, "12.", 3);
	ck_assert_uint_eq(pk_parse_decimal(three, 3, 0, &v, &exact, &overflow), 2);
	memcpy(three, "12e", 3);
	ck_assert_uint_eq(pk_parse_decimal(three, 3, 0, &v, &exact, &overflow), 2);
	memcpy(three, "123", 3);
	ck_assert_uint_eq(pk_parse_decimal(three, 2, 0, &v, &exact, &overflow), 2);
	ck_assert_int_eq(v, 12);
	free(three);
}
END_TEST

START_TEST(decimals_too_large)
{
	expect_overflow("9223372036854775808", 0);
	expect_overflow("-9223372036854775808", 0);
	expect_overflow("18446744073709551616", 0);
	expect_overflow("10000000000000000000000", 0);
	expect_overflow("9.3", 18);
	expect_overflow("1e19", 0);
	expect_overflow("1e9999999999999999999999", 0);
}
END_TEST

START_TEST(sizes)
{
	uint64_t v;

	ck_assert(pk_parse_size("12", &v) && v == 12);
	ck_assert(pk_parse_size("0", &v) && v == 0);
	ck_assert(pk_parse_size("1.5k", &v) && v == 1536);
	ck_assert(pk_parse_size("64M", &v) && v == (uint64_t)64 << 20);
	ck_assert(pk_parse_size("64MB", &v) && v == (uint64_t)64 << 20);
	ck_assert(pk_parse_size("2G", &v) && v == (uint64_t)2 << 30);
	ck_assert(pk_parse_size("2GiB", &v) && v == (uint64_t)2 << 30);
	ck_assert(pk_parse_size("3t", &v) && v == (uint64_t)3 << 40);
	ck_assert(pk_parse_size("1e6", &v) && v == 1000000);
	ck_assert(pk_parse_size("512B", &v) && v == 512);
	ck_assert(!pk_parse_size("", &v));
	ck_assert(!pk_parse_size("M", &v));
	ck_assert(!pk_parse_size("-1", &v));
	ck_assert(!pk_parse_size("12x", &v));
	ck_assert(!pk_parse_size("12Mx", &v));
	ck_assert(!pk_parse_size("12iB", &v));
	ck_assert(!pk_parse_size("1 M", &v));
	ck_assert(!pk_parse_size("9000000000000000P", &v));
}
END_TEST

START_TEST(saturation)
{
	int64_t sum = 5;

	ck_assert(!pk_add_saturated(&sum, -7));
	ck_assert_int_eq(sum, -2);
	sum = INT64_MAX - 1;
	ck_assert(!pk_add_saturated(&sum, 1));
	ck_assert(pk_add_saturated(&sum, 1));
	ck_assert_int_eq(sum, INT64_MAX);
	sum = -INT64_MAX;
	ck_assert(pk_add_saturated(&sum, -1));
	ck_assert_int_eq(sum, -INT64_MAX);
}
END_TEST

START_TEST(seconds)
{
	int64_t ns;

	ck_assert(pk_seconds_to_ns(0.1, &ns) && ns == 100000000);
	ck_assert(pk_seconds_to_ns(-1.5e-9, &ns) && ns == -2);
	ck_assert(pk_seconds_to_ns(1.0 / 1024, &ns) && ns == 976562); /* a half: to even */
	ck_assert(pk_seconds_to_ns(3.0 / 1024, &ns) && ns == 2929688);
	ck_assert(pk_seconds_to_ns(1e300, &ns) && ns == INT64_MAX);
	ck_assert(pk_seconds_to_ns(-1e300, &ns) && ns == -INT64_MAX);
	/* Here the product in doubles is exactly a half, and the true one is above it. */
	ck_assert(pk_seconds_to_ns(0.1442725105, &ns) && ns == 144272511);
	ck_assert(pk_seconds_to_ns(0.6111780035, &ns) && ns == 611178003);
	ck_assert(!pk_seconds_to_ns(NAN, &ns));
	ck_assert(!pk_seconds_to_ns(INFINITY, &ns));
}
END_TEST

static void expect_value(int64_t value, const char *base, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_value_unit(&buf, value, base);
	ck_assert_str_eq(buf.data, text);
	pk_buf_release(&buf);
}

START_TEST(values)
{
	expect_value(0, "ns", "0 ns");
	expect_value(999, "ns", "999 ns");
	expect_value(1000, "ns", "1.000 us");
	expect_value(12340000, "ns", "12.34 ms");
	expect_value(-12340000, "ns", "-12.34 ms");
	expect_value(1500000000, "ns", "1.500 s");
	expect_value(1234567890123, "ns", "1,234.57 s");
	expect_value(1023, "bytes", "1,023 B");
	expect_value(1536, "bytes", "1.500 KB");
	expect_value(1536, "bytes/s", "1.500 KB/s");
	expect_value((int64_t)100 << 20, "bytes", "100.00 MB");
	expect_value(1234, "count", "1,234");
	expect_value(-123, "count", "-123");
	expect_value(-1234567, "count", "-1,234,567");
	expect_value(1234, "cycles", "1,234 cycles");
	expect_value(INT64_MAX, "count", "9,223,372,036,854,775,807");
}
END_TEST

START_TEST(units)
{
	struct pk_unit unit = pk_unit_for("ns", 25000000);
	struct pk_buf buf = PK_BUF_INIT;

	ck_assert_str_eq(unit.name, "ms");
	pk_format_value(&buf, 3000, &unit);
	ck_assert_str_eq(buf.data, "0.00");
	ck_assert(pk_unit_named("ns", "us", &unit));
	ck_assert(unit.divisor == 1000);
	ck_assert(pk_unit_named("ns", "\xC2\xB5s", &unit));
	ck_assert_str_eq(unit.name, "us");
	ck_assert(pk_unit_named("bytes", "MiB", &unit));
	ck_assert(unit.divisor == 1024 * 1024);
	ck_assert(pk_unit_named("cycles", "cycles", &unit));
	ck_assert_str_eq(unit.name, "cycles");
	ck_assert(!pk_unit_named("ns", "MB", &unit));
	ck_assert(!pk_unit_named("count", "s", &unit));
	pk_buf_release(&buf);
}
END_TEST

static void expect_exact(int64_t value, int exponent, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_decimal(&buf, value, exponent);
	ck_assert_str_eq(buf.data, text);
	pk_buf_release(&buf);
}

START_TEST(exact_decimals)
{
	expect_exact(12345, 0, "12345");
	expect_exact(12345, 2, "123.45");
	expect_exact(12340, 3, "12.34");
	expect_exact(12000, 3, "12");
	expect_exact(-5, 3, "-0.005");
	expect_exact(0, 9, "0");
	expect_exact(INT64_MAX, 18, "9.223372036854775807");
	expect_exact(-INT64_MAX, 0, "-9223372036854775807");
	expect_exact(15, 30, "15e-30");
}
END_TEST

START_TEST(rounding_to_the_unit)
{
	struct pk_unit unit = {"ms", 1e6, 2};
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_value(&buf, 1994999, &unit);
	pk_buf_addc(&buf, ' ');
	pk_format_value(&buf, 1995000, &unit);
	pk_buf_addc(&buf, ' ');
	pk_format_value(&buf, -4999, &unit);
	pk_buf_addc(&buf, ' ');
	pk_format_value(&buf, INT64_MAX, &unit);
	ck_assert_str_eq(buf.data, "1.99 2.00 0.00 9,223,372,036,854.78");
	pk_buf_release(&buf);
}
END_TEST

static void expect_real(double value, const char *text)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_real(&buf, value);
	ck_assert_str_eq(buf.data, text);
	pk_buf_release(&buf);
}

START_TEST(reals_read_back)
{
	expect_real(0.1, "0.1");
	expect_real(1.0 / 3, "0.3333333333333333");
	expect_real(123456789.25, "123456789.25");
	expect_real(0.1 + 0.2, "0.30000000000000004");
	expect_real(-0.0, "-0");
	expect_real(1e300, "1e+300");
}
END_TEST

static void expect_six(double value)
{
	struct pk_buf buf = PK_BUF_INIT;
	char text[40];

	snprintf(text, sizeof(text), "%.6g", value);
	pk_format_significant(&buf, value);
	ck_assert_str_eq(buf.data, text);
	pk_buf_release(&buf);
}

static void expect_nearest(const char *text, size_t used)
{
	double value = -1, expected = strtod(text, NULL);

	ck_assert_uint_eq(pk_parse_real(text, strlen(text), &value), used);
	ck_assert_msg(value == expected, "%s: %.17g, not %.17g", text, value, expected);
}

START_TEST(reals_are_the_nearest_double)
{
	static const char *const some[] = {
		"0",
		"1",
		"-0.5",
		".5",
		"5.",
		"1e22",
		"1e23",
		"9007199254740993",
		"1e-400",
		"1e400",
		"5e-324",
		"2.2250738585072011e-308",
		"1.7976931348623157e308",
		"0.1e-999999999999",
		"9007199254740993.00000000000000000000000000001",
		"00000000000000000000000000000000012.5",
		"0."
		"000000000000000000000000000000000000000000000000000000000000000000000000000000123",
		"123456789012345678901234567890",
		"1e-27",
		"8.5e27",
	};
	uint64_t state = 1;
	char text[64];

	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		expect_nearest(some[i], strlen(some[i]));
	for (int i = 0; i < 300000; i++) {
		double x;

		state = state * 6364136223846793005U + 1442695040888963407U;
		x = ldexp((double)(state >> 11), -53 - (int)(state % 60) + 20);
		snprintf(text, sizeof(text), i % 2 ? "%.17g" : "%.16g", x);
		expect_nearest(text, strlen(text));
		/* halfway between two doubles */
		snprintf(text, sizeof(text), "%" PRIu64, (state >> 11 | UINT64_C(1) << 52) * 2 + 1);
		expect_nearest(text, strlen(text));
	}
	expect_nearest("1.5e", 3);
	expect_nearest("1.5e+ 3", 3);
	expect_nearest("2,5", 1);
	ck_assert_uint_eq(pk_parse_real("1234", 2, &(double){0}), 2);
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_eq(
			pk_parse_real(((const char *[]){"-", ".", "nan", ""})[i], 1, &(double){0}),
			0);
}
END_TEST

START_TEST(six_digits_as_printf)
{
	static const double some[] = {
		0,         1,          0.1,         0.123456789, 1.0 / 3,  2.0 / 3,   1e-4,
		1e-5,      9.99995e-5, 9.999994e-5, 1e-9,        1e-12,    1e300,     123456,
		123456.5,  999999.4,   999999.5,    999999.6,    1000000,  0.9999995, 0.99999949,
		0.0001,    12.5,       100,         1.000005,    -0.25,    -1e-7,     0.5000005,
		0.2500005, 1e5,        99999.95,    1.0000015,   INFINITY, 5e-324,    10,
	};
	uint64_t state = 1;
	size_t i;

	for (i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		expect_six(some[i]);
	for (i = 0; i < 100000; i++) {
		state = state * 6364136223846793005U + 1442695040888963407U;
		expect_six(ldexp((double)(state >> 11), -53 - (int)(state % 40)));
		expect_six((double)(state >> 40) / 1e7);
	}
}
END_TEST

START_TEST(units_of_fractions)
{
	struct pk_unit unit = pk_unit_for_scaled("ns", 12345678900, 3);
	struct pk_buf buf = PK_BUF_INIT;

	ck_assert_str_eq(unit.name, "ms");
	pk_format_value(&buf, 12345678900, &unit);
	pk_buf_addc(&buf, ' ');
	unit = pk_unit_for_scaled("count", 175, 2);
	pk_format_value(&buf, 175, &unit);
	pk_buf_addc(&buf, ' ');
	unit = pk_unit_for_scaled("count", 175, 9);
	pk_format_value(&buf, 1750000000, &unit);
	ck_assert_str_eq(buf.data, "12.35 1.75 1.750");
	pk_buf_release(&buf);
}
END_TEST

START_TEST(percents)
{
	struct pk_buf buf = PK_BUF_INIT;

	pk_format_percent(&buf, 0.1234);
	pk_format_percent(&buf, 1);
	pk_format_percent(&buf, -0.05);
	pk_format_percent(&buf, 9999.5);
	pk_format_percent(&buf, 4.6e18);
	ck_assert_str_eq(buf.data, "12.3%100.0%-5.0%999950.0%>999999%");
	pk_buf_release(&buf);
}
END_TEST

START_TEST(dates)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {{"1970-01-01 00:00:01.5", 1500000000},
		    {"2026-11-22 10:56:48.749362", 1795345008749362000},
		    {"2026-11-22T10:56:48Z", 1795345008000000000},
		    {"2026-11-22T11:56:48.000000001+01:00", 1795345008000000001},
		    {"2026-11-22T05:56:48-0500", 1795345008000000000}};
	static const char *const bad[] = {"",
					  "2026-11-22",
					  "2026-13-22 10:56:48",
					  "2026-11-22 10:56:48 UTC",
					  "2026-11-22 10:56:48+1",
					  "2026-11-22 24:56:48"};
	int64_t ns;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert(pk_parse_date(good[i].text, &ns));
		ck_assert_int_eq(ns, good[i].ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert(!pk_parse_date(bad[i], &ns));
	ck_assert_str_eq(pk_date_of(1795345008749362000).text, "2026-11-22 10:56:48");
	ck_assert_str_eq(pk_date_of(-1).text, "1969-12-31 23:59:59");
}
END_TEST

CHECK_MAIN("units", decimals, decimals_end_where_the_number_ends, decimals_do_not_read_beyond_len,
	   decimals_too_large, sizes, saturation, seconds, values, units, exact_decimals,
	   reals_read_back, reals_are_the_nearest_double, six_digits_as_printf,
	   rounding_to_the_unit, units_of_fractions, percents, dates)
