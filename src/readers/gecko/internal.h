#pragma once

#include "base/json/members.h"
#include "readers/reader.h"

/* Shared by the files of this reader. A file is first read into memory as it is, table by table,
 * because tables of threads refer to tables that may come after them. */
enum gecko_column {
	GECKO_STACK, /* of samples, as what follows */
	GECKO_TIME,
	GECKO_TIME_DELTAS,
	GECKO_WEIGHT,
	GECKO_CPU_DELTA,
	GECKO_COUNT, /* of a counter */
	GECKO_ALLOCATED_STACK,
	GECKO_ALLOCATED_TIME,
	GECKO_ALLOCATED,
	GECKO_STACK_FRAME,
	GECKO_STACK_PREFIX,
	GECKO_STACK_OFFSET,
	GECKO_FRAME_FUNC,
	GECKO_FRAME_LOCATION, /* string, before processing */
	GECKO_FRAME_LINE,
	GECKO_FRAME_COLUMN,
	GECKO_FRAME_ADDRESS,
	GECKO_FRAME_CATEGORY,
	GECKO_FRAME_LIB,
	GECKO_FRAME_SYMBOL,
	GECKO_FRAME_INLINED,
	GECKO_FUNC_NAME,
	GECKO_FUNC_RESOURCE,
	GECKO_FUNC_FILE,
	GECKO_FUNC_SOURCE,
	GECKO_FUNC_LINE,
	GECKO_RESOURCE_NAME,
	GECKO_RESOURCE_LIB,
	GECKO_RESOURCE_TYPE,
	GECKO_SYMBOL_LIB,
	GECKO_SOURCE_FILE,
	GECKO_MARKER_NAME,
	GECKO_MARKER_START,
	GECKO_MARKER_END,
	GECKO_MARKER_PHASE,
	GECKO_MARKER_CATEGORY,
	GECKO_COLUMNS,
	GECKO_MARKER_DATA = GECKO_COLUMNS, /* not of numbers */
};

struct gecko_lib {
	double start, end;
	uint32_t mapping;
};

/* The data of a marker. */
struct gecko_data {
	size_t at, len;           /* in gecko.text: the JSON of it; len 0 = not kept */
	double start, end, stack; /* NaN: not said */
	char interval;            /* "interval": "start" or "end"; 0 */
};

/* The tables of a thread, or those that threads share. Null is NaN. */
struct gecko_tables {
	struct pk_json_reals column[GECKO_COLUMNS];
	struct gecko_data *data; /* of markers */
	size_t datas, data_alloc;
	uint32_t *string; /* of the builder */
	size_t strings, string_alloc;
	struct gecko_lib *lib;
	size_t libs, lib_alloc;
	uint32_t weight_type;
	/* Made of them. */
	uint32_t *location;        /* by frame */
	uint32_t *node, *category; /* by stack; category: a text */
	bool built;
};

/* A process, or a file of processes: what is said for all its threads. */
struct gecko_scope {
	struct gecko_tables *tables; /* shared; NULL until there is one */
	double start;                /* ms since 1970 */
	uint32_t *category;          /* texts */
	size_t categories, category_alloc;
};

struct gecko_thread {
	struct gecko_tables *tables;                      /* NULL: none */
	uint32_t scope, name, process_name, metric, unit; /* texts */
	uint32_t exponent;                                /* text */
	uint32_t times;    /* text: "order", "none": they are made up */
	uint32_t tid, pid; /* texts */
	bool is_main, is_whole;
	uint32_t id; /* of the builder */
};

struct gecko_counter {
	struct gecko_tables *tables;
	uint32_t scope, name, category, pid;
};

struct gecko {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_json json;
	struct pk_buf buf, text; /* buf: to work with; text: of markers */
	struct gecko_scope *scope;
	uint32_t scopes, scope_alloc;
	struct gecko_thread *thread;
	size_t threads, thread_alloc;
	struct gecko_counter *counter;
	size_t counters, counter_alloc;
	bool is_tachyon, is_ours;
	bool is_recording; /* of the developer tools */
	uint32_t cpu_unit; /* text */
	int64_t without_stack;
};

static inline const char *gecko_chars(const struct gecko *g, uint32_t text)
{
	return pk_text(pk_builder_profile(g->b), text);
}

int gecko_repair(struct gecko *g, const char *what);
/* The next value, of any kind but a container, as a text; 0 = none. */
uint32_t gecko_read_text(struct gecko *g);
/* The tables, made if they are not there. */
struct gecko_tables *gecko_tables(struct gecko_tables **t);
/* Reads a table after its key; false if no such table is known: then nothing is read. */
bool gecko_read_table(struct gecko *g, struct gecko_tables **t);
void gecko_tables_free(struct gecko_tables *t);

static inline size_t gecko_rows(const struct gecko_tables *t, enum gecko_column column)
{
	return t->column[column].count;
}

#define GECKO_NONE SIZE_MAX
/* A cell as a row of a table of so many rows, from 0; GECKO_NONE: it is none. */
size_t gecko_index(const struct gecko_tables *t, enum gecko_column column, size_t row, size_t rows);
/* A cell as a number; NaN: it is none. */
double gecko_cell(const struct gecko_tables *t, enum gecko_column column, size_t row);
/* A cell that refers to a string; 0 = none. */
uint32_t gecko_text(const struct gecko_tables *strings, const struct gecko_tables *t,
		    enum gecko_column column, size_t row);
/* ms as ns; PK_NULL for NaN, and what is beyond 292 years. */
int64_t gecko_ns(double ms);

/* The tables with the call paths of a thread, made if they are not; NULL with g->err. */
struct gecko_tables *gecko_stacks(struct gecko *g, struct gecko_thread *thread);
/* Sorts the libraries by address, for the search of addresses. */
void gecko_sort_libs(struct gecko_tables *t);
/* The categories of the thread, or those of the whole file. */
const struct gecko_scope *gecko_categories(const struct gecko *g,
					   const struct gecko_thread *thread);
const struct gecko_tables *gecko_strings(struct gecko *g, const struct gecko_thread *thread);
/* ms of the time of a process as ns of that of the file; PK_NULL as gecko_ns. */
int64_t gecko_time(const struct gecko *g, uint32_t scope, double ms);
int gecko_make_samples(struct gecko *g, struct gecko_thread *thread);
int gecko_make_markers(struct gecko *g, struct gecko_thread *thread);
void gecko_make_counters(struct gecko *g);
void gecko_read_meta(struct gecko *g, uint32_t scope);
