/*
 * Makes a profile of a snapshot of torch's memory. Each device is a process, each stream a thread
 * of it. Bytes are those that were asked for, as in torch's own memory_viz.
 *
 * - peak, leaked, allocated, temporary: costs of call paths, by readers/heap/heap.h. A block is
 *   live from alloc to free_completed. The history of a snapshot may begin late (its ring is full):
 *   what is freed in it without being allocated in it was live at its begin, and so was a block of
 *   the segments that no event allocated. A snapshot without history has leaked only.
 * - Counter "memory", series "active" (live) and "reserved" (in segments; counted backwards from
 *   those at the end).
 * - Instants "out of memory", with what was wanted, free, reserved and active then.
 * - state.c reads everything but events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/torch_memory/internal.h"

#define MOST_POINTS 1000000 /* of a counter; more become coarser, and keep the highest */

static int64_t time_of(const struct torch *t, const struct torch_device *d, uint32_t i)
{
	const struct torch_event *e = &t->event[d->events.first + i];

	return t->timed && e->time != PK_NULL ? e->time - t->begin : (int64_t)i * 1000;
}

/* Curves */

static void push_point(struct torch_device *d, const struct torch_curve *c, int64_t time,
		       int64_t value)
{
	pk_build_counter(d->t->b, time, d->process, d->memory, c->series, (double)value);
}

static void end_step(struct torch_device *d, struct torch_curve *c)
{
	if (!c->open)
		return;
	if (c->highest_at != c->last_at || c->highest != c->last)
		push_point(d, c, c->highest_at, c->highest);
	push_point(d, c, c->last_at, c->last);
	c->open = false;
}

static void add_point(struct torch_device *d, struct torch_curve *c, int64_t time, int64_t value)
{
	int64_t step = c->width ? time / c->width : 0;

	if (!c->open || !c->width || step != c->step) {
		end_step(d, c);
		c->open = true;
		c->step = step;
		c->highest = INT64_MIN;
	}
	if (value > c->highest) {
		c->highest = value;
		c->highest_at = time;
	}
	c->last = value;
	c->last_at = time;
}

/* Live blocks */

uint32_t torch_thread(struct torch_device *d, uint16_t stream)
{
	struct torch *t = d->t;

	if (!d->thread[stream]) {
		struct pk_thread thread = {.process = d->process,
					   .role = d->number < t->hosts ? PK_ROLE_GPU
									: PK_ROLE_UNKNOWN};
		uint32_t order = 0;
		char name[40];

		for (uint16_t i = 0; i < stream; i++)
			order += t->stream[i] != 0;
		thread.tid = t->stream[stream] ? order + 1 : 0;
		thread.sort = thread.tid;
		snprintf(name, sizeof(name), "stream %lld", (long long)thread.tid);
		thread.name = pk_build_text(t->b, name);
		d->thread[stream] = pk_build_thread(t->b, &thread);
	}
	return d->thread[stream];
}

static uint32_t path_of(struct torch_device *d, uint16_t stream, uint32_t node, uint8_t category)
{
	struct torch *t = d->t;
	uint32_t labels = 0;

	if (category) {
		struct pk_label label = {.key = pk_build_text(t->b, "category"),
					 .text = t->category[category - 1],
					 .number = PK_NULL};

		labels = pk_build_label_set(t->b, &label, 1);
	}
	if (!node)
		node = pk_build_node(t->b, 0, pk_build_label(t->b, "[no frames]", 11));
	return pk_heap_path(d->heap, torch_thread(d, stream), node, labels);
}

static bool *open_cell(struct torch_device *d, uint64_t address)
{
	uint32_t number = pk_id_map_number(&d->open, (int64_t)address);

	PK_GROW_ZERO(d->is_open, (size_t)number + 1, d->open_alloc);
	return &d->is_open[number];
}

static void add_earlier(struct torch_device *d, uint32_t path, uint64_t address, int64_t size)
{
	d->earlier++;
	d->earlier_bytes += size;
	pk_heap_add_earlier(d->heap, path, address, (uint64_t)size);
}

/* The blocks that were live before the first event. */
static void find_earlier(struct torch_device *d)
{
	struct torch *t = d->t;

	for (uint32_t i = 0; i < d->events.count; i++) {
		const struct torch_event *e = &t->event[d->events.first + i];
		bool *open;

		if (e->action != TORCH_ALLOC && e->action != TORCH_FREE_COMPLETED)
			continue;
		open = open_cell(d, e->address);
		if (e->action == TORCH_FREE_COMPLETED && !*open) {
			if (!d->before)
				d->before = pk_build_node(
					t->b, 0,
					pk_build_label(t->b, "[allocated before the history]", 30));
			add_earlier(d, path_of(d, e->stream, d->before, e->category), e->address,
				    e->size);
		}
		*open = e->action == TORCH_ALLOC;
	}
}

static void find_earlier_blocks(struct torch_device *d)
{
	struct torch *t = d->t;

	for (size_t i = 0; i < t->segments; i++) {
		struct torch_segment *s = &t->segment[i];
		uint64_t address = s->address;

		if (s->device != d->number)
			continue;
		d->reserved_now += s->total;
		for (uint32_t j = s->block; j < s->block + s->blocks; j++) {
			struct torch_block *b = &t->block[j];

			b->address = b->address == TORCH_NO_ADDRESS ? address : b->address;
			address = b->address + (uint64_t)b->size;
			if (b->state == TORCH_ACTIVE && !*open_cell(d, b->address))
				add_earlier(d, path_of(d, s->stream, b->node, 0), b->address,
					    b->requested);
		}
	}
}

/* Events */

static int64_t reserved_by(const struct torch_event *e)
{
	if (e->action == TORCH_SEGMENT_ALLOC || e->action == TORCH_SEGMENT_MAP)
		return e->size;
	if (e->action == TORCH_SEGMENT_FREE || e->action == TORCH_SEGMENT_UNMAP)
		return -e->size;
	return 0;
}

static void push_mark(struct torch_device *d, const struct torch_event *e, int64_t time)
{
	struct torch *t = d->t;

	t->text.len = 0;
	if (e->action == TORCH_OOM)
		pk_buf_addf(&t->text,
			    "{\"wanted\": %" PRId64 ", \"device_free\": %" PRIu64
			    ", \"reserved\": %" PRId64 ", \"active\": %" PRIu64 "}",
			    e->size, e->address, d->reserved_now, pk_heap_live(d->heap));
	torch_push_instant(d, time, torch_thread(d, e->stream),
			   e->action == TORCH_OOM ? "out of memory" : "snapshot");
}

static void apply(struct torch_device *d, const struct torch_event *e, int64_t time)
{
	int64_t reserved = reserved_by(e);

	pk_heap_set_time(d->heap, time);
	d->reserved_now += reserved;
	if (reserved)
		add_point(d, &d->reserved, time, d->reserved_now);
	if (e->action == TORCH_ALLOC)
		pk_heap_add(d->heap, path_of(d, e->stream, e->node, e->category), e->address,
			    (uint64_t)e->size);
	else if (e->action == TORCH_FREE_COMPLETED)
		pk_heap_remove(d->heap, torch_thread(d, e->stream), e->address);
	if (e->action == TORCH_ALLOC || e->action == TORCH_FREE_COMPLETED)
		add_point(d, &d->active, time, (int64_t)pk_heap_live(d->heap));
	if (e->action == TORCH_OOM || e->action == TORCH_SNAPSHOT)
		push_mark(d, e, time);
}

static void replay(struct torch_device *d)
{
	struct torch *t = d->t;
	bool begun = t->from == PK_NULL, ended = t->at == PK_NULL;

	for (uint32_t i = 0; i < d->events.count; i++)
		d->reserved_now -= reserved_by(&t->event[d->events.first + i]);
	pk_heap_set_time(d->heap, 0);
	add_point(d, &d->reserved, 0, d->reserved_now);
	add_point(d, &d->active, 0, (int64_t)pk_heap_live(d->heap));
	for (uint32_t i = 0; i < d->events.count; i++) {
		int64_t time = time_of(t, d, i);

		if (!begun && time > t->from) {
			pk_heap_begin(d->heap);
			begun = true;
		}
		if (!ended && time > t->at) {
			pk_heap_end(d->heap);
			ended = true;
		}
		apply(d, &t->event[d->events.first + i], time);
	}
	if (!begun)
		pk_heap_begin(d->heap);
	if (t->from != PK_NULL)
		pk_heap_end(d->heap);
	end_step(d, &d->active);
	end_step(d, &d->reserved);
}

/* Returns the time of its last event. */
static int64_t account_device(struct torch *t, uint32_t number)
{
	struct torch_device d = {.t = t, .number = number, .events = t->device[number]};
	int64_t last = d.events.count ? time_of(t, &d, d.events.count - 1) : 0;
	uint32_t name;

	t->text.len = 0;
	if (number >= t->hosts)
		pk_buf_adds(&t->text, "pinned host memory");
	else
		pk_buf_addf(&t->text, "device %u", number);
	name = pk_build_text(t->b, t->text.data);
	d.process = pk_build_process(t->b, PK_NULL, name, number);
	d.memory = pk_build_text(t->b, "memory");
	d.active.series = pk_build_text(t->b, "active");
	d.reserved.series = pk_build_text(t->b, "reserved");
	if (d.events.count > MOST_POINTS)
		d.active.width = d.reserved.width = last / (MOST_POINTS / 2) + 1;
	d.thread = pk_calloc(t->streams + 1, sizeof(*d.thread));
	d.heap = pk_heap_new(t->b, 1);
	find_earlier(&d);
	find_earlier_blocks(&d);
	replay(&d);
	torch_push_state(&d, last);
	pk_heap_finish(d.heap, !t->events,
		       t->devices > 1 ? pk_text(pk_builder_profile(t->b), name) : NULL);
	pk_id_map_release(&d.open);
	free(d.is_open);
	free(d.thread);
	return last;
}

static void find_times(struct torch *t)
{
	t->begin = INT64_MAX;
	t->end = INT64_MIN;
	for (size_t i = 0; i < t->events; i++) {
		int64_t time = t->event[i].time;

		if (time == PK_NULL)
			continue;
		t->timed = true;
		t->begin = time < t->begin ? time : t->begin;
		t->end = time > t->end ? time : t->end;
	}
	for (size_t i = 0; t->timed && i < t->annotations; i++)
		if (t->annotation[i].time != PK_NULL && t->annotation[i].time < t->begin)
			t->begin = t->annotation[i].time;
	if (t->timed)
		pk_build_set(t->b, run, start, 1, t->begin);
	else if (t->events)
		pk_build_meta(t->b, "times", "numbers of events, since the file has no times");
}

int torch_account(struct torch *t)
{
	int64_t last = 0;

	find_times(t);
	for (uint32_t i = 0; i < t->devices; i++) {
		int64_t end = account_device(t, i);

		last = end > last ? end : last;
	}
	return pk_heap_note_moments(t->b, t->from, t->at, last, t->err);
}
