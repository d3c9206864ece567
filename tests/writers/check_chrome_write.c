/* Trace events as they are written: every kind of row, exact times, odd names. */
#include <check.h>
#include <string.h>

#include "model/build/builder.h"
#include "writers/writer.h"

#include "tests/check_util.h"

static uint32_t node_of(struct pk_builder *b, uint32_t parent, const char *name)
{
	return pk_build_node(b, parent, pk_build_label(b, name, strlen(name)));
}

static void check_written(struct pk_builder *b, const char *expected)
{
	struct pk_profiles list = {NULL, 0, 0};
	struct pk_error err = PK_ERROR_INIT;
	const struct pk_writer *writer = pk_writer_find("chrome");
	const char *params = NULL;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);
	struct pk_profile *p = pk_builder_finish(b);

	ck_assert_msg(!pk_profile_check(p, &err), "%s", err.text);
	pk_profiles_add(&list, p);
	ck_assert_msg(!pk_write(writer, &list, &params, out, &err), "%s", err.text);
	ck_assert(!pk_output_commit(out, &err));
	ck_assert_str_eq(text.data, expected);
	pk_buf_release(&text);
	pk_profiles_release(&list);
}

static struct pk_builder *new_builder(void)
{
	struct pk_builder *b = pk_builder_new();

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	return b;
}

START_TEST(spans_and_marks)
{
	struct pk_builder *b = new_builder();
	uint32_t process = pk_build_process(b, 7, pk_build_text(b, "app"), 3), one, two, cat, path;

	one = pk_build_thread(b, &(struct pk_thread){.process = process,
						     .tid = INT64_MAX,
						     .sort = PK_NULL,
						     .name = pk_build_text(b, "a \"b\"\n")});
	two = pk_build_thread(
		b, &(struct pk_thread){.process = process, .tid = PK_NULL, .sort = PK_NULL});
	cat = pk_build_text(b, "op");
	path = node_of(b, 0, "outer");
	pk_build_span(b, 0, 1500, one, path, cat);
	pk_build_span(b, 0, 20, one, node_of(b, path, "</script>"), 0);
	pk_build_span(b, 1000001, 1, two, node_of(b, 0, "kernel"), 0);
	pk_build_arg(b, PK_TABLE_SPAN, 1, 0, pk_build_text(b, "{\"Input Dims\": [[1]]}"));
	pk_build_arg(b, PK_TABLE_SPAN, 3, pk_build_text(b, "stream"), pk_build_text(b, "7"));
	pk_build_flow(b, 1, 3, pk_build_text(b, "ac2g"));
	pk_build_instant(b, -1, 0, pk_build_text(b, "mark"), cat);
	pk_build_instant(b, -1001, one, pk_build_text(b, "other"), 0);
	pk_build_arg(b, PK_TABLE_INSTANT, 2, 0, pk_build_text(b, "{}"));
	pk_build_counter(b, 5, process, pk_build_text(b, "memory"), pk_build_text(b, "used"), 0.1);
	pk_build_counter(b, 5, process, pk_build_text(b, "memory"), pk_build_text(b, "free"), 3);
	pk_build_counter(b, 5, process, pk_build_text(b, "memory"), pk_build_text(b, "used"), 4);
	check_written(
		b,
		"{\"traceEvents\":[\n"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":7,\"args\":{\"name\":\"app\"}},\n"
		"{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":7,\"args\":{\"sort_index\":"
		"3}},\n"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":7,\"tid\":\"9223372036854775807\","
		"\"args\":{\"name\":\"a \\\"b\\\"\\n\"}},\n"
		"{\"ph\":\"X\",\"name\":\"outer\",\"cat\":\"op\",\"pid\":7,"
		"\"tid\":\"9223372036854775807\",\"ts\":0,\"dur\":1.5,"
		"\"args\":{\"Input Dims\": [[1]]}},\n"
		"{\"ph\":\"X\",\"name\":\"\\u003c/script>\",\"pid\":7,"
		"\"tid\":\"9223372036854775807\",\"ts\":0,\"dur\":0.02},\n"
		"{\"ph\":\"X\",\"name\":\"kernel\",\"pid\":7,\"tid\":1,\"ts\":1000.001,\"dur\":0."
		"001,"
		"\"args\":{\"stream\":\"7\"}},\n"
		/* The flow begins where its span is the innermost. */
		"{\"ph\":\"s\",\"name\":\"ac2g\",\"cat\":\"ac2g\",\"pid\":7,"
		"\"tid\":\"9223372036854775807\",\"ts\":0.021,\"id\":1},\n"
		"{\"ph\":\"f\",\"name\":\"ac2g\",\"cat\":\"ac2g\",\"pid\":7,\"tid\":1,"
		"\"ts\":1000.001,\"id\":1,\"bp\":\"e\"},\n"
		"{\"ph\":\"i\",\"name\":\"mark\",\"cat\":\"op\",\"pid\":0,\"tid\":0,"
		"\"ts\":-0.001,\"s\":\"g\"},\n"
		"{\"ph\":\"i\",\"name\":\"other\",\"pid\":7,\"tid\":\"9223372036854775807\","
		"\"ts\":-1.001,\"s\":\"t\",\"args\":{}},\n"
		"{\"ph\":\"C\",\"name\":\"memory\",\"pid\":7,\"ts\":0.005,"
		"\"args\":{\"used\":0.1,\"free\":3}},\n"
		"{\"ph\":\"C\",\"name\":\"memory\",\"pid\":7,\"ts\":0.005,\"args\":{\"used\":4}}\n"
		"],\"otherData\":{\"writer\":\"profkit\"}}\n");
}
END_TEST

/* What is within an asynchronous span has its id, and ends before it. */
START_TEST(asynchronous_spans)
{
	struct pk_builder *b = new_builder();
	uint32_t process = pk_build_process(b, 1, 0, PK_NULL), lane, path;

	lane = pk_build_thread(b, &(struct pk_thread){.process = process,
						      .tid = PK_NULL,
						      .sort = PK_NULL,
						      .name = pk_build_text(b, "async: net")});
	path = node_of(b, 0, "get");
	pk_build_span(b, 0, 1000, lane, path, pk_build_text(b, "net"));
	pk_build_span(b, 1000, 0, lane, node_of(b, path, "end"), pk_build_text(b, "net"));
	pk_build_span(b, 2000, 1000, lane, path, pk_build_text(b, "net"));
	check_written(b, "{\"traceEvents\":[\n"
			 "{\"ph\":\"b\",\"name\":\"get\",\"cat\":\"net\",\"pid\":1,\"ts\":0,\"id\":"
			 "\"0x1\"},\n"
			 "{\"ph\":\"b\",\"name\":\"end\",\"cat\":\"net\",\"pid\":1,\"ts\":1,\"id\":"
			 "\"0x1\"},\n"
			 "{\"ph\":\"e\",\"name\":\"end\",\"cat\":\"net\",\"pid\":1,\"ts\":1,\"id\":"
			 "\"0x1\"},\n"
			 "{\"ph\":\"e\",\"name\":\"get\",\"cat\":\"net\",\"pid\":1,\"ts\":1,\"id\":"
			 "\"0x1\"},\n"
			 "{\"ph\":\"b\",\"name\":\"get\",\"cat\":\"net\",\"pid\":1,\"ts\":2,\"id\":"
			 "\"0x3\"},\n"
			 "{\"ph\":\"e\",\"name\":\"get\",\"cat\":\"net\",\"pid\":1,\"ts\":3,\"id\":"
			 "\"0x3\"}\n"
			 "],\"otherData\":{\"writer\":\"profkit\"}}\n");
}
END_TEST

/* Counts have no length: a stack holds until the next sample, the last one for a period. */
START_TEST(samples)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t thread = pk_build_thread(b, &(struct pk_thread){.tid = 3, .sort = PK_NULL}), a,
		 other;

	pk_build_metric(b, "cycles", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	a = node_of(b, 0, "a");
	other = node_of(b, a, "b");
	pk_build_period(b, 50);
	pk_build_sample(b, 2000, thread, other, 1, 1);
	pk_build_sample(b, 1000, thread, a, 1, 1);
	pk_build_sample(b, 3000, thread, a, 1, 1);
	check_written(
		b,
		"{\"traceEvents\":[\n"
		"{\"ph\":\"B\",\"name\":\"a\",\"pid\":0,\"tid\":3,\"ts\":1,\"cat\":\"profkit\"},\n"
		"{\"ph\":\"B\",\"name\":\"b\",\"pid\":0,\"tid\":3,\"ts\":2,\"cat\":\"profkit\"},\n"
		"{\"ph\":\"E\",\"name\":\"b\",\"pid\":0,\"tid\":3,\"ts\":3,\"cat\":\"profkit\"},\n"
		"{\"ph\":\"E\",\"name\":\"a\",\"pid\":0,\"tid\":3,\"ts\":3.05,\"cat\":\"profkit\"}"
		"\n"
		"],\"otherData\":{\"writer\":\"profkit\"}}\n");
}
END_TEST

CHECK_MAIN("chrome_write", spans_and_marks, asynchronous_spans, samples)
