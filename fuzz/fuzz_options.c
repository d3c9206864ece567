#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "fuzz/fuzz.h"
#include "readers/reader.h"
#include "writers/writer.h"

#define MOST_PAIRS 64

const char *fuzz_format; /* of replay; there is one alone */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static void try_table(const struct pk_opt *opts, size_t params_size, const char *name,
		      const struct pk_opt_list *pairs)
{
	void *params = pk_calloc(1, params_size ? params_size : 1);
	struct pk_error err = PK_ERROR_INIT;

	if (opts)
		pk_opt_defaults(opts, params);
	if (pk_opt_set_pairs(opts, pairs, params, name, &err) &&
	    (err.code == PK_OK || !err.text[0])) {
		fputs("failed without a message\n", stderr);
		abort();
	}
	if (opts)
		pk_opt_release(opts, params);
	free(params);
}

/* The lines as texts of -O, for every format that there is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = pk_strndup((const char *)data, size), *at = text, *line;
	const char *item[MOST_PAIRS];
	struct pk_opt_list pairs = {item, 0};
	size_t i;

	while (pairs.count < MOST_PAIRS && (line = strsep(&at, "\n")))
		item[pairs.count++] = line;
	for (i = 0; pk_readers[i]; i++)
		try_table(pk_readers[i]->opts, pk_readers[i]->params_size, pk_readers[i]->name,
			  &pairs);
	for (i = 0; pk_writers[i]; i++)
		try_table(pk_writers[i]->opts, pk_writers[i]->params_size, pk_writers[i]->name,
			  &pairs);
	free(text);
	return 0;
}
