#include <stdio.h>
#include <string.h>

#include "command.h"
#include "option.h"

static const char *const headings[PK_GROUP_COUNT] = {
	[PK_GROUP_LOOK] = "Look at a profile",
	[PK_GROUP_DRAW] = "Draw it",
	[PK_GROUP_CONVERT] = "Turn it into others",
	[PK_GROUP_KEEP] = "Keep and question",
	[PK_GROUP_HELP] = "Help",
};

static void print_overview(FILE *out)
{
	fputs("usage: profkit COMMAND [options] FILE...\n"
	      "       profkit FILE            what the file is, and where the time goes\n\n"
	      "Reads profiles of any supported format (detected; also .gz, .zst, and - for\n"
	      "standard input) and shows, draws, compares, converts or keeps them.\n",
	      out);
	for (int group = 0; group < PK_GROUP_COUNT; group++) {
		bool first = true;

		for (int i = 0; pk_commands[i]; i++) {
			const struct pk_command *c = pk_commands[i];

			if ((int)c->group != group)
				continue;
			fprintf(out, "%s%s%s  %-12s %s\n", first ? "\n" : "",
				first ? headings[group] : "", first ? ":\n" : "", c->name,
				c->title);
			first = false;
		}
	}
	fputs("\n'profkit COMMAND --help' lists the options of a command, 'profkit help COMMAND'\n"
	      "shows its manual page.\n",
	      out);
}

static int run(void *params, int argc, char **argv)
{
	const struct pk_command *command;
	struct pk_error err = PK_ERROR_INIT;

	(void)params;
	if (argc == 0) {
		print_overview(stdout);
		return PK_DONE;
	}
	command = pk_command_find(argv[0]);
	if (!command) {
		pk_fail(&err, PK_EUSAGE, "no help on '%s' (profkit --help lists the commands)",
			argv[0]);
		return pk_command_fail(&err);
	}
	pk_print_help(command, stdout);
	return PK_DONE;
}

static const char *const description[] = {
	"Without an argument, lists the commands. With the name of a command, shows its manual "
	"page.",
	NULL,
};

static const struct pk_example examples[] = {
	{"profkit help hotspots", "Show the manual page of the hotspots command"},
	{NULL, NULL},
};

const struct pk_command pk_cmd_help = {
	.name = "help",
	.group = PK_GROUP_HELP,
	.title = "list the commands, or show the manual page of one",
	.operands = "[COMMAND]",
	.run = run,
	.description = description,
	.examples = examples,
};
