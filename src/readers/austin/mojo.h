#ifndef PK_AUSTIN_MOJO_H
#define PK_AUSTIN_MOJO_H

#include "base/num/hash.h"
#include "readers/austin/austin.h"

/* What the events of austin's binary file add up to; austin_mojo.c says what they are. */

/* What a key stands for: a string (text) or a frame (location, native). */
struct pk_mojo_definition {
	int64_t pid;
	uint64_t key;
	uint32_t text, location;
	bool native;
};

struct pk_mojo_keys {
	struct pk_mojo_definition *item;
	size_t count, alloc;
	struct pk_index index;
};

struct pk_mojo {
	struct pk_austin_profile a;
	int64_t version, pid;
	struct pk_mojo_keys strings, frames;
	uint32_t *base; /* by thread: the path without native frames at its end */
	uint32_t bases;

	/* The sample that is being read. */
	bool open, in_task, idle, has_time, has_memory;
	uint32_t thread, node, python; /* python: node without native frames at its end */
	int64_t time, memory;
};

void pk_mojo_define_string(struct pk_mojo *f, uint64_t key, const char *text, size_t len);
/* file, function: keys of strings. */
void pk_mojo_define_frame(struct pk_mojo *f, uint64_t key, uint64_t file, uint64_t function,
			  int64_t line);
/* A sample of a thread begins, and the one before ends. Those that fail: -1. */
int pk_mojo_begin(struct pk_mojo *f, int64_t pid, const char *name, size_t len);
/* The next frame, by its key, or as the text writes it. */
void pk_mojo_push_key(struct pk_mojo *f, uint64_t key);
void pk_mojo_push_text(struct pk_mojo *f, const char *text, size_t len);
void pk_mojo_repeat(struct pk_mojo *f);
/* Of the sample, or of the task whose stack is open. */
void pk_mojo_time(struct pk_mojo *f, int64_t time);
int pk_mojo_end(struct pk_mojo *f);
void pk_mojo_release(struct pk_mojo *f);

#endif
