#ifndef PK_READERS_PERF_SCRIPT_H
#define PK_READERS_PERF_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/build/join.h"
#include "readers/reader.h"

/* The parts of the reader of perf's text; perf_script.c says what that is. */

/* The first line of a sample, or a record of its own. Texts point into the line. */
struct pk_perf_header {
	const char *comm, *event, *rest; /* rest: what follows the event, without blanks around */
	size_t comm_len, event_len, rest_len;
	int64_t pid, tid; /* PK_NULL */
	int64_t time;     /* ns, PK_NULL */
	int64_t period;   /* PK_NULL */
	bool cut;         /* the period did not fit */
	size_t left_len;  /* of what stands before the time: the comm, ids */
};

enum pk_perf_kind {
	PK_PERF_NOTHING,
	PK_PERF_SAMPLE,
	PK_PERF_RECORD,   /* PERF_RECORD_...: the text of it is `rest` */
	PK_PERF_DEFERRED, /* the rest of the stack of an earlier sample */
};

/* What a line without its line break is. */
enum pk_perf_kind pk_perf_header_parse(const char *line, size_t len, struct pk_perf_header *h);
/* The same of a line of which it is known that what stands before the time is of length `left`.
 * Leaves out comm, pid and tid. */
enum pk_perf_kind pk_perf_header_again(const char *line, size_t left, size_t len,
				       struct pk_perf_header *h);
/* The same of a line without a time: "comm 12 cycles:". */
bool pk_perf_header_untimed(const char *line, size_t len, struct pk_perf_header *h);
/* A line that begins a sample only because frames follow it: a comm, perhaps a tid. */
void pk_perf_header_bare(const char *line, size_t len, struct pk_perf_header *h);

/* How sure the first bytes of a file make it that they are of perf script. */
enum pk_score pk_perf_probe(const struct pk_probe *probe);
/* "# hostname : x", of perf script --header: what the file says of the run. */
void pk_perf_comment(struct pk_builder *b, const char *line, size_t len);

/* A frame line taken apart. */
struct pk_perf_frame_text {
	uint64_t address;
	const char *symbol, *dso; /* NULL = not there */
	size_t symbol_len, dso_len;
	bool inlined;
};
bool pk_perf_frame_parse(const char *line, size_t len, struct pk_perf_frame_text *f);
/* "file.c:12", with blanks before it and perhaps " (inlined)" after it. */
struct pk_perf_source {
	const char *file; /* NULL: perf knew no line */
	size_t file_len;
	uint32_t line;
	bool inlined;
};
bool pk_perf_source_parse(const char *line, size_t len, struct pk_perf_source *s);

/* What a frame line says, interned. */
struct pk_perf_line {
	const char *text; /* with the line break */
	uint32_t len;
	uint32_t function, module; /* strings */
	uint32_t location;         /* 0: not made yet; with `more`: where they begin in chain */
	uint32_t node;             /* the call path that ended in it last, 0 = none */
	uint16_t more;             /* frames of Java that were inlined into the first */
	uint8_t kind;              /* enum pk_function_kind */
	bool inlined;              /* then the module is that of the frame that it is in */
};

/*
 * Frame lines seen lately, by their whole text: a line that comes again, as nearly all do, is
 * neither parsed nor interned. Bounded in number and in bytes.
 */
struct pk_perf_lines {
	struct pk_builder *b;
	bool addrs; /* code without a symbol is named after its address too */
	struct pk_perf_line_set *sets;
	uint32_t count, missed; /* sets; lines that were not there */
	struct pk_perf_line *line;
	uint32_t lines, lines_alloc;
	size_t bytes;
	struct pk_arena text;
	uint32_t *chain; /* locations, root first */
	uint32_t chains, chain_alloc;
	struct pk_perf_line once; /* one that is not kept */
};
void pk_perf_lines_init(struct pk_perf_lines *c, struct pk_builder *b, bool addrs);
void pk_perf_lines_release(struct pk_perf_lines *c);
/* The line at p, which has at most `avail` bytes, if it was seen lately; else NULL. */
struct pk_perf_line *pk_perf_lines_find(struct pk_perf_lines *c, const char *p, size_t avail);
/* Adds the line of `len` bytes, line break included if it has one; NULL if it is no frame.
 * What find and add give is valid until the next add. */
struct pk_perf_line *pk_perf_lines_add(struct pk_perf_lines *c, const char *p, size_t len);
static inline bool pk_perf_line_is(const struct pk_perf_line *line, const char *p, size_t avail)
{
	return line->len <= avail && !memcmp(line->text, p, line->len);
}
/* The location of a line that is not inlined and has no `more`. */
uint32_t pk_perf_line_location(struct pk_perf_lines *c, struct pk_perf_line *line);

/* The stack of one sample after the other. */
struct pk_perf_stack {
	struct pk_perf_lines *lines;
	bool no_inline; /* leave out what was inlined */

	uint32_t *location; /* innermost first */
	uint16_t *line;     /* of lines->line, 0 = none of them */
	size_t depth, alloc;
	struct pk_perf_inlined *inlined;
	size_t inlined_count, inlined_alloc;

	uint32_t *path, *node; /* of the sample before, root first */
	size_t path_depth, path_alloc;

	uint16_t *node_line; /* of a node: a line that it was seen as */
	uint32_t node_lines_alloc;
	/* The call path of the frames from `followed` up to `end`, which are the outermost. */
	uint32_t known;
	size_t followed, end;
};
void pk_perf_stack_init(struct pk_perf_stack *s, struct pk_perf_lines *lines, bool no_inline);
void pk_perf_stack_release(struct pk_perf_stack *s);
void pk_perf_stack_begin(struct pk_perf_stack *s);
/* Adds the caller of what was added before. source NULL = none follows. */
void pk_perf_stack_push(struct pk_perf_stack *s, struct pk_perf_line *line,
			const struct pk_perf_source *source);
/* Takes the lines that follow the one pushed last, as long as they are those of a call path that
 * ended in it before: returns their bytes, and adds their number to *count. */
size_t pk_perf_stack_follow(struct pk_perf_stack *s, const struct pk_perf_line *line, const char *p,
			    size_t avail, uint64_t *count);
/* What stands in for the frames of a sample that has none: one in the rest of the header. */
void pk_perf_stack_push_rest(struct pk_perf_stack *s, const char *rest, size_t len);
/* Its call path; the stack is not empty. */
uint32_t pk_perf_stack_node(struct pk_perf_stack *s);

/* Events, each of which is a metric; cpu-clock without a period is another than with it. */
struct pk_perf_events {
	struct pk_builder *b;
	const char *only; /* NULL: all */
	struct pk_perf_event *event;
	size_t count, alloc, last;
};
enum { PK_PERF_MOST_EVENTS = 1000 };
/* only: the name of the event that is wanted, or what stands before its first ':'. */
void pk_perf_events_init(struct pk_perf_events *e, struct pk_builder *b, const char *only);
void pk_perf_events_release(struct pk_perf_events *e);
/* Takes in the value of a sample of the event found last. */
void pk_perf_events_add(struct pk_perf_events *e, int64_t value);
/* The value of all samples of the first metric, where it is the same; else PK_NULL. */
int64_t pk_perf_events_period(const struct pk_perf_events *e);
/* Adds those of a piece that was read for itself, and sets join->metric; false if there are too
 * many. */
bool pk_perf_events_join(struct pk_perf_events *e, const struct pk_perf_events *piece,
			 struct pk_join *join);
/* The metric of a sample, 0 if it is not wanted; false if there are too many events. */
bool pk_perf_event(struct pk_perf_events *e, const struct pk_perf_header *h, uint32_t *metric);

/*
 * Threads by pid, tid and name. A tid alone finds its process by what records said of it, which is
 * not known where a piece of a file is read for itself: there, threads are numbers of notes, and
 * the notes are gone through when the pieces are joined.
 */
struct pk_perf_threads {
	struct pk_builder *b;
	bool noting;
	struct pk_perf_note *note;
	uint32_t notes, notes_alloc, records;
	struct pk_index index, tasks;
	struct pk_perf_thread *thread;
	struct pk_perf_task *task;
	uint32_t count, alloc, task_count, task_alloc;
	struct pk_perf_left *lefts; /* begins of headers seen lately */
};
void pk_perf_threads_init(struct pk_perf_threads *t, struct pk_builder *b, bool noting);
/* Adds threads that were made while recording and are in no sample, of processes that are, and
 * lived for half of the time from the first to the last sample. */
void pk_perf_threads_add_idle(struct pk_perf_threads *t, int64_t first, int64_t last);
void pk_perf_threads_release(struct pk_perf_threads *t);
/* The thread of a sample; 0 if its line names none. */
uint32_t pk_perf_thread(struct pk_perf_threads *t, const struct pk_perf_header *h);
/* The thread of a header that begins as one did not long ago, and the length of that begin; 0 if
 * it is none of them. */
uint32_t pk_perf_threads_find(const struct pk_perf_threads *t, const char *line, size_t len,
			      size_t *left);
/* Remembers the begin of a header and its thread, for pk_perf_threads_find. */
void pk_perf_threads_keep(struct pk_perf_threads *t, const char *line, size_t left,
			  uint32_t thread);
/* Takes in a PERF_RECORD line; returns how many events it says were lost. */
int64_t pk_perf_record(struct pk_perf_threads *t, const struct pk_perf_header *h);
/* Goes through the notes of a piece, and sets join->thread. */
void pk_perf_threads_join(struct pk_perf_threads *t, const struct pk_perf_threads *piece,
			  struct pk_join *join);

enum pk_perf_state {
	PK_PERF_BETWEEN, /* an empty line or a record came before */
	PK_PERF_BARE,    /* in `bare` is what is a header if a frame follows */
	PK_PERF_IN_SAMPLE,
	PK_PERF_SKIPPED, /* a sample that is not wanted */
};

/* A file being read, or a piece of one. */
struct pk_perf_reading {
	struct pk_builder *b;
	struct pk_error *err;
	bool piece;    /* what stands before it is not known */
	bool ordered;  /* samples are kept, not only their sums */
	bool any;      /* a sample or a record was seen */
	bool comments; /* there were some before that, in a piece */
	bool timed;    /* the first sample has a time */
	uint64_t line, samples;
	int64_t first_time, last_time; /* of the file; PK_NULL */
	enum pk_perf_state state;
	struct pk_perf_lines lines;
	struct pk_perf_threads threads;
	struct pk_perf_stack stack;
	struct pk_perf_events events;
	struct pk_buf bare;

	/* The sample that is being read. */
	uint32_t thread, metric;
	int64_t time, value;
	struct pk_buf rest; /* of its header: a frame, where none follows */
};
/* Reads all lines. Returns -1 with f->err set. */
int pk_perf_read(struct pk_perf_reading *f, struct pk_input *in);

#endif
