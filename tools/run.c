/* Runs a command with its arguments, in the sandbox if it reads. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/io/output.h"
#include "base/os/sandbox.h"
#include "tools/command.h"
#include "tools/help/version.h"
#include "tools/option.h"

/* Names the arguments that may be files: FILE, FILE@RUN, FILE=4, -bFILE, --baseline=FILE. */
static void name_inputs(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		const char *equals = strchr(argv[i], '=');
		const char *begins[] = {argv[i], equals ? equals + 1 : "",
					argv[i][0] == '-' ? argv[i] + strnlen(argv[i], 2) : ""};

		for (int j = 0; j < 3; j++) {
			const char *at = strrchr(begins[j], '@'), *last = strrchr(begins[j], '=');

			pk_sandbox_read(begins[j], strlen(begins[j]));
			pk_reader_name_beside(begins[j], pk_sandbox_read);
			if (at)
				pk_sandbox_read(begins[j], (size_t)(at - begins[j]));
			if (last)
				pk_sandbox_read(begins[j], (size_t)(last - begins[j]));
		}
	}
}

/* Prepares the command for the sandbox, and enters it. */
static int prepare(const struct pk_command *command, void *params, int argc, char **argv,
		   struct pk_error *err)
{
	const struct pk_common *c = params;

	if (!(command->uses & PK_USE_READ))
		return 0;
	if (command->start && command->start(params, err))
		return -1;
	if (c->output)
		pk_output_name(c->output);
	if (command->name_outputs)
		command->name_outputs(params, argc, argv);
	if (pk_confine(c, err))
		return -1;
	return command->converts ? 0 : pk_may_replace(c, c->output, true, command->makes, err);
}

int pk_command_run(const struct pk_command *command, int argc, char **argv)
{
	PK_FREED struct pk_common *params = pk_calloc(
		1, command->params_size ? command->params_size : sizeof(struct pk_common));
	struct pk_error err = PK_ERROR_INIT;
	struct pk_files *files = NULL;
	char asked;
	int status;

	if (command->uses & PK_USE_READ)
		name_inputs(argc, argv);
	status = pk_options_parse(command, params, &argc, argv, &asked, &err);
	if (status < 0) {
		status = pk_command_fail(&err);
	} else if (asked == 'h') {
		pk_print_help(command, stdout);
		status = PK_DONE;
	} else if (asked == 'V') {
		pk_print_version(stdout);
		status = PK_DONE;
	} else {
		if (command->params_size) {
			params->params = params;
			params->operands = (const char *const *)argv;
			params->operand_count = argc;
		}
		status = command->many
				 ? pk_operands_expand(&files, argc, argv, params->output, &err)
				 : 0;
		if (files) {
			params->files = files;
			argc = (int)files->count;
			argv = files->path;
		}
		if (!status)
			status = prepare(command, params, argc, argv, &err);
		if (!status)
			status = command->run(params, argc, argv, &err);
		if (status < 0)
			status = pk_command_fail(&err);
	}
	pk_options_release(command, params);
	pk_files_free(files);
	return status;
}
