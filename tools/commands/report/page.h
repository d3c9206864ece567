#pragma once

#include "analysis/match/match.h"
#include "tools/command.h"
#include "tools/commands/summary/summary.h"
#include "tools/table.h"
#include "writers/report/report.h"

/* The parts of struct pk_report that the command line gives. */

/* Sizes and checksums of the files of runs that are operands. */
struct pk_page_sums {
	const struct pk_profiles *runs[PK_SIDES]; /* NULL: none */
	int argc;
	char **argv;
	struct pk_sums *known;                 /* while they were read; NULL: not known */
	struct pk_report_file *file[PK_SIDES]; /* per run */
};
/* Computed when the page is made; `sums` must live until then. */
void pk_page_sum_up(struct pk_page_sums *sums, struct pk_report *r);
void pk_page_sums_release(struct pk_page_sums *sums);
/* The operands as words of a shell. */
void pk_page_files(struct pk_buf *files, int argc, char **argv);
/* The workers of the runs, which must live as long; NULL: there are none. */
struct pk_workers *pk_page_workers(const struct pk_profiles *runs);
void pk_page_workers_free(struct pk_workers *workers);
/* The words of `summary` about the profile. */
void pk_page_words(struct pk_buf *words, const struct pk_loaded *loaded, uint32_t metric,
		   const struct pk_summary_known *known);

/* Two sides, compared. */
struct pk_page_sides {
	const struct pk_common *common;
	const struct pk_profiles *sides; /* before, after */
	const struct pk_diff *diff;      /* judged */
	enum pk_measure measure;
	const uint32_t *order; /* see struct pk_report_comparison */
	uint32_t rows, left;
	const struct pk_match_options *match; /* that of the difference; NULL: none were given */
	const struct pk_check *check;         /* NULL: there are no rules */
	char **operands;                      /* those of both sides */
	int count, split;                     /* of these; of the side before */
	const char *more;                     /* options of `diff` besides these; NULL: none */
	const struct pk_opt_list *sources;    /* folders of sources of the side after; NULL: none */
	uint64_t max_size;
};
enum { PK_PAGE_SIZE = 5 << 20 }; /* unless something else is asked for */
/* The page of the side after and of the comparison. It leaves out the call paths of both sides if
 * one has none. */
int pk_page_compare(const struct pk_page_sides *s, struct pk_output *out, struct pk_error *err);
/* To -o or standard output. */
int pk_page_compare_to(const struct pk_page_sides *s, struct pk_error *err);
