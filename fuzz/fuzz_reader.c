/* Target of the fuzzers for readers: any bytes, as one format or as detected. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "readers/reader.h"

const char *fuzz_format;

static void expect(int holds, const char *what, const char *text)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

static void read_again(const struct pk_reader *reader, const struct pk_buf *part)
{
	struct pk_read_options options = {.format = reader->name, .wanted = ~0U};
	struct pk_input *in = pk_input_from_memory(part->data, part->len, "part");
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	expect(!pk_read_input(in, NULL, &options, &list, &err), "a slice is not read", err.text);
	pk_profiles_release(&list);
	pk_input_close(in);
}

/* A slice that is cut out of a file without making a profile is a file of its format. */
static void cut(const struct pk_reader *reader, const uint8_t *data, size_t size, unsigned which)
{
	static const struct pk_selection selections[] = {
		{.time = "10%..60%"}, {.longer_than = 3000}, {.category = "[a-m]"},
		{.event = "[a-m]"},   {.thread = "[a-m]"},   {.process = "1", .whole = true}};
	const struct pk_selection *s =
		&selections[which % (sizeof(selections) / sizeof(*selections))];
	struct pk_slice_result result = {0};
	struct pk_buf part = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&part);
	struct pk_error err = PK_ERROR_INIT;
	int file = memfd_create("fuzz", 0), status;
	char path[40];

	expect(file >= 0 && write(file, data, size) == (ssize_t)size, "no file in memory", "");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	status = reader->slice(path, s, out, &result, &err);
	pk_output_commit(out, &err);
	expect(status >= 0 || (err.code != PK_OK && err.text[0]), "failed without a message",
	       err.text);
	if (status > 0)
		read_again(reader, &part);
	pk_profile_free(result.seen);
	pk_buf_release(&part);
	close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Every other size is read as with --strict: repairs end it there. */
	struct pk_read_options options = {.format = fuzz_format, .strict = size % 2, .wanted = ~0U};
	const struct pk_reader *reader = fuzz_format ? pk_reader_find(fuzz_format) : NULL;
	struct pk_input *in = pk_input_from_memory(data, size, "fuzz");
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;

	if (pk_read_input(in, NULL, &options, &list, &err)) {
		expect(err.code != PK_OK && err.text[0], "failed without a message", err.text);
		expect(!list.count, "failed, and gave profiles", err.text);
	}
	for (size_t i = 0; i < list.count; i++)
		expect(pk_profile_check(list.item[i], &err) == 0, "broken profile", err.text);
	pk_profiles_release(&list);
	pk_input_close(in);
	/* Only some of them, because writing files takes longer than reading from memory. */
	if (reader && reader->slice && size && (size + data[size / 2]) % 8 == 0)
		cut(reader, data, size, data[size / 2] / 8);
	return 0;
}

/* The fuzzers of all formats are one program. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_format = getenv("FUZZ_FORMAT");
	if (!fuzz_format || pk_reader_find(fuzz_format))
		return 0;
	fprintf(stderr, "no reader '%s'\n", fuzz_format);
	exit(2);
}
