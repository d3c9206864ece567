/*
 * The machine, the commit, and the list of cProfile in results of pytest-benchmark, for
 * pytest_benchmark.c.
 *
 *	"machine_info": {"node": "vm", "cpu": {"hz_advertised": [2445434000, 0]}}
 *	"commit_info": {"id": "5b78858", "dirty": false}
 *	"cprofile": [{"function_name": "a.py:6(f)", "ncalls_recursion": "5/1", "tottime": 0.1}]
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/num/units.h"
#include "readers/pytest_benchmark/internal.h"

/* "hz_advertised": [2445434000, 0], 2.4 GHz, as py-cpuinfo has it. */
static void read_hz(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;
	double hz;

	if (!pk_json_enter(j, PK_JSON_ARRAY))
		return;
	while (pk_json_next_item(j)) {
		if (j->token != PK_JSON_NUMBER) {
			pk_json_rest(j);
		} else if (pk_parse_real(j->text, j->len, &hz) && hz > 1e6 && hz < 1e12) {
			r->text.len = 0;
			pk_buf_addf(&r->text, "%.0f", hz / 1e6);
			pk_bench_machine(&r->bench, PK_BENCH_MHZ, r->text.data);
		}
	}
}

static void read_cpu(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		if (pk_json_is(j, "brand_raw") || pk_json_is(j, "brand")) {
			pytest_benchmark_value(r, &r->text);
			pk_bench_machine(&r->bench, PK_BENCH_CPU, r->text.data);
		} else if (pk_json_is(j, "count")) {
			pytest_benchmark_value(r, &r->text);
			pk_bench_machine(&r->bench, PK_BENCH_CPUS, r->text.data);
			pk_build_processors(r->b, r->text.data);
		} else if (pk_json_is(j, "hz_advertised") || pk_json_is(j, "hz_advertised_raw")) {
			read_hz(r);
		} else {
			pk_json_skip(j);
		}
	}
}

void pytest_benchmark_machine(struct pytest_benchmark *r)
{
	static const struct {
		const char *key;
		enum pk_bench_machine what;
	} known[] = {{"machine", PK_BENCH_ARCH},
		     {"system", PK_BENCH_SYSTEM},
		     {"release", PK_BENCH_KERNEL},
		     {"python_compiler", PK_BENCH_COMPILER}};
	enum { KNOWN = sizeof(known) / sizeof(*known) };
	struct pk_json *j = &r->json;
	PK_BUF_AUTO python = PK_BUF_INIT;
	PK_BUF_AUTO version = PK_BUF_INIT;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		size_t i = 0;

		while (i < KNOWN && !pk_json_is(j, known[i].key))
			i++;
		if (i < KNOWN) {
			pytest_benchmark_value(r, &r->text);
			pk_bench_machine(&r->bench, known[i].what, r->text.data);
		} else if (pk_json_is(j, "python_implementation")) {
			pytest_benchmark_value(r, &python);
		} else if (pk_json_is(j, "python_version")) {
			pytest_benchmark_value(r, &version);
		} else if (pk_json_is(j, "node")) {
			pytest_benchmark_value(r, &r->text);
			pk_build_run_text(r->b, PK_RUN_HOST, r->text.data);
		} else if (pk_json_is(j, "cpu")) {
			read_cpu(r);
		} else {
			pk_json_skip(j);
		}
	}
	if (python.len && version.len) {
		pk_buf_addf(&python, " %s", version.data);
		pk_bench_machine(&r->bench, PK_BENCH_RUNTIME, python.data);
	}
}

/* "commit" is what profkit history looks for. */
void pytest_benchmark_commit(struct pytest_benchmark *r)
{
	static const char *const known[][2] = {{"id", "commit"},
					       {"time", "commit.time"},
					       {"author_time", "commit.author_time"},
					       {"dirty", "commit.dirty"},
					       {"project", "commit.project"},
					       {"branch", "commit.branch"}};
	enum { KNOWN = sizeof(known) / sizeof(*known) };
	struct pk_json *j = &r->json;

	if (!pk_json_enter(j, PK_JSON_OBJECT))
		return;
	while (pk_json_next_key(j)) {
		size_t i = 0;

		while (i < KNOWN && !pk_json_is(j, known[i][0]))
			i++;
		pytest_benchmark_value(r, &r->text);
		if (i < KNOWN && r->text.len && strcmp(r->text.data, "None") != 0 &&
		    strcmp(r->text.data, "unversioned") != 0 &&
		    strcmp(r->text.data, "unknown") != 0 && r->text.data[0] != '(')
			pk_build_meta(r->b, known[i][1], r->text.data);
	}
}

/* "pb/test_sorting.py:6(bubble)", "~:0(<built-in method builtins.len>)" */
static uint32_t make_function(struct pytest_benchmark *r, char *text)
{
	struct pk_function function = {.kind = PK_KIND_PYTHON};
	char *open = strchr(text, '('), *colon, *last = text + strlen(text) - 1;

	while (open && !(open > text && open[-1] >= '0' && open[-1] <= '9'))
		open = strchr(open + 1, '(');
	colon = open;
	while (colon && colon > text && *colon != ':')
		colon--;
	if (!open || *last != ')' || *colon != ':') {
		function.name = pk_build_text(r->b, text);
		return pk_build_function(r->b, &function);
	}
	function.name = pk_build_string(r->b, open + 1, (size_t)(last - open - 1));
	if (!strncmp(text, "~:0", 3)) {
		function.kind = PK_KIND_BUILTIN;
	} else {
		function.file = pk_build_string(r->b, text, (size_t)(colon - text));
		function.line = (uint32_t)strtoul(colon + 1, NULL, 10);
	}
	return pk_build_function(r->b, &function);
}

/* "5/1" means 5 calls, of which 1 is not recursive. */
static void read_calls(struct pytest_benchmark *r, struct pytest_benchmark_call *call)
{
	const char *slash;

	pytest_benchmark_value(r, &r->text);
	slash = strchr(r->text.data, '/');
	call->calls = strtoll(r->text.data, NULL, 10);
	call->primitive = slash ? strtoll(slash + 1, NULL, 10) : call->calls;
}

static void read_call(struct pytest_benchmark *r)
{
	struct pytest_benchmark_call call = {.calls = PK_NULL, .primitive = PK_NULL};
	struct pk_json *j = &r->json;

	while (pk_json_next_key(j)) {
		bool self = pk_json_is(j, "tottime");

		if (pk_json_is(j, "function_name")) {
			pytest_benchmark_value(r, &r->text);
			call.function = r->text.len ? make_function(r, r->text.data) : 0;
		} else if (pk_json_is(j, "ncalls_recursion")) {
			read_calls(r, &call);
		} else if (self || pk_json_is(j, "cumtime")) {
			pytest_benchmark_value(r, &r->text);
			pk_parse_real(r->text.data, r->text.len, self ? &call.self : &call.total);
		} else {
			pk_json_skip(j);
		}
	}
	if (!call.function)
		return;
	PK_GROW(r->call, r->calls + 1, r->call_alloc);
	r->call[r->calls++] = call;
}

int pytest_benchmark_calls(struct pytest_benchmark *r)
{
	struct pk_json *j = &r->json;

	r->has_list = true;
	if (!r->wanted) {
		pk_json_skip(j);
		return 0;
	}
	if (pk_json_enter(j, PK_JSON_ARRAY))
		while (pk_json_next_of(j, PK_JSON_OBJECT))
			read_call(r);
	return 0;
}

void pytest_benchmark_profile(struct pytest_benchmark *r)
{
	if (!r->calls)
		return;
	if (r->others.len < 1000)
		pk_buf_addf(&r->others, "%s%s", r->others.len ? ", " : "", r->name.data);
	if (r->found ||
	    (strcmp(r->name.data, r->wanted) != 0 && strcmp(r->fullname.data, r->wanted) != 0))
		return;
	r->found = true;
	for (size_t i = 0; i < r->calls; i++) {
		const struct pytest_benchmark_call *c = &r->call[i];
		int64_t self, total;

		if (!pk_seconds_to_ns(c->self, &self) || !pk_seconds_to_ns(c->total, &total))
			continue;
		pk_build_edge(r->b, &(struct pk_edge){.callee = c->function,
						      .metric = r->time,
						      .calls = c->calls,
						      .primitive_calls = c->primitive,
						      .self = self,
						      .total = total,
						      .self_raw = c->self,
						      .total_raw = c->total});
	}
	pk_build_run_text(r->b, PK_RUN_COMMAND, r->fullname.data);
}
