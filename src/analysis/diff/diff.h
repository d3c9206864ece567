#ifndef PK_DIFF_H
#define PK_DIFF_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/match.h"
#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"

/*
 * Two sides, of one run or several each, function by function: the values of every run, what is
 * typical of a side, and a verdict on the difference.
 */
enum pk_measure { PK_SELF, PK_TOTAL, PK_CALLS, PK_MEASURES };
extern const char *const pk_measures[]; /* "self", "total", "calls", NULL */

/* Names, as scripts get them: pk_verdicts. */
enum pk_verdict {
	PK_UNCHANGED,
	PK_REGRESSED,
	PK_IMPROVED,
	PK_INCONCLUSIVE, /* the runs are too few or too different to say */
	PK_SUSPECT,      /* changed by more than chance within a run, which is all that is known */
	PK_NEW,
	PK_GONE,
	PK_SHIFTED, /* the change is that of other functions: the note says of which */
};
extern const char *const pk_verdicts[];

/* A number before and after, and what can be said of it. */
struct pk_change {
	int64_t before, after;  /* medians over the runs (of two: half way); PK_NULL = not known;
				   0 where the side does not have the function */
	double ci_low, ci_high; /* interval of after / before; NaN = none */
	double p;               /* adjusted for the number of functions; NaN = none */
	enum pk_verdict verdict;
};

struct pk_diff_row { /* row i is function i of the match */
	struct pk_change change[PK_MEASURES];
	bool estimated;   /* something in it is */
	uint32_t other;   /* row that it was shifted from or to, or is perhaps the old or new
			     name of; 0 = none */
	uint32_t caller;  /* row that is called more (or less) often itself, and calls this
			     one so; 0 = none */
	const char *note; /* for people, in the arena; NULL */
};

struct pk_diff_side {
	const char *name; /* what it is called: file or label; of several runs the first's */
	uint32_t runs;    /* at least 1 */
	uint32_t *metric; /* per run, of match.side[].profile[run] */
	int64_t *whole;   /* per run: the 100 %, sum of self; calls: pk_diff.whole_calls */
	int64_t *calls;   /* per run: sum of calls; PK_NULL */
	/* Values of function i in run r are at [i * runs + r]; 0 where the run does not have
	 * it, calls PK_NULL where the format has none. Multiples of 10^-exponent of the unit. */
	int64_t *value[PK_MEASURES];
};

struct pk_diff_options {
	struct pk_match_options match;
	const char *metric; /* by name; NULL = the first that both sides have */
	bool normalize;     /* scale the values before so that the total is that after: then units
			       may differ, and shares are what is compared */
};

/* Why numbers that differ are a change for certain, or are not. */
enum pk_diff_method {
	PK_DIFF_EXACT,       /* deterministic: any difference is one */
	PK_DIFF_NOISE,       /* one run on both sides: only the noise of sampling is known */
	PK_DIFF_EXPLORATORY, /* a few runs: moderated t, Benjamini-Hochberg */
	PK_DIFF_TESTED,      /* moderated t, max-T permutation */
};
extern const char *const pk_diff_methods[];

struct pk_diff {
	struct pk_match match;
	struct pk_diff_side side[PK_SIDES];
	const char *metric, *unit; /* in a profile of the match */
	int exponent;
	enum pk_metric_kind kind;
	enum pk_exactness exactness; /* of the less exact side */
	struct pk_diff_row *row;     /* match.count rows, from 1 */
	struct pk_change total;      /* of the whole; of calls: total_calls */
	struct pk_change total_calls;
	double scale;          /* what values before were multiplied by to normalize; 1 */
	double machine_factor; /* after / before of a typical function; NaN = not known */
	enum pk_diff_method method;
	struct pk_arena arena;
};

/*
 * Matches and collects. The profiles must live as long as the result. ci and p are NaN,
 * verdicts those of pk_diff_judge_exact. -1 when the units differ, a side has no run, nothing
 * matches at all, or there is no such metric.
 */
int pk_diff_init(struct pk_diff *d, const struct pk_profiles *before,
		 const struct pk_profiles *after, const struct pk_diff_options *options,
		 struct pk_error *err);
void pk_diff_release(struct pk_diff *d);

/* after / before: 1 for 0 / 0, infinite for what is new; NaN if one is not known. */
static inline double pk_change_ratio(const struct pk_change *c)
{
	if (c->before == PK_NULL || c->after == PK_NULL)
		return NAN;
	if (c->before == c->after)
		return 1;
	return c->before ? (double)c->after / (double)c->before : INFINITY;
}

/* The median of n > 0 values, which are sorted on the way; PK_NULL if any is. */
int64_t pk_diff_median(int64_t *value, size_t n);

#endif
