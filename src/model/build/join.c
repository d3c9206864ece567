#include "model/build/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "model/build/internal.h"

struct pk_builder *pk_builder_new_piece(const struct pk_builder *whole)
{
	struct pk_builder *b = pk_builder_new();

	b->is_piece = true;
	b->strict = whole->strict;
	b->ordered = whole->ordered;
	b->wanted = whole->wanted;
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
	const struct pk_builder *piece = join->piece;
	const struct pk_string_table *t = &piece->p->string;
	uint32_t i, repair = 1;

	for (i = 1; i < t->count; i++) {
		for (; repair < piece->p->repair.count && piece->repairs[repair].strings == i;)
			join_repair(join, repair++, lines);
		join->string[i] = pk_build_string(join->b, t->text[i], t->len[i]);
	}
	while (repair < piece->p->repair.count)
		join_repair(join, repair++, lines);
}

static void join_functions(struct pk_join *join)
{
	const struct pk_function_table *t = &join->piece->p->function;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		struct pk_function f = {
			.name = join->string[t->name[i]],
			.system_name = t->system_name ? join->string[t->system_name[i]] : 0,
			.module = join->string[t->module[i]],
			.file = join->string[t->file[i]],
			.line = t->line[i],
			.kind = (enum pk_function_kind)t->kind[i]};

		join->function[i] = pk_build_function(join->b, &f);
	}
}

static void join_locations(struct pk_join *join)
{
	const struct pk_location_table *t = &join->piece->p->location;
	uint32_t i;

	for (i = 1; i < t->count; i++) {
		struct pk_location l = {.function = join->function[t->function[i]],
					.line = t->line ? t->line[i] : 0,
					.column = t->column ? t->column[i] : 0,
					.address = t->address ? t->address[i] : 0,
					.inlined = t->inlined && t->inlined[i]};

		join->location[i] = pk_build_location(join->b, &l);
	}
}

void pk_join_names(struct pk_join *join, struct pk_builder *b, struct pk_builder *piece,
		   uint64_t lines)
{
	const struct pk_profile *p = piece->p;

	memset(join, 0, sizeof(*join));
	join->b = b;
	join->piece = piece;
	join->string = pk_calloc(p->string.count, sizeof(*join->string));
	join->function = pk_calloc(p->function.count, sizeof(*join->function));
	join->location = pk_calloc(p->location.count, sizeof(*join->location));
	join->node = pk_calloc(p->node.count, sizeof(*join->node));
	join->metric = pk_calloc(p->metric.count, sizeof(*join->metric));
	join_strings(join, lines);
	join_functions(join);
	join_locations(join);
}

void pk_join_threads(struct pk_join *join, uint32_t count)
{
	join->thread = pk_calloc(count ? count : 1, sizeof(*join->thread));
	join->threads = count ? count : 1;
}

static void join_samples(struct pk_join *join)
{
	const struct pk_sample_table *t = &join->piece->p->sample;
	uint32_t i;

	for (i = 1; i < t->count; i++)
		pk_build_sample(join->b, t->time[i] == PK_NULL ? PK_NULL : t->time[i] + join->shift,
				join->thread[t->thread[i]], join->node[t->node[i]],
				join->metric[t->metric[i]], t->value[i]);
}

static bool join_costs(struct pk_join *join)
{
	const struct pk_profile *p = join->piece->p;
	bool cut = false;
	uint32_t i;

	for (i = 1; i < p->cost.count; i++)
		cut |= pk_builder_add_cost(
			join->b, join->thread[pk_cost_thread(p, i)], join->node[p->cost.node[i]],
			join->metric[pk_cost_metric(p, i)], p->cost.self[i], pk_cost_calls(p, i));
	return !cut;
}

bool pk_join_facts(struct pk_join *join)
{
	if (!join->thread)
		pk_join_threads(join, join->piece->p->thread.count);
	pk_builder_join_nodes(join->b, join->piece, join->location, join->node);
	join_samples(join);
	return join_costs(join);
}

void pk_join_release(struct pk_join *join)
{
	free(join->string);
	free(join->function);
	free(join->location);
	free(join->node);
	free(join->metric);
	free(join->thread);
}
