/* Sequences of kernels: what an operator launches, in the order in which it runs. */
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/build/id_map.h"

struct launched { /* works come in the order of their begins */
	uint32_t op, work;
};

PK_COMPARE(by_op, struct launched, PK_ORDER(a->op, b->op) ?: PK_ORDER(a->work, b->work))

/* By span: the outermost operator among those that were asked for, around it or itself; 0 = none. A
 * span comes after the span around it. */
static uint32_t *find_outermost(const struct pk_gpu_input *in)
{
	const char *filter = in->result->operator_filter;
	uint32_t count = in->profile->span.count, *top = pk_calloc(count, sizeof(*top));

	for (uint32_t i = 1; i < count; i++) {
		top[i] = top[in->parent[i]];
		if (!top[i] && in->launches.activity[i] == PK_ACT_OP &&
		    (!filter || strstr(pk_launches_name(&in->launches, i), filter)))
			top[i] = i;
	}
	return top;
}

/* Adds the works of one call of an operator. */
static void add_call(struct pk_gpu_input *in, struct pk_id_map *rows, const struct launched *l,
		     size_t count)
{
	struct pk_gpu *g = in->result;
	PK_BUF_AUTO kernels = PK_BUF_INIT;
	struct pk_gpu_sequence one = {.length = (int64_t)count,
				      .host = in->profile->span.duration[l->op]};
	const char *op = pk_launches_name(&in->launches, l->op);
	uint32_t row;

	for (size_t i = 0; i < count; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, l[i].work);

		pk_add_saturated(&one.device, w.end - w.start);
		if (i < PK_GPU_NAMED) {
			const char *name = pk_launches_name(&in->launches, w.span);

			pk_buf_add(&kernels, name, strlen(name) + 1);
		}
	}
	if (count > PK_GPU_NAMED) /* those of other lengths are other sequences */
		pk_buf_addf(&kernels, "%zu", count);
	one.operator_name = pk_texts_put(&g->names, op, strlen(op));
	one.kernels = pk_texts_put(&g->names, kernels.data, kernels.len);
	row = pk_id_map_number(rows, (int64_t)one.operator_name << 32 | one.kernels);
	if (row > g->sequences) {
		PK_GROW(g->sequence, (size_t)g->sequences + 1, g->sequence_alloc);
		g->sequence[g->sequences++] = (struct pk_gpu_sequence){
			one.operator_name, one.kernels, one.length, 0, 0, 0};
	}
	g->sequence[row - 1].count++;
	pk_add_saturated(&g->sequence[row - 1].device, one.device);
	pk_add_saturated(&g->sequence[row - 1].host, one.host);
}

void pk_gpu_add_sequences(struct pk_gpu_input *in)
{
	struct pk_gpu *g = in->result;
	PK_FREED uint32_t *top = find_outermost(in);
	PK_FREED struct launched *l = pk_malloc(pk_mul((size_t)in->works + 1, sizeof(*l)));
	struct pk_id_map rows = {.count = 0};
	size_t count = 0;

	for (uint32_t i = 0; i < g->sequences; i++) /* of other GPUs */
		pk_id_map_number(&rows, (int64_t)g->sequence[i].operator_name << 32 |
						g->sequence[i].kernels);
	for (uint32_t i = 0; i < in->works; i++) {
		uint32_t op = top[in->launches.op[in->work[i]]];

		if (op)
			l[count++] = (struct launched){op, i};
	}
	pk_sort(l, count, sizeof(*l), by_op);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && l[end].op == l[i].op; end++)
			;
		add_call(in, &rows, l + i, end - i);
	}
	pk_id_map_release(&rows);
}

PK_COMPARE(by_count, struct pk_gpu_sequence,
	   PK_ORDER(b->count, a->count) ?: PK_ORDER(b->device, a->device)
		   ?: PK_ORDER(a->operator_name, b->operator_name)
		   ?: PK_ORDER(a->kernels, b->kernels))

void pk_gpu_sort_sequences(struct pk_gpu *g)
{
	pk_sort(g->sequence, g->sequences, sizeof(*g->sequence), by_count);
}
