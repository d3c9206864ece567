/*
 * Results of pyperf, as its -o writes them (JSON; also .json.gz), versions 1.0, 6 and 5.
 *
 *	{"benchmarks": [{"metadata": {"inner_loops": 3, "loops": 16384, "name": "split3"},
 *	    "runs": [{"metadata": {"calibrate_loops": 16384, "date": "2026-11-22 10:56:48.749362"},
 *	              "warmups": [[1, 5.5e-07], [2, 1.6e-07]]},
 *	             {"metadata": {...}, "values": [2.27e-06, 1.55e-06],
 *	              "warmups": [[16384, 1.5e-06]]}
 *	    ]}],
 *	 "metadata": {"cpu_model_name": "AMD EPYC", "unit": "second"}, "version": "1.0"}
 *
 * - Metadata of the file hold for all benchmarks, those of a benchmark for all its runs; the inner
 *   ones have precedence. Those of the file become meta, of a benchmark its arguments, of a run
 *   those of its process.
 * - A run is a process; processes are numbered through the file. One without values is a
 *   calibration: its warm-ups have loops of their own.
 * - Values are of one iteration: of loops * inner_loops. Before 1.0, warm-ups are of all loops, and
 *   metadata of a benchmark is "common_metadata", values are "samples" in version 5.
 * - Keys are sorted, so that the metadata of the file are last, and are read before the rest.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/date.h"
#include "base/num/units.h"
#include "readers/pyperf/internal.h"
#include "readers/reader.h"

static int64_t loops_of(const struct pyperf *r, size_t run, const char *key)
{
	const char *text = pyperf_find_of(r, run, key);
	int64_t loops = text ? strtoll(text, NULL, 10) : 1;

	return loops > 0 && loops <= UINT32_MAX ? loops : 1;
}

static void add_number(struct pyperf *r, double value, int64_t loops)
{
	PK_GROW(r->number, r->numbers + 1, r->number_alloc);
	r->number[r->numbers++] =
		(struct number){.value = value, .loops = loops, .run = (uint32_t)r->runs};
}

static int read_values(struct pyperf *r)
{
	struct pk_json *j = &r->json;
	double value;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return pyperf_mend(r, "values that are no list left out");
	while (pk_json_next_item(j)) {
		if (j->token == PK_JSON_NUMBER && pk_parse_real(j->text, j->len, &value) &&
		    value > 0 && value <= 1e300) {
			add_number(r, value, 0);
			continue;
		}
		pk_json_rest(j);
		if (pyperf_mend(r, "value that is no number above 0 left out"))
			return -1;
	}
	return 0;
}

/* [[loops, value], ...] */
static int read_warmups(struct pyperf *r)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return pyperf_mend(r, "warm-ups that are no list left out");
	while (pk_json_next_of(j, PK_JSON_ARRAY)) {
		double part[2] = {0, -1};

		for (int i = 0; pk_json_next_item(j); i++) {
			if (i < 2 && j->token == PK_JSON_NUMBER)
				pk_parse_real(j->text, j->len, &part[i]);
			pk_json_rest(j);
		}
		if (part[0] >= 1 && part[0] <= UINT32_MAX && part[1] >= 0 && part[1] <= 1e300)
			add_number(r, part[1], (int64_t)part[0]);
		else if (pyperf_mend(r, "warm-up that is no loops and time left out"))
			return -1;
	}
	return 0;
}

static int read_run(struct pyperf *r)
{
	struct pk_json *j = &r->json;
	size_t numbers = r->numbers, facts = r->run.count;
	int ret = 0;

	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "metadata"))
			ret = pyperf_read_facts(r, &r->run);
		else if (pk_json_is(j, "values") || pk_json_is(j, "samples"))
			ret = read_values(r);
		else if (pk_json_is(j, "warmups"))
			ret = read_warmups(r);
		else
			pk_json_skip(j);
	}
	if (ret)
		return -1;
	if (numbers == r->numbers) {
		r->run.count = facts;
		return pyperf_mend(r, "run without values left out");
	}
	PK_GROW(r->run_end, r->runs + 1, r->run_alloc);
	r->run_end[r->runs++] = r->run.count;
	return 0;
}

static void add_date(struct pyperf *r, const char *date, const char *duration)
{
	double seconds;
	int64_t at;

	if (date && pk_parse_date(date, &at) && (r->start == PK_NULL || at < r->start))
		r->start = at;
	if (duration && pk_parse_real(duration, strlen(duration), &seconds) && seconds >= 0 &&
	    seconds < 1e8)
		pk_add_saturated(&r->duration, (int64_t)(seconds * 1e9));
}

/* Begins the process of a run. */
static void add_process(struct pyperf *r, size_t run)
{
	size_t from = run ? r->run_end[run - 1] : 0, to = r->run_end[run];
	uint32_t process;

	pk_bench_process(&r->bench, ++r->processes);
	process = pk_builder_profile(r->b)->thread.process[r->bench.process];
	add_date(r, pyperf_find(&r->run, from, to, "date"),
		 pyperf_find(&r->run, from, to, "duration"));
	for (size_t i = from; i < to; i++)
		pk_build_arg(r->b, PK_TABLE_PROCESS, process,
			     pk_build_text(r->b, r->run.fact[i].key),
			     pk_build_text(r->b, r->run.fact[i].value));
}

static void add_numbers(struct pyperf *r, uint32_t node, uint32_t metric)
{
	int64_t loops = 1, inner = 1;
	size_t run = PYPERF_NO_RUN;

	for (size_t i = 0; i < r->numbers; i++) {
		const struct number *n = &r->number[i];
		struct pk_value value = {.node = node, .metric = metric, .value = n->value};

		if (n->run != run) {
			run = n->run;
			add_process(r, run);
			loops = loops_of(r, run, "loops");
			inner = loops_of(r, run, "inner_loops");
		}
		value.thread = r->bench.process;
		value.warmup = n->loops;
		value.iterations = (n->loops ? n->loops : loops) * inner;
		if (n->loops && r->raw_warmups)
			value.value /= (double)value.iterations;
		pk_bench_value_of(&r->bench, &value);
	}
}

static uint32_t metric_of(struct pyperf *r)
{
	const char *unit = pyperf_find_of(r, PYPERF_NO_RUN, "unit");

	if (unit && !strcmp(unit, "byte"))
		return pk_bench_metric(&r->bench, "memory", "bytes", PK_METRIC_BYTES);
	if (unit && !strcmp(unit, "integer"))
		return pk_bench_metric(&r->bench, "value", "count", PK_METRIC_COUNT);
	return pk_bench_metric(&r->bench, "time", "ns", PK_METRIC_TIME);
}

/* The benchmark that was read. */
static int add_benchmark(struct pyperf *r)
{
	uint32_t nodes = pk_builder_profile(r->b)->node.count, node;
	const char *name = pyperf_find_of(r, 0, "name");

	if (!r->numbers)
		return pyperf_mend(r, "benchmark without values left out");
	r->text.len = 0;
	if (!name) {
		pk_buf_addf(&r->text, "benchmark %u", r->benchmarks);
		name = pyperf_keep(r);
		if (pyperf_mend(r, "benchmark without a name gets one"))
			return -1;
	}
	node = pk_bench_row(&r->bench, name, NULL, NULL);
	if (node < nodes &&
	    pyperf_mend(r, "benchmark of a name that is used twice added to the first"))
		return -1;
	for (size_t i = 0; i < r->of.count; i++)
		if (strcmp(r->of.fact[i].key, "name") != 0)
			pk_bench_fact(&r->bench, node, r->of.fact[i].key, r->of.fact[i].value);
	add_numbers(r, node, metric_of(r));
	return 0;
}

static int read_benchmark(struct pyperf *r)
{
	struct pk_json *j = &r->json;
	int ret = 0;

	r->benchmarks++;
	r->of.count = r->run.count = r->runs = r->numbers = 0;
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "metadata") || pk_json_is(j, "common_metadata")) {
			ret = pyperf_read_facts(r, &r->of);
		} else if (pk_json_is(j, "runs") && pk_json_enter(j, PK_JSON_ARRAY)) {
			while (!ret && pk_json_next_of(j, PK_JSON_OBJECT))
				ret = read_run(r);
		} else {
			pk_json_skip(j);
		}
	}
	return ret ? ret : add_benchmark(r);
}

/* "1.0", 6 or 5 */
static int check_version(struct pyperf *r)
{
	struct pk_json *j = &r->json;
	bool is_text = pk_json_next(j) == PK_JSON_STRING;

	if ((is_text && pk_json_is(j, "1.0")) ||
	    (!is_text && (pk_json_is(j, "5") || pk_json_is(j, "6")))) {
		r->raw_warmups = !is_text;
		return 0;
	}
	return pk_fail(r->err, PK_EFORMAT, "version %.*s of pyperf's format is not known: %s",
		       (int)(j->len < 20 ? j->len : 20), j->text, "1.0, 6 and 5 are");
}

/* The members of the file, which stand before the benchmarks. */
static int read_head(struct pyperf *r)
{
	struct pk_json *j = &r->json;
	int ret = 0;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return 0;
	while (!ret && pk_json_next_key(j)) {
		if (pk_json_is(j, "metadata"))
			ret = pyperf_read_facts(r, &r->file);
		else if (pk_json_is(j, "version"))
			ret = check_version(r);
		else if (pk_json_next(j) > PK_JSON_END)
			pk_json_pass(j);
	}
	for (size_t i = 0; i < r->file.count; i++)
		pk_build_meta(r->b, r->file.fact[i].key, r->file.fact[i].value);
	return ret;
}

static int read_benchmarks(struct pyperf *r)
{
	struct pk_json *j = &r->json;
	int ret = 0;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return 0;
	while (!ret && pk_json_next_key(j)) {
		if (!pk_json_is(j, "benchmarks") || !pk_json_enter(j, PK_JSON_ARRAY))
			pk_json_skip(j);
		else
			while (!ret && pk_json_next_of(j, PK_JSON_OBJECT))
				ret = read_benchmark(r);
	}
	return ret;
}

static int read_all(struct pyperf *r, const uint8_t *text, size_t len)
{
	pk_json_open_text(&r->json, text, len);
	if (read_head(r))
		return -1;
	pk_json_open_text(&r->json, text, len);
	if (read_benchmarks(r))
		return -1;
	if (pk_reader_end_json(&r->json, r->b, r->err))
		return -1;
	if (!r->processes)
		return pk_fail(r->err, PK_EFORMAT, "no benchmark has values");
	pyperf_add_machine(r);
	if (r->start != PK_NULL)
		pk_build_set(r->b, run, start, 1, r->start);
	if (r->duration)
		pk_build_set(r->b, run, duration, 1, r->duration);
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct pyperf *r = pk_calloc(1, sizeof(*r));
	size_t len;
	const uint8_t *text = pk_input_all(in, &len);
	int ret = pk_input_check(in, err);

	(void)params;
	r->b = b;
	r->err = err;
	r->start = PK_NULL;
	pk_bench_begin(&r->bench, b);
	ret = ret ? ret : read_all(r, text, len);
	pk_bench_end(&r->bench);
	free(r->file.fact);
	free(r->of.fact);
	free(r->run.fact);
	free(r->run_end);
	free(r->number);
	pk_buf_release(&r->text);
	free(r);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	if (!pk_probe_is_object(probe) || !pk_probe_has(probe, "\"benchmarks\"") ||
	    !pk_probe_has(probe, "\"runs\""))
		return PK_NO;
	return pk_probe_has(probe, "\"values\"") || pk_probe_has(probe, "\"warmups\"") ||
			       pk_probe_has(probe, "\"samples\"")
		       ? PK_SURE
		       : PK_NO;
}

static const char *const suffixes[] = {".json", NULL};

const struct pk_reader pk_reader_pyperf = {
	.name = "pyperf",
	.title = "benchmarks of pyperf, each with the values of its runs",
	.suffixes = suffixes,
	.keeps = PK_PART_THREADS | PK_PART_METRICS | PK_PART_META | PK_PART_ARGS,
	.probe = probe,
	.read = read,
};
