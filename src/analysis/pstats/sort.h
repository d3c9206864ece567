#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/totals.h"

/*
 * The order of function tables: the keys of python's pstats, with its aliases,
 * prefixes and numbers, and `self` and `total`.
 */
enum pk_sort_key {
	PK_SORT_SELF,    /* self time, tottime, internal time: largest first */
	PK_SORT_TOTAL,   /* total, cumtime, cumulative: largest first */
	PK_SORT_CALLS,   /* ncalls: largest first */
	PK_SORT_PCALLS,  /* primitive calls: largest first */
	PK_SORT_FILE,    /* filename, module: ascending */
	PK_SORT_LINE,    /* ascending */
	PK_SORT_NAME,    /* ascending */
	PK_SORT_NFL,     /* name, file, line */
	PK_SORT_STDNAME, /* "file:line(name)" */
	PK_SORT_KEYS
};

struct pk_sort {
	enum pk_sort_key key[8]; /* major to minor */
	int count;               /* 0 = the order of the file */
	bool reverse;            /* the finished list is turned around, ties too */
	/* NaN is equal to everything, as in Python, with the resulting order */
	bool like_python;
};

/* The names that are shown; there are more. */
#define PK_SORT_NAMES \
	"self, total, calls, pcalls, tottime, cumtime, filename, line, name, nfl, stdname"

/* Reads "cumulative,name". Like pstats, takes every prefix of a name that is not
 * ambiguous, and -1, 0, 1, 2 for stdname, calls, time, cumulative. `reverse` is not touched. */
int pk_sort_parse(struct pk_sort *sort, const char *text, struct pk_error *err);

/* The name of the key in pstats: "internal time". */
const char *pk_sort_description(enum pk_sort_key key);

/* Sorts indices of rows; ties keep their order. The file's own numbers decide where all
 * rows have them (self_raw, total_raw). What is not known comes last. */
void pk_sort_functions(const struct pk_sort *sort, const struct pk_profile *p,
		       const struct pk_function_total *rows, uint32_t *order, uint32_t count);
/* By file, line and name. */
int pk_compare_functions(const struct pk_profile *p, uint32_t a, uint32_t b);
