#ifndef PK_CHROME_SLICE_INTERNAL_H
#define PK_CHROME_SLICE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/num/hash.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "tools/chrome_slice.h"
#include "tools/chrome_walk.h"
#include "model/events/time_range.h"

/* For the files chrome_slice*.c alone: a slice in the making, and the passes over the file. */
struct pk_slice_text { /* one of few: a category, a name, a process, a thread */
	const char *bytes;
	size_t len;
	uint32_t process, name; /* of a thread: indices in texts; of both: the name, 0 = none */
	bool kept, judged;
	struct pk_slice_open *open; /* of a thread: begins that have not ended */
	uint32_t open_count, open_alloc;
	int64_t last; /* of a thread */
};

struct pk_slice_open {
	uint64_t bit; /* number of the begin */
	int64_t begin;
	uint32_t name;
	bool chosen; /* thread, category and name are */
};

struct pk_slice_flow {
	uint64_t key;
	int64_t from, to; /* PK_NULL = not seen */
	uint32_t from_thread, to_thread;
};

struct pk_slice_loose { /* a begin without an end */
	uint32_t place, name;
	int64_t end;
};

struct pk_slice_covering { /* a span that is cut at both ends: where several are, their order tells
			    * who called whom */
	uint32_t place;
	uint64_t row;
	int64_t begin, end;
	char *text;
	size_t len;
};

struct pk_slice_step {
	int64_t begin, duration;
	uint32_t name;
};

struct pk_slicer {
	const struct pk_selection *s;
	struct pk_output *out;
	struct pk_trace_counts *counts;
	struct pk_regex *category, *name;
	struct pk_arena arena;
	struct pk_slice_text *text; /* from 1 */
	uint32_t text_count, text_alloc;
	struct pk_index texts;
	struct pk_slice_flow *flow; /* from 1 */
	uint32_t flow_count, flow_alloc;
	struct pk_index flows;
	struct pk_slice_step *step;
	size_t step_count, step_alloc;
	int64_t first, last; /* of the run, as in the file */
	struct pk_time_range range;
	bool has_halves, unsorted;
	bool sampled; /* there are samples: their stacks and times hang together */
	bool category_found, name_found;
	bool ends_first; /* spans stand in the order of their ends: viztracer */
	struct pk_slice_loose *loose;
	size_t loose_count, loose_alloc;
	struct pk_slice_covering *covering;
	size_t covering_count, covering_alloc;
	uint8_t *keep; /* bits of begins and ends, by their number */
	uint64_t halves, keep_alloc;
	bool comma; /* something is in the object or list */
	struct pk_buf buf;
};

enum pk_slice_kind {
	PK_SLICE_CATEGORY = 'c',
	PK_SLICE_NAME = 'n',
	PK_SLICE_PROCESS = 'p',
	PK_SLICE_THREAD = 't',
	PK_SLICE_ASYNC = 'a',
	PK_SLICE_LABEL = 'l'
};

/* The text of its kind, made if it is not there: an index in text. */
uint32_t pk_slice_text(struct pk_slicer *sl, enum pk_slice_kind kind, const char *bytes,
		       size_t len);
/* The process, the thread, and where the event is: its thread, or the asynchronous span. */
uint32_t pk_slice_process(struct pk_slicer *sl, const struct pk_trace_event *e);
uint32_t pk_slice_thread(struct pk_slicer *sl, const struct pk_trace_event *e);
uint32_t pk_slice_place(struct pk_slicer *sl, const struct pk_trace_event *e);
/* The flow it belongs to: an index in flow. */
uint32_t pk_slice_flow(struct pk_slicer *sl, const struct pk_trace_event *e);

/* For pk_trace_visitor, as pk_slice_judge: data is the slicer. */
void pk_slice_learn(void *data, const struct pk_trace_event *e);
void pk_slice_learn_member(void *data, struct pk_json_slice member);
/* The part of time asked for, as times of the file. */
int pk_slice_set_range(struct pk_slicer *sl, struct pk_error *err);
/* unmatched: as of pk_select. */
int pk_slice_choose_threads(struct pk_slicer *sl, const char **unmatched, struct pk_error *err);

/* True also where no expression is given. */
bool pk_slice_word_matches(struct pk_slicer *sl, enum pk_slice_kind kind, const struct pk_regex *re,
			   struct pk_json_slice value);
/* Whether process, thread, category and name are asked for. */
bool pk_slice_is_chosen(struct pk_slicer *sl, const struct pk_trace_event *e, uint32_t place);
bool pk_slice_is_within(const struct pk_slicer *sl, int64_t time);
bool pk_slice_keeps_span(const struct pk_slicer *sl, int64_t begin, int64_t end);
/* Of a begin or end, by its number. */
bool pk_slice_keeps_half(const struct pk_slicer *sl, uint64_t bit);
void pk_slice_judge(void *data, const struct pk_trace_event *e);
/* What has no end lasts to the last event of its thread: that may not be in the slice, so the
 * slice gets an end. */
void pk_slice_judge_rest(struct pk_slicer *sl);

extern const struct pk_trace_visitor pk_slice_writer; /* without its data */

static inline bool pk_slice_is_begin(char phase)
{
	return phase == 'B' || phase == 'b' || phase == 'S';
}

static inline bool pk_slice_is_end(char phase)
{
	return phase == 'E' || phase == 'e' || phase == 'F';
}

#endif
