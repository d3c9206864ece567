/*
 * Call stacks, which samples name by number.
 *
 *	interned_data {
 *	  function_names { iid: 1 str: "main" }
 *	  mapping_paths { iid: 2 str: "/bin/x" }   mappings { iid: 1 path_string_ids: 2 }
 *	  frames { iid: 1 function_name_id: 1 mapping_id: 1 line_number: 3 }
 *	  callstacks { iid: 1 frame_ids: 1 }
 *	}
 *
 * Numbers are those of the rows of the profile; each is defined once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "writers/perfetto/internal.h"

/* Fields of InternedData. */
enum {
	FUNCTION_NAMES = 5,
	FRAMES = 6,
	CALLSTACKS = 7,
	BUILD_IDS = 16,
	MAPPING_PATHS = 17,
	SOURCE_PATHS = 18,
	MAPPINGS = 19,
};

/* What a string was defined as. */
enum { AS_FUNCTION = 1, AS_PATH = 2, AS_SOURCE = 4, AS_BUILD_ID = 8, AS_MAPPING = 16 };

void pk_perfetto_init_stacks(struct pk_perfetto_stacks *s, const struct pk_profile *p)
{
	*s = (struct pk_perfetto_stacks){0};
	s->strings = pk_calloc(p->string.count, sizeof(*s->strings));
	s->mappings = pk_calloc(p->mapping.count, sizeof(*s->mappings));
	s->locations = pk_calloc(p->location.count, sizeof(*s->locations));
	s->nodes = pk_calloc(p->node.count, sizeof(*s->nodes));
}

void pk_perfetto_release_stacks(struct pk_perfetto_stacks *s)
{
	free(s->strings);
	free(s->mappings);
	free(s->locations);
	free(s->nodes);
	free(s->frame);
}

static void put_text(struct pk_perfetto_out *c, struct pk_perfetto_stacks *s, uint32_t field,
		     uint8_t as, uint32_t string)
{
	if (s->strings[string] & as)
		return;
	s->strings[string] |= as;
	c->message.len = 0;
	pk_proto_put_number(&c->message, 1, string);
	pk_proto_put_bytes(&c->message, 2, pk_text(c->p, string), c->p->string.len[string]);
	pk_perfetto_put_message(&c->texts, field, &c->message);
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Build ids are bytes there. Returns false for one that is not written in hexadecimal digits. */
static bool put_build_id(struct pk_perfetto_out *c, struct pk_perfetto_stacks *s, uint32_t string)
{
	const char *text = pk_text(c->p, string);
	uint32_t len = c->p->string.len[string];
	PK_BUF_AUTO bytes = PK_BUF_INIT;

	for (uint32_t i = 0; i + 1 < len; i += 2) {
		int high = digit_of(text[i]), low = digit_of(text[i + 1]);

		if (high < 0 || low < 0)
			return false;
		pk_buf_addc(&bytes, (char)(high << 4 | low));
	}
	if (!len || len & 1)
		return false;
	if (s->strings[string] & AS_BUILD_ID)
		return true;
	s->strings[string] |= AS_BUILD_ID;
	c->message.len = 0;
	pk_proto_put_number(&c->message, 1, string);
	pk_perfetto_put_message(&c->message, 2, &bytes);
	pk_perfetto_put_message(&c->texts, BUILD_IDS, &c->message);
	return true;
}

static void put_mapping_of(struct pk_perfetto_out *c, struct pk_perfetto_stacks *s, uint64_t iid,
			   uint32_t file, uint32_t mapping)
{
	const struct pk_mapping_table *t = &c->p->mapping;
	bool has_id = mapping && put_build_id(c, s, t->build_id[mapping]);

	if (file)
		put_text(c, s, MAPPING_PATHS, AS_PATH, file);
	c->message.len = 0;
	pk_proto_put_number(&c->message, 1, iid);
	if (has_id)
		pk_proto_put_number(&c->message, 2, t->build_id[mapping]);
	if (mapping && t->limit[mapping]) {
		pk_proto_put_number(&c->message, 4, t->start[mapping]);
		pk_proto_put_number(&c->message, 5, t->limit[mapping]);
		pk_proto_put_number(&c->message, 8, t->offset[mapping]);
	}
	if (file)
		pk_proto_put_number(&c->message, 7, file);
	pk_perfetto_put_message(&c->texts, MAPPINGS, &c->message);
}

/* The number of the mapping of a frame. Frames without one are not allowed: theirs has the name of
 * the function's module, or none. */
static uint64_t put_mapping(struct pk_perfetto_out *c, struct pk_perfetto_stacks *s,
			    uint32_t location)
{
	const struct pk_profile *p = c->p;
	uint32_t mapping = p->location.mapping ? p->location.mapping[location] : 0;
	uint32_t module = p->function.module[p->location.function[location]];
	uint64_t iid = mapping ? mapping : (uint64_t)p->mapping.count + module;

	if (mapping ? s->mappings[mapping] : s->strings[module] & AS_MAPPING)
		return iid;
	if (mapping)
		s->mappings[mapping] = true;
	else
		s->strings[module] |= AS_MAPPING;
	put_mapping_of(c, s, iid, mapping ? p->mapping.file[mapping] : module, mapping);
	return iid;
}

/* The address as it would be in the file. */
static uint64_t address_in_file(const struct pk_profile *p, uint32_t location)
{
	uint32_t mapping = p->location.mapping ? p->location.mapping[location] : 0;
	uint64_t address = p->location.address ? p->location.address[location] : 0;

	if (!mapping || address < p->mapping.start[mapping] || address >= p->mapping.limit[mapping])
		return 0;
	return address - p->mapping.start[mapping] + p->mapping.offset[mapping];
}

/* Perfetto has numbers for some kinds of functions, the others are written in words. */
static void put_kind(struct pk_buf *message, enum pk_function_kind kind)
{
	static const uint8_t numbers[] = {
		[PK_KIND_NATIVE] = 1, [PK_KIND_KERNEL] = 2, [PK_KIND_RUNTIME] = 6};
	const char *name = pk_function_kinds[kind];

	if (kind < sizeof(numbers) && numbers[kind])
		pk_proto_put_number(message, 7, numbers[kind]);
	else if (kind)
		pk_proto_put_bytes(message, 8, name, strlen(name));
}

static void put_frame(struct pk_perfetto_out *c, struct pk_perfetto_stacks *s, uint32_t location)
{
	const struct pk_function_table *t = &c->p->function;
	uint32_t function = c->p->location.function[location], line;
	uint64_t mapping, address;

	if (s->locations[location])
		return;
	s->locations[location] = true;
	mapping = put_mapping(c, s, location);
	put_text(c, s, FUNCTION_NAMES, AS_FUNCTION, t->name[function]);
	if (t->file[function])
		put_text(c, s, SOURCE_PATHS, AS_SOURCE, t->file[function]);
	c->message.len = 0;
	pk_proto_put_number(&c->message, 1, location);
	pk_proto_put_number(&c->message, 2, t->name[function]);
	pk_proto_put_number(&c->message, 3, mapping);
	address = address_in_file(c->p, location);
	if (address)
		pk_proto_put_number(&c->message, 4, address);
	if (t->file[function])
		pk_proto_put_number(&c->message, 5, t->file[function]);
	line = pk_location_line(c->p, location);
	if (line)
		pk_proto_put_number(&c->message, 6, line);
	put_kind(&c->message, (enum pk_function_kind)t->kind[function]);
	pk_perfetto_put_message(&c->texts, FRAMES, &c->message);
}

uint64_t pk_perfetto_put_stack(struct pk_perfetto_out *c, struct pk_perfetto_stacks *s,
			       uint32_t node)
{
	size_t depth = 0;

	if (s->nodes[node])
		return node;
	s->nodes[node] = true;
	for (uint32_t at = node; at; at = c->p->node.parent[at]) {
		PK_GROW(s->frame, depth + 1, s->frame_alloc);
		s->frame[depth++] = c->p->node.location[at];
		put_frame(c, s, c->p->node.location[at]);
	}
	c->message.len = 0;
	pk_proto_put_number(&c->message, 1, node);
	while (depth > 0)
		pk_proto_put_number(&c->message, 2, s->frame[--depth]);
	pk_perfetto_put_message(&c->texts, CALLSTACKS, &c->message);
	return node;
}
