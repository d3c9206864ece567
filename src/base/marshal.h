#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text/str.h"

/*
 * Python's marshal format as a stream of tokens from memory: the objects that profiles of
 * Python 2.0 to 3.15 and PyPy have. Nothing is executed. Memory is taken only for
 * objects that are really there (12 bytes for each that can be referred to), not for sizes
 * that the data claims.
 *
 * A container is one token, followed by its items; a dict has key, value, key, value and
 * PK_MARSHAL_END. A reference (`r`, Python 2's `R`) to an atom comes as the atom, and one to a
 * container as PK_MARSHAL_REF: the caller either knows the container by the memo that it left,
 * or reads it again with pk_marshal_enter. Atoms can have memos, too.
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
	PK_MARSHAL_TEXT,  /* text, len, bytes */
	PK_MARSHAL_TUPLE, /* count */
	PK_MARSHAL_LIST,  /* count */
	PK_MARSHAL_CODE,
	PK_MARSHAL_DICT,
	PK_MARSHAL_REF, /* a container that was read before: ref, memo */
};

struct pk_marshal_token {
	enum pk_marshal_type type;
	uint32_t ref;  /* number for pk_marshal_remember; 0 = it cannot be referred to */
	uint32_t memo; /* the caller's memo; 0 = none. A text with a memo comes without its bytes */
	uint32_t count; /* items */
	uint32_t len;
	const char *text; /* in the data, not terminated */
	int64_t integer;  /* saturates */
	bool cut;         /* true if it did */
	double real;
	bool bytes; /* a text that is Python 2's str or Python 3's bytes */
	size_t at;  /* offset in the data */
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
		uint64_t left; /* items; not used by dicts */
		size_t back; /* of a container read again: the offset to continue at; otherwise 0 */
		uint32_t shared; /* its number in `shared` + 1, or 0 */
		bool dict, value;
		uint8_t code; /* of a code object: the number of the next item, from 1 */
	} level[PK_MARSHAL_DEPTH];
	int depth;
	int again; /* number of levels that are being read again */
	uint64_t again_tokens;
	uint32_t line; /* of the last code object */
	bool started, python2;
};

void pk_marshal_init(struct pk_marshal *m, const void *data, size_t len, struct pk_error *err);
void pk_marshal_release(struct pk_marshal *m);
/* Reads one token. -1 with err set: "byte N: what". */
int pk_marshal_next(struct pk_marshal *m, struct pk_marshal_token *t);
/* True once the single object of the file is complete; m->at is its end. */
bool pk_marshal_done(const struct pk_marshal *m);
/* Skips the items of the container t, which was the last token; does nothing for other tokens. */
int pk_marshal_skip(struct pk_marshal *m, const struct pk_marshal_token *t);
/* The last token was CODE: reads all of it. *file and *name are texts, unless the file is damaged.
 */
int pk_marshal_code(struct pk_marshal *m, struct pk_marshal_token *file,
		    struct pk_marshal_token *name, uint32_t *line);
/* t is a REF: turns it into the token of the container, whose items come next. The amount that is
 * read again is limited to about the size of the file. */
int pk_marshal_enter(struct pk_marshal *m, struct pk_marshal_token *t);
/* Sets the memo of the object `ref`, which later references to it return. */
void pk_marshal_remember(struct pk_marshal *m, uint32_t ref, uint32_t memo);
/*
 * The text of a TEXT token as UTF-8, *len bytes, in the data or in buf (which is overwritten).
 * A text that is not UTF-8 is read as Latin-1; lone surrogates stay three bytes each (ED
 * A0..BF 80..BF), as in the file, unless it is of bytes.
 */
const char *pk_marshal_text(const struct pk_marshal_token *t, struct pk_buf *buf, size_t *len);
/* The name of a token type for messages: "a tuple", "a number". */
const char *pk_marshal_name(enum pk_marshal_type type);
