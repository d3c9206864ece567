#pragma once

#include "base/num/hash.h"
#include "base/num/units.h"
#include "base/protobuf.h"
#include "base/text/str.h"
#include "readers/native/mapped.h"
#include "readers/pprof/drop.h"
#include "readers/reader.h"

/* Rows, from 1, by the ids that a file gives them: any numbers, which mostly count from 1. */
struct pprof_ids {
	uint64_t *id; /* by row */
	uint32_t count, *row;
	size_t alloc, rows;
	struct pk_index others; /* ids that are much larger than their number */
};

struct pprof_mapping {
	uint64_t start, limit, offset, file, build_id; /* file, build_id: texts */
	uint8_t symbols;
	uint32_t built; /* mapping of the model */
};

struct pprof_function {
	uint64_t name, system_name, file; /* texts */
	uint32_t line, built;             /* function of the model; 0 = not yet */
};

struct pprof_location {
	uint64_t mapping, address;
	struct pk_proto message;
	uint32_t first, frames; /* in struct pprof.frame, outermost first; frames 0 = not yet */
	bool prunes, pruned;    /* drop_frames cuts stacks off here; with the whole location */
};

struct pprof_type {
	uint64_t name, unit; /* texts */
	uint32_t metric;     /* 0 = there is one of this name already */
	int64_t factor;
	const uint8_t *at;
};

struct pprof {
	struct pk_input *in;
	struct pk_builder *b;
	struct pk_error *err;
	bool ordered; /* samples are kept, not only their sums */
	const uint8_t *data;
	size_t len;

	struct pprof_text {
		const uint8_t *text;
		size_t len;
		/* Many messages may refer to it. */
		uint32_t string;      /* of the builder; 0 = not yet */
		bool judged, dropped; /* by drop_frames */
	} * text;
	size_t texts, text_alloc;
	struct pprof_ids mapping_ids, function_ids, location_ids;
	struct pprof_mapping *mapping;
	struct pprof_function *function;
	struct pprof_location *location;
	size_t mapping_alloc, function_alloc, location_alloc;
	uint32_t *frame; /* locations of the model */
	size_t frames, frame_alloc;

	struct pprof_type *type, period_type;
	size_t types, type_alloc;
	uint64_t *comment;
	size_t comments, comment_alloc;
	uint64_t drop_frames, keep_frames, default_type, doc_url; /* texts */
	int64_t time, duration, period;
	struct pprof_drop drop;
	struct pk_mapped *mapped;

	/* of one sample */
	uint32_t *stack; /* rows of locations, from the leaf */
	size_t depth, stack_alloc;
	int64_t *value;
	size_t values, value_alloc;
	struct pk_buf labels; /* their messages, each behind its length */
	struct pprof_step {
		uint32_t location, node; /* where its last frame ends */
	} * step;                        /* the last sample's, from the root */
	size_t steps, step_alloc;
	uint32_t *path, *node;
	size_t path_alloc, node_alloc;
	uint64_t expanded; /* frames of all stacks: bounds what locations of many lines multiply */
	struct pk_label *label;
	size_t label_alloc;

	/* Sums of samples; total has a value for each type. */
	struct pprof_sum {
		const uint8_t *stack;
		uint32_t len, node, set; /* set: a number from 1 */
	} * sum;
	size_t sums, sum_alloc, total_alloc;
	int64_t *total;
	struct pk_index sum_index;

	/* Sets of labels by their messages. */
	struct pprof_set {
		size_t at, len; /* in set_bytes */
		uint32_t labels, thread;
	} * set;
	size_t sets, set_alloc;
	struct pk_index set_index;
	struct pk_buf set_bytes;
};

extern const struct pk_proto_shape pprof_sample_shape, pprof_mapping_shape, pprof_location_shape,
	pprof_function_shape;

/* The next field of the shape: 1, 0 at the end, -1 with err. */
int pprof_next(struct pprof *p, struct pk_proto *m, struct pk_proto_field *f,
	       const struct pk_proto_shape *shape);
int pprof_problem(struct pprof *p, const uint8_t *at, const char *problem);
int pprof_repair(struct pprof *p, const uint8_t *at, const char *what);

/* The string of a text, 0 for "". Counts a text that is not there. */
int pprof_string(struct pprof *p, const uint8_t *at, uint64_t text, uint32_t *string);

int pprof_build_types(struct pprof *p);
void pprof_build_period(struct pprof *p);

/* Row of an id, 0 if it has none. */
uint32_t pprof_find(const struct pprof_ids *ids, uint64_t id);
void pprof_ids_release(struct pprof_ids *ids);
/* Read what samples refer to. */
int pprof_read_mapping(struct pprof *p, const struct pk_proto_field *f);
int pprof_read_function(struct pprof *p, const struct pk_proto_field *f);
int pprof_read_location(struct pprof *p, const struct pk_proto_field *f);
int pprof_build_mappings(struct pprof *p);
/* Makes the frames of a location that is in use. */
int pprof_build_location(struct pprof *p, struct pprof_location *l);

int pprof_read_sample(struct pprof *p, const struct pk_proto_field *f);
/* Gives the sums of all samples to the builder. */
void pprof_build_costs(struct pprof *p);
