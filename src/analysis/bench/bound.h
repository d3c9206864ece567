#pragma once

#include "analysis/bench/bench.h"
#include "base/text/str.h"

/* Finds what bounds a program, from the means of the metrics that `time` and hyperfine report:
 * time, user, system, and, if they are there, maxrss, major_faults, minor_faults,
 * voluntary_switches, involuntary_switches, swaps. */
enum pk_bound_kind {
	PK_BOUND_UNKNOWN,  /* too short for the steps of its times */
	PK_BOUND_CPU,      /* a core, or all cores, did nothing else */
	PK_BOUND_PARALLEL, /* more than one core, and not all as far as is known */
	PK_BOUND_WAITING,
};

struct pk_bound {
	enum pk_bound_kind kind;
	double elapsed, user, system; /* seconds */
	double cores;                 /* busy on average */
	int64_t processors;           /* of the machine; 0 = not known */
	/* NaN: not known */
	double maxrss, major, minor, swaps, voluntary, involuntary;
	bool in_system;                  /* much of the CPU time is the system's */
	bool paging;                     /* much of the waiting may be for memory */
	bool preempted;                  /* others had the CPU */
	const char *failed, *exit_codes; /* "2 of 4 runs", "0, 0, 3, 3"; NULL = none */
};

/* list: of all metrics. False if times are missing. */
bool pk_bench_bound(const struct pk_benchmarks *list, uint32_t node, struct pk_bound *bound);
/* Appends sentences. */
void pk_bound_words(struct pk_buf *buf, const struct pk_bound *bound);
