#pragma once

#include "analysis/check/judge.h"
#include "analysis/stats/stats.h"

/* Steps of pk_diff_judge. */
struct pk_judging {
	struct pk_diff *d;
	const struct pk_judge_options *options;
	double least_value; /* functions below it on both sides are not judged */
	double interval;    /* the value between two samples, or used in place of 0 */
	bool has_speed;     /* the values depend on the speed of the machine */
	bool machine;       /* and functions are judged without it */
	double *speed;      /* per run, those before first: logarithm of the machine's speed */
	struct pk_diff_waits *waits; /* per run; NULL = nothing waits, or machine is false */
};

/* The functions that are judged, as a family; values are logarithms. */
struct pk_judged {
	struct pk_family family;
	uint32_t *row; /* per row of the family: the row of the diff */
	bool *steady;  /* per row: it has a value in every run and is called equally often */
};
void pk_judged_init(struct pk_judged *j, const struct pk_judging *judging, enum pk_measure measure);
void pk_judged_release(struct pk_judged *j);

/* Finds the rows that wait: they say nothing about the machine, and are not divided by its
 * factor. */
void pk_judge_find_waits(struct pk_diff *d);

/* Finds how much of each total waits, in each run and in a typical one. Call it when the machine
 * factor is known, before totals are judged. */
void pk_judge_waiting(struct pk_judging *judging);
void pk_judge_waiting_release(struct pk_judging *judging);

/* Removes the machine factors from the logarithms. PK_SELF comes first: it finds them, if the
 * values depend on the speed of the machine. */
void pk_judge_machines(struct pk_judging *judging, struct pk_judged *j, enum pk_measure measure);

/* A function that is nearly the whole in every run gets the verdict of the whole, so that both
 * agree. */
void pk_judge_like_whole(struct pk_judging *judging);

/* The verdict of several runs on a change whose ci and p are known. */
enum pk_verdict pk_judge_verdict(const struct pk_change *c, const struct pk_judge_options *o,
				 bool exploratory);
/* Makes the interval leave out 1 where p is below alpha, and nowhere else. */
void pk_judge_fit_interval(struct pk_change *c, double alpha, bool up);
void pk_judge_runs(struct pk_judging *judging);
void pk_judge_parts(struct pk_judging *judging);
void pk_judge_single(struct pk_judging *judging);
void pk_judge_benchmarks(struct pk_diff *d, const struct pk_judge_options *options);
/* Uses the benchmark with this name as the speed of the machine: sets `reference` and what depends
 * on it. Returns -1 with a message if it cannot be used. */
int pk_judge_calibrate(struct pk_diff *d, const char *name, uint32_t row, struct pk_error *err);

static inline int64_t pk_larger_side(const struct pk_change *c)
{
	return c->before > c->after ? c->before : c->after;
}
