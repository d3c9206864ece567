#pragma once

#include "base/json/json.h"
#include "readers/bench.h"
#include "readers/reader.h"

/* A function of a benchmark's cProfile list. */
struct pytest_benchmark_call {
	uint32_t function;
	int64_t calls, primitive;
	double self, total; /* seconds */
};

/* Of a benchmark; the place of its mean. */
enum { PYTEST_BENCHMARK_STATS = 14, PYTEST_BENCHMARK_MEAN = 3 };

struct pytest_benchmark {
	struct pk_json json;
	struct pk_bench bench;
	struct pk_builder *b;
	struct pk_error *err;
	uint32_t time, benchmarks;
	bool listed;          /* the list of benchmarks was seen */
	struct pk_buf text;   /* of a value */
	struct pk_buf others; /* names of benchmarks that have a list of cProfile */
	/* the benchmark that is read */
	struct pk_buf name, fullname, options, extra, *stat;
	struct pk_json_reals data;
	const char *wanted; /* benchmark whose list of cProfile is read instead; NULL = none */
	bool found;         /* it was there */
	struct pytest_benchmark_call *call;
	size_t calls, call_alloc;
	bool has_list;
};

int pytest_benchmark_repair(struct pytest_benchmark *r, const char *what);
/* The next value as text: a string unescaped, true and null as Python writes them, containers
 * without blanks. */
void pytest_benchmark_value(struct pytest_benchmark *r, struct pk_buf *text);
/* The same, "" for null. */
void pytest_benchmark_value_or_none(struct pytest_benchmark *r, struct pk_buf *text);
/* Keeps a fact about a benchmark, if it says anything. */
void pytest_benchmark_fact(struct pytest_benchmark *r, uint32_t node, const char *key,
			   const struct pk_buf *text);
/* The statistics and values, whose key was read. */
int pytest_benchmark_stats(struct pytest_benchmark *r);
/* Gives them to the benchmark; mean: of one without values. */
int pytest_benchmark_build(struct pytest_benchmark *r, uint32_t node, double mean);
/* The list of functions, whose key was read. */
int pytest_benchmark_calls(struct pytest_benchmark *r);
/* Makes the profile of the benchmark that was read, if it is the wanted one. */
void pytest_benchmark_profile(struct pytest_benchmark *r);
/* Reads the facts about the machine, or the commit; the key was read. */
void pytest_benchmark_machine(struct pytest_benchmark *r);
void pytest_benchmark_commit(struct pytest_benchmark *r);
