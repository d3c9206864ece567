/*
 * The pickle of a snapshot of torch's memory, read from the inside out (base/pickle/pickle.h):
 * entry.c reads dicts, which tell by their keys what they are, and lists tell by their items.
 *
 *	{segments: [{device, address, total_size, ..., frames, blocks: [{address, size,
 *	                         requested_size, state, frames}, ...]}, ...],
 *	 device_traces: [[{action, addr, size, stream, time_us, frames}, ...], ...],
 *	 external_annotations: [{stage, name, device, time_us}, ...],
 *	 host_segments, host_traces: the same of pinned memory of the host, ...}
 *
 * - frames: [{filename, line, name}, ...], innermost first.
 * - Before torch 2.1, blocks have history: [{addr, frames, real_size}] instead of requested_size
 *   and frames, and events have no time_us.
 * - A list alone is that of segments (torch.cuda.memory_snapshot()).
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/torch_memory/internal.h"

/* Finds the call path of frames, the innermost first; frames may be None, or left out. Every
 * allocation has a list of its own, although there are few different ones, so whole lists are
 * looked up. */
static uint32_t make_stack(struct torch *t, const struct pk_pickle_value *item, uint32_t count)
{
	uint32_t frames = 0, node = 0, *frame, *known;

	PK_GROW(t->frame, t->frames + count, t->frame_alloc);
	frame = t->frame + t->frames; /* after those of the stacks that are known */
	for (uint32_t n = 0; n < count; n++)
		if (item[n].type == PK_PICKLE_OWN && item[n].id)
			frame[frames++] = item[n].id;
	known = PK_INDEX_FIND(
		&t->stacks, pk_hash_bytes(frame, frames * sizeof(*frame)), id,
		t->stack[id - 1].count == frames &&
			!memcmp(t->frame + t->stack[id - 1].first, frame, frames * sizeof(*frame)));
	if (*known)
		return t->stack[*known - 1].node;
	*known = t->stacks.used;
	for (uint32_t n = frames; n--;)
		node = pk_build_node(t->b, node, frame[n]);
	PK_GROW(t->stack, t->stacks.used, t->stack_alloc);
	t->stack[t->stacks.used - 1] = (struct torch_stack){t->frames, frames, node};
	t->frames += frames;
	return node;
}

/* A list of blocks or of segments. */
static int make_list(struct torch *t, struct pk_pickle *p, struct pk_pickle_value *v, unsigned kind,
		     const struct pk_pickle_value *item, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (item[i].id != item[0].id + i)
			return pk_pickle_fail(p, "a block or segment that is in two lists");
	PK_GROW(t->list, t->lists + 1, t->list_alloc);
	t->list[t->lists] = (struct torch_list){item[0].id, count};
	*v = pk_pickle_own(kind, (uint32_t)t->lists++);
	return 0;
}

/* The events since the last trace. */
static int make_trace(struct torch *t, struct pk_pickle *p, struct pk_pickle_value *v,
		      uint64_t count)
{
	if (count > t->events - t->listed)
		return pk_pickle_fail(p, "an event that is in two traces");
	PK_GROW(t->trace, t->traces + 1, t->trace_alloc);
	t->trace[t->traces] = (struct torch_list){(uint32_t)t->listed, (uint32_t)count};
	t->listed += count;
	*v = pk_pickle_own(TORCH_IS_TRACE, (uint32_t)t->traces++);
	return 0;
}

/* Numbers of a pool: (0, 1). */
static bool is_pool(const struct pk_pickle_value *item, uint32_t count)
{
	return count == 2 && item[0].type == PK_PICKLE_INT && item[1].type == PK_PICKLE_INT;
}

/* A stack, in which a frame may be None. */
static bool is_stack(const struct pk_pickle_value *item, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!torch_is_own(&item[i], TORCH_IS_FRAME) && item[i].type != PK_PICKLE_NONE)
			return false;
	return true;
}

static int read_list(struct torch *t, struct pk_pickle *p, struct pk_pickle_value *v,
		     const struct pk_pickle_value *item, uint32_t count)
{
	uint64_t nothings = pk_pickle_nothings(p, v);
	unsigned kind;

	if (!count) {
		*v = pk_pickle_own(TORCH_IS_EMPTY, 0);
		return nothings ? make_trace(t, p, v, nothings) : 0;
	}
	if (nothings)
		return 0;
	if (is_stack(item, count)) {
		*v = pk_pickle_own(TORCH_IS_STACK, make_stack(t, item, count));
		return 0;
	}
	kind = item[0].kind;
	for (uint32_t i = 0; i < count; i++)
		if (!torch_is_own(&item[i], kind))
			return 0;
	if (kind == TORCH_IS_BLOCK)
		return make_list(t, p, v, TORCH_IS_BLOCKS, item, count);
	if (kind == TORCH_IS_SEGMENT)
		return make_list(t, p, v, TORCH_IS_SEGMENTS, item, count);
	if (kind == TORCH_IS_HISTORY)
		*v = item[0];
	return 0;
}

static int finish(void *data, struct pk_pickle *p, struct pk_pickle_value *v)
{
	uint32_t count;
	const struct pk_pickle_value *item = pk_pickle_items(p, v, &count);

	if (v->type == PK_PICKLE_DICT)
		return torch_read_dict(data, p, v, item, count);
	if (is_pool(item, count))
		*v = pk_pickle_own(TORCH_IS_POOL,
				   (uint32_t)(item[0].integer << 16 | (item[1].integer & 0xFFFF)));
	else if (v->type == PK_PICKLE_LIST)
		return read_list(data, p, v, item, count);
	return 0;
}

/* Adds the lists of events of the devices: [[event, ...], ...]. */
static int take_traces(struct torch *t, struct pk_pickle *p, const struct pk_pickle_value *traces)
{
	const struct pk_pickle_value *item = traces;
	uint32_t count = 1;

	if (!traces || torch_is_own(traces, TORCH_IS_EMPTY))
		return 0;
	if (traces->type == PK_PICKLE_LIST)
		item = pk_pickle_items(p, traces, &count);
	for (uint32_t i = 0; i < count; i++) {
		if (!torch_is_own(&item[i], TORCH_IS_TRACE) &&
		    !torch_is_own(&item[i], TORCH_IS_EMPTY))
			return pk_pickle_fail(p, "not a snapshot of torch's memory: expected a "
						 "list of events for each device");
		PK_GROW(t->device, t->devices + 1, t->device_alloc);
		t->device[t->devices++] = torch_is_own(&item[i], TORCH_IS_TRACE)
						  ? t->trace[item[i].id]
						  : (struct torch_list){0, 0};
	}
	return 0;
}

/* Adds the devices of segments after `first`, also if they have no events. NULL, or a value that is
 * no list of segments: there are none. */
static void add_devices(struct torch *t, const struct pk_pickle_value *segments, size_t first)
{
	struct torch_list list = {0, 0};

	if (torch_is_own(segments, TORCH_IS_SEGMENTS))
		list = t->list[segments->id];
	for (uint32_t i = list.first; i < list.first + list.count; i++) {
		t->segment[i].device += (uint32_t)first;
		PK_GROW(t->device, (size_t)t->segment[i].device + 1, t->device_alloc);
		while (t->devices <= t->segment[i].device)
			t->device[t->devices++] = (struct torch_list){0, 0};
	}
}

static void take_settings(struct torch *t, struct pk_pickle *p, const struct pk_pickle_value *v)
{
	static const char key[] = "PYTORCH_CUDA_ALLOC_CONF";
	const struct pk_pickle_value *conf = v ? pk_pickle_find(p, v, key) : NULL;
	size_t len;
	const char *text = conf ? pk_pickle_text(p, conf, &len) : NULL;

	if (text && *text)
		pk_build_meta(t->b, key, text);
}

static int take_all(struct torch *t, struct pk_pickle *p, const struct pk_pickle_value *top)
{
	const struct pk_pickle_value *segments = top;

	if (top->type == PK_PICKLE_DICT)
		segments = pk_pickle_find(p, top, "segments");
	if (!segments ||
	    !(torch_is_own(segments, TORCH_IS_SEGMENTS) || torch_is_own(segments, TORCH_IS_EMPTY)))
		return pk_pickle_fail(p, "not a snapshot of torch's memory: expected a list of "
					 "segments");
	if (top->type == PK_PICKLE_DICT &&
	    take_traces(t, p, pk_pickle_find(p, top, "device_traces")))
		return -1;
	add_devices(t, segments, 0);
	t->hosts = t->devices;
	if (top->type != PK_PICKLE_DICT)
		return 0;
	if (take_traces(t, p, pk_pickle_find(p, top, "host_traces")))
		return -1;
	add_devices(t, pk_pickle_find(p, top, "host_segments"), t->hosts);
	take_settings(t, p, pk_pickle_find(p, top, "allocator_settings"));
	return 0;
}

int torch_read_snapshot(struct torch *t, struct pk_input *in)
{
	struct pk_pickle_value top;
	struct pk_pickle p;
	int result;

	pk_pickle_init(&p, in, t->err);
	p.finish = finish;
	p.data = t;
	result = pk_pickle_read(&p, &top) || take_all(t, &p, &top) ? -1 : 0;
	pk_pickle_release(&p);
	return result;
}
