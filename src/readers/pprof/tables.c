/*
 * What samples of pprof refer to: mappings, functions, locations. They may come after the samples,
 * and after each other, so that their messages are kept and what is in use is built last.
 *
 *	mapping  1: 0x400000 to 0x513000 of /srv/app, build id 9d2c89...
 *	function 1: main.work, a.go, begins in line 10
 *	location 1: mapping 1, address 0x4a3f10, lines: function 2 line 5, function 1 line 12
 *
 * The first line of a location is the innermost function, which was inlined into the one after it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/nameless.h"
#include "readers/pprof/internal.h"
#include "model/build/value_type.h"

const struct pk_proto_shape pprof_mapping_shape = {.numbers = 0x7FE};
const struct pk_proto_shape pprof_location_shape = {.numbers = 0x2E, .bytes = 0x10};
const struct pk_proto_shape pprof_function_shape = {.numbers = 0x3E};

uint32_t pprof_find(const struct pprof_ids *ids, uint64_t id)
{
	const struct pk_index *x = &ids->others;
	uint32_t tag, i;

	if (id < ids->rows && ids->row[id])
		return ids->row[id];
	if (!x->used)
		return 0;
	tag = pk_index_tag(pk_hash_u64(id));
	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask)
		if (x->slot[i].tag == tag && ids->id[x->slot[i].id] == id)
			return x->slot[i].id;
	return 0;
}

static uint32_t define(struct pprof_ids *ids, uint64_t id)
{
	struct pk_index *x = &ids->others;
	uint32_t row = ++ids->count, tag, i;

	PK_GROW(ids->id, (size_t)row + 1, ids->alloc);
	ids->id[row] = id;
	if (id < 2 * (uint64_t)row + 64) {
		PK_GROW_ZERO(ids->row, (size_t)id + 1, ids->rows);
		ids->row[id] = row;
		return row;
	}
	tag = pk_index_tag(pk_hash_u64(id));
	pk_index_reserve(x);
	for (i = tag & x->mask; x->slot[i].id;)
		i = (i + 1) & x->mask;
	pk_index_put(x, i, tag, row);
	return row;
}

void pprof_ids_release(struct pprof_ids *ids)
{
	free(ids->id);
	free(ids->row);
	pk_index_release(&ids->others);
}

/* Makes a row for the id of a message. *row 0: it cannot have one, which is counted. */
static int add_row(struct pprof *p, struct pprof_ids *ids, uint64_t id, const uint8_t *at,
		   const char *what, uint32_t *row)
{
	*row = 0;
	if (!id || pprof_find(ids, id))
		return pprof_repair(p, at, what);
	if (ids->count == UINT32_MAX - 1)
		return pprof_problem(p, at,
				     "more than 4,294,967,294 mappings, functions or locations");
	*row = define(ids, id);
	return 0;
}

int pprof_read_mapping(struct pprof *p, const struct pk_proto_field *message)
{
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pprof_mapping mapping = {0};
	struct pk_proto_field f;
	uint64_t id = 0;
	uint32_t row;
	int ret;

	while ((ret = pprof_next(p, &m, &f, &pprof_mapping_shape)) > 0) {
		switch (f.number) {
		case 1:
			id = f.value;
			break;
		case 2:
			mapping.start = f.value;
			break;
		case 3:
			mapping.limit = f.value;
			break;
		case 4:
			mapping.offset = f.value;
			break;
		case 5:
			mapping.file = f.value;
			break;
		case 6:
			mapping.build_id = f.value;
			break;
		default:
			mapping.symbols |= (uint8_t)((f.value != 0) << (f.number - 7));
		}
	}
	if (ret || add_row(p, &p->mapping_ids, id, message->bytes,
			   "mapping without an id of its own left out", &row))
		return -1;
	if (!row)
		return 0;
	PK_GROW(p->mapping, (size_t)row + 1, p->mapping_alloc);
	p->mapping[row] = mapping;
	return 0;
}

int pprof_build_mappings(struct pprof *p)
{
	for (uint32_t i = 1; i <= p->mapping_ids.count; i++) {
		struct pprof_mapping *m = &p->mapping[i];
		struct pk_mapping mapping = {
			.start = m->start, .limit = m->limit, .offset = m->offset};

		/* an empty mapping is written where one is required; but the first one is that of
		 * the program */
		if (!m->file && !m->build_id && !m->start && !m->limit && !m->offset &&
		    (i > 1 || p->mapping_ids.count == 1))
			continue;
		if (pprof_string(p, p->data, m->file, &mapping.file) ||
		    pprof_string(p, p->data, m->build_id, &mapping.build_id))
			return -1;
		m->built = pk_build_mapping(p->b, &mapping);
		pk_build_set(p->b, mapping, symbols, m->built, m->symbols);
	}
	return 0;
}

/* Lines are whole numbers that may be negative, as wrong ones are. */
static int take_line(struct pprof *p, const struct pk_proto_field *f, uint32_t *line)
{
	*line = f->value < UINT32_MAX ? (uint32_t)f->value : 0;
	return f->value < UINT32_MAX ? 0 : pprof_repair(p, f->bytes, "impossible line left out");
}

int pprof_read_function(struct pprof *p, const struct pk_proto_field *message)
{
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pprof_function function = {0};
	struct pk_proto_field f;
	uint64_t id = 0;
	uint32_t row;
	int ret;

	while ((ret = pprof_next(p, &m, &f, &pprof_function_shape)) > 0) {
		switch (f.number) {
		case 1:
			id = f.value;
			break;
		case 2:
			function.name = f.value;
			break;
		case 3:
			function.system_name = f.value;
			break;
		case 4:
			function.file = f.value;
			break;
		default:
			if (take_line(p, &f, &function.line))
				return -1;
		}
	}
	if (ret || add_row(p, &p->function_ids, id, message->bytes,
			   "function without an id of its own left out", &row))
		return -1;
	if (!row)
		return 0;
	PK_GROW(p->function, (size_t)row + 1, p->function_alloc);
	p->function[row] = function;
	return 0;
}

int pprof_read_location(struct pprof *p, const struct pk_proto_field *message)
{
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pprof_location location = {.message = m};
	struct pk_proto_field f;
	uint64_t id = 0;
	uint32_t row;
	int ret;

	while ((ret = pprof_next(p, &m, &f, &pprof_location_shape)) > 0) {
		if (f.number == 1)
			id = f.value;
		else if (f.number == 2)
			location.mapping = f.value;
		else if (f.number == 3)
			location.address = f.value;
	}
	if (ret || add_row(p, &p->location_ids, id, message->bytes,
			   "location without an id of its own left out", &row))
		return -1;
	if (!row)
		return 0;
	PK_GROW(p->location, (size_t)row + 1, p->location_alloc);
	p->location[row] = location;
	return 0;
}

static enum pk_function_kind kind_of(const struct pprof *p, uint32_t file, uint32_t module)
{
	const struct pk_profile *profile = pk_builder_profile(p->b);

	if (pk_starts_with(pk_text(profile, module), "[kernel"))
		return PK_KIND_KERNEL;
	if (pk_string_ends_with(profile, file, ".py"))
		return PK_KIND_PYTHON;
	return module ? PK_KIND_NATIVE : PK_KIND_UNKNOWN;
}

/*
 * If the linker's name is not known, it is an empty text. A name that begins with < is its own
 * linker's name if they are the same: pprof shows such names in another way.
 */
static int build_function(struct pprof *p, const uint8_t *at, struct pprof_function *f,
			  uint32_t module)
{
	struct pk_function function = {.module = module, .line = f->line};
	uint32_t system_name;

	if (pprof_string(p, at, f->name, &function.name) ||
	    pprof_string(p, at, f->system_name, &system_name) ||
	    pprof_string(p, at, f->file, &function.file))
		return -1;
	if (!function.name)
		function.name = system_name ? system_name : pk_build_nameless(p->b, module);
	if (system_name != function.name ||
	    *pk_text(pk_builder_profile(p->b), function.name) == '<')
		function.system_name = system_name ? system_name : pk_build_string(p->b, "", 0);
	function.kind = kind_of(p, function.file, module);
	f->built = pk_build_function(p->b, &function);
	return 0;
}

static bool is_dropped(struct pprof *p, const struct pprof_function *f)
{
	const struct pk_profile *profile = pk_builder_profile(p->b);
	uint32_t name = profile->function.name[f->built];
	uint64_t text = f->name < p->texts && p->text[f->name].string ? f->name : f->system_name;

	if (text >= p->texts || p->text[text].string != name) /* without a name */
		return pprof_drop_matches(&p->drop, pk_text(profile, name));
	if (!p->text[text].judged)
		p->text[text].dropped = pprof_drop_matches(&p->drop, pk_text(profile, name));
	p->text[text].judged = true;
	return p->text[text].dropped;
}

static int read_line(struct pprof *p, const struct pk_proto_field *message,
		     struct pk_location *location, uint64_t *id)
{
	static const struct pk_proto_shape shape = {.numbers = 0xE};
	struct pk_proto m = pk_proto(message->bytes, message->value);
	struct pk_proto_field f;
	int ret;

	*id = 0;
	location->line = location->column = 0;
	while ((ret = pprof_next(p, &m, &f, &shape)) > 0) {
		if (f.number == 1)
			*id = f.value;
		else if (take_line(p, &f, f.number == 2 ? &location->line : &location->column))
			return -1;
	}
	return ret;
}

/* One frame, of `location`, which has all but the function. */
static int add_frame(struct pprof *p, const uint8_t *at, uint64_t id, uint32_t module,
		     struct pk_location *location, bool *dropped)
{
	uint32_t row = pprof_find(&p->function_ids, id);

	*dropped = false;
	if (row) {
		struct pprof_function *f = &p->function[row];

		if (!f->built && build_function(p, at, f, module))
			return -1;
		location->function = f->built;
		*dropped = is_dropped(p, f);
	} else {
		struct pk_function function = {.name = pk_build_nameless(p->b, module),
					       .module = module,
					       .kind = kind_of(p, 0, module)};

		if (id && pprof_repair(p, at, "function that is not there left without a name"))
			return -1;
		location->function = pk_build_function(p->b, &function);
	}
	PK_GROW(p->frame, p->frames + 1, p->frame_alloc);
	p->frame[p->frames++] = pk_build_location(p->b, location);
	return 0;
}

/* Frames are in the reverse order in the file. The frames of drop_frames and their callees end the
 * location, unless it has no others. */
static void turn_frames(struct pprof *p, struct pprof_location *l, uint32_t kept)
{
	l->frames = (uint32_t)p->frames - l->first;
	for (uint32_t i = 0; i < l->frames / 2; i++) {
		uint32_t *low = &p->frame[l->first + i], *high = &p->frame[p->frames - 1 - i];
		uint32_t swap = *low;

		*low = *high;
		*high = swap;
	}
	l->prunes = kept < l->frames;
	l->pruned = l->prunes && !kept;
	if (kept)
		l->frames = kept;
}

/* The frames that the program or library has at the address, which the file does not name. */
static void add_symbols(struct pprof *p, const struct pprof_location *l,
			const struct pprof_mapping *mapping, uint32_t *kept)
{
	const struct pk_profile *profile = pk_builder_profile(p->b);
	struct pk_location location[PK_LIBRARY_INLINED];
	size_t count = 0;

	if (!mapping->symbols || pk_mapped_is_named(p->mapped, mapping->built))
		count = pk_mapped_frames(p->mapped, mapping->built, l->address, location);
	for (size_t i = 0; i < count; i++) {
		uint32_t name = profile->function.name[location[i].function];

		PK_GROW(p->frame, p->frames + 1, p->frame_alloc);
		p->frame[p->frames++] = pk_build_location(p->b, &location[i]);
		*kept = pprof_drop_matches(&p->drop, pk_text(profile, name)) ? 0 : *kept + 1;
	}
}

int pprof_build_location(struct pprof *p, struct pprof_location *l)
{
	struct pk_location location = {.address = l->address};
	uint32_t mapping = pprof_find(&p->mapping_ids, l->mapping), module = 0, kept = 0;
	const uint8_t *outermost = NULL;
	struct pk_proto m = l->message;
	struct pk_proto_field f;
	bool dropped;
	uint64_t id;

	if (l->mapping && !mapping && pprof_repair(p, m.at, "mapping that is not there left out"))
		return -1;
	if (mapping) {
		location.mapping = p->mapping[mapping].built;
		module = pk_builder_profile(p->b)->mapping.file[location.mapping];
	}
	l->first = (uint32_t)p->frames;
	while (pprof_next(p, &m, &f, &pprof_location_shape) > 0)
		outermost = f.number == 4 ? f.bytes : outermost;
	for (m = l->message; pprof_next(p, &m, &f, &pprof_location_shape) > 0;) {
		if (f.number != 4)
			continue;
		location.inlined = f.bytes != outermost;
		if (read_line(p, &f, &location, &id) ||
		    add_frame(p, f.bytes, id, module, &location, &dropped))
			return -1;
		kept = dropped ? 0 : kept + 1;
	}
	if (l->first == p->frames && mapping)
		add_symbols(p, l, &p->mapping[mapping], &kept);
	if (l->first == p->frames) {
		location.inlined = false;
		if (add_frame(p, l->message.at, 0, module, &location, &dropped))
			return -1;
		kept = 1;
	}
	turn_frames(p, l, kept);
	return 0;
}
