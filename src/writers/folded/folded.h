#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
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
	bool like_perf;        /* write names as stackcollapse-perf.pl does: see like_perf.c */
};

int pk_folded_write(const struct pk_profile *p, const struct pk_folded_style *style,
		    struct pk_output *out, struct pk_error *err);

struct pk_folded_name { /* of a function, or of a root, as it is written */
	const char *text;
	size_t len;
	uint32_t more;    /* another name that follows it, as a frame of its own; 0 = none */
	uint32_t rank[2]; /* place in the order of names: at the end of a path, and before a ';' */
};

/*
 * The call paths that are written. Node 0 is above all; a node's parent has a smaller number. The
 * first names are those of the functions of the profile, by id; like stackcollapse-perf.pl, there
 * is one for each variant.
 */
enum { PK_FOLDED_INLINED = 1, PK_FOLDED_JAVA = 2, PK_FOLDED_VARIANTS = 4 };
struct pk_folded_tree {
	const struct pk_profile *p;
	enum pk_folded_root root;
	uint32_t metric[2];
	int metrics;
	bool variants;
	bool whole; /* empty names are written at any place, else only at the begin of a path */
	struct pk_folded_name *name;
	uint32_t names, name_alloc;
	struct pk_arena text;
	struct pk_folded_node {
		uint32_t name, first, next, from; /* from: its node in the profile; 0 = a root */
		int64_t value[2];                 /* by metric */
	} * node;
	uint32_t count, alloc;
};
/* Adds the paths of the profile, with roots, after the names of its functions are there. */
void pk_folded_tree_build(struct pk_folded_tree *t);
/* Nodes with the same parent and the same rank become one. */
void pk_folded_tree_join(struct pk_folded_tree *t);
void pk_folded_tree_release(struct pk_folded_tree *t);

struct pk_folded_item { /* something still to be written */
	uint32_t node, rank;
	size_t above; /* length of the path above the node */
	bool below;   /* true: the paths below the node; false: its own line */
};
/* Sorts so that the last item is the first one by rank, of equal ones by node. */
void pk_folded_sort(struct pk_folded_item *item, size_t count);

/* True for code of a JIT: its module is a map file that the runtime writes for perf, or one that
 * perf makes from a dump. */
bool pk_folded_is_jit(const struct pk_profile *p, uint32_t function);
/* Sets t->name of the functions, in all variants. */
void pk_folded_name_like_perf(struct pk_folded_tree *t, const struct pk_folded_style *style);

/* The place of a name: at the begin of paths, at their end; or anywhere, and it may contain ';'. */
enum { PK_FOLDED_FIRST = 1, PK_FOLDED_LAST = 2, PK_FOLDED_ANYTHING = 4 };
/* Replaces characters that would be read as something else. */
void pk_folded_clean(struct pk_buf *name, int places);
