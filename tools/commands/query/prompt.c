/*
 * The prompt of profkit query: history, completion of names, and commands that begin with a dot.
 */
#include "tools/commands/query/prompt.h"

#include <ctype.h>
#include <editline/readline.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "render/grid.h"
#include "store/functions.h"
#include "store/schema_sql.h"

static const char help[] =
	"Statements of SQL end with ';'. Commands:\n"
	"  .tables         tables and views\n"
	"  .schema [NAME]  how they are made, and what their columns mean\n"
	"  .functions      functions that profkit adds\n"
	"  .help           this\n"
	"  .quit           leave (or Ctrl-D)\n"
	"Tab completes tables, columns, functions and words of SQL; Ctrl-C clears what "
	"is typed\n"
	"or ends a statement that runs.\n";

/* The words that Tab completes; ends with NULL. */
static char **words;
static size_t word_count, word_alloc;

static void add_word(const char *text, size_t len)
{
	PK_GROW(words, word_count + 2, word_alloc);
	words[word_count++] = pk_strndup(text, len);
	words[word_count] = NULL;
}

static void collect_words(void)
{
	static const char sql[] = "AND AS ASC BETWEEN BY CASE CAST COUNT DESC DISTINCT ELSE END "
				  "EXPLAIN FROM GROUP HAVING "
				  "IN IS JOIN LEFT LIKE LIMIT MAX MIN NOT NULL ON OR ORDER OVER "
				  "PARTITION REGEXP SELECT "
				  "SUM THEN UNION USING VALUES WHEN WHERE WITH";
	size_t kept = 0, i;

	for (const char *at = sql; *at; at += strspn(at, " ")) {
		add_word(at, strcspn(at, " "));
		at += strcspn(at, " ");
	}
	for (int t = 0; t < PK_SQL_TABLE_COUNT; t++) {
		const struct pk_table *table = pk_sql_table(t);

		add_word(table->name, strlen(table->name));
		for (int c = 0; c < table->column_count; c++)
			add_word(table->columns[c].name, strlen(table->columns[c].name));
	}
	for (int v = 0; v < PK_SQL_VIEW_COUNT; v++) {
		add_word(pk_sql_view_name(v), strlen(pk_sql_view_name(v)));
		for (const char *at = pk_sql_view_columns(v); *at; at += strspn(at, ", ")) {
			add_word(at, strcspn(at, ","));
			at += strcspn(at, ",");
		}
	}
	for (int f = 0; pk_sql_functions[f].call; f++)
		add_word(pk_sql_functions[f].call, strcspn(pk_sql_functions[f].call, "("));
	qsort(words, word_count, sizeof(*words), pk_compare_texts);
	for (i = 0; i < word_count; i++) {
		if (kept && !strcmp(words[kept - 1], words[i]))
			free(words[i]);
		else
			words[kept++] = words[i];
	}
	words[word_count = kept] = NULL;
}

static void free_words(void)
{
	for (size_t i = 0; i < word_count; i++)
		free(words[i]);
	free(words);
	words = NULL;
	word_count = word_alloc = 0;
}

static const char *const commands[] = {"functions", "help", "quit", "schema", "tables", NULL};

/* The next word or command that begins with the text; state 0: the first. Words of SQL, which the
 * list has in capitals, are in small letters as the text is. */
static char *next_match(const char *text, int state, const char *const *list)
{
	static size_t at;

	for (at = state ? at : 0; list[at];) {
		char *word = pk_strdup(list[at++]);

		if (islower((unsigned char)*text) && isupper((unsigned char)*word))
			for (char *c = word; *c; c++)
				*c = (char)tolower((unsigned char)*c);
		if (pk_starts_with(word, text))
			return word;
		free(word);
	}
	return NULL;
}

static char *next_word(const char *text, int state)
{
	return next_match(text, state, (const char *const *)words);
}

static char *next_command(const char *text, int state)
{
	return next_match(text, state, commands);
}

static char **complete(const char *text, int start, int end)
{
	(void)end;
	rl_attempted_completion_over = 1; /* no names of files */
	return rl_completion_matches(text, start == 1 && rl_line_buffer[0] == '.' ? next_command
										  : next_word);
}

static void list(struct pk_grid *g, struct pk_output *out)
{
	struct pk_grid_frame frame = {0};

	pk_grid_render(g, PK_TEXT, &frame, out);
	pk_grid_release(g);
}

static void list_tables(struct pk_output *out)
{
	static const struct pk_grid_column columns[] = {
		{.key = "name", .heading = "Name", .type = PK_CELL_TEXT},
		{.key = "kind", .heading = "Kind", .type = PK_CELL_TEXT},
		{.key = "holds", .heading = "Holds", .type = PK_CELL_TEXT},
	};
	struct pk_grid g;

	pk_grid_init(&g, columns, 3);
	for (int i = 0; i < PK_SQL_VIEW_COUNT; i++) {
		struct pk_cell *cell = pk_grid_row(&g, 0);

		pk_cell_text(&cell[0], pk_sql_view_name(i));
		pk_cell_text(&cell[1], "view");
		pk_cell_text(&cell[2], pk_sql_view_help(i));
	}
	for (int i = 0; i < PK_SQL_TABLE_COUNT; i++) {
		struct pk_cell *cell = pk_grid_row(&g, 0);

		pk_cell_text(&cell[0], pk_sql_table(i)->name);
		pk_cell_text(&cell[1], "table");
		pk_cell_text(&cell[2], pk_sql_table(i)->help);
	}
	list(&g, out);
}

static void list_functions(struct pk_output *out)
{
	static const struct pk_grid_column columns[] = {
		{.key = "function", .heading = "Function", .type = PK_CELL_TEXT},
		{.key = "gives", .heading = "Gives", .type = PK_CELL_TEXT},
	};
	struct pk_grid g;

	pk_grid_init(&g, columns, 2);
	for (int i = 0; pk_sql_functions[i].call; i++) {
		struct pk_cell *cell = pk_grid_row(&g, 0);

		pk_cell_text(&cell[0], pk_sql_functions[i].call);
		pk_cell_text(&cell[1], pk_sql_functions[i].help);
	}
	list(&g, out);
}

/* Shows the schema of a table or view, or of all for "". Returns false if none has that
 * name. */
static bool show_schema(const char *name, struct pk_output *out)
{
	PK_BUF_AUTO sql = PK_BUF_INIT;
	bool found;

	for (int i = 0; i < PK_SQL_TABLE_COUNT; i++) {
		if (*name && strcmp(name, pk_sql_table(i)->name))
			continue;
		pk_sql_create_table(&sql, NULL, pk_sql_table(i));
		pk_buf_adds(&sql, ";\n");
	}
	for (int i = 0; i < PK_SQL_VIEW_COUNT; i++) {
		if (*name && strcmp(name, pk_sql_view_name(i)))
			continue;
		pk_sql_create_view(&sql, NULL, i, false);
		pk_buf_adds(&sql, ";\n");
	}
	found = sql.len > 0;
	pk_output_write(out, sql.data, sql.len);
	return found;
}

int pk_prompt_command(const char *line, struct pk_output *out, struct pk_error *err)
{
	size_t word = strcspn(line, " \t\r\n;");
	const char *rest = line + word + strspn(line + word, " \t\r\n;");
	size_t len = strcspn(rest, " \t\r\n;");
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)(len < 63 ? len : 63), rest);
	if (word == 7 && !strncmp(line, ".tables", word))
		list_tables(out);
	else if (word == 10 && !strncmp(line, ".functions", word))
		list_functions(out);
	else if (word == 5 && !strncmp(line, ".help", word))
		pk_output_puts(out, help);
	else if (word != 7 || strncmp(line, ".schema", word))
		return pk_fail(err, PK_EUSAGE, "no command '%.*s'; .help lists them", (int)word,
			       line);
	else if (!show_schema(name, out))
		return pk_fail(err, PK_EUSAGE, "no table or view '%s'; .tables lists them", name);
	return 0;
}

static struct pk_query *running; /* NULL: a line is typed */
static volatile sig_atomic_t interrupted;

/* Ctrl-C ends the running statement, or clears the typed line, and does not end the program. */
static void interrupt(int signal_number)
{
	(void)signal_number;
	interrupted = 1;
	if (running)
		pk_query_interrupt(running);
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n;")] == '\0';
}

void pk_prompt(struct pk_query *query, void (*run)(void *data, const char *statement), void *data)
{
	struct sigaction guard = {.sa_handler = interrupt}, before;
	PK_BUF_AUTO statement = PK_BUF_INIT;
	char *line;

	fputs("SQL ends with ';', .help helps, .quit leaves\n", stdout);
	using_history();
	collect_words();
	rl_attempted_completion_function = complete;
	rl_basic_word_break_characters = " \t\n,.;()=<>+-*/|'\"";
	sigaction(SIGINT, &guard, &before);
	for (;;) {
		interrupted = errno = 0;
		line = readline(statement.len ? "    ...> " : "profkit> ");
		/* In the sandbox libedit, which has the signal first, cannot pass it on. */
		if (!line && (interrupted || errno == EINTR)) {
			fputc('\n', stdout);
			statement.len = 0;
			continue;
		}
		if (!line)
			break;
		if (!statement.len && !strncmp(line, ".quit", 5)) {
			free(line);
			break;
		}
		if (!is_blank(line))
			add_history(line);
		if (statement.len || !is_blank(line)) {
			pk_buf_adds(&statement, line);
			pk_buf_addc(&statement, '\n');
		}
		free(line);
		if (statement.len &&
		    (statement.data[0] == '.' || pk_query_is_complete(statement.data))) {
			running = query;
			run(data, statement.data);
			running = NULL;
			statement.len = 0;
		}
	}
	if (!line)
		fputc('\n', stdout);
	sigaction(SIGINT, &before, NULL);
	free_words();
}
