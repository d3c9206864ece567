#pragma once

#include "base/pickle/pickle.h"
#include "base/text/str.h"
#include "model/build/id_map.h"
#include "readers/heap/heap.h"
#include "readers/reader.h"

/* The content of a snapshot of torch's memory (snapshot.c reads it), from which account.c makes a
 * profile. An event takes 32 bytes, and 8 or 16 in the memo of the pickle. */
enum torch_action {
	TORCH_OTHER,
	TORCH_ALLOC,
	TORCH_FREE_REQUESTED,
	TORCH_FREE_COMPLETED,
	TORCH_SEGMENT_ALLOC,
	TORCH_SEGMENT_FREE,
	TORCH_SEGMENT_MAP,
	TORCH_SEGMENT_UNMAP,
	TORCH_OOM,
	TORCH_SNAPSHOT,
};

enum torch_state { TORCH_INACTIVE, TORCH_ACTIVE, TORCH_PENDING };

#define TORCH_NO_ADDRESS UINT64_MAX

struct torch_event {
	uint64_t address; /* of TORCH_OOM: bytes that the driver had left */
	int64_t size;
	int64_t time;     /* ns since 1970, PK_NULL */
	uint32_t node;    /* call path, 0 = not known */
	uint16_t stream;  /* place in torch->stream */
	uint8_t action;   /* enum torch_action */
	uint8_t category; /* place in torch->category, 0 = none */
};

struct torch_block {
	uint64_t address; /* TORCH_NO_ADDRESS: it follows the one before */
	int64_t size, requested;
	uint32_t node;
	uint8_t state; /* enum torch_state */
};

struct torch_segment {
	uint64_t address;
	int64_t total, allocated, active, requested;
	uint32_t device, type; /* a string */
	uint32_t pool, block, blocks;
	uint16_t stream;
	bool expandable;
};

struct torch_annotation {
	int64_t time;
	uint32_t name, device; /* name: a string */
	bool end;
};

struct torch_list { /* of blocks, segments, events */
	uint32_t first, count;
};

struct torch {
	struct pk_builder *b;
	struct pk_error *err;
	bool all_frames; /* also those of the allocator and of Python's interpreter */
	struct torch_event *event;
	struct torch_block *block;
	struct torch_segment *segment;
	struct torch_annotation *annotation;
	struct torch_list *list;  /* of blocks, of segments */
	struct torch_list *trace; /* of a device each: lists of events */
	uint64_t *stream;
	struct pk_index stream_index; /* from 1 */
	uint32_t *category; /* strings, from 1 */
	struct torch_history {
		int64_t size;
		uint32_t node;
	} * history; /* of blocks, before torch 2.1 */
	size_t events, event_alloc, block_count, block_alloc, segments, segment_alloc, annotations;
	size_t annotation_alloc, lists, list_alloc, traces, trace_alloc, streams, stream_alloc;
	size_t categories, category_alloc, histories, history_alloc;
	size_t listed;             /* events that are in a trace already */
	struct torch_list *device; /* events of each */
	size_t devices, device_alloc;
	size_t hosts; /* the first that is pinned memory of the host */
	struct pk_index stacks;
	struct torch_stack {
		size_t first;
		uint32_t count, node;
	} * stack;
	uint32_t *frame; /* locations, of all stacks */
	size_t frames, frame_alloc, stack_alloc;
	uint8_t *field; /* by text of the pickle */
	size_t fields;
	struct torch_text {      /* also by text of the pickle: many values may share a long one */
		uint32_t string; /* 0 = not yet */
		bool seen_as[2], noise_as[2]; /* a name, a file */
	} * known;
	size_t knowns;
	int64_t begin, end; /* times of the first and the last event */
	bool timed;         /* events have times; otherwise they are numbered */
	int64_t at, from;   /* -O at, between; PK_NULL */
	struct pk_buf text;
};

/* The kinds of values that replace containers; ids are places in the tables of struct torch. */
enum {
	TORCH_IS_FRAME = 1, /* 0: pk_pickle_nothing, as events are */
	TORCH_IS_STACK,
	TORCH_IS_BLOCK,
	TORCH_IS_BLOCKS,
	TORCH_IS_SEGMENT,
	TORCH_IS_SEGMENTS,
	TORCH_IS_HISTORY,
	TORCH_IS_ANNOTATION,
	TORCH_IS_TRACE,
	TORCH_IS_POOL,
	TORCH_IS_EMPTY
};

static inline bool torch_is_own(const struct pk_pickle_value *v, unsigned kind)
{
	return v && v->type == PK_PICKLE_OWN && v->kind == kind;
}

int torch_read_snapshot(struct torch *t, struct pk_input *in);
/* Replaces a dict with these items by one of the kinds above, if it is one. */
int torch_read_dict(struct torch *t, struct pk_pickle *p, struct pk_pickle_value *v,
		    const struct pk_pickle_value *item, uint32_t count);
struct torch_curve {
	uint32_t series;
	int64_t width; /* of a step of time */
	int64_t step, highest_at, last_at;
	int64_t highest, last;
	bool open;
};

struct torch_device {
	struct torch *t;
	struct torch_list events;
	uint32_t number, process, memory; /* memory: a string */
	uint32_t *thread;                 /* by stream */
	struct pk_heap *heap;
	struct torch_curve active, reserved;
	struct pk_id_map open; /* addresses: numbers in is_open */
	bool *is_open;
	size_t open_alloc;
	uint32_t before; /* node of memory allocated before the history */
	int64_t earlier, earlier_bytes;
	int64_t reserved_now;
};

/* Makes the profile of what was read. */
int torch_account(struct torch *t);
/* The thread of a stream. */
uint32_t torch_thread(struct torch_device *d, uint16_t stream);
/* With t->text as arguments, a JSON object, unless it is empty. */
void torch_push_instant(struct torch_device *d, int64_t time, uint32_t thread, const char *name);
void torch_push_state(struct torch_device *d, int64_t time);
/* The text as a string of the profile; 0 = none. */
uint32_t torch_string(struct torch *t, const struct pk_pickle *p, const struct pk_pickle_value *v);
/* The location of a frame; 0 = it is left out. */
uint32_t torch_frame(struct torch *t, const struct pk_pickle *p, const struct pk_pickle_value *name,
		     const struct pk_pickle_value *file, int64_t line);
