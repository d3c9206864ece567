/* Reports of memory_profiler, printed again. */
#include "tests/check_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/output.h"
#include "readers/reader.h"
#include "render/lines/memory_profiler.h"

/*
 * Reports of memory_profiler are printed again as they were, byte for byte, but for what the
 * program printed between the tables. Real ones of the corpus are in
 * tests/corpus/corpus_memory_profiler.py.
 */
static void read_text(struct pk_buf *text, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[1000];

	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file))
		if (strcmp(line, "between\n") != 0)
			pk_buf_adds(text, line);
	fclose(file);
}

static void read_profile(struct pk_profiles *list, const char *path)
{
	struct pk_read_options options = {.wanted = PK_PART_SOURCES};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(!pk_read_file(path, &options, list, &err), "%s", err.text);
}

static int print(struct pk_buf *text, const struct pk_profile *p, struct pk_error *err)
{
	struct pk_output *out = pk_output_to_buf(text);
	int ret = pk_memory_profiler_print(p, out, err);
	struct pk_error none = PK_ERROR_INIT;

	pk_output_commit(out, &none);
	return ret;
}

static void check(const char *name)
{
	struct pk_buf wanted = PK_BUF_INIT, found = PK_BUF_INIT;
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	char path[4096];

	snprintf(path, sizeof(path), "%s/memory-profiler/%s", getenv("TESTDATA"), name);
	read_text(&wanted, path);
	read_profile(&list, path);
	ck_assert_int_eq(print(&found, list.item[0], &err), 0);
	ck_assert_str_eq(found.data, wanted.data);
	pk_buf_release(&wanted);
	pk_buf_release(&found);
	pk_profiles_release(&list);
}

START_TEST(reports_are_printed_again)
{
	check("recorded.txt");
	check("coarse.txt");
	check("calls.txt");
	check("old.txt");
}
END_TEST

START_TEST(other_profiles_are_refused)
{
	struct pk_buf found = PK_BUF_INIT;
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	char path[4096];

	snprintf(path, sizeof(path), "%s/scalene/old.json", getenv("TESTDATA"));
	read_profile(&list, path);
	ck_assert_int_eq(print(&found, list.item[0], &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is no report of memory_profiler"));
	pk_buf_release(&found);
	pk_profiles_release(&list);
}
END_TEST

CHECK_MAIN("memory_profiler", reports_are_printed_again, other_profiles_are_refused)
