/*
 * Texts that packets of a sequence refer to by number.
 *
 *	interned_data {
 *	  event_names { iid: 1 name: "read" }
 *	  event_categories { iid: 1 name: "io" }
 *	  source_locations { iid: 1 file_name: "a.c" function_name: "read_all" line_number: 3 }
 *	}
 */
#include "base/alloc.h"
#include "readers/perfetto/internal.h"

/* By number of the field: 1 + enum pk_perfetto_kind. */
static const uint8_t kinds[44] = {
	[1] = 1 + PK_PERFETTO_CATEGORIES,    [2] = 1 + PK_PERFETTO_NAMES,
	[3] = 1 + PK_PERFETTO_ARG_NAMES,     [4] = 1 + PK_PERFETTO_PLACES,
	[5] = 1 + PK_PERFETTO_FUNCTIONS,     [16] = 1 + PK_PERFETTO_BUILD_IDS,
	[17] = 1 + PK_PERFETTO_PATHS,        [18] = 1 + PK_PERFETTO_FILES,
	[24] = 1 + PK_PERFETTO_GPU_NAMES,    [29] = 1 + PK_PERFETTO_ARG_TEXTS,
	[43] = 1 + PK_PERFETTO_CORRELATIONS,
};

uint32_t pk_perfetto_string(struct pk_perfetto *p, struct pk_perfetto_bytes text)
{
	return pk_build_string(p->c.b, (const char *)text.data, (size_t)text.len);
}

bool pk_perfetto_afford(struct pk_perfetto *p, uint64_t len)
{
	enum { FREE = 64 << 20, RATIO = 16 };

	if (p->named_bytes + len > FREE + RATIO * p->packet_bytes)
		return false;
	p->named_bytes += len;
	return true;
}

bool pk_perfetto_join(struct pk_perfetto *p, char separator, const char *text, size_t len)
{
	enum { LONGEST = 1 << 16 };

	if (p->text.len + len >= LONGEST || !pk_perfetto_afford(p, len + 1))
		return false;
	if (separator)
		pk_buf_addc(&p->text, separator);
	pk_buf_add(&p->text, text, len);
	return true;
}

static uint32_t text_of(struct pk_perfetto *p, const struct pk_proto_field *f)
{
	return pk_perfetto_string(p, (struct pk_perfetto_bytes){f->bytes, f->value});
}

static uint32_t add_place(struct pk_perfetto *p, const struct pk_perfetto_place *place)
{
	PK_GROW(p->places, (size_t)p->place_count + 1, p->place_alloc);
	p->places[p->place_count] = *place;
	return p->place_count++;
}

static void read_entry(struct pk_perfetto *p, struct pk_perfetto_sequence *s, unsigned kind,
		       const uint8_t *data, uint64_t len)
{
	struct pk_proto m = pk_proto(data, len);
	struct pk_perfetto_place place = {0};
	struct pk_proto_field f;
	uint64_t iid = 0;
	uint32_t text = 0;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 1 && f.wire == PK_PROTO_VARINT) {
			iid = f.value;
		} else if (f.number == 2 && f.wire == PK_PROTO_BYTES && f.value) {
			text = text_of(p, &f);
		} else if (f.number == 3 && f.wire == PK_PROTO_BYTES) {
			place.function = text_of(p, &f);
		} else if (f.number == 4 && f.wire == PK_PROTO_VARINT) {
			place.line = f.value;
		}
	}
	if (kind == PK_PERFETTO_PLACES) {
		place.file = text;
		text = add_place(p, &place);
	}
	pk_perfetto_put_id(s, (enum pk_perfetto_kind)kind, iid, text);
}

int pk_perfetto_read_interned(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			      struct pk_perfetto_bytes data)
{
	static const struct pk_perfetto_stack_fields fields = {
		.mapping = 19, .frame = 6, .stack = 7};
	struct pk_proto m = pk_proto(data.data, data.len);
	struct pk_proto_field f;
	bool others = false;

	while (pk_proto_next(&m, &f)) {
		if (f.wire == PK_PROTO_BYTES && f.number < sizeof(kinds) && kinds[f.number])
			read_entry(p, s, kinds[f.number] - 1U, f.bytes, f.value);
		else
			others = true;
	}
	if (others && pk_perfetto_read_stacks(p, s, &fields, data))
		return -1;
	return m.problem ? pk_perfetto_repair(p, "damaged interned data left out from there") : 0;
}
