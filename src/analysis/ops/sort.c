/* Sorts the operator table. */
#include "analysis/ops/internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/text/str.h"

static const struct {
	const char *name;
	enum pk_op_sort sort;
} names[] = {
	{"name", PK_OPS_NAME},
	{"calls", PK_OPS_CALLS},
	{"cpu_self", PK_OPS_CPU_SELF},
	{"cpu_total", PK_OPS_CPU_TOTAL},
	{"device_self", PK_OPS_DEVICE_SELF},
	{"device_total", PK_OPS_DEVICE_TOTAL},
	{"cpu_memory_self", PK_OPS_CPU_MEMORY_SELF},
	{"cpu_memory_total", PK_OPS_CPU_MEMORY_TOTAL},
	{"device_memory_self", PK_OPS_DEVICE_MEMORY_SELF},
	{"device_memory_total", PK_OPS_DEVICE_MEMORY_TOTAL},
	{"flops", PK_OPS_FLOPS},
	{"found", PK_OPS_AS_FOUND},
	/* torch's names. */
	{"key", PK_OPS_NAME},
	{"count", PK_OPS_CALLS},
	{"cpu_time", PK_OPS_CPU_AVERAGE},
	{"cpu_time_total", PK_OPS_CPU_TOTAL},
	{"self_cpu_time_total", PK_OPS_CPU_SELF},
	{"device_time", PK_OPS_DEVICE_AVERAGE},
	{"device_time_total", PK_OPS_DEVICE_TOTAL},
	{"self_device_time_total", PK_OPS_DEVICE_SELF},
	{"cuda_time", PK_OPS_DEVICE_AVERAGE},
	{"cuda_time_total", PK_OPS_DEVICE_TOTAL},
	{"self_cuda_time_total", PK_OPS_DEVICE_SELF},
	{"cpu_memory_usage", PK_OPS_CPU_MEMORY_TOTAL},
	{"self_cpu_memory_usage", PK_OPS_CPU_MEMORY_SELF},
	{"device_memory_usage", PK_OPS_DEVICE_MEMORY_TOTAL},
	{"self_device_memory_usage", PK_OPS_DEVICE_MEMORY_SELF},
	{"cuda_memory_usage", PK_OPS_DEVICE_MEMORY_TOTAL},
	{"self_cuda_memory_usage", PK_OPS_DEVICE_MEMORY_SELF},
};

int pk_op_sort_parse(enum pk_op_sort *sort, const char *text, struct pk_error *err)
{
	PK_BUF_AUTO list = PK_BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(names[i].name, text)) {
			*sort = names[i].sort;
			return 0;
		}
		pk_buf_addf(&list, " %s", names[i].name);
	}
	pk_fail(err, PK_EUSAGE, "there is no column '%s'; there are:%s", text, list.data);
	return -1;
}

struct sorter {
	const struct pk_ops *ops;
	const struct pk_ops_options *options;
};

/* Offsets in struct pk_op of the values that rows are sorted by; unknown values come last. */
static const size_t whole[] = {
	[PK_OPS_CALLS] = offsetof(struct pk_op, calls),
	[PK_OPS_CPU_SELF] = offsetof(struct pk_op, cpu_self),
	[PK_OPS_CPU_TOTAL] = offsetof(struct pk_op, cpu_total),
	[PK_OPS_DEVICE_SELF] = offsetof(struct pk_op, device_self),
	[PK_OPS_DEVICE_TOTAL] = offsetof(struct pk_op, device_total),
	[PK_OPS_CPU_MEMORY_SELF] = offsetof(struct pk_op, memory_self[PK_OPS_CPU]),
	[PK_OPS_CPU_MEMORY_TOTAL] = offsetof(struct pk_op, memory_total[PK_OPS_CPU]),
	[PK_OPS_DEVICE_MEMORY_SELF] = offsetof(struct pk_op, memory_self[PK_OPS_DEVICE]),
	[PK_OPS_DEVICE_MEMORY_TOTAL] = offsetof(struct pk_op, memory_total[PK_OPS_DEVICE]),
	[PK_OPS_FLOPS] = offsetof(struct pk_op, flops),
};

static double real_key(const struct pk_op *op, enum pk_op_sort sort)
{
	double device = op->device_total == PK_NULL ? 0 : (double)op->device_total;

	if (sort == PK_OPS_CPU_AVERAGE || sort == PK_OPS_DEVICE_AVERAGE)
		return (sort == PK_OPS_CPU_AVERAGE ? op->cpu_total_us : device) / (double)op->calls;
	return sort == PK_OPS_CPU_SELF ? op->cpu_self_us : op->cpu_total_us;
}

static bool is_real(const struct pk_ops_options *o)
{
	return o->sort == PK_OPS_CPU_AVERAGE || o->sort == PK_OPS_DEVICE_AVERAGE ||
	       (o->doubles && (o->sort == PK_OPS_CPU_SELF || o->sort == PK_OPS_CPU_TOTAL));
}

static int compare_keys(const struct sorter *s, const struct pk_op *a, const struct pk_op *b)
{
	enum pk_op_sort sort = s->options->sort;

	if (sort == PK_OPS_NAME)
		return strcmp(pk_ops_text(s->ops, a->name), pk_ops_text(s->ops, b->name));
	if (sort == PK_OPS_AS_FOUND)
		return 0;
	if (is_real(s->options)) {
		double x = real_key(a, sort), y = real_key(b, sort);

		return (x < y) - (x > y);
	}
	return pk_compare_ints((const char *)b + whole[sort], (const char *)a + whole[sort]);
}

/* Equal rows keep the order in which they were found. */
static int compare(const void *a, const void *b, void *data)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	const struct sorter *s = data;
	int order = compare_keys(s, &s->ops->row[i], &s->ops->row[j]);

	if (s->options->reverse)
		order = s->options->sort == PK_OPS_AS_FOUND ? (i < j ? 1 : -1) : -order;
	return order ? order : i < j ? -1 : i > j;
}

void pk_ops_sort(struct pk_ops *ops, const struct pk_ops_options *options)
{
	struct sorter sorter = {ops, options};
	uint32_t *order = pk_malloc(pk_mul(ops->count, sizeof(*order))), i;
	struct pk_op *row = pk_malloc(pk_mul(ops->count, sizeof(*row)));

	for (i = 0; i < ops->count; i++)
		order[i] = i;
	qsort_r(order, ops->count, sizeof(*order), compare, &sorter);
	for (i = 0; i < ops->count; i++)
		row[i] = ops->row[order[i]];
	free(order);
	free(ops->row);
	ops->row = row;
	ops->alloc = ops->count;
}
