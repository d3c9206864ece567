/*
 * Results of asv (airspeed velocity) 0.3 to 0.6 for one commit: results/MACHINE/COMMIT-ENV.json.
 *
 *	{"commit_hash": "fe45...", "env_name": "virtualenv-py3.11", "date": 1795346084000,
 *	 "params": {"cpu": "...", "machine": "box", "os": "Linux", "ram": "8", "num_cpu": "2"},
 *	 "python": "3.11", "requirements": {"numpy": "1.26"},
 *	 "result_columns": ["result", "params", ...],
 *	 "results": {"bench.Words.time_sort": [[1.3e-06, null], [["10", "20"]], ...], ...},
 *	 "version": 2}
 *
 * - Each column of a benchmark is a list over all combinations of its parameters, where the last
 *   parameter changes fastest; columns at the end may be missing. null: it failed; NaN: it was
 *   skipped.
 * - A combination is a row, "bench.Words.time_sort(10, 'a')" as asv compare names it. result is the
 *   median of the samples, which are there after asv run --record-samples only.
 * - What is measured is in the name: time_ and timeraw_ seconds, mem_ and peakmem_ bytes, track_
 *   anything, whose unit is in benchmarks.json (describe.c).
 * - Version 1 has {"result": ..., "params": ..., "stats": [{"q_25": ...}]} in place of the columns,
 *   or a number.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "readers/asv/internal.h"

static int read_member(struct asv *a)
{
	struct pk_json *j = &a->json;
	int ret = 0;

	if (pk_json_is(j, "result_columns"))
		asv_use_columns(a);
	else if (pk_json_is(j, "params"))
		asv_read_machine(a);
	else if (pk_json_is(j, "requirements"))
		asv_read_meta(a, "requirement.");
	else if (pk_json_is(j, "env_vars"))
		asv_read_meta(a, "environment.");
	else if (pk_json_is(j, "commit_hash") && pk_json_next_text(j, &a->text))
		pk_build_meta(a->b, "commit", a->text.data);
	else if (pk_json_is(j, "env_name") && pk_json_next_text(j, &a->text))
		pk_build_meta(a->b, "env_name", a->text.data);
	else if (pk_json_is(j, "python") && pk_json_next_text(j, &a->text))
		asv_read_python(a);
	else if (pk_json_is(j, "results") && pk_json_enter(j, PK_JSON_OBJECT))
		while (!ret && pk_json_next_key(j))
			ret = asv_read_benchmark(a);
	else if (j->token == PK_JSON_KEY)
		pk_json_skip(j);
	return ret;
}

/* True if a benchmark is named "time_..." or "timeraw_...", in a text of JSON. */
static bool has_times(const char *text, size_t len)
{
	const char *end = text + len, *at = text, *last;

	while ((at = memmem(at, (size_t)(end - at), "time", 4))) {
		const char *rest = at + 4;

		last = at++;
		if (end - rest > 4 && memcmp(rest, "raw", 3) == 0)
			rest += 3;
		if (rest == end || *rest != '_' || last == text ||
		    (last[-1] != '.' && last[-1] != '"'))
			continue;
		while (rest < end && *rest != '"' && *rest != '.')
			rest++;
		if (rest < end && *rest == '"')
			return true;
	}
	return false;
}

static int read_results(struct asv *a, struct pk_input *in)
{
	size_t len;
	const char *text = (const char *)pk_input_all(in, &len);
	int ret = 0;

	asv_usual_columns(a);
	if (a->wanted)
		return asv_read_profile(a, text, len);
	if (has_times(text, len)) /* time becomes the first metric, wherever it is in the file */
		pk_bench_metric(&a->bench, "time", "ns", PK_METRIC_TIME);
	pk_json_open_text(&a->json, text, len);
	if (pk_json_next(&a->json) == PK_JSON_OBJECT)
		while (!ret && pk_json_next_key(&a->json))
			ret = read_member(a);
	if (ret || pk_input_check(in, a->err) || pk_reader_end_json(&a->json, a->b, a->err))
		return -1;
	if (!a->results)
		return pk_fail(a->err, PK_EFORMAT, "no benchmark has a result");
	if (a->medians)
		pk_build_meta(a->b, "mean", "the median, where there are no values");
	if (a->started != PK_NULL)
		pk_build_set(a->b, run, start, 1, a->started * 1000000);
	return 0;
}

struct params {
	const char *profile;
};

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "profile", 0, offsetof(struct params, profile), "NAME",
	 .help = "read the functions that asv run --profile kept of this benchmark"},
	PK_OPT_LAST,
};

static int read_asv(struct pk_input *in, const void *params, struct pk_builder *b,
		    struct pk_error *err)
{
	const struct params *options = params;
	struct asv a = {.b = b, .err = err, .started = PK_NULL, .wanted = options->profile};
	int ret;

	pk_bench_begin(&a.bench, b);
	if (!a.wanted) {
		pk_build_run_text(b, PK_RUN_PRODUCER, "asv");
		asv_describe(&a, in);
	}
	ret = read_results(&a, in);
	pk_bench_end(&a.bench);
	for (size_t i = 0; i < a.descriptions; i++)
		free(a.description[i].names.value);
	for (size_t i = 0; i < a.params_alloc; i++)
		free(a.param[i].value);
	for (int i = 0; i < ASV_NUMBERS; i++)
		free(a.number[i].value);
	free(a.samples.value);
	free(a.begins.value);
	free(a.param);
	free(a.column);
	free(a.description);
	free(a.description_of);
	pk_buf_release(&a.text);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	static const char *const signs[] = {"\"result_columns\"", "\"env_name\"",
					    "\"requirements\""};

	if (!pk_probe_is_object(probe) || !pk_probe_has(probe, "\"commit_hash\"") ||
	    !pk_probe_has(probe, "\"results\""))
		return PK_NO;
	for (int i = 0; i < 3; i++)
		if (pk_probe_has(probe, signs[i]))
			return PK_SURE;
	return PK_NO;
}

static const char *const suffixes[] = {".json", NULL};
static const char *const beside[] = {"../benchmarks.json", "benchmarks.json", NULL};

const struct pk_reader pk_reader_asv = {
	.name = "asv",
	.title = "results of asv (airspeed velocity) for one commit",
	.suffixes = suffixes,
	.beside = beside,
	.opts = opts,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_METRICS | PK_PART_META | PK_PART_ARGS | PK_PART_EDGES | PK_PART_CALLS |
		 PK_PART_FILES | PK_PART_LABELS,
	.probe = probe,
	.read = read_asv,
};
