/*
 * Spans and instants, once it is known what they are: their labels, arguments, and arrows.
 *
 *	track_event { flow_ids: 77 debug_annotations { name: "bytes" int_value: 512 } }
 */
#include <endian.h>

#include "base/num/hash.h"
#include "readers/perfetto/internal.h"

uint32_t pk_perfetto_label(struct pk_perfetto *p, uint32_t name, uint32_t category)
{
	struct pk_perfetto_recent *r = &p->recent[(name * 7 + category) % PK_PERFETTO_RECENT];

	if (!r->label || r->name != name || r->category != category) {
		struct pk_chrome_event e = {.name = name, .category = category};

		*r = (struct pk_perfetto_recent){name, category, pk_chrome_label(&p->c, &e)};
	}
	return r->label;
}

/* Arrows: every event with the number of one continues it. */
static void store_flows(struct pk_perfetto *p, const struct pk_perfetto_event *e,
			struct pk_perfetto_bytes data, int64_t time, uint32_t row,
			uint32_t category)
{
	struct pk_proto m = pk_proto(e->flows, (uint64_t)(data.data + data.len - e->flows)), list;
	struct pk_proto_field f;
	uint64_t id;

	while (pk_proto_next(&m, &f)) {
		bool last = f.number == 42 || f.number == 48;

		if (f.number != 36 && f.number != 42 && f.number != 47 && f.number != 48)
			continue;
		if (f.wire == PK_PROTO_FIXED64)
			pk_chrome_store_chain(&p->c, f.value, time, row, last, category);
		list = pk_proto_list(&f);
		if (f.wire == PK_PROTO_VARINT || f.number < 47) {
			while (pk_proto_varint(&list, &id))
				pk_chrome_store_chain(&p->c, id, time, row, last, category);
		} else if (f.wire == PK_PROTO_BYTES) {
			for (; list.end - list.at >= 8; list.at += 8)
				pk_chrome_store_chain(&p->c, le64toh(pk_load64(list.at)), time, row,
						      last, category);
		}
	}
}

static int store_args(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
		      const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
		      enum pk_table_id table, uint32_t row)
{
	uint64_t named = p->named_bytes, untold = p->untold_uses;
	struct pk_perfetto_bytes args = {.data = e->args};
	int ret;

	if (!e->args)
		return 0;
	if (!p->wants_args) {
		pk_build_unread(p->c.b, PK_PART_ARGS);
		return 0;
	}
	args.len = (uint64_t)(data.data + data.len - e->args);
	if (pk_perfetto_put_shape(p, s, args, table, row))
		return 0;
	ret = pk_perfetto_read_args(p, s, data);
	if (ret < 0)
		return -1;
	if (p->c.args.len <= 2)
		return 0;
	pk_build_arg_object(p->c.b, table, row, p->c.args.data, p->c.args.len);
	if (!ret && untold == p->untold_uses)
		pk_perfetto_learn_shape(p, named);
	return 0;
}

static void use_track(struct pk_perfetto *p, uint32_t track, uint32_t name)
{
	struct pk_perfetto_track *t = &p->tracks[track];

	t->used = true;
	if (!t->first_name)
		t->first_name = name;
}

static uint32_t put_span(struct pk_perfetto *p, const struct pk_perfetto_event *e, int64_t time,
			 int64_t duration, uint32_t track, uint32_t label, uint32_t category)
{
	struct pk_nest_open *open = &p->tracks[track].open;
	bool bare = !e->flows && !e->has_legacy && !(e->args && p->wants_args);

	if (duration == PK_NEST_BEGIN)
		return pk_nest_begin(open, p->c.b, time, track, label, category);
	if (duration == PK_NEST_END)
		return pk_nest_end(open, p->c.b, time, track, label, category, bare);
	return pk_build_span(p->c.b, time, duration, track, label, category);
}

int64_t pk_perfetto_last_time(const struct pk_perfetto *p, int64_t time)
{
	const struct pk_span_table *t = &pk_builder_profile(p->c.b)->span;

	for (uint32_t i = 1; i < t->count; i++) {
		int64_t last = t->time[i];

		if (pk_nest_is_matched(t->duration[i]))
			last += t->duration[i] - PK_NEST_MATCHED;
		time = last > time ? last : time;
	}
	return time;
}

int pk_perfetto_store_span(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			   const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
			   int64_t time, int64_t duration, uint32_t track, uint32_t name,
			   uint32_t category, uint32_t *row)
{
	bool nameless_end = duration == PK_NEST_END && !name;
	uint32_t label = nameless_end ? 0 : pk_perfetto_label(p, name, category);

	if (duration != PK_NEST_END)
		use_track(p, track, name);
	p->c.has_ends |= duration == PK_NEST_END;
	p->tracks[track].used = true;
	*row = put_span(p, e, time, duration, track, label, category);
	if (store_args(p, s, e, data, PK_TABLE_SPAN, *row))
		return -1;
	if (e->flows)
		store_flows(p, e, data, time, *row, category);
	return 0;
}

/* An instant with an arrow is a span of no duration: arrows lead to spans. */
int pk_perfetto_store_instant(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
			      const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
			      int64_t time, uint32_t track, uint32_t name, uint32_t category)
{
	uint32_t row = pk_builder_profile(p->c.b)->instant.count;

	if (e->flows)
		return pk_perfetto_store_span(p, s, e, data, time, 0, track, name, category, &row);
	use_track(p, track, name);
	pk_build_instant(p->c.b, time, track, name, category);
	return store_args(p, s, e, data, PK_TABLE_INSTANT, row);
}
