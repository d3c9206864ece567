#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/build/builder.h"
#include "model/build/id_map.h"
#include "readers/heap/heap.h"
#include "readers/reader.h"

/* Shared by the files that parse the records of memray's captures; memray.c describes the
 * format. */

/* Numbers of allocators as of version 12. */
enum {
	PYMALLOC_FREE = 1,
	PYMALLOC_MALLOC,
	PYMALLOC_CALLOC,
	PYMALLOC_REALLOC,
	FREE,
	MALLOC,
	REALLOC,
	CALLOC,
	POSIX_MEMALIGN,
	ALIGNED_ALLOC,
	MEMALIGN,
	VALLOC,
	PVALLOC,
	MMAP,
	MUNMAP,
	ALLOCATORS
};

static inline bool memray_frees_block(unsigned allocator)
{
	return allocator == FREE || allocator == PYMALLOC_FREE;
}

/* Bytes that are being parsed; `cut` is set when more are needed, `bad` by a number of more than 64
 * bits. */
struct memray_cursor {
	const uint8_t *at, *end;
	bool cut, bad;
};

static inline uint8_t memray_byte(struct memray_cursor *c)
{
	if (c->at < c->end)
		return *c->at++;
	c->cut = true;
	return 0;
}

static inline uint64_t memray_varint(struct memray_cursor *c)
{
	uint64_t value = 0;
	uint8_t byte;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		byte = memray_byte(c);
		value |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->bad = true;
	return 0;
}

/* A signed number; also the difference between two addresses, modulo 2^64. */
static inline uint64_t memray_svarint(struct memray_cursor *c)
{
	uint64_t value = memray_varint(c);

	return value >> 1 ^ (~(value & 1) + 1);
}

uint64_t memray_fixed(struct memray_cursor *c, size_t size); /* little-endian */
const char *memray_text(struct memray_cursor *c, size_t *len);
const uint8_t *memray_bytes(struct memray_cursor *c, uint64_t len);

struct memray_header {
	uint32_t version, python; /* python: 0x030B.... for 3.11; 0 = not known */
	bool native, aggregated;
	int64_t start, end; /* ms since 1970 */
	uint64_t records;   /* allocations and frees; 0: not known */
	int64_t pid;
	uint64_t main_thread, skipped;
};

struct memray_frame {
	uint32_t node;      /* 0: none */
	uint32_t allocator; /* of path */
	uint32_t path;
};

struct memray_thread {
	uint32_t row;
	struct memray_frame *frame; /* frame[0] is that of the empty stack */
	size_t depth, alloc;
	bool is_main;
};

/* Allocations and frees of blocks wait for a few others, until their place in the heap's tables has
 * come from memory. */
struct memray_waiting {
	uint64_t address, size, place;
	uint32_t path; /* 0: a free */
	uint32_t thread;
};
#define MEMRAY_WAITING 16

struct memray {
	struct pk_input *in;
	struct pk_builder *b;
	struct pk_error *err;
	struct memray_header header;
	uint32_t process;
	uint64_t place; /* of the record */
	struct memray_cursor c;
	const uint8_t *window; /* what the cursor began with, and its place */
	uint64_t window_at;
	bool whole; /* the cursor has all bytes up to the end of the file */
	bool ended; /* by the record that says so */

	struct pk_heap *heap;
	uint32_t labels[ALLOCATORS];
	struct pk_id_map thread_of; /* rows of `thread` + 1 */
	struct memray_thread *thread, *now;
	size_t threads, thread_alloc;
	uint32_t no_stack; /* node */

	struct pk_id_map frame_of; /* to 9-11: location by frame */
	struct pk_id_map code_of;  /* from 12: row of `code` + 1 */
	struct memray_code {
		uint32_t function, first_line;
		uint8_t *table;
		uint32_t table_len;
	} * code;
	size_t codes, code_alloc;
	/* The file of the innermost frame that is left out, unless it is one of Python or memray:
	 * of a child process, the program. */
	uint32_t left_out;
	struct pk_index places; /* of `place` */
	struct memray_place {
		uint64_t code, offset;
		uint32_t location;
	} * place_row;
	size_t place_count, place_alloc;

	/* The last values, to which differences are added. */
	struct {
		uint64_t address, native, ip, frame, line, first_line;
		uint64_t cache[15]; /* of addresses, newest at cache_at */
		unsigned cache_at;
	} last;

	/* A cache of the nodes of frames pushed before: the entries of a node and of its first
	 * child are side by side. An entry replaces the one in its slot. */
	struct memray_pushed {
		uint32_t parent, code, offset, node;
	} * pushed;
	struct memray_images *images; /* native code */
	bool look_for_symbols;        /* in the libraries */
	const char *binary;           /* one that is elsewhere */
	struct memray_sums *sums;
	uint32_t counter, rss, live; /* strings */
	int64_t at, from;            /* -O at, between in ns; PK_NULL */
	int64_t last_time;           /* time of the last record of memory */
	uint64_t unknown_frees;
	struct memray_waiting waiting[MEMRAY_WAITING]; /* a ring */
	unsigned first_waiting, waiting_count;
};

/* 1: go on, 0: the records are at their end, -1: error. */
int memray_event(struct memray *m);     /* of version 12 and 13 */
int memray_old_event(struct memray *m); /* of 9 to 11 */
int memray_sum(struct memray *m);       /* of a file of sums */
int memray_sums_finish(struct memray *m);
void memray_sums_free(struct memray *m);

/* Records that several versions share. */
int memray_take_memory(struct memray *m);
int memray_take_common(struct memray *m, uint8_t tag);

/* Functions that handle complete records of any version. */
struct memray_allocation {
	uint64_t address, size, native;
	unsigned allocator;
};
/* True if the record before c->at is complete, and not zero bytes that were never written. */
static inline bool memray_is_whole(struct memray *m)
{
	const struct memray_cursor *c = &m->c;

	return !c->cut && !c->bad && (c->at[-1] || c->at == c->end || *c->at);
}
int memray_stop(struct memray *m); /* what to return if memray_is_whole is false */
int memray_allocate(struct memray *m, const struct memray_allocation *a);
int memray_settle(struct memray *m); /* handles all that wait; returns 0 or -1 */
/* A frame, whose location is that of code and offset if it is 0. */
int memray_push(struct memray *m, uint32_t location, uint64_t code, uint64_t offset);
/* Says in meta what is above the frames of a child process. */
void memray_say_left_out(const struct memray *m);
int memray_pop(struct memray *m, size_t count);
void memray_switch(struct memray *m, uint64_t thread);
void memray_name_thread(struct memray *m, const char *name, size_t len);
int memray_memory(struct memray *m, int64_t ms, uint64_t rss, uint64_t live);
/* The node of allocations without a stack; the number, as of version 12, of an allocator of the
 * file. */
uint32_t memray_no_stack(struct memray *m);
uint32_t memray_labels(struct memray *m, unsigned allocator);
unsigned memray_allocator(const struct memray *m, unsigned number);
/* The node of a stack with the native frames below it. */
uint32_t memray_node(struct memray *m, uint32_t node, uint64_t native, uint32_t generation);

/* Code objects. */
int memray_define_code(struct memray *m, uint64_t id, const struct memray_code *code);
uint32_t memray_code_place(struct memray *m, uint64_t code, uint64_t offset);
uint32_t memray_python_place(struct memray *m, const char *name, size_t name_len, const char *file,
			     size_t file_len, uint64_t line);

/* Native code: where files were loaded, and a tree of instructions. */
uint32_t memray_generation(const struct memray *m);
void memray_images_clear(struct memray *m);
void memray_image_add(struct memray *m, const char *file, size_t len, uint64_t load);
void memray_image_segment(struct memray *m, uint64_t address, uint64_t size);
void memray_native_add(struct memray *m, uint64_t ip, uint64_t parent);
void memray_images_free(struct memray *m);
