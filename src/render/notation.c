/*
 * Functions that notations share: units and decimals of columns, columns that are left out,
 * branches of trees.
 */
#include "render/notation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"

/* Trees are drawn to this depth; deeper rows show their depth as a number. */
#define DRAWN_DEPTH 40

void pk_cell_machine(struct pk_buf *buf, const struct pk_grid *g,
		     const struct pk_grid_column *column, const struct pk_cell *cell)
{
	switch (column->type) {
	case PK_CELL_VALUE:
	case PK_CELL_DELTA:
	case PK_CELL_EACH:
		pk_format_decimal(buf, cell->integer,
				  column->unit ? column->exponent : g->exponent);
		break;
	case PK_CELL_INT:
	case PK_CELL_NUMBER:
		pk_format_decimal(buf, cell->integer, 0);
		break;
	case PK_CELL_SHARE:
	case PK_CELL_RATIO:
	case PK_CELL_CHANCE:
		pk_format_significant(buf, cell->real == 0 ? 0 : cell->real); /* never "-0" */
		break;
	case PK_CELL_REAL:
		pk_format_real(buf, cell->real);
		break;
	case PK_CELL_BOOL:
		pk_buf_adds(buf, cell->boolean ? "true" : "false");
		break;
	case PK_CELL_TEXT:
		break;
	}
}

static bool is_empty(const struct pk_grid *g, int column)
{
	size_t row;

	for (row = 0; row < g->rows; row++)
		if (!pk_grid_cell(g, row, column)->null)
			return false;
	return g->rows > 0;
}

static int64_t size_of(const struct pk_cell *cell)
{
	return cell->null ? 0 : cell->integer < 0 ? -cell->integer : cell->integer;
}

static int64_t largest_value(const struct pk_grid *g, int column)
{
	int64_t largest = 0;
	size_t row;

	for (row = 0; row < g->rows; row++)
		if (size_of(pk_grid_cell(g, row, column)) > largest)
			largest = size_of(pk_grid_cell(g, row, column));
	return largest;
}

/* Of the columns that people see, those of all units or of one. */
static int64_t largest_of_all(const struct pk_grid *g, bool any, const char *unit)
{
	int64_t largest = 0;

	for (int i = 0; i < g->column_count; i++) {
		const struct pk_grid_column *c = &g->columns[i];
		bool shown = c->heading && pk_cell_has_unit(c->type) &&
			     (any || (c->unit == unit && c->type != PK_CELL_EACH));
		int64_t here = shown ? largest_value(g, i) : 0;

		largest = here > largest ? here : largest;
	}
	return largest;
}

/* The sizes of the values per call that are not 0, which are compared with each other, in order; of
 * many rows, of a sample spread evenly. */
static int64_t *sizes_each(const struct pk_grid *g, size_t *count)
{
	enum { SOME = 1000 };
	size_t step = g->rows / SOME + 1, alloc = 0;
	int64_t *sizes = NULL, size;

	*count = 0;
	for (int i = 0; i < g->column_count; i++) {
		for (size_t row = 0; g->columns[i].type == PK_CELL_EACH && row < g->rows;
		     row += step) {
			size = size_of(pk_grid_cell(g, row, i));
			PK_GROW(sizes, *count + 1, alloc);
			if (size)
				sizes[(*count)++] = size;
		}
	}
	pk_sort(sizes, *count, sizeof(*sizes), pk_compare_ints);
	return sizes;
}

/* The value whose unit the values per call have: their median; a smaller one if a tenth of the
 * values, such as short calls beside long ones, would keep one digit only. */
static int64_t deciding_each(const struct pk_grid *g, int column, const char *base, int exponent)
{
	size_t count;
	PK_FREED int64_t *sizes = sizes_each(g, &count);
	struct pk_unit unit;
	double last; /* digit that is shown */

	if (!count)
		return largest_value(g, column);
	unit = pk_unit_for_scaled(base, sizes[count / 2], exponent);
	last = unit.divisor / pow(10, unit.decimals);
	return last > 1 && (double)sizes[count / 10] < 10 * last ? sizes[count / 10] * 20
								 : sizes[count / 2];
}

/* One unit for the column. */
static struct pk_unit column_unit(const struct pk_grid *g, int index)
{
	const struct pk_grid_column *c = &g->columns[index];
	const char *base = c->unit ? c->unit : g->unit;
	int exponent = c->unit ? c->exponent : g->exponent;
	struct pk_unit unit;
	int64_t deciding;

	if (g->show_unit && pk_unit_named(base, g->show_unit, &unit)) {
		pk_unit_scale(&unit, exponent);
		return unit;
	}
	if (!g->one_unit && c->type == PK_CELL_EACH)
		deciding = deciding_each(g, index, base, exponent);
	else
		deciding = largest_of_all(g, g->one_unit, c->unit);
	return pk_unit_for_scaled(base, deciding, exponent);
}

/* Per row: true if it is its parent's last child. One loop from the end. */
static bool *find_last(const struct pk_grid *g)
{
	bool *last = pk_malloc(g->rows), *follows;
	int depth = 0, deepest = 0;
	size_t row;

	for (row = 0; row < g->rows; row++)
		deepest = g->depth[row] > deepest ? g->depth[row] : deepest;
	follows = pk_calloc((size_t)deepest + 1, sizeof(*follows));
	for (row = g->rows; row-- > 0; depth = g->depth[row]) {
		for (; depth > g->depth[row]; depth--)
			follows[depth] = false;
		last[row] = !follows[g->depth[row]];
		follows[g->depth[row]] = true;
	}
	free(follows);
	return last;
}

void pk_view_init(struct pk_view *view, const struct pk_grid *g)
{
	bool named = false;
	int i;

	memset(view, 0, sizeof(*view));
	view->grid = g;
	view->columns = pk_calloc((size_t)g->column_count, sizeof(*view->columns));
	for (i = 0; i < g->column_count; i++) {
		const struct pk_grid_column *c = &g->columns[i];
		struct pk_view_column *v = &view->columns[view->count];

		if (!c->heading || (!g->show_empty && is_empty(g, i)))
			continue;
		*v = (struct pk_view_column){.column = c, .index = i};
		v->right = (c->type != PK_CELL_TEXT && c->type != PK_CELL_BOOL) ||
			   (i < 64 && g->right >> i & 1);
		if (pk_cell_has_unit(c->type) && g->own_units && !g->show_unit) {
			v->own = g->unit;
		} else if (pk_cell_has_unit(c->type)) {
			v->unit = column_unit(g, i);
			v->named = !(g->one_unit && named);
			named = true;
		}
		view->count++;
	}
	if (g->tree_column >= 0) {
		view->last = find_last(g);
		view->more = pk_calloc(DRAWN_DEPTH + 1, sizeof(*view->more));
	}
}

void pk_view_release(struct pk_view *view)
{
	free(view->columns);
	free(view->last);
	free(view->more);
	memset(view, 0, sizeof(*view));
}

void pk_view_heading(struct pk_buf *buf, const struct pk_view_column *column)
{
	pk_buf_add_visible(buf, column->column->heading);
	if (column->named && column->unit.name && *column->unit.name) {
		pk_buf_adds(buf, " (");
		pk_buf_add_visible(buf, column->unit.name);
		pk_buf_addc(buf, ')');
	}
}

static size_t add_branches(struct pk_buf *buf, const struct pk_view *view, size_t row)
{
	int depth = view->grid->depth[row], drawn = depth < DRAWN_DEPTH ? depth : DRAWN_DEPTH, i;
	size_t columns = 3 * (size_t)drawn;
	char text[32];

	view->more[drawn] = !view->last[row];
	for (i = 1; i < drawn; i++)
		pk_buf_adds(buf, view->more[i] ? "\xE2\x94\x82  " : "   ");
	if (drawn)
		pk_buf_adds(buf, view->last[row] ? "\xE2\x94\x94\xE2\x94\x80 "
						 : "\xE2\x94\x9C\xE2\x94\x80 ");
	if (depth > drawn) {
		columns += (size_t)snprintf(text, sizeof(text), "[depth %d] ", depth);
		pk_buf_adds(buf, text);
	}
	return columns;
}

/* Appends a number, which consists of ASCII characters. */
static void add_number(struct pk_buf *buf, const struct pk_view *view,
		       const struct pk_view_column *column, const struct pk_cell *cell)
{
	if (cell->estimated)
		pk_buf_addc(buf, '~');
	if (column->own) {
		if (column->column->type == PK_CELL_DELTA && cell->integer > 0)
			pk_buf_addc(buf, '+');
		pk_format_own(buf, cell->integer, column->own, view->grid->exponent);
		return;
	}
	switch (column->column->type) {
	case PK_CELL_INT:
		pk_format_count(buf, cell->integer);
		break;
	case PK_CELL_NUMBER:
		pk_format_decimal(buf, cell->integer, 0);
		break;
	case PK_CELL_DELTA:
		if (cell->integer > 0)
			pk_buf_addc(buf, '+');
		pk_format_value(buf, cell->integer, &column->unit);
		break;
	case PK_CELL_VALUE:
	case PK_CELL_EACH:
		pk_format_value(buf, cell->integer, &column->unit);
		break;
	case PK_CELL_SHARE:
		pk_format_percent(buf, cell->real);
		break;
	case PK_CELL_RATIO:
		pk_format_ratio(buf, cell->real, 2);
		break;
	case PK_CELL_CHANCE:
		if (cell->real < 0.005)
			pk_buf_adds(buf, "<0.01");
		else
			pk_format_fixed(buf, cell->real, 2);
		break;
	case PK_CELL_REAL:
		pk_buf_addf(buf, "%.6g", cell->real);
		break;
	case PK_CELL_BOOL:
		pk_buf_adds(buf, cell->boolean ? "yes" : "no");
		break;
	case PK_CELL_TEXT:
		break;
	}
}

/* True if larger numbers of this type have longer texts, but for those with a short form. */
static bool grows_with_size(enum pk_cell_type type)
{
	return type == PK_CELL_INT || pk_cell_has_unit(type) || type == PK_CELL_SHARE ||
	       type == PK_CELL_RATIO;
}

static bool has_short_form(enum pk_cell_type type, const struct pk_cell *cell)
{
	return (type == PK_CELL_RATIO && cell->real >= PK_RATIO_POWERS) ||
	       (type == PK_CELL_SHARE && cell->real >= PK_MOST_SHARE);
}

static bool is_less(enum pk_cell_type type, const struct pk_cell *a, const struct pk_cell *b)
{
	if (type == PK_CELL_SHARE || type == PK_CELL_RATIO)
		return a->real < b->real;
	return a->integer < b->integer;
}

static size_t one_width(const struct pk_view *view, const struct pk_view_column *c,
			const struct pk_cell *cell)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	if (!cell)
		return 0;
	add_number(&text, view, c, cell);
	return text.len;
}

/* The width of the numbers of a column: that of the smallest and the largest, of estimated and
 * other values. */
static size_t number_width(const struct pk_view *view, int column)
{
	const struct pk_view_column *c = &view->columns[column];
	const struct pk_cell *least[2] = {NULL, NULL}, *most[2] = {NULL, NULL};
	size_t row, width = 0, one;
	int i;

	for (row = 0; row < view->grid->rows; row++) {
		const struct pk_cell *cell = pk_grid_cell(view->grid, row, c->index);

		i = cell->estimated;
		if (cell->null || has_short_form(c->column->type, cell)) {
			one = cell->null ? 1 : one_width(view, c, cell); /* a dash */
			width = one > width ? one : width;
			continue;
		}
		if (!least[i] || is_less(c->column->type, cell, least[i]))
			least[i] = cell;
		if (!most[i] || is_less(c->column->type, most[i], cell))
			most[i] = cell;
	}
	for (i = 0; i < 4; i++) {
		one = one_width(view, c, i < 2 ? least[i] : most[i - 2]);
		width = one > width ? one : width;
	}
	return width;
}

size_t pk_view_width(const struct pk_view *view, int column)
{
	PK_BUF_AUTO text = PK_BUF_INIT;
	size_t row, width = 0;

	if (grows_with_size(view->columns[column].column->type) && !view->columns[column].own)
		return number_width(view, column);
	for (row = 0; row < view->grid->rows; row++) {
		size_t columns;

		text.len = 0;
		columns = pk_view_cell(&text, view, row, column);
		if (columns > width)
			width = columns;
	}
	return width;
}

size_t pk_view_cell(struct pk_buf *buf, const struct pk_view *view, size_t row, int column)
{
	const struct pk_view_column *c = &view->columns[column];
	const struct pk_cell *cell = pk_grid_cell(view->grid, row, c->index);
	size_t before, columns = 0;

	if (view->last && c->index == view->grid->tree_column)
		columns = add_branches(buf, view, row);
	before = buf->len;
	if (c->column->type == PK_CELL_TEXT) {
		if (!cell->null && cell->estimated)
			pk_buf_addc(buf, '~');
		columns += buf->len - before;
		return columns + (cell->null ? 0 : pk_utf8_visible(buf, cell->text, cell->len));
	}
	if (cell->null)
		pk_buf_adds(buf, view->grid->blank ? "" : "-");
	else
		add_number(buf, view, c, cell);
	return columns + buf->len - before;
}

void pk_each_line(const char *text, void (*put)(void *data, const char *line, size_t len),
		  void *data)
{
	PK_BUF_AUTO line = PK_BUF_INIT;

	while (text && *text) {
		size_t len = strcspn(text, "\n");

		line.len = 0;
		pk_buf_add(&line, "", 0);
		pk_utf8_visible(&line, text, len);
		put(data, line.data, line.len);
		text += len + (text[len] == '\n');
	}
}
