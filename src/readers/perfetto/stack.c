/*
 * Call stacks that samples refer to by number.
 *
 *	interned_data {
 *	  function_names { iid: 1 str: "main" }
 *	  mapping_paths { iid: 1 str: "bin" }   mappings { iid: 1 path_string_ids: 1 }
 *	  frames { iid: 1 function_name_id: 1 mapping_id: 1 rel_pc: 4096 line_number: 3 }
 *	  callstacks { iid: 1 frame_ids: 1 }    # the outermost frame first
 *	}
 *
 * Mappings may come after their frames in one message, so frames are read after all others, and
 * stacks last.
 */
#include <string.h>

#include "base/alloc.h"
#include "model/nameless.h"
#include "model/schema.h"
#include "readers/perfetto/internal.h"

enum { TASKS = 48, EXECUTIONS, DESCRIPTORS, ASYNCS };

/* Adds the parts of a path; false: it is too long. */
static bool add_parts(struct pk_perfetto *p, const struct pk_perfetto_sequence *s,
		      const struct pk_proto_field *f)
{
	const struct pk_string_table *t = &pk_builder_profile(p->c.b)->string;
	struct pk_proto list = pk_proto_list(f);
	uint64_t part;

	while (pk_proto_varint(&list, &part)) {
		uint32_t text = pk_perfetto_id(p, s, PK_PERFETTO_PATHS, part);

		/* one part may be the whole path, or "[vdso]", which is not a path */
		bool whole = !p->text.len && (*t->text[text] == '/' || *t->text[text] == '[');

		if (!pk_perfetto_join(p, whole ? 0 : '/', t->text[text], t->len[text]))
			return false;
	}
	return true;
}

uint32_t pk_perfetto_build_id(struct pk_perfetto *p, const uint8_t *bytes, uint64_t len)
{
	enum { LONGEST = 256 };

	p->text.len = 0;
	for (uint64_t i = 0; i < len && i < LONGEST; i++)
		pk_buf_addf(&p->text, "%02x", bytes[i]);
	return pk_build_string(p->c.b, p->text.len ? p->text.data : "", p->text.len);
}

static int read_mapping(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			const struct pk_proto_field *field)
{
	const struct pk_string_table *t = &pk_builder_profile(p->c.b)->string;
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_mapping mapping = {0};
	struct pk_proto_field f;
	uint32_t build_id = 0;
	uint64_t iid = 0;
	bool fit = true, known;

	p->text.len = 0;
	while (pk_proto_next(&m, &f)) {
		if (f.number == 7)
			fit = fit && add_parts(p, s, &f);
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			iid = f.value;
		else if (f.number == 2)
			build_id = pk_perfetto_id(p, s, PK_PERFETTO_BUILD_IDS, f.value);
		else if (f.number == 4)
			mapping.start = f.value;
		else if (f.number == 5)
			mapping.limit = f.value;
		else if (f.number == 8)
			mapping.offset = f.value;
	}
	if (mapping.limit < mapping.start)
		mapping.start = mapping.limit = 0;
	if (p->text.len)
		mapping.file = pk_build_string(p->c.b, p->text.data, p->text.len);
	if (t->len[build_id])
		mapping.build_id = pk_perfetto_build_id(p, (const uint8_t *)t->text[build_id],
							t->len[build_id]);
	/* frames must have a mapping, even if that says nothing */
	known = mapping.file || mapping.build_id || mapping.limit;
	pk_perfetto_put_id(s, PK_PERFETTO_MAPPINGS, iid,
			   known ? pk_build_mapping(p->c.b, &mapping) : 0);
	return fit ? 0 : pk_perfetto_repair(p, "path of a mapping cut off: it is too long");
}

/* Interpreters and JITs do not tell their language. */
static enum pk_function_kind kind_of(uint64_t kind)
{
	enum { NATIVE = 1, KERNEL = 2, GC = 5, RUNTIME = 6 };

	return kind == NATIVE                  ? PK_KIND_NATIVE
	       : kind == KERNEL                ? PK_KIND_KERNEL
	       : kind == GC || kind == RUNTIME ? PK_KIND_RUNTIME
					       : PK_KIND_UNKNOWN;
}

/* The kind in words; false: it is not one of profkit's. */
static bool named_kind(const struct pk_proto_field *f, enum pk_function_kind *kind)
{
	for (int i = 0; pk_function_kinds[i]; i++)
		if (strlen(pk_function_kinds[i]) == f->value &&
		    !memcmp(pk_function_kinds[i], f->bytes, f->value)) {
			*kind = (enum pk_function_kind)i;
			return true;
		}
	return false;
}

static int read_frame(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
		      const struct pk_proto_field *field)
{
	const struct pk_profile *profile = pk_builder_profile(p->c.b);
	struct pk_proto m = pk_proto(field->bytes, field->value);
	struct pk_function function = {0};
	struct pk_location location = {0};
	struct pk_proto_field f;
	uint64_t iid = 0, pc = 0;
	bool nameless, odd = false;
	uint32_t row;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 8 && f.wire == PK_PROTO_BYTES)
			odd = !named_kind(&f, &function.kind);
		if (f.wire != PK_PROTO_VARINT)
			continue;
		if (f.number == 1)
			iid = f.value;
		else if (f.number == 2)
			function.name = pk_perfetto_id(p, s, PK_PERFETTO_FUNCTIONS, f.value);
		else if (f.number == 3)
			location.mapping = pk_perfetto_id(p, s, PK_PERFETTO_MAPPINGS, f.value);
		else if (f.number == 4)
			pc = f.value;
		else if (f.number == 5)
			function.file = pk_perfetto_id(p, s, PK_PERFETTO_FILES, f.value);
		else if (f.number == 6 && f.value < INT32_MAX)
			location.line = (uint32_t)f.value;
		else if (f.number == 7)
			function.kind = kind_of(f.value);
	}
	function.module = profile->mapping.file[location.mapping];
	nameless = !function.name || !profile->string.len[function.name];
	if (nameless)
		function.name = pc ? pk_build_nameless_at(p->c.b, function.module, pc)
				   : pk_build_nameless(p->c.b, function.module);
	location.function = pk_build_function(p->c.b, &function);
	row = pk_build_location(p->c.b, &location);
	if (nameless)
		pk_perfetto_add_nameless(p, row, location.mapping, pc);
	pk_near_id_put(&s->ids[PK_PERFETTO_FRAMES], iid, row);
	return odd ? pk_perfetto_repair(p, "kind of a frame not kept: it is not known") : 0;
}

static int read_stack(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
		      const struct pk_proto_field *field)
{
	struct pk_proto m = pk_proto(field->bytes, field->value), list;
	uint64_t iid = 0, frame;
	uint32_t node = 0;
	struct pk_proto_field f;

	while (pk_proto_next(&m, &f)) {
		if (f.number == 1 && f.wire == PK_PROTO_VARINT)
			iid = f.value;
		if (f.number != 2)
			continue;
		for (list = pk_proto_list(&f); pk_proto_varint(&list, &frame);) {
			uint32_t location = pk_near_id(&s->ids[PK_PERFETTO_FRAMES], frame);

			if (location)
				node = pk_build_node(p->c.b, node, location);
			else if (pk_perfetto_repair(p, "frame left out: its id is not defined"))
				return -1;
		}
	}
	if (!node) /* a stack without frames is not the same as none */
		node = pk_build_node(p->c.b, 0, pk_build_label(p->c.b, "(no frames)", 11));
	pk_near_id_put(&s->ids[PK_PERFETTO_STACKS], iid, node);
	return 0;
}

uint32_t pk_perfetto_inline_stack(struct pk_perfetto *p, struct pk_perfetto_bytes data)
{
	struct pk_proto m = pk_proto(data.data, data.len), frame;
	struct pk_proto_field f, g;
	uint32_t node = 0;

	while (pk_proto_next(&m, &f)) {
		struct pk_function function = {0};
		uint32_t line = 0;

		if (f.number != 1 || f.wire != PK_PROTO_BYTES)
			continue;
		for (frame = pk_proto(f.bytes, f.value); pk_proto_next(&frame, &g);) {
			struct pk_perfetto_bytes text = {g.bytes, g.value};

			if (g.number == 1 && g.wire == PK_PROTO_BYTES && g.value)
				function.name = pk_perfetto_string(p, text);
			else if (g.number == 2 && g.wire == PK_PROTO_BYTES && g.value)
				function.file = pk_perfetto_string(p, text);
			else if (g.number == 3 && g.wire == PK_PROTO_VARINT && g.value < INT32_MAX)
				line = (uint32_t)g.value;
		}
		if (!function.name)
			function.name = pk_build_nameless(p->c.b, 0);
		node = pk_build_node(
			p->c.b, node,
			pk_build_place(p->c.b, pk_build_function(p->c.b, &function), line));
	}
	return node;
}

static int read_entry(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
		      const struct pk_perfetto_stack_fields *fields, const struct pk_proto_field *f)
{
	struct pk_perfetto_bytes data = {f->bytes, f->value};

	if (f->number == fields->mapping)
		return read_mapping(p, s, f);
	if (f->number == fields->stack)
		return read_stack(p, s, f);
	if (f->number == fields->frame)
		return read_frame(p, s, f);
	if (f->number == DESCRIPTORS)
		pk_perfetto_read_descriptor(p, s, data);
	else
		pk_perfetto_read_context(p, s,
					 f->number == TASKS        ? PK_PERFETTO_TASKS
					 : f->number == EXECUTIONS ? PK_PERFETTO_EXECUTIONS
								   : PK_PERFETTO_ASYNCS,
					 data);
	return 0;
}

int pk_perfetto_read_stacks(struct pk_perfetto *p, struct pk_perfetto_sequence *s,
			    const struct pk_perfetto_stack_fields *fields,
			    struct pk_perfetto_bytes data)
{
	const uint8_t order[] = {fields->mapping, fields->frame, fields->stack, TASKS,
				 EXECUTIONS,      DESCRIPTORS,   ASYNCS};
	struct pk_proto_field f;

	for (size_t i = 0; i < sizeof(order); i++) {
		struct pk_proto m = pk_proto(data.data, data.len);

		while (pk_proto_next(&m, &f))
			if (f.number == order[i] && f.wire == PK_PROTO_BYTES &&
			    read_entry(p, s, fields, &f))
				return -1;
	}
	return 0;
}
