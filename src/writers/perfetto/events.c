/*
 * Spans and instants of a thread as packets of its sequence.
 *
 *	{ timestamp: 100 track_event { type: 1 name_iid: 1 category_iids: 1 flow_ids: 7 } }
 *	{ timestamp: 400 track_event { type: 2 } }
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/events/lanes.h"
#include "writers/perfetto/internal.h"

/* Adds a text to the interned data of the packet. */
static void intern(struct pk_perfetto_out *c, uint32_t field, uint32_t iid, uint32_t string)
{
	c->message.len = 0;
	pk_proto_put_number(&c->message, 1, iid);
	pk_proto_put_bytes(&c->message, 2, pk_text(c->p, string), c->p->string.len[string]);
	pk_perfetto_put_message(&c->texts, field, &c->message);
}

static void put_name(struct pk_perfetto_out *c, uint32_t function)
{
	struct pk_perfetto_iid *i = &c->names[function];

	if (i->sequence != c->sequence) {
		*i = (struct pk_perfetto_iid){c->sequence, ++c->name_count};
		intern(c, 2, i->iid, c->p->function.name[function]);
	}
	pk_proto_put_number(&c->event, 10, i->iid);
}

static void put_category(struct pk_perfetto_out *c, uint32_t category)
{
	struct pk_perfetto_iid *i = &c->categories[category];

	if (!category)
		return;
	if (i->sequence != c->sequence) {
		*i = (struct pk_perfetto_iid){c->sequence, ++c->category_count};
		intern(c, 1, i->iid, category);
	}
	pk_proto_put_number(&c->event, 3, i->iid);
}

/* The place of the function, which Perfetto shows as arguments. */
static void put_place(struct pk_perfetto_out *c, uint32_t node)
{
	const struct pk_function_table *t = &c->p->function;
	uint32_t function = pk_node_function(c->p, node), line = pk_node_line(c->p, node);
	struct pk_buf *m = &c->message;

	if (!t->file[function])
		return;
	line = line ? line : t->line[function];
	m->len = 0;
	pk_proto_put_bytes(m, 2, pk_text(c->p, t->file[function]),
			   c->p->string.len[t->file[function]]);
	if (line)
		pk_proto_put_number(m, 4, line);
	pk_perfetto_put_message(&c->event, 33, m);
}

/* Writes the ends of arrows. trace_processor links each event to the next one in time, so an arrow
 * from a span that begins no earlier ends where its own span ends. */
static void put_arrow_ends(struct pk_perfetto_out *c, uint32_t row, bool at_end)
{
	const struct pk_profile *p = c->p;

	for (uint32_t i = c->to.first[row]; i; i = c->to.next[i])
		if ((p->span.time[p->flow.from[i]] >= p->span.time[row]) == at_end)
			pk_perfetto_put_fixed(&c->event, 48, i);
}

static void end(struct pk_perfetto_out *c, uint32_t row)
{
	put_arrow_ends(c, row, true);
	pk_perfetto_end_event(c, PK_PERFETTO_END, pk_span_end(c->p, row));
}

static void begin(struct pk_perfetto_out *c, uint32_t row)
{
	const struct pk_profile *p = c->p;
	uint32_t node = p->span.node[row], i;

	put_category(c, p->span.category[row]);
	put_name(c, pk_node_function(p, node));
	put_place(c, node);
	pk_perfetto_put_args(c, &c->span_args, row);
	for (i = c->from.first[row]; i; i = c->from.next[i])
		pk_perfetto_put_fixed(&c->event, 47, i);
	put_arrow_ends(c, row, false);
	pk_perfetto_end_event(c, PK_PERFETTO_BEGIN, p->span.time[row]);
}

/* The open spans of a track. */
struct open {
	uint32_t *row;
	size_t count, alloc;
};

static void end_last(struct pk_perfetto_out *c, struct open *o)
{
	end(c, o->row[--o->count]);
}

/* True if the span ends before the other one begins. A span at the end of its caller is within
 * it. */
static bool is_over(const struct pk_profile *p, uint32_t row, uint32_t next)
{
	int64_t end = pk_span_end(p, row), time = p->span.time[next];

	if (end != time || p->span.duration[next])
		return end <= time;
	return p->node.parent[p->span.node[next]] != p->span.node[row];
}

static void put_span(struct pk_perfetto_out *c, struct open *o, uint32_t row)
{
	begin(c, row);
	PK_GROW(o->row, o->count + 1, o->alloc);
	o->row[o->count++] = row;
}

/* True if it ends within the open spans. Spans that are over are closed here, and not looked at
 * again. */
static bool fits(struct pk_perfetto_out *c, struct open *o, uint32_t row)
{
	while (o->count && is_over(c->p, o->row[o->count - 1], row))
		end_last(c, o);
	return !o->count || pk_span_end(c->p, o->row[o->count - 1]) >= pk_span_end(c->p, row);
}

/* Spans that do not nest, each lane after the other. */
static void put_lanes(struct pk_perfetto_out *c, uint32_t thread, uint64_t track,
		      const uint32_t *rows, uint32_t count)
{
	PK_FREED uint32_t *lane = pk_malloc(pk_mul(count, sizeof(*lane)));
	PK_FREED uint32_t *first = NULL, *next = pk_malloc(pk_mul(count, sizeof(*next)));
	uint32_t name = c->p->thread.name[thread];
	struct pk_lanes lanes = {0};
	PK_BUF_AUTO text = PK_BUF_INIT;
	uint32_t i;

	for (i = 0; i < count; i++)
		lane[i] =
			pk_lanes_take(&lanes, c->p->span.time[rows[i]], pk_span_end(c->p, rows[i]));
	first = pk_calloc(lanes.count, sizeof(*first)); /* index + 1 */
	for (i = count; i-- > 0;) {
		next[i] = first[lane[i]];
		first[lane[i]] = i + 1;
	}
	pk_buf_add(&text, pk_text(c->p, name), c->p->string.len[name]);
	pk_buf_adds(&text, text.len ? " (overlapping)" : "(overlapping)");
	for (uint32_t l = 0; l < lanes.count; l++) {
		uint64_t uuid = ++c->last_uuid;

		pk_perfetto_put_track(c, uuid, track, text.data, text.len, NULL, thread);
		pk_perfetto_begin_events(c, uuid);
		for (i = first[l]; i; i = next[i - 1]) {
			begin(c, rows[i - 1]);
			end(c, rows[i - 1]);
		}
	}
	pk_lanes_release(&lanes);
	c->lanes += count;
}

void pk_perfetto_put_spans(struct pk_perfetto_out *c, uint32_t thread, uint64_t track,
			   uint32_t first, uint32_t after)
{
	PK_FREED uint32_t *others = NULL;
	uint32_t count = 0, alloc = 0;
	struct open open = {0};

	pk_perfetto_begin_events(c, track);
	for (uint32_t row = first; row < after; row++) {
		if (fits(c, &open, row)) {
			put_span(c, &open, row);
			continue;
		}
		PK_GROW(others, (size_t)count + 1, alloc);
		others[count++] = row;
	}
	while (open.count)
		end_last(c, &open);
	free(open.row);
	if (count)
		put_lanes(c, thread, track, others, count);
}

void pk_perfetto_put_instants(struct pk_perfetto_out *c, uint64_t track, const uint32_t *rows,
			      uint32_t count)
{
	const struct pk_instant_table *t = &c->p->instant;

	pk_perfetto_begin_events(c, track);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t row = rows[i], name = t->name[row];

		put_category(c, t->category[row]);
		pk_proto_put_bytes(&c->event, 23, pk_text(c->p, name), c->p->string.len[name]);
		pk_perfetto_put_args(c, &c->instant_args, row);
		pk_perfetto_end_event(c, PK_PERFETTO_MOMENT, t->time[row]);
	}
}
