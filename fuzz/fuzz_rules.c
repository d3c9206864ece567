#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/check/rules.h"
#include "fuzz/fuzz.h"
#include "model/build/builder.h"

const char *fuzz_format; /* of replay; there is one alone */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static struct pk_profile *make_profile(void)
{
	struct pk_builder *b = pk_builder_new();

	pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	pk_build_function(b, &(struct pk_function){.name = pk_build_text(b, "query"),
						   .file = pk_build_text(b, "app/db.py"),
						   .line = 7});
	pk_build_function(b, &(struct pk_function){.name = pk_build_text(b, "std::f<(int)>\xFF"),
						   .module = pk_build_text(b, "libc.so")});
	return pk_builder_finish(b);
}

/* The file of rules of check: every rule is kept or reported as wrong, and can be evaluated. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_input *in = pk_input_from_memory(data, size, "fuzz");
	struct pk_profile *p = make_profile();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf scratch = PK_BUF_INIT;
	struct pk_rules rules = {0};
	size_t i;
	uint32_t f;

	if (pk_rules_read(&rules, in, &err) && (err.code == PK_OK || !err.text[0])) {
		fputs("failed without a message\n", stderr);
		abort();
	}
	for (f = 1; f < p->function.count; f++) {
		for (i = 0; i < rules.count; i++)
			if (rules.rule[i].has_pattern)
				pk_rule_matches(&rules.rule[i].pattern, p, f, &scratch);
		for (i = 0; i < rules.ignored_count; i++)
			pk_rule_matches(&rules.ignored[i], p, f, &scratch);
	}
	pk_buf_release(&scratch);
	pk_rules_release(&rules);
	pk_profile_free(p);
	pk_input_close(in);
	return 0;
}
