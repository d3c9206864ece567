/* Target of the fuzzers for writers: profiles made of any bytes (random_model.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz/fuzz.h"
#include "fuzz/random_model.h"
#include "tests/dump.h"
#include "readers/reader.h"
#include "writers/writer.h"

const char *fuzz_format; /* of replay: the writer; NULL = all of them */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_format = getenv("FUZZ_WRITER");
	if (!fuzz_format || pk_writer_find(fuzz_format))
		return 0;
	fprintf(stderr, "no writer '%s'\n", fuzz_format);
	exit(2);
}

static void fail(const struct pk_writer *writer, const char *what, const char *text)
{
	fprintf(stderr, "%s: %s: %s\n", writer->name, what, text);
	abort();
}

/* Returns false if the writer reports that it cannot. */
static bool write_text(const struct pk_writer *writer, const struct pk_profiles *list,
		       struct pk_buf *text)
{
	void *params = pk_calloc(1, writer->params_size ? writer->params_size : 1);
	struct pk_output *out = pk_output_to_buf(text);
	struct pk_error err = PK_ERROR_INIT;
	int status;

	if (writer->opts)
		pk_opt_defaults(writer->opts, params);
	status = pk_write(writer, list, params, out, &err);
	if (!status && pk_output_commit(out, &err))
		fail(writer, "not committed", err.text);
	if (status) {
		pk_output_discard(out);
		if (err.code == PK_OK || !err.text[0])
			fail(writer, "failed without a message", "");
	}
	if (writer->opts)
		pk_opt_release(writer->opts, params);
	free(params);
	return status == 0;
}

static const struct pk_reader *reader_of(const struct pk_writer *writer)
{
	bool picture = strcmp(writer->name, "flamegraph") == 0;

	return pk_reader_find(picture ? "flamegraph-svg" : writer->name);
}

static void dump(const struct pk_profile *p, struct pk_buf *text)
{
	struct pk_output *out = pk_output_to_buf(text);
	struct pk_error err = PK_ERROR_INIT;

	pk_profile_dump(p, out);
	pk_output_commit(out, &err);
}

/* The written file is read again, and a store gives all tables as they were. */
static void read_again(const struct pk_writer *writer, const struct pk_profile *p,
		       const struct pk_buf *text)
{
	struct pk_read_options options = {.format = reader_of(writer)->name, .wanted = ~0U};
	struct pk_input *in = pk_input_from_memory(text->data, text->len, "fuzz");
	struct pk_buf before = PK_BUF_INIT, after = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profiles list = {0};

	if (pk_read_input(in, NULL, &options, &list, &err))
		fail(writer, "cannot be read again", err.text);
	for (size_t i = 0; i < list.count; i++)
		if (pk_profile_check(list.item[i], &err))
			fail(writer, "broken profile", err.text);
	if (strcmp(writer->name, "store") == 0) {
		dump(p, &before);
		dump(list.item[0], &after);
		if (before.len != after.len || memcmp(before.data, after.data, before.len))
			fail(writer, "other tables", after.data);
	}
	pk_buf_release(&before);
	pk_buf_release(&after);
	pk_profiles_release(&list);
	pk_input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_profile *p = pk_random_model(data, size);
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	pk_profiles_add(&list, p);
	if (pk_profile_check(p, &err)) {
		fprintf(stderr, "the model is wrong: %s\n", err.text);
		abort();
	}
	for (size_t i = 0; pk_writers[i]; i++) {
		const struct pk_writer *writer = pk_writers[i];
		struct pk_buf text = PK_BUF_INIT;

		if (fuzz_format && strcmp(fuzz_format, writer->name))
			continue;
		if (write_text(writer, &list, &text) && text.len && reader_of(writer))
			read_again(writer, p, &text);
		pk_buf_release(&text);
	}
	pk_profiles_release(&list);
	return 0;
}
