#pragma once

#include "readers/reader.h"

/* Internal to this folder: tachyon.c describes the format. */

enum {
	TACHYON_HEADER = 64,
	TACHYON_FOOTER = 32,
	TACHYON_DEEPEST = 256, /* frames of a stack; the recorder drops those around them */
	TACHYON_STACK_BYTES = 10 * (TACHYON_DEEPEST + 2), /* at most: two numbers, and frames */
	TACHYON_STATES = 64,                              /* values of the status of a thread */
};

/* The location of frames of the recorder itself, which Python's own outputs leave out. */
#define TACHYON_INTERNAL UINT32_MAX

enum tachyon_mode {
	TACHYON_UNKNOWN,
	TACHYON_WALL,
	TACHYON_CPU,
	TACHYON_GIL,
	TACHYON_ALL,
	TACHYON_EXCEPTION
};

struct tachyon {
	struct pk_builder *b;
	struct pk_error *err;
	const uint8_t *file;
	size_t size;
	bool big_endian, wide; /* wide: offsets and numbers of the final 3.15 */
	bool headless;         /* the header was never written: 64 zero bytes */
	/* header */
	uint64_t start, interval;          /* us */
	uint64_t samples, strings, frames; /* strings, frames: where the tables begin */
	uint32_t compression, config;
	/* tables: the parts of them that are there */
	uint32_t *string; /* strings of the profile */
	uint32_t *location;
	uint32_t string_count, frame_count;
	uint64_t numbered; /* uses of frames that have a number for a name */
	bool tables_cut;
	size_t tables_end; /* where the statistics or the footer begin */
	struct pk_buf text;
};

/* Bytes of the file that are read one after the other; reading beyond the end is `bad`. */
struct tachyon_cursor {
	const uint8_t *at, *end;
	bool bad;
};
static inline uint64_t tachyon_varint(struct tachyon_cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
		uint8_t byte = *c->at++;

		value |= (uint64_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			return value;
	}
	c->bad = true;
	return 0;
}
/* A whole number of 1 to 8 bytes in the file's byte order. */
static inline uint64_t tachyon_fixed(bool big_endian, const uint8_t *p, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)p[big_endian ? bytes - 1 - i : i] << 8 * i;
	return value;
}

static inline enum tachyon_mode tachyon_mode(const struct tachyon *t)
{
	return (t->config & 7) <= TACHYON_EXCEPTION ? (enum tachyon_mode)(t->config & 7)
						    : TACHYON_UNKNOWN;
}

/* Reads the header and the tables; what is missing of them is reported. */
int tachyon_read_tables(struct tachyon *t);
/* The location of a frame, named by its number if it has no name; 0: no frame has this number. */
uint32_t tachyon_location(struct tachyon *t, uint64_t frame);
int tachyon_read_samples(struct tachyon *t);

/* How a record gives the stack: the same again, as a whole, or as a change of the last one. */
enum tachyon_kind { TACHYON_REPEAT, TACHYON_FULL, TACHYON_SUFFIX, TACHYON_POP_PUSH };

/* The stack of a thread, root first. */
struct tachyon_stack {
	uint32_t depth;
	uint32_t *location, *node; /* as long as needed: files have many threads */
	size_t location_alloc, node_alloc;
};
/* The call path of the stack; 0: it is empty, or of the recorder alone. */
static inline uint32_t tachyon_top(const struct tachyon_stack *stack)
{
	return stack->depth ? stack->node[stack->depth - 1] : 0;
}
/* Reads the stack of a record that is no repetition. False at the end of the data, or with what is
 * wrong in *damage. */
bool tachyon_read_stack(struct tachyon *t, struct tachyon_cursor *c, enum tachyon_kind kind,
			struct tachyon_stack *stack, const char **damage);
