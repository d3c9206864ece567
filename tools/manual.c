/* The manual pages of the program and of its commands. */
#include "manual.h"

#include "common.h"
#include "option.h"

const struct pk_page pk_pages[] = {
	{"ci", "profkit in continuous integration", pk_manual_ci, 7, pk_manual_ci_examples},
	{"formats", "formats that profkit reads and writes", pk_manual_formats, 5, NULL},
	{"output", "machine-readable output of profkit", pk_manual_output, 5, NULL},
	{"store", "how profkit keeps runs in an SQLite file", pk_manual_store, 5, NULL},
	{NULL, NULL, NULL, 0, NULL},
};

static void write_option(struct pk_doc *d, const struct pk_command *command,
			 const struct pk_opt *opt)
{
	struct pk_buf term = PK_BUF_INIT, text = PK_BUF_INIT;

	if (opt->letter)
		pk_buf_addf(&term, "`-%c`, ", opt->letter);
	pk_buf_addf(&term, "`--%s`", opt->name);
	if (opt->type != PK_OPT_FLAG)
		pk_buf_addf(&term, " %s", opt->arg ? opt->arg : "TEXT");
	pk_option_help(&text, opt);
	pk_doc_end_sentence(&text, 0);
	if (command && opt->type == PK_OPT_FLAG && opt->fallback)
		pk_buf_addf(&text, " `--no-%s` switches it off.", opt->name);
	pk_doc_item(d, term.data, text.data);
	pk_buf_release(&term);
	pk_buf_release(&text);
}

static void write_options(struct pk_doc *d, const struct pk_command *command)
{
	struct pk_option_walk w = {.command = command};
	const struct pk_opt *opt;
	int table = -1;

	while ((opt = pk_option_next(&w))) {
		if (table < 0)
			pk_doc_section(d, "OPTIONS");
		if (w.table != table && w.table > 0)
			pk_doc_subsection(d, pk_option_groups[w.table - 1].title);
		table = w.table;
		write_option(d, command, opt);
	}
}

/* True of commands whose exit status is a verdict. */
static bool can_fail(const struct pk_command *command)
{
	for (const struct pk_opt *o = command->opts; o && o->name; o++) {
		if (strcmp(o->name, "fail-on") == 0)
			return true;
	}
	return false;
}

static void write_exit_status(struct pk_doc *d, bool verdict)
{
	pk_doc_section(d, "EXIT STATUS");
	pk_doc_item(d, "0", verdict ? "Done, and nothing is worse." : "Done.");
	if (verdict)
		pk_doc_item(d, "1", "Something became worse, of what is asked for.");
	pk_doc_item(d, "2",
		    "Wrong usage, or an input that cannot be read. The reason is one "
		    "line on standard error, and no output file is touched.");
	if (verdict)
		pk_doc_item(d, "3", "The runs cannot tell; only with `--fail-on inconclusive`.");
}

static void write_examples(struct pk_doc *d, const struct pk_example *examples)
{
	struct pk_buf text = PK_BUF_INIT;

	for (const struct pk_example *e = examples; e && e->command; e++) {
		if (e == examples)
			pk_doc_section(d, "EXAMPLES");
		text.len = 0;
		pk_buf_addf(&text, "%s:", e->does);
		pk_doc_paragraph(d, text.data);
		pk_doc_literal(d, e->command);
	}
	pk_buf_release(&text);
}

void pk_manual_command(struct pk_doc *d, const struct pk_command *command)
{
	const char *const see[] = {"profkit(1)", "profkit-formats(5)", "profkit-output(5)",
				   can_fail(command) ? "profkit-ci(7)" : NULL, NULL};
	struct pk_buf line = PK_BUF_INIT;

	pk_buf_addf(&line, "profkit-%s", command->name);
	pk_doc_begin(d, line.data, 1, command->title);
	pk_doc_section(d, "SYNOPSIS");
	line.len = 0;
	pk_buf_addf(&line, "`profkit %s`%s%s%s", command->name,
		    command->params_size ? " [options]" : "", *command->operands ? " " : "",
		    command->operands);
	pk_doc_synopsis(d, line.data);
	if (command->alias) {
		line.len = 0;
		pk_buf_addf(&line, "`profkit %s` ...", command->alias);
		pk_doc_synopsis(d, line.data);
	}
	pk_doc_section(d, "DESCRIPTION");
	for (const char *const *p = command->description; p && *p; p++)
		pk_doc_paragraph(d, *p);
	write_options(d, command);
	if (command->manual)
		command->manual(d);
	write_exit_status(d, can_fail(command));
	write_examples(d, command->examples);
	pk_doc_section(d, "SEE ALSO");
	pk_doc_references(d, see);
	pk_doc_end(d);
	pk_buf_release(&line);
}

static void write_commands(struct pk_doc *d)
{
	struct pk_buf term = PK_BUF_INIT, text = PK_BUF_INIT;

	pk_doc_section(d, "COMMANDS");
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
			pk_buf_addf(&term, "`%s` %s", c->name, c->operands);
			pk_doc_sentence(&text, c->title);
			if (c->alias)
				pk_buf_addf(&text, " Also called `%s`.", c->alias);
			pk_doc_item(d, term.data, text.data);
		}
	}
	pk_buf_release(&term);
	pk_buf_release(&text);
}

static void write_inputs(struct pk_doc *d)
{
	pk_doc_section(d, "INPUTS");
	pk_doc_paragraph(d,
			 "The format of an input is found from its content; `-f` overrides it, "
			 "`profkit formats` lists what there is. Inputs compressed by gzip or "
			 "zstd are read as they are; `-` is standard input. A store is an input "
			 "like any other: `runs.db` is all its runs, `runs.db@LABEL` one of them. "
			 "Several inputs are added where a command looks at one profile.");
	pk_doc_paragraph(d, "What is odd in an input is mended, counted and said in a line on "
			    "standard error; `--strict` refuses such inputs instead.");
}

static void write_outputs(struct pk_doc *d)
{
	pk_doc_section(d, "OUTPUTS");
	pk_doc_paragraph(d,
			 "Results go to standard output or to the file that `-o` names, all "
			 "else to standard error. A file appears whole or not at all; one that "
			 "was there is replaced only by a complete one. The same input gives the "
			 "same bytes everywhere. Numbers that were worked out instead of measured "
			 "are marked with `~` in text and with `estimated` elsewhere.");
}

static void write_common(struct pk_doc *d)
{
	pk_doc_section(d, "COMMON OPTIONS");
	pk_doc_paragraph(d, "These mean the same wherever they occur; `--help` of a command says "
			    "which it has. Options may stand before or after operands; `--` ends "
			    "them.");
	for (const struct pk_option_group *g = pk_option_groups; g->opts; g++) {
		pk_doc_subsection(d, g->title);
		for (const struct pk_opt *opt = g->opts; opt->type != PK_OPT_END; opt++)
			write_option(d, NULL, opt);
	}
	pk_doc_subsection(d, "Help");
	pk_doc_item(d, "`-h`, `--help`", "Print a summary of the options.");
	pk_doc_item(d, "`-V`, `--version`", "Print the version, and those of the libraries.");
}

void pk_manual_program(struct pk_doc *d)
{
	static const char *const see[] = {"profkit-formats(5)", "profkit-output(5)",
					  "profkit-store(5)", "profkit-ci(7)", NULL};

	pk_doc_begin(d, "profkit", 1, "look at, draw, convert and keep profiles of programs");
	pk_doc_section(d, "SYNOPSIS");
	pk_doc_synopsis(d, "`profkit` COMMAND [options] FILE...");
	pk_doc_synopsis(d, "`profkit` FILE");
	pk_doc_synopsis(d, "`profkit help` [COMMAND]");
	pk_doc_section(d, "DESCRIPTION");
	pk_doc_paragraph(d, "profkit reads what profilers write, and shows where the time (or the "
			    "memory, or whatever was measured) went: as tables, call trees, call "
			    "graphs and flame graphs. It converts profiles between formats, and "
			    "keeps many of them in one SQLite file that can be asked questions in "
			    "SQL. It uses no network and no configuration file, and it never runs "
			    "the programs that profiles speak of.");
	pk_doc_paragraph(d, "`profkit FILE` is short for `profkit summary FILE`.");
	write_commands(d);
	write_inputs(d);
	write_outputs(d);
	write_common(d);
	pk_doc_section(d, "ENVIRONMENT");
	pk_doc_item(d, "`NO_COLOR`", "If set and not empty, text has no colors.");
	pk_doc_item(d, "`PAGER`", "What `profkit help` shows manual pages with.");
	pk_doc_item(
		d, "`PROFKIT_SANDBOX`",
		"`no` leaves the sandbox out, as `--no-sandbox`, `yes` demands it, as `--sandbox`; "
		"options go first. `auto` is the default: it is entered where the system has one, "
		"but not where code of others was put into the process (`LD_PRELOAD`, "
		"`LD_AUDIT`: valgrind, fakeroot), or where profkit was built to be watched "
		"(sanitizers, coverage, `-pg`): what they do is not what profkit does. "
		"`profkit --version` says which build it is.");
	write_exit_status(d, false);
	pk_doc_section(d, "SEE ALSO");
	pk_doc_references(d, see);
	pk_doc_end(d);
}

void pk_manual_page(struct pk_doc *d, const struct pk_page *page)
{
	static const char *const see[] = {"profkit(1)", NULL};
	struct pk_buf name = PK_BUF_INIT;

	pk_buf_addf(&name, "profkit-%s", page->name);
	pk_doc_begin(d, name.data, page->section, page->title);
	pk_doc_section(d, "DESCRIPTION");
	page->write(d);
	write_examples(d, page->examples);
	pk_doc_section(d, "SEE ALSO");
	pk_doc_references(d, see);
	pk_doc_end(d);
	pk_buf_release(&name);
}
