#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "model/profile.h"

/* Writes folded stacks, for all formats whose lines are a stack and a count: see folded.c. */

/* pk_writer.read_as of formats that the reader of folded stacks takes. */
#define PK_FOLDED_READ_AS "folded"

/* The first frame of a stack. */
enum pk_folded_root {
	PK_FOLDED_NO_ROOT,
	PK_FOLDED_THREAD,     /* names of process and thread */
	PK_FOLDED_COMM,       /* name of the thread with '_' for blanks */
	PK_FOLDED_COMM_PID,   /* "comm-12", "comm-?" */
	PK_FOLDED_COMM_TID,   /* "comm-12/34" */
	PK_FOLDED_PY_SPY_ROOT /* "process 12:"command"" and "thread (0x22): name" */
};

struct pk_folded_style {
	const char *metric; /* NULL = the first, or the two columns before and after */
	enum pk_folded_root root;
	const char *no_frames; /* name that stands for an empty stack; NULL = none */
	bool fractions;        /* write exact decimals */
	bool lines;            /* write "function (file:line)" */
	bool modules;          /* without a file write "function (module)" or "function (?)" */
	bool one_column;       /* lines have one column, so a number may end a path */
	bool kernel, jit;      /* append "_[k]" to kernel functions, "_[j]" to those of a JIT */
};

int pk_folded_write(const struct pk_profile *p, const struct pk_folded_style *style,
		    struct pk_output *out, struct pk_error *err);

struct pk_folded_name { /* the name of a function as it is written */
	const char *text;
	size_t len;
	uint32_t rank[2]; /* place in the order of names: at the end of a path, and before a ';' */
};

/* Where a name stands: at the begin of paths, at their end; or anywhere, and it may contain ';'. */
enum { PK_FOLDED_FIRST = 1, PK_FOLDED_LAST = 2, PK_FOLDED_ANYTHING = 4 };
/* Replaces characters that would be read as something else. */
void pk_folded_clean(struct pk_buf *name, int places);
/* Copies the call paths with names in place of functions, and with roots; paths with equal names
 * become one node. Empty names are left out except at the root. `metrics` metrics become metrics 1
 * and 2. */
struct pk_profile *pk_folded_copy(const struct pk_profile *p, const struct pk_folded_name *names,
				  enum pk_folded_root root, const uint32_t *metric, int metrics);
