#pragma once

#include "base/num/hash.h"
#include "model/build/builder.h"
#include "model/events/time_range.h"
#include "model/profile.h"
#include "model/schema.h"

/*
 * Copies the rows of a profile into a builder, table by table; a transformation only states what
 * changes. Columns are those of schema.c: texts and references are mapped to what they became,
 * times are shifted, values multiplied, anything else is as it was. Functions and locations are
 * mapped when something refers to them.
 */
struct pk_copy {
	struct pk_builder *b;
	const struct pk_profile *p;
	/* Changes a function before it is interned; NULL = as it is. Texts are ids in b. */
	void (*edit_function)(struct pk_copy *copy, uint32_t function, struct pk_function *edited);
	void *data;
	/* By table: source row -> row in b; 0 = left out, with what refers to it. NULL for tables
	 * to which nothing was mapped. UINT32_MAX = not mapped yet (see pk_copy_is_lazy). */
	uint32_t *id[PK_TABLE_COUNT];
	/* The same, of the tables that transformations look at. */
	uint32_t *process, *thread, *metric, *node;
	int64_t *factor;             /* per metric of p: values are multiplied by it */
	struct pk_time_range range;  /* samples, marks and spans outside are left out; spans cut */
	int64_t shift;               /* added to times; 0 with a range */
	const bool *span, *instant;  /* rows that are kept at all; NULL = every one */
	const bool *counter_process; /* processes whose counters are kept; NULL = every one */
	bool whole;                  /* spans partly within the range are not cut */
	bool samples_gone;           /* no samples are kept */
	bool spans_gone;             /* nor spans */
	bool ranks;                  /* processes keep the rank of the run */
	uint64_t rest;               /* bit by table: p has columns whose join is PK_FIRST */
};

/* Rows of these become one where their keys are equal, and are mapped when they are referred to. */
static inline bool pk_copy_is_lazy(enum pk_table_id table)
{
	return table == PK_TABLE_STRING || table == PK_TABLE_FUNCTION ||
	       table == PK_TABLE_LOCATION || table == PK_TABLE_MAPPING ||
	       table == PK_TABLE_LABEL_SET;
}

void pk_copy_init(struct pk_copy *copy, struct pk_builder *b, const struct pk_profile *p);
void pk_copy_release(struct pk_copy *copy);

uint32_t pk_copy_string(struct pk_copy *copy, uint32_t string);
uint32_t pk_copy_function(struct pk_copy *copy, uint32_t function);
uint32_t pk_copy_location(struct pk_copy *copy, uint32_t location);
/* copy->id of a table, which is made if it is not there. */
uint32_t *pk_copy_map(struct pk_copy *copy, enum pk_table_id table);
/* The row in b that the target of a reference was mapped to. */
uint32_t pk_copy_id(struct pk_copy *copy, enum pk_table_id table, uint32_t row);

/* The run with meta, sources and repairs, or these alone; metrics; processes and threads. */
void pk_copy_run(struct pk_copy *copy);
void pk_copy_notes(struct pk_copy *copy);
void pk_copy_metrics(struct pk_copy *copy);
/* One metric; the others are left out. */
void pk_copy_metric(struct pk_copy *copy, uint32_t metric);
void pk_copy_threads(struct pk_copy *copy);
/* The last incarnation of each thread of a builder; zero at first. */
struct pk_last_threads {
	struct pk_index index; /* of the rows below seen */
	uint32_t seen;
};

/* The same, but no thread is joined with one that is in b already: the new incarnations follow the
 * last ones in b. `last` is the same for all copies to b. */
void pk_copy_threads_apart(struct pk_copy *copy, struct pk_last_threads *last);
void pk_last_threads_release(struct pk_last_threads *last);
/* All call paths as they are. Others place them themselves. */
void pk_copy_nodes(struct pk_copy *copy);
/* Makes copy->node[node] the path that ends in `location` of b below `parent` of b. */
void pk_copy_node(struct pk_copy *copy, uint32_t node, uint32_t parent, uint32_t location);
/* The run, metrics, processes and threads, as they are; and with all call paths and their costs. */
void pk_copy_begin(struct pk_copy *copy);
void pk_copy_paths(struct pk_copy *copy);
/* Copies the rows that refer to threads, metrics, nodes and functions. keep(row's thread, node,
 * labels) decides; NULL = everything. */
typedef bool pk_copy_keep(const struct pk_copy *copy, uint32_t thread, uint32_t node,
			  uint32_t labels);
void pk_copy_costs(struct pk_copy *copy, pk_copy_keep *keep);
void pk_copy_edges(struct pk_copy *copy);
/* Samples, spans, marks, flows and their arguments. */
void pk_copy_events(struct pk_copy *copy, pk_copy_keep *keep);
/* The rows of a table that `keep` marks (NULL = all), without those that refer to what was left
 * out or have a time out of range. */
void pk_copy_rows(struct pk_copy *copy, enum pk_table_id table, const bool *keep);
/* The numbers of these rows, ascending; the caller frees them. */
uint32_t *pk_copy_kept(struct pk_copy *copy, enum pk_table_id table, const bool *keep,
		       uint32_t *count);
/* Maps the functions and locations that rows refer to, in the order of the rows. */
void pk_copy_map_rows(struct pk_copy *copy, enum pk_table_id table, const uint32_t *rows,
		      uint32_t count);
/* Copies what a part knows of its runs. Call it after functions and metrics. */
void pk_copy_statistics(struct pk_copy *copy);
/* Appends rows whose functions and locations are mapped. */
void pk_copy_append(struct pk_copy *copy, enum pk_table_id table, const uint32_t *rows,
		    uint32_t count);
/* Copies one row over row `to` of b, except the columns of its key and those that are added up. */
void pk_copy_row(struct pk_copy *copy, enum pk_table_id table, uint32_t from, uint32_t to);
/* The same if the row is one of those from `rows_before` on: it was made for this one. */
void pk_copy_rest(struct pk_copy *copy, enum pk_table_id table, uint32_t from, uint32_t to,
		  uint32_t rows_before);
/* The value of a row of p as it is in b; or those of a list of rows, whose functions and locations
 * are mapped. */
uint64_t pk_copy_cell(struct pk_copy *copy, enum pk_table_id table, const struct pk_column *c,
		      uint32_t row);
void pk_copy_values(struct pk_copy *copy, enum pk_table_id table, const struct pk_column *c,
		    const uint32_t *rows, uint32_t count, uint64_t *value);

static inline bool pk_copy_has_range(const struct pk_copy *copy)
{
	return copy->range.from != INT64_MIN || copy->range.to != INT64_MAX;
}
bool pk_copy_in_range(const struct pk_copy *copy, int64_t time);
/* The part of a span that is within the range; false if there is none. */
bool pk_copy_cut_span(const struct pk_copy *copy, int64_t *time, int64_t *duration, uint32_t span);

/* Value times the factor of its metric; PK_NULL stays. */
int64_t pk_copy_value(const struct pk_copy *copy, uint32_t metric, int64_t value);
