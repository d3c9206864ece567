/*
 * The samples of Python 3.15's recordings: call paths, times and states of threads, for tachyon.c.
 *
 *	58 1b 00 ... 00  01  e8 07  25  02 10 11     thread, kind 1, time, status, depth, frames
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/tachyon/internal.h"

enum state {
	HOLDS_GIL = 1,
	ON_CPU = 2,
	CPU_UNKNOWN = 4,
	WAITS_FOR_GIL = 8,
	EXCEPTION = 16,
	MAIN = 32
};

struct thread {
	uint64_t time; /* us, of the last sample */
	bool seen;
	struct tachyon_stack stack;
};

struct sums { /* of the samples of a record in one state */
	int64_t samples, time;
};

struct samples {
	struct tachyon *t;
	struct pk_input *in; /* of compressed data; NULL: they are the file's */
	const uint8_t *window;
	struct tachyon_cursor c;
	uint64_t taken;         /* bytes before the window */
	struct thread **thread; /* by thread of the profile */
	size_t threads;
	uint32_t of; /* thread of the record, and its number */
	uint64_t tid;
	uint32_t interpreter;
	uint32_t metric[2], labels[TACHYON_STATES];
	bool labelled[TACHYON_STATES], ordered, guessed;
	bool differences; /* the time between two samples counts for the second one */
	uint64_t count, without_stack, cut, first_cut;
	uint64_t end; /* latest time */
	const char *damage;
};

/* Makes sure that `need` bytes are there, or all that are left. */
static void want(struct samples *s, size_t need)
{
	size_t used = (size_t)(s->c.at - s->window), avail;

	if (!s->in || (size_t)(s->c.end - s->c.at) >= need)
		return;
	pk_input_take(s->in, used);
	s->taken += used;
	s->window = s->c.at = pk_input_peek(s->in, need, &avail);
	s->c.end = s->c.at + avail;
}

static uint64_t place(const struct samples *s)
{
	return (s->in ? 0 : TACHYON_HEADER) + s->taken + (uint64_t)(s->c.at - s->window);
}

static void add_label(struct pk_builder *b, struct pk_label *label, size_t *count, const char *key,
		      const char *text)
{
	label[(*count)++] = (struct pk_label){
		.key = pk_build_text(b, key), .text = pk_build_text(b, text), .number = PK_NULL};
}

/* The metrics that the mode of the recording asked for. */
static uint32_t labels_of(struct samples *s, uint8_t state)
{
	struct pk_builder *b = s->t->b;
	struct pk_label label[3];
	size_t count = 0;

	if (s->labelled[state])
		return s->labels[state];
	s->labelled[state] = true;
	add_label(b, label, &count, "gil",
		  state & HOLDS_GIL       ? "holds"
		  : state & WAITS_FOR_GIL ? "waits"
					  : "no");
	if (!(state & CPU_UNKNOWN))
		add_label(b, label, &count, "cpu", state & ON_CPU ? "on" : "off");
	if (state & EXCEPTION)
		add_label(b, label, &count, "exception", "pending");
	return s->labels[state] = pk_build_label_set(b, label, count);
}

static void find_thread(struct samples *s, uint64_t tid, uint32_t interpreter)
{
	struct tachyon *t = s->t;
	struct pk_thread thread = {.tid = (int64_t)tid, .sort = PK_NULL};

	if (s->of && s->tid == tid && s->interpreter == interpreter)
		return;
	thread.process = pk_build_process(t->b, PK_NULL, pk_build_text(t->b, "python"), PK_NULL);
	if (interpreter) {
		t->text.len = 0;
		pk_buf_addf(&t->text, "interpreter %" PRIu32, interpreter);
		thread.name = pk_build_text(t->b, t->text.data);
	}
	s->of = pk_build_thread(t->b, &thread);
	s->tid = tid;
	s->interpreter = interpreter;
	PK_GROW_ZERO(s->thread, (size_t)s->of + 1, s->threads);
	if (!s->thread[s->of]) {
		s->thread[s->of] = pk_malloc(sizeof(struct thread));
		*s->thread[s->of] = (struct thread){.time = t->start};
	}
}

/* The sum of both metrics of a state. */
static void add_costs(struct samples *s, uint32_t node, uint8_t state, const struct sums *sums)
{
	struct pk_cost cost = {.thread = s->of,
			       .node = node,
			       .metric = s->metric[0],
			       .labels = labels_of(s, state),
			       .self = sums->samples,
			       .calls = PK_NULL};

	if (state & MAIN)
		pk_build_set(s->t->b, thread, role, s->of, PK_ROLE_MAIN);
	pk_build_cost_of(s->t->b, &cost);
	cost.metric = s->metric[1];
	cost.self = sums->time;
	pk_build_cost_of(s->t->b, &cost);
}

static void add_sample(struct samples *s, uint64_t us, uint32_t node, uint8_t state, int64_t time)
{
	int64_t at = us - s->t->start < INT64_MAX / 1000 ? (int64_t)(us - s->t->start) * 1000 : 0;
	uint32_t label = labels_of(s, state), row;

	row = pk_build_sample(s->t->b, at, s->of, node, s->metric[0], 1);
	pk_build_set(s->t->b, sample, labels, row, label);
	pk_build_set(s->t->b, sample, event, row, (uint32_t)s->count);
	row = pk_build_sample(s->t->b, at, s->of, node, s->metric[1], time);
	pk_build_set(s->t->b, sample, labels, row, label);
	pk_build_set(s->t->b, sample, event, row, (uint32_t)s->count);
}

/* Reads the difference to the time before, and the status. */
static bool take_time(struct samples *s, uint64_t *delta, uint8_t *state)
{
	struct tachyon_cursor *c = &s->c;

	if (c->end - c->at < 16)
		want(s, 16);
	*delta = tachyon_varint(c);
	if (c->bad || c->at == c->end)
		return false;
	*state = *c->at++;
	return *state < TACHYON_STATES;
}

/* Counts a sample of the thread's stack; ns. */
static int64_t pass_time(struct samples *s, struct thread *thread, uint64_t delta)
{
	uint64_t us = thread->seen && s->differences ? delta : s->t->interval;

	thread->seen = true;
	thread->time += delta;
	s->end = thread->time > s->end ? thread->time : s->end;
	s->count++;
	if (thread->stack.depth == TACHYON_DEEPEST) {
		s->first_cut = s->cut++ ? s->first_cut : place(s);
	}
	return us < INT64_MAX / 1000 ? (int64_t)us * 1000 : 0;
}

/* A run of samples of the same stack. */
static bool read_repeats(struct samples *s)
{
	struct thread *thread = s->thread[s->of];
	uint64_t count = tachyon_varint(&s->c), delta, seen = 0;
	struct sums sums[TACHYON_STATES] = {{0, 0}};
	uint32_t node = tachyon_top(&thread->stack);
	uint8_t state;

	if (s->c.bad)
		return false;
	if (!s->in && count > (uint64_t)(s->c.end - s->c.at) / 2) {
		s->damage = "a run of more samples than bytes are left";
		return false;
	}
	for (; count && take_time(s, &delta, &state); count--) {
		int64_t ns = pass_time(s, thread, delta);

		if (!node) {
			s->without_stack++;
			continue;
		}
		if (s->ordered)
			add_sample(s, thread->time, node, state, ns);
		sums[state].samples++;
		pk_add_saturated(&sums[state].time, ns);
		seen |= UINT64_C(1) << state;
	}
	for (; seen; seen &= seen - 1)
		add_costs(s, node, (uint8_t)__builtin_ctzll(seen), &sums[__builtin_ctzll(seen)]);
	return !count;
}

/* A sample with another stack than the thread's last one. */
static bool read_change(struct samples *s, enum tachyon_kind kind)
{
	struct thread *thread = s->thread[s->of];
	struct sums sums = {1, 0};
	uint64_t delta;
	uint32_t node;
	uint8_t state;

	if (!take_time(s, &delta, &state))
		return false;
	want(s, TACHYON_STACK_BYTES);
	if (!tachyon_read_stack(s->t, &s->c, kind, &thread->stack, &s->damage))
		return false;
	sums.time = pass_time(s, thread, delta);
	node = tachyon_top(&thread->stack);
	if (!node) {
		s->without_stack++;
		return true;
	}
	if (s->ordered)
		add_sample(s, thread->time, node, state, sums.time);
	add_costs(s, node, state, &sums);
	return true;
}

/* Without a header: the byte order in which the number of the first thread is smaller. */
static void guess_order(struct samples *s)
{
	if (!s->guessed && s->t->headless && s->t->tables_cut)
		s->t->big_endian =
			tachyon_fixed(true, s->c.at, 8) < tachyon_fixed(false, s->c.at, 8);
	s->guessed = true;
}

/* False at the end, or where the data is damaged. */
static bool read_record(struct samples *s)
{
	enum { HEAD = 13, STATUS = 24 }; /* the head, and most of what is before the status */
	const uint8_t *p;
	uint8_t kind;

	want(s, STATUS);
	if (s->c.end - s->c.at < HEAD)
		return false;
	guess_order(s);
	p = s->c.at;
	kind = p[12];
	if (kind > TACHYON_POP_PUSH) {
		s->damage = "a record of an unknown kind";
		return false;
	}
	find_thread(s, tachyon_fixed(s->t->big_endian, p, 8),
		    (uint32_t)tachyon_fixed(s->t->big_endian, p + 8, 4));
	s->c.at += HEAD;
	return kind == TACHYON_REPEAT ? read_repeats(s) : read_change(s, (enum tachyon_kind)kind);
}

/* Adds messages about the samples read up to `at`. */
static int end_samples(struct samples *s, uint64_t at)
{
	struct tachyon *t = s->t;
	const char *what = s->damage ? s->damage : "a record that ends too early";

	if (s->c.at < s->c.end || s->c.bad || s->damage || (s->in && pk_input_cut(s->in))) {
		if (!s->count)
			return pk_fail(t->err, PK_EFORMAT, "byte %" PRIu64 "%s: %s", at,
				       s->in ? " of the samples" : "", what);
		t->text.len = 0;
		pk_buf_addf(&t->text, "%s: the samples up to here were read", what);
		if (pk_build_repair(t->b, t->err, t->text.data, "byte %" PRIu64 "%s", at,
				    s->in ? " of the samples" : ""))
			return -1;
	} else if (!t->headless && !t->tables_cut && s->count != t->samples &&
		   pk_build_repair(t->b, t->err, "the number of samples in the header is wrong",
				   "byte 28")) {
		return -1;
	}
	if (t->numbered &&
	    pk_build_repair(t->b, t->err, "frames without a name have a number instead",
			    "byte %" PRIu64, t->strings))
		return -1;
	t->text.len = 0;
	pk_buf_addf(&t->text, "byte %" PRIu64 "%s", s->first_cut, s->in ? " of the samples" : "");
	if (s->cut)
		pk_build_repairs(t->b, "stack cut to its 256 innermost frames by the recorder",
				 (int64_t)s->cut, t->text.data);
	if (!s->without_stack)
		return 0;
	t->text.len = 0;
	pk_buf_addf(&t->text, "%" PRIu64, s->without_stack);
	pk_build_meta(t->b, "tachyon.samples_without_stack", t->text.data);
	return 0;
}

static int read_records(struct samples *s)
{
	struct tachyon *t = s->t;
	uint64_t at;
	int ret;

	do
		at = place(s);
	while (read_record(s));
	ret = s->in && !s->count ? pk_input_check(s->in, t->err) : 0;
	ret = ret ? ret : end_samples(s, at);
	if (!ret && s->end > t->start && pk_builder_profile(t->b)->run.duration[1] == PK_NULL &&
	    s->end - t->start < INT64_MAX / 1000)
		pk_build_set(t->b, run, duration, 1, (int64_t)(s->end - t->start) * 1000);
	return ret;
}

static void release_thread(struct thread *thread)
{
	if (thread) {
		free(thread->stack.location);
		free(thread->stack.node);
	}
	free(thread);
}

int tachyon_read_samples(struct tachyon *t)
{
	struct samples s = {.t = t, .ordered = pk_builder_wants(t->b, PK_PART_ORDER)};
	size_t end = t->strings < t->size ? (size_t)t->strings : t->size;
	int ret;

	s.metric[0] = pk_build_metric(t->b, "samples", "count", 0, PK_METRIC_COUNT, PK_SAMPLED);
	s.metric[1] = pk_build_metric(t->b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	if (t->interval && t->interval < INT64_MAX / 1000)
		pk_build_set(t->b, metric, period, s.metric[1], (int64_t)t->interval * 1000);
	s.window = s.c.at = t->file + TACHYON_HEADER;
	s.c.end = t->file + end;
	if (t->compression) {
		s.in = pk_input_from_memory(s.window, end - TACHYON_HEADER, "samples");
		pk_input_allow_cut(s.in);
		s.c.end = s.c.at;
		s.window = s.c.at;
	}
	s.differences = tachyon_mode(t) == TACHYON_UNKNOWN || tachyon_mode(t) == TACHYON_WALL ||
			tachyon_mode(t) == TACHYON_ALL;
	if (!s.ordered)
		pk_build_unread(t->b, PK_PART_ORDER);
	ret = read_records(&s);
	if (s.in)
		pk_input_close(s.in);
	for (size_t i = 0; i < s.threads; i++)
		release_thread(s.thread[i]);
	free(s.thread);
	return ret;
}
