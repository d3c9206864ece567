#include "tools/commands/query/prompt.h"

#include <editline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/grid.h"
#include "store/functions.h"
#include "store/schema_sql.h"

static const char help[] = "Statements of SQL end with ';'. Commands:\n"
			   "  .tables         tables and views\n"
			   "  .schema [NAME]  how they are made, and what their columns mean\n"
			   "  .functions      functions that profkit adds\n"
			   "  .help           this\n"
			   "  .quit           leave (or Ctrl-D); Ctrl-C ends a statement\n";

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

/* Shows the schema of a table or view, or of all for "". Returns false if there is none of that
 * name. */
static bool show_schema(const char *name, struct pk_output *out)
{
	struct pk_buf sql = PK_BUF_INIT;
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
	pk_buf_release(&sql);
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

static struct pk_query *running;

static void interrupt(int signal_number)
{
	(void)signal_number;
	pk_query_interrupt(running);
}

/* While a statement runs, Ctrl-C ends the statement and not the program. */
static void run_guarded(struct pk_query *query, void (*run)(void *, const char *), void *data,
			const char *statement)
{
	struct sigaction guard = {.sa_handler = interrupt}, before;

	running = query;
	sigaction(SIGINT, &guard, &before);
	run(data, statement);
	sigaction(SIGINT, &before, NULL);
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n;")] == '\0';
}

void pk_prompt(struct pk_query *query, void (*run)(void *data, const char *statement), void *data)
{
	struct pk_buf statement = PK_BUF_INIT;
	char *line;

	fputs("SQL ends with ';', .help helps, .quit leaves\n", stdout);
	using_history();
	while ((line = readline(statement.len ? "    ...> " : "profkit> "))) {
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
			run_guarded(query, run, data, statement.data);
			statement.len = 0;
		}
	}
	if (!line)
		fputc('\n', stdout);
	pk_buf_release(&statement);
}
