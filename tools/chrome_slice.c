/*
 * Passes over the file: the first learns when the run begins and ends, the names of threads, and
 * where flows begin and end; if there are begins and ends instead of whole spans, the second finds
 * out which of them are kept; the last writes.
 */
#include "chrome_slice.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/input.h"
#include "base/json.h"
#include "base/regex.h"
#include "base/units.h"
#include "model/activity.h"
#include "model/builder.h"
#include "model/time_range.h"
#include "readers/reader.h"
#include "chrome_walk.h"

const char pk_trace_format[] = "chrome";

struct text { /* one of few: a category, a name, a process, a thread */
	const char *bytes;
	size_t len;
	uint32_t process, name; /* of a thread: indices in texts; of both: the name, 0 = none */
	bool kept, judged;
	struct open *open; /* of a thread: begins that have not ended */
	uint32_t open_count, open_alloc;
	int64_t last; /* of a thread */
};

struct open {
	uint64_t bit; /* number of the begin */
	int64_t begin;
	uint32_t name;
	bool chosen; /* thread, category and name are */
};

struct flow {
	uint64_t key;
	int64_t from, to; /* PK_NULL = not seen */
	uint32_t from_thread, to_thread;
};

struct loose { /* a begin without an end */
	uint32_t place, name;
	int64_t end;
};

struct covering { /* a span that is cut at both ends: where several are, their order tells who
		   * called whom */
	uint32_t place;
	uint64_t row;
	int64_t begin, end;
	char *text;
	size_t len;
};

struct step {
	int64_t begin, duration;
	uint32_t name;
};

struct slicer {
	const struct pk_selection *s;
	struct pk_output *out;
	struct pk_trace_counts *counts;
	struct pk_regex *category, *name;
	struct pk_arena arena;
	struct text *text; /* from 1 */
	uint32_t text_count, text_alloc;
	struct pk_index texts;
	struct flow *flow; /* from 1 */
	uint32_t flow_count, flow_alloc;
	struct pk_index flows;
	struct step *step;
	size_t step_count, step_alloc;
	int64_t first, last; /* of the run, as in the file */
	struct pk_time_range range;
	bool has_halves, unsorted;
	bool sampled; /* there are samples: their stacks and times hang together */
	bool category_found, name_found;
	bool ends_first; /* spans stand in the order of their ends: viztracer */
	struct loose *loose;
	size_t loose_count, loose_alloc;
	struct covering *covering;
	size_t covering_count, covering_alloc;
	uint8_t *keep; /* bits of begins and ends, by their number */
	uint64_t halves, keep_alloc;
	bool written, comma; /* something in the object or list */
	struct pk_buf buf;
};

enum kind { CATEGORY = 'c', NAME = 'n', PROCESS = 'p', THREAD = 't', ASYNC = 'a', LABEL = 'l' };

/* The text of its kind, made if it is not there. */
static uint32_t intern(struct slicer *sl, enum kind kind, const char *bytes, size_t len)
{
	uint32_t tag =
		pk_index_tag(pk_hash_bytes(bytes, len) + (uint64_t)kind * 0x9E3779B97F4A7C15U);
	struct pk_index *x = &sl->texts;
	uint32_t i, id;
	char *copy;

	pk_index_reserve(x);
	for (i = tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask) {
		const struct text *t = &sl->text[id];

		if (x->slot[i].tag == tag && t->len == len + 1 && t->bytes[0] == (char)kind &&
		    !memcmp(t->bytes + 1, bytes, len))
			return id;
	}
	PK_GROW(sl->text, (size_t)sl->text_count + 2, sl->text_alloc);
	id = ++sl->text_count;
	copy = pk_arena_alloc(&sl->arena, len + 2);
	copy[0] = (char)kind;
	memcpy(copy + 1, bytes, len);
	copy[len + 1] = '\0';
	sl->text[id] = (struct text){.bytes = copy,
				     .len = len + 1,
				     .last = INT64_MIN,
				     .kept = !sl->s->process && !sl->s->thread};
	pk_index_put(x, i, tag, id);
	return id;
}

/* Numbers in quotes are those numbers. */
static struct pk_json_slice number_of(struct pk_json_slice value)
{
	struct pk_json_slice s = pk_json_slice_unquoted(value);
	int64_t number;

	if (!value.len)
		return (struct pk_json_slice){"0", 1};
	return pk_json_slice_int(value, &number) ? s : value;
}

static uint32_t process_of(struct slicer *sl, const struct pk_trace_event *e)
{
	struct pk_json_slice pid = number_of(e->pid);

	return intern(sl, PROCESS, pid.text, pid.len);
}

/* Key of a thread: "PID TID"; of what belongs to no thread: its category. */
static uint32_t thread_of(struct slicer *sl, const struct pk_trace_event *e)
{
	struct pk_json_slice pid = number_of(e->pid), tid = number_of(e->tid);
	char small[200];
	struct pk_buf buf = PK_BUF_INIT;
	uint32_t id;

	if (pid.len + tid.len + 1 <= sizeof(small)) {
		memcpy(small, pid.text, pid.len);
		small[pid.len] = ' ';
		memcpy(small + pid.len + 1, tid.text, tid.len);
		id = intern(sl, THREAD, small, pid.len + tid.len + 1);
	} else {
		pk_buf_addf(&buf, "%.*s %.*s", (int)pid.len, pid.text, (int)tid.len, tid.text);
		id = intern(sl, THREAD, buf.data, buf.len);
		pk_buf_release(&buf);
	}
	if (!sl->text[id].process) {
		uint32_t process = process_of(sl, e);

		sl->text[id].process = process;
	}
	return id;
}

static bool is_async(char phase)
{
	return phase && strchr("bneSTpF", phase);
}

/* Asynchronous spans: those of the same category and id are told apart by nothing else. */
static uint32_t async_of(struct slicer *sl, const struct pk_trace_event *e)
{
	struct pk_buf key = PK_BUF_INIT, label = PK_BUF_INIT;
	struct pk_json_slice category = pk_json_slice_unquoted(e->category);
	uint32_t id, name;

	pk_buf_addf(&key, "%.*s %.*s %.*s", (int)category.len, category.text, (int)e->id.len,
		    e->id.text, (int)e->scope.len, e->scope.text);
	pk_buf_addf(&label, "async: %.*s", (int)category.len, category.text);
	id = intern(sl, ASYNC, key.data, key.len);
	name = intern(sl, LABEL, label.data, label.len);
	sl->text[id].name = name;
	if (!sl->text[id].process) {
		uint32_t process = process_of(sl, e);

		sl->text[id].process = process;
	}
	pk_buf_release(&label);
	pk_buf_release(&key);
	return id;
}

static uint32_t place_of(struct slicer *sl, const struct pk_trace_event *e)
{
	return is_async(e->phase) ? async_of(sl, e) : thread_of(sl, e);
}

static uint32_t flow_of(struct slicer *sl, const struct pk_trace_event *e)
{
	uint64_t id_hash = pk_hash_bytes(e->id.text, e->id.len);
	uint64_t kind = pk_hash_bytes(e->category.text, e->category.len) ^
			pk_hash_u64(pk_hash_bytes(e->name.text, e->name.len));
	uint64_t key = pk_hash_mix(id_hash ^ 0x9E3779B97F4A7C15U, kind | 1);
	struct pk_index *x = &sl->flows;
	uint32_t tag = pk_index_tag(key), i, id;

	pk_index_reserve(x);
	for (i = tag & x->mask; (id = x->slot[i].id); i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && sl->flow[id].key == key)
			return id;
	PK_GROW(sl->flow, (size_t)sl->flow_count + 2, sl->flow_alloc);
	id = ++sl->flow_count;
	sl->flow[id] = (struct flow){key, PK_NULL, PK_NULL, 0, 0};
	pk_index_put(x, i, tag, id);
	return id;
}

static void learn_name(struct slicer *sl, const struct pk_trace_event *e)
{
	struct pk_json_slice what = pk_json_slice_unquoted(e->name), key, value;
	struct pk_json_members m = pk_json_members(e->args.text, e->args.len);
	bool thread = pk_json_slice_is(what, "thread_name");
	uint32_t owner, name;

	if (!thread && !pk_json_slice_is(what, "process_name"))
		return;
	while (pk_json_member(&m, &key, &value)) {
		if (!pk_json_slice_is(key, "name"))
			continue;
		value = pk_json_slice_unquoted(value);
		owner = thread ? thread_of(sl, e) : process_of(sl, e);
		name = intern(sl, LABEL, value.text, value.len);
		sl->text[owner].name = name;
	}
}

static void learn_flow(struct slicer *sl, const struct pk_trace_event *e, int64_t time)
{
	uint32_t thread = thread_of(sl, e), id = flow_of(sl, e);
	struct flow *f = &sl->flow[id];

	if (e->phase == 's') {
		f->from = time;
		f->from_thread = thread;
	} else if (e->phase == 'f') {
		f->to = time;
		f->to_thread = thread;
	}
}

static void learn_step(struct slicer *sl, const struct pk_trace_event *e, int64_t time,
		       int64_t duration)
{
	struct pk_json_slice name = pk_json_slice_unquoted(e->name);

	/* Those of the GPU are copies. */
	if (!sl->s->step || name.len < 14 ||
	    pk_json_slice_is(e->category, "\"gpu_user_annotation\"") ||
	    memcmp(name.text, "ProfilerStep#", 13) != 0)
		return;
	PK_GROW(sl->step, sl->step_count + 1, sl->step_alloc);
	sl->step[sl->step_count++] =
		(struct step){time, duration, intern(sl, NAME, name.text, name.len)};
}

static bool begins(struct pk_json_slice member, const char *key)
{
	return member.len > strlen(key) && !memcmp(member.text, key, strlen(key));
}

static void learn_member(void *data, struct pk_json_slice member)
{
	static const char viztracer[] = "\"viztracer_metadata\"", samples[] = "\"samples\"";
	struct slicer *sl = data;

	if (begins(member, viztracer))
		sl->ends_first = true;
	sl->sampled |= begins(member, samples);
}

/* The span of a whole recording by torch's profiler is no work: it does not count. */
static bool is_recording(const struct pk_trace_event *e)
{
	return pk_json_slice_is(e->category, "\"Trace\"");
}

static void learn(void *data, const struct pk_trace_event *e)
{
	struct slicer *sl = data;
	int64_t time, duration = 0;

	if (e->phase == 'M') {
		learn_name(sl, e);
		return;
	}
	sl->sampled |= e->phase == 'P';
	if (!pk_trace_time(e->time, &time))
		return;
	if (e->phase == 'X' && pk_trace_time(e->duration, &duration))
		learn_step(sl, e, time, duration);
	if (time < sl->first)
		sl->first = time;
	if (is_recording(e))
		duration = 0;
	if (time + duration > sl->last)
		sl->last = time + duration;
	if (e->phase == 's' || e->phase == 'f')
		learn_flow(sl, e, time);
	if (sl->s->process || sl->s->thread)
		place_of(sl, e); /* so that it is there to be chosen */
	if (strchr("BEbeSF", e->phase)) {
		struct text *place;
		uint32_t id = place_of(sl, e);

		place = &sl->text[id];
		sl->has_halves = true;
		sl->unsorted |= time < place->last;
		place->last = time;
	}
}

/* The part of time asked for, as times of the file. */
static int set_range(struct slicer *sl, struct pk_error *err)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_profile *p;
	size_t i;
	int status;

	if (sl->first > sl->last)
		sl->first = sl->last = 0;
	for (i = 0; i < sl->step_count; i++) {
		const struct text *name = &sl->text[sl->step[i].name];
		uint32_t frame = pk_build_label(b, name->bytes + 1, name->len - 1);

		pk_build_span(b, sl->step[i].begin - sl->first, sl->step[i].duration, 0,
			      pk_build_node(b, 0, frame, 0), 0);
	}
	pk_build_span(b, 0, sl->last - sl->first, 0,
		      pk_build_node(b, 0, pk_build_label(b, "all", 3), 0), 0);
	p = pk_builder_finish(b);
	status = pk_selection_range(&sl->range, sl->s, p, err);
	pk_profile_free(p);
	if (sl->range.from != INT64_MIN)
		pk_add_saturated(&sl->range.from, sl->first);
	if (sl->range.to != INT64_MAX)
		pk_add_saturated(&sl->range.to, sl->first);
	return status;
}

/* What is asked for is a number or an expression for the name. */
static bool matches(const char *pattern, const struct pk_regex *re, const char *id, size_t len,
		    const struct text *name)
{
	char *end;
	long long number = strtoll(pattern, &end, 0);
	int64_t is;

	if (!*end)
		return pk_json_slice_int((struct pk_json_slice){id, len}, &is) && is == number;
	if (name)
		return pk_regex_search(re, name->bytes + 1, name->len - 1);
	return len && *id == '"' ? pk_regex_search(re, id + 1, len - 2)
				 : pk_regex_search(re, "", 0);
}

static const struct text *name_of(const struct slicer *sl, const struct text *t)
{
	return t->name ? &sl->text[t->name] : NULL;
}

static bool choose_thread(struct slicer *sl, struct text *t, const struct pk_regex *process,
			  const struct pk_regex *thread, bool *found)
{
	const struct text *p = &sl->text[t->process];
	const char *tid = t->bytes[0] == THREAD ? t->bytes + 1 + p->len : "";
	bool kept = true, match;

	if (process) {
		match = matches(sl->s->process, process, p->bytes + 1, p->len - 1, name_of(sl, p));
		found[0] |= match;
		kept = match;
	}
	if (thread) {
		match = matches(sl->s->thread, thread, tid, strlen(tid), name_of(sl, t));
		found[1] |= match;
		kept = kept && match;
	}
	return kept;
}

static int choose_threads(struct slicer *sl, const char **unmatched, struct pk_error *err)
{
	struct pk_regex *process = NULL, *thread = NULL;
	bool found[2] = {!sl->s->process, !sl->s->thread};
	uint32_t i;

	if (!sl->s->process && !sl->s->thread)
		return 0;

	if ((sl->s->process && !(process = pk_regex_new(sl->s->process, err))) ||
	    (sl->s->thread && !(thread = pk_regex_new(sl->s->thread, err)))) {
		pk_regex_free(process);
		return pk_fail_context(err, process ? "--thread" : "--process");
	}
	for (i = 1; i <= sl->text_count; i++) {
		struct text *t = &sl->text[i];

		if (t->bytes[0] != THREAD && t->bytes[0] != ASYNC)
			continue;
		t->kept = choose_thread(sl, t, process, thread, found);
		sl->text[t->process].kept |= t->kept;
	}
	if (!found[0] || !found[1])
		*unmatched = found[0] ? "thread" : "process";
	pk_regex_free(process);
	pk_regex_free(thread);
	return 0;
}

static bool word_matches(struct slicer *sl, enum kind kind, const struct pk_regex *re,
			 struct pk_json_slice value)
{
	struct pk_json_slice s = pk_json_slice_unquoted(value);
	struct pk_buf plain = PK_BUF_INIT;
	struct text *t;
	uint32_t id;

	if (!re)
		return true;
	id = intern(sl, kind, s.text ? s.text : "", s.len);
	t = &sl->text[id];
	if (!t->judged) {
		pk_json_unescape(&plain, t->bytes + 1, t->len - 1);
		t->kept = pk_regex_search(re, plain.data ? plain.data : "", plain.len);
		t->judged = true;
		pk_buf_release(&plain);
		*(kind == CATEGORY ? &sl->category_found : &sl->name_found) |= t->kept;
	}
	return t->kept;
}

/* Whether process, thread, category and name are asked for. */
static bool is_chosen(struct slicer *sl, const struct pk_trace_event *e, uint32_t place)
{
	return sl->text[place].kept && word_matches(sl, CATEGORY, sl->category, e->category) &&
	       word_matches(sl, NAME, sl->name, e->name);
}

static bool is_within(const struct slicer *sl, int64_t time)
{
	return time >= sl->range.from && time < sl->range.to;
}

/* As pk_copy_cut_span. */
static bool overlaps(const struct slicer *sl, int64_t begin, int64_t end)
{
	int64_t from = begin > sl->range.from ? begin : sl->range.from;
	int64_t to = end < sl->range.to ? end : sl->range.to;

	return to > from || (to == from && begin == end);
}

static bool is_kept_span(const struct slicer *sl, int64_t begin, int64_t end)
{
	return overlaps(sl, begin, end) && end - begin >= sl->s->longer_than;
}

static void set_bit(struct slicer *sl, uint64_t bit)
{
	sl->keep[bit / 8] |= (uint8_t)(1U << bit % 8);
}

static bool has_bit(const struct slicer *sl, uint64_t bit)
{
	return sl->keep[bit / 8] >> bit % 8 & 1;
}

/* The innermost open begin ends; true if it is kept. */
static bool end_innermost(struct slicer *sl, struct text *place, int64_t time)
{
	const struct open *o = &place->open[--place->open_count];
	bool kept = o->chosen && is_kept_span(sl, o->begin, time < o->begin ? o->begin : time);

	if (kept)
		set_bit(sl, o->bit);
	return kept;
}

/* An end closes the innermost of its name, and what is open above it. */
static void judge_end(struct slicer *sl, struct text *place, uint32_t name, uint64_t bit,
		      int64_t time, bool chosen)
{
	uint32_t at = place->open_count;

	while (name && at > 0 && place->open[at - 1].name != name)
		at--;
	if (!at) {
		/* What it ends is not known: whoever reads the slice is to see it, too. */
		if (is_within(sl, time) && chosen)
			set_bit(sl, bit);
		return;
	}
	while (place->open_count > at)
		end_innermost(sl, place, time);
	if (end_innermost(sl, place, time))
		set_bit(sl, bit);
}

static bool is_begin(char phase)
{
	return phase == 'B' || phase == 'b' || phase == 'S';
}

static bool is_end(char phase)
{
	return phase == 'E' || phase == 'e' || phase == 'F';
}

/* Spans count when it comes to when a thread was seen last. */
static void note_last(struct slicer *sl, const struct pk_trace_event *e)
{
	uint32_t place = thread_of(sl, e);
	int64_t time, duration = 0;

	if (!pk_trace_time(e->time, &time))
		return;
	pk_trace_time(e->duration, &duration);
	if (time + duration > sl->text[place].last)
		sl->text[place].last = time + duration;
}

static void judge(void *data, const struct pk_trace_event *e)
{
	struct slicer *sl = data;
	struct pk_json_slice s = pk_json_slice_unquoted(e->name);
	uint32_t place, name;
	uint64_t bit, bytes;
	int64_t time;

	if (e->phase == 'X')
		note_last(sl, e);
	if (!is_begin(e->phase) && !is_end(e->phase))
		return;
	bit = sl->halves++;
	bytes = sl->keep_alloc;
	PK_GROW(sl->keep, bit / 8 + 1, sl->keep_alloc);
	memset(sl->keep + bytes, 0, sl->keep_alloc - bytes);
	if (!pk_trace_time(e->time, &time))
		return;
	place = place_of(sl, e);
	name = s.len ? intern(sl, NAME, s.text, s.len) : 0;
	if (sl->text[place].last < time)
		sl->text[place].last = time;
	if (is_begin(e->phase)) {
		struct open open = {bit, time, name, is_chosen(sl, e, place)};
		struct text *t = &sl->text[place];

		PK_GROW(t->open, (size_t)t->open_count + 1, t->open_alloc);
		t->open[t->open_count++] = open;
	} else {
		bool chosen = is_chosen(sl, e, place);

		judge_end(sl, &sl->text[place], name, bit, time, chosen);
	}
}

/* What has no end lasts to the last event of its thread: that may not be in the slice, so the
 * slice gets an end. */
static void judge_rest(struct slicer *sl)
{
	uint32_t i;

	for (i = 1; i <= sl->text_count; i++) {
		struct text *t = &sl->text[i];

		while (t->open_count) {
			uint32_t name = t->open[t->open_count - 1].name;

			if (!end_innermost(sl, t, t->last) || t->bytes[0] != THREAD)
				continue;
			PK_GROW(sl->loose, sl->loose_count + 1, sl->loose_alloc);
			sl->loose[sl->loose_count++] = (struct loose){i, name, t->last};
		}
	}
	sl->halves = 0;
}

static void put(struct slicer *sl, const char *text)
{
	pk_output_puts(sl->out, text);
}

static void put_separator(struct slicer *sl)
{
	put(sl, sl->comma ? ",\n" : "\n");
	sl->comma = true;
}

static void put_plain(struct slicer *sl, const struct pk_trace_event *e)
{
	put_separator(sl);
	pk_output_write(sl->out, e->text, e->len);
	sl->counts->kept += e->phase != 'M';
}

/* Puts the event with another time and, if it has one, duration: in us, as text. */
static void put_changed(struct slicer *sl, const struct pk_trace_event *e, int64_t time,
			int64_t duration)
{
	struct {
		struct pk_json_slice old;
		int64_t ns;
	} change[2] = {{e->time, time}, {e->duration, duration}}, first;
	const char *at = e->text, *end = e->text + e->len;
	int i;

	if (change[1].old.len && change[1].old.text < change[0].old.text) {
		first = change[1];
		change[1] = change[0];
		change[0] = first;
	}
	put_separator(sl);
	for (i = 0; i < 2; i++) {
		if (!change[i].old.len)
			continue;
		pk_output_write(sl->out, at, (size_t)(change[i].old.text - at));
		sl->buf.len = 0;
		pk_format_decimal(&sl->buf, change[i].ns, 3);
		pk_output_write(sl->out, sl->buf.data, sl->buf.len);
		at = change[i].old.text + change[i].old.len;
	}
	pk_output_write(sl->out, at, (size_t)(end - at));
	sl->counts->kept++;
}

static void keep_covering(struct slicer *sl, const struct pk_trace_event *e, uint32_t place,
			  int64_t begin, int64_t end)
{
	struct covering *c;

	PK_GROW(sl->covering, sl->covering_count + 1, sl->covering_alloc);
	c = &sl->covering[sl->covering_count];
	*c = (struct covering){.place = place,
			       .row = sl->covering_count++,
			       .begin = begin,
			       .end = end,
			       .text = pk_strndup(e->text, e->len),
			       .len = e->len};
}

/* From the outside in. */
static int compare_covering(const void *a, const void *b)
{
	const struct covering *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

static void write_covering(struct slicer *sl)
{
	size_t n = sl->covering_count, i;

	if (n)
		qsort(sl->covering, n, sizeof(*sl->covering), compare_covering);
	for (i = 0; i < n; i++) {
		struct covering *c = &sl->covering[sl->ends_first ? n - 1 - i : i];
		struct pk_trace_event e;

		if (pk_trace_event(c->text, c->len, &e))
			put_changed(sl, &e, sl->range.from, sl->range.to - sl->range.from);
		free(c->text);
	}
	sl->covering_count = 0;
}

/* The ends that are missing. */
static void write_ends(struct slicer *sl)
{
	size_t i;

	for (i = 0; i < sl->loose_count && !pk_selection_is_empty(sl->s); i++) {
		const struct loose *l = &sl->loose[i];
		const struct text *t = &sl->text[l->place], *name = &sl->text[l->name];
		const char *tid = strrchr(t->bytes, ' ');
		int64_t end = l->end > sl->range.to && !sl->s->whole ? sl->range.to : l->end;

		sl->buf.len = 0;
		pk_buf_adds(&sl->buf, "{\"ph\": \"E\", \"name\": \"");
		if (l->name)
			pk_buf_add(&sl->buf, name->bytes + 1, name->len - 1);
		pk_buf_addf(&sl->buf,
			    "\", \"pid\": %.*s, \"tid\": %s, \"ts\": ", (int)(tid - t->bytes - 1),
			    t->bytes + 1, tid + 1);
		pk_format_decimal(&sl->buf, end, 3);
		pk_buf_addc(&sl->buf, '}');
		put_separator(sl);
		pk_output_write(sl->out, sl->buf.data, sl->buf.len);
	}
	sl->loose_count = 0;
}

static void write_span(struct slicer *sl, const struct pk_trace_event *e, int64_t begin)
{
	int64_t duration = 0, end, from, to;
	uint32_t place;

	pk_trace_time(e->duration, &duration);
	end = begin + (duration > 0 ? duration : 0);
	if (!is_kept_span(sl, begin, end))
		return;
	place = thread_of(sl, e);
	if (!is_chosen(sl, e, place))
		return;
	from = begin > sl->range.from ? begin : sl->range.from;
	to = end < sl->range.to ? end : sl->range.to;
	if (sl->s->whole || (from == begin && to == end))
		put_plain(sl, e);
	else if (from != begin && to != end)
		keep_covering(sl, e, place, begin, end);
	else
		put_changed(sl, e, from, to - from);
}

static void write_half(struct slicer *sl, const struct pk_trace_event *e, int64_t time)
{
	int64_t cut = time;

	if (!has_bit(sl, sl->halves++))
		return;
	if (!sl->s->whole && is_begin(e->phase) && time < sl->range.from)
		cut = sl->range.from;
	if (!sl->s->whole && is_end(e->phase) && time > sl->range.to)
		cut = sl->range.to;
	if (cut == time)
		put_plain(sl, e);
	else
		put_changed(sl, e, cut, 0);
}

static bool is_kept_flow(struct slicer *sl, const struct pk_trace_event *e)
{
	uint32_t id = flow_of(sl, e);
	const struct flow *f = &sl->flow[id];

	return !sl->s->event && sl->s->longer_than <= 0 && f->from != PK_NULL && f->to != PK_NULL &&
	       is_within(sl, f->from) && is_within(sl, f->to) && sl->text[f->from_thread].kept &&
	       sl->text[f->to_thread].kept && word_matches(sl, CATEGORY, sl->category, e->category);
}

static bool is_kept_counter(struct slicer *sl, const struct pk_trace_event *e)
{
	uint32_t process = process_of(sl, e);

	return sl->text[process].kept;
}

static void write_event(void *data, const struct pk_trace_event *e)
{
	struct slicer *sl = data;
	int64_t time;

	if (e->phase == 'M') {
		put_plain(sl, e);
		return;
	}
	sl->counts->events++;
	if (!pk_trace_time(e->time, &time)) {
		sl->halves += is_begin(e->phase) || is_end(e->phase);
		return;
	}
	if (e->phase == 'X')
		write_span(sl, e, time);
	else if (is_begin(e->phase) || is_end(e->phase))
		write_half(sl, e, time);
	else if (!is_within(sl, time))
		return;
	else if (e->phase == 'C'           ? is_kept_counter(sl, e)
		 : strchr("stf", e->phase) ? is_kept_flow(sl, e)
					   : is_chosen(sl, e, place_of(sl, e)))
		put_plain(sl, e);
}

static void open_document(void *data, bool list)
{
	struct slicer *sl = data;

	put(sl, list ? "[" : "{");
	sl->comma = false;
}

static void close_document(void *data, bool list)
{
	struct slicer *sl = data;

	if (list) {
		write_covering(sl);
		write_ends(sl);
	}
	put(sl, list ? "\n]\n" : "\n}\n");
}

static void write_member(void *data, struct pk_json_slice member)
{
	struct slicer *sl = data;

	put_separator(sl);
	pk_output_write(sl->out, member.text, member.len);
}

static void open_events(void *data)
{
	struct slicer *sl = data;

	put_separator(sl);
	put(sl, "\"traceEvents\": [");
	sl->comma = false;
}

static void close_events(void *data)
{
	struct slicer *sl = data;

	write_covering(sl);
	write_ends(sl);
	put(sl, "\n]");
	sl->comma = true;
}

static int run_passes(struct slicer *sl, const char *path, const char **unmatched,
		      struct pk_error *err)
{
	struct pk_trace_visitor visitor = {.data = sl, .event = learn, .member = learn_member};

	if (pk_trace_walk(path, &visitor, err))
		return -1;
	sl->sampled = sl->sampled && !pk_selection_is_empty(sl->s);
	if (sl->unsorted || sl->sampled)
		return 0;
	if (set_range(sl, err) || choose_threads(sl, unmatched, err))
		return -1;
	visitor.event = judge;
	visitor.member = NULL;
	if (sl->has_halves && pk_trace_walk(path, &visitor, err))
		return -1;
	judge_rest(sl);
	visitor = (struct pk_trace_visitor){.data = sl,
					    .open = open_document,
					    .close = close_document,
					    .member = write_member,
					    .events_open = open_events,
					    .events_close = close_events,
					    .event = write_event};
	if (pk_trace_walk(path, &visitor, err))
		return -1;
	if (sl->name && !sl->name_found)
		*unmatched = "event";
	if (sl->category && !sl->category_found)
		*unmatched = "category";
	return 0;
}

static void release(struct slicer *sl)
{
	uint32_t i;

	for (i = 1; i <= sl->text_count; i++)
		free(sl->text[i].open);
	pk_regex_free(sl->category);
	pk_regex_free(sl->name);
	pk_index_release(&sl->texts);
	pk_index_release(&sl->flows);
	pk_arena_release(&sl->arena);
	pk_buf_release(&sl->buf);
	free(sl->text);
	free(sl->flow);
	free(sl->step);
	free(sl->loose);
	free(sl->covering);
	free(sl->keep);
}

int pk_trace_slice(const char *path, const struct pk_selection *s, struct pk_output *out,
		   struct pk_trace_counts *counts, const char **unmatched, bool *sorted,
		   struct pk_error *err)
{
	struct slicer sl = {
		.s = s, .out = out, .counts = counts, .first = INT64_MAX, .last = INT64_MIN};
	int status = 0;

	*unmatched = NULL;
	*counts = (struct pk_trace_counts){0, 0};
	sl.text = pk_calloc(1, sizeof(*sl.text));
	sl.text_alloc = 1;
	if (s->category && !(sl.category = pk_regex_new(s->category, err)))
		status = pk_fail_context(err, "--category");
	if (!status && s->event && !(sl.name = pk_regex_new(s->event, err)))
		status = pk_fail_context(err, "--event");
	if (!status)
		status = run_passes(&sl, path, unmatched, err);
	*sorted = !sl.unsorted && !sl.sampled;
	release(&sl);
	return status;
}

bool pk_trace_can_select(const struct pk_selection *s)
{
	struct pk_selection rest = *s;

	rest.process = rest.thread = rest.category = rest.event = rest.time = rest.step = NULL;
	rest.longer_than = 0;
	return pk_selection_is_empty(&rest);
}

bool pk_trace_can_slice(const char *path)
{
	struct pk_error err = PK_ERROR_INIT;
	struct stat st;
	struct pk_input *in;
	struct pk_probe probe;
	uint8_t copy[PK_PROBE_SIZE + 64] = {0};
	const struct pk_reader *reader;
	const uint8_t *data;
	size_t avail;
	char first;
	bool can;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !(in = pk_input_open(path, &err)))
		return false;
	probe.data = copy;
	data = pk_input_peek(in, PK_PROBE_SIZE + 1, &avail);
	probe.whole = avail <= PK_PROBE_SIZE;
	probe.len = probe.whole ? avail : PK_PROBE_SIZE;
	memcpy(copy, data, probe.len);
	reader = pk_reader_detect(&probe, path, &err);
	first = (char)copy[strspn((char *)copy, " \t\r\n")];
	can = reader && strcmp(reader->name, pk_trace_format) == 0 &&
	      (first == '[' || (first == '{' && strstr((char *)copy, "\"traceEvents\"")));
	pk_input_close(in);
	return can;
}
