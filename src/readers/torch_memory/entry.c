/*
 * The dicts of a snapshot of torch's memory: each tells by its keys what it is.
 *
 *	{action, addr, size, stream, time_us, frames, category, device_free}      an event
 *	{filename, line, name}                                                    a frame
 *	{address, size, requested_size, state, frames, history}                   a block
 *	{device, address, total_size, stream, segment_type, blocks, ...}          a segment
 *	{stage, name, device, time_us}                                            an annotation
 */
#include "base/alloc.h"
#include "readers/torch_memory/internal.h"

enum field {
	UNKNOWN,
	ACTION,
	ADDR,
	SIZE,
	STREAM,
	TIME,
	FRAMES,
	CATEGORY,
	DEVICE_FREE,
	DEVICE,
	ADDRESS,
	TOTAL,
	ALLOCATED,
	ACTIVE,
	REQUESTED,
	TYPE,
	POOL_ID,
	EXPANDABLE,
	IN_SEGMENT,
	STATE,
	BEFORE,
	REAL_SIZE,
	FILE_NAME,
	NAME,
	LINE,
	STAGE,
	FIELDS
};

static const char *const field_names[FIELDS] = {
	"",
	"action",
	"addr",
	"size",
	"stream",
	"time_us",
	"frames",
	"category",
	"device_free",
	"device",
	"address",
	"total_size",
	"allocated_size",
	"active_size",
	"requested_size",
	"segment_type",
	"segment_pool_id",
	"is_expandable",
	"blocks",
	"state",
	"history",
	"real_size",
	"filename",
	"name",
	"line",
	"stage",
};

struct dict {
	const struct pk_pickle_value *field[FIELDS]; /* NULL = it has none */
};

static enum field field_of(struct torch *t, const struct pk_pickle *p,
			   const struct pk_pickle_value *key)
{
	if (key->type != PK_PICKLE_TEXT)
		return UNKNOWN;
	PK_GROW_ZERO(t->field, (size_t)key->id + 1, t->fields);
	if (!t->field[key->id]) {
		unsigned f = FIELDS - 1;

		while (f > UNKNOWN && !pk_pickle_is(p, key, field_names[f]))
			f--;
		t->field[key->id] = (uint8_t)(f + 1);
	}
	return t->field[key->id] - 1;
}

/* A whole number of 0 or more; *number stays if the field is not there. */
static int take_number(struct pk_pickle *p, const struct dict *d, enum field f, int64_t *number)
{
	const struct pk_pickle_value *v = d->field[f];

	if (!v || v->type == PK_PICKLE_NONE)
		return 0;
	if (v->type == PK_PICKLE_FLOAT && v->real >= 0 && v->real < 9e18) {
		*number = (int64_t)v->real;
		return 0;
	}
	if (v->type == PK_PICKLE_INT && v->integer < 0)
		return pk_pickle_fail(p, "%s is negative", field_names[f]);
	if (v->type != PK_PICKLE_INT)
		return pk_pickle_fail(p, "%s is %s, not a number", field_names[f],
				      pk_pickle_name(v));
	*number = v->integer;
	return 0;
}

/* Addresses and streams may have all 64 bits. */
static int take_address(struct pk_pickle *p, const struct dict *d, enum field f, uint64_t *address)
{
	const struct pk_pickle_value *v = d->field[f];

	if (!v || v->type == PK_PICKLE_NONE)
		return 0;
	if (v->type != PK_PICKLE_INT && v->type != PK_PICKLE_BIG)
		return pk_pickle_fail(p, "%s is %s, not a number", field_names[f],
				      pk_pickle_name(v));
	*address = (uint64_t)v->integer;
	return 0;
}

static int take_stream(struct torch *t, struct pk_pickle *p, const struct dict *d, uint16_t *stream)
{
	uint64_t id = 0;
	uint32_t *known;

	if (take_address(p, d, STREAM, &id))
		return -1;
	known = PK_INDEX_FIND(&t->stream_index, pk_hash_u64(id), i, t->stream[i - 1] == id);
	if (!*known) {
		if (t->streams > UINT16_MAX / 8)
			return pk_pickle_fail(p, "more than %d streams", UINT16_MAX / 8);
		PK_GROW(t->stream, t->streams + 1, t->stream_alloc);
		t->stream[t->streams++] = id;
		*known = (uint32_t)t->streams;
	}
	*stream = (uint16_t)(*known - 1);
	return 0;
}

static int take_time(struct pk_pickle *p, const struct dict *d, int64_t *time)
{
	int64_t us = -1;

	*time = PK_NULL;
	if (take_number(p, d, TIME, &us))
		return -1;
	if (us > INT64_MAX / 2000)
		return pk_pickle_fail(p, "a time beyond all clocks");
	if (us >= 0)
		*time = us * 1000;
	return 0;
}

static uint32_t node_of(const struct dict *d)
{
	return torch_is_own(d->field[FRAMES], TORCH_IS_STACK) ? d->field[FRAMES]->id : 0;
}

static uint8_t read_category(struct torch *t, const struct pk_pickle *p, const struct dict *d)
{
	uint32_t text = torch_string(t, p, d->field[CATEGORY]);
	size_t i;

	if (!text)
		return 0;
	for (i = 0; i < t->categories && t->category[i] != text; i++)
		continue;
	if (i == t->categories && i < UINT8_MAX) {
		PK_GROW(t->category, i + 1, t->category_alloc);
		t->category[t->categories++] = text;
	}
	return i < t->categories ? (uint8_t)(i + 1) : 0;
}

static uint8_t read_action(const struct pk_pickle *p, const struct pk_pickle_value *v)
{
	static const char *const names[] = {
		[TORCH_ALLOC] = "alloc",
		[TORCH_FREE_REQUESTED] = "free_requested",
		[TORCH_FREE_COMPLETED] = "free_completed",
		[TORCH_SEGMENT_ALLOC] = "segment_alloc",
		[TORCH_SEGMENT_FREE] = "segment_free",
		[TORCH_SEGMENT_MAP] = "segment_map",
		[TORCH_SEGMENT_UNMAP] = "segment_unmap",
		[TORCH_OOM] = "oom",
		[TORCH_SNAPSHOT] = "snapshot",
	};

	for (uint8_t i = 1; i < sizeof(names) / sizeof(*names); i++)
		if (pk_pickle_is(p, v, names[i]))
			return i;
	return TORCH_OTHER;
}

static int read_event(struct torch *t, struct pk_pickle *p, const struct dict *d,
		      struct pk_pickle_value *v)
{
	struct torch_event e = {
		.node = node_of(d),
		.action = read_action(p, d->field[ACTION]),
		.category = read_category(t, p, d),
	};
	bool oom = e.action == TORCH_OOM;

	if (take_address(p, d, oom && !d->field[ADDR] ? DEVICE_FREE : ADDR, &e.address) ||
	    take_number(p, d, SIZE, &e.size) || take_time(p, d, &e.time) ||
	    take_stream(t, p, d, &e.stream))
		return -1;
	PK_GROW(t->event, t->events + 1, t->event_alloc);
	t->event[t->events++] = e;
	*v = pk_pickle_nothing();
	return 0;
}

static int read_frame(struct torch *t, struct pk_pickle *p, const struct dict *d,
		      struct pk_pickle_value *v)
{
	int64_t line = 0;

	if (take_number(p, d, LINE, &line))
		return -1;
	*v = pk_pickle_own(TORCH_IS_FRAME,
			   torch_frame(t, p, d->field[NAME], d->field[FILE_NAME], line));
	return 0;
}

static int read_history(struct torch *t, struct pk_pickle *p, const struct dict *d,
			struct pk_pickle_value *v)
{
	struct torch_history h = {.node = node_of(d)};

	if (take_number(p, d, REAL_SIZE, &h.size))
		return -1;
	PK_GROW(t->history, t->histories + 1, t->history_alloc);
	t->history[t->histories] = h;
	*v = pk_pickle_own(TORCH_IS_HISTORY, (uint32_t)t->histories++);
	return 0;
}

static int read_block(struct torch *t, struct pk_pickle *p, const struct dict *d,
		      struct pk_pickle_value *v)
{
	struct torch_block block = {.address = TORCH_NO_ADDRESS, .node = node_of(d)};
	const struct pk_pickle_value *state = d->field[STATE];

	if (take_address(p, d, ADDRESS, &block.address) || take_number(p, d, SIZE, &block.size))
		return -1;
	block.requested = block.size;
	if (torch_is_own(d->field[BEFORE], TORCH_IS_HISTORY)) {
		block.requested = t->history[d->field[BEFORE]->id].size;
		block.node = t->history[d->field[BEFORE]->id].node;
	}
	if (take_number(p, d, REQUESTED, &block.requested))
		return -1;
	if (pk_pickle_is(p, state, "active_allocated"))
		block.state = TORCH_ACTIVE;
	else if (pk_pickle_is(p, state, "active_pending_free") ||
		 pk_pickle_is(p, state, "active_awaiting_free"))
		block.state = TORCH_PENDING;
	PK_GROW(t->block, t->block_count + 1, t->block_alloc);
	t->block[t->block_count] = block;
	*v = pk_pickle_own(TORCH_IS_BLOCK, (uint32_t)t->block_count++);
	return 0;
}

static int take_device(struct pk_pickle *p, const struct dict *d, uint32_t *device)
{
	int64_t number = 0;

	if (take_number(p, d, DEVICE, &number))
		return -1;
	*device = (uint32_t)number;
	return number < 4096 ? 0 : pk_pickle_fail(p, "a device of number %lld", (long long)number);
}

static int read_segment(struct torch *t, struct pk_pickle *p, const struct dict *d,
			struct pk_pickle_value *v)
{
	struct torch_segment s = {.pool = UINT32_MAX, .type = torch_string(t, p, d->field[TYPE])};

	if (take_address(p, d, ADDRESS, &s.address) || take_number(p, d, TOTAL, &s.total) ||
	    take_number(p, d, ALLOCATED, &s.allocated) || take_number(p, d, ACTIVE, &s.active) ||
	    take_number(p, d, REQUESTED, &s.requested) || take_device(p, d, &s.device) ||
	    take_stream(t, p, d, &s.stream))
		return -1;
	if (torch_is_own(d->field[POOL_ID], TORCH_IS_POOL))
		s.pool = d->field[POOL_ID]->id;
	s.expandable = d->field[EXPANDABLE] && d->field[EXPANDABLE]->type == PK_PICKLE_BOOL &&
		       d->field[EXPANDABLE]->integer;
	if (torch_is_own(d->field[IN_SEGMENT], TORCH_IS_BLOCKS)) {
		s.block = t->list[d->field[IN_SEGMENT]->id].first;
		s.blocks = t->list[d->field[IN_SEGMENT]->id].count;
	}
	PK_GROW(t->segment, t->segments + 1, t->segment_alloc);
	t->segment[t->segments] = s;
	*v = pk_pickle_own(TORCH_IS_SEGMENT, (uint32_t)t->segments++);
	return 0;
}

static int read_annotation(struct torch *t, struct pk_pickle *p, const struct dict *d,
			   struct pk_pickle_value *v)
{
	struct torch_annotation a = {
		.name = torch_string(t, p, d->field[NAME]),
		.end = pk_pickle_is(p, d->field[STAGE], "END"),
	};

	if (take_device(p, d, &a.device) || take_time(p, d, &a.time))
		return -1;
	PK_GROW(t->annotation, t->annotations + 1, t->annotation_alloc);
	t->annotation[t->annotations] = a;
	*v = pk_pickle_own(TORCH_IS_ANNOTATION, (uint32_t)t->annotations++);
	return 0;
}

int torch_read_dict(struct torch *t, struct pk_pickle *p, struct pk_pickle_value *v,
		    const struct pk_pickle_value *item, uint32_t count)
{
	struct dict d = {{NULL}};

	for (uint32_t i = 0; i < count; i += 2)
		d.field[field_of(t, p, &item[i])] = &item[i + 1];
	if (d.field[ACTION])
		return read_event(t, p, &d, v);
	if (d.field[FILE_NAME] && d.field[NAME])
		return read_frame(t, p, &d, v);
	if (d.field[STATE] && d.field[SIZE])
		return read_block(t, p, &d, v);
	if (d.field[TOTAL])
		return read_segment(t, p, &d, v);
	if (d.field[REAL_SIZE])
		return read_history(t, p, &d, v);
	if (d.field[STAGE] && d.field[NAME])
		return read_annotation(t, p, &d, v);
	return 0;
}
