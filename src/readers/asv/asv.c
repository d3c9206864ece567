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
 * - Each column of a benchmark is a list over all combinations of its parameters, of which the last
 *   one changes fastest; columns at the end may be missing. null: it failed; NaN: it was skipped.
 * - A combination is a row, "bench.Words.time_sort(10, 'a')" as asv compare names it. result is the
 *   median of the samples, which are there after asv run --record-samples only.
 * - What is measured is in the name: time_ and timeraw_ seconds, mem_ and peakmem_ bytes, track_
 *   anything, the unit of which is in benchmarks.json (describe.c).
 * - Version 1 has {"result": ..., "params": ..., "stats": [{"q_25": ...}]} in place of the columns,
 *   or a number.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/asv/internal.h"

static const struct {
	const char *name;
	enum asv_column column;
} columns[] = {
	{"result", ASV_RESULT},       {"params", ASV_PARAMS},       {"version", ASV_OTHER},
	{"started_at", ASV_STARTED},  {"duration", ASV_OTHER},      {"stats_ci_99_a", ASV_CI_A},
	{"stats_ci_99_b", ASV_CI_B},  {"stats_q_25", ASV_Q1},       {"stats_q_75", ASV_Q3},
	{"stats_number", ASV_NUMBER}, {"stats_repeat", ASV_REPEAT}, {"samples", ASV_SAMPLES},
	{"profile", ASV_PROFILE},
};
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static void push(struct asv_list *list, double value)
{
	PK_GROW(list->value, list->count + 1, list->alloc);
	list->value[list->count++] = value;
}

/* Of the token that was read; NaN if it is no finite number. */
static double number_at(const struct pk_json *j)
{
	double value = NAN;

	if (j->token != PK_JSON_NUMBER || pk_parse_real(j->text, j->len, &value) != j->len ||
	    !isfinite(value))
		return NAN;
	return value;
}

/* Whether the value that was read begins a list; others are skipped. */
static bool is_list(struct pk_json *j)
{
	if (j->token == PK_JSON_ARRAY)
		return true;
	pk_json_rest(j);
	return false;
}

/* A list, or what is one of a single item. */
static void read_numbers(struct pk_json *j, struct asv_list *list)
{
	if (j->token != PK_JSON_ARRAY) {
		push(list, number_at(j));
		pk_json_rest(j);
		return;
	}
	while (pk_json_next_item(j)) {
		push(list, number_at(j));
		pk_json_rest(j);
	}
}

/* [[1.1, 1.2], null, ...] */
static void read_samples(struct asv *a)
{
	struct pk_json *j = &a->json;

	if (!is_list(j))
		return;
	while (pk_json_next_item(j)) {
		push(&a->begins, (double)a->samples.count);
		if (j->token != PK_JSON_ARRAY) {
			pk_json_rest(j);
			continue;
		}
		while (pk_json_next_item(j)) {
			push(&a->samples, number_at(j));
			pk_json_rest(j);
		}
	}
}

/* The item that was read becomes the last text of p. */
static void add_text(struct asv *a, struct asv_param *p)
{
	struct pk_json *j = &a->json;

	a->text.len = 0;
	pk_buf_adds(&a->text, "");
	if (j->token == PK_JSON_STRING || j->token == PK_JSON_NUMBER)
		pk_json_unescape(&a->text, j->text, j->len);
	pk_json_rest(j);
	PK_GROW(p->value, p->count + 1, p->alloc);
	p->value[p->count++] = pk_build_string(a->b, a->text.data, a->text.len);
}

void asv_read_texts(struct asv *a, struct asv_param *p)
{
	if (pk_json_enter(&a->json, PK_JSON_ARRAY))
		while (pk_json_next_item(&a->json))
			add_text(a, p);
}

static void read_params(struct asv *a)
{
	struct pk_json *j = &a->json;

	if (!is_list(j))
		return;
	for (a->params = 0; pk_json_next_of(j, PK_JSON_ARRAY); a->params++) {
		PK_GROW_ZERO(a->param, a->params + 1, a->params_alloc);
		a->param[a->params].count = 0;
		while (pk_json_next_item(j))
			add_text(a, &a->param[a->params]);
	}
}

static void read_started(struct asv *a)
{
	double ms = number_at(&a->json);

	pk_json_rest(&a->json);
	if (ms > 0 && ms < 9e12 && (a->started == PK_NULL || ms < (double)a->started))
		a->started = (int64_t)ms;
}

/* The first token of the value was read, here and in what this calls. */
static void read_column(struct asv *a, enum asv_column column)
{
	if (column < ASV_NUMBERS)
		read_numbers(&a->json, &a->number[column]);
	else if (column == ASV_PARAMS)
		read_params(a);
	else if (column == ASV_SAMPLES)
		read_samples(a);
	else if (column == ASV_STARTED)
		read_started(a);
	else if (column == ASV_PROFILE && a->json.token == PK_JSON_STRING)
		a->has_profile = true;
	else
		pk_json_rest(&a->json);
}

/* "stats" of version 1: [{"ci_99": [a, b], "q_25": x, ...}, null, ...] */
static void read_stats(struct asv *a)
{
	static const struct {
		const char *name;
		enum asv_column column;
	} known[] = {
		{"q_25", ASV_Q1}, {"q_75", ASV_Q3}, {"number", ASV_NUMBER}, {"repeat", ASV_REPEAT}};
	struct pk_json *j = &a->json;

	if (!is_list(j))
		return;
	for (size_t n = 1; pk_json_next_item(j); n++) {
		bool object = j->token == PK_JSON_OBJECT;

		while (object && pk_json_next_key(j)) {
			size_t i = 0;

			while (i < 4 && !pk_json_is(j, known[i].name))
				i++;
			pk_json_next(j);
			if (i < 4 && a->number[known[i].column].count < n)
				push(&a->number[known[i].column], number_at(j));
			pk_json_rest(j);
		}
		if (!object)
			pk_json_rest(j);
		for (size_t i = 0; i < 4; i++)
			if (a->number[known[i].column].count < n)
				push(&a->number[known[i].column], NAN);
	}
}

/* After "{": a benchmark of version 1. */
static void read_old(struct asv *a)
{
	struct pk_json *j = &a->json;

	while (pk_json_next_key(j)) {
		enum asv_column column = pk_json_is(j, "result")    ? ASV_RESULT
					 : pk_json_is(j, "params")  ? ASV_PARAMS
					 : pk_json_is(j, "samples") ? ASV_SAMPLES
								    : ASV_OTHER;
		bool stats = pk_json_is(j, "stats");

		pk_json_next(j);
		if (stats)
			read_stats(a);
		else
			read_column(a, column);
	}
}

static int read_benchmark(struct asv *a)
{
	struct pk_json *j = &a->json;

	a->text.len = 0;
	pk_buf_adds(&a->text, "");
	pk_json_unescape(&a->text, j->text, j->len);
	a->name = pk_build_string(a->b, a->text.data, a->text.len);
	for (int i = 0; i < ASV_NUMBERS; i++)
		a->number[i].count = 0;
	a->samples.count = a->begins.count = a->params = 0;
	a->has_profile = false;
	pk_json_next(j);
	if (j->token == PK_JSON_ARRAY) {
		for (size_t i = 0; pk_json_next_item(j); i++)
			read_column(a, i < a->columns ? a->column[i] : ASV_OTHER);
	} else if (j->token == PK_JSON_OBJECT) {
		read_old(a);
	} else {
		push(&a->number[ASV_RESULT], number_at(j));
	}
	return j->token > PK_JSON_END ? asv_add_benchmark(a) : 0;
}

void asv_use_columns(struct asv *a)
{
	struct pk_json *j = &a->json;

	a->columns = 0;
	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return;
	while (pk_json_next_item(j)) {
		enum asv_column column = ASV_OTHER;

		for (int i = 0; i < COLUMNS; i++)
			if (j->token == PK_JSON_STRING && pk_json_is(j, columns[i].name))
				column = columns[i].column;
		pk_json_rest(j);
		PK_GROW(a->column, a->columns + 1, a->columns_alloc);
		a->column[a->columns++] = column;
	}
}

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
			ret = read_benchmark(a);
	else if (j->token == PK_JSON_KEY)
		pk_json_skip(j);
	return ret;
}

/* Whether a benchmark is named "time_..." or "timeraw_...", in a text of JSON. */
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

	for (int i = 0; i < COLUMNS; i++) {
		PK_GROW(a->column, a->columns + 1, a->columns_alloc);
		a->column[a->columns++] = columns[i].column;
	}
	if (a->wanted)
		return asv_read_profile(a, text, len);
	if (has_times(text, len)) /* time is the first metric, whatever comes first */
		pk_bench_metric(&a->bench, "time", "ns", PK_METRIC_TIME);
	pk_json_open_text(&a->json, text, len);
	if (pk_json_next(&a->json) == PK_JSON_OBJECT)
		while (!ret && pk_json_next_key(&a->json))
			ret = read_member(a);
	if (ret || pk_input_check(in, a->err) || pk_reader_end_json(&a->json, a->b, a->err))
		return -1;
	if (!a->results)
		return pk_fail(a->err, PK_EFORMAT, "no benchmark has a result");
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
