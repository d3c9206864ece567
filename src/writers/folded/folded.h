#ifndef PK_WRITERS_FOLDED_H
#define PK_WRITERS_FOLDED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "model/profile.h"

/* Writing folded stacks, for the formats whose lines are a stack and a count: see folded.c. */

/* What a stack begins with. */
enum pk_folded_root {
	PK_FOLDED_NO_ROOT,
	PK_FOLDED_THREAD,     /* process and thread, by their names */
	PK_FOLDED_COMM,       /* the name of the thread, its blanks as '_' */
	PK_FOLDED_COMM_PID,   /* "comm-12", "comm-?" */
	PK_FOLDED_COMM_TID,   /* "comm-12/34" */
	PK_FOLDED_PY_SPY_ROOT /* "process 12:"command"" and "thread (0x22): name" */
};

struct pk_folded_style {
	const char *metric; /* NULL = the first, or the columns before and after */
	enum pk_folded_root root;
	const char *no_frames; /* the name that is written as none; NULL = there is none */
	bool fractions;        /* decimals as they are */
	bool lines;            /* "function (file:line)" */
	bool modules;          /* "function (module)" where there is no file, or "function (?)" */
	bool one_column;       /* a number at the end of a path is no count */
	bool kernel, jit;      /* "_[k]" behind names of the kernel, "_[j]" behind those of a JIT */
};

int pk_folded_write(const struct pk_profile *p, const struct pk_folded_style *style,
		    struct pk_output *out, struct pk_error *err);

struct pk_folded_name { /* of a frame, as it is written */
	const char *text;
	size_t len;
	uint32_t rank[2]; /* among all names: at the end of a path, and before a ';' */
};

/* Where a name stands: at the begin of paths, at their end; one that may hold ';'. */
enum { PK_FOLDED_FIRST = 1, PK_FOLDED_LAST = 2, PK_FOLDED_ANYTHING = 4 };
/* Replaces what would be read as something else. */
void pk_folded_clean(struct pk_buf *name, int places);
/* The same paths made of nothing but names, by frame, and of roots: equal ones are one node. Names
 * that are empty are left out but at the begin. The values are those of `metrics` metrics, which
 * become metrics 1 and 2. */
struct pk_profile *pk_folded_copy(const struct pk_profile *p, const struct pk_folded_name *names,
				  enum pk_folded_root root, const uint32_t *metric, int metrics);

#endif
