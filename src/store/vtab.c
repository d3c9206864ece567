/*
 * One virtual table module for all tables, driven by their descriptors.
 *
 * A scan visits profiles in order, and in each a range of rows: all of them, those within
 * bounds on id and rowid, or a range of an index that has the rows in the order of a column's
 * values. The plan is a string with a pair of letters per argument: the column ('@' + 1 + its
 * number, '@' for rowid) and the operator.
 */
#include "store/vtab.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/args/text.h"
#include "store/catalog.h"

#define MAX_COLUMNS 24
#define MAX_ARGUMENTS 16

struct table {
	sqlite3_vtab base;
	struct pk_catalog *catalog;
	const struct pk_table *t;
	int number;
	int first; /* SQL column of the first described column: 1, or 2 with id */
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct table *table;
	size_t profile;
	uint32_t pos, end;     /* the range within the profile, of rows or of places in `order` */
	const uint32_t *order; /* rows in the order of a column's values; NULL = by row */
	int64_t run_low, run_high, id_low, id_high, rowid_low, rowid_high; /* inclusive */
	int by_column; /* column that values are looked up in; -1 = none */
	int64_t value;
	const struct pk_profile *p;
	const void *column[MAX_COLUMNS]; /* of the current profile */
};

static int64_t rowid_of(const struct cursor *c)
{
	uint32_t row = c->order ? c->order[c->pos] : c->pos;

	return (c->table->catalog->first_run + (int64_t)c->profile) * ((int64_t)1 << 32) + row;
}

static int connect_table(sqlite3 *db, void *aux, int argc, const char *const *argv,
			 sqlite3_vtab **result, char **message)
{
	int number = argc > 2 ? pk_sql_table_find(argv[2]) : -1;
	PK_BUF_AUTO sql = PK_BUF_INIT;
	struct table *table;
	int rc;

	if (number < 0) {
		*message = sqlite3_mprintf("not a table of profkit");
		return SQLITE_ERROR;
	}
	pk_sql_declare_table(&sql, pk_sql_table(number));
	rc = sqlite3_declare_vtab(db, sql.data);
	if (rc != SQLITE_OK)
		return rc;
	sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
	table = pk_calloc(1, sizeof(*table));
	table->catalog = aux;
	table->number = number;
	table->t = pk_sql_table(number);
	table->first = table->t->has_id ? 2 : 1;
	*result = &table->base;
	return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *vtab)
{
	free(vtab);
	return SQLITE_OK;
}

static bool is_searchable(enum pk_column_type type)
{
	return type == PK_COL_TEXT || type == PK_COL_REF || type == PK_COL_U32;
}

/* The letter of an operator; 0 = it cannot be used. */
static char operator_letter(int op)
{
	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return '=';
	case SQLITE_INDEX_CONSTRAINT_GT:
		return '>';
	case SQLITE_INDEX_CONSTRAINT_GE:
		return 'g';
	case SQLITE_INDEX_CONSTRAINT_LT:
		return '<';
	case SQLITE_INDEX_CONSTRAINT_LE:
		return 'l';
	default:
		return 0;
	}
}

/* The average number of rows that a lookup by the value of a column finds. */
static double rows_by_value(const struct table *table, const struct pk_column *c, double rows)
{
	double targets = 10;

	if (c->type == PK_COL_REF)
		targets = (double)pk_catalog_rows(table->catalog, (int)c->target);
	else if (c->type == PK_COL_TEXT)
		targets = (double)pk_catalog_rows(table->catalog, PK_TABLE_STRING);
	return targets > 1 ? rows / targets : rows;
}

struct plan {
	char text[2 * MAX_ARGUMENTS + 1];
	int length; /* arguments */
	double rows;
	bool run, id, value; /* given by equality */
};

static void use(struct plan *plan, sqlite3_index_info *info, int number, int column, char op)
{
	plan->text[2 * plan->length] = (char)('@' + 1 + column);
	plan->text[2 * plan->length + 1] = op;
	info->aConstraintUsage[number].argvIndex = ++plan->length;
	/* SQLite tests bounds that are not integers again */
	info->aConstraintUsage[number].omit = op == '=';
}

/* Uses a condition on run, id or rowid. */
static void consider_key(struct plan *plan, sqlite3_index_info *info, int number)
{
	const struct sqlite3_index_constraint *k = &info->aConstraint[number];
	char op = operator_letter(k->op);

	if (!k->usable || !op || plan->length >= MAX_ARGUMENTS)
		return;
	if (op != '=')
		plan->rows /= 4;
	else if (k->iColumn == 0)
		plan->run = true;
	else if (k->iColumn == 1)
		plan->id = true;
	else
		plan->run = plan->id = true;
	use(plan, info, number, k->iColumn, op);
}

/* Uses a condition that gives the value of another column. */
static void consider_value(const struct table *table, struct plan *plan, sqlite3_index_info *info,
			   int number)
{
	const struct sqlite3_index_constraint *k = &info->aConstraint[number];
	const struct pk_column *c = &table->t->columns[k->iColumn - table->first];

	if (!k->usable || operator_letter(k->op) != '=' || plan->value || plan->id ||
	    plan->length >= MAX_ARGUMENTS || !is_searchable(c->type))
		return;
	plan->value = true;
	plan->rows = rows_by_value(table, c, plan->rows);
	use(plan, info, number, k->iColumn, '=');
}

/* True if the order asked for is (run, id), the order of rows. */
static bool in_order(const struct table *table, const sqlite3_index_info *info)
{
	int i;

	for (i = 0; i < info->nOrderBy; i++) {
		int column = info->aOrderBy[i].iColumn;

		if (info->aOrderBy[i].desc)
			return false;
		if (column == -1 || (i == 1 && table->t->has_id && column == 1))
			return true;
		if (column != 0 || i)
			return false;
	}
	return info->nOrderBy > 0;
}

static int best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
	const struct table *table = (const struct table *)vtab;
	double all = (double)pk_catalog_rows(table->catalog, table->number);
	double runs = (double)table->catalog->list->count;
	struct plan plan = {.rows = all};
	int i;

	for (i = 0; i < info->nConstraint; i++)
		if (info->aConstraint[i].iColumn < table->first)
			consider_key(&plan, info, i);
	for (i = 0; i < info->nConstraint; i++)
		if (info->aConstraint[i].iColumn >= table->first)
			consider_value(table, &plan, info, i);
	if (plan.id)
		plan.rows = plan.rows < runs ? plan.rows : runs;
	if (plan.run && runs > 1)
		plan.rows /= runs;
	if (plan.rows < 1)
		plan.rows = 1;
	if (plan.id && plan.run)
		info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
	info->estimatedRows = (sqlite3_int64)plan.rows;
	info->estimatedCost = plan.rows + (plan.value ? 20 : 2);
	info->orderByConsumed = in_order(table, info);
	info->idxStr = sqlite3_mprintf("%s", plan.text);
	info->needToFreeIdxStr = 1;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static int open_cursor(sqlite3_vtab *vtab, sqlite3_vtab_cursor **result)
{
	struct cursor *c = pk_calloc(1, sizeof(*c));

	c->table = (struct table *)vtab;
	*result = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	free(cursor);
	return SQLITE_OK;
}

/* Reads the value that an integer column is compared with. Returns true for integers such as
 * "5", 5.0 and 5. */
static bool whole_number(sqlite3_value *value, int64_t *number)
{
	double real;

	switch (sqlite3_value_numeric_type(value)) {
	case SQLITE_INTEGER:
		*number = sqlite3_value_int64(value);
		return true;
	case SQLITE_FLOAT:
		real = sqlite3_value_double(value);
		if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0) ||
		    real != floor(real))
			return false;
		*number = (int64_t)real;
		return true;
	default:
		return false;
	}
}

/* Narrows low..high. Returns false if no value is possible. */
static bool narrow(int64_t *low, int64_t *high, char op, sqlite3_value *value)
{
	int64_t v;

	if (!whole_number(value, &v))
		return op != '=';
	if ((op == '>' && v == INT64_MAX) || (op == '<' && v == INT64_MIN))
		return false;
	v += op == '>' ? 1 : op == '<' ? -1 : 0;
	if ((op == '=' || op == '>' || op == 'g') && v > *low)
		*low = v;
	if ((op == '=' || op == '<' || op == 'l') && v < *high)
		*high = v;
	return *low <= *high;
}

/* Applies one argument of the plan. Returns false if no row can match. */
static bool apply(struct cursor *c, char column, char op, sqlite3_value *value)
{
	int number = column - '@' - 1;

	if (number == -1)
		return narrow(&c->rowid_low, &c->rowid_high, op, value);
	if (number == 0)
		return narrow(&c->run_low, &c->run_high, op, value);
	if (number < c->table->first)
		return narrow(&c->id_low, &c->id_high, op, value);
	c->by_column = number - c->table->first;
	return whole_number(value, &c->value);
}

/* Sets pos..end to the rows of profile i within the bounds. */
static void bound_rows(struct cursor *c, int64_t run, uint32_t rows)
{
	int64_t base = run * ((int64_t)1 << 32), low = c->id_low, high = c->id_high;

	if (c->rowid_low > base && c->rowid_low - base > low)
		low = c->rowid_low - base;
	if (c->rowid_high < base)
		high = 0;
	else if (c->rowid_high - base < high)
		high = c->rowid_high - base;
	if (low < 1)
		low = 1;
	if (high >= (int64_t)rows)
		high = (int64_t)rows - 1;
	c->pos = low <= high ? (uint32_t)low : 0;
	c->end = low <= high ? (uint32_t)high + 1 : 0;
}

/* The same for a lookup by value. Rows with equal values are in the order of rows. */
static void bound_order(struct cursor *c)
{
	const struct pk_column *column = &c->table->t->columns[c->by_column];
	bool zero_is_null = column->type != PK_COL_U32;

	if (c->value < zero_is_null || c->value > UINT32_MAX) {
		c->end = c->pos;
	} else if (!c->column[c->by_column]) {
		if (c->value != (int64_t)pk_column_default(column))
			c->end = c->pos;
	} else {
		uint32_t low = c->pos, high = c->end, from, to;

		c->order = pk_catalog_order(c->table->catalog, c->table->number, c->profile,
					    c->by_column);
		pk_order_range(
			c->order, c->column[c->by_column],
			pk_catalog_profile_rows(c->table->catalog, c->table->number, c->profile),
			(uint32_t)c->value, &from, &to);
		while (from < to && c->order[from] < low)
			from++;
		while (to > from && c->order[to - 1] >= high)
			to--;
		c->pos = from;
		c->end = to;
	}
}

/* Sets pos, end and columns for the first profile, from c->profile on, that has rows to visit. */
static void enter_profile(struct cursor *c)
{
	struct pk_catalog *catalog = c->table->catalog;
	const struct pk_table *t = c->table->t;

	for (; c->profile < catalog->list->count; c->profile++) {
		int64_t run = catalog->first_run + (int64_t)c->profile;
		const char *data;
		int i;

		if (run < c->run_low) {
			c->profile += (size_t)(c->run_low - run) - 1;
			continue;
		}
		if (run > c->run_high) {
			c->profile = catalog->list->count;
			return;
		}
		bound_rows(c, run, pk_catalog_profile_rows(catalog, c->table->number, c->profile));
		if (c->pos >= c->end)
			continue;
		data = pk_catalog_data(catalog, c->table->number, c->profile);
		c->p = catalog->list->item[c->profile];
		for (i = 0; i < t->column_count; i++)
			c->column[i] = *(void *const *)(data + t->columns[i].offset);
		c->order = NULL;
		if (c->by_column >= 0)
			bound_order(c);
		if (c->pos < c->end)
			return;
	}
}

static int filter(sqlite3_vtab_cursor *cursor, int plan_number, const char *plan, int argc,
		  sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)cursor;
	int i;

	(void)plan_number;
	c->run_low = c->id_low = c->rowid_low = INT64_MIN;
	c->run_high = c->id_high = c->rowid_high = INT64_MAX;
	c->by_column = -1;
	c->profile = 0;
	for (i = 0; i < argc; i++) {
		if (!apply(c, plan[2 * i], plan[2 * i + 1], argv[i])) {
			c->profile = c->table->catalog->list->count;
			return SQLITE_OK;
		}
	}
	enter_profile(c);
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *cursor)
{
	struct cursor *c = (struct cursor *)cursor;

	if (++c->pos >= c->end) {
		c->profile++;
		enter_profile(c);
	}
	return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *cursor)
{
	const struct cursor *c = (const struct cursor *)cursor;

	return c->profile >= c->table->catalog->list->count;
}

static void result_absent(sqlite3_context *context, const struct pk_column *column)
{
	int64_t value = (int64_t)pk_column_default(column);

	if (column->type == PK_COL_ENUM)
		sqlite3_result_text(context, column->names[0], -1, SQLITE_STATIC);
	else if (value == PK_NULL || column->type == PK_COL_REAL ||
		 (!value && column->type != PK_COL_U32 && column->type != PK_COL_U8))
		sqlite3_result_null(context);
	else
		sqlite3_result_int64(context, value);
}

/* A text that is not UTF-8 becomes a blob, so that no client fails on it. */
static void result_string(sqlite3_context *context, const struct pk_profile *p, uint32_t row)
{
	const char *text = p->string.text[row];
	uint32_t len = p->string.len[row];

	if (pk_utf8_valid(text, len))
		sqlite3_result_text64(context, text, len, SQLITE_STATIC, SQLITE_UTF8);
	else
		sqlite3_result_blob64(context, text, len, SQLITE_STATIC);
}

static void result_numbers(sqlite3_context *context, const struct pk_arg_table *t, uint32_t place)
{
	int64_t numbers[PK_MOST_NUMBERS];
	int count = pk_arg_unpack(t, place, numbers);
	char text[PK_ARG_LIST];

	if (count)
		sqlite3_result_text(context, text, (int)pk_arg_list(text, numbers, count),
				    SQLITE_TRANSIENT);
}

static void result_i64(sqlite3_context *context, int64_t value, int64_t null)
{
	if (value == null)
		sqlite3_result_null(context);
	else
		sqlite3_result_int64(context, value);
}

static int column_value(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int number)
{
	const struct cursor *c = (const struct cursor *)cursor;
	uint32_t row = c->order ? c->order[c->pos] : c->pos;
	int described = number - c->table->first;
	const struct pk_column *column;
	const void *data;

	if (described < 0) {
		sqlite3_result_int64(
			context, number ? row : c->table->catalog->first_run + (int64_t)c->profile);
		return SQLITE_OK;
	}
	column = &c->table->t->columns[described];
	data = c->column[described];
	if (!data) {
		result_absent(context, column);
		return SQLITE_OK;
	}
	switch (column->type) {
	case PK_COL_TEXT:
	case PK_COL_REF:
		result_i64(context, ((const uint32_t *)data)[row], 0);
		break;
	case PK_COL_U32:
		sqlite3_result_int64(context, ((const uint32_t *)data)[row]);
		break;
	case PK_COL_U64:
		result_i64(context, (int64_t)((const uint64_t *)data)[row], 0);
		break;
	case PK_COL_I64:
		result_i64(context, ((const int64_t *)data)[row], PK_NULL);
		break;
	case PK_COL_NUMBERS:
		result_numbers(context, &c->p->arg, ((const uint32_t *)data)[row]);
		break;
	case PK_COL_REAL: /* SQLite takes NaN for NULL */
		sqlite3_result_double(context, ((const double *)data)[row]);
		break;
	case PK_COL_ENUM:
		sqlite3_result_text(context, column->names[((const uint8_t *)data)[row]], -1,
				    SQLITE_STATIC);
		break;
	case PK_COL_U8:
		sqlite3_result_int(context, ((const uint8_t *)data)[row]);
		break;
	case PK_COL_BYTES:
		result_string(context, c->p, row);
		break;
	}
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
	*rowid = rowid_of((const struct cursor *)cursor);
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.iVersion = 2,
	.xCreate = connect_table,
	.xConnect = connect_table,
	.xBestIndex = best_index,
	.xDisconnect = disconnect_table,
	.xDestroy = disconnect_table,
	.xOpen = open_cursor,
	.xClose = close_cursor,
	.xFilter = filter,
	.xNext = next_row,
	.xEof = at_end,
	.xColumn = column_value,
	.xRowid = row_id,
};

static void release_catalog(void *catalog)
{
	pk_catalog_free(catalog);
}

struct pk_catalog *pk_catalog_attach(sqlite3 *db, const struct pk_profiles *list,
				     struct pk_error *err)
{
	struct pk_catalog *catalog = pk_catalog_new(list);
	int rc = sqlite3_create_module_v2(db, "profkit", &module, catalog, release_catalog), i;

	for (i = 0; rc == SQLITE_OK && i < PK_SQL_TABLE_COUNT; i++) {
		char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE main.%s USING profkit",
					    pk_sql_table(i)->name);

		rc = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
		sqlite3_free(sql);
	}
	if (rc == SQLITE_OK)
		rc = pk_catalog_functions(catalog, db);
	if (rc == SQLITE_OK)
		return catalog;
	pk_fail(err, PK_EIO, "SQLite: %s", sqlite3_errmsg(db));
	return NULL;
}

void pk_catalog_set_first_run(struct pk_catalog *catalog, int64_t run)
{
	catalog->first_run = run;
}
