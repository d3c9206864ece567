/*
 * The statistics of a benchmark, and its values, for pytest_benchmark.c.
 *
 *	"stats": {"min": 6.5e-08, "rounds": 2, "data": [6.5e-08, 7.25e-08]}
 */
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/pytest_benchmark/internal.h"

/* Members of "stats", and what pk_bench_describe calls them. */
/* Kept even if there are values: Python 3.8 rounds the deviation otherwise than 3.11. */
enum { ALWAYS = 3, MEAN = PYTEST_BENCHMARK_MEAN };
static const struct {
	const char *key, *fact;
} stats[PYTEST_BENCHMARK_STATS] = {{"iterations", "iterations"},
				   {"total", "total"},
				   {"stddev", "stddev"},
				   [MEAN] = {"mean", "mean"},
				   {"rounds", "count"},
				   {"min", "min"},
				   {"max", "max"},
				   {"median", "median"},
				   {"q1", "q1"},
				   {"q3", "q3"},
				   {"iqr", "iqr"},
				   {"ops", "ops"},
				   {"stddev_outliers", "outside_stddev"},
				   {"iqr_outliers", "outside_fences"}};

static int read_data(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	r->data.count = 0;
	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	pk_json_reals(j, &r->data);
	for (; pk_json_next_item(j); pk_json_reals(j, &r->data)) {
		double value;

		if (j->token == PK_JSON_NUMBER &&
		    pk_parse_real(j->text, j->len, &value) == j->len) {
			PK_GROW(r->data.value, r->data.count + 1, r->data.alloc);
			r->data.value[r->data.count++] = value;
			continue;
		}
		pk_json_rest(j);
		if (pytest_benchmark_repair(r, "value that is no number left out"))
			return -1;
	}
	return 0;
}

int pytest_benchmark_stats(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return 0;
	while (pk_json_next_key(j)) {
		size_t i = 0;

		while (i < PYTEST_BENCHMARK_STATS && !pk_json_is(j, stats[i].key))
			i++;
		if (i < PYTEST_BENCHMARK_STATS)
			pytest_benchmark_value_or_none(r, &r->stat[i]);
		else if (!pk_json_is(j, "data"))
			pk_json_skip(j);
		else if (read_data(r))
			return -1;
	}
	return 0;
}

void pytest_benchmark_fact(struct pytest_benchmark *r, uint32_t node, const char *key,
			   const struct pk_buf *text)
{
	if (text->len && strcmp(text->data, "{}") != 0)
		pk_bench_fact(&r->bench, node, key, text->data);
}

int pytest_benchmark_build(struct pytest_benchmark *r, uint32_t node, double mean)
{
	uint32_t odd;

	for (size_t i = 0; i < (r->data.count ? ALWAYS : PYTEST_BENCHMARK_STATS); i++)
		pytest_benchmark_fact(r, node, stats[i].fact, &r->stat[i]);
	if (!r->data.count)
		pk_bench_mean(&r->bench, node, r->time, mean);
	for (odd = pk_bench_values(&r->bench, node, r->time, r->data.value,
				   (uint32_t)r->data.count);
	     odd; odd--)
		if (pytest_benchmark_repair(r, "value that is no number left out"))
			return -1;
	return 0;
}
