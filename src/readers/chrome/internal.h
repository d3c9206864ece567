#pragma once

#include "base/json/members.h"
#include "base/json/phrase.h"
#include "readers/chrome/chrome.h"
#include "readers/reader.h"

/* Shared by the files of the reader, not by dialects. Functions that return int: -1 with c->err. */

/* Larger times are treated as wrong; sums and differences of the others fit into 64 bits. */
#define PK_CHROME_MAX_TIME ((int64_t)1 << 61)

/* Skips the begin of an HTML page, so that the trace in it comes next in the input. */
bool pk_chrome_is_page(struct pk_input *in);
int pk_chrome_find_trace(struct pk_input *in, struct pk_error *err);

/* For slice.c. Reads all of the input, after pk_json_open; the events of a list after its
 * bracket; forgets what the dialect learnt from events. */
void pk_chrome_init(struct pk_chrome *c, struct pk_builder *b, struct pk_error *err);
int pk_chrome_read_all(struct pk_chrome *c);
int pk_chrome_read_events(struct pk_chrome *c);
void pk_chrome_reset_dialect(struct pk_chrome *c);
void pk_chrome_release(struct pk_chrome *c);

/* Members that are of an event, not of a file. */
extern const char *const pk_chrome_event_keys[];

/* Recognises the dialect by the key that was read, a category, the name of a process, unless one is
 * known already. */
void pk_chrome_recognise_key(struct pk_chrome *c);
void pk_chrome_recognise_category(struct pk_chrome *c, uint32_t category);
void pk_chrome_recognise_process(struct pk_chrome *c, uint32_t name);
bool pk_chrome_tells_dialect(const char *category);

/* Members of events. */
enum pk_chrome_member {
	PK_CHROME_OTHER,
	PK_CHROME_PH,
	PK_CHROME_CAT,
	PK_CHROME_PID,
	PK_CHROME_TID,
	PK_CHROME_NAME,
	PK_CHROME_TS,
	PK_CHROME_DUR,
	PK_CHROME_ARGS,
	PK_CHROME_ID,
	PK_CHROME_BP,
	PK_CHROME_SF,
	PK_CHROME_ID2,
	PK_CHROME_BIND_ID,
	PK_CHROME_FLOW_IN,
	PK_CHROME_FLOW_OUT,
	PK_CHROME_SCOPE,
	PK_CHROME_WEIGHT,
	PK_CHROME_TDUR,
};
/* Lets the dialect read the value of the key that was read. */
enum pk_chrome_member pk_chrome_member_of(const struct pk_json *j);

enum { PK_CHROME_FOLLOWERS = 4 };

/* A member as it was in an earlier event, and the members that came after it. */
struct pk_chrome_known {
	struct pk_json_phrase phrase;
	uint16_t after[PK_CHROME_FOLLOWERS]; /* the last one first; 0 = none */
	uint8_t member;
	bool kept; /* its value is kept: letter, string, or number */
	char letter;
	uint32_t string;
	struct pk_chrome_number number;
};

enum pk_chrome_next {
	PK_CHROME_NO_MEMBER,   /* nothing was read */
	PK_CHROME_NEW_VALUE,   /* the value comes next, and is to be kept if k->kept */
	PK_CHROME_KNOWN_VALUE, /* the value was read, too, and equals that of *k */
};
/* The next member of an event, told by what members followed each other before. */
enum pk_chrome_next pk_chrome_next_member(struct pk_chrome *c, struct pk_chrome_known **k);

/* Read the value that comes next, or take the token that was read. A time in us becomes ns, PK_NULL
 * if it is odd or null; a name that is neither text nor number is 0; a text that is a number is
 * that number. */
void pk_chrome_read_time(struct pk_chrome *c, int64_t *ns, bool *odd);
uint32_t pk_chrome_read_text(struct pk_chrome *c);
struct pk_chrome_number pk_chrome_read_number(struct pk_chrome *c);
struct pk_chrome_id pk_chrome_read_id2(struct pk_chrome *c);
char pk_chrome_read_letter(struct pk_chrome *c);
bool pk_chrome_read_flag(struct pk_chrome *c);
struct pk_chrome_id pk_chrome_token_id(struct pk_chrome *c, bool named); /* named: with its text */
int64_t pk_chrome_token_weight(struct pk_chrome *c);

/* Reads an event after PK_JSON_OBJECT; at_key: the first key was read, too. */
int pk_chrome_read_event(struct pk_chrome *c, bool at_key);
/* Reads an event that is `apart` without storing it. Returns 1; 0 = it is no event; -1 = it is
 * damaged. */
int pk_chrome_read_apart(struct pk_chrome *c, struct pk_chrome_event *e);
int pk_chrome_store(struct pk_chrome *c, struct pk_chrome_event *e);
/* Its label, made if it is not there; the function that a label is, for the dialect. */
uint32_t pk_chrome_label(struct pk_chrome *c, const struct pk_chrome_event *e);
struct pk_function pk_chrome_function(struct pk_chrome *c, const struct pk_chrome_label *label);
/* The builder's ids, made when something happens there. */
uint32_t pk_chrome_thread_id(struct pk_chrome *c, uint32_t thread);
uint32_t pk_chrome_process_id(struct pk_chrome *c, uint32_t process);
/* An event of phase 'M', whose arguments are in c->args. */
void pk_chrome_metadata(struct pk_chrome *c, const struct pk_chrome_event *e);

/* Store events s t f; the arrows that a span names; events b n e S T p F. */
int pk_chrome_store_flow(struct pk_chrome *c, const struct pk_chrome_event *e);
void pk_chrome_store_bind(struct pk_chrome *c, const struct pk_chrome_event *e, uint32_t span);
/* A span through which the arrow with this number goes, as the first, the next, or the last one. */
void pk_chrome_store_chain(struct pk_chrome *c, uint64_t id, int64_t time, uint32_t span, bool last,
			   uint32_t category);
int pk_chrome_store_async(struct pk_chrome *c, struct pk_chrome_event *e);
/* Read lists beside the events, after their key; store samples and events P. */
void pk_chrome_read_stack_frames(struct pk_chrome *c);
int pk_chrome_read_samples(struct pk_chrome *c);
int pk_chrome_read_sample(struct pk_chrome *c);
int pk_chrome_store_sample(struct pk_chrome *c, const struct pk_chrome_event *e);
int pk_chrome_store_v8(struct pk_chrome *c, const struct pk_chrome_event *e);
/* True if it may be an event with a whole V8 profile; pk_chrome_store_v8_whole returns false if it
 * is none. */
bool pk_chrome_is_v8(const struct pk_chrome *c, const struct pk_chrome_event *e);
bool pk_chrome_store_v8_whole(struct pk_chrome *c, const struct pk_chrome_event *e);
/* node 0: that of `frame`, the id of a stack frame; metric 0: time, else its name. */
void pk_chrome_add_sample(struct pk_chrome *c, int64_t time, uint32_t thread, uint32_t node,
			  uint32_t frame, uint32_t metric, int64_t weight);
void pk_chrome_finish_samples(struct pk_chrome *c);
void pk_chrome_release_v8(struct pk_chrome *c);
/* Makes spans of asynchronous events, before spans are nested; links arrows, after that, and
 * returns how many lead nowhere. */
int pk_chrome_finish_async(struct pk_chrome *c);
int64_t pk_chrome_link_flows(struct pk_chrome *c);
/* Members of the first object that the second lacks, then those of the second; all strings. */
uint32_t pk_chrome_join_args(struct pk_chrome *c, uint32_t first, uint32_t second);
uint64_t pk_chrome_flow_key(const struct pk_chrome_event *e);
/* For asynchronous events: the key that events within each other share; the thread of a lane (0:
 * the first) for spans of the category. */
uint64_t pk_chrome_async_key(const struct pk_chrome *c, const struct pk_chrome_event *e);
uint32_t pk_chrome_async_thread(struct pk_chrome *c, uint32_t process, uint32_t category,
				uint32_t lane);
/* Adds a repair at an offset of the file; or one that is known at the end, with how often it
 * happened. */
int pk_chrome_repair_at(struct pk_chrome *c, const char *what, uint64_t offset);
int pk_chrome_say(struct pk_chrome *c, const char *what, int64_t times);

/* Read values of arguments: a text without quotes and escapes as a string, 0 for anything else
 * except a number; a number, also in quotes; true or false. */
uint32_t pk_chrome_slice_string(struct pk_chrome *c, struct pk_json_slice value);
bool pk_chrome_real(struct pk_json_slice value, double *number);

/* Called when all is read: times, names, frames, nesting, links, repairs. */
int pk_chrome_finish(struct pk_chrome *c);
/* Only the names of processes and threads; only the repairs. */
void pk_chrome_name_all(struct pk_chrome *c);
int pk_chrome_say_repairs(struct pk_chrome *c);

/* Of pk_reader_chrome; with c->slice, what is done with an event instead of storing it. phase is
 * that of the file, which a dialect may have changed; names_thread: the event does nothing else.
 * Of an event of phase M: true if it was copied and is not to be read again. */
int pk_chrome_slice(const char *path, const struct pk_selection *s, struct pk_output *out,
		    struct pk_slice_result *result, struct pk_error *err);
void pk_chrome_slice_event(struct pk_chrome *c, const struct pk_chrome_event *e, char phase,
			   bool names_thread);
bool pk_chrome_slice_metadata(struct pk_chrome *c);
bool pk_chrome_slice_has_events(const struct pk_chrome *c);
/* True if the event may be within the selected time, by what was read of it so far. */
bool pk_chrome_slice_may_copy(const struct pk_chrome *c, const struct pk_chrome_event *e);
/* An event is no JSON. */
void pk_chrome_slice_broken(struct pk_chrome *c);
