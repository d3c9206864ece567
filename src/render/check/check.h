#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analysis/check/gate.h"
#include "analysis/diff/words.h"
#include "base/io/output.h"
#include "base/text/str.h"
#include "render/grid.h"

/*
 * The result of `profkit check` in the notations that people and CI systems read.
 */
struct pk_check {
	const struct pk_rules *rules;
	const struct pk_gate *gate;
	const struct pk_diff *diff;
	const char *before, *after; /* names of the sides */
	const char *root;           /* folder that file names are relative to; NULL */
	const char *cause;          /* of benchmarks: functions that became slower in their
				       profiles; NULL */
	/* of benchmarks: the differences between their machines; NULL */
	const char *machines;
	bool strict; /* a suspected violation fails */
	size_t rows; /* number of findings shown to people for each rule and verdict */
	bool folds;  /* functions of a rule that do not fail are one row for people */
};

/* pass, fail, inconclusive */
const char *pk_check_verdict(const struct pk_check *c);
/* The verdict of a finding; with strict, a suspicion is a failure. */
enum pk_gate_verdict pk_check_weigh(const struct pk_check *c, enum pk_gate_verdict verdict);

/* The place to show a finding at: file and line of the function to blame. */
struct pk_check_place {
	const char *file; /* "" = not known */
	const char *path; /* the same; "" if it is not a file ("<string>") */
	uint32_t line;    /* 0 = not known */
	uint32_t row;     /* row of the diff; 0 = no function is to blame */
	const char *function;
};
struct pk_check_place pk_check_place(const struct pk_check *c, const struct pk_gate_finding *f);
/* The name of a file relative to the root. */
const char *pk_check_below(const struct pk_check *c, const char *file);

/* "query (app/db.py:42)", "total" */
void pk_check_subject(struct pk_buf *buf, const struct pk_gate_finding *f);
/* Appends a finding as one line: "self time of query (app/db.py:42): 10.00 ms -> 12.31 ms, +23.1 %
 * (...)". */
void pk_check_sentence(struct pk_buf *buf, const struct pk_check *c,
		       const struct pk_gate_finding *f);
/* The same for a rule without findings. */
void pk_check_rule_sentence(struct pk_buf *buf, const struct pk_check *c, size_t rule);
/* Appends 16 digits that identify a finding across runs, for tools that track findings. */
void pk_check_fingerprint(struct pk_buf *buf, const struct pk_check *c,
			  const struct pk_gate_finding *f);

/* The value in base units; NaN if it is not known. */
double pk_check_value(const struct pk_gate_finding *f, int64_t value);

/* Makes a row for every finding and for every rule without one. Release with pk_grid_release. */
void pk_check_grid(struct pk_grid *g, const struct pk_check *c, bool people);
extern const struct pk_grid_columns pk_check_columns;
/* Appends the lines above the table. */
void pk_check_title(struct pk_buf *buf, const struct pk_check *c);

/* Members of the JSON object from "verdict" on. */
void pk_check_members(struct pk_json_writer *w, const struct pk_check *c);

/* Reports that CI systems read. */
void pk_check_github(const struct pk_check *c, struct pk_output *out);
void pk_check_gitlab(const struct pk_check *c, struct pk_output *out);
void pk_check_junit(const struct pk_check *c, struct pk_output *out);
void pk_check_sarif(const struct pk_check *c, struct pk_output *out);
