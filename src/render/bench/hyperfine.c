/*
 * What hyperfine prints and exports: see hyperfine.h. Statistics are added up in its order, so that
 * the last digit of its CSV is the same.
 *
 *	Benchmark 1: sort x
 *	  Time (mean +- s):      1.126 s +-  0.180 s    [User: 0.152 s, System: 0.052 s]
 *	  Range (min ... max):   0.879 s ...  1.351 s    5 runs
 *
 *	Summary
 *	  'sort y' ran
 *	    1.17 +- 0.21 times faster than 'sort x'
 */
#include "render/bench/hyperfine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "base/text/str.h"
#include "model/label.h"

struct result {
	const struct pk_profile *p;
	const char *name;
	uint32_t labels, runs;
	double mean, stddev, median, min, max; /* seconds; stddev NaN: not known */
	double user, system;                   /* NaN: not known */
	double ratio, error;                   /* to the fastest; error NaN: not known */
	uint32_t number;
};

struct printer {
	const struct pk_hyperfine_params *params;
	struct result *result, *fastest;
	size_t count, alloc;
	struct pk_buf text;
	struct pk_error *err;
};

/* For a metric without values: as exact as the file gives it. */
static double mean_of(const struct pk_benchmarks *list, uint32_t node, const char *name)
{
	uint32_t metric = pk_metric_find(list->profile, name);
	const struct pk_benchmark *row = metric ? pk_benchmarks_find(list, node, metric) : NULL;
	double fact = pk_benchmark_number(list, node, name);
	struct pk_bench_stats stats;

	if (!row || !isnan(fact))
		return fact;
	pk_bench_describe(list, row, &stats);
	return stats.mean;
}

/* Mean and deviation of the values; no deviation for one value. */
static void add_up(struct result *r, const struct pk_benchmark *row)
{
	double sum = 0;
	uint32_t n = row->count;

	for (uint32_t i = 0; i < n; i++)
		sum += row->value[i];
	r->mean = sum / n;
	sum = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += (row->value[i] - r->mean) * (row->value[i] - r->mean);
	r->stddev = n > 1 ? sqrt(sum / (n - 1)) : NAN;
}

static void add_result(struct printer *h, const struct pk_benchmarks *list,
		       const struct pk_benchmark *row)
{
	const struct pk_profile *p = list->profile;
	struct pk_bench_stats stats;
	struct result r = {
		.p = p,
		.name = pk_benchmark_fact(list, row->node, "command"),
		.labels = pk_cost_labels(p, row->cost),
		.user = mean_of(list, row->node, "user"),
		.system = mean_of(list, row->node, "system"),
		.number = (uint32_t)h->count + 1,
	};

	if (!r.name)
		r.name = pk_text(p, pk_node_name(p, row->node));
	pk_bench_describe(list, row, &stats);
	r.mean = stats.mean;
	r.stddev = stats.stddev;
	r.median = stats.median;
	r.min = stats.min;
	r.max = stats.max;
	r.runs = stats.count > 0 ? (uint32_t)stats.count : 0;
	if (row->count)
		add_up(&r, row);
	PK_GROW(h->result, h->count + 1, h->alloc);
	h->result[h->count++] = r;
}

static int add_profile(struct printer *h, const struct pk_profile *p)
{
	uint32_t metric = h->params->metric ? pk_metric_find(p, h->params->metric) : 1;
	const char *source = pk_text(p, p->run.source[1]);
	struct pk_benchmarks list;

	if (!pk_is_benchmark(p))
		return pk_fail(h->err, PK_EUSAGE, "'%s' has no benchmarks", source);
	if (!metric)
		return pk_fail(h->err, PK_EUSAGE, "'%s' has no metric '%s'", source,
			       h->params->metric);
	if (p->metric.kind[metric] != PK_METRIC_TIME)
		return pk_fail(h->err, PK_EUSAGE,
			       "hyperfine shows times, and %s of '%s' is not a time",
			       pk_text(p, p->metric.name[metric]), source);
	pk_benchmarks_init(&list, p, metric);
	for (uint32_t i = 0; i < list.count; i++)
		add_result(h, &list, &list.row[i]);
	pk_benchmarks_release(&list);
	return 0;
}

/* The first one with the shortest time is the reference. */
static void compare(struct printer *h)
{
	const struct result *f;

	h->fastest = h->result;
	for (size_t i = 0; i < h->count; i++)
		if (h->result[i].mean < h->fastest->mean)
			h->fastest = &h->result[i];
	f = h->fastest;
	for (size_t i = 0; i < h->count; i++) {
		struct result *r = &h->result[i];
		double a = r->stddev / r->mean, b = f->stddev / f->mean;

		r->ratio = r->mean / f->mean;
		r->error = r->ratio * sqrt(a * a + b * b);
	}
}

static const struct unit {
	const char *name, *shown;
	double size;
	int digits;
} units[] = {{"ms", "ms", 1e3, 1}, {"s", "s", 1, 3}, {"us", "\u00b5s", 1e6, 1}, {NULL, NULL, 1, 0}};

/* The unit of --unit, or else one by the mean; .name NULL: hyperfine does not have it. */
static const struct unit *unit_of(const char *name, double mean)
{
	const struct unit *u = units;

	if (!name)
		return &units[mean >= 1];
	while (u->name && strcmp(u->name, name) != 0)
		u++;
	return u;
}

/* "12.5" in ms, "1.250" in s */
static const char *number_of(char text[40], double seconds, const struct unit *u)
{
	snprintf(text, 40, "%.*f", u->digits, seconds * u->size);
	return isnan(seconds) ? "-" : text;
}

/* With its unit, in at least `width` columns. */
static void add_value(struct printer *h, double seconds, const struct unit *u, int width)
{
	char text[40];
	int used = (int)pk_utf8_width(u->shown, strlen(u->shown)) + 1;

	pk_buf_addf(&h->text, "%*s %s", width > used ? width - used : 0,
		    number_of(text, seconds, u), u->shown);
}

static void add_text(struct printer *h, const struct result *r)
{
	const struct unit *u = unit_of(h->params->unit, r->mean);
	bool one = isnan(r->stddev);
	enum { WIDTH = 8 };

	pk_buf_addf(&h->text, "Benchmark %u: %s\n", r->number, r->name);
	pk_buf_adds(&h->text,
		    one ? "  Time (abs \u2261):        " : "  Time (mean \u00b1 \u03c3):     ");
	add_value(h, r->mean, u, WIDTH);
	if (!one) {
		pk_buf_adds(&h->text, " \u00b1 ");
		add_value(h, r->stddev, u, WIDTH);
	}
	if (!isnan(r->user) && !isnan(r->system)) {
		pk_buf_addf(&h->text, "%s[User: ", one ? "               " : "    ");
		add_value(h, r->user, u, 0);
		pk_buf_adds(&h->text, ", System: ");
		add_value(h, r->system, u, 0);
		pk_buf_addc(&h->text, ']');
	}
	if (!one) {
		pk_buf_adds(&h->text, "\n  Range (min \u2026 max):   ");
		add_value(h, r->min, u, WIDTH);
		pk_buf_adds(&h->text, " \u2026 ");
		add_value(h, r->max, u, WIDTH);
		pk_buf_addf(&h->text, "    %u runs", r->runs);
	}
	pk_buf_adds(&h->text, "\n \n");
}

PK_COMPARE(by_ratio, struct result, PK_ORDER(a->ratio, b->ratio) ?: PK_ORDER(a->number, b->number))

static void add_summary(struct printer *h)
{
	const char *fastest = h->fastest->name;

	if (h->count < 2)
		return;
	pk_buf_adds(&h->text, "Summary\n");
	if (h->fastest->mean <= 0) {
		pk_buf_adds(&h->text, "  a mean is 0: it cannot be compared\n");
		return;
	}
	pk_buf_addf(&h->text, "  '%s' ran\n", fastest);
	pk_sort(h->result, h->count, sizeof(*h->result), by_ratio);
	for (size_t i = 1; i < h->count; i++) {
		const struct result *r = &h->result[i];

		pk_buf_addf(&h->text, "%8.2f", r->ratio);
		if (!isnan(r->error))
			pk_buf_addf(&h->text, " \u00b1 %.2f", r->error);
		pk_buf_addf(&h->text, " times faster than '%s'\n", r->name);
	}
}

/* The cells of a row of a markup table, with the markup around and between them. */
static void add_cells(struct printer *h, const struct result *r, const struct unit *u,
		      const char *between)
{
	char number[40];

	pk_buf_adds(&h->text, "| `");
	for (const char *c = r->name; *c; c++) {
		if (*c == '|')
			pk_buf_addc(&h->text, '\\');
		pk_buf_addc(&h->text, *c);
	}
	pk_buf_addf(&h->text, "`%s%s", between, number_of(number, r->mean, u));
	if (!isnan(r->stddev))
		pk_buf_addf(&h->text, " \u00b1 %s", number_of(number, r->stddev, u));
	pk_buf_addf(&h->text, "%s%s", between, number_of(number, r->min, u));
	pk_buf_addf(&h->text, "%s%s", between, number_of(number, r->max, u));
	pk_buf_addf(&h->text, "%s%.2f", between, r->ratio);
	if (r != h->fastest && !isnan(r->error))
		pk_buf_addf(&h->text, " \u00b1 %.2f", r->error);
}

static void add_markup(struct printer *h, bool asciidoc)
{
	const char *between = asciidoc ? " \n| " : " | ";
	const struct unit *u = unit_of(h->params->unit, h->result[0].mean);
	const char *unit = u->shown;

	pk_buf_adds(&h->text, asciidoc ? "[cols=\"<,>,>,>,>\"]\n|===\n" : "");
	pk_buf_addf(&h->text, "| Command%sMean [%s]%sMin [%s]%sMax [%s]%sRelative ", between, unit,
		    between, unit, between, unit, between);
	pk_buf_adds(&h->text, asciidoc ? "\n" : "|\n|:---|---:|---:|---:|---:|\n");
	for (size_t i = 0; i < h->count; i++) {
		pk_buf_adds(&h->text, asciidoc ? "\n" : "");
		add_cells(h, &h->result[i], u, between);
		pk_buf_adds(&h->text, asciidoc ? " \n" : " |\n");
	}
	pk_buf_adds(&h->text, asciidoc ? "|===\n" : "");
}

static void add_field(struct printer *h, const char *text)
{
	if (!text[strcspn(text, "\",\r\n")]) {
		pk_buf_adds(&h->text, text);
		return;
	}
	pk_buf_addc(&h->text, '"');
	for (; *text; text++) {
		pk_buf_adds(&h->text, *text == '"' ? "\"" : "");
		pk_buf_addc(&h->text, *text);
	}
	pk_buf_addc(&h->text, '"');
}

/* The shortest decimal without an exponent that reads back as the same number. */
static void add_real(struct printer *h, double value)
{
	PK_BUF_AUTO shortest = PK_BUF_INIT;
	char *e, text[400];

	pk_buf_addc(&h->text, ',');
	if (isnan(value))
		return;
	pk_format_real(&shortest, value);
	e = strchr(shortest.data, 'e');
	if (e) {
		size_t digits = (size_t)(e - shortest.data) - (strchr(shortest.data, '.') != NULL);
		int places = (int)digits - 1 - atoi(e + 1);

		snprintf(text, sizeof(text), "%.*f", places > 0 ? places : 0, value);
	}
	pk_buf_adds(&h->text, e ? text : shortest.data);
}

/* The value of a parameter; "" if there is none. */
static const char *parameter_of(const struct result *r, const char *key)
{
	return pk_label_text(r->p, r->labels, key) ?: "";
}

/* Calls see(h, r, key) for each key of the parameters of the first result that has any. */
static void each_parameter(struct printer *h, const struct result *r,
			   void (*see)(struct printer *h, const struct result *r, const char *key))
{
	const struct result *first = h->result;

	while (first + 1 < h->result + h->count && !first->labels)
		first++;
	for (uint32_t set = first->labels; set; set = first->p->label_set.rest[set])
		see(h, r, pk_text(first->p, first->p->label_set.key[set]));
}

static void add_column(struct printer *h, const struct result *r, const char *key)
{
	PK_BUF_AUTO name = PK_BUF_INIT;

	(void)r;
	pk_buf_addf(&name, "parameter_%s", key);
	pk_buf_addc(&h->text, ',');
	add_field(h, name.data);
}

static void add_parameter(struct printer *h, const struct result *r, const char *key)
{
	pk_buf_addc(&h->text, ',');
	add_field(h, parameter_of(r, key));
}

static void add_csv(struct printer *h)
{
	pk_buf_adds(&h->text, "command,mean,stddev,median,user,system,min,max");
	each_parameter(h, NULL, add_column);
	for (size_t i = 0; i < h->count; i++) {
		const struct result *r = &h->result[i];

		pk_buf_addc(&h->text, '\n');
		add_field(h, r->name);
		add_real(h, r->mean);
		add_real(h, isnan(r->stddev) ? 0 : r->stddev);
		add_real(h, r->median);
		add_real(h, r->user);
		add_real(h, r->system);
		add_real(h, r->min);
		add_real(h, r->max);
		each_parameter(h, r, add_parameter);
	}
	pk_buf_addc(&h->text, '\n');
}

static int print(struct printer *h)
{
	enum pk_hyperfine_view view = h->params->view;

	compare(h);
	if (view == PK_HYPERFINE_TEXT) {
		for (size_t i = 0; i < h->count; i++)
			add_text(h, &h->result[i]);
		add_summary(h);
	} else if (view == PK_HYPERFINE_CSV) {
		add_csv(h);
	} else if (h->fastest->mean > 0) {
		add_markup(h, view == PK_HYPERFINE_ASCIIDOC);
	} else {
		return pk_fail(h->err, PK_EUSAGE,
			       "the mean of '%s' is 0: hyperfine makes no table of it; --like "
			       "hyperfine and hyperfine-csv do",
			       h->fastest->name);
	}
	return 0;
}

int pk_hyperfine_print(const struct pk_profiles *list, const struct pk_hyperfine_params *params,
		       struct pk_output *out, struct pk_error *err)
{
	struct printer h = {.params = params, .err = err};
	int ret = 0;

	if (!unit_of(params->unit, 0)->name)
		return pk_fail(err, PK_EUSAGE, "--unit %s: hyperfine has s, ms and us",
			       params->unit);
	for (size_t i = 0; i < list->count && !ret; i++)
		ret = add_profile(&h, list->item[i]);
	if (!ret && !h.count)
		ret = pk_fail(err, PK_EUSAGE, "no benchmark has this metric");
	if (!ret)
		ret = print(&h);
	if (!ret)
		pk_output_write(out, h.text.data, h.text.len);
	pk_buf_release(&h.text);
	free(h.result);
	return ret;
}
