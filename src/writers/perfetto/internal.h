#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/io/output.h"
#include "base/protobuf.h"
#include "base/text/str.h"
#include "model/build/id_map.h"
#include "model/profile.h"

/* The writer of Perfetto's traces (see perfetto.c): state that its files share. */

enum { PK_PERFETTO_BEGIN = 1, PK_PERFETTO_END, PK_PERFETTO_MOMENT, PK_PERFETTO_COUNTER };

/* A number that a sequence gave a text. */
struct pk_perfetto_iid {
	uint32_t sequence, iid;
};

/* Arguments or arrows by the row that they belong to: first[row], then next[]. */
struct pk_perfetto_lists {
	uint32_t *first, *next;
};

struct pk_perfetto_out {
	const struct pk_profile *p;
	struct pk_output *out;
	struct pk_buf buf;            /* packets that are complete */
	struct pk_buf packet, event;  /* of the packet that is being made */
	struct pk_buf texts, message; /* interned data of it; scratch */
	struct pk_buf args;
	int64_t base;       /* ns: time 0 of the profile on the clock of the trace */
	uint64_t *process;  /* uuids, by row */
	int64_t *pid;       /* by process */
	int64_t *tid;       /* by thread; PK_NULL: its track has a name alone */
	uint64_t last_uuid; /* uuids from 1 to this one are taken */

	/* The current sequence. */
	uint32_t sequence;
	int64_t time;                               /* of its last packet */
	struct pk_perfetto_iid *names, *categories; /* by function; by string */
	struct pk_id_map arg_names;                 /* by hash */
	uint32_t name_count, category_count;
	/* Of spans. */
	struct pk_perfetto_lists span_args, instant_args, from, to;
	int64_t lanes; /* spans on lanes of their own */
	/* Samples that are written: rows by time, and their metric. */
	uint32_t *samples, sample_count, metric;
	bool *sampled; /* by thread: it has some of them */
};

/* A new sequence; the field of its defaults has this message. */
void pk_perfetto_begin_sequence(struct pk_perfetto_out *c, uint32_t field,
				const struct pk_buf *defaults);
/* A new sequence, whose events are those of the track. */
void pk_perfetto_begin_events(struct pk_perfetto_out *c, uint64_t track);
/* Completes a packet of the current sequence: c->event is the message of this field. */
void pk_perfetto_end_packet(struct pk_perfetto_out *c, uint32_t field, int64_t time);
/* Completes an event of the current sequence: c->event has its fields but the type. */
void pk_perfetto_end_event(struct pk_perfetto_out *c, int type, int64_t time);
/* The number of the process of a thread. */
int64_t pk_perfetto_pid(const struct pk_perfetto_out *c, uint32_t thread);
void pk_perfetto_put_fixed(struct pk_buf *buf, uint32_t field, uint64_t value);
void pk_perfetto_put_message(struct pk_buf *buf, uint32_t field, const struct pk_buf *message);
/* The descriptor of a track with a name below another one; thread: whose events it has, 0 = none.
 */
void pk_perfetto_put_track(struct pk_perfetto_out *c, uint64_t uuid, uint64_t parent,
			   const char *name, size_t len, const struct pk_buf *counter,
			   uint32_t thread);

/* args.c: fields of an event for the arguments of a row. */
void pk_perfetto_put_args(struct pk_perfetto_out *c, const struct pk_perfetto_lists *lists,
			  uint32_t row);
/* events.c: spans and instants of a thread, whose track there is. */
void pk_perfetto_put_spans(struct pk_perfetto_out *c, uint32_t thread, uint64_t track,
			   uint32_t first, uint32_t after);
void pk_perfetto_put_instants(struct pk_perfetto_out *c, uint64_t track, const uint32_t *rows,
			      uint32_t count);
/* counters.c */
void pk_perfetto_put_counters(struct pk_perfetto_out *c);

/* samples.c */
/* Finds the samples of the metric, NULL: of the metric that has most; there may be none. */
int pk_perfetto_choose_samples(struct pk_perfetto_out *c, const char *name, struct pk_error *err);
void pk_perfetto_put_samples(struct pk_perfetto_out *c);
/* The metric whose written samples are the most, 0 = none; state: see pk_span_samples. */
uint32_t pk_perfetto_sampled_metric(const struct pk_profile *p, const uint8_t *state);
/* True if it is the metric that the reader gives samples: it counts them. */
bool pk_perfetto_only_counts(const struct pk_profile *p, uint32_t metric);
/* True if all labels have a place in samples: the CPU and its mode. */
bool pk_perfetto_knows_labels(const struct pk_profile *p);

/* stacks.c: what the sequence has been told about stacks. */
struct pk_perfetto_stacks {
	uint8_t *strings; /* bits */
	bool *mappings, *locations, *nodes;
	uint32_t *frame, frame_alloc;
};
void pk_perfetto_init_stacks(struct pk_perfetto_stacks *s, const struct pk_profile *p);
void pk_perfetto_release_stacks(struct pk_perfetto_stacks *s);
/* The number of the stack that ends in the node; adds what is new to the interned data. */
uint64_t pk_perfetto_put_stack(struct pk_perfetto_out *c, struct pk_perfetto_stacks *s,
			       uint32_t node);
