/*
 * Writes manual pages and completions from man/ and the tables of the program:
 *	docgen man FOLDER           the manual pages, as mdoc
 *	docgen complete SHELL TEMPLATE FILE
 *	                            bash, zsh or fish
 *	docgen examples             the examples of all pages, one a line
 */
#include <stdio.h>
#include <string.h>

#include "base/io/output.h"
#include "tools/help/complete.h"
#include "tools/help/manual.h"

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
	PK_BUF_AUTO text = PK_BUF_INIT, path = PK_BUF_INIT;
	int status = 0;

	for (const struct pk_page *page = pk_pages; page->name && !status; page++) {
		struct pk_doc d = {.out = &text, .mdoc = true};

		if (!page->section)
			continue;
		pk_page_write(&d, page);
		pk_doc_end(&d);
		path.len = 0;
		pk_buf_addf(&path, "%s/%s.%d", folder, page->name, page->section);
		status = save(path.data, &text);
		if (d.failed) {
			fprintf(stderr,
				"docgen: %s(%d): unknown directive, or a column without help\n",
				page->name, page->section);
			status = 2;
		}
	}
	return status;
}

static int write_completion(const char *shell, const char *template, const char *path)
{
	PK_BUF_AUTO text = PK_BUF_INIT, before = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_input *in = pk_input_open(template, &err);
	const uint8_t *bytes;
	size_t len;

	if (!in)
		return pk_command_fail(&err);
	bytes = pk_input_all(in, &len);
	pk_buf_add(&before, bytes, len);
	pk_input_close(in);
	if (pk_complete(&text, shell, before.data)) {
		fprintf(stderr, "docgen: unknown shell '%s'\n", shell);
		return 2;
	}
	return save(path, &text);
}

/* The lines of the section EXAMPLES that are set apart. */
static int print_examples(void)
{
	static const char heading[] = "\nEXAMPLES\n", indent[] = "        ";

	for (const struct pk_page *page = pk_pages; page->name; page++) {
		PK_BUF_AUTO text = PK_BUF_INIT;
		struct pk_doc d = {.out = &text};
		const char *line;

		pk_page_write(&d, page);
		line = strstr(text.data, heading);
		line = line ? line + strlen(heading) : "";
		for (; *line == ' ' || *line == '\n'; line += strcspn(line, "\n") + 1) {
			if (pk_starts_with(line, indent))
				printf("%.*s\n", (int)strcspn(line, "\n") - 8, line + 8);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "man") == 0)
		return write_manual(argv[2]);
	if (argc == 5 && strcmp(argv[1], "complete") == 0)
		return write_completion(argv[2], argv[3], argv[4]);
	if (argc == 2 && strcmp(argv[1], "examples") == 0)
		return print_examples();
	fputs("usage: docgen man FOLDER | complete SHELL TEMPLATE FILE | examples\n", stderr);
	return 2;
}
