/*
 * Tables that the threads of a profile for profiler.firefox.com share.
 *
 *	"shared": {"stackTable": {"frame": [0, 1], "prefix": [null, 0], "length": 2},
 *	           "frameTable": {"func": [0, 1], "line": [4, null], ..., "length": 2},
 *	           "funcTable": {...}, "resourceTable": {...}, "nativeSymbols": {...},
 *	           "sources": {...}, "stringArray": ["main"]}
 *
 * - Call paths are the stacks, in their order; a frame is a place in a function with a category.
 * - Frames without a category have that of their caller.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "writers/gecko/internal.h"

enum { LIBRARY = 1 };

struct tables {
	uint32_t *frame_of;            /* by node */
	uint32_t *location, *category; /* by frame, from 1 */
	uint32_t frames, alloc, category_alloc;
	struct pk_index index;
	uint32_t *mapping;     /* by function: of its code */
	uint32_t *resource_of; /* by string, module of functions: number in the file, from 1 */
	uint32_t *resource;    /* by that number: a function of it */
	uint32_t resources;
};

static uint32_t find_frame(struct tables *t, uint32_t location, uint32_t category)
{
	uint32_t *known = PK_INDEX_FIND(&t->index, pk_hash_pair(location, category), id,
					t->location[id] == location && t->category[id] == category);

	if (*known)
		return *known;
	t->frames++;
	PK_GROW(t->location, (size_t)t->frames + 1, t->alloc);
	PK_GROW(t->category, (size_t)t->frames + 1, t->category_alloc);
	t->location[t->frames] = location;
	t->category[t->frames] = category;
	return *known = t->frames;
}

static void make_frames(struct gecko_out *w, struct tables *t)
{
	const struct pk_profile *p = w->p;

	t->frame_of = pk_calloc(p->node.count, sizeof(*t->frame_of));
	for (uint32_t i = 1; i < p->node.count; i++) {
		uint32_t said = w->node_category[i];
		uint32_t kind = w->kind[p->function.kind[pk_node_function(p, i)]];

		t->frame_of[i] = find_frame(t, p->node.location[i], said ? said : kind);
	}
}

static void put_stacks(struct gecko_out *w, const struct tables *t)
{
	const struct pk_profile *p = w->p;
	struct pk_json_writer *j = &w->json;

	pk_json_put_object(j, "stackTable");
	pk_json_put_flat_array(j, "frame");
	for (uint32_t i = 1; i < p->node.count; i++)
		pk_json_int(j, (int64_t)t->frame_of[i] - 1);
	pk_json_end(j);
	pk_json_put_flat_array(j, "prefix");
	for (uint32_t i = 1; i < p->node.count; i++)
		pk_json_int_or_null(j,
				    p->node.parent[i] ? (int64_t)p->node.parent[i] - 1 : PK_NULL);
	pk_json_end(j);
	pk_json_put(j, "length %u", p->node.count - 1);
	pk_json_end(j);
}

/* A column: a function from a row to a number, PK_NULL for null. */
typedef int64_t cell(struct gecko_out *w, const struct tables *t, uint32_t row);

static void put_column(struct gecko_out *w, const struct tables *t, const char *name, uint32_t rows,
		       cell *of)
{
	pk_json_put_flat_array(&w->json, name);
	for (uint32_t row = 1; row <= rows; row++)
		pk_json_int_or_null(&w->json, of(w, t, row));
	pk_json_end(&w->json);
}

static void put_flags(struct gecko_out *w, const char *name, uint32_t rows)
{
	pk_json_put_flat_array(&w->json, name);
	for (uint32_t row = 1; row <= rows; row++)
		pk_json_bool(&w->json, false);
	pk_json_end(&w->json);
}

static int64_t null_of(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	(void)w, (void)t, (void)row;
	return PK_NULL;
}

static int64_t known_or_null(int64_t value)
{
	return value ? value : PK_NULL;
}

static int64_t frame_func(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	return (int64_t)w->p->location.function[t->location[row]] - 1;
}

static int64_t frame_line(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	return known_or_null(pk_location_line(w->p, t->location[row]));
}

static int64_t frame_column(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	return known_or_null(w->p->location.column ? w->p->location.column[t->location[row]] : 0);
}

static int64_t frame_address(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	uint64_t address = w->p->location.address ? w->p->location.address[t->location[row]] : 0;

	return address && address < UINT64_C(1) << 53 ? (int64_t)address : -1;
}

static int64_t frame_inlined(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	return w->p->location.inlined && w->p->location.inlined[t->location[row]];
}

static int64_t frame_category(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	(void)w;
	return known_or_null(t->category[row]);
}

static int64_t frame_subcategory(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	(void)w;
	return t->category[row] ? 0 : PK_NULL;
}

static void put_frames(struct gecko_out *w, const struct tables *t)
{
	pk_json_put_object(&w->json, "frameTable");
	put_column(w, t, "address", t->frames, frame_address);
	put_column(w, t, "inlineDepth", t->frames, frame_inlined);
	put_column(w, t, "category", t->frames, frame_category);
	put_column(w, t, "subcategory", t->frames, frame_subcategory);
	put_column(w, t, "func", t->frames, frame_func);
	put_column(w, t, "nativeSymbol", t->frames, null_of);
	put_column(w, t, "innerWindowID", t->frames, null_of);
	put_column(w, t, "line", t->frames, frame_line);
	put_column(w, t, "column", t->frames, frame_column);
	pk_json_put(&w->json, "length %u", t->frames);
	pk_json_end(&w->json);
}

/* Functions of a module are of one resource. */
static void make_resources(struct gecko_out *w, struct tables *t)
{
	const struct pk_profile *p = w->p;

	t->resource_of = pk_calloc(p->string.count, sizeof(*t->resource_of));
	t->resource = pk_calloc(p->function.count, sizeof(*t->resource));
	t->mapping = pk_calloc(p->function.count, sizeof(*t->mapping));
	for (uint32_t i = 1; p->location.mapping && i < p->location.count; i++)
		t->mapping[p->location.function[i]] = p->location.mapping[i];
	for (uint32_t i = 1; i < p->function.count; i++) {
		uint32_t module = p->function.module[i];

		if (!module || t->resource_of[module])
			continue;
		t->resource_of[module] = ++t->resources;
		t->resource[t->resources] = i;
	}
}

static int64_t func_name(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	(void)t;
	return gecko_string(w, w->p->function.name[row]);
}

static int64_t func_resource(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	return (int64_t)t->resource_of[w->p->function.module[row]] - 1;
}

static int64_t func_source(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	uint32_t file = w->p->function.file[row];

	(void)t;
	if (!file)
		return PK_NULL;
	if (!w->source[file]) {
		PK_GROW(w->sourced, (size_t)w->sources + 1, w->source_alloc);
		w->sourced[w->sources++] = file;
		w->source[file] = w->sources;
	}
	return (int64_t)w->source[file] - 1;
}

static int64_t func_line(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	(void)t;
	return known_or_null(w->p->function.line[row]);
}

static void put_functions(struct gecko_out *w, const struct tables *t)
{
	uint32_t count = w->p->function.count - 1;

	pk_json_put_object(&w->json, "funcTable");
	put_column(w, t, "name", count, func_name);
	put_flags(w, "isJS", count);
	put_flags(w, "relevantForJS", count);
	put_column(w, t, "resource", count, func_resource);
	put_column(w, t, "source", count, func_source);
	put_column(w, t, "lineNumber", count, func_line);
	put_column(w, t, "columnNumber", count, null_of);
	pk_json_put(&w->json, "length %u", count);
	pk_json_end(&w->json);
}

static int64_t resource_name(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	return gecko_string(w, w->p->function.module[t->resource[row]]);
}

/* The library, if the module is called as its file is. */
static int64_t resource_lib(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	uint32_t mapping = t->mapping[t->resource[row]];
	bool same =
		mapping && w->p->mapping.file[mapping] == w->p->function.module[t->resource[row]];

	return same ? (int64_t)mapping - 1 : PK_NULL;
}

static int64_t resource_type(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	(void)w, (void)t, (void)row;
	return LIBRARY;
}

static int64_t source_name(struct gecko_out *w, const struct tables *t, uint32_t row)
{
	(void)t;
	return gecko_string(w, w->sourced[row - 1]);
}

static void put_resources(struct gecko_out *w, const struct tables *t)
{
	static const char *const symbols[] = {"libIndex", "address", "name", "functionSize"};

	pk_json_put_object(&w->json, "resourceTable");
	put_column(w, t, "lib", t->resources, resource_lib);
	put_column(w, t, "name", t->resources, resource_name);
	put_column(w, t, "host", t->resources, null_of);
	put_column(w, t, "type", t->resources, resource_type);
	pk_json_put(&w->json, "length %u", t->resources);
	pk_json_end(&w->json);
	pk_json_put_object(&w->json, "nativeSymbols");
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		put_column(w, t, symbols[i], 0, null_of);
	pk_json_put(&w->json, "length %u", 0);
	pk_json_end(&w->json);
	pk_json_put_object(&w->json, "sources");
	put_column(w, t, "uuid", w->sources, null_of);
	put_column(w, t, "filename", w->sources, source_name);
	pk_json_put(&w->json, "length %u", w->sources);
	pk_json_end(&w->json);
}

static void put_strings(struct gecko_out *w)
{
	pk_json_put_array(&w->json, "stringArray");
	for (uint32_t i = 0; i < w->strings; i++)
		pk_json_text_len(&w->json, pk_text(w->p, w->listed[i]),
				 w->p->string.len[w->listed[i]]);
	pk_json_end(&w->json);
}

void gecko_put_shared(struct gecko_out *w)
{
	struct tables t = {.frames = 0};

	make_frames(w, &t);
	make_resources(w, &t);
	pk_json_put_object(&w->json, "shared");
	put_stacks(w, &t);
	put_frames(w, &t);
	put_functions(w, &t);
	put_resources(w, &t);
	put_strings(w);
	pk_json_end(&w->json);
	free(t.frame_of);
	free(t.location);
	free(t.category);
	free(t.mapping);
	free(t.resource_of);
	free(t.resource);
	pk_index_release(&t.index);
}
