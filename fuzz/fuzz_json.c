#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "fuzz/fuzz.h"

const char *fuzz_format; /* of replay; there is one alone */

static void expect(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

/* The tokenizer alone: texts lie in the input, containers close as they open. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_input *in = pk_input_from_memory(data, size, "fuzz");
	struct pk_buf text = PK_BUF_INIT;
	enum pk_json_token t;
	struct pk_json j;
	uint64_t before = 0, tokens = 0;
	int depth = 0;

	pk_json_open(&j, in);
	while ((t = pk_json_next(&j)) > PK_JSON_END) {
		depth += t == PK_JSON_OBJECT || t == PK_JSON_ARRAY;
		depth -= t == PK_JSON_OBJECT_END || t == PK_JSON_ARRAY_END;
		expect(depth == j.depth && depth >= 0, "depth");
		expect(pk_json_offset(&j) >= before, "a step back");
		before = pk_json_offset(&j);
		if (t == PK_JSON_KEY || t == PK_JSON_STRING || t == PK_JSON_NUMBER) {
			text.len = 0;
			pk_json_unescape(&text, j.text, j.len);
		}
		if (++tokens % 7 == 0)
			pk_json_rest(&j);
		depth = j.depth;
	}
	expect(t == PK_JSON_END || j.error.text[0], "failed without a message");
	pk_buf_release(&text);
	pk_input_close(in);
	return 0;
}
