#ifndef PK_STATS_FAMILY_H
#define PK_STATS_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Many functions measured in a few runs before and a few runs after: which of them changed?
 * The unit of replication is the run. Values are logarithms, so that a difference is a ratio.
 */
struct pk_family {
	size_t rows;          /* functions */
	size_t before, after; /* runs a side, at least one each */
	double *value;        /* rows * (before + after): a row holds its runs, before first */
};

/*
 * Takes out of every run how fast its machine was: the median over the functions of how far
 * the run is from their mean. That assumes that less than half of the functions changed.
 * `use` says which functions are steady enough to tell (NULL = all). speed becomes what was taken
 * out of each run; the difference of its means after and before is returned: the logarithm of
 * the machine factor. With fewer than 5 functions to tell from, nothing is taken out,
 * because one of them may be the one that changed: NaN is returned, speed is 0.
 */
double pk_family_normalise(struct pk_family *family, const bool *use, double *speed);

struct pk_family_row {
	double shift; /* mean after - mean before */
	double error; /* its standard error, from the moderated variance */
	double p;     /* of this function alone */
	double p_adjusted;
};

struct pk_family_result {
	struct pk_family_row *row; /* as in the family */
	double df;                 /* degrees of freedom of t */
	bool exploratory;          /* too few runs for a permutation test */
	size_t permutations;
};

/*
 * Moderated t for every function: its variance within the sides is taken together with the
 * median over all functions, which counts as PK_PRIOR_DF degrees of freedom. p_adjusted is the
 * chance that any function at all reaches such a t if none changed, from the largest t of all
 * under other divisions of the runs into sides (max-T, step-down): all of them up to
 * PK_PERMUTATIONS, else that many drawn at random, always the same. It holds however the
 * functions depend on each other. With runs so few that this could not come below
 * 0.01 (fewer than 5 and 5), p_adjusted controls the share of false discoveries
 * (Benjamini-Hochberg) instead, and the result is exploratory. At least 3 runs in all.
 */
enum { PK_PRIOR_DF = 4, PK_PERMUTATIONS = 5000 };
void pk_family_test(const struct pk_family *family, struct pk_family_result *result);
void pk_family_result_release(struct pk_family_result *result);

/* adjusted[i] is the least share of false discoveries at which p[i] is one. May be p itself. */
void pk_benjamini_hochberg(const double *p, size_t count, double *adjusted);

#endif
