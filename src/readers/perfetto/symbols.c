/*
 * Names of functions for addresses, which a tool adds at the end of a trace (traceconv symbolize).
 *
 *	module_symbols {
 *	  path: "/bin/app" build_id: "a1b2"
 *	  address_symbols {
 *	    address: 4096
 *	    lines { function_name: "inlined" source_file_name: "a.cc" line_number: 7 }
 *	    lines { function_name: "caller" source_file_name: "a.cc" line_number: 20 }
 *	  }
 *	}
 *
 * The innermost function comes first. Only frames without a name are named. Their paths are made
 * again when all is read, and samples and memory move to these.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/hash.h"
#include "readers/perfetto/internal.h"

/* The most functions inlined at one address; more would make paths very long. */
enum { MOST_LINES = 64 };

/* Frames of all symbols: those of one address are `count` from `first` on. */
struct pk_perfetto_symbol {
	uint32_t file, build_id; /* strings */
	uint64_t address;
	uint32_t first, count;
};

static int64_t key_of(uint32_t file, uint32_t build_id, uint64_t address)
{
	return pk_id_map_key(
		pk_hash_pair(pk_hash_pair(address, (uint64_t)file << 32 | build_id), 0x5EED));
}

static struct pk_perfetto_line read_line(struct pk_perfetto *p, const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_perfetto_line line = {0};
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		struct pk_perfetto_bytes text = {f.bytes, f.value};

		if (f.number == 1 && f.wire == PK_PROTO_BYTES && f.value)
			line.name = pk_perfetto_string(p, text);
		else if (f.number == 2 && f.wire == PK_PROTO_BYTES && f.value)
			line.file = pk_perfetto_string(p, text);
		else if (f.number == 3 && f.wire == PK_PROTO_VARINT && f.value < INT32_MAX)
			line.line = (uint32_t)f.value;
	}
	return line;
}

/* An address without a function that has a name says nothing. */
static int read_address(struct pk_perfetto *p, uint32_t file, uint32_t build_id,
			const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_perfetto_symbol x = {file, build_id, 0, p->line_count, 0};
	struct pk_proto_field f;
	int64_t key;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			x.address = f.value;
		if (f.number != 2 || f.wire != PK_PROTO_BYTES)
			continue;
		if (p->line_count - x.first == MOST_LINES)
			return pk_perfetto_repair(p,
						  "names of an address with more than 64 inlined "
						  "functions left out");
		PK_GROW(p->lines, (size_t)p->line_count + 1, p->line_alloc);
		p->lines[p->line_count] = read_line(p, &f);
		p->line_count += p->lines[p->line_count].name != 0;
	}
	x.count = p->line_count - x.first;
	key = key_of(file, build_id, x.address);
	if (!x.count || pk_id_map_get(&p->symbol_ids, key))
		return 0;
	PK_GROW(p->symbols, (size_t)p->symbol_count + 2, p->symbol_alloc);
	p->symbols[++p->symbol_count] = x;
	pk_id_map_put(&p->symbol_ids, key, p->symbol_count);
	return 0;
}

int pk_perfetto_read_symbols(struct pk_perfetto *p, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len);
	uint32_t path = 0, build_id = 0;
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		struct pk_perfetto_bytes text = {f.bytes, f.value};

		if (f.number == 1 && f.wire == PK_PROTO_BYTES)
			path = pk_perfetto_string(p, text);
		else if (f.number == 2 && f.wire == PK_PROTO_BYTES)
			build_id = pk_perfetto_build_id(p, f.bytes, f.value);
	}
	for (m = pk_proto(data.data, data.len); pk_proto_next(&m, &f);)
		if (f.number == 3 && f.wire == PK_PROTO_BYTES &&
		    read_address(p, path, build_id, &f))
			return -1;
	return m.problem ? pk_perfetto_repair(p, "damaged names of frames left out from there") : 0;
}

void pk_perfetto_add_nameless(struct pk_perfetto *p, uint32_t location, uint32_t mapping,
			      uint64_t address)
{
	PK_GROW(p->nameless, (size_t)p->nameless_count + 1, p->nameless_alloc);
	p->nameless[p->nameless_count++] =
		(struct pk_perfetto_nameless){location, mapping, address};
}

/* By location: its symbol, 0 = none. NULL: no location has one. */
static uint32_t *find_symbols(const struct pk_perfetto *p)
{
	const struct pk_profile *profile = pk_builder_profile(p->c.b);
	uint32_t *found = NULL;

	for (uint32_t i = 0; i < p->nameless_count && p->symbol_count; i++) {
		const struct pk_perfetto_nameless *x = &p->nameless[i];
		uint32_t file = profile->mapping.file[x->mapping], number;
		uint32_t build_id = profile->mapping.build_id[x->mapping];

		number = pk_id_map_get(&p->symbol_ids, key_of(file, build_id, x->address));
		if (!number || p->symbols[number].file != file ||
		    p->symbols[number].build_id != build_id ||
		    p->symbols[number].address != x->address)
			continue;
		if (!found)
			found = pk_calloc(profile->location.count, sizeof(*found));
		found[x->location] = number;
	}
	return found;
}

/* The path below a parent that the functions of a symbol make. */
static uint32_t add_frames(struct pk_perfetto *p, uint32_t node, uint32_t location,
			   const struct pk_perfetto_symbol *x)
{
	const struct pk_profile *profile = pk_builder_profile(p->c.b);
	uint32_t mapping = profile->location.mapping ? profile->location.mapping[location] : 0;

	for (uint32_t i = x->count; i--;) {
		const struct pk_perfetto_line *line = &p->lines[x->first + i];
		struct pk_function f = {.name = line->name, .file = line->file, .module = x->file};
		struct pk_location l = {.line = line->line, .mapping = mapping};

		l.function = pk_build_function(p->c.b, &f);
		l.inlined = i + 1 < x->count;
		node = pk_build_node(p->c.b, node, pk_build_location(p->c.b, &l));
	}
	return node;
}

void pk_perfetto_name_frames(struct pk_perfetto *p)
{
	const struct pk_node_table *t = &pk_builder_profile(p->c.b)->node;
	PK_FREED uint32_t *symbol = find_symbols(p);
	uint32_t count = t->count;
	PK_FREED uint32_t *node = pk_malloc(pk_mul(count, sizeof(*node)));

	if (!symbol)
		return;
	for (uint32_t i = node[0] = 0; ++i < count;) {
		uint32_t parent = node[t->parent[i]], location = t->location[i];

		if (symbol[location])
			node[i] = add_frames(p, parent, location, &p->symbols[symbol[location]]);
		else
			node[i] = parent == t->parent[i] ? i
							 : pk_build_node(p->c.b, parent, location);
	}
	for (uint32_t i = 0; i < p->sample_count; i++)
		p->samples[i].node = node[p->samples[i].node];
	for (uint32_t i = 1; i < p->account_count; i++)
		p->accounts[i].node = node[p->accounts[i].node];
}

void pk_perfetto_release_symbols(struct pk_perfetto *p)
{
	free(p->symbols);
	free(p->lines);
	free(p->nameless);
	pk_id_map_release(&p->symbol_ids);
}
