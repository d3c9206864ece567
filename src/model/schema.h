#ifndef PK_SCHEMA_H
#define PK_SCHEMA_H

#include <stdint.h>

#include "model/profile.h"

/*
 * The tables of profile.h, described: SQL schema, virtual tables, save, load and
 * dump are all derived from these descriptors, and so is the memory of columns.
 */
enum pk_column_type {
	PK_COL_TEXT,    /* uint32_t, id of a string; SQL: reference to string */
	PK_COL_REF,     /* uint32_t, row of another table; SQL: integer or NULL for 0 */
	PK_COL_U32,     /* uint32_t, a number; 0 is 0 */
	PK_COL_U64,     /* uint64_t, a number (address); SQL: integer, NULL for 0 */
	PK_COL_I64,     /* int64_t, NULL for PK_NULL */
	PK_COL_REAL,    /* double, NULL for NaN */
	PK_COL_ENUM,    /* uint8_t, one of names; SQL: its name */
	PK_COL_U8,      /* uint8_t, a small number or a flag */
	PK_COL_NUMBERS, /* uint32_t, place of a list of whole numbers; SQL: it as JSON, NULL for 0
			 */
	PK_COL_BYTES,   /* const char * with a length column beside it: string.text alone */
};

struct pk_column {
	const char *name;
	enum pk_column_type type;
	uint16_t offset; /* of the column's pointer within the table struct */
	bool optional;
	enum pk_table_id target;  /* PK_COL_REF: the table */
	const char *const *names; /* PK_COL_ENUM: NULL-terminated */
	const char *help;         /* one line */
};

struct pk_table {
	const char *name;
	uint16_t offset; /* of the table within struct pk_profile */
	bool has_id;     /* rows are referred to: SQL shows an `id` column */
	const struct pk_column *columns;
	int column_count;
	const char *help;
};

extern const struct pk_table pk_tables[PK_TABLE_COUNT];

/* Bytes that one row takes in a column of this type. */
size_t pk_column_size(enum pk_column_type type);

static inline void *pk_table_at(const struct pk_profile *p, const struct pk_table *t)
{
	return (char *)(uintptr_t)p + t->offset;
}

/* Rows of the table, row 0 included. The count is the first member of every table. */
static inline uint32_t pk_table_rows(const struct pk_profile *p, const struct pk_table *t)
{
	return *(const uint32_t *)pk_table_at(p, t);
}

/* Where the pointer to the column's values is kept; NULL there = absent (optional). */
static inline void **pk_column_at(const struct pk_profile *p, const struct pk_table *t,
				  const struct pk_column *c)
{
	return (void **)((char *)pk_table_at(p, t) + c->offset);
}

#endif
