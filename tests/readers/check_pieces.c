/*
 * Files read in pieces by several threads: what comes out is what one thread makes of them, row by
 * row of every table, however small the pieces are.
 */
#include "tests/check_util.h"

#include <ftw.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tests/fixtures.h"
#include "model/schema.h"
#include "readers/pieces.h"
#include "readers/reader.h"

#define LARGEST ((off_t)4 << 20)

static const uint64_t sizes[] = {1, 300, 5000, 100000};
static uint64_t most_pieces = 1000; /* those that would be smaller are left out */
static const unsigned wishes[] = {0, PK_PART_ORDER, PK_PART_ARGS};

static void compare_column(const char *path, const struct pk_profile *a, const struct pk_profile *b,
			   const struct pk_table *t, const struct pk_column *c)
{
	const char *x = *pk_column_at(a, t, c), *y = *pk_column_at(b, t, c);
	size_t size = pk_column_size(c->type);
	uint32_t rows = pk_table_rows(a, t), i;

	ck_assert_msg(!x == !y, "%s: %s.%s is there in one", path, t->name, c->name);
	for (i = 1; x && i < rows; i++) {
		const void *p = x + i * size, *q = y + i * size;
		bool same = !memcmp(p, q, size);

		if (c->type == PK_COL_BYTES)
			same = a->string.len[i] == b->string.len[i] &&
			       !memcmp(a->string.text[i], b->string.text[i], a->string.len[i]);
		ck_assert_msg(same, "%s: row %" PRIu32 " of %s.%s", path, i, t->name, c->name);
	}
}

static void compare(const char *path, const struct pk_profile *a, const struct pk_profile *b)
{
	for (int i = 0; i < PK_TABLE_COUNT; i++) {
		const struct pk_table *t = &pk_tables[i];

		ck_assert_msg(pk_table_rows(a, t) == pk_table_rows(b, t),
			      "%s: %" PRIu32 " and %" PRIu32 " rows in %s", path,
			      pk_table_rows(a, t), pk_table_rows(b, t), t->name);
		for (int k = 0; k < t->column_count; k++)
			compare_column(path, a, b, t, &t->columns[k]);
	}
	ck_assert_uint_eq(a->unread, b->unread);
}

static struct pk_builder *new_builder(unsigned wanted, bool strict)
{
	struct pk_builder *b = pk_builder_new();

	pk_builder_set_wanted(b, wanted);
	pk_builder_set_strict(b, strict);
	return b;
}

struct tally {
	size_t read, failed;
};

static void compare_and_free(const char *path, struct pk_builder *whole, struct pk_builder *b)
{
	struct pk_profile *one = pk_builder_finish(whole), *two = pk_builder_finish(b);

	compare(path, one, two);
	pk_profile_free(one);
	pk_profile_free(two);
}

/* By one thread and by several, with the same errors. */
static void read_helped(const struct pk_reader *reader, const char *path, const void *params,
			const struct pk_cut *cut, unsigned wanted, bool strict, struct tally *tally)
{
	struct pk_builder *whole = new_builder(wanted, strict), *b = new_builder(wanted, strict);
	struct pk_error one = PK_ERROR_INIT, two = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(path, &one), *again = pk_input_open(path, &two);
	int failed = -1;

	if (in && pk_input_plain_path(in) && pk_input_size(in) >= 2 * cut->piece) {
		failed = reader->read_cut(in, params, NULL, whole, &one);
		ck_assert_int_eq(reader->read_cut(again, params, cut, b, &two), failed);
		ck_assert_str_eq(one.text, two.text);
		ck_assert_int_eq(one.code, two.code);
		tally->read += !failed;
		tally->failed += !!failed;
	}
	pk_input_close(in);
	pk_input_close(again);
	if (!failed) {
		compare_and_free(path, whole, b);
		return;
	}
	pk_builder_free(whole);
	pk_builder_free(b);
}

/* One way to read it; where that is an error, pieces must not succeed. */
static void read_both(const struct pk_reader *reader, const char *path, const void *params,
		      const struct pk_cut *cut, unsigned wanted, bool strict, struct tally *tally)
{
	struct pk_builder *whole = new_builder(wanted, strict), *b = new_builder(wanted, strict);
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(path, &err);
	enum pk_cut_result result = PK_CUT_NOT;
	int failed = -1;

	if (in)
		result = pk_piece_read_cut(reader->pieces, in, params, cut, b);
	if (result != PK_CUT_NOT)
		failed = pk_piece_read_whole(reader->pieces, in, params, whole, &err);
	pk_input_close(in);
	tally->read += result == PK_CUT_READ;
	tally->failed += result == PK_CUT_FAILED && !failed;
	if (result != PK_CUT_READ) {
		pk_builder_free(b);
		pk_builder_free(whole);
		return;
	}
	ck_assert_msg(!failed, "%s: %s", path, err.text);
	compare_and_free(path, whole, b);
}

static void try_file(const struct pk_reader *reader, const char *path, struct tally *tally)
{
	void *params = pk_calloc(1, reader->params_size ? reader->params_size : 1);
	struct stat st;
	size_t i, k;

	void (*read)(const struct pk_reader *, const char *, const void *, const struct pk_cut *,
		     unsigned, bool, struct tally *) = reader->pieces ? read_both : read_helped;

	pk_opt_defaults(reader->opts, params);
	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct pk_cut cut = {.threads = 3, .piece = sizes[i]};

		if (stat(path, &st) || (uint64_t)st.st_size > sizes[i] * most_pieces)
			continue;
		for (k = 0; k < sizeof(wishes) / sizeof(*wishes); k++)
			read(reader, path, params, &cut, wishes[k], false, tally);
		read(reader, path, params, &cut, 0, true, tally);
	}
	pk_opt_release(reader->opts, params);
	free(params);
}

static void see(const struct fixture *f, void *data)
{
	const struct pk_reader *reader = pk_reader_find(f->format);

	if (reader && (reader->pieces || reader->read_cut))
		try_file(reader, f->path, data);
}

START_TEST(fixtures)
{
	struct tally tally = {0, 0};

	walk_fixtures(see, &tally);
	printf("fixtures: %zu times read in pieces, %zu times not\n", tally.read, tally.failed);
	ck_assert_uint_ge(tally.read, 40);
}
END_TEST

static uint32_t seed = 1;

static uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)seed * n >> 32);
}

static void write_record(FILE *f, uint32_t time)
{
	static const char *const records[] = {"PERF_RECORD_COMM: new-%u:%u/%u",
					      "PERF_RECORD_COMM exec: ran-%u:%u/%u",
					      "PERF_RECORD_FORK(%2$u:%3$u):(1:%1$u)",
					      "PERF_RECORD_EXIT(%2$u:%3$u):(1:%1$u)",
					      "PERF_RECORD_MMAP2 %2$u/%3$u: [0x%1$x(0x1000)]",
					      "PERF_RECORD_LOST lost %u"};
	uint32_t pid = 10 + below(3);

	fprintf(f, "perf  %u [000]  %u.%06u: ", pid, time / 1000000, time % 1000000);
	fprintf(f, records[below(6)], below(5) + 1, pid, pid + below(2));
	fputc('\n', f);
}

/* Threads that end and begin anew, that change their names, and whose process only records tell;
 * several events; lines that are nothing. */
static void write_sample(FILE *f, uint32_t time)
{
	static const char *const events[] = {
		"1000 cpu-clock:", "cycles:u:", "%u page-faults:", "cpu-clock:"};
	uint32_t tid = 10 + below(4), depth = below(6);

	if (below(2))
		fprintf(f, "new-%u  %u/%u [001]  ", below(3), tid - below(2), tid);
	else
		fprintf(f, "ran-%u  %u [001]  ", below(3), tid);
	fprintf(f, "%u.%06u:   ", time / 1000000, time % 1000000);
	fprintf(f, events[below(20) ? below(2) : below(4)], below(3));
	fputs(" \n", f);
	while (depth--)
		fprintf(f, "\t    %x f%u+0x%x (/lib/%c)\n", 4096 + below(9), below(9), below(99),
			"ab"[below(2)]);
	if (!below(30))
		fputs("no part of it\n", f);
	fputs(below(9) ? "\n" : "\r\n", f);
	if (!below(40))
		fputs("nothing\n\n", f);
}

static void write_stack(FILE *f, uint32_t number)
{
	static const char *const counts[] = {" %u", "\t%u", " %u.5", " %u.125", " 7 %u"};
	uint32_t depth = 1 + below(6);

	if (!below(3))
		fprintf(f, "[worker %u tid=%u];", below(3), 100 + below(5));
	while (depth--)
		fprintf(f, "f%u%s%s", below(9), below(20) ? "" : "_[k]", depth ? ";" : "");
	/* The first lines decide what a line has, and fractions come late. */
	fprintf(f, counts[number < 100 ? 0 : below(number < 1000 ? 2 : 5)], below(1000));
	fputs(below(30) ? "\n" : " \r\n# no stack\nno count\n\n", f);
}

/* How often a generated file was read in pieces. */
static size_t try_generated(const char *format, void (*write)(FILE *f, uint32_t number))
{
	struct tally tally = {0, 0};
	char path[] = "/tmp/check_pieces.XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fdopen(fd, "w");

	ck_assert_ptr_nonnull(f);
	for (uint32_t number = 0; number < 2500; number++)
		write(f, number);
	fclose(f);
	try_file(pk_reader_find(format), path, &tally);
	unlink(path);
	printf("%s: %zu times read in pieces, %zu times not\n", format, tally.read, tally.failed);
	return tally.read;
}

/* What may stand in the args of events, or in place of one; some of it looks like other events. */
static const char *const odd_args[] = {
	"{}",
	("{\"a\": [{\"x\": 1}, {\"name\": \"inner\", \"ph\": \"X\", \"ts\": 1}], \"b\": {\"c\": "
	 "{}}}"),
	"{\"text\": \"}, {\\\"ph\\\": 1\"}",
	"{\"quoted\": \"}, {\", \"name\": 3, \"line\": 12, \"filename\": \"a.py\"}",
	"{\"x\": NaN, \"bad\": \"\xFF\"}",
	"{\"Ev Idx\": 7, \"correlation\": 12, \"Total Allocated\": 512, \"Device Type\": 0}",
	"[1, 2]",
	"null",
};
static const char *const odd_events[] = {
	"{}",
	"12",
	"\"}, {\"",
	"[{\"ph\": \"X\"}, {\"name\": 1}]",
	"{\"name\": \"a\tb\", \"ph\": \"i\", \"ts\": 3}",
	"{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 2, \"args\": {\"name\": \"p\"}}",
	"{\"ph\": \"X\", \"ts\": 007, \"dur\": -3}",
	"{\"ph\": \"?\"},",
	"{\"ph\": \"X\", \"ts\": 9, \"dur\": oops}"};

static uint32_t dialect_from; /* when events of one begin */
static const char *dialect_category;

static void write_event(FILE *f, uint32_t number)
{
	static const char phases[] = "XXXXXBEiCbnestfMP";
	static const char *const categories[] = {"a", "b", "c", "fee-not", ""};
	char phase = phases[below(sizeof(phases) - 1)];
	bool known = number >= dialect_from && below(3);

	if (!number)
		fputs(below(2) ? "[" : "{\"schema\": 1, \"traceEvents\": [", f);
	fputs(number ? (below(20) ? ",\n  " : " ,") : "", f);
	if (!below(60))
		fputs(odd_events[below(number < 20 ? 3 : 9)], f);
	else {
		fprintf(f, "{\"ph\": \"%c\", ", phase);
		if (below(9))
			fprintf(f, "\"cat\": \"%s\", ",
				known ? dialect_category : categories[below(5)]);
		if (!below(5))
			fprintf(f, "\"args\": %s, ", odd_args[below(8)]);
		fprintf(f, "\"name\": \"f%u%s\", \"pid\": %u, \"tid\": ", below(40),
			below(30) ? "" : "\\u00e9", below(2));
		fprintf(f, below(20) ? "%u" : "\"t%u\"", below(4));
		fprintf(f, below(20) ? ", \"ts\": %u.%03u" : ", \"ts\": \"%u\"",
			number * 10 + below(30), below(1000));
		if (phase == 'X' && below(30))
			fprintf(f, ", \"dur\": %u.%u", below(40), below(1000));
		if (strchr("bnestfCP", phase) && below(20))
			fprintf(f, below(2) ? ", \"id\": %u" : ", \"id\": \"0x%x\"", below(9));
		if (!below(4))
			fprintf(f, ", \"args\": %s", odd_args[below(8)]);
		fputs("}", f);
	}
	if (number == 2499)
		fputs("]", f);
}

static void write_perf(FILE *f, uint32_t number)
{
	(below(5) ? write_sample : write_record)(f, 5000000 + 10 * number);
}

START_TEST(generated)
{
	/* With --strict, repairs end it. */
	ck_assert_uint_eq(try_generated("perf-script", write_perf), 9);
	ck_assert_uint_eq(try_generated("folded", write_stack), 6);
	for (int i = 0; i < 12; i++) {
		static const char *const dialects[] = {"cpu_op", "py-spy", "FEE", "none"};

		dialect_from = below(1500);
		dialect_category = dialects[i % 4];
		ck_assert_uint_ge(try_generated("chrome", write_event), 3);
	}
}
END_TEST

static struct tally corpus_tally;

static int see_corpus(const char *path, const struct stat *st, int type, struct FTW *at)
{
	struct pk_error err = PK_ERROR_INIT;
	uint8_t *data;
	struct pk_probe probe;
	const struct pk_reader *reader;
	struct pk_input *in;

	(void)at;
	if (type != FTW_F || st->st_size > LARGEST || !st->st_size)
		return 0;
	in = pk_input_open(path, &err);
	if (!in)
		return 0;
	data = pk_calloc(1, PK_PROBE_SIZE + 64);
	probe.data = pk_input_peek(in, PK_PROBE_SIZE + 1, &probe.len);
	probe.whole = probe.len <= PK_PROBE_SIZE;
	probe.len = probe.whole ? probe.len : PK_PROBE_SIZE;
	probe.data = memcpy(data, probe.data, probe.len);
	reader = pk_reader_detect(&probe, path, &err);
	if (reader && (reader->pieces || (reader->read_cut && st->st_size <= LARGEST / 8)) &&
	    pk_input_plain_path(in))
		try_file(reader, path, &corpus_tally);
	free(data);
	pk_input_close(in);
	return 0;
}

START_TEST(corpus)
{
	const char *path = getenv("PROFKIT_CORPUS");

	if (!path || access(path, R_OK) != 0) {
		puts("no corpus: PROFKIT_CORPUS is not set");
		return;
	}
	most_pieces = 150;
	ck_assert_int_eq(nftw(path, see_corpus, 20, FTW_PHYS), 0);
	ck_assert_uint_gt(corpus_tally.read, 0);
	printf("corpus: %zu times read in pieces, %zu times not\n", corpus_tally.read,
	       corpus_tally.failed);
}
END_TEST

CHECK_MAIN("pieces", fixtures, generated, corpus)
