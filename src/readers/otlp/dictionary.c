/*
 * The tables that all profiles of a file refer to, by the places of their entries: texts,
 * functions, mappings, locations, stacks, attributes.
 *
 *	stack 5: locations 9 4 1            leaf first
 *	location 9: mapping 1, address 0x4a3f10, lines: function 2 line 5, function 1 line 12
 *	attribute 3: "thread.name" = "main"
 *
 * The first line of a location is the innermost function, which was inlined into the one after it.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "model/nameless.h"
#include "readers/otlp/internal.h"
#include "model/build/value_type.h"

int otlp_problem(struct otlp *o, const uint8_t *at, const char *problem)
{
	return pk_fail(o->err, PK_EFORMAT, "byte %zu: %s", (size_t)(at - o->data), problem);
}

int otlp_older(struct otlp *o, const uint8_t *at)
{
	return otlp_problem(o, at,
			    "this is the layout of opentelemetry-proto before 1.10, whose fields "
			    "mean other things: record again with a profiler that writes 1.10 or "
			    "later");
}

int otlp_repair(struct otlp *o, const uint8_t *at, const char *what)
{
	return pk_build_repair(o->b, o->err, what, "byte %zu", (size_t)(at - o->data));
}

int otlp_next(struct otlp *o, struct pk_proto *m, struct pk_proto_field *f,
	      const struct pk_proto_shape *shape)
{
	if (pk_proto_next_of(m, f, shape))
		return 1;
	return m->problem ? otlp_problem(o, m->at, m->problem) : 0;
}

/* Up to 1.7 of opentelemetry-proto, field 7 held units of attributes: two numbers each. */
static bool is_older_unit(const struct pk_proto_field *f)
{
	struct pk_proto m = pk_proto(f->bytes, f->value);
	struct pk_proto_field member;
	bool numbers = false;

	while (pk_proto_next(&m, &member))
		numbers = member.wire == PK_PROTO_VARINT && member.number == 2;
	return numbers;
}

int otlp_read_dictionary(struct otlp *o, struct pk_proto m)
{
	static const struct pk_proto_shape shape = {.bytes = 0xFE};
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0) {
		size_t count = o->table[f.number].count++;

		if (count == UINT32_MAX)
			return otlp_problem(
				o, f.bytes,
				"more than 4,294,967,295 entries in a table of the dictionary");
		if (f.number == OTLP_STACKS && is_older_unit(&f))
			return otlp_older(o, f.bytes);
		PK_GROW(o->table[f.number].entry, count + 1, o->table[f.number].alloc);
		o->table[f.number].entry[count] =
			(struct otlp_entry){.message = pk_proto(f.bytes, f.value)};
	}
	return ret;
}

int otlp_entry(struct otlp *o, const uint8_t *at, enum otlp_table table, uint64_t index,
	       struct otlp_entry **entry)
{
	static const char *const missing[OTLP_TABLES] = {
		[OTLP_MAPPINGS] = "mapping that is not there left out",
		[OTLP_LOCATIONS] = "location that is not there left out",
		[OTLP_FUNCTIONS] = "function that is not there left without a name",
		[OTLP_LINKS] = "link that is not there left out",
		[OTLP_STRINGS] = "text that is not there left out",
		[OTLP_ATTRIBUTES] = "attribute that is not there left out",
		[OTLP_STACKS] = "stack that is not there left out"};

	*entry = NULL;
	if (!index)
		return 0;
	if (index >= o->table[table].count)
		return otlp_repair(o, at, missing[table]);
	*entry = &o->table[table].entry[index];
	return 0;
}

int otlp_string(struct otlp *o, const uint8_t *at, uint64_t index, uint32_t *string)
{
	struct otlp_entry *e;

	*string = 0;
	if (otlp_entry(o, at, OTLP_STRINGS, index, &e))
		return -1;
	if (!e || e->message.at == e->message.end)
		return 0;
	if (!e->built)
		e->built = pk_build_string(o->b, (const char *)e->message.at,
					   (size_t)(e->message.end - e->message.at));
	*string = e->built;
	return 0;
}

int otlp_value(struct otlp *o, struct pk_proto m, struct otlp_attribute *attribute)
{
	static const struct pk_proto_shape shape = {.numbers = 0xC, .bytes = 0x2, .fixed = 0x10};
	struct pk_proto_field f;
	char text[32];
	double real;
	int ret;

	attribute->number = PK_NULL;
	attribute->text = 0;
	while ((ret = otlp_next(o, &m, &f, &shape)) > 0) {
		attribute->number = PK_NULL;
		if (f.number == 1) {
			attribute->text = pk_build_string(o->b, (const char *)f.bytes, f.value);
		} else if (f.number == 2) {
			attribute->text = pk_build_text(o->b, f.value ? "true" : "false");
		} else if (f.number == 4) {
			memcpy(&real, &f.value, sizeof(real));
			snprintf(text, sizeof(text), "%.17g", real);
			attribute->text = pk_build_text(o->b, text);
		} else {
			attribute->number =
				(int64_t)f.value == PK_NULL ? -INT64_MAX : (int64_t)f.value;
		}
	}
	return ret;
}

static int read_attribute(struct otlp *o, struct pk_proto m, struct otlp_attribute *attribute)
{
	static const struct pk_proto_shape shape = {.numbers = 0xA, .bytes = 0x4};
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0)
		if (f.number == 2 ? otlp_value(o, pk_proto(f.bytes, f.value), attribute)
				  : otlp_string(o, m.at, f.value,
						f.number == 1 ? &attribute->key : &attribute->unit))
			return -1;
	return ret;
}

/* Each is read once, since its text may be long, and many samples refer to it. */
int otlp_attribute(struct otlp *o, const uint8_t *at, uint64_t index,
		   struct otlp_attribute *attribute)
{
	struct otlp_entry *e;

	*attribute = (struct otlp_attribute){.number = PK_NULL};
	if (otlp_entry(o, at, OTLP_ATTRIBUTES, index, &e))
		return -1;
	if (!e)
		return 0;
	if (!e->built) {
		if (read_attribute(o, e->message, attribute))
			return -1;
		PK_GROW(o->attribute, o->attributes + 2, o->attribute_alloc);
		o->attribute[++o->attributes] = *attribute;
		e->built = (uint32_t)o->attributes;
	}
	*attribute = o->attribute[e->built];
	return 0;
}

/* The text of the first of these attributes that is called so. */
static int find_attribute(struct otlp *o, const struct pk_proto_field *list_field, const char *key,
			  bool begins, uint32_t *text)
{
	struct pk_proto list = pk_proto_list(list_field);
	struct otlp_attribute attribute;
	uint64_t index;

	while (pk_proto_varint(&list, &index)) {
		const char *name;

		if (otlp_attribute(o, list_field->bytes, index, &attribute))
			return -1;
		name = pk_text(pk_builder_profile(o->b), attribute.key);
		if (!*text && (begins ? pk_starts_with(name, key) : !strcmp(name, key)))
			*text = attribute.text;
	}
	return list.problem ? otlp_problem(o, list.at, list.problem) : 0;
}

static int build_mapping(struct otlp *o, struct otlp_entry *e)
{
	static const struct pk_proto_shape shape = {.numbers = 0x1E, .lists = 0x20};
	struct pk_mapping mapping = {0};
	struct pk_proto m = e->message;
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0) {
		if (f.number == 1)
			mapping.start = f.value;
		else if (f.number == 2)
			mapping.limit = f.value;
		else if (f.number == 3)
			mapping.offset = f.value;
		else if (f.number == 4 ? otlp_string(o, m.at, f.value, &mapping.file)
				       : find_attribute(o, &f, "process.executable.build_id", true,
							&mapping.build_id))
			return -1;
	}
	if (!ret)
		e->built = pk_build_mapping(o->b, &mapping);
	return ret;
}

/* The kinds of functions by the attribute profile.frame.type. */
static enum pk_function_kind kind_of(const struct pk_profile *p, uint32_t type_text, uint32_t file)
{
	const char *type = pk_text(p, type_text);

	if (!strcmp(type, "kernel"))
		return PK_KIND_KERNEL;
	if (!strcmp(type, "cpython") || pk_string_ends_with(p, file, ".py"))
		return PK_KIND_PYTHON;
	return *type ? PK_KIND_NATIVE : PK_KIND_UNKNOWN;
}

static int build_function(struct otlp *o, const uint8_t *at, uint64_t index, uint32_t type,
			  uint32_t module, uint32_t *id)
{
	static const struct pk_proto_shape shape = {.numbers = 0x1E};
	struct pk_function function = {.module = module};
	struct pk_proto_field f;
	struct otlp_entry *e;
	struct pk_proto m;
	int ret = 0;

	if (otlp_entry(o, at, OTLP_FUNCTIONS, index, &e))
		return -1;
	if (e && e->built) {
		*id = e->built;
		return 0;
	}
	for (m = e ? e->message : pk_proto(at, 0); (ret = otlp_next(o, &m, &f, &shape)) > 0;) {
		uint32_t *const text[] = {NULL, &function.name, &function.system_name,
					  &function.file};

		if (f.number == 4)
			function.line = f.value < UINT32_MAX ? (uint32_t)f.value : 0;
		else if (otlp_string(o, m.at, f.value, text[f.number]))
			return -1;
	}
	if (!function.name)
		function.name = function.system_name ? function.system_name
						     : pk_build_nameless(o->b, module);
	if (function.system_name == function.name)
		function.system_name = 0;
	function.kind = kind_of(pk_builder_profile(o->b), type, function.file);
	*id = pk_build_function(o->b, &function);
	if (e)
		e->built = *id;
	return ret;
}

static int add_line(struct otlp *o, struct pk_proto m, uint32_t type, uint32_t module,
		    struct pk_location *location)
{
	static const struct pk_proto_shape shape = {.numbers = 0xE};
	uint64_t number[4] = {0};
	const uint8_t *at = m.at;
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &shape)) > 0)
		number[f.number] = f.value;
	if (ret || build_function(o, at, number[1], type, module, &location->function))
		return -1;
	location->line = number[2] < UINT32_MAX ? (uint32_t)number[2] : 0;
	location->column = number[3] < UINT32_MAX ? (uint32_t)number[3] : 0;
	PK_GROW(o->frame, o->frames + 1, o->frame_alloc);
	o->frame[o->frames++] = pk_build_location(o->b, location);
	return 0;
}

static const struct pk_proto_shape location_shape = {.numbers = 0x6, .bytes = 0x8, .lists = 0x10};

/* All but the lines. */
static int read_place(struct otlp *o, struct pk_proto m, struct pk_location *location,
		      uint32_t *module, uint32_t *type)
{
	struct otlp_entry *mapping;
	struct pk_proto_field f;
	int ret;

	while ((ret = otlp_next(o, &m, &f, &location_shape)) > 0) {
		if (f.number == 2)
			location->address = f.value;
		if (f.number == 4 && find_attribute(o, &f, "profile.frame.type", false, type))
			return -1;
		if (f.number != 1)
			continue;
		if (otlp_entry(o, m.at, OTLP_MAPPINGS, f.value, &mapping) ||
		    (mapping && !mapping->built && build_mapping(o, mapping)))
			return -1;
		location->mapping = mapping ? mapping->built : 0;
		*module = pk_builder_profile(o->b)->mapping.file[location->mapping];
	}
	return ret;
}

static int build_location(struct otlp *o, struct otlp_entry *e)
{
	struct pk_location location = {0};
	uint32_t module = 0, type = 0;
	struct pk_proto m = e->message;
	const uint8_t *outermost = NULL;
	struct pk_proto_field f;

	if (read_place(o, m, &location, &module, &type))
		return -1;
	e->first = (uint32_t)o->frames;
	while (pk_proto_next(&m, &f))
		outermost = f.number == 3 ? f.bytes : outermost;
	for (m = e->message; pk_proto_next(&m, &f);) {
		location.inlined = f.bytes != outermost;
		if (f.number == 3 &&
		    add_line(o, pk_proto(f.bytes, f.value), type, module, &location))
			return -1;
	}
	location.inlined = false;
	if (o->frames == e->first &&
	    add_line(o, pk_proto(e->message.at, 0), type, module, &location))
		return -1;
	e->frames = (uint32_t)o->frames - e->first;
	return 0;
}

static int add_location(struct otlp *o, const uint8_t *at, uint64_t index, size_t *count)
{
	struct otlp_entry *e;

	if (otlp_entry(o, at, OTLP_LOCATIONS, index, &e))
		return -1;
	if (!e)
		return 0;
	if (!e->frames && build_location(o, e))
		return -1;
	o->expanded += e->frames;
	if (o->expanded > 64 * o->len + 1000000)
		return otlp_problem(o, at, PK_TOO_MANY_FRAMES);
	PK_GROW(o->path, *count + e->frames, o->path_alloc);
	memcpy(o->path + *count, o->frame + e->first, e->frames * sizeof(*o->path));
	*count += e->frames;
	return 0;
}

static void turn(uint32_t *item, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		uint32_t swap = item[i];

		item[i] = item[count - 1 - i];
		item[count - 1 - i] = swap;
	}
}

int otlp_stack(struct otlp *o, const uint8_t *at, uint64_t index, uint32_t *node)
{
	static const struct pk_proto_shape shape = {.lists = 0x2};
	struct pk_proto_field f;
	struct otlp_entry *e;
	struct pk_proto m, list;
	size_t count = 0;
	int ret = 0;

	if (otlp_entry(o, at, OTLP_STACKS, index, &e))
		return -1;
	if (e && e->built) {
		*node = e->built;
		return 0;
	}
	for (m = e ? e->message : pk_proto(at, 0); (ret = otlp_next(o, &m, &f, &shape)) > 0;) {
		for (list = pk_proto_list(&f); pk_proto_varint(&list, &index);)
			if (add_location(o, f.bytes, index, &count))
				return -1;
		if (list.problem)
			return otlp_problem(o, list.at, list.problem);
	}
	if (ret)
		return -1;
	turn(o->path, count);
	PK_GROW(o->node, count, o->node_alloc);
	pk_build_path(o->b, 0, o->path, count, o->node);
	*node = count ? o->node[count - 1]
		      : pk_build_node(o->b, 0, pk_build_label(o->b, "[no stack]", 10));
	if (e)
		e->built = *node;
	return 0;
}
