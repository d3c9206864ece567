#ifndef PK_SPEEDSCOPE_PROFILE_H
#define PK_SPEEDSCOPE_PROFILE_H

#include "base/hash.h"
#include "base/str.h"
#include "readers/speedscope_value.h"

/*
 * One profile of a speedscope file after the other: its samples or events become samples and
 * spans of a thread.
 *
 * Keys come in any order. What needs the unit, the start or the name waits in memory until they
 * are known; files as they are written in practice have them first. Frames are numbers here.
 */
enum { PK_SPEEDSCOPE_NO_FRAME = UINT32_MAX - 1 }; /* number of what is no frame */

struct pk_speedscope_event {
	bool weight; /* it is none, but the weight of a sample: at */
	bool open;
	uint32_t frame;
	uint64_t offset; /* in the file, for messages */
	struct pk_speedscope_decimal at;
};

struct pk_speedscope_open {
	uint32_t frame, node, span; /* span 0 = it has none */
};

/* Spans of a thread that are calls. */
struct pk_speedscope_calls {
	uint32_t first, end, metric;
};

struct pk_speedscope {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_buf title, exporter; /* of the file */

	/* Of the profile that is being read. */
	struct pk_buf name, metric_name;
	const struct pk_speedscope_unit *unit;
	struct pk_speedscope_decimal start_value, end_value;
	bool named, starts, ends; /* their keys were there */
	bool begun, is_estimated, complete;
	uint64_t offset;
	uint32_t thread;
	struct pk_speedscope_metric metric;
	pk_speedscope_int start, last; /* last: where the next sample begins; time of the event */

	/* Samples: the path of each. */
	uint32_t *paths;
	size_t path_count, path_alloc, weight_count;
	struct pk_speedscope_event *waiting; /* events and weights */
	size_t waiting_count, waiting_alloc;
	char weight_text[40]; /* the weight before, which is mostly the same */
	size_t weight_len;
	pk_speedscope_int weight;

	/* The path of the stack before this one; numbers of frames from 1 on. */
	uint32_t *nodes, *frames;
	size_t nodes_alloc, frames_alloc;

	/* Events: the frames that are open; how often each is, once an event did not fit. */
	struct pk_speedscope_open *open;
	size_t open_count, open_alloc;
	bool counting;
	struct pk_index index;
	struct pk_speedscope_count {
		uint32_t frame, open;
	} * counts;
	size_t count_count, count_alloc;
	uint32_t first_span;

	/* Of all profiles. */
	bool any, has_base;
	pk_speedscope_int base, end;  /* times are from base */
	struct pk_speedscope_thread { /* of the builder's thread of this number */
		uint64_t metrics;     /* that it has, a bit each */
		uint32_t incarnations;
	} * threads;
	size_t thread_count, thread_alloc;
	struct pk_speedscope_calls *calls;
	size_t call_count, call_alloc;
	uint64_t idle;           /* samples without a stack */
	uint64_t joined_columns; /* frames that differ from others by their column alone */
	bool ordered;            /* samples are kept, in the order of time */
	int64_t *sum;            /* else: of each node, for the profile that is being read */
	size_t sum_alloc;
	uint32_t *summed; /* the nodes that have one */
	size_t summed_count, summed_alloc;
	bool sum_cut;             /* one was beyond 64 bits */
	pk_speedscope_int period; /* what every weight is in the first metric, if that is time */
	enum { PK_SPEEDSCOPE_NO_WEIGHT, PK_SPEEDSCOPE_ONE_WEIGHT, PK_SPEEDSCOPE_WEIGHTS } weights;
	uint64_t sampled_metrics; /* that a sampled profile has, a bit each */
	bool stuck;
};

void pk_speedscope_release(struct pk_speedscope *s);

/* All return -1 with err when --strict ends it. */
int pk_speedscope_begin(struct pk_speedscope *s, uint64_t offset);
/* A stack from the root on: `count` numbers of frames, of which the first `same` are those of the
 * stack before. Returns its call path. */
uint32_t pk_speedscope_stack(struct pk_speedscope *s, const uint32_t *frames, size_t count,
			     size_t same);
/* A stack whose call path is known from another one; 0 = it is empty. */
void pk_speedscope_path(struct pk_speedscope *s, uint32_t node);
int pk_speedscope_weight(struct pk_speedscope *s, const char *text, size_t len, uint64_t offset);
int pk_speedscope_event(struct pk_speedscope *s, const struct pk_speedscope_event *event);
/* All stacks are there: from here on weights need not wait. */
void pk_speedscope_stacks_end(struct pk_speedscope *s);
int pk_speedscope_end(struct pk_speedscope *s);
/* After the last one: frames are those of the builder, by number in the file. Adds up costs. */
int pk_speedscope_finish(struct pk_speedscope *s, const uint32_t *frames, size_t count);

/* Shared by speedscope_profile.c, speedscope_events.c and speedscope_sample.c. */
int pk_speedscope_mend(struct pk_speedscope *s, const char *what, uint64_t offset);
int pk_speedscope_put_event(struct pk_speedscope *s, const struct pk_speedscope_event *event);
/* Ends what is still open, with the profile. */
int pk_speedscope_end_open(struct pk_speedscope *s);
/* ns from the base, PK_NULL where values are no times. */
int64_t pk_speedscope_time(const struct pk_speedscope *s, pk_speedscope_int at);
void pk_speedscope_mark_estimated(struct pk_speedscope *s, uint32_t node);
/* A sample that begins at s->last. */
int pk_speedscope_put(struct pk_speedscope *s, uint32_t node, pk_speedscope_int value,
		      uint64_t offset);
/* At the end of a profile: one sample without a time for each sum. */
void pk_speedscope_put_sums(struct pk_speedscope *s);

#endif
