/*
 * Results of `go test -bench`: its text, also with -v, or the output events of -json.
 *
 *	goos: linux
 *	pkg: example.org/sort
 *	Unit words/op assume=exact
 *	BenchmarkSort/n=16-2  139196  226.7 ns/op  16.00 words/op  0 B/op  0 allocs/op
 *
 *	KEY: VALUE           configuration of what follows; without a value the key is gone
 *	BenchmarkNAME[-P] ITERATIONS VALUE UNIT ...    one repetition
 *	Unit NAME KEY=VALUE  how benchstat treats the unit
 *
 * - A line is a repetition: results of one name, package and configuration are values of one
 *   benchmark. Where a file has a benchmark under several configurations, the later ones have the
 *   difference in their names: "Sort-2 [commit=b41]".
 * - Names stay as they are, with -P: at GOMAXPROCS 1 there is none, so that it cannot be told from
 *   a name that ends in a number. Parts NAME=VALUE of the path are labels.
 * - The argument "config" of a benchmark is its configuration, the meta data "unit NAME assume"
 *   what the file says of a unit: both for diff --like benchstat.
 * - Lines of other forms are what the program printed, as for benchstat.
 */

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/json/members.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "model/go_bench.h"
#include "readers/go_bench/internal.h"
#include "readers/lines.h"
#include "readers/reader.h"

/* Takes what is before the next blank, and the blanks; false at the end. */
static bool take(struct go_field *line, struct go_field *field)
{
	const char *at = line->text, *end = at + line->len;

	while (at < end && !pk_is_space(*at))
		at++;
	*field = (struct go_field){line->text, (size_t)(at - line->text)};
	while (at < end && pk_is_space(*at))
		at++;
	*line = (struct go_field){at, (size_t)(end - at)};
	return field->len != 0;
}

static int ignore(struct go_bench *g, const char *what)
{
	if (g->package)
		return pk_build_repair(g->b, g->err, what, "line %" PRIu64 " of the output of %s",
				       g->number, g->package);
	return pk_build_repair_line(g->b, g->err, what, g->number);
}

/* "KEY: VALUE" or "KEY:"; keys begin with a small letter and have no capitals and blanks. */
static bool split_setting(struct go_field line, struct go_field *key, struct go_field *value)
{
	size_t n = 0;

	if (!line.len ||
	    !((line.text[0] >= 'a' && line.text[0] <= 'z') || (uint8_t)*line.text > 127))
		return false;
	while (n < line.len && line.text[n] != ':') {
		if (pk_is_space(line.text[n]) || (line.text[n] >= 'A' && line.text[n] <= 'Z'))
			return false;
		n++;
	}
	if (n == line.len || (n + 1 < line.len && !pk_is_blank(line.text[n + 1])))
		return false;
	*key = (struct go_field){line.text, n};
	for (n++; n < line.len && pk_is_blank(line.text[n]);)
		n++;
	*value = (struct go_field){line.text + n, line.len - n};
	return true;
}

/* The metric of a unit; values times *factor are in its base unit. */
static uint32_t add_metric(struct pk_bench *bench, const char *unit, size_t len, double *factor)
{
	static const char *const units[] = {
		[PK_METRIC_COUNT] = "count", [PK_METRIC_TIME] = "ns", [PK_METRIC_BYTES] = "bytes"};
	PK_BUF_AUTO base = PK_BUF_INIT;
	enum pk_metric_kind kind;
	bool rate;

	*factor = pk_go_bench_base(&base, unit, len);
	kind = pk_go_bench_kind(base.data);
	rate = kind == PK_METRIC_BYTES && pk_ends_with(base.data, "B/s");
	return pk_bench_metric(bench, pk_go_bench_metric(base.data), rate ? "bytes/s" : units[kind],
			       rate ? PK_METRIC_COUNT : kind);
}

/* The meta data "unit BASE from" are for benchstat, which leaves values of 0 in the unit of the
 * file; ns/op and MB/s need none. */
static void keep_origin(struct go_bench *g, struct go_field unit)
{
	PK_BUF_AUTO key = PK_BUF_INIT, text = PK_BUF_INIT;

	pk_buf_adds(&key, "unit ");
	pk_go_bench_base(&key, unit.text, unit.len);
	pk_buf_adds(&key, " from");
	pk_buf_add(&text, unit.text, unit.len);
	pk_build_meta(g->b, key.data, text.data);
}

static const struct go_unit *find_unit(struct go_bench *g, struct go_field field)
{
	uint32_t name = pk_build_string(g->b, field.text, field.len);
	uint32_t place = pk_id_map_get(&g->unit_of, name);
	struct go_unit *u;

	if (place)
		return &g->unit[place - 1];
	PK_GROW(g->unit, g->units + 1, g->units_alloc);
	u = &g->unit[g->units++];
	pk_id_map_put(&g->unit_of, name, (uint32_t)g->units);
	u->metric = add_metric(&g->bench, field.text, field.len, &u->factor);
	if (u->factor != 1 && !pk_text_is(field.text, field.len, "ns/op") &&
	    !pk_text_is(field.text, field.len, "MB/s"))
		keep_origin(g, field);
	return u;
}

/* The number and unit at the begin of `line`; 0, or -1 with what is wrong with it. */
static int take_value(struct go_field *line, double *value, struct go_field *unit,
		      const char **wrong)
{
	struct go_field number;

	*wrong = "result with a value that is no number ignored";
	if (!take(line, &number) || pk_parse_real(number.text, number.len, value) != number.len ||
	    !isfinite(*value))
		return -1;
	*wrong = "result with a value without a unit ignored";
	return take(line, unit) ? 0 : -1;
}

/* Reads the values after the number of iterations: tests all of them before anything is added. */
static const char *check_values(struct go_field line)
{
	const char *wrong = "result without values ignored";
	struct go_field unit;
	double value;

	if (!line.len)
		return wrong;
	while (line.len)
		if (take_value(&line, &value, &unit, &wrong))
			return wrong;
	return NULL;
}

static void add_values(struct go_bench *g, struct go_field line, int64_t iterations)
{
	struct pk_value v = {.node = g->node, .iterations = iterations};
	const char *wrong;
	struct go_field unit;

	while (line.len) {
		const struct go_unit *u;

		take_value(&line, &v.value, &unit, &wrong);
		u = find_unit(g, unit);
		v.metric = u->metric;
		v.value *= u->factor;
		pk_bench_value_of(&g->bench, &v);
	}
}

/* "Sort/n=16-2  139196  226.7 ns/op ..." */
static int read_result(struct go_bench *g, struct go_field line)
{
	bool exact, overflow;
	int64_t iterations;
	struct go_field name, count;
	const char *wrong;
	size_t used;
	uint32_t id;

	take(&line, &name);
	if (!line.len)
		return 0; /* -v names the benchmark before it runs */
	take(&line, &count);
	used = pk_parse_decimal(count.text, count.len, 0, &iterations, &exact, &overflow);
	if (!used || used != count.len || !exact)
		return ignore(g, "result without a number of iterations ignored");
	if ((wrong = check_values(line)))
		return ignore(g, wrong);
	id = pk_build_string(g->b, name.text, name.len);
	if (id != g->name || !g->node) {
		g->node = pk_go_bench_row(g, id);
		g->name = id;
	}
	add_values(g, line, iterations);
	g->results++;
	return 0;
}

/* "Unit words/op assume=exact better=higher" */
static int read_unit(struct go_bench *g, struct go_field line)
{
	PK_BUF_AUTO base = PK_BUF_INIT;
	struct go_field unit, pair;

	if (!take(&line, &unit))
		return ignore(g, "line Unit without a unit ignored");
	pk_go_bench_base(&base, unit.text, unit.len);
	while (take(&line, &pair)) {
		const char *equal = memchr(pair.text, '=', pair.len);
		PK_BUF_AUTO key = PK_BUF_INIT, value = PK_BUF_INIT;

		if (!equal) {
			if (ignore(g, "property of a unit without a value ignored"))
				return -1;
			continue;
		}
		pk_buf_addf(&key, "unit %s %.*s", base.data, (int)(equal - pair.text), pair.text);
		pk_buf_adds(&value, "");
		pk_buf_add(&value, equal + 1, (size_t)(pair.text + pair.len - equal - 1));
		pk_build_meta(g->b, key.data, value.data);
	}
	return 0;
}

static struct go_output *find_output(struct go_bench *g, uint32_t package)
{
	uint32_t place = pk_id_map_get(&g->output_of, package);

	if (place)
		return &g->output[place - 1];
	PK_GROW(g->output, g->outputs + 1, g->outputs_alloc);
	g->output[g->outputs++] = (struct go_output){package, PK_BUF_INIT};
	pk_id_map_put(&g->output_of, package, (uint32_t)g->outputs);
	return &g->output[g->outputs - 1];
}

/* An event of -json: {"Action":"output","Package":"example.org/sort","Output":"PASS\n"}. A line of
 * text may be cut into several. */
static int read_event(struct go_bench *g, struct go_field line)
{
	const struct pk_json_slice event = {line.text, line.len};
	struct pk_json_slice output = pk_json_slice_unquoted(pk_json_slice_member(event, "Output"));
	struct pk_json_slice package =
		pk_json_slice_unquoted(pk_json_slice_member(event, "Package"));
	PK_BUF_AUTO name = PK_BUF_INIT;

	if (line.text[line.len - 1] != '}')
		return ignore(g, "event that is cut off ignored");
	if (!output.len)
		return 0;
	pk_buf_adds(&name, "");
	pk_json_unescape(&name, package.text, package.len);
	pk_json_unescape(&find_output(g, pk_build_string(g->b, name.data, name.len))->text,
			 output.text, output.len);
	return 0;
}

static int read_line(void *data, const char *text, size_t len)
{
	struct go_bench *g = data;
	struct go_field line = {text, pk_text_trim(text, len)}, key, value;

	if (pk_text_begins(line.text, line.len, "Benchmark")) {
		size_t prefix = strlen("Benchmark");

		return read_result(g, (struct go_field){text + prefix, line.len - prefix});
	}
	if (line.len && *text == '{' && !g->package)
		return read_event(g, line);
	if (pk_text_begins(line.text, line.len, "Unit ") ||
	    pk_text_begins(line.text, line.len, "Unit\t")) {
		take(&line, &key);
		return read_unit(g, line);
	}
	if (split_setting(line, &key, &value) && !pk_go_bench_set(g, key, value))
		return ignore(g, "configuration beyond 64 keys or 4096 bytes ignored");
	return 0;
}

static int read_output(struct go_bench *g, const struct go_output *output)
{
	const char *at = output->text.data, *end = at + output->text.len;
	int status = 0;

	g->package = pk_text(pk_builder_profile(g->b), output->package);
	for (g->number = 1; at < end && !status; g->number++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		status = read_line(g, at, (size_t)((stop ? stop : end) - at));
		at = stop ? stop + 1 : end;
	}
	return status;
}

static int read_all(struct go_bench *g, struct pk_input *in)
{
	static const struct pk_line_reader lines = {.line = read_line};

	if (pk_read_lines(in, &lines, g, &g->number, g->err))
		return -1;
	for (size_t i = 0; i < g->outputs; i++)
		if (read_output(g, &g->output[i]))
			return -1;
	if (!g->results)
		return pk_fail(g->err, PK_EFORMAT,
			       "no results: all benchmarks were skipped or failed, or -bench is "
			       "missing");
	return 0;
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct go_bench g = {.b = b, .err = err};
	int status;

	(void)params;
	pk_bench_begin(&g.bench, b);
	pk_build_run_text(b, PK_RUN_PRODUCER, "go test -bench");
	status = read_all(&g, in);
	pk_bench_end(&g.bench);
	for (size_t i = 0; i < g.outputs; i++)
		pk_buf_release(&g.output[i].text);
	pk_id_map_release(&g.unit_of);
	pk_id_map_release(&g.output_of);
	free(g.output);
	free(g.first);
	free(g.unit);
	return status;
}

/* True if the line is a result: a name, a number of iterations, a value, a unit with '/'. */
static bool is_result(struct go_field line)
{
	size_t prefix = strlen("Benchmark"), digits = 0;
	struct go_field name, count;

	if (!pk_text_begins(line.text, line.len, "Benchmark"))
		return false;
	line = (struct go_field){line.text + prefix, line.len - prefix};
	take(&line, &name);
	take(&line, &count);
	while (digits < count.len && pk_is_digit(count.text[digits]))
		digits++;
	return digits && digits == count.len && !check_values(line);
}

static enum pk_score probe(const struct pk_probe *probe)
{
	const char *line = NULL;
	enum pk_score score = PK_NO;
	size_t len = 0;
	bool event =
		pk_probe_begins(probe, "{\"Time\":\"") || pk_probe_begins(probe, "{\"Action\":\"");

	if (event && pk_probe_has(probe, "\"Action\":\"") && pk_probe_has(probe, "\"Package\":\""))
		return pk_probe_has(probe, "Benchmark") ? PK_SURE : PK_LIKELY;
	while (score < PK_SURE && pk_probe_line(probe, &line, &len)) {
		if (is_result((struct go_field){line, pk_text_trim(line, len)}))
			score = PK_SURE;
		else if (pk_text_begins(line, len, "goos: ") || pk_text_begins(line, len, "pkg: "))
			score = PK_LIKELY;
	}
	return score;
}

static const char *const suffixes[] = {".bench", ".jsonl", NULL};

const struct pk_reader pk_reader_go_bench = {
	.name = "go-bench",
	.title = "results of go test -bench, text or -json",
	.suffixes = suffixes,
	.keeps = PK_PART_METRICS | PK_PART_ARGS | PK_PART_META | PK_PART_LABELS,
	.probe = probe,
	.read = read,
};
