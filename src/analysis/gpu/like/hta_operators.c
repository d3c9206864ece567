/* HTA's table of what operators of ATen launch, and how late. */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/like/hta_internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"
#include "model/events/nest.h"

struct launched { /* by the call `call` in the operator `op`, both spans */
	uint32_t op;
	const struct pk_hta_event *call, *work;
};

PK_COMPARE(by_op, struct launched,
	   PK_ORDER(a->op, b->op) ?: PK_ORDER(a->call->start, b->call->start)
		   ?: PK_ORDER(a->call->span, b->call->span))

static bool is_launch(const char *name)
{
	return (pk_starts_with(name, "cuda") && strstr(name, "LaunchKernel")) ||
	       pk_starts_with(name, "cuLaunchKernel") || pk_starts_with(name, "runFunction");
}

/* By span: the innermost operator of ATen around it or itself; 0 = none. */
static uint32_t *find_operators(const struct pk_hta_trace *t)
{
	const struct pk_profile *p = t->profile;
	PK_FREED uint32_t *parent = pk_span_parents(p);
	uint32_t *op = pk_calloc(p->span.count, sizeof(*op));

	for (uint32_t i = 1; i < p->span.count; i++)
		op[i] = pk_starts_with(pk_launches_name(&t->launches, i), "aten::") ? i
										    : op[parent[i]];
	return op;
}

/* The calls of one operator: a row for each operator and sequence; first: of this trace. */
static void add_operator(struct pk_hta_trace *t, size_t first, struct pk_id_map *numbers,
			 const struct launched *l, size_t count)
{
	struct pk_gpu_rows *rows = &t->result->rows;
	struct pk_texts *names = &rows->names;
	const char *name = pk_launches_name(&t->launches, l->op);
	PK_BUF_AUTO kernels = PK_BUF_INIT;
	struct pk_hta_event op = pk_hta_event(t, l->op);
	uint32_t text, kind, number;
	struct pk_gpu_row *row;

	for (size_t i = 0; i < count; i++)
		pk_buf_addf(&kernels, "%s%s", i ? " -> " : "", pk_hta_name(t, l[i].work));
	text = pk_texts_put(names, name, strlen(name));
	kind = pk_texts_put(names, kernels.data, kernels.len);
	number = pk_id_map_number(numbers, (int64_t)text << 32 | kind);
	if (first + number > rows->count) {
		row = pk_hta_row(t);
		row->text = text;
		row->kind = kind;
		row->value[0] = row->value[1] = row->value[2] = 0;
	}
	row = &rows->row[first + number - 1];
	row->value[0]++;
	row->value[1] += pk_hta_us(l->call->start - op.start);
	row->value[2] += pk_hta_us(l->work->start - l->call->start);
}

void pk_hta_add_operators(struct pk_hta_trace *t)
{
	struct pk_gpu_rows *rows = &t->result->rows;
	PK_FREED uint32_t *op = find_operators(t);
	PK_FREED struct launched *l = pk_malloc(pk_mul((size_t)t->gpus + 1, sizeof(*l)));
	struct pk_id_map numbers = {.count = 0};
	size_t count = 0, first = rows->count;

	for (uint32_t i = 0; i < t->gpus; i++) {
		const struct pk_hta_event *e = &t->gpu[i], *call = pk_hta_call(t, e);

		if (call && op[call->span] && is_launch(pk_hta_name(t, call)))
			l[count++] = (struct launched){op[call->span], call, e};
	}
	pk_sort(l, count, sizeof(*l), by_op);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && l[end].op == l[i].op; end++)
			;
		add_operator(t, first, &numbers, l + i, end - i);
	}
	for (size_t i = first; i < rows->count; i++)
		for (int k = 1; k < 3; k++)
			rows->row[i].value[k] =
				pk_hta_round(rows->row[i].value[k] / rows->row[i].value[0], 3);
	pk_id_map_release(&numbers);
}
