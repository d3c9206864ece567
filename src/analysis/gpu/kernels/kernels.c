/* Adds up the kernels and copies of a trace by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/build/id_map.h"

PK_COMPARE(by_total, struct pk_gpu_kernel,
	   PK_ORDER(b->total, a->total) ?: PK_ORDER(a->name, b->name))

/* Adds calls of the same name (Chan, Golub, LeVeque: sums of squares of two parts). */
static void add_calls(struct pk_gpu_kernel *sum, const struct pk_gpu_kernel *k)
{
	double apart = k->mean - sum->mean, calls = (double)(sum->calls + k->calls);

	sum->shortest = k->shortest < sum->shortest || !sum->calls ? k->shortest : sum->shortest;
	sum->longest = k->longest > sum->longest || !sum->calls ? k->longest : sum->longest;
	sum->squares += k->squares + apart * apart * (double)sum->calls * (double)k->calls / calls;
	sum->mean += apart * (double)k->calls / calls;
	sum->calls += k->calls;
	pk_add_saturated(&sum->total, k->total);
	sum->occupancy += k->occupancy;
	pk_add_saturated(&sum->occupancy_time, k->occupancy_time);
}

/* " [[8, 16], [4, 16]]", however the file breaks it into lines. */
void pk_gpu_add_shape(struct pk_buf *buf, struct pk_json_slice dims)
{
	pk_buf_addc(buf, ' ');
	for (size_t i = 0; i < dims.len; i++) {
		if (strchr(" \t\r\n", dims.text[i]))
			continue;
		pk_buf_addc(buf, dims.text[i]);
		if (dims.text[i] == ',')
			pk_buf_addc(buf, ' ');
	}
}

/* The name of the row of this work. */
static uint32_t key_of(struct pk_gpu_input *in, uint32_t span)
{
	PK_BUF_AUTO key = PK_BUF_INIT;
	uint32_t op = in->launches.op ? in->launches.op[span] : 0;
	struct pk_json_slice dims;

	switch (in->result->by) {
	case PK_GPU_BY_NAME:
		pk_buf_adds(&key, pk_launches_name(&in->launches, span));
		break;
	case PK_GPU_BY_KIND:
		pk_buf_adds(&key, pk_gpu_kinds[pk_gpu_kind_of(in, span)]);
		break;
	case PK_GPU_BY_OPERATOR:
	case PK_GPU_BY_SHAPE:
		pk_buf_adds(&key, op ? pk_launches_name(&in->launches, op) : "");
		if (op && in->result->by == PK_GPU_BY_SHAPE &&
		    pk_launches_arg(&in->launches, op, "Input Dims", &dims))
			pk_gpu_add_shape(&key, dims);
		break;
	case PK_GPU_BY_MODULE:
	case PK_GPU_BY_STACK:
	case PK_GPU_BY_ANNOTATION:
	case PK_GPU_BYS:
		pk_gpu_add_around(&key, in, span);
		break;
	}
	if (!key.len)
		pk_buf_adds(&key, "(not known)");
	return pk_texts_put(&in->result->names, key.data, key.len);
}

/* The share of a GPU's warps that a kernel kept busy, as torch or XLA estimates it; NaN = not
 * known. */
static double occupancy_of(const struct pk_gpu_input *in, uint32_t span)
{
	struct pk_json_slice value;
	double percent;
	bool xla = false;

	if (!in->result->details)
		return NAN;
	if (!pk_launches_arg(&in->launches, span, "est. achieved occupancy %", &value)) {
		if (!pk_launches_arg(&in->launches, span, "kernel_details", &value))
			return NAN;
		value = pk_gpu_find_detail(pk_json_slice_unquoted(value), "occ_pct:");
		xla = true;
	}
	if (!value.len || pk_parse_real(value.text, value.len, &percent) != value.len)
		return NAN;
	return xla && percent <= 0 ? NAN : percent / 100; /* XLA writes 0 where it does not know */
}

/* first: where the rows of this GPU begin. */
static uint32_t row_of(struct pk_gpu_input *in, struct pk_id_map *rows, uint32_t span,
		       enum pk_gpu_kind kind, uint32_t first)
{
	struct pk_gpu *g = in->result;
	uint32_t key = key_of(in, span);
	uint32_t row = first + pk_id_map_number(rows, (int64_t)key * PK_GPU_KINDS + kind);

	if (row > g->kernels) {
		PK_GROW_ZERO(g->kernel, (size_t)g->kernels + 1, g->kernel_alloc);
		g->kernel[g->kernels++] = (struct pk_gpu_kernel){.name = key, .kind = kind};
	}
	return row;
}

void pk_gpu_add_kernels(struct pk_gpu_input *in)
{
	const struct pk_profile *p = in->profile;
	struct pk_gpu *g = in->result;
	/* by function and kind, if rows are by name: row + 1 */
	PK_FREED uint32_t *known =
		pk_calloc((size_t)p->function.count * PK_GPU_KINDS, sizeof(*known));
	struct pk_id_map rows = {.count = 0};
	uint32_t first = g->kernels;

	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		enum pk_gpu_kind kind = pk_gpu_kind_of(in, w.span);
		uint32_t function = pk_node_function(p, p->span.node[w.span]);
		uint32_t *row = &known[function * (size_t)PK_GPU_KINDS + kind];
		int64_t time = w.end - w.start;
		struct pk_gpu_kernel one = {.calls = 1,
					    .total = time,
					    .shortest = time,
					    .longest = time,
					    .mean = (double)time};
		double occupancy = occupancy_of(in, w.span);

		if (!isnan(occupancy)) {
			one.occupancy = occupancy * (double)time;
			one.occupancy_time = time;
		}
		if (!*row || g->by != PK_GPU_BY_NAME)
			*row = row_of(in, &rows, w.span, kind, first);
		add_calls(&g->kernel[*row - 1], &one);
	}
	pk_id_map_release(&rows);
}

struct pk_gpu_kernel *pk_gpu_merged_kernels(const struct pk_gpu *g, uint32_t *count)
{
	struct pk_gpu_kernel *merged = pk_calloc((size_t)g->kernels + 1, sizeof(*merged));
	/* by name and kind: index in merged + 1 */
	PK_FREED uint32_t *row =
		pk_calloc(((size_t)g->names.count + 1) * PK_GPU_KINDS, sizeof(*row));

	*count = 0;
	for (uint32_t i = 0; i < g->kernels; i++) {
		const struct pk_gpu_kernel *k = &g->kernel[i];
		uint32_t *at = &row[(size_t)k->name * PK_GPU_KINDS + k->kind];

		if (!*at) {
			*at = ++*count;
			merged[*at - 1] = (struct pk_gpu_kernel){.name = k->name, .kind = k->kind};
		}
		add_calls(&merged[*at - 1], k);
	}
	pk_sort(merged, *count, sizeof(*merged), by_total);
	return merged;
}

double pk_gpu_stddev(double squares, int64_t count)
{
	return count > 1 ? sqrt(squares / (double)(count - 1)) : NAN;
}
