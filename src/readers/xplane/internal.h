#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/io/input.h"
#include "base/num/hash.h"
#include "base/protobuf.h"
#include "base/text/str.h"
#include "model/args/text.h"
#include "model/build/builder.h"
#include "model/build/near_ids.h"
#include "model/events/nest.h"

/* The reader of XLA's recordings (see xplane.c). What returns int: -1 with x->err. */

/* Larger times are treated as wrong; sums and differences of the others fit into 64 bits. */
#define XPLANE_MAX_TIME ((int64_t)1 << 61)

struct xplane_bytes {
	const uint8_t *data;
	uint64_t len;
};

/* A message that is read from the current place of an input on. */
struct xplane_message {
	struct pk_input *in;
	uint64_t left;         /* bytes of it, from that place on */
	struct pk_proto piece; /* see xplane_next_piece */
};
static inline struct xplane_message xplane_message(struct pk_input *in, uint64_t len)
{
	return (struct xplane_message){.in = in, .left = len};
}

struct xplane_event { /* metadata of events, as a name and arguments that many of them have */
	struct xplane_bytes name, display, message;
	uint64_t place; /* of the message in the file */
	uint32_t label; /* 0 = not made yet */
	uint32_t args;  /* string: the arguments of events that have no others */
	bool has_args;
	bool shared; /* these were read, and alone are the label of such events */
	uint32_t alone;
	uint32_t shape; /* of the arguments of its last event, 0 = none */
};

struct xplane_stat { /* metadata of arguments: names, and texts that are values */
	struct xplane_bytes name;
	uint8_t meaning; /* enum xplane_meaning */
	bool needed;
	size_t quoted; /* place in x->quoted, 0 = not yet */
	size_t quoted_len;
	uint32_t label; /* of steps that are called so, 0 = not made yet */
	uint64_t used;  /* number of the event that has it */
	uint32_t place; /* in x->args of that event */
};

enum xplane_meaning {
	XPLANE_OTHER,
	XPLANE_CORRELATION,
	XPLANE_PRODUCER,
	XPLANE_PRODUCER_TYPE,
	XPLANE_CONSUMER,
	XPLANE_CONSUMER_TYPE,
	XPLANE_STEP_NAME,
	XPLANE_COPY,
	XPLANE_MEANINGS
};

/* Fields of a statistic: the number of its name, and values by type. */
enum {
	XPLANE_ID = 1,
	XPLANE_REAL,
	XPLANE_UNSIGNED,
	XPLANE_SIGNED,
	XPLANE_TEXT,
	XPLANE_BYTES,
	XPLANE_REFERENCE
};
enum { XPLANE_STATS_OF_EVENT = 4 };

struct xplane_arg { /* of one event */
	uint32_t stat;
	struct pk_proto_field value;
	size_t at; /* where x->text has the value; 0: it is not written */
	bool has_value;
};

struct xplane_end { /* of a flow */
	uint64_t type, id;
	int64_t time;
	uint32_t row;
};
struct xplane_ends {
	struct xplane_end *item;
	size_t count, alloc;
	bool seen; /* there are some, which are not wanted */
};

enum { XPLANE_MOST_OWN = 16 };
struct xplane_own { /* a statistic of an event itself */
	uint64_t value;
	const uint8_t *value_at;
	uint8_t id, type;
	bool is_short; /* a number that patterns leave out */
};

struct xplane_shapes {             /* of arguments in the current plane */
	struct xplane_shape *item; /* [0] is not used */
	uint64_t *word;            /* keys */
	size_t words, word_alloc;
	uint32_t count, alloc;
	struct pk_index index; /* by key */

	/* Of the current event. */
	bool has_key;
	uint32_t current; /* 0: none is known */
	uint32_t own_count, key_len;
	struct xplane_own own[XPLANE_MOST_OWN];
	uint64_t key[1 + 2 * XPLANE_MOST_OWN];
	int64_t number[PK_MOST_NUMBERS];
};

struct xplane {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_input *in;
	bool wants_args, wants_flows, skipped_args; /* skipped_args: there are some */
	uint64_t plane_bytes, named_bytes; /* of all planes; of texts that arguments share */
	int64_t profile_start;             /* ns since 1970, PK_NULL */
	uint32_t host_planes;

	/* Of the current plane. */
	uint64_t place;         /* in the file */
	struct pk_input *ahead; /* the content of the plane once more, up to the next line */
	uint64_t ahead_place;   /* where it begins */
	struct pk_arena texts;  /* names, and what else is needed of metadata */
	uint64_t id;
	struct xplane_bytes name;
	bool device, has_lines, has_streams, needs_args; /* needs_args: of any event */
	uint32_t process;                                /* 0 = not made yet */
	struct xplane_event *events;                     /* from 1 */
	struct xplane_stat *stats;                       /* from 1 */
	size_t event_alloc, stat_alloc;
	uint32_t event_count, stat_count;
	struct xplane_event unnamed; /* what events without a name have */
	struct pk_near_ids event_rows, stat_rows;
	struct pk_buf quoted;

	/* Of the current event. */
	uint64_t number;
	struct xplane_arg *args;
	size_t arg_alloc;
	uint32_t arg_count;
	uint32_t special[XPLANE_MEANINGS]; /* by meaning: place in args + 1 */
	bool incomplete;                   /* a repair of its arguments was counted */
	struct pk_buf text;
	size_t size_at; /* of a copy: where text has the size; 0: it is not written */
	struct xplane_shapes shapes;

	struct pk_nest_label *labels; /* [0] is not used */
	size_t label_alloc;
	uint32_t label_count;
	struct pk_id_map label_rows;  /* by name and whether it is of a device */
	struct pk_nest_thread *rules; /* by thread; the metric is whether it is of a device */
	size_t rule_alloc;
	struct xplane_ends producers, consumers;
	struct pk_nest nest;
	int64_t base; /* the first of all times, in the file */
};

/* The place in the file of what is in the window of x->in. */
uint64_t xplane_place(const struct xplane *x, const uint8_t *at);
/* Counts a repair, at a place in the file; in the window. */
int xplane_repair_at(struct xplane *x, uint64_t place, const char *what);
int xplane_repair(struct xplane *x, const uint8_t *at, const char *what);
/* True if a text that is in the file once may be copied once more: a short file must not become a
 * huge profile by using a long text often. */
bool xplane_afford(struct xplane *x, uint64_t len);

/* message.c */
/* The number and length of bytes: a field that begins there. Returns the place of their content;
 * NULL: it is no such field. */
const uint8_t *xplane_read_head(const uint8_t *at, size_t avail, struct pk_proto_field *f);
/* Finds the fields that are in the window, at least one, for pk_proto_next. at: where those before
 * end; NULL: there are none. Returns false at the end, or with m->piece.problem set. */
bool xplane_next_piece(struct xplane_message *m, const uint8_t *at);
/* Reads the next field, but of bytes only their number and length: their content is still in the
 * input, and the caller takes it from there, all of it. */
bool xplane_next_head(struct xplane_message *m, struct pk_proto_field *f);
/* The next bytes of the input: pk_input_peek with any length. */
const uint8_t *xplane_peek(struct pk_input *in, uint64_t len, size_t *avail);
struct xplane_bytes xplane_content(struct pk_input *in, uint64_t len);
/* Moves on, as pk_input_skip does, of any input. */
void xplane_pass(struct pk_input *in, uint64_t len);

/* plane.c */
/* Reads a plane of that length, which comes next in x->in. */
int xplane_read_plane(struct xplane *x, uint64_t len);
void xplane_release_plane(struct xplane *x);
/* A copy that lasts as long as the plane. */
struct xplane_bytes xplane_keep(struct xplane *x, struct xplane_bytes text);

/* line.c */
/* Reads a line of that length, which comes next in x->in. */
int xplane_read_line(struct xplane *x, uint64_t len);
/* `line` is read up to its first event. */
bool xplane_line_is_stream(struct xplane *x, struct xplane_message *line);

/* args.c */
bool xplane_needs(const struct xplane *x, const struct xplane_stat *s);
/* True if nothing has to be said of a value: it is whole, and of a known type. */
static inline bool xplane_is_plain(const struct xplane *x, const uint8_t *value, uint64_t len)
{
	struct pk_proto m = pk_proto(value, len);
	struct pk_proto_field f;

	if (!pk_proto_next(&m, &f) || m.at != m.end)
		return false;
	switch (f.number) {
	case XPLANE_REAL:
		return f.wire == PK_PROTO_FIXED64;
	case XPLANE_UNSIGNED:
	case XPLANE_SIGNED:
		return f.wire == PK_PROTO_VARINT;
	case XPLANE_TEXT:
		return f.wire == PK_PROTO_BYTES;
	case XPLANE_REFERENCE:
		return f.wire == PK_PROTO_VARINT && pk_near_id(&x->stat_rows, f.value);
	}
	return false;
}
/* True for a statistic that is not needed. Most begin with the number of their name; of others this
 * is not known. Where some arguments are wanted, repairs of all are. */
static inline bool xplane_skips(struct xplane *x, const uint8_t *at, uint64_t len)
{
	uint32_t row = len > 1 && at[0] == XPLANE_ID << 3 && at[1] < 0x80
			       ? pk_near_id(&x->stat_rows, at[1])
			       : 0;

	if (!row || x->stats[row].needed || (x->wants_args && !xplane_is_plain(x, at + 2, len - 2)))
		return false;
	x->skipped_args = true;
	return true;
}
/* Reads the arguments of an event: its own, and those of its metadata that it does not have
 * itself. */
int xplane_collect_args(struct xplane *x, struct xplane_event *meta, struct xplane_bytes message);
/* Adds the arguments. own: the event has arguments of its own. */
int xplane_put_args(struct xplane *x, struct xplane_event *meta, bool own, uint32_t span);
/* The value of a number; false: it is none. */
bool xplane_number(const struct xplane_arg *arg, uint64_t *value);
/* The text of a value; it has no data if that is no text. */
struct xplane_bytes xplane_text(const struct xplane *x, const struct xplane_arg *arg);
/* The statistic in a message; false: it has no name that is known. */
bool xplane_parse_stat(const struct xplane *x, struct xplane_bytes message, struct xplane_arg *arg);
enum xplane_meaning xplane_meaning_of(struct xplane_bytes name);
bool xplane_is_link(enum xplane_meaning meaning);

/* shapes.c */
/* True if the arguments of an event of this row of metadata have a known shape. */
bool xplane_find_shape(struct xplane *x, uint32_t event, struct xplane_bytes stats);
/* Adds the arguments. False: there is no room for the numbers, and the arguments are missing. */
bool xplane_put_shape(struct xplane *x, uint32_t span, int64_t time, bool work);
/* Remembers the shape of arguments that were read otherwise. given, named: pk_last_arg.number and
 * x->named_bytes before that. */
void xplane_learn_shape(struct xplane *x, uint64_t given, uint64_t named);
void xplane_clear_shapes(struct xplane *x);

/* about.c: facts about the program and machine in planes */
void xplane_read_about(struct xplane *x, struct xplane_bytes message);

/* finish.c */
void xplane_see_flows(struct xplane *x, enum xplane_meaning meaning);
void xplane_add_ends(struct xplane *x, uint32_t span, int64_t time, bool work);
int xplane_finish(struct xplane *x);

static inline bool xplane_is(struct xplane_bytes text, const char *name, size_t len)
{
	return text.len == len && !__builtin_memcmp(text.data, name, len);
}
#define XPLANE_IS(text, name) xplane_is(text, name, sizeof(name) - 1)
