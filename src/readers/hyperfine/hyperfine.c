/*
 * Times of commands, as hyperfine --export-json (all versions) and --export-csv (csv.c) write them.
 *
 *	{"results": [
 *	  {"command": "sort x", "mean": 1.12, "stddev": 0.18, "median": 1.10, "user": 0.15,
 *	   "system": 0.05, "min": 0.87, "max": 1.35, "times": [1.05, 0.87, ...],
 *	   "memory_usage_byte": [1638400, ...], "exit_codes": [0, 1, null, ...],
 *	   "parameters": {"n": "100"}}, ...]}
 *
 * - Seconds. The time that the shell takes to start is subtracted, down to 0: a time may be 0.
 * - times are the values of the metric time. user and system are means; their values are not kept.
 * - --command-name replaces the command. Commands of one name are told apart by their parameters,
 *   which are labels, else by numbers: "sort x #2".
 * - stddev is null where there was one run. memory_usage_byte is there from version 1.19 on.
 * - An exit code is null where a signal ended the command.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/hyperfine/internal.h"

const char *const hyperfine_fact_names[HYPERFINE_FACTS] = {"mean",   "stddev", "median", "user",
							   "system", "min",    "max"};

struct hyperfine_result *hyperfine_add_result(struct hyperfine *h)
{
	struct hyperfine_result *r;

	PK_GROW(h->result, h->results + 1, h->results_alloc);
	r = &h->result[h->results++];
	*r = (struct hyperfine_result){.parameter = h->parameters};
	for (int fact = 0; fact < HYPERFINE_FACTS; fact++)
		r->fact[fact] = NAN;
	return r;
}

void hyperfine_add_parameter(struct hyperfine *h, uint32_t key, uint32_t text)
{
	PK_GROW(h->parameter, h->parameters + 1, h->parameters_alloc);
	h->parameter[h->parameters++] = (struct hyperfine_parameter){key, text};
	h->result[h->results - 1].parameters++;
}

bool hyperfine_number(const char *text, size_t len, double *number)
{
	return pk_parse_real(text, len, number) == len && isfinite(*number) && *number >= 0;
}

static const char *name_of(const struct hyperfine *h, const struct hyperfine_result *r)
{
	return pk_text(pk_builder_profile(h->b), r->name);
}

static int drop_value(struct hyperfine *h)
{
	return pk_build_repair(h->b, h->err, "value that is no number from 0 on left out",
			       "result %zu", h->results);
}

/* At a number: it becomes the last of the values, or is left out. */
static int add_value(struct hyperfine *h, const struct pk_json *j)
{
	double value = NAN;

	if (j->token != PK_JSON_NUMBER || !hyperfine_number(j->text, j->len, &value))
		return drop_value(h);
	PK_GROW(h->value, h->values + 1, h->values_alloc);
	h->value[h->values++] = value;
	return 0;
}

static int read_values(struct hyperfine *h, struct pk_json *j, size_t *first, size_t *count)
{
	*first = h->values;
	if (pk_json_enter(j, PK_JSON_ARRAY))
		while (pk_json_next_item(j)) {
			if (add_value(h, j))
				return -1;
			pk_json_rest(j);
		}
	*count = h->values - *first;
	return 0;
}

static void read_exit_codes(struct hyperfine *h, struct pk_json *j, struct hyperfine_result *r)
{
	h->text.len = 0;
	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return;
	for (r->exits = r->failed = 0; pk_json_next_item(j); r->exits++) {
		bool number = j->token == PK_JSON_NUMBER;

		r->failed += !number || j->len != 1 || *j->text != '0';
		pk_buf_adds(&h->text, r->exits ? ", " : "");
		pk_buf_add(&h->text, number ? j->text : "signal", number ? j->len : 6);
		pk_json_rest(j);
	}
	free(r->exit_codes);
	r->exit_codes = r->failed ? pk_strdup(h->text.data) : NULL;
}

static void read_parameters(struct hyperfine *h, struct pk_json *j)
{
	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		uint32_t key;

		h->text.len = 0;
		pk_json_unescape(&h->text, j->text, j->len);
		key = pk_build_string(h->b, h->text.data, h->text.len);
		if (pk_json_next_text(j, &h->text))
			hyperfine_add_parameter(h, key,
						pk_build_string(h->b, h->text.data, h->text.len));
	}
}

static int read_fact(struct hyperfine *h, struct pk_json *j, struct hyperfine_result *r)
{
	for (int fact = 0; fact < HYPERFINE_FACTS; fact++) {
		if (!pk_json_is(j, hyperfine_fact_names[fact]))
			continue;
		if (pk_json_next(j) == PK_JSON_NUMBER &&
		    !hyperfine_number(j->text, j->len, &r->fact[fact])) {
			r->fact[fact] = NAN;
			return drop_value(h);
		}
		pk_json_rest(j);
		return 0;
	}
	pk_json_skip(j);
	return 0;
}

static int read_member(struct hyperfine *h, struct pk_json *j, struct hyperfine_result *r)
{
	if (pk_json_is(j, "times"))
		return read_values(h, j, &r->time, &r->times);
	if (pk_json_is(j, "memory_usage_byte"))
		return read_values(h, j, &r->memory, &r->memories);
	if (pk_json_is(j, "exit_codes"))
		read_exit_codes(h, j, r);
	else if (pk_json_is(j, "parameters"))
		read_parameters(h, j);
	else if (!pk_json_is(j, "command"))
		return read_fact(h, j, r);
	else if (pk_json_next_text(j, &h->text))
		r->command = pk_build_string(h->b, h->text.data, h->text.len);
	return 0;
}

static int read_results(struct hyperfine *h, struct pk_json *j)
{
	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return 0;
	while (pk_json_next_of(j, PK_JSON_OBJECT)) {
		struct hyperfine_result *r = hyperfine_add_result(h);

		while (pk_json_next_key(j))
			if (read_member(h, j, r))
				return -1;
	}
	return 0;
}

static int read_json(struct hyperfine *h, struct pk_input *in)
{
	struct pk_json json;
	int ret = 0;

	pk_json_open(&json, in);
	if (pk_json_next(&json) == PK_JSON_OBJECT) {
		while (!ret && pk_json_next_key(&json)) {
			if (pk_json_is(&json, "results"))
				ret = read_results(h, &json);
			else
				pk_json_skip(&json);
		}
	}
	if (ret || pk_input_check(in, h->err))
		return -1;
	return pk_reader_end_json(&json, h->b, h->err);
}

/* Appends "name [n=100, r=1]" */
static void add_parameters(struct hyperfine *h, const struct hyperfine_result *r)
{
	const struct pk_profile *p = pk_builder_profile(h->b);

	for (size_t i = 0; i < r->parameters; i++) {
		const struct hyperfine_parameter *a = &h->parameter[r->parameter + i];

		pk_buf_addf(&h->text, "%s%s=%s", i ? ", " : " [", pk_text(p, a->key),
			    pk_text(p, a->text));
	}
	pk_buf_adds(&h->text, r->parameters ? "]" : "");
}

/* Gives commands of the same name different ones: by their parameters, then by numbers. */
static void name_results(struct hyperfine *h)
{
	for (size_t i = 0; i < h->results; i++)
		h->result[i].name = h->result[i].command;
	for (int step = 0; step < 2; step++) {
		uint32_t *count = NULL, *seen;
		size_t alloc = 0, strings = pk_builder_profile(h->b)->string.count;

		PK_GROW_ZERO(count, strings, alloc);
		seen = pk_calloc(strings, sizeof(*seen));
		for (size_t i = 0; i < h->results; i++)
			count[h->result[i].name]++;
		for (size_t i = 0; i < h->results; i++) {
			struct hyperfine_result *r = &h->result[i];

			h->text.len = 0;
			pk_buf_adds(&h->text, name_of(h, r));
			if (!step && count[r->name] > 1)
				add_parameters(h, r);
			if (step && ++seen[r->name] > 1)
				pk_buf_addf(&h->text, " #%u", seen[r->name]);
			r->name = pk_build_text(h->b, h->text.data);
		}
		free(count);
		free(seen);
	}
}

static void add_facts(struct pk_bench *bench, const struct hyperfine_result *r, uint32_t node)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	for (int fact = 0; fact < HYPERFINE_FACTS; fact++) {
		bool of_times = fact != HYPERFINE_USER && fact != HYPERFINE_SYSTEM;

		if (isnan(r->fact[fact]) || (of_times && r->times))
			continue;
		text.len = 0;
		pk_format_real(&text, r->fact[fact]);
		pk_bench_fact(bench, node, hyperfine_fact_names[fact], text.data);
	}
	if (r->name != r->command)
		pk_bench_fact(bench, node, "command",
			      pk_text(pk_builder_profile(bench->b), r->command));
	if (!r->failed)
		return;
	pk_bench_fact(bench, node, "exit_codes", r->exit_codes);
	text.len = 0;
	pk_buf_addf(&text, "%zu of %zu run%s", r->failed, r->exits, r->exits == 1 ? "" : "s");
	pk_bench_fact(bench, node, "failed", text.data);
}

static void build_result(struct hyperfine *h, struct pk_bench *bench, const uint32_t metric[3],
			 const struct hyperfine_result *r)
{
	const struct pk_profile *p = pk_builder_profile(h->b);
	uint32_t node;

	for (size_t i = 0; i < r->parameters; i++)
		pk_bench_label(bench, pk_text(p, h->parameter[r->parameter + i].key),
			       pk_text(p, h->parameter[r->parameter + i].text));
	node = pk_bench_row(bench, name_of(h, r), NULL, NULL);
	for (size_t i = 0; i < r->times; i++)
		pk_bench_value(bench, node, metric[0], h->value[r->time + i]);
	if (!r->times)
		pk_bench_mean(bench, node, metric[0], r->fact[HYPERFINE_MEAN]);
	pk_bench_mean(bench, node, metric[1], r->fact[HYPERFINE_USER]);
	pk_bench_mean(bench, node, metric[2], r->fact[HYPERFINE_SYSTEM]);
	if (r->memories) {
		uint32_t maxrss = pk_bench_metric(bench, "maxrss", "bytes", PK_METRIC_BYTES);

		for (size_t i = 0; i < r->memories; i++)
			pk_bench_value(bench, node, maxrss, h->value[r->memory + i]);
	}
	add_facts(bench, r, node);
}

enum { DIGITS = 3 }; /* of means in ns: commands may run for days */

static int build(struct hyperfine *h)
{
	static const char *const names[] = {"time", "user", "system"};
	struct pk_bench bench;
	uint32_t metric[3];

	if (!h->results)
		return pk_fail(h->err, PK_EFORMAT, "no results: hyperfine wrote none");
	for (size_t i = 0; i < h->results; i++)
		if (!h->result[i].times && isnan(h->result[i].fact[HYPERFINE_MEAN]))
			return pk_fail(h->err, PK_EFORMAT,
				       "result %zu has neither times nor a mean", i + 1);
	pk_bench_begin(&bench, h->b);
	for (int i = 0; i < 3; i++)
		metric[i] = pk_bench_metric_of(&bench, names[i], "ns", DIGITS, PK_METRIC_TIME,
					       PK_EXACT);
	name_results(h);
	for (size_t i = 0; i < h->results; i++)
		build_result(h, &bench, metric, &h->result[i]);
	pk_bench_end(&bench);
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct hyperfine h = {.b = b, .err = err};
	size_t len;
	const uint8_t *text = pk_input_peek(in, 1, &len);
	int ret;

	(void)params;
	pk_build_run_text(b, PK_RUN_PRODUCER, "hyperfine");
	ret = len && *text == 'c' ? hyperfine_read_csv(&h, in) : read_json(&h, in);
	if (!ret)
		ret = build(&h);
	for (size_t i = 0; i < h.results; i++)
		free(h.result[i].exit_codes);
	free(h.result);
	free(h.value);
	free(h.parameter);
	pk_buf_release(&h.text);
	return ret;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	if (pk_probe_begins(probe, "command,mean,stddev,"))
		return PK_SURE;
	if (!pk_probe_is_object(probe) || !pk_probe_has(probe, "\"results\"") ||
	    !pk_probe_has(probe, "\"command\""))
		return PK_NO;
	return pk_probe_has(probe, "\"user\"") && pk_probe_has(probe, "\"system\"") ? PK_SURE
										    : PK_NO;
}

static const char *const suffixes[] = {".json", ".csv", NULL};

const struct pk_reader pk_reader_hyperfine = {
	.name = "hyperfine",
	.title = "times of commands, by hyperfine: its JSON and CSV",
	.suffixes = suffixes,
	.keeps = PK_PART_METRICS | PK_PART_ARGS | PK_PART_LABELS,
	.probe = probe,
	.read = read,
};
