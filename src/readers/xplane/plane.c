/*
 * Planes: the host, a device, or what is known of the program. In a plane the names of events and
 * arguments mostly come after the lines that use them. So it is read three times: its kind, its
 * names, then its lines; where lines are not needed they are skipped.
 *
 *	id: 7 name: "/device:GPU:7" lines {...} event_metadata {...} stat_metadata {...} stats {...}
 */
#include "readers/xplane/internal.h"

#include <string.h>

#include "base/alloc.h"

enum { ID = 1, NAME, LINES, EVENTS, STATS, ABOUT };

/* An entry of a map: its key, and its message. */
static struct xplane_bytes read_entry(struct xplane_bytes entry, uint64_t *key)
{
	struct pk_proto m = pk_proto(entry.data, entry.len);
	struct xplane_bytes message = {entry.data, 0};
	struct pk_proto_field f;

	*key = 0;
	while (pk_proto_next(&m, &f)) {
		if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			*key = f.value;
		else if (f.number == 2 && f.wire == PK_PROTO_BYTES)
			message = (struct xplane_bytes){f.bytes, f.value};
	}
	return message;
}

struct xplane_bytes xplane_keep(struct xplane *x, struct xplane_bytes text)
{
	text.data = (const uint8_t *)pk_arena_copy(&x->texts, (const char *)text.data, text.len);
	return text;
}

/* place: of the entry, in the file */
static void add_event(struct xplane *x, struct xplane_bytes entry, uint64_t place)
{
	struct xplane_event e = {.label = 0};
	struct pk_proto_field f;
	struct pk_proto m;
	uint64_t key;

	e.message = read_entry(entry, &key);
	if (!key || pk_near_id(&x->event_rows, key))
		return;
	e.place = place + (uint64_t)(e.message.data - entry.data);
	e.message = xplane_keep(x, e.message);
	m = pk_proto(e.message.data, e.message.len);
	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == 2)
			e.name = (struct xplane_bytes){f.bytes, f.value};
		else if (f.number == 4)
			e.display = (struct xplane_bytes){f.bytes, f.value};
		e.has_args |= f.number == 5;
	}
	e.has_args |= e.display.len && e.name.len;
	PK_GROW(x->events, (size_t)x->event_count + 2, x->event_alloc);
	x->events[++x->event_count] = e;
	pk_near_id_put(&x->event_rows, key, x->event_count);
}

static void add_stat(struct xplane *x, struct xplane_bytes entry)
{
	struct xplane_stat s = {.quoted = 0};
	struct xplane_bytes message;
	struct pk_proto_field f;
	struct pk_proto m;
	uint64_t key;

	message = read_entry(entry, &key);
	m = pk_proto(message.data, message.len);
	while (pk_proto_next(&m, &f))
		if (f.number == 2 && f.wire == PK_PROTO_BYTES)
			s.name = (struct xplane_bytes){f.bytes, f.value};
	if (!key || pk_near_id(&x->stat_rows, key))
		return;
	s.name = xplane_keep(x, s.name);
	s.meaning = (uint8_t)xplane_meaning_of(s.name);
	s.needed = xplane_needs(x, &s);
	PK_GROW(x->stats, (size_t)x->stat_count + 2, x->stat_alloc);
	x->stats[++x->stat_count] = s;
	x->needs_args |= s.needed;
	if (!x->wants_flows)
		xplane_see_flows(x, s.meaning);
	pk_near_id_put(&x->stat_rows, key, x->stat_count);
}

void xplane_release_plane(struct xplane *x)
{
	pk_near_ids_clear(&x->event_rows);
	pk_near_ids_clear(&x->stat_rows);
	x->event_count = x->stat_count = x->process = 0;
	x->unnamed = (struct xplane_event){.place = x->place};
	pk_arena_release(&x->texts);
	pk_input_close(x->ahead);
	x->ahead = NULL;
	x->event_rows.expected = x->stat_rows.expected = 0;
	x->quoted.len = 0;
	if (x->shapes.count)
		xplane_clear_shapes(x);
	x->id = 0;
	x->name = (struct xplane_bytes){NULL, 0};
	x->has_lines = x->has_streams = false;
	x->needs_args = x->wants_args;
}

/* A message that is broken inside of another one breaks the file, as for every other program.
 * place: of m->in in the file */
static int fail_at(struct xplane *x, const struct xplane_message *m, uint64_t place)
{
	size_t avail;

	place += pk_input_offset(m->in);
	place += (uint64_t)(m->piece.at - pk_input_peek(m->in, 0, &avail));
	return pk_fail(x->err, PK_EFORMAT, "byte %llu: %s", (unsigned long long)place,
		       m->piece.problem);
}

/* Finds the number of names, and the kind of the plane. */
static int survey(struct xplane *x, struct xplane_message *m)
{
	struct pk_proto_field f;

	while (xplane_next_head(m, &f)) {
		struct xplane_message line = xplane_message(m->in, f.value);

		x->has_lines |= f.number == LINES;
		if (f.number == ID && f.wire == PK_PROTO_VARINT)
			x->id = f.value;
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == NAME)
			x->name = xplane_keep(x, xplane_content(m->in, f.value));
		else if (f.number == LINES && !x->has_streams)
			x->has_streams = xplane_line_is_stream(x, &line);
		else if (f.number == EVENTS)
			x->event_rows.expected++;
		else if (f.number == STATS)
			x->stat_rows.expected++;
		pk_input_skip(m->in, line.left);
	}
	x->device = x->name.len > 8 && !memcmp(x->name.data, "/device:", 8);
	if (pk_input_check(m->in, x->err))
		return -1;
	return m->piece.problem ? fail_at(x, m, x->ahead_place) : 0;
}

static void read_names(struct xplane *x, struct xplane_message *m)
{
	struct pk_proto_field f;

	while (xplane_next_head(m, &f)) {
		if (f.wire != PK_PROTO_BYTES)
			continue;
		/* those of "/host:metadata" are programs, which nothing uses */
		if (f.number == EVENTS && x->has_lines)
			add_event(x, xplane_content(m->in, f.value),
				  x->ahead_place + pk_input_offset(m->in));
		else if (f.number == STATS)
			add_stat(x, xplane_content(m->in, f.value));
		pk_input_skip(m->in, f.value);
	}
}

/* Reads what the names belong to. */
static int read_content(struct xplane *x, struct xplane_message *m)
{
	struct pk_proto_field f;

	while (xplane_next_head(m, &f)) {
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == LINES) {
			if (xplane_read_line(x, f.value))
				return -1;
			continue;
		}
		if (f.number == ABOUT)
			xplane_read_about(x, xplane_content(m->in, f.value));
		xplane_pass(m->in, f.value);
	}
	return m->piece.problem ? fail_at(x, m, 0) : 0;
}

/* Begins to read the plane in x->ahead. */
static struct xplane_message begin_ahead(struct xplane *x, uint64_t len)
{
	pk_input_close(x->ahead);
	x->ahead = pk_input_ahead(x->in, len);
	return xplane_message(x->ahead, len);
}

int xplane_read_plane(struct xplane *x, uint64_t len)
{
	struct xplane_message m = xplane_message(x->in, len), ahead;

	x->plane_bytes += len;
	xplane_release_plane(x);
	x->ahead_place = pk_input_offset(x->in);
	ahead = begin_ahead(x, len);
	if (survey(x, &ahead))
		return -1;
	ahead = begin_ahead(x, len);
	read_names(x, &ahead);
	begin_ahead(x, len); /* for the headers of lines */
	return read_content(x, &m);
}
