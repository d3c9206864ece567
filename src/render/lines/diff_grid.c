/* The table of source lines of two sides. */
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/str.h"
#include "model/label.h"
#include "render/cells.h"
#include "render/lines/grid.h"

enum {
	D_FUNCTION,
	D_FILE,
	D_LINE_BEFORE,
	D_LINE,
	D_HITS_BEFORE,
	D_HITS,
	D_BEFORE,
	D_AFTER,
	D_DELTA,
	D_MARK,
	D_SOURCE,
	D_COUNT
};

static const struct pk_grid_column diff_columns[] = {
	[D_FUNCTION] = {"function", NULL, PK_CELL_TEXT, .help = "Name of the function"},
	[D_FILE] = PK_GRID_FILE,
	[D_LINE_BEFORE] = {"line_before", "old", PK_CELL_NUMBER,
			   .help = "Number of the line before; null if it was not there"},
	[D_LINE] = {"line", "new", PK_CELL_NUMBER,
		    .help = "Number of the line after; null if it is not there"},
	[D_HITS_BEFORE] = {"hits_before", "hits before", PK_CELL_INT,
			   .help = "How often the line was executed before"},
	[D_HITS] = {"hits", "hits", PK_CELL_INT, .help = "How often it was executed after"},
	[D_BEFORE] = {"before", "before", PK_CELL_VALUE,
		      .help = "Value of the line before, including all that it called"},
	[D_AFTER] = {"after", "after", PK_CELL_VALUE, .help = "The same after"},
	[D_DELTA] = {"delta", "change", PK_CELL_DELTA, .help = "after - before"},
	[D_MARK] = {.heading = "", .type = PK_CELL_TEXT},
	[D_SOURCE] = {"source", "source", PK_CELL_TEXT,
		      .help = "The text of the line; null if no source was found"},
};
const struct pk_grid_columns pk_lines_diff_columns = PK_GRID_COLUMNS(diff_columns);

static void put_values(struct pk_cell *cells, const int64_t total[PK_SIDES])
{
	pk_cell_int(&cells[D_BEFORE], total[PK_BEFORE]);
	pk_cell_int(&cells[D_AFTER], total[PK_AFTER]);
	pk_cell_int(&cells[D_DELTA], total[PK_AFTER] - total[PK_BEFORE]);
}

static void put_text(struct pk_grid *g, struct pk_cell *cell, const struct pk_line_pair *pair,
		     bool people)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!pair->text)
		return;
	for (size_t i = 0; i < pair->len; i++) {
		if (pair->text[i] == '\t' && people)
			pk_buf_adds(&text, "        ");
		else
			pk_buf_addc(&text, pair->text[i]);
	}
	pk_cell_copy(g, cell, &text);
}

static void put_pair(struct pk_grid *g, const struct pk_lines_change *c,
		     const struct pk_line_pair *pair, const struct pk_profile *p, uint32_t function,
		     bool people)
{
	struct pk_cell *cells = pk_grid_row(g, people);
	int64_t delta = pair->total[PK_AFTER] - pair->total[PK_BEFORE];
	int64_t whole = c->total[PK_AFTER] - c->total[PK_BEFORE];

	pk_cell_string(&cells[D_FUNCTION], p, p->function.name[function]);
	pk_cell_string(&cells[D_FILE], p, p->function.file[function]);
	pk_cell_line(&cells[D_LINE_BEFORE], pair->line[PK_BEFORE]);
	pk_cell_line(&cells[D_LINE], pair->line[PK_AFTER]);
	pk_cell_int(&cells[D_HITS_BEFORE], pair->hits[PK_BEFORE]);
	pk_cell_int(&cells[D_HITS], pair->hits[PK_AFTER]);
	if (pair->has_cost)
		put_values(cells, pair->total);
	else
		cells[D_LINE].tone = cells[D_SOURCE].tone = PK_TONE_FAINT;
	put_text(g, &cells[D_SOURCE], pair, people);
	if (!pair->line[PK_BEFORE] || !pair->line[PK_AFTER])
		pk_cell_text(&cells[D_MARK], pair->line[PK_AFTER] ? "+" : "-");
	/* a line that has more than half of the change of the function */
	if ((whole > 0 && delta > whole / 2) || (whole < 0 && delta < whole / 2))
		cells[D_DELTA].tone = whole > 0 ? PK_TONE_BAD : PK_TONE_GOOD;
}

static void put_heading(struct pk_grid *g, const struct pk_lines_change *c,
			const struct pk_lines *l, uint32_t function)
{
	const struct pk_profile *p = l->profile;
	struct pk_cell *cells = pk_grid_row(g, 0);
	PK_BUF_AUTO label = PK_BUF_INIT;

	if (l->by_file)
		pk_buf_adds(&label, pk_text(p, p->function.file[function]));
	else
		pk_function_label(&label, p, function, PK_LABEL_FULL);
	pk_cell_copy(g, &cells[D_SOURCE], &label);
	cells[D_SOURCE].tone = PK_TONE_STRONG;
	put_values(cells, c->total);
}

static void put_gap(struct pk_grid *g)
{
	struct pk_cell *cells = pk_grid_row(g, 1);

	pk_cell_text(&cells[D_SOURCE], "\xE2\x8B\xAE");
	cells[D_SOURCE].tone = PK_TONE_FAINT;
}

/* True if a pair is shown itself, not only as context; line: that of the side after, or the one
 * before it. */
static bool is_wanted(const struct pk_line_pair *pair, uint32_t line, uint32_t at,
		      const struct pk_lines_view *view, bool people)
{
	if (!at || !people)
		return pair->has_cost && (!at || pair->line[PK_AFTER] == at);
	return line + (uint64_t)view->context >= at && line <= at + (uint64_t)view->context;
}

static void put_pairs(struct pk_grid *g, const struct pk_lines_change *c, const struct pk_lines *l,
		      uint32_t function, uint32_t at, const struct pk_lines_view *view, bool people)
{
	uint32_t around = at || !people ? 0 : view->context, line = 0, done = 0;

	for (uint32_t k = 0; k < c->count; k++) {
		uint32_t from = k > done + (uint64_t)around ? k - around : done;

		line = c->pair[k].line[PK_AFTER] ? c->pair[k].line[PK_AFTER] : line;
		if (!is_wanted(&c->pair[k], line, at, view, people))
			continue;
		if (done && from > done && around)
			put_gap(g);
		for (done = from; done < c->count && done <= k + (uint64_t)around; done++)
			put_pair(g, c, &c->pair[done], l->profile, function, people);
	}
}

void pk_lines_diff_grid(struct pk_grid *g, const struct pk_lines_diff *d, uint32_t rows,
			const struct pk_lines_view *view, bool people)
{
	const struct pk_lines *lines = d->side[PK_AFTER];
	const struct pk_profile *after = lines->profile;

	pk_grid_init(g, diff_columns, D_COUNT);
	g->unit = pk_metric_unit(after, lines->metric);
	g->exponent = after->metric.exponent[lines->metric];
	g->spaced = g->blank = people;
	g->one_unit = true;
	g->spare = 1U << D_HITS_BEFORE | 1U << D_HITS;
	for (uint32_t i = 0; i < rows && i < d->count; i++) {
		const struct pk_lines_change *c = &d->change[i];
		enum pk_side side = c->group[PK_AFTER] ? PK_AFTER : PK_BEFORE;
		uint32_t function = c->group[side]->function;

		if (people)
			put_heading(g, c, d->side[side], function);
		put_pairs(g, c, d->side[side], function, lines->at, view, people);
	}
}
