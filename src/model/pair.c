/*
 * Two profiles as one with two metrics. What does not last from one run to the next
 * must not part functions that are the same: addresses and the lines being executed are
 * dropped, threads become one, and a function of the profile before that is on another line of its
 * file now has the line it has now.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "model/builder.h"
#include "model/copy.h"
#include "model/transform.h"

struct pairing {
	struct pk_copy copy; /* first: callbacks get it */
	struct pk_index places;
};

static uint64_t place_hash(const struct pk_frame *f)
{
	return pk_hash_u64((uint64_t)f->function << 32 | f->file) ^ pk_hash_u64(f->module);
}

/* The slot of the function's frame, whatever its line; or where it would be put. */
static uint32_t find_place(const struct pairing *pair, const struct pk_frame *f)
{
	const struct pk_frame_table *t = &pk_builder_profile(pair->copy.b)->frame;
	const struct pk_index *x = &pair->places;
	uint32_t tag = pk_index_tag(place_hash(f)), i;

	for (i = tag & x->mask; x->slot[i].id; i = (i + 1) & x->mask) {
		uint32_t id = x->slot[i].id;

		if (x->slot[i].tag == tag && t->function[id] == f->function &&
		    t->file[id] == f->file && t->module[id] == f->module)
			break;
	}
	return i;
}

static void index_places(struct pairing *pair)
{
	const struct pk_frame_table *t = &pk_builder_profile(pair->copy.b)->frame;

	for (uint32_t id = 1; id < t->count; id++) {
		struct pk_frame f = {
			.function = t->function[id], .module = t->module[id], .file = t->file[id]};
		uint32_t i;

		pk_index_reserve(&pair->places);
		i = find_place(pair, &f);
		if (!pair->places.slot[i].id)
			pk_index_put(&pair->places, i, pk_index_tag(place_hash(&f)), id);
	}
}

static void drop_address(struct pk_copy *copy, uint32_t frame, struct pk_frame *f)
{
	(void)copy;
	(void)frame;
	f->address = 0;
}

/* Names such as <lambda> are those of many functions: they keep their lines. */
static void use_line_of_now(struct pk_copy *copy, uint32_t frame, struct pk_frame *f)
{
	const struct pairing *pair = (const struct pairing *)copy;
	uint32_t id;

	(void)frame;
	f->address = 0;
	if (!pair->places.slot || pk_text(pk_builder_profile(copy->b), f->function)[0] == '<')
		return;
	id = pair->places.slot[find_place(pair, f)].id;
	if (id) {
		f->line = pk_builder_profile(copy->b)->frame.line[id];
		f->kind = pk_builder_profile(copy->b)->frame.kind[id];
	}
}

static void add_side(struct pk_copy *copy, uint32_t from, uint32_t to, int exponent)
{
	const struct pk_profile *p = copy->p;

	for (int e = p->metric.exponent[from]; e < exponent; e++)
		copy->factor[from] *= 10;
	for (uint32_t i = 1; i < p->node.count; i++) {
		copy->node[i] = pk_build_node(copy->b, copy->node[p->node.parent[i]],
					      pk_copy_frame(copy, p->node.frame[i]), 0);
		if (pk_node_estimated(p, i))
			pk_build_node_estimated(copy->b, copy->node[i]);
	}
	for (uint32_t i = 1; i < p->cost.count; i++) {
		if (pk_cost_metric(p, i) == from)
			pk_build_cost(copy->b, 0, copy->node[p->cost.node[i]], to,
				      pk_copy_value(copy, from, p->cost.self[i]), PK_NULL);
	}
}

struct pk_profile *pk_pair(const struct pk_profile *before, uint32_t before_metric,
			   const struct pk_profile *after, uint32_t after_metric)
{
	const struct pk_metric_table *tb = &before->metric, *ta = &after->metric;
	struct pk_builder *b = pk_builder_new();
	struct pairing pair = {0};
	const char *unit = pk_metric_unit(after, after_metric);
	int exponent = ta->exponent[after_metric];
	uint32_t was, is;

	if (tb->exponent[before_metric] > exponent)
		exponent = tb->exponent[before_metric];
	was = pk_build_metric(b, "before", unit, exponent, tb->kind[before_metric],
			      tb->exactness[before_metric]);
	is = pk_build_metric(b, "after", unit, exponent, ta->kind[after_metric],
			     ta->exactness[after_metric]);
	pk_copy_init(&pair.copy, b, after);
	pair.copy.edit_frame = drop_address;
	pk_copy_run(&pair.copy);
	add_side(&pair.copy, after_metric, is, exponent);
	index_places(&pair);
	pk_copy_release(&pair.copy);
	pk_copy_init(&pair.copy, b, before);
	pair.copy.edit_frame = use_line_of_now;
	add_side(&pair.copy, before_metric, was, exponent);
	pk_copy_release(&pair.copy);
	pk_index_release(&pair.places);
	return pk_builder_finish(b);
}
