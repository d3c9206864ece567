/*
 * Planes: the host, a device, or what is known of the program. In a plane the names of events and
 * arguments mostly come after the lines that use them, so it is read twice.
 *
 *	id: 7 name: "/device:GPU:7" lines {...} event_metadata {...} stat_metadata {...} stats {...}
 */
#include "readers/xplane/internal.h"

#include <string.h>

#include "base/alloc.h"

enum { ID = 1, NAME, LINES, EVENTS, STATS, ABOUT };

/* An entry of a map: its key, and its message. */
static struct xplane_bytes read_entry(const struct pk_proto_field *entry, uint64_t *key)
{
	struct pk_proto m = pk_proto(entry->bytes, entry->value);
	struct xplane_bytes message = {entry->bytes, 0};
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

static void add_event(struct xplane *x, const struct pk_proto_field *entry)
{
	struct xplane_event e = {.label = 0};
	struct pk_proto_field f;
	struct pk_proto m;
	uint64_t key;

	e.message = read_entry(entry, &key);
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
	if (!key || pk_near_id(&x->event_rows, key))
		return;
	PK_GROW(x->events, (size_t)x->event_count + 2, x->event_alloc);
	x->events[++x->event_count] = e;
	pk_near_id_put(&x->event_rows, key, x->event_count);
}

static void add_stat(struct xplane *x, const struct pk_proto_field *entry)
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
	s.meaning = (uint8_t)xplane_meaning_of(s.name);
	if (!key || pk_near_id(&x->stat_rows, key))
		return;
	PK_GROW(x->stats, (size_t)x->stat_count + 2, x->stat_alloc);
	x->stats[++x->stat_count] = s;
	x->needs_args |= xplane_needs(x, s.meaning);
	if (!x->wants_flows)
		xplane_see_flows(x, s.meaning);
	pk_near_id_put(&x->stat_rows, key, x->stat_count);
}

void xplane_release_plane(struct xplane *x)
{
	pk_near_ids_clear(&x->event_rows);
	pk_near_ids_clear(&x->stat_rows);
	x->event_count = x->stat_count = x->process = 0;
	x->unnamed = (struct xplane_event){.label = 0};
	x->event_rows.expected = x->stat_rows.expected = 0;
	x->quoted.len = 0;
	if (x->shapes.count)
		xplane_clear_shapes(x);
	x->id = 0;
	x->name = (struct xplane_bytes){NULL, 0};
	x->has_streams = false;
	x->needs_args = x->wants_args;
}

/* A message that is broken inside of another one breaks the file, as for every other program. */
static int fail_at(struct xplane *x, const struct pk_proto *m)
{
	return pk_fail(x->err, PK_EFORMAT, "byte %llu: %s",
		       (unsigned long long)(x->offset + (uint64_t)(m->at - x->begin)), m->problem);
}

/* Finds the number of names, and the kind of the plane. */
static int survey(struct xplane *x, struct pk_proto m)
{
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		struct xplane_bytes bytes = {f.bytes, f.value};

		if (f.number == ID && f.wire == PK_PROTO_VARINT)
			x->id = f.value;
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == NAME)
			x->name = bytes;
		else if (f.number == LINES)
			x->has_streams = x->has_streams || xplane_line_is_stream(bytes);
		else if (f.number == EVENTS)
			x->event_rows.expected++;
		else if (f.number == STATS)
			x->stat_rows.expected++;
	}
	x->device = x->name.len > 8 && !memcmp(x->name.data, "/device:", 8);
	return m.problem ? fail_at(x, &m) : 0;
}

static void read_names(struct xplane *x, struct pk_proto m, bool lines)
{
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == EVENTS && lines)
			add_event(x, &f);
		else if (f.number == STATS)
			add_stat(x, &f);
	}
}

int xplane_read_plane(struct xplane *x, const uint8_t *data, uint64_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_proto_field f;
	bool lines = false;

	x->plane_bytes += len;
	xplane_release_plane(x);
	if (survey(x, m))
		return -1;
	while (!lines && pk_proto_next(&m, &f))
		lines = f.number == LINES;
	m = pk_proto(data, len);
	/* the event names of "/host:metadata" are programs, which nothing uses */
	read_names(x, m, lines);
	while (pk_proto_next(&m, &f)) {
		struct xplane_bytes bytes = {f.bytes, f.value};

		if (f.wire != PK_PROTO_BYTES)
			continue;
		if (f.number == LINES && xplane_read_line(x, bytes))
			return -1;
		if (f.number == ABOUT)
			xplane_read_about(x, bytes);
	}
	return 0;
}
