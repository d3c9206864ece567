/*
 * The first line of a baseline: how many runs there are, what they say of themselves, and their
 * metrics.
 *
 *	{"profkit": "baseline", "version": 1, "runs": 2, "producer": "cProfile",
 *	 "metrics": [{"name": "time", "unit": "ns", "exponent": 0, "kind": "time",
 *	              "exactness": "exact"}]}
 *
 * (one line).
 */
#include <inttypes.h>

#include "readers/profkit_baseline/internal.h"

enum { VERSION = 1, MOST_METRICS = 64 };

static int read_name(struct baseline *b, const char *const *names, int *found)
{
	if (baseline_text(b, &b->text[SCRATCH]))
		return -1;
	*found = baseline_index(names, b->text[SCRATCH].data);
	return *found < 0 ? baseline_fail(b, "this name is not known") : 0;
}

static int read_metric(struct baseline *b)
{
	struct pk_json *j = &b->json;
	PK_BUF_AUTO name = PK_BUF_INIT;
	PK_BUF_AUTO unit = PK_BUF_INIT;
	int kind = 0, exactness = 0, status = 0;
	int64_t exponent = 0;

	if (j->token != PK_JSON_OBJECT || b->metrics == MOST_METRICS)
		return baseline_fail(b, "expected a metric");
	while (!status && pk_json_next_key(j)) {
		if (pk_json_is(j, "name"))
			status = baseline_text(b, &name);
		else if (pk_json_is(j, "unit"))
			status = baseline_text(b, &unit);
		else if (pk_json_is(j, "exponent"))
			status = baseline_number(b, 0, 18, &exponent);
		else if (pk_json_is(j, "kind"))
			status = read_name(b, pk_metric_kinds, &kind);
		else if (pk_json_is(j, "exactness"))
			status = read_name(b, pk_exactness_names, &exactness);
		else
			pk_json_skip(j);
	}
	if (status)
		return -1;
	if (!name.len || !unit.len)
		return baseline_fail(b, "a metric without name or unit");
	b->metrics++;
	for (uint32_t r = 0; r < b->runs; r++)
		if (pk_build_metric(b->run[r], name.data, unit.data, (int)exponent,
				    (enum pk_metric_kind)kind,
				    (enum pk_exactness)exactness) != b->metrics)
			return baseline_fail(b, "the same metric twice");
	return 0;
}

static int read_metrics(struct baseline *b)
{
	int status = 0;

	if (pk_json_next(&b->json) != PK_JSON_ARRAY)
		return baseline_fail(b, "expected a list of metrics");
	while (!status && pk_json_next_item(&b->json))
		status = read_metric(b);
	return status;
}

static int make_runs(struct baseline *b, struct pk_input *in)
{
	PK_BUF_AUTO label = PK_BUF_INIT;
	int64_t runs;

	if (b->runs)
		return baseline_fail(b, "the number of runs for a second time");
	if (baseline_number(b, 1, MOST_RUNS, &runs))
		return -1;
	for (; b->runs < runs; b->runs++) {
		b->run[b->runs] = pk_builder_new();
		label.len = 0;
		pk_buf_addf(&label, "run %" PRIu32, b->runs + 1);
		pk_build_run_text(b->run[b->runs], PK_RUN_LABEL, label.data);
		pk_build_run_text(b->run[b->runs], PK_RUN_FORMAT, "profkit-baseline");
		pk_build_run_text(b->run[b->runs], PK_RUN_SOURCE, pk_input_name(in));
	}
	return 0;
}

static int read_header_member(struct baseline *b, struct pk_input *in)
{
	static const struct {
		const char *key;
		enum pk_run_text which;
	} texts[] = {
		{"producer", PK_RUN_PRODUCER}, {"command", PK_RUN_COMMAND}, {"host", PK_RUN_HOST}};
	int64_t value;

	if (pk_json_is(&b->json, "version")) {
		if (baseline_number(b, 1, INT32_MAX, &value))
			return -1;
		if (value > VERSION)
			return pk_fail(b->err, PK_EFORMAT,
				       "a baseline of version %" PRId64 ", written by a newer "
				       "profkit: this one reads up to %d",
				       value, VERSION);
		return 0;
	}
	if (pk_json_is(&b->json, "runs"))
		return make_runs(b, in);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (!pk_json_is(&b->json, texts[i].key))
			continue;
		if (baseline_text(b, &b->text[SCRATCH]))
			return -1;
		for (uint32_t r = 0; r < b->runs; r++)
			pk_build_run_text(b->run[r], texts[i].which, b->text[SCRATCH].data);
		return 0;
	}
	if (pk_json_is(&b->json, "metrics"))
		return read_metrics(b);
	if (pk_json_is(&b->json, "period")) {
		if (baseline_number(b, 1, INT64_MAX, &value))
			return -1;
		for (uint32_t r = 0; r < b->runs; r++)
			pk_build_period(b->run[r], value);
		return 0;
	}
	return pk_json_skip(&b->json) ? 0 : baseline_fail(b, "");
}

int baseline_header(struct baseline *b, struct pk_input *in)
{
	int status = 0;

	if (pk_json_next(&b->json) != PK_JSON_OBJECT)
		return baseline_fail(b, "expected the line that begins a baseline");
	while (!status && pk_json_next_key(&b->json))
		status = read_header_member(b, in);
	if (!status && (!b->runs || !b->metrics))
		return baseline_fail(
			b, b->runs ? "the first line names no metrics"
				   : "the first line does not begin with the number of runs");
	return status;
}
