/*
 * Baselines of profkit check: functions of one or more runs as lines of JSON, made to be kept
 * in a repository and read in its differences.
 *
 *	{"profkit": "baseline", "version": 1, "runs": 2, "producer": "cProfile", "metrics": [...]}
 *	{"function": "parse", "file": "app/parse.py", "line": 12, "calls": 3, "self": [1200, 1310],
 *	 "total": [5000, 5210]}
 *
 * (the second is one line). The first line holds, besides the number of runs:
 *
 * - what runs say of themselves, where they do: producer, command, host, period (between two
 *   samples, in units of the first metric);
 * - metrics, a list of {name, unit, exponent, kind, exactness} as in profkit-output(5).
 *
 * The others are a function each: function, module, file, line, kind (names as there), metric
 * (number from 1, left out for the first), then the values by run: lists, or a number where it is
 * the same in all runs (calls, primitive_calls); null for a run that does not have the function.
 * self is always a list, so that a short file cannot stand for much. Values are whole numbers of
 * 10^-exponent units. Members whose value is not known are left out; members of other names are
 * skipped.
 *
 * The lines of functions are sorted by file, line, function, module, kind and metric. Each run
 * becomes a profile without callers.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/profkit_baseline/internal.h"
#include "readers/reader.h"

static const char signature[] = "{\"profkit\": \"baseline\"";

int baseline_fail(struct baseline *b, const char *what)
{
	if (b->json.token == PK_JSON_ERROR)
		return pk_fail(b->err, PK_EFORMAT, "%s", b->json.error.text);
	return pk_fail(b->err, PK_EFORMAT, "byte %" PRIu64 ": %s", pk_json_offset(&b->json), what);
}

int baseline_text(struct baseline *b, struct pk_buf *buf)
{
	return pk_json_next_text(&b->json, buf) ? 0 : baseline_fail(b, "expected a text");
}

/* The number of the token that was read. */
static int token_number(struct baseline *b, int64_t *value)
{
	bool exact = false, overflow = false;
	size_t used = 0;

	if (b->json.token == PK_JSON_NUMBER)
		used = pk_parse_decimal(b->json.text, b->json.len, 0, value, &exact, &overflow);
	if (!used || used != b->json.len || !exact)
		return baseline_fail(b, overflow ? "this number is too large"
						 : "expected a whole number");
	return 0;
}

int baseline_number(struct baseline *b, int64_t least, int64_t most, int64_t *value)
{
	pk_json_next(&b->json);
	if (token_number(b, value))
		return -1;
	return *value < least || *value > most ? baseline_fail(b, "this number is out of range")
					       : 0;
}

int baseline_index(const char *const *names, const char *name)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

static int read_value(struct baseline *b, struct values *v)
{
	int64_t value = PK_NULL;

	if (b->json.token != PK_JSON_NULL && token_number(b, &value))
		return -1;
	if (v->count == b->runs)
		return baseline_fail(b, "more values than runs");
	v->value[v->count++] = value;
	return 0;
}

static int read_values(struct baseline *b, struct values *v, bool one_for_all)
{
	int status = 0;

	v->there = true;
	v->count = 0;
	if (pk_json_next(&b->json) == PK_JSON_NUMBER && one_for_all)
		return read_value(b, v);
	if (b->json.token != PK_JSON_ARRAY)
		return baseline_fail(b, "expected a list of values");
	while (!status && pk_json_next_item(&b->json))
		status = read_value(b, v);
	if (!status && v->count != b->runs)
		return baseline_fail(b, "fewer values than runs");
	return status;
}

static int read_member(struct baseline *b)
{
	static const char *const texts[] = {"function", "module", "file", "kind"};
	static const char *const values[] = {"self", "total", "calls", "primitive_calls"};

	for (int i = 0; i < SCRATCH; i++) {
		if (pk_json_is(&b->json, texts[i])) {
			b->named |= i == FUNCTION;
			return baseline_text(b, &b->text[i]);
		}
	}
	for (int i = 0; i < VALUES; i++)
		if (pk_json_is(&b->json, values[i]))
			return read_values(b, &b->values[i], i == CALLS || i == PRIMITIVE);
	if (pk_json_is(&b->json, "line"))
		return baseline_number(b, 0, UINT32_MAX, &b->line);
	if (pk_json_is(&b->json, "metric"))
		return baseline_number(b, 1, b->metrics, &b->metric);
	return pk_json_skip(&b->json) ? 0 : baseline_fail(b, "");
}

static int64_t value_of(const struct baseline *b, int which, uint32_t run)
{
	const struct values *v = &b->values[which];

	return v->there ? v->value[v->count == 1 ? 0 : run] : PK_NULL;
}

static uint32_t text_of(struct pk_builder *run, const struct pk_buf *text)
{
	return text->len ? pk_build_string(run, text->data, text->len) : 0;
}

static void build_row(struct baseline *b)
{
	int kind = b->text[KIND].len ? baseline_index(pk_function_kinds, b->text[KIND].data) : 0;

	for (uint32_t r = 0; r < b->runs; r++) {
		struct pk_builder *run = b->run[r];
		struct pk_function function = {
			.name = pk_build_string(run, b->text[FUNCTION].data, b->text[FUNCTION].len),
			.module = text_of(run, &b->text[MODULE]),
			.file = text_of(run, &b->text[FILE_NAME]),
			.line = (uint32_t)b->line,
			.kind = kind < 0 ? PK_KIND_UNKNOWN : (enum pk_function_kind)kind,
		};
		struct pk_edge edge = {
			.metric = (uint32_t)b->metric,
			.calls = value_of(b, CALLS, r),
			.primitive_calls = value_of(b, PRIMITIVE, r),
			.self = value_of(b, SELF, r),
			.total = value_of(b, TOTAL, r),
			.self_raw = NAN,
			.total_raw = NAN,
		};

		if (edge.self == PK_NULL)
			continue; /* not in this run */
		if (edge.total == PK_NULL)
			edge.total = edge.self;
		edge.callee = pk_build_function(run, &function);
		pk_build_edge(run, &edge);
	}
}

static int read_row(struct baseline *b)
{
	int status = 0;

	for (int i = 0; i < TEXTS; i++)
		b->text[i].len = 0;
	b->line = 0;
	b->named = false;
	b->metric = 1;
	for (int i = 0; i < VALUES; i++)
		b->values[i].there = false;
	while (!status && pk_json_next_key(&b->json))
		status = read_member(b);
	if (status)
		return -1;
	if (b->json.token == PK_JSON_ERROR)
		return baseline_fail(b, "");
	if (!b->named || !b->values[SELF].there)
		return baseline_fail(b, "a line without a function, or without self");
	build_row(b);
	return 0;
}

static int read_lines(struct baseline *b, struct pk_input *in)
{
	enum pk_json_token token;

	if (baseline_header(b, in))
		return -1;
	while ((token = pk_json_next(&b->json)) == PK_JSON_OBJECT)
		if (read_row(b))
			return -1;
	if (token != PK_JSON_END)
		return baseline_fail(b, "expected a line for a function");
	for (int i = 0; i < PK_JSON_REPAIRS; i++)
		if (b->json.repair[i].count)
			return pk_fail(b->err, PK_EFORMAT, "byte %" PRIu64 ": %s",
				       b->json.repair[i].first, pk_json_repair_names[i]);
	return 0;
}

/* The run with this label, from 1; 0 = all. */
static int find_run(const struct baseline *b, const char *label, uint32_t *run)
{
	char *end;
	unsigned long number;

	*run = 0;
	if (!label)
		return 0;
	number = strtoul(pk_starts_with(label, "run ") ? label + 4 : label, &end, 10);
	if (!*label || *end || number < 1 || number > b->runs)
		return pk_fail(b->err, PK_EUSAGE, "no run '%s'; there are runs 1 to %" PRIu32,
			       label, b->runs);
	*run = (uint32_t)number;
	return 0;
}

static int read_runs(struct pk_input *in, const void *params, const char *label,
		     struct pk_profiles *runs, struct pk_error *err)
{
	struct baseline *b = pk_calloc(1, sizeof(*b));
	uint32_t wanted = 0;
	int status;

	(void)params;
	b->err = err;
	pk_json_open(&b->json, in);
	status = read_lines(b, in) || find_run(b, label, &wanted) ? -1 : 0;
	for (uint32_t r = 0; r < b->runs; r++) {
		if (status || (wanted && r + 1 != wanted))
			pk_builder_free(b->run[r]);
		else
			pk_profiles_add(runs, pk_builder_finish(b->run[r]));
	}
	for (int i = 0; i < TEXTS; i++)
		pk_buf_release(&b->text[i]);
	free(b);
	return status;
}

static enum pk_score probe(const struct pk_probe *p)
{
	return pk_starts_with((const char *)p->data, signature) ? PK_MAGIC : PK_NO;
}

static const char *const suffixes[] = {".baseline", NULL};

const struct pk_reader pk_reader_profkit_baseline = {
	.name = "profkit-baseline",
	.title = "baseline of profkit check: functions of several runs as lines of JSON",
	.suffixes = suffixes,
	.keeps = PK_PART_EDGES | PK_PART_CALLS | PK_PART_FILES | PK_PART_METRICS,
	.probe = probe,
	.read_runs = read_runs,
};
