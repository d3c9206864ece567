/*
 * Formulas of operators. Sizes are those of torch's arguments:
 *
 *	aten::addmm        dims [[N], [M, K], [K, N]]      2 M N K + M N
 *	aten::convolution  dims [x, w, bias], inputs [..., stride, padding, dilation, transposed,
 *	                   output_padding, groups]         2 out w[1] w[2] ... + out
 */
#include "analysis/gpu/flops/formulas.h"

#include <math.h>
#include <string.h>

#include "analysis/gpu/flops/dims.h"

enum { MOST_INPUTS = 16 };

struct call {
	struct pk_dims dims[MOST_INPUTS], inputs[MOST_INPUTS];
};

/* The product of the sizes from `first` on; NaN if they are not known. */
static double product(const struct pk_dims *d, int first)
{
	double result = 1;

	if (d->count <= first)
		return NAN;
	for (int i = first; i < d->count; i++)
		result *= (double)d->item[i];
	return result;
}

/* Operations of a product of [..., M, K] and [..., K, N]; with bias, one more for each element of
 * the result. */
static double product_of(const struct pk_dims *a, const struct pk_dims *b, int sizes, bool bias)
{
	double out;

	if (a->count != sizes || b->count != sizes || a->item[sizes - 1] != b->item[sizes - 2])
		return NAN;
	out = product(a, 0) / (double)a->item[sizes - 1] * (double)b->item[sizes - 1];
	return out * (2 * (double)a->item[sizes - 1] + bias);
}

static double mm(const struct call *c)
{
	return product_of(&c->dims[0], &c->dims[1], 2, false);
}

static double addmm(const struct call *c)
{
	return product_of(&c->dims[1], &c->dims[2], 2, true);
}

static double bmm(const struct call *c)
{
	return product_of(&c->dims[0], &c->dims[1], 3, false);
}

static double baddbmm(const struct call *c)
{
	return product_of(&c->dims[1], &c->dims[2], 3, true);
}

/* A setting of a convolution in a direction; one number may stand for all. */
static bool setting(const struct pk_dims *list, int direction, int64_t *value)
{
	if (list->count != 1 && list->count <= direction)
		return false;
	*value = list->item[list->count == 1 ? 0 : direction];
	return *value >= 0 && *value <= INT32_MAX;
}

/* The size that comes out in a direction, where settings begin with the stride; 0 = not known. */
static double size_out(const struct pk_dims *x, const struct pk_dims *w,
		       const struct pk_dims *settings, int direction)
{
	int64_t stride, pad, dilation, more;
	double in = (double)x->item[2 + direction], filter = (double)w->item[2 + direction];

	if (!setting(&settings[0], direction, &stride) || !setting(&settings[1], direction, &pad) ||
	    !setting(&settings[2], direction, &dilation) || settings[3].count != 1 || !stride)
		return 0;
	filter = (double)dilation * (filter - 1) + 1;
	if (!settings[3].item[0])
		return floor((in + 2 * (double)pad - filter) / (double)stride) + 1;
	if (!setting(&settings[4], direction, &more))
		return 0;
	return (in - 1) * (double)stride - 2 * (double)pad + filter + (double)more;
}

static double convolution(const struct call *c)
{
	const struct pk_dims *x = &c->dims[0], *w = &c->dims[1], *settings = &c->inputs[3];
	double out, bias = c->dims[2].count > 0;

	if (x->count < 3 || x->count != w->count || settings[5].count != 1)
		return NAN;
	out = (double)x->item[0] * (settings[3].item[0]
					    ? (double)w->item[1] * (double)settings[5].item[0]
					    : (double)w->item[0]);
	for (int i = 0; i < x->count - 2; i++)
		out *= size_out(x, w, settings, i);
	if (!(out > 0))
		return NAN;
	return 2 * product(w, 1) * (settings[3].item[0] ? product(x, 0) : out) + bias * out;
}

/* Operations of the gradients of input, weight and bias, as far as the output mask asks for them:
 * the first two take as many as the convolution each, that of the bias an addition for each
 * element. */
static double convolution_backward(const struct call *c)
{
	const struct pk_dims *out = &c->dims[0], *x = &c->dims[1], *w = &c->dims[2];
	bool transposed = c->inputs[7].count == 1 && c->inputs[7].item[0];
	const struct pk_dims *mask = &c->inputs[10];

	if (out->count < 3 || x->count != out->count || w->count != out->count || mask->count != 3)
		return NAN;
	return 2 * (double)(!!mask->item[0] + !!mask->item[1]) * product(w, 1) *
		       product(transposed ? x : out, 0) +
	       !!mask->item[2] * product(out, 0);
}

/* Operations of `products` products with the size of queries and keys, and `values` with that of
 * values. */
static double attention(const struct pk_dims *q, const struct pk_dims *k, const struct pk_dims *v,
			const struct pk_dims *causal, double products, double values)
{
	double pairs;

	if (q->count != 4 || k->count != 4 || v->count != 4 || causal->count != 1 ||
	    (causal->item[0] && q->item[2] != k->item[2]))
		return NAN;
	pairs = product(q, 0) / (double)q->item[3] * (double)k->item[2];
	return 2 * pairs * (products * (double)q->item[3] + values * (double)v->item[3]) /
	       (causal->item[0] ? 2 : 1);
}

static double attention_of(const struct call *c, int causal)
{
	return attention(&c->dims[0], &c->dims[1], &c->dims[2], &c->inputs[causal], 1, 1);
}

static double flash_attention(const struct call *c)
{
	return attention_of(c, 4);
}

static double efficient_attention(const struct call *c)
{
	return attention_of(c, 6);
}

/* The scores are computed again, then the gradients of four operands. */
static double flash_backward(const struct call *c)
{
	return attention(&c->dims[1], &c->dims[2], &c->dims[3], &c->inputs[11], 3, 2);
}

static const struct {
	const char *name;
	double (*flops)(const struct call *c);
} formulas[] = {
	{"aten::mm", mm},
	{"aten::addmm", addmm},
	{"aten::bmm", bmm},
	{"aten::baddbmm", baddbmm},
	{"aten::convolution", convolution},
	{"aten::convolution_backward", convolution_backward},
	{"aten::_scaled_dot_product_flash_attention", flash_attention},
	{"aten::_scaled_dot_product_efficient_attention", efficient_attention},
	{"aten::_scaled_dot_product_cudnn_attention", efficient_attention},
	{"aten::_scaled_dot_product_flash_attention_backward", flash_backward},
};
enum { FORMULAS = sizeof(formulas) / sizeof(*formulas) };

static int find(const char *name)
{
	for (int i = 0; i < FORMULAS; i++)
		if (!strcmp(name, formulas[i].name))
			return i;
	return -1;
}

bool pk_flops_has_formula(const char *name)
{
	return find(name) >= 0;
}

static bool are_sizes(const struct pk_dims *lists)
{
	for (int i = 0; i < MOST_INPUTS; i++)
		for (int k = 0; k < lists[i].count; k++)
			if (lists[i].item[k] < 1 || lists[i].item[k] > INT32_MAX)
				return false;
	return true;
}

double pk_flops_of(const char *name, struct pk_json_slice dims, struct pk_json_slice inputs)
{
	int formula = find(name);
	struct call c = {.dims = {{.count = 0}}}; /* lists that are missing are 0, too */
	double flops;

	if (formula < 0)
		return NAN;
	pk_dims_read(dims, c.dims, MOST_INPUTS);
	pk_dims_read(inputs, c.inputs, MOST_INPUTS);
	if (!are_sizes(c.dims))
		return NAN;
	flops = formulas[formula].flops(&c);
	return flops > 0 ? flops : NAN;
}
