/*
 * Rows of asv's results, named as asv compare does (see asv.c):
 *
 *	params [["10", "20"], ["'a'"]]      time_sort(10, 'a'), time_sort(20, 'a')
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/asv/internal.h"

/* The last part of the name of a benchmark tells what it measures. */
static uint32_t metric_of(struct asv *a, const char *name, const char *unit)
{
	static const struct {
		const char *begin, *metric, *unit;
		enum pk_metric_kind kind;
	} kinds[] = {
		{"timeraw_", "time", "ns", PK_METRIC_TIME},
		{"time_", "time", "ns", PK_METRIC_TIME},
		{"peakmem_", "peakmem", "bytes", PK_METRIC_BYTES},
		{"mem_", "mem", "bytes", PK_METRIC_BYTES},
	};
	const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (pk_starts_with(last, kinds[i].begin))
			return pk_bench_metric(&a->bench, kinds[i].metric, kinds[i].unit,
					       kinds[i].kind);
	if (!*unit || strcmp(unit, "unit") == 0)
		return pk_bench_metric(&a->bench, "track", "count", PK_METRIC_COUNT);
	if (strcmp(unit, "seconds") == 0)
		return pk_bench_metric(&a->bench, "time", "ns", PK_METRIC_TIME);
	return pk_bench_metric(&a->bench, unit, unit,
			       strcmp(unit, "bytes") == 0 ? PK_METRIC_BYTES : PK_METRIC_COUNT);
}

/* Appends "(10, 'a')", the combination `row`, and labels the row that comes next with it. */
static void add_combination(struct asv *a, const struct asv_description *d, size_t row,
			    struct pk_buf *name)
{
	const struct pk_profile *p = pk_builder_profile(a->b);
	size_t left = a->number[ASV_RESULT].count;

	for (size_t i = 0; i < a->params; i++) {
		const struct asv_param *param = &a->param[i];
		const char *value;
		char key[32];

		left /= param->count;
		value = pk_text(p, param->value[row / left % param->count]);
		pk_buf_addf(name, "%s%s", i ? ", " : "(", value);
		snprintf(key, sizeof(key), "param%zu", i + 1);
		pk_bench_label(&a->bench,
			       d && i < d->names.count ? pk_text(p, d->names.value[i]) : key,
			       value);
	}
	pk_buf_adds(name, a->params ? ")" : "");
}

static void add_facts(struct asv *a, uint32_t node, size_t row)
{
	static const char *const names[ASV_NUMBERS] = {"median", "ci_99_a", "ci_99_b", "q1",
						       "q3",     "number",  "count"};

	for (int i = 0; i < ASV_NUMBERS; i++) {
		PK_BUF_AUTO text = PK_BUF_INIT;
		double value = row < a->number[i].count ? a->number[i].value[row] : NAN;

		if (isnan(value) || a->number[ASV_REPEAT].count == 0)
			continue;
		pk_format_real(&text, value);
		pk_bench_fact(&a->bench, node, names[i], text.data);
	}
}

static void add_row(struct asv *a, uint32_t node, uint32_t metric, size_t row)
{
	size_t from = row < a->begins.count ? (size_t)a->begins.value[row] : 0;
	size_t to = row + 1 < a->begins.count ? (size_t)a->begins.value[row + 1] : a->samples.count;
	double number = row < a->number[ASV_NUMBER].count ? a->number[ASV_NUMBER].value[row] : NAN;
	struct pk_value value = {.node = node,
				 .metric = metric,
				 .iterations =
					 number >= 1 && number < 1e18 ? (int64_t)number : PK_NULL};
	bool any = false;

	for (size_t i = from; row < a->begins.count && i < to; i++) {
		value.value = a->samples.value[i];
		any = pk_bench_value_of(&a->bench, &value) || any;
	}
	if (!any && a->number[ASV_REPEAT].count == 0) {
		/* memory and tracked values are measured once */
		value.value = a->number[ASV_RESULT].value[row];
		pk_bench_value_of(&a->bench, &value);
	} else if (!any) {
		pk_bench_mean(&a->bench, node, metric, a->number[ASV_RESULT].value[row]);
		add_facts(a, node, row);
		a->medians = true;
	}
}

/* True if there is a result for each combination of parameters. */
static bool fits(const struct asv *a)
{
	size_t count = a->number[ASV_RESULT].count, product = 1;

	for (size_t i = 0; i < a->params; i++)
		if (!a->param[i].count ||
		    __builtin_mul_overflow(product, a->param[i].count, &product))
			return false;
	return product == count;
}

int asv_add_benchmark(struct asv *a)
{
	const struct pk_profile *p = pk_builder_profile(a->b);
	const struct asv_description *d = a->name < a->names && a->description_of[a->name]
						  ? &a->description[a->description_of[a->name] - 1]
						  : NULL;
	const char *name = pk_text(p, a->name);
	size_t count = a->number[ASV_RESULT].count;
	bool known = fits(a);
	PK_BUF_AUTO how = PK_BUF_INIT;
	uint32_t metric = 0, node;

	pk_buf_addf(&how, "read it with -O profile=%s", name);
	if (!known &&
	    pk_build_repair(a->b, a->err, "results that do not fit their parameters numbered",
			    "benchmark '%s'", name))
		return -1;
	for (size_t row = 0; row < count; row++) {
		PK_BUF_AUTO full = PK_BUF_INIT;

		if (isnan(a->number[ASV_RESULT].value[row])) {
			if (pk_build_repair(a->b, a->err,
					    "result that failed or was skipped left out",
					    "benchmark '%s'", name))
				return -1;
			continue;
		}
		pk_buf_adds(&full, name);
		if (known)
			add_combination(a, d, row, &full);
		else
			pk_buf_addf(&full, "(#%zu)", row + 1);
		metric = metric ? metric : metric_of(a, name, d ? pk_text(p, d->unit) : "");
		node = pk_bench_row(&a->bench, full.data, NULL, NULL);
		add_row(a, node, metric, row);
		if (a->has_profile)
			pk_bench_fact(&a->bench, node, "profile", how.data);
		a->results++;
	}
	return 0;
}
