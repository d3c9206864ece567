/*
 * Stacks of py-spy's traces that several processes share.
 *
 * - py-spy keeps one stack for each tid. Processes that forked have threads with the same tid, so
 *   the end of a frame may be written for another process than its begin. A frame belongs to the
 *   process that began the root of the stack, or to the process whose frame is nearest above it:
 *   the frame of a child process is below that of its parent. A sample of one process ends the
 *   frames of all others, although they still run: here, each goes on until its own next sample,
 *   unless that is so late that the process was idle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/chrome/dialects/py_spy.h"
#include "readers/chrome/slice.h"

/* number of intervals after which a thread was idle; number of intervals that give a mean */
enum { LATE = 20, FEW = 4 };

static struct py_spy_stack *stack_of(struct py_spy *s, int64_t tid)
{
	uint32_t i = pk_id_map_number(&s->numbers, tid == PK_NULL ? INT64_MAX : tid);

	PK_GROW_ZERO(s->stack, (size_t)i + 1, s->alloc);
	return &s->stack[i];
}

static uint32_t add_event(struct pk_chrome *c, uint32_t thread, int64_t time, int64_t duration,
			  uint32_t label, uint32_t category)
{
	return pk_build_span(c->b, time, duration, pk_chrome_thread_id(c, thread), label, category);
}

static void begin_frame(struct pk_chrome *c, uint32_t thread, const struct py_spy_stack *s,
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
	struct py_spy_running *r = &((struct py_spy *)c->state)->running[thread];

	while (r->count > keep) {
		uint32_t label = r->label[--r->count];

		add_event(c, thread, time, PK_NEST_END, label, r->category);
	}
}

static struct py_spy_running *running(struct py_spy *s, uint32_t thread)
{
	PK_GROW_ZERO(s->running, (size_t)thread + 1, s->running_alloc);
	return &s->running[thread];
}

/* True if the thread was idle since its last sample: py-spy leaves out idle threads. */
static bool was_idle(const struct py_spy_running *r, int64_t time)
{
	return r->known && r->gaps >= FEW && time - r->last > LATE * r->interval;
}

static void note_sample(struct py_spy_running *r, int64_t time, bool late)
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
 * last sample was of another level. Their number is limited, because a few events could do this to
 * many frames.
 */
static bool may_begin_again(struct py_spy *s, uint32_t count)
{
	if (count > s->again) {
		s->spent++;
		return false;
	}
	s->again -= count;
	return true;
}

/* The events so far make a sample of the process whose frames are on top. */
static void take_sample(struct pk_chrome *c, struct py_spy_stack *s)
{
	struct level *top;
	struct py_spy_running *r;
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

/* A second process begins to use the stack: the frames on it, or those until now, belong to the
 * first. */
static void share(struct pk_chrome *c, struct py_spy_stack *s, int64_t time)
{
	struct py_spy *state = c->state;
	struct py_spy_running *r = running(state, s->owner);
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
void py_spy_follow(struct pk_chrome *c, struct py_spy_stack *s, const struct pk_chrome_event *e,
		   bool is_frame)
{
	bool args = c->args.len > 2 && pk_builder_wants(c->b, PK_PART_ARGS);

	((struct py_spy *)c->state)->again += PY_SPY_AGAIN;
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

static void push_level(struct py_spy_stack *s, uint32_t thread)
{
	PK_GROW(s->level, s->levels + 1, s->alloc);
	s->level[s->levels++] = (struct level){s->depth, thread, s->depth};
}

struct py_spy_stack *py_spy_find_thread(struct pk_chrome *c, struct pk_chrome_event *e,
					bool process)
{
	struct py_spy_stack *s = stack_of(c->state, c->threads[e->thread].tid.number);

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

/* Ends the frames that are still running at the end of the file. Times count from c->base here. */
void py_spy_end_running(struct pk_chrome *c)
{
	struct py_spy *state = c->state;
	int64_t latest = INT64_MIN, least = INT64_MAX, base = c->base == PK_NULL ? 0 : c->base;

	for (uint32_t i = 0; i < state->running_alloc; i++) {
		struct py_spy_running *r = &state->running[i];

		r->last -= base;
		if (r->interval && r->interval < least)
			least = r->interval;
	}

	for (uint32_t i = 0; i < state->alloc; i++) {
		struct py_spy_stack *s = &state->stack[i];

		s->time -= base;
		if (s->changed)
			take_sample(c, s);
		if (s->shared && s->time > latest)
			latest = s->time;
	}
	for (uint32_t i = 0; i < state->running_alloc; i++) {
		struct py_spy_running *r = &state->running[i];
		int64_t end = r->last;

		if (!r->interval && r->off - base > r->last)
			end = r->off - base;
		else
			pk_add_saturated(&end, r->interval ? r->interval : least);
		end_frames(c, i, end < latest ? end : latest, 0);
	}
}

void py_spy_release(struct pk_chrome *c)
{
	struct py_spy *s = c->state;

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
