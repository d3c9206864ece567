#pragma once

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
 * The reader of trace events (see chrome.c). Facts about the files of single programs are in
 * dialects: a file for each, which tells how the program's files are recognised and has hooks
 * that the reader calls.
 */
struct pk_chrome;

/* Process or thread of an event: a number, or a text that is not a number. */
struct pk_chrome_number {
	int64_t number; /* PK_NULL: see text */
	uint32_t text;  /* string */
};

struct pk_chrome_process {
	struct pk_chrome_number pid;
	uint32_t name, labels; /* strings */
	int64_t sort;          /* PK_NULL */
	uint32_t id;           /* id in the builder; 0 = no event yet */
};

struct pk_chrome_thread {
	uint32_t process; /* index in c->processes */
	struct pk_chrome_number tid;
	uint32_t name;
	int64_t sort;
	uint32_t id; /* id in the builder; 0 = no event yet */
	enum pk_thread_role role;
	struct pk_nest_thread nest; /* rule and metric */
};

/* Spans refer to labels: a name in a category, in some dialects with a place in a file. */
struct pk_chrome_label {
	uint32_t name, category; /* strings */
	uint32_t file, line;     /* set by the dialect's arg hook, or 0 */
	uint32_t device; /* set by the dialect's event hook: one name can mean different things */
};

/* The id of an asynchronous event or flow. */
struct pk_chrome_id {
	uint64_t hash; /* of its text or number; 0 = none */
	uint32_t text; /* string, if a counter may use it */
	bool global;   /* id2.global: valid in all processes */
};

/* One event. Times are ns as in the file (c->base is not subtracted); PK_NULL = none. Its
 * arguments, a JSON object as written, are in c->args if they are wanted. */
struct pk_chrome_event {
	char phase;
	bool odd_time, odd_duration; /* present, but not a number */
	bool args_cut;               /* too long to be kept */
	bool args_there;             /* an object that is not empty */
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
	uint32_t thread;     /* index in c->threads, once the event is complete */
};

enum pk_chrome_sign {
	PK_CHROME_KEY, /* at the top level */
	PK_CHROME_CATEGORY,
	PK_CHROME_PROCESS, /* the begin of its name, or of a pid that is not a number */
	PK_CHROME_SIGNS
};

struct pk_chrome_dialect {
	/* What identifies a file, by kind of sign. Ended by NULL; may be NULL. The first dialect
	 * that is recognised stays. */
	const char *const *signs[PK_CHROME_SIGNS];
	/* Phases of events whose arguments the hooks need in c->args; NULL. */
	const char *arguments;
	const char *slice_key; /* a key; its hook is called also where events are copied; NULL */
	size_t state_size;     /* of c->state, zeroed when the file is recognised */

	/* Hooks. All may be NULL. */

	/* The dialect was recognised. */
	void (*begin)(struct pk_chrome *c);
	/* Called at a top-level key, whose value comes next in c->json. Reads the value and returns
	 * true, or reads nothing and returns false; then it is kept like values of unknown keys. */
	bool (*key)(struct pk_chrome *c);
	/* At a key in the arguments of an event, whose other members may not be known yet: as
	 * above. It may be called for events read ahead (ahead.h): then there is no state, and only
	 * texts and tokens of c may be used. */
	bool (*arg)(struct pk_chrome *c, struct pk_chrome_event *e);
	/* The event is complete and about to be stored; the hook may change it. Returns false to
	 * leave it out. */
	bool (*event)(struct pk_chrome *c, struct pk_chrome_event *e);
	/* The event became a row of the table: PK_TABLE_SPAN (see pk_chrome_place) or _INSTANT. */
	void (*stored)(struct pk_chrome *c, const struct pk_chrome_event *e, enum pk_table_id table,
		       uint32_t row);
	/* All events are read: sets roles, rules and names of threads. */
	void (*threads)(struct pk_chrome *c);
	/* Makes a function of a label; `function` has the label's name as its name. */
	void (*function)(struct pk_chrome *c, const struct pk_chrome_label *label,
			 struct pk_function *function);
	/* Spans are in their final rows, with nodes: adds links, producer, meta. Returns -1 with
	 * c->err. */
	int (*finish)(struct pk_chrome *c);
	void (*release)(struct pk_chrome *c);
};
/* The dialects are listed in dialects.def. */

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
	struct pk_chrome_label *labels; /* from 1; span.node is a label until spans are nested */
	uint32_t label_count, label_alloc;

	int64_t absolute; /* ns since 1970 of time 0 of the file; PK_NULL if the file does not
			     tell */
	int64_t base; /* ns: the first time in the file, which is subtracted from all times at the
			 end */
	bool has_fractions; /* times are finer than us */
	bool args_unread;   /* rows have arguments, which are not wanted */
	bool joins_values;  /* arguments of an end are added to those of the begin: join_args.c */
	struct pk_nest nest;

	/* Private to the reader. */
	struct pk_index process_index, thread_index, label_index;
	uint32_t last_process,
		last_thread; /* most events are of the same thread as the one before */
	uint8_t *categories; /* by string: a category that was compared with all dialects */
	uint32_t category_alloc, meta_count, names_cut;
	struct pk_chrome_point *points; /* ends of flows */
	uint32_t point_count, point_alloc;
	struct pk_chrome_async *asyncs; /* events of spans that belong to no thread */
	uint32_t async_count, async_alloc;
	struct {
		struct pk_chrome_known *member; /* [0] stands before the first member */
		uint32_t count, alloc, last, forgotten;
	} known; /* members of events */
	struct pk_chrome_stack_frame *stack_frames;
	struct pk_chrome_sample *samples;
	struct pk_chrome_v8 *v8; /* profiles within the trace */
	uint32_t stack_frame_count, stack_frame_alloc, sample_count, sample_alloc;
	uint32_t v8_count, v8_alloc;
	struct pk_id_map v8_keys;  /* numbers of these, by process and id */
	struct pk_id_map v8_nodes; /* by number and id */
	bool has_events;           /* a list of events was found */
	bool has_lines;            /* events are not in a list */
	uint32_t lists;            /* number of lists of events so far */
	bool has_samples;          /* there are samples */
	bool has_ends;             /* there was an event of phase E */
	bool in_page;              /* the trace is a part of an HTML page */
	bool ended;                /* the input has ended */
	const struct pk_cut *cut;  /* NULL: one thread reads */
	struct pk_chrome_ahead *ahead;
	uint64_t replayed; /* place of the event being stored if it was read ahead, otherwise 0 */
	bool was_ahead;
	bool apart; /* this reads ahead for another reader, which handles errors */
	struct pk_chrome_slice *slice; /* events are not stored: a part of them is copied */
	bool copies; /* the second pass of that: their text is kept, and what is odd was said */
};

/* The text of the last token of c->json, unescaped, as a string of the builder. */
uint32_t pk_chrome_string(struct pk_chrome *c);
/* Sets c->absolute to the last token; false if it is not a number. */
bool pk_chrome_take_base(struct pk_chrome *c);
/* Reads an integer of at most 18 digits; false if it is none. */
bool pk_chrome_whole(const char *text, size_t len, int64_t *number);
/* The index of the process or thread, which is made if needed. */
uint32_t pk_chrome_process(struct pk_chrome *c, struct pk_chrome_number pid);
uint32_t pk_chrome_thread(struct pk_chrome *c, uint32_t process, struct pk_chrome_number tid);
/* Counts a repair at the current event; -1 with c->err if repairs are errors. */
int pk_chrome_repair(struct pk_chrome *c, const char *what);
/* The final row of a span that was stored as `row` (for an end: as its begin); 0 = it was left out.
 * For finish hooks; the caller sets c->nest.wants_place before. */
uint32_t pk_chrome_place(const struct pk_chrome *c, uint32_t row);
