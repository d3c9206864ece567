#pragma once

#include "analysis/hotspots/hotspots.h"
#include "analysis/pstats/sort.h"
#include "base/text/str.h"
#include "tools/command.h"

/*
 * Functions that the commands with a table of functions or calls share.
 */
struct pk_table_frame {
	const struct pk_loaded *loaded;
	const struct pk_profile *profile; /* what is shown: loaded->one or made from it */
	uint32_t metric;
	int64_t total;
	size_t rows_total;
};

/* Appends the names of the inputs: all of them up to three. */
void pk_table_inputs(struct pk_buf *buf, const struct pk_profiles *runs);
/* Appends a value with its unit: fractions of a count as they are, times and bytes in a unit that
 * fits. */
void pk_table_value(struct pk_buf *buf, const struct pk_profile *p, uint32_t metric, int64_t value);
/* "12.34 ms (sampled; 2 more metrics: -m)" */
void pk_table_total(struct pk_buf *buf, const struct pk_profile *p, uint32_t metric, int64_t total);
/* "out.prof (pstats): time 12.34 ms", and with filters " with --focus parse" */
void pk_table_title(struct pk_buf *buf, const struct pk_table_frame *frame);
/* The same without an option that chooses another metric. */
void pk_table_page_title(struct pk_buf *buf, const struct pk_table_frame *frame);
/* Why shares are above 100 % or below 0 where pk_has_negative. */
#define PK_SHARES_OF_NEGATIVE \
	"shares above 100% or below 0 come of values below 0: the sum is less than its parts\n"
/* Appends a line about the functions beyond the first `shown`; nothing if there are none. */
void pk_table_left_out(struct pk_buf *buf, const struct pk_hotspots *h, size_t shown);
/* Members of the JSON object: inputs, metric, total, rows_total; data is the frame. */
void pk_table_members(struct pk_json_writer *w, void *data);
/* --sort and --reverse, or the order given. */
int pk_table_sort(const struct pk_common *c, enum pk_sort_key fallback, struct pk_sort *sort,
		  struct pk_error *err);
