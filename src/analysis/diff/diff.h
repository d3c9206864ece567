#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/match/match.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/text/str.h"
#include "model/profile.h"

/*
 * Two sides, each of one or several runs, compared function by function: the values of every
 * run, the median of a side, and a verdict on the difference.
 */
enum pk_measure { PK_SELF, PK_TOTAL, PK_CALLS, PK_MEASURES };
extern const char *const pk_measures[]; /* "self", "total", "calls", NULL */

/* Names for scripts: pk_verdicts. Words for people: words.h. */
enum pk_verdict {
	PK_UNCHANGED,
	PK_REGRESSED,
	PK_IMPROVED,
	PK_INCONCLUSIVE, /* the runs are too few or differ too much */
	PK_SUSPECT,      /* one run a side: changed by more than sampling noise */
	PK_NEW,
	PK_GONE,
	PK_SHIFTED,    /* the cause is in other functions, which the note names */
	PK_MINOR,      /* changed by too little of the whole to be judged */
	PK_UNRECORDED, /* new or gone, but the other side's recorder has no functions of this
			  kind */
};
extern const char *const pk_verdicts[];

/* A value before and after, and the verdict. */
struct pk_change {
	int64_t before, after; /* medians over the runs (of two: their mean); PK_NULL = not known; 0
				  if the side does not have the function */
	double ratio;          /* after / before; of several runs the estimate that ci is about */
	double ci_low, ci_high; /* interval of the ratio; NaN = none */
	double p;               /* adjusted for the number of functions; NaN = none */
	enum pk_verdict verdict;
	enum pk_verdict own; /* the verdict before pk_diff_attribute; PK_SHIFTED = renamed */
};

struct pk_diff_row { /* row i is function i of the match */
	struct pk_change change[PK_MEASURES];
	bool estimated;       /* a value is estimated */
	bool total_estimated; /* the total before is, because the waits in it are: see
			       * pk_diff_scale */
	bool total_unknown;   /* neither side says how much of it waits */
	bool on_total;        /* the note is about the total only */
	bool waits;           /* known to wait: set by pk_diff_judge for times and samples */
	/* Set by pk_diff_judge if it takes out the speed of the machine: */
	int64_t waiting[PK_SIDES]; /* how much of the total waits, median of the runs */
	int64_t waiting_perhaps;   /* how much of it may, after, where the files do not say: the
				    * other end of what is possible */
	bool waiting_estimated;    /* that after is estimated */
	uint32_t other;   /* row that is probably the same function under another name; 0 = none */
	uint32_t caller;  /* caller that is called more (or less) often itself and so changes the
			     calls of this row; 0 = none */
	uint32_t cause;   /* callee that made most of the change of the total; 0 = none is known */
	const char *note; /* for people; NULL = none */
};

/* Benchmarks: the measured values of each row, in all files of a side, without warm-ups. */
struct pk_diff_repeated {
	size_t *first; /* by row, one more than there are: where its values begin */
	double *value; /* seconds for times, else the metric's unit; in the order of the files */
	uint32_t *process; /* of each value: equal ones stand together and are of one process */
	double *given;     /* by row: the mean that the files give; NaN = none */
};

/* How a value differs between the runs of a part. */
struct pk_diff_spread {
	double mean, deviation; /* that of a sample; NaN for one run, and of calls */
	/* deviation of the value from its share of the whole of the run: without effects that
	 * all functions of a run share, such as the speed of the machine */
	double apart;
	int64_t least, most; /* PK_NULL = not known */
};

struct pk_diff_side {
	const char *name; /* name of the side: file or label, of several runs that of the first */
	uint32_t runs;    /* profiles: at least 1 */
	/* If the side is a part, which is then its only profile: the number of its runs that know
	 * the metric; 0 = the side is no part. Values are means over these. */
	uint32_t members;
	/* If the side is a part: by row, the whole first. */
	struct pk_diff_spread *spread[PK_MEASURES];
	uint32_t *metric; /* per run, of match.side[].profile[run] */
	int64_t *whole;   /* per run: 100 %, the sum of self */
	int64_t *calls;   /* per run: the sum of calls; PK_NULL */
	/* The value of function i in run r is at [i * runs + r], in 10^-exponent units: 0 if the
	 * run does not have it; PK_NULL for calls that the format does not count. NULL: only wholes
	 * were asked for. */
	int64_t *value[PK_MEASURES];
	struct pk_diff_repeated repeated; /* of benchmarks, in place of whole, calls and value */
};

struct pk_diff_options {
	struct pk_match_options match;
	const char *metric; /* by name; NULL = the first that both sides have */
	bool wholes;        /* Keep only totals of runs: the values of functions take much memory.
			       pk_diff_value computes one. */
	bool normalize; /* scale the side before so that both wholes are equal: shares are compared,
			   and units may differ */
};

/* How it is decided whether a difference is real. */
enum pk_diff_method {
	PK_DIFF_EXACT,       /* the values are deterministic: any difference is real */
	PK_DIFF_NOISE,       /* one run a side: only sampling noise is known */
	PK_DIFF_EXPLORATORY, /* a few runs: moderated t, Benjamini-Hochberg */
	PK_DIFF_TESTED,      /* moderated t, max-T permutation */
	PK_DIFF_MEANS,       /* parts: Welch's t of means over their runs, Holm */
	PK_DIFF_REPEATED,    /* benchmarks: each by its repeated values, Holm */
};
extern const char *const pk_diff_methods[];

struct pk_diff {
	struct pk_match match;
	struct pk_diff_side side[PK_SIDES];
	const char *metric, *unit; /* texts of a profile of the match */
	int exponent;
	enum pk_metric_kind kind;
	enum pk_exactness exactness; /* that of the less exact side */
	struct pk_diff_row *row;     /* match.count rows, from 1 */
	struct pk_change total;      /* the difference of the whole; for calls: total_calls */
	struct pk_change total_calls;
	double scale;           /* factor applied to the side before; 1 */
	bool shares;            /* by options.normalize only: shares are compared */
	double machine_factor;  /* after / before of a typical function; NaN = not known */
	bool without_machine;   /* verdicts and ratios of rows are without it */
	bool more_is_better;    /* a rate, such as MB/s, or the file says so */
	uint32_t reference;     /* benchmark by whose times the others are divided; its after /
				 * before is machine_factor; 0 = none */
	double reference_error; /* standard error of the logarithm of that */
	bool benchmarks; /* rows are benchmarks: self and total are both the value, there is no
			    whole, and total is the geometric mean of the ratios */
	enum pk_diff_method method;
	unsigned unrecorded[PK_SIDES]; /* bits 1 << PK_KIND_...: of pk_diff_find_unrecorded */
	struct pk_arena arena;
};

/*
 * Matches functions and collects values. The profiles must live as long as the result. ci and
 * p are NaN and verdicts are unchanged until pk_diff_judge. Returns -1 if the units differ, a
 * side has no run, no function matches, the metric does not exist, or one side is a part and the
 * other is not.
 */
int pk_diff_init(struct pk_diff *d, const struct pk_profiles *before,
		 const struct pk_profiles *after, const struct pk_diff_options *options,
		 struct pk_error *err);
void pk_diff_release(struct pk_diff *d);
/* The value of function `row` in run r of a side, also if only wholes were asked for. */
int64_t pk_diff_value(const struct pk_diff *d, enum pk_side s, uint32_t r, enum pk_measure m,
		      uint32_t row);
/* Returns -1 with a message if the sides, of these names, have no function in common. */
int pk_diff_check_common(const struct pk_match *m, const char *before, const char *after,
			 struct pk_error *err);
/* Returns -1 with a message if a side does not know calls. */
int pk_diff_check_calls(const struct pk_diff *d, struct pk_error *err);
/* Benchmarks: the differences between their machines, as text: "CPU A before, B after; kernel
 * ...". */
void pk_diff_machines(struct pk_buf *buf, const struct pk_diff *d);
/* What functions that wait make of the totals of a run, of a part on average: values of the
 * difference, by row, first of the whole. A row that waits itself waits for all of its total. */
struct pk_diff_waits {
	enum {
		PK_WAITS_NOTHING, /* the file knows neither callers nor call paths: value is least
				   */
		PK_WAITS_CALLERS, /* value is an estimate, unless least is most */
		PK_WAITS_PATHS,
	} known;
	int64_t *value;
	int64_t *least, *most; /* between which it certainly is */
};
void pk_diff_waits_init(struct pk_diff_waits *w, const struct pk_diff *d, enum pk_side s,
			uint32_t run);
/* Estimates values of a file that knows nothing: as long as in the first run of the other side, as
 * far as that can be. False if that does not know them either. */
bool pk_diff_waits_guess(struct pk_diff_waits *w, const struct pk_diff *d, enum pk_side s);
void pk_diff_waits_release(struct pk_diff_waits *w);
bool pk_diff_any_waits(const struct pk_diff *d);
/* Multiplies self and total of the side before, without functions that are known to wait and what
 * they make of totals. Verdicts must be found again. */
void pk_diff_scale(struct pk_diff *d, double factor);

/* How much of a value of a row waits, of the whole in row 0, as pk_diff_judge found it. */
double pk_diff_waiting(const struct pk_diff *d, uint32_t row, enum pk_measure m, enum pk_side s,
		       int64_t value);
/* By what the value of a row after is divided to be as on the machine before, if verdicts are
 * without the speed of the machine: by that, but for what waits. row 0: the whole. */
double pk_diff_machine(const struct pk_diff *d, uint32_t row, enum pk_measure m);

/* after / before: 1 for 0 / 0, infinite if the value is new, NaN if one is not known. */
static inline double pk_change_ratio(const struct pk_change *c)
{
	if (c->before == PK_NULL || c->after == PK_NULL)
		return NAN;
	if (c->before == c->after)
		return 1;
	return c->before ? (double)c->after / (double)c->before : INFINITY;
}

/* Benchmarks: the number of values of a row. */
static inline size_t pk_diff_values(const struct pk_diff *d, enum pk_side s, uint32_t row)
{
	const struct pk_diff_repeated *r = &d->side[s].repeated;

	return r->first[row + 1] - r->first[row];
}
/* True if the side has the metric for this row: some benchmarks lack some metrics. */
static inline bool pk_diff_has_metric(const struct pk_diff *d, uint32_t row)
{
	return d->row[row].change[PK_SELF].before != PK_NULL ||
	       d->row[row].change[PK_SELF].after != PK_NULL;
}

/* The number of runs behind the values of a side. */
static inline uint32_t pk_diff_runs(const struct pk_diff *d, enum pk_side s)
{
	return d->side[s].members ? d->side[s].members : d->side[s].runs;
}
/* The least and the largest value over these of a row, or of the whole: row 0. */
void pk_diff_range(const struct pk_diff *d, enum pk_side s, enum pk_measure m, uint32_t row,
		   int64_t *low, int64_t *high);

/* The median of n > 0 values, which are sorted in place; PK_NULL if any of them is. */
int64_t pk_diff_median(int64_t *value, size_t n);

/*
 * Reduces the alarms to one per cause, in the measures given (bits 1 << PK_SELF, ...). Call it
 * after pk_diff_judge. Rows become PK_SHIFTED if their cost only moved between functions, if
 * their total changed because of a callee, or if the function was probably renamed. Sets
 * `other`, `caller` and `note` of the rows.
 */
void pk_diff_attribute(struct pk_diff *d, unsigned measures);

/*
 * Makes new and gone functions PK_UNRECORDED where the sides have different recorders, and the one
 * that lacks the function has none of its kind at all. Call it after pk_diff_attribute, if that is
 * called.
 */
void pk_diff_find_unrecorded(struct pk_diff *d);

/* 1 for a verdict that is bad (also a suspicion), -1 for a good one, 0 for no change. */
int pk_change_direction(const struct pk_change *c);

/* The verdict before other functions were found to be the cause. */
static inline enum pk_verdict pk_change_own(const struct pk_change *c)
{
	return c->verdict == PK_SHIFTED ? c->own : c->verdict;
}

/* after - before; 0 if one is not known. */
int64_t pk_change_delta(const struct pk_change *c);

/* Which rows of a difference to show, and in which order. */
enum pk_diff_key {
	PK_DIFF_BY_DELTA, /* the largest change first, in either direction */
	PK_DIFF_BY_BEFORE,
	PK_DIFF_BY_AFTER,
	PK_DIFF_BY_RATIO,
	PK_DIFF_BY_P, /* the smallest p first */
	PK_DIFF_BY_VERDICT,
	PK_DIFF_BY_NAME,
};
#define PK_DIFF_KEYS "delta, before, after, ratio, p, verdict, name"
extern const char *const pk_diff_keys[]; /* the same, NULL-terminated */

struct pk_diff_choice {
	enum pk_diff_key key;
	bool reverse;
	const char *match; /* RE: only functions that match it on either side; NULL = all */
	double min_share;  /* only functions with this share of the whole on one side */
	bool changed;      /* leaves out unchanged functions that differ by less than 0.1 % of the
			      whole */
};

/* Sets order (with room for d->match.count rows) and *count; *unchanged is the number of rows that
 * `changed` left out. Returns -1 for a bad RE. */
int pk_diff_choose(const struct pk_diff *d, enum pk_measure m, const struct pk_diff_choice *choice,
		   uint32_t *order, uint32_t *count, uint32_t *unchanged, struct pk_error *err);
