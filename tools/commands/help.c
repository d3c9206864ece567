/* profkit help: the list of commands, and pages of the manual. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/help/manual.h"

static void print_overview(FILE *out)
{
	fputs("usage: profkit COMMAND [options] FILE...\n"
	      "       profkit FILE            show what the file is, and where the time goes\n\n"
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
				first ? pk_group_titles[group] : "", first ? ":\n" : "", c->name,
				c->title);
			first = false;
		}
	}
	fputs("\n'profkit COMMAND --help' lists the options of a command, 'profkit help COMMAND'\n"
	      "shows its manual page. Other pages: 'profkit help recording', 'formats',\n"
	      "'output', 'store', 'scale', 'ci'.\n",
	      out);
}

/* Shows text through the pager on a terminal; otherwise, or without a pager, prints it. */
static void show(const struct pk_buf *text)
{
	static const char command[] =
		"LESS=${LESS-FRX} ${PAGER:-$(command -v less || command -v more || echo cat)}";
	FILE *pager = isatty(STDOUT_FILENO) ? popen(command, "w") : NULL;
	int status = 127 << 8;

	if (pager) {
		fwrite(text->data, 1, text->len, pager);
		status = pclose(pager);
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		fwrite(text->data, 1, text->len, stdout);
}

static int no_help(const char *name, struct pk_error *err)
{
	enum { MANY = 100 };
	const char *words[2 * MANY + 1], *closest;
	int n = 0;

	for (int i = 0; pk_commands[i] && i < MANY; i++)
		words[n++] = pk_commands[i]->name;
	for (int i = 0; pk_pages[i].name && n < 2 * MANY; i++) {
		if (pk_pages[i].section > 1)
			words[n++] = pk_pages[i].topic;
	}
	words[n] = NULL;
	closest = pk_closest_word(name, words);
	if (closest)
		return pk_fail(err, PK_EUSAGE, "no help on '%s'; did you mean '%s'?", name,
			       closest);
	return pk_fail(err, PK_EUSAGE, "no help on '%s' (profkit --help lists commands)", name);
}

/* Shows all pages of that name: "formats" is a command, and a page on formats. */
static int help_on(const char *name, struct pk_error *err)
{
	const struct pk_command *command = pk_command_find(name);
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (int section = 1; section <= 7; section++) {
		const struct pk_page *found = pk_page_find(command ? command->name : name, section);
		struct pk_doc d = {.out = &text};

		if (found && text.len)
			pk_buf_adds(&text, "\n\n");
		if (found)
			pk_page_write(&d, found);
	}
	if (!text.len)
		return no_help(name, err);
	show(&text);
	return 0;
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{

	(void)params;
	if (argc > 1) {
		return pk_fail(err, PK_EUSAGE, "too many operands (usage: profkit help [TOPIC])");
	}
	if (argc == 1)
		return help_on(argv[0], err);
	print_overview(stdout);
	return PK_DONE;
}

const struct pk_command pk_cmd_help = {
	.name = "help",
	.group = PK_GROUP_HELP,
	.title = "list the commands, or show a manual page",
	.operands = "[TOPIC]",
	.run = run,
};
