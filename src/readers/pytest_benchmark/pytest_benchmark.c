/*
 * pytest-benchmark: what --benchmark-json, --benchmark-save and --benchmark-autosave write.
 * Format: session.py, stats.py of versions 2.5 to 5.3; keys in any order, unknown ones ignored.
 *
 *	{"machine_info": {"node": "vm", "system": "Linux", "cpu": {"brand_raw": "AMD EPYC"}, ...},
 *	 "commit_info": {"id": "5b78858", "dirty": false, "branch": "main", ...},
 *	 "benchmarks": [
 *	   {"group": null, "name": "test_sum[10]", "fullname": "test_bm.py::TestSum::test_sum[10]",
 *	    "params": {"n": 10}, "param": "10", "extra_info": {}, "options": {"min_rounds": 5, ...},
 *	    "stats": {"min": 6.5e-08, ..., "rounds": 2, "iterations": 220,
 *	              "data": [6.5e-08, 7.25e-08]}}],
 *	 "datetime": "2026-11-22T11:14:40.207204+00:00", "version": "5.3.1"}
 *
 * All times are seconds of one iteration. Without --benchmark-save-data there is no "data": then
 * the statistics of the file are kept, else only those that its values do not tell exactly.
 */
#include "readers/pytest_benchmark/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"

int pytest_benchmark_repair(struct pytest_benchmark *r, const char *what)
{
	return pk_build_repair(r->b, r->err, what, "byte %" PRIu64, pk_json_offset(&r->json));
}

/* Appends JSON without the blanks between its tokens. */
static void add_compact(struct pk_buf *buf, const char *json, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		if (quoted || !strchr(" \t\r\n", json[i]))
			pk_buf_add(buf, json + i, 1);
		if (json[i] == '"')
			quoted = !quoted;
		else if (quoted && json[i] == '\\' && i + 1 < len)
			pk_buf_add(buf, json + ++i, 1);
	}
}

void pytest_benchmark_value(struct pytest_benchmark *r, struct pk_buf *text)
{
	enum { MOST = 65536 };
	struct pk_json *j = &r->json;
	const char *written;
	size_t len;

	text->len = 0;
	pk_buf_adds(text, "");
	pk_json_begin(j, MOST);
	switch (pk_json_next(j)) {
	case PK_JSON_STRING:
		pk_json_unescape(text, j->text, j->len);
		break;
	case PK_JSON_NUMBER:
		pk_buf_add(text, j->text, j->len);
		break;
	case PK_JSON_OBJECT:
	case PK_JSON_ARRAY:
		pk_json_rest(j);
		written = pk_json_written(j, &len);
		if (written)
			add_compact(text, written, len);
		break;
	default:
		pk_buf_adds(text, j->token == PK_JSON_TRUE    ? "True"
				  : j->token == PK_JSON_FALSE ? "False"
				  : j->token == PK_JSON_NULL  ? "None"
							      : "");
	}
	pk_json_finish(j);
}

/* As above, "" for null. */
void pytest_benchmark_value_or_none(struct pytest_benchmark *r, struct pk_buf *text)
{
	pytest_benchmark_value(r, text);
	if (r->json.token == PK_JSON_NULL)
		text->len = 0;
}

/* A parameter with the name of a key that profkit uses gets another key. */
static void read_params(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		PK_BUF_AUTO key = PK_BUF_INIT;

		if (pk_json_is(j, "group"))
			pk_buf_adds(&key, "param:");
		pk_json_unescape(&key, j->text, j->len);
		pytest_benchmark_value(r, &r->text);
		pk_bench_label(&r->bench, key.data, r->text.data);
	}
}

static int read_member(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	if (pk_json_is(j, "name")) {
		pytest_benchmark_value_or_none(r, &r->name);
	} else if (pk_json_is(j, "fullname")) {
		pytest_benchmark_value_or_none(r, &r->fullname);
	} else if (pk_json_is(j, "group")) {
		pytest_benchmark_value_or_none(r, &r->text);
		pk_bench_label(&r->bench, "group", r->text.len ? r->text.data : NULL);
	} else if (pk_json_is(j, "params")) {
		read_params(r);
	} else if (pk_json_is(j, "options")) {
		pytest_benchmark_value_or_none(r, &r->options);
	} else if (pk_json_is(j, "extra_info")) {
		pytest_benchmark_value_or_none(r, &r->extra);
	} else if (pk_json_is(j, "stats")) {
		return pytest_benchmark_stats(r);
	} else if (pk_json_is(j, "cprofile")) {
		return pytest_benchmark_calls(r);
	} else {
		pk_json_skip(j);
	}
	return 0;
}

/* A hook may have made a name that is not in the whole one. */
static uint32_t whole_name(struct pytest_benchmark *r)
{
	uint32_t node = pk_bench_row(&r->bench, r->fullname.data, NULL, NULL);

	if (strcmp(r->fullname.data, r->name.data) != 0)
		pk_bench_fact(&r->bench, node, "name", r->name.data);
	return node;
}

/* The file and the class are before the name: "path/test_x.py::Class::test[param]". */
static uint32_t make_row(struct pytest_benchmark *r)
{
	const char *full, *name;
	size_t rest = r->fullname.len - r->name.len;
	char *colons;

	pk_buf_adds(&r->name, ""); /* they may be missing */
	pk_buf_adds(&r->fullname, "");
	full = r->fullname.data;
	name = r->name.data;
	colons = strstr(full, "::");
	if (r->fullname.len < r->name.len + 2 || strcmp(full + rest, name) != 0 || !colons ||
	    colons > full + rest - 2 || strncmp(full + rest - 2, "::", 2) != 0)
		return whole_name(r);
	r->fullname.data[rest - 2] = '\0';
	*colons = '\0';
	return pk_bench_row(&r->bench, name, full, colons < full + rest - 2 ? colons + 2 : NULL);
}

/* The problem with the benchmark that was read; NULL: none. *mean is the mean of the file. */
static const char *find_fault(struct pytest_benchmark *r, double *mean)
{
	const struct pk_buf *text = &r->stat[PYTEST_BENCHMARK_MEAN];

	if (!r->fullname.len)
		pk_buf_add(&r->fullname, r->name.data, r->name.len);
	if (!r->fullname.len)
		return "benchmark without a name left out";
	if (r->json.repair[PK_JSON_CUT].count)
		return "benchmark that is cut off left out";
	if (!r->data.count &&
	    (!text->len || pk_parse_real(text->data, text->len, mean) != text->len))
		return "benchmark without values and mean left out";
	return NULL;
}

static int build_benchmark(struct pytest_benchmark *r)
{
	uint32_t nodes = pk_builder_profile(r->b)->node.count, node;
	double mean = 0;
	const char *fault = find_fault(r, &mean);

	if (fault || r->wanted) {
		r->bench.labels = 0;
		if (fault)
			return pytest_benchmark_repair(r, fault);
		pytest_benchmark_profile(r);
		return 0;
	}
	node = make_row(r);
	if (node < nodes)
		return pytest_benchmark_repair(r, "second benchmark of one name left out");
	r->benchmarks++;
	pytest_benchmark_fact(r, node, "options", &r->options);
	pytest_benchmark_fact(r, node, "extra_info", &r->extra);
	if (r->has_list)
		pk_bench_fact(&r->bench, node, "cprofile", "read it with -O cprofile=NAME");
	return pytest_benchmark_build(r, node, mean);
}

static int read_benchmarks(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return pk_fail(r->err, PK_EFORMAT, "byte %" PRIu64 ": benchmarks is not a list",
			       pk_json_offset(j));
	r->listed = true;
	while (pk_json_next_of(j, PK_JSON_OBJECT)) {
		r->name.len = r->fullname.len = r->options.len = r->extra.len = 0;
		r->data.count = r->calls = 0;
		r->has_list = false;
		for (size_t i = 0; i < PYTEST_BENCHMARK_STATS; i++)
			r->stat[i].len = 0;
		while (pk_json_next_key(j))
			if (read_member(r))
				return -1;
		if (j->token == PK_JSON_ERROR)
			return 0;
		if (build_benchmark(r))
			return -1;
	}
	return 0;
}

static int read_members(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	if (pk_json_next(j) != PK_JSON_OBJECT && j->token != PK_JSON_ERROR)
		return pk_fail(r->err, PK_EFORMAT, "no result of pytest-benchmark: not an object");
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "machine_info")) {
			pytest_benchmark_machine(r);
		} else if (pk_json_is(j, "commit_info")) {
			pytest_benchmark_commit(r);
		} else if (pk_json_is(j, "benchmarks")) {
			if (read_benchmarks(r))
				return -1;
		} else if (pk_json_is(j, "datetime")) {
			pytest_benchmark_value_or_none(r, &r->text);
			pk_bench_start(&r->bench, r->text.data);
		} else if (pk_json_is(j, "version")) {
			PK_BUF_AUTO producer = PK_BUF_INIT;

			pytest_benchmark_value_or_none(r, &r->text);
			pk_buf_addf(&producer, "pytest-benchmark %s", r->text.data);
			pk_build_run_text(r->b, PK_RUN_PRODUCER, producer.data);
		} else {
			pk_json_skip(j);
		}
	}
	return 0;
}

static int read_file(struct pytest_benchmark *r, struct pk_input *in)
{
	pk_json_open(&r->json, in);
	if (read_members(r) || pk_input_check(in, r->err) ||
	    pk_reader_end_json(&r->json, r->b, r->err))
		return -1;
	if (r->wanted && !r->found && r->others.len)
		return pk_fail(r->err, PK_EUSAGE,
			       "cprofile: no benchmark '%s' with a list of cProfile; there is: %s",
			       r->wanted, r->others.data);
	if (r->wanted && !r->found)
		return pk_fail(r->err, PK_EUSAGE,
			       "cprofile: no benchmark has a list of cProfile; pytest "
			       "--benchmark-cprofile=tottime --benchmark-json=FILE writes them");
	if (!r->wanted && !r->benchmarks)
		return pk_fail(r->err, PK_EFORMAT, "%s",
			       r->json.repair[PK_JSON_CUT].count ? "cut off in the first benchmark"
			       : r->listed
				       ? "no benchmarks: none ran, or all of them failed"
				       : "no result of pytest-benchmark: no list of benchmarks");
	return 0;
}

struct params {
	const char *cprofile;
};

static const struct pk_opt opts[] = {
	{PK_OPT_TEXT, "cprofile", 0, offsetof(struct params, cprofile), "NAME",
	 .help = "read the functions that --benchmark-cprofile kept of this benchmark"},
	PK_OPT_LAST,
};

static int read_pytest_benchmark(struct pk_input *in, const void *params, struct pk_builder *b,
				 struct pk_error *err)
{
	const struct params *options = params;
	struct pk_buf stat[PYTEST_BENCHMARK_STATS] = {{NULL, 0, 0}};
	struct pytest_benchmark r = {.b = b, .err = err, .wanted = options->cprofile, .stat = stat};
	int ret;

	pk_build_run_text(b, PK_RUN_PRODUCER, "pytest-benchmark");
	pk_bench_begin(&r.bench, b);
	if (r.wanted)
		r.time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	else
		r.time = pk_bench_metric(&r.bench, "time", "ns", PK_METRIC_TIME);
	ret = read_file(&r, in);
	pk_bench_end(&r.bench);
	for (size_t i = 0; i < PYTEST_BENCHMARK_STATS; i++)
		pk_buf_release(&stat[i]);
	pk_buf_release(&r.text);
	pk_buf_release(&r.others);
	pk_buf_release(&r.name);
	pk_buf_release(&r.fullname);
	pk_buf_release(&r.options);
	pk_buf_release(&r.extra);
	free(r.data.value);
	free(r.call);
	return ret;
}

/* In version 2.5 the benchmarks may come before the facts about the machine. */
static enum pk_score probe_pytest_benchmark(const struct pk_probe *probe)
{
	if (!pk_probe_is_object(probe))
		return PK_NO;
	if (pk_probe_has(probe, "\"machine_info\"") && pk_probe_has(probe, "\"commit_info\""))
		return PK_SURE;
	return pk_probe_has(probe, "\"benchmarks\"") && pk_probe_has(probe, "\"fullname\"") &&
			       pk_probe_has(probe, "\"stats\"")
		       ? PK_SURE
		       : PK_NO;
}

static const char *const suffixes[] = {".json", NULL};

const struct pk_reader pk_reader_pytest_benchmark = {
	.name = "pytest-benchmark",
	.title = "results of pytest-benchmark, with or without their values",
	.suffixes = suffixes,
	.opts = opts,
	.params_size = sizeof(struct params),
	.keeps = PK_PART_FILES | PK_PART_ARGS | PK_PART_META | PK_PART_EDGES | PK_PART_CALLS |
		 PK_PART_LABELS,
	.probe = probe_pytest_benchmark,
	.read = read_pytest_benchmark,
};
