/* The program: finds the command, parses its options, runs it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"

#include "base/alloc.h"
#include "base/io/output.h"
#include "base/os/sandbox.h"
#include "tools/command.h"
#include "tools/option.h"
#include "tools/help/version.h"

static int unknown_command(const char *name)
{
	enum { MANY = 100 };
	const char *words[2 * MANY + 1], *closest;
	int n = 0;

	for (int i = 0; pk_commands[i] && i < MANY; i++) {
		words[n++] = pk_commands[i]->name;
		if (pk_commands[i]->alias)
			words[n++] = pk_commands[i]->alias;
	}
	words[n] = NULL;
	closest = pk_closest_word(name, words);
	if (strchr(name, '/') || strchr(name, '.'))
		fprintf(stderr, "profkit: '%s' is neither a file nor a command\n", name);
	else if (closest)
		fprintf(stderr, "profkit: unknown command '%s'; did you mean '%s'?\n", name,
			closest);
	else
		fprintf(stderr, "profkit: unknown command '%s' (profkit --help lists them)\n",
			name);
	return PK_FAILED;
}

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

/* Does what must be done before the sandbox is entered, and enters it. */
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

static int run_command(const struct pk_command *command, int argc, char **argv)
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

/* The name of a command after options, where it would be taken for a file; or NULL. */
static const char *late_command(int argc, char **argv)
{
	for (int i = 2; i < argc && access(argv[i], F_OK) != 0; i++) {
		if (pk_command_find(argv[i]))
			return argv[i];
	}
	return NULL;
}

/* `profkit FILE... COMMAND`: takes the command out of the arguments; NULL if there is none. */
static const struct pk_command *command_behind_files(int argc, char **argv)
{
	const struct pk_command *command;
	int i = 2;

	while (i < argc && pk_is_input(argv[i]))
		i++;
	command = i < argc ? pk_command_find(argv[i]) : NULL;
	if (command)
		memmove(argv + i, argv + i + 1, (size_t)(argc - i) * sizeof(*argv));
	return command;
}

static int dispatch(int argc, char **argv)
{
	static char *no_args[] = {NULL};
	const struct pk_command *command, *summary = pk_command_find("summary");
	const char *first = argc > 1 ? argv[1] : "--help";

	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		return run_command(pk_command_find("help"), 0, no_args);
	if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0 ||
	    strcmp(first, "version") == 0) {
		pk_print_version(stdout);
		if (argc > 2 && strcmp(argv[2], "--licenses") == 0)
			pk_print_licenses(stdout);
		return PK_DONE;
	}
	command = pk_command_find(first);
	if (command)
		return run_command(command, argc - 2, argv + 2);
	if (pk_is_input(first)) {
		command = command_behind_files(argc, argv);
		/* `profkit FILE` is `profkit summary FILE` */
		return command ? run_command(command, argc - 2, argv + 1)
			       : run_command(summary, argc - 1, argv + 1);
	}
	if (first[0] == '-' && late_command(argc, argv)) {
		fprintf(stderr, "profkit: the command comes first: profkit %s [options] ...\n",
			late_command(argc, argv));
		return PK_FAILED;
	}
	if (first[0] == '-')
		return run_command(summary, argc - 1, argv + 1);
	return unknown_command(first);
}

int main(int argc, char **argv)
{
	int status;

	/* A closed standard descriptor must not become the number of a file: it is one that can
	 * neither be read nor written. */
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			return PK_FAILED;
	pk_alloc_setup();
	/* output.c handles closed pipes and files that grow too large */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	status = dispatch(argc, argv);
	if (fflush(stdout) && errno != EPIPE) {
		fprintf(stderr, "profkit: writing '<stdout>': %s\n", strerror(errno));
		return PK_FAILED;
	}
	return status;
}
