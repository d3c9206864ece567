#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json/json.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/build/id_map.h"

/* Shared by the files of the speedscope reader; speedscope.c describes the format. */

__extension__ typedef __int128 speedscope_int;

/* A number as written: digits * 10^-scale. Digits beyond 64 bits are dropped. */
struct speedscope_decimal {
	int64_t digits;
	int32_t scale;
	bool is_number; /* false: NaN, null, text */
};

struct speedscope_unit {
	const char *name;   /* as in the file */
	const char *metric; /* name of the metric unless the file gives one */
	const char *base;   /* unit of the model; the file's unit is 10^shift of it */
	enum pk_metric_kind kind;
	int shift;
	int finest; /* decimals of the base unit that are kept */
};

enum { SPEEDSCOPE_NO_FRAME = UINT32_MAX - 1 }; /* stands for a value that is no frame number */

/* An event, or the weight of a sample, which is kept in the same list while it must wait. */
struct speedscope_event {
	bool weight, open;
	uint32_t frame;
	uint64_t offset; /* in the file, for messages */
	struct speedscope_decimal at;
};

struct speedscope {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;

	/* The file. Frames of call paths are numbers until the list of frames is read. */
	struct pk_buf title, exporter, text;
	struct speedscope_frame {
		struct pk_function function; /* name 0 = unknown */
		uint32_t column;
	} * frames; /* by number in the file */
	size_t frame_count, frame_alloc;
	struct pk_json_list stack;
	struct speedscope_known *known; /* call paths by the text of their stacks */
	bool has_frames, has_profiles;

	/* The profile that is being read. Its keys may come in any order: values that need unit,
	 * start and name wait in memory until these are known. Most files have them first. */
	struct pk_buf name, metric_name;
	const struct speedscope_unit *unit;
	struct speedscope_decimal start_value, end_value;
	bool named, starts, ends; /* these keys were there */
	bool begun;               /* values go to the builder as they come */
	bool complete;            /* all stacks were read, so weights need not wait */
	bool ours;                /* profkit wrote the file */
	bool is_estimated;
	uint64_t offset;
	uint32_t thread, metric;
	speedscope_int start, last; /* last: begin of the next sample; time of the last event */
	struct speedscope_event *waiting;
	size_t waiting_count, waiting_alloc;

	/* Its samples: the call path of each; the stack before, as numbers of frames from 1. */
	uint32_t *paths, *nodes, *numbers;
	size_t path_count, path_alloc, nodes_alloc, numbers_alloc, weight_count;
	char weight_text[40]; /* the weight before, which mostly comes again */
	size_t weight_len;
	speedscope_int weight;
	int64_t *times; /* of samples, in ns: what profkit writes beside the weights */
	size_t time_count, time_alloc;

	/* Its events: the frames that are open. */
	struct speedscope_open {
		uint32_t frame, node, span; /* span 0 = none */
	} * open;
	size_t open_count, open_alloc;
	bool counting;
	struct pk_id_map open_times; /* of a frame; kept once an event did not fit */
	uint32_t first_span;

	/* All profiles. */
	bool any, has_base;
	speedscope_int base, end; /* times count from base */
	struct speedscope_thread {
		uint64_t metrics; /* a bit for each that it has */
		uint32_t incarnations;
	} * threads; /* by thread of the builder */
	size_t thread_count, thread_alloc;
	struct speedscope_calls { /* spans of a profile, which are calls */
		uint32_t first, end, metric;
	} * calls;
	size_t call_count, call_alloc;
	uint64_t idle;            /* samples without a stack */
	uint64_t joined_columns;  /* frames that differ from others by column only */
	uint64_t sampled_metrics; /* a bit for each that a sampled profile has */
	bool ordered;             /* samples are kept, in the order of time */
	bool stuck;               /* the metric cannot be made finer: some value would not fit */
	int64_t *sum;             /* if not ordered: of each node, for s->metric and s->thread */
	uint32_t *summed;         /* the nodes with a sum */
	size_t sum_alloc, summed_count, summed_alloc;
	bool sum_cut;          /* one was beyond 64 bits */
	bool untimed;          /* profkit wrote samples without times */
	speedscope_int period; /* the last weight of the first metric */
	speedscope_int fixed;  /* converted last, which mostly comes again */
	int64_t value;         /* the same in units of the metric */
	enum { SPEEDSCOPE_NO_WEIGHT, SPEEDSCOPE_ONE_WEIGHT, SPEEDSCOPE_WEIGHTS } weights;
};

/* Functions that return int give -1 with s->err if --strict makes a repair an error. */

/* profile.c: a profile begins, at this offset of the file. */
void speedscope_begin(struct speedscope *s, uint64_t offset);
/* The value of "weights", a list whose first token was read. */
int speedscope_weights(struct speedscope *s);
/* The same for "times". */
int speedscope_times(struct speedscope *s);
int speedscope_event(struct speedscope *s, const struct speedscope_event *event);
int speedscope_end(struct speedscope *s);
/* Turns the sums so far into one sample without a time for each node. */
void speedscope_flush(struct speedscope *s);
int speedscope_repair(struct speedscope *s, const char *what, uint64_t offset);

/* stack.c: the value of "samples", a list whose first token was read. */
int speedscope_samples(struct speedscope *s);
/* The frame number that the last token is; SPEEDSCOPE_NO_FRAME if it is none. */
uint32_t speedscope_frame_number(const struct pk_json *j);
void speedscope_known_free(struct speedscope_known *known);

/* run.c: whether the exporter, "name@version", is one of these names, with a blank around each. */
bool speedscope_is_by(const struct speedscope *s, const char *names);
/* s->thread and s->is_estimated, from the name of the profile. */
void speedscope_find_thread(struct speedscope *s);
/* After the last profile: numbers become frames, costs are summed up, the run is described. */
int speedscope_finish(struct speedscope *s);

/* value.c */
struct speedscope_decimal speedscope_decimal(const char *text, size_t len);
/* The unit of this name; that of "none" if there is no such unit. */
const struct speedscope_unit *speedscope_unit(const char *name, size_t len);
/* The value in 10^-finest base units, rounded to nearest; at most 10^28, which is more than 64 bits
 * hold. */
speedscope_int speedscope_fixed(const struct speedscope_unit *unit, struct speedscope_decimal d);
/* The value in units of s->metric, whose exponent grows as needed. False if it was cut. */
bool speedscope_value(struct speedscope *s, speedscope_int fixed, int64_t *value);
/* ns from the base; PK_NULL where values are no times. */
int64_t speedscope_time(const struct speedscope *s, speedscope_int at);
