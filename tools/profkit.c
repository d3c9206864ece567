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

/* The name of a command that stands after options, where it would be read as a file; or NULL. */
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
		return pk_command_run(pk_command_find("help"), 0, no_args);
	if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0 ||
	    strcmp(first, "version") == 0) {
		pk_print_version(stdout);
		if (argc > 2 && strcmp(argv[2], "--licenses") == 0)
			pk_print_licenses(stdout);
		return PK_DONE;
	}
	command = pk_command_find(first);
	if (command)
		return pk_command_run(command, argc - 2, argv + 2);
	if (pk_is_input(first)) {
		command = command_behind_files(argc, argv);
		/* `profkit FILE` is `profkit summary FILE` */
		return command ? pk_command_run(command, argc - 2, argv + 1)
			       : pk_command_run(summary, argc - 1, argv + 1);
	}
	if (first[0] == '-' && late_command(argc, argv)) {
		fprintf(stderr, "profkit: the command comes first: profkit %s [options] ...\n",
			late_command(argc, argv));
		return PK_FAILED;
	}
	if (first[0] == '-')
		return pk_command_run(summary, argc - 1, argv + 1);
	return unknown_command(first);
}

int main(int argc, char **argv)
{
	int status;

	/* Opens closed standard descriptors on a file that can neither be read nor written, so that
	 * no other file gets their numbers. */
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
