/* Functions and lines by the memory that they allocated. */
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/totals.h"

PK_COMPARE(by_self, struct pk_memory_row,
	   PK_ORDER(b->self, a->self)
		   ?: PK_ORDER(b->total, a->total)
		   ?: PK_ORDER(a->function, b->function)
		   ?: PK_ORDER(a->line, b->line))
PK_COMPARE(by_total, struct pk_memory_row,
	   PK_ORDER(b->total, a->total)
		   ?: PK_ORDER(b->self, a->self)
		   ?: PK_ORDER(a->function, b->function))
PK_COMPARE(by_place, struct pk_memory_row,
	   PK_ORDER(a->function, b->function) ?: PK_ORDER(a->line, b->line))

/* Per function or location: values and allocations of its own. */
struct sums {
	int64_t *self, *count; /* count: NULL = not known */
};

/* By call path: the innermost one with a line of source on the way to it, or itself: code in C has
 * none, and people look for their own line. */
static uint32_t *find_lines(const struct pk_profile *p)
{
	uint32_t *node = pk_calloc(p->node.count, sizeof(*node)), i;

	for (i = 1; i < p->node.count; i++)
		node[i] = pk_node_line(p, i) ? i : node[p->node.parent[i]];
	for (i = 1; i < p->node.count; i++)
		node[i] = node[i] ? node[i] : i;
	return node;
}

static void add_costs(struct sums *s, const struct pk_memory_list *list, const struct pk_profile *p,
		      uint32_t rows)
{
	uint32_t counts = pk_memory_count(p, list->metric);
	PK_FREED uint32_t *line = list->by_line ? find_lines(p) : NULL;

	s->self = pk_calloc(rows, sizeof(*s->self));
	s->count = counts ? pk_calloc(rows, sizeof(*s->count)) : NULL;
	for (uint32_t i = 1; i < p->cost.count; i++) {
		uint32_t node = p->cost.node[i], metric = pk_cost_metric(p, i);
		uint32_t row = line ? p->node.location[line[node]] : pk_node_function(p, node);

		if (metric == list->metric)
			pk_aggregate_add(list->how, &s->self[row], p->cost.self[i]);
		else if (counts && metric == counts)
			pk_add_known(&s->count[row], p->cost.self[i]);
	}
}

static void add_row(struct pk_memory_list *list, const struct pk_memory_row *row)
{
	if (!row->self && !(row->total != PK_NULL && row->total) &&
	    (row->count == PK_NULL || !row->count))
		return;
	list->row[list->count++] = *row;
	list->negative |= row->self < 0;
	if (row->self != PK_NULL)
		pk_aggregate_add(list->how, &list->sum, row->self);
	pk_add_known(&list->allocations, row->count);
}

static void list_functions(struct pk_memory_list *list, const struct pk_profile *p)
{
	struct pk_functions f;
	struct sums s;

	pk_functions_init(&f, p, list->metric);
	add_costs(&s, list, p, p->function.count);
	for (uint32_t i = 0; i < f.count; i++)
		add_row(list, &(struct pk_memory_row){.function = f.row[i].function,
						      .self = f.row[i].self,
						      .total = f.row[i].total,
						      .count = s.count ? s.count[f.row[i].function]
								       : PK_NULL});
	pk_functions_release(&f);
	free(s.self);
	free(s.count);
}

static void join_places(struct pk_memory_list *list)
{
	uint32_t kept = 0;

	pk_sort(list->row, list->count, sizeof(*list->row), by_place);
	for (uint32_t i = 0; i < list->count; i++) {
		struct pk_memory_row *last = &list->row[kept - (kept > 0)], *row = &list->row[i];

		if (!kept || by_place(last, row)) {
			list->row[kept++] = *row;
			continue;
		}
		pk_aggregate_add(list->how, &last->self, row->self);
		pk_add_known(&last->count, row->count);
	}
	list->count = kept;
}

static void list_lines(struct pk_memory_list *list, const struct pk_profile *p)
{
	struct sums s;

	add_costs(&s, list, p, p->location.count);
	for (uint32_t i = 1; i < p->location.count; i++)
		add_row(list, &(struct pk_memory_row){.function = p->location.function[i],
						      .line = pk_location_line(p, i),
						      .self = s.self[i],
						      .total = PK_NULL,
						      .count = s.count ? s.count[i] : PK_NULL});
	free(s.self);
	free(s.count);
	join_places(list);
}

void pk_memory_list_init(struct pk_memory_list *list, const struct pk_profile *p, uint32_t metric,
			 bool by_line)
{
	uint32_t rows = by_line ? p->location.count : p->function.count;

	*list = (struct pk_memory_list){.metric = metric,
					.how = pk_metric_aggregate(p, metric),
					.by_line = by_line,
					.allocations = PK_NULL};
	list->row = pk_malloc(pk_mul(rows, sizeof(*list->row)));
	if (by_line)
		list_lines(list, p);
	else
		list_functions(list, p);
	/* What a function of mprof added includes what the functions that it called added. */
	pk_sort(list->row, list->count, sizeof(*list->row),
		strcmp(pk_text(p, p->metric.name[metric]), "increment") == 0 && !by_line ? by_total
											 : by_self);
}

void pk_memory_list_values(struct pk_memory_list *list, const struct pk_profile *p,
			   const int64_t *value)
{
	*list = (struct pk_memory_list){.allocations = PK_NULL};
	list->row = pk_malloc(pk_mul(p->function.count, sizeof(*list->row)));
	for (uint32_t i = 1; i < p->function.count; i++)
		add_row(list, &(struct pk_memory_row){.function = i,
						      .self = value[i],
						      .total = PK_NULL,
						      .count = PK_NULL});
	pk_sort(list->row, list->count, sizeof(*list->row), by_self);
}

void pk_memory_list_release(struct pk_memory_list *list)
{
	free(list->row);
	memset(list, 0, sizeof(*list));
}
