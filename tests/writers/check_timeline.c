/* Positions in a picture of a timeline: nothing is lost, however much there is. */
#include <check.h>
#include <string.h>

#include "model/build/builder.h"
#include "writers/timeline/layout.h"

#include "tests/check_util.h"

static uint32_t node_of(struct pk_builder *b, uint32_t parent, const char *name)
{
	return pk_build_node(b, parent, pk_build_label(b, name, strlen(name)));
}

static uint32_t thread_of(struct pk_builder *b, int64_t tid, enum pk_thread_role role)
{
	return pk_build_thread(b, &(struct pk_thread){.process = pk_build_process(b, 1, 0, PK_NULL),
						      .tid = tid,
						      .sort = PK_NULL,
						      .role = role});
}

static void lay_out_in(struct pk_timeline *t, struct pk_builder *b, uint32_t depth, double pixels)
{
	struct pk_timeline_limits limits = {.pixels = pixels, .depth = depth, .flows = true};
	struct pk_profile *p = pk_builder_finish(b);

	pk_timeline_init(t, p, &p->span, &limits);
}

static void lay_out(struct pk_timeline *t, struct pk_builder *b, uint32_t depth)
{
	lay_out_in(t, b, depth, 100);
}

static void release(struct pk_timeline *t)
{
	struct pk_profile *p = (struct pk_profile *)(uintptr_t)t->p;

	pk_timeline_release(t);
	pk_profile_free(p);
}

START_TEST(few_are_drawn_as_they_are)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t gpu = thread_of(b, 7, PK_ROLE_GPU), cpu = thread_of(b, 3, PK_ROLE_UNKNOWN);
	uint32_t a = node_of(b, 0, "a"), inner = node_of(b, a, "b");
	struct pk_timeline t;

	pk_build_span(b, 100, 900, cpu, a, 0);
	pk_build_span(b, 200, 100, cpu, inner, 0);
	pk_build_span(b, 400, 500, gpu, node_of(b, 0, "kernel"), 0);
	pk_build_flow(b, 2, 3, pk_build_text(b, "launch"));
	pk_build_instant(b, 1100, cpu, pk_build_text(b, "mark"), 0);
	pk_build_counter(b, 100, 1, pk_build_text(b, "memory"), pk_build_text(b, "used"), 10);
	pk_build_counter(b, 600, 1, pk_build_text(b, "memory"), pk_build_text(b, "used"), 30);
	lay_out(&t, b, 0);
	ck_assert_int_eq(t.begin, 100);
	ck_assert_int_eq(t.end, 1100);
	ck_assert_uint_eq(t.lane_count, 2);
	ck_assert_uint_eq(t.lane[0].thread, cpu); /* GPU streams are below */
	ck_assert_uint_eq(t.lane[0].depth, 2);
	ck_assert_uint_eq(t.box_count, 3);
	ck_assert_uint_eq(t.box[1].depth, 1);
	ck_assert_int_eq(t.box[1].begin, 200);
	ck_assert_int_eq(t.box[1].end, 300);
	ck_assert_uint_eq(t.joined, 0);
	ck_assert_uint_eq(t.flow_count, 1);
	ck_assert_uint_eq(t.flow[0].from_depth, 1);
	ck_assert_int_eq(t.flow[0].to, 400);
	ck_assert_uint_eq(t.mark_count, 1);
	ck_assert_uint_eq(t.counter_count, 1);
	ck_assert_uint_eq(t.counter[0].count, 2);
	ck_assert_int_eq(t.area[0].end, 600);
	ck_assert_int_eq(t.area[1].end, 1100);
	ck_assert(t.area[1].high == 30);
	release(&t);
}
END_TEST

/* Markers are in no call of each other, and may overlap; flows end where their spans are. */
START_TEST(overlapping)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t one = thread_of(b, 3, PK_ROLE_UNKNOWN), two = thread_of(b, 4, PK_ROLE_UNKNOWN);
	uint32_t a = node_of(b, 0, "a"), inner = node_of(b, a, "b");
	static const uint32_t rows[] = {0, 1, 2, 0, 0, 1};
	struct pk_timeline t;

	pk_build_span(b, 0, 10000, one, a, 0);
	pk_build_span(b, 1000, 7000, one, node_of(b, 0, "c"), 0);
	pk_build_span(b, 5000, 9000, one, inner, 0);
	pk_build_span(b, 14000, 2000, one, a, 0);
	pk_build_span(b, 2000, 9000, two, a, 0);
	pk_build_span(b, 2000, 5000, two, inner, 0);
	pk_build_flow(b, 3, 5, 0);
	lay_out(&t, b, 0);
	ck_assert_uint_eq(t.lane[0].depth, 3);
	ck_assert_uint_eq(t.lane[1].depth, 2);
	ck_assert_uint_eq(t.box_count, 6);
	for (size_t i = 0; i < t.box_count; i++)
		ck_assert_uint_eq(t.box[i].depth, rows[i]);
	ck_assert_uint_eq(t.flow_count, 1);
	ck_assert_uint_eq(t.flow[0].from_depth, 2);
	release(&t);
}
END_TEST

/* 300,000 short calls within long ones: each span is in one box, deeper ones are counted. */
START_TEST(many_are_joined)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t thread = thread_of(b, 3, PK_ROLE_UNKNOWN);
	uint32_t a = node_of(b, 0, "a"), x = node_of(b, a, "x"), y = node_of(b, a, "y");
	uint32_t deep = node_of(b, x, "deep"), spans = 0, i;
	int64_t busy = 0, all = 0;
	struct pk_timeline t;
	uint64_t count = 0;

	for (i = 0; i < 100000; i++) {
		pk_build_span(b, i * 100, 90, thread, a, 0);
		pk_build_span(b, i * 100, 40, thread, i % 3 ? x : y, 0);
		pk_build_span(b, i * 100, 10, thread, i % 3 ? deep : y, 0);
		spans += 3;
		all += 90 + 40 + (i % 3 ? 0 : 10);
	}
	lay_out(&t, b, 2);
	for (i = 0; i < t.box_count; i++) {
		count += t.box[i].count;
		busy += t.box[i].busy;
		ck_assert_uint_lt(t.box[i].others, t.box[i].count);
		ck_assert(t.box[i].end <= t.end && t.box[i].begin >= t.begin);
	}
	ck_assert_uint_eq(count + t.deep, spans);
	ck_assert_int_eq(busy, all);
	ck_assert_uint_eq(t.joined, count);
	ck_assert_uint_le(t.box_count, 400);
	ck_assert_uint_ge(t.box_count, 60);
	release(&t);
}
END_TEST

/* Each span would be wide enough for a box of its own: they are joined because they are many. */
START_TEST(more_than_can_be_drawn)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t thread[] = {thread_of(b, 3, PK_ROLE_UNKNOWN), thread_of(b, 4, PK_ROLE_UNKNOWN)};
	uint32_t a = node_of(b, 0, "a"), x = node_of(b, a, "x");
	uint64_t count = 0, spans = 0;
	int64_t busy = 0, all = 0;
	struct pk_timeline t;

	for (uint32_t i = 0; i < 10000; i++)
		for (uint32_t k = 0; k < 2; k++) {
			int64_t begin = i * 100 + 13 * k;

			pk_build_span(b, begin, 40 + i % 40, thread[k], a, 0);
			pk_build_span(b, begin + 7, 10 + i % 20, thread[k], x, 0);
			all += 50 + i % 40 + i % 20;
			spans += 2;
		}
	lay_out_in(&t, b, 2, 1000000);
	for (uint32_t i = 0; i < t.box_count; i++) {
		count += t.box[i].count;
		busy += t.box[i].busy;
	}
	ck_assert_uint_eq(count, spans);
	ck_assert_int_eq(busy, all);
	ck_assert_uint_le(t.box_count, 12000);
	release(&t);
}
END_TEST

/* --depth may ask for more rows than there are boxes at most: each row has one then. */
START_TEST(more_rows_than_boxes)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t node[200], parent = 0;
	struct pk_timeline t;

	for (uint32_t d = 0; d < 200; d++)
		node[d] = parent = node_of(b, parent, "f");
	for (uint32_t i = 0; i < 100; i++) {
		uint32_t thread = thread_of(b, i + 1, PK_ROLE_UNKNOWN);

		for (uint32_t d = 0; d < 200; d++)
			pk_build_span(b, d, 1000 - 2 * d, thread, node[d], 0);
	}
	lay_out(&t, b, 200);
	ck_assert_uint_eq(t.box_count, 20000);
	release(&t);
}
END_TEST

/* A peak that is joined with what is beside it does not last longer than a pixel. */
START_TEST(peaks_of_counters)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t name = pk_build_text(b, "memory");
	struct pk_timeline t;

	pk_build_process(b, 1, 0, PK_NULL);
	pk_build_counter(b, 0, 1, name, name, 100);
	pk_build_counter(b, 1, 1, name, name, 1);
	pk_build_counter(b, 10000, 1, name, name, 2);
	lay_out(&t, b, 0);
	ck_assert_uint_eq(t.counter[0].count, 3);
	ck_assert(t.area[0].high == 100);
	ck_assert_int_eq(t.area[0].end, 100);
	ck_assert(t.area[1].high == 1);
	ck_assert_int_eq(t.area[1].end, 9900);
	ck_assert(t.area[2].high == 2); /* a peak at the end is seen */
	ck_assert_int_eq(t.area[2].end, 10000);
	release(&t);
}
END_TEST

/* More samples than there may be boxes are drawn as fewer, which last as long together. */
START_TEST(many_samples)
{
	enum { SAMPLES = 100000 };
	struct pk_builder *b = pk_builder_new();
	struct pk_timeline_limits limits = {.pixels = 8000, .without_spans = true};
	uint32_t cpu = thread_of(b, 3, PK_ROLE_UNKNOWN), root = node_of(b, 0, "root"), leaf[2];
	uint32_t time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	int64_t busy = 0;
	struct pk_timeline t;
	struct pk_profile *p;

	leaf[0] = node_of(b, root, "a");
	leaf[1] = node_of(b, root, "b");
	for (int64_t i = 0; i < SAMPLES; i++)
		pk_build_sample(b, i * 10, cpu, leaf[i % 2], time, 7);
	p = pk_builder_finish(b);
	limits.sampled = time;
	pk_timeline_init(&t, p, NULL, &limits);
	ck_assert_int_gt(t.together, 10);
	ck_assert_int_lt(t.together, 1000);
	ck_assert_uint_eq(t.lane[0].depth, 2);
	for (size_t i = 0; i < t.box_count; i++)
		busy += t.box[i].depth ? 0 : t.box[i].busy;
	ck_assert_int_eq(busy, SAMPLES * 7);
	ck_assert_int_eq(t.begin, 0);
	ck_assert_int_eq(t.end, SAMPLES * 10 - 3);
	release(&t);
}
END_TEST

CHECK_MAIN("timeline", few_are_drawn_as_they_are, overlapping, many_are_joined,
	   more_than_can_be_drawn, more_rows_than_boxes, peaks_of_counters, many_samples)
