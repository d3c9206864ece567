#pragma once

#include "base/protobuf.h"
#include "base/text/str.h"
#include "readers/reader.h"

/* Entries of the dictionary's tables, by field number. The first entry of each means none. */
enum otlp_table {
	OTLP_MAPPINGS = 1,
	OTLP_LOCATIONS,
	OTLP_FUNCTIONS,
	OTLP_LINKS,
	OTLP_STRINGS,
	OTLP_ATTRIBUTES,
	OTLP_STACKS,
	OTLP_TABLES
};

struct otlp_entry {
	struct pk_proto message;
	/* string, mapping, function, node of a stack, number of an attribute in struct otlp; 0 =
	 * not yet */
	uint32_t built;
	uint32_t first, frames; /* of a location: in struct otlp.frame, innermost first */
};

struct otlp_attribute {
	uint32_t key, text, unit; /* strings */
	int64_t number;           /* PK_NULL: it is a text */
};

struct otlp {
	struct pk_builder *b;
	struct pk_error *err;
	const uint8_t *data;
	size_t len, expanded; /* frames of all stacks */
	struct {
		struct otlp_entry *entry;
		size_t count, alloc;
	} table[OTLP_TABLES];
	struct otlp_attribute *attribute; /* from 1: those that were referred to */
	size_t attributes, attribute_alloc;
	uint32_t *frame; /* locations of the model */
	size_t frames, frame_alloc;
	uint32_t *path, *node; /* of one stack */
	size_t path_alloc, node_alloc;

	uint32_t process;       /* of the resource that is read */
	uint32_t metric;        /* of the profile that is read */
	int64_t factor, *value; /* of one sample */
	uint64_t *time;
	size_t values, value_alloc, times, time_alloc;
	struct pk_label *label;
	size_t labels, label_alloc;
	int64_t first; /* of the times, where these are not wanted; PK_NULL = none */
};

/* The next field of the shape: 1, 0 at the end, -1 with err. */
int otlp_next(struct otlp *o, struct pk_proto *m, struct pk_proto_field *f,
	      const struct pk_proto_shape *shape);
int otlp_problem(struct otlp *o, const uint8_t *at, const char *problem);
/* Fails for a layout in which the same field numbers have other meanings. */
int otlp_older(struct otlp *o, const uint8_t *at);
int otlp_repair(struct otlp *o, const uint8_t *at, const char *what);

/* Entry of a table; NULL for the first one, and, counted as a repair, for one that is not there. */
int otlp_entry(struct otlp *o, const uint8_t *at, enum otlp_table table, uint64_t index,
	       struct otlp_entry **entry);
int otlp_read_dictionary(struct otlp *o, struct pk_proto m);
/* A text of the dictionary as a string of the model. */
int otlp_string(struct otlp *o, const uint8_t *at, uint64_t index, uint32_t *string);
/* The call path of a stack. */
int otlp_stack(struct otlp *o, const uint8_t *at, uint64_t index, uint32_t *node);

int otlp_attribute(struct otlp *o, const uint8_t *at, uint64_t index,
		   struct otlp_attribute *attribute);
/* AnyValue: a text, or a whole number. */
int otlp_value(struct otlp *o, struct pk_proto m, struct otlp_attribute *attribute);

int otlp_read_profile(struct otlp *o, struct pk_proto m);

/* The JSON form as the binary one. -1 with err. */
int otlp_from_json(struct pk_input *in, struct pk_builder *b, struct pk_buf *message,
		   struct pk_error *err);
