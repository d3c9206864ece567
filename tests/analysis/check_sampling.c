/* How often threads were sampled, and for how long not at all. */
#include "tests/check_util.h"

#include "analysis/sampling.h"
#include "base/num/compare.h"
#include "model/build/builder.h"

struct made {
	struct pk_builder *b;
	uint32_t node, metric, other, a, c;
};

static struct made begin(enum pk_exactness exactness)
{
	struct made m = {.b = pk_builder_new()};
	struct pk_thread thread = {.tid = 7, .sort = PK_NULL};

	m.metric = pk_build_metric(m.b, "time", "ns", 0, PK_METRIC_TIME, exactness);
	m.other = pk_build_metric(m.b, "faults", "count", 0, PK_METRIC_COUNT, exactness);
	m.node = pk_build_node(m.b, 0, pk_build_label(m.b, "f", 1));
	m.a = pk_build_thread(m.b, &thread);
	thread.tid = 8;
	m.c = pk_build_thread(m.b, &thread);
	return m;
}

static void add(struct made *m, uint32_t thread, int64_t time)
{
	pk_build_sample(m->b, time, thread, m->node, m->metric, 10);
}

START_TEST(gaps_and_medians)
{
	struct made m = begin(PK_SAMPLED);
	struct pk_sampling s;
	struct pk_profile *p;

	/* Out of order, with a sample of another metric in the gap. */
	add(&m, m.a, 100);
	add(&m, m.a, 120);
	add(&m, m.c, 105);
	add(&m, m.a, 110);
	pk_build_sample(m.b, 150, m.a, m.node, m.other, 1);
	add(&m, m.a, 180);
	add(&m, m.a, 180);
	add(&m, m.c, 300);
	p = pk_builder_finish(m.b);
	pk_sampling_init(&s, p, m.metric);
	ck_assert(s.sampled && s.timed);
	ck_assert_uint_eq(s.threads, 2);
	ck_assert_int_eq(s.thread[0].samples, 5);
	ck_assert_int_eq(s.thread[0].total, 50);
	ck_assert_int_eq(s.thread[0].start, 100);
	ck_assert_int_eq(s.thread[0].end, 180);
	ck_assert_int_eq(s.thread[0].interval, 10);
	ck_assert_int_eq(s.thread[0].gap, 60);
	ck_assert_int_eq(s.thread[0].gap_start, 120);
	ck_assert_int_eq(s.thread[1].interval, 195);
	ck_assert_uint_eq(s.gap, 1);
	ck_assert_int_eq(s.interval, 10); /* of 10, 10, 60, 195: the lower of two in the middle */
	pk_sampling_release(&s);
	pk_sampling_init(&s, p, m.other);
	ck_assert_uint_eq(s.threads, 1);
	ck_assert_int_eq(s.thread[0].samples, 1);
	ck_assert_int_eq(s.thread[0].start, 150);
	ck_assert_int_eq(s.thread[0].gap, PK_NULL);
	ck_assert_int_eq(s.interval, PK_NULL);
	ck_assert_uint_eq(s.gap, UINT32_MAX);
	pk_sampling_release(&s);
	pk_profile_free(p);
}
END_TEST

static int64_t lower_median(int64_t *value, size_t count)
{
	pk_sort_ints(value, count);
	return value[(count - 1) / 2];
}

/* Of each thread, and of both: numbers of all sizes. */
START_TEST(medians_of_many)
{
	enum { MANY = 500 };
	struct made m = begin(PK_SAMPLED);
	uint32_t thread[] = {m.a, m.c};
	int64_t gap[2 * MANY];
	struct pk_sampling s;
	struct pk_profile *p;

	for (int t = 0; t < 2; t++) {
		int64_t time = 7, *own = gap + t * MANY;

		for (int i = 0; i < MANY; i++) {
			own[i] = 1 + (i * 2654435761U >> i % (t ? 9 : 30)) * (i % 5 ? 1 : 4001);
			add(&m, thread[t], time);
			time += own[i];
		}
		add(&m, thread[t], time);
	}
	p = pk_builder_finish(m.b);
	pk_sampling_init(&s, p, m.metric);
	for (int t = 0; t < 2; t++)
		ck_assert_int_eq(s.thread[t].interval, lower_median(gap + t * MANY, MANY));
	ck_assert_int_eq(s.interval, lower_median(gap, 2 * MANY));
	pk_sampling_release(&s);
	pk_profile_free(p);
}
END_TEST

START_TEST(nothing_is_made_up)
{
	struct made m = begin(PK_SAMPLED);
	struct pk_sampling s;
	struct pk_profile *p;

	add(&m, m.a, PK_NULL);
	add(&m, m.a, PK_NULL);
	p = pk_builder_finish(m.b);
	pk_sampling_init(&s, p, 1);
	ck_assert(s.sampled && !s.timed);
	ck_assert_uint_eq(s.threads, 1);
	ck_assert_int_eq(s.thread[0].samples, 2);
	ck_assert_int_eq(s.thread[0].interval, PK_NULL);
	ck_assert_int_eq(s.thread[0].start, PK_NULL);
	pk_sampling_release(&s);
	pk_profile_free(p);
}
END_TEST

START_TEST(sums_and_spans)
{
	struct made m = begin(PK_SAMPLED), exact = begin(PK_EXACT);
	struct pk_sampling s;
	struct pk_profile *p;

	pk_build_cost(m.b, m.c, m.node, m.metric, 5, PK_NULL);
	p = pk_builder_finish(m.b);
	pk_sampling_init(&s, p, 1);
	ck_assert(s.sampled && !s.timed);
	ck_assert_uint_eq(s.threads, 1);
	ck_assert_uint_eq(s.thread[0].thread, m.c);
	ck_assert_int_eq(s.thread[0].total, 5);
	ck_assert_int_eq(s.thread[0].samples, PK_NULL);
	pk_sampling_release(&s);
	pk_profile_free(p);
	pk_build_cost(exact.b, exact.a, exact.node, exact.metric, 5, PK_NULL);
	p = pk_builder_finish(exact.b);
	pk_sampling_init(&s, p, 1);
	ck_assert(!s.sampled);
	pk_sampling_release(&s);
	pk_profile_free(p);
	p = pk_builder_finish(pk_builder_new());
	pk_sampling_init(&s, p, 1);
	ck_assert(!s.sampled);
	ck_assert_uint_eq(s.threads, 0);
	pk_sampling_release(&s);
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("sampling", gaps_and_medians, medians_of_many, nothing_is_made_up, sums_and_spans)
