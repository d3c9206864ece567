#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json/json.h"
#include "model/build/builder.h"

/* What scalene measures of a line, in the units of the file (scalene.c: fields). */
enum scalene_value {
	SCALENE_PYTHON,
	SCALENE_NATIVE,
	SCALENE_SYSTEM,
	SCALENE_AWAIT,
	SCALENE_MALLOC,
	SCALENE_MALLOCS,
	SCALENE_PYTHON_SHARE,
	SCALENE_PEAK,
	SCALENE_COPY,
	SCALENE_GPU,
	SCALENE_GPU_PEAK,
	SCALENE_VALUES
};

/* Decimals kept: of percentages and fractions, of seconds, MB and MB/s. */
enum { SCALENE_FINE = 15, SCALENE_DECIMALS = 9 };

/* The module of a file, a class or a function: where lines are. */
struct scalene_scope {
	uint32_t file, name; /* strings; name: with the scopes around it */
	uint32_t line;       /* of "def" */
	uint32_t frame; /* the innermost scope that is not a class: that of the frame that runs */
	uint32_t function;   /* made last */
	bool class;
};

struct scalene_line {
	uint32_t number, scope;
};

struct scalene_file {
	uint32_t name;
	size_t first, end; /* lines */
};

/* The values of a line that has any. */
struct scalene_cost {
	size_t line;
	int64_t value[SCALENE_VALUES];
};

struct scalene_function {
	uint32_t file, line, name;
};

struct scalene_frame {
	uint32_t name, file; /* strings; file: or a library */
	uint32_t line;
	bool native;
};

struct scalene_stack {
	size_t begin, end; /* frames, from the root */
	int64_t weight;
	uint32_t node;
};

enum scalene_stacks { SCALENE_CPU, SCALENE_MEMORY, SCALENE_COMBINED, SCALENE_STACKS };

struct scalene_moment {
	int64_t time, thread; /* ns; PK_NULL */
	uint32_t stack;
	int64_t count;
};

/* The open scopes in the text of a file, and the state after its last line. */
struct scalene_scan {
	struct {
		uint32_t indent, scope;
	} * open;
	size_t depth, alloc;
	size_t first; /* line of the file */
	int64_t brackets;
	uint32_t decorator; /* line of the first one of what comes next, 0 = there is none */
	char quote;         /* of a text in three quotes; 0 = none */
	bool joined;        /* the last line ends in a backslash */
};

struct scalene {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;
	struct pk_buf text, word, source;
	bool any, child;
	bool gap;        /* too many lines of the file were left out for its text */
	int64_t elapsed; /* ns */
	int64_t native;  /* MB allocated outside of all lines */
	int64_t peak;    /* MB in use at most */
	int64_t main_thread;
	struct scalene_scan scan;
	struct scalene_scope *scope;
	size_t scopes, scope_alloc;
	struct scalene_file *file;
	size_t files, file_alloc;
	struct scalene_line *line;
	size_t lines, line_alloc;
	struct scalene_cost *cost;
	size_t costs, cost_alloc;
	struct scalene_function *function;
	size_t functions, function_alloc;
	struct scalene_frame *frame;
	size_t frames, frame_alloc;
	struct {
		struct scalene_stack *item;
		size_t count, alloc;
	} stacks[SCALENE_STACKS];
	struct scalene_moment *moment;
	size_t moments, moment_alloc;
	uint32_t *file_of; /* by string: the number of the file + 1 */
	size_t file_of_alloc;
};

/* scope.c: begins a file; the scope of its next line. */
void scalene_begin_scopes(struct scalene *r, uint32_t file);
uint32_t scalene_scope_of(struct scalene *r, uint32_t number, const char *text, size_t len);

/* file.c: reads the source files. */
int scalene_read_files(struct scalene *r);

/* stack.c: reads stacks of a kind, and the times of the combined ones. */
int scalene_read_stacks(struct scalene *r, enum scalene_stacks kind);
int scalene_read_timeline(struct scalene *r);

/* scalene.c: the number that is the current token, in units of 10^-exponent. */
int scalene_number(struct scalene *r, int exponent, int64_t *value);

/* build.c: makes the profile of what was read. */
void scalene_build(struct scalene *r);
