/*
 * The tables of a profile as SQL sees them: rows, orders for searching, totals of functions, and
 * text of call paths.
 */
#include "store/catalog.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"

struct pk_catalog_entry {
	struct pk_function_total_table totals;
	bool has_totals;
	uint32_t *depth; /* of nodes, NULL = not made yet */
	uint32_t **order[PK_SQL_TABLE_COUNT];
};

struct pk_catalog *pk_catalog_new(const struct pk_profiles *list)
{
	struct pk_catalog *catalog = pk_calloc(1, sizeof(*catalog));

	catalog->list = list;
	catalog->first_run = 1;
	catalog->entry = pk_calloc(list->count, sizeof(*catalog->entry));
	return catalog;
}

void pk_catalog_free(struct pk_catalog *catalog)
{
	for (size_t i = 0; i < catalog->list->count; i++) {
		struct pk_catalog_entry *e = &catalog->entry[i];

		pk_function_totals_release(&e->totals);
		free(e->depth);
		for (int t = 0; t < PK_SQL_TABLE_COUNT; t++) {
			for (int c = 0; e->order[t] && c < pk_sql_table(t)->column_count; c++)
				free(e->order[t][c]);
			free(e->order[t]);
		}
	}
	free(catalog->entry);
	free(catalog);
}

const void *pk_catalog_data(struct pk_catalog *catalog, int table, size_t profile)
{
	struct pk_catalog_entry *e = &catalog->entry[profile];
	const struct pk_profile *p = catalog->list->item[profile];

	if (table != PK_SQL_TABLE_FUNCTION_TOTAL)
		return pk_table_at(p, &pk_tables[table]);
	if (!e->has_totals) {
		pk_function_totals_init(&e->totals, p);
		e->has_totals = true;
	}
	return &e->totals;
}

uint32_t pk_catalog_profile_rows(struct pk_catalog *catalog, int table, size_t profile)
{
	return *(const uint32_t *)pk_catalog_data(catalog, table, profile);
}

uint64_t pk_catalog_rows(struct pk_catalog *catalog, int table)
{
	uint64_t rows = 0;

	/* planning a query must not compute totals */
	if (table == PK_SQL_TABLE_FUNCTION_TOTAL)
		table = PK_TABLE_FUNCTION;
	for (size_t i = 0; i < catalog->list->count && !catalog->rows[table]; i++)
		rows += pk_catalog_profile_rows(catalog, table, i) - 1;
	if (!catalog->rows[table])
		catalog->rows[table] = rows + 1;
	return catalog->rows[table] - 1;
}

#define RADIX_BITS 11
#define RADIX (1U << RADIX_BITS)

/* One pass of a radix sort: moves rows from `from` to `to` in the order of 11 bits of their values.
 */
static void sort_pass(const uint32_t *from, uint32_t *to, uint32_t count, const uint32_t *values,
		      int shift)
{
	uint32_t start[RADIX + 1] = {0}, i;

	for (i = 0; i < count; i++)
		start[(values[from[i]] >> shift & (RADIX - 1)) + 1]++;
	for (i = 0; i < RADIX; i++)
		start[i + 1] += start[i];
	for (i = 0; i < count; i++)
		to[start[values[from[i]] >> shift & (RADIX - 1)]++] = from[i];
}

static uint32_t *make_order(const uint32_t *values, uint32_t rows)
{
	uint32_t count = rows - 1, largest = 0, i;
	uint32_t *order = pk_malloc(pk_mul(rows, sizeof(*order)));
	uint32_t *other = pk_malloc(pk_mul(rows, sizeof(*other)));

	for (i = 0; i < count; i++) {
		order[i] = i + 1;
		largest |= values[i + 1];
	}
	for (int shift = 0; shift < 32 && largest >> shift; shift += RADIX_BITS) {
		uint32_t *swap = order;

		sort_pass(order, other, count, values, shift);
		order = other;
		other = swap;
	}
	free(other);
	return order;
}

const uint32_t *pk_catalog_order(struct pk_catalog *catalog, int table, size_t profile, int column)
{
	struct pk_catalog_entry *e = &catalog->entry[profile];
	const struct pk_table *t = pk_sql_table(table);
	const char *data = pk_catalog_data(catalog, table, profile);

	if (!e->order[table])
		e->order[table] = pk_calloc((size_t)t->column_count, sizeof(*e->order[table]));
	if (!e->order[table][column])
		e->order[table][column] =
			make_order(*(uint32_t *const *)(data + t->columns[column].offset),
				   *(const uint32_t *)data);
	return e->order[table][column];
}

/* The first place with a value of at least `value`. */
static uint32_t lower_bound(const uint32_t *order, const uint32_t *values, uint32_t count,
			    uint64_t value)
{
	return PK_BISECT(i, 0, count, values[order[i]] < value);
}

void pk_order_range(const uint32_t *order, const uint32_t *values, uint32_t rows, uint32_t value,
		    uint32_t *from, uint32_t *to)
{
	*from = lower_bound(order, values, rows - 1, value);
	*to = lower_bound(order, values, rows - 1, (uint64_t)value + 1);
}

/* The profile that the arguments (run, node) refer to; NULL if there is none. */
static const struct pk_profile *node_argument(struct pk_catalog *catalog, sqlite3_value **argv,
					      size_t *profile, uint32_t *node)
{
	int64_t run = sqlite3_value_int64(argv[0]) - catalog->first_run;
	int64_t id = sqlite3_value_int64(argv[1]);

	if (run < 0 || (uint64_t)run >= catalog->list->count || id < 1 ||
	    id >= catalog->list->item[run]->node.count)
		return NULL;
	*profile = (size_t)run;
	*node = (uint32_t)id;
	return catalog->list->item[run];
}

static const uint32_t *node_depths(struct pk_catalog *catalog, size_t profile)
{
	const struct pk_profile *p = catalog->list->item[profile];
	struct pk_catalog_entry *e = &catalog->entry[profile];

	if (e->depth)
		return e->depth;
	e->depth = pk_calloc(p->node.count, sizeof(*e->depth));
	for (uint32_t i = 1; i < p->node.count; i++)
		e->depth[i] = e->depth[p->node.parent[i]] + 1;
	return e->depth;
}

static void node_depth(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct pk_catalog *catalog = sqlite3_user_data(context);
	size_t profile;
	uint32_t node;

	(void)argc;
	if (node_argument(catalog, argv, &profile, &node))
		sqlite3_result_int64(context, node_depths(catalog, profile)[node]);
}

static void node_path(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct pk_catalog *catalog = sqlite3_user_data(context);
	const struct pk_profile *p;
	size_t profile, len = 0, at;
	uint32_t node, n;
	char *path;

	(void)argc;
	p = node_argument(catalog, argv, &profile, &node);
	if (!p)
		return;
	for (n = node; n; n = p->node.parent[n])
		len += p->string.len[pk_node_name(p, n)] + 1;
	at = --len; /* no ';' before the root */
	path = sqlite3_malloc64(len + 1);
	if (!path) {
		sqlite3_result_error_nomem(context);
		return;
	}
	for (n = node; n; n = p->node.parent[n]) {
		uint32_t text = pk_node_name(p, n);

		at -= p->string.len[text];
		memcpy(path + at, p->string.text[text], p->string.len[text]);
		if (at)
			path[--at] = ';';
	}
	if (pk_utf8_valid(path, len))
		sqlite3_result_text64(context, path, len, sqlite3_free, SQLITE_UTF8);
	else
		sqlite3_result_blob64(context, path, len, sqlite3_free);
}

int pk_catalog_functions(struct pk_catalog *catalog, sqlite3 *db)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int rc = sqlite3_create_function_v2(db, "node_path", 2, flags, catalog, node_path, NULL,
					    NULL, NULL);

	if (rc != SQLITE_OK)
		return rc;
	return sqlite3_create_function_v2(db, "node_depth", 2, flags, catalog, node_depth, NULL,
					  NULL, NULL);
}
