/* Every fixture is read as its dump says. */
#include "tests/check_util.h"

#include <unistd.h>

#include "base/io/input.h"
#include "tests/fixtures.h"
#include "tests/dump.h"
#include "readers/reader.h"

/*
 * What every fixture is read as: CASE.prof is compared with CASE.dump beside it. A format
 * of one's own is not asked for, except of files that nothing else detects (bad/).
 * BLESS=1 writes the dumps that are there anew, BLESS=all the missing ones as well: read
 * the difference before committing.
 */
static char *dump_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	char *name;

	if (asprintf(&name, "%.*s.dump", (int)(dot ? dot - path : (long)strlen(path)), path) < 0)
		abort();
	return name;
}

static void dump_fixture(const struct fixture *f, struct pk_buf *text)
{
	struct pk_read_options options = {.format = f->bad ? f->format : NULL, .wanted = ~0U};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_to_buf(text);

	if (pk_read_file(f->path, &options, &list, &err))
		ck_abort_msg("%s", err.text);
	for (size_t i = 0; i < list.count; i++) {
		if (pk_profile_check(list.item[i], &err))
			ck_abort_msg("%s: %s", f->path, err.text);
		pk_profile_dump(list.item[i], out);
	}
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
	pk_profiles_release(&list);
}

static void bless(const char *path, const struct pk_buf *text)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open(path, &err);

	if (!out)
		ck_abort_msg("%s", err.text);
	pk_output_write(out, text->data, text->len);
	if (pk_output_commit(out, &err))
		ck_abort_msg("%s", err.text);
}

/* The first line that differs, for the message. */
static void compare(const char *path, const struct pk_buf *actual, const struct pk_buf *expected)
{
	const char *a = actual->data, *e = expected->data;
	int line = 1;

	while (*a && *a == *e) {
		line += *a == '\n';
		a++;
		e++;
	}
	if (*a == *e)
		return;
	while (a > actual->data && a[-1] != '\n')
		a--;
	while (e > expected->data && e[-1] != '\n')
		e--;
	ck_abort_msg("%s:%d:\nis        %.*s\nshould be %.*s", path, line, (int)strcspn(a, "\n"), a,
		     (int)strcspn(e, "\n"), e);
}

static bool read_all(const char *path, struct pk_buf *text)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(path, &err);
	const uint8_t *data;
	size_t len;

	if (!in)
		return false;
	data = pk_input_all(in, &len);
	pk_buf_add(text, data, len);
	pk_input_close(in);
	return true;
}

static void check_fixture(const struct fixture *f, void *data)
{
	struct pk_buf actual = PK_BUF_INIT, expected = PK_BUF_INIT;
	const char *how = getenv("BLESS");
	char *path = dump_path(f->path);
	bool there = read_all(path, &expected);

	if (!there && (f->bad || !pk_reader_find(f->format)))
		goto out;
	if (there || (how && !strcmp(how, "all"))) {
		dump_fixture(f, &actual);
		if (how)
			bless(path, &actual);
		else
			compare(path, &actual, &expected);
		++*(int *)data;
	}
out:
	pk_buf_release(&actual);
	pk_buf_release(&expected);
	free(path);
}

START_TEST(fixtures_are_read_as_their_dumps_say)
{
	const char *folder = getenv("TESTDATA");
	int count = 0;

	/* The dumps hold the path they were read from. */
	ck_assert(folder && !chdir(folder) && !setenv("TESTDATA", ".", 1));
	walk_fixtures(check_fixture, &count);
	ck_assert_int_gt(count, 0);
}
END_TEST

CHECK_MAIN("dump", fixtures_are_read_as_their_dumps_say)
