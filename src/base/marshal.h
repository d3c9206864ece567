#ifndef PK_MARSHAL_H
#define PK_MARSHAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text/str.h"

/*
 * Python's marshal format, read as a stream of tokens from memory: every object
 * that Python 2.0 to 3.15 and PyPy write, but for code objects. Nothing is ever
 * executed, and no memory is taken for what an object claims to hold: only for
 * the objects that are really there (12 bytes for each that may be referred to).
 *
 * A container is one token, followed by its items; a dict's are key, value, key,
 * value and PK_MARSHAL_END. What is shared (`r`, Python 2's `R`) comes as
 * the object itself if it is an atom, else as PK_MARSHAL_REF: then the caller
 * either knows it by the memo it left when the container was first read, or
 * reads it again with pk_marshal_enter. Atoms can have memos as well.
 *
 *	struct pk_marshal m;
 *	struct pk_marshal_token t;
 *	pk_marshal_init(&m, data, len, err);
 *	while (!pk_marshal_done(&m))
 *		if (pk_marshal_next(&m, &t))
 *			return -1;                // err: "byte 77: ..."
 */
enum pk_marshal_type {
	PK_MARSHAL_END, /* of a dict */
	PK_MARSHAL_NONE,
	PK_MARSHAL_BOOL,  /* integer, real */
	PK_MARSHAL_INT,   /* integer, real */
	PK_MARSHAL_FLOAT, /* real */
	PK_MARSHAL_TEXT,  /* text, len, coding */
	PK_MARSHAL_TUPLE, /* count */
	PK_MARSHAL_LIST,  /* count */
	PK_MARSHAL_DICT,  /* frozendicts too */
	PK_MARSHAL_SET,   /* count; frozensets and slices too */
	PK_MARSHAL_REF,   /* a container that was there before: ref, memo */
	PK_MARSHAL_OTHER, /* complex, Ellipsis, StopIteration: without their value */
};

enum pk_marshal_coding {
	PK_MARSHAL_ASCII, /* as Python reads them: bytes above 127 are U+0080 to U+00FF */
	PK_MARSHAL_UTF8,  /* lone surrogates allowed; in Python 2's `t` any bytes */
	PK_MARSHAL_BYTES, /* Python 2 str, Python 3 bytes */
};

struct pk_marshal_token {
	enum pk_marshal_type type;
	enum pk_marshal_coding coding;
	uint32_t ref;   /* its name for pk_marshal_remember; 0 = it cannot be referred to */
	uint32_t memo;  /* what was remembered; 0 = nothing. A text that has one comes without its
			   bytes */
	uint32_t count; /* items */
	uint32_t len;
	const char *text; /* in the data, not terminated */
	__int128 integer; /* stops at the ends of its range, ... */
	bool cut;         /* ... then this is set */
	double real;
	size_t at; /* where it is in the data, from 0 */
};

#define PK_MARSHAL_DEPTH 32

struct pk_marshal_ref {
	uint32_t at, memo;
	uint16_t at_high;
	uint8_t code;
	bool open; /* its items are still being read */
};

struct pk_marshal {
	const uint8_t *data;
	size_t len, at;
	struct pk_error *err;
	struct pk_marshal_refs {
		struct pk_marshal_ref *item;
		size_t count, alloc;
	} shared, interned; /* FLAG_REF's table; Python 2's of `t` strings */
	struct pk_marshal_level {
		uint64_t left;   /* items; not used by dicts */
		size_t back;     /* of a container read again: where to go on; else 0 */
		uint32_t shared; /* its number in `shared` + 1, or 0 */
		bool dict, value;
	} level[PK_MARSHAL_DEPTH];
	int depth;
	int again; /* levels that are being read again */
	uint64_t again_tokens;
	bool started, python2;
};

void pk_marshal_init(struct pk_marshal *m, const void *data, size_t len, struct pk_error *err);
void pk_marshal_release(struct pk_marshal *m);
/* Reads one token. -1 with err set: "byte N: what". */
int pk_marshal_next(struct pk_marshal *m, struct pk_marshal_token *t);
/* True when the one object that a file holds is complete; m->at is where it ended. */
bool pk_marshal_done(const struct pk_marshal *m);
/* Passes over the items of the container t, which was the last token; nothing for others. */
int pk_marshal_skip(struct pk_marshal *m, const struct pk_marshal_token *t);
/* t is a REF: makes it the token of the container, whose items come next. What is
 * read again in this way is limited to about the size of the file. */
int pk_marshal_enter(struct pk_marshal *m, struct pk_marshal_token *t);
/* Where object number i of m->shared is in the data, and where it ends at the latest. */
void pk_marshal_place(const struct pk_marshal *m, size_t i, size_t *at, size_t *end);
/* A number for the object `ref`, given back with every later reference to it. */
void pk_marshal_remember(struct pk_marshal *m, uint32_t ref, uint32_t memo);
/*
 * The text of a TEXT token as UTF-8, *len bytes: in the data, or in buf (which is
 * overwritten). Bytes that are not UTF-8 are taken as Latin-1; lone surrogates
 * stay what they are in the file, three bytes each (ED A0..BF 80..BF).
 */
const char *pk_marshal_text(const struct pk_marshal_token *t, struct pk_buf *buf, size_t *len);
/* What a token is, for messages: "a tuple", "a number". */
const char *pk_marshal_name(enum pk_marshal_type type);

#endif
