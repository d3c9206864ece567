/*
 * The table of hyperfine --export-csv: summaries without the times of the runs.
 *
 *	command,mean,stddev,median,user,system,min,max,parameter_n
 *	"grep ""a b"" x",1.12,0.18,1.10,0.15,0.05,0.87,1.35,100
 *
 * - Fields are quoted as in RFC 4180. Seconds; stddev is 0 where there was one run.
 * - Columns are found by their names: versions may add some.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/hyperfine/internal.h"

struct csv {
	struct hyperfine *h;
	const char *at, *end;
	size_t line;
	int *fact;           /* by column: enum hyperfine_fact, or one of these */
	uint32_t *parameter; /* by column: its name */
	size_t columns, fact_alloc, parameter_alloc;
};
enum { OTHER = -1, COMMAND = -2, PARAMETER = -3 };

/* Reads the next field into h->text; *last: it ends its line. */
static int next_field(struct csv *c, bool *last)
{
	struct pk_buf *text = &c->h->text;
	bool quoted = c->at < c->end && *c->at == '"';
	size_t line = c->line;

	text->len = 0;
	pk_buf_adds(text, "");
	c->at += quoted;
	for (; c->at < c->end; c->at++) {
		if (quoted && *c->at == '"' && (c->at + 1 == c->end || c->at[1] != '"'))
			break;
		if (!quoted && strchr(",\r\n", *c->at) && *c->at)
			break;
		c->at += quoted && *c->at == '"';
		c->line += *c->at == '\n';
		pk_buf_addc(text, *c->at);
	}
	if (quoted && c->at == c->end)
		return pk_fail(c->h->err, PK_EFORMAT, "line %zu: a quote is not closed", line);
	c->at += quoted;
	if (c->at < c->end && *c->at == '\r')
		c->at++;
	*last = c->at == c->end || *c->at == '\n';
	if (!*last && *c->at != ',')
		return pk_fail(c->h->err, PK_EFORMAT, "line %zu: text after a quoted field",
			       c->line);
	c->at += c->at < c->end;
	return 0;
}

static void add_column(struct csv *c)
{
	const char *name = c->h->text.data;
	size_t i = c->columns++;

	PK_GROW(c->fact, c->columns, c->fact_alloc);
	PK_GROW(c->parameter, c->columns, c->parameter_alloc);
	c->fact[i] = strcmp(name, "command") == 0 ? COMMAND : OTHER;
	c->parameter[i] = 0;
	for (int fact = 0; fact < HYPERFINE_FACTS; fact++)
		if (strcmp(name, hyperfine_fact_names[fact]) == 0)
			c->fact[i] = fact;
	if (pk_starts_with(name, "parameter_")) {
		c->fact[i] = PARAMETER;
		c->parameter[i] = pk_build_text(c->h->b, strchr(name, '_') + 1);
	}
}

static int take_field(struct csv *c, struct hyperfine_result *r, size_t i)
{
	struct hyperfine *h = c->h;
	const char *text = h->text.data;

	if (i >= c->columns)
		return pk_fail(h->err, PK_EFORMAT, "line %zu: more fields than the %zu columns",
			       c->line, c->columns);
	if (c->fact[i] == COMMAND)
		r->command = pk_build_text(h->b, text);
	else if (c->fact[i] == PARAMETER)
		hyperfine_add_parameter(h, c->parameter[i], pk_build_text(h->b, text));
	else if (c->fact[i] >= 0 && *text &&
		 !hyperfine_number(text, h->text.len, &r->fact[c->fact[i]]))
		return pk_fail(h->err, PK_EFORMAT,
			       "line %zu: column '%s': no number from 0 on: '%s'", c->line,
			       hyperfine_fact_names[c->fact[i]], text);
	return 0;
}

static int read_row(struct csv *c)
{
	struct hyperfine_result *r = hyperfine_add_result(c->h);
	bool last = false;
	size_t i;

	for (i = 0; !last; i++)
		if (next_field(c, &last) || take_field(c, r, i))
			return -1;
	if (i < c->columns)
		return pk_fail(c->h->err, PK_EFORMAT,
			       "line %zu: %zu fields, where %zu columns have names", c->line, i,
			       c->columns);
	c->line++;
	return 0;
}

static int read_table(struct csv *c)
{
	bool last = false;

	while (!last) {
		if (next_field(c, &last))
			return -1;
		add_column(c);
	}
	c->line++;
	while (c->at < c->end) {
		if (*c->at == '\n' || *c->at == '\r') {
			c->line += *c->at++ == '\n';
			continue;
		}
		if (read_row(c))
			return -1;
	}
	return 0;
}

int hyperfine_read_csv(struct hyperfine *h, struct pk_input *in)
{
	struct csv c = {.h = h, .line = 1};
	size_t len;
	int ret;

	c.at = (const char *)pk_input_all(in, &len);
	c.end = c.at + len;
	ret = pk_input_check(in, h->err) ? -1 : read_table(&c);
	free(c.fact);
	free(c.parameter);
	return ret;
}
