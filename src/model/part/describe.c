/* What analyses know of the runs of a part: rows that are kept as they are, and collectives, which
 * all ranks that have them share. */
#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/internal.h"
#include "model/part/part.h"

static uint64_t hash_of(const struct pk_part_collective *c)
{
	uint64_t names = (uint64_t)c->communicator << 32 | c->name;

	return pk_hash_pair(pk_hash_pair(names, (uint64_t)c->place), (uint64_t)c->bytes);
}

static bool is_same(const struct pk_part_collective *a, const struct pk_part_collective *b)
{
	return a->communicator == b->communicator && a->name == b->name && a->type == b->type &&
	       a->guessed == b->guessed && a->place == b->place && a->size == b->size &&
	       a->bytes == b->bytes;
}

/* Of several members with the same time, the first in the order of their digests is kept. */
static bool is_before(const struct pk_reduction *part, uint32_t a, uint32_t b)
{
	const struct pk_profile *p = part->b->p;

	return strcmp(pk_text(p, part->member[a].digest), pk_text(p, part->member[b].digest)) < 0;
}

static void join(const struct pk_reduction *part, struct pk_part_collective *sum,
		 const struct pk_part_collective *c)
{
	pk_add_saturated(&sum->ranks, c->ranks);
	pk_add_saturated(&sum->time, c->time);
	pk_add_saturated(&sum->exposed, c->exposed);
	if (c->shortest < sum->shortest ||
	    (c->shortest == sum->shortest && is_before(part, c->shortest_in, sum->shortest_in))) {
		sum->shortest = c->shortest;
		sum->shortest_in = c->shortest_in;
		sum->shortest_gpu = c->shortest_gpu;
	}
	if (c->longest > sum->longest)
		sum->longest = c->longest;
}

void pk_part_add_collective(struct pk_reduction *part, const struct pk_part_collective *c)
{
	uint32_t *known = PK_INDEX_FIND(&part->by_collective, hash_of(c), id,
					is_same(&part->collective[id], c));

	if (*known) {
		join(part, &part->collective[*known], c);
		return;
	}
	PK_GROW(part->collective, (size_t)part->collectives + 1, part->collective_alloc);
	part->collective[part->collectives] = *c;
	*known = part->collectives++;
}

void pk_part_put(struct pk_reduction *part, enum pk_table_id table, const uint64_t *value,
		 int count)
{
	pk_builder_put(part->b, table, value, count);
}

void pk_part_put_collectives(struct pk_reduction *part)
{
	for (uint32_t i = 1; i < part->collectives; i++) {
		const struct pk_part_collective *c = &part->collective[i];
		const uint64_t value[] = {c->communicator,
					  c->name,
					  c->type,
					  c->guessed,
					  (uint64_t)c->place,
					  (uint64_t)c->size,
					  (uint64_t)c->bytes,
					  (uint64_t)c->ranks,
					  (uint64_t)c->time,
					  (uint64_t)c->exposed,
					  (uint64_t)c->shortest,
					  (uint64_t)c->longest,
					  c->shortest_in,
					  c->shortest_gpu};

		pk_builder_put(part->b, PK_TABLE_COLLECTIVE, value, sizeof(value) / sizeof(*value));
	}
}

static void add_collectives(struct pk_reduction *part, struct pk_copy *copy)
{
	const struct pk_collective_table *t = &copy->p->collective;

	for (uint32_t i = 1; i < t->count; i++) {
		struct pk_part_collective c = {.communicator =
						       pk_copy_string(copy, t->communicator[i]),
					       .name = pk_copy_string(copy, t->name[i]),
					       .type = pk_copy_string(copy, t->type[i]),
					       .guessed = t->guessed[i],
					       .place = t->place[i],
					       .size = t->size[i],
					       .bytes = t->bytes[i],
					       .ranks = t->ranks[i],
					       .time = t->time[i],
					       .exposed = t->exposed[i],
					       .shortest = t->shortest[i],
					       .longest = t->longest[i],
					       .shortest_in = part->member_of[t->shortest_in[i]],
					       .shortest_gpu = t->shortest_gpu[i]};

		pk_part_add_collective(part, &c);
	}
}

/* Adds rows that refer to members and texts only, each column as schema.c describes it. */
static void add_rows(struct pk_reduction *part, struct pk_copy *copy, enum pk_table_id table)
{
	enum { MOST = 32 };
	const struct pk_table *t = &pk_tables[table];
	uint32_t rows = pk_table_rows(copy->p, t);
	uint64_t value[MOST];

	for (uint32_t i = 1; i < rows; i++) {
		for (int k = 0; k < t->column_count; k++) {
			const struct pk_column *c = &t->columns[k];
			const void *data = *pk_column_at(copy->p, t, c);

			value[k] = pk_column_get(c, data, i);
			if (c->type == PK_COL_TEXT)
				value[k] = pk_copy_string(copy, (uint32_t)value[k]);
			else if (c->type == PK_COL_REF)
				value[k] = part->member_of[value[k]];
		}
		pk_builder_put(part->b, table, value, t->column_count);
	}
}

void pk_part_add_descriptions(struct pk_reduction *part, struct pk_copy *copy)
{
	add_rows(part, copy, PK_TABLE_GPU_STEP);
	add_rows(part, copy, PK_TABLE_WORKER);
	add_collectives(part, copy);
}
