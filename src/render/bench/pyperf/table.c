/* The tables of pyperf's compare_to: reStructuredText or Markdown. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "render/bench/pyperf/compare.h"

struct table {
	struct pk_buf text; /* cells, each with its NUL */
	uint32_t columns, rows;
};

static void end_cell(struct table *t)
{
	pk_buf_addc(&t->text, '\0');
}

static void add_cell(struct table *t, const char *text)
{
	pk_buf_adds(&t->text, text);
	end_cell(t);
}

static uint32_t code_points(const char *text)
{
	return (uint32_t)pk_utf8_count(text, strlen(text));
}

static void put_times(struct pk_buf *buf, char c, uint32_t times)
{
	while (times--)
		pk_buf_addc(buf, c);
}

static void put_line(struct pk_buf *buf, const uint32_t *width, uint32_t columns, char c)
{
	for (uint32_t i = 0; i < columns; i++) {
		pk_buf_addc(buf, '+');
		put_times(buf, c, width[i] + 2);
	}
	pk_buf_adds(buf, "+\n");
}

static void put_markdown_line(struct pk_buf *buf, const uint32_t *width, uint32_t columns)
{
	for (uint32_t i = 0; i < columns; i++) {
		pk_buf_addc(buf, '|');
		pk_buf_adds(buf, i ? ":" : "-");
		put_times(buf, '-', width[i]);
		pk_buf_adds(buf, i ? ":" : "-");
	}
	pk_buf_adds(buf, "|\n");
}

static void put_table(struct pk_buf *buf, const struct table *t, bool markdown)
{
	PK_FREED uint32_t *width = pk_calloc(t->columns, sizeof(*width));
	const char *cell = t->text.data;

	for (uint32_t i = 0; i < t->rows * t->columns; i++, cell += strlen(cell) + 1)
		if (code_points(cell) > width[i % t->columns])
			width[i % t->columns] = code_points(cell);
	cell = t->text.data;
	if (!markdown)
		put_line(buf, width, t->columns, '-');
	for (uint32_t row = 0; row < t->rows; row++) {
		for (uint32_t i = 0; i < t->columns; i++, cell += strlen(cell) + 1) {
			pk_buf_addf(buf, "| %s", cell);
			put_times(buf, ' ', width[i] - code_points(cell) + 1);
		}
		pk_buf_adds(buf, "|\n");
		if (!markdown)
			put_line(buf, width, t->columns, row ? '-' : '=');
		else if (!row)
			put_markdown_line(buf, width, t->columns);
	}
}

static void add_row(const struct pyperf_comparing *c, struct table *t, const struct pyperf_group *g)
{
	add_cell(t, g->name);
	pyperf_add_value(&t->text, g->result[0].ref, g->result[0].ref->mean);
	end_cell(t);
	for (uint32_t i = 0; i < c->changes; i++) {
		const struct pyperf_result *r = &g->result[i];

		if (!r->significant) {
			add_cell(t, "not significant");
			continue;
		}
		if (!c->params->quiet) {
			pyperf_add_value(&t->text, r->changed, r->changed->mean);
			pk_buf_adds(&t->text, ": ");
		}
		pyperf_add_ratio(&t->text, r->ratio);
		end_cell(t);
	}
	t->rows++;
}

void pyperf_print_table(struct pyperf_comparing *c, const uint32_t *chosen, uint32_t count)
{
	struct table t = {.columns = c->s->count + 1, .rows = 1};
	struct pyperf_hidden hidden = {PK_BUF_INIT, 0};

	add_cell(&t, "Benchmark");
	for (uint32_t i = 0; i < c->s->count; i++)
		add_cell(&t, c->s->suite[i].name.data);
	for (uint32_t i = 0; i < count; i++) {
		if (pyperf_any_significant(c, &c->group[chosen[i]]))
			add_row(c, &t, &c->group[chosen[i]]);
		else
			pyperf_hide(&hidden, c->group[chosen[i]].name);
	}
	if (t.rows > 1 && count > 1) {
		add_cell(&t, "Geometric mean");
		add_cell(&t, "(ref)");
		for (uint32_t i = 0; i < c->changes; i++) {
			pyperf_add_ratio(&t.text, pyperf_mean_ratio(c, chosen, count, i));
			end_cell(&t);
		}
		t.rows++;
	}
	if (t.rows > 1)
		put_table(&c->out, &t, c->params->markdown);
	pyperf_put_hidden(c, &hidden, t.rows > 1);
	pk_buf_release(&t.text);
}
