/* Every fixture against every reader: who takes it, and what is read. */
#include "tests/check_util.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io/output.h"
#include "tests/fixtures.h"
#include "tests/dump.h"
#include "tests/pack_util.h"
#include "readers/reader.h"

static void load(const char *path, struct pk_buf *to)
{
	FILE *f = fopen(path, "rb");
	char part[65536];
	size_t n;

	ck_assert_msg(f != NULL, "%s", path);
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		pk_buf_add(to, part, n);
	fclose(f);
}

static void count_fixture(const struct fixture *f, void *data)
{
	const struct pk_reader *reader = pk_reader_find(f->format);
	size_t *counts = data;

	for (size_t i = 0; reader && !f->bad && pk_readers[i]; i++)
		counts[i] += pk_readers[i] == reader;
}

START_TEST(every_reader_has_fixtures)
{
	size_t count = 0, *counts;

	while (pk_readers[count])
		count++;
	counts = pk_calloc(count, sizeof(*counts));
	walk_fixtures(count_fixture, counts);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(counts[i] > 0, "no files in testdata/%s", pk_readers[i]->name);
	free(counts);
}
END_TEST

/* What each reader makes of a file, in words for the message of a failed test. */
static void describe_scores(const struct pk_probe *probe, struct pk_buf *to)
{
	for (size_t i = 0; pk_readers[i]; i++)
		pk_buf_addf(to, " %s %d", pk_readers[i]->name, pk_readers[i]->probe(probe));
}

static void expect_winner(const struct fixture *f, void *data)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf scores = PK_BUF_INIT;
	struct pk_input *in;
	struct pk_probe probe;
	uint8_t *copy;
	const struct pk_reader *winner;
	size_t avail;

	(void)data;
	if (f->bad || !pk_reader_find(f->format))
		return;
	in = pk_input_open(f->path, &err);
	ck_assert_msg(in != NULL, "%s: %s", f->path, err.text);
	copy = pk_calloc(1, PK_PROBE_SIZE + 64);
	probe.data = pk_input_peek(in, PK_PROBE_SIZE + 1, &avail);
	probe.whole = avail <= PK_PROBE_SIZE;
	probe.len = probe.whole ? avail : PK_PROBE_SIZE;
	probe.data = memcpy(copy, probe.data, probe.len);
	describe_scores(&probe, &scores);
	/* From a pipe there is no suffix to break a tie. */
	winner = pk_reader_detect(&probe, "<stdin>", &err);
	ck_assert_msg(winner != NULL, "%s: %s (%s )", f->path, err.text, scores.data);
	ck_assert_msg(strcmp(winner->name, f->format) == 0, "%s is taken for %s (%s )", f->path,
		      winner->name, scores.data);
	pk_buf_release(&scores);
	free(copy);
	pk_input_close(in);
}

START_TEST(every_fixture_has_one_reader)
{
	walk_fixtures(expect_winner, NULL);
}
END_TEST

static void dump_all(const struct pk_profiles *list, struct pk_buf *to)
{
	struct pk_output *out = pk_output_to_buf(to);
	struct pk_error err = PK_ERROR_INIT;

	for (size_t i = 0; i < list->count; i++)
		pk_profile_dump(list->item[i], out);
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
}

static void dump_memory(const struct pk_buf *bytes, const char *name, struct pk_buf *to)
{
	struct pk_input *in = pk_input_from_memory(bytes->data, bytes->len, name);
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	ck_assert_msg(pk_read_input(in, NULL, NULL, &list, &err) == 0, "%s", err.text);
	for (size_t i = 0; i < list.count; i++)
		ck_assert_msg(pk_profile_check(list.item[i], &err) == 0, "%s: %s", name, err.text);
	dump_all(&list, to);
	pk_profiles_release(&list);
	pk_input_close(in);
}

/* A file, memory, and a compressed file are the same profile. */
static void expect_same(const struct fixture *f, void *data)
{
	struct pk_buf bytes = PK_BUF_INIT, packed = PK_BUF_INIT;
	struct pk_buf from_file = PK_BUF_INIT, from_memory = PK_BUF_INIT, from_gzip = PK_BUF_INIT;
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	(void)data;
	if (f->bad || !pk_reader_find(f->format))
		return;
	ck_assert_msg(pk_read_file(f->path, NULL, &list, &err) == 0, "%s", err.text);
	ck_assert_msg(list.count > 0, "%s holds no runs", f->path);
	dump_all(&list, &from_file);
	load(f->path, &bytes);
	dump_memory(&bytes, f->path, &from_memory);
	ck_assert_str_eq(from_file.data, from_memory.data);
	add_gzip(&packed, bytes.data, bytes.len);
	dump_memory(&packed, f->path, &from_gzip);
	ck_assert_str_eq(from_file.data, from_gzip.data);
	pk_profiles_release(&list);
	pk_buf_release(&bytes);
	pk_buf_release(&packed);
	pk_buf_release(&from_file);
	pk_buf_release(&from_memory);
	pk_buf_release(&from_gzip);
}

START_TEST(files_memory_and_gzip_are_read_alike)
{
	walk_fixtures(expect_same, NULL);
}
END_TEST

static void expect_trouble(const struct fixture *f, void *data)
{
	struct pk_read_options options = {.format = f->format, .strict = true, .wanted = ~0U};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	(void)data;
	if (!f->bad)
		return;
	ck_assert_msg(pk_read_file(f->path, &options, &list, &err) == -1, "%s is read", f->path);
	ck_assert_uint_eq(list.count, 0);
	ck_assert_msg(strstr(err.text, f->path) != NULL, "%s", err.text);
}

START_TEST(bad_files_are_refused)
{
	walk_fixtures(expect_trouble, NULL);
}
END_TEST

/* Plain files of a format that is read in pieces. */
START_TEST(threads_share_what_can_be_divided)
{
	static const struct pk_read_options detect, forced = {.format = "folded"};
	static const struct {
		const char *path;
		bool shared, forced;
	} files[] = {{"folded/comments.folded", true, true},
		     {"chrome/viztracer.json", true, true},
		     {"example/before.prof", false, true},
		     {"chrome/jax-recorded.json.gz", false, false},
		     {"there/is/none", false, false}};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		PK_BUF_AUTO path = PK_BUF_INIT;

		pk_buf_addf(&path, "%s/%s", getenv("TESTDATA"), files[i].path);
		ck_assert_msg(pk_read_is_shared(path.data, &detect) == files[i].shared, "%s",
			      path.data);
		ck_assert_msg(pk_read_is_shared(path.data, &forced) == files[i].forced, "%s",
			      path.data);
	}
}
END_TEST

CHECK_MAIN("readers", every_reader_has_fixtures, every_fixture_has_one_reader,
	   files_memory_and_gzip_are_read_alike, bad_files_are_refused,
	   threads_share_what_can_be_divided)
