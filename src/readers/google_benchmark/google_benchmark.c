/*
 * Results of Google Benchmark, JSON (and CSV: csv.c).
 *
 *	{"context": {"date": "2026-11-22T11:04:00+00:00", "host_name": "vm", "executable": "./sort",
 *	  "num_cpus": 2, "mhz_per_cpu": 2445, "library_version": "v1.9.5", "library_build_type":
 *	  "release"}, "benchmarks": [
 *	  {"name": "sort/64", "run_name": "sort/64", "run_type": "iteration", "repetitions": 2,
 *	   "repetition_index": 0, "iterations": 10326, "real_time": 3413.0, "cpu_time": 2543.5,
 *	   "time_unit": "ns", "items_per_second": 3.66e+07},
 *	  {"name": "sort/64_mean", "run_name": "sort/64", "run_type": "aggregate", "aggregate_name":
 *	  "mean", ...},
 *	  {"name": "sort_BigO", ..., "cpu_coefficient": 11.26, "real_coefficient": 181.4, "big_o":
 *	  "NlgN"},
 *	  {"name": "bad", ..., "error_occurred": true, "error_message": "it does not work"}]}
 *
 * - Each row of run_type iteration is a repetition: values of the metrics time (real_time) and
 *   cpu_time, and of each counter. Aggregates count only where there are no repetitions.
 * - Complexities are meta data. Benchmarks that failed are counted as repairs.
 * - The file is written while the program runs: that of one that died has no end, and the object
 *   that is cut off is left out.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json/json.h"
#include "base/num/units.h"
#include "base/text/ascii.h"
#include "readers/google_benchmark/internal.h"
#include "readers/reader.h"

static uint32_t string_of(struct google_benchmark *g, const struct pk_json *j)
{
	PK_BUF_AUTO text = PK_BUF_INIT;

	pk_buf_adds(&text, "");
	pk_json_unescape(&text, j->text, j->len);
	return pk_build_string(g->b, text.data, text.len);
}

/* Members of an object that are texts and numbers; all other numbers are counters. */
static void set_text(struct google_benchmark *g, const struct pk_json *j, const char *key,
		     struct gb_row *row)
{
	const struct {
		const char *key;
		uint32_t *text;
	} texts[] = {{"name", &row->name},           {"run_name", &row->run_name},
		     {"time_unit", &row->unit},      {"label", &row->label},
		     {"error_message", &row->error}, {"skip_message", &row->error},
		     {"big_o", &row->big_o},         {"aggregate_name", &row->aggregate}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(texts[i].key, key))
			*texts[i].text = string_of(g, j);
	if (!strcmp(key, "aggregate_unit"))
		row->fraction = pk_json_is(j, "percentage");
}

static void set_number(struct google_benchmark *g, const struct pk_json *j, const char *key,
		       struct gb_row *row)
{
	static const char *const places[] = {"family_index", "per_family_instance_index",
					     "repetitions",  "repetition_index",
					     "threads",      NULL};
	const struct {
		const char *key;
		double *number;
	} numbers[] = {{"real_time", &row->time[0]},
		       {"cpu_time", &row->time[1]},
		       {"real_coefficient", &row->coefficient[0]},
		       {"cpu_coefficient", &row->coefficient[1]},
		       {"rms", &row->rms}};
	double value;

	for (size_t i = 0; places[i]; i++)
		if (!strcmp(places[i], key))
			return;
	if (pk_parse_real(j->text, j->len, &value) != j->len)
		value = INFINITY; /* NaN, Infinity: not finite, and so left out */
	if (!strcmp(key, "iterations")) {
		row->iterations = isfinite(value) ? (int64_t)fmin(fmax(value, 0), 1e18) : PK_NULL;
		return;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!strcmp(numbers[i].key, key)) {
			*numbers[i].number = value;
			return;
		}
	PK_GROW(row->counter, row->counters + 1, row->counters_alloc);
	row->counter[row->counters++] = (struct gb_counter){pk_build_text(g->b, key), value};
}

static int read_row(struct google_benchmark *g, struct pk_json *j, struct gb_row *row)
{
	PK_BUF_AUTO key = PK_BUF_INIT;

	pk_gb_row_clear(row);
	while (pk_json_next_key(j)) {
		key.len = 0;
		pk_buf_adds(&key, "");
		pk_json_unescape(&key, j->text, j->len);
		switch (pk_json_next(j)) {
		case PK_JSON_STRING:
			set_text(g, j, key.data, row);
			break;
		case PK_JSON_NUMBER:
			set_number(g, j, key.data, row);
			break;
		case PK_JSON_TRUE:
			row->failed |= !strcmp(key.data, "error_occurred");
			row->skipped |= !strcmp(key.data, "skipped");
			break;
		default:
			pk_json_rest(j);
		}
	}
	if (j->token == PK_JSON_ERROR || j->repair[PK_JSON_CUT].count)
		return 0;
	row->run_name = row->run_name ? row->run_name : row->name;
	return pk_gb_add_row(g, row);
}

/* "L1 Data 32768 bytes, ..." of the list of caches; "19.6, 19.8, 17.0" of a list of numbers. */
static void read_list(struct pk_json *j, struct pk_buf *text)
{
	while (pk_json_next_item(j)) {
		if (text->len)
			pk_buf_adds(text, ", ");
		if (j->token != PK_JSON_OBJECT) {
			if (j->token == PK_JSON_NUMBER || j->token == PK_JSON_STRING)
				pk_buf_add(text, j->text, j->len);
			pk_json_rest(j);
			continue;
		}
		for (bool first = true; pk_json_next_key(j); first = false) {
			PK_BUF_AUTO key = PK_BUF_INIT;

			pk_buf_add(&key, j->text, j->len);
			pk_json_next(j);
			if (j->token == PK_JSON_NUMBER || j->token == PK_JSON_STRING)
				pk_buf_addf(text, "%s%s %.*s", first ? "" : " ", key.data,
					    (int)j->len, j->text);
			pk_json_rest(j);
		}
	}
}

struct library {
	struct pk_buf version, build;
};

/* A member of the context as text. */
static void keep_context(struct google_benchmark *g, const char *key, const char *text,
			 struct library *library)
{
	static const struct {
		const char *key;
		enum pk_bench_machine what;
	} keys[] = {{"num_cpus", PK_BENCH_CPUS}, {"mhz_per_cpu", PK_BENCH_MHZ}};

	if (!strcmp(key, "date"))
		pk_bench_start(&g->bench, text);
	else if (!strcmp(key, "host_name"))
		pk_build_run_text(g->b, PK_RUN_HOST, text);
	else if (!strcmp(key, "executable"))
		pk_build_run_text(g->b, PK_RUN_COMMAND, text);
	else if (!strcmp(key, "library_version"))
		pk_buf_adds(&library->version, text);
	else if (!strcmp(key, "library_build_type"))
		pk_buf_adds(&library->build, text);
	else if (!strcmp(key, "cpu_scaling_enabled")) {
		if (!strcmp(text, "true"))
			pk_bench_machine(&g->bench, PK_BENCH_GOVERNOR, "scaling");
	} else if (strcmp(key, "json_schema_version") != 0) {
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (!strcmp(keys[i].key, key)) {
				pk_bench_machine(&g->bench, keys[i].what, text);
				return;
			}
		if (*text)
			pk_build_meta(g->b, key, text);
	}
}

static void read_context(struct google_benchmark *g, struct pk_json *j)
{
	PK_BUF_AUTO key = PK_BUF_INIT, name = PK_BUF_INIT;
	struct library library = {PK_BUF_INIT, PK_BUF_INIT};

	while (pk_json_next_key(j)) {
		PK_BUF_AUTO text = PK_BUF_INIT;

		key.len = 0;
		pk_buf_adds(&key, "");
		pk_json_unescape(&key, j->text, j->len);
		pk_buf_adds(&text, "");
		switch (pk_json_next(j)) {
		case PK_JSON_STRING:
		case PK_JSON_NUMBER:
			pk_json_unescape(&text, j->text, j->len);
			break;
		case PK_JSON_TRUE:
		case PK_JSON_FALSE:
			pk_buf_adds(&text, j->token == PK_JSON_TRUE ? "true" : "false");
			break;
		case PK_JSON_ARRAY:
			read_list(j, &text);
			break;
		default:
			pk_json_rest(j);
		}
		keep_context(g, key.data, text.data, &library);
	}
	pk_buf_adds(&name, "google-benchmark");
	if (library.version.len)
		pk_buf_addf(&name, " %s", library.version.data + (*library.version.data == 'v'));
	pk_build_run_text(g->b, PK_RUN_PRODUCER, name.data);
	if (library.build.len)
		pk_buf_addf(&name, " (%s)", library.build.data);
	pk_bench_machine(&g->bench, PK_BENCH_LIBRARY, name.data);
	pk_buf_release(&library.version);
	pk_buf_release(&library.build);
}

static int read_json(struct google_benchmark *g, struct pk_input *in)
{
	struct gb_row row = {0};
	struct pk_json j;
	int status = 0;

	pk_json_open(&j, in);
	if (!pk_json_enter(&j, PK_JSON_OBJECT))
		return pk_fail(g->err, PK_EFORMAT, "no object with \"benchmarks\"");
	while (!status && pk_json_next_key(&j)) {
		if (pk_json_is(&j, "context")) {
			if (pk_json_enter(&j, PK_JSON_OBJECT))
				read_context(g, &j);
		} else if (pk_json_is(&j, "benchmarks")) {
			if (pk_json_enter(&j, PK_JSON_ARRAY))
				while (!status && pk_json_next_of(&j, PK_JSON_OBJECT))
					status = read_row(g, &j, &row);
		} else {
			pk_json_skip(&j);
		}
	}
	free(row.counter);
	return status ? status : pk_reader_end_json(&j, g->b, g->err);
}

static bool is_csv(const char *text, size_t len)
{
	return pk_text_begins(text, len, "name,iterations,real_time,cpu_time,time_unit");
}

static int read(struct pk_input *in, const void *params, struct pk_builder *b, struct pk_error *err)
{
	struct google_benchmark g = {.b = b, .err = err};
	size_t len;
	const char *text = (const char *)pk_input_peek(in, 64, &len);
	int status;

	(void)params;
	pk_bench_begin(&g.bench, b);
	pk_build_run_text(b, PK_RUN_PRODUCER, "google-benchmark");
	status = is_csv(text, len) ? pk_gb_read_csv(&g, in) : read_json(&g, in);
	if (!status && !g.rows)
		status = pk_fail(err, PK_EFORMAT, "no benchmark has values");
	pk_bench_end(&g.bench);
	free(g.measured);
	return status;
}

static enum pk_score probe(const struct pk_probe *probe)
{
	if (is_csv((const char *)probe->data, probe->len))
		return PK_MAGIC;
	if (!pk_probe_is_object(probe) || !pk_probe_has(probe, "\"context\""))
		return PK_NO;
	if (pk_probe_has(probe, "\"library_build_type\"") && pk_probe_has(probe, "\"num_cpus\""))
		return PK_MAGIC;
	return pk_probe_has(probe, "\"benchmarks\"") && pk_probe_has(probe, "\"real_time\"")
		       ? PK_LIKELY
		       : PK_NO;
}

static const char *const suffixes[] = {".json", ".csv", NULL};

const struct pk_reader pk_reader_google_benchmark = {
	.name = "google-benchmark",
	.title = "results of Google Benchmark, JSON or CSV",
	.suffixes = suffixes,
	.keeps = PK_PART_METRICS | PK_PART_ARGS | PK_PART_META | PK_PART_LABELS,
	.probe = probe,
	.read = read,
};
