#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/build/id_map.h"
#include "model/build/join.h"
#include "readers/reader.h"

/* The parts of the reader of perf's text; perf_script.c says what that is. */

/* The first line of a sample, or a record of its own. Texts point into the line. */
struct pk_perf_header {
	const char *comm, *event,
		*rest; /* rest: the text after the event, without blanks around it */
	size_t comm_len, event_len, rest_len;
	int64_t pid, tid; /* PK_NULL */
	int64_t time;     /* ns, PK_NULL */
	int64_t period;   /* PK_NULL */
	bool cut;         /* the period did not fit */
	size_t left_len;  /* length of the part before the time: comm and ids */
};

enum pk_perf_kind {
	PK_PERF_NOTHING,
	PK_PERF_SAMPLE,
	PK_PERF_RECORD,   /* PERF_RECORD_...: the text of it is `rest` */
	PK_PERF_DEFERRED, /* the rest of the stack of an earlier sample */
};

/* Classifies and parses a line without its line break. */
enum pk_perf_kind pk_perf_header_parse(const char *line, size_t len, struct pk_perf_header *h);
/* The same for a line whose part before the time has the length `left` and is known: comm, pid and
 * tid are not set. */
enum pk_perf_kind pk_perf_header_again(const char *line, size_t left, size_t len,
				       struct pk_perf_header *h);
/* The same for a line without a time: "comm 12 cycles:". */
bool pk_perf_header_untimed(const char *line, size_t len, struct pk_perf_header *h);
/* Parses a line that is a header only if frames follow it: a comm, perhaps with a tid. */
void pk_perf_header_bare(const char *line, size_t len, struct pk_perf_header *h);

/* The score of the first bytes of a file. */
enum pk_score pk_perf_probe(const struct pk_probe *probe);
/* Reads "# hostname : x" of perf script --header, which describes the run. */
void pk_perf_comment(struct pk_builder *b, const char *line, size_t len);

/* The parts of a frame line. */
struct pk_perf_frame_text {
	uint64_t address;
	const char *symbol, *dso; /* NULL = not there */
	size_t symbol_len, dso_len;
	bool inlined;
};
bool pk_perf_frame_parse(const char *line, size_t len, struct pk_perf_frame_text *f);
/* "file.c:12", with blanks before it and perhaps " (inlined)" after it. */
struct pk_perf_source {
	const char *file; /* NULL: perf found no line */
	size_t file_len;
	uint32_t line;
	bool inlined;
};
bool pk_perf_source_parse(const char *line, size_t len, struct pk_perf_source *s);

/* An interned frame line. */
struct pk_perf_line {
	const char *text; /* with the line break */
	uint32_t len;
	uint32_t function, module; /* strings */
	uint32_t location;         /* 0: not made yet; with `more`: index of the first in chain */
	uint32_t node;             /* the last call path that ended in it; 0 = none */
	uint16_t more;             /* number of Java frames that were inlined into the first */
	uint8_t kind;              /* enum pk_function_kind */
	bool inlined;              /* inlined: its module is that of the frame that contains it */
};

/*
 * A cache of frame lines by their whole text: a line that was seen lately, as most were, is not
 * parsed and not interned again. Bounded in number and bytes.
 */
struct pk_perf_lines {
	struct pk_builder *b;
	bool addrs; /* name code without a symbol by its address, too */
	struct pk_perf_line_set *sets;
	uint32_t count, missed; /* number of sets; of lines that were not found */
	struct pk_perf_line *line;
	uint32_t lines, lines_alloc;
	size_t bytes;
	struct pk_arena text;
	uint32_t *chain; /* locations, root first */
	uint32_t chains, chain_alloc;
	struct pk_perf_line once; /* a line that is not kept */
};
void pk_perf_lines_init(struct pk_perf_lines *c, struct pk_builder *b, bool addrs);
void pk_perf_lines_release(struct pk_perf_lines *c);
/* The cached line at p, which has at most `avail` bytes; NULL if it is not cached. */
struct pk_perf_line *pk_perf_lines_find(struct pk_perf_lines *c, const char *p, size_t avail);
/* Adds a line of `len` bytes including its line break, if it has one; NULL if it is not a frame.
 * Results of find and add are valid until the next add. */
struct pk_perf_line *pk_perf_lines_add(struct pk_perf_lines *c, const char *p, size_t len);
static inline bool pk_perf_line_is(const struct pk_perf_line *line, const char *p, size_t avail)
{
	return line->len <= avail && !memcmp(line->text, p, line->len);
}
/* The location of a line that is not inlined and has no `more`. */
uint32_t pk_perf_line_location(struct pk_perf_lines *c, struct pk_perf_line *line);

/* The stack of the current sample. */
struct pk_perf_stack {
	struct pk_perf_lines *lines;
	bool no_inline; /* leave out inlined functions */

	uint32_t *location; /* innermost first */
	uint16_t *line;     /* index in lines->line; 0 = none */
	size_t depth, alloc;
	struct pk_perf_inlined *inlined;
	size_t inlined_count, inlined_alloc;

	uint32_t *path, *node; /* of the sample before, root first */
	size_t path_depth, path_alloc;

	uint16_t *node_line; /* per node: a line that it was seen as */
	uint32_t node_lines_alloc;
	/* The call path of the outermost frames, from `followed` to `end`. */
	uint32_t known;
	size_t followed, end;
};
void pk_perf_stack_init(struct pk_perf_stack *s, struct pk_perf_lines *lines, bool no_inline);
void pk_perf_stack_release(struct pk_perf_stack *s);
void pk_perf_stack_begin(struct pk_perf_stack *s);
/* Adds the caller of the frames so far. source NULL = no source line follows. */
void pk_perf_stack_push(struct pk_perf_stack *s, struct pk_perf_line *line,
			const struct pk_perf_source *source);
/* Takes the following lines as long as they are those of the call path that last ended in this
 * line. Returns their bytes and adds their number to *count. */
size_t pk_perf_stack_follow(struct pk_perf_stack *s, const struct pk_perf_line *line, const char *p,
			    size_t avail, uint64_t *count);
/* Adds the frame in the rest of the header, for a sample without frame lines. */
void pk_perf_stack_push_rest(struct pk_perf_stack *s, const char *rest, size_t len);
/* The call path of the stack, which is not empty. */
uint32_t pk_perf_stack_node(struct pk_perf_stack *s);

/* Events: each is a metric. cpu-clock without periods is another metric than with periods. */
struct pk_perf_events {
	struct pk_builder *b;
	const char *only; /* NULL: all */
	struct pk_perf_event *event;
	size_t count, alloc, last;
};
enum { PK_PERF_MOST_EVENTS = 1000 };
/* only: the name of the wanted event, with or without modifiers. */
void pk_perf_events_init(struct pk_perf_events *e, struct pk_builder *b, const char *only);
void pk_perf_events_release(struct pk_perf_events *e);
/* Counts the value of a sample of the event found last. */
void pk_perf_events_add(struct pk_perf_events *e, int64_t value);
/* The value of all samples of the first metric if they are equal, otherwise PK_NULL. */
int64_t pk_perf_events_period(const struct pk_perf_events *e);
/* Adds the events of a piece that was read separately and sets join->metric; false if there are too
 * many. */
bool pk_perf_events_join(struct pk_perf_events *e, const struct pk_perf_events *piece,
			 struct pk_join *join);
/* The metric of a sample; 0 if it is not wanted. Returns false if there are too many events. */
bool pk_perf_event(struct pk_perf_events *e, const struct pk_perf_header *h, uint32_t *metric);

/* A thread that was seen, or what a record tells. */
struct pk_perf_note {
	int64_t pid, tid, time;
	int64_t parent; /* of a fork: the process that began this one; PK_NULL */
	uint32_t name;
	enum { PK_PERF_THREAD, PK_PERF_TASK, PK_PERF_COMM, PK_PERF_FORK, PK_PERF_EXIT } what;
};
/* Returns false if the record is not about a task. */
bool pk_perf_parse_record(struct pk_builder *b, const struct pk_perf_header *h,
			  struct pk_perf_note *note);
int64_t pk_perf_count_lost(const struct pk_perf_header *h);

/*
 * Threads by pid, tid and name. A tid without a pid belongs to the process that earlier
 * records name. A piece of a file does not know these: there, threads are numbers of notes,
 * which are resolved when the pieces are joined.
 */
struct pk_perf_threads {
	struct pk_builder *b;
	bool noting;
	struct pk_perf_note *note;
	uint32_t notes, notes_alloc, records;
	struct pk_index index;
	struct pk_id_map tasks; /* numbers of task, by tid */
	struct pk_perf_thread *thread;
	struct pk_perf_task *task;
	uint32_t count, alloc, task_count, task_alloc;
	struct pk_perf_left *lefts; /* begins of headers seen lately */
};
void pk_perf_threads_init(struct pk_perf_threads *t, struct pk_builder *b, bool noting);
/* Tells of processes which one began them. */
void pk_perf_threads_parents(struct pk_perf_threads *t);
/* Adds threads without samples that were started during the recording in a sampled process and
 * lived for at least half of the time from the first to the last sample. */
void pk_perf_threads_add_idle(struct pk_perf_threads *t, int64_t first, int64_t last);
void pk_perf_threads_release(struct pk_perf_threads *t);
/* The thread of a sample; 0 if the header names none. */
uint32_t pk_perf_thread(struct pk_perf_threads *t, const struct pk_perf_header *h);
/* The thread of a header whose begin was seen lately, and the length of that begin; 0 if it was
 * not. */
uint32_t pk_perf_threads_find(const struct pk_perf_threads *t, const char *line, size_t len,
			      size_t *left);
/* Remembers the begin of a header and its thread, for pk_perf_threads_find. */
void pk_perf_threads_keep(struct pk_perf_threads *t, const char *line, size_t left,
			  uint32_t thread);
/* Reads a PERF_RECORD line. Returns the number of lost events that it reports. */
int64_t pk_perf_record(struct pk_perf_threads *t, const struct pk_perf_header *h);
/* Resolves the notes of a piece and sets join->thread. */
void pk_perf_threads_join(struct pk_perf_threads *t, const struct pk_perf_threads *piece,
			  struct pk_join *join);

enum pk_perf_state {
	PK_PERF_BETWEEN, /* after an empty line or a record */
	PK_PERF_BARE,    /* `bare` holds a line that is a header if a frame follows */
	PK_PERF_IN_SAMPLE,
	PK_PERF_SKIPPED, /* in a sample that is not wanted */
};

/* A file being read, or a piece of one. */
struct pk_perf_reading {
	struct pk_builder *b;
	struct pk_error *err;
	bool piece;    /* a piece that begins within the file */
	bool ordered;  /* keep samples, not only their sums */
	bool any;      /* a sample or a record was seen */
	bool comments; /* a piece has comments before its first sample */
	bool timed;    /* the first sample has a time */
	uint64_t line, samples;
	int64_t first_time, last_time; /* times of samples; PK_NULL */
	enum pk_perf_state state;
	struct pk_perf_lines lines;
	struct pk_perf_threads threads;
	struct pk_perf_stack stack;
	struct pk_perf_events events;
	struct pk_buf bare;

	/* The sample that is being read. */
	uint32_t thread, metric;
	int64_t time, value;
	struct pk_buf rest; /* rest of its header, which is a frame if no frame line follows */
};
/* Reads all lines. Returns -1 with f->err set. */
int pk_perf_read(struct pk_perf_reading *f, struct pk_input *in);
