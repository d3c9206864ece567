/*
 * Writes the manual pages and completions from the tables of the program:
 *	docgen man FOLDER           profkit.1, profkit-COMMAND.1, profkit-PAGE.5 or .7
 *	docgen complete SHELL FILE  bash, zsh or fish
 *	docgen keys COMMAND         the documented keys of its rows, as a line of CSV
 *	docgen examples             the examples of all commands and pages, one a line
 */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "complete.h"
#include "manual.h"

static int save(const char *path, struct pk_buf *text)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open(path, &err);

	if (!out)
		return pk_command_fail(&err);
	pk_output_write(out, text->data, text->len);
	text->len = 0;
	return pk_output_commit(out, &err) ? pk_command_fail(&err) : 0;
}

static int write_manual(const char *folder)
{
	struct pk_buf text = PK_BUF_INIT, path = PK_BUF_INIT;
	struct pk_doc d = {.out = &text, .mdoc = true};
	int status;

	pk_buf_addf(&path, "%s/profkit.1", folder);
	pk_manual_program(&d);
	status = save(path.data, &text);
	for (int i = 0; pk_commands[i] && !status; i++) {
		path.len = 0;
		pk_buf_addf(&path, "%s/profkit-%s.1", folder, pk_commands[i]->name);
		pk_manual_command(&d, pk_commands[i]);
		status = save(path.data, &text);
	}
	for (const struct pk_page *page = pk_pages; page->name && !status; page++) {
		path.len = 0;
		pk_buf_addf(&path, "%s/profkit-%s.%d", folder, page->name, page->section);
		pk_manual_page(&d, page);
		status = save(path.data, &text);
	}
	pk_buf_release(&text);
	pk_buf_release(&path);
	return status;
}

static int write_completion(const char *shell, const char *path)
{
	struct pk_buf text = PK_BUF_INIT;
	int status;

	if (pk_complete(&text, shell)) {
		fprintf(stderr, "docgen: unknown shell '%s'\n", shell);
		return 2;
	}
	status = save(path, &text);
	pk_buf_release(&text);
	return status;
}

static int print_keys(const char *command)
{
	for (const struct pk_row_doc *r = pk_row_docs; r->command; r++) {
		if (strcmp(r->command, command) == 0) {
			for (const struct pk_row_key *k = r->keys; k->key; k++)
				printf("%s%s", k == r->keys ? "" : ",", k->key);
			putchar('\n');
			return 0;
		}
	}
	fprintf(stderr, "docgen: the rows of '%s' are not documented\n", command);
	return 2;
}

static void print_list(const struct pk_example *e)
{
	for (; e && e->command; e++)
		puts(e->command);
}

static int print_examples(void)
{
	for (int i = 0; pk_commands[i]; i++)
		print_list(pk_commands[i]->examples);
	for (const struct pk_page *page = pk_pages; page->name; page++)
		print_list(page->examples);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "man") == 0)
		return write_manual(argv[2]);
	if (argc == 4 && strcmp(argv[1], "complete") == 0)
		return write_completion(argv[2], argv[3]);
	if (argc == 3 && strcmp(argv[1], "keys") == 0)
		return print_keys(argv[2]);
	if (argc == 2 && strcmp(argv[1], "examples") == 0)
		return print_examples();
	fputs("usage: docgen man FOLDER | complete SHELL FILE | keys COMMAND | examples\n", stderr);
	return 2;
}
