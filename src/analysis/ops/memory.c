/* Memory: every allocation and release counts for all events around it. */
#include "analysis/ops/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "model/args/text.h"

/* Maps torch's device types. */
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

/* Reads the arguments of a memory event. Returns false if they lack what is needed. */
static bool read_moment(struct ops_moment *m, struct pk_json_slice args)
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

PK_COMPARE(by_time, struct ops_moment, PK_ORDER(a->time, b->time))

static void collect(struct ops_work *w)
{
	const struct pk_profile *p = w->p;
	PK_BUF_AUTO buf = PK_BUF_INIT;
	uint32_t i, row;

	for (i = 1; i < p->arg.count; i++) {
		struct ops_moment m = {0};
		row = p->arg.row[i];
		if (p->arg.owner[i] != PK_TABLE_INSTANT || pk_arg_key(&p->arg, i) ||
		    row >= p->instant.count ||
		    strcmp(pk_text(p, p->instant.name[row]), "[memory]") != 0)
			continue;
		m.time = p->instant.time[row];
		if (m.time < w->window.from || m.time >= w->window.to ||
		    !read_moment(&m, pk_arg_text(p, i, &buf)))
			continue;
		PK_GROW(w->moment, (size_t)w->moment_count + 1, w->moment_alloc);
		w->moment[w->moment_count++] = m;
		w->ops->has_memory[PK_OPS_CPU] |= m.bytes[PK_OPS_CPU] != 0;
		w->ops->has_memory[PK_OPS_DEVICE] |= m.bytes[PK_OPS_DEVICE] != 0;
	}
	pk_sort(w->moment, w->moment_count, sizeof(*w->moment), by_time);
}

static void add_up(struct ops_work *w)
{
	for (uint32_t i = 1; i < w->moment_count; i++)
		for (int place = 0; place < PK_OPS_PLACES; place++)
			w->moment[i].bytes[place] =
				(int64_t)((uint64_t)w->moment[i].bytes[place] +
					  (uint64_t)w->moment[i - 1].bytes[place]);
}

/* The sum of the moments [first, last). */
static int64_t sum(const struct ops_work *w, uint32_t first, uint32_t last, int place)
{
	uint64_t before = first ? (uint64_t)w->moment[first - 1].bytes[place] : 0;

	return last > first ? (int64_t)((uint64_t)w->moment[last - 1].bytes[place] - before) : 0;
}

/* The number of moments before the time. */
static uint32_t before(const struct ops_work *w, int64_t time)
{
	return PK_BISECT(i, 0, w->moment_count, w->moment[i].time < time);
}

/*
 * Versions up to 2.10 compared doubles: absolute ns, divided by 1,000 and multiplied again, at
 * a size where doubles are 256 ns apart. Python rounds the quotient of two integers once, and
 * so does this function.
 */
static double rounded(int64_t absolute)
{
	return ((double)(absolute / 1000) + (double)(absolute % 1000) / 1000.0) * 1000.0;
}

/* Finds the moments [first, last) within an event. */
static void find_within(const struct ops_work *w, uint32_t event, uint32_t *first, uint32_t *last)
{
	int64_t zero = w->p->run.start[1] == PK_NULL ? 0 : w->p->run.start[1];
	int64_t from = ops_start(w, event), to = ops_end(w, event), limit = INT64_MAX / 2;

	if (w->ops->rules.rounded_memory && zero > 0 && zero < limit && to < limit) {
		from = (int64_t)ceil(rounded(zero + from)) - zero;
		to = (int64_t)floor(rounded(zero + to)) - zero;
	}
	*first = before(w, from);
	*last = to == INT64_MAX ? w->moment_count : before(w, to + 1);
}

void ops_bytes(const struct ops_work *w, uint32_t event, int64_t bytes[PK_OPS_PLACES])
{
	uint32_t first = 0, last = 0;

	if (!ops_is_span(w, event)) {
		first = w->outside[event - w->p->span.count];
		last = first + 1;
	} else if (w->moment_count && !(w->flags[event] & OPS_DEVICE)) {
		find_within(w, event, &first, &last);
	}
	for (int place = 0; place < PK_OPS_PLACES; place++)
		bytes[place] = sum(w, first, last, place);
}

/* Per moment: the change of the number of events around it. */
static int32_t *cover(const struct ops_work *w)
{
	int32_t *covered = pk_calloc((size_t)w->moment_count + 1, sizeof(*covered));

	for (uint32_t i = 0; i < w->count; i++) {
		uint32_t first, last;

		if (w->flags[w->order[i]] & OPS_DEVICE)
			continue;
		find_within(w, w->order[i], &first, &last);
		if (last <= first)
			continue;
		covered[first]++;
		covered[last]--;
	}
	return covered;
}

void ops_memory(struct ops_work *w)
{
	uint32_t spans = w->p->span.count, i;
	int32_t around = 0, *covered;

	collect(w);
	if (!w->moment_count)
		return;
	add_up(w);
	covered = cover(w);
	for (i = 0; i < w->moment_count; i++) {
		around += covered[i];
		if (around || w->options->category)
			continue;
		PK_GROW(w->outside, (size_t)w->outside_count + 1, w->outside_alloc);
		w->outside[w->outside_count++] = i;
		PK_GROW(w->order, (size_t)w->count + 1, w->alloc);
		w->order[w->count++] = spans++;
	}
	free(covered);
	w->flags = pk_realloc(w->flags, spans);
	memset(w->flags + w->p->span.count, OPS_TAKES_PART, w->outside_count);
	w->memory_name = ops_string(w, "[memory]", 8);
}
