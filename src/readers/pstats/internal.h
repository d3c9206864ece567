#pragma once

#include "base/marshal.h"
#include "readers/reader.h"

/* A file that is being read. */
struct pstats {
	struct pk_marshal m;
	struct pk_input *in;
	size_t forgotten; /* bytes of the file that were freed ... */
	size_t refs_seen; /* ... and the items of m.shared that were checked for that */
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_buf text;
	uint32_t metric;
	uint32_t tilde;     /* the string "~", once it was met */
	uint32_t functions; /* read so far */
	struct function {
		uint32_t caller_of : 31; /* number of the last function that it was a caller of */
		uint32_t read : 1;
	} * function; /* by id */
	size_t function_alloc;
	bool sampled, bytes_names;
};

int pstats_repair(struct pstats *r, size_t at, const char *what);
/* Fails: the token is not the wanted one. */
int pstats_unexpected(struct pstats *r, const struct pk_marshal_token *t, const char *wanted);
/* key.c: reads a key of a dict into *t and *function: 0 in *function is the dict's end, or the
 * marker of a sampled profile. */
int pstats_read_key(struct pstats *r, struct pk_marshal_token *t, uint32_t *function);
