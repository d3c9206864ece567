/*
 * Rows of any table, column by column as schema.c describes them: texts and references are mapped,
 * times shifted, amounts multiplied, anything else is as it was.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/args/text.h"
#include "model/build/internal.h"
#include "model/transform/copy.h"

int64_t pk_copy_value(const struct pk_copy *copy, uint32_t metric, int64_t value)
{
	int64_t product;

	if (copy->factor[metric] == 1) /* as of most metrics */
		return value;
	product = pk_mul_saturated(value, copy->factor[metric]);
	copy->b->cut += (product == INT64_MAX || product == -INT64_MAX) && product != value;
	return product;
}

static int64_t shifted(const struct pk_copy *copy, int64_t time)
{
	if (time != PK_NULL)
		pk_add_saturated(&time, copy->shift);
	return time;
}

/* The numbers of an argument, at their place in b. */
static uint32_t copy_numbers(struct pk_copy *copy, uint32_t place)
{
	int64_t numbers[PK_MOST_NUMBERS];
	int count = pk_arg_unpack(&copy->p->arg, place, numbers);

	return pk_arg_pack(&copy->b->p->arg, numbers, count);
}

static int64_t amount(const struct pk_copy *copy, const uint32_t *metrics, uint32_t row,
		      int64_t value)
{
	return pk_copy_value(copy, metrics ? metrics[row] : 1, value);
}

uint64_t pk_copy_cell(struct pk_copy *copy, enum pk_table_id table, const struct pk_column *c,
		      uint32_t row)
{
	const struct pk_table *t = &pk_tables[table];
	const void *data = *pk_column_at(copy->p, t, c);
	uint64_t value = data ? pk_column_get(c, data, row) : pk_column_default(c);

	if (c->type == PK_COL_TEXT)
		return pk_copy_string(copy, (uint32_t)value);
	if (c->type == PK_COL_REF)
		return pk_copy_id(copy, c->target, (uint32_t)value);
	if (c->type == PK_COL_NUMBERS)
		return copy_numbers(copy, (uint32_t)value);
	if (c->unit == PK_MOMENT)
		return (uint64_t)shifted(copy, (int64_t)value);
	if (c->unit == PK_AMOUNT)
		return (uint64_t)amount(copy, pk_table_metrics(copy->p, t), row, (int64_t)value);
	return value;
}

/* What rows hold without the column: a metric has another number in the copy. */
static uint64_t absent_value(struct pk_copy *copy, const struct pk_column *c)
{
	bool has_row = c->type == PK_COL_REF && c->absent &&
		       c->absent < pk_table_rows(copy->p, &pk_tables[c->target]);

	return has_row ? pk_copy_map(copy, c->target)[c->absent] : pk_column_default(c);
}

enum { MOST_LAZY = 4 }; /* columns of a table that refer to functions and the like */

/* Writes a value; makes the column where it is absent and the value is not its default. */
static void put(struct pk_copy *copy, enum pk_table_id table, const struct pk_column *c,
		uint32_t row, uint64_t value)
{
	void **column = pk_column_at(copy->b->p, &pk_tables[table], c);

	if (!*column && value != pk_column_default(c))
		pk_builder_column(copy->b, table, column);
	if (*column)
		pk_column_put(c, *column, row, value);
}

void pk_copy_row(struct pk_copy *copy, enum pk_table_id table, uint32_t from, uint32_t to)
{
	const struct pk_table *t = &pk_tables[table];

	for (const struct pk_column *c = t->columns; c < t->columns + t->column_count; c++)
		if (c->join == PK_FIRST || table == PK_TABLE_RUN)
			put(copy, table, c, to, pk_copy_cell(copy, table, c, from));
}

/* True if a row that rows of other tables refer to was left out. */
static bool leaves_out(const struct pk_copy *copy, enum pk_table_id table)
{
	const uint32_t *id = copy->id[table];
	uint32_t rows = pk_table_rows(copy->p, &pk_tables[table]), i;

	if (pk_copy_is_lazy(table))
		return false;
	for (i = 1; i < rows && id && id[i]; i++)
		;
	return i < rows;
}

/* Clears `kept` for rows whose target in this column was left out, or whose time is out of
 * range. */
static void leave_out(struct pk_copy *copy, const struct pk_table *t, const struct pk_column *c,
		      bool *kept)
{
	const void *data = *pk_column_at(copy->p, t, c);
	uint32_t rows = pk_table_rows(copy->p, t), i;

	if (!data && c->absent && !absent_value(copy, c))
		memset(kept, false, rows);
	if (data && c->type == PK_COL_REF && leaves_out(copy, c->target)) {
		const uint32_t *ref = data, *id = copy->id[c->target];

		for (i = 1; i < rows; i++)
			kept[i] &= !ref[i] || (id && id[ref[i]]);
	}
	if (data && c->unit == PK_MOMENT && pk_copy_has_range(copy) &&
	    t != &pk_tables[PK_TABLE_SPAN])
		for (i = 1; i < rows; i++)
			kept[i] &= pk_copy_in_range(copy, ((const int64_t *)data)[i]);
}

uint32_t *pk_copy_kept(struct pk_copy *copy, enum pk_table_id table, const bool *keep,
		       uint32_t *count)
{
	const struct pk_table *t = &pk_tables[table];
	uint32_t rows = pk_table_rows(copy->p, t), i;
	uint32_t *list = pk_malloc(pk_mul(rows, sizeof(*list)));
	PK_FREED bool *kept = pk_malloc(rows);

	if (keep)
		memcpy(kept, keep, rows);
	else
		memset(kept, true, rows);
	for (i = 0; i < (uint32_t)t->column_count; i++)
		leave_out(copy, t, &t->columns[i], kept);
	*count = 0;
	for (i = 1; i < rows; i++) {
		list[*count] = i;
		*count += kept[i];
	}
	return list;
}

/* Copies values that need no mapping. */
static void copy_plain(const struct pk_column *c, const void *from, void *to, const uint32_t *rows,
		       uint32_t count)
{
	uint32_t i;

	switch (pk_column_size(c->type)) {
	case sizeof(uint64_t):
		for (i = 0; i < count; i++)
			((uint64_t *)to)[i] = ((const uint64_t *)from)[rows[i]];
		break;
	case sizeof(uint32_t):
		for (i = 0; i < count; i++)
			((uint32_t *)to)[i] = ((const uint32_t *)from)[rows[i]];
		break;
	default:
		for (i = 0; i < count; i++)
			((uint8_t *)to)[i] = ((const uint8_t *)from)[rows[i]];
		break;
	}
}

static bool is_plain(const struct pk_copy *copy, const struct pk_column *c)
{
	return c->type != PK_COL_TEXT && c->type != PK_COL_REF && c->type != PK_COL_NUMBERS &&
	       !(c->unit == PK_MOMENT && copy->shift) && c->unit != PK_AMOUNT &&
	       c->unit != PK_SERIAL;
}

static bool has_values(const struct pk_column *c, const void *from, const uint32_t *rows,
		       uint32_t count)
{
	uint64_t none = pk_column_default(c);
	uint32_t i = 0;

	while (i < count && pk_column_get(c, from, rows[i]) == none)
		i++;
	return i < count;
}

/* The highest number in the builder, after which the numbers of the copied rows continue. */
static uint32_t last_number(const uint32_t *column, uint32_t rows)
{
	uint32_t last = 0;

	for (uint32_t i = 1; i < rows; i++)
		last = column[i] > last ? column[i] : last;
	return last;
}

/* All rows of a column, from row `first` of b on. What they refer to is mapped. */
static void copy_column(struct pk_copy *copy, enum pk_table_id table, const struct pk_column *c,
			const uint32_t *rows, uint32_t count, uint32_t first)
{
	const struct pk_table *t = &pk_tables[table];
	const void *from = *pk_column_at(copy->p, t, c);
	void **to = pk_column_at(copy->b->p, t, c);
	uint64_t absent = absent_value(copy, c);
	uint32_t i;

	if (!*to && (absent != pk_column_default(c) || (from && has_values(c, from, rows, count))))
		pk_builder_column(copy->b, table, to);
	if (!*to)
		return;
	if (!from) {
		for (i = 0; i < count; i++)
			pk_column_put(c, *to, first + i, absent);
	} else if (is_plain(copy, c)) {
		copy_plain(c, from, (char *)*to + first * pk_column_size(c->type), rows, count);
	} else if (c->type == PK_COL_REF) {
		const uint32_t *id = pk_copy_map(copy, c->target);

		for (i = 0; i < count; i++)
			((uint32_t *)*to)[first + i] = id[((const uint32_t *)from)[rows[i]]];
	} else if (c->unit == PK_AMOUNT) {
		const uint32_t *metrics = pk_table_metrics(copy->p, t);

		for (i = 0; i < count; i++)
			((int64_t *)*to)[first + i] =
				amount(copy, metrics, rows[i], ((const int64_t *)from)[rows[i]]);
	} else if (c->unit == PK_SERIAL) {
		uint32_t last = last_number(*to, first);

		for (i = 0; i < count; i++) {
			uint32_t number = ((const uint32_t *)from)[rows[i]];

			((uint32_t *)*to)[first + i] = number ? last + number : 0;
		}
	} else {
		for (i = 0; i < count; i++)
			pk_column_put(c, *to, first + i, pk_copy_cell(copy, table, c, rows[i]));
	}
}

static void note_rows(struct pk_copy *copy, enum pk_table_id table, const uint32_t *rows,
		      uint32_t count, uint32_t first)
{
	uint32_t *id = pk_copy_map(copy, table);

	for (uint32_t i = 0; i < count; i++)
		id[rows[i]] = first + i;
}

/* Functions, locations and similar rows get their ids in the order in which rows refer to them. */
void pk_copy_map_rows(struct pk_copy *copy, enum pk_table_id table, const uint32_t *rows,
		      uint32_t count)
{
	const struct pk_column *c = pk_tables[table].columns;
	const uint32_t *lazy[MOST_LAZY], *map[MOST_LAZY];
	enum pk_table_id target[MOST_LAZY];
	int columns = 0, k;

	for (; c < pk_tables[table].columns + pk_tables[table].column_count; c++) {
		const void *data = *pk_column_at(copy->p, &pk_tables[table], c);

		if (c->type != PK_COL_REF || !pk_copy_is_lazy(c->target) || !data ||
		    columns == MOST_LAZY)
			continue;
		target[columns] = c->target;
		map[columns] = pk_copy_map(copy, c->target);
		lazy[columns++] = data;
	}
	for (uint32_t i = 0; i < count; i++)
		for (k = 0; k < columns; k++)
			if (map[k][lazy[k][rows[i]]] == UINT32_MAX)
				pk_copy_id(copy, target[k], lazy[k][rows[i]]);
}

void pk_copy_append(struct pk_copy *copy, enum pk_table_id table, const uint32_t *rows,
		    uint32_t count)
{
	const struct pk_table *t = &pk_tables[table];
	uint32_t first = pk_builder_rows(copy->b, table, count);

	for (int i = 0; i < t->column_count; i++)
		copy_column(copy, table, &t->columns[i], rows, count, first);
	if (t->has_id || table == PK_TABLE_INSTANT)
		note_rows(copy, table, rows, count, first);
}

void pk_copy_rows(struct pk_copy *copy, enum pk_table_id table, const bool *keep)
{
	uint32_t count, *rows;

	if (pk_table_rows(copy->p, &pk_tables[table]) < 2)
		return;
	rows = pk_copy_kept(copy, table, keep, &count);
	pk_copy_map_rows(copy, table, rows, count);
	pk_copy_append(copy, table, rows, count);
	free(rows);
}

void pk_copy_statistics(struct pk_copy *copy)
{
	for (int table = PK_TABLE_MEMBER; table <= PK_TABLE_BUCKET; table++)
		pk_copy_rows(copy, (enum pk_table_id)table, NULL);
}

static void plain_values(const struct pk_column *c, const void *from, const uint32_t *rows,
			 uint32_t count, uint64_t *value)
{
	uint32_t i;

	switch (pk_column_size(c->type)) {
	case sizeof(uint64_t):
		for (i = 0; i < count; i++)
			value[i] = ((const uint64_t *)from)[rows[i]];
		break;
	case sizeof(uint32_t):
		for (i = 0; i < count; i++)
			value[i] = ((const uint32_t *)from)[rows[i]];
		break;
	default:
		for (i = 0; i < count; i++)
			value[i] = ((const uint8_t *)from)[rows[i]];
		break;
	}
}

void pk_copy_values(struct pk_copy *copy, enum pk_table_id table, const struct pk_column *c,
		    const uint32_t *rows, uint32_t count, uint64_t *value)
{
	const struct pk_table *t = &pk_tables[table];
	const void *from = *pk_column_at(copy->p, t, c);
	uint32_t i;

	if (!from) {
		for (i = 0; i < count; i++)
			value[i] = absent_value(copy, c);
	} else if (c->type == PK_COL_REF) {
		const uint32_t *id = pk_copy_map(copy, c->target), *ref = from;

		for (i = 0; i < count; i++)
			value[i] = id[ref[rows[i]]];
	} else if (c->unit == PK_AMOUNT) {
		const uint32_t *metrics = pk_table_metrics(copy->p, t);
		const int64_t *amounts = from;

		for (i = 0; i < count; i++)
			value[i] = (uint64_t)amount(copy, metrics, rows[i], amounts[rows[i]]);
	} else if (is_plain(copy, c)) {
		plain_values(c, from, rows, count, value);
	} else {
		for (i = 0; i < count; i++)
			value[i] = pk_copy_cell(copy, table, c, rows[i]);
	}
}
