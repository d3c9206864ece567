/*
 * What operators compute each second: the floating-point operations of their calls, by the time in
 * which their kernels ran. XLA says itself how many those of a kernel are.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/gpu/flops/formulas.h"
#include "analysis/gpu/internal.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "model/build/id_map.h"

PK_COMPARE(by_time, struct pk_gpu_flops, PK_ORDER(b->time, a->time) ?: PK_ORDER(a->name, b->name))

struct call { /* of an operator whose kernels are being added up, or of a kernel without one */
	uint32_t row;
	int64_t end;
};

struct counting {
	struct pk_gpu_input *in;
	struct pk_id_map rows; /* by name */
	uint32_t first;        /* row of the GPU */
	uint8_t *formula;      /* by function: 1 = none, 2 = there is one, 0 = not known yet */
	/* Rows of kernels without an operator, by function: row + 1, 0 = none yet. [0]: their
	 * operations are not known; [1]: they are. */
	uint32_t *kernel_rows[2];
	uint32_t *number; /* by span of an operator: its place in call + 1, 0 = none yet */
	struct call *call, kernel;
	uint32_t calls;
	size_t alloc;
	uint32_t window;
};

static bool has_formula(struct counting *c, uint32_t span)
{
	uint32_t function = pk_node_function(c->in->profile, c->in->profile->span.node[span]);

	if (!c->formula[function])
		c->formula[function] =
			1 + pk_flops_has_formula(pk_launches_name(&c->in->launches, span));
	return c->formula[function] == 2;
}

/* The innermost operator around the launch that has a formula; 0 = none. */
static uint32_t find_operator(struct counting *c, uint32_t work)
{
	enum { DEEPEST = 64 };
	uint32_t op = c->in->launches.op[work];

	for (int i = 0; op && i < DEEPEST; i++, op = c->in->parent[op])
		if (has_formula(c, op))
			return op;
	return 0;
}

/* NaN = not known. */
static double flops_of(const struct counting *c, uint32_t op, uint32_t work)
{
	const struct pk_launches *l = &c->in->launches;
	struct pk_json_slice dims = {"", 0}, inputs = {"", 0};
	int64_t flops;

	if (op) {
		if (!pk_launches_arg(l, op, "Input Dims", &dims))
			return NAN;
		pk_launches_arg(l, op, "Concrete Inputs", &inputs);
		return pk_flops_of(pk_launches_name(l, op), dims, inputs);
	}
	flops = pk_launches_int(l, work, "flops");
	return flops > 0 ? (double)flops : NAN;
}

static uint32_t name_of(const struct counting *c, uint32_t op, uint32_t work, bool known)
{
	const struct pk_launches *l = &c->in->launches;
	PK_BUF_AUTO name = PK_BUF_INIT;
	struct pk_json_slice dims;

	pk_buf_adds(&name, known ? pk_launches_name(l, op ? op : work) : "(not known)");
	if (known && op && pk_launches_arg(l, op, "Input Dims", &dims))
		pk_gpu_add_shape(&name, dims);
	return pk_texts_put(&c->in->result->names, name.data, name.len);
}

static uint32_t find_row(struct counting *c, uint32_t name)
{
	struct pk_gpu *g = c->in->result;
	uint32_t row = c->first + pk_id_map_number(&c->rows, name);

	if (row > g->flop_rows) {
		PK_GROW_ZERO(g->flops, (size_t)g->flop_rows + 1, g->flop_alloc);
		g->flops[g->flop_rows++] = (struct pk_gpu_flops){.name = name};
	}
	return row - 1;
}

/* True if the work begins in a step. */
static bool is_in_window(struct counting *c, const struct pk_gpu_device *d, int64_t time)
{
	while (c->window < d->windows && d->window[c->window].to <= time)
		c->window++;
	return c->window < d->windows && d->window[c->window].from <= time;
}

static uint32_t row_of(struct counting *c, uint32_t op, uint32_t work, bool known)
{
	const struct pk_profile *p = c->in->profile;
	uint32_t *row = &c->kernel_rows[known][pk_node_function(p, p->span.node[work])];

	if (op)
		return find_row(c, name_of(c, op, work, known));
	if (!*row)
		*row = find_row(c, name_of(c, op, work, known)) + 1;
	return *row - 1;
}

static void begin_call(struct counting *c, struct pk_gpu_device *d, uint32_t op,
		       const struct pk_gpu_work *w, struct call *call)
{
	double flops = flops_of(c, op, w->span);
	struct pk_gpu_flops *row;

	call->row = row_of(c, op, w->span, !isnan(flops));
	call->end = INT64_MIN;
	row = &c->in->result->flops[call->row];
	row->calls++;
	if (isnan(flops))
		return;
	row->flops += flops;
	if (is_in_window(c, d, w->start))
		d->flops += flops;
}

static struct call *call_of(struct counting *c, struct pk_gpu_device *d, uint32_t op,
			    const struct pk_gpu_work *w)
{
	struct call *call = &c->kernel;

	if (op && c->number[op])
		return &c->call[c->number[op] - 1];
	if (op) {
		PK_GROW(c->call, (size_t)c->calls + 1, c->alloc);
		call = &c->call[c->calls++];
		c->number[op] = c->calls;
	}
	begin_call(c, d, op, w, call);
	return call;
}

void pk_gpu_add_flops(struct pk_gpu_input *in, struct pk_gpu_device *device)
{
	struct counting c = {.in = in, .first = in->result->flop_rows};
	uint32_t functions = in->profile->function.count;

	c.formula = pk_calloc(functions, sizeof(*c.formula));
	c.number = pk_calloc(in->profile->span.count, sizeof(*c.number));
	for (int known = 0; known < 2; known++)
		c.kernel_rows[known] = pk_calloc(functions, sizeof(*c.kernel_rows[known]));
	for (uint32_t i = 0; i < in->works; i++) {
		struct pk_gpu_work w = pk_gpu_work_of(in, i);
		struct call *call = call_of(&c, device, find_operator(&c, w.span), &w);
		int64_t from = w.start > call->end ? w.start : call->end;

		if (w.end > from)
			pk_add_saturated(&in->result->flops[call->row].time, w.end - from);
		call->end = w.end > call->end ? w.end : call->end;
	}
	free(c.formula);
	free(c.number);
	free(c.kernel_rows[0]);
	free(c.kernel_rows[1]);
	free(c.call);
	pk_id_map_release(&c.rows);
}

struct pk_gpu_flops *pk_gpu_merged_flops(const struct pk_gpu *g, uint32_t *count)
{
	struct pk_gpu_flops *merged = pk_calloc((size_t)g->flop_rows + 1, sizeof(*merged));
	PK_FREED uint32_t *row = pk_calloc((size_t)g->names.count + 1, sizeof(*row)); /* + 1 */

	*count = 0;
	for (uint32_t i = 0; i < g->flop_rows; i++) {
		const struct pk_gpu_flops *f = &g->flops[i];
		struct pk_gpu_flops *sum = &merged[pk_gpu_row_of(row, f->name, count)];

		sum->name = f->name;
		sum->calls += f->calls;
		sum->flops += f->flops;
		pk_add_saturated(&sum->time, f->time);
	}
	pk_sort(merged, *count, sizeof(*merged), by_time);
	return merged;
}
