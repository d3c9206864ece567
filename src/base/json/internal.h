#pragma once

#include "base/json/json.h"

/* Shared by the files of json.h alone. */

/* PK_JSON_PORTABLE builds the version without SSE2, for tests. */
#if defined(__SSE2__) && !defined(PK_JSON_PORTABLE)
#define USE_SSE2
#include <emmintrin.h>
#endif

/* The number of bytes before the end of the window that are left to pk_json_slow_next. */
enum { PK_JSON_ROOM = 80 };

/* What may come next. */
enum expect {
	VALUE,        /* after a key's colon */
	ITEM_OR_END,  /* after [ */
	KEY_OR_END,   /* after { */
	AFTER_ITEM,   /* a comma, or the end of an array */
	AFTER_MEMBER, /* a comma, or the end of an object */
	TOP,          /* between documents */
};

static inline bool pk_json_is_space(uint8_t c)
{
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
}

/* Reads the next token of any form: repairs, and gets more input. Used if the fast path of
 * json/fast.c does not apply. */
enum pk_json_token pk_json_slow_next(struct pk_json *j);

/* After a change of *j: sets what to expect after a value of the innermost container. */
static inline void pk_json_open_container(struct pk_json *j, bool object)
{
	j->after[++j->depth] = object ? AFTER_MEMBER : AFTER_ITEM;
	j->expect = object ? KEY_OR_END : ITEM_OR_END;
	j->token = object ? PK_JSON_OBJECT : PK_JSON_ARRAY;
}

static inline void pk_json_close_container(struct pk_json *j)
{
	j->token = j->after[j->depth] == AFTER_MEMBER ? PK_JSON_OBJECT_END : PK_JSON_ARRAY_END;
	j->expect = j->after[--j->depth];
}
