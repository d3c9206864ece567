#ifndef PK_PYINSTRUMENT_INTERNAL_H
#define PK_PYINSTRUMENT_INTERNAL_H

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/json/json.h"
#include "model/build/builder.h"

/*
 * What the two forms of pyinstrument's JSON share: sessions, and the rendered tree.
 */
struct pyinstrument_reader {
	struct pk_json json;
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_buf text; /* of the last string, resolved */
	uint32_t metric;
	uint32_t thread; /* that samples belong to; 0 = not known */
	bool tree;       /* root_frame was there */
};

/* The number that was just read, as seconds, in ns, rounded to the nearest. -1 with --strict where
 * it is no time: then *ns is 0. */
int pyinstrument_seconds(struct pyinstrument_reader *r, int64_t *ns);
/* A frame, or 0 and a thread in r->thread: those are written as frames. Names need not be
 * NUL-terminated. */
uint32_t pyinstrument_frame(struct pyinstrument_reader *r, const char *function,
			    size_t function_len, const char *file, size_t file_len,
			    const char *line, size_t line_len);
/* The node of time that a thread spent in no frame. */
uint32_t pyinstrument_no_frame(struct pyinstrument_reader *r);

/* A frame of a sample, by its text: seen again it costs one look-up. */
struct pyinstrument_form {
	const char *text; /* as written in the file */
	uint32_t len, identifier, line;
};

/* What is the same frame for pyinstrument: the text before the attributes. */
struct pyinstrument_identifier {
	const char *text;
	uint32_t len, function, thread;
	bool built;
};

struct pyinstrument_record {
	size_t end; /* of its frames in session.stack */
	int64_t ns;
};

struct pyinstrument_session {
	struct pyinstrument_reader r;
	struct pk_arena arena;
	struct pk_index form_index, identifier_index;
	struct pyinstrument_form *form; /* from 1, as all here */
	struct pyinstrument_identifier *identifier;
	uint32_t forms, identifiers;
	size_t form_alloc, identifier_alloc;
	uint32_t *stack; /* forms */
	size_t depth, stack_alloc;
	struct pyinstrument_record *record;
	size_t records, record_alloc;
	uint32_t *start; /* start_call_stack: identifiers */
	size_t start_depth, start_alloc;
	bool seen_records;
};

/* The form of the string just read. */
uint32_t pyinstrument_find_form(struct pyinstrument_session *s);
/* Sets its frame, or its thread. */
void pyinstrument_build_identifier(struct pyinstrument_session *s,
				   struct pyinstrument_identifier *id);

/* The value of root_frame: frames within frames. */
int pyinstrument_read_tree(struct pyinstrument_reader *r);

#endif
