/* Arguments of operators: shapes of inputs, floating point operations, stacks. */
#include "analysis/ops/internal.h"

#include <string.h>

#include "analysis/gpu/flops/dims.h"
#include "model/build/id_map.h"
#include "base/alloc.h"
#include "base/json/json.h"
#include "base/text/str.h"

/* The lists of "Input Dims". Old versions of torch wrote them as a string. */
static struct pk_json_slice dims_of(const struct ops_work *w, uint32_t event)
{
	struct pk_json_slice value = {"", 0};

	if (!ops_is_span(w, event) || !pk_launches_arg(w->launches, event, "Input Dims", &value))
		value.len = 0;
	return pk_json_slice_unquoted(value);
}

/* Appends a list of numbers; a list of tensors counts as empty. */
static void add_shape(struct pk_buf *buf, struct pk_json_slice shape)
{
	struct pk_json_members m = pk_json_members(shape.text, shape.len);
	struct pk_json_slice item;
	const char *between = "";

	if (!shape.len || shape.text[0] != '[') {
		pk_buf_add(buf, shape.text, shape.len);
		return;
	}
	pk_buf_addc(buf, '[');
	while (pk_json_item(&m, &item) && item.text[0] != '[') {
		pk_buf_adds(buf, between);
		pk_buf_add(buf, item.text, item.len);
		between = ", ";
	}
	pk_buf_addc(buf, ']');
}

uint32_t ops_shapes(struct ops_work *w, uint32_t event)
{
	struct pk_json_slice dims = dims_of(w, event);
	struct pk_json_members m = pk_json_members(dims.text, dims.len);
	PK_BUF_AUTO buf = PK_BUF_INIT;
	struct pk_json_slice shape;
	const char *before = "[";
	uint32_t text = 0;

	while (pk_json_item(&m, &shape)) {
		pk_buf_adds(&buf, before);
		add_shape(&buf, shape);
		before = ", ";
	}
	if (buf.len) {
		pk_buf_addc(&buf, ']');
		text = ops_string(w, buf.data, buf.len);
	}
	return text;
}

enum { MAX_INPUTS = 8 };

static int64_t flops_conv2d(const struct pk_dims *dims, const struct pk_dims *inputs)
{
	const struct pk_dims *in = &dims[0], *weight = &dims[1];
	struct pk_dims factors = {.count = 8};
	int64_t out[2], flops;

	if (in->count != 4 || weight->count != 4 || inputs[3].count < 2 || inputs[4].count < 2 ||
	    inputs[5].count < 2 || inputs[6].count != 1 || !inputs[6].item[0])
		return 0;
	for (int i = 0; i < 2; i++) {
		int64_t stride = inputs[3].item[i], pad = inputs[4].item[i], span;

		if (!stride ||
		    __builtin_mul_overflow(weight->item[2 + i] - 1, inputs[5].item[i], &span) ||
		    __builtin_add_overflow(span, 1 - in->item[2 + i], &span) ||
		    __builtin_sub_overflow(pad, span, &span) ||
		    __builtin_add_overflow(pad, span, &span))
			return 0;
		out[i] = span / stride + 1;
	}
	memcpy(factors.item,
	       (const int64_t[]){2, in->item[0], out[0], out[1], weight->item[2], weight->item[3],
				 in->item[1], weight->item[0]},
	       sizeof(factors.item));
	flops = pk_dims_product(&factors);
	return flops / inputs[6].item[0];
}

/* a has rows x shared elements, b has shared x columns. */
static int64_t flops_mm(const struct pk_dims *a, const struct pk_dims *b)
{
	struct pk_dims factors = {.item = {2, pk_dims_product(a), pk_dims_product(b)}, .count = 3};

	if (a->count < 1 || b->count < 1 || !a->item[a->count - 1])
		return 0;
	factors.item[1] /= a->item[a->count - 1];
	return pk_dims_product(&factors);
}

static int64_t flops_bmm(const struct pk_dims *a, const struct pk_dims *b)
{
	struct pk_dims factors = {.item = {2, a->item[0], a->item[1], a->item[2], b->item[2]},
				  .count = 5};

	return a->count < 3 || b->count < 3 ? 0 : pk_dims_product(&factors);
}

int64_t ops_flops(const struct ops_work *w, uint32_t event)
{
	static const struct {
		const char *name;
		enum { CONV2D, MM, BMM, ELEMENTS } formula;
		int first; /* input that the formula begins with */
	} formulas[] = {{"aten::conv2d", CONV2D, 0}, {"aten::mm", MM, 0},
			{"aten::addmm", MM, 1},      {"aten::bmm", BMM, 0},
			{"aten::baddbmm", BMM, 1},   {"aten::mul", ELEMENTS, 0},
			{"aten::add", ELEMENTS, 0}};
	const size_t count = sizeof(formulas) / sizeof(*formulas);
	const char *name = pk_ops_text(w->ops, ops_name(w, event));
	struct pk_dims dims[MAX_INPUTS], inputs[MAX_INPUTS], *in;
	struct pk_json_slice concrete;
	size_t i = 0;

	while (i < count && strcmp(name, formulas[i].name) != 0)
		i++;
	if (i == count)
		return 0;
	pk_dims_read(dims_of(w, event), dims, MAX_INPUTS);
	in = &dims[formulas[i].first];
	switch (formulas[i].formula) {
	case MM:
		return flops_mm(&in[0], &in[1]);
	case BMM:
		return flops_bmm(&in[0], &in[1]);
	case ELEMENTS:
		return pk_dims_product(&in[0]);
	default:
		if (!pk_launches_arg(w->launches, event, "Concrete Inputs", &concrete))
			return 0;
		pk_dims_read(concrete, inputs, MAX_INPUTS);
		return flops_conv2d(dims, inputs);
	}
}

/* False for torch's own frames, which torch leaves out of stacks. */
static bool is_shown(const char *frame)
{
	static const char *const hidden[][2] = {
		{"autograd/__init__", "_make_grads"},
		{"autograd/__init__", "backward"},
		{"torch/tensor", "backward"},
		{"_internal/common_utils", "prof_callable"},
		{"_internal/common_utils", "prof_func_call"},
		{"_internal/common_utils", "prof_meth_call"},
	};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (strstr(frame, hidden[i][0]) && strstr(frame, hidden[i][1]))
			return false;
	return *frame;
}

/* The frames of "Call stack", the innermost first, as lines; at most `limit`. */
static uint32_t own_stack(struct ops_work *w, uint32_t event, int64_t limit)
{
	struct pk_buf all = PK_BUF_INIT, lines = PK_BUF_INIT;
	struct pk_json_slice value;
	char *frame, *rest;
	uint32_t text;

	if (!ops_is_span(w, event) || !pk_launches_arg(w->launches, event, "Call stack", &value))
		return 0;
	value = pk_json_slice_unquoted(value);
	pk_json_unescape(&all, value.text, value.len);
	for (rest = all.data; limit > 0 && rest && (frame = strsep(&rest, ";"));) {
		if (!is_shown(frame))
			continue;
		if (lines.len)
			pk_buf_addc(&lines, '\n');
		pk_buf_adds(&lines, frame);
		limit--;
	}
	text = ops_string(w, lines.data ? lines.data : "", lines.len);
	pk_buf_release(&all);
	pk_buf_release(&lines);
	return text;
}

/* True for an operator of the backward pass, which autograd's engine calls. */
static bool is_backward(const struct ops_work *w, uint32_t event)
{
	static const char engine[] = "autograd::engine::evaluate_function: ";
	const char *above;

	if (ops_activity(w, event) != PK_ACT_OP || !w->parent[event])
		return false;
	above = pk_ops_text(w->ops, ops_name(w, w->parent[event]));
	return !strncmp(above, engine, strlen(engine)) &&
	       !strcmp(above + strlen(engine), pk_ops_text(w->ops, ops_name(w, event)));
}

static int64_t sequence_number(const struct ops_work *w, uint32_t event)
{
	int64_t number = ops_is_span(w, event)
				 ? pk_launches_int(w->launches, event, "Sequence number")
				 : PK_NULL;

	return number < 0 ? PK_NULL : number;
}

/* Sets the stacks. An operator of the backward pass gets the stack of the first forward operator
 * with its sequence number. */
void ops_stacks(struct ops_work *w)
{
	uint32_t events = w->p->span.count + w->outside_count, i;
	PK_FREED uint32_t *backward = pk_calloc(events, sizeof(*backward));
	struct pk_id_map forward = {.count = 0};

	w->stack = pk_calloc(events, sizeof(*w->stack));
	for (i = 0; i < w->count; i++) {
		uint32_t event = w->order[i];

		if (w->flags[event] & OPS_REMOVED)
			continue;
		w->stack[event] = own_stack(w, event, w->options->by_stack);
		backward[event] = is_backward(w, event) ? event : backward[w->parent[event]];
	}
	for (i = w->count; i-- > 0;) {
		uint32_t event = w->order[i];

		if (!(w->flags[event] & OPS_REMOVED) && !backward[event] &&
		    ops_activity(w, event) == PK_ACT_OP)
			pk_id_map_put(&forward, sequence_number(w, event), w->stack[event]);
	}
	for (i = 0; i < w->count; i++) {
		uint32_t event = w->order[i];

		if (backward[event])
			w->stack[event] =
				pk_id_map_get(&forward, sequence_number(w, backward[event]));
	}
	pk_id_map_release(&forward);
}
