#ifndef PK_CHECK_H
#define PK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/check/gate.h"
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
	const char *before, *after; /* what the sides are called */
	const char *root;           /* folder that files are named from: below it names are
				       relative; NULL */
	const char *const *notes;   /* what else there is to say, NULL-terminated */
	bool strict;                /* what is suspected fails */
	size_t rows;                /* findings that text shows for each rule */
};

/* pass, fail, inconclusive */
const char *pk_check_verdict(const struct pk_check *c);
/* What a finding means for the verdict: with strict, suspicion is failure. */
enum pk_gate_verdict pk_check_weigh(const struct pk_check *c, enum pk_gate_verdict verdict);

/* Where a finding is to be shown: file and line of the function to blame. */
struct pk_check_place {
	const char *file; /* "" = not known */
	const char *path; /* the same, but "" for what is no file ("<string>") */
	uint32_t line;    /* 0 = not known */
	uint32_t row;     /* of the diff; 0 = no function is to blame */
	const char *function;
};
struct pk_check_place pk_check_place(const struct pk_check *c, const struct pk_gate_finding *f);

/* "query (app/db.py:42)", "total" */
void pk_check_subject(struct pk_buf *buf, const struct pk_gate_finding *f);
/* "self time of query (app/db.py:42): 10.00 ms -> 12.31 ms, +23.1 % (...)": all that there is to
 * say of it in one line. */
void pk_check_sentence(struct pk_buf *buf, const struct pk_check *c,
		       const struct pk_gate_finding *f);
/* The same for a rule of which there is nothing to find. */
void pk_check_rule_sentence(struct pk_buf *buf, const struct pk_check *c, size_t rule);
/* A name that stays the same from run to run, for tools that follow findings: 16 digits. */
void pk_check_fingerprint(struct pk_buf *buf, const struct pk_check *c,
			  const struct pk_gate_finding *f);

/* Value in base units; NaN where it is not known. */
double pk_check_value(const struct pk_gate_finding *f, int64_t value);

/* A row for every finding and for every rule without one. Release with pk_grid_release. */
void pk_check_grid(struct pk_grid *g, const struct pk_check *c, bool people);
extern const struct pk_grid_columns pk_check_columns;
/* Lines above and below it. */
void pk_check_title(struct pk_buf *buf, const struct pk_check *c);
void pk_check_footer(struct pk_buf *buf, const struct pk_check *c);

/* Members of the JSON object from "verdict" on. */
void pk_check_members(struct pk_json_writer *w, const struct pk_check *c);

/* Reports that CI systems read. */
void pk_check_github(const struct pk_check *c, struct pk_output *out);
void pk_check_gitlab(const struct pk_check *c, struct pk_output *out);
void pk_check_junit(const struct pk_check *c, struct pk_output *out);
void pk_check_sarif(const struct pk_check *c, struct pk_output *out);

#endif
