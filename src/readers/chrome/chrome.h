#ifndef PK_CHROME_H
#define PK_CHROME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/num/hash.h"
#include "base/json/json.h"
#include "base/text/str.h"
#include "model/build/builder.h"
#include "model/build/id_map.h"
#include "model/events/nest.h"

/*
 * The reader of trace events (chrome.c says what they are), shared by its files and by the
 * dialects: what is particular to the files of one program is in a file of its own, which
 * says by what it is recognised and is called where it knows more.
 */
struct pk_chrome;

/* Process and thread as events name them: a number, or a text when it is not one. */
struct pk_chrome_number {
	int64_t number; /* PK_NULL: see text */
	uint32_t text;  /* string */
};

struct pk_chrome_process {
	struct pk_chrome_number pid;
	uint32_t name, labels; /* strings */
	int64_t sort;          /* PK_NULL */
	uint32_t id;           /* of the builder; 0 = nothing happened in it yet */
};

struct pk_chrome_thread {
	uint32_t process; /* index in c->processes */
	struct pk_chrome_number tid;
	uint32_t name;
	int64_t sort;
	uint32_t id; /* of the builder; 0 = nothing happened in it yet */
	enum pk_thread_role role;
	struct pk_nest_thread nest; /* rule and metric */
};

/* Spans name a label: a name in a category, for some dialects with a place in a file. */
struct pk_chrome_label {
	uint32_t name, category; /* strings */
	uint32_t file, line;     /* as given by the dialect's arg hook; 0 */
	uint32_t device;         /* as given by its event hook: the same name means another thing */
};

/* The id of an asynchronous event or flow. */
struct pk_chrome_id {
	uint64_t hash; /* of its text or number; 0 = none */
	uint32_t text; /* string, if it may be that of a counter */
	bool global;   /* id2.global: not of its process alone */
};

/* One event. Times in ns as in the file (c->base is not subtracted), PK_NULL = none. Its
 * arguments, a JSON object as written, are in c->args if they are wanted. */
struct pk_chrome_event {
	char phase;
	bool odd_time, odd_duration; /* there, but no number */
	bool args_cut;               /* too long to be kept */
	char bind;                   /* "bp": 'e'; 0 = none */
	bool flow_in, flow_out;
	uint32_t name, category; /* strings, 0 = none */
	int64_t time, duration, thread_duration, weight;
	struct pk_chrome_number pid, tid;
	struct pk_chrome_id id, bind_id;
	uint32_t scope;      /* string */
	uint32_t frame;      /* "sf": string */
	uint32_t file, line; /* for labels: set by arg hooks */
	uint32_t device;     /* for labels: set by event hooks */
	uint64_t offset;     /* byte at which the event ends, for messages */
	uint32_t thread;     /* index in c->threads, once the event is complete */
};

struct pk_chrome_dialect {
	const char *name;
	/* A top-level key, or the category of an event, by which a file is recognised. Ended by
	 * NULL; may be NULL. The first dialect to be recognised stays. */
	const char *const *keys, *const *categories;
	const char *const *processes; /* the same: how the name of a process, or a pid
				       * that is no number, begins */
	/* Phases of events whose arguments are in c->args for the hooks, wanted or not; NULL. */
	const char *arguments;
	size_t state_size; /* of c->state, zeroed when the file is recognised */

	/* All may be NULL. */

	/* The file is recognised. */
	void (*begin)(struct pk_chrome *c);
	/* At a top-level key, whose value comes next in c->json: reads it and returns true, or
	 * returns false, with nothing read, if the core is to keep it as it keeps unknown ones. */
	bool (*key)(struct pk_chrome *c);
	/* At a key in the args of an event, whose other members may not be known yet: reads the
	 * value and returns true, or false as above. It may be read apart (chrome_ahead.h): there
	 * is no state, and c is to be used for its texts and tokens alone. */
	bool (*arg)(struct pk_chrome *c, struct pk_chrome_event *e);
	/* The event is complete and about to be stored: may change it. False: leave it out. */
	bool (*event)(struct pk_chrome *c, struct pk_chrome_event *e);
	/* The event became a row of the table: PK_TABLE_SPAN (see pk_chrome_place), _INSTANT. */
	void (*stored)(struct pk_chrome *c, const struct pk_chrome_event *e, enum pk_table_id table,
		       uint32_t row);
	/* All events are read: roles, rules, names of threads. */
	void (*threads)(struct pk_chrome *c);
	/* Makes a frame of a label: frame is a plain one with the name as its function. */
	void (*frame)(struct pk_chrome *c, const struct pk_chrome_label *label,
		      struct pk_function *frame);
	/* Spans are in their final rows, with nodes: links, producer, meta. -1 with c->err. */
	int (*finish)(struct pk_chrome *c);
	void (*release)(struct pk_chrome *c);
};
/* All of them are listed in chrome_dialects.def. */

/* -O */
struct pk_chrome_params {
	const char *torch; /* version whose rules are used */
};

struct pk_chrome {
	const struct pk_chrome_params *params;
	struct pk_input *in;
	struct pk_json json;
	struct pk_builder *b;
	struct pk_error *err;
	const struct pk_chrome_dialect *dialect; /* NULL: none was recognised */
	void *state;                             /* of the dialect */
	struct pk_buf args;                      /* of the event being read, if they are wanted */
	struct pk_buf text;                      /* scratch */

	struct pk_chrome_process *processes; /* from 1 */
	uint32_t process_count, process_alloc;
	struct pk_chrome_thread *threads; /* from 1 */
	uint32_t thread_count, thread_alloc;
	struct pk_chrome_label *labels; /* from 1: what span.node is until nested */
	uint32_t label_count, label_alloc;

	int64_t absolute;   /* ns since 1970 of time 0 in the file, PK_NULL: from the file */
	int64_t base;       /* ns: the first time in the file, taken off all others at the end */
	bool has_fractions; /* times are finer than us */
	struct pk_nest nest;

	/* Private to the reader. */
	struct pk_index process_index, thread_index, label_index;
	uint32_t last_process, last_thread; /* most events are of the thread of the one before */
	uint8_t *categories;                /* by string: looked at by all dialects */
	uint32_t category_alloc, meta_count, names_cut;
	struct pk_chrome_point *points; /* ends of arrows */
	uint32_t point_count, point_alloc;
	struct pk_chrome_async *asyncs; /* events of spans that belong to no thread */
	uint32_t async_count, async_alloc;
	struct {
		struct pk_chrome_known *member; /* [0]: before the first one */
		uint32_t count, alloc, last, forgotten;
	} known; /* members of events */
	struct pk_chrome_stack_frame *stack_frames;
	struct pk_chrome_sample *samples;
	struct pk_chrome_v8 *v8; /* profiles within the trace */
	uint32_t stack_frame_count, stack_frame_alloc, sample_count, sample_alloc;
	uint32_t v8_count, v8_alloc;
	struct pk_id_map v8_keys;  /* numbers of these, by process and id */
	struct pk_id_map v8_nodes; /* by number and id */
	bool has_events;           /* a list of events was there */
	bool has_lines;            /* events stand in no list */
	uint32_t lists;            /* of events, so far */
	bool has_samples;          /* there are samples beside the events, or among them */
	bool has_ends;             /* an event of phase E was */
	bool in_page;              /* the trace is a part of an HTML page */
	bool ended;                /* nothing more can be read */
	const struct pk_cut *cut;  /* NULL: one thread reads */
	struct pk_chrome_ahead *ahead;
	uint64_t replayed; /* place of the event that is stored, if it was read ahead; or 0 */
	bool was_ahead;
	bool apart; /* events are read for another one of these, which sees to what is odd */
	struct pk_chrome_slice *slice; /* events are not stored: a part of them is copied */
	bool copies; /* the second pass of that: their text is kept, and what is odd was said */
};

/* The text of the last token of c->json, escapes resolved, as a string of the builder. */
uint32_t pk_chrome_string(struct pk_chrome *c);
/* A number of us as ns, rounded; false: it is none. Sets *fraction where it is finer than us. */
bool pk_chrome_ns(const char *text, size_t len, int64_t *ns, bool *fraction);
/* Takes the last token for c->absolute; false: it is none. */
bool pk_chrome_take_base(struct pk_chrome *c);
/* A whole number of at most 18 digits; false: it is none. */
bool pk_chrome_whole(const char *text, size_t len, int64_t *number);
/* Index of the process or thread; made if it is not there. */
uint32_t pk_chrome_process(struct pk_chrome *c, struct pk_chrome_number pid);
uint32_t pk_chrome_thread(struct pk_chrome *c, uint32_t process, struct pk_chrome_number tid);
/* Counts a repair at the event that is being read; -1 with c->err when they are errors. */
int pk_chrome_repair(struct pk_chrome *c, const char *what);
/* Where a span went: the final row of what was stored as `row`, for an end that of its begin;
 * 0 = it was left out. For finish hooks; who calls it sets c->nest.wants_place before. */
uint32_t pk_chrome_place(const struct pk_chrome *c, uint32_t row);

#endif
