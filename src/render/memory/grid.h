#pragma once

#include "analysis/memory/memory.h"
#include "base/json/write.h"
#include "base/text/str.h"
#include "render/grid.h"

/* The result of `memory` as a table, as lines above it, and as members of a JSON object. */

struct pk_memory_view {
	const struct pk_memory *memory;
	size_t rows;           /* of each list; 0 = all */
	bool functions, lines; /* which lists */
	uint32_t metric;       /* only the lists of this one; 0 = all */
	bool people;
	/* "alive at 1.5 s": what the metric leaked counts, in the words of the user; NULL: as the
	 * profile says it. */
	const char *moment;
};
void pk_memory_grid(struct pk_grid *g, const struct pk_memory_view *view);
extern const struct pk_grid_columns pk_memory_columns;
/* "peak 85.10 MB at 2.276 s of 4.158 s", and the known values of the end and of allocations. */
void pk_memory_summary(struct pk_buf *buf, const struct pk_memory_view *view);
/* Adds the meaning of the metric leaked: "alive at the end". */
void pk_memory_moment(struct pk_buf *buf, const struct pk_memory_view *view);
/* Words for the metric allocated, which may be less than the peak. */
const char *pk_memory_allocated(const struct pk_memory *memory);
/* The output of mprof peak for a file of mprof, with --func of a function ("__main__.work"; NULL).
 * Returns -1 with err for other files. */
int pk_mprof_peak(const struct pk_profile *p, const char *function, struct pk_output *out,
		  struct pk_error *err);
/* The memory that torch's allocator holds unused, and why memory ran out, a line each; nothing for
 * other profiles. */
void pk_memory_torch(struct pk_buf *buf, const struct pk_profile *p);
/* "rss of process 7", and if the counter is not just of memory "GPU 0 memory, allocated of ..." */
void pk_memory_series_name(struct pk_buf *buf, const struct pk_profile *p,
			   const struct pk_memory_series *s);
/* "rss of process 7 over time": what pk_memory_curve() is of. */
void pk_memory_curve_name(struct pk_buf *buf, const struct pk_memory *m);
/* A curve of memory over time in text, `width` columns wide. Nothing if it is not known. */
void pk_memory_plot(struct pk_buf *buf, const struct pk_memory *m, int width);
/* "peak", "end", "series": numbers in bytes and ns. */
void pk_memory_json(struct pk_json_writer *w, const struct pk_memory *m);
