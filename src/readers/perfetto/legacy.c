/*
 * Events as Chrome's JSON has them, within events of tracks: the letter of the phase says what they
 * are.
 *
 *	track_event { legacy_event { phase: 88 duration_us: 10 } }               # 'X': a span
 *	track_event { legacy_event { phase: 98 unscoped_id: 7 } }                # 'b': of no thread
 *	track_event { legacy_event { phase: 115 unscoped_id: 330 } }             # 's': an arrow
 *
 * As Perfetto has it, S and F are b and e, and the steps of these, T and p, happen at a moment.
 */
#include "base/num/hash.h"
#include "readers/perfetto/internal.h"

enum { IN = 1, OUT = 2 };

struct pk_perfetto_legacy pk_perfetto_read_legacy(struct pk_perfetto_bytes data)
{
	struct pk_perfetto_legacy l = {.duration = PK_NULL};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 7 && f.wire == PK_PROTO_BYTES)
			l.id_scope = (struct pk_perfetto_bytes){f.bytes, f.value};
		if (f.wire != PK_PROTO_VARINT)
			continue;
		switch (f.number) {
		case 1:
			l.name_iid = f.value;
			break;
		case 2:
			l.phase = f.value < 0x80 ? (char)f.value : '?';
			break;
		case 3:
			l.duration = (int64_t)f.value;
			break;
		case 6:
		case 10:
		case 11:
			l.has_id = true;
			l.local = f.number == 10;
			l.id = f.value;
			break;
		case 8:
			l.has_bind = true;
			l.bind = f.value;
			break;
		case 12:
			l.enclosing = f.value != 0;
			break;
		case 13:
			l.direction = (uint8_t)(f.value & (IN | OUT));
			break;
		case 14:
			l.scope = (uint8_t)(f.value & 3);
			break;
		case 18:
			l.has_pid = true;
			l.pid = (int32_t)f.value;
			break;
		case 19:
			l.has_tid = true;
			l.tid = (int32_t)f.value;
			break;
		}
	}
	return l;
}

/* Sets the facts of an event that the reader of JSON traces needs. */
static struct pk_chrome_event as_chrome(struct pk_perfetto *p, const struct pk_perfetto_legacy *l,
					char phase, int64_t time, uint32_t track, uint32_t name,
					uint32_t category)
{
	struct pk_chrome_event e = {.phase = phase,
				    .name = name,
				    .category = category,
				    .time = time,
				    .thread = track,
				    .bind = l->enclosing ? 'e' : 0,
				    .flow_in = l->direction & IN,
				    .flow_out = l->direction & OUT};

	if (l->has_id)
		e.id = (struct pk_chrome_id){.hash = pk_hash_u64(l->id) | 1, .global = !l->local};
	if (l->has_bind)
		e.bind_id.hash = pk_hash_u64(l->bind) | 1;
	if (l->id_scope.len)
		e.scope = pk_perfetto_string(p, l->id_scope);
	p->c.replayed = p->offset + !p->offset;
	return e;
}

void pk_perfetto_bind(struct pk_perfetto *p, const struct pk_perfetto_legacy *l, int64_t time,
		      uint32_t row, uint32_t category)
{
	struct pk_chrome_event e = as_chrome(p, l, 'X', time, 0, 0, category);

	pk_chrome_store_bind(&p->c, &e, row);
}

static int store_async(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
		       const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
		       struct pk_chrome_event *chrome)
{
	p->c.args.len = 0;
	if (e->args && !p->wants_args)
		pk_build_unread(p->c.b, PK_PART_ARGS);
	else if (e->args && pk_perfetto_read_args(p, s, data) < 0)
		return -1;
	return pk_chrome_store_async(&p->c, chrome);
}

static int store_whole(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
		       const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
		       const struct pk_perfetto_legacy *l, int64_t time, uint32_t track,
		       uint32_t name, uint32_t category)
{
	int64_t ns = 0;
	uint32_t row;

	if (l->duration == PK_NULL &&
	    pk_perfetto_repair(p, "complete event without a duration taken as one of 0"))
		return -1;
	if (l->duration != PK_NULL &&
	    (__builtin_mul_overflow(l->duration, 1000, &ns) || ns < 0 || ns > PK_CHROME_MAX_TIME))
		return pk_perfetto_repair(p, "event left out: its duration is impossible");
	if (pk_perfetto_store_span(p, s, e, data, time, ns, track, name, category, &row))
		return -1;
	if (l->has_bind)
		pk_perfetto_bind(p, l, time, row, category);
	return 0;
}

int pk_perfetto_store_legacy(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			     const struct pk_perfetto_event *e, struct pk_perfetto_bytes data,
			     const struct pk_perfetto_legacy *l, int64_t time, uint32_t track,
			     uint32_t name, uint32_t category)
{
	bool begin = l->phase == 'b' || l->phase == 'S';
	struct pk_chrome_event chrome;
	uint32_t row;

	switch (l->phase) {
	case 'B':
	case 'E':
		return pk_perfetto_store_span(p, s, e, data, time,
					      l->phase == 'B' ? PK_NEST_BEGIN : PK_NEST_END, track,
					      name, category, &row);
	case 'X':
		return store_whole(p, s, e, data, l, time, track, name, category);
	case 'I':
	case 'i':
	case 'R':
	case 'n':
	case 'T':
	case 'p':
		return pk_perfetto_store_instant(p, s, e, data, time, track, name, category);
	case 'b':
	case 'e':
	case 'S':
	case 'F':
		chrome = as_chrome(p, l, begin ? 'b' : 'e', time, track, name, category);
		return store_async(p, s, e, data, &chrome);
	case 's':
	case 't':
	case 'f':
		chrome = as_chrome(p, l, l->phase, time, track, name, category);
		return pk_chrome_store_flow(&p->c, &chrome);
	default:
		return pk_perfetto_repair(p, "event of an unknown phase left out");
	}
}
