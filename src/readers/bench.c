/* What readers of benchmark results share: see bench.h. */
#include "readers/bench.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/num/date.h"

const char *const pk_bench_machine_keys[] = {"machine.cpu",
					     "machine.cpus",
					     "machine.governor",
					     "machine.mhz",
					     "machine.arch",
					     "machine.system",
					     "machine.kernel",
					     "machine.runtime",
					     "machine.compiler",
					     "machine.library",
					     "machine.power",
					     "machine.memory",
					     NULL};

void pk_bench_begin(struct pk_bench *bench, struct pk_builder *b)
{
	*bench = (struct pk_bench){.b = b};
}

void pk_bench_end(struct pk_bench *bench)
{
	free(bench->label);
	free(bench->set);
}

/* Values in fs, up to 2.5 hours: a mean of 10 ns has 7 digits. */
enum { TIME_EXPONENT = 6, OTHER_EXPONENT = 3 };

uint32_t pk_bench_metric_of(struct pk_bench *bench, const char *name, const char *unit,
			    int exponent, enum pk_metric_kind kind, enum pk_exactness exactness)
{
	uint32_t metric = pk_build_metric(bench->b, name, unit, exponent, kind, exactness);

	pk_build_set(bench->b, metric, aggregate, metric, PK_AGGREGATE_MEAN);
	return metric;
}

uint32_t pk_bench_metric(struct pk_bench *bench, const char *name, const char *unit,
			 enum pk_metric_kind kind)
{
	return pk_bench_metric_of(bench, name, unit,
				  kind == PK_METRIC_TIME ? TIME_EXPONENT : OTHER_EXPONENT, kind,
				  PK_EXACT);
}

void pk_bench_label(struct pk_bench *bench, const char *key, const char *text)
{
	if (!text)
		return;
	PK_GROW(bench->label, bench->labels + 1, bench->alloc);
	bench->label[bench->labels++] = (struct pk_label){.key = pk_build_text(bench->b, key),
							  .text = pk_build_text(bench->b, text),
							  .number = PK_NULL};
}

uint32_t pk_bench_row(struct pk_bench *bench, const char *name, const char *file,
		      const char *module)
{
	struct pk_function function = {.name = pk_build_text(bench->b, name),
				       .file = pk_build_text(bench->b, file),
				       .module = pk_build_text(bench->b, module)};
	uint32_t id = pk_build_function(bench->b, &function);
	uint32_t node = pk_build_node(bench->b, 0, pk_build_place(bench->b, id, 0));

	PK_GROW_ZERO(bench->set, (size_t)node + 1, bench->sets);
	if (bench->labels)
		bench->set[node] = pk_build_label_set(bench->b, bench->label, bench->labels);
	bench->labels = 0;
	return node;
}

void pk_bench_fact(struct pk_bench *bench, uint32_t node, const char *key, const char *value)
{
	pk_build_arg(bench->b, PK_TABLE_NODE, node, pk_build_text(bench->b, key),
		     pk_build_text(bench->b, value));
}

void pk_bench_process(struct pk_bench *bench, uint32_t number)
{
	struct pk_thread thread = {.tid = number, .sort = PK_NULL};

	thread.process = pk_build_process(bench->b, number, 0, PK_NULL);
	bench->process = pk_build_thread(bench->b, &thread);
}

/* The row to which pk_builder_finish gives the mean of the values: it has the labels. */
static void add_cost(struct pk_bench *bench, uint32_t node, uint32_t metric, int64_t mean)
{
	pk_build_cost_of(bench->b, &(struct pk_cost){.node = node,
						     .metric = metric,
						     .labels = bench->set[node],
						     .self = mean,
						     .calls = PK_NULL});
}

bool pk_bench_value_of(struct pk_bench *bench, const struct pk_value *value)
{
	const struct pk_value_table *t = &pk_builder_profile(bench->b)->value;
	uint32_t last = t->count - 1;

	if (!isfinite(value->value))
		return false;
	if (!last || t->node[last] != value->node || pk_value_metric(t, last) != value->metric)
		add_cost(bench, value->node, value->metric, 0);
	pk_build_value(bench->b, value);
	return true;
}

bool pk_bench_value(struct pk_bench *bench, uint32_t node, uint32_t metric, double value)
{
	return pk_bench_value_of(bench, &(struct pk_value){.node = node,
							   .metric = metric,
							   .thread = bench->process,
							   .value = value,
							   .iterations = PK_NULL});
}

uint32_t pk_bench_values(struct pk_bench *bench, uint32_t node, uint32_t metric, double *value,
			 uint32_t count)
{
	uint32_t finite = 0;

	for (uint32_t i = 0; i < count; i++)
		if (isfinite(value[i]))
			value[finite++] = value[i];
	if (finite) {
		add_cost(bench, node, metric, 0);
		pk_build_values(bench->b, node, metric, bench->process, value, finite);
	}
	return count - finite;
}

bool pk_bench_mean(struct pk_bench *bench, uint32_t node, uint32_t metric, double mean)
{
	if (!isfinite(mean))
		return false;
	add_cost(bench, node, metric,
		 pk_benchmark_amount(pk_builder_profile(bench->b), metric, mean));
	return true;
}

void pk_bench_machine(struct pk_bench *bench, enum pk_bench_machine what, const char *text)
{
	if (text && *text)
		pk_build_meta(bench->b, pk_bench_machine_keys[what], text);
}

void pk_bench_start(struct pk_bench *bench, const char *date)
{
	int64_t ns;

	if (pk_parse_date(date, &ns))
		pk_build_set(bench->b, run, start, 1, ns);
}
