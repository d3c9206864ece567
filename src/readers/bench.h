#pragma once

#include "model/build/builder.h"

/*
 * For readers of benchmark results: see struct pk_value_table.
 *
 *	pk_bench_begin(&bench, b);
 *	time = pk_bench_metric(&bench, "time", "ns", PK_METRIC_TIME);
 *	pk_bench_label(&bench, "group", text);                // of the next benchmark
 *	node = pk_bench_row(&bench, name, file, module);
 *	pk_bench_value(&bench, node, time, seconds);          // of each repetition
 *	pk_bench_fact(&bench, node, "stddev", "0.25");        // what else the file says of it
 *	pk_bench_end(&bench);
 *
 * Keys of labels: "group", and the names of parameters. Keys of the machine in meta, whatever a
 * format calls them: those of pk_bench_machine.
 */
enum pk_bench_machine {
	PK_BENCH_CPU,      /* "machine.cpu": model */
	PK_BENCH_CPUS,     /* "machine.cpus": number of them */
	PK_BENCH_GOVERNOR, /* "machine.governor": of the frequency, "performance" */
	PK_BENCH_MHZ,      /* "machine.mhz" */
	PK_BENCH_ARCH,     /* "machine.arch": "x86_64" */
	PK_BENCH_SYSTEM,   /* "machine.system": "Linux" */
	PK_BENCH_KERNEL,   /* "machine.kernel": its release */
	PK_BENCH_RUNTIME,  /* "machine.runtime": "CPython 3.11.7", "go1.26.8" */
	PK_BENCH_COMPILER, /* "machine.compiler" */
	PK_BENCH_LIBRARY,  /* "machine.library": of the benchmarks, "google-benchmark 1.9.5
			      (debug)" */
	PK_BENCH_POWER,    /* "machine.power": turbo and the like */
	PK_BENCH_MEMORY,   /* "machine.memory": bytes */
};
extern const char *const pk_bench_machine_keys[];

struct pk_bench {
	struct pk_builder *b;
	struct pk_label *label; /* of the next benchmark */
	size_t labels, alloc;
	uint32_t *set; /* by node: its labels */
	size_t sets;
	uint32_t process; /* thread of the values that follow: 0, or of pk_bench_process */
};

void pk_bench_begin(struct pk_bench *bench, struct pk_builder *b);
void pk_bench_end(struct pk_bench *bench);

/* A metric of which values are repeated. Times have the unit "ns", and their values are seconds. */
uint32_t pk_bench_metric(struct pk_bench *bench, const char *name, const char *unit,
			 enum pk_metric_kind kind);
/* The same with other digits than the usual ones, which suit means of ns and up to 2.5 hours. */
uint32_t pk_bench_metric_of(struct pk_bench *bench, const char *name, const char *unit,
			    int exponent, enum pk_metric_kind kind, enum pk_exactness exactness);
/* Label of the benchmark that comes next; text NULL = none. */
void pk_bench_label(struct pk_bench *bench, const char *key, const char *text);
/* The benchmark as a node. Any of the texts but name may be NULL. Equal ones are one node. */
uint32_t pk_bench_row(struct pk_bench *bench, const char *name, const char *file,
		      const char *module);
void pk_bench_fact(struct pk_bench *bench, uint32_t node, const char *key, const char *value);
/* The process that measures the values that follow, by number from 1. */
void pk_bench_process(struct pk_bench *bench, uint32_t number);

/* Adds a repetition. A value that is not finite is left out: returns false. */
bool pk_bench_value(struct pk_bench *bench, uint32_t node, uint32_t metric, double value);
bool pk_bench_value_of(struct pk_bench *bench, const struct pk_value *value);
/* Adds all values of a benchmark and metric at once; values that are not finite are left out, and
 * their number is returned. */
uint32_t pk_bench_values(struct pk_bench *bench, uint32_t node, uint32_t metric, double *value,
			 uint32_t count);
/* The mean alone, where the file has no values. */
bool pk_bench_mean(struct pk_bench *bench, uint32_t node, uint32_t metric, double mean);

/* text NULL or "": not known. */
void pk_bench_machine(struct pk_bench *bench, enum pk_bench_machine what, const char *text);
/* When it was measured: the start of the run. A text that is no date (pk_parse_date) is passed
 * over. */
void pk_bench_start(struct pk_bench *bench, const char *date);
