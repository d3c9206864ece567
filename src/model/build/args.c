/*
 * Arguments of events, as they are added: see model/args/text.h for how they are kept.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "model/args/text.h"
#include "model/build/internal.h"

static void add_arg(struct pk_builder *b, enum pk_table_id owner, uint32_t owner_row, uint32_t key,
		    uint32_t value, uint32_t numbers)
{
	struct pk_arg_table *t = &b->p->arg;
	/* these optional columns are set below */
	int set = (t->key != NULL) + (t->numbers != NULL);
	bool room = b->optionals[PK_TABLE_ARG] == set && t->count < b->alloc[PK_TABLE_ARG];
	uint32_t row = room ? t->count++ : pk_builder_row(b, PK_TABLE_ARG);

	t->owner[row] = (uint8_t)owner;
	t->row[row] = owner_row;
	t->value[row] = value;
	if (key)
		pk_builder_column(b, PK_TABLE_ARG, &t->key);
	if (t->key)
		t->key[row] = key;
	if (numbers)
		pk_builder_column(b, PK_TABLE_ARG, &t->numbers);
	if (t->numbers)
		t->numbers[row] = numbers;
}

/* Adds a whole text, if some of it is wanted. */
static void add_text(struct pk_builder *b, enum pk_table_id owner, uint32_t row, uint32_t value)
{
	if (b->arg_keys && !pk_builder_keeps_text(b, value))
		pk_build_unread(b, PK_PART_ARGS);
	else
		add_arg(b, owner, row, 0, value, 0);
}

/* Adds a pattern and its numbers, or what is wanted of both; false: there is no room for numbers.
 */
static bool add_pattern(struct pk_builder *b, enum pk_table_id owner, uint32_t row,
			uint32_t pattern, const int64_t *numbers, int count)
{
	int64_t kept[PK_MOST_NUMBERS];
	uint32_t place;

	if (b->arg_keys) {
		const struct pk_kept_arg *k = pk_builder_kept_pattern(b, pattern);

		pattern = k->pattern;
		if (!pattern)
			return true;
		count = 0;
		for (uint64_t left = k->numbers; left; left &= left - 1)
			kept[count++] = numbers[__builtin_ctzll(left)];
		numbers = kept;
	}
	place = pk_arg_pack(&b->p->arg, numbers, count);
	if (count && !place)
		return false;
	add_arg(b, owner, row, 0, pattern, place);
	return true;
}

void pk_build_arg(struct pk_builder *b, enum pk_table_id owner, uint32_t row, uint32_t key,
		  uint32_t value)
{
	b->last_arg.number++;
	b->last_arg.value = value;
	b->last_arg.count = 0;
	if (key)
		add_arg(b, owner, row, key, value, 0);
	else
		add_text(b, owner, row, value);
}

enum state { UNKNOWN, GOOD, BAD };

/* Queries read patterns as JSON, so patterns must be valid JSON. Most were checked before. */
static bool is_good(struct pk_builder *b, uint32_t pattern)
{
	PK_GROW_ZERO(b->patterns, (size_t)pattern + 1, b->pattern_alloc); /* UNKNOWN */
	if (b->patterns[pattern] == UNKNOWN) {
		bool good = pk_json_read_text(b->pattern.data, b->pattern.len, NULL) &&
			    pk_utf8_valid(b->pattern.data, b->pattern.len);

		b->patterns[pattern] = good ? GOOD : BAD;
	}
	return b->patterns[pattern] == GOOD;
}

/* Finds the pattern of an object and its numbers; 0 if there is no usable pattern. */
static uint32_t find_pattern(struct pk_builder *b, const char *text, size_t len, int64_t *numbers,
			     int *count)
{
	enum { MANY = 4096 };
	uint32_t pattern;

	/* Objects that have little in common are better left whole. */
	if (b->patterns_new > MANY && b->patterns_found < b->patterns_new)
		return 0;
	pattern = pk_arg_known_find(&b->known_args, text, len, numbers, count);
	b->patterns_found += pattern != 0;
	if (pattern || !(*count = pk_arg_pattern(&b->pattern, text, len, numbers)))
		return pattern;
	b->patterns_new++;
	pattern = pk_build_string(b, b->pattern.data, b->pattern.len);
	if (!is_good(b, pattern))
		return 0;
	pk_arg_known_add(&b->known_args, b->p, pattern);
	return pattern;
}

void pk_build_arg_object(struct pk_builder *b, enum pk_table_id owner, uint32_t row,
			 const char *text, size_t len)
{
	struct pk_last_arg *last = &b->last_arg;

	last->number++;
	last->value = find_pattern(b, text, len, last->numbers, &last->count);
	if (last->value && add_pattern(b, owner, row, last->value, last->numbers, last->count))
		return;
	last->value = pk_build_string(b, text, len);
	last->count = 0;
	add_text(b, owner, row, last->value);
}

const struct pk_last_arg *pk_build_last_arg(const struct pk_builder *b)
{
	return &b->last_arg;
}

bool pk_build_arg_pattern(struct pk_builder *b, enum pk_table_id owner, uint32_t row,
			  uint32_t pattern, const int64_t *numbers, int count)
{
	if (!add_pattern(b, owner, row, pattern, numbers, count))
		return false;
	b->patterns_found++;
	return true;
}

/* The whole text of a row, as a string. */
static uint32_t whole_text(struct pk_builder *b, uint32_t row)
{
	PK_BUF_AUTO buf = PK_BUF_INIT;
	struct pk_json_slice text = pk_arg_text(b->p, row, &buf);
	uint32_t string = b->p->arg.value[row];

	if (buf.len)
		string = pk_build_string(b, text.text, text.len);
	return string;
}

/* Leaves out the rows that belong to no row. */
static void drop_rows(struct pk_builder *b)
{
	const struct pk_table *t = &pk_tables[PK_TABLE_ARG];
	struct pk_arg_table *arg = &b->p->arg;
	uint32_t row, to = 1;

	for (row = 1; row < arg->count; row++) {
		if (!arg->row[row])
			continue;
		for (const struct pk_column *c = t->columns;
		     to < row && c < t->columns + t->column_count; c++) {
			void *column = *pk_column_at(b->p, t, c);

			if (column)
				pk_column_put(c, column, to, pk_column_get(c, column, row));
		}
		to++;
	}
	arg->count = to;
}

void pk_build_args_placed(struct pk_builder *b, const uint32_t *place,
			  uint32_t (*join)(void *data, uint32_t first, uint32_t second), void *data)
{
	struct pk_arg_table *t = &b->p->arg;
	uint32_t row, to;
	PK_FREED uint32_t *first =
		join ? pk_calloc(b->p->span.count, sizeof(*first)) : NULL; /* by span */

	for (row = 1; row < t->count; row++) {
		to = t->owner[row] == PK_TABLE_SPAN ? place[t->row[row]] : t->row[row];
		t->row[row] = to;
		if (to && first && t->owner[row] == PK_TABLE_SPAN && !pk_arg_key(t, row)) {
			uint32_t other = first[to];

			if (other) {
				t->row[row] = 0;
				t->value[other] =
					join(data, whole_text(b, other), whole_text(b, row));
				if (t->numbers)
					t->numbers[other] = 0;
				continue;
			}
			first[to] = row;
		}
	}
	drop_rows(b);
}
