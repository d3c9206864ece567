/* convert, merge and reduce: profiles in another format, several as one, or as a part. */
#include <stddef.h>
#include <string.h>

#include "tools/write/convert.h"

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct pk_convert_params *o = params;

	o->merge |= strcmp(o->common.command->name, "convert") != 0;
	if (o->common.command->reduces)
		o->to = "store";
	return pk_convert(o, argc, argv, err);
}

#define TO                                                                                  \
	{                                                                                   \
		PK_OPT_TEXT, "to", 't', offsetof(struct pk_convert_params, to), "FORMAT",   \
			.help = "format of the output (default: by the suffix of its name)" \
	}

#define RESUME                                                                               \
	{                                                                                    \
		PK_OPT_FLAG, "resume", 0, offsetof(struct pk_convert_params, common.resume), \
			.help = "save the sum as OUTPUT.resume while files are added, and "  \
				"continue "                                                  \
				"from there if the command is started again"                 \
	}

static const struct pk_opt merge_opts[] = {TO, RESUME, PK_OPT_LAST};

static const struct pk_opt opts[] = {
	TO,
	{PK_OPT_TEXT, "format", 0, offsetof(struct pk_convert_params, to), "FORMAT",
	 .help = "the same as --to"},
	{PK_OPT_FLAG, "merge", 0, offsetof(struct pk_convert_params, merge),
	 .help = "add all inputs into one profile"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_convert = {
	.name = "convert",
	.alias = "export",
	.group = PK_GROUP_CONVERT,
	.title = "convert profiles between formats",
	.operands = "FILE... OUTPUT",
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER | PK_PART_MARKS,
	.opts = opts,
	.params_size = sizeof(struct pk_convert_params),
	.name_outputs = pk_convert_name_output,
	.converts = true,
	.benchmarks = PK_BENCHMARKS_AND_PROFILES,
	.run = run,
};

const struct pk_command pk_cmd_merge = {
	.name = "merge",
	.group = PK_GROUP_CONVERT,
	.title = "merge several profiles into one",
	.operands = "-o OUTPUT FILE...",
	.many = true,
	.uses = PK_USE_READ | PK_USE_METRIC | PK_USE_SELECT | PK_USE_OUTPUT,
	.ignores = PK_PART_ORDER | PK_PART_MARKS,
	.opts = merge_opts,
	.params_size = sizeof(struct pk_convert_params),
	.name_outputs = pk_convert_name_output,
	.converts = true,
	.benchmarks = PK_BENCHMARKS_AND_PROFILES,
	.run = run,
};

static const struct pk_opt reduce_opts[] = {RESUME, PK_OPT_LAST};

const struct pk_command pk_cmd_reduce = {
	.name = "reduce",
	.group = PK_GROUP_CONVERT,
	.title = "reduce profiles to a part: their sum, and statistics over them",
	.operands = "-o PART FILE...",
	.many = true,
	.reduces = true,
	.uses = PK_USE_READ | PK_USE_SELECT | PK_USE_OUTPUT,
	.wants = PK_PART_ARGS,
	.ignores = PK_PART_HOST_ARGS,
	.opts = reduce_opts,
	.params_size = sizeof(struct pk_convert_params),
	.name_outputs = pk_convert_name_output,
	.converts = true,
	.benchmarks = PK_BENCHMARKS_AND_PROFILES,
	.run = run,
};
