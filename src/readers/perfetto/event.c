/*
 * Events of tracks: a span begins or ends, something happens at a moment, a counter has a value, a
 * state is entered. An end closes what began last on its track.
 *
 *	timestamp: 1000
 *	track_event {
 *	  type: 1 track_uuid: 11 name_iid: 1 category_iids: 1
 *	  debug_annotations { name: "bytes" int_value: 512 } flow_ids: 77
 *	}
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "readers/perfetto/internal.h"

enum { SLICE_BEGIN = 1, SLICE_END, INSTANT, COUNTER, STATE };

/* Arrows and counter values are read when the kind of the event is known; `at` is where the field
 * begins. Log messages are not read. */
static void find_list(struct pk_perfetto_event *e, const struct pk_proto_field *f,
		      const uint8_t *at)
{
	switch (f->number) {
	case 21:
		e->has_log = true;
		break;
	case 36:
	case 42:
	case 47:
	case 48:
		e->flows = e->flows ? e->flows : at;
		break;
	case 12:
	case 46:
		e->has_counts = true;
		break;
	}
}

static void parse_number(struct pk_perfetto_event *e, const struct pk_proto_field *f,
			 const uint8_t *at)
{
	switch (f->number) {
	case 1:
		e->has_delta = true;
		e->time_us = (int64_t)f->value;
		break;
	case 2:
		e->has_thread_delta = true;
		e->thread_time_us = (int64_t)f->value;
		break;
	case 3:
		e->category_iid = f->value;
		e->categories++;
		break;
	case 8:
		e->has_instructions_delta = true;
		e->instructions = (int64_t)f->value;
		break;
	case 9:
		e->has_type = true;
		e->type = f->value > STATE ? STATE + 1 : (uint8_t)f->value;
		break;
	case 10:
		e->name_iid = f->value;
		break;
	case 11:
		e->has_track = true;
		e->track = f->value;
		break;
	case 16:
		e->has_absolute = true;
		e->time_us = (int64_t)f->value;
		break;
	case 17:
		e->has_thread_absolute = true;
		e->thread_time_us = (int64_t)f->value;
		break;
	case 20:
		e->has_instructions_absolute = true;
		e->instructions = (int64_t)f->value;
		break;
	case 30:
		e->has_counter = true;
		e->counter_value = (double)(int64_t)f->value;
		break;
	case 34:
	case 52:
	case 54:
		e->args = e->args ? e->args : at;
		break;
	case 56:
		e->has_stack = true;
		e->stack_iid = f->value;
		break;
	default:
		find_list(e, f, at);
	}
}

static void parse_bytes(struct pk_perfetto_event *e, const struct pk_proto_field *f,
			const uint8_t *at)
{
	struct pk_perfetto_bytes bytes = {f->bytes, f->value};

	switch (f->number) {
	case 3:
		e->categories += 2; /* packed: the whole field is read again */
		break;
	case 6:
		e->has_legacy = true;
		e->legacy = bytes;
		break;
	case 22:
		e->category = bytes;
		e->categories++;
		break;
	case 23:
		e->has_name = true;
		e->name = bytes;
		break;
	case 33:
	case 53:
		e->args = e->args ? e->args : at;
		break;
	case 55:
		e->has_stack = true;
		e->stack = bytes;
		break;
	default:
		find_list(e, f, at);
	}
}

/* flatten: nearly every event comes here, and the next field is read faster without a call. */
__attribute__((flatten)) static bool parse(struct pk_perfetto *p,
					   const struct pk_perfetto_sequence *s,
					   struct pk_perfetto_event *e,
					   struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	const uint8_t *at = m.at;
	struct pk_proto_field f;

	memset(e, 0, offsetof(struct pk_perfetto_event, track));
	for (; pk_proto_next(&m, &f); at = m.at) {
		if (f.wire == PK_PROTO_VARINT) {
			parse_number(e, &f, at);
		} else if (f.wire == PK_PROTO_BYTES && f.number == PK_PERFETTO_ANNOTATION) {
			if (!e->args && p->wants_args &&
			    pk_perfetto_skips(p, s, f.bytes, f.value)) {
				pk_perfetto_pass_unwanted(p, s, &m);
				continue;
			}
			e->args = e->args ? e->args : at;
			pk_proto_skip_short(&m, PK_PERFETTO_ANNOTATION);
		} else if (f.wire == PK_PROTO_BYTES) {
			parse_bytes(e, &f, at);
		} else if (f.number == 44 && f.wire == PK_PROTO_FIXED64) {
			e->has_counter = true;
			memcpy(&e->counter_value, &f.value, sizeof(e->counter_value));
		} else if (f.number == 57 && f.wire == PK_PROTO_FIXED64) {
			e->has_weight = true;
			memcpy(&e->weight, &f.value, sizeof(e->weight));
		} else {
			find_list(e, &f, at);
		}
	}
	return !m.problem;
}

static bool add_category(struct pk_perfetto *p, const char *text, size_t len)
{
	return pk_perfetto_join(p, p->text.len ? ',' : 0, text, len);
}

/* Adds the values of one field; returns false if there are too many. */
static bool add_categories(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   const struct pk_proto_field *f)
{
	const struct pk_string_table *t = &pk_builder_profile(p->c.b)->string;
	struct pk_proto list = pk_proto_list(f);
	uint64_t iid;

	if (f->number == 22 && f->wire == PK_PROTO_BYTES)
		return add_category(p, (const char *)f->bytes, (size_t)f->value);
	while (f->number == 3 && pk_proto_varint(&list, &iid)) {
		uint32_t text = pk_perfetto_id(p, s, PK_PERFETTO_CATEGORIES, iid);

		if (text && !add_category(p, t->text[text], t->len[text]))
			return false;
	}
	return true;
}

/* Adds several categories, "a,b", first those with numbers. */
static int join_categories(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   struct pk_perfetto_bytes data, uint32_t *category)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;
	bool fit = true;

	p->text.len = 0;
	while (fit && pk_proto_next(&m, &f))
		fit = add_categories(p, s, &f);
	*category = p->text.len ? pk_build_string(p->c.b, p->text.data, p->text.len) : 0;
	return fit ? 0 : pk_perfetto_repair(p, "categories cut off: they are too long");
}

static int category_of(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
		       const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
		       uint32_t *category)
{
	*category = 0;
	if (e->categories > 1)
		return join_categories(p, s, data, category);
	if (e->category.data && e->category.len)
		*category = pk_perfetto_string(p, e->category);
	else if (e->categories && !e->category.data)
		*category = pk_perfetto_id(p, s, PK_PERFETTO_CATEGORIES, e->category_iid);
	return 0;
}

static void store_state(struct pk_perfetto *p, int64_t time, uint32_t track, uint32_t name,
			uint32_t category)
{
	PK_GROW(p->states, (size_t)p->state_count + 1, p->state_alloc);
	p->states[p->state_count] = (struct pk_perfetto_state){
		time, track, name ? pk_perfetto_label(p, name, category) : 0, category,
		p->state_count};
	p->state_count++;
	p->tracks[track].used = true;
}

/* The name: 0 = none. */
static uint32_t name_of(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			const struct pk_perfetto_event *e, uint64_t legacy_iid)
{
	uint64_t iid = e->name_iid ? e->name_iid : legacy_iid;

	if (iid)
		return pk_perfetto_id(p, s, PK_PERFETTO_NAMES, iid);
	return e->has_name ? pk_perfetto_string(p, e->name) : 0;
}

/* The track: that of the event, or the default of the sequence, or its thread. */
static uint32_t track_of(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			 const struct pk_perfetto_event *e, const struct pk_perfetto_legacy *l)
{
	uint64_t uuid = e->has_track ? e->track : s->has_track ? s->track : 0;

	if (uuid) {
		if (uuid != s->last_uuid || !s->last_track) {
			s->last_track = pk_perfetto_track(p, uuid);
			s->last_uuid = uuid;
		}
		return s->last_track;
	}
	if (e->has_type && e->has_track && !l->has_pid && !l->has_tid)
		return pk_perfetto_track(p, 0);
	if (l->phase && !e->has_type && l->scope == 1)
		return pk_perfetto_track(p, 0);
	if (l->has_pid || l->has_tid || s->has_thread) {
		int64_t pid = l->has_pid ? l->pid : s->pid, tid = l->has_tid ? l->tid : s->tid;

		if (l->scope == 2 && pid != PK_NULL)
			return pk_perfetto_process_track(p, s->machine, pid);
		if (!l->has_pid && !l->has_tid)
			return s->thread;
		if (l->has_tid)
			return pk_perfetto_thread_track(p, s->machine, pid, tid);
		if (pid != PK_NULL)
			return pk_perfetto_process_track(p, s->machine, pid);
	}
	return pk_perfetto_track(p, 0);
}

/* Old events have a time of their own, in us: of the thread's descriptor, or absolute. */
static int time_of(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
		   const struct pk_perfetto_event *e, int64_t *time)
{
	int64_t us = e->time_us, ns;
	bool odd = false;

	if (e->has_delta && __builtin_add_overflow(s->time_us, e->time_us, &us))
		odd = true;
	else if (e->has_delta)
		s->time_us = us;
	if (odd || __builtin_mul_overflow(us, 1000, &ns) || ns < 0 || ns > PK_CHROME_MAX_TIME)
		return pk_perfetto_repair(p, "event left out: its time is too large") ? -1 : 1;
	return pk_perfetto_own_time(p, s, ns, time);
}

static int store_typed(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
		       const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
		       const struct pk_perfetto_legacy *l, int64_t time, uint32_t track,
		       uint32_t name, uint32_t category)
{
	uint32_t row;
	int ret;

	switch (e->type) {
	case SLICE_BEGIN:
	case SLICE_END:
		ret = pk_perfetto_store_span(p, s, e, data, time,
					     e->type == SLICE_BEGIN ? PK_NEST_BEGIN : PK_NEST_END,
					     track, name, category, &row);
		if (!ret && l->has_bind)
			pk_perfetto_bind(p, l, time, row, category);
		return ret;
	case INSTANT:
		return pk_perfetto_store_instant(p, s, e, data, time, track, name, category);
	case STATE:
		store_state(p, time, track, name, category);
		return 0;
	default:
		return pk_perfetto_repair(p, "event of an unknown type left out");
	}
}

int pk_perfetto_read_event(struct pk_perfetto *p, struct pk_perfetto_sequence *s, int64_t time,
			   struct pk_perfetto_bytes data)
{
	static const struct pk_perfetto_legacy none;
	const struct pk_perfetto_legacy *l = &none;
	struct pk_perfetto_legacy legacy;
	struct pk_perfetto_event e;
	uint32_t track, name, category;
	int ret;

	if (!parse(p, s, &e, data))
		return pk_perfetto_repair(p, "damaged event left out");
	if (e.has_log && pk_perfetto_repair(p, "log message of an event not read"))
		return -1;
	if (e.has_delta || e.has_absolute) {
		ret = time_of(p, s, &e, &time);
		if (ret)
			return ret < 0 ? -1 : 0;
	}
	if (time == PK_NULL)
		return pk_perfetto_repair(p, "event without a time left out");
	if (e.has_legacy) {
		legacy = pk_perfetto_read_legacy(e.legacy);
		l = &legacy;
	}
	track = track_of(p, s, &e, l);
	if ((e.has_counts || e.has_thread_delta || e.has_thread_absolute ||
	     e.has_instructions_delta || e.has_instructions_absolute) &&
	    pk_perfetto_extra_counts(p, s, time, track, &e, data))
		return -1;
	if ((e.has_stack || e.has_weight) && pk_perfetto_event_stack(p, s, time, track, &e))
		return -1;
	if (e.type == COUNTER)
		return e.has_counter ? pk_perfetto_count(p, s, time, track, e.counter_value)
				     : pk_perfetto_repair(p, "counter without a value left out");
	if (category_of(p, s, &e, data, &category))
		return -1;
	name = name_of(p, s, &e, l->name_iid);
	if (!e.type && l->phase)
		return pk_perfetto_store_legacy(p, s, &e, data, l, time, track, name, category);
	if (!e.type)
		return pk_perfetto_repair(p, "event of an unknown type left out");
	return store_typed(p, s, &e, data, l, time, track, name, category);
}
