#pragma once

#include "analysis/lines/compare.h"
#include "analysis/lines/lines.h"
#include "base/io/source_text.h"
#include "render/grid.h"

/*
 * Source lines with their numbers beside them.
 */
enum pk_line_extent {
	PK_LINES_HOT,   /* lines with a share of their group, and those around them */
	PK_LINES_WITH,  /* lines with numbers, and those around them */
	PK_LINES_WHOLE, /* all of the function */
	PK_LINES_NEAR,  /* lines around lines->at */
};

struct pk_lines_view {
	enum pk_line_extent extent;
	uint32_t context;           /* lines around one that is shown */
	const char *const *folders; /* of sources, see pk_source_find */
	size_t folder_count;
	bool numbers_only; /* sources are neither read nor shown */
	bool plain_heads;  /* headings are names, without the share of the total */
};

/* Notes about the sources of the groups in the grid. */
struct pk_lines_sources {
	uint32_t missing;          /* files that were not found; "<string>" is none */
	const char *first_missing; /* text of the profile */
	struct pk_buf changed;     /* sentences: "app.py: changed since the recording: ..." */
};

/* The first `groups` groups. For people with context and headings, for machines only the lines with
 * numbers. Release sources.changed. */
void pk_lines_grid(struct pk_grid *g, const struct pk_lines *l, uint32_t groups,
		   const struct pk_lines_view *view, bool people, struct pk_lines_sources *sources);

/* "no source found for app.py: ...", if files were not found. */
void pk_lines_say_missing(struct pk_buf *buf, const struct pk_lines_sources *sources);

/* The `rows` lines with the most self of all functions, the first first, for people. */
void pk_hottest_lines_grid(struct pk_grid *g, const struct pk_lines *l, uint32_t rows);

/* The first `rows` functions or files of two sides: of the view, context counts. */
void pk_lines_diff_grid(struct pk_grid *g, const struct pk_lines_diff *d, uint32_t rows,
			const struct pk_lines_view *view, bool people);

extern const struct pk_grid_columns pk_lines_columns, pk_lines_diff_columns;
