#pragma once

#include "base/num/hash.h"
#include "base/text/str.h"
#include "model/args/known.h"
#include "model/build/builder.h"
#include "model/schema.h"

/* Where a repair of a piece was first seen. */
struct pk_repair_place {
	uint64_t line;
	uint32_t strings; /* in the table at that time */
};

enum { MOST_OPTIONAL = 8 }; /* columns of a table */

/* For what makes profiles: the files of this folder, copy.c, edges.c, nest.c. */
struct pk_builder {
	struct pk_profile *p;
	uint32_t alloc[PK_TABLE_COUNT]; /* rows that the columns of each table have room for */
	struct pk_optional { /* the optional columns that have memory, and their defaults */
		void **column;
		uint64_t value;
		size_t size;
	} optional[PK_TABLE_COUNT][MOST_OPTIONAL];
	uint8_t optionals[PK_TABLE_COUNT];
	bool strict, ordered;
	bool is_piece;                   /* pk_builder_new_piece */
	struct pk_repair_place *repairs; /* of a piece: by row */
	uint32_t repairs_alloc;
	unsigned wanted; /* enum pk_part */
	int64_t cut;     /* sums and products that 64 bits cannot hold */

	int64_t period; /* of the first metric, PK_NULL */

	struct pk_index strings, mappings, functions, locations, processes, threads, metrics;
	struct pk_index label_sets;
	uint32_t *label; /* string -> location that has nothing but this name */
	uint32_t *whole; /* function -> location that has nothing but the function */
	uint32_t label_alloc, whole_alloc;

	uint32_t *node_slot;           /* open addressing, see intern.c */
	uint32_t node_mask, nodes_put; /* slots - 1; taken slots */
	uint32_t node_ids;             /* the bits of a slot that hold a node */
	uint32_t *node_key;
	uint32_t node_key_alloc;

	struct pk_arg_known known_args;
	uint32_t patterns_new, patterns_found;
	struct pk_buf pattern; /* scratch: of arguments */
	uint8_t *patterns;     /* by string: seen before, and of use */
	uint32_t pattern_alloc;
	struct pk_last_arg last_arg;
	const char *const *arg_keys;   /* that are wanted; NULL = all */
	struct pk_kept_arg *kept_args; /* by string: see arg_keys.c */
	uint32_t kept_alloc;

	uint32_t *cost_head, *cost_next;
	uint32_t cost_head_count, cost_head_alloc, cost_next_alloc;
	struct pk_index cost_index;
};

/* Appends a row. The caller sets its values, except those of optional columns, which have their
 * default (rows 0 and 1 begin zeroed). */
uint32_t pk_builder_row(struct pk_builder *b, enum pk_table_id id);
/* Appends a row with these values of its first columns that are not optional. */
uint32_t pk_builder_put(struct pk_builder *b, enum pk_table_id id, const uint64_t *value,
			int count);
/* Appends rows, all of whose columns the caller sets; returns the first. */
uint32_t pk_builder_rows(struct pk_builder *b, enum pk_table_id id, uint32_t rows);

/* What is kept of arguments with that pattern; with that text. For builders with arg_keys. */
struct pk_kept_arg {
	uint32_t pattern; /* what is left of the pattern; 0 = nothing */
	bool seen;        /* pattern and numbers are known */
	bool asked, text; /* whether it is kept as a text is known; it is */
	uint64_t numbers; /* bits: those that are kept */
};
const struct pk_kept_arg *pk_builder_reduce_pattern(struct pk_builder *b, uint32_t pattern);
static inline const struct pk_kept_arg *pk_builder_kept_pattern(struct pk_builder *b,
								uint32_t pattern)
{
	if (pattern < b->kept_alloc && b->kept_args[pattern].seen)
		return &b->kept_args[pattern];
	return pk_builder_reduce_pattern(b, pattern);
}
bool pk_builder_keeps_text(struct pk_builder *b, uint32_t text);

/* Makes an optional column, if it is not there. column_pointer is the address of its pointer. */
void pk_builder_column(struct pk_builder *b, enum pk_table_id id, void *column_pointer);
/* Adds ns to all moments in the rows from[table] to to[table]; NULL: from the first, to the
 * last. */
void pk_builder_shift(struct pk_builder *b, const uint32_t *from, const uint32_t *to, int64_t ns);
/* pk_build_metric_refine for values that may saturate. */
void pk_builder_refine(struct pk_builder *b, uint32_t metric, int exponent);

/* pk_build_cost_of without a sample. */
bool pk_builder_add_cost(struct pk_builder *b, const struct pk_cost *cost);

/* Makes the costs of benchmarks the means of their values. */
void pk_builder_means(struct pk_builder *b);

/* The nodes of a piece, with its locations mapped, added to b: node[id in piece] = id in b. */
void pk_builder_join_nodes(struct pk_builder *b, struct pk_builder *piece, const uint32_t *location,
			   uint32_t *node);

void pk_builder_intern_release(struct pk_builder *b);
