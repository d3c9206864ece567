#pragma once

#include "model/schema.h"

/*
 * Totals of functions as a table, for users of SQL and Parquet, because computing them in SQL is
 * slow. The table is derived from the others, so it is never read back.
 */
struct pk_function_total_table {
	uint32_t count;
	uint32_t *function, *metric;
	int64_t *calls, *primitive_calls; /* PK_NULL */
	int64_t *self, *total;
	uint8_t *estimated;
};

/* Its columns, in struct pk_function_total_table. */
extern const struct pk_table pk_function_total;

void pk_function_totals_init(struct pk_function_total_table *t, const struct pk_profile *p);
void pk_function_totals_release(struct pk_function_total_table *t);
