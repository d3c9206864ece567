#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/json/write.h"
#include "base/text/str.h"
#include "render/grid.h"
#include "writers/report/internal.h"

/*
 * Tables of the page besides functions and call paths. Each is the result of a command, made by the
 * functions that the command uses; each file of this folder adds those of one view.
 */
struct pk_report_table {
	const char *view,
		*name;       /* of the view in the page; of the table in it, "" = the only one */
	uint32_t metric;     /* row of the metrics of the page; UINT32_MAX: of none */
	struct pk_grid grid; /* its texts live as long as `result` */
	struct pk_buf words; /* lines above it */
	struct pk_buf notes; /* lines below it */
	uint32_t left;       /* rows, or groups of rows, that are not in the grid */
	void *result;
	void (*release)(void *result); /* frees it, too */
	/* Further members of the table, of its first rows; NULL. */
	void (*put_more)(struct pk_json_writer *w, const void *result, uint32_t rows);
};

struct pk_report_parts {
	const struct pk_profile *profile;
	struct pk_report_table *table;
	uint32_t count, alloc;
	const struct pk_report_time *time; /* NULL: the times of events are not known */
	struct pk_report_graphs *graphs;   /* NULL: it is no profile of functions */
	const struct pk_memory *memory;    /* of a table; NULL: not known */
};

/* A text of the page, cut if it is very long. */
void pk_report_text(struct pk_json_writer *w, const char *text, size_t len);

/* limit: of its boxes. */
void pk_report_time_json(struct pk_json_writer *w, const struct pk_report_time *time,
			 struct pk_report_names *names, uint32_t limit);

/* Adds an empty table, valid until the next is added. Its grid is still to be made. */
struct pk_report_table *pk_report_add_table(struct pk_report_parts *parts, const char *view,
					    const char *name);

struct pk_report_graphs *pk_report_graphs_new(const struct pk_report_data *d);
void pk_report_graphs_free(struct pk_report_graphs *graphs);
void pk_report_graphs_json(struct pk_json_writer *w, const struct pk_report_graphs *graphs,
			   const struct pk_profile *p, struct pk_report_names *names);

struct pk_memory;
void pk_report_memory_json(struct pk_json_writer *w, const struct pk_memory *memory);

void pk_report_add_benchmarks(struct pk_report_parts *parts, const struct pk_report_data *d);
void pk_report_add_lines(struct pk_report_parts *parts, const struct pk_report_data *d);
void pk_report_add_workers(struct pk_report_parts *parts, const struct pk_report_data *d);
void pk_report_add_gpu(struct pk_report_parts *parts, const struct pk_report_data *d);
void pk_report_add_memory(struct pk_report_parts *parts, const struct pk_report_data *d);
