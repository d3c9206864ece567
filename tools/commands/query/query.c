/* profkit query: SQL given as an operand, in a script, or typed at a prompt. */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/io/input.h"
#include "base/io/target.h"
#include "tools/command.h"
#include "tools/commands/query/prompt.h"
#include "store/query.h"

struct params {
	struct pk_common common;
	double timeout; /* seconds */
};

struct session {
	const struct pk_common *c;
	const struct pk_profiles *runs;
	struct pk_query *query;
	struct pk_output *out;
	size_t results; /* shown so far */
};

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct session *s = data;

	pk_write_inputs(w, s->runs);
}

static int show(struct pk_grid *grid, void *data, struct pk_error *err)
{
	struct session *s = data;
	struct pk_grid_frame frame = {.schema = "query", .members = write_members, .data = s};

	(void)err;
	if (s->results++)
		pk_output_putc(s->out, '\n');
	frame.color = pk_common_color(s->c, s->out);
	frame.width = pk_terminal_width(s->out);
	frame.csv_excel = s->c->csv_excel;
	pk_grid_render(grid, pk_common_notation(s->c), &frame, s->out);
	return 0;
}

/* Notations that are one document can hold only one result. */
static int check_results(const struct session *s, const char *sql, struct pk_error *err)
{
	enum pk_notation notation = pk_common_notation(s->c);
	int count = pk_query_count(s->query, sql, err);

	if (count < 0)
		return -1;
	if (count > 1 && notation != PK_TEXT && notation != PK_MARKDOWN)
		return pk_fail(err, PK_EUSAGE, "%s holds one result, and the statements have %d",
			       pk_notations[notation], count);
	return 0;
}

/* Runs a command of the prompt, or statements. */
static int execute(struct session *s, const char *sql, struct pk_error *err)
{
	return sql[0] == '.' ? pk_prompt_command(sql, s->out, err)
			     : pk_query_run(s->query, sql, show, s, err);
}

static int run_script(struct session *s, const char *sql, struct pk_error *err)
{
	if (sql[0] != '.' && check_results(s, sql, err))
		return -1;
	s->out = pk_output_open(s->c->output, err);
	if (!s->out)
		return -1;
	if (!execute(s, sql, err))
		return pk_output_commit(s->out, err);
	pk_output_discard(s->out);
	return -1;
}

static int run_stdin(struct session *s, struct pk_error *err)
{
	struct pk_input *in = pk_input_open("-", err);
	PK_BUF_AUTO sql = PK_BUF_INIT;
	const uint8_t *bytes;
	size_t len;
	int status;

	if (!in)
		return -1;
	bytes = pk_input_all(in, &len);
	pk_buf_add(&sql, bytes, len);
	status = pk_input_check(in, err);
	pk_input_close(in);
	if (!status && memchr(sql.data, 0, sql.len))
		status = pk_fail(err, PK_EUSAGE, "<stdin> is not SQL: it has a NUL byte");
	if (!status)
		status = run_script(s, sql.data, err);
	return status;
}

/* Runs a statement of the prompt; errors do not end the prompt. */
static void run_typed(void *data, const char *sql)
{
	struct session *s = data;
	struct pk_error err = PK_ERROR_INIT;
	int status;

	s->out = pk_output_open(NULL, &err);
	if (!s->out) {
		pk_command_fail(&err);
		return;
	}
	s->results = 0;
	status = execute(s, sql, &err);
	if (pk_output_commit(s->out, status ? &(struct pk_error)PK_ERROR_INIT : &err) || status)
		pk_command_fail(&err);
}

/* A statement contains a space or a parenthesis. */
static bool is_sql(const char *operand)
{
	return !pk_is_input(operand) && (operand[0] == '.' || strpbrk(operand, " \t\n(;"));
}

/* The last operand if it is SQL, or the first. */
static const char *take_sql(int *argc, char ***argv)
{
	if (!*argc)
		return NULL;
	if (is_sql((*argv)[*argc - 1]))
		return (*argv)[--*argc];
	if (!is_sql((*argv)[0]) || (*argv)[0][0] == '.')
		return NULL;
	--*argc;
	return *(*argv)++;
}

/* The default limit of memory for a statement. */
static uint64_t most_memory(const struct pk_common *c)
{
	const uint64_t most = (uint64_t)4 << 30;
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;

	if (c->max_memory)
		return c->max_memory;
	return half < most ? half : most;
}

/* SQLite sorts in files if memory does not suffice. */
static void name_outputs(const void *params, int argc, char **argv)
{
	(void)params;
	(void)argc;
	(void)argv;
	pk_target_need_broker();
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	const struct params *given = params;
	const struct pk_common *c = &given->common;
	const char *sql = take_sql(&argc, &argv);
	struct pk_profiles runs;
	struct session s = {.c = c, .runs = &runs};
	int status = 0;

	if (pk_load_inputs(c, argc, argv, &runs, err))
		return -1;
	s.query = pk_query_open(&runs, err);
	if (s.query) {
		pk_query_limit_time(s.query, given->timeout);
		pk_query_limit_memory(s.query, most_memory(c));
	}
	if (!s.query)
		status = -1;
	else if (sql)
		status = run_script(&s, sql, err);
	else if (isatty(STDIN_FILENO))
		pk_prompt(s.query, run_typed, &s);
	else
		status = run_stdin(&s, err);
	pk_query_close(s.query);
	pk_profiles_release(&runs);
	return status;
}

static const struct pk_opt opts[] = {
	{PK_OPT_NUMBER, "timeout", 0, offsetof(struct params, timeout), "SECONDS", .fallback = "0",
	 .max = 1e9, .help = "fail if a statement runs longer than this; 0: no limit"},
	PK_OPT_LAST,
};

const struct pk_command pk_cmd_query = {
	.name = "query",
	.group = PK_GROUP_KEEP,
	.title = "query any profile with SQL",
	.operands = "FILE... [SQL]",
	.uses = PK_USE_READ | PK_USE_SELECT | PK_USE_SHOW | PK_USE_OUTPUT,
	.wants = PK_PART_ARGS | PK_PART_SOURCES,
	.opts = opts,
	.params_size = sizeof(struct params),
	.name_outputs = name_outputs,
	.benchmarks = PK_BENCHMARKS_AND_PROFILES,
	.run = run,
};
