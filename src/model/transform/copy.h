#ifndef PK_COPY_H
#define PK_COPY_H

#include "base/error.h"
#include "base/num/hash.h"
#include "model/build/builder.h"
#include "model/profile.h"
#include "model/events/time_range.h"

/*
 * Carries the rows of a profile over into a builder, table by table, so that
 * transformations say only what changes. Ids of the source are mapped through
 * arrays; what was not mapped yet is interned on the way.
 */
struct pk_copy {
	struct pk_builder *b;
	const struct pk_profile *p;
	/* Changes a function before it is interned; NULL = as it is. Texts are ids in b. */
	void (*edit_function)(struct pk_copy *copy, uint32_t function, struct pk_function *edited);
	void *data;
	/* source id -> id in b, UINT32_MAX = not yet */
	uint32_t *string, *function, *location;
	uint32_t *process, *thread;
	uint32_t *metric;            /* 0 = left out, with what refers to it */
	uint32_t *node;              /* 0 = left out, with what refers to it */
	int64_t *factor;             /* per metric of p: values are multiplied by it */
	struct pk_time_range range;  /* samples, marks and spans outside are left out; spans cut */
	int64_t shift;               /* added to times */
	const bool *span, *instant;  /* rows that are kept at all; NULL = every one */
	const bool *counter_process; /* processes whose counters are kept; NULL = every one */
	bool whole;                  /* spans partly within the range are not cut */
	bool samples_gone;           /* no samples are kept */
};

void pk_copy_init(struct pk_copy *copy, struct pk_builder *b, const struct pk_profile *p);
void pk_copy_release(struct pk_copy *copy);

uint32_t pk_copy_string(struct pk_copy *copy, uint32_t string);
uint32_t pk_copy_function(struct pk_copy *copy, uint32_t function);
uint32_t pk_copy_location(struct pk_copy *copy, uint32_t location);

/* Run, meta and repairs; metrics; processes and threads. */
void pk_copy_run(struct pk_copy *copy);
void pk_copy_metrics(struct pk_copy *copy);
void pk_copy_threads(struct pk_copy *copy);
/* The last incarnation of each thread of a builder; zero at first. */
struct pk_last_threads {
	struct pk_index index; /* of the rows below seen */
	uint32_t seen;
};

/* The same, but no thread becomes one that is in b already: incarnations go on after the last
 * there. `last` is the same for all copies to b. */
void pk_copy_threads_apart(struct pk_copy *copy, struct pk_last_threads *last);
void pk_last_threads_release(struct pk_last_threads *last);
/* All call paths as they are. Others fill copy->node themselves. */
void pk_copy_nodes(struct pk_copy *copy);
/* What refers to threads, metrics, nodes and functions. keep(row's thread, node) decides; NULL
 * = everything. */
typedef bool pk_copy_keep(const struct pk_copy *copy, uint32_t thread, uint32_t node);
void pk_copy_costs(struct pk_copy *copy, pk_copy_keep *keep);
void pk_copy_edges(struct pk_copy *copy);
struct pk_edge pk_copy_edge(struct pk_copy *copy, uint32_t row); /* mapped, not pushed */
void pk_copy_lines(struct pk_copy *copy);
/* Samples, spans, marks, flows and their arguments. */
void pk_copy_events(struct pk_copy *copy, pk_copy_keep *keep);

bool pk_copy_in_range(const struct pk_copy *copy, int64_t time);
/* The part of a span that is within the range; false if there is none. */
bool pk_copy_cut_span(const struct pk_copy *copy, int64_t *time, int64_t *duration, uint32_t span);

/* Value times the factor of its metric; PK_NULL stays. */
int64_t pk_copy_value(const struct pk_copy *copy, uint32_t metric, int64_t value);

#endif
