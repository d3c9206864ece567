#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "base/protobuf.h"
#include "base/text/str.h"
#include "model/args/text.h"
#include "model/build/builder.h"
#include "model/build/id_map.h"
#include "model/build/near_ids.h"
#include "readers/chrome/internal.h"

/*
 * The reader of Perfetto's protobuf traces (see perfetto.c). Packets are taken one by one; what
 * they hold becomes events of the reader of Chrome's traces, which nests spans, links arrows, and
 * has the legacy events, which both formats have. What returns int: -1 with p->c.err.
 */

/* A field of bytes. */
struct pk_perfetto_bytes {
	const uint8_t *data;
	uint64_t len;
};

/* Kinds of interned data: numbers of the field of InternedData. */
enum pk_perfetto_kind {
	PK_PERFETTO_CATEGORIES,
	PK_PERFETTO_NAMES,
	PK_PERFETTO_ARG_NAMES,
	PK_PERFETTO_ARG_TEXTS,
	PK_PERFETTO_PLACES, /* source locations: p->places */
	PK_PERFETTO_FUNCTIONS,
	PK_PERFETTO_FILES,
	PK_PERFETTO_PATHS,
	PK_PERFETTO_BUILD_IDS,
	PK_PERFETTO_MAPPINGS,    /* mappings of the builder */
	PK_PERFETTO_FRAMES,      /* locations of the builder */
	PK_PERFETTO_STACKS,      /* nodes of the builder */
	PK_PERFETTO_TASKS,       /* p->contexts */
	PK_PERFETTO_EXECUTIONS,  /* p->contexts */
	PK_PERFETTO_ASYNCS,      /* p->asyncs */
	PK_PERFETTO_DESCRIPTORS, /* p->descriptors */
	PK_PERFETTO_CORRELATIONS,
	PK_PERFETTO_GPU_NAMES, /* of queues and stages */
	PK_PERFETTO_KINDS
};

/* A counter that goes with events: by position in their lists of values. */
struct pk_perfetto_uuids {
	uint64_t *uuid;
	uint32_t count, alloc;
};

enum { PK_PERFETTO_PERF_NAMES = 16, PK_PERFETTO_FOLLOWERS = 16 };

struct pk_perfetto_heap;

/* State of one writer of packets. */
struct pk_perfetto_sequence {
	uint32_t id, machine;
	uint32_t generation; /* how often its state was cleared */
	bool seen, valid;
	struct pk_near_ids ids[PK_PERFETTO_KINDS];
	/* Defaults. */
	bool has_track;
	uint64_t track;
	uint32_t clock; /* 0 = that of the trace */
	struct pk_perfetto_uuids counters, real_counters;
	/* The thread of packets with a thread descriptor. */
	bool has_thread;
	int64_t pid, tid;
	int64_t time_us, thread_time_us, instructions;
	uint32_t thread; /* the track of this thread; 0 = not yet */
	/* The track of the last event. */
	uint64_t last_uuid;
	uint32_t last_track;
	/* Of samples: strings that name what perf counts; rows of p->descriptors. */
	uint32_t perf_name[PK_PERFETTO_PERF_NAMES], perf_count;
	uint32_t descriptor, follower[PK_PERFETTO_FOLLOWERS], followers;
	uint32_t source;                     /* of samples: a string */
	uint32_t last_clock, last_clock_row; /* the clock of the last packet */
	uint32_t delayed, last_delayed; /* packets that wait for their clock: from 1, 0 = none */
	struct pk_perfetto_heap *heap;  /* of profiles of memory; NULL = there are none */
};

enum pk_perfetto_track_kind {
	PK_PERFETTO_OTHER,
	PK_PERFETTO_PROCESS,
	PK_PERFETTO_THREAD,
	PK_PERFETTO_COUNTER,
	PK_PERFETTO_STATE,
};

/* A track; threads[i] of the reader of Chrome's traces is what it becomes. */
struct pk_perfetto_track {
	uint64_t uuid, parent;
	uint32_t name;       /* string; 0 = none */
	uint32_t first_name; /* of its first event */
	uint32_t process;    /* index in p->c.processes, if it is or has one of its own */
	int64_t tid, sort;
	int64_t rank;           /* among its siblings; PK_NULL */
	uint32_t description;   /* string */
	uint8_t child_ordering; /* how its children are sorted: order.c */
	uint32_t incarnation;   /* of the thread */
	uint32_t same_as;       /* another track of the thread, 0 = none */
	uint32_t states;        /* row of the states of this thread, 0 = none */
	uint8_t kind;           /* enum pk_perfetto_track_kind */
	bool described, used, is_default;
	bool apart; /* marks of atrace are not to nest with the spans of this thread */
	/* Of counters. */
	uint32_t unit;  /* string */
	uint32_t owner; /* the track of its thread, if that has no uuid */
	int64_t multiplier;
	bool incremental;
	double value; /* the last one */
	struct pk_nest_open open;
	uint32_t sequence; /* number of the sequence that describes it, of generation */
	uint32_t generation;
};

struct pk_perfetto_count { /* a value of a counter */
	int64_t time;
	uint32_t track;
	double value;
};

struct pk_perfetto_state { /* an event of a track of states */
	int64_t time;
	uint32_t track, label, category, row; /* row: in the order of the file */
};

/* An event of the scheduler: it gave a CPU to another thread, or made a thread ready to run. */
enum pk_perfetto_switch_kind {
	PK_PERFETTO_SWITCH,
	PK_PERFETTO_COMPACT, /* without the thread that ran before */
	PK_PERFETTO_WAKING,
	PK_PERFETTO_COMPACT_WAKING, /* without the thread that woke it */
	PK_PERFETTO_NEW,
};
struct pk_perfetto_switch {
	int64_t time;
	uint32_t row;                           /* in the order of the file */
	uint32_t cpu, machine, name, prev_name; /* names: strings, 0 = none */
	int32_t tid, prev;                      /* the thread that runs or is ready; 0 = idle */
	uint16_t state;                         /* of the thread before */
	uint8_t kind;                           /* enum pk_perfetto_switch_kind */
};

struct pk_perfetto_mark {             /* of a program, by atrace */
	int64_t time, pid;            /* pid: PK_NULL */
	int64_t value;                /* of a counter; the id of what belongs to no thread */
	uint32_t row;                 /* in the order of the file */
	uint32_t machine, name, lane; /* name, lane: strings, 0 = none */
	int32_t tid;
	char phase;
};

struct pk_perfetto_descriptor { /* what samples count */
	uint32_t name, unit;    /* strings */
	int64_t multiplier;
	uint32_t metric; /* of the builder; 0 = not made yet */
	int exponent;
	bool exact; /* each counted event was recorded */
};

struct pk_perfetto_sample {
	int64_t time, value;
	uint32_t track, node, descriptor, event;
	uint32_t labels; /* a set */
};

/* Where and as what a sample was taken; tasks have the first two, executions the next two. */
enum pk_perfetto_mode { /* in the order of perf's samples */
			PK_PERFETTO_NO_MODE,
			PK_PERFETTO_KERNEL,
			PK_PERFETTO_USER,
			PK_PERFETTO_HYPERVISOR,
			PK_PERFETTO_GUEST_KERNEL,
			PK_PERFETTO_GUEST_USER,
};
struct pk_perfetto_context {
	uint32_t track;
	uint64_t async;         /* number of an async task; 0 = none */
	int64_t cpu;            /* PK_NULL */
	uint8_t mode;           /* enum pk_perfetto_mode */
	uint32_t source, error; /* strings: the profiler; why the stack is not whole */
};
struct pk_perfetto_async {
	uint32_t name, kind; /* strings */
	uint64_t parent;     /* number of another one */
};

/* The last values of a call path in a heap profile: bytes and numbers of allocations, of those
 * freed, and of those live at the peak. */
enum pk_perfetto_amount {
	PK_PERFETTO_ALLOCATED,
	PK_PERFETTO_ALLOCATIONS,
	PK_PERFETTO_FREED,
	PK_PERFETTO_FREES,
	PK_PERFETTO_PEAK,
	PK_PERFETTO_PEAK_COUNT,
	PK_PERFETTO_AMOUNTS
};
struct pk_perfetto_account {
	uint32_t track, node, heap; /* heap: the name of the allocator, a string; 0 = none */
	int64_t amount[PK_PERFETTO_AMOUNTS];
};
struct pk_perfetto_change { /* of the bytes that are live */
	int64_t time, bytes;
	uint32_t account;
};

/* Fields of a packet. Of has[] those of bytes are in data[]. */
enum pk_perfetto_field {
	PK_PERFETTO_PROCESS_TREE,
	PK_PERFETTO_CLOCK_SNAPSHOT,
	PK_PERFETTO_TRACK_EVENT,
	PK_PERFETTO_INTERNED,
	PK_PERFETTO_PROFILE,
	PK_PERFETTO_PROCESS_DESCRIPTOR,
	PK_PERFETTO_THREAD_DESCRIPTOR,
	PK_PERFETTO_ZLIB,
	PK_PERFETTO_STREAMING_PROFILE,
	PK_PERFETTO_DEFAULTS,
	PK_PERFETTO_TRACK_DESCRIPTOR,
	PK_PERFETTO_PERF_SAMPLE,
	PK_PERFETTO_ZSTD,
	PK_PERFETTO_STACK_SAMPLE,
	PK_PERFETTO_FTRACE,
	PK_PERFETTO_SYSTEM,
	PK_PERFETTO_SYMBOLS,
	PK_PERFETTO_RENDER_STAGE,
	PK_PERFETTO_FIELDS
};

struct pk_perfetto_packet {
	uint32_t has; /* bits of enum pk_perfetto_field */
	bool has_time, cleared, needs;
	bool other; /* has a message that is not read */
	uint32_t sequence, machine, clock;
	uint64_t time, dropped;
	struct pk_perfetto_bytes data[PK_PERFETTO_FIELDS];
};

/* A clock: pairs of its time and that of the trace, both ascending. */
struct pk_perfetto_clock {
	struct pk_perfetto_pair {
		int64_t time, trace;
	} * pair;
	uint32_t count, alloc, last;
	bool incremental;
	int64_t multiplier, value; /* ns of a unit; the last time of an incremental one */
};

/* Labels and sets of labels that were used last, by what they are made of. */
enum { PK_PERFETTO_RECENT = 256 };
/* The field of an event with arguments. */
enum {
	PK_PERFETTO_ANNOTATION = 4,
	PK_PERFETTO_ANNOTATION_HEAD = PK_PERFETTO_ANNOTATION << 3 | PK_PROTO_BYTES
};

enum pk_perfetto_need { PK_PERFETTO_UNKNOWN, PK_PERFETTO_NEEDED, PK_PERFETTO_SKIPPED };

/* Arguments that were seen (shapes.c). */
struct pk_perfetto_shapes {
	struct pk_perfetto_shape *item; /* [0] is not used */
	struct pk_buf keys;
	struct pk_index index; /* by key */
	uint32_t count, alloc;
	uint8_t *names; /* by string, of names of arguments: enum pk_perfetto_need */
	uint32_t name_alloc;

	/* Of the current event. */
	bool has_key;
	uint32_t key_len;
	uint64_t hash; /* of the key */
	int number_count;
	uint8_t key[512];
	int64_t number[PK_MOST_NUMBERS];
};

struct pk_perfetto {
	struct pk_chrome c;
	uint64_t offset; /* of the packet, for messages */
	bool wants_args;
	bool inner;                /* the packet was compressed */
	uint64_t packed, unpacked; /* bytes of all compressed packets so far */

	struct pk_perfetto_sequence **sequences; /* from 1 */
	uint32_t sequence_count, sequence_alloc, last_sequence;
	struct pk_id_map sequence_ids;

	struct pk_perfetto_track *tracks; /* from 1 */
	uint32_t track_alloc;
	struct pk_id_map track_ids;    /* by uuid */
	struct pk_id_map thread_ids;   /* tracks by process and tid */
	struct pk_id_map process_ids;  /* entries of c.processes by machine and pid: the last one */
	struct pk_id_map process_uses; /* by entry: how often its pid was used so far */
	struct pk_id_map implicit;     /* counters of threads that have no descriptor */
	bool ranked_processes, ranked_threads; /* are sorted by their ranks */
	struct pk_id_map described;            /* by entry of c.processes: index of its track */

	struct pk_perfetto_recent {
		uint32_t name, category, label;
	} recent[PK_PERFETTO_RECENT];

	struct pk_perfetto_count *counts;
	size_t count_count, count_alloc;
	struct pk_perfetto_state *states;
	uint32_t state_count, state_alloc;
	struct pk_perfetto_place {
		uint32_t file, function; /* strings */
		uint64_t line;
	} * places; /* source locations, from 1 */
	uint32_t place_count, place_alloc;

	struct pk_perfetto_clock *clocks; /* from 1 */
	uint32_t clock_count, clock_alloc;
	struct pk_id_map clock_ids;
	uint32_t trace_clock;
	struct pk_perfetto_delayed { /* packets that wait for their clock, or snapshots */
		uint8_t *data;
		uint64_t len, offset;
		uint32_t sequence, next; /* the next packet of the sequence */
	} * delayed;
	size_t delayed_count, delayed_alloc;
	bool flushing; /* the packets that wait are read now, for the last time */

	struct {
		int64_t times;
		uint64_t first;             /* place in the file */
	} untold[PK_PERFETTO_KINDS];        /* numbers that were used but never defined */
	uint64_t untold_uses;               /* of all kinds */
	uint64_t packet_bytes, named_bytes; /* of all packets; of interned texts named so far */
	struct pk_buf text;
	struct pk_perfetto_sample *samples;
	uint32_t sample_count, sample_alloc;
	struct pk_perfetto_context *contexts; /* of tasks and executions; from 1 */
	uint32_t context_count, context_alloc;
	struct pk_perfetto_async *asyncs; /* from 1 */
	uint32_t async_count, async_alloc;
	struct pk_perfetto_labelled { /* sets that were used last */
		struct pk_perfetto_context c;
		uint32_t async, parent, labels;
		bool known;
	} labelled[PK_PERFETTO_RECENT];
	struct pk_perfetto_descriptor *descriptors; /* from 1 */
	uint32_t descriptor_count, descriptor_alloc;
	uint32_t plain_descriptor, event_descriptor, weight_descriptor; /* 0 = not made yet */
	struct pk_perfetto_account *accounts;                           /* from 1 */
	uint32_t account_count, account_alloc;
	struct pk_id_map account_ids; /* by a hash of sequence, process, heap, stack */
	struct pk_perfetto_change *changes;
	size_t change_count, change_alloc;
	bool heap_sampled;
	/* Frames without a name, and names for them (symbols.c). */
	struct pk_perfetto_nameless {
		uint32_t location, mapping;
		uint64_t address;
	} * nameless;
	uint32_t nameless_count, nameless_alloc;
	struct pk_perfetto_line {
		uint32_t name, file, line; /* name, file: strings */
	} * lines;
	uint32_t line_count, line_alloc;
	struct pk_perfetto_symbol *symbols; /* from 1 */
	uint32_t symbol_count, symbol_alloc;
	struct pk_id_map symbol_ids; /* by a hash of file, build id and address */
	struct pk_perfetto_switch *switches;
	uint32_t switch_count, switch_alloc;
	struct pk_perfetto_mark *marks;
	uint32_t mark_count, mark_alloc;
	uint32_t release;        /* of the kernel: a string */
	struct pk_id_map gpus;   /* entries of c.processes by machine and number */
	struct pk_id_map queues; /* tracks by GPU and number or name */
	struct pk_perfetto_names {
		uint32_t *item, count, alloc; /* strings */
	} queue_names, stage_names;           /* of render stages, from 0 */
	struct pk_perfetto_shapes shapes;
};

/* repairs.c */
/* Counts a repair at the packet. */
int pk_perfetto_repair(struct pk_perfetto *p, const char *what);
/* Reports packets that were lost before this one; dropped: bits of previous_packet_dropped. */
int pk_perfetto_say_lost(struct pk_perfetto *p, uint64_t dropped);
/* Counts a use of a number that was never defined; reported when all is read. */
void pk_perfetto_untold(struct pk_perfetto *p, enum pk_perfetto_kind kind);
int pk_perfetto_say_untold(struct pk_perfetto *p);

/* For numbers that are defined, but stand for nothing: an empty text, for example. */
#define PK_PERFETTO_EMPTY UINT32_MAX
static inline void pk_perfetto_put_id(struct pk_perfetto_sequence *s, enum pk_perfetto_kind kind,
				      uint64_t iid, uint32_t row)
{
	pk_near_id_put(&s->ids[kind], iid, row ? row : PK_PERFETTO_EMPTY);
}
/* What the number stands for; 0: nothing, or it was never defined, which is counted. */
static inline uint32_t pk_perfetto_id(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
				      enum pk_perfetto_kind kind, uint64_t iid)
{
	uint32_t row = pk_near_id(&s->ids[kind], iid);

	if (row && row != PK_PERFETTO_EMPTY)
		return row;
	if (!row && iid)
		pk_perfetto_untold(p, kind);
	return 0;
}

/* packet.c */
int pk_perfetto_read_packet(struct pk_perfetto *p, const uint8_t *data, uint64_t len);
/* unpack.c */
int pk_perfetto_unpack(struct pk_perfetto *p, const struct pk_perfetto_packet *k);
/* Reads the packets that wait for a clock, of a sequence or (NULL) all. */
int pk_perfetto_flush(struct pk_perfetto *p, struct pk_perfetto_sequence *s);
void pk_perfetto_release_sequences(struct pk_perfetto *p);

/* interned.c */
int pk_perfetto_read_interned(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			      struct pk_perfetto_bytes data);
/* The text of field 2 by its number in field 1 (both of a message). */
uint32_t pk_perfetto_string(struct pk_perfetto *p, struct pk_perfetto_bytes text);
/* True if a text that is interned once may be copied once more: a short file must not become a huge
 * profile by using a long text often. */
bool pk_perfetto_afford(struct pk_perfetto *p, uint64_t len);
/* Adds a text to p->text, after the separator if it is not 0; false: that would be too long. */
bool pk_perfetto_join(struct pk_perfetto *p, char separator, const char *text, size_t len);

/* track.c */
int pk_perfetto_read_track(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			   struct pk_perfetto_bytes data);
void pk_perfetto_read_thread(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			     struct pk_perfetto_bytes data);
void pk_perfetto_read_process(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			      struct pk_perfetto_bytes data);
void pk_perfetto_read_process_tree(struct pk_perfetto *p, uint32_t machine,
				   struct pk_perfetto_bytes data);
uint32_t pk_perfetto_new_track(struct pk_perfetto *p, uint64_t uuid);
/* The track with this uuid, made if it is not there. */
uint32_t pk_perfetto_track(struct pk_perfetto *p, uint64_t uuid);
/* The tracks of a thread and of a process. */
uint32_t pk_perfetto_thread_track(struct pk_perfetto *p, uint32_t machine, int64_t pid,
				  int64_t tid);
uint32_t pk_perfetto_process_track(struct pk_perfetto *p, uint32_t machine, int64_t pid);
/* Entry of c.processes. */
uint32_t pk_perfetto_process(struct pk_perfetto *p, uint32_t machine, int64_t pid);

/* resolve.c: tracks become threads. */
int pk_perfetto_resolve(struct pk_perfetto *p);
/* The nearest track at or above this one that is in a process; 0 = none. */
uint32_t pk_perfetto_in_process(const struct pk_perfetto *p, uint32_t row);

/* order.c: positions of tracks, where descriptors tell how to sort them. */
void pk_perfetto_order_tracks(struct pk_perfetto *p);

/* clock.c */
int pk_perfetto_read_clocks(struct pk_perfetto *p, struct pk_perfetto_bytes data);
/* Converts to the time of the trace; returns false if the clock is not known, or the time makes no
 * sense (then *odd). */
bool pk_perfetto_time(struct pk_perfetto *p, struct pk_perfetto_sequence *s, uint32_t clock,
		      uint64_t time, int64_t *ns, bool *odd);
/* The time of something that has its own time beside that of its packet, on the clock MONOTONIC.
 * Without a snapshot it is kept as it is, and counted. */
int pk_perfetto_own_time(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t ns,
			 int64_t *time);
void pk_perfetto_release_clocks(struct pk_perfetto *p);

/* event.c */
struct pk_perfetto_event {
	uint8_t type;
	bool has_type, has_track, has_name, has_counter, has_delta, has_absolute;
	bool has_log; /* which is not read */
	bool has_stack, has_weight;
	bool has_legacy, has_counts, has_thread_delta, has_thread_absolute;
	bool has_instructions_delta, has_instructions_absolute;
	uint32_t categories; /* their number */
	uint64_t name_iid;
	const uint8_t *flows; /* the first field of arrows; NULL = none */
	const uint8_t *args;  /* the same of arguments */
	struct pk_perfetto_bytes category;
	struct pk_perfetto_bytes stack; /* or the number of one */
	/* What follows is not set where the fields above tell that there is none. */
	uint64_t track, category_iid, stack_iid;
	struct pk_perfetto_bytes name, legacy;
	int64_t time_us, thread_time_us, instructions;
	double counter_value;
	double weight; /* of the stack */
};
int pk_perfetto_read_event(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
			   struct pk_perfetto_bytes data);
uint32_t pk_perfetto_label(struct pk_perfetto *p, uint32_t name, uint32_t category);

/* Adds a span or an instant, its arguments, and the arrows that begin or end there. */
int pk_perfetto_store_span(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
			   int64_t time, int64_t duration, uint32_t track, uint32_t name,
			   uint32_t category, uint32_t *row);
/* The time of the last begin or end that is a span by now, or `time` if that is later. */
int64_t pk_perfetto_last_time(const struct pk_perfetto *p, int64_t time);
int pk_perfetto_store_instant(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			      const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
			      int64_t time, uint32_t track, uint32_t name, uint32_t category);

/* legacy.c */
struct pk_perfetto_legacy {
	char phase;               /* 0 = none */
	uint8_t direction, scope; /* of an arrow: 1 in, 2 out, 3 both; of an instant */
	bool has_id, local, has_bind, enclosing, has_pid, has_tid;
	uint64_t id, bind, name_iid;
	int64_t duration, pid, tid;
	struct pk_perfetto_bytes id_scope;
};
struct pk_perfetto_legacy pk_perfetto_read_legacy(struct pk_perfetto_bytes data);
/* An event without a type. name and category are strings. */
int pk_perfetto_store_legacy(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			     const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
			     const struct pk_perfetto_legacy *l, int64_t time, uint32_t track,
			     uint32_t name, uint32_t category);
void pk_perfetto_bind(struct pk_perfetto *p, const struct pk_perfetto_legacy *l, int64_t time,
		      uint32_t row, uint32_t category);

/* counter.c */
void pk_perfetto_add_count(struct pk_perfetto *p, int64_t time, uint32_t track, double value);
int pk_perfetto_count(struct pk_perfetto *p, const struct pk_perfetto_sequence *s, int64_t time,
		      uint32_t track, double value);
/* The values of a repeated field, packed or not, one after the other. */
struct pk_perfetto_values { /* list begins zeroed */
	struct pk_proto m, list;
	uint32_t number;
	bool real;
};
bool pk_perfetto_next_value(struct pk_perfetto_values *v, uint64_t *value);
/* Values that go with an event. */
int pk_perfetto_extra_counts(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
			     uint32_t track, const struct pk_perfetto_event *e,
			     struct pk_perfetto_bytes data);

/* args.c: arguments of an event as JSON, into c.args. Returns 1 if some had to be left out. */
int pk_perfetto_read_args(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			  struct pk_perfetto_bytes data);

/* shapes.c */
/* True if the builder does not want arguments of that name, a string. */
bool pk_perfetto_skips_name(struct pk_perfetto *p, uint32_t name);
/* True for an annotation that is not wanted. Most begin with the number of their name; of others
 * this is not known. */
static inline bool pk_perfetto_skips(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
				     const uint8_t *annotation, uint64_t len)
{
	const struct pk_perfetto_shapes *x = &p->shapes;
	uint32_t name = len > 1 && annotation[0] == 1 << 3 && annotation[1] < 0x80
				? pk_near_id(&s->ids[PK_PERFETTO_ARG_NAMES], annotation[1])
				: 0;

	if (!name || name == PK_PERFETTO_EMPTY)
		return false;
	if (name < x->name_alloc && x->names[name])
		return x->names[name] == PK_PERFETTO_SKIPPED;
	return pk_perfetto_skips_name(p, name);
}
/* Passes annotations that are not wanted, if their length takes one byte. */
static inline void pk_perfetto_pass_unwanted(struct pk_perfetto *p,
					     const struct pk_perfetto_sequence *s,
					     struct pk_proto *m)
{
	const uint8_t *at = m->at, *end = m->end;

	while (end - at >= 2 && at[0] == PK_PERFETTO_ANNOTATION_HEAD && at[1] < 0x80 &&
	       at[1] <= end - at - 2 && pk_perfetto_skips(p, s, at + 2, at[1]))
		at += 2 + at[1];
	m->at = at;
}
/* Adds the arguments of an event to a row, if their shape is known. */
bool pk_perfetto_put_shape(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   struct pk_perfetto_bytes data, enum pk_table_id table, uint32_t row);
/* Remembers the shape of arguments that could not be put so, and became this row of arguments.
 * named: p->named_bytes before that. */
void pk_perfetto_learn_shape(struct pk_perfetto *p, uint64_t named);
void pk_perfetto_release_shapes(struct pk_perfetto *p);

/* stack.c */
struct pk_perfetto_stack_fields { /* numbers of the fields with mappings, frames, stacks */
	uint8_t mapping, frame, stack;
};
int pk_perfetto_read_stacks(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			    const struct pk_perfetto_stack_fields *fields,
			    struct pk_perfetto_bytes data);
/* The bytes of a build id as hexadecimal digits. */
uint32_t pk_perfetto_build_id(struct pk_perfetto *p, const uint8_t *bytes, uint64_t len);
/* A stack that is not interned: a node. */
uint32_t pk_perfetto_inline_stack(struct pk_perfetto *p, struct pk_perfetto_bytes data);

/* context.c: iid is set if there is one. */
void pk_perfetto_read_task(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   struct pk_perfetto_bytes data, struct pk_perfetto_context *c,
			   uint64_t *iid);
void pk_perfetto_read_execution(struct pk_perfetto_bytes data, struct pk_perfetto_context *c,
				uint64_t *iid);
/* An interned one: of tasks, executions, or async tasks. */
void pk_perfetto_read_context(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			      enum pk_perfetto_kind kind, struct pk_perfetto_bytes data);
/* The set of labels of a sample, 0 if there is nothing to tell. */
uint32_t pk_perfetto_labels(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			    const struct pk_perfetto_context *c);

/* render_stage.c */
/* time: PK_NULL = not known */
int pk_perfetto_read_render_stage(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
				  int64_t time, struct pk_perfetto_bytes data);

/* symbols.c */
int pk_perfetto_read_symbols(struct pk_perfetto *p, struct pk_perfetto_bytes data);
/* A frame that a symbol may name; mapping: of the builder. */
void pk_perfetto_add_nameless(struct pk_perfetto *p, uint32_t location, uint32_t mapping,
			      uint64_t address);
/* Names frames by symbols when all is read; samples and accounts get other nodes. */
void pk_perfetto_name_frames(struct pk_perfetto *p);
void pk_perfetto_release_symbols(struct pk_perfetto *p);

/* sample.c */
void pk_perfetto_add_sample(struct pk_perfetto *p, const struct pk_perfetto_sample *sample);
/* The node of an interned stack. */
int pk_perfetto_find_stack(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   uint64_t iid, uint32_t *node);
/* The descriptor of samples that only count. */
uint32_t pk_perfetto_plain_descriptor(struct pk_perfetto *p);
/* The stack of an event of a track, and its weight. */
int pk_perfetto_event_stack(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			    int64_t time, uint32_t track, const struct pk_perfetto_event *e);
/* perf.c: pk_perfetto_read_perf_... */
int pk_perfetto_read_perf_sample(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				 int64_t time, struct pk_perfetto_bytes data);
int pk_perfetto_read_streaming(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			       struct pk_perfetto_bytes data);
int pk_perfetto_read_stack_sample(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				  int64_t time, struct pk_perfetto_bytes data);
void pk_perfetto_read_perf_defaults(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				    const uint8_t *data, uint64_t len);
void pk_perfetto_read_sample_defaults(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				      const uint8_t *data, uint64_t len);
void pk_perfetto_read_descriptor(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
				 struct pk_perfetto_bytes data);
void pk_perfetto_finish_samples(struct pk_perfetto *p);

/* ftrace.c */
int pk_perfetto_read_ftrace(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			    struct pk_perfetto_bytes data);
void pk_perfetto_read_system(struct pk_perfetto *p, struct pk_perfetto_bytes data);
/* Times of switches and marks on the clock of the trace, when all snapshots of clocks are read.
 * Leaves out those whose time is not known. */
int pk_perfetto_time_ftrace(struct pk_perfetto *p);

/* atrace.c: m has its time and thread; spans, instants and counters before tracks are threads. */
int pk_perfetto_read_mark(struct pk_perfetto *p, struct pk_perfetto_mark m,
			  struct pk_perfetto_bytes text);
int pk_perfetto_store_marks(struct pk_perfetto *p);

/* sched.c: rows of CPUs and of states of threads, before tracks are threads. */
int pk_perfetto_store_switches(struct pk_perfetto *p);

/* heap.c: time is that of the packet, or PK_NULL */
int pk_perfetto_read_heap(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
			  struct pk_perfetto_bytes data);
/* Stores the data that waits for more packets of its dump, because these were cut off. */
int pk_perfetto_end_heaps(struct pk_perfetto *p);
/* Adds costs and samples when tracks are threads. */
void pk_perfetto_finish_heaps(struct pk_perfetto *p);
void pk_perfetto_release_heap(struct pk_perfetto_heap *heap);
