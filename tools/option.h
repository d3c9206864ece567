#pragma once

#include <stdio.h>

#include "tools/command.h"

/*
 * The options of a command: its own table, then the common groups it uses.
 */
struct pk_option_walk {
	const struct pk_command *command;
	const struct pk_opt *next;
	int table;
};

/* Visits every option (headings left out, replaced common options too):
 *	struct pk_option_walk w = {command};
 *	while ((opt = pk_option_next(&w)))
 */
const struct pk_opt *pk_option_next(struct pk_option_walk *w);

/*
 * Sets params (at least a struct pk_common) to defaults, then to what argv says. Options may
 * stand anywhere before "--"; operands are moved to the front of argv and counted in *argc.
 * Returns 1 if --help or --version was given (*asked is then 'h' or 'V').
 */
int pk_options_parse(const struct pk_command *command, void *params, int *argc, char **argv,
		     char *asked, struct pk_error *err);
void pk_options_release(const struct pk_command *command, void *params);

/* "--limit N", "--[no-]strict": how an option is written in help, without its letter. */
void pk_option_syntax(struct pk_buf *buf, const struct pk_opt *opt);

/* Appends the help of an option with choices and default, without a final point. */
void pk_option_help(struct pk_buf *buf, const struct pk_opt *opt);

/* Appends text as a word of a shell; returns false if it cannot be shown. */
bool pk_option_word(struct pk_buf *buf, const char *text);
/* Appends the options of reading and selecting that differ from their defaults, as words of a shell
 * with a space before each. Leaves out those that change no number, and what cannot be shown. */
void pk_option_words(struct pk_buf *buf, const struct pk_common *c);

/* The same for the filters alone: options that choose what counts, and where. */
void pk_filter_words(struct pk_buf *buf, const struct pk_common *c);

/* Appends the command line again, without the notation and the output: the command (NULL: that of
 * c), its options that differ from their defaults, its operands as they were given. Returns false
 * if something cannot be shown. */
bool pk_command_words(struct pk_buf *buf, const struct pk_common *c, const char *command);

/* What --help prints: fits a screen. */
void pk_print_help(const struct pk_command *command, FILE *out);
