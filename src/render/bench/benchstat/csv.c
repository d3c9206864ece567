/* A table of benchstat as CSV. Remarks on cells are notes with the place in the file. */
#include <math.h>
#include <string.h>

#include "render/bench/benchstat/internal.h"

enum { CENTER = 2, DELTA = 2 };

struct csv {
	struct pk_buf *out, *notes;
	size_t fields; /* of the row so far */
	size_t line;
};

static size_t first_column(size_t side)
{
	return side ? 1 + CENTER + (side - 1) * (CENTER + DELTA) : 1;
}

static void put(struct csv *csv, const char *text)
{
	bool quoted = *text == ' ' || *text == '\t' || strpbrk(text, ",\"\r\n");

	if (csv->fields++)
		pk_buf_addc(csv->out, ',');
	if (quoted)
		pk_buf_addc(csv->out, '"');
	for (; *text; text++) {
		if (*text == '"')
			pk_buf_addc(csv->out, '"');
		pk_buf_addc(csv->out, *text);
	}
	if (quoted)
		pk_buf_addc(csv->out, '"');
}

static void put_buf(struct csv *csv, struct pk_buf *text)
{
	put(csv, text->data);
	text->len = 0;
}

static void clear_to(struct csv *csv, size_t column)
{
	while (csv->fields < column)
		put(csv, "");
}

static void end_row(struct csv *csv)
{
	pk_buf_addc(csv->out, '\n');
	csv->fields = 0;
	csv->line++;
}

/* "D7: need >= 6 samples ...": the cell that follows, as benchstat counts columns. */
static void note(void *data, const char *text)
{
	struct csv *csv = data;
	char name[10], *at = name + sizeof(name) - 1;

	*at = '\0';
	for (size_t x = csv->fields; x; x /= 26)
		*--at = (char)('A' + x % 26);
	pk_buf_addf(csv->notes, "%s%zu: %s\n", *at ? at : "A", csv->line, text);
}

static void put_cell(struct csv *csv, const struct pk_benchstat *b,
		     const struct pk_benchstat_cell *base, const struct pk_benchstat_cell *c)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_benchstat_warn_cell(b, c, note, csv);
	pk_benchstat_number(&text, c->c.center);
	put_buf(csv, &text);
	pk_benchstat_range(&text, c);
	put_buf(csv, &text);
	if (c == base || !base->count)
		return;
	pk_benchstat_warn_test(b, c, note, csv);
	pk_benchstat_delta(&text, base, c, b);
	put_buf(csv, &text);
	pk_benchstat_test_text(&text, base, c);
	put_buf(csv, &text);
}

static void put_geomeans(struct csv *csv, const struct pk_benchstat_table *t)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	put(csv, "geomean");
	for (size_t i = 0; i < t->columns; i++) {
		struct pk_benchstat_geomeans g;

		pk_benchstat_summarize(t, i, &g);
		clear_to(csv, first_column(i));
		pk_benchstat_warn_geomeans(&g, !i, note, csv);
		if (!isnan(g.center)) {
			pk_benchstat_number(&text, g.center);
			put_buf(csv, &text);
		}
		if (!i)
			continue;
		clear_to(csv, first_column(i) + CENTER);
		if (isnan(g.ratio))
			pk_buf_addc(&text, '?');
		else
			pk_buf_addf(&text, "%+.2f%%", (g.ratio - 1) * 100);
		put_buf(csv, &text);
	}
	clear_to(csv, first_column(t->columns));
	end_row(csv);
}

void pk_benchstat_csv(const struct pk_benchstat *b, const struct pk_benchstat_table *t,
		      struct pk_buf *out, struct pk_buf *notes, size_t *line)
{
	struct csv csv = {.out = out, .notes = notes, .line = *line};

	for (size_t i = 0; i < t->columns; i++) {
		clear_to(&csv, first_column(i));
		put(&csv, b->side[t->column[i]].name);
	}
	clear_to(&csv, first_column(t->columns));
	end_row(&csv);
	for (size_t i = 0; i < t->columns; i++) {
		clear_to(&csv, first_column(i));
		put(&csv, t->unit);
		put(&csv, "CI");
		if (i) {
			put(&csv, "vs base");
			put(&csv, "P");
		}
	}
	end_row(&csv);
	for (size_t row = 0; row < t->rows; row++) {
		put(&csv, t->row[row]);
		for (size_t i = 0; i < t->columns; i++) {
			if (!pk_benchstat_at(t, row, i)->count)
				continue;
			clear_to(&csv, first_column(i));
			put_cell(&csv, b, pk_benchstat_at(t, row, 0), pk_benchstat_at(t, row, i));
		}
		end_row(&csv);
	}
	put_geomeans(&csv, t);
	*line = csv.line;
}
