#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/io/input.h"
#include "base/num/hash.h"
#include "base/text/str.h"

/*
 * Python's pickles of protocols 0 to 5, read without executing anything: classes are names in a
 * list of the reader's, objects of them records of their attributes, every other global is an
 * error.
 *
 * What the file holds is built from the inside out. The reader's `finish` is called for every
 * container as soon as nothing can be added to it, and may replace it by a value of its own: a
 * number that stands for it, or nothing. What is replaced takes no memory beyond 8 bytes in the
 * memo, if the file can refer to it again, so that files of any size can be read. What is not
 * replaced stays.
 *
 *	static int finish(void *data, struct pk_pickle *p, struct pk_pickle_value *v)
 *	{
 *		uint32_t count;
 *		const struct pk_pickle_value *item = pk_pickle_items(p, v, &count);
 *		if (v->type == PK_PICKLE_TUPLE && count == 2 && item[0].type == PK_PICKLE_TEXT)
 *			*v = pk_pickle_own(FRAME, add_frame(data, item[0].id, item[1].integer));
 *		return 0;                       // -1: p->err is set
 *	}
 *	struct pk_pickle p;
 *	pk_pickle_init(&p, in, err);
 *	p.finish = finish, p.data = data, p.classes = classes;
 *	if (pk_pickle_read(&p, &value))         // err: "byte 77: ..."
 *	...
 *	pk_pickle_release(&p);
 *
 * Values of `finish` and the result are valid until then. A container cannot be changed once it is
 * part of another: a file that does so, as for an object that contains itself, is refused.
 */
enum pk_pickle_type {
	PK_PICKLE_NONE,
	PK_PICKLE_BOOL,  /* integer */
	PK_PICKLE_INT,   /* integer */
	PK_PICKLE_BIG,   /* a number beyond 64 bits: integer has the lowest 64, and negative */
	PK_PICKLE_FLOAT, /* real */
	PK_PICKLE_TEXT,  /* id: pk_pickle_text. Equal texts have equal ids, which count from 0 */
	PK_PICKLE_BYTES, /* id, also */
	PK_PICKLE_CLASS, /* id: place in the list of classes */
	PK_PICKLE_OWN,   /* the reader's: kind, id. Kind 0 is nothing: see pk_pickle_nothing */
	PK_PICKLE_TUPLE, /* this and those below: pk_pickle_items */
	PK_PICKLE_LIST,
	PK_PICKLE_DICT,   /* key, value, key, value, ... */
	PK_PICKLE_RECORD, /* of a class: attributes as of a dict; kind: its place in the list */
};

struct pk_pickle_value {
	uint8_t type, kind;
	bool negative;
	uint32_t id;
	union {
		int64_t integer;
		double real;
	};
};

struct pk_pickle_class {
	const char *module, *name;
};

struct pk_pickle {
	struct pk_error *err;
	/* set by the reader after init; all may be NULL */
	const struct pk_pickle_class *classes; /* ends with {NULL, NULL} */
	int (*finish)(void *data, struct pk_pickle *p, struct pk_pickle_value *v);
	void *data;

	uint64_t op; /* offset of the opcode that is being executed, for messages */
	/* private */
	struct pk_input *in;
	const uint8_t *window, *at, *end;
	uint64_t window_offset, frame_end;
	struct pk_pickle_value *stack;
	size_t top, base, stack_alloc; /* base: values above the innermost mark begin here */
	size_t *mark, marks, mark_alloc;
	struct pk_pickle_object *object;
	uint32_t objects, object_alloc, free_object;
	uint64_t held; /* values in containers */
	uint64_t **memo;
	size_t memo_pages, memo_alloc;
	uint64_t memo_count;
	struct pk_pickle_value *boxed; /* numbers in the memo */
	size_t boxes, box_alloc;
	struct pk_pickle_string {
		const char *text;
		size_t len;
	} * string;
	uint32_t strings, string_alloc;
	struct pk_index index; /* of strings */
	struct pk_arena arena;
	struct pk_buf buf;
};

void pk_pickle_init(struct pk_pickle *p, struct pk_input *in, struct pk_error *err);
void pk_pickle_release(struct pk_pickle *p);
/* Reads up to the end of the pickle and sets *result to its value. What follows in the input is
 * left there. -1 with err set: "byte N: what". */
int pk_pickle_read(struct pk_pickle *p, struct pk_pickle_value *result);

static inline bool pk_pickle_is_container(const struct pk_pickle_value *v)
{
	return v->type >= PK_PICKLE_TUPLE;
}
/* The items of a container; of dicts and records, twice as many as it has entries. Other values
 * have none: NULL, 0. Values of kind 0 in a list are left out. */
const struct pk_pickle_value *pk_pickle_items(const struct pk_pickle *p,
					      const struct pk_pickle_value *v, uint32_t *count);
/* The last value of this key in a dict or record, NULL if there is none. */
const struct pk_pickle_value *pk_pickle_find(const struct pk_pickle *p,
					     const struct pk_pickle_value *v, const char *key);
/* The text (UTF-8; lone surrogates are three bytes each, as in the file) or the bytes: NUL follows.
 * Other values: NULL, 0. */
const char *pk_pickle_text(const struct pk_pickle *p, const struct pk_pickle_value *v, size_t *len);
/* True if it is this text. */
bool pk_pickle_is(const struct pk_pickle *p, const struct pk_pickle_value *v, const char *text);
/* "a tuple", "a number", for messages. */
const char *pk_pickle_name(const struct pk_pickle_value *v);
/* Sets err to "byte N: ...", N being the opcode that is read. Always returns -1. */
int pk_pickle_fail(struct pk_pickle *p, const char *fmt, ...) PK_PRINTF(2, 3);

static inline struct pk_pickle_value pk_pickle_own(unsigned kind, uint32_t id)
{
	return (struct pk_pickle_value){
		.type = PK_PICKLE_OWN, .kind = (uint8_t)kind, .id = id, .integer = 1};
}
/* In place of what the reader has taken: a list keeps only the number of such items
 * (pk_pickle_nothings). */
static inline struct pk_pickle_value pk_pickle_nothing(void)
{
	return pk_pickle_own(0, 0);
}
/* How many items of a list were nothing. */
uint64_t pk_pickle_nothings(const struct pk_pickle *p, const struct pk_pickle_value *list);
