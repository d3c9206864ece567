#pragma once

#include "analysis/lines/lines.h"
#include "analysis/lines/sources.h"
#include "analysis/match/match.h"

/*
 * Lines of two runs side by side. Functions are matched as everywhere (match.h), files by their
 * functions; the lines of a function or file by their text if both sources are there, as diff(1)
 * does it, otherwise by their distance from where it begins.
 */
struct pk_line_pair {
	uint32_t line[PK_SIDES]; /* 0: not on this side */
	bool has_cost;           /* on either side */
	int64_t total[PK_SIDES]; /* 0 without cost */
	int64_t hits[PK_SIDES];  /* PK_NULL = not known */
	const char *text;        /* of the side that has it, after first; NULL = no source */
	size_t len;
};

struct pk_lines_change {
	const struct pk_line_group *group[PK_SIDES]; /* NULL: not on this side */
	int64_t total[PK_SIDES];
	struct pk_line_pair
		*pair; /* in the order of the lines after; without source those with cost */
	uint32_t count, alloc;
};

struct pk_lines_diff {
	const struct pk_lines *side[PK_SIDES];
	struct pk_lines_change *change; /* the largest first */
	uint32_t count;
	struct pk_line_sources sources[PK_SIDES]; /* texts point into them */
};

struct pk_lines_diff_options {
	struct pk_match_options match;
	const struct pk_opt_list *folders[PK_SIDES]; /* of sources, see pk_source_find */
};
/* The lines must live as long as the result. */
int pk_lines_diff_init(struct pk_lines_diff *d, const struct pk_lines sides[PK_SIDES],
		       const struct pk_lines_diff_options *options, struct pk_error *err);
void pk_lines_diff_release(struct pk_lines_diff *d);
