#pragma once

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/sqlite/input.h"
#include "base/text/str.h"
#include "model/build/near_ids.h"
#include "model/events/nest.h"
#include "readers/reader.h"

/* Larger times are treated as wrong; sums and differences of the others fit into 64 bits. */
#define NSYS_MAX_TIME ((int64_t)1 << 61)

/* What a span is; decides its category and the kind of its function. */
enum nsys_kind {
	NSYS_KERNEL,
	NSYS_COPY,
	NSYS_SET,
	NSYS_GRAPH, /* a graph whose kernels were not traced */
	NSYS_RUNTIME,
	NSYS_DRIVER,
	NSYS_OPERATOR, /* a range of NVTX that torch made */
	NSYS_RANGE,    /* other ranges of NVTX */
	NSYS_SYSTEM,   /* calls of the operating system's library */
	NSYS_KINDS
};

/* StringIds: most names are numbers of its rows. A text becomes a string of the profile only when
 * it is used: the others may be host names, environments, or what programs printed. */
struct nsys_text {
	const char *text;
	size_t len;
	uint32_t string;
};

struct nsys_end { /* of a flow: a call, or the work that it launched */
	int64_t call;
	uint32_t row;
};
struct nsys_ends {
	struct nsys_end *item;
	size_t count, alloc;
};

enum nsys_arg { /* in the order in which they are written */
		NSYS_DEVICE,
		NSYS_CONTEXT,
		NSYS_STREAM,
		NSYS_QUEUE,
		NSYS_CORRELATION,
		NSYS_BYTES,
		NSYS_REGISTERS,
		NSYS_SHARED,
		NSYS_SCRATCH,
		NSYS_GRID,
		NSYS_BLOCK,
		NSYS_NODE,
		NSYS_SEQ,
		NSYS_OP_ID,
		NSYS_ARGS
};
struct nsys_args { /* of a span; see args.c */
	struct nsys_args_key {
		uint64_t given;     /* bits of enum nsys_arg */
		int64_t size[2][3]; /* of grid and block */
	} key;
	uint64_t wanted; /* bits of enum nsys_arg */
	int64_t value[NSYS_ARGS];
	struct pk_buf more; /* members that are other values, each after ", " */
	struct nsys_shape {
		struct nsys_args_key key;
		uint32_t pattern;
	} * shapes; /* [0] is not used */
	uint32_t shape_count, shape_alloc;
	struct pk_index shape_index;
	struct pk_buf text;
};

struct nsys_stream {
	int64_t process, device, context, stream;
};

struct nsys {
	struct pk_builder *b;
	struct pk_error *err;
	struct pk_db_input db;
	uint64_t rows_left; /* rows that a database of this size can still hold */
	bool again;         /* a table is read a second time: what it lacks has been said */
	uint64_t made_left; /* bytes of the names "DOMAIN:TEXT" that can still be made */
	struct pk_arena arena;
	struct nsys_text *texts; /* [0] is not used */
	uint32_t text_count, text_alloc;
	struct pk_id_map text_rows;
	struct pk_id_map process_numbers; /* by globalPid >> 24: 1 is the first with events */
	struct pk_id_map processes;       /* by globalPid >> 24: processes of the profile */
	struct pk_id_map devices;         /* by number: processes of the profile */
	struct pk_id_map pids;            /* that a process has */
	struct pk_id_map threads;         /* by globalTid: threads of the profile */
	struct pk_id_map streams;         /* by a hash of process, device, context, stream */
	struct nsys_stream last_stream;   /* most rows are of the stream of the row before */
	uint32_t last_stream_id;
	struct nsys_last {
		int64_t key;
		uint32_t row; /* 0 = none yet */
	} last_process, last_thread;
	struct pk_id_map places;      /* by a hash of device and stream: how many there are */
	struct pk_nest_label *labels; /* [0] is not used */
	uint32_t label_count, label_alloc;
	struct pk_id_map label_rows;                /* by kind and string */
	struct pk_near_ids name_labels[NSYS_KINDS]; /* by id of StringIds + 1 */
	uint32_t categories[NSYS_KINDS];
	struct pk_id_map thread_names, process_names; /* strings */
	struct pk_id_map domains;                     /* of NVTX, by process and id: strings */
	struct pk_id_map domain_texts;                /* "DOMAIN:TEXT", by the strings of both */
	struct nsys_ends calls, works;
	uint32_t time, gpu_time; /* metrics */
	bool *on_gpu;            /* by thread */
	uint32_t on_gpu_alloc;
	struct nsys_args args;
	struct pk_nest nest;
	int64_t base;  /* the first of all times, in the file */
	int64_t epoch; /* ns since 1970 at time 0 of the file; PK_NULL */
};

/*
 * The rows of a table, with the wanted columns; a column that the table lacks is NULL.
 *
 *	if (nsys_open(n, &rows, "MPI_RANKS", columns, 2) <= 0)
 *		return ...;
 *	while (nsys_next(&rows))
 *		use(nsys_int(&rows, 0));
 *	return nsys_close(&rows);
 */
struct nsys_rows {
	struct nsys *n;
	sqlite3_stmt *stmt;
	const char *table;
	sqlite3_value **value; /* of the current row, in nsys_each */
	uint64_t number;       /* of the current row, from 1 */
	bool failed;
	bool said; /* the error has its place */
};
/* 1; 0 = there is no such table; -1 with n->err. */
int nsys_open(struct nsys *n, struct nsys_rows *rows, const char *table, const char *const *columns,
	      size_t count);
bool nsys_next(struct nsys_rows *rows);
int nsys_close(struct nsys_rows *rows);
/* Calls a function for each row until it returns something else than 0. SQLite hands over all
 * columns of a row at once, which takes less time than nsys_next for large tables. 0; -1 with
 * n->err. */
typedef int nsys_row(void *reader, struct nsys_rows *rows, int kind);
int nsys_each(struct nsys *n, const char *table, const char *const *columns, size_t count,
	      nsys_row *row, void *reader, int kind);
/* PK_NULL if it is NULL or no whole number. */
int64_t nsys_int(const struct nsys_rows *rows, int column);
/* A text that is the value itself, valid until the next row; NULL if it is none. All texts together
 * fit in the file, unless it is crafted: its rows may share pages. Then the rows end and fail. */
const char *nsys_take_text(struct nsys_rows *rows, int column, size_t *len);
/* The same as a string of the profile; 0 if it is none. */
uint32_t nsys_own_text(struct nsys_rows *rows, int column);
/* A repair at the current row. */
int nsys_repair(const struct nsys_rows *rows, const char *what);
/* The times in columns 0 and 1. 1 = they are good; 0 = the row is left out; -1 with n->err.
 * The end may be missing if `open`: then it is PK_NULL. */
int nsys_times(const struct nsys_rows *rows, bool open, int64_t *start, int64_t *end);

/* texts.c */
/* The table of texts, and its column with the texts. */
int nsys_read_texts(struct nsys *n, const char *table, const char *value);
/* A text that has no id; its place in n->texts. */
uint32_t nsys_add_text(struct nsys *n, const char *text, size_t len);
/* Strings of the profile; 0: there is none. */
uint32_t nsys_text(struct nsys *n, int64_t id);
/* The same for a place in n->texts. */
uint32_t nsys_text_at(struct nsys *n, uint32_t row);
/* Labels of spans; name 0 is "(no name)". system_name: 0, or as the compiler mangled it. */
uint32_t nsys_label(struct nsys *n, enum nsys_kind kind, uint32_t name, uint32_t system_name);
/* The same for ids of StringIds, which may be PK_NULL. other: taken if there is no name. */
uint32_t nsys_label_by_id(struct nsys *n, enum nsys_kind kind, int64_t name, int64_t other,
			  int64_t system_name);

/* threads.c */
int nsys_read_names(struct nsys *n);
/* 1, 2, ... of a globalPid or globalTid; PK_NULL gives 1: files without it are of one process. */
uint32_t nsys_process_number(struct nsys *n, int64_t global);
uint32_t nsys_thread(struct nsys *n, int64_t global);
/* A thread of a host process that holds ranges which do not nest. */
uint32_t nsys_ranges_thread(struct nsys *n, int64_t global, const char *name);
uint32_t nsys_stream(struct nsys *n, const struct nsys_stream *stream);
bool nsys_is_gpu(const struct nsys *n, uint32_t thread);

/* The id by which work and the call that launched it are linked, unique among processes;
 * PK_NULL. */
int64_t nsys_call_id(struct nsys *n, int64_t global, int64_t correlation);
/* Remembers an end if flows are wanted. */
void nsys_add_end(struct nsys *n, struct nsys_ends *ends, int64_t call, uint32_t span);

/* args.c */
/* Call it first. */
void nsys_find_wanted_args(struct nsys *n);
/* Adds an argument of the next span if it is wanted and known. */
void nsys_arg(struct nsys *n, enum nsys_arg arg, int64_t value);
void nsys_arg_size(struct nsys *n, enum nsys_arg arg, int64_t x, int64_t y, int64_t z);
/* Gives the arguments added so far to a span. */
void nsys_put_args(struct nsys *n, uint32_t span);

/* work.c, calls.c, nvtx.c: the tables of events */
int nsys_read_work(struct nsys *n);
int nsys_read_calls(struct nsys *n);
int nsys_read_nvtx(struct nsys *n);
/* samples.c: after the metrics of spans, of which the first is shown */
int nsys_read_samples(struct nsys *n);
/* gpu_metrics.c */
int nsys_read_gpu_metrics(struct nsys *n);
/* Adds "TABLE (12 rows)" to a list of tables that are not read, if it has rows. */
int nsys_name_unread(struct nsys *n, struct pk_buf *list, const char *table);
/* about.c: what the export says of itself, and what of it is not read */
int nsys_read_version(struct nsys *n);
int nsys_read_about(struct nsys *n);
/* nsys.c: frees what n holds */
void nsys_release(struct nsys *n);
/* finish.c */
void nsys_make_metrics(struct nsys *n);
int nsys_finish(struct nsys *n);
