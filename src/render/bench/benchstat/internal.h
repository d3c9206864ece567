#pragma once

#include <stdint.h>

#include "analysis/bench/benchstat.h"
#include "render/bench/benchstat/benchstat.h"

enum { PK_BENCHSTAT_NEEDED = 10 }; /* the largest number of values a side that benchstat names */

struct pk_benchstat_cell {
	size_t count; /* 0 = there is none */
	double *value;
	struct pk_benchstat_center c;
	bool varies; /* values that should be exact are not */
	bool open;   /* too few values for an interval */
	bool equal;  /* all values of this cell and its baseline */
	bool mixed;  /* it has values of several benchmarks, the last one is `name` */
	bool few;    /* too few to find a difference in this and its baseline */
	uint32_t name;
	double p; /* of the comparison with the first column; 0 = exact */
};

struct pk_benchstat_table {
	const char *config, *unit;
	bool exact, binary;
	size_t rows, columns;
	const char **row;               /* names */
	size_t *column;                 /* sides */
	struct pk_benchstat_cell *cell; /* row by row */
};

struct pk_benchstat {
	const struct pk_bench_side *side;
	const struct pk_benchstat_params *params;
	const char **key; /* of configurations */
	size_t keys, keys_alloc;
	struct pk_benchstat_table *table;
	size_t tables, tables_alloc;
};

/* The last row. Missing values are NaN. */
struct pk_benchstat_geomeans {
	double center, ratio;
	bool differs; /* not the benchmarks of the first column */
	bool unknown; /* the ratio to a zero */
};
void pk_benchstat_summarize(const struct pk_benchstat_table *t, size_t column,
			    struct pk_benchstat_geomeans *g);

static inline const struct pk_benchstat_cell *pk_benchstat_at(const struct pk_benchstat_table *t,
							      size_t row, size_t column)
{
	return &t->cell[row * t->columns + column];
}

/* The benchmark from which keys of rows and columns take values: see key.c. */
struct pk_benchstat_subject {
	const char *name;
	size_t len;
	const char *config, *file;
};
bool pk_benchstat_is_key(const char *key);
/* Append the value, "" if there is none; the name without parts that are rows or columns. */
void pk_benchstat_key_value(struct pk_buf *out, const struct pk_benchstat_subject *of,
			    const char *key, const struct pk_benchstat_params *params);
void pk_benchstat_full_name(struct pk_buf *out, const struct pk_benchstat_subject *of,
			    const struct pk_benchstat_params *params);

/* Append the texts of a cell: "55%", "+83.22%" or "~", "p=0.026 n=6". */
void pk_benchstat_range(struct pk_buf *buf, const struct pk_benchstat_cell *c);
void pk_benchstat_delta(struct pk_buf *buf, const struct pk_benchstat_cell *base,
			const struct pk_benchstat_cell *c, const struct pk_benchstat *b);
void pk_benchstat_test_text(struct pk_buf *buf, const struct pk_benchstat_cell *base,
			    const struct pk_benchstat_cell *c);
/* As Go's %v: the shortest decimal that reads back as the same number. */
void pk_benchstat_number(struct pk_buf *buf, double value);

/* Call `warn` for each remark: on the cell, on its comparison (base not NULL), on a last row. */
typedef void pk_benchstat_warn(void *data, const char *text);
void pk_benchstat_warn_cell(const struct pk_benchstat *b, const struct pk_benchstat_cell *c,
			    pk_benchstat_warn *warn, void *data);
void pk_benchstat_warn_test(const struct pk_benchstat *b, const struct pk_benchstat_cell *c,
			    pk_benchstat_warn *warn, void *data);
void pk_benchstat_warn_geomeans(const struct pk_benchstat_geomeans *g, bool first,
				pk_benchstat_warn *warn, void *data);

/* Append the table. */
void pk_benchstat_text(const struct pk_benchstat *b, const struct pk_benchstat_table *t,
		       struct pk_buf *out);
/* *line: the number of the next line. */
void pk_benchstat_csv(const struct pk_benchstat *b, const struct pk_benchstat_table *t,
		      struct pk_buf *out, struct pk_buf *notes, size_t *line);
