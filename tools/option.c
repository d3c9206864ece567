/*
 * Options of the command line: parsed by the tables of a command and of those shared by all, and
 * their help.
 */
#include "tools/option.h"

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tools/common.h"
#include "tools/help/manual.h"

/* False for a common option that the command replaces by its own. */
static bool visible(const struct pk_option_walk *w, const struct pk_opt *opt)
{
	if (opt->type == PK_OPT_GROUP)
		return false;
	return w->table == 0 || !pk_opt_find(w->command->opts, opt->name);
}

static bool group_used(const struct pk_command *command, const struct pk_option_group *group)
{
	return command->params_size && (!group->use || (command->uses & group->use));
}

/* Moves on to the next table; false at the end. Table 0 is the command's own. */
static bool next_table(struct pk_option_walk *w)
{
	const struct pk_option_group *group = &pk_option_groups[w->table];

	while (group->opts && !group_used(w->command, group))
		group++;
	w->table = (int)(group - pk_option_groups) + 1;
	w->next = group->opts;
	return group->opts;
}

const struct pk_opt *pk_option_next(struct pk_option_walk *w)
{
	if (!w->next && w->table == 0)
		w->next = w->command->opts;
	for (;;) {
		while (w->next && w->next->type != PK_OPT_END) {
			const struct pk_opt *opt = w->next++;

			if (visible(w, opt))
				return opt;
		}
		if (!next_table(w))
			return NULL;
	}
}

/* By name, or by letter if name is NULL. */
static const struct pk_opt *find(const struct pk_command *command, const char *name, char letter)
{
	struct pk_option_walk w = {.command = command};
	const struct pk_opt *opt;

	while ((opt = pk_option_next(&w))) {
		if (name ? strcmp(opt->name, name) == 0 : opt->letter == letter)
			return opt;
	}
	return NULL;
}

static int unknown_option(const struct pk_command *command, const char *name, struct pk_error *err)
{
	enum { MANY = 200 };
	const char *words[MANY + 3] = {"help", "version"}, *closest;
	struct pk_option_walk w = {.command = command};
	const struct pk_opt *opt;
	int n = 2;

	if (find(pk_command_find("hotspots"), name, 0))
		return pk_fail(err, PK_EUSAGE,
			       "profkit %s has no option '--%s'; profkit hotspots has it",
			       command->name, name);
	while (n < MANY && (opt = pk_option_next(&w)))
		words[n++] = opt->name;
	words[n] = NULL;
	closest = pk_closest_word(name, words);
	if (closest)
		return pk_fail(err, PK_EUSAGE, "unknown option '--%s'; did you mean '--%s'?", name,
			       closest);
	return pk_fail(err, PK_EUSAGE, "unknown option '--%s' (profkit %s --help lists them)", name,
		       command->name);
}

/* An option that is not known, in an argument that is the name of a file. */
static int fail_file(const char *arg, struct pk_error *err)
{
	return pk_fail(err, PK_EUSAGE,
		       "'%s' begins with '-', as options do; as a file it is './%s'", arg, arg);
}

/* The arguments being parsed; operands are moved to the front. */
struct args {
	int count, next, operands;
	char **v;
	const struct pk_opt *waits; /* for an operand */
};

/* True for "-o", "--output" and the like: an option of the command and nothing else. */
static bool is_option(const struct pk_command *command, const char *arg)
{
	if (arg[0] != '-' || !arg[1])
		return false;
	return arg[1] == '-' ? find(command, arg + 2, 0) != NULL
			     : !arg[2] && find(command, NULL, arg[1]);
}

/* "--by label:KEY" is "--by-label KEY": a choice that takes a text is an option of its own. */
static const struct pk_opt *choice_with_text(const struct pk_command *command,
					     const struct pk_opt *opt, const char **value)
{
	const char *colon = opt->type == PK_OPT_CHOICE && *value ? strchr(*value, ':') : NULL;
	const struct pk_opt *found;
	PK_BUF_AUTO name = PK_BUF_INIT;

	if (!colon)
		return opt;
	pk_buf_addf(&name, "%s-%.*s", opt->name, (int)(colon - *value), *value);
	found = find(command, name.data, 0);
	if (!found || found->type != PK_OPT_TEXT)
		return opt;
	*value = colon + 1;
	return found;
}

/* Sets the option to `beside`, the text after '=', or to the next argument. */
static int set_option(const struct pk_command *command, const struct pk_opt *opt, struct args *a,
		      const char *beside, void *params, struct pk_error *err)
{
	if (!beside && opt->type != PK_OPT_FLAG && a->next < a->count) {
		beside = a->v[a->next];
		if (is_option(command, beside) && opt->file) {
			a->waits = opt;
			return 0;
		}
		if (is_option(command, beside))
			return pk_fail(
				err, PK_EUSAGE,
				"the value is missing: '%s' is an option (--%s='%s' if it is "
				"the value)",
				beside, opt->name, beside);
		a->next++;
	}
	opt = choice_with_text(command, opt, &beside);
	return pk_opt_set(opt, beside, params, err);
}

/* `arg` comes after "--" of an argument. */
static int parse_long(const struct pk_command *command, void *params, struct args *a,
		      const char *arg, char *asked, struct pk_error *err)
{
	const char *equals = strchr(arg, '='), *value = equals ? equals + 1 : NULL;
	PK_FREED char *name = pk_strndup(arg, equals ? (size_t)(equals - arg) : strlen(arg));
	const struct pk_opt *opt = find(command, name, 0);
	int status = 0;

	if (!opt && pk_starts_with(name, "no-") && !value) {
		opt = find(command, name + 3, 0);
		value = "no";
		if (opt && opt->type != PK_OPT_FLAG)
			opt = NULL;
	}
	if (opt) {
		status = set_option(command, opt, a, value, params, err);
		if (status)
			pk_fail_context(err, "option '--%s'", name);
	} else if (strcmp(name, "help") == 0) {
		*asked = 'h';
	} else if (strcmp(name, "version") == 0) {
		*asked = 'V';
	} else if (!access(arg - 2, F_OK)) {
		status = fail_file(arg - 2, err);
	} else {
		status = unknown_option(command, name, err);
	}
	return status;
}

/* `arg` comes after '-' of an argument. */
static int parse_letters(const struct pk_command *command, void *params, struct args *a,
			 const char *arg, char *asked, struct pk_error *err)
{
	const char *whole = arg - 1;

	for (; *arg; arg++) {
		const struct pk_opt *opt = find(command, NULL, *arg);

		if (!opt && (*arg == 'h' || *arg == 'V')) {
			*asked = *arg;
			continue;
		}
		if (!opt && !access(whole, F_OK))
			return fail_file(whole, err);
		if (!opt)
			return pk_fail(err, PK_EUSAGE,
				       "unknown option '-%c' (profkit %s --help lists them)", *arg,
				       command->name);
		if (opt->type == PK_OPT_FLAG) {
			pk_opt_set(opt, NULL, params, err);
			continue;
		}
		if (set_option(command, opt, a, arg[1] ? arg + 1 : NULL, params, err))
			return pk_fail_context(err, "option '-%c'", *arg);
		return 0;
	}
	return 0;
}

static void set_defaults(const struct pk_command *command, void *params)
{
	struct pk_common *common = params;

	memset(params, 0, command->params_size);
	common->command = command;
	pk_opt_defaults(command->opts, params);
	for (const struct pk_option_group *g = pk_option_groups; g->opts; g++)
		pk_opt_defaults(g->opts, params);
	common->format = -1;
	common->dashes = -1;
	common->sandbox = -1;
}

int pk_options_parse(const struct pk_command *command, void *params, int *argc, char **argv,
		     char *asked, struct pk_error *err)
{
	struct args a = {.count = *argc, .v = argv};
	bool only_operands = false;
	int status = 0;

	*asked = 0;
	if (command->params_size)
		set_defaults(command, params);
	while (a.next < a.count && !status && !*asked) {
		char *arg = argv[a.next++];

		if (only_operands && arg[0] == '-' && arg[1] && access(arg, F_OK)) {
			status = pk_fail(err, PK_EUSAGE,
					 "'%s' stands after '--', where only files stand: options "
					 "come before '--'",
					 arg);
		} else if (a.waits && (arg[0] != '-' || !arg[1])) {
			status = pk_opt_set(a.waits, arg, params, err);
			a.waits = NULL;
		} else if (only_operands || arg[0] != '-' || !arg[1]) {
			argv[a.operands++] = arg;
		} else if (strcmp(arg, "--") == 0) {
			only_operands = true;
			if (command->params_size)
				((struct pk_common *)params)->dashes = a.operands;
		} else if (arg[1] == '-') {
			status = parse_long(command, params, &a, arg + 2, asked, err);
		} else {
			status = parse_letters(command, params, &a, arg + 1, asked, err);
		}
	}
	*argc = a.operands;
	if (a.waits && !status && !*asked)
		status = pk_fail(err, PK_EUSAGE, "option '--%s': no file is given", a.waits->name);
	return status ? -1 : *asked != 0;
}

void pk_options_release(const struct pk_command *command, void *params)
{
	if (!command->params_size)
		return;
	pk_opt_release(command->opts, params);
	for (const struct pk_option_group *g = pk_option_groups; g->opts; g++)
		pk_opt_release(g->opts, params);
}

void pk_option_syntax(struct pk_buf *buf, const struct pk_opt *opt)
{
	pk_buf_addf(buf, "--%s", opt->name);
	if (opt->type != PK_OPT_FLAG)
		pk_buf_addf(buf, " %s", opt->arg ? opt->arg : "TEXT");
}

void pk_option_help(struct pk_buf *buf, const struct pk_opt *opt)
{
	pk_buf_adds(buf, opt->help);
	if (opt->type == PK_OPT_CHOICE) {
		for (int i = 0; opt->choices[i]; i++)
			pk_buf_addf(buf, "%s%s", i ? ", " : ": ", opt->choices[i]);
	}
	if (opt->fallback && opt->type != PK_OPT_FLAG)
		pk_buf_addf(buf, " (default %s)", opt->fallback);
}

static void print_wrapped(const char *text, int column, int indent, FILE *out)
{
	PK_BUF_AUTO lines = PK_BUF_INIT;

	pk_doc_wrap(&lines, text, column, indent, 79);
	fputs(lines.data, out);
}

static void print_own_option(const struct pk_opt *opt, FILE *out)
{
	enum { INDENT = 26 };
	PK_BUF_AUTO syntax = PK_BUF_INIT, text = PK_BUF_INIT;
	int column;

	pk_option_syntax(&syntax, opt);
	if (opt->letter)
		column = fprintf(out, "  -%c, %s", opt->letter, syntax.data);
	else
		column = fprintf(out, "      %s", syntax.data);
	if (column > INDENT - 2) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s", INDENT - column, "");
	pk_option_help(&text, opt);
	print_wrapped(text.data, INDENT, INDENT, out);
}

/* Prints the names of options up to the next heading in one paragraph; their help is on the manual
 * page. Common options that the command replaces are left out. */
static void print_names(const struct pk_command *command, const char *title,
			const struct pk_opt *opts, bool own, FILE *out)
{
	struct pk_buf text = PK_BUF_INIT;

	for (; opts->type != PK_OPT_END && opts->type != PK_OPT_GROUP; opts++) {
		if (!own && pk_opt_find(command->opts, opts->name))
			continue;
		pk_buf_adds(&text, text.len ? ", " : "");
		if (opts->letter && find(command, NULL, opts->letter) == opts)
			pk_buf_addf(&text, "-%c/", opts->letter);
		pk_option_syntax(&text, opts);
	}
	for (char *c = text.data; c && *c; c++) {
		/* An argument stays with its option. */
		if (*c == ' ' && c > text.data && c[-1] != ',')
			*c = PK_DOC_JOINED;
	}
	if (text.len) {
		int column = fprintf(out, "  %s: ", title);

		print_wrapped(text.data, column, 4, out);
	}
	pk_buf_release(&text);
}

/* Prints the command's own options: those before the first heading with help, others by name. */
static void print_own(const struct pk_command *command, FILE *out)
{
	const struct pk_opt *opt = command->opts;

	if (opt && opt->type != PK_OPT_END)
		fputc('\n', out);
	for (; opt && opt->type != PK_OPT_END && opt->type != PK_OPT_GROUP; opt++)
		print_own_option(opt, out);
	for (; opt && opt->type != PK_OPT_END; opt++) {
		if (opt->type == PK_OPT_GROUP)
			print_names(command, opt->help, opt + 1, true, out);
	}
}

/* Prints the first examples of the manual page: "What it does:", and the commands, each on a line of
 * its own. */
static void print_examples(const struct pk_command *command, FILE *out)
{
	enum { MOST_EXAMPLES = 3 };
	static const char heading[] = "\n# EXAMPLES\n\n", colon[] = ":\n\n    ";
	const struct pk_page *page = pk_page_find(command->name, 1);
	const char *does = page ? strstr(page->text, heading) : NULL, *line;

	if (!does)
		return;
	fputs("\nexamples:\n", out);
	does += strlen(heading);
	for (int i = 0; i < MOST_EXAMPLES && (line = strstr(does, colon)); i++) {
		int len = (int)(line - does);

		line += strlen(":\n\n");
		while (pk_starts_with(line, "    ")) {
			size_t end = strcspn(line, "\n");

			fprintf(out, "  %.*s\n", (int)end - 4, line + 4);
			line += end + (line[end] == '\n');
		}
		fprintf(out, "      %.*s\n", len, does);
		does = line + (*line == '\n');
	}
}

void pk_print_help(const struct pk_command *command, FILE *out)
{
	int column;

	fprintf(out, "profkit %s: %s\n\n", command->name, command->title);
	column = fprintf(out, "usage: ");
	fprintf(out, "profkit %s%s%s%s\n", command->name, command->params_size ? " [options]" : "",
		*command->operands ? " " : "", command->operands);
	if (command->alias)
		fprintf(out, "%*sprofkit %s ...\n", column, "", command->alias);
	print_own(command, out);
	fputs(command->params_size ? "\noptions that many commands have:\n" : "", out);
	for (const struct pk_option_group *group = pk_option_groups; group->opts; group++) {
		if (group_used(command, group))
			print_names(command, group->title, group->opts, false, out);
	}
	print_examples(command, out);
	fprintf(out, "\n'profkit help %s' shows the manual page.\n", command->name);
}

bool pk_option_word(struct pk_buf *buf, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:@%+,-";

	for (const char *c = text; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	}
	if (!pk_utf8_valid(text, strlen(text)))
		return false;
	if (*text && *text != '-' && strspn(text, plain) == strlen(text)) {
		pk_buf_adds(buf, text);
		return true;
	}
	pk_buf_addc(buf, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			pk_buf_adds(buf, "'\\'");
		pk_buf_addc(buf, *text);
	}
	pk_buf_addc(buf, '\'');
	return true;
}

static void add_option(struct pk_buf *buf, const struct pk_opt *opt, const char *value)
{
	PK_BUF_AUTO word = PK_BUF_INIT;

	if (value && pk_option_word(&word, value))
		pk_buf_addf(buf, " --%s%s%s", opt->name, *value == '-' ? "=" : " ", word.data);
}

/* A number that is not the default. */
static void add_number_option(struct pk_buf *buf, const struct pk_opt *opt, double value)
{
	double fallback = opt->fallback ? strtod(opt->fallback, NULL) : 0;

	if (value != fallback)
		pk_buf_addf(buf, " --%s%s%.15g", opt->name, value < 0 ? "=" : " ", value);
}

static void add_set_option(struct pk_buf *buf, const struct pk_opt *opt, const char *params)
{
	const char *value = params + opt->offset;
	bool set = false;
	int64_t integer;
	double real;
	int choice;

	switch (opt->type) {
	case PK_OPT_TEXT:
		add_option(buf, opt, *(const char *const *)value);
		break;
	case PK_OPT_LIST:
		for (size_t i = 0; i < ((const struct pk_opt_list *)value)->count; i++)
			add_option(buf, opt, ((const struct pk_opt_list *)value)->item[i]);
		break;
	case PK_OPT_FLAG:
		memcpy(&set, value, sizeof(set));
		if (set)
			pk_buf_addf(buf, " --%s", opt->name);
		break;
	case PK_OPT_CHOICE:
		memcpy(&choice, value, sizeof(choice));
		if (choice > 0)
			add_option(buf, opt, opt->choices[choice]);
		break;
	case PK_OPT_INT:
		memcpy(&integer, value, sizeof(integer));
		add_number_option(buf, opt, (double)integer);
		break;
	case PK_OPT_NUMBER:
	case PK_OPT_PERCENT:
		memcpy(&real, value, sizeof(real));
		add_number_option(buf, opt, opt->type == PK_OPT_PERCENT ? 100 * real : real);
		break;
	default:
		break;
	}
}

/* Appends options that are set, but for those that are named in `without`. */
static void add_set_options(struct pk_buf *buf, const struct pk_opt *opts, const void *params,
			    const char *const *without)
{
	for (const struct pk_opt *opt = opts; opt && opt->type != PK_OPT_END; opt++) {
		bool skip = opt->type == PK_OPT_GROUP;

		for (size_t i = 0; without[i] && !skip; i++)
			skip = strcmp(opt->name, without[i]) == 0;
		if (!skip)
			add_set_option(buf, opt, params);
	}
}

static const char *const no_numbers[] = {"sandbox", "strict", "jobs",	"format",
					 "force",   "budget", "report", NULL};

void pk_option_words(struct pk_buf *buf, const struct pk_common *c)
{
	for (const struct pk_option_group *g = pk_option_groups; g->opts; g++)
		if (g->use & (PK_USE_READ | PK_USE_SELECT))
			add_set_options(buf, g->opts, c, no_numbers);
}

void pk_filter_words(struct pk_buf *buf, const struct pk_common *c)
{
	static const char *const names[] = {"granularity", "trim-path", "demangle", NULL};

	for (const struct pk_option_group *g = pk_option_groups; g->opts; g++)
		if (g->use & PK_USE_SELECT)
			add_set_options(buf, g->opts, c, names);
}

bool pk_command_words(struct pk_buf *buf, const struct pk_common *c, const char *command)
{
	pk_buf_addf(buf, "profkit %s", command ? command : c->command->name);
	if (!command)
		add_set_options(buf, c->command->opts, c->params, no_numbers);
	for (const struct pk_option_group *g = pk_option_groups; g->opts; g++) {
		bool numbers = g->use & (PK_USE_METRIC | PK_USE_LIMIT | PK_USE_SORT);

		if ((g->use & c->command->uses) &&
		    (g->use & (PK_USE_READ | PK_USE_SELECT) || (!command && numbers)))
			add_set_options(buf, g->opts, c, no_numbers);
	}
	for (int i = 0; i < c->operand_count; i++) {
		pk_buf_adds(buf, i == c->dashes ? " -- " : " ");
		if (!pk_option_word(buf, c->operands[i]))
			return false;
	}
	return true;
}
