/* Writes what the directives of manual pages stand for: names, options, lists of commands. */
#include "tools/help/manual.h"

#include <string.h>

#include "tools/common.h"
#include "tools/option.h"

/* The command that a page describes; NULL = none. */
static const struct pk_command *command_of(const struct pk_page *page)
{
	return page->section == 1 ? pk_command_find(page->topic) : NULL;
}

static void write_name(struct pk_doc *d, const struct pk_page *page, const char *title)
{
	const struct pk_command *command = command_of(page);
	PK_BUF_AUTO line = PK_BUF_INIT;

	pk_doc_begin(d, page->name, page->section, command ? command->title : title);
	if (!command)
		return;
	pk_doc_section(d, "SYNOPSIS");
	pk_buf_addf(&line, "`profkit %s`%s%s%s", command->name,
		    command->params_size ? " [options]" : "", *command->operands ? " " : "",
		    command->operands);
	if (command->alias)
		pk_buf_addf(&line, "\n`profkit %s` ...", command->alias);
	pk_doc_paragraph(d, line.data);
}

static void write_option(struct pk_doc *d, const struct pk_command *command,
			 const struct pk_opt *opt)
{
	PK_BUF_AUTO term = PK_BUF_INIT, text = PK_BUF_INIT;

	if (opt->letter)
		pk_buf_addf(&term, "`-%c`, ", opt->letter);
	pk_buf_addf(&term, "`--%s`", opt->name);
	if (opt->type != PK_OPT_FLAG)
		pk_buf_addf(&term, " %s", opt->arg ? opt->arg : "TEXT");
	pk_option_help(&text, opt);
	pk_doc_end_sentence(&text);
	if (command && opt->type == PK_OPT_FLAG && opt->fallback)
		pk_buf_addf(&text, " `--no-%s` switches it off.", opt->name);
	pk_doc_item(d, term.data, text.data);
}

static void write_names(struct pk_doc *d, int table, struct pk_buf *names)
{
	if (names->len)
		pk_doc_item(d, pk_option_groups[table - 1].title, names->data);
	names->len = 0;
}

/* Writes the options of a command, of the common ones only the names; on the page of the program,
 * the common options. */
static void write_options(struct pk_doc *d, const struct pk_command *command)
{
	struct pk_option_walk w = {.command = command};
	struct pk_buf names = PK_BUF_INIT;
	const struct pk_opt *opt;
	int table = 0;

	while (command && (opt = pk_option_next(&w))) {
		if (!w.table) {
			write_option(d, command, opt);
			continue;
		}
		if (!table)
			pk_doc_paragraph(d, "The following are common to many commands, and "
					    "described in profkit(1):");
		if (w.table != table)
			write_names(d, table, &names);
		table = w.table;
		pk_buf_addf(&names, "%s`--%s`", names.len ? ", " : "", opt->name);
		if (opt->letter)
			pk_buf_addf(&names, " (`-%c`)", opt->letter);
	}
	write_names(d, table, &names);
	pk_buf_release(&names);
	for (const struct pk_option_group *g = pk_option_groups; !command && g->opts; g++) {
		pk_doc_subsection(d, g->title);
		for (opt = g->opts; opt->type != PK_OPT_END; opt++)
			write_option(d, NULL, opt);
	}
}

static void write_commands(struct pk_doc *d)
{
	PK_BUF_AUTO term = PK_BUF_INIT, text = PK_BUF_INIT;

	for (int group = 0; group < PK_GROUP_COUNT; group++) {
		bool first = true;

		for (int i = 0; pk_commands[i]; i++) {
			const struct pk_command *c = pk_commands[i];

			if ((int)c->group != group)
				continue;
			if (first)
				pk_doc_subsection(d, pk_group_titles[group]);
			first = false;
			term.len = text.len = 0;
			pk_buf_addf(&term, "`%s`%s%s", c->name, *c->operands ? " " : "",
				    c->operands);
			pk_buf_adds(&text, c->title);
			pk_doc_end_sentence(&text);
			if (c->alias)
				pk_buf_addf(&text, " Also called `%s`.", c->alias);
			pk_doc_item(d, term.data, text.data);
		}
	}
}

/* Directives without an argument that are the same on every page. */
static const struct {
	const char *name;
	void (*write)(struct pk_doc *d);
} lists[] = {
	{"COMMANDS", write_commands},       {"FORMATS", pk_manual_formats},
	{"TABLES", pk_manual_tables},       {"VIEWS", pk_manual_views},
	{"FUNCTIONS", pk_manual_functions},
};

static bool write_list(struct pk_doc *d, const char *name)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (strcmp(lists[i].name, name) == 0) {
			lists[i].write(d);
			return true;
		}
	}
	return false;
}

static bool include(struct pk_doc *d, const char *topic)
{
	const struct pk_page *page = pk_page_find(topic, 0);

	if (page)
		pk_page_write(d, page);
	return page;
}

void pk_manual_directive(struct pk_doc *d, char *directive, const struct pk_page *page)
{
	const struct pk_command *command = command_of(page);
	char *argument = directive + 1, *name = strsep(&argument, " @");
	bool known = true;

	argument[strcspn(argument, "@")] = '\0';
	if (strcmp(name, "NAME") == 0)
		write_name(d, page, argument);
	else if (strcmp(name, "OPTIONS") == 0)
		write_options(d, command);
	else if (strcmp(name, "SEE") == 0)
		pk_doc_see(d, argument);
	else if (strcmp(name, "INCLUDE") == 0)
		known = include(d, argument);
	else if (strcmp(name, "COLUMNS") == 0)
		known = pk_manual_columns(d, argument);
	else
		known = write_list(d, name);
	d->failed |= !known;
}
