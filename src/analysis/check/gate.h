#ifndef PK_GATE_H
#define PK_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/diff/diff.h"
#include "analysis/check/rules.h"

/*
 * Rules applied to a judged difference. What is found of a rule is certain, or suspected, or
 * cannot be told with these runs; what got better is never found.
 */
enum pk_gate_verdict { /* names: pk_gate_verdicts */
		       PK_GATE_PASS,
		       PK_GATE_INCONCLUSIVE, /* more runs would tell */
		       PK_GATE_SUSPECT, /* more than the limit, with too few runs to be certain */
		       PK_GATE_FAIL,
};
extern const char *const pk_gate_verdicts[];

/* Why something is not certain. */
enum pk_gate_reason {
	PK_REASON_NONE,
	PK_REASON_RUNS,    /* the runs differ too much, or are too few */
	PK_REASON_MACHINE, /* a typical function is slower just as much */
	PK_REASON_UNKNOWN, /* one side does not have the numbers */
	PK_REASON_NOTHING, /* the whole is nothing in some run */
};

struct pk_gate_finding {
	const struct pk_rule *rule;
	const struct pk_diff *diff;
	uint32_t row; /* of the diff; 0 = the whole */
	enum pk_measure measure;
	const struct pk_change *change;
	enum pk_gate_verdict verdict;
	enum pk_gate_reason reason;
	uint32_t more_runs; /* a side, that would probably tell; 0 = not known */
};

struct pk_gate_rule { /* by rule */
	enum pk_gate_verdict verdict;
	uint32_t functions;  /* that it looked at */
	size_t first, count; /* findings: the worst first, then the largest differences; at least
				one where the rule is about the whole or not passed */
	bool names_nothing;  /* its pattern matches no function */
	bool has_no_numbers; /* no calls, no memory: there is nothing to look at */
};

struct pk_gate {
	enum pk_gate_verdict verdict; /* the worst */
	struct pk_gate_rule *rule;
	struct pk_gate_finding *finding;
	size_t count, alloc;
};

struct pk_gate_options {
	double alpha;   /* of two-sided tests; a gate looks at one side, so that half of it is the
			   chance that a check fails where nothing changed: 0.05 */
	double suspect; /* one run a side: changes of less than this are not told from noise: 0.25
			 */
	double least;   /* ... nor those of less than this share of the whole: 0.01 */
	double trifle; /* several runs: a change of less than this share of the whole breaks no rule
			  that neither names functions nor gives a number: 0.0001 */
	double floor;  /* as in struct pk_judge_options */
};
extern const struct pk_gate_options pk_gate_defaults;

/* Judges and attributes as the gate needs it. */
void pk_gate_judge(struct pk_diff *d, const struct pk_gate_options *options);

/*
 * diff went through pk_gate_judge; memory is the same of the metric in bytes, NULL if there is
 * none. Both must live as long as the result. -1 when a limit's unit does not fit the values.
 */
int pk_gate_init(struct pk_gate *gate, const struct pk_rules *rules, const struct pk_diff *diff,
		 const struct pk_diff *memory, const struct pk_gate_options *options,
		 struct pk_error *err);
void pk_gate_release(struct pk_gate *gate);

/* What is enough where no rule is given: for times and samples total>5% and self>5%, for
 * other counts total>1% and self>1%, calls>0 where both sides know calls, memory>5% where both know
 * memory. */
void pk_gate_default_rules(struct pk_rules *rules, const struct pk_diff *diff,
			   const struct pk_diff *memory);

/* The ratio after / before at which the finding's limit lies; NaN where there was nothing before.
 */
double pk_gate_limit(const struct pk_gate_finding *f);
/* The row to blame: its own, for the whole the one with the largest certain, else suspected,
 * change for the worse, of calls the one that makes its callees be called more; 0 = none is
 * known. */
uint32_t pk_gate_blamed(const struct pk_gate_finding *f);

#endif
