#pragma once

#include <stdbool.h>
#include <stdint.h>

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
};

/* A new sequence, whose events are those of the track. */
void pk_perfetto_begin_sequence(struct pk_perfetto_out *c, uint64_t track);
/* Completes an event of the current sequence: c->event has its fields but the type. */
void pk_perfetto_end_event(struct pk_perfetto_out *c, int type, int64_t time);
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
