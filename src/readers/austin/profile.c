/*
 * What the text (austin.c) and the binary file of austin (mojo.c) share: frames, metrics, threads
 * and what a file says of itself.
 *
 *	/srv/a.py:main:12      kernel:do_idle:0      native@7f12ab:poll:4      :GC:
 *
 * Times: a sample has the time since the previous round of its process, the same for all threads
 * sampled in one round. The rounds of a process follow each other without gaps, and rounds are
 * written in the order of their ends: that tells when a process began. In mode cpu, rounds in which
 * nothing runs are left out, so that later rounds are late by their length. A file of
 * austin-compress is not in the order of time: in it, no stack comes twice in a row.
 */
#include "readers/austin/austin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "base/text/str.h"
#include "model/frame_text.h"

static const char cut[] = "value beyond 64 bits cut";
static const char no_frames[] = "[no Python frames]";

enum { WALL, CPU, MEMORY, ALLOCATED, FREED };

size_t pk_austin_number(const char *text, size_t len, int64_t *n)
{
	bool negative = len && *text == '-';
	size_t i = negative;
	int64_t value = 0;

	for (; i < len && pk_is_digit(text[i]); i++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, text[i] - '0', &value))
			return 0;
	*n = negative ? -value : value;
	return i > negative ? i : 0;
}

static void read_native(struct pk_frame_text *t, struct pk_function *function, struct pk_builder *b)
{
	PK_BUF_AUTO address = PK_BUF_INIT;

	function->kind = PK_KIND_NATIVE;
	if (!pk_text_is(t->name, t->name_len, "<unknown>")) {
		function->name = pk_build_string(b, t->name, t->name_len);
		return;
	}
	pk_buf_adds(&address, "0x");
	pk_buf_add(&address, t->file + 7, t->file_len - 7);
	function->name = pk_build_string(b, address.data, address.len);
}

void pk_austin_frame(struct pk_builder *b, const char *text, size_t len,
		     struct pk_function *function, uint32_t *line)
{
	struct pk_frame_text t;

	if (!pk_frame_text_colons(text, len, &t) && !pk_frame_text_place(text, len, &t)) {
		function->name = pk_build_string(b, text, len);
		function->kind = pk_text_is(text, len, "<idle>") ? PK_KIND_IDLE : PK_KIND_UNKNOWN;
	} else if (!t.file_len || pk_text_is(t.file, t.file_len, "kernel")) {
		function->name = pk_build_string(b, t.name, t.name_len);
		function->kind = t.file_len ? PK_KIND_KERNEL : PK_KIND_RUNTIME;
	} else if (t.file_len > 7 && !memcmp(t.file, "native@", 7)) {
		read_native(&t, function, b);
	} else {
		*function = pk_frame_text_function(b, &t);
		*line = t.line;
	}
}

static uint32_t metric(struct pk_austin_profile *f, int which)
{
	static const struct {
		const char *name, *unit;
		enum pk_metric_kind kind;
	} metrics[] = {{"wall", "ns", PK_METRIC_TIME},
		       {"cpu", "ns", PK_METRIC_TIME},
		       {"memory", "bytes", PK_METRIC_BYTES},
		       {"allocated", "bytes", PK_METRIC_BYTES},
		       {"freed", "bytes", PK_METRIC_BYTES}};

	if (!f->metric[which])
		f->metric[which] = pk_build_metric(f->b, metrics[which].name, metrics[which].unit,
						   0, metrics[which].kind, PK_SAMPLED);
	return f->metric[which];
}

static int repair(struct pk_austin_profile *f, const char *what)
{
	return pk_build_repair(f->b, f->err, what, "%s %" PRIu64, f->unit, f->place);
}

static int add(struct pk_austin_profile *f, uint32_t thread, uint32_t node, int which,
	       int64_t value, int64_t factor)
{
	bool over = __builtin_mul_overflow(value, factor, &value);

	if (over)
		value = INT64_MAX;
	over |= pk_build_cost(f->b, thread, node, metric(f, which), value, PK_NULL);
	if (f->times == PK_AUSTIN_TIMED && which <= CPU)
		pk_build_sample(f->b, f->begin, thread, node, metric(f, which), value);
	return over ? repair(f, cut) : 0;
}

static int add_memory(struct pk_austin_profile *f, uint32_t thread, uint32_t node, int64_t bytes)
{
	if (add(f, thread, node, MEMORY, bytes, 1))
		return -1;
	if (bytes > 0)
		return add(f, thread, node, ALLOCATED, bytes, 1);
	return bytes ? add(f, thread, node, FREED, bytes, -1) : 0;
}

static int add_values(struct pk_austin_profile *f, uint32_t thread, uint32_t node,
		      const struct pk_austin_sample *s)
{
	if (s->count == 1)
		return f->mode == MEMORY ? add_memory(f, thread, node, s->value[0])
					 : add(f, thread, node, f->mode, s->value[0], 1000);
	if (add(f, thread, node, WALL, s->value[0], 1000))
		return -1;
	if (s->old)
		return add(f, thread, node, ALLOCATED, s->value[1], 1024) ||
				       add(f, thread, node, FREED, s->value[2], -1024)
			       ? -1
			       : 0;
	if (add(f, thread, node, CPU, s->value[1] ? 0 : s->value[0], 1000))
		return -1;
	return add_memory(f, thread, node, s->value[2]);
}

uint32_t pk_austin_no_frames(struct pk_austin_profile *f)
{
	return pk_build_node(f->b, 0, pk_build_label(f->b, no_frames, sizeof(no_frames) - 1));
}

/* A new round of a process. */
static void begin_round(struct pk_austin_profile *f, struct pk_austin_clock *c, int64_t elapsed)
{
	c->round++;
	c->elapsed = elapsed;
	c->begin = c->end;
	pk_add_saturated(&c->end, elapsed);
	if (c->end < f->now - c->shift && f->mode == CPU) {
		c->end = f->now;
		c->begin = f->now - elapsed;
	} else if (c->end < f->now - c->shift) {
		c->shift = f->now - c->end;
	}
	f->now = c->end;
	pk_add_saturated(&f->now, c->shift);
}

/* Sets when the sample began, without the shift of its process. */
static void take_time(struct pk_austin_profile *f, uint32_t thread, int64_t us, uint32_t node)
{
	uint32_t process = pk_builder_profile(f->b)->thread.process[thread];
	int64_t elapsed = us < 0 ? 0 : us > INT64_MAX / 1000 ? INT64_MAX : us * 1000;
	struct pk_austin_clock *c;

	PK_GROW_ZERO(f->clock, (size_t)process + 1, f->clocks);
	PK_GROW_ZERO(f->last, (size_t)thread + 1, f->lasts);
	c = &f->clock[process];
	if (!c->round || f->last[thread].round == c->round || c->elapsed != elapsed)
		begin_round(f, c, elapsed);
	f->repeated |= f->last[thread].node == node;
	f->last[thread] = (struct pk_austin_last){c->round, node};
	f->begin = c->begin;
}

int pk_austin_add(struct pk_austin_profile *f, uint32_t thread, const struct pk_austin_sample *s,
		  uint32_t node)
{
	f->any = true;
	if (!f->times) {
		f->times = PK_AUSTIN_UNTIMED;
		if (f->mode != MEMORY && pk_builder_wants(f->b, PK_PART_ORDER)) {
			f->times = PK_AUSTIN_TIMED;
			/* these samples already give the order */
			pk_builder_set_ordered(f->b, false);
		}
	}
	if (f->mode != MEMORY)
		take_time(f, thread, s->value[0], node);
	return add_values(f, thread, node, s);
}

uint32_t pk_austin_thread(struct pk_austin_profile *f, const struct pk_austin_owner *o)
{
	if (o->tid == PK_NULL)
		return pk_task_named_thread(&f->tasks, o->pid, o->name, o->name_len);
	return pk_task_thread(&f->tasks, o->pid, o->tid, NULL, 0);
}

static void set_mode(struct pk_austin_profile *f, const char *mode)
{
	f->mode = !strcmp(mode, "memory") ? MEMORY : !strcmp(mode, "cpu") ? CPU : WALL;
	f->full = !strcmp(mode, "full");
}

void pk_austin_meta(struct pk_austin_profile *f, const char *k, size_t k_len, const char *v,
		    size_t v_len)
{
	PK_BUF_AUTO key = PK_BUF_INIT, value = PK_BUF_INIT;
	int64_t n;

	pk_buf_add(&key, k, k_len);
	pk_buf_add(&value, v, v_len);
	if (!strcmp(key.data, "mode"))
		set_mode(f, value.data);
	if (!strcmp(key.data, "austin")) {
		pk_buf_adds(&key, " ");
		pk_buf_add(&key, value.data, value.len);
		pk_build_run_text(f->b, PK_RUN_PRODUCER, key.data);
		f->any = true;
	} else if (!strcmp(key.data, "duration") && value.len <= 15 &&
		   pk_austin_number(value.data, value.len, &n) == value.len) {
		pk_build_set(f->b, run, duration, 1, n * 1000);
	} else if (!strcmp(key.data, "interval") && value.len <= 15 &&
		   pk_austin_number(value.data, value.len, &n) == value.len) {
		f->interval = n * 1000;
	} else {
		pk_build_meta(f->b, key.data, value.data);
	}
}

static void place_samples(struct pk_austin_profile *f)
{
	const struct pk_profile *p = pk_builder_profile(f->b);

	if (!f->repeated) {
		pk_build_samples_forget_times(f->b);
		return;
	}
	for (uint32_t i = 1; i < p->sample.count; i++) {
		int64_t time = p->sample.time[i];
		int64_t shift = f->clock[p->thread.process[p->sample.thread[i]]].shift;

		if (shift) {
			pk_add_saturated(&time, shift);
			pk_build_set(f->b, sample, time, i, time);
		}
	}
}

void pk_austin_finish(struct pk_austin_profile *f)
{
	metric(f, f->mode);
	if (f->interval && f->mode != MEMORY)
		pk_build_period(f->b, f->interval);
	if (f->times == PK_AUSTIN_TIMED)
		place_samples(f);
	else if (f->repeated)
		pk_build_unread(f->b, PK_PART_ORDER);
	if (f->repeated && pk_builder_profile(f->b)->run.duration[1] == PK_NULL)
		pk_build_set(f->b, run, duration, 1, f->now);
}

void pk_austin_release(struct pk_austin_profile *f)
{
	pk_tasks_release(&f->tasks);
	free(f->clock);
	free(f->last);
}
