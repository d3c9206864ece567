/*
 * Rows of Google Benchmark as benchmarks with values, for the readers of its JSON and its CSV.
 *
 *	sort/n:64/threads:2        the name; labels n=64, threads=2
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/google_benchmark/internal.h"

static const char *const time_names[] = {"time", "cpu_time"};

void pk_gb_row_clear(struct gb_row *row)
{
	struct gb_counter *counter = row->counter;
	size_t alloc = row->counters_alloc;

	*row = (struct gb_row){.iterations = PK_NULL,
			       .time = {NAN, NAN},
			       .coefficient = {NAN, NAN},
			       .rms = NAN,
			       .counter = counter,
			       .counters_alloc = alloc};
}

static const char *text_of(const struct google_benchmark *g, uint32_t string)
{
	return pk_text(pk_builder_profile(g->b), string);
}

/* In one second. */
static double units_of(const char *unit)
{
	return !strcmp(unit, "s") ? 1 : !strcmp(unit, "ms") ? 1e3 : !strcmp(unit, "us") ? 1e6 : 1e9;
}

static uint32_t add_metric(struct google_benchmark *g, const char *name, const char *unit,
			   enum pk_metric_kind kind)
{
	uint32_t metric = pk_bench_metric(&g->bench, name, unit, kind);

	if (g->rounded)
		pk_build_set(g->b, metric, exactness, metric, PK_ROUNDED);
	return metric;
}

static uint32_t time_metric(struct google_benchmark *g, int i)
{
	if (!g->time[i])
		g->time[i] = add_metric(g, time_names[i], "ns", PK_METRIC_TIME);
	return g->time[i];
}

static uint32_t counter_metric(struct google_benchmark *g, uint32_t name)
{
	const char *text = text_of(g, name);
	const char *unit = !strcmp(text, "bytes_per_second")   ? "bytes/s"
			   : !strcmp(text, "items_per_second") ? "items/s"
							       : "count";

	return add_metric(g, text, unit, PK_METRIC_COUNT);
}

/* Labels of the parts NAME:VALUE of a name; those that the library adds are not parameters. */
static void add_parameters(struct google_benchmark *g, const char *name)
{
	static const char *const own[] = {"iterations", "repeats", "min_time", "min_warmup_time",
					  NULL};

	for (const char *part = strchr(name, '/'); part; part = strchr(part + 1, '/')) {
		size_t len = strcspn(part + 1, "/"), key = strcspn(part + 1, ":/"), i = 0;
		PK_BUF_AUTO text = PK_BUF_INIT;

		while (own[i] && !pk_text_is(part + 1, key, own[i]))
			i++;
		if (own[i] || !key || key == len)
			continue;
		pk_buf_add(&text, part + 1, len);
		text.data[key] = '\0';
		pk_bench_label(&g->bench, text.data, text.data + key + 1);
	}
}

static uint32_t find_node(struct google_benchmark *g, const struct gb_row *row)
{
	uint32_t node;

	add_parameters(g, text_of(g, row->run_name));
	node = pk_bench_row(&g->bench, text_of(g, row->run_name), NULL, NULL);
	PK_GROW_ZERO(g->measured, (size_t)node + 1, g->measured_alloc);
	return node;
}

/* A time in seconds, or what a counter is. */
static void add_fact(struct google_benchmark *g, uint32_t node, const char *metric,
		     const char *what, double value)
{
	PK_BUF_AUTO key = PK_BUF_INIT, text = PK_BUF_INIT;

	if (!isfinite(value))
		return;
	if (strcmp(metric, time_names[0]) != 0)
		pk_buf_addf(&key, "%s.", metric);
	pk_buf_adds(&key, what);
	pk_format_real(&text, value);
	pk_bench_fact(&g->bench, node, key.data, text.data);
}

static int add_values(struct google_benchmark *g, const struct gb_row *row)
{
	uint32_t node = find_node(g, row);
	struct pk_value v = {.node = node, .iterations = row->iterations};
	double units = units_of(text_of(g, row->unit));
	bool all = true;

	if (row->label && !g->measured[node])
		pk_bench_fact(&g->bench, node, "label", text_of(g, row->label));
	for (int i = 0; i < 2; i++) {
		v.metric = time_metric(g, i);
		v.value = row->time[i] / units;
		all &= isnan(row->time[i]) || pk_bench_value_of(&g->bench, &v);
	}
	for (size_t i = 0; i < row->counters; i++) {
		v.metric = counter_metric(g, row->counter[i].name);
		v.value = row->counter[i].value;
		all &= pk_bench_value_of(&g->bench, &v);
	}
	g->measured[node] = true;
	g->rows++;
	return all ? 0
		   : pk_build_repair(g->b, g->err, "value that is no finite number left out", "%s",
				     text_of(g, row->name));
}

/* Statistics of the library are facts where there are no values; cv follows from others. */
static void add_aggregate(struct google_benchmark *g, const struct gb_row *row)
{
	const char *what = text_of(g, row->aggregate);
	bool mean = strcmp(what, "mean") == 0;
	double units = units_of(text_of(g, row->unit));
	uint32_t node = find_node(g, row);

	if (g->measured[node] || row->fraction)
		return;
	for (int i = 0; i < 2; i++) {
		double value = row->time[i] / units;

		if (mean && pk_bench_mean(&g->bench, node, time_metric(g, i), value))
			add_fact(g, node, time_names[i], "count", (double)row->iterations);
		else if (!mean)
			add_fact(g, node, time_names[i], what, value);
	}
	for (size_t i = 0; i < row->counters; i++) {
		const struct gb_counter *c = &row->counter[i];

		if (mean)
			pk_bench_mean(&g->bench, node, counter_metric(g, c->name), c->value);
		else
			add_fact(g, node, text_of(g, c->name), what, c->value);
	}
	g->rows += mean;
}

/* The complexity of a family as meta data: "NlgN: 181.4 ns, CPU 11.27 ns". */
static void add_complexity(struct google_benchmark *g, const struct gb_row *row)
{
	PK_BUF_AUTO key = PK_BUF_INIT, text = PK_BUF_INIT;
	const char *unit = text_of(g, row->unit);

	if (row->big_o) {
		pk_buf_addf(&key, "complexity %s", text_of(g, row->run_name));
		pk_buf_addf(&text, "%s: %.6g %s, CPU %.6g %s", text_of(g, row->big_o),
			    row->coefficient[0], unit, row->coefficient[1], unit);
	} else if (!isnan(row->rms)) {
		pk_buf_addf(&key, "complexity %s rms", text_of(g, row->run_name));
		pk_buf_addf(&text, "%.6g%%", 100 * row->rms);
	} else {
		return;
	}
	pk_build_meta(g->b, key.data, text.data);
}

int pk_gb_add_row(struct google_benchmark *g, const struct gb_row *row)
{
	g->seen++;
	if (!row->run_name)
		return pk_build_repair(g->b, g->err, "benchmark without a name ignored",
				       "benchmark %zu", g->seen);
	if (row->failed || row->skipped) {
		const char *why = row->error ? text_of(g, row->error) : "";

		pk_bench_fact(&g->bench, find_node(g, row), row->failed ? "error" : "skipped", why);
		return pk_build_repair(g->b, g->err,
				       row->failed ? "benchmark that failed has no values"
						   : "benchmark that was skipped has no values",
				       "%s: %s", text_of(g, row->run_name), why);
	}
	if (row->big_o || !isnan(row->rms) || !isnan(row->coefficient[0]))
		add_complexity(g, row);
	else if (row->aggregate)
		add_aggregate(g, row);
	else
		return add_values(g, row);
	return 0;
}
