/* Totals of functions as a table. */
#include "model/function_total.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/totals.h"

#define AT(column) .name = #column, .offset = offsetof(struct pk_function_total_table, column)

static const struct pk_column total_columns[] = {
	{AT(function), .type = PK_COL_REF, .target = PK_TABLE_FUNCTION, .help = "function"},
	{AT(metric), .type = PK_COL_REF, .target = PK_TABLE_METRIC,
	 .help = "metric of self and total"},
	{AT(calls), .type = PK_COL_I64, .help = "calls, recursive ones included"},
	{AT(primitive_calls), .type = PK_COL_I64,
	 .help = "calls while the function was not already active"},
	{AT(self), .type = PK_COL_I64, .help = "spent in the function itself"},
	{AT(total), .type = PK_COL_I64,
	 .help = "spent in the function and what it called; recursion counts once"},
	{AT(estimated), .type = PK_COL_U8,
	 .help = "1 = the numbers depend on call paths that the file did not contain"},
};

const struct pk_table pk_function_total = {
	.name = "function_total",
	.columns = total_columns,
	.column_count = sizeof(total_columns) / sizeof(total_columns[0]),
	.help = "functions as a whole, derived from edge or from cost and node",
};

void pk_function_totals_release(struct pk_function_total_table *t)
{
	free(t->function);
	free(t->metric);
	free(t->calls);
	free(t->primitive_calls);
	free(t->self);
	free(t->total);
	free(t->estimated);
}

static void grow_totals(struct pk_function_total_table *t, uint32_t rows)
{
	t->function = pk_realloc(t->function, pk_mul(rows, sizeof(*t->function)));
	t->metric = pk_realloc(t->metric, pk_mul(rows, sizeof(*t->metric)));
	t->calls = pk_realloc(t->calls, pk_mul(rows, sizeof(*t->calls)));
	t->primitive_calls = pk_realloc(t->primitive_calls, pk_mul(rows, sizeof(*t->calls)));
	t->self = pk_realloc(t->self, pk_mul(rows, sizeof(*t->self)));
	t->total = pk_realloc(t->total, pk_mul(rows, sizeof(*t->total)));
	t->estimated = pk_realloc(t->estimated, rows);
}

void pk_function_totals_init(struct pk_function_total_table *t, const struct pk_profile *p)
{
	*t = (struct pk_function_total_table){.count = 1};
	grow_totals(t, 1);
	for (uint32_t metric = 1; metric < p->metric.count; metric++) {
		struct pk_functions f;

		pk_functions_init(&f, p, metric);
		grow_totals(t, t->count + f.count);
		for (uint32_t i = 0; i < f.count; i++) {
			uint32_t row = t->count++;

			t->function[row] = f.row[i].function;
			t->metric[row] = metric;
			t->calls[row] = f.row[i].calls;
			t->primitive_calls[row] = f.row[i].primitive_calls;
			t->self[row] = f.row[i].self;
			t->total[row] = f.row[i].total;
			t->estimated[row] = f.row[i].estimated;
		}
		pk_functions_release(&f);
	}
}
