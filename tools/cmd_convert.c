#include <stddef.h>

#include "convert.h"

static int run(void *params, int argc, char **argv)
{
	return pk_convert(params, argc, argv);
}

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "to", 't', offsetof(struct pk_convert_params, to), "FORMAT",
	 .help = "format of the output (default: by the suffix of its name)"},
	{PK_OPT_FLAG, "merge", 0, offsetof(struct pk_convert_params, merge),
	 .help = "add all inputs to one profile"},
	PK_OPT_LAST,
};

static const char *const description[] = {
	"Reads profiles of any format and writes them in another. The format of the output is that "
	"of its suffix, or `--to`: `.json` is speedscope's, because that opens in a viewer; `--to "
	"json` is profkit's own. A name that ends in `.gz` or `.zst` is compressed. `-` is "
	"standard output.",
	"Several inputs become several profiles where the output can hold them; `--merge` adds "
	"them to one. What the output cannot keep is said in one line on standard error. The "
	"output may be one of the inputs: it is replaced when all is read and written.",
	"An option of a format (`-O`) goes to the output if its format knows the key, else to the "
	"inputs. The options that choose what to look at are applied before writing; with `-m` the "
	"other metrics are left out.",
	NULL,
};

static const struct pk_example examples[] = {
	{"profkit convert out.prof out.json", "Make a file that speedscope opens"},
	{"profkit convert --to folded out.prof -", "Print folded stacks"},
	{"profkit convert --merge before.prof after.prof both.prof", "Add two runs to one"},
	{"profkit convert before.prof after.prof runs.db", "Keep two runs in one SQLite file"},
	{NULL, NULL},
};

const struct pk_command pk_cmd_convert = {
	.name = "convert",
	.group = PK_GROUP_CONVERT,
	.title = "turn profiles of any format into any other",
	.operands = "FILE... OUTPUT",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER | PK_PART_MARKS,
	.opts = opts,
	.params_size = sizeof(struct pk_convert_params),
	.allow_outputs = pk_convert_allow,
	.run = run,
	.description = description,
	.examples = examples,
};
