#pragma once

#include "base/io/output.h"
#include "base/text/regex.h"
#include "model/build/id_map.h"
#include "model/transform/transform.h"
#include "readers/chrome/internal.h"
#include "readers/reader.h"

/* Shared by slice.c, slice_copy.c and slice_half.c alone. */

struct pk_slice_texts { /* of events */
	struct pk_slice_text {
		struct pk_slice_text *next;
		size_t len;
		char text[];
	} * first, *last; /* last: valid if there is a first */
};

struct pk_slice_begin { /* of a span whose end was not read yet */
	int64_t time;
	uint32_t name;
	uint32_t name_row; /* in names; 0 = not counted */
	bool chosen;       /* by its thread, category and name */
	bool names_thread; /* or a process: kept however short it is */
	char *text;        /* the event, until it is written; NULL unless chosen */
	size_t len;
	struct pk_slice_texts after; /* events that must be written after it */
};

/* Where begins and ends nest: a thread, or one id of asynchronous events. */
struct pk_slice_track {
	bool has_halves, has_spans;
	int64_t last_half;           /* if has_halves: the time of the last begin or end */
	int64_t end;                 /* if has_spans: the end of the last span of a thread */
	struct pk_slice_begin *open; /* from the outside in */
	uint32_t count, alloc;
	uint32_t settled; /* number of the outermost begins that are written, if they are chosen */
};

struct pk_slice_tracks {
	struct pk_slice_track *item;
	uint32_t alloc;
};

/* A regular expression, and by string whether it matches: 0 = not tried yet. */
struct pk_slice_filter {
	struct pk_regex *re; /* NULL: everything matches */
	uint8_t *verdict;
	uint32_t alloc;
	bool found;
};

struct pk_slice_flow {      /* an arrow */
	bool from, to;      /* an event that is its begin, its end was read */
	struct pk_buf text; /* its events, until both were */
	uint32_t count;
};

struct pk_slice_cover { /* a span that fills the time */
	struct pk_chrome_event event;
	int64_t end;
	size_t row, len;
	char *text;
};

struct pk_chrome_slice {
	const struct pk_selection *s;
	struct pk_slice_result *result;
	struct pk_output *out;

	/* The results of the first pass. Times are as in the file. */
	int64_t first, last;
	uint32_t lists;
	bool needs_profile; /* events cannot be judged one by one */
	struct pk_time_range range;
	bool *thread_kept, *process_kept; /* by the builder's ids */
	uint32_t thread_count, process_count;
	struct pk_slice_filter category, event;
	uint32_t *label_name; /* by label: the name of its function; 0 = not made yet */
	uint32_t label_alloc;

	struct pk_slice_tracks threads, asyncs; /* by index in c->threads; by number in async_ids */
	struct pk_id_map async_ids;
	struct pk_id_map names; /* by track and name: rows of name_open */
	uint32_t *name_open;    /* number of open begins of the name, without the outermost */
	uint32_t name_alloc;
	struct pk_id_map flow_ids;
	struct pk_slice_flow *flow;
	uint32_t flow_alloc;
	struct pk_slice_cover *cover;
	size_t cover_count, cover_alloc;
	bool comma; /* something stands before it in the object or list */
	struct pk_buf buf;
};

static inline bool pk_slice_is_begin(char phase)
{
	return phase == 'B' || phase == 'b' || phase == 'S';
}

static inline bool pk_slice_is_end(char phase)
{
	return phase == 'E' || phase == 'e' || phase == 'F';
}

/* Of a complete event. */
int64_t pk_slice_duration(const struct pk_chrome_event *e);
/* The id of its thread in the builder; asynchronous events have one for each category. */
uint32_t pk_slice_thread(struct pk_chrome *c, const struct pk_chrome_event *e, char phase);
/* *number tells tracks apart. */
struct pk_slice_track *pk_slice_track(struct pk_chrome *c, const struct pk_chrome_event *e,
				      char phase, uint64_t *number);

/* slice_copy.c: copies an event if it is chosen; at the end of a list, copies the events that had
 * to wait; copies any text, as an item or member. */
void pk_slice_copy_event(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
			 bool names_thread);
void pk_slice_end_list(struct pk_chrome *c, bool last);
void pk_slice_put(struct pk_chrome_slice *sl, const char *text, size_t len);
/* Copies an event of a track (NULL: of none), which waits if a begin before it waits; with another
 * time, and another duration unless this is PK_NULL. */
void pk_slice_put_event(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
			size_t len);
void pk_slice_put_changed(struct pk_chrome_slice *sl, struct pk_slice_track *track,
			  const char *text, size_t len, const char *duration_key, int64_t time,
			  int64_t duration);
/* The event being read, as it is written. */
const char *pk_slice_event_text(struct pk_chrome *c, size_t *len);
/* True if it is selected: by thread (an id of the builder); by thread, category and name; by
 * time. */
bool pk_slice_keeps_thread(const struct pk_chrome_slice *sl, uint32_t id);
bool pk_slice_is_chosen(struct pk_chrome *c, const struct pk_chrome_event *e, char phase);
bool pk_slice_is_within(const struct pk_chrome_slice *sl, int64_t time);
bool pk_slice_keeps_span(const struct pk_chrome_slice *sl, int64_t begin, int64_t end,
			 int64_t least);

/* slice_half.c: copies begins and ends; at the end of the file, spans that do not end; any text of
 * a track, after the begin that waits. */
void pk_slice_copy_half(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
			bool names_thread);
void pk_slice_put_unfinished(struct pk_chrome *c);
void pk_slice_put_on(struct pk_chrome_slice *sl, struct pk_slice_track *track, const char *text,
		     size_t len);
