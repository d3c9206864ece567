/* --time: parts of the time of a run, and the profile of these parts. */
#include "tests/check_util.h"

#include <stdlib.h>
#include <string.h>

#include "model/build/builder.h"
#include "model/events/time_range.h"
#include "model/totals.h"
#include "model/transform/transform.h"

#define S INT64_C(1000000000)

/* Ten samples of 1 ms, one a second: five of f, then five of g; and if asked for a span of
 * 4 s in one of 10 s. */
static struct pk_profile *make(bool spans)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t metric = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED), i;
	uint32_t f = pk_build_node(b, 0, pk_build_label(b, "f", 1));
	uint32_t g = pk_build_node(b, f, pk_build_label(b, "g", 1));

	for (i = 0; !spans && i < 10; i++)
		pk_build_sample(b, i * S, 0, i < 5 ? f : g, metric, S / 1000);
	if (spans) {
		pk_build_span(b, 0, 10 * S, 0, f, 0);
		pk_build_span(b, 3 * S, 4 * S, 0, g, 0);
		pk_build_cost(b, 0, f, metric, 6 * S, PK_NULL);
		pk_build_cost(b, 0, g, metric, 4 * S, PK_NULL);
	}
	pk_build_set(b, run, duration, 1, 10 * S);
	return pk_builder_finish(b);
}

static const struct {
	const char *text;
	int64_t from, to;
} good[] = {
	{"1..2", S, 2 * S},
	{"1.5s..2s", S + S / 2, 2 * S},
	{"250ms..3us", 0, 0},
	{"3us..250ms", 3000, S / 4},
	{"7ns..1us", 7, 1000},
	{"20000000128ns..30000000s", 20000000128, 30000000 * S},
	{"..1m", INT64_MIN, 60 * S},
	{"1h..", 3600 * S, INT64_MAX},
	{"10%..20%", S, 2 * S},
	{"50%..100%", 5 * S, INT64_MAX},
	{"..", INT64_MIN, INT64_MAX},
};

START_TEST(ranges)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = make(false);
	struct pk_time_range r;
	int status = pk_time_range_parse(&r, good[_i].text, p, &err);

	if (good[_i].to == 0) {
		ck_assert_int_eq(status, -1); /* ends before it begins */
	} else {
		ck_assert_msg(!status, "%s", err.text);
		ck_assert_int_eq(r.from, good[_i].from);
		ck_assert_int_eq(r.to, good[_i].to);
	}
	pk_profile_free(p);
}
END_TEST

static const char *const bad[] = {"",      "1",    "x..1",  "1..x",   "1s2..",
				  "-1..2", "1..1", "1 ..2", "1e30..", "1..99999999999h",
				  "9000000000h..", "1%%.."};

START_TEST(what_is_no_range)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = make(false);
	struct pk_time_range r;

	ck_assert_int_eq(pk_time_range_parse(&r, bad[_i], p, &err), -1);
	ck_assert_int_eq(err.code, PK_EUSAGE);
	pk_profile_free(p);
}
END_TEST

static void costs(bool spans, const char *time, int64_t *f_self, int64_t *g_self)
{
	struct pk_selection s = {.time = time};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = make(spans), *part;
	struct pk_functions functions;
	const char *unmatched;
	uint32_t i;

	ck_assert_msg(!pk_select(p, &s, &part, &unmatched, &err), "%s", err.text);
	ck_assert_msg(!pk_profile_check(part, &err), "%s", err.text);
	pk_functions_init(&functions, part, 1);
	*f_self = *g_self = -1;
	for (i = 0; i < functions.count; i++) {
		const char *name = pk_text(part, part->function.name[functions.row[i].function]);

		*(*name == 'f' ? f_self : g_self) = functions.row[i].self;
	}
	pk_functions_release(&functions);
	pk_profile_free(part);
	pk_profile_free(p);
}

START_TEST(samples_within)
{
	int64_t f, g;

	costs(false, "2..7", &f, &g);
	ck_assert_int_eq(f, 3 * S / 1000);
	ck_assert_int_eq(g, 2 * S / 1000);
	costs(false, "..50%", &f, &g);
	ck_assert_int_eq(f, 5 * S / 1000);
	ck_assert_int_eq(g, -1); /* the function is not there at all */
}
END_TEST

START_TEST(spans_are_cut)
{
	int64_t f, g;

	costs(true, "..", &f, &g);
	ck_assert_int_eq(f, 6 * S);
	ck_assert_int_eq(g, 4 * S);
	costs(true, "5..8", &f, &g);
	ck_assert_int_eq(f, S);
	ck_assert_int_eq(g, 2 * S);
	costs(true, "8..", &f, &g);
	ck_assert_int_eq(f, 2 * S);
	ck_assert_int_eq(g, -1);
}
END_TEST

START_TEST(no_times_no_part)
{
	struct pk_selection s = {.time = "1..2"};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_builder *b = pk_builder_new();
	struct pk_profile *p, *part;
	const char *unmatched;

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	p = pk_builder_finish(b);
	ck_assert_int_eq(pk_select(p, &s, &part, &unmatched, &err), -1);
	ck_assert(strstr(err.text, "does not say when") != NULL);
	pk_profile_free(p);
}
END_TEST

static void add_loops(TCase *tcase)
{
	tcase_add_loop_test(tcase, ranges, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(tcase, what_is_no_range, 0, sizeof(bad) / sizeof(bad[0]));
}

CHECK_MAIN_AND("time_range", add_loops, samples_within, spans_are_cut, no_times_no_part)
