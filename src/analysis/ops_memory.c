/* Memory: every moment at which some was taken or given back counts for all events around it. */
#include "analysis/ops_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct moment {
	int64_t time;
	int64_t bytes[PK_OPS_PLACES];
};

struct moments {
	struct moment *item;
	uint32_t count, alloc;
	int64_t (*sum)[PK_OPS_PLACES]; /* of the first n items */
	int32_t *covered;              /* changes in how many events are around the item */
};

/* torch's numbers of kinds of device. */
static int place_of(int64_t device_type)
{
	switch (device_type) {
	case 0: /* CPU */
	case 2: /* MKLDNN */
	case 5: /* IDEEP */
		return PK_OPS_CPU;
	case 1:  /* CUDA */
	case 6:  /* HIP */
	case 20: /* PrivateUse1 */
		return PK_OPS_DEVICE;
	default:
		return -1;
	}
}

/* Reads the arguments of an event of memory; false if they say nothing that counts here. */
static bool read_moment(struct moment *m, struct pk_json_slice args)
{
	struct pk_json_members members = pk_json_members(args.text, args.len);
	struct pk_json_slice key, value;
	int64_t type = -1, bytes = 0;
	int place;

	while (pk_json_member(&members, &key, &value)) {
		if (pk_json_slice_is(key, "Device Type"))
			pk_json_slice_int(value, &type);
		else if (pk_json_slice_is(key, "Bytes"))
			pk_json_slice_int(value, &bytes);
	}
	place = place_of(type);
	if (place < 0 || bytes == INT64_MIN)
		return false;
	m->bytes[place] = bytes;
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct moment *m = a, *n = b;

	return m->time < n->time ? -1 : m->time > n->time;
}

static void collect(struct moments *list, struct ops_work *w)
{
	const struct pk_profile *p = w->p;
	uint32_t i, row;

	for (i = 1; i < p->arg.count; i++) {
		struct moment m = {0};
		uint32_t text = p->arg.value[i];

		row = p->arg.row[i];
		if (p->arg.owner[i] != PK_TABLE_INSTANT || p->arg.key[i] ||
		    row >= p->instant.count ||
		    strcmp(pk_text(p, p->instant.name[row]), "[memory]") != 0)
			continue;
		m.time = p->instant.time[row];
		if (m.time < w->window.from || m.time >= w->window.to ||
		    !read_moment(&m, (struct pk_json_slice){pk_text(p, text), p->string.len[text]}))
			continue;
		PK_GROW(list->item, list->count + 1, list->alloc);
		list->item[list->count++] = m;
		w->ops->has_memory[PK_OPS_CPU] |= m.bytes[PK_OPS_CPU] != 0;
		w->ops->has_memory[PK_OPS_DEVICE] |= m.bytes[PK_OPS_DEVICE] != 0;
	}
	if (list->count)
		qsort(list->item, list->count, sizeof(*list->item), by_time);
}

static void add_up(struct moments *list)
{
	uint32_t i;
	int place;

	list->sum = pk_calloc((size_t)list->count + 1, sizeof(*list->sum));
	list->covered = pk_calloc((size_t)list->count + 1, sizeof(*list->covered));
	for (i = 0; i < list->count; i++)
		for (place = 0; place < PK_OPS_PLACES; place++)
			list->sum[i + 1][place] = (int64_t)((uint64_t)list->sum[i][place] +
							    (uint64_t)list->item[i].bytes[place]);
}

/* How many items are before the time. */
static uint32_t before(const struct moments *list, int64_t time)
{
	uint32_t from = 0, to = list->count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (list->item[middle].time < time)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/*
 * Versions up to 2.10 compared in doubles: absolute ns, divided by 1,000 and multiplied again,
 * where doubles are 256 ns apart. The quotient of whole numbers is rounded once in Python: so
 * it is here, as neither the whole part nor a half of the last digit is rounded before.
 */
static double rounded(int64_t absolute)
{
	return ((double)(absolute / 1000) + (double)(absolute % 1000) / 1000.0) * 1000.0;
}

static void give(struct moments *list, const struct ops_work *w, struct op_event *e)
{
	int64_t zero = w->p->run.start[1] == PK_NULL ? 0 : w->p->run.start[1];
	int64_t from = e->start, to = e->end, limit = INT64_MAX / 2;
	uint32_t first, last;
	int place;

	if (w->ops->rules.rounded_memory && zero > 0 && zero < limit && to < limit) {
		from = (int64_t)ceil(rounded(zero + from)) - zero;
		to = (int64_t)floor(rounded(zero + to)) - zero;
	}
	first = before(list, from);
	last = to == INT64_MAX ? list->count : before(list, to + 1);
	if (last <= first)
		return;
	for (place = 0; place < PK_OPS_PLACES; place++)
		e->memory[place] = (int64_t)((uint64_t)list->sum[last][place] -
					     (uint64_t)list->sum[first][place]);
	list->covered[first]++;
	list->covered[last]--;
}

void ops_memory(struct ops_work *w)
{
	struct moments list = {0};
	uint32_t spans = w->count, i;
	int32_t around = 0;

	collect(&list, w);
	add_up(&list);
	for (i = 1; i < spans; i++)
		if (!w->event[i].device)
			give(&list, w, &w->event[i]);
	for (i = 0; i < list.count; i++) {
		struct op_event *e;

		around += list.covered[i];
		if (around || w->options->category)
			continue;
		e = ops_event(w, list.item[i].time, list.item[i].time);
		e->name = ops_string(w, "[memory]", 8);
		e->memory[PK_OPS_CPU] = list.item[i].bytes[PK_OPS_CPU];
		e->memory[PK_OPS_DEVICE] = list.item[i].bytes[PK_OPS_DEVICE];
	}
	free(list.item);
	free(list.sum);
	free(list.covered);
}
