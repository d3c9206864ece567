/* The values of a profile of any format by function and line: from costs and edges if it has them,
 * otherwise from the sums of its call paths. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/totals.h"
#include "writers/callgrind/internal.h"

bool callgrind_is_inlined(const struct pk_profile *p, const struct callgrind_value *call)
{
	const struct pk_function_table *f = &p->function;

	return call->callee && call->calls == PK_NULL && call->callee != call->function &&
	       f->name[call->callee] == f->name[call->function] &&
	       f->module[call->callee] == f->module[call->function];
}

static void add(struct callgrind_values *v, struct callgrind_value value)
{
	PK_GROW(v->row, v->count + 1, v->alloc);
	v->row[v->count++] = value;
}

static void gather_lines(struct callgrind_values *v, const struct pk_profile *p,
			 const uint32_t *event)
{
	for (uint32_t i = 1; i < p->cost.count; i++)
		if (event[pk_cost_metric(p, i)])
			add(v, (struct callgrind_value){
				       .function = pk_node_function(p, p->cost.node[i]),
				       .line = pk_node_line(p, p->cost.node[i]),
				       .event = event[pk_cost_metric(p, i)],
				       .value = p->cost.self[i],
				       .calls = PK_NULL});
}

/* For a profile without costs of lines: the costs of functions, at the lines where they begin. */
static void gather_functions(struct callgrind_values *v, const struct pk_profile *p,
			     uint32_t metric, uint32_t event)
{
	struct pk_functions f;

	pk_functions_init(&f, p, metric);
	for (uint32_t i = 0; i < f.count; i++)
		add(v, (struct callgrind_value){.function = f.row[i].function,
						.line = p->function.line[f.row[i].function],
						.event = event,
						.value = f.row[i].self,
						.calls = PK_NULL});
	pk_functions_release(&f);
}

static void gather_edges(struct callgrind_values *v, const struct pk_profile *p,
			 const uint32_t *event)
{
	const struct pk_edge_table *t = &p->edge;

	for (uint32_t i = 1; i < t->count; i++)
		if (t->caller[i] && event[t->metric[i]])
			add(v,
			    (struct callgrind_value){
				    .function = t->caller[i],
				    .line = t->line ? t->line[i] : p->function.line[t->caller[i]],
				    .callee = t->callee[i],
				    .event = event[t->metric[i]],
				    .value = t->total[i],
				    .calls = t->calls[i]});
}

static void gather_arcs(struct callgrind_values *v, const struct pk_profile *p, uint32_t metric,
			uint32_t event)
{
	struct pk_arcs arcs;

	pk_arcs_init(&arcs, p, metric);
	for (uint32_t i = 0; i < arcs.count; i++)
		add(v, (struct callgrind_value){.function = arcs.row[i].caller,
						.line = p->function.line[arcs.row[i].caller],
						.callee = arcs.row[i].callee,
						.event = event,
						.value = arcs.row[i].total,
						.calls = arcs.row[i].calls});
	pk_arcs_release(&arcs);
}

PK_COMPARE(by_place, struct callgrind_value,
	   PK_ORDER(a->function, b->function)
		   ?: PK_ORDER(a->line, b->line)
			      ?: PK_ORDER(a->callee, b->callee) ?: PK_ORDER(a->event, b->event))

void callgrind_gather(struct callgrind_values *v, const struct pk_profile *p, const uint32_t *event)
{
	bool edges = p->edge.count > 1;
	size_t at = 0, kept = 0;

	if (p->cost.count > 1)
		gather_lines(v, p, event);
	if (edges)
		gather_edges(v, p, event);
	for (uint32_t m = 1; m < p->metric.count; m++) {
		if (event[m] && p->cost.count == 1)
			gather_functions(v, p, m, event[m]);
		if (event[m] && !edges)
			gather_arcs(v, p, m, event[m]);
	}
	pk_sort(v->row, v->count, sizeof(*v->row), by_place);
	for (size_t i = 0; i < v->count; i++) {
		if (!kept || by_place(&v->row[kept - 1], &v->row[i])) {
			v->row[kept++] = v->row[i];
			continue;
		}
		pk_add_known(&v->row[kept - 1].value, v->row[i].value);
		pk_add_known(&v->row[kept - 1].calls, v->row[i].calls);
	}
	v->count = kept;
	v->first = pk_calloc((size_t)p->function.count + 1, sizeof(*v->first));
	for (uint32_t f = 0; f <= p->function.count; f++) {
		while (at < v->count && v->row[at].function < f)
			at++;
		v->first[f] = at;
	}
}

static bool is_sum(const struct callgrind_values *v, const struct pk_function_total *f,
		   uint32_t event)
{
	int64_t sum = 0, left, rows = 1; /* rows: each may be rounded by 1 */

	for (size_t i = v->first[f->function]; i < v->first[f->function + 1]; i++) {
		const struct callgrind_value *row = &v->row[i];

		if (row->event != event || row->callee == row->function)
			continue;
		pk_add_known(&sum, row->value);
		rows++;
	}
	return !__builtin_sub_overflow(f->total, sum, &left) && left <= rows && left >= -rows;
}

uint32_t callgrind_other_totals(const struct callgrind_values *v, const struct pk_profile *p,
				const uint32_t *event)
{
	PK_FREED bool *other = pk_calloc(p->function.count, sizeof(*other));
	uint32_t count = 0;

	for (uint32_t m = 1; m < p->metric.count; m++) {
		struct pk_functions f;

		if (!event[m])
			continue;
		pk_functions_init(&f, p, m);
		for (uint32_t i = 0; i < f.count; i++)
			if (!f.row[i].total_unknown && !is_sum(v, &f.row[i], event[m]))
				other[f.row[i].function] = true;
		pk_functions_release(&f);
	}
	for (uint32_t i = 1; i < p->function.count; i++)
		count += other[i];
	return count;
}

void callgrind_values_release(struct callgrind_values *v)
{
	free(v->row);
	free(v->first);
}
