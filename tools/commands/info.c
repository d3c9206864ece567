/* profkit info: everything that a file says of itself. */
#include <stddef.h>
#include <string.h>

#include "analysis/callers.h"
#include "analysis/hotspots/hotspots.h"
#include "base/alloc.h"
#include "base/num/units.h"
#include "tools/command.h"
#include "tools/formats.h"
#include "model/totals.h"
#include "render/repair.h"
#include "tools/load/sampling.h"
#include "tools/table.h"

/* Facts about an input: of its single runs, and of all as one. */
struct info {
	const struct pk_profiles *runs;
	const struct pk_profile *p;
	int64_t start, end;          /* PK_NULL */
	struct pk_sampling sampling; /* of the first metric */
};

static void widen(struct info *info, int64_t start, int64_t duration)
{
	if (start == PK_NULL)
		return;
	if (info->start == PK_NULL || start < info->start)
		info->start = start;
	pk_add_saturated(&start, duration == PK_NULL ? 0 : duration);
	if (info->end == PK_NULL || start > info->end)
		info->end = start;
}

static void find_time_range(struct info *info)
{
	const struct pk_profile *p = info->p;

	info->start = info->end = PK_NULL;
	for (uint32_t i = 1; i < p->sample.count; i++)
		widen(info, p->sample.time[i], 0);
	for (uint32_t i = 1; i < p->span.count; i++)
		widen(info, p->span.time[i], p->span.duration[i]);
	for (uint32_t i = 1; i < p->instant.count; i++)
		widen(info, p->instant.time[i], 0);
	for (uint32_t i = 1; i < p->counter.count; i++)
		widen(info, p->counter.time[i], 0);
}

/* The sum of a metric, and the number of functions with a value. Means of benchmarks do not add up:
 * PK_NULL, and the number of benchmarks. */
static int64_t metric_total(const struct pk_profile *p, uint32_t metric, uint32_t *count)
{
	struct pk_functions functions;
	int64_t total;

	*count = 0;
	if (pk_metric_aggregate(p, metric) == PK_AGGREGATE_MEAN) {
		for (uint32_t i = 1; i < p->cost.count; i++)
			*count += pk_cost_metric(p, i) == metric;
		return PK_NULL;
	}
	pk_functions_init(&functions, p, metric);
	total = functions.total;
	for (uint32_t i = 0; i < functions.count; i++)
		*count += pk_function_has_value(p, &functions.row[i]);
	pk_functions_release(&functions);
	return total;
}

static const struct {
	const char *name;
	size_t table; /* offset of the table, which begins with its count */
	bool in_object;
} counts[] = {
	{"processes", offsetof(struct pk_profile, process), true},
	{"threads", offsetof(struct pk_profile, thread), true},
	{"functions", offsetof(struct pk_profile, function), true},
	{"paths", offsetof(struct pk_profile, node), true},
	{"edges", offsetof(struct pk_profile, edge), false},
	{"values", offsetof(struct pk_profile, value), false},
	{"samples", offsetof(struct pk_profile, sample), true},
	{"spans", offsetof(struct pk_profile, span), true},
	{"instants", offsetof(struct pk_profile, instant), true},
	{"counters", offsetof(struct pk_profile, counter), true},
	{"flows", offsetof(struct pk_profile, flow), true},
};

static uint32_t count_of(const struct pk_profile *p, size_t i)
{
	uint32_t rows = *(const uint32_t *)((const char *)p + counts[i].table);

	if (counts[i].table == offsetof(struct pk_profile, node) && !pk_has_paths(p))
		return 0;
	if (counts[i].table == offsetof(struct pk_profile, thread))
		return pk_thread_count(p);
	if (counts[i].table == offsetof(struct pk_profile, edge))
		return pk_edge_pairs(p);
	return rows ? rows - 1 : 0;
}

/* The format if it is the same for all runs, otherwise NULL. */
static const char *format_of(const struct info *info)
{
	const char *format = NULL;

	for (size_t i = 0; i < info->runs->count; i++) {
		const struct pk_profile *p = info->runs->item[i];
		const char *own = pk_text(p, p->run.format[1]);

		if (i > 0 && strcmp(own, format) != 0)
			return NULL;
		format = own;
	}
	return format;
}

/* A text of the run, which is that of all runs; NULL if they do not agree. */
static const char *text_of(const struct info *info, uint32_t text)
{
	return text ? pk_text(info->p, text) : NULL;
}

static void add_metrics(struct pk_json_writer *w, const struct pk_profile *p)
{
	pk_json_put_array(w, "metrics");
	for (uint32_t m = 1, functions; m < p->metric.count; m++) {
		pk_json_put(w, "{name %s unit %s kind %s exactness %s total %.*jd}",
			    pk_text(p, p->metric.name[m]), pk_metric_unit(p, m),
			    pk_metric_kinds[p->metric.kind[m]],
			    pk_exactness_names[p->metric.exactness[m]], p->metric.exponent[m],
			    metric_total(p, m, &functions));
	}
	pk_json_end(w);
}

static void add_counts(struct pk_json_writer *w, const struct pk_profile *p)
{
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		if (!counts[i].in_object)
			continue;
		pk_json_put_int(w, counts[i].name, count_of(p, i));
	}
}

static void add_repairs(struct pk_json_writer *w, const struct pk_profiles *runs)
{
	pk_json_put_array(w, "repairs");
	for (size_t r = 0; r < runs->count; r++) {
		const struct pk_profile *p = runs->item[r];

		for (uint32_t i = 1; i < p->repair.count; i++) {
			pk_json_put(w, "{what %s count %jd first %s}",
				    pk_text(p, p->repair.what[i]), p->repair.times[i],
				    pk_text(p, p->repair.first[i]));
		}
	}
	pk_json_end(w);
}

static void add_meta(struct pk_json_writer *w, const struct pk_profile *p)
{
	pk_json_put_object(w, "meta");
	for (uint32_t i = 1; i < p->meta.count; i++)
		pk_json_put_text(w, pk_text(p, p->meta.key[i]), pk_text(p, p->meta.value[i]));
	pk_json_end(w);
}

static void write_members(struct pk_json_writer *w, void *data)
{
	const struct info *info = data;
	const struct pk_profile *p = info->p;

	pk_write_inputs(w, info->runs);
	pk_write_metric(w, p, 1);
	pk_json_put(w, "format %s producer %s runs %jd", format_of(info),
		    text_of(info, info->p->run.producer[1]), (int64_t)info->runs->count);
	add_metrics(w, p);
	add_counts(w, p);
	pk_json_put(w, "time_range {start %jd end %jd} exactness %s", info->start, info->end,
		    p->metric.count > 1 ? pk_exactness_names[p->metric.exactness[1]] : NULL);
	add_repairs(w, info->runs);
	add_meta(w, p);
	pk_sampling_member(w, p, 1, &info->sampling);
}

static void add_text_line(struct pk_grid *g, const char *name, const char *value)
{
	struct pk_cell *cell = value ? pk_grid_row(g, 0) : NULL;

	if (!value)
		return;
	pk_cell_text(cell, name);
	pk_cell_text(cell + 1, value);
}

static void add_run_lines(struct pk_grid *g, const struct pk_profile *p, struct pk_buf *text)
{
	pk_buf_adds(text, pk_text(p, p->run.source[1]));
	if (p->run.label[1])
		pk_buf_addf(text, " (%s)", pk_text(p, p->run.label[1]));
	pk_add_line(g, "file", text);
}

static void add_metric_lines(struct pk_grid *g, const struct pk_profile *p, struct pk_buf *text)
{
	const char *row = pk_is_benchmark(p) ? "benchmark" : "function";

	for (uint32_t m = 1, rows; m < p->metric.count; m++) {
		int64_t total = metric_total(p, m, &rows);
		bool several = p->metric.count > 2 && p->metric.exactness[m] == PK_SAMPLED;
		uint32_t samples = several ? pk_sample_count(p, m) : 0;

		pk_buf_addf(text, "%s in %s, %s", pk_text(p, p->metric.name[m]),
			    pk_metric_unit(p, m), pk_exactness_names[p->metric.exactness[m]]);
		if (total != PK_NULL) {
			pk_buf_adds(text, ", total ");
			pk_table_value(text, p, m, total);
		}
		if (p->metric.count > 2 || rows + 1 != p->function.count)
			pk_buf_addf(text, ", %s %s%s", pk_in_count(rows).text, row,
				    rows == 1 ? "" : "s");
		if (samples)
			pk_buf_addf(text, ", %s sample%s", pk_in_count(samples).text,
				    samples == 1 ? "" : "s");
		pk_add_line(g, "metric", text);
	}
}

/* Functions that edges name, mostly as callers, and that no table lists, since they have no values
 * of their own. */
static uint32_t count_empty(const struct pk_profile *p)
{
	PK_FREED bool *counted = pk_calloc(p->function.count, sizeof(*counted));
	uint32_t count = 0;

	counted[0] = true;
	for (uint32_t i = 1; i < p->edge.count; i++)
		counted[p->edge.callee[i]] |= !p->edge.caller[i];
	for (uint32_t i = 1; i < p->edge.count; i++) {
		const uint32_t ends[] = {p->edge.caller[i], p->edge.callee[i]};

		for (int k = 0; k < 2; k++) {
			count += !counted[ends[k]];
			counted[ends[k]] = true;
		}
	}
	return count;
}

static void add_count_lines(struct pk_grid *g, const struct pk_profile *p, struct pk_buf *text)
{
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		bool functions = counts[i].table == offsetof(struct pk_profile, function);
		bool benchmarks = pk_is_benchmark(p) && functions;
		uint32_t empty = functions ? count_empty(p) : 0;

		if (!count_of(p, i))
			continue;
		pk_format_count(text, count_of(p, i));
		if (empty)
			pk_buf_addf(text, ", %s of them without values of their own",
				    pk_in_count(empty).text);
		pk_add_line(g, benchmarks ? "benchmarks" : counts[i].name, text);
	}
}

static void add_repair_lines(struct pk_grid *g, const struct pk_profiles *runs, struct pk_buf *text)
{
	for (size_t r = 0; r < runs->count; r++) {
		const struct pk_profile *p = runs->item[r];

		for (uint32_t i = 1; i < p->repair.count; i++) {
			pk_repair_text(text, p, i);
			pk_add_line(g, "repair", text);
		}
	}
}

/* Adds meta rows; very long values are left out. */
static void add_meta_lines(struct pk_grid *g, const struct pk_profile *p, struct pk_buf *text)
{
	enum { LONGEST = 4000 };

	for (uint32_t i = 1; i < p->meta.count; i++) {
		uint32_t value = p->meta.value[i];

		if (p->string.len[value] <= LONGEST) {
			add_text_line(g, pk_text(p, p->meta.key[i]), pk_text(p, value));
			continue;
		}
		pk_format_value_unit(text, p->string.len[value], "bytes");
		pk_buf_adds(text, " of text (--format json shows it)");
		pk_add_line(g, pk_text(p, p->meta.key[i]), text);
	}
}

static void fill_grid(struct pk_grid *g, const struct info *info)
{
	const struct pk_profile *p = info->p;
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (size_t i = 0; i < info->runs->count; i++)
		add_run_lines(g, info->runs->item[i], &text);
	add_text_line(g, "format", format_of(info));
	add_text_line(g, "producer", text_of(info, info->p->run.producer[1]));
	add_text_line(g, "command", text_of(info, info->p->run.command[1]));
	add_text_line(g, "host", text_of(info, info->p->run.host[1]));
	add_metric_lines(g, p, &text);
	add_count_lines(g, p, &text);
	if (info->start != PK_NULL) {
		pk_buf_addf(&text, "%s to %s", pk_in_ns(info->start).text,
			    pk_in_ns(info->end).text);
		pk_add_line(g, "time range", &text);
	}
	pk_sampling_rows(g, p, 1, &info->sampling);
	pk_format_parts(&text, pk_profile_parts(p));
	pk_add_line(g, "holds", &text);
	add_repair_lines(g, info->runs, &text);
	add_meta_lines(g, p, &text);
}

static int show(const struct pk_common *c, struct info *info, struct pk_error *err)
{
	static const struct pk_grid_column columns[] = {
		{.key = "what", .heading = "What", .type = PK_CELL_TEXT},
		{.key = "value", .heading = "Value", .type = PK_CELL_TEXT},
	};
	struct pk_grid_frame frame = {
		.schema = "info", .members = write_members, .data = info, .only_members = true};
	struct pk_grid grid;

	pk_grid_init(&grid, columns, 2);
	fill_grid(&grid, info);
	return pk_show_grid(c, &grid, &frame, err);
}

static int run(void *params, int argc, char **argv, struct pk_error *err)
{
	struct pk_common *c = params;
	struct pk_loaded loaded;
	struct info info;
	int status;

	if (pk_load_merged(c, argc, argv, &loaded, err))
		return -1;
	info.runs = &loaded.runs;
	info.p = loaded.one;
	find_time_range(&info);
	pk_sampling_init(&info.sampling, info.p, 1);
	status = show(c, &info, err);
	pk_sampling_release(&info.sampling);
	pk_loaded_release(&loaded);
	return status;
}

const struct pk_command pk_cmd_info = {
	.name = "info",
	.group = PK_GROUP_LOOK,
	.title = "show what a file is, what made it, and what it contains",
	.operands = "FILE...",
	.uses = PK_USE_READ | PK_USE_SHOW | PK_USE_OUTPUT,
	.params_size = sizeof(struct pk_common),
	.benchmarks = PK_BENCHMARKS_SHOWN,
	.keeps_metrics = true,
	.run = run,
};
