#pragma once

#include "base/error.h"
#include "base/text/str.h"
#include "model/part/spread.h"
#include "model/transform/copy.h"

/*
 * Parts: sums of runs that can be added again, in any order and grouping, with the same result to
 * the byte. A part is a profile whose call paths and edges are the sums over its runs, by function,
 * without threads, lines, samples and the file's own floating-point numbers; beside them it has the
 * runs (table member), which tell runs that come twice, and how the values of functions differ
 * between them (spread, bucket). States such as leaked memory are added up over runs; a metric with
 * PK_AGGREGATE_MAX keeps its largest value.
 *
 * pk_merge_begin_part (transform.h) makes parts; these are its steps.
 */
struct pk_part_member {
	uint32_t digest, name, format, producer, command, host; /* strings of the builder */
	int64_t start, duration, rank;
};

struct pk_part_total {
	uint32_t member, metric, place;
	int64_t total, calls;
};

struct pk_part_collective { /* see struct pk_collective_table; ids of the builder */
	uint32_t communicator, name, type;
	bool guessed;
	int64_t place, size, bytes, ranks, time, exposed, shortest, longest;
	uint32_t shortest_in, shortest_gpu;
};

struct pk_reduction;
/* Adds to a part what analyses know of a run, which is its member of this number. */
typedef void pk_part_describe(struct pk_reduction *part, const struct pk_profile *p,
			      uint32_t member);

struct pk_reduction {
	struct pk_builder *b;
	struct pk_part_member *member; /* from 1 */
	uint32_t members, member_alloc;
	struct pk_index by_digest;
	struct pk_part_total *total;
	size_t totals, total_alloc;
	struct pk_spreads spreads;
	struct pk_part_collective *collective; /* from 1 */
	uint32_t collectives, collective_alloc;
	struct pk_index by_collective;
	pk_part_describe *describe; /* NULL: nothing */
	uint8_t *exponent;          /* by metric: of the values in spreads */
	uint32_t exponents, exponent_alloc;
	uint32_t *member_of; /* of the profile that is added: by its members, those here */
	struct pk_buf said;  /* what was left out: lines, each of which ends with a NUL */
};

struct pk_reduction *pk_part_new(struct pk_builder *b);
void pk_part_free(struct pk_reduction *part);

/* Notes the runs of copy->p: a run, or the members of a part. Returns 1 if they were added before,
 * and says so, and -1 if some of them were: sums cannot be undone. */
int pk_part_add_members(struct pk_reduction *part, struct pk_copy *copy, struct pk_error *err);
/* Reduces call paths to functions, and leaves out threads and labels. */
void pk_part_prepare(struct pk_copy *copy);
/* Call it after metrics were copied and their exponents aligned: scales the statistics that are
 * there to these. */
void pk_part_add_metrics(struct pk_reduction *part, struct pk_copy *copy);
/* Call it after functions and metrics were mapped. */
void pk_part_add_values(struct pk_reduction *part, struct pk_copy *copy);
/* Repairs of copy->p. */
void pk_part_add_repairs(struct pk_copy *copy);

/* Adds a row to a table that refers to members and texts of part->b alone. */
void pk_part_put(struct pk_reduction *part, enum pk_table_id table, const uint64_t *value,
		 int count);
/* Adds a collective of one rank, or what several ranks have of it. */
void pk_part_add_collective(struct pk_reduction *part, const struct pk_part_collective *c);
void pk_part_put_collectives(struct pk_reduction *part);
/* Adds the descriptions of the runs of copy->p, which is a part. */
void pk_part_add_descriptions(struct pk_reduction *part, struct pk_copy *copy);

/* Finishes the part; its rows have the same order however it was made. Takes the builder over. */
struct pk_profile *pk_part_finish(struct pk_reduction *part);
/* A step of pk_part_finish: p with its rows in an order that depends on their content alone. */
struct pk_profile *pk_part_canonical(const struct pk_profile *p);
