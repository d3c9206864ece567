#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "model/build/builder.h"
#include "readers/tasks.h"

/* The lines of austin taken apart, see austin.c. */

struct pk_austin_owner {
	int64_t pid, tid; /* tid PK_NULL: only the name is known */
	const char *name;
	size_t name_len;
};

struct pk_austin_sample {
	struct pk_austin_owner owner;
	size_t from, to; /* where the frames begin and end */
	int count;       /* number of values: 1, or 3 in mode full */
	bool old;        /* of austin 2: KB */
	int64_t value[3];
};

/* Adds samples and metadata to the profile, for both forms of the file. */
enum { PK_AUSTIN_METRICS = 5 };
struct pk_austin_profile {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_tasks tasks;
	const char *unit; /* of places: "line", "byte" */
	uint64_t place;
	bool any;  /* something that only austin writes was seen */
	bool full; /* mode full */
	int mode;  /* the metric, where samples have one value */
	int64_t interval;
	uint32_t metric[PK_AUSTIN_METRICS];

	/* When samples were taken. */
	enum { PK_AUSTIN_NEW, PK_AUSTIN_UNTIMED, PK_AUSTIN_TIMED } times;
	struct pk_austin_clock {
		int64_t begin, end,
			/* when its last round began; in a round each thread has one sample */
			elapsed;
		int64_t shift; /* when its first round began, at least */
		uint32_t round;
	} * clock; /* by process */
	struct pk_austin_last {
		uint32_t round, node;
	} * last; /* by thread */
	size_t clocks, lasts;
	int64_t now;   /* the latest end */
	int64_t begin; /* of the sample that is added */
	bool repeated; /* a thread had the same stack twice running */
};

uint32_t pk_austin_thread(struct pk_austin_profile *f, const struct pk_austin_owner *o);
/* The path of a sample without frames. */
uint32_t pk_austin_no_frames(struct pk_austin_profile *f);
/* Adds a sample of the thread, with only the values of s. */
int pk_austin_add(struct pk_austin_profile *f, uint32_t thread, const struct pk_austin_sample *s,
		  uint32_t node);
/* Keeps a key and a value of the metadata; neither may be NULL. */
void pk_austin_meta(struct pk_austin_profile *f, const char *k, size_t k_len, const char *v,
		    size_t v_len);
void pk_austin_finish(struct pk_austin_profile *f);
void pk_austin_release(struct pk_austin_profile *f);

/* The length of the number at the begin of a text, 0 if there is none or it is too large. */
size_t pk_austin_number(const char *text, size_t len, int64_t *n);
/* Reads a frame: a pk_read_name of stack_text.h. */
void pk_austin_frame(struct pk_builder *b, const char *text, size_t len,
		     struct pk_function *function, uint32_t *line);

/* Adds up the events of the binary file; mojo.c describes them. */

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
	uint64_t expanded; /* bytes of the texts of all frames: bounds what long names multiply */
	uint32_t *base;    /* by thread: the path without native frames at its end */
	uint32_t bases;

	/* The sample that is being read. */
	bool open, in_task, idle, has_time, has_memory;
	uint32_t thread, node, python; /* python: node without native frames at its end */
	int64_t time, memory;
};

void pk_mojo_define_string(struct pk_mojo *f, uint64_t key, const char *text, size_t len);
/* file, function: keys of strings. -1 with an error. */
int pk_mojo_define_frame(struct pk_mojo *f, uint64_t key, uint64_t file, uint64_t function,
			 int64_t line);
/* Begins a sample of a thread, after ending the one before it. Returns -1 for an error. */
int pk_mojo_begin(struct pk_mojo *f, int64_t pid, const char *name, size_t len);
/* The next frame, by its key, or as the text writes it. */
void pk_mojo_push_key(struct pk_mojo *f, uint64_t key);
void pk_mojo_push_text(struct pk_mojo *f, const char *text, size_t len);
void pk_mojo_repeat(struct pk_mojo *f);
/* The time of the sample, or of the task whose stack is open. */
void pk_mojo_time(struct pk_mojo *f, int64_t time);
int pk_mojo_end(struct pk_mojo *f);
void pk_mojo_release(struct pk_mojo *f);
