/*
 * The names in an export: all other tables refer to them by their ids in StringIds.
 *
 *	StringIds(id, value)                           7, "cudaLaunchKernel_v7000"
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "readers/nsys/internal.h"

uint32_t nsys_add_text(struct nsys *n, const char *text, size_t len)
{
	PK_GROW(n->texts, (size_t)n->text_count + 2, n->text_alloc);
	n->texts[++n->text_count] =
		(struct nsys_text){.text = pk_arena_copy(&n->arena, text, len), .len = len};
	return n->text_count;
}

int nsys_read_texts(struct nsys *n, const char *table, const char *value)
{
	const char *columns[] = {"id", value};
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, table, columns, 2);

	if (status <= 0)
		return status ? -1 : pk_fail(n->err, PK_EFORMAT, "it has no table %s", table);
	while (nsys_next(&rows)) {
		size_t len;
		const char *text = nsys_take_text(&rows, 1, &len);

		if (!text || nsys_int(&rows, 0) == PK_NULL)
			continue;
		pk_id_map_put(&n->text_rows, nsys_int(&rows, 0), nsys_add_text(n, text, len));
	}
	return nsys_close(&rows);
}

uint32_t nsys_text_at(struct nsys *n, uint32_t row)
{
	if (row && !n->texts[row].string)
		n->texts[row].string = pk_build_string(n->b, n->texts[row].text, n->texts[row].len);
	return row ? n->texts[row].string : 0;
}

uint32_t nsys_text(struct nsys *n, int64_t id)
{
	return id == PK_NULL ? 0 : nsys_text_at(n, pk_id_map_get(&n->text_rows, id));
}

uint32_t nsys_label(struct nsys *n, enum nsys_kind kind, uint32_t name, uint32_t system_name)
{
	static const enum pk_function_kind kinds[NSYS_KINDS] = {
		[NSYS_KERNEL] = PK_KIND_GPU,      [NSYS_COPY] = PK_KIND_GPU,
		[NSYS_SET] = PK_KIND_GPU,         [NSYS_GRAPH] = PK_KIND_GPU,
		[NSYS_RUNTIME] = PK_KIND_NATIVE,  [NSYS_DRIVER] = PK_KIND_NATIVE,
		[NSYS_OPERATOR] = PK_KIND_NATIVE, [NSYS_RANGE] = PK_KIND_UNKNOWN,
		[NSYS_SYSTEM] = PK_KIND_NATIVE};
	int64_t id = (int64_t)name << 8 | kinds[kind];
	struct pk_function function = {.kind = kinds[kind]};
	uint32_t label = pk_id_map_get(&n->label_rows, id);

	if (label)
		return label;
	label = ++n->label_count;
	PK_GROW(n->labels, (size_t)label + 1, n->label_alloc);
	function.name = name && *pk_text(pk_builder_profile(n->b), name)
				? name
				: pk_build_text(n->b, "(no name)");
	function.system_name = system_name == name ? 0 : system_name;
	n->labels[label] = (struct pk_nest_label){
		.name = function.name,
		.location = pk_build_place(n->b, pk_build_function(n->b, &function), 0)};
	pk_id_map_put(&n->label_rows, id, label);
	return label;
}

uint32_t nsys_label_by_id(struct nsys *n, enum nsys_kind kind, int64_t name, int64_t other,
			  int64_t system_name)
{
	uint64_t key = (uint64_t)name + 1;
	uint32_t label = pk_near_id(&n->name_labels[kind], key), text;

	if (label)
		return label;
	text = nsys_text(n, name);
	label = nsys_label(n, kind, text ? text : nsys_text(n, other), nsys_text(n, system_name));
	if (text)
		pk_near_id_put(&n->name_labels[kind], key, label);
	return label;
}
