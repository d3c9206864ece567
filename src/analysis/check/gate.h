#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/diff/diff.h"
#include "analysis/check/rules.h"

/*
 * Applies rules to a judged difference. Each violation of a rule is a finding: certain,
 * suspected, or inconclusive with these runs. Improvements are no findings.
 */
enum pk_gate_verdict { /* names: pk_gate_verdicts */
		       PK_GATE_PASS,
		       PK_GATE_INCONCLUSIVE, /* more runs would decide */
		       PK_GATE_SUSPECT, /* more than the limit, with too few runs to be certain */
		       PK_GATE_FAIL,
};
extern const char *const pk_gate_verdicts[];

/* Why a finding is not certain. */
enum pk_gate_reason {
	PK_REASON_NONE,
	PK_REASON_RUNS,     /* the runs differ too much or are too few */
	PK_REASON_MACHINE,  /* a typical function is slower by as much; or a function is above the
			       limit by less than functions depend on the machine differently */
	PK_REASON_WAITS,    /* how much of a total waits is not known */
	PK_REASON_UNKNOWN,  /* one side has no numbers */
	PK_REASON_NOTHING,  /* the whole is 0 in a run */
	PK_REASON_VALUES,   /* benchmarks: the values differ too much or are too few */
	PK_REASON_SUMMARY,  /* benchmarks: a side has one value, or a summary */
	PK_REASON_MACHINES, /* benchmarks: the sides ran on different machines */
	PK_REASON_ODD_RUNS, /* calls: some runs have more, and no run before has */
	PK_REASON_FASTER,   /* passes because what became faster outweighs it */
};

struct pk_gate_finding {
	const struct pk_rule *rule;
	const struct pk_diff *diff;
	uint32_t row; /* row of the diff; 0 = the whole */
	enum pk_measure measure;
	const struct pk_change *change;
	enum pk_gate_verdict verdict;
	enum pk_gate_reason reason;
	uint32_t more_runs; /* more runs, or values, a side that would probably decide; 0 = not
			       known */
	uint32_t odd_runs;  /* of PK_REASON_ODD_RUNS: how many; 0 = not known, of parts */
	int64_t most;       /* and the most calls of a run */
};

/* Why a benchmark is not compared. */
enum { PK_GATE_RENAMED, PK_GATE_NEW, PK_GATE_GONE, PK_GATE_APARTS };

struct pk_gate_rule { /* results of a rule */
	enum pk_gate_verdict verdict;
	uint32_t functions; /* number of functions, or benchmarks, compared */
	uint32_t left_out;  /* functions below the floor */
	uint32_t uncertain; /* functions above the limit, not certainly, without a finding */
	uint32_t explained; /* functions above the limit because of others, without a finding */
	struct pk_gate_apart {
		uint32_t count;
		const char *name, *note; /* of the first one; note NULL: none */
	} apart[PK_GATE_APARTS];         /* benchmarks of one side */
	size_t first, count; /* findings: the worst first, then the largest differences. At least
				one if the rule is about the whole or is broken */
	const struct pk_diff *diff; /* that the rule looks at; NULL = none */
	bool names_nothing;         /* the pattern matches no function */
	bool has_no_numbers;        /* the runs have no calls or no memory, so there is nothing to
				       compare */
};

struct pk_gate {
	enum pk_gate_verdict verdict; /* the worst */
	struct pk_gate_rule *rule;
	struct pk_gate_finding *finding;
	size_t count, alloc;
};

struct pk_gate_options {
	double alpha; /* error probability of two-sided tests: 0.05. A gate looks at one side only,
			 so an unchanged program fails with half of it */
	double suspect; /* one run a side: smaller changes count as noise: 0.25 */
	double least; /* smaller changes of a function, as a share of the whole, break no rule that
			 neither names functions nor gives a number: 0.01 */
	double floor; /* as in struct pk_judge_options */
	/* The differences between the machines of benchmarks, as text; NULL = none. If there are
	 * any, no time is certain, unless it is divided by that of a reference. */
	const char *machines;
	bool same_machine; /* any such difference is a failure */
	/* By rule: the difference in the metric that it names; NULL = not both sides have it. */
	const struct pk_diff *const *of_rule;
};
extern const struct pk_gate_options pk_gate_defaults;

/* Divides times of benchmarks by those of the one with this name: see `reference` of struct
 * pk_diff. Other metrics stay as they are. */
int pk_gate_calibrate(struct pk_diff *d, const char *name, struct pk_error *err);

/* Judges and attributes a difference as the gate needs it. */
void pk_gate_judge(struct pk_diff *d, const struct pk_gate_options *options);

/*
 * diff went through pk_gate_judge. memory is the same difference in the metric of bytes; NULL
 * if there is none. Both must live as long as the result. Returns -1 if the unit of a limit
 * does not fit the values.
 */
int pk_gate_init(struct pk_gate *gate, const struct pk_rules *rules, const struct pk_diff *diff,
		 const struct pk_diff *memory, const struct pk_gate_options *options,
		 struct pk_error *err);
void pk_gate_release(struct pk_gate *gate);

/* The rules used if none are given. Benchmarks: METRIC>2% of the first metric if that is a time,
 * >1% if not, and of bytes and allocations that both sides have, >1%. Else: PK_CALLS: calls>1%.
 * Times and samples: total>5% and self>5%. Other counts: total>1% and self>1%. memory>5% if both
 * sides know memory. The rule for functions is not broken if what became faster outweighs what
 * became slower. */
void pk_gate_default_rules(struct pk_rules *rules, const struct pk_diff *diff,
			   const struct pk_diff *memory, enum pk_measure measure);

/* The ratio after / before that is the limit of the finding; NaN where there was nothing before. */
double pk_gate_limit(const struct pk_gate_finding *f);
/* The row that caused the finding: its own; for the whole, the row with the largest certain,
 * else suspected, change for the worse; for calls, the row whose callees are called more; 0 =
 * not known. */
uint32_t pk_gate_blamed(const struct pk_gate_finding *f);
