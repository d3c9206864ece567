/*
 * Stacks of addresses as call paths. An address is what the file names it, else the function at
 * that place in the program or library.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/nameless.h"
#include "readers/gperftools/internal.h"
#include "model/build/value_type.h"

PK_COMPARE(by_address, struct gperf_name,
	   PK_ORDER(a->address, b->address) ?: PK_ORDER(a->order, b->order))

/* The names of an address; *count is their number. If it is 0, the result is NULL or a name of
 * another address. */
static const struct gperf_name *find_names(const struct gperf *g, uint64_t address, size_t *count)
{
	size_t low = PK_BISECT(i, 0, g->names, g->name[i].address < address);
	const struct gperf_name *first;

	*count = 0;
	if (low == g->names)
		return NULL;
	first = &g->name[low];
	while (low + *count < g->names && first[*count].address == address &&
	       first[*count].order == first->order + *count)
		++*count;
	return first;
}

static void push_frame(struct gperf *g, struct gperf_place *place, const struct pk_location *l)
{
	PK_GROW(g->frame, g->frames + 1, g->frame_alloc);
	g->frame[g->frames++] = pk_build_location(g->b, l);
	place->count++;
}

/* Inlined frames come before the one that they were inlined into; the same function again is
 * another call. */
static bool push_names(struct gperf *g, struct gperf_place *place, struct pk_location *l)
{
	size_t count, several = 1;
	const struct gperf_name *name = find_names(g, place->address, &count);

	if (!count)
		return false;
	while (several < count && name[several].function != name->function)
		several++;
	if (g->java)
		l->address = 0;
	while (several--) {
		l->function = name[several].function;
		l->line = name[several].line;
		push_frame(g, place, l);
		l->inlined = true;
	}
	return true;
}

/* The frames that the program or library has there. */
static bool push_symbols(struct gperf *g, struct gperf_place *place,
			 const struct gperf_mapping *map)
{
	struct pk_location location[PK_LIBRARY_INLINED];
	size_t count = map ? pk_mapped_frames(g->mapped, map->built, place->address, location) : 0;

	for (size_t i = count; i--;)
		push_frame(g, place, &location[i]);
	return count;
}

/* The number of its frames above the first one that is dropped. */
static uint32_t count_kept(const struct gperf *g, const struct gperf_place *place)
{
	const struct pk_profile *p = pk_builder_profile(g->b);
	uint32_t kept = 0;

	while (kept < place->count) {
		uint32_t function = p->location.function[g->frame[place->first + kept]];

		if (pprof_drop_matches(&g->drop, pk_text(p, p->function.name[function])))
			break;
		kept++;
	}
	return kept;
}

static void make_place(struct gperf *g, struct gperf_place *place)
{
	const struct gperf_mapping *map = gperf_find_mapping(g, place->address);
	struct pk_location location = {.address = place->address, .mapping = map ? map->built : 0};
	struct pk_function f = {.kind = PK_KIND_NATIVE, .module = map ? map->file : 0};

	place->first = (uint32_t)g->frames;
	if (!push_names(g, place, &location) && !push_symbols(g, place, map)) {
		f.name = pk_build_nameless_at(g->b, f.module,
					      map ? place->address - map->start + map->offset
						  : place->address);
		location.function = pk_build_function(g->b, &f);
		push_frame(g, place, &location);
	}
	/* pprof does not know the names that Go writes in comments */
	place->kept = g->names && !g->java ? place->count : count_kept(g, place);
}

static const struct gperf_place *find_place(struct gperf *g, uint64_t address)
{
	uint32_t *known = PK_INDEX_FIND(&g->place_index, pk_hash_u64(address), id,
					g->place[id - 1].address == address);

	if (*known)
		return &g->place[*known - 1];
	PK_GROW(g->place, g->places + 1, g->place_alloc);
	g->place[g->places] = (struct gperf_place){.address = address};
	make_place(g, &g->place[g->places++]);
	*known = (uint32_t)g->places;
	return &g->place[g->places - 1];
}

/* The stack ends above the first place with frames to drop that is below a place without such
 * frames. Returns the first address that stays; stacks are from the leaf. */
static uint32_t first_kept(struct gperf *g, const struct gperf_sample *s)
{
	bool user = false;

	for (uint32_t i = s->depth; i--;) {
		const struct gperf_place *place = find_place(g, g->address[s->first + i]);

		if (place->kept == place->count)
			user = true;
		else if (user)
			return place->kept ? i : i + 1;
	}
	return 0;
}

static int build_stack(struct gperf *g, const struct gperf_sample *s, uint32_t *node)
{
	uint32_t leaf = g->drop.drop ? first_kept(g, s) : 0;

	*node = 0;
	for (uint32_t i = s->depth; i-- > leaf;) {
		const struct gperf_place *place = find_place(g, g->address[s->first + i]);
		uint32_t count = place->kept ? place->kept : place->count;

		g->expanded += count;
		if (g->expanded > 16 * (uint64_t)(g->end - g->data) + 1000000)
			return pk_fail(g->err, PK_EFORMAT, "sample %td: " PK_TOO_MANY_FRAMES,
				       s - g->sample + 1);
		for (uint32_t j = 0; j < count; j++)
			*node = pk_build_node(g->b, *node, g->frame[place->first + j]);
	}
	if (!*node)
		*node = pk_build_node(g->b, 0, pk_build_label(g->b, "[no stack]", 10));
	return 0;
}

int gperf_build(struct gperf *g)
{
	uint32_t bytes = pk_build_text(g->b, "bytes"), node = 0;

	pk_sort(g->name, g->names, sizeof(*g->name), by_address);
	gperf_set_drop(g);
	for (size_t i = 0; i < g->samples; i++) {
		const struct gperf_sample *s = &g->sample[i];
		struct pk_label label = {.key = bytes, .number = s->size};
		struct pk_cost cost = {.thread = s->thread, .calls = PK_NULL};

		if (!s->same && build_stack(g, s, &node))
			return -1;
		cost.node = node;
		if (s->size != PK_NULL)
			cost.labels = pk_build_label_set(g->b, &label, 1);
		for (int v = 0; v < g->values; v++) {
			cost.metric = g->metric[v];
			cost.self = pk_mul_saturated(s->value[v], g->factor[v]);
			if (cost.self && pk_build_cost_of(g->b, &cost) &&
			    pk_build_repair(g->b, g->err, "value too large cut", "sample %zu",
					    i + 1))
				return -1;
		}
	}
	return 0;
}
