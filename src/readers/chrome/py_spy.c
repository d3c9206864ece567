/*
 * The dialect of py-spy record --format chrometrace (github.com/benfred/py-spy): samples of Python
 * programs, written as begins and ends of what changed from one to the next.
 *
 *	[{"args":{"filename":"/srv/a.py","line":3},"cat":"py-spy","name":"run","ph":"B","pid":7,
 *	  "tid":140131092500544,"ts":4711}, ...]
 *
 * - The line is the one being executed: it belongs to the call path, and the frame is function
 *   and file. That a span begins does not say that a function was called.
 * - With --threads and --subprocesses, frames at the root name thread and process: they are none
 *   here.
 * - A thread that is idle goes on with what it did last.
 * - py-spy keeps one stack per tid, whatever the process: processes that forked have threads of
 *   one tid, and the end of what one began is said to be of the other. So what is on a stack
 *   belongs to the process that its root came from, or the frame of a process that is above it:
 *   that of a child is put below its parent's. A sample of one process ends what all others do,
 *   although they go on: from there on, each goes on until its own next sample, unless that is so
 *   late that it was idle.
 * - profkit writes samples in the same way, with a category of its own: names and ids of threads
 *   are in metadata there, and each has a stack.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/frame_text.h"
#include "readers/chrome/internal.h"
#include "readers/chrome/slice.h"

static const char *const categories[] = {"py-spy", "profkit", NULL};

enum { LATE = 20, FEW = 4 }; /* intervals after which a thread was idle; that tell their mean */
enum { AGAIN = 16, AGAIN_FIRST = 10000 }; /* unchanged frames begun again: per event; before any */

/* The stack of a tid. */
struct stack {
	uint32_t depth;
	struct level { /* per process: the depth at which its frames begin */
		uint32_t depth, thread;
		uint32_t low; /* the least depth since the last sample */
	} * level;
	uint32_t levels, alloc;

	/* Of several processes (shared): their samples, as the events add up to them. */
	bool shared, changed;
	char phase; /* of the last event */
	int64_t time;
	uint32_t category, before; /* before: the thread of the sample before */
	uint32_t owner, top;       /* the first thread; the depth before the last ends */
	struct frame {
		uint32_t label, args; /* label 0: names a process or thread; args: a string */
		uint32_t count;       /* of the frames with a label, from the level's first on */
	} * frame;                    /* by depth */
	size_t frame_alloc;
};

/* What a thread does that shares its number with threads of other processes. */
struct running {
	uint32_t *label, count;
	size_t alloc;
	uint32_t category;
	uint32_t levels; /* of the stack, when it had the last sample */
	bool known;
	int64_t last, interval; /* when its last sample was taken; the mean time between two */
	int64_t sum, gaps;      /* of which that is the mean */
	int64_t off;            /* when the stack had a sample of another process */
};

struct state {
	bool named;          /* it is known whether py-spy or profkit wrote the file */
	bool own;            /* profkit wrote it */
	struct stack *stack; /* by number */
	uint32_t alloc;
	struct pk_id_map numbers; /* of tids */
	struct running *running;  /* by thread */
	size_t running_alloc;
	int64_t shared; /* number of stacks that are */
	int64_t again;  /* number of frames that may be begun again */
	int64_t spent;  /* times that there were more */
};

static void begin(struct pk_chrome *c)
{
	c->nest.sampled = true;
	((struct state *)c->state)->again = AGAIN_FIRST;
}

static void find_producer(struct pk_chrome *c, const struct pk_chrome_event *e)
{
	struct state *s = c->state;
	const char *category = pk_text(pk_builder_profile(c->b), e->category);

	if (s->named || !e->category)
		return;
	s->named = true;
	s->own = !strcmp(category, "profkit");
	if (!s->own)
		pk_build_run_text(c->b, PK_RUN_PRODUCER, "py-spy");
}

static bool arg(struct pk_chrome *c, struct pk_chrome_event *e)
{
	struct pk_json *j = &c->json;
	int64_t line;

	if (pk_json_is(j, "filename")) {
		if (pk_json_next(j) == PK_JSON_STRING && j->len)
			e->file = pk_chrome_string(c);
	} else if (pk_json_is(j, "line")) {
		if (pk_json_next(j) == PK_JSON_NUMBER && pk_chrome_whole(j->text, j->len, &line) &&
		    line > 0 && line <= INT32_MAX)
			e->line = (uint32_t)line;
	} else {
		return false;
	}
	pk_json_rest(j);
	return true;
}

static struct stack *stack_of(struct state *s, int64_t tid)
{
	uint32_t i = pk_id_map_number(&s->numbers, tid == PK_NULL ? INT64_MAX : tid);

	PK_GROW_ZERO(s->stack, (size_t)i + 1, s->alloc);
	return &s->stack[i];
}

/* "process 7:"command"": the digits, or 0. */
static size_t process_digits(const char *name)
{
	size_t digits = pk_starts_with(name, "process ") ? strspn(name + 8, "0123456789") : 0;

	return digits && name[8 + digits] == ':' ? digits : 0;
}

static uint32_t add_event(struct pk_chrome *c, uint32_t thread, int64_t time, int64_t duration,
			  uint32_t label, uint32_t category)
{
	return pk_build_span(c->b, time, duration, pk_chrome_thread_id(c, thread), label, category);
}

static void begin_frame(struct pk_chrome *c, uint32_t thread, const struct stack *s,
			const struct frame *frame)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	uint32_t row = add_event(c, thread, s->time, PK_NEST_BEGIN, frame->label, s->category);

	if (frame->args)
		pk_build_arg_object(c->b, PK_TABLE_SPAN, row, t->text[frame->args],
				    t->len[frame->args]);
}

/* Ends the frames from `keep` on. */
static void end_frames(struct pk_chrome *c, uint32_t thread, int64_t time, uint32_t keep)
{
	struct running *r = &((struct state *)c->state)->running[thread];

	while (r->count > keep) {
		uint32_t label = r->label[--r->count];

		add_event(c, thread, time, PK_NEST_END, label, r->category);
	}
}

static struct running *running(struct state *s, uint32_t thread)
{
	PK_GROW_ZERO(s->running, (size_t)thread + 1, s->running_alloc);
	return &s->running[thread];
}

/* Whether a thread did nothing since its last sample: py-spy leaves out threads that are idle. */
static bool was_idle(const struct running *r, int64_t time)
{
	return r->known && r->gaps >= FEW && time - r->last > LATE * r->interval;
}

static void note_sample(struct running *r, int64_t time, bool late)
{
	int64_t gap = r->known ? time - r->last : 0;

	if (!late && gap > 0) {
		r->sum += gap;
		r->interval = r->sum / ++r->gaps;
	}
	r->last = time;
	r->known = true;
}

/*
 * Frames that did not change since the last sample are begun again after an idle time, or if the
 * last sample was of another level. Their number is limited, as few events can do it to many.
 */
static bool may_begin_again(struct state *s, uint32_t count)
{
	if (count > s->again) {
		s->spent++;
		return false;
	}
	s->again -= count;
	return true;
}

/* The events so far make a sample of the process whose frames are on top. */
static void take_sample(struct pk_chrome *c, struct stack *s)
{
	struct level *top;
	struct running *r;
	uint32_t first, keep;
	bool late, other;

	s->changed = false;
	if (!s->levels)
		return;
	top = &s->level[s->levels - 1];
	r = running(c->state, top->thread);
	first = top->low;
	late = was_idle(r, s->time);
	other = r->levels != s->levels;
	if (late || other) {
		if (may_begin_again(c->state, first - top->depth)) {
			first = top->depth;
			if (late)
				end_frames(c, top->thread, r->last + r->interval, 0);
		} else if (other) {
			return;
		}
	}
	note_sample(r, s->time, late);
	keep = first > top->depth ? s->frame[first - 1].count : 0;
	for (uint32_t i = first; i < s->depth; i++) {
		if (!s->frame[i].label)
			continue;
		if (keep == r->count || r->label[keep] != s->frame[i].label) {
			end_frames(c, top->thread, s->time, keep);
			PK_GROW(r->label, (size_t)keep + 1, r->alloc);
			r->label[r->count++] = s->frame[i].label;
			r->category = s->category;
			begin_frame(c, top->thread, s, &s->frame[i]);
		}
		keep++;
	}
	end_frames(c, top->thread, s->time, keep);
	top->low = s->depth;
	r->levels = s->levels;
	running(c->state, s->before)->off = s->time;
	s->before = top->thread;
}

/* A second process begins to use the stack: what is on it, or was until now, is of the first. */
static void share(struct pk_chrome *c, struct stack *s, int64_t time)
{
	struct state *state = c->state;
	struct running *r = running(state, s->owner);
	uint32_t depth = s->phase == 'E' && s->time == time ? s->top : s->depth;

	s->shared = true;
	s->before = s->owner;
	s->time = time;
	state->shared++;
	for (uint32_t i = 0; i < depth; i++) {
		PK_GROW(r->label, (size_t)r->count + 1, r->alloc);
		if (s->frame[i].label)
			r->label[r->count++] = s->frame[i].label;
		if (s->frame[i].label && i >= s->depth)
			begin_frame(c, s->owner, s, &s->frame[i]);
	}
	r->category = s->category;
	r->last = time;
}

/* Follows an event of the stack, whose depth is already that after it. */
static void follow(struct pk_chrome *c, struct stack *s, const struct pk_chrome_event *e,
		   bool is_frame)
{
	bool args = c->args.len > 2 && pk_builder_wants(c->b, PK_PART_ARGS);

	((struct state *)c->state)->again += AGAIN;
	PK_GROW_ZERO(s->frame, (size_t)s->depth + 1, s->frame_alloc);
	if (e->phase == 'B') {
		uint32_t i = s->depth - 1;
		uint32_t before = i > s->level[s->levels - 1].depth ? s->frame[i - 1].count : 0;

		s->frame[i] = (struct frame){
			is_frame ? pk_chrome_label(c, e) : 0,
			args ? pk_build_string(c->b, c->args.data, c->args.len) : 0, before};
		s->frame[i].count += s->frame[i].label != 0;
	} else if (s->phase != 'E' || s->time != e->time) {
		s->top = s->depth + 1;
	}
	s->category = e->category;
	s->phase = e->phase;
	s->time = e->time;
	s->changed = s->shared;
}

static void push_level(struct stack *s, uint32_t thread)
{
	PK_GROW(s->level, s->levels + 1, s->alloc);
	s->level[s->levels++] = (struct level){s->depth, thread, s->depth};
}

static struct stack *find_thread(struct pk_chrome *c, struct pk_chrome_event *e, bool process)
{
	struct stack *s = stack_of(c->state, c->threads[e->thread].tid.number);

	if (s->changed && (e->time != s->time || (e->phase == 'E' && s->phase == 'B')))
		take_sample(c, s);
	if (!s->owner)
		s->owner = e->thread;
	if (process && e->phase == 'B' && s->owner != e->thread) {
		if (c->slice)
			c->slice->needs_profile = true;
		else if (!s->shared)
			share(c, s, e->time);
	}
	if (!s->levels || (process && e->phase == 'B'))
		push_level(s, e->thread);
	e->thread = s->level[s->levels - 1].thread;
	if (e->phase == 'B')
		s->depth++;
	else if (s->depth)
		s->depth--;
	while (e->phase == 'E' && s->levels && s->level[s->levels - 1].depth >= s->depth)
		s->levels--;
	if (s->levels && s->level[s->levels - 1].low > s->depth)
		s->level[s->levels - 1].low = s->depth;
	return s;
}

/* "thread (12): name", "process 7:"command"" */
static bool event(struct pk_chrome *c, struct pk_chrome_event *e)
{
	const char *name = pk_text(pk_builder_profile(c->b), e->name), *rest;
	bool process = !e->file && process_digits(name);
	bool thread = !e->file && pk_starts_with(name, "thread (");
	struct stack *s = NULL;
	struct pk_chrome_thread *t;

	find_producer(c, e);
	if (((struct state *)c->state)->own)
		return true;
	if (e->phase == 'B' || e->phase == 'E')
		s = find_thread(c, e, process);
	if (s && !c->slice)
		follow(c, s, e, !process && !thread);
	t = &c->threads[e->thread];
	if (thread) {
		rest = strstr(name, "): ");
		if (rest && e->phase == 'B')
			t->name = pk_build_text(c->b, rest + 3);
		return false;
	}
	if (process) {
		rest = name + 8 + process_digits(name) + 1;
		if (e->phase == 'B')
			c->processes[t->process].name = pk_build_text(c->b, rest);
		return false;
	}
	return !s || !s->shared || c->slice;
}

/* Ends what is still running when the file is at its end. Times count from c->base by now. */
static void end_running(struct pk_chrome *c)
{
	struct state *state = c->state;
	int64_t latest = INT64_MIN, least = INT64_MAX, base = c->base == PK_NULL ? 0 : c->base;

	for (uint32_t i = 0; i < state->running_alloc; i++) {
		struct running *r = &state->running[i];

		r->last -= base;
		if (r->interval && r->interval < least)
			least = r->interval;
	}

	for (uint32_t i = 0; i < state->alloc; i++) {
		struct stack *s = &state->stack[i];

		s->time -= base;
		if (s->changed)
			take_sample(c, s);
		if (s->shared && s->time > latest)
			latest = s->time;
	}
	for (uint32_t i = 0; i < state->running_alloc; i++) {
		struct running *r = &state->running[i];
		int64_t end = r->last;

		if (!r->interval && r->off - base > r->last)
			end = r->off - base;
		else
			pk_add_saturated(&end, r->interval ? r->interval : least);
		end_frames(c, i, end < latest ? end : latest, 0);
	}
}

static void make_function(struct pk_chrome *c, const struct pk_chrome_label *l,
			  struct pk_function *f)
{
	const struct pk_string_table *t = &pk_builder_profile(c->b)->string;
	struct pk_frame_text text = {.name = t->text[l->name], .name_len = t->len[l->name]};

	text.file = t->text[l->file];
	text.file_len = t->len[l->file];
	if (l->file)
		*f = pk_frame_text_function(c->b, &text);
}

static int finish(struct pk_chrome *c)
{
	const struct state *s = c->state;

	pk_build_set(c->b, metric, exactness, 1, PK_SAMPLED);
	if (pk_chrome_say(c, "idle time of a deep stack, between two samples, shown as running",
			  s->spent))
		return -1;
	return pk_chrome_say(
		c,
		"samples of processes that share a thread id taken apart: what each did "
		"between its samples is a guess",
		s->shared);
}

static void release(struct pk_chrome *c)
{
	struct state *s = c->state;

	for (uint32_t i = 0; i < s->alloc; i++) {
		free(s->stack[i].level);
		free(s->stack[i].frame);
	}
	for (uint32_t i = 0; i < s->running_alloc; i++)
		free(s->running[i].label);
	free(s->running);
	free(s->stack);
	pk_id_map_release(&s->numbers);
}

const struct pk_chrome_dialect pk_chrome_py_spy = {
	.name = "py-spy",
	.signs = {[PK_CHROME_CATEGORY] = categories},
	.state_size = sizeof(struct state),
	.begin = begin,
	.arg = arg,
	.event = event,
	.threads = end_running,
	.function = make_function,
	.finish = finish,
	.release = release,
};
