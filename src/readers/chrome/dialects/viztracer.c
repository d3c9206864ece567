/*
 * The dialect of viztracer (github.com/gaogaotiantian/viztracer), which traces Python functions:
 *
 *	{"traceEvents": [{"ph": "X", "cat": "fee", "pid": 7, "tid": 7, "ts": 81.5, "dur": 3.2,
 *	                  "name": "Cart.add (/srv/shop.py:12)", "args": {"return_value": "None"}}],
 *	 "viztracer_metadata": {"version": "1.1.1", "overflow": false, "baseTimeNanoseconds": 1795},
 *	 "file_info": {"files": {"/srv/shop.py": ["source", 40]},
 *	               "functions": {"Cart.add (/srv/shop.py:12)": ["/srv/shop.py", 12]}}}
 *
 * - Events are written when functions return: of equal spans the last is the outer one. Times and
 *   durations are rounded each for itself, so that a call may seem to end 1 or 2 ns late.
 * - A name without a place is that of a function written in C.
 * - file_info.files is the text of the source files and how many lines they have; it may be longer
 *   than the events, and is kept only if sources are wanted (PK_PART_SOURCES).
 * - Threads that are tasks (--log_async) have numbers and names of their own.
 * - Overflow: the buffer of a process was full, and the calls that ended first are lost. Their time
 *   is not self time of the functions that called them: it is given to spans of its own.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/frame_text.h"
#include "model/nameless.h"
#include "readers/chrome/internal.h"
#include "readers/chrome/slice.h"

static const char *const keys[] = {"viztracer_metadata", "file_info", NULL};
static const char *const categories[] = {"fee", "FEE", NULL};

/* The place that file_info.functions gives for a name. */
struct place {
	uint32_t name, file, line;
};

struct state {
	struct place *place;
	uint32_t count, alloc;
	uint32_t files; /* number of files with source text */
	int64_t lines;
	bool sorted, overflow;
};

static void begin(struct pk_chrome *c)
{
	c->nest.slack = 2;
	pk_build_run_text(c->b, PK_RUN_PRODUCER, "viztracer");
}

static void read_version(struct pk_chrome *c)
{
	if (pk_json_next(&c->json) == PK_JSON_STRING) {
		c->text.len = 0;
		pk_buf_addf(&c->text, "viztracer %.*s", (int)c->json.len, c->json.text);
		pk_build_run_text(c->b, PK_RUN_PRODUCER, c->text.data);
	}
	pk_json_rest(&c->json);
}

static void read_metadata(struct pk_chrome *c)
{
	struct pk_json *j = &c->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "version")) {
			read_version(c);
		} else if (pk_json_is(j, "overflow")) {
			if (pk_json_next(j) == PK_JSON_TRUE) {
				((struct state *)c->state)->overflow = true;
				if (c->slice)
					c->slice->needs_profile = true;
				pk_build_repairs(c->b,
						 "the buffer was full, the oldest calls are lost: "
						 "record again with a larger --tracer_entries",
						 1, "viztracer_metadata");
			}
			pk_json_rest(j);
		} else if (pk_json_is(j, "baseTimeNanoseconds")) {
			pk_json_next(j);
			pk_chrome_take_base(c);
			pk_json_rest(j);
		} else {
			pk_json_skip(j);
		}
	}
}

/* ["/srv/shop.py", 12] */
static void read_place(struct pk_chrome *c, struct place *p)
{
	struct pk_json *j = &c->json;
	int64_t line;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return;
	while (pk_json_next_item(j)) {
		if (j->token == PK_JSON_STRING)
			p->file = pk_chrome_string(c);
		else if (j->token == PK_JSON_NUMBER && pk_chrome_whole(j->text, j->len, &line) &&
			 line > 0 && line < INT32_MAX)
			p->line = (uint32_t)line;
		pk_json_rest(j);
	}
}

static void read_functions(struct pk_chrome *c)
{
	struct state *s = c->state;

	if (!pk_json_enter(&c->json, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(&c->json)) {
		struct place p = {pk_chrome_string(c), 0, 0};

		read_place(c, &p);
		PK_GROW(s->place, (size_t)s->count + 1, s->alloc);
		s->place[s->count++] = p;
	}
}

/* {"/srv/shop.py": ["import os\n", 1]}: the text of files, and their lines, which are counted. */
static void read_files(struct pk_chrome *c)
{
	bool keep = pk_builder_wants(c->b, PK_PART_SOURCES);
	struct pk_json *j = &c->json;
	struct state *s = c->state;
	uint32_t file;
	int64_t lines;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		s->files++;
		file = keep ? pk_chrome_string(c) : 0;
		if (!pk_json_enter(j, PK_JSON_ARRAY))
			continue;
		while (pk_json_next_item(j)) {
			if (keep && j->token == PK_JSON_STRING)
				pk_build_source(c->b, file, pk_chrome_string(c));
			if (j->token == PK_JSON_NUMBER &&
			    pk_chrome_whole(j->text, j->len, &lines) && lines > 0)
				pk_add_saturated(&s->lines, lines);
			pk_json_rest(j);
		}
	}
}

static void read_info(struct pk_chrome *c)
{
	if (!pk_json_enter(&c->json, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(&c->json)) {
		if (pk_json_is(&c->json, "functions"))
			read_functions(c);
		else if (pk_json_is(&c->json, "files"))
			read_files(c);
		else
			pk_json_skip(&c->json);
	}
}

static void say_sources(struct pk_chrome *c, const struct state *s)
{
	c->text.len = 0;
	pk_buf_addf(&c->text, "%" PRIu32 " file%s, %" PRId64 " line%s", s->files,
		    s->files == 1 ? "" : "s", s->lines, s->lines == 1 ? "" : "s");
	pk_build_derived(c->b, "sources", c->text.data);
}

static void read_file_info(struct pk_chrome *c)
{
	struct state *s = c->state;

	read_info(c);
	if (s->files)
		say_sources(c, s);
	if (s->files && !pk_builder_wants(c->b, PK_PART_SOURCES))
		pk_build_unread(c->b, PK_PART_SOURCES);
}

static bool key(struct pk_chrome *c)
{
	if (pk_json_is(&c->json, "viztracer_metadata"))
		read_metadata(c);
	else if (pk_json_is(&c->json, "file_info"))
		read_file_info(c);
	else
		return false;
	return true;
}

struct oldest {         /* of the calls of a process that are left */
	uint32_t spans; /* in all */
	uint32_t span;  /* that ended first; 0 = none that ended */
	int64_t end;
};

struct open_call { /* that began before any call that is left ended */
	uint32_t thread;
	int64_t time, duration;
};

PK_COMPARE(by_begin, struct open_call,
	   PK_ORDER(a->thread, b->thread) ?: PK_ORDER(a->time, b->time) ?:
	   PK_ORDER(b->duration, a->duration))

/* The call that ended first, by process; returns the largest number of calls of a process. */
static uint32_t find_oldest(const struct pk_profile *p, struct oldest *oldest)
{
	uint32_t most = 0;

	for (uint32_t i = 1; i < p->span.count; i++) {
		struct oldest *o = &oldest[p->thread.process[p->span.thread[i]]];
		int64_t end = p->span.time[i];

		most = ++o->spans > most ? o->spans : most;
		if (p->span.duration[i] < 0) /* it never ended */
			continue;
		pk_add_saturated(&end, p->span.duration[i]);
		if (!o->span || end < o->end) {
			o->span = i;
			o->end = end;
		}
	}
	return most;
}

/* Adds a span for calls lost within a call: until the next one began, or until the first call that
 * is left. */
static void add_lost(struct pk_chrome *c, const struct oldest *o, const struct open_call *call,
		     const struct open_call *next)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	struct pk_chrome_event e = {.name = pk_build_text(c->b, PK_CALLS_LOST)};
	int64_t end = p->span.thread[o->span] == call->thread ? p->span.time[o->span] : o->end;

	if (next && next->thread == call->thread && next->time < end)
		end = next->time;
	if (end > call->time)
		pk_build_span(c->b, call->time, end - call->time, call->thread,
			      pk_chrome_label(c, &e), 0);
}

/* All processes have buffers of one size: those with most calls were full. */
static void add_all_lost(struct pk_chrome *c)
{
	const struct pk_profile *p = pk_builder_profile(c->b);
	struct oldest *oldest = pk_calloc(p->process.count, sizeof(*oldest));
	uint32_t most = find_oldest(p, oldest), i;
	struct open_call *call = NULL;
	size_t count = 0, alloc = 0;

	for (i = 1; i < p->span.count; i++) {
		uint32_t thread = p->span.thread[i];
		const struct oldest *o = &oldest[p->thread.process[thread]];
		int64_t time = p->span.time[i], duration = p->span.duration[i];

		if (!o->span || (uint64_t)o->spans * 10 < (uint64_t)most * 9 || time >= o->end ||
		    i == o->span || duration == PK_NEST_END)
			continue;
		PK_GROW(call, count + 1, alloc);
		call[count++] =
			(struct open_call){thread, time, duration < 0 ? INT64_MAX : duration};
	}
	pk_sort(call, count, sizeof(*call), by_begin);
	for (size_t k = 0; k < count; k++)
		add_lost(c, &oldest[p->thread.process[call[k].thread]], &call[k],
			 k + 1 < count ? &call[k + 1] : NULL);
	free(call);
	free(oldest);
}

static void threads(struct pk_chrome *c)
{
	uint32_t i;

	if (((struct state *)c->state)->overflow && !c->slice)
		add_all_lost(c);

	for (i = 1; i < c->thread_count; i++) {
		struct pk_chrome_thread *t = &c->threads[i];

		t->nest.last_outer = true;
		if (!strcmp(pk_text(pk_builder_profile(c->b), t->name), "MainThread"))
			t->role = PK_ROLE_MAIN;
	}
}

PK_COMPARE(by_name, struct place, PK_ORDER(a->name, b->name))

static const struct place *find_place(struct state *s, uint32_t name)
{
	struct place wanted = {name, 0, 0};

	if (!s->sorted && s->count)
		qsort(s->place, s->count, sizeof(*s->place), by_name);
	s->sorted = true;
	return s->count ? bsearch(&wanted, s->place, s->count, sizeof(*s->place), by_name) : NULL;
}

static bool is_function(const struct pk_chrome *c, const struct pk_chrome_label *l)
{
	const char *category = pk_text(pk_builder_profile(c->b), l->category);

	return !strcmp(category, categories[0]) || !strcmp(category, categories[1]);
}

static void make_function(struct pk_chrome *c, const struct pk_chrome_label *l,
			  struct pk_function *f)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	const struct place *p = find_place(c->state, l->name);
	struct pk_frame_text text;

	if (!is_function(c, l))
		return;
	if (!pk_frame_text_place(t->text[l->name], t->len[l->name], &text)) {
		f->kind = PK_KIND_BUILTIN;
		return;
	}
	*f = pk_frame_text_function(c->b, &text);
	f->line = text.line;
	if (f->kind == PK_KIND_UNKNOWN)
		f->kind = PK_KIND_PYTHON;
	if (p && p->file && t->len[p->file] > text.file_len) {
		/* The file's name contains parentheses: the function's name is the part before
		 * it. */
		size_t tail = t->len[p->file] + strlen(strrchr(t->text[l->name], ':')) + 2;

		if (tail < t->len[l->name])
			f->name = pk_build_string(c->b, t->text[l->name], t->len[l->name] - tail);
	}
	if (p && p->file) {
		f->file = p->file;
		f->line = p->line;
	}
}

static void release(struct pk_chrome *c)
{
	free(((struct state *)c->state)->place);
}

const struct pk_chrome_dialect pk_chrome_viztracer = {
	.signs = {[PK_CHROME_KEY] = keys, [PK_CHROME_CATEGORY] = categories},
	.slice_key = "viztracer_metadata",
	.state_size = sizeof(struct state),
	.begin = begin,
	.key = key,
	.threads = threads,
	.function = make_function,
	.release = release,
};
