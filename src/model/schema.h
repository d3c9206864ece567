#pragma once

#include <stdint.h>

#include "model/profile.h"

/*
 * Descriptions of the tables of profile.h. The memory of columns, SQL, save, load, JSON and the
 * dump are loops over these descriptors; so are copying, selecting, joining and merging profiles,
 * which need to know what a column refers to, what its values count, and what becomes of it where
 * rows become one. A new column is a line in the struct and one in schema.c.
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
	PK_COL_NUMBERS, /* uint32_t, place of a list of whole numbers; SQL: it as JSON, NULL for
			   0 */
	PK_COL_BYTES,   /* const char * with a length column beside it: string.text alone */
};

/* What the numbers of a column mean: decides how they are shifted in time and multiplied. */
enum pk_column_unit {
	PK_PLAIN,
	PK_MOMENT, /* ns from the start of the run */
	PK_AMOUNT, /* in the unit of the row's metric */
	PK_SERIAL, /* numbers from 1 of things that have no table */
};

/* How the values of a column are joined where several rows become one. */
enum pk_column_join {
	PK_FIRST, /* the value of the first row stays */
	/* rows become one only if their values are equal; for runs, which always become one, the
	 * value is kept if all runs have the same */
	PK_KEY,
	PK_SUM,  /* values that are known are added */
	PK_MOST, /* the larger value */
};

struct pk_column {
	const char *name;
	enum pk_column_type type;
	uint16_t offset; /* of the column's pointer within the table struct */
	bool optional;
	/* the value of every row where an optional column has no memory, if it is not 0, PK_NULL
	 * or NaN */
	uint8_t absent;
	enum pk_column_unit unit;
	enum pk_column_join join;
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
static inline size_t pk_column_size(enum pk_column_type type)
{
	switch (type) {
	case PK_COL_TEXT:
	case PK_COL_REF:
	case PK_COL_U32:
	case PK_COL_NUMBERS:
		return sizeof(uint32_t);
	case PK_COL_U64:
	case PK_COL_I64:
		return sizeof(int64_t);
	case PK_COL_REAL:
		return sizeof(double);
	case PK_COL_ENUM:
	case PK_COL_U8:
		return sizeof(uint8_t);
	case PK_COL_BYTES:
		return sizeof(char *);
	}
	return 0;
}
/* The value of all rows of an optional column that has no memory; for reals the bits of NaN. */
uint64_t pk_column_default(const struct pk_column *c);
/* Sets the rows from..to of the column at `data` to it. */
void pk_column_fill(const struct pk_column *c, void *data, uint32_t from, uint32_t to);
/* A value as it is in memory, as 64 bits; and back. */
static inline uint64_t pk_column_get(const struct pk_column *c, const void *data, uint32_t row)
{
	switch (pk_column_size(c->type)) {
	case sizeof(uint64_t):
		return ((const uint64_t *)data)[row];
	case sizeof(uint32_t):
		return ((const uint32_t *)data)[row];
	default:
		return ((const uint8_t *)data)[row];
	}
}

static inline void pk_column_put(const struct pk_column *c, void *data, uint32_t row,
				 uint64_t value)
{
	switch (pk_column_size(c->type)) {
	case sizeof(uint64_t):
		((uint64_t *)data)[row] = value;
		break;
	case sizeof(uint32_t):
		((uint32_t *)data)[row] = (uint32_t)value;
		break;
	default:
		((uint8_t *)data)[row] = (uint8_t)value;
		break;
	}
}

/* The metric of the rows of a table that has amounts; NULL: they are all of metric 1. */
const uint32_t *pk_table_metrics(const struct pk_profile *p, const struct pk_table *t);

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
