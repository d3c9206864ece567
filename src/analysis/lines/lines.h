#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/pstats/sort.h"
#include "base/error.h"
#include "model/totals.h"

/*
 * The cost of source lines, in one metric: of each line that was executed, in groups, which are
 * functions, or files if these were asked for.
 */
#define PK_LINES_MORE 8
struct pk_lines_options {
	struct pk_sort sort; /* of the groups */
	/* FUNCTION, FILE or FILE:LINE: only this; NULL = all. A function is a name, the last part
	 * of one
	 * ("find" of "Tree.find"), or else a handle (pk_function_of_handle), or else a RE; a file
	 * is a path or the end of one. */
	const char *target;
	const uint32_t *more; /* further metrics, at most PK_LINES_MORE, besides hits */
	uint32_t more_count;
	double min_share;   /* only groups with at least this share of the total */
	bool by_file;       /* groups are files, also without a target */
	bool whole_file;    /* FILE:LINE asks for all of the file */
	bool may_be_absent; /* no group is no error */
};

struct pk_line {
	uint32_t line; /* 0 = the place in the function is not known */
	uint32_t function;
	/* total counts a line once that is on a call path several times */
	int64_t self, total;
	int64_t hits;       /* PK_NULL = not known */
	int64_t file_total; /* of the file, for shares */
};

struct pk_line_group {
	uint32_t function,
		file;          /* file: string; of a group of a file, function is the first of it */
	uint32_t first, count; /* rows: by line, the one of line 0 left out */
	int64_t self, total;
};

struct pk_lines {
	const struct pk_profile *profile;
	uint32_t metric;
	bool by_file; /* groups are files */
	bool counted; /* hits are known of some line */
	bool nested;  /* the total of some line is more than its self */
	uint32_t at;  /* line that was asked for; 0 = none */
	struct pk_line *row;
	uint32_t row_count;
	uint32_t more_metric[PK_LINES_MORE], more_count;
	int64_t *more;               /* row * more_count + number: self; NULL */
	struct pk_line_group *group; /* as sorted */
	uint32_t group_count;
	int64_t total;    /* of the profile: the 100 % */
	int64_t unplaced; /* self of paths whose line is not known */
};

/* The profile must live as long as the result. -1 if it has no lines, or nothing is called
 * target. */
int pk_lines_init(struct pk_lines *l, const struct pk_profile *p, uint32_t metric,
		  const struct pk_lines_options *options, struct pk_error *err);
void pk_lines_release(struct pk_lines *l);
/* True if the cost of a line includes the functions that it calls, as line_profiler measures it. */
bool pk_lines_include_calls(const struct pk_profile *p);
/* True if some location has a line. */
bool pk_has_lines(const struct pk_profile *p);
/* True if the file is `name`, or its path ends in it. */
bool pk_is_file_named(const char *file, const char *name);
