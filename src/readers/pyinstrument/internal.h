#pragma once

#include "base/arena.h"
#include "base/json/json.h"
#include "base/num/hash.h"
#include "model/build/builder.h"

/* A text by which samples name a frame, or the part of it that identifies the function. */
struct pyinstrument_text {
	const char *text;
	uint32_t len;
	bool written;      /* as the file has it, with escapes */
	bool built;        /* function and thread are set */
	uint32_t same;     /* number of the text that tells the function: before the attributes */
	uint32_t line;     /* that is executed */
	uint32_t class;    /* of the method's object: a string; 0 = none */
	uint32_t location; /* 0 = not made yet */
	uint32_t function; /* or a thread: those are written as frames, too */
	uint32_t thread;
};

struct pyinstrument {
	struct pk_json json;
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_buf text; /* scratch */
	uint32_t metric;
	uint32_t thread; /* of the samples; 0 = not known */
	bool seen_records, seen_tree;
	uint32_t *class_of; /* by function: of its objects; 0 = none, PYINSTRUMENT_CLASSES =
			       several */
	size_t class_alloc;

	/* Sessions: samples are kept, because the frames that all of them share are left out. */
	struct pk_arena arena;
	struct pk_index index;
	struct pyinstrument_text *known; /* from 1 */
	uint32_t known_count;
	size_t known_alloc;
	uint32_t *stack, *start; /* numbers of known: of all samples; of start_call_stack */
	size_t depth, stack_alloc, start_depth, start_alloc;
	struct pyinstrument_record {
		size_t end; /* of its frames in stack */
		int64_t ns;
	} * record;
	size_t records, record_alloc;
};

/* The number just read, in seconds, as ns, rounded to the nearest. -1 with --strict where it is no
 * time: then *ns is 0. */
int pyinstrument_seconds(struct pyinstrument *r, int64_t *ns);

/* frame.c: a function, or 0 and a thread in r->thread. Parts need not be NUL-terminated. */
struct pyinstrument_part {
	const char *text;
	size_t len;
};
uint32_t pyinstrument_function(struct pyinstrument *r, struct pyinstrument_part function,
			       struct pyinstrument_part file, struct pyinstrument_part line);
/* Notes the class of a method's object; at the end, methods get the name "Class.method". */
#define PYINSTRUMENT_CLASSES UINT32_MAX
void pyinstrument_note_class(struct pyinstrument *r, uint32_t function, uint32_t class);
void pyinstrument_name_methods(struct pyinstrument *r);
/* The node of time that a thread spent in no frame. */
uint32_t pyinstrument_no_frame(struct pyinstrument *r);
/* The number of the string just read. */
uint32_t pyinstrument_find(struct pyinstrument *r);
/* The location of the frame of this number; 0 and a thread in r->thread if it is one. */
uint32_t pyinstrument_location(struct pyinstrument *r, uint32_t number);

/* tree.c: the value of root_frame, which is frames within frames. */
int pyinstrument_tree(struct pyinstrument *r);
