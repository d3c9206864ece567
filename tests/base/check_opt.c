/* Option tables: parsing of values, and messages. */
#include <stddef.h>
#include <string.h>

#include "base/opt.h"

#include "tests/check_util.h"

struct params {
	bool flag, on;
	int64_t whole, bounded;
	double number, percent;
	uint64_t size;
	const char *text;
	struct pk_opt_list list;
	int choice;
	struct pk_opt_limit limit;
};

#define AT(member) offsetof(struct params, member)

static const char *const colors[] = {"red", "green", "blue", NULL};

static const struct pk_opt opts[] = {
	{PK_OPT_GROUP, .help = "a heading"},
	{PK_OPT_FLAG, "flag", 'f', AT(flag), .help = ""},
	{PK_OPT_FLAG, "on", 0, AT(on), .fallback = "yes"},
	{PK_OPT_INT, "whole", 0, AT(whole), "N", .help = ""},
	{PK_OPT_INT, "bounded", 0, AT(bounded), "N", .fallback = "3", .min = 1, .max = 9},
	{PK_OPT_NUMBER, "number", 0, AT(number), "X", .fallback = "0.5"},
	{PK_OPT_PERCENT, "percent", 0, AT(percent), "P", .min = 0, .max = 100},
	{PK_OPT_SIZE, "size", 0, AT(size), "SIZE", .help = ""},
	{PK_OPT_TEXT, "text", 0, AT(text), "TEXT", .fallback = "none"},
	{PK_OPT_LIST, "list", 0, AT(list), "TEXT", .help = ""},
	{PK_OPT_CHOICE, "choice", 0, AT(choice), "COLOR", .choices = colors, .fallback = "green"},
	{PK_OPT_LIMIT, "limit", 0, AT(limit), "N", .help = ""},
	PK_OPT_LAST,
};

static int set(struct params *p, const char *name, const char *value, struct pk_error *err)
{
	const struct pk_opt *opt = pk_opt_find(opts, name);

	ck_assert_ptr_nonnull(opt);
	return pk_opt_set(opt, value, p, err);
}

static void accept(struct params *p, const char *name, const char *value)
{
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(set(p, name, value, &err) == 0, "%s=%s: %s", name, value, err.text);
}

static void refuse(const char *name, const char *value, const char *message)
{
	struct pk_error err = PK_ERROR_INIT;
	struct params p;

	pk_opt_defaults(opts, &p);
	ck_assert_msg(set(&p, name, value, &err) == -1, "%s=%s is taken", name, value);
	ck_assert_int_eq(err.code, PK_EUSAGE);
	ck_assert_str_eq(err.text, message);
	pk_opt_release(opts, &p);
}

START_TEST(defaults)
{
	struct params p;

	memset(&p, 0xAA, sizeof(p));
	pk_opt_defaults(opts, &p);
	ck_assert(!p.flag);
	ck_assert(p.on);
	ck_assert_int_eq(p.whole, 0);
	ck_assert_int_eq(p.bounded, 3);
	ck_assert_double_eq(p.number, 0.5);
	ck_assert_double_eq(p.percent, 0);
	ck_assert_uint_eq(p.size, 0);
	ck_assert_str_eq(p.text, "none");
	ck_assert_uint_eq(p.list.count, 0);
	ck_assert_int_eq(p.choice, 1);
	ck_assert(!p.limit.given);
	pk_opt_release(opts, &p);
}
END_TEST

START_TEST(values)
{
	struct params p;

	pk_opt_defaults(opts, &p);
	accept(&p, "flag", NULL);
	accept(&p, "on", "no");
	accept(&p, "whole", "-9223372036854775808");
	accept(&p, "bounded", "9");
	accept(&p, "number", "-1e3");
	accept(&p, "percent", "2.5%");
	accept(&p, "size", "64M");
	accept(&p, "text", "");
	accept(&p, "choice", "blue");
	ck_assert(p.flag);
	ck_assert(!p.on);
	ck_assert_int_eq(p.whole, INT64_MIN);
	ck_assert_int_eq(p.bounded, 9);
	ck_assert_double_eq(p.number, -1000);
	ck_assert_double_eq(p.percent, 0.025);
	ck_assert_uint_eq(p.size, 64 * 1024 * 1024);
	ck_assert_str_eq(p.text, "");
	ck_assert_int_eq(p.choice, 2);
	accept(&p, "percent", "5");
	ck_assert_double_eq(p.percent, 0.05);
	pk_opt_release(opts, &p);
}
END_TEST

START_TEST(lists_grow)
{
	struct params p;

	pk_opt_defaults(opts, &p);
	for (int i = 0; i < 100; i++)
		accept(&p, "list", i % 2 ? "odd" : "even");
	ck_assert_uint_eq(p.list.count, 100);
	ck_assert_str_eq(p.list.item[98], "even");
	ck_assert_str_eq(p.list.item[99], "odd");
	pk_opt_release(opts, &p);
	ck_assert_uint_eq(p.list.count, 0);
}
END_TEST

START_TEST(limits)
{
	struct params p;

	pk_opt_defaults(opts, &p);
	accept(&p, "limit", "20");
	ck_assert(p.limit.given);
	ck_assert_int_eq(p.limit.count, 20);
	ck_assert_double_eq(p.limit.share, 0);
	accept(&p, "limit", "12.5%");
	ck_assert_int_eq(p.limit.count, 0);
	ck_assert_double_eq(p.limit.share, 0.125);
	accept(&p, "limit", "0");
	ck_assert(p.limit.given);
	ck_assert_int_eq(p.limit.count, 0);
	ck_assert_double_eq(p.limit.share, 0);
	pk_opt_release(opts, &p);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
	refuse("flag", "perhaps", "'perhaps' is neither yes nor no");
	refuse("whole", "1.5", "'1.5' is not a whole number");
	refuse("whole", "", "'' is not a whole number");
	refuse("whole", "12x", "'12x' is not a whole number");
	refuse("whole", "9223372036854775808", "'9223372036854775808' is too large");
	refuse("whole", NULL, "needs a value (N)");
	refuse("bounded", "0", "'0' is not between 1 and 9");
	refuse("bounded", "10", "'10' is not between 1 and 9");
	refuse("number", "nan", "'nan' is not a number");
	refuse("number", "inf", "'inf' is not a number");
	refuse("number", "5%", "'5%' is not a number");
	refuse("percent", "101", "'101' is not between 0 and 100");
	refuse("percent", "5%%", "'5%%' is not a number");
	refuse("size", "lots", "'lots' is not a size such as 64M");
	refuse("choice", "gree", "'gree' is not one of red, green, blue");
	refuse("limit", "-1", "'-1' is neither a number of rows nor a share from 0% to 100%");
	refuse("limit", "1.5", "'1.5' is neither a number of rows nor a share from 0% to 100%");
	refuse("limit", "101%", "'101%' is neither a number of rows nor a share from 0% to 100%");
}
END_TEST

START_TEST(headings_are_no_options)
{
	ck_assert_ptr_null(pk_opt_find(opts, "a heading"));
	ck_assert_ptr_null(pk_opt_find(opts, ""));
	ck_assert_ptr_null(pk_opt_find(NULL, "flag"));
}
END_TEST

START_TEST(the_closest_word)
{
	static const char *const words[] = {"hotspots", "callers", "callees", "info", "db", NULL};
	char lengthy[131] = "";

	ck_assert_str_eq(pk_closest_word("hotspot", words), "hotspots");
	ck_assert_str_eq(pk_closest_word("hostpots", words), "hotspots");
	ck_assert_str_eq(pk_closest_word("calles", words), "callers");
	ck_assert_str_eq(pk_closest_word("calleees", words), "callees");
	ck_assert_str_eq(pk_closest_word("inof", words), "info");
	ck_assert_ptr_null(pk_closest_word("xx", words));
	ck_assert_ptr_null(pk_closest_word("quite another thing", words));
	ck_assert_ptr_null(pk_closest_word("", words));
	memset(lengthy, 'y', sizeof(lengthy) - 1);
	ck_assert_ptr_null(pk_closest_word(lengthy, words));
}
END_TEST

CHECK_MAIN("opt", defaults, values, lists_grow, limits, what_is_wrong_is_said,
	   headings_are_no_options, the_closest_word)
