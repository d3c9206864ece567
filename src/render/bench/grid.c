/* The table of benchmarks: see grid.h. */
#include "render/bench/grid.h"

#include <math.h>
#include <string.h>

#include "base/num/units.h"
#include "model/build/builder.h"
#include "render/cells.h"

enum {
	B_NAME,
	B_MODULE,
	B_FILE,
	B_GROUP,
	B_PARAMETERS,
	B_ROUNDS,
	B_MEAN,
	B_STDDEV,
	B_MEDIAN,
	B_MIN,
	B_MAX,
	B_Q1,
	B_Q3,
	B_OUTSIDE_STDDEV,
	B_OUTSIDE_FENCES,
	B_MEAN_SHOWN,
	B_STDDEV_SHOWN,
	B_MEDIAN_SHOWN,
	B_MIN_SHOWN,
	B_ROUNDS_SHOWN,
	B_OUTLIERS_SHOWN,
	B_LABEL,
	B_COUNT
};

static const struct pk_grid_column columns[B_COUNT] = {
	[B_NAME] = {"benchmark", NULL, PK_CELL_TEXT, .help = "Name of the benchmark"},
	[B_MODULE] = {"module", NULL, PK_CELL_TEXT, .help = "Class or package that contains it"},
	[B_FILE] = {"file", NULL, PK_CELL_TEXT, .help = "Source file that contains it"},
	[B_GROUP] = {"group", NULL, PK_CELL_TEXT, .help = "Group in which its tool shows it"},
	[B_PARAMETERS] = {"parameters", NULL, PK_CELL_TEXT,
			  .help = "Its parameters and other labels, as n=10 size=small"},
	[B_ROUNDS] = {"rounds", NULL, PK_CELL_INT, .help = "Number of values, warm-ups left out"},
	[B_MEAN] = {"mean", NULL, PK_CELL_REAL, .help = "Mean of the values"},
	[B_STDDEV] = {"stddev", NULL, PK_CELL_REAL,
		      .help = "Standard deviation (divided by rounds - 1); 0 for one value"},
	[B_MEDIAN] = {"median", NULL, PK_CELL_REAL, .help = "Median"},
	[B_MIN] = {"min", NULL, PK_CELL_REAL, .help = "Smallest value"},
	[B_MAX] = {"max", NULL, PK_CELL_REAL, .help = "Largest value"},
	[B_Q1] = {"q1", NULL, PK_CELL_REAL,
		  .help = "First quartile: the median of the lower half of the values"},
	[B_Q3] = {"q3", NULL, PK_CELL_REAL, .help = "Third quartile"},
	[B_OUTSIDE_STDDEV] = {"outside_stddev", NULL, PK_CELL_INT,
			      .help = "Number of values further than stddev from the mean"},
	[B_OUTSIDE_FENCES] = {"outliers", NULL, PK_CELL_INT,
			      .help = "Number of values further than 1.5 * (q3 - q1) below q1 or "
				      "above q3"},
	[B_MEAN_SHOWN] = {.heading = "mean", .type = PK_CELL_TEXT},
	[B_STDDEV_SHOWN] = {.heading = "stddev", .type = PK_CELL_TEXT},
	[B_MEDIAN_SHOWN] = {.heading = "median", .type = PK_CELL_TEXT},
	[B_MIN_SHOWN] = {.heading = "min", .type = PK_CELL_TEXT},
	[B_ROUNDS_SHOWN] = {.heading = "rounds", .type = PK_CELL_INT},
	[B_OUTLIERS_SHOWN] = {.heading = "outliers", .type = PK_CELL_INT},
	[B_LABEL] = {.heading = "benchmark", .type = PK_CELL_TEXT},
};
const struct pk_grid_columns pk_bench_columns = PK_GRID_COLUMNS(columns);

struct drawing {
	struct pk_grid *g;
	const struct pk_bench_table *t;
	const struct pk_profile *p;
	const char *unit;
	struct pk_buf text;
	double scale; /* from the file's unit to the metric's */
};

static void put_amount(struct drawing *d, struct pk_cell *cell, uint32_t metric, double value)
{
	int64_t amount = pk_benchmark_amount(d->p, metric, value);
	int exponent = d->p->metric.exponent[metric];
	const char *base = pk_metric_unit(d->p, metric);
	struct pk_unit unit;

	if (amount == PK_NULL)
		return;
	d->text.len = 0;
	if (d->unit && pk_unit_named(base, d->unit, &unit)) {
		pk_unit_scale(&unit, exponent);
		pk_format_value(&d->text, amount, &unit);
		pk_buf_addf(&d->text, " %s", unit.name);
	} else {
		pk_format_scaled(&d->text, amount, base, exponent);
	}
	pk_cell_copy(d->g, cell, &d->text);
}

/* "n=10 size=small"; null if there are none. */
static void put_parameters(struct drawing *d, struct pk_cell *cell, uint32_t cost)
{
	const struct pk_label_set_table *t = &d->p->label_set;

	d->text.len = 0;
	for (uint32_t set = pk_cost_labels(d->p, cost); set; set = t->rest[set]) {
		const char *key = pk_text(d->p, t->key[set]);

		if (strcmp(key, "group") == 0)
			continue;
		pk_buf_addf(&d->text, "%s%s=", d->text.len ? " " : "", key);
		if (t->number[set] == PK_NULL)
			pk_buf_adds(&d->text, pk_text(d->p, t->text[set]));
		else
			pk_format_decimal(&d->text, t->number[set], 0);
	}
	if (d->text.len)
		pk_cell_copy(d->g, cell, &d->text);
}

static void put_numbers(struct drawing *d, struct pk_cell *row, const struct pk_bench_stats *s)
{
	const double values[] = {s->mean, s->stddev, s->median, s->min, s->max, s->q1, s->q3};

	for (int i = 0; i < B_OUTSIDE_STDDEV - B_MEAN; i++)
		pk_cell_real(&row[B_MEAN + i], values[i] * d->scale);
	pk_cell_int(&row[B_ROUNDS], s->count);
	pk_cell_int(&row[B_OUTSIDE_STDDEV], s->outside_stddev);
	pk_cell_int(&row[B_OUTSIDE_FENCES], s->outside_fences);
}

/* The name, with what distinguishes it from others of that name. */
static void put_label(struct drawing *d, struct pk_cell *cell, uint32_t function)
{
	const struct pk_profile *p = d->p;
	uint32_t file = p->function.file[function], module = p->function.module[function];

	d->text.len = 0;
	pk_buf_adds(&d->text, pk_text(p, p->function.name[function]));
	file = d->t->files ? file : 0;
	module = d->t->modules ? module : 0;
	if (file || module)
		pk_buf_addf(&d->text, " (%s%s%s)", file ? pk_basename(pk_text(p, file)) : "",
			    file && module ? ", " : "", module ? pk_text(p, module) : "");
	pk_cell_copy(d->g, cell, &d->text);
}

static void put_shown(struct drawing *d, struct pk_cell *row, const struct pk_bench_line *l,
		      const struct pk_bench_stats *s)
{
	uint32_t metric = l->row->metric;

	put_amount(d, &row[B_MEAN_SHOWN], metric, s->mean);
	if (s->count != 1)
		put_amount(d, &row[B_STDDEV_SHOWN], metric, s->stddev);
	put_amount(d, &row[B_MEDIAN_SHOWN], metric, s->median);
	put_amount(d, &row[B_MIN_SHOWN], metric, s->min);
	pk_cell_int(&row[B_ROUNDS_SHOWN], s->count);
	pk_cell_int(&row[B_OUTLIERS_SHOWN], s->outside_fences);
	put_label(d, &row[B_LABEL], pk_node_function(d->p, l->row->node));
}

static void put_group(struct drawing *d, const char *group)
{
	struct pk_cell *row = pk_grid_row(d->g, 0);

	pk_cell_text(&row[B_LABEL], *group ? group : "(no group)");
	row[B_LABEL].tone = PK_TONE_STRONG;
}

int pk_bench_grid(struct pk_grid *g, const struct pk_bench_table *t, uint32_t rows, bool people,
		  const char *unit, struct pk_error *err)
{
	struct drawing d = {.g = g, .t = t, .p = t->list.profile, .unit = unit};
	bool grouped = people && t->groups > 1;
	struct pk_unit named;

	pk_grid_init(g, columns, B_COUNT);
	g->right = 0xFULL << B_MEAN_SHOWN;
	g->spare = 1ULL << B_MEDIAN_SHOWN | 1ULL << B_MIN_SHOWN | 1ULL << B_OUTLIERS_SHOWN |
		   1ULL << B_ROUNDS_SHOWN;
	g->blank = true;
	for (uint32_t i = 0; i < t->count && i < rows; i++) {
		const struct pk_bench_line *l = &t->line[i];
		uint32_t metric = l->row->metric, function = pk_node_function(d.p, l->row->node);
		bool time = d.p->metric.kind[metric] == PK_METRIC_TIME;
		struct pk_bench_stats stats;
		struct pk_cell *row;

		if (!i && unit && !pk_unit_named(pk_metric_unit(d.p, metric), unit, &named)) {
			PK_BUF_AUTO why = PK_BUF_INIT;

			pk_unit_refuse(&why, pk_metric_unit(d.p, metric), unit);
			return pk_fail(err, PK_EUSAGE, "--unit: %s", why.data);
		}
		if (grouped && (!i || strcmp(l[-1].group, l->group) != 0))
			put_group(&d, l->group);
		row = pk_grid_row(g, grouped);
		d.scale = time ? 1e9 : 1;
		pk_cell_string(&row[B_NAME], d.p, d.p->function.name[function]);
		pk_cell_string(&row[B_MODULE], d.p, d.p->function.module[function]);
		pk_cell_string(&row[B_FILE], d.p, d.p->function.file[function]);
		pk_cell_text(&row[B_GROUP], *l->group ? l->group : NULL);
		put_parameters(&d, &row[B_PARAMETERS], l->row->cost);
		pk_bench_describe(&t->list, l->row, &stats);
		put_numbers(&d, row, &stats);
		if (people)
			put_shown(&d, row, l, &stats);
	}
	if (grouped)
		g->tree_column = B_LABEL;
	pk_buf_release(&d.text);
	return 0;
}
