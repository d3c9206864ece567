/* Joins what several threads read of one file to one profile, in the order of the file. */
#include "model/build/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/build/internal.h"

struct pk_builder *pk_builder_new_piece(const struct pk_builder *whole)
{
	struct pk_builder *b = pk_builder_new();

	b->is_piece = true;
	b->strict = whole->strict;
	b->ordered = whole->ordered;
	b->wanted = whole->wanted;
	b->arg_keys = whole->arg_keys;
	return b;
}

static void join_repair(struct pk_join *join, uint32_t row, uint64_t lines)
{
	const struct pk_builder *piece = join->piece;
	const struct pk_repair_table *t = &piece->p->repair;
	char place[40];

	snprintf(place, sizeof(place), "line %" PRIu64, lines + piece->repairs[row].line);
	pk_build_repairs(join->b, pk_text(piece->p, t->what[row]), t->times[row], place);
}

/* Places of repairs are texts as well, made when the repair was first seen. */
static void join_strings(struct pk_join *join, uint64_t lines)
{
	const struct pk_profile *p = join->piece->p;
	uint32_t i, repair = 1;

	for (i = 1; i < p->string.count; i++) {
		for (; repair < p->repair.count && join->piece->repairs[repair].strings == i;)
			join_repair(join, repair++, lines);
		pk_copy_string(&join->copy, i);
	}
	while (repair < p->repair.count)
		join_repair(join, repair++, lines);
}

void pk_join_names(struct pk_join *join, struct pk_builder *b, struct pk_builder *piece,
		   uint64_t lines)
{
	uint32_t i;

	memset(join, 0, sizeof(*join));
	join->b = b;
	join->piece = piece;
	pk_copy_init(&join->copy, b, piece->p);
	join->string = join->copy.id[PK_TABLE_STRING];
	join->metric = join->copy.metric;
	join_strings(join, lines);
	for (i = 1; i < piece->p->function.count; i++)
		pk_copy_function(&join->copy, i);
	for (i = 1; i < piece->p->location.count; i++)
		pk_copy_location(&join->copy, i);
}

void pk_join_threads(struct pk_join *join, uint32_t count)
{
	join->threads = count ? count : 1;
	free(join->copy.thread);
	join->thread = pk_calloc(join->threads, sizeof(*join->thread));
	join->copy.thread = join->copy.id[PK_TABLE_THREAD] = join->thread;
}

static bool join_costs(struct pk_join *join)
{
	const struct pk_profile *p = join->piece->p;
	bool cut = false;
	uint32_t i;

	for (i = 1; i < p->cost.count; i++) {
		uint32_t labels = pk_cost_labels(p, i), before = join->b->p->cost.count;
		struct pk_cost cost = {
			.thread = join->thread[pk_cost_thread(p, i)],
			.node = join->copy.node[p->cost.node[i]],
			.metric = join->metric[pk_cost_metric(p, i)],
			.labels = labels ? pk_copy_id(&join->copy, PK_TABLE_LABEL_SET, labels) : 0,
			.self = p->cost.self[i],
			.calls = pk_cost_calls(p, i),
			.later = true};

		cut |= pk_builder_add_cost(join->b, &cost);
		pk_copy_rest(&join->copy, PK_TABLE_COST, i, join->b->p->cost.count - 1, before);
	}
	return !cut;
}

bool pk_join_facts(struct pk_join *join)
{
	uint32_t nodes;

	join->copy.shift = join->shift;
	nodes = join->b->p->node.count;
	pk_builder_join_nodes(join->b, join->piece, join->copy.id[PK_TABLE_LOCATION],
			      join->copy.node);
	for (uint32_t i = 1; join->copy.rest >> PK_TABLE_NODE & 1 && i < join->piece->p->node.count;
	     i++)
		pk_copy_rest(&join->copy, PK_TABLE_NODE, i, join->copy.node[i], nodes);
	pk_copy_rows(&join->copy, PK_TABLE_SAMPLE, NULL);
	return join_costs(join);
}

void pk_join_release(struct pk_join *join)
{
	pk_copy_release(&join->copy);
}
