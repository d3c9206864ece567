/*
 * Counters: tracks of their own, whose values are events, or go with events of other tracks.
 *
 *	track_descriptor { uuid: 20 name: "memory" counter { unit: 3 unit_multiplier: 1024 } }
 *	track_event { type: 4 track_uuid: 20 counter_value: 7 }
 *	track_event { type: 1 track_uuid: 11 extra_counter_track_uuids: 20 extra_counter_values: 8 }
 *
 * Values of an incremental counter are differences, within a state of the sequence that describes
 * the counter.
 */
#include <endian.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/perfetto/internal.h"

enum { THREAD_TIME = 1, INSTRUCTIONS = 2 };

void pk_perfetto_add_count(struct pk_perfetto *p, int64_t time, uint32_t track, double value)
{
	PK_GROW(p->counts, p->count_count + 1, p->count_alloc);
	p->counts[p->count_count++] = (struct pk_perfetto_count){time, track, value};
}

int pk_perfetto_count(struct pk_perfetto *p, const struct pk_perfetto_sequence *s, int64_t time,
		      uint32_t track, double value)
{
	struct pk_perfetto_track *t = &p->tracks[track];

	value *= (double)t->multiplier;
	if (t->incremental) {
		if (t->sequence == p->last_sequence && t->generation != s->generation) {
			t->value = 0;
			t->generation = s->generation;
		}
		t->value += value;
		value = t->value;
	}
	if (!isfinite(value))
		return pk_perfetto_repair(p, "counter value that is no number left out");
	pk_perfetto_add_count(p, time, track, value);
	return 0;
}

/* The counter of a thread that old events know without a descriptor. */
static uint32_t implicit_track(struct pk_perfetto *p, uint32_t owner, int what)
{
	int64_t key = (int64_t)owner * 4 + what;
	uint32_t row = pk_id_map_get(&p->implicit, key);

	if (row)
		return row;
	row = pk_perfetto_new_track(p, 0);
	p->tracks[row].kind = PK_PERFETTO_COUNTER;
	p->tracks[row].described = true;
	p->tracks[row].owner = owner;
	p->tracks[row].name = pk_build_text(
		p->c.b, what == THREAD_TIME ? "thread_time" : "thread_instruction_count");
	pk_id_map_put(&p->implicit, key, row);
	return row;
}

static void thread_counts(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
			  uint32_t track, const struct pk_perfetto_event *e)
{
	int64_t value = e->thread_time_us;

	if (e->has_thread_delta) {
		pk_add_saturated(&s->thread_time_us, e->thread_time_us);
		value = s->thread_time_us;
	}
	if (e->has_thread_delta || e->has_thread_absolute)
		pk_perfetto_add_count(p, time, implicit_track(p, track, THREAD_TIME),
				      (double)value * 1000);
	value = e->instructions;
	if (e->has_instructions_delta) {
		pk_add_saturated(&s->instructions, e->instructions);
		value = s->instructions;
	}
	if (e->has_instructions_delta || e->has_instructions_absolute)
		pk_perfetto_add_count(p, time, implicit_track(p, track, INSTRUCTIONS),
				      (double)value);
}

bool pk_perfetto_next_value(struct pk_perfetto_values *v, uint64_t *value)
{
	struct pk_proto_field f;

	for (;;) {
		if (v->real && v->list.end - v->list.at >= 8) {
			*value = le64toh(pk_load64(v->list.at));
			v->list.at += 8;
			return true;
		}
		if (!v->real && pk_proto_varint(&v->list, value))
			return true;
		do
			if (!pk_proto_next(&v->m, &f))
				return false;
		while (f.number != v->number);
		if (v->real && f.wire == PK_PROTO_FIXED64) {
			*value = f.value;
			return true;
		}
		v->list = pk_proto_list(&f);
	}
}

/* Values belong to the tracks of the list that the event has, or else of the defaults. */
static int extra(struct pk_perfetto *p, const struct pk_perfetto_sequence *s, int64_t time,
		 struct pk_perfetto_bytes data, bool real)
{
	const struct pk_perfetto_uuids *defaults = real ? &s->real_counters : &s->counters;
	struct pk_perfetto_values v = {
		.m = pk_proto(data.data, data.len), .number = real ? 46 : 12, .real = real};
	struct pk_perfetto_values uuids = {.m = v.m, .number = real ? 45 : 31};
	uint64_t value, uuid;
	uint32_t number = 0;
	bool own = false;

	while (pk_perfetto_next_value(&v, &value)) {
		double as_real = (double)(int64_t)value;

		if (real)
			memcpy(&as_real, &value, sizeof(as_real));
		if (pk_perfetto_next_value(&uuids, &uuid))
			own = true;
		else if (!own && number < defaults->count)
			uuid = defaults->uuid[number];
		else
			return pk_perfetto_repair(p, "counter value without a track left out");
		number++;
		if (pk_perfetto_count(p, s, time, pk_perfetto_track(p, uuid), as_real))
			return -1;
	}
	return 0;
}

int pk_perfetto_extra_counts(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
			     uint32_t track, const struct pk_perfetto_event *e,
			     struct pk_perfetto_bytes data)
{
	thread_counts(p, s, time, track, e);
	if (!e->has_counts)
		return 0;
	return extra(p, s, time, data, false) || extra(p, s, time, data, true) ? -1 : 0;
}
