/* pstats: details that dumps of the fixtures do not show. */
#include "tests/check_util.h"

#include "base/io/input.h"
#include "tests/fixtures.h"
#include "model/label.h"
#include "readers/reader.h"
#include "render/pstats/text.h"
#include "writers/writer.h"

/* Reading, writing and printing of pstats that its fixtures' dumps do not show. */

static struct pk_profile *read_bytes(const void *data, size_t len, bool strict,
				     struct pk_error *err)
{
	struct pk_read_options options = {.format = "pstats", .strict = strict};
	struct pk_input *in = pk_input_from_memory(data, len, "test");
	struct pk_profiles list = {0};
	struct pk_profile *p = NULL;

	if (!pk_read_input(in, NULL, &options, &list, err)) {
		ck_assert_uint_eq(list.count, 1);
		p = list.item[0];
		list.count = 0;
	}
	pk_profiles_release(&list);
	pk_input_close(in);
	return p;
}

static struct pk_profile *read_fixture(const char *name, bool strict, struct pk_error *err)
{
	char *folder = join_path(getenv("TESTDATA"), "pstats"), *path = join_path(folder, name);
	struct pk_input *in = pk_input_open(path, err);
	struct pk_profile *p;
	const uint8_t *data;
	size_t len;

	if (!in)
		ck_abort_msg("%s: %s", path, err->text);
	data = pk_input_all(in, &len);
	p = read_bytes(data, len, strict, err);
	pk_input_close(in);
	free(path);
	free(folder);
	return p;
}

static void expect_refused(const char *name, bool strict, const char *message)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = read_fixture(name, strict, &err);

	ck_assert_msg(!p, "%s is read", name);
	ck_assert_msg(pk_ends_with(err.text, message), "%s: %s", name, err.text);
}

START_TEST(what_is_no_profile_is_refused)
{
	static const char *const files[][2] = {
		{"empty", "no functions: the profiler was never enabled, or saw no call"},
		{"only-marker", "no functions: the profiler was never enabled, or saw no call"},
		{"truncated", "byte 186: a length of 8, but the file has only 3 bytes more: it is "
			      "cut off or damaged"},
		{"null-value", "byte 45: a dict that ends between a key and its value"},
		{"contains-itself", "byte 3: an object that contains itself"},
		{"deep", "byte 181: objects nested more than 32 deep"},
		{"long-length", "byte 7: a length of 2147483647, but the file has only 3 bytes "
				"more: it is cut off or damaged"},
		{"many-items", "byte 46: a length of 2147483647, but the file has only 1 bytes "
			       "more: it is cut off or damaged"},
		{"code", "byte 45: a code object of an unknown version of Python"},
		{"unnormalised", "byte 51: a number that is not in its normal form"},
		{"four-values", "byte 45: not a profile: expected (calls, calls, time, time, "
				"callers), found a tuple"},
		{"text-for-count",
		 "byte 50: not a profile: expected a number of calls, found a text"},
		{"list-of-callers",
		 "byte 78: not a profile: expected a dict of callers, found a list"},
		{"key-of-four", "byte 79: not a profile: expected a function as (file, line, "
				"name), found a tuple"},
	};
	char name[100];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(name, sizeof(name), "bad/%s.prof", files[i][0]);
		expect_refused(name, false, files[i][1]);
	}
}
END_TEST

START_TEST(repairs_are_errors_when_strict)
{
	expect_refused("trailing-bytes.prof", true, "byte 233: bytes after the profile ignored");
	expect_refused("repeated-keys.prof", true,
		       "byte 467: caller given twice: the first one kept");
	expect_refused("huge-counts.prof", true, "byte 263: count beyond 64 bits cut");
	expect_refused("odd-lines.prof", true,
		       "byte 15: line number out of range taken as unknown");
	expect_refused("not-finite.prof", true,
		       "byte 60: time that is not finite taken as unknown");
}
END_TEST

/* A function with n callers, the last of which is in the file n times more. */
START_TEST(many_repeated_callers)
{
	enum { CALLERS = 20000 };
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf file = PK_BUF_INIT;
	struct pk_profile *p;

	pk_buf_addf(&file, "{)%cz%cfi", 3, 1);
	pk_buf_add(&file, "\1\0\0\0z\1g)\5", 9);
	for (int i = 0; i < 4; i++)
		pk_buf_add(&file, "i\1\0\0\0", 5);
	pk_buf_addc(&file, '{');
	for (uint32_t i = 0; i < 2 * CALLERS; i++) {
		uint32_t line = i < CALLERS ? i : CALLERS - 1;

		pk_buf_add(&file, ")\3z\1fi", 6);
		pk_buf_add(&file, &line, 4);
		pk_buf_add(&file, "z\1hi", 4);
		pk_buf_add(&file, &i, 4);
	}
	pk_buf_add(&file, "00", 2);
	p = read_bytes(file.data, file.len, false, &err);
	ck_assert_msg(p, "%s", err.text);
	ck_assert_uint_eq(p->edge.count, 2 + CALLERS);
	ck_assert_int_eq(p->edge.calls[1 + CALLERS], CALLERS - 1);
	ck_assert_int_eq(p->repair.times[1], CALLERS);
	pk_profile_free(p);
	pk_buf_release(&file);
}
END_TEST

/* Every row of b is that of a, names included, to the last bit. */
static void compare_edges(const char *name, const struct pk_profile *a, const struct pk_profile *b)
{
	const struct pk_edge_table *s = &a->edge, *t = &b->edge;
	struct pk_buf from = PK_BUF_INIT, to = PK_BUF_INIT;

	ck_assert_uint_eq(s->count, t->count);
	ck_assert_uint_eq(a->arg.count, b->arg.count);
	for (uint32_t i = 1; i < s->count; i++) {
		from.len = to.len = 0;
		pk_function_label(&from, a, s->caller[i], PK_LABEL_PSTATS);
		pk_function_label(&from, a, s->callee[i], PK_LABEL_PSTATS);
		pk_function_label(&to, b, t->caller[i], PK_LABEL_PSTATS);
		pk_function_label(&to, b, t->callee[i], PK_LABEL_PSTATS);
		ck_assert_msg(from.len == to.len && !memcmp(from.data, to.data, from.len),
			      "%s: row %u", name, i);
		ck_assert_int_eq(s->calls[i], t->calls[i]);
		ck_assert_int_eq(s->primitive_calls[i], t->primitive_calls[i]);
		ck_assert_int_eq(s->self[i], t->self[i]);
		ck_assert_int_eq(s->total[i], t->total[i]);
		if (!s->self_raw)
			continue;
		ck_assert_mem_eq(&s->self_raw[i], &t->self_raw[i], sizeof(double));
		ck_assert_mem_eq(&s->total_raw[i], &t->total_raw[i], sizeof(double));
	}
	pk_buf_release(&from);
	pk_buf_release(&to);
}

static struct pk_profile *write_and_read(struct pk_profile *p, bool exact)
{
	const struct pk_writer *writer = pk_writer_find("pstats");
	void *params = calloc(1, writer->params_size);
	struct pk_profiles list = {&p, 1, 1};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf file = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&file);
	struct pk_profile *again;

	pk_opt_defaults(writer->opts, params);
	if (exact)
		ck_assert(!pk_opt_set(pk_opt_find(writer->opts, "exact"), NULL, params, &err));
	if (pk_write(writer, &list, params, out, &err))
		ck_abort_msg("%s", err.text);
	ck_assert(!pk_output_commit(out, &err));
	again = read_bytes(file.data, file.len, true, &err);
	if (!again && p->arg.count > 1) /* counts beyond 64 bits are repaired again */
		again = read_bytes(file.data, file.len, false, &err);
	ck_assert_msg(again, "%s", err.text);
	pk_buf_release(&file);
	free(params);
	return again;
}

static void check_written(const struct fixture *f, void *data)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p, *again;

	if (strcmp(f->format, "pstats") || f->bad || !strcmp(f->name, "not-finite.prof") ||
	    !strcmp(f->name, "odd-counts.prof")) /* read with values left out */
		return;
	p = read_fixture(f->name, false, &err);
	ck_assert_msg(p, "%s: %s", f->name, err.text);
	again = write_and_read(p, true);
	compare_edges(f->name, p, again);
	pk_profile_free(again);
	pk_profile_free(write_and_read(p, false)); /* nothing in it is repaired */
	pk_profile_free(p);
	++*(int *)data;
}

START_TEST(what_is_written_is_read_again)
{
	int files = 0;

	walk_fixtures(check_written, &files);
	ck_assert_int_gt(files, 20);
}
END_TEST

static void add(struct pk_builder *b, uint32_t parent, const char *name, int64_t self,
		uint32_t *node)
{
	*node = pk_build_node(b, parent, pk_build_label(b, name, strlen(name)));
	pk_build_cost(b, 0, *node, 1, self, PK_NULL);
}

/* main 1; main;f 2; main;f;f 3: of call paths, in seconds. */
START_TEST(call_paths_are_written)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_profile *p, *again;
	uint32_t node;

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	add(b, 0, "main", 1000000000, &node);
	add(b, node, "f", 2000000000, &node);
	add(b, node, "f", 3000000000, &node);
	p = pk_builder_finish(b);
	again = write_and_read(p, false);
	ck_assert_uint_eq(again->edge.count, 5);
	ck_assert_int_eq(again->edge.self[1], 1000000000);
	ck_assert_int_eq(again->edge.total[1], 6000000000);
	ck_assert_int_eq(again->edge.self[2], 5000000000);
	ck_assert_int_eq(again->edge.total[2], 5000000000);
	ck_assert_int_eq(again->edge.calls[2], 1);
	ck_assert_int_eq(again->edge.self[3] + again->edge.self[4], 5000000000);
	pk_profile_free(again);
	pk_profile_free(p);
}
END_TEST

START_TEST(restrictions)
{
	struct pk_pstats_params params = {
		.sort = {.key = {PK_SORT_CALLS, PK_SORT_NAME}, .count = 2},
		.match = "step|main",
		.limit = {.given = true, .count = 1},
	};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profile *p = read_fixture("plain-v4.prof", true, &err);
	struct pk_profiles list = {&p, 1, 1};
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);

	ck_assert(!pk_pstats_print(&list, &params, out, &err));
	ck_assert(!pk_output_commit(out, &err));
	ck_assert_str_eq(text.data,
			 "         46 function calls (43 primitive calls) in 1.500 seconds\n"
			 "\n"
			 "   Ordered by: call count, function name\n"
			 "   List reduced from 3 to 2 due to restriction <'step|main'>\n"
			 "   List reduced from 2 to 1 due to restriction <1>\n"
			 "\n"
			 "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"
			 "      5/2    0.900    0.180    1.400    0.700 /srv/app/work.py:10(step)\n"
			 "\n"
			 "\n");
	pk_buf_release(&text);
	pk_profile_free(p);
}
END_TEST

CHECK_MAIN("pstats", what_is_no_profile_is_refused, repairs_are_errors_when_strict,
	   many_repeated_callers, what_is_written_is_read_again, call_paths_are_written,
	   restrictions)
