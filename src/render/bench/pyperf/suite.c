/* Benchmarks as pyperf sees them: suites of benchmarks with runs (pyperf/_bench.py). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/stats.h"
#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/num/units.h"
#include "render/bench/pyperf/internal.h"

static void gather_facts(struct pyperf_suite *suite)
{
	const struct pk_profile *p = suite->p;

	suite->fact[PYPERF_OF_NODE] = pk_calloc(p->node.count, sizeof(uint32_t));
	suite->fact[PYPERF_OF_PROCESS] = pk_calloc(p->process.count, sizeof(uint32_t));
	suite->after = pk_calloc(p->arg.count, sizeof(uint32_t));
	for (uint32_t i = 1; i < p->arg.count; i++) {
		uint8_t owner = p->arg.owner[i];
		uint32_t *last;

		if (owner != PK_TABLE_NODE && owner != PK_TABLE_PROCESS)
			continue;
		last = &suite->fact[owner == PK_TABLE_NODE ? PYPERF_OF_NODE : PYPERF_OF_PROCESS]
				   [p->arg.row[i]];
		suite->after[i] = *last;
		*last = i;
	}
}

static const char *fact_of(const struct pyperf_suite *suite, uint32_t arg, const char *key)
{
	const struct pk_profile *p = suite->p;

	for (; arg; arg = suite->after[arg])
		if (!strcmp(pk_text(p, pk_arg_key(&p->arg, arg)), key))
			return pk_text(p, p->arg.value[arg]);
	return NULL;
}

const char *pyperf_run_fact(const struct pyperf_bench *bench, const struct pyperf_run *run,
			    const char *key)
{
	return fact_of(bench->suite, bench->suite->fact[PYPERF_OF_PROCESS][run->process], key);
}

const char *pyperf_fact(const struct pyperf_bench *bench, const struct pyperf_run *run,
			const char *key)
{
	const char *found = run ? pyperf_run_fact(bench, run, key) : NULL;

	found = found ? found
		      : fact_of(bench->suite, bench->suite->fact[PYPERF_OF_NODE][bench->node], key);
	return found ? found : pk_meta_find(bench->suite->p, key);
}

int64_t pyperf_loops(const struct pyperf_bench *bench, const struct pyperf_run *run,
		     const char *key)
{
	const char *text = pyperf_fact(bench, run, key);
	int64_t loops = text ? strtoll(text, NULL, 10) : 1;

	return loops > 0 && loops <= UINT32_MAX ? loops : 1;
}

int64_t pyperf_total_loops(const struct pyperf_bench *bench, const struct pyperf_run *run)
{
	return pyperf_loops(bench, run, "loops") * pyperf_loops(bench, run, "inner_loops");
}

int64_t pyperf_iterations(const struct pyperf_bench *bench, uint32_t i)
{
	const struct pk_value_table *t = &bench->suite->p->value;
	int64_t iterations = t->iterations ? t->iterations[bench->row[i]] : PK_NULL;

	return iterations == PK_NULL ? 1 : iterations;
}

const char *const pyperf_calibrations[] = {"calibrate_warmups", "recalibrate_warmups",
					   "recalibrate_loops", "calibrate_loops"};

enum pyperf_calibration pyperf_calibration_of(const struct pyperf_bench *bench,
					      const struct pyperf_run *run)
{
	enum pyperf_calibration c = PYPERF_WARMUPS;

	while (c < PYPERF_LOOPS && !pyperf_run_fact(bench, run, pyperf_calibrations[c]))
		c++;
	return c;
}

double pyperf_run_duration(const struct pyperf_bench *bench, const struct pyperf_run *run)
{
	const char *text = pyperf_fact(bench, run, "duration");
	long double sum = 0;
	double duration;

	if (text && pk_parse_real(text, strlen(text), &duration))
		return duration;
	for (uint32_t i = run->from; i < run->to; i++)
		sum += pyperf_value(bench, i) * (double)pyperf_iterations(bench, i);
	return (double)sum;
}

static void describe(struct pyperf_bench *b)
{
	PK_FREED double *distance = NULL;
	struct pk_bench_stats stats;

	if (!b->values)
		return;
	pk_bench_describe_values(b->value, b->values, &stats);
	b->mean = stats.mean;
	b->stdev = stats.stddev;
	b->median = stats.median;
	b->sorted = pk_sorted_reals(b->value, b->values);
	distance = pk_malloc(b->values * sizeof(*distance));
	for (uint32_t i = 0; i < b->values; i++)
		distance[i] = fabs(b->median - b->value[i]);
	b->mad = pk_median(distance, b->values);
}

/* Finds the runs: the rows of each process follow each other. */
static void find_runs(struct pyperf_bench *b)
{
	const struct pk_profile *p = b->suite->p;
	size_t alloc = 0;

	b->value = pk_malloc(((size_t)b->rows + 1) * sizeof(*b->value));
	for (uint32_t i = 0; i < b->rows; i++) {
		uint32_t thread = pk_value_thread(&p->value, b->row[i]);

		if (!i || thread != pk_value_thread(&p->value, b->row[i - 1])) {
			PK_GROW(b->run, b->runs + 1, alloc);
			b->run[b->runs++] = (struct pyperf_run){
				.from = i, .process = p->thread.process[thread]};
		}
		b->run[b->runs - 1].to = i + 1;
		if (pyperf_is_warmup(b, i))
			continue;
		b->run[b->runs - 1].values++;
		b->value[b->values++] = pyperf_value(b, i);
	}
}

static enum pyperf_unit unit_of(const struct pk_profile *p, uint32_t metric)
{
	if (p->metric.kind[metric] == PK_METRIC_TIME)
		return PYPERF_SECOND;
	return p->metric.kind[metric] == PK_METRIC_BYTES ? PYPERF_BYTE : PYPERF_INTEGER;
}

/* bench_of: by node, number of the benchmark from 1 on. */
static void add_benches(struct pyperf_suite *suite, uint32_t *bench_of, uint32_t metric)
{
	const struct pk_profile *p = suite->p;

	for (uint32_t i = 1; i < p->value.count; i++) {
		uint32_t node = p->value.node[i], of = pk_value_metric(&p->value, i);
		struct pyperf_bench *b;

		if (metric && metric != of)
			continue;
		if (!bench_of[node]) {
			bench_of[node] = ++suite->count;
			b = &suite->bench[suite->count - 1];
			*b = (struct pyperf_bench){.suite = suite,
						   .name = pk_text(p, pk_node_name(p, node)),
						   .node = node,
						   .metric = of,
						   .unit = unit_of(p, of)};
		}
		b = &suite->bench[bench_of[node] - 1];
		b->rows += b->metric == of;
	}
}

static void add_rows(struct pyperf_suite *suite, const uint32_t *bench_of)
{
	const struct pk_value_table *t = &suite->p->value;

	for (uint32_t i = 0; i < suite->count; i++) {
		suite->bench[i].row = pk_malloc((suite->bench[i].rows + 1) * sizeof(uint32_t));
		suite->bench[i].rows = 0;
	}
	for (uint32_t i = 1; i < t->count; i++) {
		struct pyperf_bench *b =
			bench_of[t->node[i]] ? &suite->bench[bench_of[t->node[i]] - 1] : NULL;

		if (b && b->metric == pk_value_metric(t, i))
			b->row[b->rows++] = i;
	}
}

static void index_names(struct pyperf_suite *suite)
{
	struct pk_index *index = &suite->names;

	for (uint32_t k = 0; k < suite->count; k++) {
		const char *name = suite->bench[k].name;
		uint32_t tag = pk_index_tag(pk_hash_bytes(name, strlen(name))), i;

		if (pyperf_suite_find(suite, name))
			continue;
		pk_index_reserve(index);
		for (i = tag & index->mask; index->slot[i].id; i = (i + 1) & index->mask)
			;
		pk_index_put(index, i, tag, k + 1);
	}
}

static int init_suite(struct pyperf_suite *suite, const struct pk_profile *p, uint32_t metric,
		      struct pk_error *err)
{
	PK_FREED uint32_t *bench_of = pk_calloc(p->node.count, sizeof(*bench_of));

	suite->p = p;
	gather_facts(suite);
	suite->bench = pk_calloc(p->node.count, sizeof(*suite->bench));
	add_benches(suite, bench_of, metric);
	add_rows(suite, bench_of);
	for (uint32_t i = 0; i < suite->count; i++) {
		find_runs(&suite->bench[i]);
		describe(&suite->bench[i]);
	}
	index_names(suite);
	if (!suite->count)
		return pk_fail(err, PK_EUSAGE, "'%s' has no values of benchmarks",
			       pk_text(p, p->run.source[1]));
	return 0;
}

/* The length of the name without ".json", ".json.gz" or another suffix. */
static size_t stem(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t len = dot && dot > name ? (size_t)(dot - name) : strlen(name);

	return len > 5 && !strncmp(name + len - 5, ".json", 5) ? len - 5 : len;
}

static bool differ(const struct pyperf_suites *s)
{
	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t j = 0; j < i; j++)
			if (!strcmp(s->suite[i].name.data, s->suite[j].name.data))
				return false;
	return true;
}

/* The names of files, shortened as far as they still differ. */
static void name_suites(struct pyperf_suites *s)
{
	enum { STEM, BASE, PATH };

	for (int form = STEM; form <= PATH; form++) {
		for (uint32_t i = 0; i < s->count; i++) {
			const struct pk_profile *p = s->suite[i].p;
			const char *path = pk_text(p, p->run.source[1]), *base = pk_basename(path);

			s->suite[i].name.len = 0;
			pk_buf_adds(&s->suite[i].name, form == PATH ? path : base);
			if (form == STEM)
				s->suite[i].name.data[s->suite[i].name.len = stem(base)] = '\0';
		}
		if (differ(s))
			return;
	}
}

int pyperf_suites_init(struct pyperf_suites *s, const struct pk_profiles *list, uint32_t metric,
		       struct pk_error *err)
{
	const char *name = metric ? pk_text(list->item[0], list->item[0]->metric.name[metric]) : 0;

	*s = (struct pyperf_suites){.suite = pk_calloc(list->count, sizeof(*s->suite))};
	for (uint32_t i = 0; i < list->count; i++) {
		const struct pk_profile *p = list->item[i];

		s->count++;
		if (init_suite(&s->suite[i], p, name ? pk_metric_find(p, name) : 0, err)) {
			pyperf_suites_release(s);
			return -1;
		}
		s->benchmarks += s->suite[i].count;
	}
	name_suites(s);
	return 0;
}

void pyperf_suites_release(struct pyperf_suites *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		struct pyperf_suite *suite = &s->suite[i];

		for (uint32_t k = 0; k < suite->count; k++) {
			free(suite->bench[k].row);
			free(suite->bench[k].run);
			free(suite->bench[k].value);
			free(suite->bench[k].sorted);
		}
		free(suite->bench);
		free(suite->fact[PYPERF_OF_NODE]);
		free(suite->fact[PYPERF_OF_PROCESS]);
		free(suite->after);
		pk_index_release(&suite->names);
		pk_buf_release(&suite->name);
	}
	free(s->suite);
}

struct pyperf_bench *pyperf_suite_find(const struct pyperf_suite *suite, const char *name)
{
	const struct pk_index *index = &suite->names;
	uint32_t tag = pk_index_tag(pk_hash_bytes(name, strlen(name))), i;

	for (i = tag & index->mask; index->used && index->slot[i].id; i = (i + 1) & index->mask)
		if (index->slot[i].tag == tag &&
		    !strcmp(suite->bench[index->slot[i].id - 1].name, name))
			return &suite->bench[index->slot[i].id - 1];
	return NULL;
}
