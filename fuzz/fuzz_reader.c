#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "readers/reader.h"

const char *fuzz_format;

static void expect(int holds, const char *what, const char *text)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, text);
	abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Every other size is read as with --strict: repairs end it there. */
	struct pk_read_options options = {.format = fuzz_format, .strict = size % 2, .wanted = ~0U};
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
