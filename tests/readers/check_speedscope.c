/* speedscope: ways to read the same stacks, sums without samples, events that are written. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/str.h"
#include "readers/reader.h"
#include "tests/check_util.h"
#include "writers/writer.h"

static struct pk_profile *read_text(const char *text, size_t len, unsigned wanted)
{
	struct pk_input *in = pk_input_from_memory(text, len, "test");
	struct pk_read_options options = {.format = "speedscope", .wanted = wanted};
	struct pk_profiles list = {NULL, 0, 0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p;

	if (pk_read_input(in, NULL, &options, &list, &err))
		ck_abort_msg("%s", err.text);
	p = list.item[0];
	if (pk_profile_check(p, &err))
		ck_abort_msg("%s", err.text);
	free(list.item);
	pk_input_close(in);
	return p;
}

static void add_path(struct pk_buf *buf, const struct pk_profile *p, uint32_t node)
{
	uint32_t parent = p->node.parent[node], frame = pk_node_function(p, node);

	if (parent) {
		add_path(buf, p, parent);
		pk_buf_addc(buf, ';');
	}
	pk_buf_adds(buf, pk_text(p, p->function.name[frame]));
}

/* "1/2/a;b=12e-1 " for thread 1, metric 2; calls after a slash. Repairs are in braces. */
static char *describe(const struct pk_profile *p)
{
	struct pk_buf buf = PK_BUF_INIT;
	uint32_t i;

	for (i = 1; i < p->cost.count; i++) {
		uint32_t metric = pk_cost_metric(p, i);

		pk_buf_addf(&buf, "%u/%u/", pk_cost_thread(p, i), metric);
		add_path(&buf, p, p->cost.node[i]);
		pk_buf_addf(&buf, "=%llde-%u", (long long)p->cost.self[i],
			    p->metric.exponent[metric]);
		if (pk_cost_calls(p, i) != PK_NULL)
			pk_buf_addf(&buf, "/%lld", (long long)pk_cost_calls(p, i));
		pk_buf_addc(&buf, ' ');
	}
	for (i = 1; i < p->repair.count; i++)
		pk_buf_addf(&buf, "{%s, %lld, %s}", pk_text(p, p->repair.what[i]),
			    (long long)p->repair.times[i], pk_text(p, p->repair.first[i]));
	return pk_buf_detach(&buf);
}

static void begin_file(struct pk_buf *text, int frames)
{
	int i;

	pk_buf_adds(text, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
			  "\"shared\":{\"frames\":[");
	/* Every seventh is equal to another one. */
	for (i = 0; i < frames; i++)
		pk_buf_addf(text, "%s{\"name\":\"f%d\"}", i ? "," : "", i % 7 ? i : i / 2);
	pk_buf_adds(text, "]},\"profiles\":[");
}

static void begin_profile(struct pk_buf *text, const char *type, int number, const char *unit)
{
	pk_buf_addf(text,
		    "%s{\"type\":\"%s\",\"name\":\"t%d\",\"unit\":\"%s\",\"startValue\":0,"
		    "\"endValue\":0,",
		    number ? "," : "", type, number, unit);
}

/* How numbers of frames are written: each takes another way through the reader. */
enum notation { PLAIN, SPACED, DECIMAL };

/* Stacks that come again, or share much with the one before. */
static void put_stacks(struct pk_buf *text, uint32_t seed, int count, enum notation notation)
{
	uint32_t stack[40], i;
	int n;

	for (i = 0; i < 40; i++)
		stack[i] = i * 31 % 1200;
	for (n = 0; n < count; n++) {
		uint32_t depth;

		seed = seed * 1664525 + 1013904223;
		depth = 1 + (seed >> 8) % 40;
		if (seed >> 30)
			stack[depth - 1] = (seed >> 16) % (seed >> 29 ? 8 : 1200);
		pk_buf_adds(text, n ? ",[" : "[");
		for (i = 0; i < depth && seed >> 20 & 63; i++)
			pk_buf_addf(text, "%s%u%s",
				    !i                   ? ""
				    : notation == SPACED ? " , "
							 : ",",
				    stack[i], notation == DECIMAL ? ".0" : "");
		pk_buf_addc(text, ']');
	}
}

static void make_samples(struct pk_buf *text, int count, enum notation notation)
{
	static const char *const weights[] = {"0.01", "0.01",   "0.01", "0.02",
					      "1e-3", "0.0005", "0"};
	int i, k;

	begin_file(text, 1200);
	for (i = 0; i < 3; i++) {
		begin_profile(text, "sampled", i, "seconds");
		pk_buf_adds(text, "\"samples\":[");
		put_stacks(text, (uint32_t)i + 5, count, notation);
		pk_buf_adds(text, "],\"weights\":[");
		for (k = 0; k < count; k++)
			pk_buf_addf(text, "%s%s", k ? "," : "", weights[k * 5 / 3 % 7]);
		pk_buf_adds(text, "]}");
	}
	pk_buf_adds(text, "]}");
}

START_TEST(stacks_however_written)
{
	char *right = NULL;
	int notation;

	for (notation = PLAIN; notation <= DECIMAL; notation++) {
		struct pk_buf text = PK_BUF_INIT;
		struct pk_profile *p;
		char *got;

		make_samples(&text, 3000, (enum notation)notation);
		p = read_text(text.data, text.len, ~0U);
		ck_assert_uint_eq(p->repair.count, 1);
		ck_assert_uint_gt(p->cost.count, 3000);
		got = describe(p);
		if (right)
			ck_assert(strcmp(got, right) == 0);
		free(right);
		right = got;
		pk_profile_free(p);
		pk_buf_release(&text);
	}
	free(right);
}
END_TEST

/* Sums made while reading are those of the samples. */
static void expect_same_sums(const struct pk_buf *text)
{
	struct pk_profile *samples = read_text(text->data, text->len, ~0U);
	struct pk_profile *sums = read_text(text->data, text->len, 0);
	char *right = describe(samples), *got = describe(sums);

	ck_assert_str_eq(got, right);
	ck_assert_uint_gt(samples->sample.count, 1);
	ck_assert_uint_eq(sums->sample.count, 1);
	ck_assert_uint_eq(samples->unread, 0);
	ck_assert_uint_eq(sums->unread, PK_PART_ORDER);
	free(right);
	free(got);
	pk_profile_free(samples);
	pk_profile_free(sums);
}

START_TEST(sums_without_samples)
{
	struct pk_buf text = PK_BUF_INIT;

	make_samples(&text, 2000, PLAIN);
	expect_same_sums(&text);
	pk_buf_release(&text);
}
END_TEST

/* Finer and finer values, also of a thread that was read before; and sums that do not fit. */
START_TEST(sums_of_other_exponents)
{
	struct pk_buf text = PK_BUF_INIT;

	begin_file(&text, 9);
	begin_profile(&text, "sampled", 0, "none");
	pk_buf_adds(&text, "\"samples\":[[1],[1,2],[1]],\"weights\":[1,1.5,0.25]}");
	begin_profile(&text, "sampled", 1, "none");
	pk_buf_adds(&text, "\"samples\":[[1],[1,2],[1]],\"weights\":[1,0.001,3]}");
	begin_profile(&text, "evented", 2, "none");
	pk_buf_adds(&text, "\"events\":[{\"type\":\"O\",\"frame\":1,\"at\":0},"
			   "{\"type\":\"C\",\"frame\":1,\"at\":0.125}]}");
	begin_profile(&text, "sampled", 3, "bytes");
	pk_buf_adds(&text, "\"samples\":[[1],[1]],\"weights\":[9223372036854775807,5]}]}");
	expect_same_sums(&text);
	pk_buf_release(&text);
}
END_TEST

static int64_t period_of(const char *exporter, const char *weights)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_profile *p;
	int64_t period;

	begin_file(&text, 3);
	begin_profile(&text, "sampled", 0, "seconds");
	pk_buf_addf(&text, "\"samples\":[[0],[1],[0]],\"weights\":[%s]}],\"exporter\":\"%s@1\"}",
		    weights, exporter);
	p = read_text(text.data, text.len, ~0U);
	period = pk_metric_period(p, 1);
	pk_profile_free(p);
	pk_buf_release(&text);
	return period;
}

/* A time that is not known stays so. */
static void check_times(void)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_profile *p;

	pk_buf_adds(&text,
		    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
		    "\"exporter\":\"profkit@1\",\"shared\":{\"frames\":[{\"name\":\"f\"}]},"
		    "\"profiles\":[{\"type\":\"sampled\",\"name\":\"t\",\"unit\":\"nanoseconds\","
		    "\"startValue\":-9,\"endValue\":6,\"samples\":[[0],[0]],"
		    "\"times\":[5,null],\"weights\":[1,2]}]}");
	p = read_text(text.data, text.len, ~0U);
	ck_assert_uint_eq(p->sample.count, 3);
	ck_assert_int_eq(p->sample.time[2], PK_NULL);
	pk_profile_free(p);
	pk_buf_release(&text);
}

START_TEST(periods)
{
	check_times();
	ck_assert_int_eq(period_of("py-spy", "0.01,0.01,0.01"), 10000000);
	ck_assert_int_eq(period_of("tool", "0.01,1e-2,0.010"), 10000000);
	ck_assert_int_eq(period_of("py-spy", "0.01,0.02,0.01"), PK_NULL);
	ck_assert_int_eq(period_of("profkit", "0.01,0.01,0.01"), PK_NULL); /* sums */
}
END_TEST

START_TEST(columns)
{
	static const char text[] =
		"{\"shared\":{\"frames\":["
		"{\"name\":\"a\",\"file\":\"x.js\",\"line\":1,\"col\":5},"
		"{\"name\":\"a\",\"file\":\"x.js\",\"line\":1,\"col\":77},"
		"{\"name\":\"a\",\"file\":\"x.js\",\"line\":1,\"col\":5},"
		"{\"name\":\"a\",\"file\":\"x.js\",\"line\":2,\"col\":6}]},"
		"\"profiles\":[{\"type\":\"sampled\",\"name\":\"t\",\"unit\":\"none\","
		"\"startValue\":0,\"endValue\":6,\"samples\":[[0],[1],[3]],\"weights\":[1,2,3]}]}";
	struct pk_profile *p = read_text(text, strlen(text), ~0U);
	char *got = describe(p);

	ck_assert_str_eq(got, "1/1/a=3e-0 1/1/a=3e-0 ");
	ck_assert_uint_eq(p->meta.count, 2);
	ck_assert_str_eq(pk_text(p, p->meta.key[1]), "frames joined that differ by column alone");
	ck_assert_str_eq(pk_text(p, p->meta.value[1]), "1");
	free(got);
	pk_profile_free(p);
}
END_TEST

static char *write_text(struct pk_profile *p, size_t *len)
{
	struct pk_profiles list = {&p, 1, 1};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf buf = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&buf);

	if (pk_write(pk_writer_find("speedscope"), &list, NULL, out, &err))
		ck_abort_msg("%s", err.text);
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
	*len = buf.len;
	return pk_buf_detach(&buf);
}

/* Events "O0@1 C0@3" of one thread. */
static void put_events(struct pk_buf *text, int number, const char *unit, const char *events)
{
	int frame, used;
	long long at;
	char type;
	bool first = true;

	begin_profile(text, "evented", number, unit);
	pk_buf_adds(text, "\"events\":[");
	for (; sscanf(events, " %c%d@%lld%n", &type, &frame, &at, &used) == 3; events += used) {
		pk_buf_addf(text, "%s{\"type\":\"%c\",\"frame\":%d,\"at\":%lld}", first ? "" : ",",
			    type, frame, at);
		first = false;
	}
	ck_assert_str_eq(events, "");
	pk_buf_adds(text, "]}");
}

/* What is written is read as the same, and written once more with the same bytes. */
static void expect_events_kept(const struct pk_buf *text, int evented)
{
	struct pk_profile *one = read_text(text->data, text->len, ~0U), *two;
	char *right = describe(one), *first, *second, *got, *at;
	size_t len;

	first = write_text(one, &len);
	for (at = first; (at = strstr(at, "\"type\": \"evented\"")); at++)
		evented--;
	ck_assert_int_eq(evented, 0);
	two = read_text(first, len, ~0U);
	got = describe(two);
	ck_assert_str_eq(got, right);
	ck_assert_uint_eq(two->span.count, one->span.count);
	for (uint32_t i = 1; i < one->span.count; i++) {
		ck_assert_int_eq(two->span.time[i], one->span.time[i]);
		ck_assert_int_eq(two->span.duration[i], one->span.duration[i]);
	}
	ck_assert_int_eq(two->run.duration[1], one->run.duration[1]);
	second = write_text(two, &len);
	ck_assert_str_eq(second, first);
	free(right);
	free(first);
	free(second);
	free(got);
	pk_profile_free(one);
	pk_profile_free(two);
}

START_TEST(events_written)
{
	struct pk_buf text = PK_BUF_INIT;

	begin_file(&text, 6);
	put_events(&text, 0, "nanoseconds",
		   "O1@0 O2@1 C2@1 O2@1 O3@1 C3@5 C2@5 O2@5 C2@9 C1@9 O1@9 C1@9 O4@9 C4@20");
	put_events(&text, 1, "nanoseconds", "O5@3 O5@4 O5@4 C5@6 C5@7 C5@7");
	pk_buf_adds(&text, "]}");
	expect_events_kept(&text, 2);
	pk_buf_release(&text);
}
END_TEST

/* No times, or costs that spans do not say: then there are samples. */
START_TEST(events_that_cannot_be)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_profile *p;
	size_t len;
	char *got;

	begin_file(&text, 6);
	put_events(&text, 0, "bytes", "O1@0 O2@1 C2@3 C1@4");
	pk_buf_adds(&text, "]}");
	p = read_text(text.data, text.len, ~0U);
	got = write_text(p, &len);
	ck_assert(!strstr(got, "evented"));
	ck_assert(strstr(got, "\"weights\": [1, 2, 1]"));
	free(got);
	pk_profile_free(p);
	pk_buf_release(&text);

	begin_file(&text, 6);
	begin_profile(&text, "evented", 0, "nanoseconds");
	pk_buf_adds(&text, "\"events\":[{\"type\":\"O\",\"frame\":1,\"at\":0},"
			   "{\"type\":\"C\",\"frame\":1,\"at\":1.5}]}]}");
	p = read_text(text.data, text.len, ~0U);
	got = write_text(p, &len);
	ck_assert(!strstr(got, "evented"));
	ck_assert(strstr(got, "\"weights\": [1.5]"));
	free(got);
	pk_profile_free(p);
	pk_buf_release(&text);
}
END_TEST

/* A span that is no part of the cost: nothing may be lost or added. */
START_TEST(spans_beside_costs)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_thread thread = {.tid = 8, .sort = PK_NULL};
	struct pk_profile *p;
	uint32_t node, id;
	size_t len;
	char *got;

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	id = pk_build_thread(b, &thread);
	node = pk_build_node(b, 0, pk_build_label(b, "a", 1));
	pk_build_span(b, 5, 10, id, node, 0);
	pk_build_cost(b, id, node, 1, 7, 1);
	p = pk_builder_finish(b);
	got = write_text(p, &len);
	ck_assert(!strstr(got, "evented"));
	ck_assert(strstr(got, "\"weights\": [7]"));
	ck_assert_uint_eq(pk_writer_find("speedscope")->also_keeps(p), 0);
	free(got);
	p->cost.self[1] = 10;
	got = write_text(p, &len);
	ck_assert(strstr(got, "evented"));
	ck_assert(strstr(got, "\"at\": 15"));
	ck_assert_uint_eq(pk_writer_find("speedscope")->also_keeps(p),
			  PK_PART_SPANS | PK_PART_CALLS);
	free(got);
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("speedscope", stacks_however_written, sums_without_samples, sums_of_other_exponents,
	   periods, columns, events_written, events_that_cannot_be, spans_beside_costs)
