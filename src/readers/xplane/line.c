/*
 * Lines of a plane: threads of the host, streams of a GPU, lanes of a TPU; and their events.
 *
 *	lines {
 *	  id: 1 name: "Stream #1(Kernel)" timestamp_ns: 1633193266
 *	  events { metadata_id: 3 offset_ps: 2666727000 duration_ps: 6890000 stats {...} }
 *	}
 *
 * An event without a duration is a moment: a span of 0 ns. Ids are 64 bits, of which the number of
 * the thread is the lower half, as in the JSON of the same recording.
 */
#include "readers/xplane/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/xplane/names.h"

enum { LINE_ID = 1, LINE_NAME, LINE_TIME, LINE_EVENTS, DISPLAY_ID = 10, DISPLAY_NAME };
enum { META = 1, OFFSET, DURATION, STATS, OCCURRENCES };
enum { PS = 1000 };

struct line {
	uint64_t id, display_id;
	struct xplane_bytes name, display;
	int64_t time;
	bool events;
};

static void read_field(struct xplane *x, struct line *line, const struct pk_proto_field *f)
{
	struct xplane_bytes bytes = {f->bytes, f->value};

	if (f->wire == PK_PROTO_BYTES && f->number == LINE_EVENTS)
		line->events = true;
	else if (f->wire == PK_PROTO_BYTES && f->number == LINE_NAME)
		line->name = xplane_keep(x, bytes);
	else if (f->wire == PK_PROTO_BYTES && f->number == DISPLAY_NAME)
		line->display = xplane_keep(x, bytes);
	else if (f->wire == PK_PROTO_VARINT && f->number == LINE_ID)
		line->id = f->value;
	else if (f->wire == PK_PROTO_VARINT && f->number == LINE_TIME)
		line->time = (int64_t)f->value;
	else if (f->wire == PK_PROTO_VARINT && f->number == DISPLAY_ID)
		line->display_id = f->value;
}

/* Reads the fields before the events, and those after them if `all` are wanted. */
static struct line read_header(struct xplane *x, struct xplane_message *m, bool all)
{
	struct line line = {.id = 0};
	const uint8_t *at = NULL;

	while ((all || !line.events) && xplane_next_piece(m, at)) {
		struct pk_proto p = m->piece;
		struct pk_proto_field f;

		for (at = p.at; (all || !line.events) && pk_proto_next(&p, &f); at = p.at) {
			read_field(x, &line, &f);
			if (line.events)
				pk_proto_skip_short(&p, LINE_EVENTS);
		}
	}
	return line;
}

bool xplane_line_is_stream(struct xplane *x, struct xplane_message *m)
{
	struct line line = read_header(x, m, false);

	return line.events && line.name.len > 8 && !memcmp(line.name.data, "Stream #", 8);
}

/* Processes have the numbers that they have in the JSON of the same recording. */
static int64_t process_number(struct xplane *x)
{
	enum { DEVICES = 1, CUSTOM = 501, HOST = 701, MOST = 500 };
	static const char custom[] = "/device:CUSTOM:";

	if (!x->device)
		return HOST + x->host_planes++;
	if (x->id >= MOST)
		return PK_NULL;
	return (int64_t)x->id + (x->name.len >= sizeof(custom) - 1 &&
						 !memcmp(x->name.data, custom, sizeof(custom) - 1)
					 ? CUSTOM
					 : DEVICES);
}

static uint32_t make_thread(struct xplane *x, const struct line *line)
{
	struct xplane_bytes name = line->display.len ? line->display : line->name;
	struct pk_thread t = {.sort = PK_NULL, .role = x->device ? PK_ROLE_GPU : PK_ROLE_UNKNOWN};
	struct pk_nest_thread *rule;
	uint32_t id;

	if (!x->process) {
		uint32_t text = pk_build_string(x->b, (const char *)x->name.data, x->name.len);

		x->process = pk_build_process(x->b, process_number(x), text, PK_NULL);
	}
	t.process = x->process;
	t.tid = (int64_t)((line->display_id ? line->display_id : line->id) & UINT32_MAX);
	t.name = pk_build_string(x->b, (const char *)name.data, name.len);
	id = pk_build_thread(x->b, &t);
	PK_GROW_ZERO(x->rules, (size_t)id + 1, x->rule_alloc);
	rule = &x->rules[id];
	rule->metric = x->device;
	if (x->device)
		rule->no_cost =
			pk_xla_is_sum(pk_text(pk_builder_profile(x->b), t.name), x->has_streams);
	else
		rule->rule = PK_NEST_ENCLOSING;
	return id;
}

static uint32_t make_label(struct xplane *x, struct xplane_bytes name)
{
	struct pk_function f = {.name = pk_build_string(x->b, (const char *)name.data, name.len)};
	uint32_t text, row;

	if (!name.len)
		f.name = pk_build_text(x->b, "(no name)");
	text = f.name;
	row = pk_id_map_number(&x->label_rows, (int64_t)((uint64_t)text << 1 | x->device));
	if (row <= x->label_count)
		return row;
	pk_xla_function(x->b, x->device, &f);
	PK_GROW(x->labels, (size_t)row + 1, x->label_alloc);
	x->labels[row] = (struct pk_nest_label){
		.name = text, .location = pk_build_place(x->b, pk_build_function(x->b, &f), 0)};
	x->label_count = row;
	return row;
}

struct event {
	uint64_t meta;
	int64_t offset, duration;
	bool has_stats, aggregated;
	struct xplane_bytes stats; /* the message from its first statistic on */
};

/* Reads the field if it comes next and is a number of at most eight bytes. */
static inline bool read_number(struct pk_proto *m, uint32_t field, int64_t *value)
{
	if (m->at >= m->end || *m->at != (field << 3 | PK_PROTO_VARINT))
		return true;
	m->at++;
	if (*m->at < 0x80) {
		*value = *m->at++;
		return true;
	}
	return pk_proto_short_varint(m, (uint64_t *)value);
}

/* Reads an event of the usual form: fields in the order of their numbers, short arguments last.
 * Returns false for others, and close to `limit`, up to which bytes can be read. */
static bool parse_usual(struct event *e, const struct pk_proto_field *message, const uint8_t *limit)
{
	enum { LONGEST = 3 * 9 + 2 };
	struct pk_proto m = pk_proto(message->bytes, message->value);
	int64_t meta = 0;

	*e = (struct event){.meta = 0};
	if (limit - m.at < LONGEST || !read_number(&m, META, &meta) ||
	    !read_number(&m, OFFSET, &e->offset) || !read_number(&m, DURATION, &e->duration) ||
	    m.at > m.end)
		return false;
	e->meta = (uint64_t)meta;
	e->has_stats = m.at < m.end;
	e->stats = (struct xplane_bytes){m.at, (uint64_t)(m.end - m.at)};
	pk_proto_skip_short(&m, STATS);
	return m.at == m.end;
}

static bool parse(struct event *e, const struct pk_proto_field *message)
{
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pk_proto_field f;
	const uint8_t *at = m.at;

	*e = (struct event){.meta = 0};
	for (; pk_proto_next(&m, &f); at = m.at) {
		if (f.number == STATS && f.wire == PK_PROTO_BYTES) {
			if (!e->has_stats)
				e->stats = (struct xplane_bytes){at, (uint64_t)(m.end - at)};
			e->has_stats = true;
			pk_proto_skip_short(&m, STATS);
		} else if (f.wire != PK_PROTO_VARINT) {
			continue;
		} else if (f.number == META) {
			e->meta = f.value;
		} else if (f.number == OFFSET) {
			e->offset = (int64_t)f.value;
			e->aggregated = false;
		} else if (f.number == DURATION) {
			e->duration = (int64_t)f.value;
		} else if (f.number == OCCURRENCES) {
			e->aggregated = true;
		}
	}
	return !m.problem;
}

/* ps to ns, halves up. */
static inline int64_t nanoseconds(int64_t ps)
{
	int64_t ns = ps / PS, rest = ps % PS;

	return ns + (rest >= PS / 2) - (rest < -(PS / 2));
}

/* The label that a step has by an argument; 0: none. A text that many steps refer to is looked at
 * once. */
static uint32_t step_label(struct xplane *x, const struct xplane_arg *arg)
{
	struct xplane_bytes name = xplane_text(x, arg);
	struct xplane_stat *s;

	if (!name.len)
		return 0;
	if (arg->value.wire == PK_PROTO_BYTES)
		return make_label(x, name);
	s = &x->stats[pk_near_id(&x->stat_rows, arg->value.value)];
	if (!s->label)
		s->label = make_label(x, name);
	return s->label;
}

static uint32_t own_label(struct xplane *x, struct xplane_event *meta)
{
	if (!meta->label)
		meta->label = make_label(x, meta->display.len ? meta->display : meta->name);
	return meta->label;
}

static uint32_t find_label(struct xplane *x, struct xplane_event *meta)
{
	uint32_t step = x->special[XPLANE_STEP_NAME];
	uint32_t label = step ? step_label(x, &x->args[step - 1]) : 0;

	return label ? label : own_label(x, meta);
}

/* The label of an event whose arguments are known; those of its metadata only the first time. */
static uint32_t label_of(struct xplane *x, struct xplane_event *meta, bool own)
{
	if (own)
		return find_label(x, meta);
	if (!meta->alone)
		meta->alone = find_label(x, meta);
	return meta->alone;
}

static int collect_args(struct xplane *x, struct xplane_event *meta, const struct event *e)
{
	x->arg_count = 0;
	x->incomplete = false;
	memset(x->special, 0, sizeof(x->special));
	return xplane_collect_args(x, meta, e->stats);
}

/* Adds the span of an event with arguments. */
static int put_event(struct xplane *x, uint32_t row, const struct event *e, int64_t time,
		     uint32_t thread, bool work)
{
	struct xplane_event *meta = row ? &x->events[row] : &x->unnamed;
	bool learns = e->has_stats;
	uint64_t given = pk_build_last_arg(x->b)->number, named;
	int64_t duration = nanoseconds(e->duration);
	uint32_t span;

	if (learns && xplane_find_shape(x, row, e->stats)) {
		span = pk_build_span(x->b, time, duration, thread, own_label(x, meta), 0);
		if (xplane_put_shape(x, span, time, work))
			return 0;
		return collect_args(x, meta, e) || xplane_put_args(x, meta, true, span) ? -1 : 0;
	}
	named = x->named_bytes;
	if (collect_args(x, meta, e))
		return -1;
	span = pk_build_span(x->b, time, duration, thread, label_of(x, meta, e->has_stats), 0);
	xplane_add_ends(x, span, time, work);
	if (xplane_put_args(x, meta, e->has_stats, span))
		return -1;
	if (learns)
		xplane_learn_shape(x, given, named);
	return 0;
}

static int read_event(struct xplane *x, const struct pk_proto_field *message, const uint8_t *limit,
		      int64_t base, uint32_t thread, bool work)
{
	struct xplane_event *meta;
	struct event e;
	int64_t time;
	uint32_t row;

	if (!parse_usual(&e, message, limit) && !parse(&e, message))
		return xplane_repair(x, message->bytes, "damaged event left out");
	if (e.aggregated)
		return xplane_repair(x, message->bytes,
				     "sum of several events left out: it has no time");
	row = pk_near_id(&x->event_rows, e.meta);
	if (!row && xplane_repair(x, message->bytes, "event without a name: its id is not defined"))
		return -1;
	meta = row ? &x->events[row] : &x->unnamed;
	if (e.duration < 0) {
		if (xplane_repair(x, message->bytes, "negative duration taken as 0"))
			return -1;
		e.duration = 0;
	}
	time = base + nanoseconds(e.offset);
	if (!x->needs_args || !(e.has_stats || meta->has_args)) {
		x->skipped_args |= e.has_stats || meta->has_args;
		pk_build_span(x->b, time, nanoseconds(e.duration), thread, own_label(x, meta), 0);
		return 0;
	}
	x->skipped_args |= !x->wants_args;
	return put_event(x, row, &e, time, thread, work);
}

/* The header of the line that comes next in x->in. */
static struct line look_ahead(struct xplane *x, uint64_t len)
{
	struct xplane_message m = xplane_message(x->ahead, len);
	uint64_t place = pk_input_offset(x->in) - x->ahead_place;

	pk_input_skip(x->ahead, place - pk_input_offset(x->ahead));
	return read_header(x, &m, true);
}

static int read_events(struct xplane *x, struct xplane_message *m, const struct line *line)
{
	uint32_t thread = make_thread(x, line);
	bool work = x->device && !x->rules[thread].no_cost;
	const uint8_t *at = NULL;

	while (xplane_next_piece(m, at)) {
		struct pk_proto p = m->piece;
		struct pk_proto_field f;

		for (at = p.at; pk_proto_next(&p, &f); at = p.at)
			if (f.number == LINE_EVENTS && f.wire == PK_PROTO_BYTES &&
			    read_event(x, &f, p.end, line->time, thread, work))
				return -1;
	}
	return m->piece.problem ? xplane_repair(x, m->piece.at, "damaged line left out from there")
				: 0;
}

int xplane_read_line(struct xplane *x, uint64_t len)
{
	struct xplane_message m = xplane_message(x->in, len);
	struct line line = look_ahead(x, len);
	int status = 0;

	if (line.events && (line.time > XPLANE_MAX_TIME || line.time < -XPLANE_MAX_TIME))
		status = xplane_repair_at(x, pk_input_offset(x->in),
					  "line left out: its time is too large");
	else if (line.events)
		status = read_events(x, &m, &line);
	xplane_pass(x->in, m.left);
	return status;
}
