/* Completion for shells: commands, options, their values, and files. The rest of the scripts is in
 * man/completion.SHELL. */
#include "tools/help/complete.h"

#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/formats.h"
#include "tools/help/manual.h"
#include "tools/option.h"

/* The words that may follow an option. */
enum value { VALUE_NONE, VALUE_WORDS, VALUE_FILE, VALUE_TEXT };

static const char *const word_options[] = {"from", "to", "format", "sort", "metric", "unit"};

static bool names_file(const struct pk_opt *opt)
{
	return opt->file || (opt->arg && (strstr(opt->arg, "FILE") || strstr(opt->arg, "DIR") ||
					  strstr(opt->arg, "FOLDER")));
}

static enum value value_of(const struct pk_opt *opt)
{
	if (opt->type == PK_OPT_FLAG)
		return VALUE_NONE;
	for (size_t i = 0; i < sizeof(word_options) / sizeof(*word_options); i++)
		if (opt->type == PK_OPT_CHOICE || strcmp(opt->name, word_options[i]) == 0)
			return VALUE_WORDS;
	return names_file(opt) ? VALUE_FILE : VALUE_TEXT;
}

/* Names of metrics of many profilers; those of a file are its own. */
static const char metrics[] = "time calls samples bytes cycles instructions";
static const char units[] = "ns us ms s B KB MB GB";

/* The words of an option of that kind, separated by spaces. */
static void add_words(struct pk_buf *out, const struct pk_command *command,
		      const struct pk_opt *opt)
{
	const char *separator = "";

	if (opt->type == PK_OPT_CHOICE) {
		for (int i = 0; opt->choices[i]; i++, separator = " ")
			pk_buf_addf(out, "%s%s", separator, opt->choices[i]);
	} else if (strcmp(opt->name, "from") == 0) {
		for (int i = 0; pk_readers[i]; i++, separator = " ")
			pk_buf_addf(out, "%s%s", separator, pk_readers[i]->name);
	} else if (strcmp(opt->name, "to") == 0 || strcmp(opt->name, "format") == 0) {
		for (int i = 0; pk_writers[i]; i++, separator = " ")
			pk_buf_addf(out, "%s%s", separator, pk_writers[i]->name);
		if (command->converts)
			pk_buf_adds(out, " parquet");
	} else {
		const char *words = strcmp(opt->name, "sort") == 0     ? command->sorts
				    : strcmp(opt->name, "metric") == 0 ? metrics
								       : units;

		for (; *words; words++)
			if (*words != ',')
				pk_buf_addc(out, *words);
	}
}

/* "add|list|remove STORE": the first operand is one of several words. */
static bool has_actions(const struct pk_command *command)
{
	return command->operands[strspn(command->operands, "abcdefghijklmnopqrstuvwxyz")] == '|';
}

/* The operands of a command as words, if they are not files. */
static void add_operand_words(struct pk_buf *out, const struct pk_command *command)
{
	const char *separator = "";

	if (strcmp(command->name, "help") == 0) {
		for (int i = 0; pk_commands[i]; i++, separator = " ")
			pk_buf_addf(out, "%s%s", separator, pk_commands[i]->name);
		for (int i = 0; pk_pages[i].name; i++) {
			if (pk_pages[i].section > 1 && !pk_command_find(pk_pages[i].topic))
				pk_buf_addf(out, " %s", pk_pages[i].topic);
		}
	} else if (strcmp(command->name, "formats") == 0) {
		size_t count;
		struct pk_format *formats = pk_formats(&count);

		for (size_t i = 0; i < count; i++, separator = " ")
			pk_buf_addf(out, "%s%s", separator, formats[i].name);
		free(formats);
	} else if (has_actions(command)) {
		for (const char *c = command->operands; *c && *c != ' '; c++)
			pk_buf_addc(out, *c == '|' ? ' ' : *c);
	}
}

static void bash_option_values(struct pk_buf *out, const struct pk_command *command)
{
	struct pk_option_walk w = {.command = command};
	const struct pk_opt *opt;

	while ((opt = pk_option_next(&w))) {
		enum value value = value_of(opt);

		if (value == VALUE_NONE)
			continue;
		pk_buf_addf(out, "        --%s", opt->name);
		if (opt->letter)
			pk_buf_addf(out, "|-%c", opt->letter);
		pk_buf_adds(out, value == VALUE_FILE   ? ") kind=file"
				 : value == VALUE_TEXT ? ") kind=text"
						       : ") kind=words words='");
		if (value == VALUE_WORDS) {
			add_words(out, command, opt);
			pk_buf_addc(out, '\'');
		}
		pk_buf_adds(out, " ;;\n");
	}
}

static void bash_command(struct pk_buf *out, const struct pk_command *command)
{
	struct pk_option_walk w = {.command = command};
	const struct pk_opt *opt;

	pk_buf_addf(out, "    %s", command->name);
	if (command->alias)
		pk_buf_addf(out, "|%s", command->alias);
	pk_buf_adds(out, ")\n        operands='");
	add_operand_words(out, command);
	pk_buf_addf(out, "'%s\n        options='--help",
		    has_actions(command) ? "; ((COMP_CWORD == 2)) || operands=" : "");
	while ((opt = pk_option_next(&w)))
		pk_buf_addf(out, " --%s", opt->name);
	pk_buf_adds(out, "'\n        case $prev in\n");
	bash_option_values(out, command);
	pk_buf_adds(out, "        esac\n        ;;\n");
}

/* Appends text that stands between apostrophes, with \ before bytes of `special`. */
static void add_quoted(struct pk_buf *out, const char *text, const char *special,
		       const char *apostrophe)
{
	for (; *text; text++) {
		if (*text == '\'') {
			pk_buf_adds(out, apostrophe);
			continue;
		}
		if (strchr(special, *text))
			pk_buf_addc(out, '\\');
		pk_buf_addc(out, *text);
	}
}

static void zsh_option(struct pk_buf *out, const struct pk_command *command,
		       const struct pk_opt *opt)
{
	bool valued = value_of(opt) != VALUE_NONE;
	const char *joined = valued ? "=" : ""; /* "--to=folded" */

	if (opt->letter && opt->type == PK_OPT_LIST)
		pk_buf_addf(out, "      '*'{-%c+,--%s=}'[", opt->letter, opt->name);
	else if (opt->letter)
		pk_buf_addf(out, "      '(-%c --%s)'{-%c%s,--%s%s}'[", opt->letter, opt->name,
			    opt->letter, valued ? "+" : "", opt->name, joined);
	else
		pk_buf_addf(out, "      '%s--%s%s[", opt->type == PK_OPT_LIST ? "*" : "", opt->name,
			    joined);
	add_quoted(out, opt->help, "[]:\\", "'\\''");
	pk_buf_addc(out, ']');
	if (valued) {
		pk_buf_adds(out, ":");
		add_quoted(out, opt->arg ? opt->arg : "TEXT", ":\\", "'\\''");
		pk_buf_addc(out, ':');
	}
	if (value_of(opt) == VALUE_WORDS) {
		pk_buf_addc(out, '(');
		add_words(out, command, opt);
		pk_buf_addc(out, ')');
	} else if (value_of(opt) == VALUE_FILE) {
		pk_buf_adds(out, "_files");
	}
	pk_buf_adds(out, "' \\\n");
}

static void zsh_command(struct pk_buf *out, const struct pk_command *command)
{
	struct pk_option_walk w = {.command = command};
	PK_BUF_AUTO words = PK_BUF_INIT;
	const struct pk_opt *opt;

	pk_buf_addf(out, "  %s", command->name);
	if (command->alias)
		pk_buf_addf(out, "|%s", command->alias);
	pk_buf_adds(out, ")\n    _arguments -s \\\n");
	while ((opt = pk_option_next(&w)))
		zsh_option(out, command, opt);
	add_operand_words(&words, command);
	pk_buf_adds(out, "      '--help[print a summary of the options]' \\\n");
	if (has_actions(command))
		pk_buf_addf(out, "      '1:action:(%s)' '*:file:_files' ;;\n", words.data);
	else if (words.len)
		pk_buf_addf(out, "      '*:operand:(%s)' ;;\n", words.data);
	else
		pk_buf_adds(out, "      '*:file:_files' ;;\n");
}

static void fish_option(struct pk_buf *out, const struct pk_command *command,
			const struct pk_opt *opt)
{
	pk_buf_addf(out, "complete -c profkit -n '__fish_seen_subcommand_from %s", command->name);
	if (command->alias)
		pk_buf_addf(out, " %s", command->alias);
	pk_buf_addf(out, "' -l %s", opt->name);
	if (opt->letter)
		pk_buf_addf(out, " -s %c", opt->letter);
	switch (value_of(opt)) {
	case VALUE_NONE:
		break;
	case VALUE_WORDS:
		pk_buf_adds(out, " -x -a '");
		add_words(out, command, opt);
		pk_buf_addc(out, '\'');
		break;
	case VALUE_FILE:
		pk_buf_adds(out, " -r");
		break;
	case VALUE_TEXT:
		pk_buf_adds(out, " -x");
		break;
	}
	pk_buf_adds(out, " -d '");
	add_quoted(out, opt->help, "\\", "\\'");
	pk_buf_adds(out, "'\n");
}

static void fish_command(struct pk_buf *out, const struct pk_command *command)
{
	struct pk_option_walk w = {.command = command};
	PK_BUF_AUTO words = PK_BUF_INIT;
	const struct pk_opt *opt;

	pk_buf_addf(out, "complete -c profkit -n __fish_use_subcommand -a %s -d '", command->name);
	add_quoted(out, command->title, "\\", "\\'");
	pk_buf_adds(out, "'\n");
	add_operand_words(&words, command);
	if (words.len)
		pk_buf_addf(out,
			    "complete -c profkit -n '__fish_seen_subcommand_from %s%s%s' "
			    "-f -a '%s'\n",
			    command->name,
			    has_actions(command) ? "; and not __fish_seen_subcommand_from " : "",
			    has_actions(command) ? words.data : "", words.data);
	while ((opt = pk_option_next(&w)))
		fish_option(out, command, opt);
}

static void bash_name(struct pk_buf *out, const struct pk_command *command)
{
	pk_buf_addf(out, "%s ", command->name);
}

static void zsh_name(struct pk_buf *out, const struct pk_command *command)
{
	pk_buf_addf(out, "  '%s:", command->name);
	add_quoted(out, command->title, ":\\", "'\\''");
	pk_buf_adds(out, "'\n");
}

int pk_complete(struct pk_buf *out, const char *shell, const char *template)
{
	static const struct {
		const char *shell;
		/* The replacements of @NAMES@ and @COMMANDS@ in the template. */
		void (*name)(struct pk_buf *out, const struct pk_command *command);
		void (*command)(struct pk_buf *out, const struct pk_command *command);
	} shells[] = {
		{"bash", bash_name, bash_command},
		{"zsh", zsh_name, zsh_command},
		{"fish", NULL, fish_command},
	};
	size_t s = 0;

	while (s < sizeof(shells) / sizeof(*shells) && strcmp(shells[s].shell, shell) != 0)
		s++;
	if (s == sizeof(shells) / sizeof(*shells))
		return -1;
	while (*template) {
		size_t len = strcspn(template, "@");
		bool names = pk_starts_with(template + len, "@NAMES@");

		pk_buf_add(out, template, len);
		template += len;
		for (int i = 0; *template && pk_commands[i]; i++)
			(names ? shells[s].name : shells[s].command)(out, pk_commands[i]);
		template += *template ? strlen(names ? "@NAMES@" : "@COMMANDS@") : 0;
	}
	return 0;
}
