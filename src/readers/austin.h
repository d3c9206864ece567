#ifndef PK_AUSTIN_H
#define PK_AUSTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/builder.h"

/* The lines of austin taken apart, see austin.c. */

struct pk_austin_owner {
	int64_t pid, tid; /* tid PK_NULL: the name is all that there is */
	const char *name;
	size_t name_len;
};

struct pk_austin_sample {
	struct pk_austin_owner owner;
	size_t from, to; /* the frames */
	int count;       /* of values: 1, or 3 of mode full */
	bool old;        /* of austin 2: KB */
	int64_t value[3];
};

/* False: the line, which was trimmed, is no sample. */
bool pk_austin_sample(const char *text, size_t len, struct pk_austin_sample *s);
/* Length of a line without the blanks at its end. */
size_t pk_austin_trim(const char *text, size_t len);
/* The length of the number at the begin of a text, 0 if there is none or it is too large. */
size_t pk_austin_number(const char *text, size_t len, int64_t *n);
/* What a frame stands for: pk_read_name of stack_text.h. */
void pk_austin_frame(struct pk_builder *b, const char *text, size_t len, struct pk_frame *frame,
		     uint32_t *line);

#endif
