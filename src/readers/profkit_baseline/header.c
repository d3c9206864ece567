/* The first line of a baseline: how many runs, what they say of themselves, and their metrics. */
#include <inttypes.h>
#include <string.h>

#include "readers/profkit_baseline/internal.h"

enum { VERSION = 1, MOST_METRICS = 64 };

static int find_name(struct baseline *b, const char *const *names, int *found)
{
	if (baseline_text(b, &b->text[SCRATCH]))
		return -1;
	for (*found = 0; names[*found]; ++*found) {
		if (strcmp(names[*found], b->text[SCRATCH].data) == 0)
			return 0;
	}
	return baseline_fail(b, "this name is not known");
}

struct metric {
	struct pk_buf name, unit;
	int64_t exponent;
	int kind, exactness;
};

static int read_metric_members(struct baseline *b, struct metric *m)
{
	int status = 0;

	while (!status && pk_json_next_key(&b->json)) {
		if (pk_json_is(&b->json, "name"))
			status = baseline_text(b, &m->name);
		else if (pk_json_is(&b->json, "unit"))
			status = baseline_text(b, &m->unit);
		else if (pk_json_is(&b->json, "exponent"))
			status = baseline_number(b, 0, 18, &m->exponent);
		else if (pk_json_is(&b->json, "kind"))
			status = find_name(b, pk_metric_kinds, &m->kind);
		else if (pk_json_is(&b->json, "exactness"))
			status = find_name(b, pk_exactness_names, &m->exactness);
		else
			pk_json_skip(&b->json);
	}
	return status;
}

static int read_metric(struct baseline *b)
{
	struct metric m = {.name = PK_BUF_INIT, .unit = PK_BUF_INIT};
	int status = -1;

	if (b->json.token != PK_JSON_OBJECT || b->metrics == MOST_METRICS)
		return baseline_fail(b, "expected a metric");
	if (read_metric_members(b, &m))
		goto out;
	if (!m.name.len || !m.unit.len) {
		baseline_fail(b, "a metric without name or unit");
		goto out;
	}
	b->metrics++;
	for (uint32_t r = 0; r < b->runs; r++) {
		if (pk_build_metric(b->run[r], m.name.data, m.unit.data, (int)m.exponent,
				    (enum pk_metric_kind)m.kind,
				    (enum pk_exactness)m.exactness) != b->metrics) {
			baseline_fail(b, "the same metric twice");
			goto out;
		}
	}
	status = 0;
out:
	pk_buf_release(&m.name);
	pk_buf_release(&m.unit);
	return status;
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
	struct pk_buf label = PK_BUF_INIT;
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
	pk_buf_release(&label);
	return 0;
}

static int read_run_text(struct baseline *b, enum pk_run_text which)
{
	if (baseline_text(b, &b->text[SCRATCH]))
		return -1;
	for (uint32_t r = 0; r < b->runs; r++)
		pk_build_run_text(b->run[r], which, b->text[SCRATCH].data);
	return 0;
}

static int read_header_member(struct baseline *b, struct pk_input *in)
{
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
	if (pk_json_is(&b->json, "producer"))
		return read_run_text(b, PK_RUN_PRODUCER);
	if (pk_json_is(&b->json, "command"))
		return read_run_text(b, PK_RUN_COMMAND);
	if (pk_json_is(&b->json, "host"))
		return read_run_text(b, PK_RUN_HOST);
	if (pk_json_is(&b->json, "metrics"))
		return read_metrics(b);
	if (pk_json_is(&b->json, "period")) {
		if (baseline_number(b, 1, INT64_MAX, &value))
			return -1;
		for (uint32_t r = 0; r < b->runs; r++)
			pk_build_run_period(b->run[r], value);
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
